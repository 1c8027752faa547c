/* Every sentence of variants.def is true wherever its event occurs. All shipped scenarios, and some more, are run in
 * all generations, as they are and with each switch of `disable`. No run may fail, every row must be reached, and
 * each sentence is checked against a small account of the run, which is built here from the events before and after
 * it. */
#include "engine/engine.h"
#include "load.h"

#include <stdlib.h>

/* ---- the rows, and which of them were seen ---- */

static struct {
    const char *event, *en;
    bool seen;
} sentences[] = {
#define SENTENCE(event, tests, en, ...) {#event, en, false},
#include "eventlog/variants.def"
};
static struct {
    const char *event, *function;
    bool seen;
} functions[] = {
#define GO(event, tests, function) {#event, function, false},
#include "eventlog/variants.def"
};

static void saw(const struct ev *e, unsigned gen)
{
    const char *en = ev_sentence(e, gen, 0), *go = ev_go(e, gen);
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        sentences[i].seen |= !strcmp(sentences[i].en, en);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        functions[i].seen |= !strcmp(functions[i].function, go);
}

/* ---- the account of a run ---- */

enum { MAX_P = 64, MAX_M = 64, MAX_G = 4096 };
struct account {
    const char *path;
    struct history *h;
    unsigned gen;
    uint32_t runnext[MAX_P];
    int64_t timers;
    bool in_poller[MAX_M];
};

static bool says(const struct account *a, const struct ev *e, const char *part)
{
    return strstr(ev_sentence(e, a->gen, 0), part) != NULL;
}

#define TRUE_THAT(condition) \
    do { \
        if (!(condition)) \
            t_fail(__FILE__, __LINE__, "%s, generations %u, event %llu, \"%s\": " #condition, a->path, a->gen, (unsigned long long)n, \
                   ev_sentence(e, a->gen, 0)); \
    } while (0)

/* Returns m's next event after n, leaving out time jumps and waits for locks; its kind is EV_KINDS if there is none. */
static struct history_event next_of(const struct account *a, uint64_t n, uint32_t m)
{
    struct history_event next;
    while (++n <= history_events(a->h))
        if (history_get(a->h, n, &next) && next.m == m && next.ev.kind != EV_TIME_JUMP && next.ev.kind != EV_LOCK_WAIT)
            return next;
    return (struct history_event){.ev.kind = EV_KINDS};
}

static bool somebody_polls(const struct account *a)
{
    for (int m = 0; m < MAX_M; m++)
        if (a->in_poller[m])
            return true;
    return false;
}

/* Checks the events that end M m's search for work: m's next event must be what the sentence says. */
static void check_search(const struct account *a, uint64_t n, uint32_t m, const struct ev *e)
{
    uint8_t next = next_of(a, n, m).ev.kind;
    if (e->kind == EV_FIND_STAGE && e->a == FIND_STOP)
        TRUE_THAT(next == EV_M_PARK || next == EV_DEADLOCK || next == EV_KINDS); /* the last M to sleep finds the deadlock */
    if (e->kind == EV_FIND_STAGE && e->a == FIND_POLL_UNTIL)
        TRUE_THAT(!somebody_polls(a) && (next == EV_NETPOLL_WAIT || next == EV_KINDS));
    if (e->kind == EV_RECHECK && e->a != RECHECK_TIMERS && e->b) /* it takes a G of the global queue under the lock, and tells afterwards */
        TRUE_THAT(next == (e->a == RECHECK_GLOBAL ? EV_SPIN_START : EV_P_ACQUIRE) || next == EV_KINDS);
    if (e->kind == EV_RECHECK && e->a == RECHECK_TIMERS && !e->b)
        TRUE_THAT(a->timers == 0);
    if (e->kind == EV_RECHECK && e->a == RECHECK_TIMERS && e->b)
        TRUE_THAT(a->timers > 0);
}

static void check_queues(const struct account *a, uint64_t n, const struct ev *e)
{
    if (e->kind == EV_RUNNEXT_PUT) {
        TRUE_THAT(e->a == a->runnext[e->p]);
        TRUE_THAT(says(a, e, "kicks {kicked} out") == (a->runnext[e->p] != 0));
    }
    if (e->kind == EV_STEAL && (e->b & 1))
        TRUE_THAT(e->g == a->runnext[e->a] && says(a, e, "{victim}'s runnext {g}"));
    if (e->kind == EV_STEAL)
        TRUE_THAT(says(a, e, "{n} Gs") == (e->b >> 1 > 1));
    if (e->kind == EV_GLOBQ_PUT || e->kind == EV_GLOBQ_GET)
        TRUE_THAT(e->g != 0 && says(a, e, "{n} Gs") == (e->a != 1));
    if (e->kind == EV_GLOBQ_PUT && e->b == QUEUE_HEAD)
        TRUE_THAT(e->a == 1);
}

static void check_threads(const struct account *a, uint64_t n, uint32_t m, const struct ev *e)
{
    if (e->kind == EV_M_PARK)
        TRUE_THAT(e->p == EV_NO_P);
    if (e->kind == EV_M_PARK || e->kind == EV_NETPOLL_WAIT)
        TRUE_THAT((a->gen & (1u << GO1_0)) || says(a, e, "no P") == (e->kind == EV_M_PARK));
    if (e->kind == EV_M_EXIT)
        TRUE_THAT((e->b != 0) == (m == 0) && says(a, e, "cannot exit") == (m == 0));
    if (e->kind == EV_M_EXIT)
        TRUE_THAT(m == 0 || next_of(a, n, m).ev.kind == EV_KINDS);
    if (e->kind == EV_M_START)
        TRUE_THAT(says(a, e, "sysmon") == (m == 1 && !(a->gen & (1u << GO1_0))) && says(a, e, "first thread") == (m == 0));
    if (e->kind == EV_HANDOFF && e->a == HANDOFF_LAST_P_POLLS)
        TRUE_THAT(!somebody_polls(a));
    if (e->kind == EV_NEEDSPINNING)
        TRUE_THAT(e->a == 1);
}

static void check_rest(const struct account *a, uint64_t n, const struct ev *e)
{
    if (e->kind == EV_G_PREEMPT) {
        TRUE_THAT(!says(a, e, "slice") && says(a, e, "signal") == (e->b == PREEMPT_ASYNC));
        TRUE_THAT(e->p != EV_NO_P);
    }
    if (e->kind == EV_PROCRESIZE && !(a->gen & (1u << GO1_0)))
        TRUE_THAT(says(a, e, "stays") == (e->a == e->b) && says(a, e, "first") == (e->a == 0));
    if (e->kind == EV_SCHED_ENABLE_USER)
        TRUE_THAT(says(a, e, "from now on") == !e->a && (e->a || !e->b));
    if (e->kind == EV_P_GCSTOP)
        TRUE_THAT(says(a, e, "all Ps") == (e->d == 0));
    if (e->kind == EV_STEAL_TRY && (a->gen & (1u << GO1_4)))
        TRUE_THAT(e->b >= 1);
    else if (e->kind == EV_STEAL_TRY)
        TRUE_THAT(e->b >= 1 && e->b <= 4);
}

static void count(struct account *a, uint32_t m, const struct ev *e)
{
    if (e->kind == EV_RUNNEXT_PUT)
        a->runnext[e->p] = e->g;
    if (e->kind == EV_RUNNEXT_GET)
        a->runnext[e->p] = 0;
    if (e->kind == EV_STEAL && (e->b & 1))
        a->runnext[e->a] = 0;
    a->timers += (e->kind == EV_TIMER_ADD) - (e->kind == EV_TIMER_FIRE || e->kind == EV_TIMER_DROP);
    if (e->kind == EV_NETPOLL_WAIT || e->kind == EV_NETPOLL_READY)
        a->in_poller[m] = e->kind == EV_NETPOLL_WAIT;
}

static void check_run(struct history *h, const char *path, unsigned gen)
{
    struct account *a = calloc(1, sizeof *a);
    CHECK(a);
    *a = (struct account){.path = strrchr(path, '/') + 1, .h = h, .gen = gen};
    for (uint64_t n = 1; n <= history_events(h); n++) {
        struct history_event x;
        CHECK(history_get(h, n, &x) && x.m < MAX_M && (x.ev.p == EV_NO_P || x.ev.p < MAX_P));
        saw(&x.ev, gen);
        check_search(a, n, x.m, &x.ev);
        check_queues(a, n, &x.ev);
        check_threads(a, n, x.m, &x.ev);
        check_rest(a, n, &x.ev);
        count(a, x.m, &x.ev);
    }
    free(a);
}

/* Plays one run. disable: switches in addition to the scenario's. */
static void play_one(const struct scenario *sc, const char *path, enum rt_generation gen, uint32_t disable)
{
    char err[200];
    struct engine_config cfg = {
        .scenario = sc, .rt = scenario_config(sc), .limit = INT64_C(400000000), .max_events = 100000, .history = 64 << 20};
    cfg.rt.generation = gen;
    cfg.rt.mode = MODE_LOCKSTEP;
    cfg.rt.disable |= disable;
    struct engine *e = engine_new(&cfg, err, sizeof err);
    CHECK(e);
    engine_drive(e, &(struct drive){0});
    if (engine_failed(e))
        t_fail(__FILE__, __LINE__, "%s, %s: %s", path, generation_name[gen], e->failure);
    check_run(e->history, path, 1u << gen);
    engine_free(e);
}

static void play(const struct scenario *sc, const char *path, void *ctx)
{
    (void)ctx;
    for (enum rt_generation gen = 0; gen < GENERATIONS; gen++) {
        struct diag d;
        diag_init(&d, path);
        if (is_tried((int)gen) && scenario_fits(sc, gen, &d))
            for (uint32_t i = 0; i <= DIS_COUNT; i++)
                if (i == DIS_COUNT || ((!T_SANITIZED || i == DIS_HANDOFF) && rt_generation_has(gen, (enum rt_disable)i)))
                    play_one(sc, path, gen, i == DIS_COUNT ? 0 : 1u << i);
        diag_fini(&d);
    }
}

/* For rows that no shipped scenario reaches. */
static const char *const more[] = {
    /* go1.0: a G that is locked to its thread waits and is made ready by another */
    "name: locked\nscheduler: {gomaxprocs: 1}\nchannels: [c]\ngoroutines:\n"
    "  - {name: main, do: [{go: w}, {lock_os_thread: true}, {recv: c}, {unlock_os_thread: true}]}\n"
    "  - {name: w, do: [{compute: 1us}, {send: c}]}\n",
    /* one G that becomes ready while users' Gs are disabled */
    "name: one\nscheduler: {gomaxprocs: 2}\nchannels: [c]\ngoroutines:\n"
    "  - {name: main, do: [{go: w}, {sleep: 1ms}, {disable_user: 5ms}, {recv: c}]}\n"
    "  - {name: w, do: [{sleep: 2ms}, {send: c}]}\n",
    /* system calls during forEachP and while the world is being stopped */
    "name: calls\nscheduler: {gomaxprocs: 4}\nwaitgroups: [wg]\ngoroutines:\n"
    "  - {name: main, do: [{add: wg, n: 6}, {go: w, count: 6}, {loop: 20, do: [{gc: 40us}, {stop_the_world: 5us}]}, {wait: wg}]}\n"
    "  - {name: w, do: [{loop: 300, do: [{syscall: 3us}, {compute: 1us}]}, {done: wg}]}\n",
    /* timers that are reset while a G waits, stopped, found due, and waited for again */
    "name: timers\nscheduler: {gomaxprocs: 2}\nchannels: [c]\ngoroutines:\n"
    "  - {name: main, do: [{timer: 1h, as: t}, {go: w}, {sleep: 1ms}, {reset: t, after: 1ms}, {sleep: 5ms}, {timer: 1m, as: x}, {stop: x},\n"
    "      {sleep: 1ms}, {timer: 1ms, as: u}, {sleep: 3ms}, {recv: u}, {timer: 1h, as: v}, {go: s},\n"
    "      {loop: 3, do: [{select: [{recv: c}, {recv: v}]}]}]}\n"
    "  - {name: w, do: [{recv: t}]}\n"
    "  - {name: s, do: [{loop: 3, do: [{compute: 10us}, {send: c}]}]}\n",
    /* go1.26: a P was assigned a GC worker, but runs the trace reader */
    "name: reader\nscheduler: {gomaxprocs: 4, preempt_slice: 10s}\nwaitgroups: [wg]\ngoroutines:\n"
    "  - {name: main, do: [{trace_reader: true}, {add: wg, n: 3}, {go: w, count: 2}, {go: stops}, {gc: 900us}, {wait: wg}]}\n"
    "  - {name: w, do: [{loop: 180, do: [{yield: 1}]}, {done: wg}]}\n"
    "  - {name: stops, do: [{loop: 60, do: [{yield: 5}, {stop_the_world: 1us}]}, {done: wg}]}\n",
};

/* Rows that are not reached here: Go's throws, bugs of our runtime, an M that finds an idle P for marking after it has dropped its own, and
 * operations that a free run on a screen logs as one event (test_repeats.c). */
static const char *const not_reached[] = {
    /* of traces of real Go programs: test_import */
    "{g} waits; why is not recorded.", "{g} is preempted and gives up {p}.", "{g} has handed a lock over and gives up {p} (goyield).",
    "{g} ({fn}) is created.", "{m} takes {p} from a system call.", "throw: {text}", "throw", "internal error: {text}",
    "{m} rechecks the collector: an idle P can mark.", "{g} puts {times} values into channel {obj}, which holds {n} now.",
    "{g} takes {times} values from channel {obj}, which holds {n} now.", "{g} locks and unlocks mutex {obj}.",
    "{g} locks and unlocks mutex {obj} {times} times.", "{g} takes and gives back a read lock of RWMutex {obj}.",
    "{g} takes and gives back a read lock of RWMutex {obj} {times} times.",
    "{g} adds {add} to WaitGroup {obj} {times} times; it counts {n} now.",
    /* of timers without a number, as Go programs have them: test_timer_rules */
    "A timer is a zombie now: its entry stays on {p}'s heap, and will not fire.", "A timer on {p}'s heap gets a new time.",
    "A G waits for a timer again: its zombie on {p}'s heap comes back to life.",
    "The timer has its new time; its entry on {p}'s heap is sorted in later.", "A timer is taken out of its heap.",
    /* of channels that a program makes: test_objects */
    "{g} makes channel {obj}, which has no buffer.", "{g} makes channel {obj}, whose buffer has room for {n}."};

/* Returns 1 and prints the row if it was not reached and should have been, else 0. */
static int missing(const char *event, const char *text, bool seen)
{
    for (size_t i = 0; i < sizeof not_reached / sizeof *not_reached; i++)
        seen |= !strcmp(not_reached[i], text);
    seen |= strstr(event, "_SEEN") != NULL; /* no run logs it (test_unknown.c) */
    if (!seen)
        fprintf(stderr, "no event reaches the row %s \"%s\"\n", event, text);
    return !seen;
}

TEST(every_sentence_is_true_where_its_event_occurs)
{
    int n = 0;
    each_scenario(play, NULL);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        const char *path = t_file("more.yaml", more[i]);
        struct scenario *sc = load(path);
        play(sc, path, NULL);
        scenario_free(sc);
    }
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        n += missing(sentences[i].event, sentences[i].en, sentences[i].seen);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        n += missing(functions[i].event, functions[i].function, functions[i].seen);
    CHECK_INT(n, 0);
}
