/* What the blocking primitives (channels, semaphores …) build on: locks, and how a G gives up its thread.
 *
 * A G gives up its thread through mcall(): it switches to g0, and only there, with its stack at rest, it is published. */
#ifndef GMPSCOPE_RUNTIME_SCHED_PARK_H
#define GMPSCOPE_RUNTIME_SCHED_PARK_H

#include "runtime/sched/emit.h"
#include "runtime/sched/single_p.h"

/* Locks of what Gs share: only Ms with a P take them, timers that send included. */
static inline bool lock_of_gs(const struct rlock *l)
{
    return (1u << l->rank & (1u << RANK_CHAN | 1u << RANK_SEMA | 1u << RANK_WAITGROUP | 1u << RANK_NOTIFY_LIST)) != 0;
}

void lock_found_held(struct waiter *w, struct rlock *l); /* lock()'s rest */
static inline void lock_as(struct m *m, struct rlock *l, bool uncontended)
{
    if (m->batching) /* emit.h */
        batch_publish(m);
    if (uncontended) /* the holder of a lock keeps its P, and the world is not stopped meanwhile */
        conductor_lock_uncontended(m->w, l, lock_found_held);
    else
        conductor_lock(m->w, l, lock_found_held);
    m->next_lock = (uint8_t)l->rank;
    set_intent(m, INTENT_UNLOCKED);
}

static inline void lock(struct m *m, struct rlock *l) { lock_as(m, l, lock_of_gs(l) && single_p(m)); }
static inline void lock_gs(struct m *m, struct rlock *l) { lock_as(m, l, single_p(m)); } /* for callers that know that l is one of those */

static inline void unlock(struct m *m, struct rlock *l) { conductor_unlock(m->w, l); }

/* All on a G stack. */

/* goready: gp, which the caller has dequeued, becomes runnable: this P's runnext; wakes a P. Not while holding locks. */
void goready(struct g *gp);
/* goyield: to the tail of the local queue (not the global one). */
void goyield(void);
void safepoint(void);             /* no locks held: a G that was asked to stop is preempted here */
void safepoint_gc(void);          /* the same for code that allocates or uses a channel: Go 1.0 polls gcwaiting there, and only there */

/* On the stack of gp, which m runs: go to g0, which runs fn(m, gp). Returns when some M executes the G again. In line, like gopark(): of what
 * returns when a G goes on, the processor guesses some wrong, and each frame less saves pushing and popping six registers. */
static inline __attribute__((always_inline)) void mcall_of(struct m *m, struct g *gp, void (*fn)(struct m *, struct g *))
{
    m->mcall_fn = fn;
    m->mcall_g = gp;
    ctx_switch(&gp->ctx, &m->g0, false);
}

static inline __attribute__((always_inline)) void mcall(void (*fn)(struct m *, struct g *))
{
    struct m *m = getm();
    mcall_of(m, atomic_load_explicit(&m->curg, memory_order_relaxed), fn); /* see struct m */
}

void park_m(struct m *m, struct g *gp); /* the other half, on g0 */
/* The current G waits for `reason` on object `obj`; then, from g0, lock l (may be NULL) is unlocked. Returns when some M made it ready. The M may be
 * another one: call getm() again. */
static inline __attribute__((always_inline)) void gopark(struct rlock *l, uint32_t reason, uint32_t obj)
{
    struct m *m = getm();
    struct g *gp = atomic_load_explicit(&m->curg, memory_order_relaxed); /* as above */
    m->waitlock = l;
    m->waitobj = obj;
    gp->waitreason = reason;
    mcall_of(m, gp, park_m);
}

static inline struct m *safe_getm(void)
{
    struct m *m = getm();
    /* relaxed, both: as in safepoint() */
    struct g *gp = atomic_load_explicit(&m->curg, memory_order_relaxed);
    if (__builtin_expect(atomic_load_explicit(&gp->preempt, memory_order_relaxed), 0)) {
        safepoint();
        m = getm();
    }
    return m;
}

static inline struct m *safe_getm_gc(void)
{
    struct m *m = getm();
    /* relaxed, both: as in safepoint_gc(). Where there are Ps only the first may hold */
    struct g *gp = atomic_load_explicit(&m->curg, memory_order_relaxed);
    if (__builtin_expect(atomic_load_explicit(&gp->preempt, memory_order_relaxed) || !m->p, 0)) {
        safepoint_gc();
        m = getm();
    }
    return m;
}

#endif
