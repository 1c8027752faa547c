/* What one event costs its M: the record alone against the clock alone, and the runtime's own emit() and gate, on a
 * G. All in CPU time of the thread that does it. */
#include "bench/micro.h"
#include "bench/common.h"
#include "runtime/sched/rt.h"
#include <sched.h>

enum { ROUNDS = 7, N = 10000000 };

static int64_t cpu(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* The value is computed, and the compiler assumes nothing about memory afterwards. */
#define KEEP(v) __asm__ volatile("" : : "r"(v) : "memory")

/* ---- a ring by itself ---- */

static double clock_alone(void)
{
    int64_t t = cpu();
    for (int i = 0; i < N; i++)
        KEEP(conductor_counter());
    return (double)(cpu() - t) / N;
}

static double append(struct ring *r)
{
    int64_t t = cpu();
    for (int i = 0; i < N; i++)
        KEEP(ring_put_words(r, (int64_t)conductor_counter(), EV_PAIR(EV_G_READY, i), EV_PAIR(i, i), EV_PAIR(i, i)));
    return (double)(cpu() - t) / N;
}

/* The ring wraps around without a reader, so only the append is measured. */
static void never_full(struct ring *r)
{
    ((struct ring_out *)(void *)r)->limit = UINT64_MAX;
}

static void log_rows(void)
{
    struct samples rdtsc = {.n = 0}, put = {.n = 0};
    struct log *log = log_new(1);
    struct ring *r = log ? log_ring(log, 0) : NULL;
    if (!r) {
        micro_failed("append", "out of memory");
        return;
    }
    never_full(r);
    append(r);
    for (int i = 0; i < ROUNDS; i++) {
        sample(&rdtsc, clock_alone());
        sample(&put, append(r));
    }
    micro_row("the processor's counter alone, in a loop", "ns", &rdtsc, "");
    micro_row("one event appended with it (32 bytes, wrapping)", "ns", &put, "");
    micro_ratio("  of the counter alone", &put, &rdtsc, "<= 1.15");
    log_free(log);
}

/* ---- a mutex of one word, without its waiters: the two ways of the row `mutex` at P = 1 ---- */

static __attribute__((noinline)) void plain_add(_Atomic uint32_t *word, uint32_t n)
{
    uint32_t old = atomic_load_explicit(word, memory_order_acquire);
    atomic_store_explicit(word, old + n, memory_order_release);
}

static __attribute__((noinline)) void locked_add(_Atomic uint32_t *word, uint32_t n)
{
    atomic_fetch_add_explicit(word, n, memory_order_seq_cst);
}

static double lock_and_unlock(void (*add)(_Atomic uint32_t *, uint32_t))
{
    _Alignas(64) _Atomic uint32_t word = 0;
    int64_t t = cpu();
    for (int i = 0; i < N; i++) {
        add(&word, 1);
        add(&word, UINT32_MAX);
    }
    return (double)(cpu() - t) / N;
}

static void word_rows(void)
{
    struct samples plain = {.n = 0}, locked = {.n = 0};
    for (int i = 0; i < ROUNDS; i++) {
        sample(&plain, lock_and_unlock(plain_add));
        sample(&locked, lock_and_unlock(locked_add));
    }
    micro_row("a word locked and unlocked by loads and stores", "ns", &plain, "");
    micro_row("  by two locked operations", "ns", &locked, "");
}

/* ---- in a runtime ---- */

/* Results of main: constant before it starts, read after it ends. */
static struct {
    bool on;
    struct samples clock, gate, event, batched;
} in_place;

static double empty_loop(void)
{
    int64_t t = cpu();
    for (int i = 0; i < N; i++)
        KEEP(i);
    return (double)(cpu() - t) / N;
}

static double gates(struct m *m)
{
    int64_t t = cpu();
    for (int i = 0; i < N; i++) {
        conductor_gate(m->w);
        KEEP(m);
    }
    return (double)(cpu() - t) / N;
}

static double events(struct m *m)
{
    int64_t t = cpu();
    for (uint32_t i = 0; i < N; i++) {
        emit_gate(m, ev_of(m, EV_G_READY, 1, i, i, i, i));
        KEEP(m);
    }
    return (double)(cpu() - t) / N;
}

/* The same in batches of five. */
static double batched_events(struct m *m)
{
    int64_t t = cpu();
    for (uint32_t i = 0; i < N; i++) {
        if (i % 5 == 0)
            batch_begin(m);
        emit_gate(m, ev_of(m, EV_G_READY, 1, i, i, i, i));
        if (i % 5 == 4)
            batch_end(m);
        KEEP(m);
    }
    return (double)(cpu() - t) / N;
}

/* Nothing here switches Gs, so the M stays the same. */
static void measure(void *arg)
{
    (void)arg;
    struct m *m = getm();
    if (in_place.on)
        never_full(m->ring);
    events(m);
    for (int i = 0; i < ROUNDS; i++) {
        double loop = empty_loop();
        sample(&in_place.gate, gates(m) - loop);
        sample(&in_place.clock, clock_alone());
        sample(&in_place.event, events(m) - loop);
        sample(&in_place.batched, batched_events(m) - loop);
    }
}

/* The log is never read, so its ring must not fill up. */
static bool run_measure(enum ev_level level)
{
    struct rt_config cfg = {
        .generation = GO1_20,
        .gomaxprocs = 1,
        .runq_size = 256,
        .max_threads = 100,
        .preempt_slice = 10000000,
        .disable = 1u << DIS_PREEMPTION,
        .seed = 1,
        .mode = MODE_FREE,
        .main_fn = measure,
        .level = level};
    int how = -1;
    struct sched *s = rt_new(&cfg);
    if (!s || rt_start(s) != 0)
        return false;
    in_place.on = level != EV_OFF;
    in_place.clock.n = in_place.gate.n = in_place.event.n = in_place.batched.n = 0;
    conductor_run(rt_conductor(s));
    while (!rt_ended(s, &how) || !conductor_wait_stopped(rt_conductor(s), 0))
        conductor_wait_stopped(rt_conductor(s), 100);
    rt_stop(s);
    rt_free(s);
    return how == ENDED_MAIN_RETURNED;
}

static void in_place_rows(void)
{
    if (!run_measure(EV_OFF)) {
        micro_failed("gate", "the runtime ended badly");
        return;
    }
    micro_row("a gate, events off", "ns", &in_place.gate, "<= 1");
    micro_row("an event and its gate in the runtime, events off", "ns", &in_place.event, "");
    if (!run_measure(EV_CORE)) {
        micro_failed("event", "the runtime ended badly");
        return;
    }
    micro_row("an event and its gate in the runtime, events on", "ns", &in_place.event, "<= 11");
    micro_ratio("  of the counter alone", &in_place.event, &in_place.clock, "");
    micro_row("  one of a batch of five", "ns", &in_place.batched, "");
}

void micro_log(void)
{
    cpu_set_t old, one;
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof old, &old);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &old) && !CPU_COUNT(&one))
            CPU_SET(i, &one);
    sched_setaffinity(0, sizeof one, &one);
    log_rows();
    in_place_rows();
    word_rows();
    sched_setaffinity(0, sizeof old, &old);
}
