/* Using the CPU: with cooperative safe points, or tight, without (Go: a loop with calls in it, and one without). */
#include "runtime/sched/proc.h"

/* One piece in free mode, where a signal may strike; gp may come out of it on another M. A signal that meets the code
 * between the pieces is lost, as Go's is at an unsafe point: sysmon sends another. */
static void tight_piece(struct g *gp)
{
    enum { PIECE = 20000, ROUND = 4 }; /* ns: short against a slice, long against the look at the clock; about one round */
    int64_t ns = gp->tight_left < PIECE ? gp->tight_left : PIECE;
    conductor_breathe(getm()->w);
    gp->tight_since = nanotime(getm());
    conductor_tight(getm()->sched->cond, (uint32_t)(ns / ROUND + 1));
    gp->tight_left -= nanotime(getm()) - gp->tight_since;
}

/* Without signals, and always in lockstep: the computing is cut, deterministically, where sysmon asks for it. */
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

/* The code of a loop without calls has no safe points: since Go 1.14 a signal interrupts it. What a program computes between its
 * operations is the interpreter's work, where no signal may strike; so it is cut here, as tight computing is in lockstep. */
void rt_back_edge(void)
{
    /* relaxed: a hint, as in safepoint() */
    if (atomic_load_explicit(&getg()->preempt, memory_order_relaxed) && getm()->sched->cfg.async_preempt)
        async_preempt_self();
}

/* A G that was asked to stop is preempted at its next safe point, and later continues with the rest. */
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
