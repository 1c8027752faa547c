/* The runtime's inside: G, M, P and sched, shared by the files of this folder only. Names are Go's (proc.go, runtime2.go).
 *
 * Rule for the audit (design 3): every change of memory that rt_snapshot() reads is logged before the M that made it
 * reaches its next gate, lock wait or sleep. So at any stop the fold of the log equals this memory.
 */
#ifndef GMPSCOPE_RUNTIME_SCHED_RT_H
#define GMPSCOPE_RUNTIME_SCHED_RT_H

#include "base/arena.h"
#include "base/prng.h"
#include "runtime/stack/ctx.h"
#include "runtime/runtime.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

#define RUNQ_MAX 256u
#define GFREE_LOCAL 64u
#define GFREE_BATCH 32u
#define STEAL_TRIES 4
#define MAX_PROCS EV_MAX_P

#define EXITED_MAX 65536u        /* threads that LockOSThread may end in one run; each keeps its number and its ring */

struct m;
struct p;
struct generation;

enum { MK_PLAIN, MK_SYSMON, MK_TEMPLATE }; /* kinds of Ms */

/* A sudog: one G waiting on a channel or a semaphore. Lies on the waiting G's stack (those of a select: in its memory). */
struct sudog {
    struct g *g;
    struct sudog *next, *prev;
    struct sudog *ahead;          /* one that comes some places later, or NULL: see AHEAD */
    int64_t *elem;                /* where the value is read from or written to */
    bool success;                 /* woken by a value, not by close */
    bool is_select;               /* its G waits elsewhere too: see chan_dequeue() */
    uint32_t distance;            /* when it became the last one: at least that from the lead */
    int64_t acquiretime;
    uint32_t ticket;              /* semaphore hand-off: 1 when the waker passed the count on */
};

struct sudogq {
    struct sudog *first, *last;
    struct sudog *lead;           /* the one whose `ahead` is the last; NULL: empty */
};

/* Type-stable: recycled through gfree lists, freed with the runtime. */
struct g {
    /* What a yield touches, in one line of the cache (of ctx only sp). */
    _Atomic uint32_t goid;        /* read by sysmon of a G it does not own (relaxed) */
    uint32_t waitreason;          /* valid while G_WAITING. Not behind seq: read as one with it, it would wait for the store of seq to end */
    uint32_t seq;                 /* transitions so far: the G's ticket; owned like status */
    _Atomic uint32_t status;      /* enum g_status; who may change it: the M that runs it, or who holds it after dequeuing */
    struct g *schedlink;          /* next in the global queue or a free list */
    const struct g *ahead;        /* one that comes some places later in that list, or NULL: a hint (AHEAD) */
    _Atomic uint32_t preempt;     /* asked to stop (relaxed: a hint, polled) */
    _Atomic uint32_t selectdone;  /* somebody has won the race to wake it out of a select */
    struct m *lockedm;            /* LockOSThread: the M it is wired to; changed by itself only */
    struct ctx ctx;               /* and the stack: from its lowest usable byte to this structure (gfree.c) */
    /* What a start, a wake-up and an end touch besides, in the next. */
    void *param;                  /* the sudog that woke it */
    rt_fn *fn;
    void *arg;
    void (*release)(void *);
    struct arena mem;             /* rt_alloc; owned by the M that runs the G */
    /* The rest. */
    void (*newrelease)(void *);
    void *newarg;                 /* of a G that this one is making: released with it if the runtime ends meanwhile */
    struct g *allnext;            /* all Gs of the instance (sched.allgs) */
    int64_t sleep_when;
    struct selmem *selmem;        /* of its selects, kept until it ends; in mem */
    struct { uint32_t prog, i, by, obj; } logged; /* for rt_snapshot: fn, i and by of its go_create, obj of its last g_park; only
                                                   * while events are recorded */
    uint32_t gc_cycle;            /* the last one that it assisted */
    struct { uint32_t place, where, slot; } snap; /* scratch of rt_snapshot */
    int64_t tight_left, tight_since; /* compute.c: what is left of a tight computation, and since when it runs; its own */
};

/* Gs that have not run for long are far from the processor, and each lies in a page of its own: to come to the next one of a list by its
 * link takes half a microsecond. So who makes a list of many notes in each G one that comes AHEAD places later, and who goes through
 * the list has that one brought near meanwhile. The hint is never followed: it may be of another time. */
#define AHEAD 8u
struct ahead { const struct g *last[AHEAD]; uint32_t n; };

/* gp becomes the head of a list that is taken from its head. By who owns gp and the list. */
static inline void ahead_of(struct ahead *a, struct g *gp)
{
    const struct g **old = &a->last[a->n++ % AHEAD];
    gp->ahead = *old;
    *old = gp;
}

static inline void fetch(const void *p, int lines)
{
    __asm__ volatile("" : : "r"(p)); /* gcc leaves a function out that does nothing but this */
    for (int i = 0; i < lines; i++)
        __builtin_prefetch((const void *)((uintptr_t)p + 64 * (uintptr_t)i), 1, 2);
}

/* What it will touch when it is switched to: some way up and down from where it left off. In whole numbers: one that never ran has no
 * such place, which is no error for a hint and would be one for a pointer. */
static inline void fetch_stack(const struct g *gp)
{
    fetch((const void *)((uintptr_t)gp->ctx.sp - 192), 7);
}

struct gqueue { struct g *head, *tail; };
struct glist { struct g *head; }; /* last in, first out */

/* What to do at `when`. Nobody may take one back, so nobody need find it. */
struct timer {
    int64_t when, period;         /* period 0: once */
    enum timer_what what;
    uint32_t prog;                /* GO */
    struct g *g;                  /* WAKE */
    struct hchan *c;              /* SEND */
    rt_fn *fn;                    /* GO: a new G's; arg is the heap's until then */
    void *arg;
    void (*release)(void *);
};

/* The sort key of a timer heap. The four children of a timer fill one cache line. */
struct timerkey {
    int64_t when;
    uint32_t at;                  /* place of the timer in p.timers; after the heap's end: a free one */
};

/* What one M writes does not take the line of the cache away from those who read what is beside it. */
#define APART(n) char apart##n[CACHE_LINE]

struct p {
    /* What thieves look at again and again. The owner writes here only when it puts into its ring or takes from it. */
    _Alignas(CACHE_LINE) uint32_t id;
    _Atomic uint32_t run_safe_point; /* forEachP waits for this P (world.c) */
    _Atomic uint64_t status;      /* enum p_status | seq << 32: the P's ticket goes with each change */
    struct m *_Atomic m;
    struct p *link;               /* idle list, under sched.lock */
    _Atomic int64_t timer0when;   /* first deadline or 0 */
    _Atomic uint32_t runqhead;
    _Atomic uint32_t runqtail;
    _Atomic bool idle;            /* on the idle list (Go's idlepMask); written under sched.lock, read relaxed */
    /* What the owner writes whenever it switches. Thieves come for runnext on their last pass only. */
    _Alignas(CACHE_LINE) struct g *_Atomic runnext;
    _Atomic uint32_t schedtick;   /* written by the owner, read by sysmon: relaxed, a hint */
    _Atomic uint32_t syscalltick;
    struct { struct g *list; uint32_t n; } gfree;   /* owner */
    uint32_t headseen;            /* runqhead as an owner left it, or found it before the last time seen; owner */
    bool tooknext;                /* the last change of runnext by an owner was to take it; owner */
    _Alignas(CACHE_LINE) struct g *_Atomic runq[RUNQ_MAX];
    struct rlock timerslock;
    struct timerkey *timerheap;   /* 4-ary, ordered by when; under timerslock, like all of timers */
    struct timer *timers;
    uint32_t ntimers, captimers;
    uint32_t timerseq;            /* the heap's ticket, under timerslock */
    struct { uint32_t schedtick; int64_t schedwhen; uint32_t syscalltick; int64_t syscallwhen; } sysmontick;
    struct prng rand;             /* this P's steal order; owner */
    uint32_t tracebuf;            /* records in the trace buffer; owner */
    struct prng shufrand;         /* rt_config.randomize; owner */
    struct prng selrand;          /* in which order its selects look at their cases; owner */
    /* marking (gc.h); owner, or who flushes it */
    int64_t gcw;                  /* ns of it that were taken and not done */
    int64_t gc_fractional, gc_worker_start;
    uint32_t gc_mode;             /* GM_… of the worker that runs here, or GC_NO_WORKER */
    struct m *startm;             /* of a P that startTheWorld deals out: its M, or NULL and the id of a new one */
    int64_t startid;
};

struct m {
    uint32_t id;
    struct conductor_hot *hot;         /* constant */
    struct sched *sched;
    struct waiter *w;
    struct ring *ring;
    pthread_t thread;
    bool fine;                    /* fine() gives way; constant */
    bool brief;                   /* the rules are those that brief() knows; constant */
    bool only;                    /* only_p(); by set_p() */
    bool started;                 /* m_start logged (read when stopped) */
    uint8_t next;                 /* RN_…: what it does behind its next gate; 0: its last event tells (read when stopped) */
    uint8_t next_lock;            /* INTENT_UNLOCKED: the lock's rank */
    bool has_thread;
    uint8_t kind;                 /* MK_… */
    struct ctx g0;                /* the thread's own stack, while a G runs */
    struct g *_Atomic curg;       /* written by this M; sysmon reads it to ask for preemption: relaxed, a hint */
    struct g *ong;                /* the G whose stack this thread is on, NULL: g0 */
    struct g *rungp;              /* to run next without looking (exitsyscall0, netpollblockcommit) */
    bool runinherit;              /* rungp goes on in its time slice */
    struct p *p, *oldp;           /* p: by set_p() */
    uint32_t lockseen, spinseen;  /* sched.lockseq and the ticket of sched.spin as it left them last */
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
    bool holds;                   /* what it has done and not told yet (proc.h), */
    struct { bool same; uint8_t kind; uint32_t g; uint64_t ab, cd; } held; /* in the words in which it is read again */
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

struct sched {
    /* Read all the time and hardly ever written. */
    struct rt_config cfg;
    const struct generation *gen;
    struct conductor *cond;
    struct log *log;
    struct timerbucket *buckets;  /* timerproc.c; NULL where the Ps have their timers */
    struct p *allp;               /* room for MAX_PROCS, so that no P ever moves; the first nallp have been made */
    uint32_t nallp;               /* only grows: while the world is stopped, under lock */
    _Atomic uint32_t gomaxprocs;  /* stored (release: the new Ps) while the world is stopped; see gomaxprocs() */
    struct world *world;          /* world.c */
    struct gc *gc;                /* gc.h */
    _Atomic uint32_t gcwaiting;   /* somebody stops the world: seq_cst, Dekker with P statuses (world.c) */
    uint32_t ncoprimes, *coprimes;
    _Atomic uint32_t fingstatus;  /* special.c, like the next */
    struct { _Atomic bool user; struct gqueue runnable; uint32_t n; } disable; /* under lock, user is read as a hint without */
    struct { struct rlock lock; _Atomic bool enabled; _Atomic uint32_t full; struct g *_Atomic reader; } trace;
    _Atomic bool netpollinited;
    _Atomic uint32_t netpollwaiters; /* netpoll.c */
    _Atomic int epfd;             /* -1: no conn yet */
    _Atomic int64_t lastpoll, polluntil;
    bool signals;                 /* tight text is preempted by SIGURG here; constant */
    /* Looked at by all without the lock. */
    _Alignas(CACHE_LINE) _Atomic uint64_t spin;        /* nmspinning, needspinning and their ticket: one word (SPIN_… below) */
    _Atomic uint32_t runqsize;    /* changed under lock */
    _Atomic uint32_t npidle;
    _Atomic uint32_t sysmonwait;
    /* The lock and what is under it. */
    _Alignas(CACHE_LINE) struct rlock lock;
    uint32_t lockseq;             /* ticket of everything under lock */
    uint32_t nmidle;
    struct gqueue runq;           /* the global queue */
    struct p *pidle;
    struct m *midle;
    uint32_t nmsys, mnext, nmfreed;
    int32_t nmidlelocked;
    struct m *_Atomic freem;      /* exited Ms; read without the lock as a hint */
    _Alignas(CACHE_LINE) _Atomic uint32_t goidgen;
    _Atomic uint32_t sysgoidgen;
    _Alignas(CACHE_LINE) struct rlock gflock;
    struct { struct g *list; _Atomic uint32_t n; struct ahead ahead; } gfree; /* under gflock; n is read as a hint without it */
    struct g *allgs;              /* under gflock, like their number */
    uint32_t nallgs;
    struct stackpool *stacks;
    _Alignas(CACHE_LINE) struct { _Atomic uint64_t atomic; uint32_t grunning; struct m *mwakeup; struct note stopped;
             _Atomic bool pollserver; } one; /* go1_0.c, pollserver.c */
    struct {                      /* threads that the template thread shall make (lockm.c) */
        struct rlock lock;
        struct m *newm;
        bool waiting;
        struct note wake;
        _Atomic uint32_t have;
    } newm_handoff;
    struct m *_Atomic allm;       /* pushed by CAS; walked when stopped */
    struct g *maing;
    struct note sysmonnote;
    _Atomic uint32_t outseq;      /* output ticket */
    _Atomic uint32_t chanorder;   /* channels so far */
    _Atomic int ended;            /* EH_… + 1 */
    _Atomic bool throwing;
    _Atomic(const char *) throwtext;
    char throwbuf[160];
    _Atomic bool lacking;
    _Atomic(const char *) lacktext;
    char lackbuf[400];
    struct objblock *objblocks;   /* channels, mutexes …: freed with the instance; under gflock, like the next */
    struct object *objects;       /* what is more than memory */
    struct rlock finlock;         /* finq; special.c */
    struct finalizer *finq, **finqend;
    struct finalizer *fin_running, *fin_rest; /* the finalizer G's own */
    struct g *fing;
};

#define SPIN_COUNT(w)  ((uint32_t)((w) & 0xffffu))
#define SPIN_NEED(w)   ((uint32_t)((w) >> 16 & 1u))
#define SPIN_SEQ(w)    ((uint32_t)((w) >> 32))

/* How many Ps there are. A sleeper without P may see an old number: all that it then looks at still exists. */
static inline uint32_t gomaxprocs(const struct sched *s)
{
    return atomic_load_explicit(&s->gomaxprocs, memory_order_acquire); /* pairs with procresize(): the Ps are whole */
}

/* pp, or NULL, is m's now, or gomaxprocs has changed. Executed by m. */
static inline void set_p(struct m *m, struct p *pp)
{
    m->p = pp;
#ifdef GMPSCOPE_NO_SHORTCUT /* to measure what it is worth (tests/bench/README.md) */
    m->only = false;
#else
    m->only = pp && gomaxprocs(m->sched) == 1;
#endif
}

/* m has the only P, and there will be no other before it stops or gives the P away: both hand on, in order, all that it did. So no
 * other M touches what only owners of Ps touch, and m needs no locked operation for it. */
static inline bool only_p(const struct m *m)
{
    return m->only;
}

/* With --fine: others may take the baton here, right before an operation on memory that they change too. Without: one branch.
 * It may stand within locks and between a change and its event; m stays m. */
static inline void fine(const struct m *m)
{
    if (__builtin_expect(m->fine, 0))
        conductor_fine(m->w);
}

/* What only Ms with a P change: a fetch-and-add, or, for who has the only P, the same by a plain store. */
static inline uint32_t add32(const struct m *m, _Atomic uint32_t *to, uint32_t n, memory_order mo)
{
    if (!only_p(m))
        return atomic_fetch_add_explicit(to, n, mo);
    uint32_t old = atomic_load_explicit(to, memory_order_acquire); /* acquire, release: what any order asks of a single thread's load, store */
    atomic_store_explicit(to, old + n, memory_order_release);
    return old;
}

static inline uint64_t add64(const struct m *m, _Atomic uint64_t *to, uint64_t n, memory_order mo)
{
    if (!only_p(m))
        return atomic_fetch_add_explicit(to, n, mo);
    uint64_t old = atomic_load_explicit(to, memory_order_acquire); /* as above */
    atomic_store_explicit(to, old + n, memory_order_release);
    return old;
}

/* Locks of what Gs share; timers that send take them too, and all of them have a P. */
static inline bool lock_of_gs(const struct rlock *l)
{
    return (1u << l->rank & (1u << RANK_CHAN | 1u << RANK_SEMA | 1u << RANK_WAITGROUP | 1u << RANK_NOTIFY_LIST)) != 0;
}

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

/* An event of m: .p is the P it runs on; ev_on: P is the subject. */
static inline struct ev ev_on(uint32_t p, enum ev_kind kind, uint32_t g, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (struct ev){.kind = (uint8_t)kind, .p = (uint16_t)p, .g = g, .a = a, .b = b, .c = c, .d = d};
}
static inline struct ev ev_of(const struct m *m, enum ev_kind kind, uint32_t g, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return ev_on(m->p ? m->p->id : EV_NO_P, kind, g, a, b, c, d);
}

static inline bool heard(const struct m *m)
{
    return __builtin_expect(conductor_attention(m->hot) != 0, 0);
}

/* Log one event of the current M. The caller fills kind's words; time, p and the ring are set here. No gate. Macros: the event is made,
 * and its ticket counted, only if somebody hears it; in a free run that nobody records one look at a word is all. */
#define emit(m, e) emit_as(m, e, false, false)
void emit_text(struct m *m, struct ev e, const char *text, size_t len);
void time_jumps(void *ctx, struct waiter *w, int64_t to); /* for conductor_config.on_jump */
/* emit and gate: the usual way outside of locks. */
#define emit_gate(m, e) emit_as(m, e, false, true)
/* The same for an event that belongs to the one before and waits for nothing that others changed since: what the merge would have to
 * tell before it must have been changed before that one's time (eventlog/log.c, remarks). In a free run it gets the last time that m has
 * seen, that one or a later, which saves the look at the clock; in lockstep all events have their own.
 * What tells that nobody else changed it since: a P's runnext and head (tooknext, headseen), the tickets (lockseen, spinseen). */
#define emit_same(m, e) emit_as(m, e, true, false)
#define emit_as(m, e, same, gate) \
    do { \
        uint32_t attention_ = conductor_attention((m)->hot); \
        if (__builtin_expect(attention_ != 0, 0)) \
            emit_heard(m, e, same, gate, attention_); \
    } while (0)
/* emit()'s rest (log.c), by what the conductor's word has said. All alike but for what the names say. */
typedef void emit_rest(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention);
emit_rest emit_words, emit_words_gate, emit_words_same, emit_words_same_gate;
_Noreturn void throw(struct m *m, const char *what);
_Noreturn void lack(struct m *m, const char *what, int err); /* `what` could not be done: err, an errno */

/* For people who choose who goes next (rt_next): what m does behind its next gate, where no event comes before that gate. Costs a
 * store, so it may stand anywhere. */
static inline void about(struct m *m, enum rt_next_what what) { m->next = (uint8_t)what; }

/* Nobody hears m, and it has the only P: until its next gate, lock or wait it logs nothing, gives way to nobody (there is no baton in such
 * a run) and needs no locked operation. The paths that every switch goes are compiled twice from one text, with `alone` a
 * constant: without what only others need they are half as long. */
static inline bool alone(const struct m *m)
{
    return conductor_attention(m->hot) == 0 && only_p(m);
}

void lock_found_held(struct waiter *w, struct rlock *l); /* lock()'s rest */
static inline void lock_as(struct m *m, struct rlock *l, bool only)
{
    if (only) /* who holds a lock keeps its P, and the world goes on */
        conductor_lock_alone(m->w, l, lock_found_held);
    else
        conductor_lock(m->w, l, lock_found_held);
    m->next_lock = (uint8_t)l->rank;
    about(m, INTENT_UNLOCKED);
}

static inline void lock(struct m *m, struct rlock *l) { lock_as(m, l, lock_of_gs(l) && only_p(m)); }
static inline void lock_gs(struct m *m, struct rlock *l) { lock_as(m, l, only_p(m)); } /* for who knows that it is one of theirs */

static inline void unlock(struct m *m, struct rlock *l) { conductor_unlock(m->w, l); }

/* A lock of Gs, for who passes no gate, takes no other lock and does not wait before it unlocks: who is alone need not take it, for till then
 * there is nobody who could look at it. What is to be unlocked, or NULL (gopark takes either). */
static inline struct rlock *lock_unless_alone(struct m *m, struct rlock *l)
{
    if (alone(m))
        return NULL;
    lock_gs(m, l);
    return l;
}

static inline void unlock_if(struct m *m, struct rlock *l)
{
    if (l)
        unlock(m, l);
}

/* What the blocking primitives (channels, semaphores) build on; all on a G stack.
 * gopark: the current G waits for `reason` on object `obj`; then, from g0, lock l (may be NULL) is unlocked. Returns
 * when some M made it ready; the M may be another one: call getm() anew. */
static inline void gopark(struct rlock *l, uint32_t reason, uint32_t obj);
/* goready: gp, which the caller has dequeued, becomes runnable: this P's runnext; wakes a P. Not while holding locks. */
void goready(struct g *gp);
/* goyield: to the tail of the local queue (not the global one). */
void goyield(void);
void safepoint_gc(void);          /* the same for who allocates or uses a channel: Go 1.0 polls gcwaiting there, and only there */
static inline struct m *safe_getm(void); /* safepoint(), and the M that we are on then */
static inline struct m *safe_getm_gc(void);
void safepoint(void);             /* on a G stack, no locks held: a G that was asked to stop is preempted here */
int64_t nanotime(struct m *m);
bool runqempty(struct m *m, struct p *pp);
static inline struct g *getg(void)
{
    return atomic_load_explicit(&getm()->curg, memory_order_relaxed); /* see struct m */
}
_Noreturn void fatalpanic(const char *text);      /* "panic: text", with Go's exit */
_Noreturn void fatalerror(const char *text);      /* "fatal error: text" */
/* An object that lives as long as the instance, zeroed, at the beginning of a line of the cache. NULL: out of memory. */
void *object_new(struct sched *s, size_t size);
/* One that has more to give back than memory hangs itself on the instance: rt_free calls `fini`, which frees it too. */
struct object { struct object *next; void (*fini)(struct object *); };
void object_add(struct sched *s, struct object *o);
/* All objects; at rt_free only, when no M is left. */
void objects_free(struct sched *s);
/* A G's rt_alloc memory: in goexit (on g0) and at rt_free. The G can be reused at once. */
void galloc_free(struct g *gp);

/* On the stack of gp, which m runs: go to g0, which runs fn(m, gp). Returns when some M executes the G again. In line, like gopark(): of what
 * returns when a G goes on, the processor guesses some wrong, and each frame less saves pushing and popping six registers. */
static inline __attribute__((always_inline)) void mcall_of(struct m *m, struct g *gp, void (*fn)(struct m *, struct g *))
{
    m->mcall_fn = fn;
    m->mcall_g = gp;
    ctx_switch(&gp->ctx, &m->g0, false);
}

static inline __attribute__((always_inline)) void mcall(void (*fn)(struct m *, struct g *))
{
    struct m *m = getm();
    mcall_of(m, atomic_load_explicit(&m->curg, memory_order_relaxed), fn); /* see struct m */
}

void park_m(struct m *m, struct g *gp); /* the other half, on g0 */
static inline __attribute__((always_inline)) void gopark(struct rlock *l, uint32_t reason, uint32_t obj)
{
    struct m *m = getm();
    struct g *gp = atomic_load_explicit(&m->curg, memory_order_relaxed); /* as above */
    m->waitlock = l;
    m->waitobj = obj;
    gp->waitreason = reason;
    mcall_of(m, gp, park_m);
}

static inline struct m *safe_getm(void)
{
    struct m *m = getm();
    /* relaxed, both: as in safepoint() */
    struct g *gp = atomic_load_explicit(&m->curg, memory_order_relaxed);
    if (__builtin_expect(atomic_load_explicit(&gp->preempt, memory_order_relaxed), 0)) {
        safepoint();
        m = getm();
    }
    return m;
}

static inline struct m *safe_getm_gc(void)
{
    struct m *m = getm();
    /* relaxed, both: as in safepoint_gc(). Where there are Ps only the first may hold */
    struct g *gp = atomic_load_explicit(&m->curg, memory_order_relaxed);
    if (__builtin_expect(atomic_load_explicit(&gp->preempt, memory_order_relaxed) || !m->p, 0)) {
        safepoint_gc();
        m = getm();
    }
    return m;
}

/* ---- the hot part of log.c ---- */

/* A masked event counts all the same, and is a gate: the level changes what is recorded, never the course (design 6). */
static inline __attribute__((always_inline)) void emit_heard(struct m *m, struct ev e, bool same, bool gate, uint32_t attention)
{
    if (ev_level_of[e.kind] > EV_CORE && !(attention & (ATTN_CLOSER | ATTN_RECORDS(ev_level_of[e.kind]))))
        return; /* core events are recorded if any are */
    if (same)
        (gate ? emit_words_same_gate : emit_words_same)(m, EV_HEAD(e), EV_PAIR(e.a, e.b), EV_PAIR(e.c, e.d), attention);
    else
        (gate ? emit_words_gate : emit_words)(m, EV_HEAD(e), EV_PAIR(e.a, e.b), EV_PAIR(e.c, e.d), attention);
}

#endif
