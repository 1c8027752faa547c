/* sysmon: an M without P that looks after Ps left in system calls and Gs that run too long (Go: sysmon, retake, preemptone). */
#include "runtime/sched/ask.h"
#include "runtime/sched/world.h"

#define FORCE_GC_HALF 60000000000 /* ns: the longest deep sleep */
#define LONG_SYSCALL 10000000
#define LONG_UNPOLLED 10000000

/* Asks the G on pp to stop. It stops at its next safe point. */
bool preemptone(struct m *m, struct p *pp, uint32_t why)
{
    /* Both pointers may be outdated at once, but Ms and Gs are never freed. acquire: their fields; pairs with acquirep() and execute(). */
    struct m *mp = atomic_load_explicit(&pp->m, memory_order_acquire);
    struct g *gp = mp && mp != m ? atomic_load_explicit(&mp->curg, memory_order_acquire) : NULL;
    if (!gp || (!disabled(m->sched, DIS_WIRED_SYSCALL) && in_syscall(m, pp))) /* nothing there looks at the request */
        return false;
    uint32_t asked = atomic_exchange_explicit(&gp->preempt, 1, memory_order_relaxed); /* polled by safepoint() */
    if (!asked || why == PREEMPT_FOR_SLICE) /* the stopper of the world asks repeatedly; only its first request is logged */
        emit_gate(m, ev_on(pp->id, EV_PREEMPT_REQUEST, goid(gp), why, 0, 0, 0));
    conductor_compute_cut(mp->w);
    if (m->sched->signals && conductor_mode(m->sched->cond) == MODE_FREE)
        preemptm(mp); /* in lockstep the M raises the signal itself, where its computing was cut */
    return true;
}

/* Takes pp from its system call, unless the M there is faster. tick: of that call; NULL: whichever it is in. */
static bool retake_one(struct m *m, struct p *pp, const uint32_t *tick, uint32_t why)
{
    uint32_t seq;
    incidlelocked(m, -1); /* sysmon holds a P, so an M must count as running */
    bool taken = take_from_syscall(m, pp, P_IDLE, tick, &seq);
    if (taken) {
        log_retake(m, pp, seq, why);
        handoffp(m, pp);
    }
    incidlelocked(m, 1);
    return taken;
}

/* Returns why pp, which is in a system call, may be taken; -1: it may not. Not at first sight; and not, if it has no Gs, while other Ps are idle or
 * Ms spin, unless the call takes long. */
static int retake_due(struct m *m, struct p *pp, int64_t now, bool sysretake)
{
    struct sched *s = m->sched;
    uint32_t t = atomic_load_explicit(&pp->syscalltick, memory_order_relaxed);
    if (!sysretake && pp->sysmontick.syscalltick != t) {
        pp->sysmontick.syscalltick = t;
        pp->sysmontick.syscallwhen = now;
        return -1;
    }
    bool longcall = pp->sysmontick.syscallwhen + LONG_SYSCALL <= now;
    /* relaxed: a rule of thumb */
    uint32_t spinning = nmspinning(m);
    explore_point(m);
    bool others = spinning + atomic_load_explicit(&s->npidle, memory_order_relaxed) > 0;
    int why = !runqempty(m, pp) ? RETAKE_WORK_WAITS : !others ? RETAKE_NOBODY_ELSE : RETAKE_LONG_SYSCALL;
    return why != RETAKE_LONG_SYSCALL || longcall ? why : -1;
}

/* Checks all Ps once. Returns how many it took from system calls. */
static uint32_t retake(struct m *m, int64_t now)
{
    struct sched *s = m->sched;
    uint32_t n = 0;
    for (uint32_t i = 0; i < gomaxprocs(s); i++) {
        struct p *pp = &s->allp[i];
        explore_point(m);
        enum p_status st = pstatus(pp);
        bool sysretake = false;
        if (st == P_RUNNING || (st == P_SYSCALL && s->gen->syscalls_have_slices)) {
            uint32_t t = atomic_load_explicit(&pp->schedtick, memory_order_relaxed); /* a hint */
            if (pp->sysmontick.schedtick != t) {
                pp->sysmontick.schedtick = t;
                pp->sysmontick.schedwhen = now;
            } else if (pp->sysmontick.schedwhen + (has_policy(s) ? ask_slice(m, pp, now) : s->cfg.preempt_slice) <= now) {
                if (!disabled(s, DIS_PREEMPTION))
                    preemptone(m, pp, PREEMPT_FOR_SLICE);
                sysretake = true; /* in a system call preemptone found no G */
            }
        }
        int why = in_syscall(m, pp) && !disabled(s, DIS_RETAKE) ? retake_due(m, pp, now, sysretake) : -1;
        if (why >= 0)
            n += retake_one(m, pp, sysretake ? NULL : &pp->sysmontick.syscalltick, (uint32_t)why);
    }
    return n;
}

/* Returns true if all Ps are idle or the world is being stopped. */
static bool nothing_to_watch(struct sched *s)
{
    return gcwaiting(s) || atomic_load_explicit(&s->npidle, memory_order_relaxed) == gomaxprocs(s); /* a hint, but under the lock */
}

/* Sleeps, because there is nothing to watch, until the next timer or until a system call returns. Returns true if a system call woke it. */
static bool deep_sleep(struct m *m)
{
    struct sched *s = m->sched;
    bool woken = false;
    lock(m, &s->lock);
    int64_t now = nanotime(m), next = time_sleep_until(s);
    if (nothing_to_watch(s) && next > now) { /* under the lock */
        atomic_store_explicit(&s->sysmonwait, 1, memory_order_relaxed);
        unlock(m, &s->lock);
        woken = note_sleep_for(m->w, &s->sysmonnote, next - now < FORCE_GC_HALF ? next - now : FORCE_GC_HALF);
        lock(m, &s->lock);
        atomic_store_explicit(&s->sysmonwait, 0, memory_order_relaxed);
        note_clear(&s->sysmonnote);
    }
    unlock(m, &s->lock);
    return woken;
}

static void tick(struct m *m, int64_t delay)
{
    struct ev e = ev_of(m, EV_SYSMON_TICK, 0, 0, 0, 0, 0);
    ev_set_cd(&e, delay);
    emit_gate(m, e);
}

/* Polls the network if no M has polled for 10 ms, because all Ps are busy. */
static void poll_network(struct m *m)
{
    struct sched *s = m->sched;
    int64_t last = atomic_load_explicit(&s->lastpoll, memory_order_relaxed), now = nanotime(m); /* a hint; the CAS checks it */
    if (!netpollinited(s) || last == 0 || last + LONG_UNPOLLED >= now)
        return;
    explore_point(m);
    /* seq_cst: as all changes of lastpoll (go1_20.c). relaxed: if it fails, another M polls as well */
    atomic_compare_exchange_strong_explicit(&s->lastpoll, &last, now, memory_order_seq_cst, memory_order_relaxed);
    struct glist list = netpoll(m);
    if (!list.head)
        return;
    incidlelocked(m, -1); /* those Gs may start an M */
    injectglist(m, &list);
    incidlelocked(m, 1);
}

/* Checks every 20 µs at first. After 50 checks without a find, each pause is twice as long as the last, up to 10 ms. Never returns. */
void sysmon(struct m *m)
{
    struct sched *s = m->sched;
    int64_t delay = 20000;
    for (uint32_t idle = 0;;) {
        if (idle == 0)
            delay = 20000;
        else if (idle > 50 && (delay *= 2) > 10000000)
            delay = 10000000;
        tick(m, delay);
        conductor_usleep(m->w, delay);
        if (nothing_to_watch(s) && deep_sleep(m)) {
            idle = 0;
            delay = 20000;
        }
        poll_network(m);
        if (retake(m, nanotime(m)) != 0)
            idle = 0;
        else
            idle++;
    }
}
