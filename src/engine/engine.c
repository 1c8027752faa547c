/* One run: see engine.h. The heart is offer(): one merged event goes to the fold, and when the fold takes it, to everything
 * else that listens, in one order for all. */
#include "base/text.h"
#include "engine/engine.h"
#include "base/wall.h"
#include "engine/signals.h"
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 4096
#define NO_STATE "cannot keep the scheduler's state"

bool engine_failed(const struct engine *e)
{
    return e->failure[0] != '\0';
}

/* Records the failure and ends the runtime, whatever its Ms wait for. After a failure nothing is folded, so rings are no longer drained, and
 * locks may never be released. */
static void give_up(struct engine *e, bool lack, const char *fmt, va_list ap)
{
    if (engine_failed(e))
        return;                       /* the first one is the cause */
    e->lack = lack;
    vsnprintf(e->failure, sizeof e->failure, fmt, ap);
    if (!engine_failed(e))
        strcpy(e->failure, "unknown");
    e->failed_at = wall_ns();
    if (!e->rt)
        return;
    e->lost = log_lost(e->log);       /* events dropped after the failure do not count as lost */
    rt_kill(e->rt);
}

bool engine_hangs(const struct engine *e)
{
    return engine_failed(e) && e->rt && !conductor_is_stopped(e->cond) && wall_ns() - e->failed_at > ENGINE_GRACE_NS;
}

void engine_fail(struct engine *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    give_up(e, false, fmt, ap);
    va_end(ap);
}

void engine_lacks(struct engine *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    give_up(e, true, fmt, ap);
    va_end(ap);
}

static void no_memory(struct engine *e, const char *what)
{
    engine_lacks(e, "%s: %s", what, strerror(ENOMEM));
}

static void check_refused(struct engine *e)
{
    struct conductor_refused r;
    if (e->refused[0] || !conductor_refused(e->cond, &r))
        return;
    const struct choice *c = &r.given;
    int n = snprintf(e->refused, sizeof e->refused, "choice %llu%c%u: ", (unsigned long long)c->draw, decision_kind_letter[c->kind],
                     c->pick);
    char *at = e->refused + n;
    size_t left = sizeof e->refused - (size_t)n;
    if (c->kind != r.kind)
        snprintf(at, left, "that draw is no %s but a %s", decision_kind_name[c->kind], decision_kind_name[r.kind]);
    else if (c->kind == DRAW_M)
        snprintf(at, left, "M%u cannot go on there; %u others can", c->pick, r.n);
    else
        snprintf(at, left, "that %s has %u outcomes, from 0", decision_kind_name[c->kind], r.n);
}

/* Folds the events that led to the failure, as far as possible, and then reports it. A throw logs an event; publish() fails the run at that
 * event, so that it is the last one. */
static void fail_behind(struct engine *e, const char *who, const char *text)
{
    for (uint64_t n, left = engine_pending(e); left && (n = engine_drain(e, left)); left -= n)
        ;
    engine_fail(e, "%s: %s", who, text);
}

void engine_check_throw(struct engine *e)
{
    check_refused(e);
    if (rt_lack_text(e->rt))
        engine_lacks(e, "%s", rt_lack_text(e->rt));
    if (rt_throw_text(e->rt))
        fail_behind(e, "throw", rt_throw_text(e->rt));
    if (conductor_error(e->cond))
        fail_behind(e, "conductor", conductor_error(e->cond));
}

bool engine_over(const struct engine *e)
{
    return e->how >= 0 || e->limit_met || e->write_error || engine_failed(e) || (!e->cfg.live && e->refused[0]);
}

const struct model *engine_view(const struct engine *e)
{
    return e->report ? e->report : e->model;
}

uint64_t engine_pending(const struct engine *e)
{
    return log_appended(e->log) - log_consumed(e->log);
}

uint64_t engine_lost(const struct engine *e)
{
    return engine_failed(e) ? e->lost : log_lost(e->log);
}

/* --- what listens to a folded event ------------------------------------------------------------------------------ */

static void remember(struct engine *e, uint32_t m, const struct ev *ev, const char *text, size_t len)
{
    struct engine_event *h = &e->last[(e->events - 1) & (ENGINE_LAST - 1)];
    h->number = e->events;
    h->m = m;
    h->ev = *ev;
    h->len = (uint32_t)(len < sizeof h->text ? len : sizeof h->text);
    if (h->len)
        memcpy(h->text, text, h->len);
    if (e->past && !history_add(e->past, e->model, m, ev, text, len))
        no_memory(e, "cannot keep the history");
}

static void remember_fatal(struct engine *e, const struct ev *ev, const char *text, size_t len)
{
    if (e->fatal[0])
        return;
    memcpy(e->fatal, text, len);
    e->fatal[len] = '\0';
    e->fatal_g = ev->g;
    e->fatal_kind = ev->b;
}

static void write_bytes(struct engine *e, const char *s, size_t n)
{
    if (n && fwrite(s, 1, n, e->cfg.stream) != n && !e->write_error)
        e->write_error = errno ? errno : EIO;
}

static void write_visible(struct engine *e, const char *s, size_t len)
{
    char out[VISIBLE_BYTES];
    for (size_t i = 0, n; i < len; i += n) {
        size_t bytes = visible_next(s + i, len - i, &n, out);
        write_bytes(e, out, bytes);
    }
}

/* n may be more than fits. */
static void write_line(struct engine *e, const char *line, int n)
{
    write_bytes(e, line, n < LINE_MAX_BYTES ? (size_t)n : LINE_MAX_BYTES - 1);
    write_bytes(e, "\n", 1);
}

static void write_event(struct engine *e, uint32_t m, const struct ev *ev, const char *text, size_t len)
{
    int n = 0;
    switch (e->cfg.out) {
    case OUT_NONE:
        return;
    case OUT_PROGRAM:
        if (ev->kind != EV_PRINT)
            return;
        (e->cfg.visible ? write_visible : write_bytes)(e, text, len);
        break;
    case OUT_EVENTS:
        n = event_line(e->model, m, ev, text, len, e->line, LINE_MAX_BYTES);
        break;
    case OUT_SENTENCES:
        n = event_sentence(e->model, m, ev, text, len, (int)e->cfg.lang, e->line, LINE_MAX_BYTES);
        break;
    }
    write_line(e, e->line, n);
}

void engine_flush(struct engine *e)
{
    if (e->cfg.stream && e->cfg.out != OUT_NONE && fflush(e->cfg.stream) && !e->write_error)
        e->write_error = errno ? errno : EIO;
}

void engine_cut(struct engine *e, int how)
{
    if (e->how >= 0)
        return;
    e->how = how;
    e->report = model_clone(e->model);
    if (!e->report)
        no_memory(e, NO_STATE);
}

/* What no event says: a condition came true by time alone. The last line, in the form of the others. */
static void print_moment(struct engine *e, const char *pattern, int64_t at)
{
    int n;
    if (e->cfg.out == OUT_NONE)
        return;
    if (e->cfg.out == OUT_SENTENCES)
        n = moment_sentence(at, pattern, (int)e->cfg.lang, e->line, LINE_MAX_BYTES);
    else
        n = moment_line(at, pattern, e->line, LINE_MAX_BYTES);
    write_line(e, e->line, n);
}

/* The event's --events line where stdout is the program's output; the other outputs have it already. */
static void print_break(struct engine *e, uint32_t m, const struct ev *ev, const char *text, size_t len)
{
    if (e->cfg.out != OUT_PROGRAM)
        return;
    e->cfg.out = OUT_EVENTS;
    write_event(e, m, ev, text, len);
    e->cfg.out = OUT_PROGRAM;
}

/* The breakpoint is met after this event, or (at >= 0) at that time before the next. */
static void met(struct engine *e, const struct breakpoint *k, int64_t at)
{
    snprintf(e->held_by, sizeof e->held_by, "%s", k->text);
    e->held_time = at;
    if (e->cfg.live) {
        e->held = true;
        conductor_pause(e->cond);
        return;
    }
    engine_cut(e, ENDED_BREAK);
    if (e->report && at >= 0)
        model_pass_time(e->report, at);
}

/* An entry of the lesson that stops is met: as a breakpoint. */
static void taught(struct engine *e)
{
    snprintf(e->held_by, sizeof e->held_by, "lesson %u of %u", e->lesson.met, e->lesson.n);
    e->held_time = -1;
    e->held = true;
    conductor_pause(e->cond);
}

void engine_lesson(struct engine *e, bool on)
{
    if (lesson_set(&e->lesson, on, e->events) && !engine_over(e))
        taught(e);
}

static void check_breaks(struct engine *e, uint32_t m, const struct ev *ev, const char *text, size_t len)
{
    const struct breakpoint *k = breaks_after(&e->breaks, e->model, e->events, m, ev, text, len);
    bool lesson = lesson_after(&e->lesson, e->model, e->events, m, ev, text, len);
    if (e->held || e->how >= 0)
        return;
    if (lesson)
        taught(e);
    if (!k)
        return;
    if (!e->cfg.live)
        print_break(e, m, ev, text, len);
    met(e, k, -1);
}

/* What durations say when it is `time` and nothing has happened since the last event. */
static void check_time(struct engine *e, int64_t time)
{
    int64_t at = 0;
    const struct breakpoint *k = e->breaks.n && e->events && e->how < 0 ? breaks_before(&e->breaks, e->model, time, &at) : NULL;
    if (!k)
        return;
    if (!e->cfg.live)
        print_moment(e, k->text, at);
    met(e, k, at);
}

static void limit_met(struct engine *e)
{
    if (e->cfg.live) {
        e->limit_met = e->held = true;
        conductor_pause(e->cond);
    } else {
        engine_cut(e, ENDED_LIMIT);
    }
}

static void publish(struct engine *e, uint32_t m, const struct ev *ev, const char *text, size_t len)
{
    e->events++;
    remember(e, m, ev, text, len);
    if (ev->kind == EV_FATAL)
        remember_fatal(e, ev, text, len);
    if (ev->kind == EV_FATAL && ev->b == FATAL_INTERNAL)
        engine_fail(e, "throw: %s", e->fatal);
    expect_event(e->expect, e->model, m, ev, text, len);
    write_event(e, m, ev, text, len);
    e->core = ev_desc[ev->kind].level == EV_CORE;
    e->round_end = ev_ends_round(ev->kind);
    e->rounds += e->round_end;
    if (ev->kind == EV_PROGRAM_END)
        engine_cut(e, model_ended(e->model));
    if (e->breaks.n || e->lesson.on)
        check_breaks(e, m, ev, text, len);
    if (e->events >= e->cfg.max_events && e->how < 0)
        limit_met(e);
}

static enum offer offer(void *ctx, uint32_t m, const struct ev *ev, const char *text, size_t len)
{
    struct engine *e = ctx;
    bool late = ev->time > e->cfg.limit;
    if (e->no_core && ev_desc[ev->kind].level == EV_CORE)
        return OFFER_HOLD;
    if (!e->held)
        check_time(e, late ? e->cfg.limit : ev->time);
    if (late && !e->held && e->how < 0)
        limit_met(e);                 /* before the fold: what is later than the limit is not part of the run */
    if (e->held || engine_failed(e))  /* what led to a failure stays the last that was folded */
        return OFFER_HOLD;
    enum offer r = model_offer(e->model, m, ev, text, len);
    if (r == OFFER_BROKEN && model_lacks_memory(e->model)) {
        no_memory(e, NO_STATE);
    } else if (r == OFFER_BROKEN) {
        int n = event_line(e->model, m, ev, text, len, e->line, LINE_MAX_BYTES);
        engine_fail(e, "the event log makes no sense: %s, at: %.*s", model_error(e->model), n < 400 ? n : 400, e->line);
    }
    if (r == OFFER_APPLIED && e->how < 0)
        publish(e, m, ev, text, len);
    if (r == OFFER_APPLIED && model_violation(e->model))
        engine_fail(e, "invariant: %s", model_violation(e->model));
    return r;
}

/* --- folding ------------------------------------------------------------------------------------------------------ */

static enum log_order merge_order(const struct engine *e)
{
    if (conductor_was_free(e->cond))
        return conductor_is_stopped(e->cond) ? LOG_AT_REST : LOG_BY_TICKET;
    return e->cfg.rt.fine ? LOG_BY_TIME_PATIENT : LOG_BY_TIME;
}

uint64_t engine_drain(struct engine *e, uint64_t max)
{
    struct log_sink sink = {.ctx = e, .offer = offer};
    if (engine_failed(e) || e->held)
        return 0;
    if (conductor_was_free(e->cond))
        model_inexact(e->model);
    int64_t n = log_drain(e->log, merge_order(e), &sink, max);
    if (n == LOG_BROKEN) {
        engine_fail(e, "the event log cannot be merged");
        return 0;
    }
    if (n > 0)
        conductor_passed(e->cond);
    return (uint64_t)n;
}

uint64_t engine_drain_detail(struct engine *e, uint64_t max)
{
    e->no_core = true;
    uint64_t n = engine_drain(e, max);
    e->no_core = false;
    return n;
}

/* Headless lockstep is exact without: the cut is where it is, however far the world has come meanwhile. And only who may stop at an event
 * looks at each (hook()), which costs an M in a free run as much again as to record it; at a limit of time a free run is cut by who folds it. */
void engine_arm(struct engine *e, bool in_step)
{
    conductor_watch(e->cond, e->breaks.n || e->lesson.on);
    bool free_mode = conductor_mode(e->cond) == MODE_FREE;
    conductor_arm(e->cond, in_step && (free_mode || e->cfg.live) && (breaks_any_when(&e->breaks) || lesson_any_when(&e->lesson)));
}

bool engine_past_limit(const struct engine *e)
{
    return conductor_mode(e->cond) == MODE_FREE && conductor_time(e->cond) > e->cfg.limit;
}

void engine_limit(struct engine *e)
{
    if (engine_over(e) || e->held)
        return;
    check_time(e, e->cfg.limit);
    if (!engine_over(e) && !e->held)
        limit_met(e);
}

bool engine_fold_core(struct engine *e)
{
    while (engine_drain(e, 1))
        if (e->core || e->how >= 0)
            return true;
    return false;
}

bool engine_fold_round(struct engine *e)
{
    while (engine_drain(e, 1))
        if (e->round_end || e->how >= 0)
            return true;
    return false;
}

void engine_release(struct engine *e)
{
    if (!e->limit_met) {
        e->held = false;
        e->held_by[0] = '\0';
        e->held_time = -1;
    }
}

static void compare(struct engine *e)
{
    if (!rt_snapshot(e->rt, &e->snap_rt) || !model_snapshot(e->model, &e->snap_model)) {
        no_memory(e, "cannot compare the memory");
        return;
    }
    char why[160];
    if (audit_compare(&e->snap_rt, &e->snap_model, &e->audit))
        engine_fail(e, "audit: %s", e->audit.first);
    else if (!model_check(e->model, why, sizeof why))
        engine_fail(e, "invariant: %s", why);
}

void engine_settle(struct engine *e, bool audit)
{
    while (engine_drain(e, ENGINE_BATCH))
        ;
    engine_check_throw(e);
    if (engine_failed(e) || e->held)
        return;
    if (engine_pending(e)) {
        char stuck[600];
        log_stuck(e->log, stuck, sizeof stuck);
        engine_fail(e, "all threads stand still, but %llu events cannot be folded: %s",
                    (unsigned long long)engine_pending(e), stuck);
    } else if (audit) {
        compare(e);
    }
}

/* --- life --------------------------------------------------------------------------------------------------------- */

/* Any M, on whatever stack, before its gate: it only stops the world near the place; the fold finds the place itself. */
static bool hook(void *ctx, uint32_t m, const struct ev *ev, const char *text, size_t len)
{
    struct engine *e = ctx;
    bool late = ev->time > e->cfg.limit;
    bool lesson = lesson_hit(&e->lesson, m, ev, text, len); /* looked at in any case: it counts */
    return breaks_hit(&e->breaks, m, ev, text, len) || lesson || late;
}

struct break_words engine_words(const struct engine *e)
{
    return (struct break_words){&scenario_info(e->cfg.scenario)->programs, rt_generation_has_p(e->cfg.rt.generation), e->cfg.p_beside};
}

static bool copy_breaks(struct engine *e)
{
    struct break_words w = engine_words(e);
    for (uint32_t i = 0; i < e->cfg.nbreaks; i++)
        if (breaks_add(&e->breaks, &w, e->cfg.breaks[i].text, false, NULL) == UINT32_MAX)
            return false;
    e->cfg.breaks = NULL; /* the caller's, who may be gone soon */
    return true;
}

static bool make_fold(struct engine *e)
{
    const struct scenario_info *info = scenario_info(e->cfg.scenario);
    struct model_config mc = {.runq_size = e->cfg.rt.runq_size, .generation = e->cfg.rt.generation, .start_tick = rt_first_tick(&e->cfg.rt),
                              .heaps_stay = rt_generation_has_buckets(e->cfg.rt.generation),
                              .seed = e->cfg.rt.seed, .names = info->programs, .procs = e->cfg.rt.gomaxprocs,
                              .known = rt_known(&e->cfg.rt) & ~(e->cfg.strict ? KNOWN_SWITCH : 0), .exact = e->cfg.rt.mode == MODE_LOCKSTEP && !e->cfg.rt.fine};
    e->line = malloc(LINE_MAX_BYTES);
    e->model = model_new(&mc);
    e->expect = expect_new(e->cfg.scenario, &e->cfg.rt);
    struct history_config hc = {.budget = e->cfg.history};
    e->past = e->model && hc.budget ? history_new(e->model, &hc) : NULL;
    struct break_words words = engine_words(e);
    if (!lesson_init(&e->lesson, e->cfg.scenario, &words))
        return false;
    lesson_set(&e->lesson, e->cfg.lesson && e->cfg.live, 0);
    return e->line && e->model && e->expect && (e->past || !hc.budget) && copy_breaks(e);
}

static int start(struct engine *e)
{
    e->cfg.rt.level = EV_DETAIL;
    if (e->cfg.live || e->breaks.n || e->cfg.limit != INT64_MAX) {
        e->cfg.rt.hook = hook;
        e->cfg.rt.hook_ctx = e;
    }
    e->run = scenario_run_new(e->cfg.scenario, &e->cfg.rt);
    if (!e->run)
        return errno ? -errno : -ENOMEM;
    e->rt = scenario_run_sched(e->run);
    e->cond = rt_conductor(e->rt);
    e->log = rt_log(e->rt);
    return rt_start(e->rt);
}

struct engine *engine_new(const struct engine_config *cfg, char *err, size_t size)
{
    struct engine *e = calloc(1, sizeof *e);
    if (!e) {
        snprintf(err, size, "the runtime cannot start: %s", strerror(ENOMEM));
        return NULL;
    }
    e->cfg = *cfg;
    e->how = -1;
    e->held_time = -1;
    sigset_t old;
    signals_block(&old);
    int r = make_fold(e) ? start(e) : -ENOMEM;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (r == 0)
        return e;
    snprintf(err, size, "the runtime cannot start: %s", strerror(-r));
    engine_free(e);
    return NULL;
}

/* If an M of a failed run hangs, it can be neither joined nor freed; then nothing is freed, because the M may still use it. */
void engine_free(struct engine *e)
{
    if (!e)
        return;
    while (engine_failed(e) && e->rt && !conductor_wait_stopped(e->cond, 1))
        if (engine_hangs(e))
            return;
    if (e->run)
        scenario_run_free(e->run);
    if (e->expect)
        expect_free(e->expect);
    if (e->report)
        model_free(e->report);
    if (e->model)
        model_free(e->model);
    snapshot_fini(&e->snap_rt);
    snapshot_fini(&e->snap_model);
    breaks_fini(&e->breaks);
    lesson_fini(&e->lesson);
    history_free(e->past);
    free(e->line);
    free(e);
}

void engine_judge(struct engine *e)
{
    if (!expect_finish(e->expect, engine_view(e), e->how))
        no_memory(e, "cannot judge the claims");
}
