/* See outcome.h. */
#include "model/outcome.h"
#include "model/model_internal.h"

int64_t model_moved(const struct model *md)
{
    return md->moved;
}

static void look_at_queue(struct outcome *o, uint32_t n, uint32_t p)
{
    if (n <= o->queued)
        return;
    o->queued = n;
    o->p = p;
}

struct outcome outcome_of(const struct model *md)
{
    struct outcome o = {.moved = md->moved, .p = EV_NONE, .due = -1, .stopper = EV_NONE};
    for (uint32_t i = 0; i + 1 < model_programs(md); i++) { /* the last one: the runtime's own Gs */
        o.created += md->use[i].created;
        o.done += md->use[i].ended;
    }
    o.done += md->ended == ENDED_MAIN_RETURNED;
    for (uint32_t i = 0; i < md->np; i++)
        if (model_knows(md, KNOW_P_LEN, i) == KNOWN_FACT)
            look_at_queue(&o, md->p[i].tail - md->p[i].head + (md->p[i].runnext != 0), i);
    if (model_knows(md, KNOW_GLOBQ_LEN, 0) == KNOWN_FACT)
        look_at_queue(&o, md->globq.n, EV_NONE);
    uint32_t m = o.p == EV_NONE ? EV_NONE : md->p[o.p].m;
    const struct model_g *g = m < md->nm && md->m[m].curg ? g_find(md, md->m[m].curg) : NULL;
    if (g && g->status == G_RUNNING) {
        o.runner = g->id;
        o.runs_since = g->since;
    }
    const struct snap_timer *first;
    for (uint32_t i = 0; i < model_heaps(md); i++)
        if (model_heap(md, i, &first) && first->when <= md->time && (o.due < 0 || first->when < o.due))
            o.due = first->when;
    if (md->world.state == WORLD_STOPS) {
        o.stopper = md->world.by;
        o.stops_since = md->world.since;
    }
    return o;
}

static bool has_timer(const struct model *md, int64_t since)
{
    const struct snap_timer *first;
    for (uint32_t i = 0; i < model_heaps(md); i++) {
        uint32_t n = model_heap(md, i, &first);
        if (n && first[n - 1].when >= since)
            return true;
    }
    return false;
}

static bool waits_for_network(const struct model *md)
{
    const struct gpage *page;
    for (uint32_t i = 0; md->count_g[G_WAITING] && (page = gpages_live(md, &i)); i++)
        for (uint32_t k = 0; k < GPAGE; k++)
            if (page->g[k].status == G_WAITING && page->g[k].reason == WAIT_REASON_IO_WAIT)
                return true;
    return false;
}

bool outcome_awaits(const struct model *md, int64_t since)
{
    bool stops = md->world.state != WORLD_RUNS && md->world.since >= since;
    return stops || md->count_g[G_SYSCALL] || has_timer(md, since) || waits_for_network(md);
}

bool outcome_running(const struct model *md, bool (*is)(void *ctx, uint32_t program), void *ctx)
{
    for (uint32_t i = 0; i < md->nm; i++) {
        const struct model_g *g = md->m[i].curg ? g_find(md, md->m[i].curg) : NULL;
        if (g && g->status == G_RUNNING && !is(ctx, g->fn))
            return false;
    }
    return true;
}
