/* A run behind the screen: the thread that folds and steers, over an engine. It implements session/session.h with these files:
 *
 *   session_edges.c     which request leads where            session_breaks.c    breakpoints, patterns, the lesson
 *   session_requests.c  pause, step, tempo, mode, restart    session_rewind.c    looking back
 *   session_view.c      what the screen shows                session_decision.c  choosing, branches, the line to share
 *   session_search.c    searching in what is recorded        session_turn.c      what all of them use of the thread
 *   session_advance.c   being moved by an owner (comparison.c)
 *
 * Two threads. The UI's thread only leaves requests and copies what it draws. Only the session's thread folds and steers the source, so
 * both always agree on whether the world is at rest. Everything in struct session and its engine is under `lock`; the session's thread
 * gives the lock up wherever it waits, and between batches.
 *
 *   STOPPED   the world is at rest. The thread does what is requested, in the order of stopped_turn(); with nothing to do it waits for a
 *             request, or for the time of the next event (a finite tempo).
 *   STEPPING  the source makes one step: an event, a round, a decision's turn, or a few events in advance for an owner.
 *   RUNNING   the source runs; the thread folds what comes at once.
 * STEPPING and RUNNING always lead to STOPPED: wants_stop() says when to stop, and stopped() is called when the world is at rest.
 * Looking back (rewind.h) changes only what is shown: the world is brought to rest, and stays there until the past is left.
 *
 * While STOPPED without a request both threads sleep without a timeout, so a paused program uses no CPU.
 */
#include "session/session_internal.h"
#include "base/wall.h"
#include "engine/lesson/rehearse.h"
#include "engine/signals.h"
#include "session/dwell.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define BEHIND_NS 200000000     /* how often a screen learns how far it is behind a run that it follows, and of which nothing comes */
#define POLL_MS 2               /* how long the thread waits for a moving world when nothing is logged */
#define LATE_NS 100000000       /* a screen that is later than this skips the missed events' times */
#define SKIP_AFTER_NS 150000000 /* skip_time(): slow motion waits so long for an event before its clock runs faster */
#define SKIP_LEAST_DEN 100      /* it never runs faster than 1/100, so that the gates still take time */

static bool paced(const struct session *s)
{
    return engine_refuses(s->e, CAN_SCALE_TIME) && !isinf(s->pacing.tempo.rate) && !s->pacing.no_delay;
}

/* --- a moving world; with the lock held ------------------------------------------------------------------------------- */

static bool is_granted(const struct session *s, enum step_kind kind)
{
    return s->motion.state == STEPPING && s->motion.granted == kind;
}

/* Does the world make a step that ends with one event, which is folded when the world is at rest? */
static bool steps_one(const struct session *s)
{
    return is_granted(s, STEP_EVENT) || is_granted(s, STEP_DETAIL);
}

/* Folds what is logged up to the end of a step. Returns false if that is not logged yet. */
static bool fold_step(struct session *s, enum step_kind kind)
{
    if (kind == STEP_DETAIL)
        return engine_drain(s->e, 1) > 0;
    return kind == STEP_EVENT ? engine_fold_core(s->e) : engine_fold_round(s->e);
}

static bool wants_stop(const struct session *s)
{
    const struct requests *r = &s->request;
    if (r->halt || r->mode || r->quit || r->pending.n || rewind_on(&s->rewind) || engine_over(s->e) || engine_past_limit(s->e))
        return true;
    if (is_granted(s, STEP_ADVANCE))
        return s->advance.keep || s->motion.crowded; /* the world may log ahead while the fold is held */
    return engine_held(s->e) || (s->motion.state == RUNNING && (!r->run || paced(s)));
}

/* The world is at rest: folds what the step was for. */
static void stopped(struct session *s)
{
    bool one = (steps_one(s) || is_granted(s, STEP_ROUND)) && !s->request.halt;
    bool ahead = is_granted(s, STEP_ADVANCE) && !s->request.halt;
    s->motion.state = STOPPED;
    s->motion.pausing = false;
    if (s->pacing.faster > 1)
        session_speed(s, s->pacing.speed);
    if (one && !s->motion.round_over)
        fold_step(s, s->motion.granted);
    if (!ahead && (!one || !engine_pending(s->e)))
        engine_settle(s->e, s->cfg.audit);
    if (engine_past_limit(s->e) && !engine_pending(s->e))
        engine_limit(s->e);
    s->request.halt = s->decision.listed = false;
    session_note_hold(s);
    if (s->request.run || s->request.steps)
        session_notify(s);
    else
        session_notify_stop(s);
}

static bool wait_stopped(struct session *s)
{
    pthread_mutex_unlock(&s->lock);
    bool yes = engine_wait_stopped(s->e, POLL_MS);
    pthread_mutex_lock(&s->lock);
    if (!yes && s->e->source->ops->behind && wall_ns() - s->pacing.counted >= BEHIND_NS) {
        s->pacing.counted = wall_ns();
        session_notify(s);
    }
    return yes;
}

/* In slow motion a millisecond that all threads compute or sleep would last minutes. So while there is no core event the clock runs faster
 * and faster, and at the next one slowly again. Scenario time itself does not change. */
static void skip_time(struct session *s)
{
    struct pacing *p = &s->pacing;
    uint32_t most = p->speed.den / SKIP_LEAST_DEN;
    if (!p->skips || most < 2 || session_is_lockstep(s))
        return;
    uint64_t newest = rewind_core_shown(&s->rewind);
    int64_t now = wall_ns();
    if (newest != p->last) {
        p->last = newest;
        if (p->faster > 1)
            session_speed(s, p->speed);
        p->quiet_since = now;
    } else if (now - p->quiet_since >= SKIP_AFTER_NS && p->faster < most) {
        p->faster = p->faster * 4 < most ? p->faster * 4 : most;
        p->quiet_since = now;
        engine_speed(s->e, (struct speed){p->speed.num, p->speed.den / p->faster});
    }
}

/* Folds a batch. A round may log more than the rings hold, so it is folded along, but only up to its end: a world that stops in the middle of an action
 * logs more before it is at rest. */
static uint64_t fold_along(struct session *s)
{
    uint64_t n = 0;
    if (!is_granted(s, STEP_ROUND) || s->request.halt)
        return engine_drain(s->e, ENGINE_BATCH);
    for (; n < ENGINE_BATCH && !s->motion.round_over && engine_drain(s->e, 1); n++)
        s->motion.round_over = ev_ends_round(s->e->kind);
    if (s->motion.round_over)
        engine_grow(s->e);
    return n;
}

static void moving_turn(struct session *s)
{
    bool along = !is_granted(s, STEP_ADVANCE) && (!steps_one(s) || s->motion.pausing);
    uint64_t n = along ? fold_along(s) : 0;
    engine_check_throw(s->e);
    skip_time(s);
    session_note_hold(s);
    if (wants_stop(s) && !s->motion.pausing) {
        s->motion.pausing = true;
        engine_pause(s->e);
    }
    if (n) {
        session_notify(s);
        session_yield_lock(s);
    } else if (wait_stopped(s)) {
        stopped(s);
    } else if (!along) {
        bool ahead = is_granted(s, STEP_ADVANCE);
        bool made = engine_make_room(s->e, ahead ? s->advance.to.until : INT64_MAX);
        s->motion.crowded |= ahead && !made;
    }
}

/* --- setting it in motion; with the lock held, at rest ------------------------------------------------------------------ */

/* Makes one step. If events are already logged, it folds the first of them, and the world does not move. */
static void grant(struct session *s, enum step_kind kind)
{
    static const enum source_unit unit[] = {[STEP_EVENT] = UNIT_CORE, [STEP_ROUND] = UNIT_ROUND, [STEP_DETAIL] = UNIT_EVENT};
    session_release(s);
    session_notify(s);
    if (engine_pending(s->e) && fold_step(s, kind)) {
        session_note_hold(s);
        return;
    }
    s->motion.state = STEPPING;
    s->motion.granted = kind;
    s->motion.round_over = false;
    engine_arm(s->e, kind == STEP_ROUND);
    engine_step(s->e, unit[kind], 1);
}

static void run_on(struct session *s)
{
    session_release(s);
    engine_settle(s->e, false); /* a pending event may hold again; only after that may the world move */
    session_note_hold(s);
    if (engine_held(s->e) || engine_over(s->e)) {
        session_notify(s);
        return;
    }
    s->motion.state = RUNNING;
    s->motion.stepped = false;
    engine_arm(s->e, true);
    if (s->cfg.audit && session_is_lockstep(s) && s->e->audit.compared < engine_rounds(s->e))
        engine_step(s->e, UNIT_EVENT, 1); /* two rounds ended in one step: one more event, so that the audit compares again */
    else if (s->cfg.audit)
        engine_step(s->e, UNIT_ROUND, session_is_lockstep(s) ? 1 : 1000);
    else
        engine_run(s->e);
}

/* Returns how long the last core event stays, ns; 0 if it is *seen. Sets *seen. */
static int64_t dwell_of_unseen(struct session *s, struct tempo t, uint64_t *seen)
{
    uint64_t shown = rewind_core_shown(&s->rewind);
    const struct lesson *l = &s->e->lesson;
    bool cue = l->on && lesson_next(l, lesson_met(l, shown)) < l->n;
    if (*seen == shown)
        return 0;
    *seen = shown;
    return t.automatic ? (int64_t)((double)dwell_ns(s->e->history, shown, cue) / t.rate) : (int64_t)(1e9 / t.rate);
}

int64_t session_dwell(struct session *s, struct tempo t, uint64_t *seen)
{
    session_enter(s);
    int64_t ns = dwell_of_unseen(s, t, seen);
    session_leave(s, REQUEST_NONE);
    return ns;
}

/* Waits until the event that is shown has stayed long enough. Returns false if it is not yet time, or if there may be a request. */
static bool wait_due(struct session *s)
{
    int64_t now = wall_ns();
    int64_t from = s->pacing.due < now - LATE_NS ? now : s->pacing.due;
    int64_t dwell = dwell_of_unseen(s, s->pacing.tempo, &s->pacing.seen), most = session_lesson_dwell(s);
    s->pacing.due = from + (dwell < most ? dwell : most);
    if (now < s->pacing.due) {
        struct timespec t = {.tv_sec = s->pacing.due / 1000000000, .tv_nsec = s->pacing.due % 1000000000};
        pthread_cond_timedwait(&s->requested, &s->lock, &t);
        return false;
    }
    return true;
}

/* Plays the past, at the tempo if there is one. At the present the run itself continues. */
static void replay(struct session *s)
{
    if (paced(s) && !wait_due(s))
        return;
    bool stop = session_play_to(s, paced(s) ? rewind_step(&s->rewind, STEP_EVENT, 1, 1) : history_events(s->e->history));
    s->request.run = !stop && (rewind_on(&s->rewind) || !s->ended);
    session_notify(s);
}

/* --- requests that need a world at rest --------------------------------------------------------------------------------- */

static void change_mode(struct session *s)
{
    s->request.mode = false;
    session_release(s);
    engine_settle(s->e, s->cfg.audit);
    if (!engine_over(s->e) && !engine_held(s->e))
        engine_change_mode(s->e);
    session_note_hold(s);
    session_notify(s);
}

static void finish(struct session *s)
{
    engine_settle(s->e, s->cfg.audit);
    if (s->e->held.kind == STOP_LIMIT)
        engine_cut(s->e, ENDED_LIMIT);
    s->ended = true;
    s->request.mode = false;
    session_advance_end(s);
    s->request.run = s->request.run && rewind_on(&s->rewind); /* playing the past continues */
    session_notify_stop(s);
}

/* A stop of any kind ends a run "until …". */
static void change_breaks(struct session *s)
{
    if (!s->request.run && !s->request.steps) {
        breaks_delete(&s->e->breaks, 0);
        s->pacing.no_delay = false;
    }
    if (!s->request.pending.n)
        return;
    for (uint32_t i = 0; i < s->request.pending.n && !s->ended; i++)
        s->pacing.no_delay |= s->request.pending.v[i].what == PENDING_UNTIL;
    s->request.run |= s->pacing.no_delay;
    uint64_t back = pending_do(&s->request.pending, s->e);
    if (back && rewind_to(&s->rewind, back) == GOTO_DONE) {
        s->request.run = s->pacing.no_delay = false;
        session_notify_stop(s);
    }
    session_note_hold(s);
    session_pace_now(s);
    session_notify(s);
}

/* Waits until something is asked for. Nobody knows how long that will be, so a recording has all of the run then. */
static void wait_request(struct session *s)
{
    if (s->e->recorder)
        recorder_tend(s->e, true);
    pthread_cond_wait(&s->requested, &s->lock);
}

static void stopped_turn(struct session *s)
{
    change_breaks(s);
    if (!s->ended && engine_over(s->e)) {
        finish(s);
    } else if (session_decision_turn(s) || session_variables_turn(s)) {
        return;
    } else if (rewind_on(&s->rewind) && s->request.run) {
        replay(s);
    } else if (s->ended) {
        wait_request(s);
    } else if (s->request.mode) {
        change_mode(s);
    } else if (s->request.halt) {
        stopped(s);
    } else if (session_advance_turn(s)) {
        return;
    } else if (s->request.steps) {
        s->request.steps--;
        s->motion.stepped = true;
        grant(s, s->request.step);
    } else if (!s->request.run) {
        wait_request(s);
    } else if (!paced(s)) {
        run_on(s);
    } else if (wait_due(s)) {
        s->motion.stepped = false;
        grant(s, STEP_EVENT);
    }
}

/* Returns NULL with a message in err if the run cannot start. */
static struct engine *start_engine(const struct engine_config *c, char *err, size_t size)
{
    struct engine *e = engine_new(c, err, size);
    if (e && c->lesson) {
        rehearse_for(e);
        engine_lesson(e, true);
    }
    return e;
}

static struct engine *engine_again(const struct session *s, char *err, size_t size)
{
    struct break_at at[BREAKS_LISTED];
    struct engine_config c = s->e->cfg;
    c.breaks = at;
    c.nbreaks = breaks_list(&s->e->breaks, at);
    c.lesson = s->e->lesson.on;
    c.rt.places = s->wants_places ? PLACES_SHOWN : PLACES_NONE;
    if (!s->e->source->ops->recorded) { /* a recording begins again as it began */
        c.rt.mode = engine_mode(s->e);
        c.rt.choices = s->request.seed == c.rt.seed && session_is_lockstep(s) ? c.rt.choices : NULL; /* given choices belong to that seed */
    }
    c.rt.seed = s->request.seed;
    return start_engine(&c, err, size);
}

static void begin(struct session *s)
{
    struct pending_break until = {.what = PENDING_UNTIL, .round_p = BREAK_NOT_ROUND};
    if (s->cfg.begin && !s->owner && pending_set_text(&until, s->cfg.begin))
        pending_leave(&s->request.pending, &until);
}

/* The new run is made before the old one is torn down, wherever its Ms are. If it cannot be made, the old one fails. */
static void restart(struct session *s)
{
    char err[200];
    struct engine *e = engine_again(s, err, sizeof err);
    s->request.restart = false;
    if (!e) {
        engine_lacks(s->e, "%s", err);
        if (s->ended)
            session_advance_end(s); /* nothing else would end an advance that waits for this restart */
        return;
    }
    session_forget_branches(s);
    session_forget_variables(s);
    s->recorded = engine_record_replaced(s->e);
    engine_free(s->e);
    s->e = e;
    rewind_start(&s->rewind, e->history);
    session_speed(s, s->pacing.speed);
    s->request.run = !s->owner && (s->request.run || s->ended); /* an owner, if any, moves the session */
    s->request.halt = s->request.mode = s->ended = false;
    s->request.steps = 0;
    s->motion = (struct motion){.state = STOPPED};
    session_advance_end(s);
    s->runs++;
    begin(s);
    session_pace_now(s);
    session_notify(s);
}

static void *session_thread(void *arg)
{
    struct session *s = arg;
    pthread_mutex_lock(&s->lock);
    while (!s->request.quit) {
        if (s->request.restart)
            restart(s);
        else if (s->motion.state == STOPPED)
            stopped_turn(s);
        else
            moving_turn(s);
    }
    session_advance_end(s);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* --- the operations ------------------------------------------------------------------------------------------------- */

static int session_wake_fd(struct session *s)
{
    return s->fd;
}

const struct session_ops session_ops = {
    .status = session_status,
    .view = session_view,
    .output = session_output,
    .pending = session_pending,
    .refusal = session_refusal,
    .program = session_program,
    .reach = session_reach,
    .flow = session_flow,
    .record_places = session_record_places,
    .share = session_share,
    .record = session_record,
    .race = session_race,
    .variables = session_variables,
    .wake_fd = session_wake_fd,
    .motion = &session_motion_ops,
    .run_to = &session_run_to_ops,
    .breaks = &session_break_ops,
    .search = &session_search_ops,
    .rewind = &session_rewind_ops,
    .decisions = &session_decision_ops,
    .lesson = &session_lesson_ops,
};

const struct session_ops *session_ops_of(const struct session *s)
{
    return &s->ops;
}

/* --- life ---------------------------------------------------------------------------------------------------------- */

static void init_locks(struct session *s)
{
    pthread_condattr_t attr;
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->turnstile, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&s->requested, &attr);
    pthread_condattr_destroy(&attr);
    pthread_cond_init(&s->advance.arrived, NULL);
}

/* Returns 0 or an errno. */
static int start_thread(struct session *s)
{
    sigset_t old;
    signals_block(&old);
    int r = pthread_create(&s->thread, NULL, session_thread, s);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    s->has_thread = r == 0;
    if (s->has_thread)
        pthread_setname_np(s->thread, "session"); /* distinguishes it from the Ms in a debugger or top; nothing depends on it */
    return r;
}

struct session *session_new(const struct session_config *c, char *err, size_t size)
{
    struct session *s = calloc(1, sizeof *s);
    int r = ENOMEM;
    if (s) {
        *s = (struct session){
            .cfg = *c,
            .request.run = !c->paused,
            .wants_places = c->engine.rt.places != PLACES_NONE,
            .pacing = {.tempo = c->tempo, .due = wall_ns(), .speed = c->engine.speed.num ? c->engine.speed : SPEED_REAL, .faster = 1}};
        init_locks(s);
        s->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        r = s->fd >= 0 ? 0 : errno;
    }
    if (!r && (s->e = start_engine(&c->engine, err, size))) {
        enum refusal why = engine_refuses(s->e, CAN_DECIDE);
        s->ops = session_ops;
        if (why == REFUSED_RECORDED || why == REFUSED_FOLLOWED)
            s->ops.decisions = NULL;
        rewind_start(&s->rewind, s->e->history);
        begin(s);
        bool recorded = !c->record_to || c->record(c, s->e, c->record_to, false, LANG_EN, err, size);
        if (recorded && !(r = start_thread(s)))
            return s;
    }
    if (r)
        snprintf(err, size, "the screen cannot start: %s", strerror(r));
    session_free(s);
    return NULL;
}

void session_own(struct session *s, void *owner)
{
    session_enter(s);
    s->owner = owner;
    pthread_mutex_unlock(&s->lock);
}

void *session_owner(const struct session *s)
{
    return s->owner;
}

struct engine *session_stop(struct session *s, bool *ended)
{
    session_enter(s);
    s->request.quit = true;
    session_leave(s, REQUEST_NONE);
    if (s->has_thread)
        pthread_join(s->thread, NULL);
    s->has_thread = false;
    *ended = s->ended;
    return s->e;
}

void session_free(struct session *s)
{
    bool ended;
    if (!s)
        return;
    session_stop(s, &ended);
    rewind_leave(&s->rewind);
    session_forget_branches(s);
    session_forget_variables(s);
    engine_free(s->e);
    vec_free(&s->text);
    arena_fini(&s->texts);
    if (s->fd >= 0)
        close(s->fd);
    pthread_cond_destroy(&s->requested);
    pthread_cond_destroy(&s->advance.arrived);
    pthread_mutex_destroy(&s->lock);
    pthread_mutex_destroy(&s->turnstile);
    free(s);
}
