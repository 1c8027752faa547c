/* Go 1.13: schedule() and findrunnable(), to be read next to that version's proc.go. Differences from go1_20.c:
 *
 * - Two functions, as in the original: schedule() checks the tick and the local queue; findrunnable() checks again and then tries other Ps.
 * - The scheduler does not run timers: there are 64 heaps, each with a runtime G that sleeps in a system call (timerproc.c).
 * - An M that submits work checks npidle and nmspinning itself and calls wakep() only if needed.
 * - If all other Ps are idle, an M does not steal at all. Thieves also look at idle Ps and at their own.
 * - Every M that gives up its P checks all queues once more, whether it spun or not (golang.org/issue/43997).
 * - Preemption is cooperative only. There is no needspinning: every M checks once more, so only handoffp would need it (runtime/README.md,
 *   handoff-race).
 */
#include "runtime/gc/gc.h"
#include "runtime/generations/search.h"

static void resetspinning(struct m *m)
{
    drop_spinning(m, SPIN_STOP_FOUND_WORK);
    /* Ms are woken conservatively, so check here whether one more P must be woken. */
    if (idle_p_and_no_spinner(m))
        wakep(m, WAKEP_FOUND_WORK);
}

/* Makes gp, which is new or was made ready, runnext. Wakes no M before main has started. */
static void put(struct m *m, struct g *gp, uint32_t why)
{
    runqput(m, m->p, gp, true);
    if (idle_p_and_no_spinner(m) && (why != WAKEP_NEW_G || curg(m)))
        wakep(m, why);
}

static uint32_t steal_step(const struct sched *s, uint32_t r)
{
    return s->coprimes[r % s->ncoprimes]; /* the start uses the same r, so some pairs of start and step never occur; 1.19 uses r / n */
}

/* Makes four passes over all Ps, from a random P, by a step coprime to their number. Tries runnext only on the last pass. Also checks
 * m's own P and idle ones, which are empty. */
static struct g *steal_work(struct m *m, bool *again)
{
    struct sched *s = m->sched;
    struct p *pp = m->p;
    for (int pass = 0; pass < STEAL_TRIES; pass++) {
        uint32_t n = gomaxprocs(s), orders = n * s->ncoprimes;
        uint32_t r = conductor_decide(m->w, DECIDE_STEAL, orders, (uint32_t)prng_next(&pp->rand) % orders), pos = r % n;
        uint32_t step = steal_step(s, r);
        for (uint32_t i = 0; i < n; i++, pos = (pos + step) % n) {
            explore_point(m);
            if ((*again = gcwaiting(s)))
                return NULL;
            find_steal_try(m, &s->allp[pos], (uint32_t)pass + 1);
            struct g *gp = runqsteal(m, pp, &s->allp[pos], pass > 2);
            if (gp)
                return gp;
        }
    }
    return NULL;
}

/* Steals, unless all other Ps are idle or enough Ms spin already. *again: the world is being stopped, start over. */
static struct g *find_by_stealing(struct m *m, bool *again)
{
    struct sched *s = m->sched;
    explore_point(m);
    uint32_t procs = gomaxprocs(s), idle = atomic_load_explicit(&s->npidle, memory_order_relaxed); /* rules of thumb */
    if (idle == procs - 1 || disabled(s, DIS_STEALING)) {
        m->seen.rule = idle == procs - 1 ? SPIN_RULE_ALONE : SPIN_RULE_NO_STEALING;
        m->seen.spinning = 0;
        m->seen.busy = procs - idle;
        return NULL; /* new work can only come from a system call or a timer, and those do not use local queues */
    }
    if (!may_spin(m, procs - idle))
        return NULL;
    if (!m->spinning)
        become_spinning(m);
    emit_gate(m, find_steal(m));
    return steal_work(m, again);
}

/* Gives up the P, unless the global queue, checked under the lock, has a G. *again: start over. */
static struct g *drop_p(struct m *m, bool *again)
{
    struct sched *s = m->sched;
    struct g *gp = NULL;
    lock(m, &s->lock);
    if ((*again = gcwaiting(s) || safe_point_wanted(m->p)))
        ;
    else if (runqsize(s) != 0)
        gp = globrunqget(m, m->p, 0, GLOBQ_RECHECK);
    else
        pidleput(m, releasep(m));
    unlock(m, &s->lock);
    return gp;
}

/* If an idle P could mark, takes it and returns its worker; else NULL. */
static struct g *recheck_gc(struct m *m, bool was_spinning)
{
    struct g *gp;
    if (!gc_marking(m->sched))
        return NULL;
    struct p *pp = check_idle_gc_no_p(m, &gp);
    emit_gate(m, ev_of(m, EV_RECHECK, 0, RECHECK_GC, pp != NULL, 0, 0));
    if (!pp)
        return NULL;
    acquirep(m, pp);
    if (was_spinning)
        become_spinning(m);
    gc_worker_ready(m, gp, GCMODE_IDLE);
    return gp;
}

/* Checks all queues once more, after nmspinning was dropped (the delicate dance). Returns true if m has a P again. */
static bool recheck(struct m *m, bool was_spinning)
{
    struct sched *s = m->sched;
    struct p *pp = NULL;
    if (disabled(s, DIS_SPINNING_RECHECK))
        return false;
    for (uint32_t i = 0; i < gomaxprocs(s) && !pp; i++) {
        if (runqempty(m, &s->allp[i]))
            continue;
        lock(m, &s->lock);
        pp = pidleget(m);
        unlock(m, &s->lock);
        break; /* no P is idle, so it is useless to check further */
    }
    emit_gate(m, ev_of(m, EV_RECHECK, 0, RECHECK_RUNQS, pp != NULL, 0, 0));
    if (!pp)
        return false;
    acquirep(m, pp);
    if (was_spinning)
        become_spinning(m);
    return true;
}

/* Without a P: waits for sockets, unless another M does. Returns true if m has a P again, and *gp to run. */
static bool wait_for_network(struct m *m, struct g **gp)
{
    struct sched *s = m->sched;
    explore_point(m);
    /* seq_cst: as all exchanges of lastpoll (go1_20.c) */
    m->seen.waiters = netpoll_waiters(s);
    if (!netpollinited(s) || m->seen.waiters == 0 || atomic_exchange_explicit(&s->lastpoll, 0, memory_order_seq_cst) == 0)
        return false;
    emit_gate(m, find_when(m, FIND_POLL_UNTIL, m->seen.waiters, 0));
    struct glist list = netpoll_wait(m, 0);
    return back_from_poller(m, &list, false, gp);
}

/* If the world is being stopped, waits until it starts again. Then runs what must run on every P. */
static void stop_if_asked(struct m *m)
{
    while (gcwaiting(m->sched))
        gcstopm(m);
    if (safe_point_wanted(m->p))
        run_safe_point_fn(m);
}

/* Returns a runnable G for m, which has a P. Blocks until there is one. */
static struct g *findrunnable(struct m *m, bool *inherit)
{
    struct sched *s = m->sched;
    for (;;) {
        bool again = false;
        stop_if_asked(m);
        wakefing(m);
        find_early(m, find_local_queue(m));
        struct g *gp = runqget(m, m->p, inherit);
        if (gp)
            return gp;
        *inherit = false;
        explore_point(m);
        if (runqsize(s) != 0 && (gp = get_global(m, 0, GLOBQ_BATCH)))
            return gp;
        batch_end(m); /* of the last G's yield or end */
        if ((gp = poll_network(m)))
            return gp;
        if ((gp = find_by_stealing(m, &again)))
            return gp;
        if (again)
            continue;
        if (gc_marking(s)) {
            find_stage(m, FIND_IDLE_GC);
            if ((gp = find_idle_gc_worker(m)))
                return gp;
        }
        emit_gate(m, find_drop_p(m));
        if ((gp = drop_p(m, &again)))
            return gp;
        if (again)
            continue;
        bool was_spinning = m->spinning;
        if (was_spinning)
            drop_spinning(m, SPIN_STOP_NOTHING_FOUND);
        if (recheck(m, was_spinning))
            continue;
        if ((gp = recheck_gc(m, was_spinning)) || wait_for_network(m, &gp))
            return gp;
        emit_gate(m, find_when(m, FIND_STOP, m->seen.waiters, 0));
        stopm(m);
    }
}

/* Returns the trace reader or a worker of the collector, or NULL. If m runs one of these, it should wake one more P. */
static struct g *special(struct m *m)
{
    int64_t now = 0;
    struct g *gp = trace_reader(m);
    if (gp || !gc_marking(m->sched))
        return gp;
    find_stage(m, FIND_GC_WORKER);
    return find_runnable_gc_worker(m, &now);
}

/* One round of the scheduler: returns the next G for m. */
static struct g *one_round(struct m *m, bool *inherit)
{
    *inherit = false;
    stop_if_asked(m);
    struct g *gp = special(m);
    bool trywakep = gp != NULL;
    if (!gp)
        gp = fair_global(m);
    if (!gp) {
        gp = runqget(m, m->p, inherit);
        if (gp && m->spinning)
            throw(m, "schedule: spinning with local work");
    }
    if (!gp)
        gp = findrunnable(m, inherit);
    if (m->spinning)
        resetspinning(m);
    if (trywakep && idle_p_and_no_spinner(m))
        wakep(m, WAKEP_SPECIAL_G);
    return gp;
}

static struct g *schedule(struct m *m, bool *inherit)
{
    if (conductor_nlocks(m->w) != 0)
        throw(m, "schedule: holding locks");
    if (m->lockedg) {
        stoplockedm(m);
        *inherit = false;
        return m->lockedg;
    }
    for (;;) {
        struct g *gp = one_round(m, inherit);
        if (disable_g(m, gp))
            continue;
        if (!gp->lockedm)
            return gp;
        startlockedm(m, gp); /* hands off its own P to the locked M */
    }
}

const struct generation go1_13 = {
    .schedule = schedule,
    .put = put,
    .put_yielded = put_global,
    .entersyscall = entersyscall_p,
    .exitsyscall = exitsyscall_p,
    .steal_step = steal_step,
    .timer_added = timerproc_kick,
    .netpoll_retries = true,
    .has_p = true,
    .has_sysmon = true,
    .thread_limit = true,
    .wakes_fing = true,
    .has_runnext = true,
    .timer_buckets = 64,
    .syscalls_have_slices = true,
    .taken_calls_count = true,
    .calls_before_main = 3,
    .locks_nest = true,
    .locked_exit = true,
    .template_thread = true,
    .steal_delay_if_running = true,
    .mutex_spins = true,
    .mutex_starves = true,
    .close_lifo = true,
    .buffered_handover = true,
    .known = KNOWN(go_issue_55160) | KNOWN(handoff_race),
    .fatal = "fatal error: ",
};
