/* The world is stopped, started, resized and collected, on the real runtime in both modes: no G runs meanwhile,
 * nothing is lost, nothing hangs (the frame's alarm ends a test that does). The model folds every run. The numbers
 * of workers are Go's (mgcpacer.go). */
#include "prog.h"
#include "runtime/sched/world.h"

/* ---- stopping -------------------------------------------------------------------------------------------------- */

static _Atomic uint64_t steps;
static _Atomic bool over;
static _Atomic int alive, inside;

/* One of the ways in which a G keeps or leaves its P. */
static void one_step(int way)
{
    switch (way % 4) {
    case 0:
        rt_compute(2000, false), rt_select(NULL, 0, false);
        break; /* in go1.0 only the select lets others stop the world */
    case 1:
        rt_syscall(3000, false);
        break;
    case 2:
        rt_sleep(2000);
        break;
    default:
        rt_gosched();
        break;
    }
}

static void busy(void *arg)
{
    while (!atomic_load(&over)) {
        atomic_fetch_add(&steps, 1);
        one_step((int)(intptr_t)arg);
    }
    atomic_fetch_sub(&alive, 1);
}

static void start_busy(int n)
{
    atomic_store(&over, false);
    atomic_store(&alive, n);
    for (int i = 0; i < n; i++)
        go(busy, i);
}

static void wait_for_all(void)
{
    atomic_store(&over, true);
    while (atomic_load(&alive) > 0)
        rt_sleep(1000);
}

static void main_stops(void *arg)
{
    (void)arg;
    start_busy(8);
    for (int i = 0; i < 10; i++) {
        stop_the_world(STW_USER);
        uint64_t before = atomic_load(&steps);
        for (int k = 0; k < 200; k++) /* each is a chance for others, if any could run */
            rt_point();
        CHECK_INT(atomic_load(&steps), before);
        start_the_world();
        rt_compute(5000, false);
    }
    wait_for_all();
}

static void nothing_more(void)
{
    CHECK_INT(atomic_load(&alive), 0);
}

TEST(no_g_runs_while_the_world_is_stopped)
{
    under_stress(main_stops, nothing_more);
}

/* Two Gs that stop the world at the same time do so one after the other. */
static void stopper(void *arg)
{
    (void)arg;
    for (int i = 0; i < 10; i++) {
        stop_the_world(STW_USER);
        CHECK_INT(atomic_fetch_add(&inside, 1), 0);
        rt_point();
        atomic_fetch_sub(&inside, 1);
        start_the_world();
    }
    atomic_fetch_sub(&alive, 1);
}

static void main_stoppers(void *arg)
{
    (void)arg;
    atomic_store(&alive, 3);
    for (int i = 0; i < 3; i++)
        go(stopper, i);
    wait_for_all();
}

TEST(one_stopper_at_a_time)
{
    under_stress(main_stoppers, nothing_more);
}

/* ---- GOMAXPROCS ------------------------------------------------------------------------------------------------ */

/* Go's TestStopTheWorldDeadlock: a G that starts its successor again and again. */
static void respawn(void *arg)
{
    (void)arg;
    atomic_fetch_add(&steps, 1);
    if (!atomic_load(&over))
        go(respawn, 0);
    else
        atomic_fetch_sub(&alive, 1);
}

static long rounds;

static void main_resizes(void *arg)
{
    (void)arg;
    atomic_store(&over, false);
    atomic_store(&alive, 1);
    go(respawn, 0);
    for (long i = 0; i < rounds; i++) {
        uint32_t n = 1 + (uint32_t)(i * 5 % 7);
        rt_gomaxprocs(n);
        CHECK_INT(gomaxprocs(rt_self_sched()), n);
    }
    wait_for_all();
}

static void in_generation(enum rt_generation gen, rt_fn *main_fn, long seeds, uint32_t procs)
{
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++)
        for (long seed = 1; seed <= seeds; seed++) {
            fresh();
            struct result r = run_in(gen, (struct how){(enum conductor_mode)mode, (uint64_t)seed, procs}, main_fn);
            CHECK_INT(r.how, ENDED_MAIN_RETURNED);
            nothing_more();
        }
}

static void in_both_modes(rt_fn *main_fn, long seeds, uint32_t procs)
{
    in_generation(GO1_20, main_fn, seeds, procs);
}

TEST(a_thousand_times_up_and_down)
{
    rounds = 1000;
    in_both_modes(main_resizes, t_count(1, 5), 4);
}

TEST(up_and_down_with_many_seeds)
{
    rounds = 10;
    in_both_modes(main_resizes, t_count(25, 200), 4);
}

/* Nothing that a P owns is lost with it: Gs in its ring, in runnext, timers. */
static void owned(void *arg)
{
    int me = (int)(intptr_t)arg;
    if (me % 3 == 0)
        rt_sleep(1000 + 500 * me);
    if (me % 3 == 1)
        rt_gosched();
    rt_compute(1000, false);
    atomic_fetch_sub(&alive, 1);
}

static void spawner(void *arg)
{
    (void)arg;
    for (int i = 0; i < 20; i++) {
        go(owned, i);
        rt_compute(500, false);
    }
    atomic_fetch_sub(&alive, 1);
}

static void main_shrinks(void *arg)
{
    (void)arg;
    atomic_store(&alive, 4 + 4 * 20);
    for (int i = 0; i < 4; i++)
        go(spawner, i);
    rt_compute(4000, false);
    rt_gomaxprocs(1);
    rt_compute(2000, false);
    rt_gomaxprocs(3);
    wait_for_all();
}

TEST(nothing_is_lost_with_a_p)
{
    under_stress(main_shrinks, nothing_more);
}

static void main_too_many(void *arg)
{
    (void)arg;
    atomic_store(&alive, 0);
    rt_gomaxprocs(0);
    CHECK_INT(gomaxprocs(rt_self_sched()), 2);
    rt_gomaxprocs(-5);
    CHECK_INT(gomaxprocs(rt_self_sched()), 2);
    rt_gomaxprocs(100000);
    CHECK_INT(gomaxprocs(rt_self_sched()), 1024);
    rt_gomaxprocs(2);
}

TEST(gomaxprocs_asks_and_is_capped)
{
    in_both_modes(main_too_many, 1, 2);
}

/* ---- Go 1.0, which counts Ms --------------------------------------------------------------------------------------- */

static void short_resizer(void *arg)
{
    (void)arg;
    for (int i = 0; i < 20; i++) {
        rt_gomaxprocs(1 + i % 4);
        rt_compute(1000, false);
    }
    atomic_fetch_sub(&alive, 1);
}

static void main_stops_and_resizes(void *arg)
{
    (void)arg;
    atomic_store(&over, false);
    atomic_store(&alive, 5);
    go(respawn, 0);
    go(short_resizer, 0);
    go(stopper, 0);
    go(stopper, 1);
    go(busy, 1);
    while (atomic_load(&alive) > 2)
        rt_sleep(5000);
    wait_for_all();
}

TEST(without_ps_the_world_stops_too)
{
    in_generation(GO1_0, main_stops, t_count(25, 200), 4);
    in_generation(GO1_0, main_stoppers, t_count(25, 200), 4);
}

TEST(stopping_and_gomaxprocs_do_not_lock_up_without_ps)
{
    in_generation(GO1_0, main_stops_and_resizes, t_count(25, 200), 4);
    in_generation(GO1_0, main_stops, t_count(5, 50), 1);
}

/* ---- collections ----------------------------------------------------------------------------------------------- */

static void collector(void *arg)
{
    (void)arg;
    for (long i = 0; i < rounds; i++)
        rt_gc(1000, i % 2);
    atomic_fetch_sub(&alive, 1);
}

static void resizer(void *arg)
{
    (void)arg;
    for (long i = 0; i < rounds; i++)
        rt_gomaxprocs(2 + i % 3);
    atomic_fetch_sub(&alive, 1);
}

static void main_deadlock_test(void *arg)
{
    (void)arg;
    atomic_store(&over, false);
    atomic_store(&alive, 3);
    go(respawn, 0);
    go(collector, 0);
    go(resizer, 0);
    while (atomic_load(&alive) > 1)
        rt_sleep(5000);
    wait_for_all();
}

/* Go: TestStopTheWorldDeadlock */
TEST(collections_and_resizes_do_not_lock_up)
{
    rounds = t_count(30, 300);
    in_both_modes(main_deadlock_test, t_count(3, 20), 3);
}

/* The same with every order in which counts of marking and stop requests can coincide. */
TEST(collections_and_resizes_do_not_lock_up_between_two_operations)
{
    static const enum rt_generation all[] = {GO1_13, GO1_20};
    rounds = 3;
    prog_fine = true;
    for (int i = 0; i < 2; i++)
        for (long seed = 1; seed <= t_count(30, 1000); seed++) {
            fresh();
            struct result r = run_in(all[i], (struct how){MODE_LOCKSTEP, (uint64_t)seed, 3}, main_deadlock_test);
            CHECK_INT(r.how, ENDED_MAIN_RETURNED);
            nothing_more();
        }
}

/* What the hook sees of workers: how many mark in each mode, and the maximum at any time. */
static _Atomic int marking[3], most[3];
static _Atomic int mode_of[2000];
static _Atomic int64_t mark_from, mark_to;

static bool see_workers(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)ctx, (void)m, (void)text, (void)len;
    uint32_t w = e->g - EV_SYSTEM_G;
    if (e->kind == EV_GC_WORKER) {
        int n = atomic_fetch_add(&marking[e->a], 1) + 1, old = atomic_load(&most[e->a]);
        while (n > old && !atomic_compare_exchange_weak(&most[e->a], &old, n))
            ;
        atomic_store(&mode_of[w], (int)e->a + 1);
    }
    if (e->kind == EV_G_PARK && e->g >= EV_SYSTEM_G && e->b == WAIT_REASON_GC_WAIT && atomic_load(&mode_of[w]))
        atomic_fetch_sub(&marking[atomic_exchange(&mode_of[w], 0) - 1], 1);
    if (e->kind == EV_GC_PHASE && e->a == GCPHASE_MARK)
        atomic_store(&mark_from, e->time);
    if (e->kind == EV_GC_PHASE && e->a == GCPHASE_MARK_TERMINATION)
        atomic_store(&mark_to, e->time);
    return false;
}

static void see_anew(void)
{
    for (int i = 0; i < 3; i++) {
        atomic_store(&marking[i], 0);
        atomic_store(&most[i], 0);
    }
}

static void main_collects(void *arg)
{
    (void)arg;
    atomic_store(&alive, 0);
    rt_gc(1000000, false);
}

/* There is always something to run, and no G keeps a P. */
static void polite(void *arg)
{
    (void)arg;
    while (!atomic_load(&over)) {
        rt_compute(2000, false);
        rt_gosched();
    }
    atomic_fetch_sub(&alive, 1);
}

static void main_collects_beside_work(void *arg)
{
    (void)arg;
    atomic_store(&over, false);
    atomic_store(&alive, 40);
    for (int i = 0; i < 40; i++)
        go(polite, i);
    rt_gc(1000000, false);
    wait_for_all();
}

/* int(0.25 P + 0.5) dedicated workers, one less if that is more than 30 % too many. Then, and if it is too few, the
 * rest is fractional. */
TEST(a_quarter_of_the_ps_marks)
{
    static const struct {
        uint32_t procs;
        int dedicated;
        bool fractional;
    } go_has[] = {{1, 0, true}, {2, 0, true},  {3, 0, true},  {4, 1, false}, {5, 1, false},
                  {6, 1, true}, {7, 2, false}, {8, 2, false}, {16, 4, false}};
    prog_hook = see_workers;
    for (size_t i = 0; i < sizeof go_has / sizeof *go_has; i++) {
        see_anew();
        struct result r = run((struct how){MODE_LOCKSTEP, 1, go_has[i].procs}, main_collects_beside_work);
        CHECK_INT(r.how, ENDED_MAIN_RETURNED);
        CHECK_INT(atomic_load(&most[GCMODE_DEDICATED]), go_has[i].dedicated);
        CHECK_INT(atomic_load(&most[GCMODE_FRACTIONAL]) > 0, go_has[i].fractional);
    }
    prog_hook = NULL;
}

/* If there is nothing else to do, all Ps mark; those without a dedicated worker run idle workers. */
TEST(idle_ps_mark)
{
    prog_hook = see_workers;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        see_anew();
        struct result r = run((struct how){MODE_LOCKSTEP, seed, 4}, main_collects);
        CHECK_INT(r.how, ENDED_MAIN_RETURNED);
        CHECK_INT(atomic_load(&most[GCMODE_DEDICATED]), 1);
        CHECK_INT(atomic_load(&most[GCMODE_IDLE]), 3);
        int64_t took = atomic_load(&mark_to) - atomic_load(&mark_from);
        CHECK(took >= 250000); /* 1 ms of marking on four Ps */
        CHECK(took < 350000);  /* the last pieces and the ways to them */
    }
    prog_hook = NULL;
}

TEST(one_p_marks_by_itself)
{
    prog_hook = see_workers;
    see_anew();
    struct result r = run((struct how){MODE_LOCKSTEP, 1, 1}, main_collects);
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    CHECK_INT(atomic_load(&most[GCMODE_IDLE]), 1);
    CHECK(atomic_load(&mark_to) - atomic_load(&mark_from) >= 1000000);
    prog_hook = NULL;
}

/* Workers that wait forever do not count: the program's own Gs are in a deadlock. */
static void main_blocks(void *arg)
{
    (void)arg;
    rt_gc(1000, false);
    rt_chan_recv(NULL, &(int64_t){0});
}

TEST(workers_do_not_hide_a_deadlock)
{
    dies(main_blocks, ENDED_DEADLOCK, "all goroutines are asleep - deadlock!");
}
