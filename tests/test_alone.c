/* A free run on one P that nobody records: there the runtime goes its short ways (alone(), src/runtime/sched/rt.h), so what Gs come to is compared
 * with what they must come to, while pauses and changes of the mode throw them off those ways wherever they are. */
#include "prog.h"
#include <unistd.h>

static struct rt_config config(rt_fn *main_fn)
{
    return (struct rt_config){.gomaxprocs = 1, .runq_size = 256, .max_threads = 100, .start_tick = 0, .preempt_slice = 10000000,
        .generation = GO1_20, .seed = 1, .mode = MODE_FREE, .main_fn = main_fn, .level = EV_OFF};
}

/* ---- a program that uses what parks, and ends Gs in each way ------------------------------------------------------ */

enum { NODES = 255, ROUNDS = 40, LOCKED = 20 };

static struct waitgroup *joins[NODES];
static struct mutex *mu;
static int64_t sum, under_mutex, ended[LOCKED];
static uint32_t threads[LOCKED];

static void node(void *arg)
{
    int64_t i = (intptr_t)arg;
    if (2 * i + 2 < NODES) {
        rt_waitgroup_add(joins[i], 2);
        go(node, (int)(2 * i + 1));
        go(node, (int)(2 * i + 2));
        rt_waitgroup_wait(joins[i]);
    }
    sum += i;
    rt_waitgroup_add(i ? joins[(i - 1) / 2] : wg, -1);
}

static void adds(void *arg)
{
    (void)arg;
    for (int i = 0; i < 10; i++) {
        rt_mutex_lock(mu);
        int64_t seen = under_mutex;
        rt_gosched();
        under_mutex = seen + 1;
        rt_mutex_unlock(mu);
    }
    rt_waitgroup_add(wg, -1);
    if (my_number() % 2)
        rt_goexit();
}

/* Wired to its thread, which goes with it, but for the even ones. */
static void locked(void *arg)
{
    int i = (int)(intptr_t)arg;
    rt_lock_os_thread();
    threads[i] = rt_mid();
    rt_gosched();
    rt_sleep(1000);
    ended[i] = rt_mid() == threads[i];
    if (i % 2 == 0)
        rt_unlock_os_thread();
    rt_waitgroup_add(wg, -1);
}

static void one_round(void)
{
    rt_waitgroup_add(wg, 1 + 1 + 4 + 1);
    go(node, 0);
    go(echoes, 0);
    for (int i = 0; i < 4; i++)
        go(adds, i);
    go(locked, (int)(norder % LOCKED));
    for (int64_t i = 0; i < 20; i++) {
        int64_t v = 0;
        rt_chan_send(to_echo, i);
        rt_chan_recv(from_echo, &v);
        got[0] += v;
    }
    rt_chan_close(to_echo);
    rt_waitgroup_wait(wg);
    to_echo = rt_chan_new(rt_self_sched(), 1, 0);
}

static void all_of_it(void *arg)
{
    (void)arg;
    for (norder = 0; norder < ROUNDS; norder++) {
        one_round();
        if (norder % 10 == 5)
            rt_gc(1000, true);
        if (norder % 10 == 7)
            rt_stop_the_world(1000);
    }
}

static struct sched *prepared(void)
{
    fresh();
    sum = under_mutex = 0;
    memset(ended, 0, sizeof ended);
    struct rt_config cfg = config(all_of_it);
    struct sched *s = rt_new(&cfg);
    CHECK(s);
    CHECK(wg = rt_waitgroup_new(s, 1));
    for (uint32_t i = 0; i < NODES; i++)
        CHECK(joins[i] = rt_waitgroup_new(s, i + 2));
    CHECK(to_echo = rt_chan_new(s, 1, 0));
    CHECK(from_echo = rt_chan_new(s, 2, 0));
    CHECK(mu = rt_mutex_new(s, 1));
    return s;
}

static void check_sums(struct sched *s)
{
    int how;
    CHECK(rt_ended(s, &how));
    CHECK_INT(how, ENDED_MAIN_RETURNED);
    CHECK(!rt_throw_text(s));
    CHECK_INT(sum, ROUNDS * (NODES * (NODES - 1) / 2));
    CHECK_INT(under_mutex, ROUNDS * 4 * 10);
    CHECK_INT(got[0], ROUNDS * (20 * 21 / 2));
    for (int i = 0; i < LOCKED; i++)
        CHECK_INT(ended[i], 1);
    CHECK_INT(log_appended(rt_log(s)), 0);
}

static bool over(struct sched *s)
{
    return rt_throw_text(s) || (rt_ended(s, NULL) && conductor_wait_stopped(rt_conductor(s), 0));
}

TEST(unrecorded_gs_do_what_recorded_ones_do)
{
    struct sched *s = prepared();
    CHECK_INT(rt_start(s), 0);
    conductor_run(rt_conductor(s));
    while (!over(s))
        usleep(100);
    check_sums(s);
    rt_stop(s);
    rt_free(s);
}

/* At a stop each G is in one place, and those that run or wait to run are where their status says. */
static void check_places(struct sched *s)
{
    struct snapshot snap = {0};
    CHECK(rt_snapshot(s, &snap));
    for (uint32_t i = 0; i < snap.ng; i++) {
        const struct snap_g *g = &snap.g[i];
        if (g->status == G_WAITING)
            CHECK_INT(g->place, PLACE_WAITING);
        if (g->place == PLACE_RUNNEXT || g->place == PLACE_RUNQ || g->place == PLACE_GLOBQ)
            CHECK_INT(g->status, G_RUNNABLE);
    }
    snapshot_fini(&snap);
}

TEST(pauses_and_lockstep_change_nothing)
{
    long most = t_count(300, 3000);
    struct sched *s = prepared();
    struct conductor *c = rt_conductor(s);
    CHECK_INT(rt_start(s), 0);
    for (long i = 0; i < most && !over(s); i++) {
        conductor_run(c);
        usleep((useconds_t)(i % 7 * 5));
        conductor_pause(c);
        CHECK(conductor_wait_stopped(c, -1));
        check_places(s);
        if (i % 3 == 0)
            conductor_set_mode(c, conductor_mode(c) == MODE_FREE ? MODE_LOCKSTEP : MODE_FREE);
    }
    conductor_run(c);
    while (!over(s))
        usleep(100);
    check_sums(s);
    rt_stop(s);
    rt_free(s);
}
