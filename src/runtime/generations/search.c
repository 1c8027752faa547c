/* See search.h. */
#include "runtime/generations/search.h"

void find_stage(struct m *m, uint32_t stage)
{
    emit_gate(m, find_ev(m, stage, 0, 0, 0));
}

/* seq_cst: Dekker, the G was published before; see go1_20.c. */
bool idle_p_and_no_spinner(struct m *m)
{
    explore_point(m);
    return atomic_load_explicit(&m->sched->npidle, memory_order_seq_cst) != 0 && nmspinning(m) == 0;
}

struct g *get_global(struct m *m, uint32_t max, uint32_t why)
{
    struct sched *s = m->sched;
    emit_gate(m, find_global_queue(m, why == GLOBQ_TICK61 ? FIND_TICK61 : FIND_GLOBAL));
    lock(m, &s->lock);
    struct g *gp = globrunqget(m, m->p, max, why);
    unlock(m, &s->lock);
    return gp;
}

struct g *fair_global(struct m *m)
{
    struct sched *s = m->sched;
    uint32_t tick = atomic_load_explicit(&m->p->schedtick, memory_order_relaxed); /* ours */
    return tick % 61 == 0 && runqsize(s) != 0 && !disabled(s, DIS_FAIRNESS_TICK) ? get_global(m, 1, GLOBQ_TICK61) : NULL;
}

struct g *poll_network(struct m *m)
{
    struct sched *s = m->sched;
    m->seen.waiters = netpoll_waiters(s);
    if (!netpollinited(s) || m->seen.waiters == 0 || atomic_load_explicit(&s->lastpoll, memory_order_relaxed) == 0)
        return NULL;
    emit_gate(m, find_ev(m, FIND_NETPOLL, m->seen.waiters, 0, 0));
    struct glist list = netpoll(m);
    return list.head ? run_first(m, &list) : NULL;
}

bool back_from_poller(struct m *m, struct glist *list, bool was_spinning, struct g **gp)
{
    struct sched *s = m->sched;
    lock(m, &s->lock);
    struct p *pp = pidleget(m);
    unlock(m, &s->lock);
    if (!pp) {
        injectglist(m, list);
        return false;
    }
    acquirep(m, pp);
    if (list->head)
        *gp = run_first(m, list);
    else if (was_spinning)
        become_spinning(m);
    return true;
}
