/* A collection from start to end (Go: runtime.GC, gcStart, gcMarkDone, gcMarkTermination). It collects nothing, but it does to the
 * scheduler what Go's does: the world stops, marking starts, workers take a quarter of the Ps, idle Ps help, and when nothing is left to
 * mark the world stops once more.
 *
 * When is marking done? nwait counts the workers that do not mark. A worker that stops first counts itself and then looks for work. A
 * worker that takes work first stops being counted. So the last worker that stops and finds no work knows that everything is marked
 * except the work in the Ps' buffers. forEachP flushes those. If one had work, marking continues.
 */
#include "runtime/gc/gc.h"
#include <stdlib.h>

struct gc *gc_new(void)
{
    struct gc *gc = calloc(1, sizeof *gc);
    if (!gc)
        return NULL;
    sema_init(&gc->start_sema, RANK_SEMA);
    sema_init(&gc->mark_done_sema, RANK_SEMA);
    atomic_init(&gc->start_sema.count, 1);
    atomic_init(&gc->mark_done_sema.count, 1);
    gc->wait_lock.rank = RANK_OTHER;
    return gc;
}

static uint32_t cycles(struct gc *gc)
{
    return atomic_load_explicit(&gc->cycles, memory_order_acquire); /* pairs with start() */
}

/* Sets the phase. Passes a gate. Caller: the world is stopped. */
static void set_phase(struct m *m, uint32_t phase)
{
    explore_point(m);
    atomic_store_explicit(&m->sched->gc->phase, phase, memory_order_release); /* pairs with wait_on_mark() */
    emit_gate(m, ev_of(m, EV_GC_PHASE, 0, phase, 0, 0, 0));
}

static uint32_t phase(struct gc *gc)
{
    return atomic_load_explicit(&gc->phase, memory_order_acquire); /* pairs with set_phase() */
}

/* Waits until cycle n is over. */
static void wait_on_mark(struct gc *gc, uint32_t n)
{
    for (;;) {
        struct m *m = getm();
        lock(m, &gc->wait_lock);
        uint32_t over = cycles(gc) + (phase(gc) != GCPHASE_MARK); /* outside of marking, the present cycle counts as over */
        if ((int32_t)(over - n) > 0) {
            unlock(m, &gc->wait_lock);
            return;
        }
        struct g *gp = getg();
        gp->schedlink = NULL;
        *(gc->waiters.tail ? &gc->waiters.tail->schedlink : &gc->waiters.head) = gp;
        gc->waiters.tail = gp;
        gopark(&gc->wait_lock, WAIT_REASON_GC_WAIT, 0);
    }
}

/* Does sweep termination and starts the mark phase, unless another G has started cycle n in the meantime. */
static void start(struct sched *s, uint32_t n, int64_t ns, bool assist)
{
    struct gc *gc = s->gc;
    semacquire(&gc->start_sema, false, WAIT_REASON_SEMACQUIRE, 0);
    if ((int32_t)(n - cycles(gc)) <= 0) {
        semrelease(&gc->start_sema, false);
        return;
    }
    gcsema_acquire(); /* until the end of the cycle: mark_termination() */
    worldsema_acquire();
    gc_start_workers(s);
    struct m *m = getm();
    stop_the_world_with_sema(m, STW_GC);
    atomic_fetch_add_explicit(&gc->cycles, 1, memory_order_release); /* pairs with cycles() */
    gc_start_cycle(m, ns, assist);
    set_phase(m, GCPHASE_MARK);
    atomic_store_explicit(&m->sched->blacken, 1, memory_order_release); /* the cycle's numbers; pairs with gc_marking() */
    start_the_world_with_sema(m);
    worldsema_release();
    semrelease(&gc->start_sema, false);
}

/* runtime.GC: runs one whole cycle, which begins after this call and needs ns of marking. Then Go's caller sweeps, and yields once for each
 * span. There is no heap here, so it yields once: whatever can run by then runs before it. */
void rt_gc(int64_t ns, bool assist)
{
    explore_depends(getm());
    safepoint();
    struct sched *s = getm()->sched;
    uint32_t n = cycles(s->gc);
    wait_on_mark(s->gc, n);
    start(s, n + 1, ns, assist);
    wait_on_mark(s->gc, n + 1);
    rt_gosched();
}

/* Puts the Gs that wait for the cycle into this P's queue, because no P is idle while the world is stopped. */
static void wake_waiters(struct m *m)
{
    struct gc *gc = m->sched->gc;
    lock(m, &gc->wait_lock);
    struct glist list = {gc->waiters.head};
    gc->waiters = (struct gqueue){NULL, NULL};
    unlock(m, &gc->wait_lock);
    injectglist(m, &list);
}

/* Ends the cycle and starts the world. Caller: the world is stopped. */
static void mark_termination(struct m *m)
{
    set_phase(m, GCPHASE_MARK_TERMINATION);
    set_phase(m, GCPHASE_OFF);
    wake_waiters(m);
    start_the_world_with_sema(m);
    worldsema_release();
    gcsema_release();
}

/* Puts back the work that the P has taken and not done. Caller: owner of pp, or an M with sched.lock; see for_each_p(). */
static void flush(struct m *m, struct p *pp)
{
    struct gc *gc = m->sched->gc;
    if (pp->gcw == 0)
        return;
    explore_point(m);
    atomic_fetch_add_explicit(&gc->left, pp->gcw, memory_order_seq_cst); /* as in gc_mark_work_available() */
    pp->gcw = 0;
    atomic_fetch_add_explicit(&gc->flushed, 1, memory_order_relaxed); /* read after for_each_p(), which orders it */
}

static bool nothing_left(struct sched *s)
{
    struct gc *gc = s->gc;
    struct m *m = getm();
    explore_point(m);
    /* seq_cst: Dekker. A worker that stops marking counts itself and then looks for work; before it takes work it subtracts itself. */
    if (phase(gc) != GCPHASE_MARK || atomic_load_explicit(&gc->nwait, memory_order_seq_cst) != gc->nproc)
        return false;
    explore_point(m);
    return !gc_mark_work_available(s);
}

/* Returns true if everything is marked. The world is then stopped, and worldsema is held. Caller holds mark_done_sema. */
static bool all_marked(struct sched *s)
{
    while (nothing_left(s)) {
        worldsema_acquire();
        struct m *m = getm();
        atomic_store_explicit(&s->gc->flushed, 0, memory_order_relaxed); /* no M flushes now */
        for_each_p(m, flush);
        if (atomic_load_explicit(&s->gc->flushed, memory_order_relaxed) == 0) { /* as in flush() */
            stop_the_world_with_sema(m, STW_GC);
            return true;
        }
        worldsema_release();
    }
    return false;
}

/* Ends the cycle if all is marked. Called by each G that finds no work and no marking worker; the first one ends the cycle. */
void gc_mark_done(void)
{
    struct sched *s = getm()->sched;
    struct gc *gc = s->gc;
    semacquire(&gc->mark_done_sema, false, WAIT_REASON_SEMACQUIRE, 0);
    if (!all_marked(s)) {
        semrelease(&gc->mark_done_sema, false);
        return;
    }
    struct m *m = getm();
    explore_point(m);
    atomic_store_explicit(&m->sched->blacken, 0, memory_order_release); /* pairs with gc_marking() */
    semrelease(&gc->mark_done_sema, false); /* the waiters continue when the world starts, and then find nothing to do */
    mark_termination(m);
}
