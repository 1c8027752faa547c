/* The event record and the names in it: what every room that reads or writes events shares.
 *
 * A record is 32 bytes. Who logged it (the M) is not in it: each M has a ring of its own (log.h), the
 * merge hands the M beside the record. Long text follows in `ncont` further 32-byte slots.
 */
#ifndef GMPSCOPE_EVENTLOG_EVENTS_H
#define GMPSCOPE_EVENTLOG_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EV_NO_P 0xffffu          /* struct ev.p: no P */
#define EV_MAX_P 1024u           /* P ids lie below */
#define EV_NONE 0xffffffffu      /* an M or P field without a value */
#define EV_TEXT_MAX 992          /* bytes of text in one event, at most 31 continuation slots */
#define EV_SYSTEM_FN 0xffff0000u /* g_create's fn of a system G: this plus its label */
#define EV_SYSTEM_G 1000001u     /* system Gs are numbered from here (design 12), */
#define EV_SYSTEM_GS 1000000u    /* and so many ids are kept for them */

struct ev {
    int64_t time;                /* scenario time, ns */
    uint8_t kind;                /* enum ev_kind */
    uint8_t ncont;               /* 32-byte slots of text that follow */
    uint16_t p;                  /* P, or EV_NO_P */
    uint32_t g;                  /* G, or 0 */
    uint32_t a, b, c, d;         /* by kind: events.def */
};
_Static_assert(sizeof(struct ev) == 32, "an event is one half of a cache line");

enum ev_kind {
#define EVENT(id, ...) EV_##id,
#include "eventlog/events.def"
#undef EVENT
    EV_KINDS
};

/* The generations, as sets; bit i is number i of enum rt_generation (runtime.h). */
enum { EV_GO1_20 = 1, EV_GO1_13 = 2, EV_GO1_4 = 4, EV_GO1_0 = 8 };

enum ev_level { EV_OFF = -1, EV_CORE, EV_DETAIL }; /* EV_OFF is no event's: to record nothing */

/* Values of the enumerated fields: NAME(word shown). One list a type; `names` in struct ev_enum. */
#define EV_ENUMS(X) \
    X(FT_REASON, WR, "none", "chan_receive", "chan_send", "chan_receive_nil", "chan_send_nil", "select", "sleep", \
      "semacquire", "sync_mutex_lock", "sync_rwmutex_rlock", "sync_rwmutex_lock", "sync_cond_wait", \
      "sync_waitgroup_wait", "io_wait", "gc_wait", "finalizer_wait", "trace_reader_wait", "stopped", "timer_goroutine_idle") \
    X(FT_PREEMPT, PK, "cooperative", "async") \
    X(FT_PREEMPTWHY, PW, "slice", "stw", "safe_point") \
    X(FT_EXITHOW, XH, "old_p", "idle_p", "no_p", "cpu") \
    X(FT_CALL, SC, "syscall", "cgo", "io") \
    X(FT_RETAKE, RW, "work_waits", "nobody_else", "long_syscall", "safe_point") \
    X(FT_HANDOFF, HW, "local_work", "global_work", "no_spinners", "last_p_polls", "idle", "stw", "gc_work", "trace_reader", "switched_off") \
    X(FT_END, QE, "tail", "head") \
    X(FT_GLOBWHY, GW, "tick61", "batch", "recheck", "only_queue", "dealt") \
    X(FT_STAGE, FS, "timers", "tick61", "local", "global", "netpoll", "steal", "recheck", "drop_p", "poll_until", "stop", \
      "gc_worker", "idle_gc", "trace_reader", "finalizer") \
    X(FT_SPINSTOP, SS, "found_work", "nothing_found", "no_idle_p", "stw") \
    X(FT_WAKEP, WW, "new_g", "ready", "found_work", "timer", "handoff", "poller", "world_starts", "special_g") \
    X(FT_RECHECK, RC, "runqs", "timers", "global", "gc") \
    X(FT_GCPHASE, GP, "off", "mark", "mark_termination") \
    X(FT_GCMODE, GM, "dedicated", "fractional", "idle") \
    X(FT_STWWHY, SW, "gomaxprocs", "gc", "user") \
    X(FT_GCSTOP, GS, "stopper", "syscall", "idle", "scheduler", "handoff", "entersyscall") \
    X(FT_LOCK, LK, "sched", "timers", "chan", "sema", "gfree", "waitgroup", "other", "notify_list") \
    X(FT_TIMER, TW, "wake", "send", "go") \
    X(FT_FATAL, FK, "fatal", "panic", "throw", "internal") \
    X(FT_END_HOW, EH, "main_returned", "deadlock", "panic", "fatal", "limit", "break", "interrupted")

enum wait_reason { WAIT_REASON_NONE, WAIT_REASON_CHAN_RECEIVE, WAIT_REASON_CHAN_SEND, WAIT_REASON_CHAN_RECEIVE_NIL, WAIT_REASON_CHAN_SEND_NIL, WAIT_REASON_SELECT, WAIT_REASON_SLEEP,
    WAIT_REASON_SEMACQUIRE, WAIT_REASON_MUTEX_LOCK, WAIT_REASON_RWMUTEX_RLOCK, WAIT_REASON_RWMUTEX_LOCK, WAIT_REASON_COND_WAIT, WAIT_REASON_WAITGROUP_WAIT, WAIT_REASON_IO_WAIT,
    WAIT_REASON_GC_WAIT, WAIT_REASON_FINALIZER_WAIT, WAIT_REASON_TRACE_READER_WAIT, WAIT_REASON_STOPPED, WAIT_REASON_TIMER_GOROUTINE_IDLE };
/* What a system G is for; its name is ev_system_label(). */
enum system_label { SYSG_TIMERPROC, SYSG_GCWORKER, SYSG_FINALIZER, SYSG_TRACEREADER, SYSG_ENABLEUSER, SYSG_POLLSERVER };
enum { PREEMPT_COOPERATIVE, PREEMPT_ASYNC };
enum { PREEMPT_FOR_SLICE, PREEMPT_FOR_STW, PREEMPT_FOR_SAFE_POINT };
enum { EXITSYSCALL_OLD_P, EXITSYSCALL_IDLE_P, EXITSYSCALL_NO_P, EXITSYSCALL_CPU };
enum { CALL_SYSCALL, CALL_CGO, CALL_IO };
enum { RETAKE_WORK_WAITS, RETAKE_NOBODY_ELSE, RETAKE_LONG_SYSCALL, RETAKE_SAFE_POINT };
enum { HANDOFF_LOCAL_WORK, HANDOFF_GLOBAL_WORK, HANDOFF_NO_SPINNERS, HANDOFF_LAST_P_POLLS, HANDOFF_IDLE, HANDOFF_STW, HANDOFF_GC_WORK, HANDOFF_TRACE_READER, HANDOFF_SWITCHED_OFF };
enum { QUEUE_TAIL, QUEUE_HEAD };
enum { GLOBQ_TICK61, GLOBQ_BATCH, GLOBQ_RECHECK, GLOBQ_ONLY_QUEUE, GLOBQ_DEALT };
enum { FIND_TIMERS, FIND_TICK61, FIND_LOCAL, FIND_GLOBAL, FIND_NETPOLL, FIND_STEAL, FIND_RECHECK, FIND_DROP_P, FIND_POLL_UNTIL, FIND_STOP,
    FIND_GC_WORKER, FIND_IDLE_GC, FIND_TRACE_READER, FIND_FINALIZER };
enum { SPIN_STOP_FOUND_WORK, SPIN_STOP_NOTHING_FOUND, SPIN_STOP_NO_IDLE_P, SPIN_STOP_STW };
enum { WAKEP_NEW_G, WAKEP_READY, WAKEP_FOUND_WORK, WAKEP_TIMER, WAKEP_HANDOFF, WAKEP_POLLER, WAKEP_WORLD_STARTS, WAKEP_SPECIAL_G };
enum { RECHECK_RUNQS, RECHECK_TIMERS, RECHECK_GLOBAL, RECHECK_GC };
enum { STW_GOMAXPROCS, STW_GC, STW_USER };
enum { GCSTOP_STOPPER, GCSTOP_SYSCALL, GCSTOP_IDLE, GCSTOP_SCHEDULER, GCSTOP_HANDOFF, GCSTOP_ENTERSYSCALL };
enum { GCPHASE_OFF, GCPHASE_MARK, GCPHASE_MARK_TERMINATION };
enum { GCMODE_DEDICATED, GCMODE_FRACTIONAL, GCMODE_IDLE };
enum { RANK_SCHED, RANK_TIMERS, RANK_CHAN, RANK_SEMA, RANK_GFREE, RANK_WAITGROUP, RANK_OTHER, RANK_NOTIFY_LIST };
enum { FATAL_FATAL, FATAL_PANIC, FATAL_THROW, FATAL_INTERNAL }; /* FATAL_THROW: a throw that Go itself makes; FATAL_INTERNAL: throw() of our runtime */
enum { ENDED_MAIN_RETURNED, ENDED_DEADLOCK, ENDED_PANIC, ENDED_FATAL, ENDED_LIMIT, ENDED_BREAK, ENDED_INTERRUPTED };

/* G and P states, Go's own numbers; they are the snapshot's too. */
enum g_status { G_IDLE = 0, G_RUNNABLE = 1, G_RUNNING = 2, G_SYSCALL = 3, G_WAITING = 4, G_DEAD = 6 };
enum p_status { P_IDLE = 0, P_RUNNING = 1, P_SYSCALL = 2, P_GCSTOP = 3, P_DEAD = 4 };

enum ev_ftype {
    FT_NONE, FT_INT, FT_BOOL, FT_G, FT_M, FT_P, FT_FN, FT_TIME, FT_DUR, FT_TEXT,
#define X(type, ...) type,
    EV_ENUMS(X)
#undef X
    T_G, T_P, T_LOCK, T_SPIN, T_TIMER, T_OUT, /* tickets: a G's, a P's, sched.lock's, nmspinning's, a heap's, the output's */
};
/* The level of each kind, for who knows the kind when it is compiled. */
static const int8_t ev_level_of[EV_KINDS] = {
#define EVENT(id, name, level, ...) [EV_##id] = EV_##level,
#include "eventlog/events.def"
#undef EVENT
};

#define EV_IS_TICKET(t) ((t) >= T_G)

enum ev_word { W_A, W_B, W_C, W_D, W_G, W_P, W_M, W_CD, W_LATE, W_TIME };

struct ev_field { const char *name; enum ev_ftype type; enum ev_word word; uint8_t shift, bits; };

#define EV_FIELDS 7
struct ev_desc {
    const char *name, *go, *meaning, *say[2]; /* say: [0] en, [1] zh */
    enum ev_level level;
    struct ev_field field[EV_FIELDS];         /* up to the first with name NULL; tickets have name "" */
};
extern const struct ev_desc ev_desc[EV_KINDS];

/* kind by name, or -1 */
int ev_kind(const char *name, size_t len);
/* The field of a kind by name (also "m", "p", "g", "time" of every event), NULL if it has none. */
const struct ev_field *ev_field(int kind, const char *name, size_t len);
/* A field's value. m is the M that logged the record. Signed so that a delay of -1 is one. */
int64_t ev_value(const struct ev *e, uint32_t m, const struct ev_field *f);
/* The word for value v of an enumerated type, NULL if it is not enumerated or out of range. */
const char *ev_word(enum ev_ftype type, int64_t v);
/* The same as people say it in a sentence (words.def); lang 0 en, 1 zh. NULL as ev_word. */
const char *ev_say(enum ev_ftype type, int64_t v, int lang);
/* Returns the template of the event's sentence, with {fields} to fill in: the first row of variants.def that matches its fields and the
 * generation, else the sentence in events.def. gen: one of EV_GO1_…; lang 0 en, 1 zh. */
const char *ev_sentence(const struct ev *e, unsigned gen, int lang);
/* Returns the Go function that the event mirrors, chosen in the same way. */
const char *ev_go(const struct ev *e, unsigned gen);
/* The value of a word of an enumerated type, -1 if unknown. */
int64_t ev_word_value(enum ev_ftype type, const char *s, size_t len);
/* How many words an enumerated type has, 0 if it is not enumerated. */
int ev_words(enum ev_ftype type);

/* Events of these kinds change no state and have no ticket: no event waits for them, and they wait for none (README.md). */
extern const bool ev_unordered[EV_KINDS];
static inline bool ev_is_unordered(unsigned kind) { return kind < EV_KINDS && ev_unordered[kind]; }

/* The label of a system G by its fn; NULL: the fn of a program. */
const char *ev_system_label(uint32_t fn);
/* The fn of a label, -1: there is none. A program of the same name goes first. */
int64_t ev_system_fn(const char *label);

/* Users' Gs are 1, 2, 3 … by one counter, which goes over the ids of system Gs: 1000000, then 2000001. So ids are unique, and a
 * program with more than a million Gs can have a collection, timers or finalizers beside them. */
static inline uint32_t ev_user_g(uint32_t nth) { return nth < EV_SYSTEM_G - 1 ? nth + 1 : nth + 1 + EV_SYSTEM_GS; } /* nth from 0 */
static inline bool ev_is_system_g(uint32_t g) { return g >= EV_SYSTEM_G && g - EV_SYSTEM_G < EV_SYSTEM_GS; }

/* For people: "G7", and "Gs1" for the first of the runtime's own. Returns buf. */
enum { EV_G_NAME = 16 };
const char *ev_g_name(uint32_t g, char buf[EV_G_NAME]);
/* "7", "g7", "G7", "s1", "Gs1" -> id. False: it is none of these. */
bool ev_g_id(const char *name, size_t len, uint32_t *g);

/* A record but for its time, as three words; they travel in registers. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define EV_PAIR(first, second) ((uint64_t)(first) | (uint64_t)(second) << 32)
#define EV_FIRST(pair) ((uint32_t)(pair))
#define EV_SECOND(pair) ((uint32_t)((pair) >> 32))
#define EV_HEAD(e) EV_PAIR((uint32_t)(e).kind | (uint32_t)(e).ncont << 8 | (uint32_t)(e).p << 16, (e).g)
#define EV_HEAD_KIND(head) ((uint8_t)(head))
#else
#define EV_PAIR(first, second) ((uint64_t)(first) << 32 | (uint64_t)(second))
#define EV_FIRST(pair) ((uint32_t)((pair) >> 32))
#define EV_SECOND(pair) ((uint32_t)(pair))
#define EV_HEAD(e) EV_PAIR((uint32_t)(e).kind << 24 | (uint32_t)(e).ncont << 16 | (uint32_t)(e).p, (e).g)
#define EV_HEAD_KIND(head) ((uint8_t)((head) >> 56))
#endif

static inline int64_t ev_cd(const struct ev *e) { return (int64_t)((uint64_t)e->d << 32 | e->c); }
static inline void ev_set_cd(struct ev *e, int64_t v) { e->c = (uint32_t)(uint64_t)v; e->d = (uint32_t)((uint64_t)v >> 32); }

#endif
