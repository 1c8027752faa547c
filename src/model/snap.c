/* The model's snapshot, which the audit compares with the runtime's. A test can freeze a field, to show that the audit compares every field. */
#include "model/model_internal.h"

#include <stdlib.h>
#include <string.h>

#define RING_MAX 256u

static bool frozen(const struct model *md, enum audit_field f)
{
    return (md->frozen >> f & 1) != 0;
}

void model_freeze(struct model *md, enum audit_field f)
{
    md->frozen |= UINT64_C(1) << f;
}

static uint32_t *copy_list(struct snapshot *s, const struct deque *d, uint32_t *n)
{
    uint32_t *v = snapshot_alloc(s, d->n, sizeof *v);
    if (!v)
        return NULL;
    if (d->n)
        memcpy(v, deque_at(d, 0), d->n * sizeof *v);
    *n = d->n;
    return v;
}

static bool snap_lists(const struct model *md, struct snapshot *s)
{
    s->nmspinning = md->nmspinning;
    s->needspinning = md->needspinning;
    s->npidle = md->npidle;
    s->ntimers = md->heap.ntimers;
    if (!(s->timers = snapshot_alloc(s, s->ntimers + 1, sizeof *s->timers)))
        return false;
    if (s->ntimers)
        memcpy(s->timers, md->heap.timers, s->ntimers * sizeof *s->timers);
    return (s->globq = copy_list(s, &md->globq, &s->nglobq)) && (s->idlep = copy_list(s, &md->idlep, &s->nidlep)) &&
           (s->idlem = copy_list(s, &md->idlem, &s->nidlem)) && (s->disabled = copy_list(s, &md->disabled, &s->ndisabled));
}

/* ---- Ps ---- */

static bool snap_p(const struct model *md, struct snapshot *s, uint32_t i)
{
    struct model_p *p = &md->p[i];
    struct snap_p *to = &s->p[i];
    uint32_t n = p->tail - p->head;
    *to = (struct snap_p){
        .status = p->status,
        .m = p->m,
        .head = p->head,
        .tail = p->tail,
        .runnext = p->runnext,
        .schedtick = p->schedtick,
        .ntimers = p->ntimers};
    /* Frozen heads and tails give wrong lengths, so the array has the size of a whole ring then. */
    to->ring = snapshot_alloc(s, md->frozen ? RING_MAX : n, sizeof *to->ring);
    to->timers = snapshot_alloc(s, p->ntimers, sizeof *to->timers);
    if (!to->ring || !to->timers)
        return false;
    for (uint32_t k = 0; k < n; k++)
        to->ring[k] = *ring_slot(md, p, p->head + k);
    if (p->ntimers)
        memcpy(to->timers, p->timers, p->ntimers * sizeof *p->timers);
    return true;
}

static bool snap_ps(const struct model *md, struct snapshot *s)
{
    s->p = snapshot_alloc(s, md->np, sizeof *s->p);
    if (!s->p)
        return false;
    s->np = md->np;
    for (uint32_t i = 0; i < md->np; i++)
        if (!snap_p(md, s, i))
            return false;
    return true;
}

/* ---- Gs and Ms ---- */

/* Sets where and slot for the places that have them. The order of the global queue is in the queue itself. */
static void snap_g(struct snap_g *to, const struct model_g *g)
{
    bool has_where = g->place == PLACE_RUNNING || g->place == PLACE_RUNNEXT || g->place == PLACE_RUNQ;
    *to = (struct snap_g){.id = g->id, .status = g->status, .place = g->place, .fn = g->fn, .i = g->i, .by = g->by};
    to->reason = g->status == G_WAITING ? g->reason : 0;
    to->obj = g->status == G_WAITING ? g->obj : 0;
    to->where = has_where ? g->where : 0;
    to->slot = g->place == PLACE_RUNQ ? g->slot : 0;
}

static uint32_t live_gs(const struct model *md)
{
    uint32_t n = 0;
    const struct gpage *page;
    for (uint32_t i = 0; (page = gpages_live(md, &i)); i++)
        n += page->live;
    return n;
}

static void snap_page(const struct gpage *page, struct snapshot *s)
{
    for (uint32_t i = 0; i < GPAGE; i++)
        if (page->g[i].id && page->g[i].status != G_DEAD)
            snap_g(&s->g[s->ng++], &page->g[i]);
}

static bool snap_gs(const struct model *md, struct snapshot *s)
{
    s->g = snapshot_alloc(s, live_gs(md), sizeof *s->g);
    if (!s->g)
        return false;
    const struct gpage *page;
    for (uint32_t i = 0; (page = gpages_live(md, &i)); i++)
        snap_page(page, s);
    for (uint32_t i = 0; i < s->nglobq; i++) {
        struct snap_g *g = snapshot_g(s, s->globq[i]);
        if (g)
            g->slot = i;
    }
    return true;
}

static bool snap_ms(const struct model *md, struct snapshot *s)
{
    s->m = snapshot_alloc(s, md->nm, sizeof *s->m);
    if (!s->m)
        return false;
    s->nm = md->nm;
    for (uint32_t i = 0; i < md->nm; i++) {
        const struct model_m *m = &md->m[i];
        s->m[i] = (struct snap_m){
            .p = m->p,
            .curg = m->curg,
            .lockedg = m->lockedg,
            .oldp = m->oldp,
            .spinning = m->spinning,
            .blocked = m->blocked,
            .netpoll = m->netpoll,
            .sysmon = m->sysmon,
            .template = m->template,
            .exited = m->exited,
            .idlelocked = m->idlelocked};
    }
    return true;
}

/* ---- frozen fields: initial values; 0 for a field that is set only at the start ---- */

static void freeze_p(const struct model *md, struct snap_p *p, uint32_t i)
{
    if (frozen(md, AUDIT_P_STATUS))
        p->status = i == 0 ? P_RUNNING : P_IDLE;
    if (frozen(md, AUDIT_P_M))
        p->m = i == 0 ? md->boot_m : EV_NONE;
    if (frozen(md, AUDIT_P_HEAD))
        p->head = 0;
    if (frozen(md, AUDIT_P_TAIL))
        p->tail = 0;
    if (frozen(md, AUDIT_P_RING))
        memset(p->ring, 0, RING_MAX * sizeof *p->ring);
    if (frozen(md, AUDIT_P_RUNNEXT))
        p->runnext = 0;
    if (frozen(md, AUDIT_P_SCHEDTICK))
        p->schedtick = i == 0 ? md->cfg.start_tick : 0;
    if (frozen(md, AUDIT_P_TIMERS))
        p->ntimers = 0;
}

static void freeze_g(const struct model *md, struct snap_g *g)
{
    if (frozen(md, AUDIT_G_STATUS))
        g->status = G_RUNNABLE;
    if (frozen(md, AUDIT_G_PLACE)) {
        g->place = PLACE_IN_TRANSIT;
        g->where = g->slot = 0;
    }
    if (frozen(md, AUDIT_G_REASON))
        g->reason = WAIT_REASON_NONE;
    if (frozen(md, AUDIT_G_OBJ))
        g->obj = 0;
    if (frozen(md, AUDIT_G_FN))
        g->fn = 0;
    if (frozen(md, AUDIT_G_I))
        g->i = 0;
    if (frozen(md, AUDIT_G_BY))
        g->by = 0;
}

static void freeze_m(const struct model *md, struct snap_m *m)
{
    if (frozen(md, AUDIT_M_P))
        m->p = EV_NONE;
    if (frozen(md, AUDIT_M_CURG))
        m->curg = 0;
    if (frozen(md, AUDIT_M_SPINNING))
        m->spinning = false;
    if (frozen(md, AUDIT_M_BLOCKED))
        m->blocked = false;
    if (frozen(md, AUDIT_M_LOCKEDG))
        m->lockedg = 0;
    if (frozen(md, AUDIT_M_EXITED))
        m->exited = false;
    if (frozen(md, AUDIT_M_OLDP))
        m->oldp = EV_NONE;
    if (frozen(md, AUDIT_M_NETPOLL))
        m->netpoll = false;
    if (frozen(md, AUDIT_M_SYSMON))
        m->sysmon = false;
    if (frozen(md, AUDIT_M_TEMPLATE))
        m->template = false;
    if (frozen(md, AUDIT_M_IDLELOCKED))
        m->idlelocked = 0;
}

static void freeze_object(const struct model *md, struct snap_object *o)
{
    if (frozen(md, AUDIT_O_COUNT))
        o->n = o->n2 = 0;
    if (frozen(md, AUDIT_O_HELD))
        o->held = false;
    if (frozen(md, AUDIT_O_HOLDER))
        o->holder = 0;
    if (frozen(md, AUDIT_O_FLAG))
        o->flag = 0;
    if (frozen(md, AUDIT_O_WAITERS))
        o->nwait[0] = o->nwait[1] = 0;
}

static void freeze_lists(const struct model *md, struct snapshot *s)
{
    if (frozen(md, AUDIT_GLOBQ))
        s->nglobq = 0;
    if (frozen(md, AUDIT_IDLEM))
        s->nidlem = 0;
    if (frozen(md, AUDIT_DISABLED))
        s->ndisabled = 0;
    if (frozen(md, AUDIT_NMSPINNING))
        s->nmspinning = 0;
    if (frozen(md, AUDIT_NEEDSPINNING))
        s->needspinning = false;
    if (frozen(md, AUDIT_TIMERS))
        s->ntimers = 0;
    if (frozen(md, AUDIT_COUNTERS))
        s->counts = (struct snap_counts){0};
    if (frozen(md, AUDIT_NPIDLE))
        s->npidle = md->np ? md->np - 1 : 0;
}

static bool freeze_idlep(const struct model *md, struct snapshot *s)
{
    uint32_t n = md->np ? md->np - 1 : 0;
    if (!frozen(md, AUDIT_IDLEP))
        return true;
    s->idlep = snapshot_alloc(s, n, sizeof *s->idlep);
    if (!s->idlep)
        return false;
    s->nidlep = n;
    for (uint32_t i = 0; i < n; i++)
        s->idlep[i] = i + 1;
    return true;
}

static bool freeze(const struct model *md, struct snapshot *s)
{
    freeze_lists(md, s);
    for (uint32_t i = 0; i < s->np; i++)
        freeze_p(md, &s->p[i], i);
    for (uint32_t i = 0; i < s->ng; i++)
        freeze_g(md, &s->g[i]);
    for (uint32_t i = 0; i < s->nm; i++)
        freeze_m(md, &s->m[i]);
    for (uint32_t i = 0; i < s->nobject; i++)
        freeze_object(md, &s->object[i]);
    return freeze_idlep(md, s);
}

/* ---- objects ---- */

/* w: the n waiters of this object. */
static bool snap_waiters(struct snapshot *s, struct snap_object *to, const struct model_waiter *w, uint32_t n)
{
    for (int side = 0; side < 2; side++) {
        if (!(to->wait[side] = snapshot_alloc(s, n + 1, sizeof *to->wait[side])))
            return false;
        for (uint32_t i = 0; i < n; i++)
            if (w[i].side == side)
                to->wait[side][to->nwait[side]++] = w[i].g;
    }
    return true;
}

static bool snap_object(const struct model *md, struct snapshot *s, struct ev_object id, const struct model_waiter *w, uint32_t n)
{
    const struct model_object o = model_object(md, id);
    struct snap_object *to = &s->object[s->nobject++];
    *to = (struct snap_object){
        .kind = (uint8_t)id.kind,
        .id = id.id,
        .held = o.held > 0,
        .flag = (int8_t)(id.kind == OBJ_CHAN ? o.closed : o.starving),
        .holder = o.holder,
        .n = o.n,
        .n2 = o.n2};
    return snap_waiters(s, to, w, n);
}

/* An object whose only events are those of Gs that wait for it has no state of its own. */
static uint32_t last_object(const struct model *md, enum ev_object_kind kind, const struct model_waiter *w, uint32_t n)
{
    uint32_t last = model_objects(md, kind);
    for (uint32_t i = 0; i < n; i++)
        if (w[i].object.kind == kind && w[i].object.id > last && object_can_be(md, w[i].object))
            last = w[i].object.id;
    return last;
}

static bool snap_objects(const struct model *md, struct snapshot *s, const struct model_waiter *w, uint32_t n)
{
    uint32_t last[OBJ_KINDS] = {0}, all = 0, k = 0;
    for (int kind = OBJ_NONE + 1; kind < OBJ_KINDS; kind++)
        all += last[kind] = last_object(md, (enum ev_object_kind)kind, w, n);
    while (k < n && w[k].object.kind == OBJ_NONE)
        k++;
    if (!(s->object = snapshot_alloc(s, all + 1, sizeof *s->object)))
        return false;
    for (struct ev_object o = {OBJ_NONE + 1, 1}; o.kind < OBJ_KINDS; o = (struct ev_object){o.kind + 1, 1})
        for (; o.id <= last[o.kind]; o.id++) {
            while (k < n && (w[k].object.kind < o.kind || (w[k].object.kind == o.kind && w[k].object.id < o.id)))
                k++; /* it waits for an object that cannot be: the log is a stranger's */
            uint32_t first = k;
            while (k < n && w[k].object.kind == o.kind && w[k].object.id == o.id)
                k++;
            if (!snap_object(md, s, o, k > first ? &w[first] : NULL, k - first))
                return false;
        }
    return true;
}

static bool snap_all_objects(const struct model *md, struct snapshot *s)
{
    struct model_waiter *w;
    uint32_t n;
    bool ok = model_waiters(md, UINT32_MAX, &w, &n) && snap_objects(md, s, w, n);
    free(w);
    return ok;
}

bool model_snapshot(const struct model *md, struct snapshot *out)
{
    snapshot_reset(out);
    out->any_order = !md->cfg.exact;
#define X(name) .name = md->counters.name,
    out->counts = (struct snap_counts){SNAP_COUNTS(X)};
#undef X
    if (!snap_lists(md, out) || !snap_ps(md, out) || !snap_gs(md, out) || !snap_ms(md, out) || !snap_all_objects(md, out))
        return false;
    return !md->frozen || freeze(md, out);
}
