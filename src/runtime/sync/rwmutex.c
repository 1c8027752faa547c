/* sync.RWMutex, as Go 1.20's rwmutex.go.
 *
 * Readers count themselves. A writer takes the inner mutex, which keeps other writers out, and subtracts RWMUTEX_MAX_READERS from
 * the count, which makes it negative. That announces the writer: readers that arrive now queue up behind it, so it does not starve.
 * The readers that were active are counted in readerwait, and the last of them to leave wakes the writer. When the writer unlocks,
 * it first admits all readers that have arrived in the meantime, before the next writer.
 * All operations on the two counters are acq_rel: each one may hand the lock over, with everything that was done under it. No order
 * between the two words is needed.
 */
#include "runtime/sched/race.h"
#include "runtime/sync/sema.h"

#define RWMUTEX_MAX_READERS (1 << 30)

struct rwmutex {
    uint32_t id, race;          /* race: race.h, of what readers acquire; that of writers follows */
    struct mutex *w;            /* held by a writer, also by one that waits for readers */
    struct sema writersem;      /* a writer waits for readers to leave */
    struct sema readersem;      /* readers wait for a writer to leave */
    _Atomic int32_t readers;    /* pending ones too; minus RWMUTEX_MAX_READERS while a writer is there */
    _Atomic int32_t readerwait; /* departing readers that the writer waits for */
    _Atomic uint32_t writer;    /* the G that is or becomes the writer, 0: none. Relaxed: only for the log */
};

static bool rwmutex_snap(const void *object, struct snapshot *in, struct snap_object *out)
{
    const struct rwmutex *rw = object;
    int32_t r = atomic_load_explicit(&rw->readers, memory_order_relaxed); /* stopped: see snap.c */
    out->kind = OBJ_RWMUTEX;
    out->id = rw->id;
    out->held = r < 0;
    out->n = r < 0 ? r + RWMUTEX_MAX_READERS : r;
    out->holder = atomic_load_explicit(&rw->writer, memory_order_relaxed);
    return snap_queue(in, out, 0, &rw->readersem.queue) && snap_queue(in, out, 1, &rw->writersem.queue);
}

struct rwmutex *rt_rwmutex_new(struct sched *s, uint32_t id)
{
    struct rwmutex *rw = object_new(s, sizeof *rw, rwmutex_snap);
    if (!rw || !(rw->w = rt_mutex_new(s, id ? EV_WRITERS + id : 0)))
        return NULL;
    rw->id = id;
    rw->race = race_objects(s, 2);
    sema_init(&rw->writersem, RANK_SEMA);
    sema_init(&rw->readersem, RANK_SEMA);
    return rw;
}

void rt_rwmutex_number(struct rwmutex *rw, uint32_t id)
{
    rw->id = id;
    rt_mutex_number(rw->w, EV_WRITERS + id);
}

/* A G that comes logs after its change; a G that leaves logs before its change. */
static void log_op(const struct rwmutex *rw, enum rwmutex_op op)
{
    struct m *m = getm();
    emit_object(m, ev_of(m, EV_RWMUTEX_OP, goid(curg(m)), rw->id, op, 0, 0));
}

static void set_writer(struct rwmutex *rw, uint32_t g)
{
    atomic_store_explicit(&rw->writer, g, memory_order_relaxed);
}

/* A writer holds the lock or waits for it. */
static void wait_for_writer(struct rwmutex *rw)
{
    getg()->logged.holder = atomic_load_explicit(&rw->writer, memory_order_relaxed);
    semacquire(&rw->readersem, false, WAIT_REASON_RWMUTEX_RLOCK, rw->id);
    getg()->logged.holder = 0;
}

/* The new value. Wraps as Go's does, which takes more readers than any runtime can hold. */
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
    int32_t r = add(&rw->readers, 1);
    log_op(rw, RWMUTEX_OP_RLOCK);
    if (r < 0)
        wait_for_writer(rw);
    raceacquire(getm(), rw->race);
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
    racereleasemerge(getm(), rw->race + 1);
    log_op(rw, RWMUTEX_OP_RUNLOCK);
    int32_t r = add(&rw->readers, -1);
    if (r < 0)
        runlock_slow(rw, r);
}

/* On a G stack; may switch. */
void rt_rwmutex_lock(struct rwmutex *rw)
{
    safepoint();
    rt_mutex_lock(rw->w); /* first, the other writers */
    set_writer(rw, rt_goid());
    int32_t r = add(&rw->readers, -RWMUTEX_MAX_READERS) + RWMUTEX_MAX_READERS;
    log_op(rw, RWMUTEX_OP_LOCK);
    /* The readers may be quicker: those that left since have made reader_wait negative, and the sum is 0 if all have. */
    if (r != 0 && add(&rw->readerwait, r) != 0)
        semacquire(&rw->writersem, false, WAIT_REASON_RWMUTEX_LOCK, rw->id);
    raceacquire(getm(), rw->race);
    raceacquire(getm(), rw->race + 1);
}

/* From `old` to `new`. acq_rel: head of file. */
static bool change(struct rwmutex *rw, int32_t *old, int32_t new)
{
    explore_point(getm());
    return atomic_compare_exchange_strong_explicit(&rw->readers, old, new, memory_order_acq_rel, memory_order_relaxed);
}

/* On a G stack; does not switch. */
bool rt_rwmutex_try_rlock(struct rwmutex *rw)
{
    safepoint();
    int32_t old = atomic_load_explicit(&rw->readers, memory_order_relaxed); /* a guess; change() checks it */
    do
        if (old < 0)
            return false;
    while (!change(rw, &old, old + 1));
    log_op(rw, RWMUTEX_OP_RLOCK);
    raceacquire(getm(), rw->race);
    return true;
}

/* On a G stack; switches only where the inner mutex is handed over. */
bool rt_rwmutex_try_lock(struct rwmutex *rw)
{
    int32_t none = 0;
    safepoint();
    if (!rt_mutex_try_lock(rw->w))
        return false;
    if (!change(rw, &none, -RWMUTEX_MAX_READERS)) {
        rt_mutex_unlock(rw->w);
        return false;
    }
    set_writer(rw, rt_goid());
    log_op(rw, RWMUTEX_OP_LOCK);
    raceacquire(getm(), rw->race);
    raceacquire(getm(), rw->race + 1);
    return true;
}

/* On a G stack; switches only where the inner mutex is handed over. */
void rt_rwmutex_unlock(struct rwmutex *rw)
{
    safepoint();
    set_writer(rw, 0);
    racerelease(getm(), rw->race);
    log_op(rw, RWMUTEX_OP_UNLOCK);
    int32_t r = add(&rw->readers, RWMUTEX_MAX_READERS);
    if (r >= RWMUTEX_MAX_READERS)
        fatalerror("sync: Unlock of unlocked RWMutex");
    for (int32_t i = 0; i < r; i++)
        semrelease(&rw->readersem, false);
    rt_mutex_unlock(rw->w);
}
