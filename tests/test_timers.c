/* Timers on the real runtime: when they fire, what they do then, that none is lost between several Ps, and that what
 * they own is released. Times are exact in lockstep, where the clock is virtual; in free mode a timer may be late,
 * never early. */
#include "prog.h"

enum { MS = 1000000, US = 1000 };
static struct hchan *c, *d;
static int64_t began;

static int64_t now(void)
{
    return conductor_time(rt_conductor(rt_self_sched()));
}

static bool pending(struct hchan *ch, int64_t *value)
{
    struct rt_case k = {.c = ch};
    bool got_one = rt_select(&k, 1, false) == 0;
    *value = k.value;
    return got_one;
}

/* ---- AfterFunc ----------------------------------------------------------------------------------------------------- */

static void record(void *arg)
{
    (void)arg;
    got[my_number()] = now();
    note(my_number());
}

static void main_after_order(void *arg)
{
    (void)arg;
    const int ms[] = {5, 1, 4, 2, 3};
    began = now();
    for (int i = 0; i < 5; i++)
        rt_after(ms[i] * MS, record, number(ms[i]), NULL, 0);
    rt_after(-5, record, number(0), NULL, 0); /* a time in the past means now */
    rt_sleep(20 * MS);
    while (norder < 6) /* in free mode the last one may be readied after this */
        rt_gosched();
}

static void check_after(bool exact)
{
    for (int i = 0; i < 6; i++) {
        CHECK(got[i] >= began + i * MS);
        if (exact) {
            CHECK(got[i] < began + i * MS + 20 * US);
            CHECK_INT(order[i], i);
        }
    }
}

TEST(after_starts_a_g_when_its_time_has_come)
{
    for (uint32_t procs = 1; procs <= 3; procs++)
        for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
            fresh();
            struct result r = run((struct how){(enum conductor_mode)mode, procs, procs}, main_after_order);
            CHECK_INT(r.how, ENDED_MAIN_RETURNED);
            check_after(mode == MODE_LOCKSTEP);
            CHECK_INT(r.kinds[EV_G_CREATE], 7);
            CHECK_INT(r.kinds[EV_TIMER_ADD], 7);
        }
}

/* Started or not, each argument is released once: some timers fire, others never do, and the end may come at any
 * moment. */
static _Atomic int released[64];

static void release(void *arg)
{
    atomic_fetch_add(&released[(intptr_t)arg], 1);
}

static void nothing(void *arg)
{
    (void)arg;
}

static void main_leaves_timers(void *arg)
{
    (void)arg;
    for (int i = 0; i < 64; i++)
        rt_after((i % 8) * 500 + i / 32 * MS, nothing, number(i), release, 0);
    rt_sleep(2 * US);
}

static void each_once(void)
{
    for (int i = 0; i < 64; i++) {
        CHECK_INT(released[i], 1);
        released[i] = 0;
    }
}

TEST(the_argument_of_after_is_released_once)
{
    under_stress(main_leaves_timers, each_once);
}

/* ---- timer --------------------------------------------------------------------------------------------------------- */

static void main_timer(void *arg)
{
    (void)arg;
    int64_t v;
    c = rt_chan_new(rt_self_sched(), 1, 1);
    began = now();
    rt_timer(c, 3 * MS);
    CHECK(!pending(c, &v));
    CHECK(rt_chan_recv(c, &v)); /* the time, as Go's timers send it */
    CHECK(v >= began + 3 * MS);
    CHECK(v <= now());
    rt_sleep(10 * MS);
    CHECK(!pending(c, &v)); /* once */
    rt_timer(c, 0);
    CHECK(rt_chan_recv(c, &v));
}

TEST(a_timer_sends_once)
{
    in_order(main_timer);
}

static void main_nobody_receives(void *arg)
{
    (void)arg;
    int64_t v;
    c = rt_chan_new(rt_self_sched(), 1, 0);
    rt_timer(c, MS);
    rt_sleep(5 * MS);
    rt_gosched();
    CHECK(!pending(c, &v)); /* no room and no receiver: it did not wait */
    rt_timer(c, MS);
    CHECK(rt_chan_recv(c, &v)); /* a receiver waits */
}

TEST(a_timer_does_not_wait_for_a_receiver)
{
    in_order(main_nobody_receives);
}

static void main_select_timeout(void *arg)
{
    (void)arg;
    c = rt_chan_new(rt_self_sched(), 1, 0);
    d = rt_chan_new(rt_self_sched(), 2, 1);
    rt_timer(d, 2 * MS);
    struct rt_case k[] = {{.c = c}, {.c = d}};
    CHECK_INT(rt_select(k, 2, true), 1);
}

TEST(a_select_with_a_timer_times_out)
{
    in_order(main_select_timeout);
}

static void main_closed(void *arg)
{
    (void)arg;
    c = rt_chan_new(rt_self_sched(), 1, 1);
    rt_timer(c, MS);
    rt_chan_close(c);
    rt_sleep(50 * MS);
    rt_sleep(5000 * (int64_t)MS);
}

TEST(a_timer_of_a_closed_channel_panics)
{
    dies(main_closed, ENDED_PANIC, "send on closed channel");
}

static void main_dead_afterwards(void *arg)
{
    (void)arg;
    int64_t v;
    c = rt_chan_new(rt_self_sched(), 1, 0);
    d = rt_chan_new(rt_self_sched(), 2, 1);
    rt_timer(d, MS);
    rt_after(3 * MS, record, number(1), NULL, 0);
    CHECK(rt_chan_recv(d, &v)); /* not a deadlock as long as a timer is left … */
    rt_chan_recv(c, &v);
}

TEST(no_deadlock_is_reported_before_the_last_timer)
{
    dies(main_dead_afterwards, ENDED_DEADLOCK, "all goroutines are asleep - deadlock!");
    CHECK_INT(norder, 1);
}

/* ---- ticker -------------------------------------------------------------------------------------------------------- */

static void main_ticker(void *arg)
{
    (void)arg;
    c = rt_chan_new(rt_self_sched(), 1, 1);
    began = now();
    rt_ticker(c, MS);
    for (int i = 1; i <= 20; i++)
        CHECK(rt_chan_recv(c, &got[i]));
}

TEST(a_ticker_keeps_to_its_period)
{
    in_order(main_ticker); /* after the second, free mode */
    for (int i = 1; i <= 20; i++)
        CHECK(got[i] >= began + i * MS);
    fresh();
    CHECK_INT(run((struct how){MODE_LOCKSTEP, 3, 2}, main_ticker).how, ENDED_MAIN_RETURNED);
    for (int i = 1; i <= 20; i++) { /* lateness does not add up */
        CHECK(got[i] >= began + i * MS);
        CHECK(got[i] < began + i * MS + 10 * US);
    }
}

/* The only P computes for 10.5 periods: the timer fires once, late, and not in a burst. */
static void main_late(void *arg)
{
    (void)arg;
    int64_t v;
    c = rt_chan_new(rt_self_sched(), 1, 1);
    began = now();
    rt_ticker(c, MS);
    rt_compute(10 * MS + 500 * US, false);
    CHECK(!pending(c, &v)); /* no P could run the timer */
    rt_gosched();
    CHECK(pending(c, &v));
    CHECK(v >= began + 10 * MS + 500 * US);
    CHECK(!pending(c, &v));
    CHECK(rt_chan_recv(c, &v)); /* the eleventh */
    CHECK(v >= began + 11 * MS);
    CHECK(v < began + 11 * MS + 500 * US + 10 * US); /* from 10.5 ms on the poller waits for at least 1 ms */
}

TEST(a_late_ticker_fires_once)
{
    fresh();
    struct result r = run((struct how){MODE_LOCKSTEP, 1, 1}, main_late);
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    CHECK_INT(r.kinds[EV_TIMER_FIRE], 2);
    CHECK_INT(r.kinds[EV_TIMER_ADD], 3); /* created, and put back twice */
}

static void main_ticks_lost(void *arg)
{
    (void)arg;
    int64_t v;
    c = rt_chan_new(rt_self_sched(), 1, 1);
    began = now();
    rt_ticker(c, MS);
    rt_sleep(10 * MS + 500 * US);
    CHECK(rt_chan_recv(c, &v)); /* the first one: the others found no room */
    CHECK(v < began + MS + 10 * US);
    CHECK(rt_chan_recv(c, &v));
    CHECK(v >= began + 11 * MS);
}

TEST(ticks_that_no_g_takes_are_lost)
{
    fresh();
    CHECK_INT(run((struct how){MODE_LOCKSTEP, 1, 2}, main_ticks_lost).how, ENDED_MAIN_RETURNED);
}

static void main_no_interval(void *arg)
{
    (void)arg;
    rt_ticker(rt_chan_new(rt_self_sched(), 1, 1), 0);
}

TEST(a_ticker_needs_an_interval)
{
    dies(main_no_interval, ENDED_PANIC, "non-positive interval for NewTicker");
}

/* ---- the poller's milliseconds ------------------------------------------------------------------------------------- */

static int64_t delays[64];
static uint32_t ndelays, nbreaks;

static void note_waits(uint32_t m, const struct ev *e)
{
    (void)m;
    if (e->kind == EV_NETPOLL_WAIT && ndelays < 64)
        delays[ndelays++] = ev_cd(e);
    nbreaks += e->kind == EV_NETPOLL_BREAK;
}

static struct result run_noting_waits(struct how h, rt_fn *main_fn)
{
    fresh();
    ndelays = nbreaks = 0;
    prog_taken = note_waits;
    struct result r = run(h, main_fn);
    prog_taken = NULL;
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    return r;
}

static int64_t nap_ns;

static void main_naps(void *arg)
{
    (void)arg;
    began = now();
    rt_sleep(nap_ns);
    got[0] = now() - began;
}

/* Go's netpoll(delay) rounds less than a millisecond up to one, anything else down, and waits for at most 1e9 ms. It waits again for the rest. */
static void nap(int64_t ns, const int64_t *waits, uint32_t n)
{
    nap_ns = ns;
    run_noting_waits((struct how){MODE_LOCKSTEP, 1, 1}, main_naps);
    CHECK_INT(ndelays, n);
    int64_t sum = 0;
    for (uint32_t i = 0; i < n; sum += delays[i++])
        CHECK_INT(delays[i], waits[i]);
    CHECK(got[0] >= sum && got[0] >= ns && got[0] < sum + 2 * US);
}

TEST(the_poller_waits_for_whole_milliseconds)
{
    const int64_t day = INT64_C(86400000) * MS, most = INT64_C(1000000000) * MS;
    nap(1, (int64_t[]){0}, 0); /* due before any M waits */
    nap(100 * US, (int64_t[]){MS}, 1);
    nap(MS, (int64_t[]){MS}, 1); /* a little less is left when the poller waits */
    nap(1500 * US, (int64_t[]){MS, MS}, 2);
    nap(10 * MS, (int64_t[]){9 * MS, MS}, 2);
    nap(20 * day, (int64_t[]){most, 20 * day - most - MS, MS}, 3);
}

static void sleep_and_note(void *arg)
{
    (void)arg;
    rt_sleep(10 * MS);
    note(my_number());
    rt_waitgroup_add(wg, -1);
}

static void main_equal_sleeps(void *arg)
{
    (void)arg;
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    rt_waitgroup_add(wg, 6);
    for (int i = 0; i < 6; i++)
        go(sleep_and_note, i);
    rt_waitgroup_wait(wg);
}

/* G5, started last, runs first, so 5 0 1 2 3 4 fall asleep in this order, and one pass over the timers wakes them in
 * it; the last one is then in runnext. Real Go 1.19 gives this order each time. */
TEST(equal_sleeps_end_together)
{
    const int expected[] = {4, 5, 0, 1, 2, 3};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        run_noting_waits((struct how){MODE_LOCKSTEP, seed, 1}, main_equal_sleeps);
        CHECK_INT(norder, 6);
        for (int i = 0; i < 6; i++)
            CHECK_INT(order[i], expected[i]);
    }
}

/* ---- an earlier timer while the poller waits ---- */

static void sleep_long(void *arg)
{
    (void)arg;
    rt_sleep(40 * MS);
}

static void main_sleeps_less(void *arg)
{
    (void)arg;
    go(sleep_long, 0);
    rt_compute(2300 * US, false); /* the other M waits in the poller, for 40 ms */
    began = now();
    rt_sleep(500 * US);
    got[0] = now() - began;
}

TEST(an_earlier_timer_interrupts_the_poller)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        run_noting_waits((struct how){MODE_LOCKSTEP, seed, 2}, main_sleeps_less);
        CHECK(nbreaks >= 1);
        CHECK(got[0] >= MS && got[0] < MS + 2 * US);
    }
    run_noting_waits((struct how){MODE_FREE, 1, 2}, main_sleeps_less);
    CHECK(got[0] >= 500 * US);
}

/* ---- timers for the same moment ---- */

static int64_t whens[64];
static uint32_t nwhens;

static void note_timers(uint32_t m, const struct ev *e)
{
    (void)m;
    if (e->kind == EV_TIMER_ADD && nwhens < 64)
        whens[nwhens++] = ev_cd(e);
    if (e->kind == EV_TIMER_FIRE)
        note((int)e->g);
}

static void sleep_until_then(void *arg)
{
    (void)arg;
    rt_sleep(began + 5 * MS - now());
}

static void main_same_moment(void *arg)
{
    (void)arg;
    began = now();
    for (int i = 0; i < 6; i++)
        go(sleep_until_then, i);
    rt_sleep(9 * MS);
}

/* Main adds the timer that fires last. Then G7 2 3 4 5 6 add, in this order, six timers with equal times. As in Go
 * they do not overtake each other. When the first fires, the last of the heap takes its place and stays there: so
 * G7's fires first, then G6's, G5's and so on. Go 1.19's own heap, given seven such timers, agrees. */
TEST(timers_for_the_same_moment_fire_as_in_go)
{
    const int expected[] = {7, 6, 5, 4, 3, 2, 1};
    fresh();
    nwhens = 0;
    prog_taken = note_timers;
    CHECK_INT(run((struct how){MODE_LOCKSTEP, 1, 1}, main_same_moment).how, ENDED_MAIN_RETURNED);
    prog_taken = NULL;
    CHECK_INT(nwhens, 7);
    for (int i = 0; i < 6; i++)
        CHECK_INT(whens[1 + i], whens[1]);
    for (int i = 0; i < 7; i++)
        CHECK_INT(order[i], expected[i]);
}

/* ---- under load ---------------------------------------------------------------------------------------------------- */

/* As in Go's TestTimerFairness: two Gs that never pause must not keep a timer from firing. */
static void hog(void *arg)
{
    (void)arg;
    while (!atomic_load(&flag)) {
        struct rt_case k[] = {{.c = c, .send = true}, {.c = d}};
        if (rt_select(k, 2, true) == 1)
            return;
        rt_point();
    }
}

static void main_fairness(void *arg)
{
    (void)arg;
    struct sched *s = rt_self_sched();
    struct hchan *timeout = rt_chan_new(s, 3, 1);
    c = rt_chan_new(s, 1, 0);
    d = rt_chan_new(s, 2, 0);
    for (int i = 0; i < 2; i++)
        go(hog, i);
    rt_timer(timeout, 200 * US);
    for (;;) {
        struct rt_case k[] = {{.c = c}, {.c = timeout}};
        if (rt_select(k, 2, true) == 1)
            break;
        rt_point();
    }
    rt_chan_close(d);
}

TEST(busy_gs_do_not_keep_a_timer_from_firing)
{
    for (uint32_t procs = 1; procs <= 3; procs++)
        for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
            fresh();
            CHECK_INT(run((struct how){(enum conductor_mode)mode, procs, procs}, main_fairness).how, ENDED_MAIN_RETURNED);
        }
}

enum { MAKERS = 6, EACH = 12 };
static _Atomic int started;

static void count_one(void *arg)
{
    (void)arg;
    atomic_fetch_add(&started, 1);
    rt_waitgroup_add(wg, -1);
}

static void make_timers(void *arg)
{
    (void)arg;
    int me = my_number();
    struct hchan *mine = rt_chan_new(rt_self_sched(), 10 + (uint32_t)me, 1);
    for (int i = 0; i < EACH; i++) {
        int64_t v;
        rt_after((i * 7 + me) % 5 * 3 * US, count_one, NULL, NULL, 0);
        rt_timer(mine, (i + me) % 4 * 2 * US);
        if (i % 3 == 0)
            rt_compute(4 * US, false); /* meanwhile other Ms find this P's timers due */
        CHECK(rt_chan_recv(mine, &v));
        if (i % 4 == me % 4)
            rt_sleep(3 * US);
    }
    rt_waitgroup_add(wg, -1);
}

static void main_many_timers(void *arg)
{
    (void)arg;
    atomic_store(&started, 0);
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    rt_waitgroup_add(wg, MAKERS * (1 + EACH));
    rt_ticker(rt_chan_new(rt_self_sched(), 2, 1), 5 * US);
    for (int i = 0; i < MAKERS; i++)
        go(make_timers, i);
    rt_waitgroup_wait(wg);
}

static void all_fired(void)
{
    CHECK_INT(started, MAKERS * EACH);
}

TEST(no_timer_is_lost_between_ps)
{
    under_stress(main_many_timers, all_fired);
}

TEST(in_lockstep_a_seed_is_a_run)
{
    uint64_t first = 0, stolen = 0;
    int differing = 0;
    long n = t_count(5, 50);
    for (long seed = 1; seed <= n; seed++) {
        struct how h = {MODE_LOCKSTEP, (uint64_t)seed, 4};
        struct result a = run(h, main_many_timers), b = run(h, main_many_timers);
        CHECK_INT(a.events, b.events);
        CHECK(a.hash == b.hash);
        if (seed == 1)
            first = a.hash;
        differing += a.hash != first;
        stolen += a.kinds[EV_TIMER_STEAL];
    }
    CHECK_INT(differing, n - 1);
    CHECK(stolen > 0); /* so the stress above covers that, too */
}
