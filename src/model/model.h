/* The model: the state of the scheduler as a pure fold of events, and what is derived from it: text, counters, patterns.
 *
 * A model belongs to one thread at a time. It never reads a runtime structure.
 */
#ifndef GMPSCOPE_MODEL_MODEL_H
#define GMPSCOPE_MODEL_MODEL_H

#include "eventlog/events.h"
#include "eventlog/known_limits.h"
#include "eventlog/snapshot.h"

struct log_sink;
struct program_text;
struct model;

/* The names of objects, from the scenario: of[kind].name[id - 1]. cap: slots of a channel's buffer; NULL: the kind has none. Borrowed.
 * made: the program makes its objects while it runs (Go). Object 1 + k + n * i is the i-th, from 0, with name k, and name 0 is "": it has none. */
struct model_objects {
    struct {
        const char *const *name;
        const uint32_t *cap;
        uint32_t n;
    } of[OBJ_KINDS];
    bool made;
};

/* What the names in patterns mean: programs, indexed by the field fn, objects (NULL: they have no names) and places. Borrowed. */
struct model_names {
    const char *const *fn;
    uint32_t nfn;
    const struct model_objects *objects;
    const struct program_text *text; /* of a Go program, where its places are; NULL: none has a name */
    /* Of a run that is followed while it goes on: returns the number that the program of this name has, or will have; EV_NONE: there is no room for
     * more. Names that have not come yet are NULL in `fn`. Caller: the thread that folds, or has its lock. NULL: `fn` has all of them. */
    uint32_t (*later)(void *ctx, const char *name);
    void *ctx;
};

struct model_config {
    uint32_t runq_size, start_tick;
    uint32_t generation; /* enum rt_generation: selects sentences and Go functions (event_sentence, event_go) */
    uint64_t seed;
    struct model_names names;
    struct model_objects objects; /* n 0: they have no names */
    bool heaps_stay;              /* timer heaps outlive their Ps (generations with timer buckets) */
    uint32_t procs;               /* GOMAXPROCS at the start, for a generation without Ps */
    uint32_t known;               /* a set of KNOWN(…): the known ways to leave a G while a P is idle (rt_known) */
    bool exact;                   /* events are offered in the order in which they happened (lockstep), so more invariants can be checked */
    /* A set of LACKS(…): what the source of the events never records. 0: it records everything, as a live run does. A model with a set is
     * partial: it derives what an event presupposes, and checks no invariants (fold_partial.c). */
    uint32_t lacks;
};

#define MODEL_FORGOTTEN UINT32_MAX                 /* fn of a G that ended long ago: only its status and place are still valid */
struct model_g {                                   /* one G; ended ones stay known (status G_DEAD). 48 bytes: there can be millions */
    uint32_t id, where, slot, seq, fn, i, by, obj; /* slot: for PLACE_RUNQ only; model_globq() has the order of the global queue */
    uint16_t reason;                               /* FT_REASON */
    uint8_t status, place;                         /* enum g_status, enum g_place */
    uint8_t via;                                   /* enum g_place from which an M last took it */
    uint8_t came;                                  /* the event by which it got its status; EV_NETPOLL_READY: made ready by its socket */
    bool front : 1;                                /* it waits in front of the queue */
    bool beside_idle : 1;                          /* it gave up its P and was queued while a P was idle */
    uint8_t lacks;                                 /* what of it is not known (model_knows) */
    int64_t since;                                 /* time of its last transition */
};
_Static_assert(sizeof(struct model_g) == 48, "the sizes of its fields leave no hole");
struct model_p {
    uint32_t status, m, head, tail, runnext, schedtick, seq, timerseq;
    uint32_t ring[256];          /* indexed by the absolute index modulo runq_size */
    uint32_t ntimers, captimers; /* captimers: of timerbuf */
    struct snap_timer *timers;   /* sorted by (when, g); points into timerbuf */
    struct snap_timer *timerbuf;
    uint32_t lacks, guess; /* sets of LACKS(…): what of it is not known; what is derived */
    uint32_t later;        /* while the ring is not known: Gs from slot `tail` on that are behind its unknown part (replay.c) */
    bool global_before;    /* replay.c: it took its last G from the global queue, and has got none since */
};
enum m_doing {
    MD_NONE,
    MD_RUN,
    MD_SPIN,
    MD_IDLE,
    MD_SYSCALL,
    MD_NETPOLL,
    MD_SCHED,
    MD_SYSMON,
    MD_LOCKED,
    MD_TEMPLATE,
    MD_EXITED,
    MD_UNKNOWN
}; /* what to show */
struct model_m {
    bool started, spinning, blocked, netpoll, sysmon, template, exited;
    bool syscall;      /* curg is in a system call */
    bool wired;        /* … and its P, still running, stays with it (since 1.26) */
    int8_t idlelocked; /* 1: sleeps until its locked G can run; -1: woken before it slept */
    uint32_t lockedg;  /* the only G it runs, 0: any */
    uint32_t lacks;    /* as of a P */
    uint32_t guess;
    uint32_t p, curg, oldp;
    uint32_t hand;                  /* replay.c: the last G that it readied for itself, 0: none; hand_deferred: no queue has it yet */
    uint32_t injected, inject_most; /* replay.c: how many Gs it has injected in one go; how many of them go to the global queue */
    bool hand_deferred;
    uint32_t transit_n, transit_cap; /* transit_cap: how many fit from `transit` on */
    uint32_t *transit;               /* runnable Gs that it is moving, oldest first; points into transit_buf */
    uint32_t *transit_buf;
    struct model_search *search; /* model_search() */
    bool search_over;            /* it has ended */
    bool fires;                  /* it runs the function of a timer that has left its heap, which may send or start a G */
    int64_t since;               /* time its enum m_doing last changed */
    int64_t no_cpu;              /* when it gets a CPU again; 0 or past: it has one */
    int64_t delay;               /* netpoll: for how long it waits at most, ns; -1: until something is ready */
};

/* The state of a channel, a mutex … as object events report it; the fields are those of struct snap_object. held is a count, because in
 * free mode the events of two holders may be folded in the wrong order. */
struct model_object {
    int32_t n, n2, held, starving;
    uint32_t holder;
    uint32_t changes;  /* the last change of a channel, or the last lock of a mutex, that was folded */
    uint32_t ended;    /* the last lock of a mutex that was unlocked */
    uint32_t cap;      /* slots of a channel's buffer, if the program has made it (CHAN_OP_MAKE) */
    bool closed, seen; /* seen: an event was about it */
    int64_t since;     /* when the holder took it */
};
/* A G in the queue of an object. side: 0 if it receives, reads or waits, 1 if it sends or writes. */
struct model_waiter {
    struct ev_object object;
    uint32_t g;
    uint8_t side;
    bool front;
    int64_t since;
};

/* clang-format off */
#define MODEL_COUNTERS(X) \
    X(goroutines) X(rounds) X(steals) X(stolen) X(steal_tries) X(runq_overflows) X(overflowed) X(globq_gets) \
    X(fairness_gets) X(runnext_runs) X(spins) X(handoffs) X(retakes) X(preempts) X(async_preempts) X(parks) X(wakes) \
    X(m_created) X(m_parks) X(netpolls) X(timers_fired) X(syscalls) X(stws) \
    X(races) X(stranded) KNOWN_LIST(X) X(policy_wrong) X(leaks)
/* clang-format on */
struct counters {
#define X(name) uint64_t name;
    MODEL_COUNTERS(X)
#undef X
};
#define COUNTERS_N (sizeof(struct counters) / sizeof(uint64_t))
extern const char *const counter_name[COUNTERS_N];
int counter_index(const char *name); /* -1: unknown */
static inline uint64_t counter_get(const struct counters *c, int i)
{
    return ((const uint64_t *)c)[i];
}

struct model *model_new(const struct model_config *cfg); /* NULL: out of memory */
void model_free(struct model *md);
struct model *model_clone(const struct model *md); /* a copy for a screen or a keyframe (G pages are shared until
                                                            * written); it may be used and freed on another thread */
/* Advances the time without an event, for a copy that is shown or reported as of a later time. */
void model_pass_time(struct model *md, int64_t time);
/* Offers one event. Returns OFFER_APPLIED, OFFER_NOT_YET or OFFER_BROKEN; unless it was applied, nothing has changed
 * (a partial model may have derived something from an event that is broken). text: as in struct
 * log_sink. */
enum offer model_offer(struct model *md, uint32_t m, const struct ev *e, const char *text, size_t len);
/* Offers *n events that M logged in one go, without text, and applies the first of them or more (records.def). Sets *n to how many it
 * applied, if it returns OFFER_APPLIED. The state is then as after so many calls of model_offer(). */
enum offer model_offer_record(struct model *md, uint32_t m, const struct ev *e, uint32_t *n);
/* Notes that a G has reached an operation (model_g_op). Returns false if memory ran out. Not an event. */
bool model_place(struct model *md, uint32_t g, uint32_t op);
const char *model_error(const struct model *md); /* why the last offer was broken */
/* Returns the first violation of work conservation (work_conservation.c), NULL if there is none. Such a log is still consistent. */
const char *model_violation(const struct model *md, enum lang lang);
/* Returns true if that violation is a G that waits next to an idle P. */
bool model_strands(const struct model *md);
void model_inexact(struct model *md);            /* from now on events are merged by sequence numbers (model_config.exact) */
bool model_lacks_memory(const struct model *md); /* true if model_offer() returned OFFER_BROKEN because memory ran out */
bool model_snapshot(const struct model *md, struct snapshot *out); /* false: out of memory */

/* Checks the invariants (invariant.c). Caller: every M is at a gate. Returns false if one is violated; `why` says which. */
bool model_check(const struct model *md, char *why, size_t size);

/* ---- what is known (knows.c) ----
 * A live run has nothing unknown. An unknown G in a queue has the id 0. */
enum model_what {
    /* of a P */
    KNOW_P_STATE,
    KNOW_P_M,
    KNOW_P_RUNNEXT,
    KNOW_P_RUNQ, /* which Gs its ring holds */
    KNOW_P_LEN,  /* how many */
    KNOW_P_HEAD, /* the absolute indices of its ring */
    KNOW_P_TAIL,
    KNOW_P_TICK,
    KNOW_P_TIMERS,
    /* of an M */
    KNOW_M_STATE,
    KNOW_M_P,
    KNOW_M_G,
    KNOW_M_SEARCH, /* what it read while it searched */
    /* of a G */
    KNOW_G_STATE,
    KNOW_G_PLACE,
    KNOW_G_REASON,
    KNOW_G_FN,
    KNOW_G_BY,
    KNOW_G_SINCE,
    /* of the scheduler; the id is ignored */
    KNOW_PS, /* how many Ps there are */
    KNOW_GLOBQ,
    KNOW_GLOBQ_LEN,
    KNOW_IDLE_P, /* the list of idle Ps */
    KNOW_IDLE_P_N,
    KNOW_IDLE_M,
    KNOW_SPINNING,
    KNOW_STEALS,
    KNOW_WAITS,   /* how long Gs were runnable */
    KNOW_OBJECTS, /* channels, mutexes … */
    KNOW_OUTPUT,  /* what the program prints */
    KNOW_BEFORE,  /* what was before the first event */
    KNOW_WHATS
};
_Static_assert(KNOW_WHATS <= 32, "what is known fits into a set");
#define LACKS(what) (UINT32_C(1) << (what))
enum model_known { KNOWN_FACT, KNOWN_DERIVED, KNOWN_NOT };
enum model_known model_knows(const struct model *md, enum model_what what, uint32_t id);
bool model_is_partial(const struct model *md); /* false: its source sees everything, so everything is known */
/* A row of the ledger: something that is not known, or derived. */
struct model_gap {
    enum model_what what;
    enum model_known known; /* never KNOWN_FACT */
    bool unrecorded;        /* the source never records it; else it has not been seen yet */
    uint32_t n, id;         /* of how many Ps, Ms or Gs, and the first of them; n 0: of the scheduler */
};
/* Writes the rows to `out`, which has room for KNOW_WHATS * 2. Returns how many there are; 0: everything is known. */
uint32_t model_unknown(const struct model *md, struct model_gap *out);
uint32_t model_looks(const struct model *md); /* the number of the last look; 0: its source does not look, it reports events */

/* How a replay of the scheduler's rules explains the starts of Gs, for a source that records no queues (replay.c). by[RULE_NONE]: it does not. */
enum model_rule {
    RULE_NONE,
    RULE_RUNNEXT,
    RULE_RING,
    RULE_GLOBAL,
    RULE_TICK, /* the global queue, although its own has Gs */
    RULE_STEAL,
    RULE_STEAL_NEXT,
    RULE_HAND, /* its M had it in its hand: from the poller, from a call, a mark worker */
    MODEL_RULES
};
struct model_replay {
    uint64_t starts, by[MODEL_RULES];
};
bool model_replay(const struct model *md, struct model_replay *out); /* false: its queues are recorded, or not derived */

/* ---- readers ---- */
uint32_t model_np(const struct model *md);
uint32_t model_nm(const struct model *md); /* highest M id + 1 */
const struct model_p *model_p(const struct model *md, uint32_t p);
const struct model_m *model_m(const struct model *md, uint32_t m);
const struct model_g *model_g(const struct model *md, uint32_t g); /* NULL: unknown */

/* Returns the next G after G g, by id, that has not ended; 0: none. g 0: the first. */
uint32_t model_next_live(const struct model *md, uint32_t g);
/* The operation of its program that the G is in or reaches next (g_op). False: none was recorded. */
bool model_g_op(const struct model *md, uint32_t g, uint32_t *op);

/* The last search of an M for a G (search.c). A step is an event of the M with its number; number 0: the M did not get there. */
struct search_step {
    uint64_t event;
    struct ev ev;
};
enum { SEARCH_STAGES = 16, SEARCH_RECHECKS = 4, SEARCH_TRIES = 16 };
enum search_end { SEARCH_GOES_ON, SEARCH_FOUND, SEARCH_SLEEPS };
struct model_search {
    uint64_t first, last; /* events: the first step; the last step or what ended the search */
    enum search_end end;
    uint32_t g;                                  /* found: the G that it started */
    uint32_t stages, rechecks;                   /* which of them are set, as bits */
    uint32_t again;                              /* how often it began again; the steps are those since the last time */
    struct search_step stage[SEARCH_STAGES];     /* by enum find_stage */
    struct search_step recheck[SEARCH_RECHECKS]; /* by enum recheck_what */
    struct search_step took;                     /* runnext_get, runq_get, globq_get, steal, m_nextg, gc_worker, netpoll_ready */
    uint32_t tries;                              /* steal_try: all of them; the newest are kept */
    struct search_step try[SEARCH_TRIES];        /* number i from 0 is at i % SEARCH_TRIES */
};
/* Returns NULL if none was recorded. */
const struct model_search *model_search(const struct model *md, uint32_t m);
/* Returns what is known of an object; all zero if nothing is. */
struct model_object model_object(const struct model *md, struct ev_object o);
/* Returns the highest number of an object of a kind: of the scenario, or that an event has named. */
uint32_t model_objects(const struct model *md, enum ev_object_kind kind);
bool model_object_is(const struct model *md, struct ev_object o); /* is there an object with such a number? */
/* Writes an object's name: the scenario's, "rw.w" for the mutex inside of an RWMutex, its number if it has none. Returns buf. */
enum { OBJECT_NAME = 64 };
const char *model_object_name(const struct model *md, struct ev_object o, char buf[OBJECT_NAME]);
/* Returns the slots of a channel's buffer. */
uint32_t model_object_cap(const struct model *md, struct ev_object o);
/* Lists the Gs that wait, once for each queue that a G is in, but not more than `most`. *out: the *n of them, by object and side in the order
 * of the queue; free() it. A G that waits for no object has OBJ_NONE and its wait reason as id; so has a G in a select, besides its
 * channels. Returns false if memory ran out; then there are none. */
bool model_waiters(const struct model *md, uint32_t most, struct model_waiter **out, uint32_t *n);
enum { WAITERS_SHOWN = 1 << 16 }; /* enough for a screen, which lists them for each frame */
/* Returns what the M read there, by the name of the event's field; 0 if the step has no such field. */
int64_t search_value(const struct search_step *s, const char *field);
/* Returns whether the P is held by a system call: it is in Psyscall, or it runs, with an M that is in the call. */
bool model_p_in_call(const struct model *md, uint32_t p);
enum m_doing model_m_doing(const struct model *md, uint32_t m);
uint32_t model_globq(const struct model *md, const uint32_t **from_head);
uint32_t model_idlep(const struct model *md, const uint32_t **from_top);
uint32_t model_idlem(const struct model *md, const uint32_t **from_top);
uint32_t model_runq_size(const struct model *md);
uint32_t model_nmspinning(const struct model *md);
bool model_needspinning(const struct model *md);
uint32_t model_npidle(const struct model *md); /* how many Ps are idle; not in a list of model_idlep() if only that is known */
uint64_t model_events(const struct model *md); /* events applied */
int64_t model_time(const struct model *md);    /* the latest time of an event so far */
uint32_t model_count_g(const struct model *md, enum g_status st);
const struct counters *model_counters(const struct model *md);
void model_set_races(struct model *md,
                     uint64_t races);                /* the only counter that events do not define: a reader counts them (engine/races.h) */
void model_note_leaks(struct model *md, uint64_t n); /* at the end of a run: no event says it (waits.h) */
/* The time from runnable to running over all g_start events so far: percentiles from a log-scaled histogram (≤ 2 % off), exact maximum. */
enum { LATENCIES = 3 };
extern const char *const latency_name[LATENCIES]; /* of p50, p99, max */
void model_latency(const struct model *md, int64_t *p50, int64_t *p99, int64_t *max);
/* The same times as a histogram: bin[i] counts those from 2^i to 2^(i+1) - 1 ns, bin[0] also 0, the last one all longer ones. Gs that are
 * still runnable count with their time so far. Returns how many there are. */
enum { WAIT_BINS = 36 };
uint64_t model_waits(const struct model *md, uint64_t bin[WAIT_BINS]);

/* What the Gs of a program have used up to now. */
struct model_use {
    uint32_t created, ended;
    uint32_t waiter; /* the G that was runnable the longest without a break, 0: none */
    int64_t ran;     /* ns on CPUs, without system calls */
    int64_t waited;  /* ns for which `waiter` was runnable */
};
/* Returns how many programs there are. The last one stands for the runtime's own Gs and has no name. */
uint32_t model_programs(const struct model *md);
const char *model_program_name(const struct model *md, uint32_t program);
/* Fills `out`, one for each program. */
void model_uses(const struct model *md, struct model_use *out);

/* Timer heaps: that of each P, of each bucket, or the only one. Stores the timers of heap i, the earliest first; returns how many. */
uint32_t model_heaps(const struct model *md);
uint32_t model_heap(const struct model *md, uint32_t i, const struct snap_timer **first);
bool model_heaps_are_buckets(const struct model *md); /* timerproc Gs serve the heaps, which outlive their Ps */

/* What thieves of one P did to the queue of another: gs is how many Gs they took. tries: only where detail events are recorded. */
struct model_steals {
    uint32_t steals, gs, tries;
};
struct model_steals model_steals(const struct model *md, uint32_t thief, uint32_t victim);
uint32_t model_np_ever(const struct model *md); /* highest id of a P, even of one that was destroyed, + 1 */
struct model_last_steal {
    uint64_t event; /* 0: no steal yet */
    uint32_t thief, victim, gs;
};
struct model_last_steal model_last_steal(const struct model *md);

/* Whether the world runs, and what the collector does. */
enum world_state { WORLD_RUNS, WORLD_STOPS, WORLD_STOPPED };
struct model_world {
    enum world_state state;
    enum gc_phase_kind phase;
    uint32_t by, why; /* unless it runs: the M that stops it, and its reason (enum stw_why) */
    int64_t since;    /* unless it runs: when the M began */
};
struct model_world model_world(const struct model *md);
const char *model_fn_name(const struct model *md, uint32_t g);
const char *model_fn(const struct model *md, uint32_t fn); /* the same of a field fn; "": it has no name */
int model_ended(const struct model *md);                   /* ENDED_… or -1 */
/* Reads a gauge ("p0.runq", "globq", "g7.state" …); states are numbers. Returns false if there is no such gauge now. */
bool model_gauge(const struct model *md, const char *name, int64_t *value);

/* ---- text ---- */
/* Writes an event as `--events` prints it: "TIME_NS M2 P0 steal thief=0 victim=1 n=3". Returns the length needed, as snprintf() does; so do
 * the functions below. */
int event_line(const struct model *md, uint32_t m, const struct ev *e, const char *text, size_t len, char *buf, size_t size);
/* Writes a field's value as that line has it. */
int event_value(const struct model *md, const struct ev_field *f, int64_t v, const char *text, size_t len, char *buf, size_t size);
/* Write, in the same form and as a sentence, that the condition `text` became true at a time without an event. */
int moment_line(int64_t time, const char *text, char *buf, size_t size);
int moment_sentence(int64_t time, const char *text, enum lang lang, char *buf, size_t size);
/* Fills in the {fields} of a template with those of the event. Other braces stay. */
int event_say(const struct model *md, uint32_t m, const struct ev *e, const char *text, size_t len, const char *at, enum lang lang,
              char *buf, size_t size);
/* Writes an event as a sentence. Caller: has folded the event. */
int event_sentence(const struct model *md, uint32_t m, const struct ev *e, const char *text, size_t len, enum lang lang, char *buf,
                   size_t size);

/* Returns the Go function that the event mirrors in the run's generation. */
const char *event_go(const struct model *md, const struct ev *e);
const char *event_go_reason(const struct model *md, const struct model_g *g); /* why g waits, in the tracebacks of that version */

/* ---- tests ---- */
/* Freezes a field (audit_field_name[] order, engine/audit.c): model_snapshot() then reports its initial value (of a G at its go_create,
 * of an M at its m_start, of the rest at the first procresize), and 0 for a field that is set only at that moment. */
enum audit_field {
    AUDIT_P_STATUS,
    AUDIT_P_M,
    AUDIT_P_HEAD,
    AUDIT_P_TAIL,
    AUDIT_P_RING,
    AUDIT_P_RUNNEXT,
    AUDIT_P_SCHEDTICK,
    AUDIT_P_TIMERS,
    AUDIT_GLOBQ,
    AUDIT_IDLEP,
    AUDIT_IDLEM,
    AUDIT_DISABLED,
    AUDIT_NMSPINNING,
    AUDIT_NEEDSPINNING,
    AUDIT_NPIDLE,
    AUDIT_TIMERS,
    AUDIT_G_STATUS,
    AUDIT_G_PLACE,
    AUDIT_G_REASON,
    AUDIT_G_OBJ,
    AUDIT_G_FN,
    AUDIT_G_I,
    AUDIT_G_BY,
    AUDIT_M_P,
    AUDIT_M_CURG,
    AUDIT_M_SPINNING,
    AUDIT_M_BLOCKED,
    AUDIT_M_LOCKEDG,
    AUDIT_M_EXITED,
    AUDIT_M_OLDP,
    AUDIT_M_NETPOLL,
    AUDIT_M_SYSMON,
    AUDIT_M_TEMPLATE,
    AUDIT_M_IDLELOCKED,
    AUDIT_O_COUNT,
    AUDIT_O_HELD,
    AUDIT_O_HOLDER,
    AUDIT_O_FLAG,
    AUDIT_O_WAITERS,
    AUDIT_COUNTERS,
    AUDIT_COUNT
};
void model_freeze(struct model *md, enum audit_field f);

#endif
