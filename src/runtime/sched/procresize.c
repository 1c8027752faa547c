/* GOMAXPROCS changes: Ps are made, taken out of use and assigned again (Go: procresize, (*p).destroy).
 *
 * No P ever moves in memory: there is room for all of them from the start, and a destroyed P keeps its place and its indexes until it is
 * used again. So Ms without a P may look at any P at any time.
 */
#include "runtime/gc/gc.h"

/* Moves the last G of the ring to the head of the global queue. Returns false if the ring is empty. */
static bool give_up_last(struct m *m, struct p *pp)
{
    /* relaxed, all: the world is stopped, and every M that put or took a G stopped after that */
    uint32_t tail = atomic_load_explicit(&pp->runqtail, memory_order_relaxed);
    if (tail-- == atomic_load_explicit(&pp->runqhead, memory_order_relaxed))
        return false;
    struct g *gp = atomic_load_explicit(&pp->runq[tail & (m->sched->cfg.runq_size - 1)], memory_order_relaxed);
    atomic_store_explicit(&pp->runqtail, tail, memory_order_relaxed);
    emit(m, ev_on(pp->id, EV_RUNQ_POP, goid(gp), tail, 0, 0, 0));
    globrunqputhead(m, gp);
    return true;
}

/* Moves the ring, from its tail, and then runnext to the head of the global queue. So the G that was next to run is first there, too. */
static void give_up_queue(struct m *m, struct p *pp)
{
    while (give_up_last(m, pp))
        ;
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

/* Takes all Ps below n out of P_GCSTOP: m's own P runs, the others have no M. If m's P is not among them, m loses it. */
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
    set_p(m, NULL);
}

static void push(struct p **list, struct p *pp)
{
    pp->link = *list;
    *list = pp;
}

static struct p *pop(struct p **list)
{
    struct p *pp = *list;
    if (pp)
        *list = pp->link;
    return pp;
}

static void give_m(struct m *m, struct p *pp, struct m *nmp)
{
    pp->startm = nmp;
    pp->startid = nmp ? 0 : mreserve_id(m);
}

/* Since 1.26, while a collection marks, the first idle Ps are given the workers that it needs. Returns the list with them. */
static struct p *with_gc_workers(struct m *m, struct p *list, struct p **idle)
{
    bool assign = gc_marking(m->sched) && !disabled(m->sched, DIS_GC_ASSIGNS);
    while (assign && *idle && assign_waiting_gc_worker(m, *idle)) {
        struct p *pp = pop(idle);
        give_m(m, pp, mget(m, pp, false));
        push(&list, pp);
    }
    return list;
}

/* Puts Ps without work on the idle list and returns the others, linked. From the last to the first, so that P1 ends on top of the idle
 * list; since 1.26 the idle ones are put there in the end, so that the last P is on top, and a P with work gets the M that it had, if that
 * is idle. The others wait until then, or mget() could take an M that another P has had. */
static struct p *with_work(struct m *m, uint32_t n)
{
    struct sched *s = m->sched;
    bool keep = !disabled(s, DIS_STW_KEEPS_M), highest_first = !disabled(s, DIS_HIGHEST_IDLE_P);
    bool idle_later = highest_first || !disabled(s, DIS_GC_ASSIGNS);
    struct p *list = NULL, *need_m = NULL, *idle = NULL, *lowest_last = NULL, *pp;
    for (uint32_t i = n; i-- > 0;) {
        pp = &s->allp[i];
        struct m *old = NULL;
        if (pp == m->p)
            continue;
        if (runqempty(m, pp)) {
            if (idle_later)
                push(&idle, pp);
            else
                pidleput(m, pp);
        } else if (keep && !(old = mget_old(m, pp))) {
            push(&need_m, pp);
        } else {
            give_m(m, pp, keep ? old : mget(m, pp, false));
            push(&list, pp);
        }
    }
    while ((pp = pop(&need_m))) {
        give_m(m, pp, mget(m, pp, false));
        push(&list, pp);
    }
    list = with_gc_workers(m, list, &idle);
    while (!highest_first && (pp = pop(&idle)))
        push(&lowest_last, pp);
    while ((pp = pop(highest_first ? &idle : &lowest_last)))
        pidleput(m, pp);
    return list;
}

/* Until 1.4, the M that starts the world deals out all Gs again. First it collects them: the rings take turns, and each gives its last
 * G. So the first G of a ring comes early in the global queue (golang.org/issue/7126: each GC made a starving G starve longer). */
static void collect(struct m *m, uint32_t old)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < old; i++)
            more |= give_up_last(m, &m->sched->allp[i]);
    }
}

/* Gives each P at most half a ring of Gs, one at a time. It begins with P1, because m takes P0, which then runs m's G. */
static void deal(struct m *m, uint32_t n)
{
    struct sched *s = m->sched;
    struct g *gp;
    for (uint32_t i = 1; i < n * (s->cfg.runq_size / 2) && (gp = globrunqtake(m, GLOBQ_DEALT)); i++)
        runqput(m, &s->allp[i % n], gp, false);
}

/* Gives P0 to m, whichever P it had, so that m's G continues there. */
static void take_p0(struct m *m)
{
    struct p *p0 = &m->sched->allp[0];
    if (m->p == p0)
        return;
    if (m->p)
        releasep(m);
    acquirep(m, p0);
}

/* After deal(), the Ps with work are P1 and those that follow it. Returns them linked from the last to the first, the order in which
 * they are woken. */
static struct p *with_dealt_work(struct m *m, uint32_t n)
{
    struct sched *s = m->sched;
    struct p *list = NULL;
    for (uint32_t i = n; i-- > 1;)
        if (runqempty(m, &s->allp[i]))
            pidleput(m, &s->allp[i]);
    for (uint32_t i = 1; i < n && !runqempty(m, &s->allp[i]); i++) {
        struct p *pp = &s->allp[i];
        give_m(m, pp, mget(m, pp, false));
        push(&list, pp);
    }
    return list;
}

/* Go's loop over allp sets one status after the other. Here they all change at once, with one event, because no other M looks meanwhile. */
struct p *procresize(struct m *m, uint32_t n)
{
    struct sched *s = m->sched;
    uint32_t old = gomaxprocs(s);
    bool deals = s->gen->deals_again;
    ps_make(s, n);
    if (deals)
        collect(m, old);
    release_all(m, n);
    atomic_store_explicit(&s->gomaxprocs, n, memory_order_release); /* the new Ps; pairs with gomaxprocs() */
    set_p(m, m->p);                                                 /* no other M has a P now */
    emit(m, ev_of(m, EV_PROCRESIZE, 0, old, n, ++s->lockseq, 0));
    if (deals)
        deal(m, n);
    if (deals || !m->p)
        take_p0(m);
    for (uint32_t i = n; i < old; i++)
        destroy(m, &s->allp[i]);
    stealorder_reset(s, n);
    return deals ? with_dealt_work(m, n) : with_work(m, n);
}
