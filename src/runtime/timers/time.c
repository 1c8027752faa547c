/* Timers in a 4-ary heap for each P (timerfn.c: what they do), and the poller that waits for the earliest of them (Go: time.go,
 * netpoll.go).
 *
 * The heap holds keys of 16 bytes. With 10^5 sleepers they fit into a processor's cache, and the keys of four children fill one line.
 * The timers themselves are four times as large, and are not moved.
 *
 * The heap is touched under its P's timerslock only, so a thief may run another P's timers. timer0when is the first deadline, which can
 * be read without the lock.
 */
#include "runtime/sched/proc.h"
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

/* Moves the first timer, whose time has changed, down as far as it must go. If several children have the earliest time, the first of
 * them moves up, as in Go. While four children are compared, the sixteen below them are prefetched. */
static void siftdown(const struct p *pp)
{
    struct timerkey *t = pp->timerheap, x = t[0];
    uint32_t i = 0, n = pp->ntimers;
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

static void set_timer0(const struct m *m, struct p *pp)
{
    explore_point(m);
    atomic_store_explicit(&pp->timer0when, pp->ntimers ? pp->timerheap[0].when : 0, memory_order_seq_cst); /* Dekker: dance */
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

static void log_added(struct m *m, struct p *pp, const struct timer *t)
{
    struct ev e = ev_on(pp->id, EV_TIMER_ADD, goid(t->g), ++pp->timerseq, t->what, 0, 0);
    ev_set_cd(&e, t->when);
    emit(m, e);
}

/* Adds t to this P's timers: an M that checks them at t->when or later runs it. m may run Gs. A parked G that the timer wakes may run
 * elsewhere before this returns. */
void addtimer(struct m *m, const struct timer *t)
{
    struct sched *s = m->sched;
    struct p *pp = s->gen->timers_in_p ? m->p : timerproc_heap(m);
    if (s->gen->timers_in_p) /* from now on, an M must wait in the poller for timers */
        atomic_store_explicit(&s->netpollinited, true, memory_order_relaxed);
    lock(m, &pp->timerslock);
    if (pp->ntimers == pp->captimers)
        timers_grow(m, pp);
    bool first = timer_insert(pp, t);
    set_timer0(m, pp);
    log_added(m, pp, t);
    timer_arg_taken(m, t);
    int64_t when = t->when; /* the memory of t may be gone once the lock is free */
    unlock(m, &pp->timerslock);
    s->gen->timer_added(m, pp, when, first);
}

/* Returns when a periodic timer is due next: its first time after now, so that a late timer does not fire in a burst. */
static int64_t next_when(const struct timer *t, int64_t now)
{
    int64_t skip = t->period * (1 + (now - t->when) / t->period); /* at most now - when + period */
    return t->when > INT64_MAX - skip ? INT64_MAX : t->when + skip;
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
    if (t.period) {
        again.when = slot->when = top->when = next_when(&t, now);
    } else {
        uint32_t at = top->at;
        *top = pp->timerheap[--pp->ntimers];
        pp->timerheap[pp->ntimers].at = at;
    }
    if (pp->ntimers)
        siftdown(pp);
    set_timer0(m, pp);
    m->did.timers_fired++;
    struct ev e = ev_of(m, EV_TIMER_FIRE, goid(t.g), ++pp->timerseq, pp->id | (uint32_t)t.what << 16, 0, 0);
    ev_set_cd(&e, t.when);
    emit(m, e);
    if (t.period)
        log_added(m, pp, &again);
    timer_arg_held(m, &t);
    return t;
}

/* Runs all due timers of pp. *now: the time; 0: not read yet. Returns pp's next deadline, 0 for none. m has a P; if that is not pp, m
 * steals the timers. */
int64_t check_timers_there(struct m *m, struct p *pp, int64_t next, int64_t *now, bool *ran)
{
    if (*now == 0)
        *now = nanotime(m);
    if (*now < next)
        return next;
    if (pp != m->p && m->sched->gen->timers_in_p)
        emit_gate(m, ev_of(m, EV_TIMER_STEAL, 0, pp->id, 0, 0, 0));
    lock(m, &pp->timerslock);
    for (uint32_t n = 0; pp->ntimers && pp->timerheap[0].when <= *now; n++) {
        if (n % FETCH == 0)
            fetch_due(pp, *now);
        struct timer t = timer_pop(m, pp, *now);
        unlock(m, &pp->timerslock);
        timer_run(m, &t);
        *ran = true;
        lock(m, &pp->timerslock);
    }
    next = pp->ntimers ? pp->timerheap[0].when : 0;
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
        const struct timer *t = &pp->timers[pp->timerheap[i].at];
        if (to->ntimers == to->captimers)
            timers_grow(m, to);
        timer_insert(to, t);
        struct ev e = ev_on(to->id, EV_TIMER_MOVE, goid(t->g), ++to->timerseq, pp->id, 0, 0);
        ev_set_cd(&e, t->when);
        emit(m, e);
    }
    pp->ntimers = 0;
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
