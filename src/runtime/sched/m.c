/* Ms are threads: how they are made and end, and how code finds the M that it runs on. */
#include "runtime/sched/ask.h"
#include "runtime/sched/spares.h"
#include "runtime/stack/stack.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define M_STACK (256u << 10) /* g0's stack: the scheduler needs little of it, but sanitizers multiply that */
#define M_SIGSTACK (64u << 10)
#define NO_THREAD "cannot create a thread"

_Thread_local struct m *runtime_m __attribute__((used));

#if !defined(__x86_64__)
__attribute__((noinline)) struct m *getm(void)
{
    struct m *m = runtime_m;
    __asm__ volatile("" : "+r"(m)); /* keeps the compiler from merging this with a call on the other side of a switch */
    return m;
}
#endif

/* All signals are blocked, except SIGURG (preempt.c) and those that a fault of the thread raises. The screen's thread takes the others. */
static struct thread *mthread_new(const struct sched *s)
{
    struct thread_config cfg = {.stack = M_STACK * (GMPSCOPE_SANITIZED ? 8 : 1), .sigstack = M_SIGSTACK};
    sigfillset(&cfg.blocked);
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&cfg.blocked, faults[i]);
    if (s->signals)
        sigdelset(&cfg.blocked, SIGURG);
    return thread_new(spares_threads(s->cfg.spares), &cfg);
}

/* Makes an M that is linked into allm but not started: it has no thread and no waiter (in lockstep, a waiter whose thread never comes would
 * block all Ms). It calls nothing of the conductor at which an M may be ended, so the M that makes it cannot die halfway. */
struct m *mnew(struct sched *s, uint32_t id)
{
    struct m *m = lines_new(sizeof *m);
    if (!m)
        return NULL;
    m->id = id;
    m->sched = s;
    m->explores = s->cfg.fine || s->cfg.course;
    m->hot = conductor_hot(s->cond);
    prng_seed(&m->rand, s->cfg.seed, PRNG_M + id);
    m->ring = log_ring(s->log, id);
    m->thread = m->ring ? mthread_new(s) : NULL;
    if (!m->thread) {
        free(m);
        return NULL;
    }
    m->alllink = atomic_load_explicit(&s->allm, memory_order_relaxed);
    /* release: the fields; pairs with the acquire of an M that walks the list (stopped) */
    while (!atomic_compare_exchange_weak_explicit(&s->allm, &m->alllink, m, memory_order_release, memory_order_relaxed))
        ;
    return m;
}

/* Runs an M on its own stack, from start to end. Everything after waiter_enter may end in mdie(), which jumps back here. */
static void mstart(struct m *m)
{
    if (_setjmp(m->die))
        return;
    waiter_enter(m->w);
    m->started = true;
    emit_gate(m, ev_of(m, EV_M_START, 0, m->spinning, m->id ? m->startedby : EV_NONE,
                       m->kind == MK_SYSMON     ? 1
                       : m->kind == MK_TEMPLATE ? 2
                                                : 0,
                       0));
    if (m->no_sigstack) /* handlers would run on a G's stack, which is too small */
        lack(m, "cannot set the stack of signal handlers", m->no_sigstack);
    if (m->kind == MK_SYSMON)
        sysmon(m);
    if (m->kind == MK_TEMPLATE)
        template_thread(m);
    if (m->id == 0)
        boot(m);
    else if (m->nextp) {
        struct p *pp = m->nextp;
        m->nextp = NULL;
        acquirep(m, pp);
    }
    run_gs(m);
    mexit(m);
}

static void mthread(void *arg)
{
    struct m *m = arg;
    runtime_m = m;
    atomic_store_explicit(&m->tid, (int32_t)gettid(), memory_order_relaxed); /* senders of signals read only this field */
    m->no_sigstack = thread_no_sigstack(m->thread);
    ctx_thread(&m->g0);
    mstart(m);
    ask_fini(m);
    atomic_store_explicit(&m->tid, 0, memory_order_relaxed); /* no more signals; a late one finds no G */
    /* release: pairs with mreap(). In lockstep this M still holds the baton, so the moment at which others see it depends only on the
     * seed. */
    atomic_store_explicit(&m->freewait, true, memory_order_release);
    waiter_exit(m->w);
    runtime_m = NULL; /* a thread that is kept may still get a late signal */
}

int mthread_start(struct m *m)
{
    m->w = waiter_new(m->sched->cond, m->id, m);
    if (!m->w)
        return ENOMEM;
    int err = thread_start(m->thread, mthread, m);
    if (err)
        waiter_exit(m->w); /* it will never run: not counted as alive */
    return err;
}

/* Returns a number for a new M, or -1 if that would exceed max_threads. (Before SetMaxThreads existed, the system set the limit.) Caller
 * holds sched.lock. */
int64_t mreserve_id(struct m *m)
{
    struct sched *s = m->sched;
    if (s->gen->thread_limit && s->mnext - s->nmfreed >= s->cfg.max_threads)
        return -1;
    return s->mnext++;
}

/* Frees what exited threads have left behind (Go: allocm, sched.freem). No locks held. */
static void mreap(struct m *m)
{
    struct sched *s = m->sched;
    lock(m, &s->lock);
    struct m *list = atomic_load_explicit(&s->freem, memory_order_relaxed), *later = NULL, *done = NULL; /* under the lock */
    for (struct m *mp = list, *next; mp; mp = next) {
        bool ready = atomic_load_explicit(&mp->freewait, memory_order_acquire); /* pairs with mthread() */
        struct m **to = ready ? &done : &later;
        next = mp->freelink;
        mp->freelink = *to;
        *to = mp;
    }
    atomic_store_explicit(&s->freem, later, memory_order_relaxed); /* as above */
    unlock(m, &s->lock);
    for (; done; done = done->freelink) {
        thread_join(done->thread);                                        /* all that is left for it is to return */
        atomic_store_explicit(&done->joined, true, memory_order_relaxed); /* relaxed: rt_stop() reads it when all Ms have left */
    }
}

/* Ends the program with Go's own fatal error for more threads than it may have. */
static _Noreturn void too_many_threads(struct m *m)
{
    program_end(m, ENDED_FATAL, FATAL_FATAL, "thread exhaustion");
    stand_still(m);
}

#define THREAD_BYTES ((size_t)64 << 10) /* of a thread: what it touches of its stack, its signal stack and its ring */

/* Returns an M with the reserved id; the caller fills in the rest. */
static struct m *allocm(struct m *m, int64_t id)
{
    if (id < 0)
        too_many_threads(m);
    if (atomic_load_explicit(&m->sched->freem, memory_order_relaxed)) /* a hint; most runs have none */
        mreap(m);
    memory_need(m, MEMORY_THREAD, THREAD_BYTES);
    struct m *nmp = mnew(m->sched, (uint32_t)id);
    if (!nmp)
        lack(m, NO_THREAD, ENOMEM);
    nmp->startedby = m->id;
    return nmp;
}

void newm1(struct m *m, struct m *nmp)
{
    int err = mthread_start(nmp);
    if (err)
        lack(m, NO_THREAD, err);
}

/* Starts a new M with the reserved id. It runs pp, which the caller holds, or is of another kind. No locks held. */
void newm(struct m *m, struct p *pp, bool spinning, int64_t id, int kind)
{
    struct m *nmp = allocm(m, id);
    nmp->nextp = pp;
    nmp->spinning = spinning;
    nmp->kind = (uint8_t)kind;
    if (m->lockedext && m->sched->gen->template_thread)
        newm_by_template(m, nmp);
    else
        newm1(m, nmp);
}

/* The same in a generation without Ps: the new M runs gp first. */
void newm_nextg(struct m *m, int64_t id, struct g *gp)
{
    struct m *nmp = allocm(m, id);
    nmp->one.nextg = gp;
    nmp->one.by = m->id;
    newm1(m, nmp);
}

/* Ends this M, on whatever stack it is, because the runtime ends (conductor_config.die). */
void mdie(void *ctx, struct waiter *w)
{
    (void)ctx;
    struct m *m = waiter_user(w);
    m->dying = true;
    if (m->ong)
        ctx_switch(&m->ong->ctx, &m->g0, true); /* run_gs() continues and sees `dying` */
    longjmp(m->die, 1);
}

/* Returns true if m has logged an event that the fold has not passed yet. */
bool mbehind(void *ctx, struct waiter *w)
{
    (void)ctx;
    struct m *m = waiter_user(w);
    return !ring_is_read(m->ring);
}

/* Keeps m stopped, because the program is over. If the run is resumed, m pauses it again. */
void stand_still(struct m *m)
{
    set_intent(m, INTENT_OVER);
    for (;;) {
        conductor_pause(m->sched->cond);
        conductor_gate_last(m->w);
    }
}
