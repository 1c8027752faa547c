/* System calls (Go: entersyscall, exitsyscall). The thread blocks in the kernel; its P stays behind, marked, until sysmon retakes it
 * or the thread comes back.
 *
 * Since 1.26 (wired_syscall) it is the G that is marked. The P runs on, wired to its M, so a call that is not disturbed changes one word, the
 * G's status. An M that wants the P first adds a bit to that status, which the returning M has to wait for (Go: setBlockOnExitSyscall).
 */
#include "runtime/sched/world.h"

void wake_sysmon(struct m *m)
{
    struct sched *s = m->sched;
    explore_point(m);
    if (atomic_load_explicit(&s->sysmonwait, memory_order_relaxed) == 0) /* a hint; checked again under the lock */
        return;
    lock(m, &s->lock);
    if (atomic_exchange_explicit(&s->sysmonwait, 0, memory_order_relaxed)) /* under the lock */
        note_wakeup(m->w, &s->sysmonnote);
    unlock(m, &s->lock);
}

/* The M of pp, if the G that it runs is in a system call; else NULL. */
static struct m *syscalling_m(struct m *m, struct p *pp)
{
    explore_at(m, FOOT_IDLE);
    if (pstatus(pp) != P_RUNNING)
        return NULL;
    /* acquire, all: the M's fields, the G's fields (execute()), and that the M has its P (reentersyscall_wired()) */
    struct m *mp = atomic_load_explicit(&pp->m, memory_order_acquire);
    struct g *gp = mp ? atomic_load_explicit(&mp->curg, memory_order_acquire) : NULL;
    return gp && (atomic_load_explicit(&gp->status, memory_order_acquire) & ~G_SCAN) == G_SYSCALL ? mp : NULL;
}

bool in_syscall(struct m *m, struct p *pp)
{
    return disabled(m->sched, DIS_WIRED_SYSCALL) ? pstatus(pp) == P_SYSCALL : syscalling_m(m, pp) != NULL;
}

/* Go: releaseP. No explore points: the G is marked, and its M would wait for the baton's holder. */
void lose_p(struct p *pp, enum p_status to, uint32_t *seq)
{
    uint64_t old = atomic_load_explicit(&pp->status, memory_order_relaxed); /* nobody else changes it now */
    *seq = (uint32_t)(old >> 32) + 1;
    atomic_store_explicit(&pp->m, NULL, memory_order_relaxed);                           /* a hint for sysmon */
    atomic_store_explicit(&pp->status, (uint64_t)*seq << 32 | to, memory_order_seq_cst); /* as pset() */
}

bool take_from_syscall(struct m *m, struct p *pp, enum p_status to, const uint32_t *tick, uint32_t *seq)
{
    if (disabled(m->sched, DIS_WIRED_SYSCALL))
        return pcas(m, pp, P_SYSCALL, to, seq);
    struct m *mp = syscalling_m(m, pp);
    struct g *gp = mp ? curg(mp) : NULL;
    uint32_t in_call = G_SYSCALL;
    explore_at(m, FOOT_IDLE);
    /* acquire: what the M did before it entered the call, and what another taker did. relaxed: gp is not in a call any more, or is marked */
    if (!gp ||
        !atomic_compare_exchange_strong_explicit(&gp->status, &in_call, G_SYSCALL | G_SCAN, memory_order_acquire, memory_order_relaxed))
        return false;
    bool still = curg(mp) == gp && mp->callp == pp; /* else gp has been elsewhere in the meantime: it is in another call */
    still = still && (!tick || atomic_load_explicit(&pp->syscalltick, memory_order_relaxed) == *tick); /* or pp is in the next one */
    if (still) {
        mp->callp = NULL;
        lose_p(pp, to, seq);
    }
    atomic_store_explicit(&gp->status, G_SYSCALL, memory_order_release); /* pairs with mark_returning() and the exchange above */
    return still;
}

void log_retake(struct m *m, struct p *pp, uint32_t seq, uint32_t why)
{
    m->did.retakes++;
    emit_gate(m, ev_on(pp->id, EV_RETAKE, 0, seq, why, 0, 0));
    count_taken(m->sched, pp);
}

/* reentersyscall() since 1.26: the P stays with m, and running. If the world is being stopped, m gives it away first. */
static void reentersyscall_wired(struct m *m, uint32_t call)
{
    struct g *gp = curg(m);
    struct p *pp = m->p;
    if (safe_point_wanted(pp))
        run_safe_point_fn(m);
    m->syscalltick = atomic_load_explicit(&pp->syscalltick, memory_order_relaxed);
    explore_point(m);
    if (gcwaiting(m->sched))
        entersyscall_gcwait(m);
    bool wired = m->p != NULL;
    m->oldp = pp;
    gp->seq++;
    m->did.syscalls += !ev_is_system_g(goid(gp));
    /* The P's number puts this in order with what takes the P (model/fold.c); its status stays the same. */
    struct ev e = ev_of(m, EV_SYSCALL_ENTER, goid(gp), gp->seq, wired ? pset(m, pp, P_RUNNING) : 0, call, wired);
    m->callp = m->p;
    set_p(m, NULL); /* what m logs during the call has no P: another M may take it */
    explore_at(m, FOOT_IDLE);
    atomic_store_explicit(&gp->status, G_SYSCALL, memory_order_release); /* from here on pp may be taken: pairs with take_from_syscall() */
    emit_gate(m, e);
    wake_sysmon(m); /* after the mark: what stops the world meanwhile lets sysmon sleep, and only sysmon would find this call */
}

/* Marks the current G as blocked in the kernel, perhaps only for a short time, so its P is not handed off. */
static void reentersyscall(struct m *m, uint32_t call)
{
    struct g *gp = curg(m);
    struct p *pp = m->p;
    if (!disabled(m->sched, DIS_WIRED_SYSCALL)) {
        reentersyscall_wired(m, call);
        return;
    }
    wake_sysmon(m); /* sysmon must watch the P that m leaves behind */
    if (safe_point_wanted(pp))
        run_safe_point_fn(m);
    m->syscalltick = atomic_load_explicit(&pp->syscalltick, memory_order_relaxed);
    atomic_store_explicit(&gp->status, G_SYSCALL, memory_order_relaxed); /* ours */
    gp->seq++;
    atomic_store_explicit(&pp->m, NULL, memory_order_relaxed); /* a hint for sysmon */
    m->oldp = pp;
    set_p(m, NULL);
    uint32_t seq = pset(m, pp, P_SYSCALL);
    m->did.syscalls += !ev_is_system_g(goid(gp));
    emit_gate(m, ev_on(pp->id, EV_SYSCALL_ENTER, goid(gp), gp->seq, seq, call, 0));
    explore_point(m);
    if (gcwaiting(m->sched))
        entersyscall_gcwait(m);
}

/* The same for a call that is known to block for long: the P is handed off at once. Nobody may take it before that, so the G is marked. */
static void entersyscallblock(struct m *m)
{
    struct g *gp = curg(m);
    atomic_store_explicit(&gp->status, G_SYSCALL | (disabled(m->sched, DIS_WIRED_SYSCALL) ? 0 : G_SCAN), memory_order_relaxed); /* ours */
    gp->seq++;
    m->did.syscalls += !ev_is_system_g(goid(gp));
    emit_gate(m, ev_of(m, EV_SYSCALL_BLOCK, goid(gp), gp->seq, 0, 0, 0));
    count_taken(m->sched, m->p);
    struct p *pp = releasep(m);
    atomic_store_explicit(&gp->status, G_SYSCALL,
                          memory_order_release); /* pairs with take_from_syscall() of an M that saw m's old P: it reads callp */
    conductor_gate(m->w);
    handoffp(m, pp);
}

static void running_again(struct m *m, struct g *gp, uint32_t how, uint32_t pseq)
{
    m->oldp = NULL;
    atomic_store_explicit(&gp->status, G_RUNNING, memory_order_relaxed); /* ours */
    gp->seq++;
    count_syscall(m->p);
    emit_gate(m, ev_of(m, EV_SYSCALL_EXIT, goid(gp), gp->seq, pseq, 1, how));
}

/* Takes the G's status for m, so that from now on no M takes m's P. In Go the G is running from here on; with the mark it still counts as in
 * the call, until the event of its return. */
static void mark_returning(struct m *m, struct g *gp)
{
    explore_at(m, FOOT_IDLE);
    for (;;) {
        uint32_t in_call = G_SYSCALL;
        /* acquire: pairs with take_from_syscall(): whether m has its P */
        if (atomic_compare_exchange_strong_explicit(&gp->status, &in_call, G_SYSCALL | G_SCAN, memory_order_acquire, memory_order_relaxed))
            return;
        conductor_spin(m->w, 0); /* another M takes the P at this moment, and waits for nothing; in lockstep that is over already */
    }
}

/* What exitsyscallfast() does since 1.26: the own P, else the old P from the call of another M, else any idle one. */
static bool old_p_again(struct m *m, struct g *gp, struct p *oldp)
{
    uint32_t seq;
    mark_returning(m, gp);
    set_p(m, m->callp);
    m->callp = NULL;
    if (m->p) {
        running_again(m, gp, EXITSYSCALL_OLD_P, pset(m, m->p, P_RUNNING));
        return true;
    }
    if (!oldp || !take_from_syscall(m, oldp, P_IDLE, NULL, &seq))
        return false;
    log_retake(m, oldp, seq, RETAKE_OLD_P);
    acquirep(m, oldp);
    running_again(m, gp, EXITSYSCALL_TAKEN_BACK, 0);
    return true;
}

/* Takes the old P if no M has taken it, else any idle one. Returns false if there is none. */
static bool exitsyscallfast(struct m *m, struct p *oldp)
{
    struct sched *s = m->sched;
    struct g *gp = curg(m);
    uint32_t seq;
    if (!disabled(s, DIS_WIRED_SYSCALL)) {
        if (old_p_again(m, gp, oldp))
            return true;
    } else if (oldp && pcas(m, oldp, P_SYSCALL, P_RUNNING, &seq)) {
        set_p(m, oldp);
        atomic_store_explicit(&oldp->m, m, memory_order_release); /* as in acquirep() */
        running_again(m, gp, EXITSYSCALL_OLD_P, seq);
        return true;
    }
    explore_point(m);
    if (atomic_load_explicit(&s->npidle, memory_order_relaxed) == 0) /* a hint; the list is checked under the lock */
        return false;
    lock(m, &s->lock);
    struct p *pp = pidleget(m);
    unlock(m, &s->lock);
    if (!pp)
        return false;
    wake_sysmon(m);
    acquirep(m, pp);
    running_again(m, gp, EXITSYSCALL_IDLE_P, 0);
    return true;
}

/* After exitsyscallfast() got no P: looks for an idle P once more, under the lock. If there is still none, puts the G into the global
 * queue and stops the M. A G that may not run takes no P; it waits in that queue until user Gs are enabled, or until schedule() puts it
 * aside. On g0. */
static void exitsyscall0(struct m *m, struct g *gp)
{
    struct sched *s = m->sched;
    dropg(m, gp, G_RUNNABLE);
    m->oldp = NULL;
    emit_gate(m, ev_of(m, EV_SYSCALL_EXIT, goid(gp), gp->seq, 0, 0, EXITSYSCALL_NO_P));
    lock(m, &s->lock);
    struct p *pp = sched_enabled(s, gp) ? pidleget(m) : NULL;
    bool locked = gp->lockedm != NULL; /* read while gp is still ours */
    if (!pp)
        globrunqput(m, gp);
    unlock(m, &s->lock);
    if (!pp) {
        if (locked) {
            stoplockedm(m);
            m->rungp = gp;
        } else {
            stopm(m);
        }
        return;
    }
    wake_sysmon(m);
    acquirep(m, pp);
    m->rungp = gp;
}

/* In generations with Ps. call: CALL_…; blocking: the P is handed off at once. */
void entersyscall_p(struct m *m, uint32_t call, bool blocking)
{
    if (blocking)
        entersyscallblock(m);
    else
        reentersyscall(m, call);
}

/* Continues on any P that is available. May switch to another M. While user Gs are disabled, a user G yields, and schedule() puts it
 * aside. */
void exitsyscall_p(struct m *m)
{
    if (!exitsyscallfast(m, m->oldp)) {
        mcall(exitsyscall0);
        count_syscall(getm()->p); /* the G may be back on another M */
    } else if (users_disabled(m->sched) && !sched_enabled(m->sched, curg(m))) {
        rt_gosched();
    }
}

void entersyscall(struct m *m, uint32_t call, bool blocking)
{
    m->sched->gen->entersyscall(m, call, blocking);
}

void exitsyscall(struct m *m)
{
    m->sched->gen->exitsyscall(m);
}

void rt_syscall(int64_t ns, bool blocking)
{
    explore_depends(getm());
    safepoint();
    struct m *m = getm();
    entersyscall(m, CALL_SYSCALL, blocking);
    conductor_block(m->w, ns);
    exitsyscall(m);
}

/* Go: cgocall. For the scheduler, C code is a system call: it cannot be preempted, and its P stays behind for sysmon. */
void rt_cgo(int64_t ns)
{
    explore_depends(getm());
    safepoint();
    struct m *m = getm();
    entersyscall(m, CALL_CGO, false);
    conductor_compute(m->w, ns, true);
    exitsyscall(m);
}
