/* Small programs on the real runtime, for the tests of channels, mutexes and wait groups. The model folds every
 * event of every run, so each run checks the log as well.
 *
 * Tests of order run on one P without preemption: there no other G runs between a note() and the G's next wait. */
#ifndef GMPSCOPE_TESTS_PROG_H
#define GMPSCOPE_TESTS_PROG_H

#include "model/model.h"
#include "runtime/runtime.h"
#include "runtime/sched/point.h"
#include "t.h"
#include <string.h>
#include <time.h>

/* ---- running a program ----------------------------------------------------------------------------------------- */

struct result {
    int how; /* ENDED_… */
    char fatal[256];
    uint64_t events, hash;
    uint32_t parked[WAIT_REASON_SELECT_NO_CASES + 1]; /* g_park events by reason */
    uint32_t parked_by[64], not_parked;               /* Gs that were readied by the M that was just parking them */
    uint32_t kinds[EV_KINDS];                         /* events by kind */
    struct model *md;
};

static uint64_t mix(uint64_t h, const void *p, size_t n)
{
    for (const unsigned char *b = p; n--; b++)
        h = (h ^ *b) * 0x100000001b3u;
    return h;
}

/* Called for each event as it is folded. */
static void (*prog_taken)(uint32_t m, const struct ev *e);

static enum offer take(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct result *r = ctx;
    enum offer o = model_offer(r->md, m, e, text, len);
    if (o != OFFER_APPLIED)
        return o;
    r->events++;
    r->kinds[e->kind]++;
    if (prog_taken)
        prog_taken(m, e);
    r->hash = mix(mix(mix(r->hash, &m, sizeof m), e, sizeof *e), text, len);
    if (m < 64) {
        r->not_parked += e->kind == EV_G_READY && e->g == r->parked_by[m];
        r->parked_by[m] = e->kind == EV_G_PARK && e->b == WAIT_REASON_IO_WAIT ? e->g : 0;
    }
    if (e->kind == EV_G_PARK && (e->b & 0xffff) <= WAIT_REASON_SELECT_NO_CASES)
        r->parked[e->b & 0xffff]++;
    if (e->kind == EV_FATAL) {
        size_t n = len < sizeof r->fatal - 1 ? len : sizeof r->fatal - 1;
        memcpy(r->fatal, text, n);
        r->fatal[n] = '\0';
    }
    return OFFER_APPLIED;
}

static void drain(struct sched *s, enum log_order order, struct result *r)
{
    struct log_sink sink = {.ctx = r, .offer = take};
    int64_t n;
    while ((n = log_drain(rt_log(s), order, &sink, 100000)) > 0)
        ;
    if (n != LOG_BROKEN)
        return;
    static char stuck[2000];
    log_stuck(rt_log(s), stuck, sizeof stuck);
    t_fail(__FILE__, __LINE__, "the model refuses an event: %s\n%s", model_error(r->md), stuck);
}

/* In sequence order a drain may return 0 while records are left: an event without a sequence number is held back,
 * for up to 256 such drains, because an earlier one may still be logged. At rest none can, so LOG_AT_REST does not
 * hold it back; the engine does the same (engine.c, merge_order()). */
static void to_the_end(struct sched *s, enum log_order order, struct result *r)
{
    conductor_run(rt_conductor(s));
    for (;;) {
        bool over = rt_ended(s, &r->how) && conductor_wait_stopped(rt_conductor(s), 0);
        drain(s, over && order == LOG_BY_SEQUENCE ? LOG_AT_REST : order, r);
        if (rt_throw_text(s))
            t_fail(__FILE__, __LINE__, "throw: %s", rt_throw_text(s));
        if (over)
            return;
        nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL); /* this sleep waits for no condition; the loop does */
    }
}

/* Called for each event as it is logged, on the M that logs it (rt_config.hook). */
static bool (*prog_hook)(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len);

/* With points inside steps (rt_config.fine); for lockstep. */
static bool prog_fine;

/* What is recorded. */
static enum ev_level prog_level = EV_DETAIL;

/* Objects are recorded, repeated operations as one event. */
static bool prog_repeats;

/* What the runs of a test leave to each other; NULL: nothing. */
static struct rt_spares *prog_spares;

struct how {
    enum conductor_mode mode;
    uint64_t seed;
    uint32_t procs;
};

/* Runs main_fn to its end on a fresh runtime. */
static struct result run_in(enum rt_generation generation, struct how h, rt_fn *main_fn)
{
    struct result r = {.hash = 0xcbf29ce484222325u};
    struct rt_config cfg = {
        .gomaxprocs = h.procs,
        .runq_size = 256,
        .max_threads = 10000,
        .start_tick = 4,
        .preempt_slice = 10000000000,
        .generation = generation,
        .seed = h.seed,
        .mode = h.mode,
        .main_fn = main_fn,
        .level = prog_level,
        .objects = prog_repeats,
        .sparse = prog_repeats,
        .hook = prog_hook,
        .spares = prog_spares,
        .fine = prog_fine};
    struct model_config mc = {.runq_size = 256, .start_tick = 4, .seed = h.seed, .heaps_stay = rt_generation_has_buckets(generation)};
    r.md = model_new(&mc);
    struct sched *s = rt_new(&cfg);
    CHECK(r.md && s);
    CHECK_INT(rt_start(s), 0);
    to_the_end(s, h.mode == MODE_FREE ? LOG_BY_SEQUENCE : prog_fine ? LOG_BY_TIME_PATIENT : LOG_BY_TIME, &r);
    CHECK_INT(log_consumed(rt_log(s)), log_appended(rt_log(s)));
    CHECK_INT(log_lost(rt_log(s)), 0);
    rt_stop(s);
    rt_free(s);
    model_free(r.md);
    r.md = NULL;
    return r;
}

static inline struct result run(struct how h, rt_fn *main_fn)
{
    return run_in(GO1_20, h, main_fn);
}

/* What the Gs share; a test runs one program at a time. */
static struct waitgroup *wg __attribute__((unused));
static int order[64];
static _Atomic int norder;
static int64_t got[64];
static _Atomic bool flag;
static int woken[64] __attribute__((unused)), nwoken __attribute__((unused));

/* A G that sends back each value plus one, until the channel is closed. */
static struct hchan *to_echo __attribute__((unused)), *from_echo __attribute__((unused));
static inline void echoes(void *arg)
{
    (void)arg;
    int64_t v;
    while (rt_chan_recv(to_echo, &v))
        rt_chan_send(from_echo, v + 1);
    rt_waitgroup_add(wg, -1);
}

static inline void note(int x)
{
    order[atomic_fetch_add(&norder, 1)] = x;
}

static void fresh(void)
{
    atomic_store(&norder, 0);
    atomic_store(&flag, false);
    memset(order, 0, sizeof order);
    memset(got, 0, sizeof got);
}

/* Returns a small number as a G's argument. */
static void *number(int i)
{
    return (void *)(intptr_t)i;
}

static inline int my_number(void)
{
    return (int)(intptr_t)rt_arg();
}

static uint32_t go(rt_fn *fn, int i)
{
    return rt_go(fn, number(i), NULL, 0, (uint32_t)i);
}

/* Runs the program on one P in both modes; it must end with main's return. */
static inline void in_order(rt_fn *main_fn)
{
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
        fresh();
        struct result r = run((struct how){(enum conductor_mode)mode, 1, 1}, main_fn);
        CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    }
}

/* Runs the program on one P in both modes; it must fail with this text. */
static inline struct result dies(rt_fn *main_fn, int how, const char *text)
{
    struct result r = {0};
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
        fresh();
        r = run((struct how){(enum conductor_mode)mode, 1, 1}, main_fn);
        CHECK_STR(r.fatal, text);
        CHECK_INT(r.how, how);
    }
    return r;
}

/* Runs the program with four Ps, with many seeds in lockstep and as many times in free mode. */
static inline void under_stress_in(enum rt_generation generation, rt_fn *main_fn, void (*check)(void))
{
    long n = t_count(25, 200);
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++)
        for (long seed = 1; seed <= n; seed++) {
            fresh();
            struct result r = run_in(generation, (struct how){(enum conductor_mode)mode, (uint64_t)seed, 4}, main_fn);
            CHECK_INT(r.how, ENDED_MAIN_RETURNED);
            check();
        }
}

static inline void under_stress(rt_fn *main_fn, void (*check)(void))
{
    under_stress_in(GO1_20, main_fn, check);
}

#endif
