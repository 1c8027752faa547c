/* LockOSThread on the real runtime, in both modes: a locked G keeps its thread and no other G runs there; locks
 * nest; a G that ends while locked takes its thread along; and a deadlock is still a deadlock. */
#include "prog.h"
#include "runtime/sched/proc.h"
#include <unistd.h>

static struct hchan *ch;
static uint32_t locked_m[64];
static _Atomic int64_t tids[64];
static _Atomic int left;

/* ---- one G ----------------------------------------------------------------------------------------------------- */

static void spinner(void *arg)
{
    (void)arg;
    while (!atomic_load(&flag))
        rt_gosched();
}

/* However it stops and resumes: the same M, the same kernel thread. */
static void main_stays(void *arg)
{
    (void)arg;
    ch = rt_chan_new(rt_self_sched(), 1, 0);
    for (int i = 0; i < 3; i++)
        go(spinner, i);
    rt_lock_os_thread();
    uint32_t m = rt_mid();
    pid_t tid = gettid();
    for (int i = 0; i < 20; i++) {
        rt_gosched();
        rt_sleep(1000);
        rt_syscall(1000, i % 2);
        rt_compute(1000, false);
        CHECK_INT(rt_mid(), m);
        CHECK_INT(gettid(), tid);
    }
    atomic_store(&flag, true);
}

TEST(a_locked_G_keeps_its_thread)
{
    for (uint32_t procs = 1; procs <= 4; procs++)
        for (int i = 0; i < 2 * GENERATIONS; i++) {
            fresh();
            struct result r =
                run_in((enum rt_generation)(i / 2), (struct how){i % 2 ? MODE_FREE : MODE_LOCKSTEP, procs, procs}, main_stays);
            CHECK_INT(r.how, ENDED_MAIN_RETURNED);
        }
}

static void main_nests(void *arg)
{
    (void)arg;
    struct m *m = getm();
    rt_unlock_os_thread(); /* not locked: no effect */
    rt_lock_os_thread();
    rt_lock_os_thread();
    CHECK_INT(m->lockedext, 2);
    rt_unlock_os_thread();
    CHECK(m->lockedg == getg() && getg()->lockedm == m);
    rt_unlock_os_thread();
    CHECK(!m->lockedg && !getg()->lockedm);
    CHECK_INT(m->lockedext, 0);
    rt_unlock_os_thread();
    CHECK_INT(m->lockedext, 0);
}

TEST(locks_nest)
{
    in_order(main_nests);
}

static void main_does_not_nest(void *arg)
{
    (void)arg;
    rt_lock_os_thread();
    rt_lock_os_thread();
    rt_unlock_os_thread();
    CHECK(!getm()->lockedg && !getg()->lockedm);
}

TEST(before_1_10_they_did_not)
{
    CHECK_INT(run_in(GO1_4, (struct how){MODE_LOCKSTEP, 1, 1}, main_does_not_nest).how, ENDED_MAIN_RETURNED);
    CHECK_INT(run_in(GO1_0, (struct how){MODE_LOCKSTEP, 1, 1}, main_does_not_nest).how, ENDED_MAIN_RETURNED);
}

/* ---- ends ------------------------------------------------------------------------------------------------------ */

static void main_waits_for_ever(void *arg)
{
    (void)arg;
    rt_lock_os_thread();
    rt_chan_recv(rt_chan_new(rt_self_sched(), 1, 0), &got[0]);
}

TEST(a_locked_G_that_waits_for_ever_is_a_deadlock)
{
    dies(main_waits_for_ever, ENDED_DEADLOCK, "all goroutines are asleep - deadlock!");
}

static void waits_locked(void *arg)
{
    (void)arg;
    rt_lock_os_thread();
    rt_chan_recv(ch, &got[1]);
}

static void main_many_wait(void *arg)
{
    (void)arg;
    ch = rt_chan_new(rt_self_sched(), 1, 0);
    for (int i = 0; i < 5; i++)
        go(waits_locked, i);
    rt_lock_os_thread();
    rt_goexit();
}

TEST(so_are_many_and_a_main_that_has_left)
{
    dies(main_many_wait, ENDED_DEADLOCK, "all goroutines are asleep - deadlock!");
}

static void leaves_locked(void *arg)
{
    (void)arg;
    rt_lock_os_thread();
    atomic_store(&tids[my_number()], gettid());
    rt_gosched();
    CHECK_INT(atomic_load(&tids[my_number()]), gettid());
    atomic_fetch_sub(&left, 1);
}

/* No two of them had the same M, and at most one had M0. */
static void main_they_leave(void *arg)
{
    (void)arg;
    for (int i = 0; i < 20; i++)
        go(leaves_locked, i);
    while (atomic_load(&left) > 0)
        rt_gosched();
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < i; k++)
            CHECK(atomic_load(&tids[i]) != atomic_load(&tids[k]));
}

TEST(each_that_ends_locked_takes_a_thread_along)
{
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
        atomic_store(&left, 20);
        struct result r = run((struct how){(enum conductor_mode)mode, 1, 2}, main_they_leave);
        CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    }
}

static void leaves_at_once(void *arg)
{
    (void)arg;
    rt_lock_os_thread();
    atomic_fetch_sub(&left, 1);
}

/* Threads that have ended do not count against the limit, and are joined while the program runs. */
static void main_five_hundred(void *arg)
{
    (void)arg;
    struct sched *s = rt_self_sched();
    s->cfg.max_threads = 20;
    for (int i = 0; i < 500; i++) {
        int before = atomic_load(&left);
        go(leaves_at_once, i);
        while (atomic_load(&left) == before)
            rt_gosched();
        rt_sleep(1000);
    }
    uint32_t joined = 0;
    for (struct m *m = atomic_load(&s->allm); m; m = m->alllink)
        joined += atomic_load_explicit(&m->joined, memory_order_relaxed); /* pairs with mreap() */
    CHECK(joined > 400);
}

TEST(ended_threads_are_no_threads)
{
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
        atomic_store(&left, 500);
        struct result r = run((struct how){(enum conductor_mode)mode, 1, 2}, main_five_hundred);
        CHECK_STR(r.fatal, "");
        CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    }
}

/* ---- all together ---------------------------------------------------------------------------------------------- */

enum { LOCKERS = 8, TURNS = 12 };

static void locker(void *arg)
{
    (void)arg;
    int me = my_number();
    for (int i = 0; i < TURNS; i++) {
        int64_t v;
        rt_lock_os_thread();
        locked_m[me] = rt_mid();
        switch ((me + i) % 6) {
        case 0:
            rt_gosched();
            break;
        case 1:
            rt_sleep(3000);
            break;
        case 2:
            rt_syscall(30000, false);
            break;
        case 3:
            rt_syscall(5000, true);
            break;
        case 4:
            rt_chan_send(ch, me);
            break;
        case 5:
            rt_chan_recv(ch, &v);
            break;
        }
        CHECK_INT(rt_mid(), locked_m[me]);
        if (i < TURNS - 1 || me % 2)
            rt_unlock_os_thread();
    }
    rt_waitgroup_add(wg, -1);
}

static void main_together(void *arg)
{
    (void)arg;
    ch = rt_chan_new(rt_self_sched(), 1, LOCKERS * TURNS);
    for (int i = 0; i < LOCKERS * TURNS / 2; i++)
        rt_chan_send(ch, i);
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    rt_waitgroup_add(wg, LOCKERS);
    for (int i = 0; i < LOCKERS; i++)
        go(locker, i);
    rt_lock_os_thread();
    uint32_t m = rt_mid();
    rt_waitgroup_wait(wg);
    CHECK_INT(rt_mid(), m);
}

static void nothing(void) {}

TEST(many_locked_Gs_on_four_Ps)
{
    under_stress(main_together, nothing);
}

TEST(and_in_the_other_generations)
{
    long n = t_count(10, 100);
    for (int g = GO1_13; g < GENERATIONS; g++)
        for (long i = 0; i < 2 * n; i++) {
            fresh();
            struct result r = run_in((enum rt_generation)g, (struct how){i % 2 ? MODE_FREE : MODE_LOCKSTEP, (uint64_t)i, 4}, main_together);
            CHECK_INT(r.how, ENDED_MAIN_RETURNED);
        }
}
