/* See waits.h. Which Gs are stuck is a fixed point over the nodes of the programs (flow.h), not over Gs, so a million Gs in one loop cost one node.
 *
 *   reached   a G is at the node, or could come to it
 *   passed    something lets it continue: the object is free now, or a node is reached that would free it
 *
 * It starts with the nodes where Gs are. A node that is passed reaches those that follow. What grows only adds ways on, so the order does not matter. In
 * the end a G that waits at a node that is not passed can never be released. An unbuffered channel needs two Gs: `who` has the only G that
 * reaches a node, or WHO_MANY. */
#include "model/waits.h"
#include "base/arena.h"
#include "model/waits_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- where each G is ---- */

/* Can a G that waits for this be at the node? */
static bool fits(const struct flow_node *n, const struct model_g *g)
{
    struct ev_object o = ev_waits_for(g->reason, g->obj);
    bool here = covers(n, o.id) && !n->in_case;
    switch (g->reason) {
    case WAIT_REASON_SELECT:
    case WAIT_REASON_SELECT_NO_CASES:
        return n->kind == FLOW_SELECT;
    case WAIT_REASON_CHAN_RECEIVE:
        return here && (n->kind == FLOW_RECV || n->kind == FLOW_RANGE);
    case WAIT_REASON_CHAN_SEND:
        return here && n->kind == FLOW_SEND;
    case WAIT_REASON_RWMUTEX_RLOCK:
        return here && n->kind == FLOW_RLOCK;
    case WAIT_REASON_RWMUTEX_LOCK:
        return here && n->kind == FLOW_WLOCK;
    case WAIT_REASON_COND_WAIT:
        return here && n->kind == FLOW_COND_WAIT;
    case WAIT_REASON_IO_WAIT:
        return here && (n->kind == FLOW_READ || n->kind == FLOW_WRITE);
    default:
        return o.kind == OBJ_MUTEX       ? (here && n->kind == FLOW_LOCK) || covers_mutex(n, o.id)
               : o.kind == OBJ_WRITERS   ? here && n->kind == FLOW_WLOCK
               : o.kind == OBJ_WAITGROUP ? here && n->kind == FLOW_WAIT
               : o.kind == OBJ_CONN      ? here && (n->kind == FLOW_READ || n->kind == FLOW_WRITE)
                                         : n->kind == FLOW_PLAIN;
    }
}

/* Notes the line where a G of a Go program is. */
static uint32_t line_of(const struct waits_config *c, uint32_t g)
{
    uint32_t op;
    return c->flow && c->flow->lines && model_g_op(c->md, g, &op) && op < c->flow->nops ? c->flow->node[c->flow->of_op[op]].line : 0;
}

static const struct waits_reach *reach_of(const struct waits *w, uint32_t g)
{
    for (size_t i = 0; i < w->reach.n; i++)
        if (w->reach.v[i].g == g)
            return &w->reach.v[i];
    return NULL;
}

/* Returns the node where the G is: by its recorded place or, if it waits, the only operation of its program at which it can wait so. FLOW_NONE: unknown. */
static uint32_t node_of(const struct waits *w, const struct model_g *g)
{
    const struct flow *f = w->flow;
    uint32_t op, found = FLOW_NONE;
    if (!f || g->fn >= f->nfn)
        return FLOW_NONE;
    if (model_g_op(w->md, g->id, &op) && op < f->nops) {
        uint32_t at = f->of_op[op];
        if (may_run(&f->node[at], g->fn) && (g->status != G_WAITING || fits(&f->node[at], g)))
            return at;
    }
    for (uint32_t i = 0; g->status == G_WAITING && g->reason != WAIT_REASON_SLEEP && i < f->n; i++)
        if (may_run(&f->node[i], g->fn) && f->node[i].kind != FLOW_PLAIN && fits(&f->node[i], g)) {
            if (found != FLOW_NONE)
                return FLOW_NONE;
            found = i;
        }
    return found;
}

static bool lives(const struct waits *w, const struct model_g *g)
{
    return g && g->status != G_DEAD && g->status != G_IDLE && !ev_is_system_g(g->id) && !(w->returned && g->id == 1);
}

static bool collect(struct waits *w, const struct waits_config *c)
{
    for (uint32_t id = 0; (id = model_next_live(w->md, id));) {
        const struct model_g *g = model_g(w->md, id);
        if (!lives(w, g))
            continue;
        struct waits_g at = {.id = id, .node = node_of(w, g), .line = line_of(c, id), .reach = reach_of(w, id)};
        if ((c->most && w->g.n == c->most) || !vec_push(&w->g, at))
            return false;
    }
    return true;
}

const struct waits_g *waits_find(const struct waits *w, uint32_t g)
{
    size_t low = 0, high = w->g.n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (w->g.v[mid].id < g)
            low = mid + 1;
        else
            high = mid;
    }
    return low < w->g.n && w->g.v[low].id == g ? &w->g.v[low] : NULL;
}

/* ---- objects ---- */

struct waits_object *waits_object(const struct waits *w, enum ev_object_kind kind, uint32_t id)
{
    return &w->object[kind][id < w->objects[kind] ? id : 0];
}

static bool make_objects(struct waits *w)
{
    for (int k = 0; k < OBJ_KINDS; k++) {
        w->objects[k] = model_objects(w->md, (enum ev_object_kind)k) + 1;
        if (!(w->object[k] = calloc(w->objects[k], sizeof *w->object[k])))
            return false;
    }
    return true;
}

static int other_end(int end)
{
    return end == CONN_END_A ? CONN_END_B : CONN_END_A;
}

/* Notes what is not to be had now, because a G waits for it. */
static void note_wait(struct waits *w, const struct model_g *g, uint32_t node)
{
    struct ev_object o = ev_waits_for(g->reason, g->obj);
    if (g->reason == WAIT_REASON_SELECT && node != FLOW_NONE)
        for (uint32_t k = w->flow->node[node].alt; k != FLOW_NONE; k = w->flow->node[k].alt) {
            const struct flow_node *n = &w->flow->node[k];
            struct waits_object *c = waits_object(w, OBJ_CHAN, n->n == 1 ? n->id : 0); /* of an array, which one is not known */
            c->empty |= n->kind == FLOW_RECV;
            c->full |= n->kind == FLOW_SEND;
        }
    struct waits_object *to = waits_object(w, o.kind == OBJ_WRITERS ? OBJ_RWMUTEX : o.kind, o.id);
    to->empty |= g->reason == WAIT_REASON_CHAN_RECEIVE;
    to->full |= g->reason == WAIT_REASON_CHAN_SEND;
    to->held |= o.kind == OBJ_MUTEX || o.kind == OBJ_WRITERS || g->reason == WAIT_REASON_RWMUTEX_RLOCK;
    to->read |= g->reason == WAIT_REASON_RWMUTEX_LOCK;
    to->counts |= o.kind == OBJ_WAITGROUP;
    if (node != FLOW_NONE && w->flow->node[node].kind == FLOW_WRITE)
        to->full_from[w->flow->node[node].end] = true;
    if (node != FLOW_NONE && w->flow->node[node].kind == FLOW_COND_WAIT && o.kind == OBJ_MUTEX)
        w->node[node].woken = true;
}

static void note_objects(struct waits *w)
{
    for (int k = 0; w->recorded && k < OBJ_KINDS; k++)
        for (uint32_t id = 1; id < w->objects[k]; id++) {
            struct model_object o = model_object(w->md, (struct ev_object){(enum ev_object_kind)k, id});
            struct waits_object *to = &w->object[k][id];
            bool empty = k == OBJ_CHAN && o.n == 0 && !o.closed;
            to->empty |= empty;
            to->closed = k == OBJ_CHAN && o.closed;
            to->full |= k == OBJ_CHAN && !o.closed && (uint32_t)o.n >= model_object_cap(w->md, (struct ev_object){OBJ_CHAN, id});
            to->held |= o.held > 0;
            to->read |= k == OBJ_RWMUTEX && o.n > 0;
            to->counts |= k == OBJ_WAITGROUP && o.n > 0;
            to->dry[CONN_END_A] = k == OBJ_CONN && o.n <= 0;
            to->dry[CONN_END_B] = k == OBJ_CONN && o.n2 <= 0;
            to->full_from[CONN_END_A] = k == OBJ_CONN && o.n >= (int32_t)CONN_CREDIT;
            to->full_from[CONN_END_B] = k == OBJ_CONN && o.n2 >= (int32_t)CONN_CREDIT;
        }
}

/* A G that waits for a conn says little about its bytes: the socket may be ready, but not polled yet. So where the bytes are not known, it is dry if
 * no program ever writes at that end, and full if a G waits to write and no program ever reads at the other. */
static void guess_conns(struct waits *w)
{
    for (uint32_t id = 1; id < w->objects[OBJ_CONN]; id++)
        for (int end = 0; end < 2; end++)
            w->object[OBJ_CONN][id].dry[end] = true;
    for (uint32_t i = 0; i < w->flow->n; i++) {
        const struct flow_node *n = &w->flow->node[i];
        for (uint32_t id = n->id; (n->kind == FLOW_READ || n->kind == FLOW_WRITE) && id < n->id + n->n; id++) {
            struct waits_object *c = waits_object(w, OBJ_CONN, id);
            *(n->kind == FLOW_WRITE ? &c->dry[n->end] : &c->full_from[other_end(n->end)]) = false;
        }
    }
}

/* ---- the fixed point ---- */

static void reach(struct waits *w, uint32_t at, uint32_t who, bool enters)
{
    if (at == FLOW_NONE)
        return;
    struct waits_node *n = &w->node[at];
    uint32_t now = !n->who || n->who == who ? who : WHO_MANY;
    w->changed |= now != n->who || (enters && !n->entered);
    n->who = now;
    n->entered |= enters;
}

static uint32_t joined(uint32_t a, uint32_t b)
{
    return !a || a == b ? b : WHO_MANY;
}

/* Can these two be different Gs? */
static bool two(uint32_t a, uint32_t b)
{
    return a && b && (a != b || a == WHO_MANY);
}

static bool can_receive(const struct waits *w, uint32_t id, uint32_t who)
{
    const struct waits_object *c = waits_object(w, OBJ_CHAN, id);
    bool buffered = model_object_cap(w->md, (struct ev_object){OBJ_CHAN, id}) > 0;
    return !c->empty || c->ticks || (buffered ? c->sender != 0 : two(c->sender, who));
}

static bool is_closed(const struct waits *w, uint32_t id)
{
    const struct waits_object *c = waits_object(w, OBJ_CHAN, id);
    return c->closed || c->closes || (!w->recorded && !c->empty);
}

static bool one_is_closed(const struct waits *w, const struct flow_node *n)
{
    for (uint32_t id = n->id; id < n->id + n->n; id++)
        if (is_closed(w, id))
            return true;
    return false;
}

static bool can_send(const struct waits *w, uint32_t id, uint32_t who)
{
    const struct waits_object *c = waits_object(w, OBJ_CHAN, id);
    bool buffered = model_object_cap(w->md, (struct ev_object){OBJ_CHAN, id}) > 0;
    return !c->full || c->closes || (buffered ? c->receiver != 0 : two(c->receiver, who));
}

static bool can_lock(const struct waits *w, uint32_t mutex)
{
    const struct waits_object *m = waits_object(w, OBJ_MUTEX, mutex);
    return !m->held || m->unlocks;
}

static bool can_rlock(const struct waits *w, uint32_t id)
{
    const struct waits_object *rw = waits_object(w, OBJ_RWMUTEX, id);
    return !rw->held || rw->unlocks;
}

static bool can_wlock(const struct waits *w, uint32_t id)
{
    const struct waits_object *rw = waits_object(w, OBJ_RWMUTEX, id);
    return (!rw->held || rw->unlocks) && (!rw->read || rw->runlocks);
}

static bool can_wait_for(const struct waits *w, uint32_t at, uint32_t cond)
{
    const struct flow_node *n = &w->flow->node[at];
    bool free = false;
    for (uint32_t m = n->mutex; m < n->mutex + n->nmutex; m++)
        free |= can_lock(w, m);
    return free && (waits_object(w, OBJ_COND, cond)->signals || w->node[at].woken);
}

static bool can_io(const struct waits *w, const struct flow_node *n, uint32_t id)
{
    const struct waits_object *c = waits_object(w, OBJ_CONN, id);
    int from = other_end(n->end);
    return n->kind == FLOW_READ ? !c->dry[from] || c->written[from] : !c->full_from[n->end] || c->taken[n->end];
}

/* Returns true if a G that is at the node with this object can continue by `next` (a range: into its body). */
static bool can_pass_with(const struct waits *w, uint32_t at, uint32_t id)
{
    const struct flow_node *n = &w->flow->node[at];
    uint32_t who = w->node[at].who;
    switch (n->kind) {
    case FLOW_SEND:
        return can_send(w, id, who);
    case FLOW_RECV:
        return can_receive(w, id, who) || is_closed(w, id);
    case FLOW_RANGE:
        return can_receive(w, id, who);
    case FLOW_LOCK:
        return can_lock(w, id);
    case FLOW_RLOCK:
        return can_rlock(w, id);
    case FLOW_WLOCK:
        return can_wlock(w, id);
    case FLOW_WAIT:
        return !waits_object(w, OBJ_WAITGROUP, id)->counts || waits_object(w, OBJ_WAITGROUP, id)->lowers;
    case FLOW_COND_WAIT:
        return can_wait_for(w, at, id);
    case FLOW_READ:
    case FLOW_WRITE:
        return can_io(w, n, id);
    default:
        return true;
    }
}

static bool can_pass(const struct waits *w, uint32_t at)
{
    const struct flow_node *n = &w->flow->node[at];
    for (uint32_t id = n->id; id < n->id + n->n; id++)
        if (can_pass_with(w, at, id))
            return true;
    return n->n == 0 && n->kind != FLOW_SEND && n->kind != FLOW_RECV && n->kind != FLOW_RANGE; /* else a channel that is always nil */
}

static void set(struct waits *w, bool *what)
{
    w->changed |= !*what;
    *what = true;
}

static void set_who(struct waits *w, uint32_t *what, uint32_t who)
{
    uint32_t now = joined(*what, who);
    w->changed |= now != *what;
    *what = now;
}

/* What a G that is at the node does for others by this object. */
static void act_on(struct waits *w, uint32_t at, uint32_t id)
{
    const struct flow_node *n = &w->flow->node[at];
    uint32_t who = w->node[at].who;
    switch (n->kind) {
    case FLOW_SEND:
        set_who(w, &waits_object(w, OBJ_CHAN, id)->sender, who);
        break;
    case FLOW_RECV:
    case FLOW_RANGE:
        set_who(w, &waits_object(w, OBJ_CHAN, id)->receiver, who);
        break;
    case FLOW_CLOSE:
        set(w, &waits_object(w, OBJ_CHAN, id)->closes);
        break;
    case FLOW_TIMER:
        set(w, &waits_object(w, OBJ_CHAN, id)->ticks);
        break;
    case FLOW_UNLOCK:
        set(w, &waits_object(w, OBJ_MUTEX, id)->unlocks);
        break;
    case FLOW_RUNLOCK:
        set(w, &waits_object(w, OBJ_RWMUTEX, id)->runlocks);
        break;
    case FLOW_WUNLOCK:
        set(w, &waits_object(w, OBJ_RWMUTEX, id)->unlocks);
        break;
    case FLOW_LOWER:
        set(w, &waits_object(w, OBJ_WAITGROUP, id)->lowers);
        break;
    case FLOW_SIGNAL:
        set(w, &waits_object(w, OBJ_COND, id)->signals);
        break;
    case FLOW_READ:
    case FLOW_WRITE: {
        struct waits_object *c = waits_object(w, OBJ_CONN, id);
        set(w, n->kind == FLOW_WRITE ? &c->written[n->end] : &c->taken[other_end(n->end)]);
        break;
    }
    default:
        break;
    }
}

static void act(struct waits *w, uint32_t at)
{
    const struct flow_node *n = &w->flow->node[at];
    if (n->kind == FLOW_GO) {
        reach(w, w->flow->start[n->id], WHO_MANY, true);
        return;
    }
    for (uint32_t id = n->id; id < n->id + n->n; id++)
        act_on(w, at, id);
    if (n->kind == FLOW_COND_WAIT && w->node[at].entered) /* a G that waits there has unlocked the mutex already */
        for (uint32_t m = n->mutex; m < n->mutex + n->nmutex; m++)
            set(w, &waits_object(w, OBJ_MUTEX, m)->unlocks);
}

static void step(struct waits *w, uint32_t at)
{
    const struct flow_node *n = &w->flow->node[at];
    uint32_t who = w->node[at].who;
    act(w, at);
    if (n->kind == FLOW_RANGE) {
        if (can_pass(w, at))
            reach(w, n->alt, who, true);
        if (one_is_closed(w, n))
            reach(w, n->next, who, true);
        return;
    }
    if (n->kind != FLOW_LOCK || w->node[at].entered)
        reach(w, n->alt, who, true);
    if (can_pass(w, at))
        reach(w, n->next, who, true);
}

/* Is there a G that runs finalizers? No event says how many are queued, so it may run each that the programs set. A deadlock leaves none. */
static bool runs_finalizers(const struct model *md)
{
    for (uint32_t g = EV_SYSTEM_G - 1; model_ended(md) != ENDED_DEADLOCK && (g = model_next_live(md, g)) && ev_is_system_g(g);)
        if (model_g(md, g)->fn == EV_SYSTEM_FN + SYSG_FINALIZER)
            return true;
    return false;
}

/* What timers and finalizers will do. A timer names neither its channel nor its program, so each that some timer has may be the one. */
static void begin_runtime(struct waits *w)
{
    bool sends = false;
    for (uint32_t m = 0; m < model_nm(w->md); m++)
        sends |= model_m(w->md, m)->fires;
    w->starts[START_BY_TIMER] = sends;
    for (uint32_t h = 0; h < model_heaps(w->md); h++) {
        const struct snap_timer *t;
        for (uint32_t n = model_heap(w->md, h, &t); n; n--, t++) {
            sends |= t->what == TIMER_SEND && !t->zombie;
            w->starts[START_BY_TIMER] |= t->what == TIMER_GO;
        }
    }
    w->starts[START_AS_FINALIZER] = runs_finalizers(w->md);
    for (uint32_t i = 0; i < w->flow->n; i++) {
        const struct flow_node *n = &w->flow->node[i];
        for (uint32_t id = n->id; sends && n->kind == FLOW_TIMER && id < n->id + n->n; id++)
            waits_object(w, OBJ_CHAN, id)->ticks = true;
        if (n->kind == FLOW_GO && w->starts[n->n])
            reach(w, w->flow->start[n->id], WHO_MANY, true);
    }
}

/* A G that can run may have what it waited for, and be about to leave the operation by any way. */
static void leave(struct waits *w, uint32_t at, uint32_t who)
{
    const struct flow_node *n = &w->flow->node[at];
    reach(w, n->next, who, true);
    reach(w, n->alt, who, true);
    for (uint32_t k = n->kind == FLOW_SELECT ? n->alt : FLOW_NONE; k != FLOW_NONE; k = w->flow->node[k].alt)
        reach(w, w->flow->node[k].next, who, true);
}

static void begin_g(struct waits *w, const struct waits_g *at)
{
    const struct model_g *g = model_g(w->md, at->id);
    const struct flow *f = w->flow;
    bool any = false;
    if (at->node != FLOW_NONE) {
        reach(w, at->node, g->id, g->status != G_WAITING);
        if (g->status != G_WAITING)
            leave(w, at->node, g->id);
        return;
    }
    for (uint32_t i = 0; g->status == G_WAITING && i < f->n; i++)
        if (may_run(&f->node[i], g->fn) && f->node[i].kind != FLOW_PLAIN && fits(&f->node[i], g)) {
            reach(w, i, WHO_MANY, false);
            any = true;
        }
    if (!any && g->fn < f->nfn)
        reach(w, f->start[g->fn], WHO_MANY, true);
    /* A G that has begun and runs may be anywhere in its program, behind a lock that it took itself. */
    bool begun = g->status != G_WAITING && !(g->status == G_RUNNABLE && g->came == EV_G_CREATE);
    for (uint32_t i = 0; begun && i < f->n; i++)
        if (may_run(&f->node[i], g->fn))
            reach(w, i, WHO_MANY, true);
}

static void find_stuck(struct waits *w)
{
    for (size_t i = 0; i < w->g.n; i++) {
        const struct model_g *g = model_g(w->md, w->g.v[i].id);
        if (g->status == G_WAITING)
            note_wait(w, g, w->g.v[i].node);
        begin_g(w, &w->g.v[i]);
    }
    note_objects(w);
    if (!w->recorded)
        guess_conns(w);
    begin_runtime(w);
    do {
        w->changed = false;
        for (uint32_t i = 0; i < w->flow->n; i++)
            if (w->node[i].who)
                step(w, i);
    } while (w->changed);
}

/* Does anything let this G continue? Several Gs may wait at one node for different things: in cond_wait for a signal, then for the mutex. */
static bool is_stuck(const struct waits *w, const struct waits_g *at)
{
    const struct model_g *g = model_g(w->md, at->id);
    struct ev_object o = ev_waits_for(g->reason, g->obj);
    if (g->status != G_WAITING)
        return false;
    if ((w->flow || at->reach) && model_ended(w->md) == ENDED_DEADLOCK)
        return true;
    if (!w->flow)
        return at->reach && at->reach->stuck;
    if (g->reason == WAIT_REASON_CHAN_RECEIVE_NIL || g->reason == WAIT_REASON_CHAN_SEND_NIL || g->reason == WAIT_REASON_SELECT_NO_CASES)
        return true;
    if (o.kind == OBJ_MUTEX)
        return !can_lock(w, o.id);
    if (o.kind == OBJ_WRITERS)
        return !can_rlock(w, o.id);
    if (g->reason == WAIT_REASON_RWMUTEX_RLOCK)
        return !can_rlock(w, o.id);
    if (g->reason == WAIT_REASON_RWMUTEX_LOCK)
        return !waits_object(w, OBJ_RWMUTEX, o.id)->runlocks;
    if (o.kind == OBJ_WAITGROUP)
        return !waits_object(w, OBJ_WAITGROUP, o.id)->lowers;
    if (g->reason == WAIT_REASON_COND_WAIT)
        return !waits_object(w, OBJ_COND, o.id)->signals;
    if (at->node == FLOW_NONE)
        return false;
    const struct flow_node *n = &w->flow->node[at->node];
    if (n->kind == FLOW_RANGE)
        return !can_pass_with(w, at->node, o.id) && !is_closed(w, o.id);
    if (o.kind == OBJ_CHAN)
        return !can_pass_with(w, at->node, o.id);
    if (n->kind != FLOW_SELECT)
        return !can_pass(w, at->node);
    for (uint32_t k = n->alt; k != FLOW_NONE; k = w->flow->node[k].alt)
        if (can_pass(w, k))
            return false;
    return true;
}

uint32_t waits_next_left(const struct waits *w, uint32_t g, enum waits_which which)
{
    for (size_t i = 0; i < w->g.n; i++)
        if (w->g.v[i].id > g && w->g.v[i].id != 1 && which & (w->g.v[i].stuck ? WAITS_LEAKED : WAITS_LEFT))
            return w->g.v[i].id;
    return 0;
}

struct waits_left waits_left(const struct waits *w)
{
    struct waits_left n = {0};
    for (size_t i = 0; i < w->g.n; i++)
        if (w->g.v[i].id != 1)
            *(w->g.v[i].stuck ? &n.leaked : &n.left) += 1;
    return n;
}

/* ---- life ---- */

void waits_free(struct waits *w)
{
    if (!w)
        return;
    for (int k = 0; k < OBJ_KINDS; k++)
        free(w->object[k]);
    vec_free(&w->g);
    vec_free(&w->reach);
    free(w->node);
    free(w->can);
    free(w);
}

struct waits *waits_new(const struct waits_config *c)
{
    struct waits *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->md = c->md;
    w->flow = c->flow && !c->flow->lines ? c->flow : NULL;
    w->recorded = c->objects;
    w->returned = model_ended(c->md) == ENDED_MAIN_RETURNED;
    bool good = true;
    for (size_t i = 0; good && i < c->nreach; i++)
        good = vec_push(&w->reach, c->reach[i]);
    good = good && collect(w, c) && make_objects(w);
    if (good && w->flow) {
        w->node = calloc(w->flow->n + 1, sizeof *w->node);
        w->can = calloc(w->flow->n + 1, 1);
        good = w->node && w->can;
        if (good)
            find_stuck(w);
    }
    for (size_t i = 0; good && i < w->g.n; i++)
        w->g.v[i].stuck = is_stuck(w, &w->g.v[i]);
    if (good)
        return w;
    waits_free(w);
    return NULL;
}
