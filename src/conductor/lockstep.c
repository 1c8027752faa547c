/* Lockstep: real threads, one at a time; the same seed gives the same course.
 *
 * The baton goes directly from M to M; there is no conductor thread. At each baton point the holder advances the
 * virtual time, makes due sleepers ready, and decides the next holder among the ready Ms. All of this is a function
 * of the seed and of what the Ms do: lists change only under the baton. The order in which the OS wakes or starts
 * threads plays no part: an M whose thread has not started yet is picked like any other, and the baton waits for it.
 *
 * A pause is not part of the course: the holder stops after the decision and keeps the baton, if no rlock is held
 * anywhere; otherwise the baton moves on. Nothing is decided and no time passes meanwhile. */
#include "conductor/conductor_internal.h"
#include <stdlib.h>

#define IDLE_NS INT64_C(60000000000)

/* --- ready Ms: a dense array; its order depends only on the course ------------------------------------------------ */

static void ready_add(struct waiter *w)
{
    struct conductor *c = w->c;
    w->ready_at = c->nready;
    c->ready[c->nready++] = w;
}

static void ready_remove(struct waiter *w)
{
    struct conductor *c = w->c;
    struct waiter *last = c->ready[--c->nready];
    c->ready[w->ready_at] = last;
    last->ready_at = w->ready_at;
    w->ready_at = NOWHERE;
}

/* --- sleepers: a binary heap by deadline, then id ----------------------------------------------------------------- */

static bool sorts_before(const struct waiter *a, const struct waiter *b)
{
    return a->due != b->due ? a->due < b->due : a->id < b->id;
}

static void heap_set(struct conductor *c, uint32_t i, struct waiter *w)
{
    c->heap[i] = w;
    w->heap_at = i;
}

static void heap_up(struct conductor *c, uint32_t i)
{
    struct waiter *w = c->heap[i];
    for (; i > 0 && sorts_before(w, c->heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap_set(c, i, c->heap[(i - 1) / 2]);
    heap_set(c, i, w);
}

static void heap_down(struct conductor *c, uint32_t i)
{
    struct waiter *w = c->heap[i];
    for (uint32_t child; (child = 2 * i + 1) < c->nheap; i = child) {
        if (child + 1 < c->nheap && sorts_before(c->heap[child + 1], c->heap[child]))
            child++;
        if (!sorts_before(c->heap[child], w))
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

/* --- the decision ------------------------------------------------------------------------------------------------- */

static int64_t time_get(const struct conductor *c)
{
    return atomic_load_explicit(&c->time, memory_order_relaxed); /* relaxed: ordered by the baton */
}

void lockstep_make_ready(struct waiter *w)
{
    if (w->ready_at != NOWHERE || w->stalled)
        return;
    if (w->heap_at != NOWHERE)
        heap_remove(w);
    if (w->c->poller == w)
        w->c->poller = NULL;
    w->at = time_get(w->c);
    ready_add(w);
}

/* Sets the time to t and makes due sleepers ready. */
static void advance_time(struct conductor *c, int64_t t)
{
    /* relaxed: ordered by the baton; conductor_time() is exact only when stopped */
    atomic_store_explicit(&c->time, t, memory_order_relaxed);
    while (c->nheap && c->heap[0]->due <= t) {
        struct waiter *w = c->heap[0];
        c->stalls.now -= w->stalled;
        w->stalled = false;
        lockstep_make_ready(w);
    }
}

/* Polls the sockets for the M that waits for them. The holder does this when no other M is ready. With fine points
 * it does so before each decision, so that a socket may become ready while its G is still about to park. */
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
    lockstep_make_ready(w);
}

/* ns pass. With cfg.still none do, but what is logged next is later than all before: the merge goes by the stamps. */
static void pass_time(struct conductor *c, int64_t ns)
{
    if (c->cfg.still)
        c->stamp = (c->stamp > time_get(c) ? c->stamp : time_get(c)) + 1;
    else
        advance_time(c, time_add(time_get(c), ns));
}

void conductor_ran(struct waiter *w, int64_t ns)
{
    if (in_lockstep(w->c) && pace_by_time(w->c))
        w->owed += ns;
    else if (in_lockstep(w->c) && !w->c->cfg.still)
        pass_time(w->c, ns);
}

/* Alone, w need not wait for its time, which would be a jump of it. */
int64_t conductor_use(struct waiter *w, int64_t ns, bool tight)
{
    if (!in_lockstep(w->c))
        return ns;
    if (w->c->cfg.still || w->c->nready > 1)
        return conductor_compute(w, ns, tight);
    pass_time(w->c, ns);
    return ns;
}

/* Sets the time to `to`, before which no M is ready. last: the M that has just stopped; NULL: a controller
 * grants the baton. */
static void jump_time(struct conductor *c, struct waiter *last, int64_t to)
{
    if (last && c->cfg.on_jump)
        c->cfg.on_jump(c->cfg.ctx, last, to);
    if (c->cfg.still)
        pass_time(c, 0); /* `to` may be earlier than the stamp of the jump */
    advance_time(c, to);
}

/* No M is ready and none has a deadline, but one waits for the network. That wait may last as long as the run, so
 * time must pass: it advances by the longest sleep of sysmon, then the poller looks again. Only Go 1.0 gets here,
 * because it has no sysmon. */
static void pass_idle_time(struct conductor *c, struct waiter *last)
{
    jump_time(c, last, time_add(time_get(c), IDLE_NS));
    lockstep_make_ready(c->poller);
}

void lockstep_stall(struct waiter *w, struct waiter *by, int64_t ns)
{
    struct conductor *c = w->c;
    if (w->ready_at != NOWHERE)
        ready_remove(w);
    else if (w->heap_at != NOWHERE)
        heap_remove(w);
    if (c->poller == w)
        c->poller = NULL;
    w->stalled = true;
    c->stalls.now++;
    w->lost += ns;
    w->due = time_add(time_get(c), ns);
    heap_add(w);
    if (c->cfg.on_stall)
        c->cfg.on_stall(c->cfg.ctx, w, by, ns);
}

/* The M that was decided on loses its CPU. Its event is the only one of this time. */
static void stall_decided(struct conductor *c, struct waiter *w, uint32_t class)
{
    lockstep_stall(w, NULL, stall_ns[class]);
    pass_time(c, 1);
}

/* Makes those ready whose time comes before that of the ready Ms. */
static void wake_earlier(struct conductor *c)
{
    while (c->nready && c->nheap && c->heap[0]->due <= pace_first(c)->at)
        advance_time(c, c->heap[0]->due);
}

/* Returns the next holder after w (NULL: the first). NULL: no M is or can ever be ready. */
static struct waiter *next_holder(struct conductor *c, struct waiter *w)
{
    for (;;) {
        uint32_t class;
        if (!c->nready || c->cfg.fine)
            poll_for_poller(c);
        if (!c->nready && c->nheap)
            jump_time(c, w, c->heap[0]->due);
        else if (!c->nready && c->poller)
            pass_idle_time(c, w);
        if (!c->nready)
            return NULL;
        if (pace_by_time(c))
            wake_earlier(c);
        struct waiter *next = decide_m(c, w, &class);
        if (pace_by_time(c) && next->at > time_get(c))
            advance_time(c, next->at);
        if (!class)
            return next;
        stall_decided(c, next, class);
    }
}

/* --- the baton ---------------------------------------------------------------------------------------------------- */

static void grant_baton(struct conductor *c, struct waiter *w)
{
    /* relaxed: for the controller, which reads it when the world says stopped */
    atomic_store_explicit(&c->holder, w, memory_order_relaxed);
    /* release: everything done under the baton so far; pairs with the acquire in baton_leave() */
    atomic_store_explicit(&w->baton, true, memory_order_release);
    word_kick(w);
}

static void drop_baton(struct waiter *w)
{
    /* relaxed: only w reads it as true; the next holder sees its own flag */
    atomic_store_explicit(&w->baton, false, memory_order_relaxed);
    atomic_store_explicit(&w->c->holder, NULL, memory_order_relaxed); /* relaxed: see grant_baton() */
}

/* Hands the baton to the M that is decided on. From here on w owns nothing unless that is w itself. Returns whether it is. */
static bool hand_on(struct waiter *w)
{
    struct conductor *c = w->c;
    struct waiter *next = next_holder(c, w);
    if (next == w)
        return true;
    drop_baton(w);
    if (next)
        grant_baton(c, next);
    else
        control_dry(c);
    return false;
}

/* The holder w gives way. Returns as hand_on(). */
static bool pass_baton(struct waiter *w, int64_t ns)
{
    if (pace_by_time(w->c) && w->ready_at != NOWHERE)
        w->at = time_get(w->c) + pace_cost(w, ns);
    else if (!pace_by_time(w->c))
        pass_time(w->c, w->c->pace.way ? pace_cost(w, ns) : ns);
    return hand_on(w);
}

bool lockstep_obey(struct waiter *w)
{
    struct conductor *c = w->c;
    struct waiter *of = c->decisions.ordered;
    if (!of)
        return false;
    c->decisions.ordered = NULL;
    if (c->decisions.focus)
        decision_turn_over(w);
    stall_decided(c, of, c->decisions.ordered_class);
    (void)hand_on(w);
    return true;
}

/* The old holder may be awake, because a kick reached all Ms, and may have read its baton already, but not yet the world. Were that the
 * world of the next run, it would move without the baton, beside w. With the new epoch it looks again. */
void lockstep_give(struct conductor *c, struct waiter *w)
{
    /* relaxed: stopped */
    struct waiter *holder = atomic_load_explicit(&c->holder, memory_order_relaxed);
    if (holder == w)
        return;
    if (holder) {
        drop_baton(holder);
        /* release: the dropped baton; pairs with the acquire in wait_to_move() */
        atomic_fetch_add_explicit(&c->world, WORLD_EPOCH, memory_order_release);
    }
    grant_baton(c, w);
}

/* Returns whether the holder of the baton, which moves, must look closer before it goes on. */
static bool stop_wanted(const struct conductor *c)
{
    /* acquire: pairs with the release of conductor_run() and its like */
    return (atomic_load_explicit(&c->world, memory_order_acquire) & (WORLD_PAUSED | WORLD_DIE)) || (attention(c) & ATTN_ARMED);
}

/* cfg.still: w spins and no other M is ready, so all wait. */
void lockstep_spin_alone(struct waiter *w)
{
    struct conductor *c = w->c;
    if (c->cfg.still && c->nready == 1 && c->nheap)
        jump_time(c, w, c->heap[0]->due);
}

/* The program is over and w, which stays, is the only M that is ready. A stalled M may be inside a step, which the pause lets it finish: the time
 * until it is ready passes at once, instead of in thousands of turns. */
void lockstep_last(struct waiter *w)
{
    struct conductor *c = w->c;
    if (c->stalls.now && c->nready == 1 && c->nheap)
        advance_time(c, c->heap[0]->due);
}

/* A stop may find w here if it holds no lock, so a single turn ends here, or where w must wait. */
void lockstep_point(struct waiter *w, int64_t ns)
{
    if (w->c->decisions.focus == w && ((!w->hot.nlocks && !w->c->inside) || w->ready_at == NOWHERE))
        decision_turn_over(w);
    if (!pass_baton(w, ns) || stop_wanted(w->c))
        wait_to_move(w);
}

void lockstep_rest(struct waiter *w)
{
    if (!stop_wanted(w->c))
        return;
    w->c->decisions.within = true; /* written and read while no other M moves */
    wait_to_move(w);
    w->c->decisions.within = false;
}

void lockstep_wait(struct waiter *w)
{
    ready_remove(w);
    bool sleeps = w->kind == WAIT_NETPOLL || w->kind == WAIT_NOTE || (w->kind == WAIT_SLEEP && w->c->pace.way);
    bool late = sleeps && w->deadline >= 0 && w->c->cfg.calls && w->c->cfg.stalls;
    w->due = late ? time_add(w->deadline, decide_time(w->c, DECIDE_LATE)) : w->deadline;
    if (w->deadline >= 0)
        heap_add(w);
    if (w->kind == WAIT_NETPOLL)
        w->c->poller = w;
    lockstep_point(w, w->c->point_ns);
}

/* Stops here, with the baton: no M moves any more. */
static enum leave stop_holding(struct conductor *c, uint64_t world)
{
    /* release: what all Ms wrote, which the baton has brought here; pairs with the acquire in world_stopped() */
    if (!atomic_compare_exchange_strong_explicit(&c->world, &world, world - WORLD_ONE, memory_order_release, memory_order_relaxed))
        return LEAVE_AGAIN;
    stop_bump(c);
    return LEAVE_SLEEP;
}

/* Only looks; wait_to_move() sleeps or tries again. The baton is read before the world, so that a step does not run too
 * far: its last holder may have just requested a pause. The epoch shows that between `before_it` and the second read the
 * mode was not switched and no controller took the baton away, so the baton seen is still w's. */
enum leave baton_leave(struct waiter *w, uint64_t before_it)
{
    struct conductor *c = w->c;
    w->remind = false; /* resuming kicks the holder */
    note_held_back(w, false);
    /* acquire: everything done under the baton; pairs with the release in grant_baton() */
    if (!atomic_load_explicit(&w->baton, memory_order_acquire))
        return LEAVE_SLEEP;
    bool behind = held_back(w); /* before the world: the fold asks for a pause before it passes the event at which it
                                 * stops */
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
        return atomic_compare_exchange_strong_explicit(&c->world, &v, v + WORLD_ONE, memory_order_acq_rel, memory_order_relaxed)
                   ? LEAVE_GO
                   : LEAVE_AGAIN;
    if (!world_moving(v))
        return LEAVE_SLEEP;
    return c->held || c->inside ? LEAVE_GO : stop_holding(c, v);
}

/* w has ended, or its thread could not be created. In the second case its creator calls this, and holds the baton
 * unless no M runs. */
void lockstep_exit(struct waiter *w, bool last)
{
    struct conductor *c = w->c;
    conductor_touch(w, FOOT_ALL);
    if (w->ready_at != NOWHERE) {
        ready_remove(w);
    } else { /* its thread could not be created, and it was stalled meanwhile */
        heap_remove(w);
        c->stalls.now--;
    }
    /* relaxed: ordered by the baton */
    if (atomic_load_explicit(&c->holder, memory_order_relaxed) != w)
        return;
    if (c->decisions.focus == w)
        decision_turn_over(w);
    if (!last) {
        (void)pass_baton(w, c->point_ns);
        return;
    }
    drop_baton(w);
    if (w->entered)
        free_halt(c);
}

/* --- between the modes, by the controller while stopped ----------------------------------------------------------- */

bool lockstep_start(struct conductor *c)
{
    /* relaxed: stopped */
    if (atomic_load_explicit(&c->holder, memory_order_relaxed))
        return true;
    struct waiter *w = next_holder(c, NULL);
    if (w)
        grant_baton(c, w);
    return w != NULL;
}

/* relaxed, all: stopped, so the world's acquire has ordered them. w->readable is not read: its owner may just be
 * leaving ppoll. A socket that is ready stays ready, and poll_for_poller() finds it. */
static bool was_woken(const struct waiter *w)
{
    switch (w->kind) {
    case WAIT_GATE:
    case WAIT_LOCK:
        return true;
    case WAIT_NOTE:
        return atomic_load_explicit(&w->note->key, memory_order_relaxed) == 1;
    case WAIT_COMPUTE:
        return !w->tight && atomic_load_explicit(&w->cut, memory_order_relaxed);
    case WAIT_NETPOLL:
        return atomic_load_explicit(&w->c->netbreak, memory_order_relaxed) || atomic_load_explicit(&w->got, memory_order_relaxed) > 0;
    case WAIT_SLEEP:
    case WAIT_BLOCK:
        break;
    }
    return false;
}

/* Gives w the state that it would have if it had begun its wait in lockstep. */
static void adopt_waiter(struct waiter *w)
{
    struct conductor *c = w->c;
    bool woken = was_woken(w);
    w->due = w->deadline;
    if (w->kind == WAIT_NETPOLL && !woken)
        c->poller = w;
    if (woken)
        ready_add(w);
    else if (w->deadline >= 0)
        heap_add(w);
}

void lockstep_adopt(struct conductor *c, int64_t t)
{
    for (size_t i = 0; i < c->all.n; i++) {
        if (c->all.v[i]->gone)
            continue;
        adopt_waiter(c->all.v[i]);
        t = c->all.v[i]->hot.last > t ? c->all.v[i]->hot.last : t;
    }
    advance_time(c, t);
}

void lockstep_drop(struct conductor *c)
{
    for (size_t i = 0; i < c->all.n; i++) {
        struct waiter *w = c->all.v[i];
        w->ready_at = w->heap_at = NOWHERE;
        w->stalled = false;
        /* relaxed: the epoch that changes next makes any earlier read of it void */
        atomic_store_explicit(&w->baton, false, memory_order_relaxed);
    }
    c->nready = c->nheap = c->held = c->inside = c->stalls.now = 0;
    c->poller = NULL;
    c->decisions.focus = c->decisions.ordered = NULL;
    conductor_forget_choices(c);                                   /* decisions are numbered in lockstep only */
    atomic_store_explicit(&c->holder, NULL, memory_order_relaxed); /* relaxed: stopped */
}
