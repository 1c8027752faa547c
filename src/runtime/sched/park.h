/* What the blocking primitives (channels, semaphores …) build on: locks, and how a G gives up its thread.
 *
 * A G gives up its thread through mcall(): it switches to g0. Only there, with its stack at rest, is it published (queued, or its lock
 * released). So no other M can run it while this one still uses its stack.
 */
#ifndef GMPSCOPE_RUNTIME_SCHED_PARK_H
#define GMPSCOPE_RUNTIME_SCHED_PARK_H

#include "runtime/sched/emit.h"
#include "runtime/sched/single_p.h"

/* Returns true for locks of objects that Gs share. Only Ms with a P take them, even for timers that send. */
static inline bool lock_of_gs(const struct rlock *l)
{
    return (1u << l->rank & (1u << RANK_CHAN | 1u << RANK_SEMA | 1u << RANK_WAITGROUP | 1u << RANK_NOTIFY_LIST)) != 0;
}

void lock_found_held(struct waiter *w, struct rlock *l); /* logs that m must wait */
static inline void lock_as(struct m *m, struct rlock *l, bool uncontended)
{
    if (m->batching) /* m may wait */
        batch_publish(m);
    if (uncontended) /* the holder keeps its P, and the world cannot stop before it unlocks */
        conductor_lock_uncontended(m->w, l, lock_found_held);
    else
        conductor_lock(m->w, l, lock_found_held);
    m->intent_lock = (uint8_t)l->rank;
    set_intent(m, INTENT_UNLOCKED);
}

static inline void lock(struct m *m, struct rlock *l)
{
    lock_as(m, l, lock_of_gs(l) && single_p(m));
}
static inline void lock_gs(struct m *m, struct rlock *l)
{
    lock_as(m, l, single_p(m));
} /* for callers that know that l is such a lock */

static inline void unlock(struct m *m, struct rlock *l)
{
    conductor_unlock(m->w, l);
}

/* lock() and unlock() for a short section inside a batch (emit.h). The batch goes on if nobody holds l. Nothing between the two may wait. */
static inline void lock_in_batch(struct m *m, struct rlock *l)
{
    if (!m->batching || !conductor_trylock(m->w, l))
        lock(m, l);
}

static inline void unlock_in_batch(struct m *m, struct rlock *l)
{
    if (m->batching && conductor_tryunlock(m->w, l))
        return;
    if (m->batching) /* m may be stopped */
        batch_publish(m);
    unlock(m, l);
}

/* All on a G stack. */

void goready(struct g *gp); /* makes gp, which the caller has dequeued, runnable as this P's runnext; wakes a P. No locks held */
void goyield(void);         /* puts the current G at the tail of the local queue (not of the global one) */
void safepoint(void);       /* preempts the current G here if it was asked to stop. No locks held */
void safepoint_gc(void);    /* the same in code that allocates or uses a channel, where alone Go 1.0 polls gcwaiting */

/* Switches from the stack of gp, which m runs, to g0, which runs fn(m, gp). Returns when an M executes the G again. Inline, like
 * gopark(): when a G continues, the processor mispredicts its returns, and each frame that is avoided saves six pushes and pops. */
static inline __attribute__((always_inline)) void mcall_of(struct m *m, struct g *gp, void (*fn)(struct m *, struct g *))
{
    m->mcall_fn = fn;
    m->mcall_g = gp;
    ctx_switch(&gp->ctx, &m->g0, false);
}

static inline __attribute__((always_inline)) void mcall(void (*fn)(struct m *, struct g *))
{
    struct m *m = getm();
    mcall_of(m, curg(m), fn);
}

void park_m(struct m *m, struct g *gp); /* the second half of gopark(), on g0 */

#define PARK_FRONT 0x10000u /* with a reason: the G waits in front of the queue */

/* The current G waits for `reason` on object `obj`. Lock l, which may be NULL, is released from g0. Returns when an M has made the G ready and runs
 * it; that may be another M, so call getm() again. */
static inline __attribute__((always_inline)) void gopark(struct rlock *l, uint32_t reason, uint32_t obj)
{
    struct m *m = getm();
    struct g *gp = curg(m);
    m->waitlock = l;
    m->waitobj = obj;
    gp->waitreason = reason;
    mcall_of(m, gp, park_m);
}

/* Does a safepoint(). Returns the M that the G is on afterwards. */
static inline struct m *safe_getm(void)
{
    struct m *m = getm();
    /* relaxed: a hint, as in safepoint() */
    if (__builtin_expect(atomic_load_explicit(&curg(m)->preempt, memory_order_relaxed), 0)) {
        safepoint();
        m = getm();
    }
    return m;
}

/* The same with safepoint_gc(), which differs from safepoint() only in a generation without Ps. */
static inline struct m *safe_getm_gc(void)
{
    struct m *m = getm();
    /* relaxed: a hint, as in safepoint_gc() */
    if (__builtin_expect(atomic_load_explicit(&curg(m)->preempt, memory_order_relaxed) || !m->p, 0)) {
        safepoint_gc();
        m = getm();
    }
    return m;
}

#endif
