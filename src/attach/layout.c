/* See layout.h. The numbers were measured: tests/go/layouts/measure.go prints them from the DWARF of a program, and tests/test_attach compares
 * where a Go of that release is installed. */
#include "attach/layout.h"
#include "eventlog/events.h"

/* clang-format off */
#define S_20_24 24, 32, 40, 48, 56, 80, 88, 92, 96, 104, 120
static const struct go_layout layouts[] = {
    /*   g: m  status goid link reason startpc parent | m: g0 procid startfn curg p id spinning blocked next alllink lockedg | p: m head runnext | sched: lock midle nmidle mnext maxmcount pidle npidle nmspinning needspinning runq runqsize */
    {20, 48, 144, 152, 160, 176, 312,   0, 0, 72, 184, 192, 208, 232, 276, 277, 344, 336, 352, 56, 400, 2456, S_20_24},
    {21, 48, 144, 152, 160, 176, 296, 272, 0, 72, 184, 192, 208, 232, 276, 277, 344, 336, 352, 56, 400, 2456, S_20_24},
    {22, 48, 144, 152, 160, 176, 296, 272, 0, 72, 184, 192, 208, 232, 276, 277, 336, 328, 344, 56, 400, 2456, S_20_24},
    {23, 48, 152, 160, 168, 184, 304, 280, 0, 72, 184, 192, 208, 232, 276, 277, 336, 328, 344, 48, 392, 2448, S_20_24},
    {24, 48, 152, 160, 168, 184, 304, 280, 0, 72, 184, 192, 208, 232, 276, 277, 360, 352, 368, 48, 392, 2448, S_20_24},
    {25, 48, 144, 152, 160, 176, 296, 272, 0, 64, 176, 184, 200, 224, 268, 269, 352, 344, 360, 48, 392, 2448, 32, 40, 48, 56, 64, 88, 96, 100, 104, 112, 128},
    {26, 48, 144, 152, 160, 176, 304, 280, 0, 64, 176, 184, 208, 232, 276, 277, 376, 352, 384, 48, 400, 2456, 32, 40, 64, 72, 80, 104, 112, 116, 120, 128, 144},
    {27, 48, 144, 152, 160, 176, 304, 280, 0, 64, 176, 184, 208, 232, 276, 277, 376, 352, 384, 48, 400, 2456, 32, 40, 64, 72, 80, 104, 112, 116, 120, 128, 144},
};
/* clang-format on */

const struct go_layout *go_layout(int minor)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].minor == minor)
            return &layouts[i];
    return NULL;
}

/* runtime2.go, type waitReason, in the words of our table. 1.24 added the WaitGroup's, 1.25 the updater's, 1.26 changed the order. */
enum {
    NIL_RECV = WAIT_REASON_CHAN_RECEIVE_NIL,
    NIL_SEND = WAIT_REASON_CHAN_SEND_NIL,
    GC = WAIT_REASON_GC_WAIT,
    SYS = WAIT_REASON_SYSTEM,
    RECV = WAIT_REASON_CHAN_RECEIVE,
    SEND = WAIT_REASON_CHAN_SEND,
    WG = WAIT_REASON_WAITGROUP_WAIT,
    CORO = WAIT_REASON_COROUTINE,
    SEL = WAIT_REASON_SELECT,
};
#define LOCKS \
    WAIT_REASON_SEMACQUIRE, WAIT_REASON_SLEEP, WAIT_REASON_COND_WAIT, WAIT_REASON_MUTEX_LOCK, WAIT_REASON_RWMUTEX_RLOCK, \
        WAIT_REASON_RWMUTEX_LOCK
#define OLD_HEAD \
    0, GC, WAIT_REASON_IO_WAIT, NIL_RECV, NIL_SEND, SYS, GC, GC, SYS, SEL, WAIT_REASON_SELECT_NO_CASES, GC, WAIT_REASON_GC_SWEEP_WAIT, \
        WAIT_REASON_GC_SCAVENGE_WAIT, RECV, SEND, WAIT_REASON_FINALIZER_WAIT, WAIT_REASON_FORCE_GC_IDLE
#define TAIL \
    WAIT_REASON_TRACE_READER_WAIT, GC, GC, GC, WAIT_REASON_PREEMPTED, SYS, WAIT_REASON_STOPPED, WAIT_REASON_STOPPED, SYS, SYS, SYS, SYS, \
        CORO, GC, SYS, SYS, RECV, SEND, SEL, WG, WAIT_REASON_CLEANUP_WAIT
static const uint8_t
    reasons_20[] = {OLD_HEAD, LOCKS, TAIL},
    reasons_24[] = {OLD_HEAD, LOCKS, WG, TAIL}, reasons_25[] = {OLD_HEAD, WAIT_REASON_UPDATE_GOMAXPROCS_IDLE, LOCKS, WG, TAIL},
    reasons_26[] = {
        0,
        GC,
        WAIT_REASON_IO_WAIT,
        SYS,
        GC,
        GC,
        SYS,
        GC,
        WAIT_REASON_GC_SWEEP_WAIT,
        WAIT_REASON_GC_SCAVENGE_WAIT,
        WAIT_REASON_FINALIZER_WAIT,
        WAIT_REASON_FORCE_GC_IDLE,
        WAIT_REASON_UPDATE_GOMAXPROCS_IDLE,
        WAIT_REASON_SEMACQUIRE,
        WAIT_REASON_SLEEP,
        NIL_RECV,
        NIL_SEND,
        WAIT_REASON_SELECT_NO_CASES,
        SEL,
        RECV,
        SEND,
        WAIT_REASON_COND_WAIT,
        WAIT_REASON_MUTEX_LOCK,
        WAIT_REASON_RWMUTEX_RLOCK,
        WAIT_REASON_RWMUTEX_LOCK,
        WG,
        TAIL};

uint32_t go_reason(int minor, uint8_t reason)
{
    const uint8_t *v = minor >= 26 ? reasons_26 : minor == 25 ? reasons_25 : minor == 24 ? reasons_24 : reasons_20;
    size_t n = minor >= 26 ? sizeof reasons_26 : minor == 25 ? sizeof reasons_25 : minor == 24 ? sizeof reasons_24 : sizeof reasons_20;
    return reason < n ? v[reason] : (uint32_t)WAIT_REASON_NONE;
}
