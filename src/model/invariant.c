/* The invariants of every reachable state. Each check reads only the folded model.
 *
 * The most important one: a G is in exactly one place. The fold writes each G's place. The check walks all queues: they must agree with it,
 * and they must hold as many Gs as are runnable. Then no G can be in two queues.
 */
#include "model/model_internal.h"

#include <stdarg.h>
#include <stdio.h>

struct checker {
    const struct model *md;
    char *why;
    size_t size;
    uint64_t found; /* runnable Gs found in queues or in transit */
};

__attribute__((format(printf, 2, 3))) static bool broken(const struct checker *c, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(c->why, c->size, fmt, ap);
    va_end(ap);
    return false;
}

/* Counts G g, found at this place, and compares the place with the one that the fold wrote. */
static bool met(struct checker *c, uint32_t g, enum g_place place, uint32_t where, uint32_t slot)
{
    const struct model_g *mg = model_g(c->md, g);
    c->found++;
    if (!mg || mg->status != G_RUNNABLE)
        return broken(c, "G%u is in a queue but not runnable", g);
    if (mg->place != place || (place != PLACE_GLOBQ && place != PLACE_IN_TRANSIT && mg->where != where) ||
        (place == PLACE_RUNQ && mg->slot != slot))
        return broken(c, "G%u is in two places", g);
    return true;
}

static bool check_p(struct checker *c, uint32_t i)
{
    struct model_p *p = &c->md->p[i];
    if (p->tail - p->head > c->md->cfg.runq_size)
        return broken(c, "P%u's ring holds %u Gs", i, p->tail - p->head);
    if (p->runnext && !met(c, p->runnext, PLACE_RUNNEXT, i, 0))
        return false;
    for (uint32_t k = p->head; k != p->tail; k++)
        if (!met(c, *ring_slot(c->md, p, k), PLACE_RUNQ, i, k))
            return false;
    if (p->status == P_RUNNING && (p->m == EV_NONE || c->md->m[p->m].p != i))
        return broken(c, "P%u runs, but its M is not with it", i);
    /* The M that stops the world keeps its P, which is stopped like the others. */
    if (p->status != P_RUNNING && p->status != P_GCSTOP && p->m != EV_NONE)
        return broken(c, "P%u does not run, but has M%u", i, p->m);
    return true;
}

static bool check_m(struct checker *c, uint32_t i, uint32_t *spinning)
{
    const struct model_m *m = &c->md->m[i];
    *spinning += m->spinning;
    for (uint32_t k = 0; k < m->transit_n; k++)
        if (!met(c, m->transit[k], PLACE_IN_TRANSIT, i, 0))
            return false;
    if (m->p != EV_NONE && c->md->p[m->p].m != i)
        return broken(c, "M%u has P%u, which is not with it", i, m->p);
    if (m->blocked && (m->p != EV_NONE || m->curg))
        return broken(c, "M%u sleeps with a P or a G", i);
    const struct model_g *g = m->curg ? model_g(c->md, m->curg) : NULL;
    if (m->curg && (!g || g->place != PLACE_RUNNING || g->where != i))
        return broken(c, "M%u runs G%u, which is elsewhere", i, m->curg);
    return true;
}

static bool check_lists(struct checker *c)
{
    const struct model *md = c->md;
    for (uint32_t k = 0; k < md->globq.n; k++)
        if (!met(c, *deque_at(&md->globq, k), PLACE_GLOBQ, 0, k))
            return false;
    for (uint32_t k = 0; k < md->disabled.n; k++)
        if (!met(c, *deque_at(&md->disabled, k), PLACE_DISABLED, 0, 0))
            return false;
    if (md->npidle != md->idlep.n)
        return broken(c, "npidle is %u, but %u Ps are on the idle list", md->npidle, md->idlep.n);
    for (uint32_t k = 0; k < md->idlep.n; k++) {
        uint32_t i = *deque_at(&md->idlep, k);
        if (md->p[i].status != P_IDLE || md->p[i].head != md->p[i].tail || md->p[i].runnext)
            return broken(c, "P%u is on the idle list with work, or not idle", i);
    }
    for (uint32_t k = 0; k < md->idlem.n; k++)
        if (!md->m[*deque_at(&md->idlem, k)].blocked)
            return broken(c, "M%u is on the idle list but does not sleep", *deque_at(&md->idlem, k));
    return true;
}

bool model_check(const struct model *md, char *why, size_t size)
{
    struct checker c = {md, why, size, 0};
    uint32_t spinning = 0;
    if (md->cfg.lacks) /* they need full knowledge */
        return true;
    for (uint32_t i = 0; i < md->np; i++)
        if (!check_p(&c, i))
            return false;
    for (uint32_t i = 0; i < md->nm; i++)
        if (!check_m(&c, i, &spinning))
            return false;
    if (!check_lists(&c))
        return false;
    if (c.found != md->count_g[G_RUNNABLE])
        return broken(&c, "%u Gs are runnable, but %llu are in queues and hands", md->count_g[G_RUNNABLE], (unsigned long long)c.found);
    if (md->np && md->count_g[G_RUNNING] > md->np)
        return broken(&c, "%u Gs run on %u Ps", md->count_g[G_RUNNING], md->np);
    if ((int64_t)md->nmspinning != (int64_t)spinning + md->inflight)
        return broken(&c, "nmspinning is %u, but %u Ms spin and %d wake-ups are in flight", md->nmspinning, spinning, md->inflight);
    return true;
}
