/* Ms and Ps: which M has which P, the idle lists, waking and parking (Go: acquirep, releasep, pidleput, startm, stopm, handoffp,
 * wakep, checkdead).
 *
 * The protocol in one paragraph: an M that submits work calls wakep(). If no M spins, that wakes one M, which spins. An M that spins and
 * finds work stops spinning and calls wakep() itself, so Ms wake up one by one as long as there is work. An M that spins and finds no
 * work drops nmspinning first and then looks at all queues once more (go1_20.c). So some M sees each submitted G, and no more threads
 * run than have work to do.
 */
#include "runtime/gc/gc.h"

#define WORTH_NS 600 /* ns: about what it costs to steal a G and to fetch its memory */

enum p_status pstatus(const struct p *pp)
{
    return (enum p_status)(atomic_load_explicit(&pp->status, memory_order_acquire) & 0xffffffffu); /* pairs with pset, pcas */
}

/* Sets pp's status. Returns its new sequence number. Caller: the M that owns pp, or under sched.lock if pp is idle. */
uint32_t pset(struct m *m, struct p *pp, enum p_status st)
{
    uint64_t old = atomic_load_explicit(&pp->status, memory_order_relaxed); /* ours */
    uint32_t seq = (uint32_t)(old >> 32) + 1;
    explore_at(m, FOOT_IDLE);
    /* release: what we did while we owned the P; pairs with acquire in pstatus() and pcas(). seq_cst: Dekker with gcwaiting and
     * run_safe_point (world.c) */
    atomic_store_explicit(&pp->status, (uint64_t)seq << 32 | st, memory_order_seq_cst);
    return seq;
}

/* Changes the status of a P without an owner (in a system call): sysmon and the returning M compete for it. Returns false if it is not
 * `from`. */
bool pcas(struct m *m, struct p *pp, enum p_status from, enum p_status to, uint32_t *seq)
{
    explore_at(m, FOOT_IDLE);
    uint64_t old = atomic_load_explicit(&pp->status, memory_order_seq_cst); /* pairs with pset(), also as Dekker (world.c) */
    if ((old & 0xffffffffu) != from)
        return false;
    *seq = (uint32_t)(old >> 32) + 1;
    explore_at(m, FOOT_IDLE);
    return atomic_compare_exchange_strong_explicit(
        &pp->status, &old, (uint64_t)*seq << 32 | to, memory_order_acq_rel, memory_order_relaxed);
}

/* Gives m the idle pp, which no other M holds. A gate. */
void acquirep(struct m *m, struct p *pp)
{
    if (m->p || pstatus(pp) != P_IDLE)
        throw(m, "acquirep: already in go, or P not idle");
    set_p(m, pp);
    pp->oldm = m;
    explore_at(m, FOOT_IDLE);
    atomic_store_explicit(&pp->m, m, memory_order_release); /* publishes a new M to sysmon; pairs with preemptone() */
    uint32_t seq = pset(m, pp, P_RUNNING);
    emit_gate(m, ev_of(m, EV_P_ACQUIRE, 0, seq, 0, 0, 0));
}

/* Takes m's P away and returns it, without an owner. Logs that; the caller passes a gate. */
struct p *releasep(struct m *m)
{
    struct p *pp = m->p;
    if (!pp || pstatus(pp) != P_RUNNING)
        throw(m, "releasep: invalid p state");
    if (pp->gc_assigned)
        release_gc_worker(m, pp);
    explore_at(m, FOOT_IDLE);
    atomic_store_explicit(&pp->m, NULL, memory_order_relaxed); /* as above */
    uint32_t seq = pset(m, pp, P_IDLE);
    set_p(m, NULL);
    emit(m, ev_on(pp->id, EV_P_RELEASE, 0, seq, 0, 0, 0));
    return pp;
}

/* Puts pp on the idle list. Caller holds sched.lock. */
void pidleput(struct m *m, struct p *pp)
{
    struct sched *s = m->sched;
    if (!runqempty(m, pp))
        throw(m, "pidleput: P has non-empty run queue");
    pp->link = s->pidle;
    s->pidle = pp;
    explore_at(m, FOOT_IDLE);
    atomic_store_explicit(&pp->idle, true, memory_order_relaxed); /* a hint: a thief that reads an old `false` checks an empty queue */
    explore_at(m, FOOT_IDLE);
    atomic_fetch_add_explicit(&s->npidle, 1, memory_order_seq_cst); /* Dekker: dance, as nmspinning */
    uint32_t seq = pset(m, pp, P_IDLE);
    emit(m, ev_on(pp->id, EV_P_IDLE, 0, seq, ++s->lockseq, 0, 0));
}

/* Takes the top of the idle list, or returns NULL. Caller holds sched.lock. */
struct p *pidleget(struct m *m)
{
    struct sched *s = m->sched;
    struct p *pp = s->pidle;
    if (!pp)
        return NULL;
    s->pidle = pp->link;
    pp->link = NULL;
    explore_at(m, FOOT_IDLE);
    /* seq_cst: an M that stops spinning skips idle Ps in check_runqs_no_p(). It must not read an old `true` after a G was put here by a
     * submitter that saw it spin (Dekker: dance) */
    atomic_store_explicit(&pp->idle, false, memory_order_seq_cst);
    explore_at(m, FOOT_IDLE);
    atomic_fetch_sub_explicit(&s->npidle, 1, memory_order_seq_cst); /* as in pidleput() */
    uint32_t seq = pset(m, pp, P_IDLE);
    emit(m, ev_on(pp->id, EV_P_TAKE, 0, seq, ++s->lockseq, 0, 0));
    return pp;
}

/* The same for an M that found work: if no P is idle, an M that is about to drop one must learn of the work (go1_20.c). */
struct p *pidleget_spinning(struct m *m)
{
    struct p *pp = pidleget(m);
    if (!pp && m->sched->gen->needspinning)
        set_needspinning(m);
    return pp;
}

/* Takes the M at this place of the idle list off it and writes its task into it. how: bit 0: it spins; M_WAKE_CHOSEN. Returns NULL if there is
 * none. */
static struct m *take_idle_m(struct m *m, struct m **at, struct p *pp, uint32_t how)
{
    struct sched *s = m->sched;
    struct m *nmp = *at;
    if (!nmp)
        return NULL;
    if (nmp->spinning || nmp->nextp)
        throw(m, "startm: m is spinning or has p");
    *at = nmp->schedlink;
    nmp->schedlink = NULL;
    s->nmidle--;
    nmp->spinning = how & 1;
    nmp->nextp = pp;
    nmp->blocked = false;
    emit(m, ev_of(m, EV_M_WAKE, 0, nmp->id, ++s->lockseq, how, pp->id));
    return nmp;
}

/* Takes the M that parked last. NULL: no M is idle. Caller holds sched.lock. */
struct m *mget(struct m *m, struct p *pp, bool spinning)
{
    return take_idle_m(m, &m->sched->midle, pp, spinning);
}

/* Takes the M that pp had last. NULL: it is not idle. Caller holds sched.lock. */
struct m *mget_old(struct m *m, struct p *pp)
{
    struct m **at = &m->sched->midle;
    explore_touch(m, FOOT_READS | FOOT_IDLE); /* oldm */
    while (*at && *at != pp->oldm)
        at = &(*at)->schedlink;
    return take_idle_m(m, at, pp, M_WAKE_CHOSEN);
}

/* Returns true if the Gs that m ran since it woke up, or since the last call, ran long enough on average to make another CPU worthwhile.
 * Otherwise they end before another CPU has started and fetched what they touch. Or m only checks timers and soon sleeps again, so the M
 * that is woken may as well use m's CPU. */
static bool worth_a_cpu(struct m *m)
{
    int64_t since = m->woke.at;
    uint32_t n = m->woke.runs_now - m->woke.runs + (curg(m) != NULL);
    reset_run_count(m);
    return n != 0 && m->woke.at - since >= (int64_t)n * WORTH_NS;
}

/* Starts an idle M or a new one for pp, which the caller holds. spinning: the caller counted that M in nmspinning. */
void startm(struct m *m, struct p *pp, bool spinning)
{
    struct sched *s = m->sched;
    if (spinning && !runqempty(m, pp))
        throw(m, "startm: p has runnable gs");
    lock(m, &s->lock);
    struct m *nmp = mget(m, pp, spinning);
    int64_t id = nmp ? 0 : mreserve_id(m);
    unlock(m, &s->lock);
    if (nmp)
        (worth_a_cpu(m) ? note_wakeup_apart : note_wakeup)(m->w, &nmp->park);
    else
        newm(m, pp, spinning, id, MK_PLAIN);
}

/* Stops m, which has no P, until another M gives it one. On g0. */
void stopm(struct m *m)
{
    struct sched *s = m->sched;
    if (m->p || m->spinning)
        throw(m, "stopm: holding p or spinning");
    lock(m, &s->lock);
    s->nmidle++;
    const char *dead = checkdead(m);
    if (dead) {
        s->nmidle--;
        unlock(m, &s->lock);
        program_end(m, ENDED_DEADLOCK, FATAL_FATAL, dead);
        stand_still(m);
    }
    m->schedlink = s->midle;
    s->midle = m;
    m->blocked = true;
    m->did.m_parks++;
    emit(m, ev_of(m, EV_M_PARK, 0, ++s->lockseq, tries_of(m), 0, 0));
    unlock(m, &s->lock);
    note_sleep(m->w, &m->park);
    note_clear(&m->park);
    reset_run_count(m);
    struct p *pp = m->nextp;
    m->nextp = NULL;
    acquirep(m, pp);
}

/* Starts an M for pp if there is something that pp could run. Returns false if there is nothing. */
static bool handoff_work(struct m *m, struct p *pp)
{
    struct sched *s = m->sched;
    if (!runqempty(m, pp)) {
        m->did.handoffs++;
        emit_gate(m, ev_on(pp->id, EV_HANDOFF, 0, HANDOFF_LOCAL_WORK, 0, 0, 0));
        startm(m, pp, false);
        return true;
    }
    explore_point(m);
    if (runqsize(s) != 0) {
        m->did.handoffs++;
        emit_gate(m, ev_on(pp->id, EV_HANDOFF, 0, HANDOFF_GLOBAL_WORK, 0, 0, 0));
        startm(m, pp, false);
        return true;
    }
    if (s->gen->handoff_asks_reader && tracing(s) && trace_reader_available(s)) {
        m->did.handoffs++;
        emit_gate(m, ev_on(pp->id, EV_HANDOFF, 0, HANDOFF_TRACE_READER, 0, 0, 0));
        startm(m, pp, false);
        return true;
    }
    explore_point(m);
    if (gc_marking(s) && (pp->gcw != 0 || gc_mark_work_available(s))) {
        m->did.handoffs++;
        emit_gate(m, ev_on(pp->id, EV_HANDOFF, 0, HANDOFF_GC_WORK, 0, 0, 0));
        startm(m, pp, false);
        return true;
    }
    /* seq_cst on npidle: Dekker, as in claim_spinning() */
    uint32_t spinning = nmspinning(m);
    explore_point(m);
    if (spinning + atomic_load_explicit(&s->npidle, memory_order_seq_cst) == 0 && claim_spinning(m, WAKEP_HANDOFF)) {
        m->did.handoffs++;
        emit_gate(m, ev_on(pp->id, EV_HANDOFF, 0, HANDOFF_NO_SPINNERS, 0, 0, 0));
        startm(m, pp, true);
        return true;
    }
    return false;
}

/* The conditions here and in findrunnable() must agree: if findrunnable() would return a G on pp, this must start an M. Caller: holds
 * pp, which has no M. */
static void handoff(struct m *m, struct p *pp, bool off)
{
    struct sched *s = m->sched;
    if (!off && handoff_work(m, pp))
        return;
    lock(m, &s->lock);
    if (handoff_gcwait(m, pp)) {
        m->did.handoffs++;
        emit(m, ev_on(pp->id, EV_HANDOFF, 0, HANDOFF_STW, 0, 0, 0));
        unlock(m, &s->lock);
        return;
    }
    handoff_safe_point(m, pp);
    uint32_t why = off ? HANDOFF_SWITCHED_OFF : HANDOFF_IDLE;
    if (!off && runqsize(s) != 0)
        why = HANDOFF_GLOBAL_WORK;
    else if (!off && atomic_load_explicit(&s->npidle, memory_order_relaxed) == gomaxprocs(s) - 1 && /* under the lock */
             atomic_load_explicit(&s->lastpoll, memory_order_relaxed) != 0)
        why = HANDOFF_LAST_P_POLLS; /* the last running P goes idle, and no M waits in the poller */
    m->did.handoffs++;
    emit(m, ev_on(pp->id, EV_HANDOFF, 0, why, 0, 0, 0));
    if (why == HANDOFF_GLOBAL_WORK || why == HANDOFF_LAST_P_POLLS) {
        unlock(m, &s->lock);
        startm(m, pp, false);
        return;
    }
    int64_t when = s->gen->timers_in_p ? timer0when(pp) : 0; /* the heap of a bucket has a timerproc, which waits for its deadline */
    if (off && !runqempty(m, pp)) {                          /* what-if: the P keeps its Gs, and no M is started to run them */
        unlock(m, &s->lock);
        return;
    }
    pidleput(m, pp);
    unlock(m, &s->lock);
    if (when != 0)
        wake_netpoller(m, when);
}

/* Hands off pp, whose M is in a system call. */
void handoffp(struct m *m, struct p *pp)
{
    handoff(m, pp, disabled(m->sched, DIS_HANDOFF));
}

/* Hands off pp, because its M m sleeps or ends on account of its locked G. The what-if switch has no effect here: it is about system
 * calls, and here no M would come back for the P. */
void handoffp_locked(struct m *m, struct p *pp)
{
    handoff(m, pp, false);
}

/* wakep() while no P is idle, which is usual in a busy program: does all its steps at once (spin.c). It needs the lock only the first
 * time, because needspinning is set afterwards. Returns false if wakep() must go step by step, because a P may be idle or a controller
 * watches the steps.
 *
 * No wake-up is lost. needspinning is set only under the lock while no P is idle, and an M reads needspinning under that lock before it
 * gives up its P. Say that needspinning is set and no P is idle after the caller has published its G (the caller reads both seq_cst:
 * Dekker). Then an M that gives up a P later sees needspinning and searches again, unless another M has cleared it before; that other M
 * spins and checks all queues. */
static bool no_idle_p(struct m *m, uint32_t why)
{
    struct sched *s = m->sched;
    /* relaxed: a hint, checked again below */
    if (!conductor_quiet(m->w) || !m->p || atomic_load_explicit(&s->npidle, memory_order_relaxed) != 0)
        return false;
    if (wakep_no_idle_p(m, why, single_p(m)))
        return true;
    lock(m, &s->lock);
    bool none = !s->pidle;
    if (none)
        wakep_no_idle_p(m, why, true);
    unlock(m, &s->lock);
    return none;
}

/* There may be work for one more P: wakes an M that spins for it, unless one spins. Any M, no locks held. */
void wakep(struct m *m, uint32_t why)
{
    struct sched *s = m->sched;
    if (disabled(s, DIS_WAKEP) || no_idle_p(m, why) || !claim_spinning(m, why))
        return;
    lock(m, &s->lock);
    struct p *pp = pidleget_spinning(m);
    if (!pp)
        unclaim_spinning(m);
    unlock(m, &s->lock);
    if (pp)
        startm(m, pp, true);
}

/* Returns Go's message if the program can never continue, because no M runs and no timer is left; else NULL. Caller holds sched.lock. */
const char *checkdead(struct m *m)
{
    struct sched *s = m->sched;
    int64_t run = (int64_t)s->mnext - s->nmfreed - s->nmidle - s->nmidlelocked - s->nmsys;
    if (run > 0)
        return NULL;
    if (run < 0)
        throw(m, "checkdead: inconsistent counts");
    bool waiting = false;
    lock(m, &s->gflock);
    for (struct g *gp = s->allgs; gp; gp = gp->allnext) {
        uint32_t st = atomic_load_explicit(&gp->status, memory_order_relaxed); /* no M runs that could change it */
        if (ev_is_system_g(goid(gp)))                                          /* the runtime's own Gs may wait for ever */
            continue;
        if (st == G_RUNNABLE && rt_known(&s->cfg) & KNOWN_SWITCH) { /* what-if: a switch has stranded gp; the run continues to its limit */
            unlock(m, &s->gflock);
            return NULL;
        }
        if (st == G_RUNNABLE || st == G_RUNNING || st == G_SYSCALL)
            throw(m, "checkdead: runnable g");
        waiting |= st == G_WAITING;
    }
    unlock(m, &s->gflock);
    if (!waiting)
        return "no goroutines (main called runtime.Goexit) - deadlock!";
    for (uint32_t i = 0; s->gen->timers_in_p && i < gomaxprocs(s); i++)
        if (timer0when(&s->allp[i]) != 0)
            return NULL;
    return "all goroutines are asleep - deadlock!";
}
