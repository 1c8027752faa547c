/* Marking is done by workers, one runtime G for each P, and by assists (Go: gcBgMarkWorker, gcDrain, gcController, gcAssistAlloc).
 *
 * A quarter of the Ps should mark. `dedicated` workers keep a P for themselves. If rounding the quarter to whole workers is more than 30
 * % off, `fractional` workers compensate with a share of the time of every P. `idle` workers run on Ps that have nothing else to do.
 * Each P that takes a worker from the pool decides which kind it is.
 *
 * The pool is a stack linked by numbers. One word holds the number of the top and a count of changes. So a pool from which a worker was
 * taken and put back does not look unchanged (ABA).
 */
#include "runtime/gc/gc.h"

enum { UNTIL_PREEMPT = 1, FRACTIONAL = 2, IDLE = 4 };

/* ---- the pool ---- */

static void pool_put(struct gc *gc, struct gc_worker *w)
{
    uint64_t old = atomic_load_explicit(&gc->pool, memory_order_relaxed), new; /* the CAS checks it */
    do {
        atomic_store_explicit(&w->next, (uint32_t)old, memory_order_relaxed); /* published by the CAS */
        new = ((old >> 32) + 1) << 32 | w->id;
        /* release: the worker is parked; pairs with gc_pool_get() */
    } while (!atomic_compare_exchange_weak_explicit(&gc->pool, &old, new, memory_order_release, memory_order_relaxed));
}

static struct gc_worker *pool_take(struct gc *gc)
{
    uint64_t old = atomic_load_explicit(&gc->pool, memory_order_acquire), new; /* pairs with pool_put() */
    struct gc_worker *w;
    do {
        if ((uint32_t)old == 0)
            return NULL;
        w = &gc->worker[(uint32_t)old - 1];
        new = ((old >> 32) + 1) << 32 | atomic_load_explicit(&w->next, memory_order_relaxed); /* stale if the CAS fails */
    } while (!atomic_compare_exchange_weak_explicit(&gc->pool, &old, new, memory_order_acq_rel, memory_order_acquire));
    return w;
}

struct g *gc_pool_get(struct gc *gc)
{
    struct gc_worker *w = pool_take(gc);
    return w ? w->g : NULL;
}

/* ---- the pacer ---- */

/* Sets the number of dedicated workers and each P's fractional share: 25% of n in all. With up to 3 Ps, and with 6, rounding is too far
 * off. */
static void share_out(struct gc *gc, uint32_t n)
{
    double total = 0.25 * n, off;
    int64_t dedicated = (int64_t)(total + 0.5);
    off = (double)dedicated / total - 1;
    gc->fractional_goal = 0;
    if (off < -0.3 || off > 0.3) {
        if ((double)dedicated > total)
            dedicated--;
        gc->fractional_goal = (total - (double)dedicated) / n;
    }
    atomic_store_explicit(&gc->dedicated_needed, dedicated, memory_order_relaxed);           /* the world is stopped */
    atomic_store_explicit(&gc->idle, (uint64_t)(n - dedicated) << 32, memory_order_relaxed); /* none so far, at most that many */
}

/* The world is stopped. */
void gc_start_cycle(struct m *m, int64_t ns, bool assist)
{
    struct sched *s = m->sched;
    struct gc *gc = s->gc;
    uint32_t n = gomaxprocs(s);
    share_out(gc, n);
    for (uint32_t i = 0; i < n; i++) {
        s->allp[i].gc_fractional = 0;
        s->allp[i].gcw = 0;
        s->allp[i].gc_mode = GC_NO_WORKER;
    }
    gc->mark_start = nanotime(m);
    gc->assist_share = assist ? ns / (4 * (int64_t)n) : 0;
    gc->nproc = UINT32_MAX;
    atomic_store_explicit(&gc->nwait, gc->nproc, memory_order_relaxed);      /* the world is stopped */
    atomic_store_explicit(&gc->left, ns > 0 ? ns : 0, memory_order_relaxed); /* as above */
}

static bool need_idle_worker(struct gc *gc)
{
    uint64_t v = atomic_load_explicit(&gc->idle, memory_order_relaxed); /* a hint: gc_add_idle_worker() decides */
    return (uint32_t)v < v >> 32;
}

bool gc_add_idle_worker(struct gc *gc)
{
    uint64_t v = atomic_load_explicit(&gc->idle, memory_order_relaxed); /* only a count: it orders nothing */
    do {
        if ((uint32_t)v >= v >> 32)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&gc->idle, &v, v + 1, memory_order_relaxed, memory_order_relaxed));
    return true;
}

void gc_remove_idle_worker(struct gc *gc)
{
    atomic_fetch_sub_explicit(&gc->idle, 1, memory_order_relaxed); /* as above */
}

static bool dec_if_positive(_Atomic int64_t *n)
{
    int64_t v = atomic_load_explicit(n, memory_order_relaxed); /* only a count: it orders nothing */
    do {
        if (v <= 0)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(n, &v, v - 1, memory_order_relaxed, memory_order_relaxed));
    return true;
}

/* ---- what findrunnable() asks ---- */

void gc_worker_ready(struct m *m, struct g *gp, uint32_t mode)
{
    m->p->gc_mode = mode;
    atomic_store_explicit(&gp->status, G_RUNNABLE, memory_order_relaxed); /* ours: out of the pool */
    gp->seq++;
    emit_gate(m, ev_of(m, EV_G_READY, goid(gp), gp->seq, 0, 0, 0));
    emit_gate(m, ev_of(m, EV_GC_WORKER, goid(gp), mode, 0, 0, 0));
}

/* Chooses a worker for pp and sets pp->gc_mode: a dedicated one while too few run, else a fractional one if pp has not done its share. NULL:
 * none. */
static struct gc_worker *choose_worker(struct m *m, struct p *pp, int64_t *now)
{
    struct gc *gc = m->sched->gc;
    if (!gc_marking(m->sched) || (pp->gcw == 0 && !gc_mark_work_available(m->sched)))
        return NULL;
    struct gc_worker *w = pool_take(gc);
    if (!w)
        return NULL; /* one of them is ending the cycle */
    uint32_t mode = GCMODE_DEDICATED;
    if (!dec_if_positive(&gc->dedicated_needed)) {
        mode = GCMODE_FRACTIONAL;
        if (*now == 0)
            *now = nanotime(m);
        int64_t delta = *now - gc->mark_start;
        if (gc->fractional_goal == 0 || (delta > 0 && (double)pp->gc_fractional / (double)delta > gc->fractional_goal)) {
            pool_put(gc, w);
            return NULL;
        }
    }
    pp->gc_mode = mode;
    return w;
}

static void log_assigned(struct m *m, struct p *pp, const struct gc_worker *w, bool set)
{
    emit(m, ev_on(pp->id, EV_GC_ASSIGN, goid(w->g), pp->gc_mode, set, 0, 0));
}

/* Assigns a worker to pp, which has nothing else to do. It stays parked. Returns false if pp needs none. Caller: the world is stopped. */
bool assign_waiting_gc_worker(struct m *m, struct p *pp)
{
    int64_t now = 0;
    pp->gc_assigned = choose_worker(m, pp, &now);
    if (pp->gc_assigned)
        log_assigned(m, pp, pp->gc_assigned, true);
    return pp->gc_assigned != NULL;
}

/* Puts the worker that pp was assigned and does not run back into the pool. Caller: owner of pp. */
void release_gc_worker(struct m *m, struct p *pp)
{
    struct gc_worker *w = pp->gc_assigned;
    pp->gc_assigned = NULL;
    log_assigned(m, pp, w, false);
    if (pp->gc_mode == GCMODE_DEDICATED)
        atomic_fetch_add_explicit(&m->sched->gc->dedicated_needed, 1, memory_order_relaxed); /* only a count */
    pp->gc_mode = GC_NO_WORKER;
    pool_put(m->sched->gc, w);
}

/* Returns the worker that m's P was assigned, or else the one that it needs; or NULL. */
struct g *find_runnable_gc_worker(struct m *m, int64_t *now)
{
    struct p *pp = m->p;
    struct gc_worker *w = pp->gc_assigned ? pp->gc_assigned : choose_worker(m, pp, now);
    pp->gc_assigned = NULL;
    if (!w)
        return NULL;
    gc_worker_ready(m, w->g, pp->gc_mode);
    return w->g;
}

/* Returns an idle worker for m, which found nothing else to do, or NULL. */
struct g *find_idle_gc_worker(struct m *m)
{
    struct gc *gc = m->sched->gc;
    if (!gc_marking(m->sched) || (m->p->gcw == 0 && !gc_mark_work_available(m->sched)) || !gc_add_idle_worker(gc))
        return NULL;
    struct g *gp = gc_pool_get(gc);
    if (!gp) {
        gc_remove_idle_worker(gc);
        return NULL;
    }
    gc_worker_ready(m, gp, GCMODE_IDLE);
    return gp;
}

/* After the P was dropped: checks whether marking has begun, or has new work, in the meantime. */
struct p *check_idle_gc_no_p(struct m *m, struct g **gp)
{
    struct sched *s = m->sched;
    struct gc *gc = s->gc;
    *gp = NULL;
    explore_point(m);
    if (!gc_marking(s) || !need_idle_worker(gc) || !gc_mark_work_available(s))
        return NULL;
    lock(m, &s->lock);
    struct p *pp = pidleget_spinning(m);
    /* While m has a P, marking cannot end, because that needs a stopped world. */
    bool idle = pp && gc_marking(s) && gc_add_idle_worker(gc);
    if (idle && !(*gp = gc_pool_get(gc)))
        gc_remove_idle_worker(gc);
    if (pp && !*gp) {
        pidleput(m, pp);
        pp = NULL;
    }
    unlock(m, &s->lock);
    return pp;
}

/* ---- marking ---- */

/* Takes up to max ns of work: from the P if it has some, else from the common heap. */
static int64_t take_work(struct m *m, int64_t max)
{
    struct gc *gc = m->sched->gc;
    struct p *pp = m->p;
    int64_t n = pp->gcw < max ? pp->gcw : max;
    if (n > 0) {
        pp->gcw -= n;
        return n;
    }
    explore_point(m);
    int64_t left = atomic_load_explicit(&gc->left, memory_order_seq_cst); /* as in gc_mark_work_available() */
    do {
        n = left < max ? left : max;
        if (n <= 0)
            return 0;
        explore_point(m);
    } while (!atomic_compare_exchange_weak_explicit(&gc->left, &left, left - n, memory_order_seq_cst, memory_order_seq_cst));
    return n;
}

/* Marks for a while and returns how long. 0: nothing is left, or the marking was cut at once. What a cut leaves undone stays on the P. */
static int64_t mark_some(struct m *m, int64_t max)
{
    int64_t n = take_work(m, max);
    int64_t done = n > 0 ? conductor_compute(m->w, n, false) : 0;
    if (done > n)
        done = n; /* the clock is coarse */
    m->p->gcw += n - done;
    return done;
}

/* Returns true if a fractional worker has done its share and a fifth more. */
static bool fractional_done(struct m *m)
{
    const struct gc *gc = m->sched->gc;
    int64_t now = nanotime(m), delta = now - gc->mark_start;
    int64_t self = m->p->gc_fractional + (now - m->p->gc_worker_start);
    return delta <= 0 || (double)self / (double)delta > 1.2 * gc->fractional_goal;
}

/* Returns true if this P has anything else to do. */
static bool poll_work(struct m *m)
{
    struct sched *s = m->sched;
    if (runqsize(s) != 0 || !runqempty(m, m->p))
        return true;
    if (!netpoll_wanted(s) || atomic_load_explicit(&s->lastpoll, memory_order_relaxed) == 0) /* an M waits there: a hint */
        return false;
    struct glist list = netpoll(m);
    bool any = list.head != NULL;
    injectglist(m, &list);
    return any;
}

/* Marks until nothing is left, or until one of the flags says so. It contains no safe point, so the G stays on m. A dedicated worker
 * that was asked to stop continues, unless the world is to stop. */
static void drain(struct m *m, uint32_t flags)
{
    struct g *gp = curg(m);
    for (;;) {
        bool asked = atomic_load_explicit(&gp->preempt, memory_order_relaxed) != 0; /* a hint, as in safepoint() */
        if (asked && ((flags & UNTIL_PREEMPT) || gcwaiting(m->sched) || safe_point_wanted(m->p)))
            return;
        if (mark_some(m, GC_SLICE) == 0 && m->p->gcw == 0)
            return;
        conductor_gate(m->w);
        if (((flags & FRACTIONAL) && fractional_done(m)) || ((flags & IDLE) && poll_work(m)))
            return;
    }
}

/* Moves this P's Gs to the global queue, because a worker that keeps the P was asked to stop for them. */
static void give_queue_away(struct m *m)
{
    struct gqueue q;
    uint32_t n = runqdrain(m, m->p, &q);
    if (n == 0)
        return;
    lock(m, &m->sched->lock);
    globrunqputbatch(m, &q, n);
    unlock(m, &m->sched->lock);
}

static void drain_dedicated(struct m *m)
{
    drain(m, UNTIL_PREEMPT);
    if (atomic_load_explicit(&curg(m)->preempt, memory_order_relaxed)) /* a hint, as in safepoint() */
        give_queue_away(m);
    drain(m, 0);
}

/* Counts this G as marking: it is no longer one of those that wait. */
static void begin_marking(struct m *m)
{
    explore_point(m);
    atomic_fetch_sub_explicit(&m->sched->gc->nwait, 1, memory_order_seq_cst); /* Dekker: before work is taken, see gc.c */
}

/* Returns true if no other worker marks and nothing is left. */
static bool end_marking(struct m *m)
{
    struct sched *s = m->sched;
    explore_point(m);
    uint32_t n = atomic_fetch_add_explicit(&s->gc->nwait, 1, memory_order_seq_cst) + 1; /* Dekker: before looking for work */
    explore_point(m);
    return n == s->gc->nproc && !gc_mark_work_available(s);
}

/* Runs one turn of a worker that was picked for the P of m. */
static void work(struct m *m)
{
    struct gc *gc = m->sched->gc;
    struct p *pp = m->p;
    uint32_t mode = pp->gc_mode;
    pp->gc_worker_start = nanotime(m);
    begin_marking(m);
    if (mode == GCMODE_DEDICATED)
        drain_dedicated(m);
    else
        drain(m, UNTIL_PREEMPT | (mode == GCMODE_FRACTIONAL ? FRACTIONAL : IDLE));
    if (mode == GCMODE_DEDICATED)
        atomic_fetch_add_explicit(&gc->dedicated_needed, 1, memory_order_relaxed); /* only a count */
    else if (mode == GCMODE_IDLE)
        gc_remove_idle_worker(gc);
    else
        pp->gc_fractional += nanotime(m) - pp->gc_worker_start;
    pp->gc_mode = GC_NO_WORKER;
    if (end_marking(m))
        gc_mark_done();
}

/* Puts the parked worker into the pool, where it can be picked. On g0. */
static void to_pool(struct m *m, struct g *gp)
{
    pool_put(m->sched->gc, gp->arg);
}

/* The body of a worker G. */
static void gc_bg_mark_worker(void *arg)
{
    struct gc_worker *w = arg;
    w->g = getg();
    note_wakeup(getm()->w, &w->sched->gc->ready);
    for (;;) {
        getm()->waitfn = to_pool;
        gopark(NULL, WAIT_REASON_GC_WAIT, 0);
        work(getm());
    }
}

static void start_worker(struct sched *s)
{
    struct gc *gc = s->gc;
    struct m *m = getm();
    struct gc_worker *w = &gc->worker[gc->nworkers];
    w->sched = s;
    w->id = ++gc->nworkers;
    struct g *gp = newsystemg(m, gc_bg_mark_worker, w, SYSG_GCWORKER);
    if (!gp)
        no_stack(m);
    runqput(m, m->p, gp, true);
    wakep(m, WAKEP_NEW_G);
    /* Go's notetsleepg: for the scheduler, a system call that is known to block */
    entersyscall(m, CALL_SYSCALL, true);
    note_sleep(m->w, &gc->ready);
    note_clear(&gc->ready);
    exitsyscall(m);
}

void gc_start_workers(struct sched *s)
{
    while (s->gc->nworkers < gomaxprocs(s))
        start_worker(s);
}

void gc_assist(void)
{
    struct m *m = getm();
    struct gc *gc = m->sched->gc;
    struct g *gp = curg(m);
    uint32_t cycle = atomic_load_explicit(&gc->cycles, memory_order_relaxed); /* cannot change: we have a P */
    if (!gc_marking(m->sched) || gc->assist_share == 0 || gp->gc_cycle == cycle)
        return;
    gp->gc_cycle = cycle;
    begin_marking(m);
    int64_t done = 0;
    while (done < gc->assist_share && !atomic_load_explicit(&gp->preempt, memory_order_relaxed)) { /* a hint, as in safepoint() */
        int64_t rest = gc->assist_share - done, n = mark_some(m, rest < GC_SLICE ? rest : GC_SLICE);
        if (n == 0 && m->p->gcw == 0)
            break;
        done += n;
    }
    struct ev e = ev_of(m, EV_GC_ASSIST, goid(gp), 0, 0, 0, 0);
    ev_set_cd(&e, done);
    emit_gate(m, e);
    if (end_marking(m))
        gc_mark_done();
}
