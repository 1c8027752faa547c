/* GOMAXPROCS changes: Ps are made, taken out of use and dealt out anew (Go: procresize, (*p).destroy).
 *
 * No P ever moves in memory: there is room for all of them from the start, and one that was destroyed keeps its place and its indexes
 * until it is wanted again. So sleepers without P may look at any P at any time.
 */
#include "runtime/world.h"

/* The ring from its tail and then runnext to the head of the global queue: what was to run first there is first in its line. */
static void give_up_queue(struct m *m, struct p *pp)
{
    uint32_t mask = m->sched->cfg.runq_size - 1;
    /* relaxed: the world is stopped, and whoever put or took one stopped after it */
    uint32_t head = atomic_load_explicit(&pp->runqhead, memory_order_relaxed);
    uint32_t tail = atomic_load_explicit(&pp->runqtail, memory_order_relaxed);
    while (tail != head) {
        struct g *gp = atomic_load_explicit(&pp->runq[--tail & mask], memory_order_relaxed); /* as above */
        atomic_store_explicit(&pp->runqtail, tail, memory_order_relaxed);                    /* as above */
        emit(m, ev_on(pp->id, EV_RUNQ_POP, goid(gp), tail, 0, 0, 0));
        globrunqputhead(m, gp);
    }
    struct g *next = atomic_load_explicit(&pp->runnext, memory_order_relaxed); /* as above */
    if (!next)
        return;
    atomic_store_explicit(&pp->runnext, NULL, memory_order_relaxed); /* as above */
    emit(m, ev_on(pp->id, EV_RUNNEXT_GET, goid(next), next->seq, 0, 0, 0));
    globrunqputhead(m, next);
}

static void destroy(struct m *m, struct p *pp)
{
    give_up_queue(m, pp);
    timers_move(m, pp);
    gfpurge(m, pp);
    atomic_store_explicit(&pp->m, NULL, memory_order_relaxed); /* a hint for sysmon */
    uint32_t seq = pset(m, pp, P_DEAD);
    emit(m, ev_on(pp->id, EV_P_DESTROY, 0, seq, 0, 0, 0));
}

/* All Ps up to n leave P_GCSTOP: ours runs, the others are nobody's. If ours is one too many, we have none. */
static void release_all(struct m *m, uint32_t n)
{
    struct sched *s = m->sched;
    for (uint32_t i = 0; i < n; i++) {
        struct p *pp = &s->allp[i];
        pset(m, pp, pp == m->p ? P_RUNNING : P_IDLE);
    }
    if (m->p->id < n)
        return;
    atomic_store_explicit(&m->p->m, NULL, memory_order_relaxed); /* a hint for sysmon */
    m->p = NULL;
}

/* From the last to the first, so that P1 ends on top of the idle list. */
static struct p *with_work(struct m *m, uint32_t n)
{
    struct sched *s = m->sched;
    struct p *list = NULL;
    for (uint32_t i = n; i-- > 0;) {
        struct p *pp = &s->allp[i];
        if (pp == m->p)
            continue;
        if (runqempty(m, pp)) {
            pidleput(m, pp);
            continue;
        }
        pp->startm = mget(m, pp, false);
        pp->startid = pp->startm ? 0 : mreserve_id(m);
        pp->link = list;
        list = pp;
    }
    return list;
}

/* Go's loop over allp sets each status where it comes to it; here all change at once and one event tells it, since nobody looks. */
struct p *procresize(struct m *m, uint32_t n)
{
    struct sched *s = m->sched;
    uint32_t old = gomaxprocs(s);
    ps_make(s, n);
    release_all(m, n);
    atomic_store_explicit(&s->gomaxprocs, n, memory_order_release); /* the new Ps; pairs with gomaxprocs() */
    emit(m, ev_of(m, EV_PROCRESIZE, 0, old, n, ++s->lockseq, 0));
    if (!m->p)
        acquirep(m, &s->allp[0]);
    for (uint32_t i = n; i < old; i++)
        destroy(m, &s->allp[i]);
    stealorder_reset(s, n);
    return with_work(m, n);
}
