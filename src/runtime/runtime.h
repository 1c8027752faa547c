/* The runtime's public interface: Gs on their own stacks, Ms that are threads, Ps with lock-free queues.
 *
 * struct sched is one runtime instance; many can live side by side. Gs run C code on G stacks (12 KiB, so no stdio there), which calls
 * the functions in the second part of this header.
 *
 *   s = rt_new(&cfg); rt_start(s); … control through rt_conductor(s), events through rt_log(s) …
 *   rt_stop(s) (kick all Ms, join them); rt_free(s)
 */
#ifndef GMPSCOPE_RUNTIME_RUNTIME_H
#define GMPSCOPE_RUNTIME_RUNTIME_H

#include "conductor/conductor.h"
#include "eventlog/events.h"
#include "eventlog/log.h"
#include "eventlog/snapshot.h"

struct sched;
struct g;
struct gmpscope_policy;

/* What can be switched off, by number, name, and the generation that brought it. Those from YIELD_WAKES on are rules of newer
 * generations, which share the text of go1.20: so they can also be switched on in generations before their own, back to go1.20. */
#define RT_SWITCHES(X) \
    X(RUNNEXT, "runnext", GO1_13) \
    X(FAIRNESS_TICK, "fairness_tick", GO1_4) \
    X(SPINNING, "spinning", GO1_4) \
    X(SPINNING_RECHECK, "spinning_recheck", GO1_4) \
    X(STEALING, "stealing", GO1_4) \
    X(STEAL_RUNNEXT_DELAY, "steal_runnext_delay", GO1_13) \
    X(HANDOFF, "handoff", GO1_4) \
    X(RETAKE, "retake", GO1_4) \
    X(PREEMPTION, "preemption", GO1_4) \
    X(WAKEP, "wakep", GO1_4) \
    X(NEEDSPINNING, "needspinning", GO1_20) \
    X(YIELD_WAKES, "yield_wakes", GO1_22) \
    X(LAST_LOOK, "last_look", GO1_22) \
    X(INJECT_WAKES, "inject_wakes", GO1_23) \
    X(HIGHEST_IDLE_P, "highest_idle_p", GO1_26) \
    X(STW_KEEPS_NEXT, "stw_keeps_next", GO1_26) \
    X(STW_KEEPS_M, "stw_keeps_m", GO1_26) \
    X(GC_ASSIGNS, "gc_assigns", GO1_26) \
    X(WIRED_SYSCALL, "wired_syscall", GO1_26) \
    X(FRESH_LASTPOLL, "fresh_lastpoll", GO1_21) \
    X(LAZY_TIMERS, "lazy_timers", GO1_23) \
    X(SYNC_TIMER_CHANNELS, "sync_timer_channels", GO1_23)
enum rt_disable { /* what-if switches, as bit numbers */
#define X(id, name, since) DIS_##id,
                  RT_SWITCHES(X)
#undef X
                      DIS_COUNT,
                  DIS_FIRST_RULE = DIS_YIELD_WAKES
};
extern const char *const rt_disable_name[DIS_COUNT];

/* Which generation's rules apply (generation.h). */
const char *rt_generation_fatal(enum rt_generation gen); /* how the text of a fatal error begins */
bool rt_generation_has_buckets(enum rt_generation gen);  /* timers are in heaps that do not belong to Ps */
bool rt_generation_has_p(enum rt_generation gen);
bool rt_generation_boots(enum rt_generation gen); /* it is known what a program of its time begins with (rt_config.boot) */
/* Returns true if the generation has the mechanism that this switch turns off. */
bool rt_generation_has(enum rt_generation gen, enum rt_disable d);
/* Returns true if the generation lacks this rule, and it can be switched on. */
bool rt_generation_may(enum rt_generation gen, enum rt_disable d);
struct rt_config;
/* Returns true if the run has the mechanisms and rules that these settings give its generation. */
bool rt_same_rules(const struct rt_config *cfg, const struct rt_config *own);
bool rt_starts_updater(const struct rt_config *cfg); /* a G that updates GOMAXPROCS is among the first */
/* Returns true if the same Gs of the runtime are there when main begins as these settings give its generation. */
bool rt_same_boot(const struct rt_config *cfg, const struct rt_config *own);
/* The go line of the program's module, which is not newer than the rules. */
enum rt_generation rt_module(const struct rt_config *cfg);

typedef void rt_fn(void *arg); /* what a G runs; returning is goexit */

/* What a run leaves for the next one: the threads of its Ms, its rings and its stacks. A short run takes less time than it takes to make and to
 * free these. One run at a time uses them; all runs have the same generation and the same async_preempt. */
struct rt_spares;
struct rt_spares *rt_spares_new(void); /* NULL: out of memory */
void rt_spares_free(struct rt_spares *spares);

struct rt_config {
    enum rt_generation generation;
    uint32_t gomaxprocs;       /* 1..1024 */
    uint32_t runq_size;        /* power of two, 2..256 */
    uint32_t max_threads;      /* 10000 */
    uint32_t start_tick;       /* P0's schedtick when main's first operation runs */
    enum run_boot boot;        /* which Gs of the runtime exist by then */
    enum rt_generation module; /* the go line of the program's module: a newer generation means as new as the rules */
    int64_t preempt_slice;     /* ns */
    bool async_preempt;        /* Go 1.14 and later: tight computations are preempted too */
    bool randomize;   /* Go's randomizeScheduler (in builds with -race, since runnext exists): the order of queues is not guaranteed */
    uint32_t disable; /* bits 1 << DIS_… */
    uint32_t enable;  /* rules of newer generations (rt_generation_may): bits 1 << DIS_… */
    const struct gmpscope_policy *policy; /* it is asked at the scheduler's decisions (policy.h); go1.20 and newer; NULL: none */
    uint64_t seed;
    const struct choices *choices; /* decisions of a lockstep run that are not left to the seed; borrowed by rt_new; NULL: none */
    enum conductor_mode mode;
    bool calm;             /* lockstep: threads switch only where they must, or where choices say so */
    bool still;            /* lockstep: time passes only when no M can continue */
    struct course *course; /* the run follows it, and writes itself down there; borrowed until rt_free(); NULL: none */
    bool fine;             /* lockstep: scheduling points inside the lock-free steps too (conductor_fine) */
    enum run_way way;      /* how fine decides which M goes next */
    uint32_t stalls;       /* lockstep: how often, at most, an M loses its CPU; > 0: wake-ups are late, too (conductor/stall.c) */
    bool calls;            /* with stalls: writes are system calls that take time, and sleeps end late */
    rt_fn *main_fn;
    void *main_arg;
    uint32_t main_prog; /* the fn field of main's go_create */
    bool objects;       /* records what happens to channels, mutexes and so on where no G waits; lockstep needs it */
    /* Free mode, for a reader that needs the state and not each event: equal operations on an object may be one event (eventlog/repeat.h), and a
     * search that ends at its P's own queue does not record its stages (find_early). */
    bool sparse;
    enum run_places places; /* of which operations of their programs Gs have reached (rt_reach) */
    /* lockstep: when main has returned, it sleeps until the other Gs have come to rest, so that those that are leaked can be told from those that were not done
     * yet. Nothing else that happens then counts: no print, no panic, no race. */
    bool linger;
    int64_t compute;     /* lockstep: ns that the Gs of a Go program compute at most; then the run is at its limit. 0: no end */
    bool races;          /* notes what orders accesses of shared variables (race.h) */
    enum ev_level level; /* EV_DETAIL records all; EV_CORE only core events, EV_OFF none (the course stays the same) */
    /* The M that logs an event calls hook() before it records the event. True: stop at the next gate. May be NULL. It runs on any M and any
     * stack, so it must be fast and use no locks and no stdio. */
    bool (*hook)(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len);
    void *hook_ctx;
    uint64_t memory;          /* bytes that the program may take (memory.c); 0: no limit */
    bool input;               /* a Go program may read standard input */
    struct rt_spares *spares; /* used until rt_free(); NULL: none */
};

/* KNOWN(…): the ways in which this generation, with these switches, may leave a G next to an idle P. */
uint32_t rt_known(const struct rt_config *cfg);

/* Returns what is switched off in such a run, by name or by its module: bits 1 << DIS_…. */
uint32_t rt_disabled(const struct rt_config *cfg);
/* The same, and what its generation lacks of the rules. */
uint32_t rt_off(const struct rt_config *cfg);

/* Returns the schedtick that P0 must begin with, so that it is start_tick when main's first operation runs: the start of main adds one
 * unless main comes from runnext. */
uint32_t rt_first_tick(const struct rt_config *cfg);

/* Returns the limit of memory for a run that is given none: 8 GiB, or three quarters of the machine's memory if that is less. */
uint64_t rt_memory_default(void);

/* Returns NULL and sets errno when out of memory or descriptors. Nothing runs yet. */
struct sched *rt_new(const struct rt_config *cfg);
/* Starts M0 on main. The conductor is paused until it is asked to run. Returns 0 or a negative errno. */
int rt_start(struct sched *s);
/* Closes the log and asks every M to leave, even if it waits for a lock, for room in its ring, or for an M that has thrown. Does not
 * wait for them: conductor_is_stopped() is true once all have left. Any thread. Idempotent, like rt_stop(). */
void rt_kill(struct sched *s);
/* Calls rt_kill(), then waits until every M has left, and joins them. Any thread except an M's. */
void rt_stop(struct sched *s);
void rt_free(struct sched *s);

struct conductor *rt_conductor(struct sched *s);
struct log *rt_log(struct sched *s);
/* Copies the runtime's own memory, while all Ms are stopped (any thread). Returns false if memory runs out. */
bool rt_snapshot(struct sched *s, struct snapshot *out);

/* Returns true if the program is over (main returned, deadlock, panic, fatal, throw). Set once, before program_end is logged. The Ms
 * then stay stopped until rt_stop(). */
bool rt_ended(struct sched *s, int *how); /* how: ENDED_… */
/* Returns the text of the first throw(), a broken invariant of the runtime itself; NULL if there is none. */
const char *rt_throw_text(struct sched *s);
/* Returns what could not be done for lack of memory, threads or descriptors, with errno's text; NULL if nothing is lacking. */
const char *rt_lack_text(struct sched *s);
/* Returns false if there is no such M. *arg: its G's arg; NULL: it runs no G of the program. Only while stopped in lockstep. */
bool rt_next(struct sched *s, uint32_t m, struct intent *out, const void **arg);
/* Shows the arg of each user G that has not ended. Only while stopped. */
typedef void rt_show_arg(void *ctx, uint32_t g, const void *arg);
void rt_args(struct sched *s, rt_show_arg *show, void *ctx);
/* Shows each timer that is still to fire and wakes no G of its own: the channel (struct hchan) on which it sends, or what it starts. Only while stopped. */
typedef void rt_show_timer(void *ctx, const void *c, rt_fn *fn, const void *arg);
void rt_timers(struct sched *s, rt_show_timer *show, void *ctx);
/* Writes the Ps in the order in which a thief checks them, given the outcome of its DECIDE_STEAL; at most max. Returns how many there
 * are. Only while stopped. */
uint32_t rt_steal_order(const struct sched *s, uint32_t outcome, uint32_t *p, uint32_t max);

/* Prepares memory for Gs that will be started soon, so that the M that starts them has less to do. For one thread, which is no M and
 * calls it again and again. */
void rt_tend(struct sched *s);

/* ---- on G stacks only ------------------------------------------------------------------------------------------ */
struct sched *rt_self_sched(void);
uint32_t rt_goid(void);
uint32_t rt_mid(void);
uint32_t rt_pid(void); /* EV_NONE: the generation has no P */
void *rt_arg(void);    /* this G's arg */
/* Returns zeroed memory of this G, which is freed when the G or its runtime ends. Does not return if there is no memory (rt_no_memory). */
void *rt_alloc(size_t size);

/* Logs that this G reaches an operation: its place in the scenario file, and its number. No gate, so the course stays the same. Caller:
 * only if rt_config.places is set. */
void rt_reach(uint32_t line, uint32_t col, uint32_t op);
/* The same for a line of a Go program; arrives: else the G has returned into it. Returns false if nobody wants to know: a free run shows only where Gs
 * come to rest (rt_reach). */
bool rt_line(uint32_t line, uint32_t col, uint32_t op, bool arrives);
/* Notes that this G uses a shared variable (NOTE_READ, NOTE_WRITE, NOTE_ATOMIC_…), that it acquires or releases what orders such uses, by a number of the
 * caller's from 2^31 on, and which operation it is in. No gate. Caller: only if rt_config.races is set. */
void rt_access(uint32_t variable, enum ev_note how);
void rt_sync(uint32_t object, enum ev_note how);
void rt_at(uint32_t op);
/* newproc: starts a new G and returns its id. `release` (may be NULL) is called with arg when the G has ended, or at rt_free. prog and i
 * only appear in go_create. */
uint32_t rt_go(rt_fn *fn, void *arg, void (*release)(void *), uint32_t prog, uint32_t i);
/* The same with a copy of arg, which the new G owns. A small one needs no malloc(), and no free() by another thread. */
uint32_t rt_go_copy(rt_fn *fn, const void *arg, size_t size, uint32_t prog, uint32_t i);
/* Queues fn(arg) for the finalizer G, which findrunnable wakes. release: as in rt_go, but not NULL. */
void rt_finalizer(rt_fn *fn, void *arg, void (*release)(void *));
void rt_trace_reader(void);       /* starts the trace reader G (once) */
void rt_disable_user(int64_t ns); /* user Gs are not scheduled for ns; the caller continues until it yields */
void rt_gosched(void);
void rt_goexit(void);     /* runtime.Goexit; does not return */
uint64_t rt_random(void); /* 64 bits of the run's seed; no decision */
/* A random outcome, 0 … n-1, which is a decision. n < 2: 0. */
uint32_t rt_decide(enum decision_kind kind, uint32_t n);
void rt_sleep(int64_t ns);
int64_t rt_now(void); /* scenario time, ns */
struct hchan;
/* time.AfterFunc: after ns, starts a new G like rt_go. */
void rt_after(int64_t ns, rt_fn *fn, void *arg, void (*release)(void *), uint32_t prog);
/* After ns, or every ns, sends the scenario time (in ns) on c, unless no G receives and the buffer is full. */
void rt_timer(struct hchan *c, int64_t ns);
void rt_ticker(struct hchan *c, int64_t ns); /* ns <= 0: panic */
/* NewTimer and NewTicker: make a timer whose channel is c, which has room for one value; the timer that had c before is out of
 * reach. rt_timer_stop() and rt_timer_reset() return what Stop and Reset do: true if the timer had not sent a value yet. */
void rt_timer_new(struct hchan *c, int64_t ns);
void rt_ticker_new(struct hchan *c, int64_t ns);
/* AfterFunc with a timer that can be stopped and reset: each time it is due, a new G runs fn with a copy of arg, of at most 64 bytes. The handle
 * lives as long as the runtime. */
struct handle;
struct handle *rt_func_new(int64_t ns, rt_fn *fn, const void *arg, size_t size, uint32_t prog);
bool rt_func_stop(struct handle *t);
const void *rt_func_arg(const struct handle *t);
bool rt_func_reset(struct handle *t, int64_t ns);
bool rt_timer_made(const struct hchan *c);
bool rt_timer_stop(struct hchan *c);
bool rt_timer_reset(struct hchan *c, int64_t ns);
void rt_compute(int64_t ns, bool tight);
void rt_syscall(int64_t ns, bool blocking);
void rt_cgo(int64_t ns);            /* like a system call, but the thread uses the CPU outside Go */
void rt_gomaxprocs(int64_t n);      /* runtime.GOMAXPROCS(n) */
uint32_t rt_procs(void);            /* runtime.GOMAXPROCS(0) */
uint32_t rt_goroutines(void);       /* runtime.NumGoroutine: Gs of the program */
void rt_stop_the_world(int64_t ns); /* stops all others, computes, starts them again */
/* runtime.GC: runs a whole cycle with ns of marking. assist: other Gs do their share at their next rt_point(). */
void rt_gc(int64_t ns, bool assist);
/* runtime.LockOSThread and UnlockOSThread: they nest. If a G ends while locked, its thread ends too. */
void rt_lock_os_thread(void);
void rt_unlock_os_thread(void);
void rt_print(const char *text, size_t len); /* at most EV_TEXT_MAX bytes */
/* Writes bytes to stdout (1) or stderr (2): an event for each line, and for what has no end of line yet. */
void rt_write(int fd, bool file, const char *s, size_t n);
void rt_exit(int code); /* os.Exit; does not return */
/* In lockstep: true if no other G can ever act again, and no timer is set. Any G. */
bool rt_alone(void);
void rt_endless(void); /* such a G is in a loop that nothing can end: the run ends. Does not return */
/* From now on, a mistake that the runtime finds in what this G does (send on closed channel) calls fn instead of ending the program. fn does not
 * return; no lock is held. */
void rt_on_panic(void (*fn)(void *ctx, const char *text), void *ctx);
void rt_panic(const char *text); /* does not return; text without "panic: " */
void rt_fatal(const char *text); /* "fatal error: text"; does not return */
/* Ends the run for lack of memory (rt_lack_text). what: what could not be done. Does not return. */
void rt_no_memory(const char *what) __attribute__((noreturn));
/* The same for what the program asks for and no run can do. */
void rt_no_way(const char *what) __attribute__((noreturn));
/* Counts memory that the caller allocates for the program; ends the run if that is more than the limit. rt_memory_give(), on any thread: it was
 * freed. */
void rt_memory_need(size_t bytes);
void rt_memory_give(struct sched *s, size_t bytes);

/* Synchronization objects live as long as their runtime. They are made before rt_start or on a G. NULL: out of memory; before rt_start also with
 * errno EDQUOT: more than the limit. */
struct hchan;
struct hchan *rt_chan_new(struct sched *s, uint32_t id, uint32_t buffer);
void rt_chan_made(
    struct hchan *c); /* logs that the running G has just made it (Go programs); those of a scenario are there from the start */
void rt_chan_send(struct hchan *c, int64_t value);  /* NULL c blocks for ever; closed: panic */
bool rt_chan_recv(struct hchan *c, int64_t *value); /* false and 0: closed and empty */
void rt_chan_close(struct hchan *c);
int64_t rt_chan_len(struct hchan *c); /* values in the buffer, at this moment */
int64_t rt_chan_cap(const struct hchan *c);
void rt_chan_values(const struct hchan *c, void (*show)(void *ctx, int64_t value), void *ctx); /* in the buffer. Only while stopped */
/* One case of a select. If c is NULL, it is never ready. */
struct rt_case {
    struct hchan *c;
    bool send;
    bool ok;       /* of a receive that was done: false for a closed channel */
    int64_t value; /* sent; or received, 0 from a closed channel */
};
/* Does one of the cases and returns its index. If none is ready it returns -1, or waits if it may block; without cases it waits for
 * ever. Sending on a closed channel panics. The caller owns `cases`, which must not move before the return. */
int rt_select(struct rt_case *cases, uint32_t n, bool block);

struct mutex;
/* id 0: it has no number yet, and no snapshot shows it. It gets one by rt_mutex_number(), before it is used; so with the other locks. */
struct mutex *rt_mutex_new(struct sched *s, uint32_t id);
void rt_mutex_number(struct mutex *mu, uint32_t id);
void rt_mutex_lock(struct mutex *m);
bool rt_mutex_try_lock(struct mutex *m);
void rt_mutex_unlock(struct mutex *m); /* fatal error: sync: unlock of unlocked mutex */

/* A connected pair of sockets, made before rt_start or by main before other Gs run. NULL and errno: out of memory or descriptors. */
struct conn;
struct conn *rt_conn_new(struct sched *s, uint32_t id);
void rt_conn_write(struct conn *c, uint32_t side, int64_t n); /* side 0: a, 1: b. n < 0: panic */
void rt_conn_read(struct conn *c, uint32_t side, int64_t n);  /* exactly n bytes */

struct rwmutex;
struct rwmutex *rt_rwmutex_new(struct sched *s, uint32_t id);
void rt_rwmutex_number(struct rwmutex *rw, uint32_t id);
void rt_rwmutex_rlock(struct rwmutex *rw);
bool rt_rwmutex_try_rlock(struct rwmutex *rw);
bool rt_rwmutex_try_lock(struct rwmutex *rw);
void rt_rwmutex_runlock(struct rwmutex *rw); /* fatal error: sync: RUnlock of unlocked RWMutex */
void rt_rwmutex_lock(struct rwmutex *rw);
void rt_rwmutex_unlock(struct rwmutex *rw); /* fatal error: sync: Unlock of unlocked RWMutex */

struct cond;
struct cond *rt_cond_new(struct sched *s, uint32_t id, struct mutex *mu);
void rt_cond_number(struct cond *cv, uint32_t id);
void rt_cond_wait(struct cond *cv); /* mu must be locked: fatal error as of rt_mutex_unlock */
/* The two halves of it for a Cond with a lock of another kind: between them the lock is unlocked. mu may be NULL then. */
uint32_t rt_cond_add(struct cond *cv);
void rt_cond_wait_for(struct cond *cv, uint32_t ticket);
void rt_cond_signal(struct cond *cv);
void rt_cond_broadcast(struct cond *cv);

struct waitgroup;
struct waitgroup *rt_waitgroup_new(struct sched *s, uint32_t id);
void rt_waitgroup_number(struct waitgroup *wg, uint32_t id);
void rt_waitgroup_add(struct waitgroup *wg, int64_t n); /* panic: sync: negative WaitGroup counter */
void rt_waitgroup_wait(struct waitgroup *wg);
/* The same, which return what Go would panic with, NULL: nothing. For the detector of data races, the first Add reads the variable, and the first Wait
 * writes it. EV_NONE: there is none. */
const char *rt_waitgroup_change(struct waitgroup *wg, int64_t n, uint32_t variable);
const char *rt_waitgroup_await(struct waitgroup *wg, uint32_t variable);

#endif
