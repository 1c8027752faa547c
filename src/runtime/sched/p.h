/* A processor: its run queue, its timers, and what only its owner keeps. */
#ifndef GMPSCOPE_RUNTIME_SCHED_P_H
#define GMPSCOPE_RUNTIME_SCHED_P_H

#include "base/prng.h"
#include "conductor/conductor.h"
#include "runtime/sched/g.h"

#define RUNQ_MAX 256u
#define MAX_PROCS EV_MAX_P

struct m;

struct handle;

/* What to do at `when`. */
struct timer {
    int64_t when, period; /* period 0: once */
    enum timer_what what;
    union {
        uint32_t prog; /* GO */
        uint32_t seq;  /* of a handle, when it was taken out of the heap */
    };
    uint32_t race; /* race.h: its number */
    bool owned;    /* SEND, GO: the timer can be stopped, `owner` is its handle */
    struct g *g;   /* WAKE */
    union {
        struct hchan *c; /* SEND */
        rt_fn *fn;       /* GO: of the new G; the heap owns arg until then */
    };
    union {
        void *arg; /* GO */
        struct handle *owner;
    };
    void (*release)(void *);
};

/* The sort key of a timer heap. The four children of a timer fill one cache line. */
struct timerkey {
    int64_t when;
    uint32_t at; /* index of the timer in p.timers; past the heap's end: of a free slot */
};

struct p {
    /* Thieves poll this cache line. The owner writes it only when it puts a G into its ring or takes one out. */
    _Alignas(CACHE_LINE) uint32_t id;
    _Atomic uint32_t run_safe_point; /* forEachP waits for this P (world.c) */
    _Atomic uint64_t status;         /* enum p_status | seq << 32: each change takes the P's next sequence number */
    struct m *_Atomic m;
    struct m *oldm;             /* the M that it had last: its owner, or while the world is stopped */
    struct p *link;             /* idle list, under sched.lock */
    _Atomic int64_t timer0when; /* first deadline or 0 */
    _Atomic uint32_t runqhead;
    _Atomic uint32_t runqtail;
    _Atomic bool idle; /* on the idle list (Go's idlepMask); written under sched.lock, read relaxed */
    /* The owner writes this cache line at each switch. Thieves look at runnext only on their last pass. */
    _Alignas(CACHE_LINE) struct g *_Atomic runnext;
    _Atomic uint32_t schedtick; /* written by the owner, read by sysmon: relaxed, a hint */
    _Atomic uint32_t syscalltick;
    struct {
        struct g *list;
        uint32_t n;
    } gfree; /* owner */
    _Alignas(CACHE_LINE) struct g *_Atomic runq[RUNQ_MAX];
    struct rlock timerslock;
    struct timerkey *timerheap; /* 4-ary, ordered by when; under timerslock, like all of timers */
    struct timer *timers;
    uint32_t ntimers, captimers;
    uint32_t timerseq; /* the heap's sequence number, under timerslock */
    /* handle.h, under timerslock: entries that are not as their timers are; those of them that are zombies; the earliest time of the
     * timers that were modified since adjust_timers(), 0: none */
    uint32_t nstale, nzombies;
    int64_t minmodified;
    _Atomic bool crowded; /* more than a quarter of the entries are zombies */
    struct {
        uint32_t schedtick;
        int64_t schedwhen;
        uint32_t syscalltick;
        int64_t syscallwhen;
    } sysmontick;
    struct prng rand;     /* this P's steal order; owner */
    uint32_t tracebuf;    /* records in the trace buffer; owner */
    struct prng shufrand; /* rt_config.randomize; owner */
    struct prng selrand;  /* the order in which selects check their cases; owner */
    /* Marking (gc.h). Written by the owner, or by the M that flushes it. */
    int64_t gcw; /* ns of marking that it has taken and not done yet */
    int64_t gc_fractional, gc_worker_start;
    uint32_t gc_mode;              /* GCMODE_… of the worker that runs here or is assigned, or GC_NO_WORKER */
    struct gc_worker *gc_assigned; /* the worker that it runs next, or NULL (gc_assigns); the owner, or while the world is stopped */
    struct m *startm;              /* while startTheWorld hands the P out: the P's M, or NULL and the id of a new M */
    int64_t startid;
};

#endif
