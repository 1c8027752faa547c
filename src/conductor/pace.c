/* How fast threads are, in a search over a Go program (cfg.calls and cfg.stalls) or with --search parallel, loaded or single.
 *
 * A decision at each point makes two Ms take turns step by step, and hardly ever gives what a machine gives: two CPUs each of which executes hundreds of
 * steps in the time of one wake-up, or one CPU on which a thread runs until it waits. Some outcomes of real programs need twenty decisions in a
 * row that fit such a course. So there are three more ways to choose the next M (fine.c has the others):
 *
 *   parallel  each M has a CPU of its own. A point costs its M some time, and the M that is furthest behind goes next. How much a point, a wake-up and
 *             the start of a thread take is drawn for the run and varies from one to the next. In some runs some Ms are slower than others, or
 *             some of the woken Ms take the place of the M that has woken them
 *   loaded    the same on CPUs that others use, too: half of the wake-ups take as long as a time slice of the kernel's
 *   single    all Ms share one CPU: an M goes on until it waits, its time slice ends or an M that it has woken takes its place
 *
 * Only the seed's pick and the time differ, so decisions keep their meaning and can be chosen as in any run. Belongs to the baton. */
#include "conductor/conductor_internal.h"

#define SLICE_NS 3000000 /* of the kernel's scheduler */
#define LONG_POINTS \
    1024 /* after so many points a run is twice as slow, and so on: a G that loops until a thread wakes up would make too many events */

/* From half of ns to one and a half. */
static int64_t about(struct prng *r, int64_t ns)
{
    return ns / 2 + (int64_t)(prng_next(r) % (uint64_t)(ns + 1));
}

static enum run_way drawn_way(struct conductor *c)
{
    static const uint8_t ways[] = {WAY_MIXED, WAY_PARALLEL, WAY_LOADED, WAY_SINGLE};
    enum run_way asked = c->cfg.way;
    if (asked != WAY_MIXED)
        return asked >= WAY_PARALLEL ? asked : WAY_MIXED;
    return c->cfg.calls && c->cfg.stalls ? ways[prng_below(&c->pace.rand, sizeof ways / sizeof *ways)] : WAY_MIXED;
}

void pace_init(struct conductor *c)
{
    static const uint16_t point[] = {10, 20, 40, 80, 160}, wake[] = {1500, 5000, 12000, 30000, 60000}, preempts[] = {0, 2, 6, 16};
    struct pace *p = &c->pace;
    prng_seed(&p->rand, c->cfg.seed, PRNG_PACE);
    if (c->cfg.calm || c->cfg.still || c->cfg.course || (p->way = drawn_way(c)) == WAY_MIXED)
        return;
    c->point_ns = point[prng_below(&p->rand, sizeof point / sizeof *point)];
    p->wake_ns = wake[prng_below(&p->rand, sizeof wake / sizeof *wake)];
    p->start_ns = 10000 + 25000 * prng_below(&p->rand, 3);
    p->slice_ns = SLICE_NS >> 2 * prng_below(&p->rand, 3);
    p->preempts = preempts[prng_below(&p->rand, sizeof preempts / sizeof *preempts)];
    p->slow = prng_below(&p->rand, 4) ? 0 : 2 + prng_below(&p->rand, 3);
}

void pace_enter(struct waiter *w)
{
    struct pace *p = &w->c->pace;
    w->factor = p->slow && !prng_below(&p->rand, 3) ? p->slow : 1;
    if (pace_by_time(w->c) && w->id > 0)
        w->at += about(&p->rand, p->start_ns);
}

int64_t pace_cost(struct waiter *w, int64_t ns)
{
    struct pace *p = &w->c->pace;
    int64_t ran = w->owed + (ns > 1 ? about(&p->rand, ns) : ns);
    w->owed = 0;
    return ran * w->factor * (1 + p->points++ / LONG_POINTS);
}

int64_t pace_late(struct waiter *w, int64_t ns)
{
    struct pace *p = &w->c->pace;
    if (!p->way || !ns)
        return ns;
    if (p->way == WAY_SINGLE) /* it waits for the CPU, not for a time */
        return 0;
    if (ns > stall_ns[w->c->stalls.late])
        return about(&p->rand, ns);
    if (p->preempts && !prng_below(&p->rand, p->preempts)) { /* on w's CPU, in w's place */
        w->owed += about(&p->rand, p->slice_ns);
        return 0;
    }
    bool loaded = p->way == WAY_LOADED && prng_below(&p->rand, 2);
    return about(&p->rand, loaded ? SLICE_NS << prng_below(&p->rand, 3) : p->wake_ns);
}

void pace_woken(struct conductor *c, struct waiter *w)
{
    struct pace *p = &c->pace;
    if (p->way == WAY_SINGLE && p->preempts && !prng_below(&p->rand, p->preempts))
        p->next = w;
}

struct waiter *pace_first(const struct conductor *c)
{
    struct waiter *first = c->ready[0];
    for (uint32_t i = 1; i < c->nready; i++) {
        struct waiter *w = c->ready[i];
        if (w->at < first->at || (w->at == first->at && w->id < first->id))
            first = w;
    }
    return first;
}

struct waiter *pace_single(struct conductor *c, const struct waiter *w)
{
    struct pace *p = &c->pace;
    int64_t now = conductor_time(c);
    struct waiter *next = p->next, *giving = w && w->ready_at != NOWHERE ? c->ready[w->ready_at] : NULL;
    p->next = NULL;
    if (next && next->ready_at == NOWHERE)
        next = NULL;
    if (giving && !next && !giving->spins && now - p->since <= p->slice_ns)
        return giving;
    if (giving) {
        giving->at = next ? now - 1 : now + 1; /* with next, it goes on after that one */
        giving->spins = false;
    }
    p->since = now;
    return next ? next : pace_first(c);
}
