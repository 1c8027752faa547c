/* Orders and deadlines of Go's scheduler that no invariant of the state covers: which G is woken first, when sysmon
 * may take a P, which M makes the poller look earlier. For each of them a mutated copy with the wrong behaviour
 * passed all other checks (mutations.txt). */
#include "base/prng.h"
#include "prog.h"
#include "runtime/sched/rt.h"

enum { MS = 1000000, US = 1000 };

static struct result lockstep(uint32_t procs, uint64_t seed, rt_fn *main_fn)
{
    fresh();
    nwoken = 0;
    struct result r = run((struct how){MODE_LOCKSTEP, seed, procs}, main_fn);
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    return r;
}

/* ---- RWMutex.Unlock ------------------------------------------------------------------------------------------------ */

static struct rwmutex *rw;

static bool see_woken(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)ctx, (void)m, (void)text, (void)len;
    if (e->kind == EV_G_READY && nwoken < 64)
        woken[nwoken++] = (int)e->g;
    return false;
}

static void reader(void *arg)
{
    (void)arg;
    rt_rwmutex_rlock(rw);
    rt_rwmutex_runlock(rw);
}

static void writer(void *arg)
{
    (void)arg;
    rt_rwmutex_lock(rw);
    rt_rwmutex_unlock(rw);
}

static void main_unlocks(void *arg)
{
    (void)arg;
    rt_fn *const kind[] = {reader, writer, reader, reader};
    int id[4];
    rw = rt_rwmutex_new(rt_self_sched(), 1);
    rt_rwmutex_lock(rw);
    for (int i = 0; i < 4; i++) {
        id[i] = (int)go(kind[i], i);
        rt_gosched(); /* it starts and waits */
    }
    nwoken = 0;
    rt_rwmutex_unlock(rw);
    CHECK_INT(nwoken, 4);
    CHECK_INT(woken[0], id[0]);
    CHECK_INT(woken[1], id[2]);
    CHECK_INT(woken[2], id[3]);
    CHECK_INT(woken[3], id[1]); /* the inner mutex comes last: rwmutex.go, Unlock */
}

TEST(unlock_lets_the_readers_in_before_the_next_writer)
{
    prog_hook = see_woken;
    lockstep(1, 1, main_unlocks);
    prog_hook = NULL;
}

/* ---- the poller's list --------------------------------------------------------------------------------------------- */

static struct conn *conns[3];

static void reads(void *arg)
{
    (void)arg;
    rt_conn_read(conns[my_number()], 1, 1);
    note(my_number());
    rt_waitgroup_add(wg, -1);
}

static void main_writes_three(void *arg)
{
    (void)arg;
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    rt_waitgroup_add(wg, 3);
    for (int i = 0; i < 3; i++)
        conns[i] = rt_conn_new(rt_self_sched(), (uint32_t)i + 1);
    for (int i = 0; i < 3; i++) {
        go(reads, i);
        rt_gosched();
    }
    rt_sleep(10 * MS); /* the poller fetches the writable ends, as all new ones are */
    for (int i = 0; i < 3; i++)
        rt_conn_write(conns[i], 0, 1);
    rt_waitgroup_wait(wg);
}

/* netpoll() pushes each ready G onto the front of its list (netpoll_epoll.go, netpollready), so the last one becomes the first. */
TEST(of_several_ready_sockets_the_last_one_runs_first)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        lockstep(1, seed, main_writes_three);
        for (int i = 0; i < 3; i++)
            CHECK_INT(order[i], 2 - i);
    }
}

/* ---- retake -------------------------------------------------------------------------------------------------------- */

static uint32_t looks[64], calls[64], retakes; /* looks: sysmon's ticks since the P was left in Psyscall */

static bool see_retakes(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)ctx, (void)m, (void)text, (void)len;
    for (int i = 0; i < 64; i++)
        looks[i] += e->kind == EV_SYSMON_TICK;
    CHECK(e->p < 64 || e->p == EV_NO_P);
    if (e->kind == EV_SYSCALL_ENTER) {
        looks[e->p] = 0;
        calls[e->p]++;
    }
    if (e->kind == EV_RETAKE) {
        /* The very first call of another P than P0: sysmon's noted tick and the P's tick are both 0, as in Go. P0 has made calls before main. */
        CHECK((e->p != 0 && calls[e->p] == 1) || looks[e->p] > 0);
        retakes++;
    }
    return false;
}

static void computes(void *arg)
{
    (void)arg;
    for (int i = 0; i < 40; i++) {
        rt_compute(30 * US, false);
        rt_gosched();
    }
}

static void main_calls(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++)
        go(computes, i);
    for (int i = 0; i < 20; i++) {
        rt_syscall((50 + 7 * i) * US, false);
        rt_gosched();
    }
}

/* sysmon's first look only notes the system call; a look at least one tick later takes the P (proc.go, retake). */
TEST(sysmon_takes_no_p_at_its_first_look)
{
    prog_hook = see_retakes;
    retakes = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        memset(calls, 0, sizeof calls);
        lockstep(1, seed, main_calls);
    }
    prog_hook = NULL;
    CHECK(retakes > 20);
}

/* ---- who makes the poller look earlier ----------------------------------------------------------------------------- */

static int64_t now(void)
{
    return conductor_time(rt_conductor(rt_self_sched()));
}

static void sleeps_long(void *arg)
{
    (void)arg;
    rt_sleep(1000 * (int64_t)MS);
}

static void fires(void *arg)
{
    (void)arg;
    note(1);
}

/* One M waits in the poller for the long sleep. main returns from a system call, starts a timer, and computes, so its own M does not check
 * timers: it must interrupt the poller (time.go, wakeNetPoller). */
static void main_computes_with_a_timer(void *arg)
{
    (void)arg;
    go(sleeps_long, 0);
    rt_gosched();
    rt_syscall(20 * MS, true);
    rt_after(5 * MS, fires, NULL, NULL, 0);
    rt_compute(500 * MS, false);
    CHECK_INT(norder, 1);
}

TEST(an_earlier_timer_ends_the_wait_in_the_poller)
{
    for (uint32_t procs = 2; procs <= 4; procs++)
        for (uint64_t seed = 1; seed <= 20; seed++)
            lockstep(procs, seed, main_computes_with_a_timer);
}

/* Occupies the M that waited in the poller, and its P. */
static void reads_and_computes(void *arg)
{
    (void)arg;
    rt_conn_read(conns[0], 1, 1);
    rt_compute(1000 * (int64_t)MS, false);
}

/* main's P has a timer. The M that waited for it in the poller got work from a socket, and no other M was woken to replace it. Then main enters a
 * system call. sysmon takes the P after 10 ms, and its hand-off must get an M into the poller for the timer (proc.go, handoffp). */
static void main_leaves_a_timer(void *arg)
{
    (void)arg;
    conns[0] = rt_conn_new(rt_self_sched(), 1);
    go(reads_and_computes, 0);
    rt_gosched();
    rt_sleep(10 * MS);
    rt_after(50 * MS, fires, NULL, NULL, 0);
    rt_compute(1 * MS, false);
    rt_conn_write(conns[0], 0, 1);
    rt_compute(1 * MS, false);
    rt_syscall(500 * MS, false);
    CHECK_INT(norder, 1);
}

TEST(a_p_that_is_handed_off_leaves_no_timer_alone)
{
    uint32_t handed = 0;
    for (uint64_t seed = 1; seed <= 20; seed++)
        handed += lockstep(3, seed, main_leaves_a_timer).kinds[EV_HANDOFF];
    CHECK(handed > 0);
}

/* ---- an M that is slow at a chosen place ---------------------------------------------------------------------------- */

/* Returns whether M m may move. An M that may not move takes no step while another M can. */
static bool (*may_go_on)(uint32_t m);

static void choose_another(struct conductor *c)
{
    struct decision decision;
    uint32_t ready[64];
    if (!conductor_decision_now(c, &decision) || decision.kind != DECIDE_M || may_go_on(decision.pick))
        return;
    uint32_t n = conductor_ready(c, ready, 64);
    for (uint32_t i = 0; i < n; i++)
        if (ready[i] != decision.pick && may_go_on(ready[i])) {
            CHECK(conductor_choose(c, ready[i]));
            return;
        }
}

/* Runs main_fn to its end in lockstep, turn by turn. */
static void turn_by_turn(struct rt_config cfg)
{
    cfg.runq_size = 256;
    cfg.max_threads = 100;
    cfg.start_tick = 4;
    cfg.preempt_slice = 10000000000;
    cfg.mode = MODE_LOCKSTEP;
    cfg.generation = GO1_20;
    cfg.level = EV_DETAIL;
    struct result r = {.md = model_new(&(struct model_config){.runq_size = 256, .start_tick = 4, .seed = cfg.seed})};
    fresh();
    struct sched *s = rt_new(&cfg);
    CHECK(s && r.md);
    CHECK_INT(rt_start(s), 0);
    while (!rt_ended(s, &r.how)) {
        choose_another(rt_conductor(s));
        conductor_step_turn(rt_conductor(s), TURN_AS_DECIDED);
        CHECK(conductor_wait_stopped(rt_conductor(s), -1));
    }
    drain(s, LOG_BY_SEQUENCE, &r);
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    rt_free(s);
    model_free(r.md);
}

/* Ms that have announced that they will poll but have not yet stored polluntil. */
static bool announced[64];
static uint32_t times_announced;

static bool see_announced(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)ctx, (void)text, (void)len;
    CHECK(m < 64);
    announced[m] = e->kind == EV_FIND_STAGE && e->a == FIND_POLL_UNTIL;
    times_announced += announced[m];
    if (e->kind == EV_G_START) { /* while no M polls, polluntil is 0. relaxed: the baton orders both */
        const struct sched *s = rt_self_sched();
        CHECK(atomic_load_explicit(&s->lastpoll, memory_order_relaxed) == 0 ||
              atomic_load_explicit(&s->polluntil, memory_order_relaxed) == 0);
    }
    return false;
}

static bool has_not_announced(uint32_t m)
{
    return !announced[m];
}

static void main_sleeps_again_and_again(void *arg)
{
    (void)arg;
    go(sleeps_long, 0);
    for (int i = 0; i < 20; i++) {
        int64_t began = now();
        rt_sleep(5 * MS);
        CHECK(now() < began + 500 * MS);
        for (int k = 0; k < 20; k++)
            rt_gosched(); /* meanwhile another M announces that it will poll */
    }
}

/* The polluntil of an earlier wait must not be taken for that of the next one. */
TEST(an_m_that_announces_polling_sees_earlier_timers)
{
    times_announced = 0;
    may_go_on = has_not_announced;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        memset(announced, 0, sizeof announced);
        turn_by_turn((struct rt_config){.gomaxprocs = 2, .seed = seed, .main_fn = main_sleeps_again_and_again, .hook = see_announced});
    }
    CHECK(times_announced > 20);
}

/* ---- the heap of timers -------------------------------------------------------------------------------------------- */

static int64_t last_when;

static void see_timers(uint32_t m, const struct ev *e)
{
    (void)m;
    if (e->kind != EV_TIMER_FIRE)
        return;
    CHECK(ev_cd(e) >= last_when);
    last_when = ev_cd(e);
}

static void nothing(void *arg)
{
    (void)arg;
}

static void main_many_timers(void *arg)
{
    (void)arg;
    struct prng rand;
    prng_seed(&rand, 7, 0);
    int64_t began = now();
    for (int i = 0; i < 2000; i++)
        rt_after((1 + (int64_t)prng_below(&rand, 1000)) * MS, nothing, NULL, NULL, 0);
    rt_sleep(began + 1100 * (int64_t)MS - now());
}

TEST(timers_fire_in_the_order_of_their_times)
{
    prog_taken = see_timers;
    last_when = 0;
    CHECK_INT(lockstep(1, 1, main_many_timers).kinds[EV_TIMER_FIRE], 2001);
    prog_taken = NULL;
}
