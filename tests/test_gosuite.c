/* What Go's own tests of its scheduler and channels assert (proc_test.go, chan_test.go), in programs of our own.
 * Queues, stealing and steal order: test_runq.c; timer fairness: test_timers.c; select fairness: test_select.c;
 * queues that wrongly look empty: test_runq.c. */
#include "prog.h"

#define US 1000
#define MS 1000000

static struct hchan *c, *d;
static long hog_count, light_count;

/* Runs a program to its end on this many Ps, with Go's slice of 10 ms and some mechanisms off (bits of DIS_…). */
static void run_without(uint32_t disable, enum conductor_mode mode, uint64_t seed, uint32_t procs, rt_fn *main_fn)
{
    struct result r = {.hash = 0};
    struct rt_config cfg = {
        .gomaxprocs = procs,
        .runq_size = 256,
        .max_threads = 10000,
        .start_tick = 4,
        .preempt_slice = 10 * MS,
        .disable = disable,
        .seed = seed,
        .mode = mode,
        .main_fn = main_fn,
        .level = EV_DETAIL};
    struct model_config mc = {.runq_size = 256, .start_tick = 4, .seed = seed};
    fresh();
    r.md = model_new(&mc);
    struct sched *s = rt_new(&cfg);
    CHECK(r.md && s);
    CHECK_INT(rt_start(s), 0);
    to_the_end(s, mode == MODE_LOCKSTEP ? LOG_BY_TIME : LOG_BY_SEQUENCE, &r);
    rt_stop(s);
    rt_free(s);
    model_free(r.md);
    r.md = NULL;
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
}

static void run_sliced(enum conductor_mode mode, uint64_t seed, uint32_t procs, rt_fn *main_fn)
{
    run_without(0, mode, seed, procs, main_fn);
}

static void in_both_modes(uint32_t procs, long times, rt_fn *main_fn)
{
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++)
        for (long i = 1; i <= times; i++)
            run_sliced((enum conductor_mode)mode, (uint64_t)i, procs, main_fn);
}

static void make_channels(uint32_t buffer)
{
    c = rt_chan_new(rt_self_sched(), 1, buffer);
    d = rt_chan_new(rt_self_sched(), 2, buffer);
}

/* ---- PingPongHog --------------------------------------------------------------------------------------------------- */

/* Two Gs that wake each other share one slice, because each goes through runnext. A pair with long turns and one
 * with short turns must get about the same time on one P. Without the shared slice the short turns would get 1/1000. */
struct comparison {
    struct hchan *ping, *pong;
    int64_t turn;
    long *count;
};
static struct comparison pairs[2];

static void ping(void *arg)
{
    struct comparison *p = arg;
    int64_t v;
    while (!atomic_load(&flag) && rt_chan_recv(p->ping, &v)) {
        rt_compute(p->turn, false);
        *p->count += 1;
        rt_chan_send(p->pong, 0);
    }
}

static void pong(void *arg)
{
    struct comparison *p = arg;
    int64_t v;
    while (!atomic_load(&flag) && rt_chan_recv(p->pong, &v)) {
        rt_compute(p->turn, false);
        *p->count += 1;
        rt_chan_send(p->ping, 0);
    }
}

static void main_ping_pong_hog(void *arg)
{
    (void)arg;
    static long *const count[] = {&hog_count, &light_count};
    static const int64_t turn[] = {1 * MS, 1 * US};
    hog_count = light_count = 0;
    for (int i = 0; i < 2; i++) {
        pairs[i] = (struct comparison){rt_chan_new(rt_self_sched(), (uint32_t)(2 * i + 1), 1),
                                       rt_chan_new(rt_self_sched(), (uint32_t)(2 * i + 2), 1), turn[i], count[i]};
        rt_go(ping, &pairs[i], NULL, 0, 0);
        rt_go(pong, &pairs[i], NULL, 0, 0);
        rt_chan_send(pairs[i].ping, 0);
    }
    rt_sleep(100 * MS);
    atomic_store(&flag, true);
}

/* Returns whether the pairs' times (turns times their length) are within the factor of 20 that Go's test allows. */
static bool shared_fairly(void)
{
    double hog = (double)hog_count * MS, light = (double)light_count * US;
    return hog <= 20 * light && light <= 20 * hog;
}

TEST(two_pairs_share_one_p_fairly)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        run_sliced(MODE_LOCKSTEP, seed, 1, main_ping_pong_hog);
        CHECK(hog_count > 0 && light_count > 0);
        if (!shared_fairly())
            t_fail(__FILE__, __LINE__, "seed %d: %ld turns of 1 ms, %ld of 1 us", (int)seed, hog_count, light_count);
    }
    run_without(1u << DIS_RUNNEXT, MODE_LOCKSTEP, 1, 1, main_ping_pong_hog);
    CHECK(!shared_fairly()); /* so the shared slice makes it fair */
}

/* ---- GoroutineParallelism ------------------------------------------------------------------------------------------ */

/* As many Gs as Ps, each spinning until its turn: they finish only if all run at once. Nothing preempts them here. */
enum { TURNS = 3 };
static _Atomic uint32_t turn;
static uint32_t spinners;

static void spin_in_turn(void *arg)
{
    (void)arg;
    uint32_t me = (uint32_t)my_number();
    for (uint32_t i = 0; i < TURNS; i++) {
        while (atomic_load(&turn) != i * spinners + me)
            rt_compute(1 * US, false);
        atomic_fetch_add(&turn, 1);
    }
    rt_waitgroup_add(wg, -1);
}

static void main_parallel(void *arg)
{
    (void)arg;
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    for (int round = 0; round < 3; round++) {
        atomic_store(&turn, 0);
        rt_waitgroup_add(wg, spinners);
        for (uint32_t i = 0; i < spinners; i++)
            go(spin_in_turn, (int)i);
        rt_waitgroup_wait(wg);
    }
}

TEST(as_many_gs_as_ps_run_at_once)
{
    for (spinners = 2; spinners <= 4; spinners++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            fresh();
            CHECK_INT(run((struct how){MODE_LOCKSTEP, seed, spinners}, main_parallel).how, ENDED_MAIN_RETURNED);
        }
    spinners = 2; /* on real threads: every machine has at least two */
    for (uint64_t i = 1; i <= 10; i++) {
        fresh();
        CHECK_INT(run((struct how){MODE_FREE, i, 2}, main_parallel).how, ENDED_MAIN_RETURNED);
    }
}

/* ---- Yield, LockOSThread ------------------------------------------------------------------------------------------- */

static bool yield_locked;

static void yield_until_told(void *arg)
{
    (void)arg;
    struct rt_case k = {.c = c};
    if (yield_locked)
        rt_lock_os_thread();
    while (rt_select(&k, 1, false) != 0)
        rt_gosched();
    rt_chan_send(d, 0);
}

static void main_yield(void *arg)
{
    (void)arg;
    int64_t v;
    make_channels(1);
    go(yield_until_told, 0);
    rt_sleep(200 * US);
    rt_chan_send(c, 0);
    rt_chan_recv(d, &v);
}

TEST(a_g_that_yields_forever_lets_others_run)
{
    for (int locked = 0; locked <= 1; locked++)
        for (uint32_t procs = 1; procs <= 2; procs++) {
            yield_locked = locked;
            in_both_modes(procs, 3, main_yield);
        }
}

static void send_ten_locked(void *arg)
{
    (void)arg;
    rt_lock_os_thread();
    uint32_t mine = rt_mid();
    for (int i = 0; i < 10; i++) {
        rt_chan_send(c, i);
        CHECK_INT(rt_mid(), mine);
    }
    rt_unlock_os_thread();
}

static void main_block_locked(void *arg)
{
    (void)arg;
    int64_t v;
    make_channels(0);
    go(send_ten_locked, 0);
    for (int i = 0; i < 10; i++) {
        CHECK(rt_chan_recv(c, &v));
        CHECK_INT(v, i);
    }
}

TEST(a_locked_g_may_block_and_keeps_its_thread)
{
    for (uint32_t procs = 1; procs <= 3; procs++)
        in_both_modes(procs, 5, main_block_locked);
}

/* ---- StopTheWorldDeadlock ------------------------------------------------------------------------------------------ */

static _Atomic int stoppers;

static void respawn(void *arg)
{
    (void)arg;
    if (!atomic_load(&flag))
        go(respawn, 0);
}

static void stop_often(void *arg)
{
    (void)arg;
    for (int i = 0; i < 20; i++)
        rt_gomaxprocs(i % 2 ? 3 : 2);
    atomic_fetch_sub(&stoppers, 1);
    rt_waitgroup_add(wg, -1);
}

static void collect_often(void *arg)
{
    (void)arg;
    for (int i = 0; i < 20; i++)
        rt_gc(10 * US, false);
    rt_waitgroup_add(wg, -1);
}

static void main_stop_the_world(void *arg)
{
    (void)arg;
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    rt_waitgroup_add(wg, 2);
    go(respawn, 0);
    go(stop_often, 1);
    go(collect_often, 2);
    rt_waitgroup_wait(wg);
    atomic_store(&flag, true);
}

TEST(stopping_the_world_from_all_sides_never_deadlocks)
{
    in_both_modes(3, t_count(3, 20), main_stop_the_world);
}

/* ---- channels ------------------------------------------------------------------------------------------------------ */

/* MultiConsumer: workers move numbers from one channel to another; nothing is lost or duplicated. */
enum { WORKERS = 23, NUMBERS = 2000 };

static void pass_on(void *arg)
{
    (void)arg;
    int64_t v;
    for (int n = 0; rt_chan_recv(c, &v); n++) {
        if (my_number() == (int)v % WORKERS)
            rt_gosched(); /* stirs the order */
        rt_chan_send(d, v);
    }
    rt_waitgroup_add(wg, -1);
}

static void feed(void *arg)
{
    (void)arg;
    for (int64_t i = 1; i <= NUMBERS; i++)
        rt_chan_send(c, i);
    rt_chan_close(c);
    rt_waitgroup_wait(wg);
    rt_chan_close(d);
}

static void main_consumers(void *arg)
{
    (void)arg;
    make_channels(WORKERS * 3);
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    rt_waitgroup_add(wg, WORKERS);
    for (int i = 0; i < WORKERS; i++)
        go(pass_on, i);
    go(feed, 0);
    static bool seen[NUMBERS + 1];
    memset(seen, 0, sizeof seen);
    int64_t v, n = 0;
    for (; rt_chan_recv(d, &v); n++) {
        CHECK(v >= 1 && v <= NUMBERS && !seen[v]);
        seen[v] = true;
    }
    CHECK_INT(n, NUMBERS);
}

TEST(many_consumers_lose_and_double_nothing)
{
    for (uint32_t procs = 1; procs <= 4; procs += 3)
        in_both_modes(procs, 2, main_consumers);
}

/* PseudoRandomSend: a select that may send 0 or 1 sends both often. */
enum { SENDS = 100 };
static uint32_t send_buffer;

static void take_all(void *arg)
{
    (void)arg;
    for (int i = 0; i < SENDS; i++) {
        rt_gosched();
        rt_chan_recv(c, &got[0]);
        atomic_fetch_add(&norder, (int)got[0]); /* the number of ones */
    }
    rt_chan_send(d, 0);
}

static void main_random_send(void *arg)
{
    (void)arg;
    int64_t v;
    make_channels(send_buffer);
    go(take_all, 0);
    for (int i = 0; i < SENDS; i++) {
        struct rt_case k[] = {{.c = c, .send = true, .value = 0}, {.c = c, .send = true, .value = 1}};
        rt_select(k, 2, true);
    }
    rt_chan_recv(d, &v);
    int ones = atomic_load(&norder);
    CHECK(ones > SENDS / 10 && SENDS - ones > SENDS / 10);
}

TEST(a_select_sends_either_value_often)
{
    for (send_buffer = 0; send_buffer <= SENDS; send_buffer += SENDS)
        in_both_modes(1, 5, main_random_send);
}
