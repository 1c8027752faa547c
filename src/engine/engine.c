/* One run: see engine.h. The central function is offer(). It gives a merged event to the fold. If the fold applies the event, offer()
 * passes it on: to the readers (reader.h), in the order of their list, and then to what may cut the report or hold the fold here. */
#include "base/text.h"
#include "engine/engine.h"
#include "engine/intent.h"
#include "engine/output.h"
#include "engine/quiet.h"
#include "base/wall.h"
#include "engine/signals.h"
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define COMPUTE_MOST INT64_C(50000000) /* ns that a Go program computes in a search, without --limit */
#define NO_STATE "cannot keep the scheduler's state"

/* Records the failure and kills the source, whatever its Ms wait for. After a failure nothing is folded, so rings are no longer drained,
 * and locks may never be released. */
__attribute__((format(printf, 3, 0))) static void give_up(struct engine *e, bool lack, const char *fmt, va_list ap)
{
    if (engine_failed(e))
        return; /* the first failure is the cause */
    e->lack = lack;
    vsnprintf(e->failure, sizeof e->failure, fmt, ap);
    if (!engine_failed(e))
        strcpy(e->failure, "unknown");
    e->failed_at = wall_ns();
    if (!e->source)
        return;
    e->lost = e->source->ops->lost(e->source); /* events dropped after the failure do not count as lost */
    e->source->ops->kill(e->source);
}

bool engine_hangs(const struct engine *e)
{
    return engine_failed(e) && e->source && !engine_wait_stopped(e, 0) && wall_ns() - e->failed_at > ENGINE_GRACE_NS;
}

void engine_lacks(struct engine *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    give_up(e, true, fmt, ap);
    va_end(ap);
}

/* what: what cannot be done without memory; NULL: nothing is lacking. */
static void no_memory(struct engine *e, const char *what)
{
    if (what)
        engine_lacks(e, "%s: %s", what, strerror(ENOMEM));
}

/* What a check finds after a lack follows from it: the M that met it stands still in the middle of a change, the model has half an event. */
static void fail_by_lack(struct engine *e)
{
    const char *text;
    if (e->source && e->source->ops->failure(e->source, &text) == FAILURE_LACK)
        engine_lacks(e, "%s", text);
    else if (model_lacks_memory(e->model))
        no_memory(e, NO_STATE);
}

void engine_fail(struct engine *e, const char *fmt, ...)
{
    va_list ap;
    fail_by_lack(e);
    va_start(ap, fmt);
    give_up(e, false, fmt, ap);
    va_end(ap);
}

static void check_refused(struct engine *e)
{
    struct refused_choice r;
    if (!e->refused.kind && engine_decides(e) && engine_decides(e)->refused(e->source, &r))
        e->refused = (struct stop){.kind = STOP_REFUSED, .given = r.given, .decided = r.kind, .n = r.n, .time = -1};
}

/* Folds the events that led to the failure, as far as possible, and then reports it. A throw logs an event; the fold fails the run at that
 * event, so that it is the last one. */
static void fail_behind(struct engine *e, const char *who, const char *text)
{
    for (uint64_t n, left = engine_pending(e); left && (n = engine_drain(e, left)); left -= n)
        ;
    engine_fail(e, "%s: %s", who, text);
}

void engine_check_throw(struct engine *e)
{
    const char *text;
    check_refused(e);
    switch (e->source->ops->failure(e->source, &text)) {
    case FAILURE_NONE:
        break;
    case FAILURE_LACK:
        engine_lacks(e, "%s", text);
        break;
    case FAILURE_THROW:
        fail_behind(e, "throw", text);
        break;
    case FAILURE_CONDUCTOR:
        fail_behind(e, "conductor", text);
        break;
    }
}

uint64_t engine_rounds(const struct engine *e)
{
    return model_counters(engine_view(e))->rounds;
}

uint64_t engine_pending(const struct engine *e)
{
    return e->source->ops->pending(e->source);
}

/* --- the cut, and what holds the fold ----------------------------------------------------------------------------- */

/* Keeps the text of the first one. A throw of the runtime also fails the run. */
static void note_fatal(struct engine *e, const struct merged_event *at)
{
    if (!e->fatal[0]) {
        memcpy(e->fatal, at->text, at->len);
        e->fatal[at->len] = '\0';
        e->fatal_g = at->e->g;
        e->fatal_kind = at->e->b;
    }
    if (at->e->b == FATAL_INTERNAL)
        engine_fail(e, "throw: %s", e->fatal);
}

void engine_cut(struct engine *e, int how)
{
    if (e->how >= 0)
        return;
    e->how = how;
    e->report = model_clone(e->model);
    no_memory(e, e->report ? readers_end(&e->readers, e->report, how) : NO_STATE);
}

/* Holds the fold, and asks the world to stop. */
static void hold(struct engine *e, const struct stop *by)
{
    e->held = *by;
    engine_pause(e);
}

/* Stops at breakpoint k: after the last event, or (time >= 0) at that time, before the next event. */
static void hit_breakpoint(struct engine *e, const struct breakpoint *k, int64_t time)
{
    struct stop by = break_stop(k, time);
    if (e->cfg.live) {
        hold(e, &by);
        return;
    }
    engine_cut(e, ENDED_BREAK);
    if (e->report && time >= 0)
        model_pass_time(e->report, time);
}

static void hit_lesson(struct engine *e, uint64_t n)
{
    const struct lesson *l = &e->lesson;
    int shown = lesson_shown(l, n), due = lesson_decided_at(l, n);
    uint32_t entry = lesson_holding(l, (uint32_t)(shown + 1));
    hold(e, &(struct stop){.kind = STOP_LESSON, .entry = entry, .entries = lesson_holding(l, l->n), .answers = shown == due, .time = -1});
}

void engine_lesson(struct engine *e, bool on)
{
    bool stops = lesson_set(&e->lesson, on, e->events);
    engine_follow_lesson(e);
    if (stops && !engine_over(e))
        hit_lesson(e, e->events);
}

static void check_breaks(struct engine *e, const struct merged_event *at)
{
    const struct breakpoint *k = breaks_after(&e->breaks, at);
    engine_follow_lesson(e);
    bool lesson = lesson_after(&e->lesson, at);
    e->reached |= k && e->how >= 0;
    if (engine_held(e) || e->how >= 0)
        return;
    if (lesson)
        hit_lesson(e, at->number);
    if (!k)
        return;
    if (!e->cfg.live && e->cfg.out == OUT_PROGRAM)
        output_event(e, OUT_EVENTS, at); /* the other outputs have the event already */
    hit_breakpoint(e, k, -1);
}

/* Finds conditions that become true at `time` if nothing happens after the last event. */
static void check_time(struct engine *e, int64_t time)
{
    int64_t at = 0;
    const struct breakpoint *k = e->breaks.n && e->events && e->how < 0 ? breaks_before(&e->breaks, e->model, time, &at) : NULL;
    if (!k)
        return;
    if (!e->cfg.live)
        output_instant(e, k->text, at);
    hit_breakpoint(e, k, at);
}

static void hit_limit(struct engine *e)
{
    if (e->cfg.live)
        hold(e, &(struct stop){.kind = STOP_LIMIT, .time = -1});
    else
        engine_cut(e, ENDED_LIMIT);
}

/* The report may end at this event, which the readers have seen, or the run may fail or be held there. */
static void look_at(struct engine *e, const struct merged_event *at)
{
    e->kind = at->e->kind;
    if (at->e->kind == EV_FATAL)
        note_fatal(e, at);
    if (at->e->kind == EV_PROGRAM_END) {
        e->fatal_g = at->e->a == ENDED_ENDLESS || at->e->a == ENDED_LIMIT ? at->e->g : e->fatal_g;
        e->exit_code = (int)(at->e->c & 255);
        engine_cut(e, model_ended(e->model));
    }
    if (e->breaks.n || e->lesson.on)
        check_breaks(e, at);
    if (e->events >= e->cfg.max_events && e->how < 0)
        hit_limit(e);
}

/* Returns true if a failure is the fault of a recording: its run did not fail. Such a file is bad input, not a broken scheduler. */
static bool is_forged(const struct engine *e)
{
    return e->source->ops->recorded && !e->was.failure[0];
}

static void check_violation(struct engine *e)
{
    const char *what = model_violation(e->model, e->cfg.lang);
    if (what && is_forged(e))
        engine_lacks(e, "%s: the recording makes no sense: %s", engine_source_name(e), what);
    if (what)
        engine_fail(e, e->cfg.lang == LANG_ZH ? "不变式：%s" : "invariant: %s", what);
}

/* The state after an event has the places that were reached before that event. A breakpoint at a line may stop the run between two events. */
static enum offer offer_place(struct engine *e, uint32_t m, const struct ev *ev)
{
    if (!model_place(e->model, ev->g, ev->c))
        no_memory(e, NO_STATE);
    else if (e->how < 0)
        no_memory(e, readers_place(&e->readers, ev->g, ev->c));
    if (e->breaks.n && ev->d & PLACE_ARRIVES && e->how < 0) {
        const struct breakpoint *k = breaks_after(&e->breaks, &(struct merged_event){e->model, e->events, m, ev, NULL, 0});
        if (k)
            hit_breakpoint(e, k, -1);
        if (k && engine_held(e))
            e->held.g = ev->g;
    }
    return OFFER_APPLIED;
}

/* The last event is the one before the note. */
static enum offer offer_note(struct engine *e, uint32_t m, const struct ev *ev)
{
    const struct merged_event at = {e->model, e->events, m, ev, NULL, 0};
    const char *lack = NULL;
    enum offer answer = e->how < 0 ? readers_note(&e->readers, &at, &lack) : OFFER_APPLIED;
    no_memory(e, lack);
    model_set_races(e->model, e->races.found);
    return answer;
}

static enum offer offer(void *ctx, uint32_t m, const struct ev *ev, const char *text, size_t len)
{
    struct engine *e = ctx;
    bool late = ev->time > e->cfg.limit;
    if (e->no_core && (ev_level_of[ev->kind] == EV_CORE || ev->time > e->room_until))
        return OFFER_HOLD;
    if (!engine_held(e))
        check_time(e, late ? e->cfg.limit : ev->time);
    if (late && !engine_held(e) && e->how < 0)
        hit_limit(e);                       /* before the fold: an event after the limit is not part of the run */
    if (engine_held(e) || engine_failed(e)) /* the event that led to a failure stays the last one folded */
        return OFFER_HOLD;
    if (ev_is_place(ev))
        return ev_note(ev) == NOTE_PLACE ? offer_place(e, m, ev) : offer_note(e, m, ev);
    if (ev->time >= e->quiet_at && e->how < 0 && engine_quiet(e, ev->time, &e->quiet_at))
        engine_cut(e, ENDED_STUCK);
    if (e->how < 0)
        readers_pass(&e->readers, e->model, ev->time);
    enum offer r = model_offer(e->model, m, ev, text, len);
    if (r == OFFER_BROKEN) {
        int n = event_line(e->model, m, ev, text, len, e->line, OUTPUT_LINE);
        (is_forged(e) ? engine_lacks
                      : engine_fail)(e, "the event log makes no sense: %s, at: %.*s", model_error(e->model), n < 400 ? n : 400, e->line);
    }
    if (r == OFFER_APPLIED && e->how < 0) {
        const struct merged_event at = {e->model, ++e->events, m, ev, text, len};
        no_memory(e, readers_event(&e->readers, &at));
        model_set_races(e->model, e->races.found);
        look_at(e, &at);
    }
    if (r == OFFER_APPLIED)
        check_violation(e);
    return r;
}

/* --- records -------------------------------------------------------------------------------------------------------- */

/* Returns true if nothing looks at the state between the events of a record. Then what an M did in one go is folded together, and the readers
 * see it afterwards. */
static bool takes_records(const struct engine *e)
{
    return e->how < 0 && !(readers_need(&e->readers) & READS_STATES) && !e->breaks.n && !e->lesson.on && !e->no_core;
}

/* offer() for what an M did in one go. */
static enum offer offer_record(void *ctx, uint32_t m, const struct ev *ev, uint32_t *n)
{
    struct engine *e = ctx;
    bool goes_on = e->how < 0 && !engine_held(e) && !engine_failed(e) && ev->time <= e->cfg.limit && ev->time < e->quiet_at &&
                   e->cfg.max_events - e->events > *n;
    if (goes_on && !comes_alone(ev->kind) && readers_take(&e->readers, *n)) {
        enum offer r = model_offer_record(e->model, m, ev, n);
        if (r == OFFER_APPLIED) {
            no_memory(e, readers_record(&e->readers, e->model, e->events + 1, m, ev, *n));
            e->kind = ev[*n - 1].kind;
            e->events += *n;
            check_violation(e);
        }
        if (r != OFFER_BROKEN)
            return r;
    }
    *n = 1;
    return offer(ctx, m, ev, NULL, 0);
}

/* --- folding ------------------------------------------------------------------------------------------------------ */

void engine_grow(struct engine *e)
{
    if (e->source->ops->full(e->source))
        e->source->ops->grow(e->source);
}

/* Behind the last event of a recording, the run ends as it ended then. Most ends are events, and have ended it already. */
static void end_recording(struct engine *e)
{
    const struct recorded_end *was = engine_learn_end(e);
    if (!engine_over(e) && !engine_held(e))
        check_time(e, was->time);
    if (engine_over(e) || engine_held(e))
        return;
    if (was->failure[0] && was->lack)
        engine_lacks(e, "%s", was->failure);
    else if (was->failure[0])
        engine_fail(e, "%s", was->failure);
    else if (was->how == ENDED_LIMIT)
        hit_limit(e);
    else
        engine_cut(e, was->how < 0 ? ENDED_INTERRUPTED : was->how);
}

uint64_t engine_drain(struct engine *e, uint64_t max)
{
    struct log_sink sink = {.ctx = e, .offer = offer, .offer_record = takes_records(e) ? offer_record : NULL};
    if (engine_failed(e) || engine_held(e)) {
        engine_grow(e); /* the caller may wait until the Ms reach their gates */
        return 0;
    }
    if (engine_was_free(e))
        model_inexact(e->model);
    recorder_note_mode(e);
    int64_t n = e->source->ops->next(e->source, &sink, max);
    if (n == LOG_BROKEN) {
        fail_by_lack(e); /* a source that lacks memory cannot offer what it has */
        if (is_forged(e))
            engine_lacks(e, "%s: the recording makes no sense after event %llu", engine_source_name(e), (unsigned long long)e->events);
        engine_fail(e, "the event log cannot be merged");
        return 0;
    }
    if (!n)
        engine_grow(e); /* what the fold waits for may come from an M that gets the baton only after the one whose ring is full */
    if (e->recorder)
        recorder_tend(e, false);
    if (!n && e->source->ops->over && e->source->ops->over(e->source))
        end_recording(e);
    return (uint64_t)n;
}

void engine_limit(struct engine *e)
{
    if (engine_over(e) || engine_held(e))
        return;
    check_time(e, e->cfg.limit);
    if (!engine_over(e) && !engine_held(e))
        hit_limit(e);
}

bool engine_fold_core(struct engine *e)
{
    while (engine_drain(e, 1))
        if (ev_level_of[e->kind] == EV_CORE || e->how >= 0)
            return true;
    return false;
}

bool engine_fold_round(struct engine *e)
{
    while (engine_drain(e, 1))
        if (ev_ends_round(e->kind) || e->how >= 0)
            return true;
    return false;
}

void engine_release(struct engine *e)
{
    if (e->held.kind != STOP_LIMIT)
        e->held = (struct stop){.time = -1};
}

static void compare(struct engine *e)
{
    if (!e->source->ops->snapshot(e->source, &e->snap_rt) || !model_snapshot(e->model, &e->snap_model)) {
        no_memory(e, "cannot compare the memory");
        return;
    }
    char why[160];
    if (audit_compare(&e->snap_rt, &e->snap_model, &e->audit))
        engine_fail(e, "audit: %s", e->audit.first);
    else if (e->history && e->how < 0 && !audit_levels(&e->snap_rt, history_levels(e->history), &e->audit))
        engine_fail(e, "audit: %s", e->audit.first);
    else if (!model_check(e->model, why, sizeof why))
        engine_fail(e, "invariant: %s", why);
}

void engine_settle(struct engine *e, bool audit)
{
    while (engine_drain(e, ENGINE_BATCH))
        ;
    engine_check_throw(e);
    if (engine_failed(e) || engine_held(e))
        return;
    if (engine_pending(e)) {
        char stuck[600];
        e->source->ops->stuck(e->source, stuck, sizeof stuck);
        engine_fail(e, "all threads stand still, but %llu events cannot be folded: %s", (unsigned long long)engine_pending(e), stuck);
    } else if (audit && !engine_refuses(e, CAN_AUDIT)) {
        compare(e);
    }
}

/* --- life --------------------------------------------------------------------------------------------------------- */

/* Called by any M, on whatever stack, before its gate. It only stops the world near the place; the fold finds the place. */
static bool hook(void *ctx, uint32_t m, const struct ev *ev, const char *text, size_t len)
{
    struct engine *e = ctx;
    if (ev_is_place(ev))
        return breaks_hit(&e->breaks, m, ev, text, len) || engine_line_reached(e, ev->g);
    bool late = ev->time > e->cfg.limit;
    bool lesson = lesson_hit(&e->lesson, m, ev, text, len); /* in any case, because it counts */
    return breaks_hit(&e->breaks, m, ev, text, len) || lesson || late;
}

struct break_words engine_words(const struct engine_config *c)
{
    return (struct break_words){&c->info.programs, c->info.has_p, c->other_has_p, LANG_EN};
}

struct breakpoint *engine_break_add(struct engine *e, const char *text, bool once)
{
    struct break_words words = engine_words(&e->cfg);
    return breaks_add(&e->breaks, &words, text, once, e->model);
}

void engine_carry(const struct engine *from, struct engine *to)
{
    to->breaks.made = from->breaks.made;
    lesson_carry(&from->lesson, &to->lesson, to->events);
    engine_follow_lesson(to);
}

static bool copy_breaks(struct engine *e)
{
    struct break_words w = engine_words(&e->cfg);
    for (uint32_t i = 0; i < e->cfg.nbreaks; i++)
        if (!breaks_add(&e->breaks, &w, e->cfg.breaks[i].text, false, NULL))
            return false;
    e->cfg.breaks = NULL; /* borrowed from the caller only until here */
    return true;
}

static bool add_readers(struct engine *e)
{
    struct readers *r = &e->readers;
    bool good = readers_add(r, e->history ? history_reader(e->history) : last_reader(&e->last)) &&
                readers_add(r, slots_reader(&e->slots)) && readers_add(r, claims_reader(e->expect));
    for (uint32_t i = 0; good && i < e->cfg.nreaders; i++)
        good = readers_add(r, e->cfg.readers[i]);
    e->cfg.readers = NULL; /* borrowed from the caller only until here */
    e->cfg.nreaders = 0;
    if (good && e->answers.asked)
        good = readers_add(r, answers_reader(&e->answers));
    struct scenario_site site;
    e->races.by_place = e->cfg.scenario && scenario_site(e->cfg.scenario, 0, &site) && site.file;
    if (good && e->cfg.scenario && scenario_shares(e->cfg.scenario))
        good = readers_add(r, races_reader(&e->races)) && (!e->races.by_place || readers_add(r, parks_reader(&e->parks)));
    return good && ((e->cfg.out == OUT_NONE && !e->cfg.err) || readers_add(r, output_reader(e)));
}

static bool make_fold(struct engine *e)
{
    const struct run_info *info = &e->cfg.info;
    struct model_config mc = {
        .runq_size = info->runq_size,
        .generation = info->generation,
        .start_tick = info->start_tick,
        .heaps_stay = info->heaps_stay,
        .seed = info->seed,
        .names = info->programs,
        .objects = info->objects,
        .procs = info->procs,
        .known = info->known & ~(e->cfg.strict ? KNOWN_SWITCH : 0),
        .exact = info->exact,
        .lacks = info->lacks};
    e->line = malloc(OUTPUT_LINE);
    e->model = model_new(&mc);
    e->expect = expect_new(e->cfg.scenario, &e->cfg.rt, e->cfg.strict, e->cfg.lang);
    struct history_config hc = {.budget = e->cfg.history};
    e->history = e->model && hc.budget ? history_new(e->model, &hc) : NULL;
    struct break_words words = engine_words(&e->cfg);
    if (((e->cfg.live || e->cfg.lesson) && !lesson_init(&e->lesson, e->cfg.scenario, &words, &e->cfg.rt)) ||
        (e->cfg.live && !answers_init(&e->answers, e->cfg.scenario, &words)))
        return false;
    return e->line && e->model && e->expect && (e->history || !hc.budget) && copy_breaks(e) && add_readers(e);
}

/* Returns what must be recorded: for the readers, for what holds the fold, and for what is shown of the state. */
static unsigned needs(const struct engine *e)
{
    unsigned all = readers_need(&e->readers);
    for (uint32_t i = 0; i < e->breaks.n; i++)
        all |= READS_DETAILS | (pattern_asks_for_places(e->breaks.v[i]->match.pattern) ? READS_PLACES : 0);
    if (e->cfg.live || e->cfg.audit || e->cfg.info.mode == MODE_LOCKSTEP) /* a course in lockstep does not depend on its readers */
        all |= READS_DETAILS;
    if (!e->cfg.live || e->cfg.lesson) /* a screen shows only the state */
        all |= READS_EACH;
    return all;
}

/* How the run records where Gs are in their programs. A screen shows places without events. */
static enum run_places places(const struct engine *e, bool events)
{
    enum run_places least = e->cfg.live && e->cfg.rt.mode == MODE_LOCKSTEP ? PLACES_LOCKSTEP : PLACES_NONE;
    least = events ? PLACES_EVENTS : least;
    return e->cfg.rt.places > least ? e->cfg.rt.places : least;
}

static int open_source(struct engine *e)
{
    unsigned needed = needs(e);
    if (e->cfg.scenario)
        e->cfg.info.places = e->cfg.rt.places = places(e, needed & READS_PLACES);
    e->cfg.rt.races = needed & READS_NOTES;
    bool searched = e->cfg.strict && e->cfg.scenario && scenario_info(e->cfg.scenario)->go_file && e->cfg.rt.mode == MODE_LOCKSTEP;
    e->cfg.rt.calls = e->cfg.rt.stalls && e->cfg.scenario && scenario_info(e->cfg.scenario)->go;
    e->cfg.rt.linger = searched && !e->cfg.rt.still;
    e->cfg.rt.compute = !searched ? 0 : e->cfg.limit == INT64_MAX ? COMPUTE_MOST : e->cfg.limit;
    e->details = needed & READS_DETAILS;
    bool looks = e->cfg.live || e->breaks.n || e->cfg.limit != INT64_MAX;
    struct source_config c = {
        .info = &e->cfg.info,
        .scenario = e->cfg.scenario,
        .rt = &e->cfg.rt,
        .details = e->details,
        .sparse = !(needed & READS_EACH),
        .hook = looks ? hook : NULL,
        .hook_ctx = e,
        .from = e->cfg.from};
    int r = (e->cfg.open ? e->cfg.open : source_live)(&c, &e->source);
    if (r == 0 && e->source->ops->recorded) {
        struct recorded_how how;
        e->source->ops->recorded(e->source, &how, &e->was);
        e->details = how.details;
        if (e->history)
            history_replays(e->history, e->source->ops->file(e->source));
        e->cfg.info.places = how.places;
        e->standstill = e->was.standstill;
        e->audit.compared = e->was.compared;
        e->audit.mismatches = e->was.mismatches;
        if (e->was.races && e->cfg.scenario &&
            (!races_read(&e->races, e->was.races) || !readers_add(&e->readers, races_known_reader(&e->races))))
            r = -ENOMEM;
    }
    return r;
}

bool engine_shows_places(const struct engine *e)
{
    return e->cfg.info.places > PLACES_LOCKSTEP || (e->cfg.info.places == PLACES_LOCKSTEP && !engine_was_free(e));
}

/* Takes over the settings of the drawn scenario. */
static void draw_settings(struct engine_config *c, const struct scenario *drawn)
{
    struct rt_config was = scenario_config(c->scenario), now = scenario_config(drawn);
    if (c->rt.gomaxprocs == was.gomaxprocs && !c->procs_asked)
        c->rt.gomaxprocs = now.gomaxprocs;
    if (c->rt.runq_size == was.runq_size)
        c->rt.runq_size = now.runq_size;
    c->rt.max_threads = now.max_threads;
    c->rt.start_tick = now.start_tick;
    c->rt.preempt_slice = now.preempt_slice;
    c->scenario = drawn;
}

bool engine_draw(struct engine_config *c, char *err, size_t size)
{
    const struct scenario *drawn = c->scenario ? scenario_drawn(c->scenario, c->rt.seed, err, size) : NULL;
    if (!drawn)
        return !c->scenario;
    if (drawn != c->scenario)
        draw_settings(c, drawn);
    c->info = scenario_run_info(drawn, &c->rt);
    c->info.program = c->live ? scenario_program(drawn) : NULL;
    return true;
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
    e->quiet_at = cfg->until_stuck ? 0 : INT64_MAX;
    e->held.time = -1;
    if (!engine_draw(&e->cfg, err, size)) {
        free(e);
        return NULL;
    }
    e->noted = e->cfg.info.mode;
    sigset_t old;
    signals_block(&old);
    int r = make_fold(e) ? open_source(e) : -ENOMEM;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (r == 0 && e->cfg.speed.num)
        engine_speed(e, e->cfg.speed);
    if (r == 0)
        return e;
    char limit[24];
    if (r == -EDQUOT)
        snprintf(err, size, "the program needs more memory for channels and other objects than its limit, %s; --memory sets the limit",
                 size_text(e->cfg.rt.memory, limit, sizeof limit));
    else if (r == -ESTALE)
        snprintf(err, size, "the recording has changed, or is gone");
    else
        snprintf(err, size, "the runtime cannot start: %s",
                 r == -EAGAIN ? "no memory or no thread is left" : strerror(-r)); /* pthread_create() */
    engine_free(e);
    return NULL;
}

/* If an M of a failed run hangs, it cannot be joined. Then nothing is freed, because the M may still use it. */
void engine_free(struct engine *e)
{
    if (!e)
        return;
    engine_record_end(e);
    while (engine_failed(e) && e->source && !engine_wait_stopped(e, 1))
        if (engine_hangs(e))
            return;
    if (e->source)
        e->source->ops->close(e->source);
    if (e->expect)
        expect_free(e->expect);
    if (e->report)
        waits_free(e->waits);
    model_free(e->report);
    if (e->model)
        model_free(e->model);
    snapshot_fini(&e->snap_rt);
    snapshot_fini(&e->snap_model);
    breaks_fini(&e->breaks);
    lesson_fini(&e->lesson);
    answers_fini(&e->answers);
    history_free(e->history);
    slots_fini(&e->slots);
    free(e->parks.event);
    races_fini(&e->races);
    free(e->line);
    free(e);
}
