/* Gs: how they are made, wait, become ready, yield and end (Go: newproc, gopark, ready, gosched, goexit, execute). park.h says how a G
 * gives up its thread.
 */
#include "runtime/sched/proc.h"
#include "runtime/sched/race.h"
#include "runtime/sched/world.h"
#include <string.h>

/* Takes gp off m and sets its new status. On g0; the caller logs it. */
void dropg(struct m *m, struct g *gp, enum g_status st)
{
    atomic_store_explicit(&gp->status, st, memory_order_relaxed); /* ours; published by the queue it goes to */
    gp->seq++;
    atomic_store_explicit(&m->curg, NULL, memory_order_relaxed); /* sysmon reads it as a hint */
}

/* Makes gp, which m has taken out of a queue, the G that m runs. On g0; the caller switches. */
static void execute(struct m *m, struct g *gp, bool inherit)
{
    /* release: even if the G is new, sysmon, which writes `preempt`, sees all its fields; pairs with acquire in preemptone() */
    atomic_store_explicit(&m->curg, gp, memory_order_release);
    atomic_store_explicit(&gp->status, G_RUNNING, memory_order_relaxed); /* ours */
    gp->seq++;
    m->woke.runs_now++;
    atomic_store_explicit(&gp->preempt, 0, memory_order_relaxed);
    if (m->p && !inherit) /* schedtick: only the owner writes it */
        atomic_store_explicit(&m->p->schedtick, atomic_load_explicit(&m->p->schedtick, memory_order_relaxed) + 1, memory_order_relaxed);
    emit_gate(m, ev_of(m, EV_G_START, goid(gp), gp->seq, inherit, tries_of(m), 0));
    batch_end(m); /* of the search that found gp */
    if (tracing(m->sched))
        trace_record(m);
}

/* Returns the next G for m, which has none. On g0. */
static inline struct g *next_g(struct m *m, bool *inherit)
{
    struct g *gp = m->rungp;
    if (!gp)
        return m->sched->gen->schedule(m, inherit);
    m->rungp = NULL;
    *inherit = m->runinherit;
    m->runinherit = false;
    return gp;
}

/* The loop of an M that runs Gs. It switches here, so that g0 has no other frame that must return later (ctx_x86_64.h). */
void run_gs(struct m *m)
{
    struct ctx_base base;
    ctx_base_init(&base);
    do {
        bool inherit = false;
        struct g *gp = next_g(m, &inherit);
        execute(m, gp, inherit);
        m->ong = gp;
        ctx_switch_base(&base, &m->g0, &gp->ctx);
        m->ong = NULL;
        if (m->dying)
            longjmp(m->die, 1);
        m->mcall_fn(m, m->mcall_g);
    } while (!m->exiting);
}

/* Undoes the lock between m and gp, which ends. */
static void unwire(struct m *m, struct g *gp)
{
    m->exiting = m->sched->gen->locked_exit; /* its thread may be in any state (lockm.c) */
    if (!m->exiting)
        m->lockedext = 0;
    gp->lockedm = NULL;
    m->lockedg = NULL;
}

/* Caller: the M whose number it is. */
static void count_g(_Atomic uint32_t *n)
{
    /* relaxed, both: rt_goroutines() is exact only where nothing else runs */
    atomic_store_explicit(n, atomic_load_explicit(n, memory_order_relaxed) + 1, memory_order_relaxed);
}

uint32_t rt_goroutines(void)
{
    uint32_t n = 0;
    for (struct m *m = atomic_load_explicit(&getm()->sched->allm, memory_order_acquire); m; m = m->alllink) /* pairs with mnew() */
        n += atomic_load_explicit(&m->made, memory_order_relaxed) -
             atomic_load_explicit(&m->ended, memory_order_relaxed); /* as in count_g() */
    return n;
}

static void goexit0(struct m *m, struct g *gp)
{
    uint32_t id = goid(gp);
    if (__builtin_expect(gp->lockedm != NULL, 0))
        unwire(m, gp);
    if (!m->exiting)
        batch_begin(m); /* as in gosched_m() */
    dropg(m, gp, G_DEAD);
    if (!ev_is_system_g(id))
        count_g(&m->ended);
    emit_gate(m, ev_of(m, EV_G_END, id, gp->seq, gp->logged.prog, 0, 0));
    if (gp->mem.blocks)
        galloc_free(m->sched, gp);
    if (gp->release)
        gp->release(gp->arg);
    gp->release = NULL;
    ctx_fini(&gp->ctx);
    ctx_again(&gp->ctx);
    gfput(m, gp);
}

/* Ends the current G. No switch returns to its stack. Inline: ctx_x86_64.h says why gstart() may not end with a call. */
static inline __attribute__((always_inline)) _Noreturn void gexit(void)
{
    struct m *m = getm();
    struct g *gp = curg(m);
    racenote(m, NULL, NOTE_END, 0);
    m->mcall_fn = goexit0;
    m->mcall_g = gp;
    ctx_switch(&gp->ctx, &m->g0, true);
    __builtin_unreachable();
}

void rt_goexit(void)
{
    gexit();
}

/* See rt_config.linger. A program that never rests is left after a while. */
static __attribute__((noinline)) void linger(struct sched *s)
{
    enum { MOST = 5000 };
    uint64_t from = log_appended(s->log);
    atomic_store_explicit(&s->lingers, true, memory_order_relaxed); /* end.c */
    s->cfg.races = false;
    for (int64_t ns = 1000; ns < INT64_C(4000000000) && log_appended(s->log) - from < MOST; ns *= 4)
        rt_sleep(ns);
}

/* Where every G begins. */
void gstart(void)
{
    struct g *gp = getg();
    gp->fn(gp->arg);
    if (goid(gp) == 1 && getm()->sched->cfg.calls) {
        conductor_gate(getm()->w); /* what main woke last may take its CPU before the program is over */
        await_panic(getm());
    }
    if (goid(gp) == 1 && getm()->sched->cfg.linger)
        linger(getm()->sched);
    struct m *m = getm();
    if (goid(gp) == 1) { /* main returned: the program ends. (A G that reuses a main's memory has another id.) */
        program_end(m, ENDED_MAIN_RETURNED, 0, NULL);
        stand_still(m);
    }
    gexit();
}

/* Returns the id of a new G. */
static uint32_t new_goid(struct m *m, bool system)
{
    struct sched *s = m->sched;
    /* relaxed: only uniqueness matters. If there are Ps, an M that makes Gs has one */
    uint32_t n = shared_add32(m, system ? &s->sysgoidgen : &s->goidgen, 1, memory_order_relaxed);
    if (!system)
        return ev_user_g(n);
    if (s->booting)
        shared_add32(m, &s->goidgen, 1, memory_order_relaxed); /* as above */
    if (n >= EV_SYSTEM_GS)
        fatalerror("runtime: more than 1000000 goroutines of its own");
    return EV_SYSTEM_G + n;
}

/* Turns gp, a dead G in m's hand, into a new runnable one. Not logged. */
static void become_runnable(struct m *m, struct g *gp, rt_fn *fn, bool system)
{
    struct g *by = curg(m);
    atomic_store_explicit(&gp->goid, new_goid(m, system), memory_order_relaxed); /* as in goid() */
    gp->fn = fn;
    if (by && !system) {
        gp->arg = by->newsize ? memcpy(gp->room, by->newarg, by->newsize) : by->newarg;
        gp->release = by->newrelease;
        by->newrelease = NULL;
        by->newsize = 0;
    } else if (!system) {
        gp->arg = m->newsize ? memcpy(gp->room, m->newarg, m->newsize) : m->newarg;
        gp->release = m->newrelease;
        m->newrelease = NULL;
        m->newsize = 0;
    }
    gp->seq = 1;
    gp->waitreason = 0;
    atomic_store_explicit(&gp->status, G_RUNNABLE, memory_order_relaxed); /* ours until queued */
}

/* Returns a new runnable G in m's hand. NULL: out of memory. */
static struct g *newproc1(struct m *m, rt_fn *fn, uint32_t prog, uint32_t i, bool system)
{
    struct g *gp = gfget(m);
    if (!gp)
        return NULL;
    become_runnable(m, gp, fn, system);
    gp->logged.prog = prog;
    gp->logged.i = i;
    gp->logged.by = goid(curg(m));
    gp->op = 0;
    if (!system) {
        count_g(&m->made);
        racenote(m, NULL, NOTE_FORK, goid(gp));
    }
    emit_gate(m, ev_of(m, EV_G_CREATE, goid(gp), goid(curg(m)), prog, i, gp->slot));
    return gp;
}

/* Returns a new G of the runtime's own. Its id is from a range of its own, it has a label instead of a program, and checkdead() ignores
 * it. */
struct g *newsystemg(struct m *m, rt_fn *fn, void *arg, uint32_t label)
{
    struct g *gp = newproc1(m, fn, EV_SYSTEM_FN + label, m->sched->booting, true);
    if (gp)
        gp->arg = arg;
    return gp;
}

/* Makes and queues a G. Returns its id, or 0 if memory ran out. The caller passes the argument in newarg of the running G, or sets it
 * through *out. */
uint32_t newproc(struct m *m, rt_fn *fn, uint32_t prog, uint32_t i, struct g **out)
{
    batch_begin(m);
    struct g *gp = newproc1(m, fn, prog, i, false);
    uint32_t id = goid(gp);
    if (gp) {
        if (out)
            *out = gp;
        m->sched->gen->put(m, gp, WAKEP_NEW_G);
    }
    batch_end(m);
    return id;
}

/* AfterFunc's goFunc: makes and queues a G. Its argument is newarg of the G or M that runs the timer. */
void newproc_timer(struct m *m, rt_fn *fn, uint32_t prog)
{
    batch_begin(m);
    struct g *gp = newproc1(m, fn, prog, 0, false);
    if (!gp)
        no_stack(m);
    m->sched->gen->put(m, gp, WAKEP_TIMER);
    batch_end(m);
}

/* Go's casgstatus(gp, _Gwaiting, _Grunnable); also logs it. */
void make_runnable(struct m *m, struct g *gp)
{
    if (atomic_load_explicit(&gp->status, memory_order_relaxed) != G_WAITING) /* ours: we dequeued it */
        throw(m, "goready: bad g status");
    atomic_store_explicit(&gp->status, G_RUNNABLE, memory_order_relaxed);
    gp->seq++;
    emit_gate(m, ev_of(m, EV_G_READY, goid(gp), gp->seq, goid(curg(m)), 0, 0));
}

/* Makes gp runnable and queues it. Caller: has dequeued gp, which was waiting; m may run Gs; no locks held. */
void ready(struct m *m, struct g *gp)
{
    batch_begin(m);
    make_runnable(m, gp);
    m->sched->gen->put(m, gp, WAKEP_READY);
    batch_end(m);
}

void goready(struct g *gp)
{
    ready(getm(), gp);
}

void park_m(struct m *m, struct g *gp)
{
    struct rlock *l = m->waitlock;
    void (*fn)(struct m *, struct g *) = m->waitfn;
    m->waitlock = NULL;
    m->waitfn = NULL;
    if (l && !fn && single_p(m)) /* to the next G's start. With more Ps, the times of g_park say in which order Gs of several Ms wait */
        batch_begin(m);
    dropg(m, gp, G_WAITING);
    gp->logged.obj = m->waitobj;
    emit(m, ev_of(m, EV_G_PARK, goid(gp), gp->seq, gp->waitreason, m->waitobj, gp->logged.holder));
    if (!l) /* with l, its unlock is the gate */
        conductor_gate(m->w);
    if (fn)
        fn(m, gp);
    if (l)
        unlock_in_batch(m, l);
}

static void sleep_arm(struct m *m, struct g *gp)
{
    addtimer(m, &(struct timer){.what = TIMER_WAKE, .when = gp->sleep_when, .g = gp});
}

/* time.Sleep. If ns <= 0 it returns at once without a yield, as in Go. */
void rt_sleep(int64_t ns)
{
    safepoint();
    if (ns <= 0)
        return;
    struct m *m = getm();
    struct g *gp = curg(m);
    int64_t now = nanotime(m);
    gp->sleep_when = ns > INT64_MAX - now ? INT64_MAX : now + ns;
    m->waitfn = sleep_arm;
    gopark(NULL, WAIT_REASON_SLEEP, 0);
}

/* Puts gp, which is runnable again, at the end of the global queue. It wakes no M: golang.org/issue/55160 is part of 1.20. */
void put_global(struct m *m, struct g *gp, bool preempted)
{
    (void)preempted;
    lock_in_batch(m, &m->sched->lock);
    globrunqput(m, gp);
    unlock_in_batch(m, &m->sched->lock);
    if (!disabled(m->sched, DIS_YIELD_WAKES)) {
        batch_end(m);
        wakep(m, WAKEP_YIELDED);
    }
}

static void gosched_m(struct m *m, struct g *gp)
{
    batch_begin(m); /* to the next G's start, unless m must search for it outside of its P */
    dropg(m, gp, G_RUNNABLE);
    emit_gate(m, ev_of(m, EV_G_YIELD, goid(gp), gp->seq, 0, 0, 0));
    m->sched->gen->put_yielded(m, gp, false);
}

void rt_gosched(void)
{
    mcall(gosched_m);
}

static void preempted(struct m *m, struct g *gp, uint32_t kind)
{
    dropg(m, gp, G_RUNNABLE);
    m->did.preempts++;
    m->did.async_preempts += kind == PREEMPT_ASYNC;
    emit_gate(m, ev_of(m, EV_G_PREEMPT, goid(gp), gp->seq, kind, 0, 0));
    if (gcwaiting(m->sched) && !disabled(m->sched, DIS_STW_KEEPS_NEXT)) {
        runqput(m, m->p, gp, true); /* it continues here when the world starts */
        if (!disabled(m->sched, DIS_YIELD_WAKES))
            wakep(m, WAKEP_YIELDED);
    } else {
        m->sched->gen->put_yielded(m, gp, true);
    }
}

static void gopreempt_m(struct m *m, struct g *gp)
{
    preempted(m, gp, PREEMPT_COOPERATIVE);
}

void gopreempt_async_m(struct m *m, struct g *gp)
{
    preempted(m, gp, PREEMPT_ASYNC);
}

/* A cooperative safe point, where Go's compiler puts a function prologue: if the G was asked to stop, it stops here. */
void safepoint(void)
{
    if (atomic_load_explicit(&getg()->preempt, memory_order_relaxed)) /* a hint from sysmon */
        mcall(gopreempt_m);
}

void safepoint_gc(void)
{
    struct m *m = getm();
    if (atomic_load_explicit(&curg(m)->preempt, memory_order_relaxed)) /* as above */
        mcall(gopreempt_m);
    else if (!m->sched->gen->has_p && gcwaiting(m->sched))
        mcall(gosched_m);
}

static void goyield_m(struct m *m, struct g *gp)
{
    dropg(m, gp, G_RUNNABLE);
    emit_gate(m, ev_of(m, EV_G_YIELD, goid(gp), gp->seq, 0, 0, 0));
    runqput(m, m->p, gp, false);
}

void goyield(void)
{
    mcall(goyield_m);
}
