/* sync.Mutex, as Go 1.20's mutex.go.
 *
 * Normal mode: waiters queue in FIFO order, but a waiter that wakes must compete with Gs that arrive at that moment. Those already run
 * and usually win. A waiter that loses goes back to the front of the queue. This is fast, because a running G takes the lock again
 * without a switch. Starvation mode: a waiter that has waited for over 1 ms turns it on. Then Unlock hands the mutex straight to the
 * first waiter, and arrivals queue at the tail without a try. A waiter that gets the mutex turns the mode off again if it is the last
 * one or has waited less than 1 ms.
 */
#include "runtime/generations/generation.h"
#include "runtime/sched/race.h"
#include "runtime/sync/sema.h"

#define MUTEX_LOCKED 1u
#define MUTEX_WOKEN 2u /* a waiter is awake and tries: Unlock need not wake another */
#define MUTEX_STARVING 4u
#define WAITER 8u /* the count of waiters is above the three flags */
#define STARVATION_NS 1000000
#define ACTIVE_SPIN 4
#define SPIN_NS 100 /* in lockstep */

struct mutex {
    uint32_t id;
    _Atomic uint32_t state;
    _Atomic uint32_t holder; /* the G that locked it, 0: none. Relaxed: only for the log */
    uint32_t race;           /* race.h; constant */
    _Atomic uint32_t locks;  /* how often it was locked; counted by the holder, if objects are logged. Relaxed: only for the log */
    _Alignas(CACHE_LINE) struct sema sema; /* padding: Gs that sleep or wake do not disturb those that only lock */
};

static bool mutex_snap(const void *object, struct snapshot *in, struct snap_object *out)
{
    const struct mutex *mu = object;
    uint32_t state = atomic_load_explicit(&mu->state, memory_order_relaxed); /* stopped: see snap.c */
    out->kind = mu->id > EV_WRITERS ? OBJ_WRITERS : OBJ_MUTEX;
    out->id = mu->id > EV_WRITERS ? mu->id - EV_WRITERS : mu->id;
    out->held = (state & MUTEX_LOCKED) != 0;
    out->flag = (state & MUTEX_STARVING) != 0;
    out->holder = atomic_load_explicit(&mu->holder, memory_order_relaxed);
    return snap_queue(in, out, 0, &mu->sema.queue);
}

struct mutex *rt_mutex_new(struct sched *s, uint32_t id)
{
    struct mutex *mu = object_new(s, sizeof *mu, mutex_snap);
    if (!mu)
        return NULL;
    mu->id = id;
    mu->race = race_objects(s, 1);
    sema_init(&mu->sema, RANK_SEMA);
    return mu;
}

void rt_mutex_number(struct mutex *mu, uint32_t id)
{
    mu->id = id;
}

static void log_op(struct m *m, const struct mutex *mu, enum mutex_op op)
{
    emit_object(m, ev_of(m, EV_MUTEX_OP, goid(curg(m)), mu->id, op, 0, atomic_load_explicit(&mu->locks, memory_order_relaxed)));
}

/* Logged after the mutex was locked. The holder numbers its lock, and its unlock logs the same number. So the order in which the events of two
 * holders are folded does not matter. */
static void log_locked(struct m *m, struct mutex *mu)
{
    atomic_store_explicit(&mu->holder, goid(curg(m)), memory_order_relaxed);
    if (mu->id < EV_WRITERS) /* an RWMutex notes its own order */
        raceacquire(m, mu->race);
    if (!m->sched->cfg.objects)
        return;
    atomic_store_explicit(&mu->locks, atomic_load_explicit(&mu->locks, memory_order_relaxed) + 1, memory_order_relaxed);
    log_op(m, mu, MUTEX_OP_LOCK);
}

static void log_unlocks(struct m *m, struct mutex *mu)
{
    atomic_store_explicit(&mu->holder, 0, memory_order_relaxed);
    if (mu->id < EV_WRITERS)
        racerelease(m, mu->race);
    log_op(m, mu, MUTEX_OP_UNLOCK);
}

/* acquire on success: what the last owner did is seen; pairs with the release in rt_mutex_unlock() (wake_one() leaves the release sequence
 * whole). *old is what was found. */
static bool cas_acquire(const struct m *m, struct mutex *mu, uint32_t *old, uint32_t new)
{
    explore_at(m, FOOT_OBJECT(mu->id));
    return shared_cas32(m, &mu->state, old, new, memory_order_acquire, memory_order_relaxed);
}

/* sync_runtime_canSpin: spinning pays only if another P works, which may hold the mutex, and this one has nothing better to do. This
 * implies GOMAXPROCS > 1, because npidle and nmspinning are never negative. The loads are relaxed: hints. */
static bool can_spin(int iter)
{
    if (iter >= ACTIVE_SPIN)
        return false;
    struct m *m = getm();
    struct sched *s = m->sched;
    if (!s->gen->mutex_spins)
        return false;
    explore_at(m, FOOT_READS | FOOT_IDLE | FOOT_SPINNING);
    uint32_t idle = atomic_load_explicit(&s->npidle, memory_order_relaxed);
    uint32_t spinning = SPIN_COUNT(atomic_load_explicit(&s->spin, memory_order_relaxed));
    return gomaxprocs(s) > idle + spinning + 1 && runqempty(m, m->p);
}

/* What one G remembers while it tries to lock. */
struct attempt {
    uint32_t old; /* the state as last seen */
    int iter;     /* spins since the last wait */
    bool awoke;   /* the woken flag is ours */
    bool starving;
    bool waited;
    int64_t since;
};

static bool held_normal(uint32_t state)
{
    return (state & (MUTEX_LOCKED | MUTEX_STARVING)) == MUTEX_LOCKED;
}

/* Sets the woken flag, so that Unlock wakes no waiter while this G spins; then spins once. In starvation mode spinning is useless,
 * because the mutex is handed to the queue. */
static void spin(struct mutex *mu, struct attempt *a)
{
    struct m *m = getm();
    explore_at(m, FOOT_OBJECT(mu->id));
    /* relaxed: the flag orders nothing; it only saves a wake-up */
    if (!a->awoke && !(a->old & MUTEX_WOKEN) && a->old / WAITER != 0 &&
        atomic_compare_exchange_strong_explicit(&mu->state, &a->old, a->old | MUTEX_WOKEN, memory_order_relaxed, memory_order_relaxed))
        a->awoke = true;
    set_intent(m, INTENT_MUTEX_SPIN);
    conductor_spin(m->w, SPIN_NS);
    a->iter++;
    explore_at(m, FOOT_OBJECT(mu->id));
    a->old = atomic_load_explicit(&mu->state, memory_order_relaxed); /* a guess for the next CAS */
}

/* Returns the state that this G tries to set: locked by it, or one more waiter. */
static uint32_t wanted(const struct attempt *a)
{
    uint32_t new = a->old;
    if (!(a->old & MUTEX_STARVING))
        new |= MUTEX_LOCKED; /* Gs that have just arrived must not take a starving mutex */
    if (a->old & (MUTEX_LOCKED | MUTEX_STARVING))
        new += WAITER;
    if (a->starving && a->old & MUTEX_LOCKED) /* not if it is unlocked: Unlock must never find it starving without waiters */
        new |= MUTEX_STARVING;
    if (a->awoke) {
        if (!(new &MUTEX_WOKEN))
            throw(getm(), "sync: inconsistent mutex state");
        new &= ~MUTEX_WOKEN;
    }
    return new;
}

/* Takes the mutex that was handed to this G in starvation mode. It is unlocked, and this G is still counted as a waiter. */
static void take_handed(struct mutex *mu, const struct attempt *a)
{
    if (a->old & (MUTEX_LOCKED | MUTEX_WOKEN) || a->old / WAITER == 0)
        throw(getm(), "sync: inconsistent mutex state");
    uint32_t delta = MUTEX_LOCKED - WAITER;
    bool normal = !a->starving || a->old / WAITER == 1;
    if (normal)
        delta -= MUTEX_STARVING; /* leave the mode as early as possible: two Gs in lock step would keep it on for ever */
    explore_at(getm(), FOOT_OBJECT(mu->id));
    /* acquire: as cas_acquire */
    atomic_fetch_add_explicit(&mu->state, delta, memory_order_acquire);
    if (normal)
        log_op(getm(), mu, MUTEX_OP_NORMAL);
}

/* Sleeps until it is this G's turn. Returns true if the mutex was handed over. */
static bool wait_turn(struct mutex *mu, struct attempt *a)
{
    bool starves = getm()->sched->gen->mutex_starves;
    bool again = a->waited && starves; /* a G that lost after a wait goes to the front */
    if (!a->waited)
        a->since = nanotime(getm());
    a->waited = true;
    getg()->logged.holder = atomic_load_explicit(&mu->holder, memory_order_relaxed);
    semacquire(&mu->sema, again, WAIT_REASON_MUTEX_LOCK, mu->id);
    getg()->logged.holder = 0;
    a->starving = a->starving || (starves && nanotime(getm()) - a->since > STARVATION_NS);
    explore_at(getm(), FOOT_OBJECT(mu->id));
    a->old = atomic_load_explicit(&mu->state, memory_order_relaxed); /* the CAS or take_handed() orders it */
    if (a->old & MUTEX_STARVING) {
        take_handed(mu, a);
        return true;
    }
    a->awoke = true; /* Unlock set the flag for us */
    a->iter = 0;
    return false;
}

/* Returns the M that the G is on afterwards. Out of line, so that the uncontended path spills no registers. */
static __attribute__((noinline)) struct m *lock_slow(struct mutex *mu, uint32_t found)
{
    struct attempt a = {.old = found};
    for (;;) {
        if (held_normal(a.old) && can_spin(a.iter)) {
            spin(mu, &a);
            continue;
        }
        uint32_t seen = a.old, new = wanted(&a);
        if (!cas_acquire(getm(), mu, &a.old, new))
            continue; /* another G changed it, so a G made progress */
        if (new & ~seen & MUTEX_STARVING)
            log_op(getm(), mu, MUTEX_OP_STARVE);
        if (!(seen & (MUTEX_LOCKED | MUTEX_STARVING)) || wait_turn(mu, &a))
            return getm();
    }
}

/* On a G stack; may switch. Go first tries to swap the state from 0 without reading it, and its slow path then takes an unlocked mutex even
 * if Gs wait. Here both are one step, because even a failed swap takes the cache line away from the holder. */
void rt_mutex_lock(struct mutex *mu)
{
    struct m *m = safe_getm();
    explore_at(m, FOOT_OBJECT(mu->id));
    uint32_t old = atomic_load_explicit(&mu->state, memory_order_relaxed); /* a guess; cas_acquire() checks it */
    if (old & (MUTEX_LOCKED | MUTEX_STARVING) || !cas_acquire(m, mu, &old, old | MUTEX_LOCKED))
        m = lock_slow(mu, old);
    log_locked(m, mu);
}

/* On a G stack; does not switch. Returns false if it is locked, or is to be handed over. */
bool rt_mutex_try_lock(struct mutex *mu)
{
    struct m *m = safe_getm();
    explore_at(m, FOOT_OBJECT(mu->id));
    uint32_t old = atomic_load_explicit(&mu->state, memory_order_relaxed); /* as in rt_mutex_lock() */
    if (old & (MUTEX_LOCKED | MUTEX_STARVING) || !cas_acquire(m, mu, &old, old | MUTEX_LOCKED))
        return false;
    log_locked(m, mu);
    return true;
}

/* Normal mode: wakes one waiter, unless there is none, or one is awake already, or the mutex is locked again. */
static void wake_one(struct mutex *mu, uint32_t old)
{
    for (;;) {
        if (old / WAITER == 0 || old & (MUTEX_LOCKED | MUTEX_WOKEN | MUTEX_STARVING))
            return;
        explore_at(getm(), FOOT_OBJECT(mu->id));
        /* release: continues the release sequence of our unlock; pairs with cas_acquire */
        if (atomic_compare_exchange_weak_explicit(
                &mu->state, &old, (old - WAITER) | MUTEX_WOKEN, memory_order_release, memory_order_relaxed)) {
            semrelease(&mu->sema, false);
            return;
        }
    }
}

/* Any G may unlock what another locked, as in Go. On a G stack; switches only when it hands off. */
void rt_mutex_unlock(struct mutex *mu)
{
    struct m *m = safe_getm();
    log_unlocks(m, mu);
    explore_at(m, FOOT_OBJECT(mu->id));
    /* release: what was done inside is seen by the next owner; pairs with cas_acquire and take_handed */
    uint32_t new = shared_add32(m, &mu->state, -MUTEX_LOCKED, memory_order_release) - MUTEX_LOCKED;
    if (new == 0)
        return;
    if (!((new + MUTEX_LOCKED) & MUTEX_LOCKED))
        fatalerror("sync: unlock of unlocked mutex");
    if (new &MUTEX_STARVING)
        semrelease(&mu->sema, true); /* MUTEX_LOCKED stays clear; MUTEX_STARVING keeps all other Gs out */
    else
        wake_one(mu, new);
}
