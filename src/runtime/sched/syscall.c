/* System calls (Go: entersyscall, exitsyscall). The thread blocks in the kernel; its P stays behind, marked, until sysmon retakes it
 * or the thread comes back. */
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

/* Marks the current G as blocked in the kernel, perhaps only for a short time, so its P is not handed off. */
static void reentersyscall(struct m *m, uint32_t call)
{
    struct g *gp = curg(m);
    struct p *pp = m->p;
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

/* The same for a call that is known to block for long: the P is handed off at once. */
static void entersyscallblock(struct m *m)
{
    struct g *gp = curg(m);
    atomic_store_explicit(&gp->status, G_SYSCALL, memory_order_relaxed); /* ours */
    gp->seq++;
    m->did.syscalls += !ev_is_system_g(goid(gp));
    emit_gate(m, ev_of(m, EV_SYSCALL_BLOCK, goid(gp), gp->seq, 0, 0, 0));
    count_taken(m->sched, m->p);
    struct p *pp = releasep(m);
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

/* Takes the old P if no M has taken it, else any idle one. Returns false if there is none. */
static bool exitsyscallfast(struct m *m, struct p *oldp)
{
    struct sched *s = m->sched;
    struct g *gp = curg(m);
    uint32_t seq;
    if (oldp && pcas(m, oldp, P_SYSCALL, P_RUNNING, &seq)) {
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
