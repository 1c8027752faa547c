/* Lockstep: real threads, one at a time; the same seed gives the same course.
 *
 * A baton goes directly from M to M, there is no conductor thread. At each baton point the holder advances the virtual
 * time, makes due sleepers able to go on, and draws the next holder among the able. All of it is a function of the
 * seed and of what the Ms do: lists change only under the baton, the order of an OS wake-up or of a thread's birth
 * plays no part (a thread that is not born yet is drawn like any other, the baton waits for it).
 *
 * A pause is not part of the course: the holder stops after the draw, keeping the baton, if no rlock is held anywhere;
 * otherwise the baton goes on. Nothing is drawn and no time passes meanwhile.
 */
#include "conductor/conductor_internal.h"
#include <stdlib.h>

#define IDLE_NS INT64_C(60000000000)

/* --- the able: a dense array; its order depends only on the course ------------------------------------------------ */

static void able_add(struct waiter *w)
{
    struct conductor *c = w->c;
    w->able_at = c->nable;
    c->able[c->nable++] = w;
}

static void able_remove(struct waiter *w)
{
    struct conductor *c = w->c;
    struct waiter *last = c->able[--c->nable];
    c->able[w->able_at] = last;
    last->able_at = w->able_at;
    w->able_at = NOWHERE;
}

/* --- the sleepers: a binary heap by deadline, then id ------------------------------------------------------------- */

static bool before(const struct waiter *a, const struct waiter *b)
{
    return a->deadline != b->deadline ? a->deadline < b->deadline : a->id < b->id;
}

static void heap_set(struct conductor *c, uint32_t i, struct waiter *w)
{
    c->heap[i] = w;
    w->heap_at = i;
}

static void heap_up(struct conductor *c, uint32_t i)
{
    struct waiter *w = c->heap[i];
    for (; i > 0 && before(w, c->heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap_set(c, i, c->heap[(i - 1) / 2]);
    heap_set(c, i, w);
}

static void heap_down(struct conductor *c, uint32_t i)
{
    struct waiter *w = c->heap[i];
    for (uint32_t child; (child = 2 * i + 1) < c->nheap; i = child) {
        if (child + 1 < c->nheap && before(c->heap[child + 1], c->heap[child]))
            child++;
        if (!before(c->heap[child], w))
            break;
        heap_set(c, i, c->heap[child]);
    }
    heap_set(c, i, w);
}

static void heap_add(struct waiter *w)
{
    heap_set(w->c, w->c->nheap++, w);
    heap_up(w->c, w->heap_at);
}

static void heap_remove(struct waiter *w)
{
    struct conductor *c = w->c;
    uint32_t i = w->heap_at;
    struct waiter *last = c->heap[--c->nheap];
    w->heap_at = NOWHERE;
    if (last == w)
        return;
    heap_set(c, i, last);
    heap_up(c, i);
    heap_down(c, last->heap_at);
}

/* --- the draw ----------------------------------------------------------------------------------------------------- */

void lockstep_able(struct waiter *w)
{
    if (w->able_at != NOWHERE)
        return;
    if (w->heap_at != NOWHERE)
        heap_remove(w);
    if (w->c->poller == w)
        w->c->poller = NULL;
    able_add(w);
}

static int64_t time_get(const struct conductor *c)
{
    return atomic_load_explicit(&c->time, memory_order_relaxed); /* relaxed: ordered by the baton */
}

/* Time becomes t; whoever is due can go on. */
static void advance(struct conductor *c, int64_t t)
{
    /* relaxed: ordered by the baton; conductor_time() is exact only when stopped */
    atomic_store_explicit(&c->time, t, memory_order_relaxed);
    while (c->nheap && c->heap[0]->deadline <= t)
        lockstep_able(c->heap[0]);
}

/* The socket poll of the one who waits for it, done by the holder when nobody else can go on; with fine points before each draw, so that
 * readiness may also come while its G is still on the way to its parking. */
static void poll_for_poller(struct conductor *c)
{
    struct waiter *w = c->poller;
    if (!w || w->epfd < 0)
        return;
    int n = net_fetch(w->epfd, w->events, w->max);
    if (n <= 0)
        return;
    /* relaxed: w reads it under the baton, or after the world's acquire */
    atomic_store_explicit(&w->got, n, memory_order_relaxed);
    lockstep_able(w);
}

/* Sets the time to `to`, before which no M can go on. last: the M that has just come to rest; NULL: a controller gives out the baton. */
static void jump(struct conductor *c, struct waiter *last, int64_t to)
{
    if (last && c->cfg.on_jump)
        c->cfg.on_jump(c->cfg.ctx, last, to);
    advance(c, to);
}

/* No M can go on and none has a deadline, but one waits for the network. That wait may last as long as the run, so time must pass: it advances
 * by the longest sleep of sysmon, then the poller looks again. Only Go 1.0 gets here, because it has no sysmon. */
static void idle(struct conductor *c, struct waiter *last)
{
    jump(c, last, time_add(time_get(c), IDLE_NS));
    lockstep_able(c->poller);
}

/* The next holder after w (NULL: the first); NULL: nobody can go on, now or ever. */
static struct waiter *draw(struct conductor *c, struct waiter *w)
{
    if (!c->nable || c->cfg.fine)
        poll_for_poller(c);
    if (!c->nable && c->nheap)
        jump(c, w, c->heap[0]->deadline);
    else if (!c->nable && c->poller)
        idle(c, w);
    if (!c->nable)
        return NULL;
    return draw_m(c, w);
}

/* --- the baton ---------------------------------------------------------------------------------------------------- */

static void grant(struct conductor *c, struct waiter *w)
{
    /* relaxed: for the controller, which reads it when the world says stopped */
    atomic_store_explicit(&c->holder, w, memory_order_relaxed);
    /* release: everything done under the baton so far; pairs with the acquire in baton_leave() */
    atomic_store_explicit(&w->baton, true, memory_order_release);
    word_kick(w);
}

static void lay_down(struct waiter *w)
{
    /* relaxed: only w reads it as true; the next holder learns of it by its own flag */
    atomic_store_explicit(&w->baton, false, memory_order_relaxed);
    atomic_store_explicit(&w->c->holder, NULL, memory_order_relaxed); /* relaxed: see grant() */
}

/* The holder w gives way: from here on w owns nothing unless it was drawn itself. */
static void pass(struct waiter *w, int64_t ns)
{
    struct conductor *c = w->c;
    advance(c, time_add(time_get(c), ns));
    struct waiter *next = draw(c, w);
    if (next == w)
        return;
    lay_down(w);
    if (next)
        grant(c, next);
    else
        control_dry(c);
}

void lockstep_give(struct conductor *c, struct waiter *w)
{
    /* relaxed: stopped */
    struct waiter *holder = atomic_load_explicit(&c->holder, memory_order_relaxed);
    if (holder == w)
        return;
    if (holder)
        lay_down(holder);
    grant(c, w);
}

/* A place where a stop may find w, if it holds no lock: so a single turn ends here, or where w must wait. */
void lockstep_point(struct waiter *w, int64_t ns)
{
    if (w->c->draws.focus == w && ((!w->hot.nlocks && !w->c->inside) || w->able_at == NOWHERE))
        draw_turn_over(w);
    pass(w, ns);
    go_on(w);
}

void lockstep_wait(struct waiter *w)
{
    able_remove(w);
    if (w->deadline >= 0)
        heap_add(w);
    if (w->kind == WAIT_NETPOLL)
        w->c->poller = w;
    lockstep_point(w, POINT_NS);
}

/* Stop here, with the baton: nobody moves any more. */
static enum leave stop_holding(struct conductor *c, uint64_t world)
{
    /* release: what all Ms wrote, which the baton has brought here; pairs with the acquire in world_stopped() */
    if (!atomic_compare_exchange_strong_explicit(&c->world, &world, world - WORLD_ONE, memory_order_release,
                                                 memory_order_relaxed))
        return LEAVE_AGAIN;
    stop_bump(c);
    return LEAVE_SLEEP;
}

/* Only a look; go_on() sleeps or tries again. The baton is looked at before the world: the one who gave it may have asked
 * for a pause just before, and a step must not run over. The epoch tells that no mode switch lay between `before_it`
 * and the second look, so the baton seen is not one of an earlier lockstep time. */
enum leave baton_leave(struct waiter *w, uint64_t before_it)
{
    struct conductor *c = w->c;
    w->remind = false; /* resuming kicks the holder */
    note_held_back(w, false);
    /* acquire: all that was done under the baton; pairs with the release in grant() */
    if (!atomic_load_explicit(&w->baton, memory_order_acquire))
        return LEAVE_SLEEP;
    bool behind = held_back(w); /* before the world: the fold asks for a pause before it passes the event that it stops at */
    /* acquire: pairs with the release of conductor_run() and its like */
    uint64_t v = atomic_load_explicit(&c->world, memory_order_acquire);
    if ((v ^ before_it) / WORLD_EPOCH)
        return LEAVE_AGAIN;
    if (!(v & WORLD_PAUSED) && behind) {
        note_held_back(w, true); /* with the baton; a pause kicks */
        return LEAVE_SLEEP;
    }
    if (!(v & WORLD_PAUSED) && world_moving(v))
        return LEAVE_GO;
    if (!(v & WORLD_PAUSED)) /* acq_rel: as in free_leave() */
        return atomic_compare_exchange_strong_explicit(&c->world, &v, v + WORLD_ONE, memory_order_acq_rel,
                                                       memory_order_relaxed) ? LEAVE_GO : LEAVE_AGAIN;
    if (!world_moving(v))
        return LEAVE_SLEEP;
    return c->held || c->inside ? LEAVE_GO : stop_holding(c, v);
}

/* w has left for good, or its thread could not be made (then its creator calls, who holds the baton, or nobody runs). */
void lockstep_exit(struct waiter *w, bool last)
{
    struct conductor *c = w->c;
    able_remove(w);
    /* relaxed: ordered by the baton */
    if (atomic_load_explicit(&c->holder, memory_order_relaxed) != w)
        return;
    if (c->draws.focus == w)
        draw_turn_over(w);
    if (!last) {
        pass(w, POINT_NS);
        return;
    }
    lay_down(w);
    if (w->entered)
        free_halt(c);
}

/* --- between the modes, by the controller while stopped ----------------------------------------------------------- */

bool lockstep_start(struct conductor *c)
{
    /* relaxed: stopped */
    if (atomic_load_explicit(&c->holder, memory_order_relaxed))
        return true;
    struct waiter *w = draw(c, NULL);
    if (w)
        grant(c, w);
    return w != NULL;
}

/* relaxed, all: stopped, so the world's acquire has ordered them. w->ready is not looked at: its owner may be coming out
 * of ppoll just now; what is ready stays so, and poll_for_poller() finds it. */
static bool was_woken(const struct waiter *w)
{
    switch (w->kind) {
    case WAIT_GATE: case WAIT_LOCK:
        return true;
    case WAIT_NOTE:
        return atomic_load_explicit(&w->note->key, memory_order_relaxed) == 1;
    case WAIT_COMPUTE:
        return !w->tight && atomic_load_explicit(&w->cut, memory_order_relaxed);
    case WAIT_NETPOLL:
        return atomic_load_explicit(&w->c->netbreak, memory_order_relaxed) ||
               atomic_load_explicit(&w->got, memory_order_relaxed) > 0;
    case WAIT_SLEEP: case WAIT_BLOCK:
        break;
    }
    return false;
}

/* Makes w what it would be if it had begun its wait in lockstep. */
static void adopt(struct waiter *w)
{
    struct conductor *c = w->c;
    bool woken = was_woken(w);
    if (w->kind == WAIT_NETPOLL && !woken)
        c->poller = w;
    if (woken)
        able_add(w);
    else if (w->deadline >= 0)
        heap_add(w);
}

void lockstep_adopt(struct conductor *c, int64_t t)
{
    for (size_t i = 0; i < c->all.n; i++) {
        if (c->all.v[i]->gone)
            continue;
        adopt(c->all.v[i]);
        t = c->all.v[i]->hot.last > t ? c->all.v[i]->hot.last : t;
    }
    advance(c, t);
}

void lockstep_drop(struct conductor *c)
{
    for (size_t i = 0; i < c->all.n; i++) {
        struct waiter *w = c->all.v[i];
        w->able_at = w->heap_at = NOWHERE;
        /* relaxed: the epoch that changes next makes any earlier look at it void */
        atomic_store_explicit(&w->baton, false, memory_order_relaxed);
    }
    c->nable = c->nheap = c->held = c->inside = 0;
    c->poller = NULL;
    c->draws.focus = NULL;
    conductor_forget_choices(c); /* draws are numbered in lockstep only */
    atomic_store_explicit(&c->holder, NULL, memory_order_relaxed); /* relaxed: stopped */
}
