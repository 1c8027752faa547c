/* The conductor's internals, shared by the files of this folder only.
 *
 * One 64-bit word, `world`, says which Ms may move: it has the number of moving Ms, whether a pause is on, and the mode. To
 * leave a gate or a wait, an M does a compare-and-swap on this word, which fails while paused. An M that stops
 * subtracts itself, and the M that brings the count to 0 under a pause declares the stop. Because flag and count
 * share one word, no order between two words is needed: no Dekker pair, no seq_cst. (Rejected: a state in each
 * waiter and a paused flag. That is correct only with seq_cst on both sides, and the pauser must look at every
 * waiter.)
 *
 *   FREE      every moving M counts one.
 *   LOCKSTEP  the baton counts one, also while it changes hands. Only its holder stops and resumes.
 *
 * An M always sleeps on its waiter's own futex word (futex_wait.c), so a kick reaches every M. Only the network
 * poller sleeps in ppoll; an eventfd kicks it.
 *
 * Ownership:
 *   baton    the data under "lockstep" belong to the M that holds the baton, or to the controller while stopped
 *   mu       `all`, members, control transitions (pause, run, step, mode, stop), the clock's writers; never held
 *            across a sleep
 *   park_mu  the list of parked lock waiters
 *   own      the record of a waiter's wait: only its own thread writes it, others read it while stopped
 *
 * After conductor_stop the Ms end without the baton. On the way they use only atomics and data that mu protects. */
#ifndef GMPSCOPE_CONDUCTOR_CONDUCTOR_INTERNAL_H
#define GMPSCOPE_CONDUCTOR_CONDUCTOR_INTERNAL_H

#include "base/arena.h"
#include "base/prng.h"
#include "conductor/conductor.h"
#include <pthread.h>
#include <sched.h>

#define POINT_NS 10 /* scenario time of a baton point without stalls */
#define FINE_NS \
    1                      /* of a point that only --fine has: time must pass, but must hardly change the
                                  * durations of the run */
#define NOWHERE UINT32_MAX /* not in the ready list, not in the heap */

/* waiter.word: a count of kicks, above three bits that say how its owner sleeps. */
#define WORD_ASLEEP 1u /* in futex wait on the word */
#define WORD_INPOLL 2u /* in ppoll, reached by the eventfd */
#define WORD_REMIND 4u /* its owner must look again when the clock or the pause changes */
#define WORD_BITS 7u
#define WORD_KICK 8u

/* conductor.world */
#define WORLD_PAUSED UINT64_C(1)
#define WORLD_DIE UINT64_C(2)
#define WORLD_LOCKSTEP UINT64_C(4)
#define WORLD_ONE UINT64_C(0x100) /* one moving M; 24 bits */
#define WORLD_EPOCH \
    UINT64_C(0x100000000) /* counts mode switches, and batons that a controller moves, so that a
                                               * compare-and-swap with an old value never succeeds */
static inline uint32_t world_moving(uint64_t v)
{
    return (uint32_t)v >> 8;
}

/* conductor.attention: what a gate has to look at; 0 in a free run without limits. It is a copy for the hot path, on
 * a cache line that only control writes; `world` and `steps` hold the truth. */
#define ATTN_LOCKSTEP 1u
#define ATTN_PAUSE 2u
#define ATTN_DIE 4u
#define ATTN_STEP 8u
#define ATTN_SLOW 16u
#define ATTN_ARMED 32u

enum step_unit { STEP_NONE, STEP_CORE, STEP_ALL, STEP_ROUNDS };

struct waiter {
    struct waiter_hot hot; /* first: conductor_inline.h */
    struct conductor *c;
    uint32_t id;
    void *user;
    /* What other threads write to wake the M, and what it reads while it waits. */
    _Alignas(CACHE_LINE) _Atomic uint32_t word;
    _Atomic bool baton;
    _Atomic int tid;       /* affinity.c, like the next two; 0: its thread has not started yet */
    _Atomic bool kept_off; /* w may not run on its waker's CPU; w clears this when it runs */
    _Atomic int64_t spun;  /* when w last reported that it spins on its note; 0: it does not spin */
    /* the wait; own */
    enum conductor_wait kind;
    struct note *note;
    int64_t deadline;     /* scenario ns, -1: none */
    conductor_look *look; /* conductor_nap() */
    void *look_ctx;
    bool tight;
    int epfd, max;
    void *events;
    bool readable; /* ppoll saw epfd readable */
    bool remind;
    _Atomic int got; /* events that the baton holder fetched for this poller */
    _Atomic bool cut;
    /* a lock wait; under park_mu, but `parked` is also read without it */
    _Atomic bool parked;
    struct rlock *parked_on;
    struct waiter *park_next;
    /* own */
    int64_t lost;  /* ns that w had no CPU */
    int8_t pinned; /* to one CPU: 1, 0, or -1: like its creator */
    bool entered;
    bool held_back;             /* waits for the fold; counted in nbehind */
    bool spins;                 /* cfg.calm: it gave way in a spin loop, or as the last */
    bool gone;                  /* exited; under mu */
    uint32_t ready_at, heap_at; /* lockstep */
    int64_t due;                /* lockstep: its place in the heap, by the deadline or the end of its stall */
    bool stalled;               /* lockstep: without a CPU, or late in waking: only time makes it ready */
    int64_t rank;               /* fine.c */
    int64_t at, owed;           /* pace.c: it continues at this time; ns that it has computed since its last point */
    uint32_t factor;            /* pace.c: how much slower than others it is */
};

/* How cfg.fine picks the next holder (fine.c). */
struct fine {
    struct prng rand;
    enum run_way way; /* one of the three */
    uint32_t stretch; /* points, on average, between two changes */
    uint32_t left;    /* WAY_RANKED: points until the next change */
    int64_t lowest;   /* WAY_RANKED: the lowest rank assigned so far */
};

/* How fast threads are in a run of WAY_PARALLEL, WAY_LOADED or WAY_SINGLE (pace.c). */
struct pace {
    struct prng rand;
    enum run_way way; /* WAY_MIXED: none of the three */
    int64_t wake_ns, start_ns;
    uint32_t slow;       /* the factor of slow Ms; 0: there are none */
    uint32_t preempts;   /* one wake-up in so many takes the waker's CPU; 0: none does */
    struct waiter *next; /* WAY_SINGLE: it does */
    int64_t since;       /* WAY_SINGLE: when the present time slice began; */
    int64_t slice_ns;    /* how long it is */
    uint32_t points;     /* of the run so far */
};

/* When Ms lose their CPU and wake up late (stall.c). */
struct stalls {
    struct prng calls; /* what the kernel takes, in a stream of its own: the class (choice_time_ns); */
    uint32_t call;     /* usually, in this run */
    uint32_t slack;    /* how late sleeps end, usually; 0: not at all */
    struct prng rand;
    uint64_t points; /* baton points until the next stall */
    uint32_t left;   /* stalls that may still come */
    uint32_t gap;    /* mean distance */
    uint32_t late;   /* class of most wake-ups */
    uint32_t now;    /* Ms that are stalled */
};

struct decisions {
    uint64_t n;          /* number of decisions so far */
    struct choices list; /* [0, kept): taken; [at, n): given, still ahead */
    size_t kept, at;
    bool lost;                     /* a choice could not be kept */
    uint64_t last_m;               /* number of the last decision about an M, 0: only one was ready; and the M that the
                                  * seed picked */
    uint32_t seeds_m, seeds_stall; /* seeds_stall: class, 0: none */
    struct waiter *ordered;        /* set by the controller: this M loses its CPU when the holder moves, */
    uint32_t ordered_class;        /* for this time */
    struct waiter *focus;          /* the M that makes a single turn */
    enum turn turn;                /* its kind; TURN_ALONE: the M is picked as long as it is ready */
    _Atomic bool departed;         /* relaxed: decision.c */
    bool is_open;
    bool within;          /* the holder rests in the middle of a step (lockstep_rest): there is no decision */
    struct decision open; /* held open in a single turn; open.pick can still change */
    _Atomic bool has_refused;
    struct refused_choice refused;
};

struct conductor {
    struct conductor_hot hot; /* first: conductor_inline.h */
    struct conductor_config cfg;
    _Atomic uint64_t world;
    _Atomic uint32_t stop_word;
    _Atomic uint32_t alive;
    _Atomic bool was_free;
    _Atomic bool armed;
    _Atomic uint32_t nbehind; /* number of Ms that wait for the fold */
    _Atomic bool netbreak;
    _Atomic int64_t note_spinner; /* end of the current spin, CLOCK_MONOTONIC; free.c */
    _Atomic(const char *) error;
    int eventfd;

    pthread_mutex_t mu;
    VEC(struct waiter *) all; /* in order of creation */
    uint32_t members;         /* the waiters that have not exited */
    uint32_t speed_num, speed_den;
    uint32_t records; /* ATTN_RECORDS (constant) and ATTN_WATCHED */
    struct {
        _Atomic uint32_t unit;
        _Atomic int64_t left;
    } steps;

    pthread_mutex_t park_mu;
    struct waiter *parked_first, **parked_end;

    bool many_cpus; /* fixed at the start: an M may be kept to some of the CPUs that it may use */
    cpu_set_t cpus, one_cpu;

    /* lockstep: owned by the baton */
    _Atomic int64_t time; /* atomic only for conductor_time() */
    int64_t stamp;        /* cfg.still: of the events; it grows at each point */
    struct waiter *_Atomic holder;
    struct prng rand;
    struct decisions decisions;
    struct stalls stalls;
    int64_t point_ns; /* scenario time of a baton point */
    uint32_t held;    /* number of rlocks held: no stop while > 0 */
    uint32_t inside;  /* number of Ms at conductor_fine(): no stop while > 0 */
    struct fine fine;
    struct pace pace;
    struct waiter **ready, **heap; /* capacity all.cap each */
    uint32_t nready, nheap;        /* heap: by deadline, then id */
    struct waiter *poller;
};

/* futex_wait.c */
void futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t ns); /* ns < 0: no limit; may return early */
void futex_wake(_Atomic uint32_t *word, int n);
/* The owner reads its word (acquire: sees what kickers did before), then checks its reasons, then sleeps unless the
 * word has changed since. */
uint32_t word_look(const struct waiter *w);
void word_sleep(struct waiter *w, uint32_t seen, int64_t ns);
void word_poll(struct waiter *w, uint32_t seen, int64_t ns); /* in ppoll; sets w->readable */
void wake_poller(struct conductor *c);                       /* any thread: the M that waits in epoll looks again */
void word_kick(struct waiter *w);                            /* any thread */
void word_kick_apart(struct waiter *w);                      /* by an M that continues to run */
void word_remind(struct waiter *w);                          /* wakes only Ms that asked to be reminded */

/* affinity.c */
void place_enter(struct waiter *w);              /* by w, on its new thread */
void place_apart(struct waiter *w);              /* a waker: keep w off this CPU */
void place_spinner(struct waiter *w);            /* the same, if w spins and has lost its CPU */
void place_spins(struct waiter *w, int64_t now); /* by w, again and again while it spins; now is 0 when it stops */
void place_anywhere(struct waiter *w);           /* by w, when it runs */

/* clock.c */
int64_t clock_mono(void);
int64_t clock_read(const struct conductor_clock *k);
/* Reads the counter's rate and its sequence number. False: there is none, or it is just being changed. */
bool clock_rate(const struct conductor_clock *k, uint32_t *seq, uint64_t *mult, uint64_t *offset);
void clock_init(struct conductor_clock *k);      /* at 0, stopped */
bool clock_due(const struct conductor_clock *k); /* any thread: is a measurement due? */
void clock_measure(struct conductor_clock *k);   /* under mu */
/* Under mu. Runs from time v (-1: the current time) at num/den; num 0: stops. */
void clock_set(struct conductor_clock *k, int64_t v, uint32_t num, uint32_t den);
int64_t clock_left(const struct conductor_clock *k, int64_t deadline); /* real ns until then; -1: the clock is stopped */
/* Saturates; ns < 0 counts as 0. */
static inline int64_t time_add(int64_t t, int64_t ns)
{
    if (ns <= 0)
        return t;
    return t > INT64_MAX - ns ? INT64_MAX : t + ns;
}

/* lock.c */
bool barrier_init(void); /* for hot.membarrier */

/* wait.c */
_Noreturn void waiter_die(struct waiter *w);
/* Brings w from stopped, or from waiting for the baton, to moving, in whatever mode the run then is. */
void wait_to_move(struct waiter *w);
/* Makes the wait recorded in w, from moving to moving. */
void wait_here(struct waiter *w);
int net_fetch(int epfd, void *events, int max);

/* free.c */
enum leave { LEAVE_GO, LEAVE_AGAIN, LEAVE_SLEEP };
/* Returns whether w must wait for the fold. Armed gates only. */
bool held_back(struct waiter *w);
void note_held_back(struct waiter *w, bool yes);
void free_halt(struct conductor *c); /* one moving M less */
enum leave free_leave(struct waiter *w, uint64_t world);
void free_rest(struct waiter *w, uint32_t seen, uint64_t world);
void free_gate(struct waiter *w);
void free_burn(struct waiter *w);

/* lockstep.c */
enum leave baton_leave(struct waiter *w, uint64_t world);
void lockstep_point(struct waiter *w, int64_t ns);
void lockstep_spin_alone(struct waiter *w);
void lockstep_last(struct waiter *w);
void lockstep_rest(struct waiter *w); /* rests with the baton, if a stop was asked for */
void lockstep_wait(struct waiter *w);
void lockstep_make_ready(struct waiter *w); /* by the baton holder */
/* By the baton holder: w, ready or asleep, is ready again only ns from now. by: as for on_stall. */
void lockstep_stall(struct waiter *w, struct waiter *by, int64_t ns);
/* The holder carries out a stall that the controller has ordered. False: there is none. */
bool lockstep_obey(struct waiter *w);
void lockstep_exit(struct waiter *w, bool last); /* last: no other M is left */
/* Grants the baton if no M has it. Caller: the controller while stopped. False: no M can ever be ready. */
bool lockstep_start(struct conductor *c);
void lockstep_adopt(struct conductor *c, int64_t time);
void lockstep_drop(struct conductor *c);

/* fine.c */
void fine_init(struct conductor *c);
int64_t fine_rank(struct conductor *c); /* of a new M; by the baton holder */
/* Returns the index of the next holder among the ready Ms, of which there are at least two. w: the M that gives way;
 * NULL: none does. */
uint32_t fine_pick(struct conductor *c, const struct waiter *w);
void lockstep_give(struct conductor *c, struct waiter *w); /* moves the baton; by the controller while stopped */

/* pace.c */
void pace_init(struct conductor *c); /* after stalls_init(), whose point_ns it changes */
void pace_enter(struct waiter *w);   /* a new M; by the baton holder */
/* Are Ms as far as their own times say? */
static inline bool pace_by_time(const struct conductor *c)
{
    return c->pace.way == WAY_PARALLEL || c->pace.way == WAY_LOADED;
}
int64_t pace_cost(struct waiter *w, int64_t ns);        /* of a point of w that usually costs ns */
int64_t pace_late(struct waiter *w, int64_t ns);        /* how late an M wakes up that w wakes and that stall.c makes late by ns */
void pace_woken(struct conductor *c, struct waiter *w); /* w was woken by the baton holder, and is ready */
struct waiter *pace_first(const struct conductor *c);   /* the ready M that continues first; there is one */
struct waiter *pace_single(struct conductor *c, const struct waiter *w); /* the next one on one CPU. w: the M that gives way, or NULL */

/* stall.c */
void stalls_init(struct conductor *c);
/* Called once a decision about the next M. Returns the class of the stall that the seed wants here, 0: none. */
uint32_t stalls_due(struct conductor *c);
/* Return the class (choice_time_ns) of the time that the seed lets a call take, or a sleep be too long. */
uint32_t stalls_call(struct conductor *c);
uint32_t stalls_slack(struct conductor *c);
uint32_t stalls_late(struct conductor *c); /* the class by which the seed makes a wake-up late */

/* decision.c */
/* Returns the next holder, of one or more ready Ms; *stall: a class above 0 if it loses its CPU instead. w: the M that gives way, or
 * NULL. */
struct waiter *decide_m(struct conductor *c, const struct waiter *w, uint32_t *stall);
/* Returns how late an M that is woken now wakes up, in ns. */
int64_t decide_wake(struct conductor *c);
/* Returns how long the next call takes (DECIDE_CALL), or how much too long the sleep is that now begins (DECIDE_LATE), in ns. */
int64_t decide_time(struct conductor *c, enum decision_kind kind);
void decision_turn_over(struct waiter *w); /* by the M in focus, after its turn: stops the run */

struct waiter *ready_by_id(const struct conductor *c, uint32_t id); /* NULL: it is not ready */
void refuse_course(struct conductor *c);                            /* stops the run, as for an impossible choice */

/* course.c: in place of the seed's decisions, if there is cfg.course */
struct waiter *course_m(struct conductor *c, struct waiter *seeds, const struct waiter *giving);
void course_record(struct conductor *c, enum decision_kind kind, uint32_t n, uint32_t pick); /* only writes it down */
uint32_t course_outcome(struct conductor *c, enum decision_kind kind, uint32_t n, uint32_t seeds);

/* control.c */
void stop_bump(struct conductor *c);
void control_dry(struct conductor *c); /* by the baton holder: no M can ever be ready */
void control_step_over(struct conductor *c, bool hit);

static inline uint32_t attention(const struct conductor *c)
{
    /* relaxed: a hint; an M that must not miss a change is kicked, and reads `world` with acquire */
    return atomic_load_explicit(&c->hot.attention, memory_order_relaxed) & ATTN_CLOSER;
}

/* In free mode: w may now rest for long, so it logs what it has not logged yet. */
void conductor_rests(struct waiter *w);

/* Called at the head of every entry point: after conductor_stop no M continues. */
static inline bool in_lockstep(const struct conductor *c)
{
    return attention(c) & ATTN_LOCKSTEP;
}
static inline void check_die(struct waiter *w)
{
    if (attention(w->c) & ATTN_DIE)
        waiter_die(w);
}

static inline void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
