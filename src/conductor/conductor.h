/* The conductor: every wait of every M goes through here (design 2, 3, 4).
 *
 * Two modes from one source. FREE: threads truly in parallel, real futexes and epoll, a monotonic clock that can be
 * paused and scaled. LOCKSTEP: the Ms are real threads too, but one holds the baton; at each baton point the next
 * holder is drawn by seed from those that can go on; virtual time advances 10 ns at each point and jumps to the
 * earliest deadline when none can.
 *
 * Every M has a struct waiter. All its waits are recorded there (kind, object, deadline), and it sleeps on the
 * waiter's own futex word, so that any wait can be kicked: by its event, a mode switch, the end.
 *
 * Threads: functions with a `struct waiter *w` first are called by that M only, the others by any thread; control
 * (run, pause, step …) by one controller thread at a time.
 */
#ifndef GMPSCOPE_CONDUCTOR_CONDUCTOR_H
#define GMPSCOPE_CONDUCTOR_CONDUCTOR_H

#include "base/choice.h"
#include "base/run_names.h"
#include "eventlog/events.h"
#include <stdatomic.h>

struct conductor;
struct waiter;


/* Where an M stands: its last wait, which may be over. */
enum conductor_wait {
    WAIT_GATE,                     /* at a gate or a spin, or its thread is not born yet: can go on */
    WAIT_NOTE, WAIT_SLEEP, WAIT_BLOCK,
    WAIT_COMPUTE,                  /* can go on in free mode, where it is a loop */
    WAIT_NETPOLL,
    WAIT_LOCK,                     /* will try again */
};

struct conductor_config {
    enum conductor_mode mode;
    uint64_t seed;                 /* of the draw */
    bool fine;                     /* conductor_fine() is a point */
    enum ev_level record;          /* what the Ms record, so that they need look at one word only; 0: core events */
    bool watched;                  /* somebody looks at each event before it is recorded: ATTN_WATCHED (hot.h) */
    const struct choices *choices; /* draws that are not left to the seed; copied; NULL: none */
    /* Called on an M that must leave for good (conductor_stop), on whatever stack it is; must not return and must not
     * call the conductor again except waiter_exit. */
    void (*die)(void *ctx, struct waiter *w);
    /* Has w logged what the fold has not passed yet? Asked only of w's own thread while the gates are armed. NULL: never. */
    bool (*behind)(void *ctx, struct waiter *w);
    /* Lockstep: called by w, which is about to rest or to leave, because nobody can go on before `to`: time is about to jump
     * there. It may log (conductor_logged), and must not call the conductor otherwise. May be NULL. */
    void (*on_jump)(void *ctx, struct waiter *w, int64_t to);
    void *ctx;
};

/* A sleeping place for one waiter, like Go's note: at most one M waits, woken at most once until cleared. */
struct note { _Atomic uint32_t key; struct waiter *_Atomic waiter; };
/* A runtime lock. `rank` names it in lock_wait events (LK_…). Zero plus rank is an unlocked one. */
struct rlock { _Atomic uint32_t word; uint16_t rank; _Atomic uint16_t waiting; struct waiter *_Atomic owner; };

struct conductor_hot *conductor_hot(struct conductor *c);               /* for hot.h */
struct conductor *conductor_new(const struct conductor_config *cfg);   /* NULL: out of memory or descriptors */
void conductor_free(struct conductor *c);                          /* after every waiter has exited and its thread is joined */

/* --- an M's life ------------------------------------------------------------------------------------------------ */
/* Made by the creator for M id before pthread_create; as if it stood at a gate, able to go on. In lockstep the creator holds
 * the baton (or nobody does: the first). NULL when out of memory. It lives until conductor_free. */
struct waiter *waiter_new(struct conductor *c, uint32_t id, void *user);
void *waiter_user(const struct waiter *w);
enum conductor_wait waiter_wait(const struct waiter *w);  /* only while stopped */
/* First call on the new thread: sets its affinity (lockstep) and waits for the baton. May already die. */
void waiter_enter(struct waiter *w);
/* Last call on the thread. The creator calls it instead if the thread could not be made. */
void waiter_exit(struct waiter *w);

/* --- points ----------------------------------------------------------------------------------------------------- */
/* The emitting M says what it has just logged; the gate that follows counts it. round_end: the event is a g_start or
 * an m_park. */
static inline void conductor_logged(struct waiter *w, enum ev_level level, bool round_end);
/* The emitting M is about to log what a breakpoint matches: everybody stops at the next gates, w at its own. Returns the event's
 * time: nobody who goes on to a gate now logs an earlier one. */
int64_t conductor_hit(struct waiter *w);
/* A gate. Does nothing while w holds an rlock (the outermost unlock is one). Pausing, stepping and the baton happen
 * here. May not return (die). */
static inline void conductor_gate(struct waiter *w);
/* A baton point: a spin loop's turn; advances lockstep time by `ns`. In free mode some pauses of the processor. No events or
 * steps here, but in lockstep another M's pause may find w here: what w changed must have been logged, as at a lock wait. */
void conductor_spin(struct waiter *w, int64_t ns);

/* With cfg.fine, in lockstep: a baton point inside of a lock-free step, with or without rlocks held. Never a stop: no M stops while
 * another one stands here. Otherwise nothing. */
void conductor_fine(struct waiter *w);

/* --- time ------------------------------------------------------------------------------------------------------- */
static inline int64_t conductor_now(struct waiter *w);            /* scenario time, ns; 0 at the start */
int64_t conductor_time(struct conductor *c);          /* the same from any thread (exact when stopped) */

/* --- waiting ---------------------------------------------------------------------------------------------------- */
/* Lock order is the caller's business. In lockstep a baton point follows the taking (with cfg.fine one comes before too). on_wait (may be NULL) is called
 * once if the lock is found held, before waiting (to log lock_wait). */
static inline void conductor_lock(struct waiter *w, struct rlock *l, void (*on_wait)(struct waiter *, struct rlock *));
static inline void conductor_unlock(struct waiter *w, struct rlock *l); /* a gate when it was the last one held */
/* The same for who knows that no other M can want l before it is unlocked. */
static inline void conductor_lock_alone(struct waiter *w, struct rlock *l, void (*on_wait)(struct waiter *, struct rlock *));
bool conductor_holds(const struct waiter *w, const struct rlock *l);
static inline uint32_t conductor_nlocks(const struct waiter *w);

void note_clear(struct note *n);                                    /* no one waits */
void note_sleep(struct waiter *w, struct note *n);
bool note_sleep_for(struct waiter *w, struct note *n, int64_t ns);  /* true: woken, false: time is up */
void note_wakeup(struct waiter *w, struct note *n);                 /* w may hold locks; not a gate */
void note_wakeup_apart(struct waiter *w, struct note *n);           /* the same, and in free mode not on w's CPU (place.c) */

void conductor_usleep(struct waiter *w, int64_t ns);
/* The same, for a few µs, which are over sooner than the kernel has a thread asleep and awake again: in free mode w turns round meanwhile and
 * asks look(ctx) now and then. If that says yes at the end, w sleeps after all, as long as the kernel takes for it (some 60 µs). */
typedef bool conductor_look(void *ctx);
void conductor_nap(struct waiter *w, int64_t ns, conductor_look *look, void *ctx);
/* The network poller: waits until a socket is ready, ns have passed or conductor_net_break() is called. ns < 0: no limit; 0: polls without
 * waiting, and leaves a break to the next M that waits. At most one M waits here at a time. epfd -1: there are no sockets to watch.
 * In free mode the waiting M watches epfd. In lockstep the M with the baton polls it when no other M can go on; with cfg.fine, whenever it
 * passes the baton on. Returns the number of events written to `events` (struct epoll_event[max]), 0 on timeout or break. */
int conductor_netpoll(struct waiter *w, int epfd, void *events, int max, int64_t ns);
void conductor_net_break(struct waiter *w);                         /* wakes the one in conductor_netpoll, now or next */
/* Use the CPU for at most ns. Returns how much was used; less than ns only after compute_cut (or, tight, never).
 * Pauses inside do not count. */
int64_t conductor_compute(struct waiter *w, int64_t ns, bool tight);
void conductor_compute_cut(struct waiter *target);                  /* any M: end target's compute early; sticky until its next compute returns */
/* Text that may be left at any instruction and gone on with on another thread (tight.c): such a function calls nothing and uses
 * no thread-local. */
#define CONDUCTOR_TIGHT_TEXT \
    __attribute__((noinline, section("gmpscope_tight"), no_sanitize("address"), no_sanitize("undefined"), no_sanitize("thread")))
bool conductor_is_tight(uintptr_t pc);                /* any thread, in signal handlers too */
/* Free mode: burns the CPU in such text for `rounds` (some nanoseconds each); less when a pause, the end or lockstep is asked for,
 * which the caller takes by conductor_breathe. May return on another M. */
void conductor_tight(struct conductor *c, uint32_t rounds);
void conductor_breathe(struct waiter *w);             /* free mode: the pause or the end, if asked for; not a gate otherwise */
/* Block in the kernel for ns of scenario time (a system call). */
void conductor_block(struct waiter *w, int64_t ns);

/* --- draws (base/choice.h) -------------------------------------------------------------------------------------- */
/* A random outcome of w's, 0 … n-1: `seeds`, unless it was chosen otherwise. The caller takes seeds from its own stream each time.
 * In free mode, and where there is nothing to choose (n < 2), it is seeds. A single turn (conductor_step_turn) stops here; so
 * what w changed must have been logged, as at a gate. */
uint32_t conductor_decide(struct waiter *w, enum decision_kind kind, uint32_t n, uint32_t seeds);

/* The rest is for the controller, in a run that was never free and while stopped (conductor_refused: any time). */
struct conductor_decision {
    uint64_t number;                                  /* 0: there is but one M that can go on */
    uint32_t m;                                       /* whose it is; DRAW_M: who goes next as things are */
    enum decision_kind kind;
    uint32_t n, seeds, pick;                          /* DRAW_M: seeds and pick are Ms; n can go on (conductor_able) */
};
/* The draw that decides how the world goes on from here. False: none, the run was free, is not stopped or is over. */
bool conductor_decision_now(struct conductor *c, struct conductor_decision *out);
uint32_t conductor_able(struct conductor *c, uint32_t *ids, uint32_t max);  /* all that can go on; at most max are written */
/* Decides it: an M (its number) or an outcome. Given choices for later draws are dropped if it changes. False: impossible. */
bool conductor_choose(struct conductor *c, uint32_t pick);
/* Goes on until the M that goes next has made its turn: to its next gate without a lock, or to where it waits. False: as
 * conductor_decision_now. */
enum conductor_turn {
    TURN_AS_DRAWN,                                    /* all draws are as they would be */
    TURN_ASKED,                                       /* so they are, but a draw of its own ends the turn too */
    TURN_ALONE,                                       /* and no other M moves meanwhile */
};
bool conductor_step_turn(struct conductor *c, enum conductor_turn turn);
/* A choice or a turn alone has left the course that seed and given choices make. */
bool conductor_departed(struct conductor *c);
void conductor_forget_choices(struct conductor *c);   /* the seed draws from here on */
uint64_t conductor_decisions(struct conductor *c);        /* draws so far */
/* Those taken that differ from the seed's; ahead: and the given ones that have not come yet. False: out of memory. */
bool conductor_choices(struct conductor *c, bool ahead, struct choices *out);
size_t conductor_choices_ahead(struct conductor *c, struct choice *first); /* how many given ones have not come yet */
/* A given choice was impossible: the draw was another one, or had n alternatives and not that one. The world was stopped there. */
struct conductor_refused { struct choice given; enum decision_kind kind; uint32_t n; };
bool conductor_refused(struct conductor *c, struct conductor_refused *out);

/* --- control ---------------------------------------------------------------------------------------------------- */
void conductor_run(struct conductor *c);              /* go on without limit */
void conductor_pause(struct conductor *c);            /* ask for a stop at the next gates; lockstep: once no rlock is held */
/* Go on until n events (core only unless detail) or rounds were logged, then stop by itself. In free mode the M that
 * reaches the count stops the others at their next gates. */
void conductor_step_events(struct conductor *c, uint64_t n, bool detail);
void conductor_step_rounds(struct conductor *c, uint64_t n);
/* Armed, an M leaves a gate or a wait only when the fold has passed all that it has logged (design 13). Any time; exact from the
 * next stop on. The fold is then waited for: it must go on while the world moves. */
void conductor_arm(struct conductor *c, bool on);
/* Does somebody look at each event before it is recorded (conductor_config.watched at first)? While the world stands still; known to all Ms when they
 * go on. */
void conductor_watch(struct conductor *c, bool on);
/* The fold has gone on: whoever was held back looks again. */
void conductor_passed(struct conductor *c);
/* Waits (real time, ms, -1 for ever) until all Ms are stopped (design 3). True: they are. A conductor starts paused. While the
 * gates are armed it also returns, with false, when somebody waits for the fold. */
bool conductor_wait_stopped(struct conductor *c, int timeout_ms);
bool conductor_is_stopped(struct conductor *c);
bool conductor_is_running(struct conductor *c);       /* not paused and no pause asked for */
/* Woken (value changes, futex word) at every stop and when the last waiter exits: for threads that wait for either. */
_Atomic uint32_t *conductor_stop_word(struct conductor *c);
/* Only while stopped: change the mode; all waiters are kicked and wait anew. */
void conductor_set_mode(struct conductor *c, enum conductor_mode mode);
enum conductor_mode conductor_mode(struct conductor *c);
/* free mode: scenario time runs at num/den of wall time. Any time. */
void conductor_set_speed(struct conductor *c, uint32_t num, uint32_t den);
/* The end: every M, wherever it is, calls cfg.die at its next conductor call or out of its wait. Any thread. */
void conductor_stop(struct conductor *c);
uint32_t conductor_alive(struct conductor *c);        /* waiters that have not exited */
/* Sleeps until *word (conductor_stop_word) is no longer `seen`. For threads that are no Ms. */
void conductor_await(_Atomic uint32_t *word, uint32_t seen);
bool conductor_was_free(struct conductor *c);         /* the run was in free mode at some time */
/* NULL, or a broken invariant: in lockstep nobody could go on and nobody had a deadline (the conductor is then stopped). */
const char *conductor_error(struct conductor *c);

#include "conductor/conductor_inline.h"

#endif
