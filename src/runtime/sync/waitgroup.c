/* sync.WaitGroup, as Go 1.20's waitgroup.go: one word with the counter in its high half and the number of waiters in its
 * low half, so that the two change together. If an Add brings the counter to 0 while Gs wait, it owns the word until it has cleared it;
 * any change in between is misuse. Go 1.20 prints a waiting G as `semacquire`. */
#include "runtime/sched/race.h"
#include "runtime/sync/sema.h"

struct waitgroup { /* one cache line */
    _Atomic uint64_t state;
    struct sema sema;
    uint32_t id, race; /* race: race.h */
};
_Static_assert(sizeof(struct waitgroup) == CACHE_LINE, "so a G that counts down and the G that it wakes touch one line");

static int32_t counter(uint64_t state)
{
    return (int32_t)(uint32_t)(state >> 32);
}

static bool waitgroup_snap(const void *object, struct snapshot *in, struct snap_object *out)
{
    const struct waitgroup *wg = object;
    out->kind = OBJ_WAITGROUP;
    out->id = wg->id;
    out->n = counter(atomic_load_explicit(&wg->state, memory_order_relaxed)); /* stopped: see snap.c */
    return snap_queue(in, out, 0, &wg->sema.queue);
}

struct waitgroup *rt_waitgroup_new(struct sched *s, uint32_t id)
{
    struct waitgroup *wg = object_new(s, sizeof *wg, waitgroup_snap);
    if (!wg)
        return NULL;
    wg->id = id;
    wg->race = race_objects(s, 1);
    sema_init(&wg->sema, RANK_WAITGROUP);
    return wg;
}

void rt_waitgroup_number(struct waitgroup *wg, uint32_t id)
{
    wg->id = id;
}

/* As Go does it: an Add that nothing orders with the Wait for it is a data race. */
static void note_use(struct m *m, uint32_t variable, enum ev_note how)
{
    if (variable != EV_NONE)
        racenote(m, NULL, how, variable);
}

/* The counter has 32 bits, as in Go; a larger n is cut. On a G stack; does not switch. */
const char *rt_waitgroup_change(struct waitgroup *wg, int64_t n, uint32_t variable)
{
    struct m *m = safe_getm();
    uint64_t delta = (uint64_t)n << 32;
    if (n < 0)
        racereleasemerge(m, wg->race);
    explore_at(m, FOOT_OBJECT(wg->id));
    /* acq_rel: the Add that reaches 0 sees what came before each Done. The waiters see it through the semaphore, or through the load in
     * rt_waitgroup_await() */
    uint64_t state = shared_add64(m, &wg->state, delta, memory_order_acq_rel) + delta;
    int32_t v = counter(state);
    uint32_t w = (uint32_t)state;
    emit_object(m, ev_of(m, EV_WAITGROUP_OP, goid(curg(m)), wg->id, (uint32_t)n, (uint32_t)v, 0));
    if (v < 0)
        return "sync: negative WaitGroup counter";
    bool first = n > 0 && v == (int32_t)n;
    if (first)
        note_use(m, variable, NOTE_READ);
    if (w != 0 && first)
        return "sync: WaitGroup misuse: Add called concurrently with Wait";
    if (v > 0 || w == 0)
        return NULL;
    explore_at(m, FOOT_OBJECT(wg->id));
    if (atomic_load_explicit(&wg->state, memory_order_relaxed) != state) /* only a cheap check for misuse */
        return "sync: WaitGroup misuse: Add called concurrently with Wait";
    explore_at(m, FOOT_OBJECT(wg->id));
    atomic_store_explicit(&wg->state, 0, memory_order_relaxed); /* the waiters see it through semrelease */
    for (; w != 0; w--)
        semrelease(&wg->sema, false);
    return NULL;
}

void rt_waitgroup_add(struct waitgroup *wg, int64_t n)
{
    const char *mistake = rt_waitgroup_change(wg, n, EV_NONE);
    if (mistake)
        fatalpanic(mistake);
}

/* Counts one more waiter. Returns false if the counter is 0. *first: nobody waited before. */
static bool count_in(struct m *m, struct waitgroup *wg, bool *first)
{
    explore_at(m, FOOT_OBJECT(wg->id));
    /* acquire: pairs with the acq_rel in rt_waitgroup_change() that brought the counter to 0 */
    uint64_t state = atomic_load_explicit(&wg->state, memory_order_acquire);
    if (single_p(m) && counter(state) != 0) {
        atomic_store_explicit(&wg->state, state + 1, memory_order_relaxed); /* as shared_add64(); the semaphore orders it */
        *first = (uint32_t)state == 0;
        return true;
    }
    do {
        if (counter(state) == 0)
            return false;
        explore_at(m, FOOT_OBJECT(wg->id));
        /* acquire on failure: this is the load of the next round. On success the semaphore orders it; C allows no weaker order here */
    } while (!atomic_compare_exchange_weak_explicit(&wg->state, &state, state + 1, memory_order_acquire, memory_order_acquire));
    *first = (uint32_t)state == 0;
    return true;
}

/* On a G stack; may switch. */
const char *rt_waitgroup_await(struct waitgroup *wg, uint32_t variable)
{
    bool first;
    if (!count_in(safe_getm(), wg, &first)) {
        raceacquire(getm(), wg->race);
        return NULL;
    }
    if (first)
        note_use(getm(), variable, NOTE_WRITE);
    semacquire(&wg->sema, false, WAIT_REASON_SEMACQUIRE, wg->id);
    raceacquire(getm(), wg->race);
    explore_at(getm(), FOOT_OBJECT(wg->id));
    /* as the check in rt_waitgroup_change() */
    bool again = atomic_load_explicit(&wg->state, memory_order_relaxed) != 0;
    return again ? "sync: WaitGroup is reused before previous Wait has returned" : NULL;
}

void rt_waitgroup_wait(struct waitgroup *wg)
{
    const char *mistake = rt_waitgroup_await(wg, EV_NONE);
    if (mistake)
        fatalpanic(mistake);
}
