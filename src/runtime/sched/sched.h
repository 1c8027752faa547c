/* One runtime instance: what its Ms share. */
#ifndef GMPSCOPE_RUNTIME_SCHED_SCHED_H
#define GMPSCOPE_RUNTIME_SCHED_SCHED_H

#include "runtime/sched/m.h"

struct generation;

/* An object of which rt_snapshot() tells. */
struct known_object {
    struct known_object *next;
    const void *object;
    bool (*snap)(const void *object, struct snapshot *in, struct snap_object *out);
};

/* What the program takes memory for (memory.c). */
enum memory_kind { MEMORY_G, MEMORY_OBJECT, MEMORY_TIMER, MEMORY_OUTPUT, MEMORY_THREAD, MEMORY_KINDS };

struct sched {
    /* Read often, hardly ever written. */
    struct rt_config cfg;
    const struct generation *gen;
    uint32_t off; /* bits 1 << DIS_…: switched off, or a rule that the generation lacks */
    struct conductor *cond;
    struct log *log;
    struct handle *handles;      /* handle.h: all of them, under gflock */
    struct timerbucket *buckets; /* timerproc.c; NULL if the Ps own the timers */
    struct p *allp;              /* room for MAX_PROCS, so that no P ever moves; the first nallp have been made */
    uint32_t nallp;              /* only grows, while the world is stopped; under lock */
    _Atomic uint32_t gomaxprocs; /* stored (release: the new Ps) while the world is stopped; see gomaxprocs() */
    struct world *world;         /* world.c */
    struct gc *gc;               /* gc.h */
    _Atomic uint32_t gcwaiting;  /* an M stops the world: seq_cst, Dekker with P statuses (world.c) */
    _Atomic uint32_t blacken;    /* gcBlackenEnabled: marking is on; may change while an M has no P */
    uint32_t ncoprimes, *coprimes;
    bool signals; /* SIGURG preempts tight text in this run; constant */
    /* special.c: the finalizer G; disabled user Gs (under lock, except that `user` is read as a hint without it); the trace reader */
    _Atomic uint32_t fingstatus;
    struct {
        _Atomic bool user;
        struct gqueue runnable;
        uint32_t n;
    } disable;
    struct {
        struct rlock lock;
        _Atomic bool enabled;
        _Atomic uint32_t full;
        struct g *_Atomic reader;
    } trace;
    /* netpoll.c */
    _Atomic bool netpollinited;
    _Atomic uint32_t netpollwaiters;
    _Atomic int epfd; /* -1: no conn yet */
    _Atomic int64_t lastpoll, polluntil;

    /* All Ms read these without the lock. */
    _Alignas(CACHE_LINE) _Atomic uint64_t spin; /* nmspinning, needspinning and their sequence number (SPIN_… below) */
    _Atomic uint32_t runqsize;                  /* changed under lock */
    _Atomic uint32_t npidle;
    _Atomic uint32_t sysmonwait;

    /* The lock and what is under it. */
    _Alignas(CACHE_LINE) struct rlock lock;
    uint32_t lockseq; /* sequence number of everything under lock */
    uint32_t nmidle;
    struct gqueue runq; /* the global queue */
    struct p *pidle;
    struct m *midle;
    uint32_t nmsys, mnext, nmfreed;
    int32_t nmidlelocked;
    struct m *_Atomic freem; /* exited Ms; read without the lock as a hint */
    _Alignas(CACHE_LINE) struct {
        _Atomic uint64_t atomic;
        uint32_t grunning;
        struct m *mwakeup;
        struct note stopped;
        _Atomic bool pollserver;
    } one; /* go1_0.c, pollserver.c */

    _Alignas(CACHE_LINE) _Atomic uint32_t goidgen;
    _Atomic uint32_t sysgoidgen;

    /* gflock and what is under it. */
    _Alignas(CACHE_LINE) struct rlock gflock;
    struct {
        struct g *list;
        _Atomic uint32_t n;
        struct ahead ahead;
    } gfree; /* n is read as a hint without it */
    struct g *allgs;
    uint32_t nallgs;
    struct objblock *objblocks; /* channels, mutexes …: freed with the instance */
    struct known_object *known; /* what Gs wait for, for rt_snapshot() */
    uint32_t nknown;
    struct object *objects; /* those that need more than free() */
    struct stackpool *stacks;

    /* finlock and what is under it (special.c). */
    struct rlock finlock;
    struct finalizer *finq, **finqend;
    struct finalizer *fin_running, *fin_rest; /* only the finalizer G uses them */
    struct g *fing;

    /* Threads that the template thread must start (lockm.c). */
    struct {
        struct rlock lock;
        struct m *newm;
        bool waiting;
        struct note wake;
        _Atomic uint32_t have;
    } newm_handoff;

    struct m *_Atomic allm; /* pushed by CAS; walked when stopped */
    struct g *maing;
    struct sema *bootsema;   /* main.c */
    struct fdmutex *outputs; /* of stdout and stderr */
    bool booting;            /* main.main has not begun: Gs of the runtime take numbers of goroutines */
    struct note sysmonnote;
    _Atomic uint32_t outseq;    /* sequence number of output */
    _Atomic uint64_t draws;     /* of the program, so far */
    _Atomic uint32_t chanorder; /* number of channels so far */
    /* race.h: numbers of notes, of what they are about, and of timers, so far */
    _Atomic uint32_t racenotes, raceobjects, racetimers;

    _Atomic uint64_t memory[MEMORY_KINDS]; /* bytes taken (memory.c) */

    /* How it ended. */
    _Atomic int ended;                  /* ENDED_… + 1 */
    _Atomic bool lingers;               /* rt_config.linger: main has returned */
    _Atomic bool panicking;             /* with rt_config.calls: a G writes the text of its panic */
    _Atomic int64_t computed, lingered; /* ns that Gs have computed (rt_config.compute), and when main had returned */
    _Atomic bool throwing;
    _Atomic(const char *) throwtext;
    char throwbuf[160];
    _Atomic bool lacking;
    _Atomic(const char *) lacktext;
    char lackbuf[400];
};

/* The word `spin`. */
#define SPIN_COUNT(w) ((uint32_t)((w)&0xffffu))
#define SPIN_NEED(w) ((uint32_t)((w) >> 16 & 1u))
#define SPIN_SEQ(w) ((uint32_t)((w) >> 32))

static inline bool gc_marking(const struct sched *s)
{
    return atomic_load_explicit(&s->blacken, memory_order_acquire) != 0; /* pairs with gc.c */
}

/* Returns the number of Ps. An M without a P may see an old number, but all Ps below it still exist. */
static inline uint32_t gomaxprocs(const struct sched *s)
{
    return atomic_load_explicit(&s->gomaxprocs, memory_order_acquire); /* pairs with procresize(): the Ps are complete */
}

static inline bool disabled(const struct sched *s, enum rt_disable d)
{
    return (s->off >> d & 1u) != 0;
}

#endif
