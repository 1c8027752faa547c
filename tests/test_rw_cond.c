/* RWMutex and Cond on the real runtime, in both modes: which G gets in first, the texts of fatal errors, and that
 * four Ps neither break in nor lose a wake-up. */
#include "prog.h"

static struct rwmutex *rw;
static struct mutex *mu;
static struct cond *cv;

/* ---- RWMutex ------------------------------------------------------------------------------------------------------- */

static int came[16], ncame;

static void reader(void *arg)
{
    (void)arg;
    note(my_number());
    rt_rwmutex_rlock(rw);
    came[ncame++] = my_number();
    rt_gosched(); /* as long as others may come in, too */
    rt_rwmutex_runlock(rw);
}

static void writer(void *arg)
{
    (void)arg;
    note(my_number());
    rt_rwmutex_lock(rw);
    came[ncame++] = my_number();
    rt_gosched();
    came[ncame++] = -my_number();
    rt_rwmutex_unlock(rw);
}

static void new_rwmutex(void)
{
    ncame = 0;
    rw = rt_rwmutex_new(rt_self_sched(), 1);
}

static void main_readers_share(void *arg)
{
    (void)arg;
    new_rwmutex();
    rt_rwmutex_rlock(rw);
    for (int i = 1; i <= 3; i++)
        go(reader, i);
    rt_gosched();
    CHECK_INT(ncame, 3);
    rt_rwmutex_runlock(rw);
}

TEST(readers_share)
{
    in_order(main_readers_share);
}

/* A reader reads; a writer arrives, then two readers, then a second writer, then a reader. */
static void main_writer_before_late_readers(void *arg)
{
    (void)arg;
    rt_fn *const kind[] = {writer, reader, reader, writer, reader};
    new_rwmutex();
    rt_rwmutex_rlock(rw);
    for (int i = 0; i < 5; i++) {
        go(kind[i], i + 1);
        rt_gosched();
    }
    CHECK_INT(norder, 5);
    CHECK_INT(ncame, 0); /* new readers wait for a writer that itself only waits */
    rt_rwmutex_runlock(rw);
    while (ncame < 7)
        rt_gosched();
    CHECK_INT(came[0], 1);
    CHECK_INT(came[1], -1); /* alone */
    int readers = 0;        /* then all readers that have arrived by now, before the next writer */
    for (int i = 2; i < 5; i++)
        readers += came[i] == 2 || came[i] == 3 || came[i] == 5;
    CHECK_INT(readers, 3);
    CHECK_INT(came[5], 4);
    CHECK_INT(came[6], -4);
}

TEST(a_writer_that_waits_keeps_new_readers_out_and_lets_them_in_after_itself)
{
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
        fresh();
        struct result r = run((struct how){(enum conductor_mode)mode, 1, 1}, main_writer_before_late_readers);
        CHECK_INT(r.how, ENDED_MAIN_RETURNED);
        /* The first writer waits for the reader; the second for the first (the inner mutex) and then for its
         * readers. */
        CHECK_INT(r.parked[WAIT_REASON_RWMUTEX_LOCK], 2);
        CHECK_INT(r.parked[WAIT_REASON_MUTEX_LOCK], 1);
        CHECK_INT(r.parked[WAIT_REASON_RWMUTEX_RLOCK], 3);
    }
}

static void main_runlock_unlocked(void *arg)
{
    (void)arg;
    new_rwmutex();
    rt_rwmutex_rlock(rw);
    rt_rwmutex_runlock(rw);
    rt_rwmutex_runlock(rw);
}

static void main_runlock_written(void *arg)
{
    (void)arg;
    new_rwmutex();
    rt_rwmutex_lock(rw);
    rt_rwmutex_runlock(rw);
}

static void main_wunlock_unlocked(void *arg)
{
    (void)arg;
    new_rwmutex();
    rt_rwmutex_lock(rw);
    rt_rwmutex_unlock(rw);
    rt_rwmutex_unlock(rw);
}

static void main_wunlock_read(void *arg)
{
    (void)arg;
    new_rwmutex();
    rt_rwmutex_rlock(rw);
    rt_rwmutex_unlock(rw);
}

TEST(misuse_of_an_rwmutex_is_fatal_in_gos_words)
{
    dies(main_runlock_unlocked, ENDED_FATAL, "sync: RUnlock of unlocked RWMutex");
    dies(main_runlock_written, ENDED_FATAL, "sync: RUnlock of unlocked RWMutex");
    dies(main_wunlock_unlocked, ENDED_FATAL, "sync: Unlock of unlocked RWMutex");
    dies(main_wunlock_read, ENDED_FATAL, "sync: Unlock of unlocked RWMutex");
}

static void main_read_to_write(void *arg)
{
    (void)arg;
    new_rwmutex();
    rt_rwmutex_rlock(rw);
    rt_rwmutex_lock(rw);
}

TEST(a_reader_cannot_become_a_writer)
{
    struct result r = dies(main_read_to_write, ENDED_DEADLOCK, "all goroutines are asleep - deadlock!");
    CHECK_INT(r.parked[WAIT_REASON_RWMUTEX_LOCK], 1);
}

/* Activity counts readers by 1 and writers by 10000, as Go's HammerRWMutex does: at most one writer, and then no
 * reader. */
enum { READERS = 6, WRITERS = 2, TURNS = 30 };
static _Atomic int activity;
static int written; /* plain: TSan checks that the lock orders it */

static void hammer_read(void *arg)
{
    (void)arg;
    for (int i = 0; i < TURNS; i++) {
        rt_rwmutex_rlock(rw);
        int n = atomic_fetch_add(&activity, 1) + 1;
        CHECK(n >= 1 && n < 10000);
        int before = written;
        rt_compute(300, false);
        CHECK_INT(written, before);
        atomic_fetch_sub(&activity, 1);
        rt_rwmutex_runlock(rw);
    }
    rt_waitgroup_add(wg, -1);
}

static void hammer_write(void *arg)
{
    (void)arg;
    for (int i = 0; i < TURNS; i++) {
        rt_rwmutex_lock(rw);
        CHECK_INT(atomic_fetch_add(&activity, 10000), 0);
        written++;
        rt_compute(300, false);
        if (i % 7 == my_number())
            rt_gosched();
        atomic_fetch_sub(&activity, 10000);
        rt_rwmutex_unlock(rw);
    }
    rt_waitgroup_add(wg, -1);
}

static void main_hammer(void *arg)
{
    (void)arg;
    new_rwmutex();
    written = 0;
    atomic_store(&activity, 0);
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    rt_waitgroup_add(wg, READERS + WRITERS);
    for (int i = 0; i < READERS; i++)
        go(hammer_read, i);
    for (int i = 0; i < WRITERS; i++)
        go(hammer_write, i);
    rt_waitgroup_wait(wg);
}

static void all_written(void)
{
    CHECK_INT(written, WRITERS * TURNS);
    CHECK_INT(activity, 0);
}

TEST(readers_and_writers_keep_apart)
{
    under_stress(main_hammer, all_written);
}

/* ---- Cond ---------------------------------------------------------------------------------------------------------- */

static void new_cond(void)
{
    nwoken = 0;
    mu = rt_mutex_new(rt_self_sched(), 1);
    cv = rt_cond_new(rt_self_sched(), 1, mu);
}

static void cond_waiter(void *arg)
{
    (void)arg;
    rt_mutex_lock(mu);
    note(my_number());
    rt_cond_wait(cv);
    woken[nwoken++] = my_number();
    rt_mutex_unlock(mu);
}

static void main_signal(void *arg)
{
    (void)arg;
    new_cond();
    rt_cond_signal(cv); /* no G waits: the signal is lost */
    rt_cond_broadcast(cv);
    for (int i = 0; i < 5; i++)
        go(cond_waiter, i);
    rt_gosched();
    CHECK_INT(norder, 5);
    rt_gosched();
    CHECK_INT(nwoken, 0);
    for (int i = 0; i < 5; i++) {
        rt_cond_signal(cv);
        rt_gosched();
        CHECK_INT(nwoken, i + 1);
        CHECK_INT(woken[i], order[i]); /* the G that waited longest */
    }
    rt_cond_signal(cv);
}

TEST(signal_wakes_one_first_come_first_served)
{
    in_order(main_signal);
}

static void main_broadcast(void *arg)
{
    (void)arg;
    new_cond();
    for (int i = 0; i < 4; i++)
        go(cond_waiter, i);
    rt_gosched();
    CHECK_INT(norder, 4);
    rt_mutex_lock(mu);
    rt_cond_broadcast(cv);
    go(cond_waiter, 4); /* too late for this broadcast */
    rt_gosched();
    CHECK_INT(nwoken, 0); /* they are awake, but main holds the mutex */
    rt_mutex_unlock(mu);
    while (nwoken < 4)
        rt_gosched();
    /* Gs readied first arrive first. The last one readied was in runnext until the new G kicked it out, so it
     * reached the mutex last. */
    for (int i = 0; i < 4; i++)
        CHECK_INT(woken[i], order[i]);
    while (norder < 5)
        rt_gosched();
    rt_gosched();
    CHECK_INT(nwoken, 4);
    rt_cond_broadcast(cv);
    rt_gosched();
    CHECK_INT(nwoken, 5);
}

TEST(broadcast_wakes_all_in_order_and_they_need_the_mutex)
{
    in_order(main_broadcast);
}

static void main_wait_without_mutex(void *arg)
{
    (void)arg;
    new_cond();
    rt_cond_wait(cv);
}

static void main_wait_for_nobody(void *arg)
{
    (void)arg;
    new_cond();
    rt_mutex_lock(mu);
    rt_cond_wait(cv);
}

TEST(cond_wait_needs_the_mutex_and_a_signal)
{
    dies(main_wait_without_mutex, ENDED_FATAL, "sync: unlock of unlocked mutex");
    struct result r = dies(main_wait_for_nobody, ENDED_DEADLOCK, "all goroutines are asleep - deadlock!");
    CHECK_INT(r.parked[WAIT_REASON_COND_WAIT], 1);
}

/* A bounded buffer with one Cond for both ends: a lost wake-up ends in a deadlock. */
enum { ROOM = 2, ITEMS = 40, PAIRS = 3 };
static int items, made, used;
static bool all_at_once;

static void notify_waiters(void)
{
    if (all_at_once)
        rt_cond_broadcast(cv);
    else
        rt_cond_signal(cv);
}

static void make(void *arg)
{
    (void)arg;
    for (int i = 0; i < ITEMS; i++) {
        rt_mutex_lock(mu);
        while (items == ROOM)
            rt_cond_wait(cv);
        items++;
        made++;
        rt_mutex_unlock(mu);
        rt_cond_broadcast(cv); /* one Cond for two conditions: Signal might wake the wrong kind */
        rt_point();
    }
    rt_waitgroup_add(wg, -1);
}

static void use(void *arg)
{
    (void)arg;
    for (int i = 0; i < ITEMS; i++) {
        rt_mutex_lock(mu);
        while (items == 0)
            rt_cond_wait(cv);
        items--;
        used++;
        rt_cond_broadcast(cv);
        rt_mutex_unlock(mu);
        if (i % 11 == my_number())
            rt_gosched();
        rt_point();
    }
    rt_waitgroup_add(wg, -1);
}

static void main_buffer(void *arg)
{
    (void)arg;
    new_cond();
    items = made = used = 0;
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    rt_waitgroup_add(wg, 2 * PAIRS);
    for (int i = 0; i < PAIRS; i++) {
        go(make, i);
        go(use, i);
    }
    rt_waitgroup_wait(wg);
}

static void all_used(void)
{
    CHECK_INT(made, PAIRS * ITEMS);
    CHECK_INT(used, PAIRS * ITEMS);
    CHECK_INT(items, 0);
}

TEST(no_broadcast_is_lost)
{
    under_stress(main_buffer, all_used);
}

/* A semaphore made of a counter and a Cond: one Signal per item, outside the mutex, so that it may come after a
 * waiter took its ticket and before it queues. */
static void take_one(void *arg)
{
    (void)arg;
    for (int i = 0; i < ITEMS; i++) {
        rt_mutex_lock(mu);
        while (items == 0)
            rt_cond_wait(cv);
        items--;
        used++;
        rt_mutex_unlock(mu);
    }
    rt_waitgroup_add(wg, -1);
}

static void give_one(void *arg)
{
    (void)arg;
    for (int i = 0; i < ITEMS; i++) {
        rt_mutex_lock(mu);
        items++;
        made++;
        rt_mutex_unlock(mu);
        notify_waiters();
    }
    rt_waitgroup_add(wg, -1);
}

static void main_signals(void *arg)
{
    (void)arg;
    new_cond();
    items = made = used = 0;
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    rt_waitgroup_add(wg, 2 * PAIRS);
    for (int i = 0; i < PAIRS; i++) {
        go(take_one, i);
        go(give_one, i);
    }
    rt_waitgroup_wait(wg);
}

TEST(no_signal_is_lost)
{
    for (int both = 0; both < 2; both++) {
        all_at_once = both;
        under_stress(main_signals, all_used);
    }
}

TEST(in_lockstep_a_seed_is_a_run)
{
    rt_fn *const fn[] = {main_hammer, main_signals};
    all_at_once = false;
    long n = t_count(5, 50);
    for (int k = 0; k < 2; k++) {
        uint64_t first = 0;
        int differing = 0;
        for (long seed = 1; seed <= n; seed++) {
            struct how h = {MODE_LOCKSTEP, (uint64_t)seed, 4};
            struct result a = run(h, fn[k]), b = run(h, fn[k]);
            CHECK_INT(a.events, b.events);
            CHECK(a.hash == b.hash);
            if (seed == 1)
                first = a.hash;
            differing += a.hash != first;
        }
        CHECK_INT(differing, n - 1);
    }
}
