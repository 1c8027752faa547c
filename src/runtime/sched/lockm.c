/* A G locked to its thread (Go: LockOSThread, stoplockedm, startlockedm, templateThread, mexit).
 *
 * The M of a locked G runs nothing else: when the G stops, the M gives its P away and sleeps, in no list (stoplockedm). Another M that
 * takes the G out of a queue cannot run it: it gives its own P to the locked M, wakes it and goes to sleep itself (startlockedm).
 * So each hop costs two thread switches (golang.org/issue/21827).
 * The two may cross: an M can find the G before the G's own M sleeps. nmidlelocked is -1 for a moment then.
 *
 * A new thread inherits its creator's attributes (namespace, signal mask …), and a G may have locked its thread because it changed
 * exactly those. So a locked M makes no threads: it asks the template thread, which never runs Gs (golang.org/issue/20676). A G that
 * ends while locked ends its thread too (golang.org/issue/20395).
 */
#include "runtime/generations/generation.h"
#include "runtime/sched/world.h"

/* Ends the program: no M can ever continue. No locks held. */
static _Noreturn void deadlock(struct m *m, const char *text)
{
    program_end(m, ENDED_DEADLOCK, FATAL_FATAL, text);
    stand_still(m);
}

/* v < 0: counts -v sleeping locked Ms as running, because a P is on its way to an M. Otherwise the last M that parks before the P
 * arrives would report a deadlock (golang.org/issue/9576). v > 0: undoes that, and then checks for a real deadlock. No locks held. */
void incidlelocked(struct m *m, int32_t v)
{
    struct sched *s = m->sched;
    lock(m, &s->lock);
    s->nmidlelocked += v;
    const char *dead = v > 0 ? checkdead(m) : NULL;
    unlock(m, &s->lock);
    if (dead)
        deadlock(m, dead);
}

/* ---- locking and unlocking ------------------------------------------------------------------------------------- */

void rt_lock_os_thread(void)
{
    explore_depends(getm());
    safepoint();
    struct m *m = getm();
    struct g *gp = curg(m);
    const struct generation *gen = m->sched->gen;
    if (gen->template_thread)
        start_template_thread(m);
    m->lockedext = gen->locks_nest ? m->lockedext + 1 : 1;
    m->lockedg = gp;
    gp->lockedm = m;
    gp->seq++;
    emit_gate(m, ev_of(m, EV_G_LOCK_M, goid(gp), gp->seq, m->lockedext, 0, 0));
}

/* Must be called once for each lock; any further call does nothing. */
void rt_unlock_os_thread(void)
{
    safepoint();
    struct m *m = getm();
    struct g *gp = curg(m);
    if (m->lockedext == 0)
        return;
    if (--m->lockedext == 0) {
        m->lockedg = NULL;
        gp->lockedm = NULL;
    }
    gp->seq++;
    emit_gate(m, ev_of(m, EV_G_UNLOCK_M, goid(gp), gp->seq, m->lockedext, 0, 0));
}

/* ---- the hop --------------------------------------------------------------------------------------------------- */

/* Stops m, whose locked G cannot run now: m sleeps until an M that has found the G brings a P. On g0. */
void stoplockedm(struct m *m)
{
    struct sched *s = m->sched;
    struct g *gp = m->lockedg;
    if (gp->lockedm != m)
        throw(m, "stoplockedm: inconsistent locking");
    batch_end(m); /* of the last G's yield or end */
    if (m->p) {
        struct p *pp = releasep(m);
        conductor_gate(m->w);
        handoffp_locked(m, pp);
    }
    lock(m, &s->lock);
    s->nmidlelocked++;
    const char *dead = checkdead(m);
    if (dead) {
        s->nmidlelocked--;
        unlock(m, &s->lock);
        deadlock(m, dead);
    }
    m->idlelocked++;
    emit(m, ev_of(m, EV_M_PARK_LOCKED, goid(gp), ++s->lockseq, 0, 0, 0));
    unlock(m, &s->lock);
    note_sleep(m->w, &m->park);
    note_clear(&m->park);
    /* relaxed: ordered by the note */
    if (atomic_load_explicit(&gp->status, memory_order_relaxed) != G_RUNNABLE)
        throw(m, "stoplockedm: not runnable");
    struct p *pp = m->nextp;
    m->nextp = NULL;
    acquirep(m, pp);
}

/* Hands m's P and gp, which is locked to another M, to that M. m then sleeps until it gets a P. On g0. */
void startlockedm(struct m *m, struct g *gp)
{
    struct sched *s = m->sched;
    struct m *mp = gp->lockedm;
    if (mp == m)
        throw(m, "startlockedm: locked to me");
    if (mp->nextp)
        throw(m, "startlockedm: m has p");
    lock(m, &s->lock);
    s->nmidlelocked--;
    mp->idlelocked--;
    emit(m, ev_of(m, EV_M_WAKE_LOCKED, goid(gp), mp->id, ++s->lockseq, m->p->id, 0));
    unlock(m, &s->lock);
    struct p *pp = releasep(m);
    conductor_gate(m->w);
    mp->nextp = pp;
    note_wakeup(m->w, &mp->park);
    stopm(m);
}

/* ---- the template thread --------------------------------------------------------------------------------------- */

/* Starts the template thread, at the first LockOSThread: the calling thread still has ordinary attributes. */
void start_template_thread(struct m *m)
{
    struct sched *s = m->sched;
    uint32_t none = 0;
    /* relaxed: only the M that wins the CAS makes it */
    if (!atomic_compare_exchange_strong_explicit(&s->newm_handoff.have, &none, 1, memory_order_relaxed, memory_order_relaxed))
        return;
    lock(m, &s->lock);
    int64_t id = mreserve_id(m);
    unlock(m, &s->lock);
    newm(m, NULL, false, id, MK_TEMPLATE);
}

/* Asks the template thread to start nmp. No locks held. */
void newm_by_template(struct m *m, struct m *nmp)
{
    struct sched *s = m->sched;
    if (!atomic_load_explicit(&s->newm_handoff.have, memory_order_relaxed)) /* set by this M or before this G came here */
        throw(m, "on a locked thread with no template thread");
    emit_gate(m, ev_of(m, EV_NEWM_HANDOFF, 0, nmp->id, 0, 0, 0));
    lock(m, &s->newm_handoff.lock);
    nmp->schedlink = s->newm_handoff.newm;
    s->newm_handoff.newm = nmp;
    if (s->newm_handoff.waiting) {
        s->newm_handoff.waiting = false;
        note_wakeup(m->w, &s->newm_handoff.wake);
    }
    unlock(m, &s->newm_handoff.lock);
}

/* Starts all Ms that were requested so far. Caller holds newm_handoff.lock, which is released while an M is started. */
static void serve(struct m *m)
{
    struct sched *s = m->sched;
    while (s->newm_handoff.newm) {
        struct m *list = s->newm_handoff.newm;
        s->newm_handoff.newm = NULL;
        unlock(m, &s->newm_handoff.lock);
        while (list) {
            struct m *nmp = list;
            list = nmp->schedlink;
            nmp->schedlink = NULL;
            newm1(m, nmp);
        }
        lock(m, &s->newm_handoff.lock);
    }
}

/* The body of the template thread. Never returns. */
_Noreturn void template_thread(struct m *m)
{
    struct sched *s = m->sched;
    lock(m, &s->lock);
    s->nmsys++;
    const char *dead = checkdead(m);
    unlock(m, &s->lock);
    if (dead)
        deadlock(m, dead);
    for (;;) {
        lock(m, &s->newm_handoff.lock);
        serve(m);
        s->newm_handoff.waiting = true;
        note_clear(&s->newm_handoff.wake);
        unlock(m, &s->newm_handoff.lock);
        note_sleep(m->w, &s->newm_handoff.wake);
    }
}

/* ---- the end of a thread --------------------------------------------------------------------------------------- */

/* Ends m, whose G has ended while locked. Returns when the thread must end. For M0 it never returns, because M0's thread is the process.
 * On g0. */
void mexit(struct m *m)
{
    struct sched *s = m->sched;
    struct p *pp = releasep(m);
    conductor_gate(m->w);
    handoffp_locked(m, pp);
    lock(m, &s->lock);
    s->nmfreed++;
    m->exited = true;
    if (m->id != 0) {
        /* relaxed, both: under the lock */
        m->freelink = atomic_load_explicit(&s->freem, memory_order_relaxed);
        atomic_store_explicit(&s->freem, m, memory_order_relaxed);
    }
    emit(m, ev_of(m, EV_M_EXIT, 0, ++s->lockseq, m->id == 0, 0, 0));
    const char *dead = checkdead(m);
    unlock(m, &s->lock);
    if (dead)
        deadlock(m, dead);
    if (m->id == 0) {
        note_sleep(m->w, &m->park);
        throw(m, "locked m0 woke up");
    }
}
