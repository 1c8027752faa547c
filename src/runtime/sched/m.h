/* A machine (M): a thread, what it runs, and what it keeps from one step to the next. */
#ifndef GMPSCOPE_RUNTIME_SCHED_M_H
#define GMPSCOPE_RUNTIME_SCHED_M_H

#include "conductor/thread.h"
#include "eventlog/repeat.h"
#include "eventlog/snapshot.h"
#include "runtime/sched/p.h"
#include <setjmp.h>
#include <time.h>

struct sched;

#define EARLY_STAGES 2

enum { MK_PLAIN, MK_SYSMON, MK_TEMPLATE }; /* kinds of Ms */

struct m {
    uint32_t id;
    struct conductor_hot *hot; /* constant */
    struct sched *sched;
    struct waiter *w;
    struct ring *ring;
    struct thread *thread;  /* written before it starts; NULL after rt_stop() */
    bool explores;          /* explore_point() gives way, or steps have footprints; constant */
    bool single_p;          /* it has the only P; by set_p() */
    bool batching;          /* between batch_begin() and batch_end() (emit.h); own */
    bool started;           /* its m_start is logged (read when stopped) */
    uint8_t intent;         /* INTENT_…: what it does after its next gate; 0: its last event implies it (read when stopped) */
    uint8_t intent_lock;    /* INTENT_UNLOCKED: the lock's rank */
    uint8_t kind;           /* MK_… */
    struct ctx g0;          /* the thread's own stack, while a G runs */
    struct g *_Atomic curg; /* written by this M; sysmon reads it to ask for preemption: relaxed, a hint */
    struct g *ong;          /* the G whose stack this thread is on, NULL: g0 */
    struct g *rungp;        /* to run next without a search (exitsyscall0, netpollblockcommit) */
    bool runinherit;        /* rungp inherits the time slice */
    struct p *p, *oldp;     /* p: by set_p() */
    struct p *callp;        /* wired_syscall: its P during a call; NULL: taken. An M writes it that has marked the G, or is in no call */
    /* What its waker writes is in one cache line. */
    _Alignas(CACHE_LINE) struct p *nextp;
    struct m *schedlink; /* idle list, under sched.lock; newm_handoff */
    struct note park;
    bool spinning;
    bool firing;                              /* it has taken a timer off its heap, whose G is not ready yet (rt_alone) */
    bool blocked;                             /* it sleeps, on the idle list */
    bool trywakep;                            /* findrunnable() found a G of the runtime's own: user Gs may need one more P */
    struct m *alllink;                        /* sched.allm */
    int no_sigstack;                          /* errno if its thread has no stack for signal handlers, else 0: a G's stack is too small */
    void (*mcall_fn)(struct m *, struct g *); /* runs on g0 after a G switched away */
    struct g *mcall_g;
    struct {
        uint32_t waiters, spinning, busy, rule; /* netpollWaiters; nmspinning, busy Ps and SPIN_RULE_… */
    } seen;                                     /* what its search has read last, for find_stage */
    uint32_t tries;                             /* steal_try that were not recorded: its next g_start or m_park carries them */
    bool dying;
    bool polling;      /* netpoll_wait is logged, netpoll_ready not yet; only m writes it; read while m is stopped */
    struct g *lockedg; /* LockOSThread: the only G that it runs; only m writes it, and the count */
    uint32_t lockedext;
    int32_t idlelocked;          /* 1: sleeps in stoplockedm; -1: woken before it slept; under sched.lock */
    bool exiting, exited;        /* its G ended while locked; and m_exit is logged */
    struct m *freelink;          /* sched.freem */
    _Atomic bool freewait;       /* it no longer needs the conductor and can be joined */
    _Atomic bool joined;         /* set by newm(); rt_free() and the count of threads read it */
    _Atomic int32_t tid;         /* the thread's id, for signals; 0: it has not begun, or has ended */
    _Atomic bool signal_pending; /* a SIGURG is on its way (preempt.c) */
    uint32_t startedby;
    struct repeat repeat; /* operations on an object that are not logged yet (emit.h); own */
    struct {
        struct repeat_words e[EARLY_STAGES];
        uint32_t n;
    } early; /* the first stages of a search that are not logged yet (find_early()); own */
    struct {
        uint32_t runs_now, runs;
        int64_t at;
    } woke; /* Gs run so far; their number and the time at reset_run_count() */
    struct {
        struct g *nextg, *gput;
        uint32_t by;
        bool waitnextg, counted;
    } one;            /* go1_0.c; under sched.lock */
    struct prng rand; /* for selects, in a generation without Ps */
    uint32_t syscalltick;
    struct snap_counts did; /* what this M has done, for rt_snapshot; changed where it acts, before the gate of the event */
    struct {
        sigjmp_buf back;
        volatile bool running; /* a call runs: this thread and its signal handlers */
        bool timer;            /* `ticker` exists */
        uint32_t ticks;
        uint64_t calls, seen; /* so far; at the last tick */
        timer_t ticker;
    } asks;      /* ask.c: its calls of a policy; own */
    jmp_buf die; /* back to mstart from anywhere on g0 */
    /* Set by gopark(): what g0 does once the G is parked. waitfn runs first, then waitlock is released. */
    struct rlock *waitlock;
    void (*waitfn)(struct m *, struct g *);
    uint32_t waitobj;
    struct hchan *waitchan;       /* the channel of a timer, which waitfn unlocks */
    uint32_t nsellock;            /* how many channels select's waitfn unlocks */
    uint32_t racectx;             /* race.h: the timer that it runs; 0: none */
    _Atomic uint32_t made, ended; /* Gs of the program, by this M, which alone writes them: rt_goroutines() */
    void *newarg;                 /* as in struct g, of a G that a timer starts from g0 */
    uint32_t newsize;
    void (*newrelease)(void *);
};

/* Returns the running M. Not plain C: a G resumes on another M, and compilers keep a thread-local's address across calls. */
#if defined(__x86_64__)
extern _Thread_local struct m *runtime_m;
static inline struct m *getm(void)
{
    struct m *m;
    __asm__ volatile("movq %%fs:runtime_m@tpoff, %0" : "=r"(m));
    return m;
}
#else
struct m *getm(void);
#endif

static inline struct g *curg(const struct m *m)
{
    return atomic_load_explicit(&m->curg, memory_order_relaxed); /* see struct m */
}

static inline struct g *getg(void)
{
    return curg(getm());
}

/* With --fine: other Ms may take the baton here, right before an operation on memory that they change too. Without: one branch.
 * Allowed inside locks, and between a change and its event; m stays the same. */
static inline void explore_point(const struct m *m)
{
    if (__builtin_expect(m->explores, 0))
        conductor_fine(m->w, FOOT_ALL);
}

/* The same before an operation on memory that has a bit of its own in footprints (base/course.h). */
static inline void explore_at(const struct m *m, uint64_t foot)
{
    if (__builtin_expect(m->explores, 0))
        conductor_fine(m->w, foot);
}

/* Not a point: only says that m's step touches this. */
static inline void explore_touch(const struct m *m, uint64_t foot)
{
    if (__builtin_expect(m->explores, 0))
        conductor_touch(m->w, foot);
}

/* From now on all steps of all Ms depend on each other: for operations whose hints without a lock have no bits of their own. */
static inline void explore_depends(const struct m *m)
{
    if (__builtin_expect(m->explores, 0))
        conductor_depends(m->w);
}

/* Notes what m does after its next gate, for a person who decides which M runs next (rt_next). Needed where no event precedes that gate.
 * Costs a store. */
static inline void set_intent(struct m *m, enum intent_kind what)
{
    m->intent = (uint8_t)what;
}

#endif
