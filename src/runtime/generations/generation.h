/* A generation: the Go version whose rules apply. Each has one table, at the end of go1_0.c, go1_4.c, go1_13.c or go1_20.c; rt_new()
 * chooses one. Code that differs is called through the table or asks for a named feature; no code compares versions.
 */
#ifndef GMPSCOPE_RUNTIME_GENERATIONS_GENERATION_H
#define GMPSCOPE_RUNTIME_GENERATIONS_GENERATION_H

#include "eventlog/known_limits.h"
#include "runtime/sched/rt.h"

struct generation {
    /* One round: returns the next G for m. Blocks until there is one. On g0, no locks held. */
    struct g *(*schedule)(struct m *m, bool *inherit);
    /* Queues gp, which is runnable in m's hand, and wakes an M for it if the rules say so. No locks held. */
    void (*put)(struct m *m, struct g *gp, uint32_t why);           /* gp is new or was made ready; why: WAKEP_… */
    void (*put_yielded)(struct m *m, struct g *gp, bool preempted); /* gp gave up its P; on g0 */
    /* The G is about to enter a system call, or has returned from it. On its stack. */
    void (*entersyscall)(struct m *m, uint32_t call, bool blocking);
    void (*exitsyscall)(struct m *m);
    /* Called after a timer was added to pp's heap; `first`: it is the earliest there. */
    void (*timer_added)(struct m *m, struct p *pp, int64_t when, bool first);

    /* Returns the step of the steal order for random number r (DECIDE_STEAL); the order begins at r % P. NULL: there is no such order. */
    uint32_t (*steal_step)(const struct sched *s, uint32_t r);

    /* Only in generations without Ps; else NULL. */
    void (*init)(struct sched *s);                   /* before the first M */
    void (*setprocs)(struct m *m, uint32_t n);       /* GOMAXPROCS(n) without stopping the world */
    void (*stoptheworld)(struct m *m, uint32_t why); /* instead of stopping each P */
    void (*starttheworld)(struct m *m);

    bool has_p; /* else: one locked queue and no P (1.0) */
    bool has_sysmon;
    bool thread_limit;         /* SetMaxThreads, and 10000 without it (1.2) */
    bool wakes_fing;           /* findrunnable() wakes the finalizer G (1.3), else the M that queues a finalizer does */
    bool has_runnext;          /* 1.5 */
    bool timers_in_p;          /* findrunnable runs timers (1.14), else timerproc Gs do */
    uint32_t timer_buckets;    /* number of timerproc Gs and their heaps: 1; since 1.10, 64 */
    bool needspinning;         /* 1.20 */
    bool handoff_asks_reader;  /* handoffp also starts an M for the trace reader (1.19, golang.org/issue/39004) */
    bool deals_again;          /* the M that starts the world distributes all Gs over the Ps again (until 1.4) */
    bool netpoll_retries;      /* the wait in the poller ends only when a G can continue (until 1.13), else at any event */
    bool lastpoll_before_wait; /* lastpoll after a wait: when it began (1.20, golang.org/issue/60276; fresh_lastpoll), else when it ended */
    bool inject_keeps_local;   /* injectglist keeps a part for the local P (1.15), else all Gs go to the global queue */
    bool syscalls_have_slices; /* retake counts the slice of a P in a system call too (1.13) */
    bool taken_calls_count;    /* a P that is taken from a system call has made one call more (1.5), else only a G's return counts */
    uint32_t calls_before_main;  /* package os asks about three descriptors, all on P0 (IsNonblock) */
    bool async_preempt;          /* 1.14 */
    bool locks_nest;             /* LockOSThread counts (1.10) */
    bool locked_exit;            /* a G that ends while locked ends its thread (1.10) */
    bool template_thread;        /* it makes threads for locked Ms (1.10) */
    bool steal_delay_if_running; /* a thief waits 3 µs only if the victim runs a G (1.10) */
    bool mutex_spins;            /* 1.5 */
    bool mutex_starves;          /* starvation mode, and with it the semaphore's hand-off (1.9) */
    bool handoff_yields;         /* the hand-off gives the waiter the rest of the slice (1.14) */
    bool close_lifo;             /* 1.7 */
    bool buffered_handover;      /* the waker hands the value to a buffered channel's waiter (1.6), else the waiter tries again */
    uint32_t known;    /* KNOWN(…): the known ways to leave a G next to an idle P, each shown by a scenario (runtime/README.md) */
    const char *fatal; /* how the text of a fatal error begins */
};

extern const struct generation go1_0, go1_4, go1_13, go1_20;
extern const struct generation *const generations[]; /* by enum rt_generation */

#endif
