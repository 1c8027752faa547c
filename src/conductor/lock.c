/* Runtime locks. In free mode: a futex mutex whose waiters are parked in a list, each on its own word, so that
 * conductor_stop reaches them. A lock waiter counts as moving, so a pause waits for it. In lockstep contention is
 * real, too: a baton point follows the locking, and other Ms become holders and find the lock held.
 *
 * word: 0 free, 1 held. waiting: the number of Ms that still try after spinning without success. Unlocking stores 0,
 * then reads `waiting`; a waiter counts itself, then reads the word (Dekker: one of them sees the other). This needs
 * a barrier between store and load on both sides. But unlocking is common and waiting is rare, so the waiter makes
 * the kernel run a barrier on every thread of the process (membarrier), and unlocking does nothing: that saves half
 * of the locked operations of an uncontended lock.
 *
 * (Rejected: sleeping on the lock's word, as usual: a stop could not reach those sleepers without a race.) */
#include "conductor/conductor_internal.h"
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Back off on contention: each probe pulls the lock's cache line away from the holder, which gets a lot done
 * meanwhile. Two to five microseconds in all: most runtime locks are held for far less. */
#define LOOKS 4
#define PAUSES 30

/* A semaphore's lock is wanted by Ms that did not get a mutex or that hand it on. As long as they stay away, the M
 * with the mutex gets much more done. Probing sooner (8 pauses, then 16 …) made a contended mutex slower; probing
 * later (60, 120) made it faster each time. */
#define PAUSES_SEMA 120

bool barrier_init(void)
{
    return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/* Makes stores that other threads did before this call visible after it, and stores done here before it visible to
 * them. */
static void process_barrier(const struct conductor *c)
{
    while (c->hot.membarrier && syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
        sched_yield(); /* the kernel had no memory for it just now */
}

static bool try_lock(struct rlock *l)
{
    /* acquire: pairs with the release in conductor_unlock() */
    return atomic_exchange_explicit(&l->word, 1, memory_order_acquire) == 0;
}

static bool spin_lock(struct rlock *l)
{
    int pauses = l->rank == RANK_SEMA ? PAUSES_SEMA : PAUSES;
    for (int i = 0; i < LOOKS; i++) {
        for (int k = 0; k < pauses; k++)
            cpu_relax();
        /* relaxed: a probe; try_lock() acquires */
        if (!atomic_load_explicit(&l->word, memory_order_relaxed) && try_lock(l))
            return true;
    }
    return false;
}

/* Under park_mu. */
static void park_push(struct waiter *w, struct rlock *l)
{
    w->parked_on = l;
    w->park_next = NULL;
    atomic_store_explicit(&w->parked, true, memory_order_relaxed); /* relaxed: w itself reads it next */
    *w->c->parked_end = w;
    w->c->parked_end = &w->park_next;
}

/* Under park_mu: removes and returns the waiter parked longest on l, or NULL. */
static struct waiter *park_pop(struct conductor *c, const struct rlock *l)
{
    struct waiter **at = &c->parked_first;
    while (*at && (*at)->parked_on != l)
        at = &(*at)->park_next;
    struct waiter *w = *at;
    if (!w)
        return NULL;
    *at = w->park_next;
    if (c->parked_end == &w->park_next)
        c->parked_end = at;
    return w;
}

void conductor_unpark(struct waiter *by, struct rlock *l)
{
    struct conductor *c = by->c;
    pthread_mutex_lock(&c->park_mu);
    struct waiter *w = park_pop(c, l);
    if (w)
        /* release: pairs with the acquire in free_park() */
        atomic_store_explicit(&w->parked, false, memory_order_release);
    pthread_mutex_unlock(&c->park_mu);
    if (w)
        word_kick_apart(w); /* `by` continues to run, so w must not wait for its CPU */
}

/* Returns false if the lock was released meanwhile. The word is read under park_mu: an unlock that sees `waiting`
 * but does not find w in the list has already set the word to 0. */
static bool park_if_held(struct waiter *w, struct rlock *l)
{
    pthread_mutex_lock(&w->c->park_mu);
    /* acquire: keeps the load inside the section; the value itself is only compared */
    bool held = atomic_load_explicit(&l->word, memory_order_acquire) != 0;
    if (held)
        park_push(w, l);
    pthread_mutex_unlock(&w->c->park_mu);
    return held;
}

static void free_park(struct waiter *w, struct rlock *l)
{
    if (!park_if_held(w, l))
        return;
    w->remind = false;
    for (;;) {
        uint32_t seen = word_look(w);
        check_die(w);
        /* acquire: pairs with the release in conductor_unpark() */
        if (!atomic_load_explicit(&w->parked, memory_order_acquire))
            return;
        word_sleep(w, seen, -1);
    }
}

typedef void wait_fn(struct waiter *, struct rlock *);

static void free_lock(struct waiter *w, struct rlock *l, wait_fn *on_wait)
{
    if (spin_lock(l))
        return;
    if (on_wait)
        on_wait(w, l);
    /* acq_rel: pairs with conductor_waited_for(), where there is no membarrier */
    atomic_fetch_add_explicit(&l->waiting, 1, memory_order_acq_rel);
    process_barrier(w->c);
    while (!try_lock(l))
        free_park(w, l);
    atomic_fetch_sub_explicit(&l->waiting, 1, memory_order_relaxed); /* one too many only costs a look at the list */
}

/* Gives way until the unlock of l makes w ready to try again. */
static void lockstep_park(struct waiter *w, struct rlock *l)
{
    pthread_mutex_lock(&w->c->park_mu);
    park_push(w, l);
    pthread_mutex_unlock(&w->c->park_mu);
    w->kind = WAIT_LOCK;
    w->deadline = -1;
    lockstep_wait(w);
}

/* True: w has the lock. False: the mode was switched while w waited. */
static bool lockstep_lock(struct waiter *w, struct rlock *l, wait_fn *on_wait)
{
    while (!try_lock(l)) {
        if (on_wait)
            on_wait(w, l);
        on_wait = NULL;
        lockstep_park(w, l);
        if (!in_lockstep(w->c))
            return false;
        conductor_touch(w, FOOT_LOCK(l->rank)); /* the next try is a step of its own */
    }
    return true;
}

static void take_lock(struct waiter *w, struct rlock *l, wait_fn *on_wait)
{
    if (in_lockstep(w->c)) {
        if (lockstep_lock(w, l, on_wait))
            return;
        on_wait = NULL; /* it was called: w has waited */
    }
    free_lock(w, l, on_wait);
}

void conductor_lock_slow(struct waiter *w, struct rlock *l, void (*on_wait)(struct waiter *, struct rlock *))
{
    conductor_fine(w, FOOT_LOCK(l->rank)); /* what w has read without the lock may change before it gets the lock */
    check_die(w);
    take_lock(w, l, on_wait);
    /* relaxed: other Ms only compare it with themselves */
    atomic_store_explicit(&l->owner, w, memory_order_relaxed);
    w->hot.nlocks++;
    if (in_lockstep(w->c)) {
        w->c->held++;
        lockstep_point(w, w->c->point_ns);
        conductor_touch(w, FOOT_LOCK(l->rank)); /* the section is a step of its own */
    }
}

static void lockstep_unlock(struct waiter *w, struct rlock *l)
{
    struct conductor *c = w->c;
    /* release: pairs with try_lock() (the baton orders it as well) */
    atomic_store_explicit(&l->word, 0, memory_order_release);
    c->held--;
    if (!c->parked_first) /* in lockstep only the baton holder changes it */
        return;
    pthread_mutex_lock(&c->park_mu);
    for (struct waiter *t; (t = park_pop(c, l));) {
        atomic_store_explicit(&t->parked, false, memory_order_relaxed); /* relaxed: the baton orders it */
        lockstep_make_ready(t);
    }
    pthread_mutex_unlock(&c->park_mu);
}

void conductor_unlock_slow(struct waiter *w, struct rlock *l)
{
    check_die(w);
    conductor_touch(w, FOOT_LOCK(l->rank));
    atomic_store_explicit(&l->owner, NULL, memory_order_relaxed); /* relaxed: see conductor_lock_slow() */
    w->hot.nlocks--;
    if (in_lockstep(w->c)) {
        lockstep_unlock(w, l);
    } else {
        /* release: as in conductor_unlock() */
        atomic_store_explicit(&l->word, 0, memory_order_release);
        if (conductor_waited_for(&w->c->hot, l))
            conductor_unpark(w, l);
    }
    if (!w->hot.nlocks)
        conductor_gate(w);
}

bool conductor_holds(const struct waiter *w, const struct rlock *l)
{
    /* relaxed: w sees its own store; any other value differs from w */
    return atomic_load_explicit(&l->owner, memory_order_relaxed) == w;
}
