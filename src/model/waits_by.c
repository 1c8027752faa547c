/* See waits.h: which Gs could release one, by what their programs still have, and the chains and circles of that. */
#include "model/waits_internal.h"

#include <string.h>

/* Would an operation like this one release the G at `at`? Says for a receive which of the two it would do. */
static bool releases(const struct waits *w, const struct model_g *g, uint32_t at, const struct flow_node *n, struct wait *out)
{
    struct ev_object o = ev_waits_for(g->reason, g->obj);
    bool same = covers(n, o.id);
    switch (o.kind) {
    case OBJ_CHAN: {
        bool sends = same && (n->kind == FLOW_SEND || n->kind == FLOW_TIMER), closes = same && n->kind == FLOW_CLOSE;
        if (g->reason == WAIT_REASON_CHAN_SEND)
            return (same && (n->kind == FLOW_RECV || n->kind == FLOW_RANGE)) || closes;
        out->sends |= sends;
        out->closes |= closes;
        return sends || closes;
    }
    case OBJ_MUTEX:
        return (same && n->kind == FLOW_UNLOCK) || covers_mutex(n, o.id);
    case OBJ_WRITERS:
        return same && n->kind == FLOW_WUNLOCK;
    case OBJ_RWMUTEX:
        return same && n->kind == (g->reason == WAIT_REASON_RWMUTEX_LOCK ? FLOW_RUNLOCK : FLOW_WUNLOCK);
    case OBJ_WAITGROUP:
        return same && n->kind == FLOW_LOWER;
    case OBJ_COND:
        return same && n->kind == FLOW_SIGNAL;
    case OBJ_CONN: {
        const struct flow_node *me = at == FLOW_NONE ? NULL : &w->flow->node[at];
        return same && me && n->end != me->end && n->kind == (me->kind == FLOW_READ ? FLOW_WRITE : FLOW_READ);
    }
    default:
        break;
    }
    for (uint32_t k = at == FLOW_NONE || g->reason != WAIT_REASON_SELECT ? FLOW_NONE : w->flow->node[at].alt; k != FLOW_NONE;
         k = w->flow->node[k].alt) {
        const struct flow_node *c = &w->flow->node[k];
        bool meets = c->kind == FLOW_SEND ? n->kind == FLOW_RECV || n->kind == FLOW_RANGE : n->kind == FLOW_SEND || n->kind == FLOW_TIMER;
        if (n->id < c->id + c->n && c->id < n->id + n->n && (meets || n->kind == FLOW_CLOSE))
            return true;
    }
    return false;
}

/* A G that has yet to lock what the first one waits for does not hold it. */
static bool is_barrier(const struct ev_object *o, uint16_t reason, const struct flow_node *n)
{
    if (o->kind == OBJ_MUTEX)
        return (n->kind == FLOW_LOCK && is_about(n, o->id)) || (n->nmutex == 1 && covers_mutex(n, o->id));
    if (o->kind == OBJ_RWMUTEX && reason == WAIT_REASON_RWMUTEX_LOCK)
        return n->kind == FLOW_RLOCK && is_about(n, o->id);
    return (o->kind == OBJ_RWMUTEX || o->kind == OBJ_WRITERS) && n->kind == FLOW_WLOCK && is_about(n, o->id);
}

enum { CAN_SELF = 1, CAN_LATER = 2, CAN_SEEN = 4, CAN_READ = 8 };

static uint8_t can_from(const uint8_t *can, uint32_t at)
{
    return at == FLOW_NONE ? 0 : can[at];
}

/* Fills in for each node whether a G that is there can release g (CAN_SELF), or start one that can (CAN_LATER). */
static void find_releasing(const struct waits *w, const struct model_g *g, uint32_t at, uint8_t *can)
{
    struct ev_object o = ev_waits_for(g->reason, g->obj);
    bool changed = true;
    memset(can, 0, w->flow->n + 1);
    while (changed) {
        changed = false;
        for (uint32_t i = w->flow->n; i-- > 0;) {
            const struct flow_node *n = &w->flow->node[i];
            struct wait ignored = {0};
            uint8_t now = can[i];
            if (releases(w, g, at, n, &ignored))
                now |= CAN_SELF;
            if (!is_barrier(&o, g->reason, n))
                now |= can_from(can, n->next) | can_from(can, n->alt);
            if (n->kind == FLOW_GO && can_from(can, w->flow->start[n->id]))
                now |= CAN_LATER;
            changed |= now != can[i];
            can[i] = now;
        }
    }
}

/* Says of a receive what the Gs that can release it do: only operations that one of them can still reach count. */
static void note_acts(const struct waits *w, const struct model_g *g, uint32_t from, struct wait *out)
{
    uint32_t stack[64], n = 0;
    if (from != FLOW_NONE)
        stack[n++] = from;
    while (n) {
        uint32_t i = stack[--n];
        const struct flow_node *k = &w->flow->node[i];
        if (w->can[i] & CAN_SEEN)
            continue;
        w->can[i] |= CAN_SEEN;
        releases(w, g, FLOW_NONE, k, out);
        if (k->next != FLOW_NONE && n < 62)
            stack[n++] = k->next;
        if (k->alt != FLOW_NONE && n < 62)
            stack[n++] = k->alt;
    }
}

static void add_by(struct wait *out, uint32_t g)
{
    if (out->nby < WAITS_BY)
        out->by[out->nby] = g;
    out->nby++;
}

/* The G that holds the object, if events or the log of its wait say so. */
static uint32_t holder_of(const struct waits *w, const struct model_g *g)
{
    struct ev_object o = ev_waits_for(g->reason, g->obj), whole = {o.kind == OBJ_WRITERS ? OBJ_RWMUTEX : o.kind, o.id};
    if (!w->recorded || (o.kind != OBJ_MUTEX && o.kind != OBJ_WRITERS && o.kind != OBJ_RWMUTEX) || g->reason == WAIT_REASON_RWMUTEX_LOCK)
        return 0;
    struct model_object held = model_object(w->md, whole);
    return held.held > 0 ? held.holder : 0;
}

/* Readers are only counted. Those that could unlock are the readers if there are as many. */
static bool are_readers(const struct waits *w, const struct model_g *g, uint32_t n)
{
    struct ev_object o = ev_waits_for(g->reason, g->obj);
    int64_t readers = model_object(w->md, o).n;
    for (size_t i = 0; i < w->g.n; i++) {
        const struct model_g *other = model_g(w->md, w->g.v[i].id);
        readers -= other->status == G_WAITING && other->reason == WAIT_REASON_RWMUTEX_RLOCK && other->obj == g->obj;
    }
    return w->recorded && readers == (int64_t)n;
}

/* Fills in for each node whether a G that is there may hold a read lock of the RWMutex (CAN_READ): after rlock, up to runlock. */
static void find_reading(const struct waits *w, uint32_t rwmutex)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < w->flow->n; i++) {
            const struct flow_node *n = &w->flow->node[i];
            const uint32_t to[] = {n->next, n->alt};
            bool reads = n->kind == FLOW_RLOCK && covers(n, rwmutex);
            reads |= w->can[i] & CAN_READ && !(n->kind == FLOW_RUNLOCK && is_about(n, rwmutex));
            for (int k = 0; reads && k < 2; k++)
                if (to[k] != FLOW_NONE && !(w->can[to[k]] & CAN_READ)) {
                    w->can[to[k]] |= CAN_READ;
                    changed = true;
                }
        }
    }
}

/* Lists the readers that keep a writer out, itself last, if it is certain who they are. */
static void find_readers(const struct waits *w, const struct model_g *g, struct wait *out)
{
    struct wait found = *out;
    bool itself = false;
    found.nby = 0;
    find_reading(w, out->object.id);
    for (size_t i = 0; i < w->g.n; i++)
        if (!(can_from(w->can, w->g.v[i].node) & CAN_READ))
            continue;
        else if (w->g.v[i].id == g->id)
            itself = true;
        else
            add_by(&found, w->g.v[i].id);
    if (itself)
        add_by(&found, g->id);
    if (found.nby && are_readers(w, g, found.nby))
        *out = found;
    out->held = out->nby && are_readers(w, g, out->nby);
}

/* A writer that waits keeps the next readers and writers out, but does not hold the lock. */
static bool waits_to_write(const struct waits *w, uint32_t g, uint32_t rwmutex)
{
    const struct model_g *by = model_g(w->md, g);
    return by && by->status == G_WAITING && by->reason == WAIT_REASON_RWMUTEX_LOCK && by->obj == rwmutex;
}

/* What releases the G without a G that lives: a timer that sends, the program of a timer or of a finalizer. */
static void note_runtime(const struct waits *w, const struct waits_g *at, const struct model_g *g, struct wait *out)
{
    struct ev_object c = ev_waits_for(g->reason, g->obj);
    if (c.kind == OBJ_CHAN && g->reason == WAIT_REASON_CHAN_RECEIVE && waits_object(w, OBJ_CHAN, c.id)->ticks)
        out->ticks = c.id;
    for (uint32_t k = g->reason == WAIT_REASON_SELECT ? w->flow->node[at->node].alt : FLOW_NONE; k != FLOW_NONE; k = w->flow->node[k].alt)
        if (!out->ticks && w->flow->node[k].kind == FLOW_RECV && waits_object(w, OBJ_CHAN, w->flow->node[k].id)->ticks)
            out->ticks = w->flow->node[k].id;
    out->timed |= out->ticks != 0;
    for (uint32_t i = 0; i < w->flow->n; i++) {
        const struct flow_node *n = &w->flow->node[i];
        if (n->kind != FLOW_GO || !w->starts[n->n] || !(can_from(w->can, w->flow->start[n->id]) & (CAN_SELF | CAN_LATER)))
            continue;
        *(n->n == START_AS_FINALIZER ? &out->finalizer : &out->later) = true;
        note_acts(w, g, w->flow->start[n->id], out);
    }
}

static void find_by(const struct waits *w, const struct waits_g *at, const struct model_g *g, struct wait *out)
{
    uint32_t holder = holder_of(w, g);
    if (holder) {
        out->held = out->known = true;
        out->behind = out->object.kind != OBJ_MUTEX && waits_to_write(w, holder, out->object.id);
        add_by(out, holder);
        return;
    }
    if (!w->flow || (ev_waits_for(g->reason, g->obj).kind == OBJ_NONE && g->reason != WAIT_REASON_SELECT) ||
        (at->node == FLOW_NONE && (g->reason == WAIT_REASON_SELECT || g->reason == WAIT_REASON_IO_WAIT)))
        return;
    find_releasing(w, g, at->node, w->can);
    out->known = true;
    for (size_t i = 0; i < w->g.n; i++) {
        const struct waits_g *other = &w->g.v[i];
        const struct model_g *o = model_g(w->md, other->id);
        if (other->id == g->id || o->fn >= w->flow->nfn)
            continue;
        uint32_t from = other->node != FLOW_NONE ? other->node : w->flow->start[o->fn];
        bool unlocked = from != FLOW_NONE && o->status == G_WAITING && w->flow->node[from].kind == FLOW_COND_WAIT &&
                        ev_waits_for(g->reason, g->obj).kind == OBJ_MUTEX;
        uint8_t can = unlocked ? 0 : can_from(w->can, from);
        out->later |= (can & CAN_LATER) != 0;
        if (!(can & CAN_SELF))
            continue;
        add_by(out, other->id);
        note_acts(w, g, from, out);
    }
    if (g->reason == WAIT_REASON_RWMUTEX_LOCK)
        find_readers(w, g, out);
    note_runtime(w, at, g, out);
}

bool waits_of(const struct waits *w, uint32_t id, struct wait *out)
{
    const struct waits_g *at = waits_find(w, id);
    const struct model_g *g = at ? model_g(w->md, id) : NULL;
    if (!g || g->status != G_WAITING)
        return false;
    *out = (struct wait){.g = id, .fn = g->fn, .reason = g->reason, .object = ev_waits_for(g->reason, g->obj), .stuck = at->stuck};
    out->line = at->node != FLOW_NONE ? w->flow->node[at->node].line : at->line;
    out->timed = g->reason == WAIT_REASON_SLEEP;
    find_by(w, at, g, out);
    return true;
}

uint32_t waits_next(const struct waits *w, uint32_t g)
{
    for (size_t i = 0; i < w->g.n; i++)
        if (w->g.v[i].id > g && model_g(w->md, w->g.v[i].id)->status == G_WAITING)
            return w->g.v[i].id;
    return 0;
}

/* ---- chains and circles ---- */

static uint32_t place_in(const struct wait_chain *c, uint32_t g)
{
    uint32_t i = 0;
    while (i < c->n && c->g[i] != g)
        i++;
    return i;
}

/* Is it certain that each G of the circle waits for the next? Gs that are stuck are; so are Gs that wait for what the next one holds. */
static bool is_closed_circle(const struct waits *w, const struct wait_chain *c, uint32_t from)
{
    struct wait at;
    for (uint32_t i = from; i < c->n; i++)
        if (!waits_of(w, c->g[i], &at) || (!at.stuck && !(at.held && at.nby == 1)))
            return false;
    return true;
}

/* Follows each way depth first up to the first circle. budget: how many Gs may be looked at. */
static bool follow(const struct waits *w, struct wait_chain *c, uint32_t *budget)
{
    struct wait at;
    if (!*budget || !waits_of(w, c->g[c->n - 1], &at))
        return false;
    --*budget;
    for (uint32_t i = 0; i < at.nby && i < WAITS_BY; i++) {
        uint32_t again = place_in(c, at.by[i]);
        if (again < c->n && is_closed_circle(w, c, again)) {
            c->circle = again;
            return true;
        }
        if (again < c->n || c->n == CHAIN_MOST)
            continue;
        c->g[c->n++] = at.by[i];
        if (follow(w, c, budget))
            return true;
        c->n--;
    }
    return false;
}

enum { LOOKED_AT = 512 };

void waits_chain(const struct waits *w, uint32_t g, struct wait_chain *out)
{
    uint32_t budget = LOOKED_AT;
    struct wait at;
    *out = (struct wait_chain){.g = {g}, .n = 1};
    if (follow(w, out, &budget))
        return;
    out->n = 1;
    while (out->n < CHAIN_MOST && waits_of(w, out->g[out->n - 1], &at) && at.nby == 1 && !at.later && !at.finalizer &&
           place_in(out, at.by[0]) == out->n)
        out->g[out->n++] = at.by[0];
    out->circle = out->n;
}

bool waits_circle(const struct waits *w, struct wait_chain *out)
{
    uint32_t budget = LOOKED_AT;
    for (uint32_t g = 0; budget && (g = waits_next(w, g));) {
        *out = (struct wait_chain){.g = {g}, .n = 1};
        if (follow(w, out, &budget)) {
            out->n -= out->circle;
            memmove(out->g, out->g + out->circle, out->n * sizeof *out->g);
            out->circle = 0;
            return true;
        }
    }
    return false;
}
