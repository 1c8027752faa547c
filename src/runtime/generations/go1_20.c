/* Go 1.20: schedule(), findrunnable() and stealWork(), to be read next to Go's proc.go.
 *
 * The delicate dance. An M that spins and finds nothing drops nmspinning first and looks at all queues again afterwards. An M that
 * submits work puts it into a queue first and looks at nmspinning afterwards (wakep). Both sides are seq_cst (Dekker's pattern), so at
 * least one of them sees the other: either the submitter wakes an M, or the spinning M finds the work. The other order loses wake-ups:
 * work is submitted after the last look and before nmspinning drops, and no M comes. If the M finds work but no idle P to run it with,
 * an M that is about to drop its P may not know of the work: needspinning asks that M to search again (golang.org/issue/45867).
 */
#include "runtime/gc/gc.h"
#include "runtime/generations/search.h"
#include "runtime/sched/ask.h"

/* m found work, so it stops spinning. There may be more work, so another M may have to spin. */
static void resetspinning(struct m *m)
{
    drop_spinning(m, SPIN_STOP_FOUND_WORK);
    wakep(m, WAKEP_FOUND_WORK);
}

/* What stealWork found. */
struct stolen {
    struct g *gp;
    bool inherit, new_work;
    bool ran;                /* timers ran, which may have put Gs anywhere */
    int64_t now, poll_until; /* poll_until: the earliest deadline seen while searching, 0: none */
};

/* Looks at one other P: on the last pass its timers first, then its queue. Returns true if *out is the answer. */
static bool steal_from(struct m *m, struct p *p2, int pass, struct stolen *out)
{
    struct p *pp = m->p;
    bool last = pass == STEAL_TRIES - 1;
    if (last) {
        bool did;
        int64_t w = check_timers(m, p2, &out->now, &did);
        if (w != 0 && (out->poll_until == 0 || w < out->poll_until))
            out->poll_until = w;
        if (did) {
            out->ran = true; /* maybe into our queue */
            if ((out->gp = runqget(m, pp, &out->inherit)))
                return true;
        }
    }
    /* relaxed: a hint; the rechecks find a P that becomes idle or busy in the meantime */
    explore_at(m, FOOT_READS | FOOT_IDLE);
    if (disabled(m->sched, DIS_STEALING) || atomic_load_explicit(&p2->idle, memory_order_relaxed))
        return false;
    find_steal_try(m, p2, (uint32_t)pass + 1);
    out->inherit = false;
    out->gp = runqsteal(m, pp, p2, last);
    return out->gp != NULL;
}

static uint32_t steal_step(const struct sched *s, uint32_t r)
{
    return s->coprimes[r / gomaxprocs(s)];
}

/* Returns true if both outcomes check the other Ps in the same order: they differ only in m's own place. */
static bool same_order(const struct m *m, uint32_t a, uint32_t b)
{
    const struct sched *s = m->sched;
    uint32_t n = gomaxprocs(s), own = m->p->id, x = a % n, y = b % n;
    for (uint32_t i = 0; i + 1 < n; i++, x = (x + steal_step(s, a)) % n, y = (y + steal_step(s, b)) % n) {
        x = x == own ? (x + steal_step(s, a)) % n : x;
        y = y == own ? (y + steal_step(s, b)) % n : y;
        if (x != y)
            return false;
    }
    return true;
}

/* For a search of all schedules: the outcomes that are like an earlier one. */
static void note_alike(struct m *m, uint32_t orders)
{
    uint32_t alike = 0;
    for (uint32_t b = 1; b < orders && b < 32; b++)
        for (uint32_t a = 0; a < b; a++)
            if (same_order(m, a, b))
                alike |= 1u << b;
    conductor_alike(m->w, alike);
}

/* Makes four passes over all Ps, each in its own order: from a random P, by a step coprime to their number. So each pass checks each P
 * once, and two thieves rarely use the same order. */
static struct stolen steal_work(struct m *m, int64_t now)
{
    struct sched *s = m->sched;
    struct p *pp = m->p;
    struct stolen out = {.now = now};
    for (int pass = 0; pass < STEAL_TRIES; pass++) {
        uint32_t n = gomaxprocs(s), orders = n * s->ncoprimes;
        if (s->cfg.course)
            note_alike(m, orders);
        uint32_t r = conductor_decide(m->w, DECIDE_STEAL, orders, (uint32_t)prng_next(&pp->rand) % orders), pos = r % n;
        uint32_t step = steal_step(s, r);
        for (uint32_t i = 0; i < n; i++, pos = (pos + step) % n) {
            explore_at(m, FOOT_NONE);
            if (gcwaiting(s)) { /* start over; m stops there */
                out.new_work = true;
                return out;
            }
            uint32_t p2 = has_policy(s) ? ask_victim(m, (uint32_t)pass * n + i, r, pos) : pos;
            if (&s->allp[p2] != pp && steal_from(m, &s->allp[p2], pass, &out))
                return out;
        }
    }
    out.new_work = out.ran; /* look at everything again */
    return out;
}

/* After nmspinning was dropped: if a queue has a G after all, takes an idle P for it. */
static struct p *check_runqs_no_p(struct m *m)
{
    struct sched *s = m->sched;
    for (uint32_t i = 0; i < gomaxprocs(s); i++) {
        struct p *p2 = &s->allp[i];
        explore_at(m, FOOT_READS | FOOT_IDLE);
        /* seq_cst: Dekker, as in runqempty(). If this were read before nmspinning is dropped, an idle P could have a G by now */
        if (atomic_load_explicit(&p2->idle, memory_order_seq_cst) || runqempty(m, p2))
            continue;
        lock(m, &s->lock);
        struct p *pp = pidleget_spinning(m);
        unlock(m, &s->lock);
        return pp; /* NULL: no P is idle, so it is useless to look further */
    }
    return NULL;
}

/* The same for the global queue, since 1.22. Returns a G for m, which has an idle P and spins again; or NULL. */
static struct g *last_look(struct m *m)
{
    struct sched *s = m->sched;
    struct g *gp = NULL;
    lock(m, &s->lock);
    struct p *pp = runqsize(s) != 0 ? pidleget_spinning(m) : NULL;
    if (pp) {
        acquirep(m, pp);
        gp = globrunqget(m, pp, 0, GLOBQ_LAST_LOOK);
    }
    unlock(m, &s->lock);
    emit_gate(m, ev_of(m, EV_RECHECK, 0, RECHECK_GLOBAL, gp != NULL, 0, 0));
    if (gp)
        become_spinning(m);
    return gp;
}

/* Checks for timers that were added in the meantime. Returns the earliest deadline. */
static int64_t check_timers_no_p(struct m *m, int64_t poll_until)
{
    struct sched *s = m->sched;
    for (uint32_t i = 0; i < gomaxprocs(s); i++) {
        explore_at(m, FOOT_NONE);
        int64_t w = timer0when(&s->allp[i]);
        if (w != 0 && (poll_until == 0 || w < poll_until))
            poll_until = w;
    }
    return poll_until;
}

/* The variables of findrunnable(). */
struct search {
    int64_t now, poll_until;
    struct g *gp;
    bool inherit;
};

/* Spins and steals, unless too many Ms do so already. Returns true if m must run f->gp or, if that is NULL, search again. */
static bool find_by_stealing(struct m *m, struct search *f)
{
    struct sched *s = m->sched;
    explore_at(m, FOOT_READS | FOOT_IDLE);
    if (!may_spin(m, gomaxprocs(s) - atomic_load_explicit(&s->npidle, memory_order_relaxed))) /* a rule of thumb */
        return false;
    if (!m->spinning)
        become_spinning(m);
    emit_gate(m, find_steal(m));
    struct stolen st = steal_work(m, f->now);
    f->now = st.now;
    f->gp = st.gp;
    f->inherit = st.inherit;
    if (st.poll_until != 0 && (f->poll_until == 0 || st.poll_until < f->poll_until))
        f->poll_until = st.poll_until;
    return st.gp || st.new_work;
}

/* Gives up the P, unless a check under the lock finds a reason to keep it. Returns true if there is one: m must run *gp or, if *gp is
 * NULL, search again. */
static bool drop_p(struct m *m, struct g **gp)
{
    struct sched *s = m->sched;
    *gp = NULL;
    lock(m, &s->lock);
    if (gcwaiting(s) || safe_point_wanted(m->p)) {
        unlock(m, &s->lock);
        return true;
    }
    if (runqsize(s) != 0) {
        *gp = globrunqget(m, m->p, 0, GLOBQ_RECHECK);
        unlock(m, &s->lock);
        return true;
    }
    if (!m->spinning && needspinning(m) && !disabled(s, DIS_SPINNING) && !disabled(s, DIS_NEEDSPINNING)) {
        become_spinning(m);
        unlock(m, &s->lock);
        return true;
    }
    pidleput(m, releasep(m));
    unlock(m, &s->lock);
    return false;
}

/* Returns an idle P that could mark, with its worker in *gp. NULL: none. */
static struct p *recheck_gc(struct m *m, struct g **gp)
{
    struct p *pp = check_idle_gc_no_p(m, gp);
    if (gc_marking(m->sched))
        emit_gate(m, ev_of(m, EV_RECHECK, 0, RECHECK_GC, pp != NULL, 0, 0));
    return pp;
}

/* The delicate dance (see the head of this file). Returns true if m has a P again: it must run *gp or, if *gp is NULL, search again. */
static bool recheck(struct m *m, int64_t *poll_until, struct g **gp)
{
    *gp = NULL;
    drop_spinning(m, SPIN_STOP_NOTHING_FOUND);
    if (disabled(m->sched, DIS_SPINNING_RECHECK))
        return false;
    if (!disabled(m->sched, DIS_LAST_LOOK) && (*gp = last_look(m)))
        return true;
    struct p *pp = check_runqs_no_p(m);
    emit_gate(m, ev_of(m, EV_RECHECK, 0, RECHECK_RUNQS, pp != NULL, 0, 0));
    if (pp) {
        acquirep(m, pp);
        become_spinning(m);
        return true;
    }
    if ((pp = recheck_gc(m, gp))) {
        acquirep(m, pp);
        become_spinning(m);
        gc_worker_ready(m, *gp, GCMODE_IDLE);
        return true;
    }
    *poll_until = check_timers_no_p(m, *poll_until);
    emit_gate(m, ev_of(m, EV_RECHECK, 0, RECHECK_TIMERS, *poll_until != 0, 0, 0));
    return false;
}

/* Without a P: waits in the poller for the next timer and for sockets, unless another M does. Returns true if m has a P again; *gp: what
 * to run, NULL: begin again. */
static bool poll_until_next_timer(struct m *m, int64_t poll_until, bool was_spinning, struct g **gp)
{
    struct sched *s = m->sched;
    *gp = NULL;
    if (!netpollinited(s))
        return false;
    explore_point(m);
    /* seq_cst: Dekker with wake_netpoller(): an M that adds an earlier timer sees that we poll, or we see the timer */
    m->seen.waiters = netpoll_waiters(s);
    if ((m->seen.waiters > 0 || poll_until != 0) && atomic_exchange_explicit(&s->lastpoll, 0, memory_order_seq_cst) != 0) {
        emit_gate(m, find_when(m, FIND_POLL_UNTIL, m->seen.waiters, poll_until));
        struct glist list = netpoll_wait(m, poll_until);
        return back_from_poller(m, &list, was_spinning, gp);
    }
    if (poll_until != 0) {
        explore_point(m);
        int64_t until = atomic_load_explicit(&s->polluntil, memory_order_seq_cst); /* as above */
        if (until == 0 || until > poll_until)
            netpoll_break(m); /* the M in the poller would sleep too long */
    }
    return false;
}

/* Takes at most max Gs of the global queue (0: a fair share). Returns the first, or NULL. */
static struct g *get_global_in_batch(struct m *m, uint32_t max, uint32_t why)
{
    struct sched *s = m->sched;
    emit_gate(m, find_global_queue(m, why == GLOBQ_TICK61 ? FIND_TICK61 : FIND_GLOBAL));
    lock_in_batch(m, &s->lock);
    struct g *gp = globrunqget(m, m->p, max, why);
    unlock_in_batch(m, &s->lock);
    return gp;
}

static struct g *get_gc_worker(struct m *m, int64_t *now)
{
    find_stage(m, FIND_GC_WORKER);
    return find_runnable_gc_worker(m, now);
}

/* Every 61st time the global queue comes first: two Gs that ready each other would otherwise keep this P for ever. Caller: owner of pp. */
static inline bool fairness_tick(const struct p *pp)
{
    return atomic_load_explicit(&pp->schedtick, memory_order_relaxed) % 61 == 0; /* ours */
}

/* Takes the last G of m's ring, for a policy, and puts the others back. Thieves take Gs from the head, so the owner must take all to get the last. */
static struct g *runqget_last(struct m *m, struct p *pp)
{
    struct gqueue q;
    const struct g *next = atomic_load_explicit(&pp->runnext, memory_order_relaxed); /* only compared */
    uint32_t n = runqdrain(m, pp, &q);
    if (n && q.head == next) {
        struct g *gp = q.head;
        q.head = gp->schedlink;
        n--;
        runqput(m, pp, gp, true);
    }
    if (!n)
        return NULL;
    struct g *last = q.tail, *before = q.head;
    while (n > 1 && before->schedlink != last)
        before = before->schedlink;
    q.tail = before;
    before->schedlink = NULL;
    if (n > 1)
        runqputbatch(m, pp, &q, n - 1);
    return last;
}

/* With a policy: takes the next G from where it says. NULL: m must steal. */
static struct g *find_by_policy(struct m *m, bool *inherit)
{
    struct sched *s = m->sched;
    struct p *pp = m->p;
    struct g *gp = NULL;
    if (fing_exists(s))
        wakefing(m);
    enum policy_place place = ask_next_place(m);
    bool tick = fairness_tick(pp), has_own = find_len(pp) || find_runnext(pp);
    if (place == POLICY_GLOBAL && (tick || has_own) && (gp = get_global_in_batch(m, 1, tick ? GLOBQ_TICK61 : GLOBQ_BATCH)))
        return gp;
    find_early(m, find_local_queue(m));
    batch_begin(m);
    if (place == POLICY_RING_HEAD)
        gp = runqget_ring(m, pp);
    else if (place == POLICY_RING_TAIL)
        gp = runqget_last(m, pp);
    if (!gp && place != POLICY_STEAL) /* also where a thief was faster */
        gp = runqget(m, pp, inherit);
    explore_at(m, FOOT_NONE);
    if (!gp && place != POLICY_STEAL && runqsize(s) != 0)
        gp = get_global_in_batch(m, 0, GLOBQ_BATCH);
    if (!gp)
        batch_end(m);
    return gp;
}

/* Searches without checking other Ps: timers, every 61st time the global queue, the local queue, the global queue. */
static struct g *find_local(struct m *m, int64_t *now, int64_t *poll_until, bool *inherit)
{
    struct sched *s = m->sched;
    struct p *pp = m->p;
    bool ran;
    *inherit = false;
    find_early(m, find_timers(m));
    *poll_until = check_timers(m, pp, now, &ran);
    struct g *special = tracing(s) ? trace_reader(m) : NULL;
    if (!special && gc_marking(s))
        special = get_gc_worker(m, now);
    m->trywakep = special != NULL;
    if (special)
        return special;
    if (has_policy(s))
        return find_by_policy(m, inherit);
    struct g *gp;
    if (fairness_tick(pp) && runqsize(s) > 0 && !disabled(s, DIS_FAIRNESS_TICK) && (gp = get_global_in_batch(m, 1, GLOBQ_TICK61)))
        return gp;
    if (fing_exists(s))
        wakefing(m);
    /* Here Go calls *cgo_yield, which is nil unless C code is watched by ThreadSanitizer: there is nothing to yield to. */
    find_early(m, find_local_queue(m));
    batch_begin(m); /* to the G's start in execute() */
    if ((gp = runqget(m, pp, inherit)))
        return gp;
    explore_at(m, FOOT_NONE);
    if (runqsize(s) != 0 && (gp = get_global_in_batch(m, 0, GLOBQ_BATCH)))
        return gp;
    batch_end(m);
    return NULL;
}

/* The rest of findrunnable(), if find_local() has found nothing. Returns false if the search begins again. */
static bool find_elsewhere(struct m *m, struct search *f)
{
    if ((f->gp = poll_network(m)))
        return true;
    if (find_by_stealing(m, f))
        return f->gp != NULL;
    f->inherit = false;
    if (gc_marking(m->sched)) {
        find_stage(m, FIND_IDLE_GC);
        if ((f->gp = find_idle_gc_worker(m)))
            return true;
    }
    emit_gate(m, find_drop_p(m));
    if (drop_p(m, &f->gp))
        return f->gp != NULL;
    bool was_spinning = m->spinning;
    if (was_spinning && recheck(m, &f->poll_until, &f->gp))
        return f->gp != NULL;
    if (poll_until_next_timer(m, f->poll_until, was_spinning, &f->gp))
        return f->gp != NULL;
    emit_gate(m, find_when(m, FIND_STOP, m->seen.waiters, f->poll_until));
    stopm(m);
    return false;
}

/* Returns a runnable G for m, which has a P. Blocks until there is one. Sets m.trywakep for a special G, so that one more P is woken. */
static struct g *findrunnable(struct m *m, bool *inherit)
{
    for (;;) {
        if (gcwaiting(m->sched)) {
            gcstopm(m);
            continue;
        }
        if (safe_point_wanted(m->p))
            run_safe_point_fn(m);
        struct search f = {0};
        f.gp = find_local(m, &f.now, &f.poll_until, &f.inherit);
        if (!f.gp && !find_elsewhere(m, &f))
            continue;
        *inherit = f.inherit;
        return f.gp;
    }
}

/* One round of the scheduler: returns the next G for m. */
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
        if (m->spinning && !runqempty(m, m->p))
            throw(m, "schedule: spinning with local work");
        struct g *gp = findrunnable(m, inherit);
        if (m->p->gc_assigned) /* the P runs something else, so another one may run the worker */
            release_gc_worker(m, m->p);
        if (m->spinning)
            resetspinning(m);
        if (users_disabled(m->sched) && disable_g(m, gp))
            continue;
        if (m->trywakep)
            wakep(m, WAKEP_SPECIAL_G);
        m->trywakep = false;
        if (!gp->lockedm)
            return gp;
        batch_end(m);
        startlockedm(m, gp); /* hands off its own P to the locked M */
    }
}

static void put_by_policy(struct m *m, struct g *gp, enum policy_why why)
{
    enum policy_place place = ask_put(m, why, why < POLICY_YIELDED ? POLICY_RUNNEXT : POLICY_GLOBAL);
    if (place == POLICY_GLOBAL)
        put_global(m, gp, false);
    else
        runqput(m, m->p, gp, place == POLICY_RUNNEXT);
}

static void put_yielded(struct m *m, struct g *gp, bool preempted)
{
    if (has_policy(m->sched))
        put_by_policy(m, gp, preempted ? POLICY_PREEMPTED : POLICY_YIELDED);
    else
        put_global(m, gp, preempted);
}

/* Puts gp, which is new or was made ready, into runnext. There may then be work for one more P, but not before main has started. */
static void put(struct m *m, struct g *gp, uint32_t why)
{
    if (has_policy(m->sched))
        put_by_policy(m, gp, why == WAKEP_NEW_G ? POLICY_NEW : POLICY_READY);
    else
        runqput(m, m->p, gp, true);
    if (why != WAKEP_NEW_G || curg(m))
        wakep(m, why);
}

static void timer_added(struct m *m, struct p *pp, int64_t when, bool first)
{
    (void)pp;
    (void)first;
    wake_netpoller(m, when);
}

const struct generation go1_20 = {
    .schedule = schedule,
    .put = put,
    .put_yielded = put_yielded,
    .entersyscall = entersyscall_p,
    .exitsyscall = exitsyscall_p,
    .timer_added = timer_added,
    .steal_step = steal_step,
    .has_p = true,
    .has_sysmon = true,
    .thread_limit = true,
    .wakes_fing = true,
    .has_runnext = true,
    .timers_in_p = true,
    .needspinning = true,
    .handoff_asks_reader = true,
    .lastpoll_before_wait = true,
    .inject_keeps_local = true,
    .syscalls_have_slices = true,
    .taken_calls_count = true,
    .calls_before_main = 3,
    .locks_nest = true,
    .locked_exit = true,
    .template_thread = true,
    .async_preempt = true,
    .steal_delay_if_running = true,
    .mutex_spins = true,
    .mutex_starves = true,
    .handoff_yields = true,
    .close_lifo = true,
    .buffered_handover = true,
    .known = KNOWN(go_issue_55160) | KNOWN(go_issue_63555) | KNOWN(handoff_race) | KNOWN(wakep_race),
    .fatal = "fatal error: ",
};
