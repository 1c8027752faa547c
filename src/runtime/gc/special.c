/* The runtime's own Gs: the finalizer G and the trace reader, which findrunnable() wakes (Go: mfinal.go, trace.go); and how user Gs are
 * kept from running (schedEnableUser). An M that has work for one of the two does not ready it. It only sets a flag or fills a buffer,
 * and the next M that searches for a G finds that. So queueing a finalizer or tracing an event needs no P and no queue. (In Go 1.0 the
 * collector queued finalizers and readied the finalizer G itself.)
 */
#include "runtime/sched/proc.h"
#include "runtime/sched/race.h"
#include <stdlib.h>

/* --- finalizers ---------------------------------------------------------------------------------------------------- */

enum { FING_CREATED = 1, FING_WAIT = 2, FING_WAKE = 4 }; /* sched.fingstatus */

struct finalizer {
    struct finalizer *next;
    rt_fn *fn;
    void *arg;
    void (*release)(void *);
};

/* Takes all queued finalizers. Returns NULL, with finlock still held, if there are none. On the finalizer G. */
static struct finalizer *take_finalizers(struct m *m)
{
    struct sched *s = m->sched;
    lock(m, &s->finlock);
    struct finalizer *f = s->finq;
    s->finq = NULL;
    s->finqend = &s->finq;
    if (f) {
        racenote(m, NULL, NOTE_ACQUIRE_ALL, 0);
        unlock(m, &s->finlock);
    }
    return f;
}

static void finalizercommit(struct m *m, struct g *gp)
{
    (void)gp;
    /* release: the G is parked; pairs with the CAS in claim_fing() */
    atomic_fetch_or_explicit(&m->sched->fingstatus, FING_WAIT, memory_order_release);
}

/* Runs finalizers one after the other, on its own stack. Never returns. */
static void runfinq(void *arg)
{
    struct sched *s = arg;
    for (;;) {
        struct finalizer *f = take_finalizers(getm());
        if (!f) {
            getm()->waitfn = finalizercommit;
            gopark(&s->finlock, WAIT_REASON_FINALIZER_WAIT, 0);
        }
        while (f) {
            struct finalizer *next = f->next;
            s->fin_running = f; /* so that rt_free finds it if the runtime ends meanwhile */
            s->fin_rest = next;
            f->fn(f->arg);
            s->fin_running = NULL;
            galloc_free(s, getg());
            f->release(f->arg);
            free(f);
            f = next;
        }
        s->fin_rest = NULL;
    }
}

/* Makes the finalizer G, on first use. */
void createfing(struct m *m)
{
    struct sched *s = m->sched;
    /* relaxed: only one M sets the bit */
    if (atomic_fetch_or_explicit(&s->fingstatus, FING_CREATED, memory_order_relaxed) & FING_CREATED)
        return;
    s->fing = newsystemg(m, runfinq, s, SYSG_FINALIZER);
    if (!s->fing)
        no_stack(m);
    s->gen->put(m, s->fing, WAKEP_NEW_G);
}

/* Returns true if the finalizer G waits and has something to do; the caller then must ready it. */
static bool claim_fing(struct sched *s)
{
    uint32_t all = FING_CREATED | FING_WAIT | FING_WAKE;
    /* relaxed: a hint; the CAS decides. acquire: pairs with finalizercommit() and rt_finalizer() */
    return atomic_load_explicit(&s->fingstatus, memory_order_relaxed) == all &&
           atomic_compare_exchange_strong_explicit(&s->fingstatus, &all, FING_CREATED, memory_order_acquire, memory_order_relaxed);
}

void rt_finalizer(rt_fn *fn, void *arg, void (*release)(void *))
{
    explore_depends(getm());
    struct g *by = curg(getm());
    by->newarg = arg; /* freed with this G if the runtime ends before the finalizer is queued */
    by->newrelease = release;
    safepoint();
    struct m *m = getm();
    struct sched *s = m->sched;
    struct finalizer *f = malloc(sizeof *f);
    if (!f)
        rt_no_memory("cannot allocate memory for a finalizer");
    *f = (struct finalizer){NULL, fn, arg, release};
    by->newarg = f; /* from now on it is freed together with its argument */
    by->newrelease = finalizer_drop;
    createfing(m);
    lock(m, &s->finlock);
    by->newrelease = NULL;
    *s->finqend = f;
    s->finqend = &f->next;
    /* release: what was queued; pairs with the CAS in claim_fing() */
    atomic_fetch_or_explicit(&s->fingstatus, FING_WAKE, memory_order_release);
    unlock(m, &s->finlock);
    if (!s->gen->wakes_fing && claim_fing(s))
        ready(m, s->fing);
}

/* Called by findrunnable(): readies the finalizer G if it waits and has something to do. */
void wakefing(struct m *m)
{
    if (!claim_fing(m->sched))
        return;
    emit_gate(m, ev_of(m, EV_FIND_STAGE, 0, FIND_FINALIZER, 0, 0, 0));
    ready(m, m->sched->fing);
}

/* Frees a struct finalizer that will never run. */
void finalizer_drop(void *arg)
{
    struct finalizer *f = arg;
    f->release(f->arg);
    free(f);
}

static void drop_list(struct finalizer *f)
{
    while (f) {
        struct finalizer *next = f->next;
        finalizer_drop(f);
        f = next;
    }
}

/* Caller: rt_free(), when all Ms are joined. */
void finalizers_free(struct sched *s)
{
    drop_list(s->finq);
    if (s->fin_running) {
        drop_list(s->fin_rest);
        finalizer_drop(s->fin_running);
    }
}

/* --- the trace reader ---------------------------------------------------------------------------------------------- */

#define TRACE_BUF 16       /* records that fill a P's trace buffer (Go's holds 64 KiB) */
#define TRACE_READ_NS 2000 /* what reading one buffer costs */

/* Returns true if there is a full buffer and a reader waits for one. Without the lock, this is a hint. */
bool trace_reader_available(struct sched *s)
{
    /* relaxed, both: trace_reader() looks again under the lock */
    return atomic_load_explicit(&s->trace.reader, memory_order_relaxed) && atomic_load_explicit(&s->trace.full, memory_order_relaxed) > 0;
}

/* For findrunnable(): returns the reader, runnable and in m's hand, if it has something to read; else NULL. */
struct g *trace_reader(struct m *m)
{
    struct sched *s = m->sched;
    if (!trace_reader_available(s))
        return NULL;
    lock(m, &s->trace.lock);
    struct g *gp = trace_reader_available(s) ? atomic_load_explicit(&s->trace.reader, memory_order_relaxed) : NULL;
    if (gp)
        atomic_store_explicit(&s->trace.reader, NULL, memory_order_relaxed); /* under the lock */
    unlock(m, &s->trace.lock);
    if (!gp)
        return NULL;
    emit_gate(m, ev_of(m, EV_FIND_STAGE, 0, FIND_TRACE_READER, 0, 0, 0));
    make_runnable(m, gp);
    return gp;
}

/* For execute(): counts one more record in this P's buffer, and gives a full buffer to the reader. Executed by the owner of m.p, on g0. */
void trace_record(struct m *m)
{
    struct sched *s = m->sched;
    /* relaxed: set once; an M that sees it late traces a little less */
    if (!atomic_load_explicit(&s->trace.enabled, memory_order_relaxed) || ++m->p->tracebuf < TRACE_BUF)
        return;
    m->p->tracebuf = 0;
    lock(m, &s->trace.lock);
    atomic_fetch_add_explicit(&s->trace.full, 1, memory_order_relaxed); /* under the lock */
    unlock(m, &s->trace.lock);
}

/* Takes one full buffer. If there is none, the reader parks, under the lock, and trace_reader() can find it. */
static bool trace_take(struct m *m)
{
    struct sched *s = m->sched;
    lock(m, &s->trace.lock);
    if (atomic_load_explicit(&s->trace.full, memory_order_relaxed) > 0) { /* under the lock */
        atomic_fetch_sub_explicit(&s->trace.full, 1, memory_order_relaxed);
        unlock(m, &s->trace.lock);
        return true;
    }
    return false;
}

static void trace_park(struct m *m, struct g *gp)
{
    atomic_store_explicit(&m->sched->trace.reader, gp, memory_order_relaxed); /* under the lock, and the G is parked */
}

static void run_trace_reader(void *arg)
{
    struct sched *s = arg;
    for (;;) {
        if (trace_take(getm())) {
            rt_compute(TRACE_READ_NS, false);
            continue;
        }
        getm()->waitfn = trace_park;
        gopark(&s->trace.lock, WAIT_REASON_TRACE_READER_WAIT, 0);
    }
}

void rt_trace_reader(void)
{
    explore_depends(getm());
    safepoint();
    struct m *m = getm();
    struct sched *s = m->sched;
    if (atomic_exchange_explicit(&s->trace.enabled, true, memory_order_relaxed)) /* there is one already */
        return;
    struct g *gp = newsystemg(m, run_trace_reader, s, SYSG_TRACEREADER);
    if (!gp)
        no_stack(m);
    s->gen->put(m, gp, WAKEP_NEW_G);
}

/* --- disabled user Gs ----------------------------------------------------------------------------------------------- */

bool sched_enabled(struct sched *s, const struct g *gp)
{
    return !users_disabled(s) || ev_is_system_g(goid(gp));
}

/* For schedule(), which has found gp: if gp may not run, puts it on the list of sched.disable and returns true, unless user Gs were
 * enabled just now. */
bool disable_g(struct m *m, struct g *gp)
{
    struct sched *s = m->sched;
    if (sched_enabled(s, gp))
        return false;
    lock(m, &s->lock);
    bool aside = !sched_enabled(s, gp);
    if (aside) {
        gp->schedlink = NULL;
        if (s->disable.runnable.tail)
            s->disable.runnable.tail->schedlink = gp;
        else
            s->disable.runnable.head = gp;
        s->disable.runnable.tail = gp;
        s->disable.n++;
        emit(m, ev_of(m, EV_G_DISABLE, goid(gp), ++s->lockseq, 0, 0, 0));
    }
    unlock(m, &s->lock);
    return aside;
}

/* Starts Ms for the Gs that were put aside and are now in the global queue: one each, as long as there are idle Ps. */
static void start_ms(struct m *m, uint32_t n)
{
    while (n--) {
        lock(m, &m->sched->lock);
        struct p *pp = pidleget(m);
        unlock(m, &m->sched->lock);
        if (!pp)
            return;
        startm(m, pp, false);
    }
}

static void sched_enable_user(struct m *m, bool enable)
{
    struct sched *s = m->sched;
    lock(m, &s->lock);
    uint32_t n = enable ? s->disable.n : 0;
    if (atomic_load_explicit(&s->disable.user, memory_order_relaxed) == !enable) { /* under the lock */
        unlock(m, &s->lock);
        return;
    }
    atomic_store_explicit(&s->disable.user, !enable, memory_order_relaxed);
    emit(m, ev_of(m, EV_SCHED_ENABLE_USER, 0, enable, n, ++s->lockseq, 0));
    if (n) {
        struct gqueue q = s->disable.runnable;
        s->disable.runnable = (struct gqueue){NULL, NULL};
        s->disable.n = 0;
        globrunqputbatch(m, &q, n);
    }
    unlock(m, &s->lock);
    start_ms(m, n);
}

/* Enables user Gs again. In Go a GC worker does it; here, a runtime G that only sleeps. */
static void run_enable_user(void *arg)
{
    rt_sleep(*(const int64_t *)arg);
    sched_enable_user(getm(), true);
}

void rt_disable_user(int64_t ns)
{
    explore_depends(getm());
    safepoint();
    struct m *m = getm();
    struct sched *s = m->sched;
    struct g *gp = newsystemg(m, run_enable_user, NULL, SYSG_ENABLEUSER);
    if (!gp)
        no_stack(m);
    gp->sleep_when = ns;
    gp->arg = &gp->sleep_when;   /* read before the first sleep writes it */
    sched_enable_user(m, false); /* before the other G is queued, which must not enable them first */
    s->gen->put(m, gp, WAKEP_NEW_G);
}
