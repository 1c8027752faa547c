/* The conductor alone: in free mode no M moves during a pause; a mode switch loses no M; the end reaches every M
 * wherever it waits, and leaves nothing behind. */
#include "toy.h"
#include <dirent.h>
#include <sched.h>
#include <sys/resource.h>

/* --- pausing in free mode ----------------------------------------------------------------------------------------- */

static void free_step(struct toy *t)
{
    struct world *x = t->world;
    switch (prng_below(&t->rand, 6)) {
    case 0:
        conductor_usleep(t->w, prng_below(&t->rand, 50000));
        break;
    case 1:
        conductor_block(t->w, prng_below(&t->rand, 30000));
        break;
    case 2:
        conductor_compute(t->w, prng_below(&t->rand, 40000), false);
        break;
    case 3:
        conductor_spin(t->w, 100);
        break;
    case 4:
        note_sleep_for(t->w, &t->note, 1000);
        break;
    default:
        conductor_lock(t->w, &x->lock, NULL);
        x->locked++;
        conductor_unlock(t->w, &x->lock);
        break;
    }
    conductor_gate(t->w);
}

static void free_busy(struct toy *t)
{
    int64_t last = 0;
    for (;;) {
        free_step(t);
        int64_t now = conductor_now(t->w);
        CHECK(now >= last);
        last = now;
        atomic_fetch_add_explicit(&t->progress, 1, memory_order_relaxed);
    }
}

static uint64_t all_progress(struct world *x)
{
    uint64_t sum = x->locked; /* plain: stopped */
    for (int i = 0; i < MS; i++)
        sum += atomic_load_explicit(&x->toy[i].progress, memory_order_relaxed);
    return sum;
}

/* Lets x run until each of the first n toys has moved on: no M was forgotten in a wait. */
static void run_until_all_moved(struct world *x, int n)
{
    uint64_t before[MS];
    for (int i = 0; i < n; i++)
        before[i] = atomic_load_explicit(&x->toy[i].progress, memory_order_relaxed);
    conductor_run(x->c);
    for (int i = 0; i < n; i++)
        while (atomic_load_explicit(&x->toy[i].progress, memory_order_relaxed) == before[i])
            nap(100);
}

TEST(free_pause_is_a_standstill)
{
    struct world *x = world_new(MODE_FREE, 5);
    for (uint32_t id = 0; id < 4; id++)
        toy_start(x, id, free_busy);
    for (int i = 0; i < 20; i++) {
        run_until_all_moved(x, 4);
        CHECK(conductor_is_running(x->c));
        stop_soon(x);
        int64_t time = conductor_time(x->c);
        uint64_t progress = all_progress(x);
        struct rusage a, b;
        getrusage(RUSAGE_SELF, &a);
        nap(20000);
        getrusage(RUSAGE_SELF, &b);
        CHECK_INT(conductor_time(x->c), time);
        CHECK_INT(all_progress(x), progress);
        /* Asleep, not polling: each look at the world would be a context switch. */
        CHECK(b.ru_nvcsw - a.ru_nvcsw < 200);
    }
    CHECK(all_progress(x) > 0);
    world_free(x);
}

TEST(free_random_pauses)
{
    struct world *x = world_new(MODE_FREE, 5);
    struct prng rand;
    prng_seed(&rand, 1, PRNG_PAUSES);
    for (uint32_t id = 0; id < 4; id++)
        toy_start(x, id, free_busy);
    for (int i = 0; i < 1000; i++) {
        if (i % 50 == 0)
            run_until_all_moved(x, 4);
        conductor_run(x->c);
        nap(prng_below(&rand, 300));
        stop_soon(x);
        uint64_t now = all_progress(x);
        sched_yield();
        CHECK_INT(all_progress(x), now);
    }
    world_free(x);
}

static void timed_sleeper(struct toy *t)
{
    conductor_pause(t->world->c); /* the clock is stopped from here on */
    conductor_usleep(t->w, 10000000);
    atomic_fetch_add_explicit(&t->progress, 1, memory_order_relaxed);
}

/* No timer fires while paused, even long after its time; it fires afterwards. */
TEST(free_no_timer_fires_while_paused)
{
    struct world *x = world_new(MODE_FREE, 5);
    toy_start(x, 0, timed_sleeper);
    conductor_run(x->c);
    CHECK(conductor_wait_stopped(x->c, -1));
    nap(50000);
    CHECK_INT(all_progress(x), 0);
    CHECK_INT(conductor_alive(x->c), 1);
    conductor_run(x->c);
    world_await_empty(x);
    CHECK(conductor_time(x->c) >= 10000000);
    world_free(x);
}

static void net_sleeper(struct toy *t)
{
    struct epoll_event e;
    int n = conductor_netpoll(t->w, t->world->epfd, &e, 1, -1);
    t->world->result = n;
    atomic_fetch_add_explicit(&t->progress, 1, memory_order_relaxed);
}

/* A packet that arrives while paused waits, without a busy loop in the poller. */
TEST(free_packet_while_paused)
{
    struct world *x = world_new(MODE_FREE, 5);
    uint64_t one = 1;
    struct rusage a, b;
    open_net(x);
    toy_start(x, 0, net_sleeper);
    conductor_run(x->c);
    nap(5000);
    stop_soon(x);
    CHECK(write(x->fd, &one, sizeof one) == sizeof one);
    getrusage(RUSAGE_SELF, &a);
    nap(50000);
    getrusage(RUSAGE_SELF, &b);
    CHECK(b.ru_nvcsw - a.ru_nvcsw < 20);
    CHECK_INT(all_progress(x), 0);
    conductor_run(x->c);
    world_await_empty(x);
    CHECK_INT(x->result, 1);
    world_free(x);
}

static void steps_forever(struct toy *t)
{
    for (;;) {
        atomic_fetch_add_explicit(&t->progress, 1, memory_order_relaxed);
        conductor_logged(t->w, EV_CORE, false);
        conductor_gate(t->w);
    }
}

/* The M that reaches the count stops the others: each may be one event further. */
TEST(free_steps_stop_by_themselves)
{
    struct world *x = world_new(MODE_FREE, 5);
    uint64_t last = 0;
    for (uint32_t id = 0; id < 4; id++)
        toy_start(x, id, steps_forever);
    for (int i = 0; i < 200; i++) {
        conductor_step_events(x->c, 50, false);
        CHECK(conductor_wait_stopped(x->c, -1));
        CHECK(all_progress(x) >= last + 50);
        last = all_progress(x);
    }
    world_free(x);
}

TEST(free_speed)
{
    struct world *x = world_new(MODE_FREE, 5);
    conductor_set_speed(x->c, 1000, 1);
    toy_start(x, 0, sleeps_an_hour);
    conductor_run(x->c);
    nap(20000);
    CHECK(conductor_time(x->c) >= INT64_C(20000000000) / 2);
    conductor_set_speed(x->c, 4000000000u, 1); /* an hour in a microsecond: kicked awake and over */
    world_await_empty(x);
    CHECK(x->result >= INT64_C(3600000000000));
    world_free(x);
}

/* --- modes -------------------------------------------------------------------------------------------------------- */

TEST(mode_switches_under_load)
{
    struct world *x = world_new(MODE_LOCKSTEP, 5);
    struct prng rand;
    prng_seed(&rand, 1, PRNG_PAUSES);
    for (uint32_t id = 0; id < 4; id++)
        toy_start(x, id, free_busy);
    for (int i = 0; i < 50; i++) {
        enum conductor_mode mode = i % 2 ? MODE_LOCKSTEP : MODE_FREE;
        run_until_all_moved(x, 4);
        nap(prng_below(&rand, 1000));
        stop_soon(x);
        int64_t time = conductor_time(x->c);
        conductor_set_mode(x->c, mode);
        CHECK_INT(conductor_mode(x->c), mode);
        CHECK(conductor_is_stopped(x->c));
        CHECK(conductor_time(x->c) >= time);
        if (i % 7 == 0) { /* two switches, without a run in between */
            conductor_set_mode(x->c, mode == MODE_FREE ? MODE_LOCKSTEP : MODE_FREE);
            conductor_set_mode(x->c, mode);
        }
    }
    CHECK(conductor_was_free(x->c));
    world_free(x);
}

/* Every note of the ping-pong survives a switch of the mode at any place. */
TEST(mode_switches_lose_no_note)
{
    struct world *x = world_new(MODE_LOCKSTEP, 5);
    toy_start(x, 0, pinger);
    for (int i = 0; conductor_alive(x->c); i++) {
        conductor_run(x->c);
        nap(50);
        conductor_pause(x->c);
        CHECK(conductor_wait_stopped(x->c, -1));
        if (conductor_alive(x->c) && conductor_error(x->c) == NULL)
            conductor_set_mode(x->c, i % 2 ? MODE_LOCKSTEP : MODE_FREE);
    }
    CHECK_INT(x->locked, VOLLEYS);
    world_free(x);
}

/* --- naps ----------------------------------------------------------------------------------------------------------- */

#define NAPS 50

static bool counts_looks(void *ctx)
{
    uint32_t *n = ctx;
    return ++*n % 3 == 0; /* some naps end in the kernel, others do not */
}

static void naps(struct toy *t)
{
    uint32_t looks = 0;
    for (int i = 0; i < NAPS; i++) {
        int64_t before = conductor_now(t->w);
        conductor_nap(t->w, 3000, counts_looks, &looks);
        CHECK(conductor_now(t->w) >= before + 3000);
    }
    if (t->world->result) /* lockstep: the course does not depend on how long a thread takes to sleep */
        CHECK_INT(looks, 0);
    else
        CHECK(looks > 0); /* a nap that the machine interrupts may be over before its first look */
    atomic_fetch_add_explicit(&t->progress, 1, memory_order_relaxed);
}

static void all_nap(enum conductor_mode mode)
{
    struct world *x = world_new(mode, 5);
    x->result = mode == MODE_LOCKSTEP;
    for (uint32_t id = 0; id < 3; id++)
        toy_start(x, id, naps);
    conductor_run(x->c);
    world_await_empty(x);
    CHECK_INT(all_progress(x), 3);
    world_free(x);
}
TEST(free_naps_last_at_least_their_time)
{
    all_nap(MODE_FREE);
}
TEST(lockstep_naps_are_sleeps)
{
    all_nap(MODE_LOCKSTEP);
}

/* --- waking each other up ------------------------------------------------------------------------------------------ */

#define WAKES 300

/* Wakes toy 1, asleep or spinning; it answers each wake-up. */
static void is_woken(struct toy *t)
{
    struct world *x = t->world;
    cpu_set_t before, after;
    CHECK(!sched_getaffinity(0, sizeof before, &before));
    for (int i = 0; i < WAKES; i++) {
        note_sleep(t->w, &x->ping);
        note_clear(&x->ping);
        note_wakeup(t->w, &x->pong);
    }
    while (!atomic_load_explicit(&x->done, memory_order_acquire)) /* the waker has finished with it */
        conductor_usleep(t->w, 100000);
    conductor_usleep(t->w, 100000);
    CHECK(!sched_getaffinity(0, sizeof after, &after));
    CHECK(CPU_EQUAL(&before, &after));
}

static void wakes_apart(struct toy *t)
{
    struct world *x = t->world;
    toy_start(x, 1, is_woken);
    for (int i = 0; i < WAKES; i++) {
        conductor_compute(t->w, i % 3 ? 1000 : 60000, false);
        note_wakeup_apart(t->w, &x->ping);
        note_sleep(t->w, &x->pong);
        note_clear(&x->pong);
    }
    atomic_store_explicit(&x->done, 1, memory_order_release); /* pairs with is_woken() */
}

/* No M stays where a waker has put it. */
TEST(an_m_woken_apart_may_run_anywhere_again)
{
    struct world *x = world_new(MODE_FREE, 5);
    toy_start(x, 0, wakes_apart);
    conductor_run(x->c);
    world_await_empty(x);
    world_free(x);
}

static void waits_for_ever(struct toy *t)
{
    struct epoll_event e;
    int64_t ns = INT64_C(3600000000000) * 24 * 365;
    struct note never = {0};
    /* relaxed: a sign of life for the controller */
    atomic_fetch_add_explicit(&t->progress, 1, memory_order_relaxed);
    switch (t->id) {
    case 0:
        note_sleep(t->w, &never);
        break;
    case 1:
        note_sleep_for(t->w, &never, ns);
        break;
    case 2:
        conductor_usleep(t->w, ns);
        break;
    case 3:
        conductor_block(t->w, ns);
        break;
    case 4:
        conductor_netpoll(t->w, t->world->epfd, &e, 1, -1);
        break;
    case 5:
        conductor_compute(t->w, ns, true);
        break;
    default: /* one of two has the lock and spins, the other waits for it */
        if (t->world->with_lock)
            conductor_lock(t->w, &t->world->lock, NULL);
        for (;;) {
            conductor_spin(t->w, 1000);
            conductor_gate(t->w);
        }
    }
    t->world->done++;
}

/* Lockstep never reaches the end of its year: some M always spins, so time advances in small steps. A lock is held
 * only where there is no pause, because a pause would wait for its release. */
static void stop_from_waits(enum conductor_mode mode, enum conductor_mode then, bool paused, long us)
{
    struct world *x = world_new(mode, 5);
    x->with_lock = !paused && mode == then;
    open_net(x);
    for (uint32_t id = 0; id < MS; id++)
        toy_start(x, id, waits_for_ever);
    conductor_run(x->c);
    nap(us);
    if (paused || mode != then) {
        stop_soon(x);
        conductor_set_mode(x->c, then);
    }
    if (!paused && mode != then) {
        conductor_run(x->c);
        nap(us / 2);
    }
    conductor_stop(x->c);
    world_await_empty(x);
    CHECK_INT(x->done, 0);
    world_free(x);
}

/* At twenty moments, from right after the start to long after. */
static void stop_at_moments(enum conductor_mode mode, enum conductor_mode then, bool paused)
{
    for (int i = 0; i < 20; i++)
        stop_from_waits(mode, then, paused, i * 300);
}

TEST(free_stop_from_every_wait)
{
    stop_at_moments(MODE_FREE, MODE_FREE, false);
}
TEST(free_stop_while_paused)
{
    stop_at_moments(MODE_FREE, MODE_FREE, true);
}
TEST(lockstep_stop_from_every_wait)
{
    stop_at_moments(MODE_LOCKSTEP, MODE_LOCKSTEP, false);
}
TEST(lockstep_stop_while_paused)
{
    stop_at_moments(MODE_LOCKSTEP, MODE_LOCKSTEP, true);
}
TEST(stop_after_free_to_lockstep)
{
    stop_at_moments(MODE_FREE, MODE_LOCKSTEP, false);
}
TEST(stop_after_lockstep_to_free)
{
    stop_at_moments(MODE_LOCKSTEP, MODE_FREE, false);
}
TEST(stop_paused_after_free_to_lockstep)
{
    stop_at_moments(MODE_FREE, MODE_LOCKSTEP, true);
}
TEST(stop_paused_after_lockstep_to_free)
{
    stop_at_moments(MODE_LOCKSTEP, MODE_FREE, true);
}

/* --- births and ends ---------------------------------------------------------------------------------------------- */

static void busy_first(struct toy *t)
{
    for (uint32_t id = 1; id < MS; id++) {
        toy_start(t->world, id, free_busy);
        conductor_gate(t->w);
    }
    free_busy(t);
}

static int entries(const char *path)
{
    int n = 0;
    DIR *d = opendir(path);
    CHECK(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static void start_stop(enum conductor_mode mode, uint32_t seed, long us)
{
    struct world *x = world_new(mode, seed);
    toy_start(x, 0, busy_first);
    if (seed % 5)
        conductor_run(x->c);
    nap(us);
    if (seed % 3 == 0)
        conductor_pause(x->c);
    conductor_stop(x->c);
    conductor_stop(x->c);
    world_free(x);
}

TEST(start_and_stop_leaves_nothing)
{
    start_stop(MODE_FREE, 1, 1000); /* threads that a sanitizer starts with the first thread stay */
    int fds = entries("/proc/self/fd"), threads = entries("/proc/self/task");
    for (uint32_t i = 0; i < 500; i++)
        start_stop(i % 2 ? MODE_FREE : MODE_LOCKSTEP, i, i % 40 * 10);
    CHECK_INT(entries("/proc/self/fd"), fds);
    while (entries("/proc/self/task") > threads) /* the kernel still lists a thread for a moment after it was joined */
        nap(1000);
}

static void goes(struct toy *t)
{
    t->world->done++;
}

static void makes_one_that_fails(struct toy *t)
{
    struct waiter *w = waiter_new(t->world->c, 1, NULL); /* as if pthread_create had failed */
    CHECK(w);
    conductor_compute_cut(w);
    waiter_exit(w);
    for (int i = 0; i < 10; i++)
        conductor_gate(t->w);
    toy_start(t->world, 2, goes);
    t->world->done++;
}

TEST(lockstep_thread_not_made)
{
    run_one(MODE_LOCKSTEP, makes_one_that_fails, 2);
}
TEST(free_thread_not_made)
{
    run_one(MODE_FREE, makes_one_that_fails, 2);
}

static void waits_alone(struct toy *t)
{
    struct note never = {0};
    note_sleep(t->w, &never);
}

static void waits_for_the_network(struct toy *t)
{
    conductor_netpoll(t->w, -1, NULL, 0, -1);
}

/* No M is ready and there is no deadline, but an M waits for the network, so time passes until a pause stops it. */
TEST(lockstep_waits_for_the_network_forever)
{
    struct world *x = world_new(MODE_LOCKSTEP, 5);
    toy_start(x, 0, waits_for_the_network);
    for (int64_t before = -1, i = 0; i < 100; i++) {
        conductor_run(x->c);
        while (conductor_time(x->c) <= before) /* exact only when stopped, but it grows */
            sched_yield();
        conductor_pause(x->c);
        CHECK(conductor_wait_stopped(x->c, -1));
        CHECK(conductor_time(x->c) > before);
        before = conductor_time(x->c);
    }
    CHECK(!conductor_error(x->c));
    conductor_stop(x->c);
    world_await_empty(x);
    pthread_join(x->toy[0].thread, NULL);
    conductor_free(x->c);
    free(x);
}

/* No M is ready and there is no deadline: this is reported, the run stops, and the end still works. */
TEST(lockstep_without_a_ready_m)
{
    struct world *x = world_new(MODE_LOCKSTEP, 5);
    toy_start(x, 0, waits_alone);
    conductor_run(x->c);
    CHECK(conductor_wait_stopped(x->c, -1));
    CHECK(conductor_error(x->c));
    conductor_run(x->c);
    CHECK(conductor_wait_stopped(x->c, -1));
    conductor_stop(x->c);
    world_await_empty(x);
    pthread_join(x->toy[0].thread, NULL);
    conductor_free(x->c);
    free(x);
}
