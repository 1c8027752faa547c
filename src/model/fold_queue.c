/* The fold of the queues: a P's runnext, ring and timers, the global queue, steals. */
#include "model/fold_internal.h"

/* ---- queues ---- */

enum offer fold_runnext_put(const struct fold *f)
{
    uint32_t at, kicked = f->e->a;
    enum offer r = find_p(f, f->e->p);
    if (r || (r = is_in_transit(f, &at)))
        return r;
    struct model_p *p = &f->md->p[f->e->p];
    if (p->runnext != kicked)
        return OFFER_NOT_YET;
    transit_remove(f->mm, at, 1);
    p->runnext = f->e->g;
    put_at(f->g, PLACE_RUNNEXT, f->e->p, 0);
    if (kicked)
        to_transit(f, kicked);
    return OFFER_APPLIED;
}

static enum offer take_runnext(const struct fold *f, uint32_t from)
{
    enum offer r = find_p(f, from);
    if (r)
        return r;
    struct model_p *p = &f->md->p[from];
    if (p->runnext != f->e->g)
        return OFFER_NOT_YET;
    p->runnext = 0;
    g_to_transit(f);
    return OFFER_APPLIED;
}

enum offer fold_runnext_get(const struct fold *f)
{
    return take_runnext(f, f->e->p);
}

enum offer fold_runq_put(const struct fold *f)
{
    uint32_t at, slot = f->e->a;
    enum offer r = find_p(f, f->e->p);
    if (r || (r = is_in_transit(f, &at)))
        return r;
    struct model_p *p = &f->md->p[f->e->p];
    if ((r = number_now(f, "slot", p->tail, slot)))
        return r;
    if (slot - p->head >= f->md->cfg.runq_size)
        return OFFER_NOT_YET;
    transit_remove(f->mm, at, 1);
    *ring_slot(f->md, p, slot) = f->e->g;
    put_at(f->g, PLACE_RUNQ, f->e->p, slot);
    p->tail = slot + 1;
    return OFFER_APPLIED;
}

enum offer ring_has(const struct fold *f, uint32_t from, uint32_t head, uint32_t n, uint32_t last)
{
    enum offer r = find_p(f, from);
    if (r)
        return r;
    struct model_p *p = &f->md->p[from];
    if ((r = number_now(f, "head", p->head, head)))
        return r;
    if (n > f->md->cfg.runq_size)
        return fold_broken(f, "%u Gs are more than a ring holds", n);
    if (p->tail - head < n)
        return OFFER_NOT_YET;
    uint32_t there = n ? *ring_slot(f->md, p, head + n - 1) : 0;
    if (last && there != last)
        return fold_broken(f, "P%u's ring has G%u at %u", from, there, head + n - 1);
    return OFFER_APPLIED;
}

enum offer fold_runq_get(const struct fold *f)
{
    enum offer r = ring_has(f, f->e->p, f->e->a, 1, f->e->g);
    if (r)
        return r;
    if (!f->g)
        return fold_broken(f, "no G");
    f->md->p[f->e->p].head++;
    g_to_transit(f);
    return OFFER_APPLIED;
}

enum offer fold_runq_overflow(const struct fold *f)
{
    uint32_t at, n = f->e->a - 1, head = f->e->b;
    if (f->e->a == 0)
        return fold_broken(f, "nothing moved");
    enum offer r = is_in_transit(f, &at);
    if (r || (r = ring_has(f, f->e->p, head, n, 0)))
        return r;
    struct model_p *p = &f->md->p[f->e->p];
    for (uint32_t i = 0; i < n; i++)
        insert_in_transit(f, at + i, *ring_slot(f->md, p, head + i));
    p->head = head + n;
    return OFFER_APPLIED;
}

static void globq_push(const struct fold *f, uint32_t id, bool front)
{
    if (front)
        deque_push_front(f->md, &f->md->globq, id);
    else
        deque_push_back(f->md, &f->md->globq, id);
    set_place(f, id, PLACE_GLOBQ, 0, 0);
    conserve_yielded(f, g_mut(f->md, id));
}

enum offer fold_globq_put(const struct fold *f)
{
    uint32_t at = 0, n = f->e->a;
    bool front = f->e->b == QUEUE_HEAD;
    enum offer r = f->e->g || n == 1 ? is_in_transit(f, &at) : OFFER_APPLIED;
    if (r)
        return r;
    if (n == 0 || (n > 1 && (f->e->g ? n > f->mm->transit_n - at : n != f->mm->transit_n)))
        return fold_broken(f, "%u Gs to the global queue, M%u has %u in transit", n, f->m, f->mm->transit_n);
    for (uint32_t i = 0; i < n; i++) /* at the head, the last G is pushed first, so that the order is kept */
        globq_push(f, f->mm->transit[front ? at + n - 1 - i : at + i], front);
    transit_remove(f->mm, at, n);
    return OFFER_APPLIED;
}

/* Returns how many Gs globrunqget takes from a queue of `size`: a P's fair share and one more, but at most all of them and at most half a
 * ring; one if the caller wants only one or has no ring. */
static uint32_t globq_share(const struct model *md, uint32_t size, uint32_t why)
{
    if ((why != GLOBQ_BATCH && why != GLOBQ_RECHECK && why != GLOBQ_LAST_LOOK) || md->np == 0)
        return 1;
    uint32_t n = size / md->np + 1, half = md->cfg.runq_size / 2;
    n = n < size ? n : size;
    return n < half ? n : half;
}

enum offer fold_globq_get(const struct fold *f)
{
    struct deque *q = &f->md->globq;
    uint32_t n = f->e->a;
    if (n == 0 || n > q->n)
        return fold_broken(f, "%u Gs from a global queue of %u", n, q->n);
    if (n != globq_share(f->md, q->n, f->e->b) && !((f->md->lacks | f->md->guess) & LACKS(KNOW_GLOBQ_LEN)))
        return fold_broken(f, "%u Gs from a global queue of %u, expected %u", n, q->n, globq_share(f->md, q->n, f->e->b));
    if (*deque_at(q, 0) != f->e->g)
        return fold_broken(f, "G%u is the global queue's head", *deque_at(q, 0));
    for (uint32_t i = 0; i < n; i++)
        to_transit(f, *deque_at(q, i));
    deque_drop_front(q, n);
    return OFFER_APPLIED;
}

/* ---- disabled user Gs ---- */

enum offer fold_g_disable(const struct fold *f)
{
    uint32_t at;
    enum offer r = is_in_transit(f, &at);
    if (r)
        return r;
    transit_remove(f->mm, at, 1);
    deque_push_back(f->md, &f->md->disabled, f->e->g);
    put_at(f->g, PLACE_DISABLED, 0, 0);
    return OFFER_APPLIED;
}

enum offer fold_sched_enable_user(const struct fold *f)
{
    struct deque *q = &f->md->disabled;
    bool enable = f->e->a & 1;
    if (f->e->b != (enable ? q->n : 0))
        return fold_broken(f, "%u Gs were kept back, not %u", q->n, f->e->b);
    f->md->users_disabled = !enable;
    for (uint32_t i = 0; enable && i < f->e->b; i++)
        to_transit(f, *deque_at(q, i));
    deque_drop_front(q, f->e->b);
    return OFFER_APPLIED;
}

/* Checks slot d, where the thief's ring begins to store the first n - 1 Gs. If n is 1, the ring gets none and d has no meaning. */
static enum offer steal_room(const struct fold *f, uint32_t n)
{
    enum offer r = find_p(f, f->e->p);
    if (r || n == 1)
        return r;
    const struct model_p *thief = &f->md->p[f->e->p];
    if ((r = number_now(f, "thief's tail", thief->tail, f->e->d)))
        return r;
    return f->e->d - thief->head + n - 1 > f->md->cfg.runq_size ? OFFER_NOT_YET : OFFER_APPLIED;
}

static enum offer steal_ring(const struct fold *f, uint32_t from, uint32_t n)
{
    enum offer r = ring_has(f, from, f->e->c, n, f->e->g);
    if (r || (r = steal_room(f, n)))
        return r;
    struct model_p *victim = &f->md->p[from], *thief = &f->md->p[f->e->p];
    for (uint32_t i = 0; i + 1 < n; i++) {
        uint32_t id = *ring_slot(f->md, victim, f->e->c + i), slot = f->e->d + i;
        *ring_slot(f->md, thief, slot) = id;
        set_place(f, id, PLACE_RUNQ, f->e->p, slot);
    }
    thief->tail += n - 1;
    victim->head += n;
    g_to_transit(f);
    return OFFER_APPLIED;
}

static enum offer steal_runnext(const struct fold *f, uint32_t from)
{
    if (!f->g)
        return OFFER_NOT_YET;
    enum offer r = number_now(f, "G's sequence number", f->g->seq, f->e->c);
    return r ? r : take_runnext(f, from);
}

enum offer fold_steal(const struct fold *f)
{
    uint32_t from = f->e->a & 0xffff, n = f->e->b >> 1;
    if (f->e->g == 0 || n == 0)
        return fold_broken(f, "a steal of nothing");
    if (from == f->e->p)
        return fold_broken(f, "P%u steals from itself", from);
    return f->e->b & 1 ? steal_runnext(f, from) : steal_ring(f, from, n);
}

/* ---- timers ---- */

enum offer fold_timer_add(const struct fold *f)
{
    timers_insert(f->md, heap_of(f), (struct snap_timer){ev_cd(f->e), f->e->g, f->e->b & 0xff, 0, f->e->b >> 8 & TIMER_ID_MAX});
    return OFFER_APPLIED;
}

/* Takes the timer of this event off its heap. It is known by its channel. Without one it is known by its time, by what it does, and whether it was a
 * zombie, which the event says next to its fields. */
static bool take_own(const struct fold *f, struct snap_timer *out)
{
    struct model_p *p = heap_of(f);
    uint32_t chan = f->e->b >> 8 & TIMER_ID_MAX, what = f->e->b >> 4 & 3, zombie = f->e->b >> 6 & 1;
    for (uint32_t i = 0; i < p->ntimers; i++) {
        const struct snap_timer *t = &p->timers[i];
        if (t->chan != chan || (!chan && (t->what != what || t->when != ev_cd(f->e) || t->zombie != zombie)))
            continue;
        *out = *t;
        return timers_remove(p, out);
    }
    return false;
}

enum offer fold_timer_mark(const struct fold *f)
{
    uint32_t now = f->e->b & 0xf;
    struct snap_timer t = {.what = f->e->b >> 4 & 3};
    bool has_left = now == TIMER_NOW_MOVED && !(f->e->b >> 8);
    if (!has_left && !take_own(f, &t))
        return fold_broken(f, "P%u has no such timer", timer_heap(f->e));
    if (now == TIMER_NOW_LEAVES)
        return OFFER_APPLIED;
    t.zombie = now == TIMER_NOW_ZOMBIE || (now == TIMER_NOW_UNREACHABLE && t.zombie);
    t.when = ev_cd(f->e);
    if (now == TIMER_NOW_UNREACHABLE)
        t.chan = 0;
    timers_insert(f->md, heap_of(f), t);
    return OFFER_APPLIED;
}

enum offer fold_timer_drop(const struct fold *f)
{
    struct snap_timer t;
    if (!take_own(f, &t) || (!t.zombie && !f->md->cfg.heaps_stay)) /* a bucket keeps no zombies */
        return fold_broken(f, "P%u has no such zombie", timer_heap(f->e));
    return OFFER_APPLIED;
}

enum offer fold_timer_fire(const struct fold *f)
{
    uint32_t heap = timer_heap(f->e);
    const struct model_p *p = heap_of(f);
    uint32_t first = 0;
    while (first < p->ntimers && p->timers[first].zombie)
        first++;
    if (first < p->ntimers && p->timers[first].when < ev_cd(f->e))
        return fold_broken(f, "P%u has a timer for %lld, which is earlier", heap, (long long)p->timers[first].when);
    if (!timers_remove(heap_of(f), &(struct snap_timer){ev_cd(f->e), f->e->g, f->e->b >> 16 & 0xff, 0, (uint8_t)(f->e->b >> 24)}))
        return fold_broken(f, "P%u has no timer of G%u for %lld", heap, f->e->g, (long long)ev_cd(f->e));
    return OFFER_APPLIED;
}
