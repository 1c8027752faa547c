/* Timers in a 4-ary heap for each P (timerfn.c: what they do), and the poller that waits for the earliest of them (Go: time.go,
 * netpoll.go).
 *
 * The heap holds keys of 16 bytes. With 10^5 sleepers they fit into a processor's cache, and the keys of four children fill one line.
 * The timers themselves are four times as large, and are not moved.
 *
 * The heap is touched under its P's timerslock only, so a thief may run another P's timers. timer0when is the first deadline, which can
 * be read without the lock.
 */
#include "runtime/timers/handle.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Moves timer i up as far as it must go and returns its new place. Timers with equal times do not pass each other, as in Go. */
static uint32_t siftup(struct timerkey *t, uint32_t i)
{
    struct timerkey x = t[i];
    while (i > 0 && x.when < t[(i - 1) / 4].when) {
        t[i] = t[(i - 1) / 4];
        i = (i - 1) / 4;
    }
    t[i] = x;
    return i;
}

/* Moves timer i, whose time has changed, down as far as it must go. If several children have the earliest time, the first of
 * them moves up, as in Go. While four children are compared, the sixteen below them are prefetched. */
static void siftdown(const struct p *pp, uint32_t i)
{
    struct timerkey *t = pp->timerheap, x = t[i];
    uint32_t n = pp->ntimers;
    for (;;) {
        uint32_t best = 4 * i + 1;
        if (best >= n)
            break;
        if (4 * best + 1 < n)
            fetch(&t[4 * best + 1], 4);
        for (uint32_t c = best + 1; c < n && c <= 4 * i + 4; c++)
            if (t[c].when < t[best].when)
                best = c;
        if (t[best].when >= x.when)
            break;
        t[i] = t[best];
        i = best;
    }
    t[i] = x;
}

/* wakeTime: returns when an M must look at pp's heap, 0: never. */
static int64_t wake_time(const struct p *pp)
{
    int64_t when = pp->ntimers ? pp->timerheap[0].when : 0;
    return when && pp->minmodified && pp->minmodified < when ? pp->minmodified : when;
}

/* Publishes that, and whether the heap has many zombies. */
static void set_timer0(const struct m *m, struct p *pp)
{
    explore_point(m);
    atomic_store_explicit(&pp->timer0when, wake_time(pp), memory_order_seq_cst); /* Dekker: dance */
    bool crowded = pp->nzombies > pp->ntimers / 4;
    if (crowded != atomic_load_explicit(&pp->crowded, memory_order_relaxed)) /* written under the lock */
        atomic_store_explicit(&pp->crowded, crowded, memory_order_relaxed);  /* a hint for the owner */
}

#define BEFORE 3u /* unused keys, so that the children of the first key begin a cache line */
#define TIMER_BYTES (sizeof(struct timer) + sizeof(struct timerkey) + 48) /* with its part of the model */
_Static_assert(sizeof(struct timer) == CACHE_LINE, "a timer is one line of the cache");

static void *lines(size_t size)
{
    return aligned_alloc(CACHE_LINE, (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
}

/* Caller: m, which holds pp's timerslock. */
static void timers_grow(struct m *m, struct p *pp)
{
    uint32_t old = pp->captimers, cap = old ? old * 2 : 16;
    memory_need(m, MEMORY_TIMER, (cap - old) * TIMER_BYTES);
    struct timerkey *heap = lines((cap + BEFORE) * sizeof *heap);
    struct timer *t = lines(cap * sizeof *t);
    if (!heap || !t) {
        free(heap);
        free(t);
        lack(m, "cannot allocate memory for timers", ENOMEM);
    }
    heap += BEFORE;
    if (old) {
        memcpy(heap, pp->timerheap, old * sizeof *heap);
        memcpy(t, pp->timers, old * sizeof *t);
        free(pp->timerheap - BEFORE);
        free(pp->timers);
    }
    for (uint32_t i = old; i < cap; i++)
        heap[i].at = i;
    pp->timerheap = heap;
    pp->timers = t;
    pp->captimers = cap;
}

/* Inserts t; there is room. Returns true if it is the first to fire. */
static bool timer_insert(struct p *pp, const struct timer *t)
{
    struct timerkey *k = &pp->timerheap[pp->ntimers];
    k->when = t->when;
    pp->timers[k->at] = *t;
    return siftup(pp->timerheap, pp->ntimers++) == 0;
}

struct handle *handle_at(const struct p *pp, uint32_t i)
{
    const struct timer *t = &pp->timers[pp->timerheap[i].at];
    return t->owned ? t->owner : NULL;
}

/* Returns the number of the timer's channel, 0: it has none, or an event has no room for the number. */
static uint32_t own_id(const struct handle *t)
{
    return t->c && t->c->id <= TIMER_ID_MAX ? t->c->id : 0;
}

static uint32_t handle_id(const struct timer *t)
{
    return t->owned ? own_id(t->owner) : 0;
}

struct snap_timer timer_snap(const struct p *pp, uint32_t i)
{
    const struct timer *t = &pp->timers[pp->timerheap[i].at];
    const struct handle *own = handle_at(pp, i);
    return (struct snap_timer){own ? own->logged : t->when, goid(t->g), t->what & 0xffu, own && own->zombie, handle_id(t) & TIMER_ID_MAX};
}

void rt_timers(struct sched *s, rt_show_timer *show, void *ctx)
{
    for (uint32_t h = 0; h < (s->nallp ? s->nallp : 1); h++) /* the heap of go1.0 is in the first */
        for (uint32_t i = 0; i < s->allp[h].ntimers; i++) {
            const struct timer *t = &s->allp[h].timers[s->allp[h].timerheap[i].at];
            const struct handle *own = handle_at(&s->allp[h], i);
            if (own && own->zombie)
                continue;
            if (t->what == TIMER_SEND)
                show(ctx, own ? own->c : t->c, NULL, NULL);
            else if (t->what == TIMER_GO)
                show(ctx, NULL, own ? own->fn : t->fn, own ? own->arg : t->arg);
        }
}

void timers_free(struct p *pp)
{
    for (uint32_t i = 0; i < pp->ntimers; i++) {
        const struct timer *t = &pp->timers[pp->timerheap[i].at];
        if (t->what == TIMER_GO && t->release)
            t->release(t->arg);
    }
    free(pp->timers);
    if (pp->timerheap)
        free(pp->timerheap - BEFORE);
}

struct p *heap_for(struct m *m)
{
    struct sched *s = m->sched;
    if (!s->gen->timers_in_p)
        return timerproc_heap(m);
    atomic_store_explicit(&s->netpollinited, true, memory_order_relaxed); /* from now on, an M must wait in the poller for timers */
    return m->p;
}

static void log_added(struct m *m, struct p *pp, const struct timer *t)
{
    struct ev e = ev_on(pp->id, EV_TIMER_ADD, goid(t->g), ++pp->timerseq, t->what | handle_id(t) << 8, 0, 0);
    ev_set_cd(&e, t->when);
    emit(m, e);
}

/* Returns the timer of place i that its handle has changed since, NULL: it is as the heap has it. */
static struct handle *stale_at(const struct p *pp, uint32_t i)
{
    struct handle *t = handle_at(pp, i);
    return t && (t->zombie || t->modified) ? t : NULL;
}

static void set_key(const struct p *pp, uint32_t i, int64_t when)
{
    pp->timerheap[i].when = pp->timers[pp->timerheap[i].at].when = when;
}

/* Fills the place with the last entry; the caller sifts it. What was there is behind the heap's end. */
static void cut(struct p *pp, uint32_t i)
{
    struct timerkey old = pp->timerheap[i];
    pp->timerheap[i] = pp->timerheap[--pp->ntimers];
    pp->timerheap[pp->ntimers] = old;
    pp->minmodified = pp->ntimers ? pp->minmodified : 0;
}

/* Moves the entry of place i, whose time has changed, where it belongs. Returns the first place that has changed. */
static uint32_t sift(const struct p *pp, uint32_t i)
{
    uint32_t first = i < pp->ntimers ? siftup(pp->timerheap, i) : i;
    if (i < pp->ntimers)
        siftdown(pp, i);
    return first;
}

/* was: it was a zombie. A timer without a number is known by its time, by that, and by what it does. */
static void log_changed(struct m *m, struct p *pp, const struct handle *t, uint32_t how, bool was)
{
    uint32_t what = t->fn ? TIMER_GO : TIMER_SEND;
    struct ev e = ev_on(pp->id, EV_TIMER_MARK, 0, ++pp->timerseq, how | what << 4 | (uint32_t)was << 6 | own_id(t) << 8, 0, 0);
    ev_set_cd(&e, t->logged);
    emit(m, e);
}

void handle_changed(struct m *m, struct p *pp, struct handle *t, uint32_t how)
{
    bool was = t->zombie || t->modified, zombie = t->zombie;
    t->zombie = how == TIMER_NOW_ZOMBIE || (how == TIMER_NOW_UNREACHABLE && t->zombie);
    t->modified |= how == TIMER_NOW_MOVED;
    if (how == TIMER_NOW_MOVED && !own_id(t)) /* nothing else says which entry it was */
        log_changed(m, pp, t, TIMER_NOW_LEAVES, zombie);
    pp->nstale += (uint32_t)(t->zombie || t->modified) - was;
    pp->nzombies += (uint32_t)t->zombie - zombie;
    t->logged = how == TIMER_NOW_MOVED ? t->when : t->logged;
    log_changed(m, pp, t, how, zombie);
    set_timer0(m, pp);
}

/* Ends the stay of t, which has left the heap. */
static void out_of_heap(struct p *pp, struct handle *t)
{
    pp->nstale -= t->zombie || t->modified;
    pp->nzombies -= t->zombie;
    t->zombie = t->modified = false;
    /* release: t->when and the rest; pairs with acquire in handle_lock() */
    atomic_store_explicit(&t->p, NULL, memory_order_release);
}

/* Removes the entry of place i, which holds t, and logs that. */
static void drop(struct m *m, struct p *pp, uint32_t i, struct handle *t)
{
    uint32_t what = t->fn ? TIMER_GO : TIMER_SEND;
    struct ev e = ev_on(pp->id, EV_TIMER_DROP, 0, ++pp->timerseq, what << 4 | (uint32_t)t->zombie << 6 | own_id(t) << 8, 0, 0);
    ev_set_cd(&e, t->logged);
    emit(m, e);
    pp->timers[pp->timerheap[i].at].owned = false; /* its slot is free */
    cut(pp, i);
    out_of_heap(pp, t);
}

void handle_remove(struct m *m, struct p *pp, struct handle *t)
{
    uint32_t i = 0;
    while (handle_at(pp, i) != t)
        i++;
    drop(m, pp, i, t);
    sift(pp, i);
    set_timer0(m, pp);
}

/* updateHeap: makes the first entry what its timer is, or removes it. */
static void update_first(struct m *m, struct p *pp, struct handle *t)
{
    if (t->zombie) {
        drop(m, pp, 0, t);
    } else if (disabled(m->sched, DIS_LAZY_TIMERS)) { /* up to 1.22 it left the heap and was added again */
        cut(pp, 0);
        siftdown(pp, 0);
        set_key(pp, pp->ntimers, t->when);
        pp->nstale--;
        t->modified = false;
        siftup(pp->timerheap, pp->ntimers++);
        return;
    } else {
        set_key(pp, 0, t->when);
        pp->nstale--;
        t->modified = false;
    }
    if (pp->ntimers)
        siftdown(pp, 0);
}

/* cleanHead: a program that makes timers and stops them again leaves few zombies. Since 1.23 the end of the heap is cleaned too. */
static void clean_heap(struct m *m, struct p *pp)
{
    struct handle *t;
    while (pp->nstale && pp->ntimers) {
        if (!disabled(m->sched, DIS_LAZY_TIMERS) && (t = stale_at(pp, pp->ntimers - 1)) && t->zombie)
            drop(m, pp, pp->ntimers - 1, t);
        else if ((t = stale_at(pp, 0)))
            update_first(m, pp, t);
        else
            break;
    }
}

/* Up to 1.22 each entry that has changed leaves the heap, and those with a new time are added again in their order. */
static void readd_modified(struct m *m, struct p *pp)
{
    uint32_t n = pp->ntimers;
    for (uint32_t i = 0; i < pp->ntimers; i++) {
        struct handle *t = stale_at(pp, i);
        if (!t)
            continue;
        if (t->zombie)
            drop(m, pp, i, t);
        else
            cut(pp, i);
        i = sift(pp, i) - 1; /* from what has changed on again */
    }
    for (uint32_t i = pp->ntimers, k = n; i + 1 < k; i++) { /* the first that left is the last behind the end */
        struct timerkey x = pp->timerheap[i];
        pp->timerheap[i] = pp->timerheap[--k];
        pp->timerheap[k] = x;
    }
    for (uint32_t i = pp->ntimers; i < n; i++) {
        const struct timer *slot = &pp->timers[pp->timerheap[i].at];
        struct handle *t = slot->owned ? slot->owner : NULL;
        if (!t || !t->modified)
            continue;
        struct timerkey x = pp->timerheap[i];
        pp->timerheap[i] = pp->timerheap[pp->ntimers];
        pp->timerheap[pp->ntimers] = x;
        set_key(pp, pp->ntimers, t->when);
        t->modified = false;
        pp->nstale--;
        siftup(pp->timerheap, pp->ntimers++);
    }
}

/* Since 1.23: one pass changes all entries in place; the last entry takes the place of a zombie. Then the heap is built again. */
static void adjust_in_place(struct m *m, struct p *pp)
{
    for (uint32_t i = 0; i < pp->ntimers; i++) {
        struct handle *t = stale_at(pp, i);
        if (t && t->zombie) {
            drop(m, pp, i--, t);
        } else if (t) {
            set_key(pp, i, t->when);
            t->modified = false;
            pp->nstale--;
        }
    }
    for (uint32_t i = pp->ntimers > 1 ? (pp->ntimers - 2) / 4 + 1 : 0; i-- > 0;)
        siftdown(pp, i);
}

/* adjust: once a timer that was modified is due, or if the heap is crowded, all entries become what their timers are. */
static void adjust_timers(struct m *m, struct p *pp, int64_t now, bool force)
{
    if (!force && (pp->minmodified == 0 || pp->minmodified > now))
        return;
    pp->minmodified = 0;
    if (pp->nstale)
        (disabled(m->sched, DIS_LAZY_TIMERS) ? readd_modified : adjust_in_place)(m, pp);
    set_timer0(m, pp);
}

/* Puts t into pp's heap, and logs that. Returns true if t is now the first. Caller: holds pp's lock. */
static bool put_timer(struct m *m, struct p *pp, const struct timer *t, bool *earlier)
{
    if (pp->nstale)
        clean_heap(m, pp);
    if (pp->ntimers == pp->captimers)
        timers_grow(m, pp);
    int64_t before = wake_time(pp);
    bool first = timer_insert(pp, t);
    *earlier = before == 0 || t->when < before;
    set_timer0(m, pp);
    log_added(m, pp, t);
    return first;
}

/* Adds t to this P's timers: an M that checks them at t->when or later runs it. m may run Gs. A parked G that the timer wakes may run
 * elsewhere before this returns. */
void addtimer(struct m *m, const struct timer *t)
{
    struct sched *s = m->sched;
    struct p *pp = heap_for(m);
    bool earlier;
    lock(m, &pp->timerslock);
    bool first = put_timer(m, pp, t, &earlier);
    timer_arg_taken(m, t);
    int64_t when = t->when; /* the memory of t may be gone once the lock is free */
    unlock(m, &pp->timerslock);
    if (earlier || disabled(s, DIS_LAZY_TIMERS)) /* since 1.23 an M is woken only for a timer that is due before all others */
        s->gen->timer_added(m, pp, when, first);
}

struct p *handle_lock(struct m *m, struct handle *t)
{
    for (;;) {
        struct p *pp = atomic_load_explicit(&t->p, memory_order_acquire); /* pairs with release in out_of_heap() */
        if (!pp)
            return NULL;
        lock(m, &pp->timerslock);
        if (atomic_load_explicit(&t->p, memory_order_relaxed) == pp) /* written under the lock */
            return pp;
        unlock(m, &pp->timerslock);
    }
}

bool handle_add(struct m *m, struct handle *t)
{
    struct p *pp = heap_for(m);
    struct timer entry = {
        .what = t->fn ? TIMER_GO : TIMER_SEND, .when = t->when, .period = t->period, .race = t->race, .owned = true, .owner = t};
    bool earlier;
    lock(m, &pp->timerslock);
    t->logged = t->when;
    bool first = put_timer(m, pp, &entry, &earlier);
    atomic_store_explicit(&t->p, pp, memory_order_release); /* pairs with acquire in handle_lock() */
    unlock(m, &pp->timerslock);
    return m->sched->gen->timers_in_p ? earlier || disabled(m->sched, DIS_LAZY_TIMERS) : first;
}

/* A late timer does not fire in a burst. */
int64_t timer_next(int64_t when, int64_t period, int64_t now)
{
    int64_t skip = period * (1 + (now - when) / period); /* at most now - when + period */
    return when > INT64_MAX - skip ? INT64_MAX : when + skip;
}

/* Prefetches the timers that are due, up to FETCH of them, and the Gs that wait for them. Each is on a page that was not used recently,
 * and the processor can look up several pages in the time that it needs for one. Caller: the first timer is due. */
#define FETCH 16u
static void fetch_due(const struct p *pp, int64_t now)
{
    uint32_t due[FETCH] = {0}, n = 1;
    for (uint32_t k = 0; k < n; k++) {
        fetch(&pp->timers[pp->timerheap[due[k]].at], 1);
        for (uint32_t c = 4 * due[k] + 1; c <= 4 * due[k] + 4 && c < pp->ntimers && n < FETCH; c++)
            if (pp->timerheap[c].when <= now)
                due[n++] = c;
    }
    for (uint32_t k = 0; k < n; k++)
        fetch(pp->timers[pp->timerheap[due[k]].at].g, 2);
}

/* Takes the first timer of pp, due at `now`, off the heap. If it is periodic, puts it where its next time belongs. Caller holds pp's
 * timerslock. */
static struct timer timer_pop(struct m *m, struct p *pp, int64_t now)
{
    struct timerkey *top = pp->timerheap;
    struct timer *slot = &pp->timers[top->at], t = *slot, again = t;
    struct handle *own = handle_at(pp, 0);
    uint32_t id = handle_id(&t);
    if (own)
        t.period = slot->period = again.period = own->period; /* Reset may have changed it since the entry was made */
    if (t.period)
        again.when = slot->when = top->when = timer_next(t.when, t.period, now);
    else
        cut(pp, 0);
    if (own) {
        t.c = own->c;
        t.seq = own->seq;
        own->when = own->logged = t.period ? again.when : 0;
        if (!t.period) {
            /* relaxed: whoever stops the timer sees it with t->p, or holds the lock of the channel */
            atomic_fetch_add_explicit(&own->sending, 1, memory_order_relaxed);
            out_of_heap(pp, own);
        }
    }
    if (pp->ntimers)
        siftdown(pp, 0);
    set_timer0(m, pp);
    m->did.timers_fired++;
    struct ev e = ev_of(m, EV_TIMER_FIRE, goid(t.g), ++pp->timerseq, pp->id | (uint32_t)t.what << 16 | id << 24, 0, 0);
    ev_set_cd(&e, t.when);
    emit(m, e);
    if (t.period)
        log_added(m, pp, &again);
    timer_arg_held(m, &t);
    return t;
}

/* Returns true if the first timer of pp is due. Entries that are not as their timers are leave the front before. */
static bool first_is_due(struct m *m, struct p *pp, int64_t now)
{
    struct handle *t;
    bool updated = false;
    for (; pp->nstale && pp->ntimers && (t = stale_at(pp, 0)); updated = true)
        update_first(m, pp, t);
    if (updated)
        set_timer0(m, pp);
    return pp->ntimers && pp->timerheap[0].when <= now;
}

/* Runs all due timers of pp. *now: the time; 0: not read yet. Returns pp's next deadline, 0 for none. m has a P; if that is not pp, m
 * steals the timers. */
int64_t check_timers_there(struct m *m, struct p *pp, int64_t next, int64_t *now, bool *ran)
{
    bool mine = pp == m->p && m->sched->gen->timers_in_p;
    if (*now == 0)
        *now = nanotime(m);
    /* relaxed: a hint, read again under the lock */
    if (*now < next && !(mine && atomic_load_explicit(&pp->crowded, memory_order_relaxed)))
        return next;
    if (!mine && m->sched->gen->timers_in_p)
        emit_gate(m, ev_of(m, EV_TIMER_STEAL, 0, pp->id, 0, 0, 0));
    lock(m, &pp->timerslock);
    adjust_timers(m, pp, *now, false);
    for (uint32_t n = 0; first_is_due(m, pp, *now); n++) {
        if (n % FETCH == 0)
            fetch_due(pp, *now);
        m->firing = true;
        struct timer t = timer_pop(m, pp, *now);
        unlock(m, &pp->timerslock);
        timer_run(m, &t);
        m->firing = false;
        *ran = true;
        lock(m, &pp->timerslock);
    }
    if (mine && pp->nzombies > pp->ntimers / 4)
        adjust_timers(m, pp, *now, true);
    next = wake_time(pp);
    unlock(m, &pp->timerslock);
    return next;
}

/* Moves the timers of pp, which goes out of use, to m's P. The world is stopped; the locks are taken only because a heap is always
 * changed under one. */
void timers_move(struct m *m, struct p *pp)
{
    struct p *to = m->p;
    if (!m->sched->gen->timers_in_p) /* a bucket stays where it is */
        return;
    lock(m, &to->timerslock);
    lock(m, &pp->timerslock);
    for (uint32_t i = 0; i < pp->ntimers; i++) {
        struct handle *own = handle_at(pp, i);
        if (own && own->zombie) {
            drop(m, pp, i--, own); /* its place has the last one now: the heap is taken apart */
            continue;
        }
        if (own) {
            set_key(pp, i, own->when);
            out_of_heap(pp, own);
            atomic_store_explicit(&own->p, to, memory_order_release); /* as in handle_add() */
        }
        const struct timer *t = &pp->timers[pp->timerheap[i].at];
        if (to->ntimers == to->captimers)
            timers_grow(m, to);
        timer_insert(to, t);
        struct ev e = ev_on(to->id, EV_TIMER_MOVE, goid(t->g), ++to->timerseq, pp->id | (uint32_t)t->what << 16 | handle_id(t) << 24, 0, 0);
        ev_set_cd(&e, t->when);
        emit(m, e);
    }
    pp->ntimers = 0;
    pp->minmodified = 0;
    set_timer0(m, pp);
    set_timer0(m, to);
    unlock(m, &pp->timerslock);
    unlock(m, &to->timerslock);
}

int64_t time_sleep_until(struct sched *s)
{
    int64_t min = INT64_MAX;
    for (uint32_t i = 0; s->gen->timers_in_p && i < gomaxprocs(s); i++) {
        int64_t when = timer0when(&s->allp[i]);
        if (when != 0 && when < min)
            min = when;
    }
    return min;
}

/* Makes sure that an M wakes up by `when`: the M that polls, or, if none does, one more M, which is woken to poll. */
void wake_netpoller(struct m *m, int64_t when)
{
    struct sched *s = m->sched;
    explore_point(m);
    if (atomic_load_explicit(&s->lastpoll, memory_order_seq_cst) == 0) { /* Dekker: with timer0when, findrunnable() */
        explore_point(m);
        int64_t until = atomic_load_explicit(&s->polluntil, memory_order_seq_cst);
        if (until == 0 || until > when)
            netpoll_break(m);
    } else {
        wakep(m, WAKEP_POLLER);
    }
}
