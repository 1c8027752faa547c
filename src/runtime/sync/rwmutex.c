/* sync.RWMutex, as Go 1.20's rwmutex.go.
 *
 * Readers count themselves. A writer takes the inner mutex, which keeps other writers out, and subtracts RWMUTEX_MAX_READERS from
 * the count, which makes it negative. That announces the writer: readers that arrive now queue up behind it, so it does not starve.
 * The readers that were active are counted in readerwait, and the last of them to leave wakes the writer. When the writer unlocks,
 * it first admits all readers that have arrived in the meantime, before the next writer.
 * All operations on the two counters are acq_rel: each one may hand the lock over, with everything that was done under it. No order
 * between the two words is needed.
 */
#include "runtime/sync/sema.h"

#define RWMUTEX_MAX_READERS (1 << 30)
#define INNER_MUTEX 1000000u /* `obj` of its waiters is this plus the RWMutex's id */

struct rwmutex {
    uint32_t id;
    struct mutex *w;            /* held by a writer, also by one that waits for readers */
    struct sema writersem;      /* a writer waits for readers to leave */
    struct sema readersem;      /* readers wait for a writer to leave */
    _Atomic int32_t readers;    /* pending ones too; minus RWMUTEX_MAX_READERS while a writer is there */
    _Atomic int32_t readerwait; /* departing readers that the writer waits for */
};

struct rwmutex *rt_rwmutex_new(struct sched *s, uint32_t id)
{
    struct rwmutex *rw = object_new(s, sizeof *rw);
    if (!rw || !(rw->w = rt_mutex_new(s, INNER_MUTEX + id)))
        return NULL;
    rw->id = id;
    sema_init(&rw->writersem, RANK_SEMA);
    sema_init(&rw->readersem, RANK_SEMA);
    return rw;
}

/* Returns the new value. It wraps as in Go, but only with more readers than a runtime can hold. */
static int32_t add(_Atomic int32_t *count, int32_t n)
{
    explore_point(getm());
    /* acq_rel: head of file */
    return (int32_t)((uint32_t)atomic_fetch_add_explicit(count, n, memory_order_acq_rel) + (uint32_t)n);
}

/* On a G stack; may switch. */
void rt_rwmutex_rlock(struct rwmutex *rw)
{
    safepoint();
    if (add(&rw->readers, 1) < 0) /* a writer holds the lock or waits for it */
        semacquire(&rw->readersem, false, WAIT_REASON_RWMUTEX_RLOCK, rw->id);
}

/* Unlocks for a reader while a writer waits or holds the lock. r: the new count of readers. */
static void runlock_slow(struct rwmutex *rw, int32_t r)
{
    if (r + 1 == 0 || r + 1 == -RWMUTEX_MAX_READERS)
        fatalerror("sync: RUnlock of unlocked RWMutex");
    if (add(&rw->readerwait, -1) == 0) /* the last reader wakes the writer */
        semrelease(&rw->writersem, false);
}

/* On a G stack; does not switch. */
void rt_rwmutex_runlock(struct rwmutex *rw)
{
    safepoint();
    int32_t r = add(&rw->readers, -1);
    if (r < 0)
        runlock_slow(rw, r);
}

/* On a G stack; may switch. */
void rt_rwmutex_lock(struct rwmutex *rw)
{
    safepoint();
    rt_mutex_lock(rw->w); /* first, the other writers */
    int32_t r = add(&rw->readers, -RWMUTEX_MAX_READERS) + RWMUTEX_MAX_READERS;
    /* Readers that have already left have made readerwait negative. If all have left, the sum is 0. */
    if (r != 0 && add(&rw->readerwait, r) != 0)
        semacquire(&rw->writersem, false, WAIT_REASON_RWMUTEX_LOCK, rw->id);
}

/* On a G stack; switches only where the inner mutex is handed over. */
void rt_rwmutex_unlock(struct rwmutex *rw)
{
    safepoint();
    int32_t r = add(&rw->readers, RWMUTEX_MAX_READERS);
    if (r >= RWMUTEX_MAX_READERS)
        fatalerror("sync: Unlock of unlocked RWMutex");
    for (int32_t i = 0; i < r; i++)
        semrelease(&rw->readersem, false);
    rt_mutex_unlock(rw->w);
}
