/* Using the CPU: with cooperative safe points, or tight, without (Go: a loop with calls in it, and one without). */
#include "runtime/sched/point.h"
#include "runtime/sched/proc.h"

/* Computes one piece in free mode, in which a signal may preempt gp; gp may then end it on another M. A signal that arrives between the
 * pieces is lost, as in Go at an unsafe point; sysmon sends another. */
static void tight_piece(struct g *gp)
{
    /* ns. A piece is short compared with a slice and long compared with reading the clock. A round of conductor_tight() takes about 4. */
    enum { PIECE = 20000, ROUND = 4 };
    int64_t ns = gp->tight_left < PIECE ? gp->tight_left : PIECE;
    conductor_breathe(getm()->w);
    gp->tight_since = nanotime(getm());
    conductor_tight(getm()->sched->cond, (uint32_t)(ns / ROUND + 1));
    gp->tight_left -= nanotime(getm()) - gp->tight_since;
}

/* Used without signals, and always in lockstep: the computation is cut, deterministically, where sysmon asks for it. */
static void tight_cut(struct g *gp)
{
    gp->tight_left -= conductor_compute(getm()->w, gp->tight_left, false);
    /* relaxed: a hint, as in safepoint() */
    if (gp->tight_left > 0 && atomic_load_explicit(&gp->preempt, memory_order_relaxed))
        async_preempt_self();
}

static void compute_tight(int64_t ns)
{
    struct g *gp = getg();
    struct sched *s = getm()->sched;
    gp->tight_left = ns;
    while (gp->tight_left > 0) {
        if (!s->cfg.async_preempt)
            gp->tight_left -= conductor_compute(getm()->w, gp->tight_left, true);
        else if (s->signals && conductor_mode(s->cond) == MODE_FREE)
            tight_piece(gp);
        else
            tight_cut(gp);
    }
}

void rt_ran(int64_t ns)
{
    conductor_ran(getm()->w, ns);
}

/* The program has computed for ns more. A search does not follow it for ever. */
static void computes(struct m *m, int64_t ns)
{
    enum { LINGERS = 200000 }; /* ns, when main has returned */
    struct sched *s = m->sched;
    bool lingers = atomic_load_explicit(&s->lingers, memory_order_relaxed); /* as in end.c */
    /* relaxed, both: in lockstep, for which it counts, the baton orders them */
    int64_t so_far = atomic_fetch_add_explicit(lingers ? &s->lingered : &s->computed, ns, memory_order_relaxed);
    if (so_far + ns < (lingers ? LINGERS : s->cfg.compute))
        return;
    program_end(m, ENDED_LIMIT, 0, NULL);
    stand_still(m);
}

int64_t rt_turn(int64_t ns, bool call)
{
    struct m *m = getm();
    if (m->sched->cfg.compute)
        computes(m, ns);
    ns = conductor_use(m->w, ns, !call && !m->sched->cfg.async_preempt);
    rt_point();
    if (call)
        rt_call_edge();
    else
        rt_back_edge();
    return ns;
}

/* Computes for ns. If the G is asked to stop, it is preempted at its next safe point, and later continues with the rest. */
void rt_compute(int64_t ns, bool tight)
{
    if (tight) {
        compute_tight(ns);
        return;
    }
    safepoint();
    while (ns > 0) {
        ns -= conductor_compute(getm()->w, ns, false);
        safepoint();
    }
}
