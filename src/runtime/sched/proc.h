/* What the scheduler's own files share: queues, the lists of Ps and Ms, the park and wake protocol. Channels, mutexes and the like need
 * only rt.h. */
#ifndef GMPSCOPE_RUNTIME_SCHED_PROC_H
#define GMPSCOPE_RUNTIME_SCHED_PROC_H

#include "runtime/generations/generation.h"
#include "runtime/sched/rt.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GMPSCOPE_SANITIZED 1
#else
#define GMPSCOPE_SANITIZED 0
#endif

#define GFREE_LOCAL 64u
#define GFREE_BATCH 32u
#define STEAL_TRIES 4
#define EXITED_MAX 65536u /* threads that LockOSThread may end in one run; each keeps its number and its ring */

/* --- runq.c: P's queue. Caller, all: the owner of pp, which is the M that runs it. */
void runqput(struct m *m, struct p *pp, struct g *gp, bool next);
void runqputbatch(struct m *m, struct p *pp, struct gqueue *q, uint32_t n);
struct g *runqget(struct m *m, struct p *pp, bool *inherit);
struct g *runqget_ring(struct m *m, struct p *pp);
uint32_t runqdrain(struct m *m, struct p *pp, struct gqueue *q);
struct g *runqsteal(struct m *m, struct p *pp, struct p *p2, bool steal_runnext);

/* --- globq.c. Locks: sched.lock. */
void globrunqput(struct m *m, struct g *gp);
void globrunqputhead(struct m *m, struct g *gp);
void globrunqputbatch(struct m *m, struct gqueue *q, uint32_t n);
void globrunqput_array(struct m *m, struct g **batch, uint32_t n); /* takes the lock itself */
struct g *globrunqget(struct m *m, struct p *pp, uint32_t max, uint32_t why);
struct g *globrunqtake(struct m *m, uint32_t why); /* only the head, where there are no Ps */
static inline uint32_t runqsize(const struct sched *s)
{
    return atomic_load_explicit(&s->runqsize, memory_order_relaxed); /* a hint: callers that act on it read it again under the lock */
}

/* --- spin.c: nmspinning and needspinning, one word */
uint32_t nmspinning(struct m *m);
bool needspinning(struct m *m);
bool may_spin(struct m *m, uint32_t busy); /* the rule before stealing; keeps what it read in m.seen */
void become_spinning(struct m *m);
void drop_spinning(struct m *m, uint32_t why);                   /* m.spinning = false, nmspinning-- */
bool claim_spinning(struct m *m, uint32_t why);                  /* nmspinning 0 -> 1 for a wake-up in flight; false: it was not 0 */
bool wakep_no_idle_p(struct m *m, uint32_t why, bool none_idle); /* claims and unclaims in one change; false: a P may be idle */
void unclaim_spinning(struct m *m);                              /* undoes claim_spinning(): no P is idle */
void set_needspinning(struct m *m);                              /* under sched.lock */

/* --- pm.c: which M has which P, their idle lists */
enum p_status pstatus(const struct p *pp);
uint32_t pset(struct m *m, struct p *pp, enum p_status st); /* owner of pp; returns the new sequence number */
bool pcas(struct m *m, struct p *pp, enum p_status from, enum p_status to, uint32_t *seq);
void acquirep(struct m *m, struct p *pp);
struct p *releasep(struct m *m);                          /* logged, no gate: callers hold sched.lock or gate themselves */
void pidleput(struct m *m, struct p *pp);                 /* under sched.lock */
struct p *pidleget(struct m *m);                          /* under sched.lock */
struct p *pidleget_spinning(struct m *m);                 /* under sched.lock; sets needspinning if no P is idle */
struct m *mget(struct m *m, struct p *pp, bool spinning); /* under sched.lock; takes an idle M, not yet woken */
struct m *mget_old(struct m *m, struct p *pp);            /* the same; the one that pp had last */
void startm(struct m *m, struct p *pp, bool spinning);
static inline void reset_run_count(struct m *m) /* when m begins to run Gs, and after startm() has asked how long they took */
{
    m->woke.at = nanotime(m);
    m->woke.runs = m->woke.runs_now;
}
void stopm(struct m *m);
void handoffp(struct m *m, struct p *pp);
void handoffp_locked(struct m *m, struct p *pp);
void wakep(struct m *m, uint32_t why); /* there may be work for one more P: wakes an M that spins for it, unless one spins */
void wake_sysmon(struct m *m);         /* if it sleeps deeply; not under sched.lock */
const char *checkdead(struct m *m);    /* under sched.lock; Go's message if nothing can continue, else NULL */

/* --- syscall.c: the P of a G that is in a system call */
bool in_syscall(struct m *m, struct p *pp); /* a hint, unless the caller takes the P */
/* Gives pp this status and to the caller, if its G is in a system call; false: it is not, or it returns at this moment.
 * tick: only from the call with this syscalltick; NULL: from any. Any M; no gate. */
bool take_from_syscall(struct m *m, struct p *pp, enum p_status to, const uint32_t *tick, uint32_t *seq);
void lose_p(struct p *pp, enum p_status to, uint32_t *seq);             /* caller: has pp, or has marked the G of the M that has it */
void log_retake(struct m *m, struct p *pp, uint32_t seq, uint32_t why); /* after take_from_syscall(); a gate */

/* --- m.c: threads */
struct m *mnew(struct sched *s, uint32_t id);                              /* links it into allm; NULL: out of memory */
int mthread_start(struct m *m);                                            /* makes its waiter and its thread; returns 0 or an errno */
int64_t mreserve_id(struct m *m);                                          /* under sched.lock; -1: too many threads */
void newm(struct m *m, struct p *pp, bool spinning, int64_t id, int kind); /* MK_… */
void newm_nextg(struct m *m, int64_t id, struct g *gp);
void newm1(struct m *m, struct m *nmp);    /* starts nmp's thread; no locks held, m is not locked to a G */
void mdie(void *ctx, struct waiter *w);    /* conductor_config.die */
bool mbehind(void *ctx, struct waiter *w); /* conductor_config.behind */
_Noreturn void stand_still(struct m *m);   /* the program is over: waits for the end of the runtime */

/* --- lockm.c: LockOSThread */
void incidlelocked(struct m *m, int32_t v);
void stoplockedm(struct m *m);
void startlockedm(struct m *m, struct g *gp);
void start_template_thread(struct m *m);
void newm_by_template(struct m *m, struct m *nmp);
_Noreturn void template_thread(struct m *m);
void mexit(struct m *m);

/* --- proc.c: Gs */
void run_gs(struct m *m);                                                /* on g0; returns when m must exit with its locked G */
void make_runnable(struct m *m, struct g *gp);                           /* waiting -> runnable, in m's hand; the caller has dequeued gp */
void ready(struct m *m, struct g *gp);                                   /* waiting -> runnable -> this P's runnext; wakes a P */
struct g *newsystemg(struct m *m, rt_fn *fn, void *arg, uint32_t label); /* runnable, in m's hand; NULL: out of memory */
void newproc_timer(struct m *m, rt_fn *fn, uint32_t prog);               /* `go f()` from the timer code */
uint32_t newproc(struct m *m, rt_fn *fn, uint32_t prog, uint32_t i, struct g **out);
void gopreempt_async_m(struct m *m, struct g *gp);       /* on g0: gp was preempted outside of safe points */
void dropg(struct m *m, struct g *gp, enum g_status st); /* on g0: takes gp off m */
_Noreturn void gstart(void);                             /* the first function of each G */

/* --- main.c: what is there when main begins */
struct g *boot_main(struct m *m);                  /* makes and queues main's G; NULL: out of memory */
uint32_t calls_before_main(const struct sched *s); /* P0's syscalltick then */

/* --- special.c: Gs that findrunnable wakes. The checks for work are hints, so relaxed. */
void createfing(struct m *m);
static inline bool fing_exists(struct sched *s)
{
    return atomic_load_explicit(&s->fingstatus, memory_order_relaxed) != 0;
}
static inline bool tracing(struct sched *s)
{
    return atomic_load_explicit(&s->trace.enabled, memory_order_relaxed);
}
static inline bool users_disabled(struct sched *s)
{
    return atomic_load_explicit(&s->disable.user, memory_order_relaxed);
}
bool sched_enabled(struct sched *s, const struct g *gp); /* true if gp may run; exact under sched.lock, else a hint */
void wakefing(struct m *m);
bool trace_reader_available(struct sched *s); /* a full buffer and a waiting reader; a hint */
struct g *trace_reader(struct m *m);
void trace_record(struct m *m);
void finalizer_drop(void *arg);
void finalizers_free(struct sched *s);
bool disable_g(struct m *m, struct g *gp); /* true: gp was put aside, because users' Gs are disabled */

/* --- gfree.c: dead Gs */
struct g *gfget(struct m *m);         /* a dead G with a stack, recycled or new; NULL: out of memory */
_Noreturn void no_stack(struct m *m); /* after gfget() returned NULL: ends the run with lack(); no locks held */
void gfput(struct m *m, struct g *gp);
void gfpurge(struct m *m, struct p *pp); /* the world is stopped */
uint32_t gfree_count(const struct sched *s);

/* --- proc.c: what generations choose from */
void put_global(struct m *m, struct g *gp, bool preempted); /* generation.put_yielded: to the global queue's tail; wakes no M */

/* --- timerproc.c: generations in which runtime Gs, not Ps, wait for timers */
bool timerproc_init(struct sched *s);                                     /* false: out of memory */
struct p *timerproc_heap(struct m *m);                                    /* returns the heap for a timer that m adds */
void timerproc_kick(struct m *m, struct p *pp, int64_t when, bool first); /* generation.timer_added */

/* --- time.c: timers and the poller that waits for them */
void addtimer(struct m *m, const struct timer *t);
/* timerfn.c: what timers do. The argument of a G that a timer will start must not be lost if the runtime ends first. So the maker of the
 * timer keeps it in newarg until the heap has it, and so does the M that later runs the timer. Both change hands under the heap's lock. */
void timer_arg_taken(struct m *m, const struct timer *t);
void timer_arg_held(struct m *m, const struct timer *t);
uint32_t race_timer(struct m *m);                              /* a number for a timer that this G makes; 0: races are not looked for */
int64_t when(struct m *m, int64_t ns);                         /* Go's when(): the time ns from now; a time in the past counts as now */
int64_t timer_next(int64_t when, int64_t period, int64_t now); /* when it is due next: its first time after now */
void timer_run(struct m *m, const struct timer *t);            /* no locks held */
void handles_free(struct sched *s);                            /* at rt_free */
struct snap_timer timer_snap(const struct p *pp, uint32_t i);  /* only while all Ms are stopped */
void timers_free(struct p *pp);                                /* at rt_free */
int64_t check_timers_there(struct m *m, struct p *pp, int64_t next, int64_t *now, bool *ran); /* the out-of-line part of check_timers() */
void timers_move(struct m *m, struct p *pp);                                                  /* moves them to m->p; the world is stopped */
static inline int64_t timer0when(const struct p *pp)
{
    return atomic_load_explicit(&pp->timer0when, memory_order_seq_cst); /* Dekker: dance, see go1_20.c */
}

/* Runs the due timers in pp's heap, and sets *ran if there was one. Returns the next deadline or 0. Reads the clock into *now if *now is
 * 0 and needed. Caller: owner of m->p. */
static inline int64_t check_timers(struct m *m, struct p *pp, int64_t *now, bool *ran)
{
    int64_t next = timer0when(pp);
    *ran = false;
    return next == 0 ? 0 : check_timers_there(m, pp, next, now, ran);
}
int64_t time_sleep_until(struct sched *s); /* INT64_MAX: none */
void wake_netpoller(struct m *m, int64_t when);

/* --- netpoll.c: sockets and the poller */
bool netpollinited(struct sched *s);  /* an M must wait in the poller for timers or sockets */
bool netpoll_wanted(struct sched *s); /* Gs wait for sockets */
uint32_t netpoll_waiters(struct sched *s);
struct glist netpoll(struct m *m); /* does not block; the Gs are still waiting, and belong to the caller */
struct glist netpoll_wait(struct m *m, int64_t polluntil);
void netpoll_break(struct m *m);
void injectglist(struct m *m, struct glist *list);
struct g *glist_pop(struct glist *l);                 /* not empty */
struct g *run_first(struct m *m, struct glist *list); /* not empty; owner of m->p */

void boot(struct m *m); /* boot.c: M0's first steps */

/* --- preempt.c: asynchronous preemption */
void preempt_init(struct sched *s); /* once for each instance, before the first M; sets s->signals */
void preempt_fini(struct sched *s); /* after the last M */
void preemptm(struct m *mp);        /* any thread: sends SIGURG to mp, unless one is on its way */

/* --- syscall.c, sysmon.c, end.c */
/* Counts one more call of pp; sysmon compares it. Caller: owner of pp, so no other M adds meanwhile. */
static inline void count_syscall(struct p *pp)
{
    /* relaxed: a hint */
    uint32_t n = atomic_load_explicit(&pp->syscalltick, memory_order_relaxed);
    atomic_store_explicit(&pp->syscalltick, n + 1, memory_order_relaxed);
}
/* The same for a P that leaves its call without the G that made it. */
static inline void count_taken(const struct sched *s, struct p *pp)
{
    if (s->gen->taken_calls_count)
        count_syscall(pp);
}
void entersyscall(struct m *m, uint32_t call, bool blocking);   /* on a G stack; CALL_…; blocking: the P is handed off */
void exitsyscall(struct m *m);                                  /* on a G stack, no locks held */
bool preemptone(struct m *m, struct p *pp, uint32_t why);       /* asks the G on pp to stop; why: PREEMPT_FOR_…; not m's own P */
void entersyscall_p(struct m *m, uint32_t call, bool blocking); /* the same in generations with Ps */
void exitsyscall_p(struct m *m);
void sysmon(struct m *m);
void await_panic(struct m *m);
void program_end(struct m *m, int how, int fatal_kind, const char *text); /* logs it once; text NULL: no fatal event */

#endif
