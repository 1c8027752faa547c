/* Stop the world, start it again, run a function on every P (Go: stopTheWorldWithSema, startTheWorldWithSema, forEachP).
 *
 * The stopper sets gcwaiting and then stops every P (P_GCSTOP): its own P, those in system calls by CAS, and the idle ones under the lock.
 * A P that runs a G must stop itself: its G is asked to stop and enters the scheduler, and the M gives up the P there (gcstopm). stopwait
 * counts the Ps that still have to stop; the M that brings it to 0 wakes the stopper. A request can miss its G (the G had not started yet,
 * or could not stop), so the stopper asks again every 100 µs.
 *
 * A P that enters a system call at that moment must not be missed. That is Dekker's pattern: the M writes Psyscall and then reads
 * gcwaiting; the stopper writes gcwaiting and then reads the statuses. Both are seq_cst, so one of them sees the other.
 *
 * worldsema admits one stopper at a time. A G that waits for it is parked like any other, so its P can be stopped. A collection holds
 * gcsema from start to end; GOMAXPROCS takes it too, so that the number of Ps does not change during a collection.
 */
#include "runtime/sched/world.h"
#include "runtime/sync/sema.h"
#include <stdlib.h>

#define ASK_AGAIN 100000 /* ns */

struct world {
    struct sema worldsema, gcsema;
    uint32_t newprocs; /* under worldsema: what GOMAXPROCS asked for, 0: nothing */
    uint32_t stopwait; /* under sched.lock */
    struct note stopnote;
    uint32_t safe_point_wait; /* under sched.lock */
    struct note safe_point_note;
    void (*safe_point_fn)(struct m *, struct p *);
};

struct world *world_new(void)
{
    struct world *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    sema_init(&w->worldsema, RANK_SEMA);
    sema_init(&w->gcsema, RANK_SEMA);
    atomic_init(&w->worldsema.count, 1);
    atomic_init(&w->gcsema.count, 1);
    return w;
}

static struct world *world(void)
{
    return getm()->sched->world;
}

void worldsema_acquire(void)
{
    semacquire(&world()->worldsema, false, WAIT_REASON_SEMACQUIRE, 0);
}

/* Hands the semaphore over directly. Otherwise this G could stop the world again before the waiter runs. It does not yield its slice to
 * the waiter. */
void worldsema_release(void)
{
    semrelease_keep(&world()->worldsema);
}

void gcsema_acquire(void)
{
    semacquire(&world()->gcsema, false, WAIT_REASON_SEMACQUIRE, 0);
}

void gcsema_release(void)
{
    semrelease(&world()->gcsema, false);
}

/* ---- stopping ---- */

/* Asks every running G to stop. Any M, with or without locks. */
static void preemptall(struct m *m, uint32_t why)
{
    struct sched *s = m->sched;
    for (uint32_t i = 0; i < gomaxprocs(s); i++)
        if (explore_point(m), pstatus(&s->allp[i]) == P_RUNNING)
            preemptone(m, &s->allp[i], why);
}

/* Counts pp, which has just become P_GCSTOP, as stopped. Caller holds sched.lock. */
static void stopped(struct m *m, struct p *pp, uint32_t seq, uint32_t how)
{
    struct sched *s = m->sched;
    struct world *w = s->world;
    w->stopwait--;
    emit(m, ev_on(pp->id, EV_P_GCSTOP, 0, seq, ++s->lockseq, how, w->stopwait));
    if (w->stopwait == 0 && how >= GCSTOP_SCHEDULER) /* the stopper itself checks stopwait before it sleeps */
        note_wakeup(m->w, &w->stopnote);
}

/* Stops the Ps that can be stopped at once: our own, those in system calls, and the idle ones. Returns true if some are still running. */
static bool stop_what_is_there(struct m *m, uint32_t why)
{
    struct sched *s = m->sched;
    uint32_t seq;
    struct p *pp;
    lock(m, &s->lock);
    s->world->stopwait = gomaxprocs(s);
    explore_point(m);
    atomic_store_explicit(&s->gcwaiting, 1, memory_order_seq_cst); /* Dekker: before the statuses are looked at */
    m->did.stws++;
    emit(m, ev_of(m, EV_STW_START, 0, why, ++s->lockseq, 0, 0));
    preemptall(m, PREEMPT_FOR_STW);
    stopped(m, m->p, pset(m, m->p, P_GCSTOP), GCSTOP_STOPPER);
    for (uint32_t i = 0; i < gomaxprocs(s); i++)
        if (take_from_syscall(m, &s->allp[i], P_GCSTOP, NULL, &seq)) {
            count_taken(s, &s->allp[i]);
            stopped(m, &s->allp[i], seq, GCSTOP_SYSCALL);
        }
    while ((pp = pidleget(m)))
        stopped(m, pp, pset(m, pp, P_GCSTOP), GCSTOP_IDLE);
    bool wait = s->world->stopwait > 0;
    unlock(m, &s->lock);
    return wait;
}

/* Stops all Ps; afterwards only the G of m runs. Caller holds worldsema; no locks. */
void stop_the_world_with_sema(struct m *m, uint32_t why)
{
    struct sched *s = m->sched;
    if (conductor_nlocks(m->w) != 0)
        throw(m, "stopTheWorld: holding locks");
    if (s->gen->stoptheworld) {
        s->gen->stoptheworld(m, why);
        return;
    }
    if (stop_what_is_there(m, why)) {
        while (!note_sleep_for(m->w, &s->world->stopnote, ASK_AGAIN))
            preemptall(m, PREEMPT_FOR_STW);
        note_clear(&s->world->stopnote);
    }
    if (s->world->stopwait != 0)
        throw(m, "stopTheWorld: not stopped (stopwait != 0)");
    for (uint32_t i = 0; i < gomaxprocs(s); i++)
        if (pstatus(&s->allp[i]) != P_GCSTOP)
            throw(m, "stopTheWorld: not stopped (status != P_GCSTOP)");
}

/* Stops the P of m, which enters the scheduler while the world is being stopped. m then sleeps until it is given a P. */
void gcstopm(struct m *m)
{
    struct sched *s = m->sched;
    if (m->spinning)
        drop_spinning(m, SPIN_STOP_STW); /* no other M needs to spin instead: startTheWorld wakes as many as are needed */
    struct p *pp = releasep(m);
    lock(m, &s->lock);
    stopped(m, pp, pset(m, pp, P_GCSTOP), GCSTOP_SCHEDULER);
    unlock(m, &s->lock);
    stopm(m);
}

/* Stops oldp, because the stopper may have checked it before it was in Psyscall. The faster of the two Ms stops it. With wired_syscall the P
 * is still m's own, and running, so m is the one that stops it. */
void entersyscall_gcwait(struct m *m)
{
    struct sched *s = m->sched;
    struct p *pp = m->p ? m->p : m->oldp;
    uint32_t seq;
    lock(m, &s->lock);
    if (s->world->stopwait > 0 && (m->p ? (lose_p(pp, P_GCSTOP, &seq), set_p(m, NULL), true) : pcas(m, pp, P_SYSCALL, P_GCSTOP, &seq))) {
        m->oldp = pp;
        count_taken(m->sched, pp);
        stopped(m, pp, seq, GCSTOP_ENTERSYSCALL);
    }
    unlock(m, &s->lock);
}

/* Stops pp, which m is handing off, if the world is being stopped; returns true then. Caller holds sched.lock. */
bool handoff_gcwait(struct m *m, struct p *pp)
{
    if (!gcwaiting(m->sched))
        return false;
    stopped(m, pp, pset(m, pp, P_GCSTOP), GCSTOP_HANDOFF);
    return true;
}

/* ---- starting ---- */

/* Deals out the Ps, clears gcwaiting, and returns the list of Ps that have work of their own. */
static struct p *deal_out(struct m *m)
{
    struct sched *s = m->sched;
    struct world *w = s->world;
    lock(m, &s->lock);
    uint32_t n = w->newprocs ? w->newprocs : gomaxprocs(s);
    w->newprocs = 0;
    struct p *list = procresize(m, n);
    explore_point(m);
    atomic_store_explicit(&s->gcwaiting, 0, memory_order_seq_cst); /* as in stop_what_is_there() */
    emit(m, ev_of(m, EV_STW_END, 0, 0, ++s->lockseq, 0, 0));
    if (atomic_exchange_explicit(&s->sysmonwait, 0, memory_order_relaxed)) /* under the lock */
        note_wakeup(m->w, &s->sysmonnote);
    unlock(m, &s->lock);
    return list;
}

/* Starts the world. Caller holds worldsema; no locks. On a G stack. */
void start_the_world_with_sema(struct m *m)
{
    if (m->sched->gen->starttheworld) {
        m->sched->gen->starttheworld(m);
        return;
    }
    if (netpollinited(m->sched)) {
        struct glist list = netpoll(m);
        injectglist(m, &list);
    }
    for (struct p *pp = deal_out(m), *next; pp; pp = next) {
        next = pp->link; /* before it runs */
        pp->link = NULL;
        if (pp->startm)
            note_wakeup(m->w, &pp->startm->park);
        else
            newm(m, pp, false, pp->startid, MK_PLAIN);
    }
    if (!m->sched->gen->deals_again)
        wakep(m, WAKEP_WORLD_STARTS); /* there may be work for more Ps; the M that is woken wakes further Ms */
}

void stop_the_world(uint32_t why)
{
    worldsema_acquire();
    stop_the_world_with_sema(getm(), why);
}

void start_the_world(void)
{
    start_the_world_with_sema(getm());
    worldsema_release();
}

void stop_the_world_gc(uint32_t why)
{
    gcsema_acquire();
    stop_the_world(why);
}

void start_the_world_gc(void)
{
    start_the_world();
    gcsema_release();
}

/* ---- a function on every P ---- */

/* Counts pp, on which the function has run. Caller holds sched.lock. */
static void safe_point_done(struct m *m, struct p *pp)
{
    struct world *w = m->sched->world;
    w->safe_point_wait--;
    emit(m, ev_on(pp->id, EV_SAFE_POINT, 0, w->safe_point_wait, 0, 0, 0));
}

/* Returns true if m has taken the request and must run the function: m is P's own M, or holds the P. */
static bool take_safe_point(struct m *m, struct p *pp)
{
    uint32_t asked = 1;
    explore_point(m);
    return atomic_compare_exchange_strong_explicit(&pp->run_safe_point, &asked, 0, memory_order_seq_cst, memory_order_seq_cst);
}

static void wake_who_waits(struct m *m)
{
    struct world *w = m->sched->world;
    if (w->safe_point_wait == 0)
        note_wakeup(m->w, &w->safe_point_note);
}

void run_safe_point_fn(struct m *m)
{
    struct sched *s = m->sched;
    if (!take_safe_point(m, m->p))
        return;
    s->world->safe_point_fn(m, m->p);
    lock(m, &s->lock);
    safe_point_done(m, m->p);
    wake_who_waits(m);
    unlock(m, &s->lock);
}

void handoff_safe_point(struct m *m, struct p *pp)
{
    if (!take_safe_point(m, pp))
        return;
    m->sched->world->safe_point_fn(m, pp);
    safe_point_done(m, pp);
    wake_who_waits(m);
}

/* Asks every other P to run fn, and runs it here for the idle ones. Returns true if other Ms still have to run it. */
static bool ask_all(struct m *m, void (*fn)(struct m *, struct p *))
{
    struct sched *s = m->sched;
    struct world *w = s->world;
    lock(m, &s->lock);
    if (w->safe_point_wait != 0)
        throw(m, "forEachP: sched.safePointWait != 0");
    w->safe_point_wait = gomaxprocs(s) - 1;
    w->safe_point_fn = fn;
    for (uint32_t i = 0; i < gomaxprocs(s); i++)
        if (explore_point(m), &s->allp[i] != m->p) /* Dekker: before the statuses are looked at */
            atomic_store_explicit(&s->allp[i].run_safe_point, 1, memory_order_seq_cst);
    preemptall(m, PREEMPT_FOR_SAFE_POINT);
    for (struct p *pp = s->pidle; pp; pp = pp->link)
        if (take_safe_point(m, pp)) {
            fn(m, pp);
            safe_point_done(m, pp);
        }
    bool wait = w->safe_point_wait > 0;
    unlock(m, &s->lock);
    return wait;
}

/* Takes Ps away from system calls and hands them off, so that the Ms that get them run the function. */
static void safe_point_in_syscalls(struct m *m)
{
    struct sched *s = m->sched;
    uint32_t seq;
    for (uint32_t i = 0; i < gomaxprocs(s); i++) {
        struct p *pp = &s->allp[i];
        if (!safe_point_wanted(pp) || !take_from_syscall(m, pp, P_IDLE, NULL, &seq))
            continue;
        log_retake(m, pp, seq, RETAKE_SAFE_POINT);
        handoffp(m, pp);
    }
}

void for_each_p(struct m *m, void (*fn)(struct m *, struct p *))
{
    struct sched *s = m->sched;
    struct world *w = s->world;
    bool wait = ask_all(m, fn);
    fn(m, m->p);
    safe_point_in_syscalls(m);
    if (wait) {
        while (!note_sleep_for(m->w, &w->safe_point_note, ASK_AGAIN))
            preemptall(m, PREEMPT_FOR_SAFE_POINT);
        note_clear(&w->safe_point_note);
    }
    if (w->safe_point_wait != 0)
        throw(m, "forEachP: not done");
    for (uint32_t i = 0; i < gomaxprocs(s); i++)
        if (safe_point_wanted(&s->allp[i]))
            throw(m, "forEachP: P did not run fn");
}

/* ---- for programs ---- */

uint32_t rt_procs(void)
{
    return gomaxprocs(getm()->sched);
}

/* runtime.GOMAXPROCS(n), at most MAX_PROCS. Does nothing if n < 1, or if there are n Ps already. */
void rt_gomaxprocs(int64_t n)
{
    explore_depends(getm());
    safepoint();
    if (n > MAX_PROCS)
        n = MAX_PROCS;
    if (n <= 0 || n == (int64_t)gomaxprocs(getm()->sched))
        return;
    if (getm()->sched->gen->setprocs) {
        getm()->sched->gen->setprocs(getm(), (uint32_t)n);
        return;
    }
    stop_the_world_gc(STW_GOMAXPROCS);
    world()->newprocs = (uint32_t)n;
    start_the_world_gc();
}

/* Stops the world for ns while this G computes. */
void rt_stop_the_world(int64_t ns)
{
    explore_depends(getm());
    safepoint();
    stop_the_world(STW_USER);
    struct m *m = getm();
    while (ns > 0) /* a request to stop this G must wait: its P does not count as running */
        ns -= conductor_compute(m->w, ns, false);
    start_the_world();
}
