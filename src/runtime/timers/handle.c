/* Timers that can be stopped and reset (Go: newTimer, goFunc, timer.stop, timer.modify, maybeRunChan, blockTimerChan, unblockTimerChan).
 *
 * Since 1.23 (sync_timer_channels) such a timer is in a heap only while a G waits for its channel. If none does, it sends when somebody looks:
 * so the channel has a value only if the timer is due. Stop and Reset take that value out of it, so nobody receives one of an earlier time.
 * Until then the timer is in a heap from the start, and what it has sent stays in the channel.
 */
#include "runtime/timers/handle.h"
#include "runtime/sched/race.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool timers_sync(const struct sched *s)
{
    return !disabled(s, DIS_SYNC_TIMER_CHANNELS);
}

static void log_op(struct m *m, const struct hchan *c, enum timer_op op, bool pending)
{
    if (c)
        emit_object(m, ev_of(m, EV_TIMER_OP, goid(curg(m)), c->id, op, pending, 0));
}

/* needsAdd. Returns when t, which is in no heap, is due; 0: it must not be put into one. */
static int64_t needs_add(const struct m *m, const struct handle *t)
{
    explore_point(m); /* an M may pop it */
    /* acquire: t->when; pairs with release in out_of_heap(). Only an M with the channel's lock, as we have it, puts it into a heap */
    bool out = !atomic_load_explicit(&t->p, memory_order_acquire);
    return out && (t->fn || !timers_sync(m->sched) || t->blocked > 0) ? t->when : 0;
}

/* Takes what the timer has sent out of its channel. Returns true if there was something. */
static bool drain(struct hchan *c)
{
    bool any = c->qcount > 0;
    while (c->qcount > 0)
        chan_buf_take(c);
    return any;
}

/* What Stop and Reset have in common since 1.23: no value of before is received any more. This half is done under the lock of the heap that
 * the timer is in, so that an M which pops it next sees the new number with the new time. Returns true if a send is given up. */
static bool give_up_send(const struct m *m, struct handle *t)
{
    t->seq++;
    /* relaxed: incremented under the heap's lock, decremented under the channel's */
    return t->c && timers_sync(m->sched) && !t->period && atomic_load_explicit(&t->sending, memory_order_relaxed) > 0;
}

/* The other half: takes what was sent. Returns true if there was something. */
static bool forget_sent(const struct m *m, const struct handle *t)
{
    return t->c && timers_sync(m->sched) && drain(t->c);
}

static struct handle *handle_new(struct m *m)
{
    struct sched *s = m->sched;
    memory_need(m, MEMORY_TIMER, sizeof(struct handle));
    struct handle *t = calloc(1, sizeof *t);
    if (!t)
        lack(m, "cannot allocate memory for timers", ENOMEM);
    lock(m, &s->gflock);
    t->next = s->handles;
    s->handles = t;
    unlock(m, &s->gflock);
    return t;
}

void handles_free(struct sched *s)
{
    for (struct handle *t = s->handles, *next; t; t = next) {
        next = t->next;
        free(t);
    }
}

/* The program makes another timer in the place of t: no G can reach t any more. */
static void give_up(struct m *m, struct handle *t)
{
    struct p *pp = handle_lock(m, t);
    if (!pp)
        return;
    handle_changed(m, pp, t, TIMER_NOW_UNREACHABLE);
    t->c = NULL;
    unlock(m, &pp->timerslock);
}

/* newTimer. */
static void make(struct hchan *c, int64_t ns, int64_t period)
{
    struct m *m = getm();
    struct handle *made = handle_new(m);
    lock(m, &c->lock);
    if (c->recvq.first) {
        unlock(m, &c->lock);
        lack(m, "a goroutine waits for a timer that is made again; gmpscope has one channel for each name: use reset, or another name", 0);
    }
    drain(c);
    if (c->timer)
        give_up(m, c->timer);
    *made = (struct handle){.c = c, .when = when(m, ns), .period = period, .race = race_timer(m), .next = made->next};
    c->timer = made;
    atomic_store_explicit(&c->made, true, memory_order_release); /* the timer; pairs with acquire in rt_timer_made() */
    int64_t at = needs_add(m, made);
    bool wake = at && handle_add(m, made);
    log_op(m, c, TIMER_OP_NEW, true);
    unlock(m, &c->lock);
    if (wake)
        m->sched->gen->timer_added(m, heap_for(m), at, true);
}

void rt_timer_new(struct hchan *c, int64_t ns)
{
    safepoint();
    make(c, ns, 0);
}

void rt_ticker_new(struct hchan *c, int64_t ns)
{
    safepoint();
    if (ns <= 0)
        fatalpanic("non-positive interval for NewTicker");
    make(c, ns, ns);
}

bool rt_timer_made(const struct hchan *c)
{
    return atomic_load_explicit(&c->made, memory_order_acquire); /* pairs with release in make() */
}

/* Caller: has passed a safe point. l: the lock of t's channel, or t's own; locked, and unlocked at the end. */
static bool stop(struct m *m, struct handle *t, struct rlock *l)
{
    struct p *pp = handle_lock(m, t);
    bool pending = t->when != 0;
    t->when = 0;
    if (pp && !m->sched->gen->timers_in_p)
        handle_remove(m, pp, t);
    else if (pp && !t->zombie)
        handle_changed(m, pp, t, TIMER_NOW_ZOMBIE);
    pending |= give_up_send(m, t);
    if (pp)
        unlock(m, &pp->timerslock);
    pending |= forget_sent(m, t);
    log_op(m, t->c, TIMER_OP_STOP, pending);
    unlock(m, l);
    return pending;
}

bool rt_timer_stop(struct hchan *c)
{
    safepoint();
    struct m *m = getm();
    lock(m, &c->lock);
    return stop(m, c->timer, &c->lock);
}

bool rt_func_stop(struct handle *t)
{
    safepoint();
    struct m *m = getm();
    lock(m, &t->lock);
    return stop(m, t, &t->lock);
}

/* modify, of an entry in heap pp, which is locked. Returns true if an M must look at the heap earlier. */
static bool modify(struct m *m, struct p *pp, struct handle *t)
{
    bool wake = pp->minmodified == 0 || t->when < pp->minmodified;
    if (disabled(m->sched, DIS_LAZY_TIMERS)) /* up to 1.22 only a time that becomes earlier counts */
        wake = wake && t->when < t->logged;
    pp->minmodified = wake ? t->when : pp->minmodified;
    handle_changed(m, pp, t, TIMER_NOW_MOVED);
    return wake;
}

/* As stop(). */
static bool reset(struct m *m, struct handle *t, int64_t ns, struct rlock *l)
{
    struct p *pp = handle_lock(m, t);
    bool pending = t->when != 0, wake = false;
    int64_t at = t->when = when(m, ns);
    t->period = t->period ? ns : 0;
    if (pp && !m->sched->gen->timers_in_p)
        handle_remove(m, pp, t);
    else if (pp)
        wake = modify(m, pp, t);
    pending |= give_up_send(m, t);
    if (pp)
        unlock(m, &pp->timerslock);
    explore_point(m); /* an M may pop it, and is to send */
    pending |= forget_sent(m, t);
    if (needs_add(m, t))
        wake = handle_add(m, t);
    log_op(m, t->c, TIMER_OP_RESET, pending);
    unlock(m, l);
    if (wake)
        m->sched->gen->timer_added(m, heap_for(m), at, true);
    return pending;
}

bool rt_timer_reset(struct hchan *c, int64_t ns)
{
    safepoint();
    struct m *m = getm();
    lock(m, &c->lock);
    if (c->timer->period && ns <= 0) {
        unlock(m, &c->lock);
        fatalpanic("non-positive interval for Ticker.Reset");
    }
    return reset(m, c->timer, ns, &c->lock);
}

bool rt_func_reset(struct handle *t, int64_t ns)
{
    safepoint();
    struct m *m = getm();
    lock(m, &t->lock);
    return reset(m, t, ns, &t->lock);
}

struct handle *rt_func_new(int64_t ns, rt_fn *fn, const void *arg, size_t size, uint32_t prog)
{
    safepoint();
    struct m *m = getm();
    struct handle *t = handle_new(m);
    t->when = when(m, ns);
    t->race = race_timer(m);
    t->lock.rank = RANK_OTHER;
    t->fn = fn;
    t->prog = prog;
    t->size = (uint32_t)size;
    memcpy(t->arg, arg, size);
    int64_t at = t->when;
    lock(m, &t->lock);
    bool wake = handle_add(m, t);
    unlock(m, &t->lock);
    if (wake)
        m->sched->gen->timer_added(m, heap_for(m), at, true);
    return t;
}

const void *rt_func_arg(const struct handle *t)
{
    return t->arg;
}

/* ---- the channel ---- */

void handle_look(struct m *m, struct hchan *c)
{
    struct handle *t = c->timer;
    if (!timers_sync(m->sched) || atomic_load_explicit(&t->p, memory_order_acquire)) /* pairs with release in out_of_heap() */
        return;
    int64_t now = nanotime(m), due = t->when;
    if (due == 0 || due > now)
        return;
    t->when = t->period ? timer_next(due, t->period, now) : 0;
    log_op(m, c, TIMER_OP_LATE, true);
    m->racectx = t->race;
    if (c->qcount < c->dataqsiz)
        chan_buf_put(c, due, NULL);
    m->racectx = 0;
}

struct handle *handle_block(struct hchan *c)
{
    struct handle *t = c->timer;
    t->blocked++;
    return t;
}

int64_t handle_blocked(struct m *m, struct hchan *c)
{
    struct handle *t = c->timer;
    if (!timers_sync(m->sched))
        return 0;
    struct p *pp = handle_lock(m, t);
    if (pp) {
        if (t->zombie && t->when)
            handle_changed(m, pp, t, TIMER_NOW_BACK);
        unlock(m, &pp->timerslock);
    }
    int64_t at = needs_add(m, t);
    return at && handle_add(m, t) ? at : 0;
}

void handle_unblock(struct m *m, struct handle *t)
{
    struct p *pp = --t->blocked == 0 && timers_sync(m->sched) ? handle_lock(m, t) : NULL;
    if (!pp)
        return;
    if (!t->zombie)
        handle_changed(m, pp, t, TIMER_NOW_ZOMBIE);
    unlock(m, &pp->timerslock);
}

void handle_send(struct m *m, const struct timer *t)
{
    struct handle *own = t->owner;
    bool sync = timers_sync(m->sched), stopped = false;
    if (t->c) {
        lock(m, &t->c->lock);
        stopped = t->c->timer != own || (sync && own->seq != t->seq);
    }
    if (!t->period)
        atomic_fetch_sub_explicit(&own->sending, 1, memory_order_relaxed); /* under the channel's lock, unless nobody can see it */
    if (!t->c)
        return;
    if (stopped)
        unlock(m, &t->c->lock);
    else
        chan_offer_locked(m, t->c, sync ? t->when : nanotime(m));
}
