/* Atomic operations on memory that only Ms with a P change: queues of Ps, mutexes, semaphores, wait groups.
 *
 * If GOMAXPROCS is 1, one M has the only P. No other M gets a P before that M stops or gives its P away, and both publish all that it
 * did. So no M competes with it, and it needs no locked operation: shared_…() are then a plain load and store. The load is acquire and
 * the store is release, which is all that any order requires of a single thread's load and store. Ms without a P may still read.
 */
#ifndef GMPSCOPE_RUNTIME_SCHED_SINGLE_P_H
#define GMPSCOPE_RUNTIME_SCHED_SINGLE_P_H

#include "runtime/sched/sched.h"

/* Sets m's P to pp, which may be NULL. Call it also when gomaxprocs has changed. Executed by m. */
static inline void set_p(struct m *m, struct p *pp)
{
    m->p = pp;
    m->single_p = pp && gomaxprocs(m->sched) == 1;
}

static inline bool single_p(const struct m *m)
{
    return m->single_p;
}

static inline void shared_store32(const struct m *m, _Atomic uint32_t *to, uint32_t v, memory_order mo)
{
    if (single_p(m))
        atomic_store_explicit(to, v, memory_order_release);
    else
        atomic_store_explicit(to, v, mo);
}

static inline uint32_t shared_add32(const struct m *m, _Atomic uint32_t *to, uint32_t n, memory_order mo)
{
    if (!single_p(m))
        return atomic_fetch_add_explicit(to, n, mo);
    uint32_t old = atomic_load_explicit(to, memory_order_acquire);
    atomic_store_explicit(to, old + n, memory_order_release);
    return old;
}

static inline uint64_t shared_add64(const struct m *m, _Atomic uint64_t *to, uint64_t n, memory_order mo)
{
    if (!single_p(m))
        return atomic_fetch_add_explicit(to, n, mo);
    uint64_t old = atomic_load_explicit(to, memory_order_acquire);
    atomic_store_explicit(to, old + n, memory_order_release);
    return old;
}

/* Returns the old G. */
static inline struct g *shared_swap(const struct m *m, struct g *_Atomic *to, struct g *gp, memory_order mo)
{
    if (!single_p(m))
        return atomic_exchange_explicit(to, gp, mo);
    struct g *old = atomic_load_explicit(to, memory_order_acquire);
    atomic_store_explicit(to, gp, memory_order_release);
    return old;
}

/* Strong compare-and-swap. If the value is not *old, stores it in *old and returns false. */
static inline bool shared_cas32(const struct m *m, _Atomic uint32_t *to, uint32_t *old, uint32_t new, memory_order mo, memory_order failed)
{
    if (!single_p(m))
        return atomic_compare_exchange_strong_explicit(to, old, new, mo, failed);
    uint32_t expected = *old;
    *old = atomic_load_explicit(to, memory_order_acquire);
    if (*old != expected)
        return false;
    atomic_store_explicit(to, new, memory_order_release);
    return true;
}

#endif
