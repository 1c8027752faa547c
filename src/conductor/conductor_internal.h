/* The conductor's inside, shared by the files of this folder only.
 *
 * One 64-bit word, `world`, says who may move: the number of moving Ms, whether a pause is on, the mode. An M that wants
 * to leave a gate or a wait does it by a compare-and-swap on this word, which fails while paused; an M that stops
 * subtracts itself, and the one that brings the count to 0 under a pause declares the stop. With flag and count in
 * one word there is nothing to be ordered between two words: no Dekker pair, no seq_cst. (Rejected: a state in each
 * waiter and a paused flag: correct only with seq_cst on both sides, and the pauser must look at every waiter.)
 *
 *   FREE      every moving M counts one.
 *   LOCKSTEP  the baton counts one; it stays counted while it changes hands, and its holder alone stops and goes on.
 *
 * Sleeping is always on the waiter's own futex word (word.c), so that a kick reaches everyone; only the network poller
 * sleeps in ppoll and is kicked by an eventfd.
 *
 * Who owns what:
 *   baton    the data under "lockstep" belong to the M that holds the baton, or to the controller while stopped
 *   mu       `all`, members, control transitions (pause, run, step, mode, stop), the clock's writers; never held across a sleep
 *   park_mu  the list of parked lock waiters
 *   own      a waiter's record of its wait is written by its own thread only, and read by others when it is stopped
 * After conductor_stop the Ms leave without the baton; on that way they touch nothing but atomics and what mu protects.
 */
#ifndef GMPSCOPE_CONDUCTOR_CONDUCTOR_INTERNAL_H
#define GMPSCOPE_CONDUCTOR_CONDUCTOR_INTERNAL_H

#include "base/arena.h"
#include "base/prng.h"
#include "conductor/conductor.h"
#include <pthread.h>
#include <sched.h>

#define POINT_NS 10              /* scenario time of a baton point (design 4) */
#define FINE_NS 1                /* of a point that only --fine has: time must pass, but the course's own times shall mean what they say */
#define NOWHERE UINT32_MAX       /* not in the able list, not in the heap */

/* waiter.word: a count of kicks above three bits that say how its owner sleeps. */
#define WORD_ASLEEP 1u           /* in futex wait on the word */
#define WORD_INPOLL 2u           /* in ppoll, reached by the eventfd */
#define WORD_REMIND 4u           /* must look again when the clock or the pause changes */
#define WORD_BITS   7u
#define WORD_KICK   8u

/* conductor.world */
#define WORLD_PAUSED   UINT64_C(1)
#define WORLD_DIE      UINT64_C(2)
#define WORLD_LOCKSTEP UINT64_C(4)
#define WORLD_ONE      UINT64_C(0x100)        /* one moving M; 24 bits */
#define WORLD_EPOCH    UINT64_C(0x100000000)  /* counts mode switches, so that a stale look never succeeds */
static inline uint32_t world_moving(uint64_t v) { return (uint32_t)v >> 8; }

/* conductor.attention: what a gate has to look at; 0 in a free run without limits. A copy for the hot path, on a cache
 * line that only control writes; the truth is in `world` and `steps`. */
#define ATTN_LOCKSTEP 1u
#define ATTN_PAUSE    2u
#define ATTN_DIE      4u
#define ATTN_STEP     8u
#define ATTN_SLOW     16u
#define ATTN_ARMED    32u

enum step_unit { STEP_NONE, STEP_CORE, STEP_ALL, STEP_ROUNDS };

struct waiter {
    struct waiter_hot hot;       /* first: hot.h */
    struct conductor *c;
    uint32_t id;
    void *user;
    /* What others touch to wake it, and what it looks at meanwhile. */
    _Alignas(CACHE_LINE) _Atomic uint32_t word;
    _Atomic bool baton;
    _Atomic int tid;             /* place.c, like the next two; 0: its thread is not born yet */
    _Atomic bool kept_off;       /* the waker's CPU; w undoes it */
    _Atomic int64_t spun;        /* it spins in its note, and did so at this time; 0: it does not */
    /* the wait; own */
    enum conductor_wait kind;
    struct note *note;
    int64_t deadline;            /* scenario ns, -1: none */
    conductor_look *look;             /* conductor_nap() */
    void *look_ctx;
    bool tight;
    int epfd, max;
    void *events;
    bool ready;                  /* ppoll saw epfd readable */
    bool remind;
    _Atomic int got;             /* events that the baton holder fetched for this poller */
    _Atomic bool cut;
    /* a lock wait; under park_mu, `parked` is also read without */
    _Atomic bool parked;
    struct rlock *parked_on;
    struct waiter *park_next;
    /* own */
    int8_t pinned;               /* to one CPU: 1, 0, or -1: as the creator was */
    bool entered;
    bool held_back;              /* waits for the fold; counted in nbehind */
    bool gone;                   /* exited; under mu */
    uint32_t able_at, heap_at;   /* lockstep */
    int64_t rank;                /* fine.c */
};

/* How the next holder is drawn with cfg.fine (fine.c). */
struct fine {
    struct prng rand;
    enum { FINE_UNIFORM, FINE_STICKY, FINE_RANKED } way;
    uint32_t stretch;            /* points, on average, between two changes */
    uint32_t left;               /* FINE_RANKED: points until the next one */
    int64_t lowest;              /* FINE_RANKED: rank that was given out last */
};

struct draws {
    uint64_t n;                  /* so far */
    struct choices list;         /* [0, kept): taken; [at, n): given, ahead */
    size_t kept, at;
    bool lost;                   /* one could not be kept */
    uint64_t last_m;             /* number of the last draw of an M, 0: it was the only one; and whom the seed had picked */
    uint32_t seeds_m;
    struct waiter *focus;        /* makes a single turn; */
    enum conductor_turn turn;         /* of this kind; alone: it is picked as long as it can go on */
    bool departed;
    bool is_open;
    struct conductor_decision open;       /* held open in a single turn; open.pick is still to be changed */
    _Atomic bool has_refused;
    struct conductor_refused refused;
};

struct conductor {
    struct conductor_hot hot;         /* first: hot.h */
    struct conductor_config cfg;
    _Atomic uint64_t world;
    _Atomic uint32_t stop_word;
    _Atomic uint32_t alive;
    _Atomic bool was_free;
    _Atomic bool armed;
    _Atomic uint32_t nbehind;    /* Ms that wait for the fold */
    _Atomic bool netbreak;
    _Atomic int64_t note_spinner; /* until when, CLOCK_MONOTONIC; free.c */
    _Atomic(const char *) error;
    int eventfd;

    pthread_mutex_t mu;
    VEC(struct waiter *) all;    /* in the order made */
    uint32_t members;            /* of them, not gone */
    uint32_t speed_num, speed_den;
    uint32_t records;            /* ATTN_RECORDS, constant, and ATTN_WATCHED */
    struct { _Atomic uint32_t unit; _Atomic int64_t left; } steps;

    pthread_mutex_t park_mu;
    struct waiter *parked_first, **parked_end;

    bool can_pin, many_cpus;     /* fixed at the start */
    cpu_set_t cpus, one_cpu;

    /* lockstep: the baton's */
    _Atomic int64_t time;        /* atomic only for conductor_time() */
    struct waiter *_Atomic holder;
    struct prng draw;
    struct draws draws;
    uint32_t held;               /* rlocks held: no stop while > 0 */
    uint32_t inside;             /* Ms at conductor_fine(): the same */
    struct fine fine;
    struct waiter **able, **heap; /* room for all.cap each */
    uint32_t nable, nheap;       /* heap: by deadline, then id */
    struct waiter *poller;
};

/* word.c */
void futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t ns);   /* ns < 0: no limit; may return early */
void futex_wake(_Atomic uint32_t *word, int n);
/* The owner looks at its word (acquire: sees what kickers did before), then at its reasons, then sleeps unless the
 * word has changed since. */
uint32_t word_look(const struct waiter *w);
void word_sleep(struct waiter *w, uint32_t seen, int64_t ns);
void word_poll(struct waiter *w, uint32_t seen, int64_t ns);           /* in ppoll; sets w->ready */
void word_kick(struct waiter *w);                                      /* any thread */
void word_kick_apart(struct waiter *w);                                /* by an M, which goes on meanwhile */
void word_remind(struct waiter *w);                                    /* wakes only who asked to be reminded */

/* place.c */
void place_enter(struct waiter *w);                                    /* by w, at its birth */
void place_apart(struct waiter *w);                                    /* whoever wakes it: not on my CPU */
void place_spinner(struct waiter *w);                                  /* the same, if it spins and has no CPU */
void place_spins(struct waiter *w, int64_t now);                       /* w, again and again; 0: no more */
void place_anywhere(struct waiter *w);                                 /* w, when it runs */

/* clock.c */
int64_t clock_mono(void);
int64_t clock_read(const struct conductor_clock *k);
/* The rate by the counter and the number that it goes with. False: there is none, or it is just being changed. */
bool clock_rate(const struct conductor_clock *k, uint32_t *seq, uint64_t *mult, uint64_t *offset);
void clock_init(struct conductor_clock *k);                                  /* at 0, standing */
bool clock_due(const struct conductor_clock *k);                             /* any thread: should the counter be measured? */
void clock_measure(struct conductor_clock *k);                               /* under mu */
/* Under mu. From time v on (-1: from where it stands now) at num/den; num 0: stop it. */
void clock_set(struct conductor_clock *k, int64_t v, uint32_t num, uint32_t den);
int64_t clock_left(const struct conductor_clock *k, int64_t deadline);            /* real ns until then; -1: the clock stands */
int64_t time_add(int64_t t, int64_t ns);                                /* saturates; ns < 0 counts as 0 */

/* lock.c */
bool barrier_init(void);                                                 /* for hot.membarrier */

/* wait.c */
_Noreturn void waiter_die(struct waiter *w);
/* From stopped, or from waiting for the baton, to moving; in whatever mode it then is. */
void go_on(struct waiter *w);
/* The wait recorded in w, from moving to moving. */
void wait_here(struct waiter *w);
int net_fetch(int epfd, void *events, int max);

/* free.c */
enum leave { LEAVE_GO, LEAVE_AGAIN, LEAVE_SLEEP };
/* Must w wait for the fold? Armed gates only. */
bool held_back(struct waiter *w);
void note_held_back(struct waiter *w, bool yes);
void free_halt(struct conductor *c);                                    /* one M less is moving */
enum leave free_leave(struct waiter *w, uint64_t world);
void free_rest(struct waiter *w, uint32_t seen, uint64_t world);
void free_gate(struct waiter *w);
void free_burn(struct waiter *w);

/* lockstep.c */
enum leave baton_leave(struct waiter *w, uint64_t world);
void lockstep_point(struct waiter *w, int64_t ns);
void lockstep_wait(struct waiter *w);
void lockstep_able(struct waiter *w);       /* w can go on; by the baton holder */
void lockstep_exit(struct waiter *w, bool last); /* last: no other is left */
/* Gives the baton out if nobody has it; by the controller while stopped. False: nobody can ever go on. */
bool lockstep_start(struct conductor *c);
void lockstep_adopt(struct conductor *c, int64_t time);
void lockstep_drop(struct conductor *c);

/* fine.c */
void fine_init(struct conductor *c);
int64_t fine_rank(struct conductor *c);     /* of a new M; by the baton holder */
/* The index of the next holder among the able, of whom there are more than one. w gives way, NULL: nobody does. */
uint32_t fine_draw(struct conductor *c, const struct waiter *w);
void lockstep_give(struct conductor *c, struct waiter *w); /* the baton, from whoever has it; by the controller while stopped */

/* draw.c */
struct waiter *draw_m(struct conductor *c, const struct waiter *w); /* the next holder, of one or more able; w gives way, or NULL */
void draw_turn_over(struct waiter *w);      /* w, the focus, has made its turn: a stop */

/* control.c */
void stop_bump(struct conductor *c);
void control_dry(struct conductor *c);      /* by the baton holder: nobody can ever go on */
void control_step_over(struct conductor *c, bool hit);

static inline uint32_t attention(const struct conductor *c)
{
    /* relaxed: a hint; whoever must not miss a change is kicked, and reads `world` with acquire */
    return atomic_load_explicit(&c->hot.attention, memory_order_relaxed) & ATTN_CLOSER;
}

/* At the head of calls: after conductor_stop no M goes on. */
static inline bool in_lockstep(const struct conductor *c) { return attention(c) & ATTN_LOCKSTEP; }
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
