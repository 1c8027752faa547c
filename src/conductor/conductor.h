/* The conductor: every wait of every M goes through here, so here is decided when an M runs. The whole policy:
 *
 * FREE mode (free.c). Threads run truly in parallel, with real futexes and epoll, on a monotonic clock that can be paused
 * and scaled (clock.c). The kernel decides which M runs; affinity.c only keeps it from waking an M on its waker's CPU.
 *
 * LOCKSTEP mode (lockstep.c). The Ms are real threads, too, but only the holder of the baton runs. At each baton point
 *   1. virtual time advances: 10 ns, or what a spin loop asks for;
 *   2. Ms whose deadline has come become ready;
 *   3. the next holder is decided among the ready Ms (decision.c). By the seed each has the same chance; a choice that was
 *      given at the start, or made by hand while stopped, comes first. With --fine the seed draws a way for the whole run
 *      (fine.c): all the same chance, the holder mostly stays, or ranks that change now and then;
 *   4. if no M is ready, the sockets are polled for the M that waits for them, and if none is ready either, time jumps to
 *      the earliest deadline. Without a deadline and without a poller no M can ever run: that is a broken invariant
 *      (conductor_error), because sysmon always has a deadline.
 * With cfg.stalls the M decided on may lose its CPU instead of going: it sleeps, but counts as moving, and another decision follows; and an
 * M that is woken becomes ready some time later (stall.c).
 * Everything else that is left to chance (steal orders, cases of select) is a decision as well, from the caller's own
 * random stream. Decisions are numbered. Seed and choices make the course; pauses, steps and the kernel do not change it.
 *
 * Baton points, and in free mode the places where an M may stop:
 *   a gate              after each logged event and each operation of a program, without runtime locks: an M can pause here,
 *                       a step ends here, a breakpoint holds here
 *   a lock taken        so that others meet it held (lock.c); a turn of a spin loop (conductor_spin). An M that waits for a
 *                       lock counts as moving, and a pause waits until no lock is held
 *   a wait              note, sleep, system call, computing, poller (wait.c): stopped at once; it is left by a
 *                       compare-and-swap that fails while paused. In free mode computing is a loop that looks for the pause
 *   conductor_fine()    only with --fine, before nearly every atomic operation: no M stops there
 *
 * A pause (control.c) asks for a stop; the run is stopped when each M is at a gate or in a wait. Every transition of the
 * controller happens under one lock. A step is a pause with a count. The mode changes only while stopped: all waiters are
 * kicked and wait again, by the other rules, and a run that was ever free has left its course for good.
 *
 * Every M has a struct waiter, which records each of its waits (kind, object, deadline). The M sleeps on the
 * waiter's own futex word (futex_wait.c), so its event, a mode switch or the end of the run can end any wait.
 *
 * Threads: a function whose first parameter is `struct waiter *w` is called by that M only. Any thread may call the
 * others; control (run, pause, step …) is for one controller thread at a time. */
#ifndef GMPSCOPE_CONDUCTOR_CONDUCTOR_H
#define GMPSCOPE_CONDUCTOR_CONDUCTOR_H

#include "base/course.h"
#include "base/run_names.h"
#include "eventlog/events.h"
#include <stdatomic.h>

struct conductor;
struct waiter;

/* What an M waits for, or last waited for. */
enum conductor_wait {
    WAIT_GATE, /* at a gate or in a spin loop, or its thread has not started yet: ready */
    WAIT_NOTE,
    WAIT_SLEEP,
    WAIT_BLOCK,
    WAIT_COMPUTE, /* ready in free mode, where computing is a loop */
    WAIT_NETPOLL,
    WAIT_LOCK, /* will try again */
};

struct conductor_config {
    enum conductor_mode mode;
    uint64_t seed;                 /* of the random decisions */
    bool fine;                     /* conductor_fine() is a baton point */
    enum ev_level record;          /* level of the events that the Ms record; part of the attention word; 0: core events */
    bool watched;                  /* an observer sees each event before it is recorded: ATTN_WATCHED
                                    * (conductor_inline.h) */
    bool calm;                     /* lockstep: the holder continues where it can, and outcomes are 0; choices say where not */
    bool still;                    /* lockstep: time passes only when no M can continue */
    struct course *course;         /* the run follows it and writes itself down there; NULL: choices and the seed decide */
    enum run_way way;              /* of fine */
    uint32_t stalls;               /* lockstep: how often, at most, an M loses its CPU; > 0: wake-ups are late, too (stall.c) */
    bool calls;                    /* with stalls: system calls take time, and sleeps end late */
    const struct choices *choices; /* decisions that are not left to the seed; copied; NULL: none */
    /* Called on an M that must end (conductor_stop), on whatever stack it runs. Does not return. May call nothing of
     * the conductor but waiter_exit. */
    void (*die)(void *ctx, struct waiter *w);
    /* Returns whether w has logged events that the fold has not passed yet. Called on w's own thread only, while the
     * gates are armed. NULL: never. */
    bool (*behind)(void *ctx, struct waiter *w);
    /* Lockstep: w calls this when it is about to rest or to end and no M is ready before `to`, so time is about to
     * jump there. It may log (conductor_logged) and must call nothing else of the conductor. May be NULL. */
    void (*on_jump)(void *ctx, struct waiter *w, int64_t to);
    /* Lockstep: `of` loses its CPU for ns, or (by: the M that wakes it) is late by that. May log, and must call nothing of the conductor but
     * conductor_logged and conductor_hit. Caller: the holder of the baton, with or without rlocks. May be NULL. */
    void (*on_stall)(void *ctx, struct waiter *of, struct waiter *by, int64_t ns);
    /* Free mode: w calls this before it stops at a gate and before it computes, without locks. It may log what it has not logged yet, and must
     * pass no gate. May be NULL. */
    void (*before_rest)(void *ctx, struct waiter *w);
    void *ctx;
};

/* A sleeping place for one waiter, like Go's note: at most one M waits, and it is woken at most once until the note
 * is cleared. */
struct note {
    _Atomic uint32_t key;
    struct waiter *_Atomic waiter;
};
/* A runtime lock. `rank` names it in lock_wait events (RANK_…). A zeroed struct with a rank is an unlocked lock. */
struct rlock {
    _Atomic uint32_t word;
    uint16_t rank;
    _Atomic uint16_t waiting;
    struct waiter *_Atomic owner;
};

struct conductor_hot *conductor_hot(struct conductor *c);            /* for conductor_inline.h */
struct conductor *conductor_new(const struct conductor_config *cfg); /* NULL: out of memory or descriptors */
void conductor_free(struct conductor *c);                            /* after every waiter has exited and its thread is
                                                                    * joined */

/* --- an M's life ------------------------------------------------------------------------------------------------ */
/* Makes the waiter of M id, as if that M were ready at a gate. The creator calls this before pthread_create. In
 * lockstep the creator holds the baton, except for the first M. Returns NULL when out of memory. The waiter lives
 * until conductor_free. */
struct waiter *waiter_new(struct conductor *c, uint32_t id, void *user);
void *waiter_user(const struct waiter *w);
enum conductor_wait waiter_wait(const struct waiter *w); /* only while stopped */
/* First call on the new thread: sets its affinity (lockstep) and waits for the baton. May already die. */
void waiter_enter(struct waiter *w);
/* Last call on the thread. If the thread could not be created, the creator calls this instead. */
void waiter_exit(struct waiter *w);

/* --- points ----------------------------------------------------------------------------------------------------- */
/* Reports the event that w has just logged; the gate that follows counts it. round_end: the event is a g_start or an
 * m_park. */
static inline void conductor_logged(struct waiter *w, enum ev_level level, bool round_end);
/* Caller: an M that is about to log an event that a breakpoint matches. Stops all Ms at their next gates, w at its
 * own. Returns the event's time: no M that now reaches a gate logs an earlier one. */
int64_t conductor_hit(struct waiter *w);
/* Lockstep: rests here, if a stop was asked for, and keeps the baton. No time passes and nothing is decided, so the course stays the same; until w moves
 * on, there is no decision to change. Free: does nothing. Caller: w itself, without locks. */
void conductor_rest_here(struct waiter *w);
/* A gate: pausing, stepping and passing the baton happen here. Does nothing while w holds an rlock; the outermost
 * unlock is a gate itself. May not return (die). */
static inline void conductor_gate(struct waiter *w);
/* A gate of an M that waits for no more than the others to stop: with cfg.calm those that are ready go first. */
void conductor_gate_last(struct waiter *w);
/* A baton point: one turn of a spin loop; advances lockstep time by `ns`. In free mode it pauses the processor a few
 * times. It counts no events or steps. In lockstep another M's pause may stop w here, so w must have logged its
 * changes, as at a lock wait. */
void conductor_spin(struct waiter *w, int64_t ns);

/* With cfg.fine, in lockstep: a baton point inside a lock-free step, with or without rlocks held. The run never
 * stops while an M is here. With cfg.course: adds foot to the footprint. Otherwise does nothing. */
void conductor_fine(struct waiter *w, uint64_t foot);
/* Adds to the footprint of w's step (base/course.h). */
void conductor_touch(struct waiter *w, uint64_t foot);
/* Each step of the run depends on each other one, from w's present step on: for what is rare and has too many hints without a lock. */
void conductor_depends(struct waiter *w);
/* While they are held, no M loses its CPU. For the M with the baton. */
void conductor_hold_stalls(struct conductor *c, bool hold);
/* With cfg.calls: how long the next system call of w takes, in ns; else 0. A decision. */
int64_t conductor_call_ns(struct waiter *w);
void conductor_call(struct waiter *w, int64_t ns); /* w is in such a call for ns */
/* Says which outcomes of w's next conductor_decide() are like an earlier one, so that a course need not try them. */
void conductor_alike(struct waiter *w, uint32_t outcomes);
void conductor_course_ends(struct waiter *w); /* the program has ended: what follows is no part of its course */

/* --- time ------------------------------------------------------------------------------------------------------- */
static inline int64_t conductor_now(struct waiter *w); /* scenario time, ns; 0 at the start */
int64_t conductor_time(struct conductor *c);           /* the same from any thread (exact when stopped) */
int64_t conductor_stamp(struct waiter *w); /* the time of an event: as conductor_now(), and with cfg.still later than all before */

/* --- waiting ---------------------------------------------------------------------------------------------------- */
/* The caller is responsible for the lock order. In lockstep a baton point follows the locking; with cfg.fine one
 * also precedes it. If the lock is held, on_wait (may be NULL) is called once before w waits, to log lock_wait. */
static inline void conductor_lock(struct waiter *w, struct rlock *l, void (*on_wait)(struct waiter *, struct rlock *));
static inline void conductor_unlock(struct waiter *w, struct rlock *l); /* a gate if it was the last lock held */
/* Like conductor_lock(), for callers that know that no other M can contend for l. */
static inline void conductor_lock_uncontended(struct waiter *w, struct rlock *l, void (*on_wait)(struct waiter *, struct rlock *));
bool conductor_holds(const struct waiter *w, const struct rlock *l);
static inline uint32_t conductor_nlocks(const struct waiter *w);

void note_clear(struct note *n); /* no M may be waiting */
void note_sleep(struct waiter *w, struct note *n);
bool note_sleep_for(struct waiter *w, struct note *n, int64_t ns); /* true: woken; false: timed out */
void note_wakeup(struct waiter *w, struct note *n);                /* w may hold locks; not a gate */
void note_wakeup_apart(struct waiter *w, struct note *n);          /* the same, and in free mode not on w's CPU
                                                                     * (affinity.c) */

void conductor_usleep(struct waiter *w, int64_t ns);
/* Sleeps like conductor_usleep(), for a few µs, which is less than the kernel needs to put a thread to sleep and
 * wake it. In free mode w spins meanwhile and calls look(ctx) now and then. If the last call returns true, w sleeps
 * in the kernel after all, which takes some 60 µs. */
typedef bool conductor_look(void *ctx);
void conductor_nap(struct waiter *w, int64_t ns, conductor_look *look, void *ctx);
/* The network poller: waits until a socket is ready, ns have passed, or conductor_net_break() is called. ns < 0: no
 * limit. 0: polls without waiting, and leaves a break to the next M that waits. At most one M waits here at a time.
 * epfd -1: there are no sockets to watch. In free mode the waiting M watches epfd. In lockstep the baton holder
 * polls it when no other M is ready, and with cfg.fine whenever it passes the baton. Returns the number of events
 * written to `events` (struct epoll_event[max]), or 0 on timeout or break. */
int conductor_netpoll(struct waiter *w, int epfd, void *events, int max, int64_t ns);
void conductor_net_break(struct waiter *w); /* wakes the M in conductor_netpoll, now or next */
/* Uses the CPU for at most ns. Returns how much was used: less than ns only after compute_cut, and never if tight.
 * Pauses inside do not count. */
int64_t conductor_compute(struct waiter *w, int64_t ns, bool tight);
/* Lockstep: w has used the CPU for ns, in which it did nothing that another M could notice. ran(): short; not a point. use(): other Ms that are ready use
 * the CPU at the same time, so w waits for them. Returns how much of ns has passed: less only as conductor_compute(). */
void conductor_ran(struct waiter *w, int64_t ns);
int64_t conductor_use(struct waiter *w, int64_t ns, bool tight);
void conductor_compute_cut(struct waiter *target); /* any M: ends target's compute early; sticky
                                                                     * until its next compute returns */
/* Marks code that can be preempted at any instruction and resumed on another thread (tight.c). Such a function calls
 * nothing and uses no thread-local. */
#define CONDUCTOR_TIGHT_TEXT \
    __attribute__((noinline, section("gmpscope_tight"), no_sanitize("address"), no_sanitize("undefined"), no_sanitize("thread")))
bool conductor_is_tight(uintptr_t pc); /* any thread, in signal handlers too */
/* Free mode: burns the CPU in such code for `rounds`, of some nanoseconds each. Returns early when a pause, the end
 * or lockstep is requested; the caller then calls conductor_breathe. May return on another M. */
void conductor_tight(struct conductor *c, uint32_t rounds);
void conductor_breathe(struct waiter *w); /* free mode: takes the pause or the end, if requested;
                                                       * otherwise not a gate */
/* Blocks in the kernel for ns of scenario time (a system call). */
void conductor_block(struct waiter *w, int64_t ns);

/* --- decisions (base/choice.h) ---------------------------------------------------------------------------------- */
/* Decides a random outcome for w, 0 … n-1. Returns `seeds` unless another outcome was chosen. The caller draws
 * `seeds` from its own stream each time. In free mode, and where there is no choice (n < 2), the outcome is `seeds`.
 * A single turn (conductor_step_turn) stops here, so w must have logged its changes, as at a gate. */
uint32_t conductor_decide(struct waiter *w, enum decision_kind kind, uint32_t n, uint32_t seeds);

/* The rest is for the controller, while stopped and in a run that was never free (conductor_refused: any time). */
/* Returns the decision that determines how the run continues from here. False: there is none, or the run was free,
 * is not stopped or is over. */
bool conductor_decision_now(struct conductor *c, struct decision *out);
uint32_t conductor_ready(struct conductor *c, uint32_t *ids, uint32_t max); /* all ready Ms; writes at most max ids */
/* Chooses an M (by number) or an outcome. If that changes the decision, given choices for later decisions are
 * dropped. False: impossible. */
bool conductor_choose(struct conductor *c, uint32_t pick);
/* Runs until the M that goes next has made its turn: to its next gate without a lock, or to its next wait. False: as
 * conductor_decision_now. */
bool conductor_step_turn(struct conductor *c, enum turn turn);
/* Returns whether a choice or a TURN_ALONE has left the course that the seed and the given choices make. */
bool conductor_departed(struct conductor *c);
void conductor_forget_choices(struct conductor *c);    /* the seed decides from here on */
uint64_t conductor_decisions(struct conductor *c);     /* decisions so far */
uint32_t conductor_stalled(const struct conductor *c); /* Ms without a CPU or late in waking; by the holder of the baton */
/* Appends the choices taken that differ from the seed's; if `ahead`, also the given ones that are still to come.
 * False: out of memory. */
bool conductor_choices(struct conductor *c, bool ahead, struct choices *out);
size_t conductor_choices_ahead(struct conductor *c, struct choice *first); /* the number of given choices still to
                                                                            * come */
bool conductor_refused(struct conductor *c, struct refused_choice *out);   /* false: no choice was impossible */

/* --- control ---------------------------------------------------------------------------------------------------- */
void conductor_run(struct conductor *c);   /* continue without limit */
void conductor_pause(struct conductor *c); /* requests a stop at the next gates; lockstep: once no rlock
                                                       * is held */
/* Runs until n events (core events only unless `detail`) or rounds are logged, then stops. In free mode the M that
 * reaches the count stops the others at their next gates. */
void conductor_step_events(struct conductor *c, uint64_t n, bool detail);
void conductor_step_rounds(struct conductor *c, uint64_t n);
/* While armed, an M leaves a gate or a wait only when the fold has passed all events that the M has logged. May be
 * called at any time; exact from the next stop on. The Ms then wait for the fold, so the fold must continue while
 * they run. */
void conductor_arm(struct conductor *c, bool on);
/* Sets whether an observer sees each event before it is recorded (at first conductor_config.watched). Caller: only
 * while stopped; the Ms see it when they continue. */
void conductor_watch(struct conductor *c, bool on);
/* Reports that the fold has advanced: Ms that were held back look again. */
void conductor_passed(struct conductor *c);
/* Waits until all Ms are stopped (timeout in real ms, -1: none). True: they are. A conductor starts paused. While
 * the gates are armed it also returns false when an M waits for the fold. */
bool conductor_wait_stopped(struct conductor *c, int timeout_ms);
bool conductor_is_stopped(struct conductor *c);
bool conductor_is_running(struct conductor *c); /* not paused and no pause requested */
/* A futex word that changes and is woken at every stop and when the last waiter exits, for threads that wait for
 * either. */
_Atomic uint32_t *conductor_stop_word(struct conductor *c);
/* Only while stopped: changes the mode. All waiters are kicked and wait again. */
void conductor_set_mode(struct conductor *c, enum conductor_mode mode);
enum conductor_mode conductor_mode(struct conductor *c);
/* free mode: scenario time runs at num/den of wall time. Any time. */
void conductor_set_speed(struct conductor *c, uint32_t num, uint32_t den);
/* Ends the run: every M calls cfg.die at its next conductor call or out of its wait. Any thread. */
void conductor_stop(struct conductor *c);
uint32_t conductor_alive(struct conductor *c); /* waiters that have not exited */
/* Sleeps until *word (conductor_stop_word) is no longer `seen`. For threads that are not Ms. */
void conductor_await(_Atomic uint32_t *word, uint32_t seen);
bool conductor_was_free(struct conductor *c); /* the run was in free mode at some time */
/* NULL, or a broken invariant: in lockstep no M was ready and none had a deadline (the conductor is then stopped). */
const char *conductor_error(struct conductor *c);

#include "conductor/conductor_inline.h"

#endif
