/* Go 1.4: schedule() and findrunnable(), to be read next to that version's proc.c (still written in C). Differences from go1_13.c:
 *
 * - No runnext: a new or readied G goes to the tail of the ring, so every start costs a tick of its own and a time slice.
 * - A thief picks 2*GOMAXPROCS victims at random. It may pick itself (then it looks at its own queue), or one victim twice.
 * - resetspinning() runs after every findrunnable(), spun or not, so an M that finds a G elsewhere may wake one more M
 *   (golang.org/issue/13527: many needless wake-ups).
 * - All timers are in one heap, with one runtime G (timerproc.c).
 * - The M that starts the world collects all Gs, deals them out again to P0, P1 … Pn in turn, and continues with P0 (procresize.c).
 * - sysmon does not count a time slice for a P in a system call.
 */
#include "runtime/generations/search.h"
#include "runtime/sched/world.h"

/* m has found work, so it stops spinning. Even if it did not spin, there may be work for other Ms. */
static void resetspinning(struct m *m)
{
    if (m->spinning)
        drop_spinning(m, SPIN_STOP_FOUND_WORK);
    if (idle_p_and_no_spinner(m))
        wakep(m, WAKEP_FOUND_WORK);
}

/* Puts gp, which is new or was made ready, at the tail. Wakes no M before main has started. */
static void put(struct m *m, struct g *gp, uint32_t why)
{
    runqput(m, m->p, gp, false);
    if (idle_p_and_no_spinner(m) && (why != WAKEP_NEW_G || curg(m)))
        wakep(m, why);
}

/* Victims are chosen at random. With P victims, about one in eight is not checked in 2*P attempts. */
static struct g *steal_work(struct m *m, bool *again)
{
    struct sched *s = m->sched;
    struct p *pp = m->p;
    for (uint32_t i = 0; i < 2 * gomaxprocs(s); i++) {
        uint32_t n = gomaxprocs(s);
        struct p *p2 = &s->allp[conductor_decide(m->w, DECIDE_VICTIM, n, (uint32_t)(prng_next(&pp->rand) % n))];
        bool inherit;
        explore_point(m);
        if ((*again = gcwaiting(s)))
            return NULL;
        find_steal_try(m, p2, i + 1);
        struct g *gp = p2 == pp ? runqget(m, pp, &inherit) : runqsteal(m, pp, p2, false);
        if (gp)
            return gp;
    }
    return NULL;
}

/* Steals, unless half as many Ms spin as Ps are busy. *again: start over, because the world is being stopped. */
static struct g *find_by_stealing(struct m *m, bool *again)
{
    struct sched *s = m->sched;
    explore_point(m);
    uint32_t busy = gomaxprocs(s) - atomic_load_explicit(&s->npidle, memory_order_relaxed); /* a rule of thumb */
    m->seen.spinning = 0;
    m->seen.busy = busy;
    m->seen.rule = SPIN_RULE_NO_STEALING;
    if (disabled(s, DIS_STEALING) || !may_spin(m, busy))
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
    if ((*again = gcwaiting(s)))
        ;
    else if (runqsize(s) != 0)
        gp = globrunqget(m, m->p, 0, GLOBQ_RECHECK);
    else
        pidleput(m, releasep(m));
    unlock(m, &s->lock);
    return gp;
}

/* Checks all queues once more, after nmspinning was dropped (the delicate dance). Returns true if m has a P again. */
static bool recheck(struct m *m)
{
    struct sched *s = m->sched;
    struct p *pp = NULL;
    if (disabled(s, DIS_SPINNING_RECHECK))
        return false;
    for (uint32_t i = 0; i < gomaxprocs(s); i++) {
        if (runqempty(m, &s->allp[i]))
            continue;
        lock(m, &s->lock);
        pp = pidleget(m);
        unlock(m, &s->lock);
        break;
    }
    emit_gate(m, ev_of(m, EV_RECHECK, 0, RECHECK_RUNQS, pp != NULL, 0, 0));
    if (pp)
        acquirep(m, pp);
    return pp != NULL;
}

/* Returns a G whose socket is ready, or NULL. Polls every time, once there is a poller. */
static struct g *poll_network_always(struct m *m)
{
    struct sched *s = m->sched;
    m->seen.waiters = netpoll_waiters(s);
    if (!netpollinited(s))
        return NULL;
    emit_gate(m, find_ev(m, FIND_NETPOLL, m->seen.waiters, 0, 0));
    struct glist list = netpoll(m);
    return list.head ? run_first(m, &list) : NULL;
}

/* Without a P: waits for sockets, unless another M does. Returns true if m has a P again, and *gp to run. */
static bool wait_for_network(struct m *m, struct g **gp)
{
    struct sched *s = m->sched;
    explore_point(m);
    /* seq_cst: as all exchanges of lastpoll (go1_20.c) */
    if (!netpollinited(s) || atomic_exchange_explicit(&s->lastpoll, 0, memory_order_seq_cst) == 0)
        return false;
    emit_gate(m, find_when(m, FIND_POLL_UNTIL, m->seen.waiters, 0));
    struct glist list = netpoll_wait(m, 0);
    return back_from_poller(m, &list, false, gp);
}

/* If the world is being stopped, waits until it starts again. */
static void stop_if_asked(struct m *m)
{
    while (gcwaiting(m->sched))
        gcstopm(m);
}

/* Returns a runnable G for m, which has a P. Blocks until there is one. */
static struct g *findrunnable(struct m *m)
{
    struct sched *s = m->sched;
    bool inherit;
    for (;;) {
        bool again = false;
        stop_if_asked(m);
        wakefing(m);
        find_early(m, find_local_queue(m));
        struct g *gp = runqget(m, m->p, &inherit);
        if (gp)
            return gp;
        explore_point(m);
        if (runqsize(s) != 0 && (gp = get_global(m, 0, GLOBQ_BATCH)))
            return gp;
        batch_end(m); /* of the last G's yield or end */
        if ((gp = poll_network_always(m)))
            return gp;
        if ((gp = find_by_stealing(m, &again)))
            return gp;
        if (again)
            continue;
        emit_gate(m, find_drop_p(m));
        if ((gp = drop_p(m, &again)))
            return gp;
        if (again)
            continue;
        if (m->spinning)
            drop_spinning(m, SPIN_STOP_NOTHING_FOUND);
        if (recheck(m))
            continue;
        if (wait_for_network(m, &gp))
            return gp;
        emit_gate(m, find_when(m, FIND_STOP, m->seen.waiters, 0));
        stopm(m);
    }
}

/* One round of the scheduler: returns the next G for m. In 1.4, time slices are not inherited yet. */
static struct g *one_round(struct m *m, bool *inherit)
{
    *inherit = false;
    stop_if_asked(m);
    struct g *gp = fair_global(m);
    if (gp)
        resetspinning(m);
    if (!gp) {
        gp = runqget(m, m->p, inherit);
        if (gp && m->spinning)
            throw(m, "schedule: spinning with local work");
    }
    if (!gp) {
        gp = findrunnable(m);
        resetspinning(m);
    }
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
        if (!gp->lockedm)
            return gp;
        startlockedm(m, gp); /* hands off its own P to the locked M */
    }
}

const struct generation go1_4 = {
    .schedule = schedule,
    .put = put,
    .put_yielded = put_global,
    .entersyscall = entersyscall_p,
    .exitsyscall = exitsyscall_p,
    .timer_added = timerproc_kick,
    .netpoll_retries = true,
    .has_p = true,
    .has_sysmon = true,
    .deals_again = true,
    .thread_limit = true,
    .wakes_fing = true,
    .timer_buckets = 1,
    .known = KNOWN(go_issue_55160) | KNOWN(handoff_race),
    .fatal = "fatal error: ",
};
