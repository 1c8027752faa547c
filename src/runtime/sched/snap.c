/* The runtime's own memory as a snapshot, for the audit. Executed by one thread while all Ms are stopped, so plain and
 * relaxed reads suffice. */
#include "runtime/sched/proc.h"
#include "runtime/sync/sudog.h"
#include <stdlib.h>

#define GET(x) atomic_load_explicit(&(x), memory_order_relaxed) /* stopped: see above */

static void place(struct g *gp, enum g_place pl, uint32_t where, uint32_t slot)
{
    gp->snap.place = pl;
    gp->snap.where = where;
    gp->snap.slot = slot;
}

static int timer_order(const void *a, const void *b)
{
    const struct snap_timer *x = a, *y = b;
    uint32_t k = (uint32_t)x->zombie << 23 | x->chan, l = (uint32_t)y->zombie << 23 | y->chan;
    return x->when != y->when ? (x->when < y->when ? -1 : 1) : x->g != y->g ? (x->g > y->g) - (x->g < y->g) : (k > l) - (k < l);
}

static int g_order(const void *a, const void *b)
{
    const struct snap_g *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* Copies the timers of pp's heap, sorted so that both snapshots list them in the same order. */
static struct snap_timer *snap_timers(struct snapshot *out, const struct p *pp)
{
    struct snap_timer *to = snapshot_alloc(out, pp->ntimers + 1, sizeof *to);
    for (uint32_t k = 0; to && k < pp->ntimers; k++)
        to[k] = timer_snap(pp, k);
    if (to)
        qsort(to, pp->ntimers, sizeof *to, timer_order);
    return to;
}

static bool snap_p(struct sched *s, struct snapshot *out, uint32_t i)
{
    struct p *pp = &s->allp[i];
    struct snap_p *sp = &out->p[i];
    struct m *m = GET(pp->m);
    struct g *next = GET(pp->runnext);
    *sp = (struct snap_p){
        .status = pstatus(pp),
        .m = m ? m->id : EV_NONE,
        .head = GET(pp->runqhead),
        .tail = GET(pp->runqtail),
        .runnext = goid(next),
        .schedtick = GET(pp->schedtick),
        .ntimers = pp->ntimers};
    if (next)
        place(next, PLACE_RUNNEXT, i, 0);
    sp->ring = snapshot_alloc(out, sp->tail - sp->head + 1, sizeof *sp->ring);
    sp->timers = snap_timers(out, pp);
    if (!sp->ring || !sp->timers)
        return false;
    for (uint32_t k = sp->head; k != sp->tail; k++) {
        struct g *gp = GET(pp->runq[k & (s->cfg.runq_size - 1)]);
        sp->ring[k - sp->head] = goid(gp);
        place(gp, PLACE_RUNQ, i, k);
    }
    return true;
}

static bool snap_lists(struct sched *s, struct snapshot *out)
{
    out->globq = snapshot_alloc(out, runqsize(s) + 1, sizeof *out->globq);
    out->idlep = snapshot_alloc(out, gomaxprocs(s), sizeof *out->idlep);
    out->idlem = snapshot_alloc(out, s->nmidle + 1, sizeof *out->idlem);
    out->disabled = snapshot_alloc(out, s->disable.n + 1, sizeof *out->disabled);
    if (!out->globq || !out->idlep || !out->idlem || !out->disabled)
        return false;
    for (struct g *gp = s->runq.head; gp; gp = gp->schedlink) {
        place(gp, PLACE_GLOBQ, 0, out->nglobq);
        out->globq[out->nglobq++] = goid(gp);
    }
    for (struct g *gp = s->disable.runnable.head; gp; gp = gp->schedlink) {
        place(gp, PLACE_DISABLED, 0, 0);
        out->disabled[out->ndisabled++] = goid(gp);
    }
    for (struct p *pp = s->pidle; pp; pp = pp->link)
        out->idlep[out->nidlep++] = pp->id;
    for (struct m *m = s->midle; m; m = m->schedlink)
        out->idlem[out->nidlem++] = m->id;
    uint64_t w = GET(s->spin);
    out->nmspinning = SPIN_COUNT(w);
    out->needspinning = SPIN_NEED(w);
    out->npidle = GET(s->npidle);
    if (!s->gen->has_p) {
        out->ntimers = s->allp[0].ntimers;
        out->timers = snap_timers(out, &s->allp[0]);
    }
    return s->gen->has_p || out->timers;
}

static uint32_t pid(const struct p *pp)
{
    return pp ? pp->id : EV_NONE;
}

static bool snap_ms(struct sched *s, struct snapshot *out)
{
    for (struct m *m = GET(s->allm); m; m = m->alllink) {
        for (size_t i = 0; i < SNAP_COUNTS_N; i++)
            ((uint64_t *)&out->counts)[i] += ((const uint64_t *)&m->did)[i];
        out->counts.m_created += m->started;
        if (m->started && m->id >= out->nm)
            out->nm = m->id + 1;
    }
    out->counts.goroutines = GET(s->goidgen);
    out->m = snapshot_alloc(out, out->nm + 1, sizeof *out->m);
    if (!out->m)
        return false;
    for (uint32_t i = 0; i < out->nm; i++)
        out->m[i].p = out->m[i].oldp = EV_NONE;
    for (struct m *m = GET(s->allm); m; m = m->alllink) {
        struct g *gp = curg(m);
        if (!m->started)
            continue;
        out->m[m->id] = (struct snap_m){
            .p = pid(m->p ? m->p : m->callp),
            .curg = goid(gp),
            .lockedg = goid(m->lockedg),
            .oldp = pid(m->oldp),
            .spinning = m->spinning,
            .blocked = m->blocked,
            .netpoll = m->polling,
            .sysmon = m->kind == MK_SYSMON,
            .template = m->kind == MK_TEMPLATE,
            .exited = m->exited,
            .idlelocked = (int8_t)m->idlelocked};
        if (gp)
            place(gp, PLACE_RUNNING, m->id, 0);
    }
    return true;
}

static void clear_places(struct sched *s, uint32_t *live)
{
    *live = 0;
    for (struct g *gp = s->allgs; gp; gp = gp->allnext) {
        uint32_t st = GET(gp->status);
        *live += st != G_DEAD;
        place(gp, st == G_WAITING ? PLACE_WAITING : PLACE_IN_TRANSIT, 0, 0);
    }
}

static bool snap_gs(struct sched *s, struct snapshot *out, uint32_t live)
{
    out->g = snapshot_alloc(out, live + 1, sizeof *out->g);
    if (!out->g)
        return false;
    for (struct g *gp = s->allgs; gp; gp = gp->allnext) {
        uint32_t st = GET(gp->status);
        bool waits = st == G_WAITING;
        if (st != G_DEAD)
            out->g[out->ng++] = (struct snap_g){
                .id = goid(gp),
                .status = st & ~G_SCAN,
                .reason = waits ? gp->waitreason & ~PARK_FRONT : WAIT_REASON_NONE,
                .place = gp->snap.place,
                .where = gp->snap.where,
                .slot = gp->snap.slot,
                .obj = waits ? gp->logged.obj : 0,
                .fn = gp->logged.prog,
                .i = gp->logged.i,
                .by = gp->logged.by};
    }
    qsort(out->g, out->ng, sizeof *out->g, g_order);
    return true;
}

/* Gs that a waker has taken out of the queue, or won in another queue, still wait until it readies them. */
static bool is_queued(const struct sudog *sg)
{
    return GET(sg->g->status) == G_WAITING && !(sg->is_select && GET(sg->g->selectdone));
}

bool snap_queue(struct snapshot *in, struct snap_object *out, int side, const struct sudogq *q)
{
    uint32_t n = 0;
    for (const struct sudog *sg = q->first; sg; sg = sg->next)
        n++;
    if (!(out->wait[side] = snapshot_alloc(in, n + 1, sizeof *out->wait[side])))
        return false;
    for (const struct sudog *sg = q->first; sg; sg = sg->next)
        if (is_queued(sg))
            out->wait[side][out->nwait[side]++] = goid(sg->g);
    return true;
}

static int object_order(const void *a, const void *b)
{
    const struct snap_object *x = a, *y = b;
    return x->kind != y->kind ? x->kind - y->kind : (x->id > y->id) - (x->id < y->id);
}

static bool snap_objects(struct sched *s, struct snapshot *out)
{
    int how;
    if (!s->cfg.objects || rt_ended(s, &how)) /* a program that dies may leave an object as it never is */
        return true;
    if (!(out->object = snapshot_alloc(out, s->nknown + 1, sizeof *out->object)))
        return false;
    for (const struct known_object *k = s->known; k; k = k->next) {
        if (!k->snap(k->object, out, &out->object[out->nobject]))
            return false;
        out->nobject += out->object[out->nobject].id != 0; /* 0: nobody uses it yet */
    }
    qsort(out->object, out->nobject, sizeof *out->object, object_order);
    return true;
}

bool rt_snapshot(struct sched *s, struct snapshot *out)
{
    uint32_t live;
    snapshot_reset(out);
    clear_places(s, &live);
    /* Before procresize is logged, the log knows of no Ps. */
    out->np = GET(s->allp[0].status) >> 32 ? gomaxprocs(s) : 0;
    out->p = snapshot_alloc(out, gomaxprocs(s), sizeof *out->p);
    if (!out->p)
        return false;
    for (uint32_t i = 0; i < out->np; i++)
        if (!snap_p(s, out, i))
            return false;
    return snap_lists(s, out) && snap_ms(s, out) && snap_gs(s, out, live) && snap_objects(s, out);
}
