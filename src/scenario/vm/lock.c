/* Package sync's objects, which the runtime has.
 *
 * In the program's memory an object is three cells: its number, its own address, and its state. The state says what a copy of the object is, as a copy of
 * Go's bits would be: a copy of a locked Mutex is locked, and a copy of a WaitGroup has its count. A copy is found by its address, when it is first used.
 */
#include "runtime/sched/point.h"
#include "scenario/vm/vm_internal.h"
#include <inttypes.h>

enum { NUMBER, SELF, STATE, CELLS };
enum { READERS = 1 << 20 }; /* more at once hold no lock that is copied: the bits are not a lock's */

static void *make(enum vm_object_kind kind)
{
    struct sched *s = rt_self_sched();
    void *is = kind == VO_MUTEX       ? (void *)rt_mutex_new(s, 0)
               : kind == VO_RWMUTEX   ? (void *)rt_rwmutex_new(s, 0)
               : kind == VO_WAITGROUP ? (void *)rt_waitgroup_new(s, 0)
                                      : (void *)rt_cond_new(s, 0, NULL);
    if (!is)
        rt_no_memory("cannot allocate memory for a lock");
    return is;
}

static void number(enum vm_object_kind kind, void *is, uint32_t id)
{
    if (kind == VO_MUTEX)
        rt_mutex_number(is, id);
    else if (kind == VO_RWMUTEX)
        rt_rwmutex_number(is, id);
    else if (kind == VO_WAITGROUP)
        rt_waitgroup_number(is, id);
    else
        rt_cond_number(is, id);
}

/* Gives a copy the state of what it was copied from. */
static void take_state(enum vm_object_kind kind, void *is, int64_t state)
{
    if (kind == VO_MUTEX && state)
        rt_mutex_lock(is);
    if (kind == VO_RWMUTEX && state < 0)
        rt_rwmutex_lock(is);
    for (; kind == VO_RWMUTEX && state > 0; state--)
        rt_rwmutex_rlock(is);
    if (kind == VO_WAITGROUP && state)
        rt_waitgroup_change(is, state, EV_NONE);
}

/* The number of the object at this address, 0 if it was not used yet. Acquire: pairs with the exchange in object(). */
static int64_t known(const int64_t *h, int64_t address)
{
    int64_t n = __atomic_load_n(&h[NUMBER], __ATOMIC_ACQUIRE);
    return n && __atomic_load_n(&h[SELF], __ATOMIC_RELAXED) == address ? n : 0; /* relaxed: it was written before the number */
}

/* The object at this address; made if it is the first use. NULL: a panic has begun. */
static void *object(struct vg *g, enum vm_object_kind kind, int64_t address, int64_t **at)
{
    int64_t *h = *at = vm_at(g, address, CELLS);
    if (!h)
        return NULL;
    int64_t n = known(h, address);
    if (n)
        return vm_object(g, kind, n);
    if (kind == VO_RWMUTEX && h[STATE] > READERS) {
        vm_throw(g, "sync: RWMutex with %" PRId64 " readers", h[STATE]);
        return NULL;
    }
    void *is = make(kind); /* meanwhile another G may make it, too, and go on */
    if ((n = known(h, address)))
        return vm_object(g, kind, n);
    uint32_t id = vm_number(g, kind);
    number(kind, is, id);
    n = __atomic_load_n(&h[NUMBER], __ATOMIC_ACQUIRE); /* pairs with the exchange below */
    if (n)                                             /* a copy: what was never used has no state */
        take_state(kind, is, h[STATE]);
    int64_t own = vm_object_add(g, kind, id, is);
    __atomic_store_n(&h[SELF], address, __ATOMIC_RELAXED);
    /* release: pairs with known(); of two Ms that use it first, one is faster */
    if (__atomic_compare_exchange_n(&h[NUMBER], &n, own, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
        return is;
    return vm_object(g, kind, n);
}

/* Relaxed: only a copy reads it, and a program that copies while others change races. */
static void set(int64_t *at, int64_t state)
{
    __atomic_store_n(&at[STATE], state, __ATOMIC_RELAXED);
}
static void add(int64_t *at, int64_t n)
{
    __atomic_fetch_add(&at[STATE], n, __ATOMIC_RELAXED); /* as in set() */
}

/* A function of an object. arg: the address of its first parameter; NULL: its first result is f[0]. */
#define ON(name, kind, arg, what) \
    static bool name(struct vg *g, int64_t *f) \
    { \
        int64_t *at; \
        void *o = object(g, kind, f[arg], &at); \
        if (!o) \
            return false; \
        rt_point(); \
        what; \
        return true; \
    }
ON(mutex_lock, VO_MUTEX, 0, (rt_mutex_lock(o), set(at, 1)))
ON(mutex_unlock, VO_MUTEX, 0, (set(at, 0), rt_mutex_unlock(o)))
ON(mutex_try_lock, VO_MUTEX, 1, if ((f[0] = rt_mutex_try_lock(o))) set(at, 1))
ON(rw_lock, VO_RWMUTEX, 0, (rt_rwmutex_lock(o), set(at, -1)))
ON(rw_unlock, VO_RWMUTEX, 0, (set(at, 0), rt_rwmutex_unlock(o)))
ON(rw_try_lock, VO_RWMUTEX, 1, if ((f[0] = rt_rwmutex_try_lock(o))) set(at, -1))
ON(rw_rlock, VO_RWMUTEX, 0, (rt_rwmutex_rlock(o), add(at, 1)))
ON(rw_runlock, VO_RWMUTEX, 0, (add(at, -1), rt_rwmutex_runlock(o)))
ON(rw_try_rlock, VO_RWMUTEX, 1, if ((f[0] = rt_rwmutex_try_rlock(o))) add(at, 1))

/* Whether this is a copy of a Cond that had been used: no access to memory that could race, as little as Go's own check is. */
static bool cond_copied(struct vg *g, int64_t *f)
{
    const int64_t *h = vm_at(g, f[1], CELLS);
    if (!h)
        return false;
    /* acquire: pairs with object(); relaxed: it was written before the number */
    f[0] = __atomic_load_n(&h[NUMBER], __ATOMIC_ACQUIRE) && __atomic_load_n(&h[SELF], __ATOMIC_RELAXED) != f[1];
    return true;
}
ON(cond_add, VO_COND, 1, f[0] = rt_cond_add(o))
ON(cond_wait, VO_COND, 0, rt_cond_wait_for(o, (uint32_t)f[1]))
ON(cond_signal, VO_COND, 0, rt_cond_signal(o))
ON(cond_broadcast, VO_COND, 0, rt_cond_broadcast(o))

/* What Go panics with is a string, so it is one here. */
static void answer(struct vg *g, int64_t *f, const char *mistake)
{
    f[1] = mistake ? (int64_t)strlen(mistake) : 0;
    f[0] = mistake ? vm_text(g, mistake, (uint64_t)f[1]) : 0;
}
/* A WaitGroup for the detector of data races: its first cell, as vm_use() numbers it. */
static uint32_t variable(const struct vg *g, int64_t address)
{
    int64_t n = address - VM_FIRST;
    return g->vm->races && n >= 0 && n < VM_RACE_CELLS ? (uint32_t)(2 * n) : EV_NONE;
}
ON(group_add, VO_WAITGROUP, 2, (add(at, f[3]), answer(g, f, rt_waitgroup_change(o, f[3], variable(g, f[2])))))
ON(group_wait, VO_WAITGROUP, 2, answer(g, f, rt_waitgroup_await(o, variable(g, f[2]))))

/* The P that the G runs on. */
static bool pid(struct vg *g, int64_t *f)
{
    (void)g;
    f[0] = rt_pid() == EV_NONE ? 0 : rt_pid();
    return true;
}
static bool cycles(struct vg *g, int64_t *f)
{
    f[0] = __atomic_load_n(&g->vm->cycles, __ATOMIC_RELAXED); /* relaxed: a Pool that learns of it late keeps its values for longer */
    return true;
}

const struct vm_sys vm_sys_locks[] = {
    {"sync.mutexLock", mutex_lock},
    {"sync.mutexTryLock", mutex_try_lock},
    {"sync.mutexUnlock", mutex_unlock},
    {"sync.rwLock", rw_lock},
    {"sync.rwTryLock", rw_try_lock},
    {"sync.rwUnlock", rw_unlock},
    {"sync.rwRLock", rw_rlock},
    {"sync.rwTryRLock", rw_try_rlock},
    {"sync.rwRUnlock", rw_runlock},
    {"sync.groupAdd", group_add},
    {"sync.groupWait", group_wait},
    {"sync.condCopied", cond_copied},
    {"sync.condAdd", cond_add},
    {"sync.condWait", cond_wait},
    {"sync.condSignal", cond_signal},
    {"sync.condBroadcast", cond_broadcast},
    {"sync.pid", pid},
    {"sync.cycles", cycles},
    {NULL, NULL},
};
