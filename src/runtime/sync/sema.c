/* Sleeping semaphores, as Go 1.20's sema.go.
 *
 * Go hashes the address of the count into a table of 251 roots, each a treap of addresses, because its semaphores are
 * bare words. Here nothing may be ordered or hashed by address (a run must repeat bit for bit), so each object owns its
 * semaphore with its own queue; only nwait and the lock remain of the root.
 *
 * The protocol that loses no wake-up is Dekker's, with both sides sequentially consistent:
 *   semacquire: nwait++   then  look at count
 *   semrelease: count++   then  look at nwait
 * The later one sees the other's change: either the waiter finds the count, or the releaser finds the waiter.
 */
#include "runtime/generations/generation.h"
#include "runtime/sync/sema.h"

void sema_init(struct sema *s, uint32_t rank)
{
    *s = (struct sema){.lock = {.rank = (uint16_t)rank}};
}

/* Takes one from the count, if it is not 0. Any G, with or without the lock. */
static inline __attribute__((always_inline)) bool cansemacquire(struct m *m, struct sema *s)
{
    explore_at(m, FOOT_LOCK(s->lock.rank));
    /* seq_cst: second half of Dekker with nwait (head of file); pairs with the add in semrelease */
    uint32_t v = atomic_load_explicit(&s->count, memory_order_seq_cst);
    if (v > 0 && single_p(m)) {
        shared_add32(m, &s->count, (uint32_t)-1, memory_order_acquire);
        return true;
    }
    while (v > 0) { /* if the CAS fails, another G changed the count, so some G made progress: this is not a spin lock */
        explore_at(m, FOOT_LOCK(s->lock.rank));
        /* acquire: sees what came before the semrelease that gave this count; relaxed on failure: tried again */
        if (atomic_compare_exchange_weak_explicit(&s->count, &v, v - 1, memory_order_acquire, memory_order_relaxed))
            return true;
    }
    return false;
}

/* Subtracts a waiter. Under the lock, like all changes of nwait, so a load and a store suffice. */
static void one_less(struct sema *s)
{
    /* relaxed, both: only the store of a G that queues up is part of Dekker's pattern */
    uint32_t n = atomic_load_explicit(&s->nwait, memory_order_relaxed);
    atomic_store_explicit(&s->nwait, n - 1, memory_order_relaxed);
}

/* Queues up, unless the count has become available. Returns false if it took the count. Caller holds the lock. */
static bool enqueue_unless_free(struct m *m, struct sema *s, struct sudog *me, bool lifo)
{
    explore_at(m, FOOT_LOCK(s->lock.rank));
    /* seq_cst: first half of Dekker (head of file); pairs with the load in semrelease */
    shared_add32(m, &s->nwait, 1, memory_order_seq_cst);
    if (cansemacquire(m, s)) {
        explore_at(m, FOOT_LOCK(s->lock.rank));
        one_less(s); /* if a reader sees a hint that is too large, it checks the queue for nothing */
        return false;
    }
    if (lifo)
        sudog_enqueue_front(&s->queue, me);
    else
        sudog_enqueue(&s->queue, me);
    return true;
}

void semacquire(struct sema *s, bool lifo, enum wait_reason reason, uint32_t obj)
{
    struct m *m = getm();
    if (cansemacquire(m, s))
        return;
    struct sudog on_stack = {.g = getg()}, *me = &on_stack;
    __asm__("" : "+r"(me)); /* otherwise gcc warns, because it does not see that our waker has taken it out of the queue */
    do {
        me->ticket = 0;
        lock_gs(m, &s->lock);
        if (!enqueue_unless_free(m, s, me, lifo)) {
            unlock(m, &s->lock);
            return;
        }
        gopark(&s->lock, lifo ? reason | PARK_FRONT : reason, obj);
        m = getm();                                    /* again: we may be on another M */
    } while (me->ticket == 0 && !cansemacquire(m, s)); /* woken without a ticket, we compete with Gs that come now */
}

/* Takes the first waiter off the queue, or returns NULL. Caller holds the lock. */
static struct sudog *take_waiter(struct m *m, struct sema *s)
{
    struct sudog *sg = sudog_dequeue(&s->queue);
    if (!sg)
        return NULL;
    explore_at(m, FOOT_LOCK(s->lock.rank));
    one_less(s); /* as in enqueue_unless_free */
    return sg;
}

/* Gives one and readies the first waiter. Returns true if the waiter has the count already. */
static inline __attribute__((always_inline)) bool release(struct sema *s, bool handoff)
{
    struct m *m = getm();
    explore_at(m, FOOT_LOCK(s->lock.rank));
    /* seq_cst: first half of Dekker (head of file); also release for cansemacquire's CAS */
    shared_add32(m, &s->count, 1, memory_order_seq_cst);
    explore_at(m, FOOT_LOCK(s->lock.rank));
    /* seq_cst: second half of Dekker; pairs with the add in enqueue_unless_free */
    if (atomic_load_explicit(&s->nwait, memory_order_seq_cst) == 0)
        return false;
    lock_gs(m, &s->lock);
    struct sudog *sg = take_waiter(m, s);
    bool ticket = sg && handoff && cansemacquire(m, s); /* takes the count for the waiter before any other G can */
    struct g *gp = sg ? sg->g : NULL;
    if (ticket)
        sg->ticket = 1;
    if (gp)
        gp->param = sg;
    unlock(m, &s->lock);
    if (gp)
        goready(gp);
    return ticket;
}

void semrelease(struct sema *s, bool handoff)
{
    if (release(s, handoff) && getm()->sched->gen->handoff_yields)
        goyield(); /* the waiter is our runnext: it runs at once, in our time slice (Go issue 33747) */
}

void semrelease_keep(struct sema *s)
{
    release(s, true);
}
