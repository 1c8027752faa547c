/* See fdmutex.h. */
#include "runtime/sync/fdmutex.h"
#include "runtime/sched/proc.h"

#define FD_LOCKED 1u
#define FD_WAITER 2u

void fd_lock(struct fdmutex *mu, uint32_t obj)
{
    explore_point(getm());
    uint64_t old = atomic_load_explicit(&mu->state, memory_order_relaxed); /* the CAS checks it */
    for (;;) {
        uint64_t new = old &FD_LOCKED ? old + FD_WAITER : old | FD_LOCKED;
        explore_point(getm());
        /* acquire: what the last holder did; pairs with fd_unlock() */
        if (!atomic_compare_exchange_weak_explicit(&mu->state, &old, new, memory_order_acquire, memory_order_relaxed))
            continue;
        if (!(old & FD_LOCKED))
            return;
        semacquire(&mu->sema, false, WAIT_REASON_SEMACQUIRE, obj); /* the unlocking G has subtracted this waiter */
        explore_point(getm());
        old = atomic_load_explicit(&mu->state, memory_order_relaxed);
    }
}

void fd_unlock(struct fdmutex *mu)
{
    const struct m *m = getm();
    explore_point(m);
    uint64_t old = atomic_load_explicit(&mu->state, memory_order_relaxed), new; /* the CAS checks it */
    do {
        new = old & ~(uint64_t)FD_LOCKED;
        if (new)
            new -= FD_WAITER;
        explore_point(m);
        /* release: pairs with fd_lock() */
    } while (!atomic_compare_exchange_weak_explicit(&mu->state, &old, new, memory_order_release, memory_order_relaxed));
    if (old & ~(uint64_t)FD_LOCKED)
        semrelease(&mu->sema, false);
}
