/* The reader's side, and lockstep. A real run's log is recorded once and folded again and again, by the model alone. Then the consumer of
 * free runs, with all that it does in a run: merge, fold, claims, history. Then: how fast lockstep is, in one run and event by event, and how
 * many bytes an event takes. */
#include "bench/micro.h"
#include "bench/common.h"
#include "engine/engine.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS = 7, EVENTS = 1000000, BATCH = 20000, STEPS = 20000, RINGS = 64 };

static int64_t cpu(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* ---- a recorded log ---- */

struct record {
    uint32_t m;
    struct ev ev;
};
struct recording {
    struct record *at;
    uint64_t n;
    bool text;
};

static enum offer keep(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct recording *r = ctx;
    (void)text;
    if (r->n == EVENTS)
        return OFFER_HOLD;
    r->text = r->text || len > 0 || m >= RINGS;
    r->at[r->n++] = (struct record){m, *e};
    return OFFER_APPLIED;
}

/* Records the first events of a lockstep run. False: there are too few, or some have text (the program prints
 * nothing). */
static bool record(const struct scenario *sc, enum ev_level level, struct recording *r)
{
    struct rt_config cfg = scenario_config(sc);
    cfg.level = level;
    struct scenario_run *run = scenario_run_new(sc, &cfg);
    if (!run || rt_start(scenario_run_sched(run)) != 0)
        return false;
    struct log_sink sink = {.ctx = r, .offer = keep};
    struct log *log = rt_log(scenario_run_sched(run));
    conductor_run(rt_conductor(scenario_run_sched(run)));
    while (r->n < EVENTS && log_drain(log, LOG_BY_TIME, &sink, UINT64_MAX) >= 0)
        usleep(1000);
    scenario_run_free(run);
    return r->n == EVENTS && !r->text;
}

static struct model *new_model(const struct scenario *sc)
{
    struct rt_config rt = scenario_config(sc);
    struct model_config mc = {
        .runq_size = rt.runq_size,
        .start_tick = rt_first_tick(&rt),
        .seed = rt.seed,
        .names = scenario_info(sc)->programs,
        .procs = rt.gomaxprocs,
        .known = rt_known(&rt),
        .exact = true};
    return model_new(&mc);
}

/* ---- the fold ---- */

/* Returns ns per event; negative: an event contradicts the state. */
static double fold(const struct scenario *sc, const struct recording *r)
{
    struct model *md = new_model(sc);
    int64_t t = cpu();
    uint64_t n = 0;
    while (n < r->n && model_offer(md, r->at[n].m, &r->at[n].ev, NULL, 0) == OFFER_APPLIED)
        n++;
    t = cpu() - t;
    model_free(md);
    return n == r->n ? (double)t / (double)r->n : -1;
}

static enum offer fold_one(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    return model_offer(ctx, m, e, text, len);
}

/* The same through the rings and the merge; filling the rings is not counted. */
static double merge(const struct scenario *sc, const struct recording *r)
{
    struct model *md = new_model(sc);
    struct log *log = log_new(RINGS);
    struct log_sink sink = {.ctx = md, .offer = fold_one};
    int64_t all = 0;
    uint64_t n = 0;
    for (bool good = true; good && n < r->n;) {
        uint64_t from = n;
        for (; n < r->n && n < from + BATCH; n++)
            ring_put(log_ring(log, r->at[n].m), &r->at[n].ev, NULL, 0);
        int64_t t = cpu();
        good = log_drain(log, LOG_BY_TIME, &sink, UINT64_MAX) == (int64_t)(n - from);
        all += cpu() - t;
        n = good ? n : 0;
    }
    log_free(log);
    model_free(md);
    return n == r->n ? (double)all / (double)r->n : -1;
}

static void fold_rows_of(const struct scenario *sc, enum ev_level level, struct recording *r)
{
    struct samples f = {.n = 0}, g = {.n = 0};
    if (!record(sc, level, r)) {
        micro_failed("fold", "the run cannot be recorded");
        return;
    }
    for (int i = 0; i < ROUNDS; i++) {
        double a = fold(sc, r), b = merge(sc, r);
        if (a < 0 || b < 0) {
            micro_failed("fold", "the log contradicts itself");
            return;
        }
        sample(&f, 1000 / a);
        sample(&g, 1000 / b);
    }
    bool core = level == EV_CORE;
    micro_row(core ? "the model alone: core events folded" : "the model alone: events of all levels folded", "million/s", &f, ">= 20");
    micro_row(core ? "  core events merged and folded" : "  events of all levels merged and folded", "million/s", &g, "");
}

static void fold_rows(const struct scenario *sc)
{
    struct recording r = {.at = malloc(EVENTS * sizeof *r.at)};
    for (int level = EV_CORE; r.at && level <= EV_DETAIL; level++) {
        r.n = 0;
        fold_rows_of(sc, (enum ev_level)level, &r);
    }
    free(r.at);
}

/* ---- the consumer of a free run ---- */

/* Samples the events that the consumer takes in a second of its CPU time. False: the run failed. */
static bool consume(const struct scenario *sc, uint64_t history, struct samples *rate)
{
    char err[200];
    struct engine_config c = {
        .scenario = sc,
        .rt = scenario_config(sc),
        .limit = INT64_MAX,
        .max_events = UINT64_MAX,
        .history = history,
        .out = OUT_PROGRAM,
        .stream = stdout};
    c.rt.mode = MODE_FREE;
    c.rt.gomaxprocs = 1;
    c.procs_asked = true;
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e)
        return false;
    int64_t t = cpu(); /* of this thread, which is the consumer */
    engine_drive(e, &(struct drive){.audit = false});
    sample(rate, (double)e->events * 1e3 / (double)(cpu() - t));
    bool good = !engine_failed(e);
    engine_free(e);
    return good;
}

static void consumer_rows(const char *name)
{
    struct samples plain = {.n = 0}, kept = {.n = 0};
    char err[200], row[80];
    struct scenario *sc = program_load(name);
    bool good = sc && scenario_fix(sc, "n=200", err, sizeof err);
    for (int i = 0; good && i < ROUNDS; i++)
        good = consume(sc, 0, &plain) && consume(sc, HISTORY_BUDGET, &kept);
    scenario_free(sc);
    if (!good) {
        micro_failed(name, "the run failed");
        return;
    }
    snprintf(row, sizeof row, "a free run's consumer, headless, %s: events", name);
    micro_row(row, "million/s", &plain, ">= 40");
    micro_row("  with the history kept and indexed, as on a screen", "million/s", &kept, "");
}

/* ---- lockstep ---- */

static struct engine *start(const struct scenario *sc, uint64_t events, uint64_t history)
{
    char err[200];
    struct engine_config c = {.scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = events, .history = history};
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e)
        micro_failed("lockstep", err);
    return e;
}

/* Runs to the end; false: the run failed. Samples: events per second of wall time, CPU time per event of all
 * threads, bytes of history per event. */
static bool run_once(const struct scenario *sc, uint64_t history, struct samples *rate, struct samples *ns, struct samples *bytes)
{
    struct engine *e = start(sc, EVENTS, history);
    if (!e)
        return false;
    int64_t wall = clock_ns(CLOCK_MONOTONIC), t = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    engine_drive(e, &(struct drive){.audit = false});
    wall = clock_ns(CLOCK_MONOTONIC) - wall;
    t = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - t;
    sample(rate, (double)e->events * 1e3 / (double)wall);
    sample(ns, (double)t / (double)e->events);
    if (e->history) {
        struct history_stats st = history_stats(e->history);
        sample(bytes, (double)(st.bytes + st.file_bytes) / (double)history_events(e->history));
    }
    bool good = !engine_failed(e);
    engine_free(e);
    return good;
}

/* Like the key s: one core event, the stop, its fold. */
static bool steps(const struct scenario *sc, struct samples *rate)
{
    struct engine *e = start(sc, UINT64_MAX, 0);
    if (!e)
        return false;
    int64_t t = clock_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < STEPS && !engine_failed(e); i++) {
        engine_step(e, UNIT_CORE, 1);
        engine_wait_stopped(e, -1);
        engine_fold_core(e);
    }
    t = clock_ns(CLOCK_MONOTONIC) - t;
    sample(rate, STEPS * 1e6 / (double)t);
    bool good = !engine_failed(e);
    engine_free(e);
    return good;
}

static void lockstep_rows(const struct scenario *sc)
{
    struct samples rate = {.n = 0}, ns = {.n = 0}, step = {.n = 0}, rate_past = {.n = 0}, ns_past = {.n = 0}, bytes = {.n = 0};
    for (int i = 0; i < 3; i++)
        if (!run_once(sc, 0, &rate, &ns, &bytes) || !run_once(sc, HISTORY_BUDGET, &rate_past, &ns_past, &bytes) || !steps(sc, &step)) {
            micro_failed("lockstep", "the run failed");
            return;
        }
    micro_row("lockstep, headless: events", "million/s", &rate, "");
    micro_row("  CPU time of all threads, an event", "ns", &ns, "");
    micro_row("  the same with the past kept", "ns", &ns_past, "");
    micro_row("lockstep, stopped at each core event: steps", "thousand/s", &step, "");
    struct samples ring = {.v = {sizeof(struct ev)}, .n = 1};
    micro_row("bytes an event in its ring (without text)", "bytes", &ring, "");
    micro_row("  in the past, with keyframes", "bytes", &bytes, "");
}

void micro_fold(void)
{
    struct scenario *sc = program_load("busy");
    if (!sc)
        return;
    fold_rows(sc);
    consumer_rows("pingpong");
    consumer_rows("spawn");
    lockstep_rows(sc);
    scenario_free(sc);
}
