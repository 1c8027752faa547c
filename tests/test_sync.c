/* Mutexes, wait groups and the memory of Gs on the real runtime, in both modes: the order in which Gs are served,
 * the texts of fatal errors, and that four Ps do not break in. */
#include "prog.h"

static struct mutex *mu;

/* ---- mutex ----------------------------------------------------------------------------------------------------- */

static void main_unlock_unlocked(void *arg)
{
    (void)arg;
    mu = rt_mutex_new(rt_self_sched(), 1);
    rt_mutex_lock(mu);
    rt_mutex_unlock(mu);
    rt_mutex_unlock(mu);
}

TEST(unlocking_an_unlocked_mutex_is_fatal)
{
    dies(main_unlock_unlocked, ENDED_FATAL, "sync: unlock of unlocked mutex");
}

static void main_lock_twice(void *arg)
{
    (void)arg;
    mu = rt_mutex_new(rt_self_sched(), 1);
    rt_mutex_lock(mu);
    rt_mutex_lock(mu);
}

TEST(a_mutex_is_not_reentrant)
{
    struct result r = dies(main_lock_twice, ENDED_DEADLOCK, "all goroutines are asleep - deadlock!");
    CHECK_INT(r.parked[WAIT_REASON_MUTEX_LOCK], 1);
}

static void lock_once(void *arg)
{
    int me = (int)(intptr_t)arg;
    note(me);
    rt_mutex_lock(mu);
    woken[nwoken++] = me;
    rt_mutex_unlock(mu);
}

static void main_fifo_mutex(void *arg)
{
    (void)arg;
    nwoken = 0;
    mu = rt_mutex_new(rt_self_sched(), 1);
    rt_mutex_lock(mu);
    for (int i = 0; i < 5; i++)
        go(lock_once, i);
    rt_gosched();
    CHECK_INT(norder, 5);
    rt_mutex_unlock(mu);
    while (nwoken < 5)
        rt_gosched();
    for (int i = 0; i < 5; i++)
        CHECK_INT(woken[i], order[i]);
}

TEST(waiters_for_a_mutex_queue_first_come_first_served)
{
    in_order(main_fifo_mutex);
}

static void barge_victim(void *arg)
{
    (void)arg;
    note(1);
    rt_mutex_lock(mu);
    atomic_store(&flag, true);
    rt_mutex_unlock(mu);
}

/* One waiter, two holds of 2 ms each. After the first, the waiter is woken but loses against main, which is running:
 * normal mode. It has then waited over 1 ms, so it turns on starvation mode: the second unlock hands over, and the
 * waiter runs before unlock returns. */
static void main_starvation(void *arg)
{
    (void)arg;
    mu = rt_mutex_new(rt_self_sched(), 1);
    rt_mutex_lock(mu);
    go(barge_victim, 0);
    rt_gosched();
    CHECK_INT(norder, 1);
    rt_sleep(2000000);
    rt_mutex_unlock(mu);
    rt_mutex_lock(mu);
    CHECK(!atomic_load(&flag)); /* barging works in normal mode */
    rt_sleep(2000000);
    CHECK(!atomic_load(&flag));
    rt_mutex_unlock(mu);
    CHECK(atomic_load(&flag)); /* hand-over, within main's time slice */
    rt_mutex_lock(mu);         /* it was the last waiter: normal mode again, with no other G waiting */
    rt_mutex_unlock(mu);
}

TEST(a_starving_waiter_is_handed_the_mutex)
{
    in_order(main_starvation);
}

/* The first waiter wakes, loses against main, and must not queue behind the second. No hold is long enough to
 * starve. */
static void main_loser(void *arg)
{
    (void)arg;
    nwoken = 0;
    mu = rt_mutex_new(rt_self_sched(), 1);
    rt_mutex_lock(mu);
    for (int i = 0; i < 3; i++)
        go(lock_once, i);
    rt_gosched();
    CHECK_INT(norder, 3);
    for (int i = 0; i < 2; i++) { /* not 3: a queue rotated three times is as before */
        rt_mutex_unlock(mu);
        rt_mutex_lock(mu);
        rt_gosched();
        CHECK_INT(nwoken, 0);
    }
    rt_mutex_unlock(mu);
    while (nwoken < 3)
        rt_gosched();
    for (int i = 0; i < 3; i++)
        CHECK_INT(woken[i], order[i]);
}

TEST(a_waiter_that_lost_goes_back_to_the_front)
{
    fresh(); /* lockstep only: in real time a hold may take a millisecond */
    CHECK_INT(run((struct how){MODE_LOCKSTEP, 1, 1}, main_loser).how, ENDED_MAIN_RETURNED);
}

static int holds;

static void hog(void *arg)
{
    (void)arg;
    while (!atomic_load(&flag)) {
        rt_mutex_lock(mu);
        holds++;
        rt_sleep(100000);
        rt_mutex_unlock(mu);
        rt_point();
    }
}

/* Go's TestMutexFairness. */
static void main_hog(void *arg)
{
    (void)arg;
    holds = 0;
    mu = rt_mutex_new(rt_self_sched(), 1);
    go(hog, 0);
    for (int i = 0; i < 10; i++) {
        rt_sleep(100000);
        rt_mutex_lock(mu);
        rt_mutex_unlock(mu);
    }
    atomic_store(&flag, true);
    rt_mutex_lock(mu); /* waits for the hog's last turn: it reads the mutex */
    rt_mutex_unlock(mu);
}

TEST(a_hog_cannot_keep_a_mutex_from_others)
{
    for (uint32_t procs = 1; procs <= 4; procs *= 2) {
        fresh();
        CHECK_INT(run((struct how){MODE_LOCKSTEP, procs, procs}, main_hog).how, ENDED_MAIN_RETURNED);
        CHECK(holds <= 10 * 16); /* 2 holds while main sleeps, 11 until it starves, 1 more to report that, 1 to get
                                  * the mutex */
        fresh();
        CHECK_INT(run((struct how){MODE_FREE, procs, procs}, main_hog).how, ENDED_MAIN_RETURNED);
    }
}

enum { LOCKERS = 6, TURNS = 25 };
static int64_t plain; /* not atomic: the mutex protects it */

static void locker(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int i = 0; i < TURNS; i++) {
        rt_mutex_lock(mu);
        int64_t v = plain;
        if (i % 5 == me % 5)
            rt_compute(3000, false);
        if (i % 9 == me)
            rt_gosched();
        if (i == 11)
            rt_sleep(400000); /* a hold that starves others */
        rt_point();
        plain = v + 1;
        rt_mutex_unlock(mu);
        rt_point();
    }
    rt_waitgroup_add(wg, -1);
}

static void main_lockers(void *arg)
{
    (void)arg;
    struct sched *s = rt_self_sched();
    plain = 0;
    mu = rt_mutex_new(s, 1);
    wg = rt_waitgroup_new(s, 2);
    for (int i = 0; i < LOCKERS; i++) {
        rt_waitgroup_add(wg, 1);
        go(locker, i);
    }
    rt_waitgroup_wait(wg);
    CHECK_INT(plain, LOCKERS * TURNS);
}

static void nothing_more(void) {}

TEST(a_mutex_excludes_under_stress)
{
    under_stress(main_lockers, nothing_more);
}

/* ---- wait group ------------------------------------------------------------------------------------------------ */

static void main_negative(void *arg)
{
    (void)arg;
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    rt_waitgroup_add(wg, 1);
    rt_waitgroup_add(wg, -2);
}

static void waits(void *arg)
{
    note((int)(intptr_t)arg);
    rt_waitgroup_wait(wg);
    woken[nwoken++] = my_number();
}

static void main_reused(void *arg)
{
    (void)arg;
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    rt_waitgroup_add(wg, 1);
    go(waits, 0);
    rt_gosched();
    CHECK_INT(norder, 1);
    rt_waitgroup_add(wg, -1);
    rt_waitgroup_add(wg, 1); /* the waiter has not run yet */
    rt_gosched();
}

TEST(misuse_of_a_wait_group_panics)
{
    dies(main_negative, ENDED_PANIC, "sync: negative WaitGroup counter");
    struct result r = dies(main_reused, ENDED_PANIC, "sync: WaitGroup is reused before previous Wait has returned");
    CHECK_INT(r.parked[WAIT_REASON_SEMACQUIRE], 1); /* Go 1.20 has no separate reason for wait groups */
}

static void main_wait_all(void *arg)
{
    (void)arg;
    nwoken = 0;
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    rt_waitgroup_wait(wg); /* nothing to wait for */
    for (int round = 1; round <= 3; round++) {
        rt_waitgroup_add(wg, 2);
        for (int i = 0; i < 4; i++)
            go(waits, i);
        rt_gosched();
        rt_waitgroup_add(wg, -1);
        rt_gosched();
        CHECK_INT(nwoken, 4 * (round - 1));
        rt_waitgroup_add(wg, -1);
        rt_gosched();
        CHECK_INT(nwoken, 4 * round);
    }
}

TEST(all_waiters_continue_when_the_counter_is_zero_and_not_before)
{
    in_order(main_wait_all);
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

static _Atomic int released;

static void release(void *arg)
{
    CHECK_INT(*(int *)arg, 42);
    atomic_fetch_add(&released, 1);
}

static int fortytwo = 42;

static void uses_memory(void *arg)
{
    (void)arg;
    for (size_t size = 1; size < 100000; size = size * 3 + 1) {
        unsigned char *p = rt_alloc(size);
        CHECK((uintptr_t)p % 16 == 0);
        for (size_t i = 0; i < size; i++)
            CHECK(p[i] == 0);
        memset(p, 0xff, size);
    }
    if (arg == &fortytwo && rt_goid() % 2)
        rt_goexit(); /* memory and argument are freed this way, too */
}

static void blocks_for_ever(void *arg)
{
    (void)arg;
    memset(rt_alloc(5000), 1, 5000);
    rt_chan_send(NULL, 0);
}

static void main_memory(void *arg)
{
    (void)arg;
    atomic_store(&released, 0);
    for (int i = 0; i < 20; i++) {
        rt_go(uses_memory, &fortytwo, release, 0, 0);
        rt_gosched();
    }
    CHECK_INT(released, 20);
    rt_go(blocks_for_ever, &fortytwo, release, 0, 0); /* the end of the runtime frees what it holds */
    rt_gosched();
}

TEST(a_gs_memory_lives_as_long_as_the_g)
{
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
        CHECK_INT(run((struct how){(enum conductor_mode)mode, 1, 1}, main_memory).how, ENDED_MAIN_RETURNED);
        CHECK_INT(released, 21);
    }
}
