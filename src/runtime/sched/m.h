/* A machine: one thread, what it runs, and what it remembers between two steps. */
#ifndef GMPSCOPE_RUNTIME_SCHED_M_H
#define GMPSCOPE_RUNTIME_SCHED_M_H

#include "runtime/sched/p.h"
#include <pthread.h>
#include <setjmp.h>

struct sched;

enum { MK_PLAIN, MK_SYSMON, MK_TEMPLATE }; /* kinds of Ms */

struct m {
    uint32_t id;
    struct conductor_hot *hot;         /* constant */
    struct sched *sched;
    struct waiter *w;
    struct ring *ring;
    pthread_t thread;
    bool explores;                /* explore_point() gives way; constant */
    bool single_p;                /* it has the only P; by set_p() */
    bool batching;                /* its events wait for batch_publish(); own */
    bool started;                 /* m_start logged (read when stopped) */
    uint8_t next;                 /* INTENT_…: what it does behind its next gate; 0: its last event tells (read when stopped) */
    uint8_t next_lock;            /* INTENT_UNLOCKED: the lock's rank */
    bool has_thread;
    uint8_t kind;                 /* MK_… */
    struct ctx g0;                /* the thread's own stack, while a G runs */
    struct g *_Atomic curg;       /* written by this M; sysmon reads it to ask for preemption: relaxed, a hint */
    struct g *ong;                /* the G whose stack this thread is on, NULL: g0 */
    struct g *rungp;              /* to run next without looking (exitsyscall0, netpollblockcommit) */
    bool runinherit;              /* rungp goes on in its time slice */
    struct p *p, *oldp;           /* p: by set_p() */
    /* What whoever wakes it writes: all of it in one line. */
    _Alignas(CACHE_LINE) struct p *nextp;
    struct m *schedlink;          /* idle list, under sched.lock; newm_handoff */
    struct note park;
    bool spinning;
    bool blocked;                 /* in the idle list's note */
    bool trywakep;                /* findrunnable() found a G of the runtime's own: somebody else may be needed for user Gs */
    struct m *alllink;            /* sched.allm */
    void *sigstack;               /* for fatal signals: a G's stack may be the reason */
    int no_sigstack;              /* errno if sigaltstack() failed, else 0 */
    void (*mcall_fn)(struct m *, struct g *); /* runs on g0 after a G switched away */
    struct g *mcall_g;
    bool dying;
    bool polling;                 /* netpoll_wait is logged, netpoll_ready not yet; written by this M, read while it is stopped */
    struct g *lockedg;            /* LockOSThread: the only G it runs; its own, like the count */
    uint32_t lockedext;
    int32_t idlelocked;           /* 1: sleeps in stoplockedm; -1: woken before it slept; under sched.lock */
    bool exiting, exited;         /* its G ended locked; so it logged m_exit */
    pthread_t self;               /* = thread, by itself */
    struct m *freelink;           /* sched.freem */
    _Atomic bool freewait;        /* needs the conductor no more: can be joined */
    _Atomic bool joined;          /* by newm(); a flag alone, for rt_free() and for who counts */
    _Atomic int32_t tid;          /* of the thread, for signals; 0: not begun or gone */
    _Atomic bool signal_pending;  /* a SIGURG is on its way (preempt.c) */
    uint32_t startedby;
    struct { uint32_t runs_now, runs; int64_t at; } woke; /* Gs run so far; how many, and when, count_runs_anew() */
    struct { struct g *nextg, *gput; uint32_t by; bool waitnextg, counted; } one; /* go1_0.c; under sched.lock */
    struct prng rand;             /* its selects, where there is no P to have one */
    uint32_t syscalltick;
    jmp_buf die;                  /* back to mstart from anywhere on g0 */
    /* unlock function of gopark: released only from g0, when the G is published */
    struct rlock *waitlock;
    void (*waitfn)(struct m *, struct g *); /* runs on g0 after the G is parked, before waitlock is released */
    uint32_t waitobj;
    void *newarg;                 /* as in struct g, of a G that a timer starts from g0 */
    void (*newrelease)(void *);
    uint32_t nsellock;            /* how many channels a waitfn of select unlocks */
};

/* The running M. Not by C: a G resumes on another M, and compilers keep a thread-local's address across calls. */
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

/* With --fine: others may take the baton here, right before an operation on memory that they change too. Without: one branch.
 * It may stand within locks and between a change and its event; m stays m. */
static inline void explore_point(const struct m *m)
{
    if (__builtin_expect(m->explores, 0))
        conductor_fine(m->w);
}

/* For people who choose who goes next (rt_next): what m does behind its next gate, where no event comes before that gate. Costs a
 * store, so it may stand anywhere. */
static inline void set_intent(struct m *m, enum rt_next_what what) { m->next = (uint8_t)what; }

#endif
