/* A live run behind the screen: implements ui/session.h over an engine.
 *
 * (The struct is in session_impl.h, what the screen asks about breakpoints in session_breaks.c, about the past in
 * session_past.c, about choices and branches in session_choose.c; session_course.c is for two that are driven from outside.)
 *
 * Two threads. The UI thread (main) only leaves wishes and copies what it draws; the session's thread is the one that folds
 * and the one that steers the conductor, so that the two cannot disagree about who is stopped. Everything in struct session
 * and its engine is under `lock`; the session's thread gives it up wherever it waits and between batches.
 *
 *   STOPPED   all Ms stand still. Waits for a wish, or for the next event's time (a finite tempo in lockstep).
 *   STEPPING  the conductor was told to go one event or one round.
 *   RUNNING   the conductor was told to go on; what comes is folded at once.
 *
 * Looking back (lookback.h) is a matter of what is shown: the world is brought to its stop, and stands until the past is left.
 *
 * While STOPPED without a wish both threads sleep without a timeout: a paused program uses no CPU.
 */
#include "cli/session_impl.h"
#include "base/wall.h"
#include "cli/commands.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define POLL_MS 2                    /* how long a moving world is left alone when nothing is logged */

static const double tempos[] = {0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, INFINITY};
static const uint32_t speed_den[] = {1, 10, 100, 1000, 10000, 100000};
#define TEMPOS (sizeof tempos / sizeof *tempos)
#define SPEEDS (sizeof speed_den / sizeof *speed_den)

void session_tell(struct session *s)
{
    uint64_t one = 1;
    if (s->told)
        return;
    s->told = true;
    while (write(s->fd, &one, sizeof one) < 0 && errno == EINTR)
        ;
}

static bool lockstep(const struct session *s)
{
    return conductor_mode(s->e->cond) == MODE_LOCKSTEP;
}

static bool paced(const struct session *s)
{
    return lockstep(s) && !isinf(s->tempo) && !s->rush;
}

/* --- the session's thread; all with the lock held ------------------------------------------------------------------ */

/* A breakpoint holds the fold: the screen stays at the match. Once for each match: the user may have said "go on" before
 * the world has come to its stop. */
void session_note_hold(struct session *s)
{
    if (s->e->held && s->e->held_by[0] && !s->hold_noted) {
        s->run = false;
        s->steps = 0;
        s->hold_noted = true;
    }
    if (s->e->refused[0] && !s->refusal_noted) { /* a choice was impossible: told once, then it goes on as the seed says */
        s->run = false;
        s->steps = 0;
        s->refusal_noted = true;
    }
}

void session_release(struct session *s)
{
    engine_release(s->e);
    lookback_release(&s->back);
    s->hold_noted = false;
}

static bool wants_stop(const struct session *s)
{
    if (s->halt || s->toggle || s->quit || s->edits.n || lookback_on(&s->back) || engine_over(s->e) || engine_past_limit(s->e))
        return true;
    if (s->state == STEPPING && s->granted == STEP_AHEAD)
        return s->course.stay; /* what is only logged may go on where the fold is held */
    return s->e->held || (s->state == RUNNING && (!s->run || paced(s)));
}

/* The world stands still: fold what the step was for. */
static void stopped(struct session *s)
{
    bool one = s->state == STEPPING && s->granted == STEP_EVENT && !s->halt;
    bool ahead = s->state == STEPPING && s->granted == STEP_AHEAD && !s->halt;
    s->state = STOPPED;
    s->pausing = false;
    if (one)
        engine_fold_core(s->e);
    if (!ahead && (!one || !engine_pending(s->e)))
        engine_settle(s->e, s->audit);
    if (engine_past_limit(s->e) && !engine_pending(s->e))
        engine_limit(s->e);
    s->halt = s->listed = false;
    session_note_hold(s);
    session_tell(s);
}

static bool wait_stopped(struct session *s)
{
    pthread_mutex_unlock(&s->lock);
    bool yes = conductor_wait_stopped(s->e->cond, POLL_MS);
    pthread_mutex_lock(&s->lock);
    return yes;
}

/* Give the UI its turn at the lock between two batches: whoever waits for it has the door closed behind him until he has it. */
void session_breathe(struct session *s)
{
    pthread_mutex_unlock(&s->lock);
    pthread_mutex_lock(&s->door);
    pthread_mutex_unlock(&s->door);
    pthread_mutex_lock(&s->lock);
}

static void moving_turn(struct session *s)
{
    bool ahead = s->state == STEPPING && s->granted == STEP_AHEAD;
    bool along = !ahead && (s->state == RUNNING || s->granted != STEP_EVENT || s->pausing);
    uint64_t n = along ? engine_drain(s->e, ENGINE_BATCH) : 0;
    engine_check_throw(s->e);
    session_note_hold(s);
    if (wants_stop(s) && !s->pausing) {
        s->pausing = true;
        conductor_pause(s->e->cond);
    }
    if (n) {
        session_tell(s);
        session_breathe(s);
    } else if (wait_stopped(s)) {
        stopped(s);
    } else if (ahead) {
        engine_drain_detail(s->e, ENGINE_BATCH); /* an M may wait for room */
    }
}

static void grant(struct session *s, enum step_kind kind)
{
    session_release(s);
    session_tell(s);
    if (engine_pending(s->e) && (kind == STEP_EVENT ? engine_fold_core(s->e) : engine_fold_round(s->e))) {
        session_note_hold(s);
        return;
    }
    s->state = STEPPING;
    s->granted = kind;
    engine_arm(s->e, kind != STEP_EVENT);
    if (kind == STEP_EVENT)
        conductor_step_events(s->e->cond, 1, false);
    else
        conductor_step_rounds(s->e->cond, 1);
}

static void go_on(struct session *s)
{
    session_release(s);
    engine_settle(s->e, false); /* what was pending may hold again; only then the world takes its next steps */
    session_note_hold(s);
    if (s->e->held || engine_over(s->e)) {
        session_tell(s);
        return;
    }
    s->state = RUNNING;
    engine_arm(s->e, true);
    if (s->audit && lockstep(s) && s->e->audit.compared < s->e->rounds)
        conductor_step_events(s->e->cond, 1, true); /* two rounds ended in one step: compare once more */
    else if (s->audit)
        conductor_step_rounds(s->e->cond, lockstep(s) ? 1 : 1000);
    else
        conductor_run(s->e->cond);
}

/* One core event each 1/tempo s; a screen that could not keep up does not have to catch up. False: not yet, or there is a wish. */
static bool wait_due(struct session *s)
{
    int64_t now = wall_ns();
    if (now < s->due) {
        struct timespec t = {.tv_sec = s->due / 1000000000, .tv_nsec = s->due % 1000000000};
        pthread_cond_timedwait(&s->wish, &s->lock, &t);
        return false;
    }
    s->due += (int64_t)(1e9 / s->tempo);
    if (s->due < now - 100000000)
        s->due = now;
    return true;
}

/* The present is where a duration came true, after its last event: nothing in the past tells of that. */
static bool held_by_time(const struct session *s)
{
    const struct engine *e = s->e;
    bool armed = false;
    for (uint32_t i = 0; i < e->breaks.n; i++)
        armed |= strcmp(e->breaks.v[i]->text, e->held_by) == 0;
    return armed && e->held && e->held_time >= 0 && !lookback_on(&s->back);
}

/* Forward in the past up to that state; true: a breakpoint stops it. */
static bool play_to(struct session *s, uint64_t to)
{
    struct break_words words = engine_words(s->e);
    return past_play(&s->back, &s->e->breaks, &words, to) || held_by_time(s);
}

/* At the tempo where there is one; then the run itself goes on. */
static void play(struct session *s)
{
    if (paced(s) && !wait_due(s))
        return;
    bool stop = play_to(s, paced(s) ? lookback_step(&s->back, STEP_EVENT, 1, 1) : history_events(s->e->past));
    s->run = !stop && (lookback_on(&s->back) || !s->ended);
    session_tell(s);
}

static void change_mode(struct session *s)
{
    s->toggle = false;
    session_release(s);
    engine_settle(s->e, s->audit);
    if (!engine_over(s->e) && !s->e->held)
        conductor_set_mode(s->e->cond, lockstep(s) ? MODE_FREE : MODE_LOCKSTEP);
    session_note_hold(s);
    session_tell(s);
}

static void finish(struct session *s)
{
    engine_settle(s->e, s->audit);
    if (s->e->limit_met)
        engine_cut(s->e, EH_LIMIT);
    s->ended = true;
    session_course_end(s);
    s->run = s->run && lookback_on(&s->back); /* the past plays to its end all the same */
    session_tell(s);
}

/* A stop of any kind ends a run "until …". */
static void change_breaks(struct session *s)
{
    if (!s->run && !s->steps) {
        breaks_delete(&s->e->breaks, 0);
        s->rush = false;
    }
    if (!s->edits.n)
        return;
    for (uint32_t i = 0; i < s->edits.n && !s->ended; i++)
        s->rush |= s->edits.v[i].what == EDIT_UNTIL;
    s->run |= s->rush;
    edits_do(&s->edits, s->e);
    session_note_hold(s);
    s->due = wall_ns();
    session_tell(s);
}

static void stopped_turn(struct session *s)
{
    change_breaks(s);
    if (!s->ended && engine_over(s->e)) {
        finish(s);
    } else if (session_choose_turn(s)) {
        return;
    } else if (lookback_on(&s->back) && s->run) {
        play(s);
    } else if (s->ended) {
        pthread_cond_wait(&s->wish, &s->lock);
    } else if (s->toggle) {
        change_mode(s);
    } else if (s->halt) {
        stopped(s);
    } else if (session_course_turn(s)) {
        return;
    } else if (s->steps) {
        s->steps--;
        grant(s, s->step);
    } else if (!s->run) {
        pthread_cond_wait(&s->wish, &s->lock);
    } else if (!paced(s)) {
        go_on(s);
    } else if (wait_due(s)) {
        grant(s, STEP_EVENT);
    }
}

/* The new run is made before the old one is torn down, wherever its Ms are; if it can not be made the old one stays. */
static void restart(struct session *s)
{
    char err[200];
    struct break_at at[OPTIONS_BREAKS];
    struct engine_config c = s->e->cfg;
    s->again = false;
    c.breaks = at;
    c.nbreaks = breaks_list(&s->e->breaks, at);
    c.lesson = s->e->lesson.on;
    c.rt.mode = conductor_mode(s->e->cond);
    c.rt.choices = s->seed == c.rt.seed && lockstep(s) ? c.rt.choices : NULL; /* they are of that seed */
    c.rt.seed = s->seed;
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e) {
        engine_lacks(s->e, "%s", err);
        if (s->ended)
            session_course_end(s); /* it was begun for the new run */
        return;
    }
    session_forget_branches(s);
    engine_free(s->e);
    s->e = e;
    lookback_start(&s->back, e->past);
    conductor_set_speed(e->cond, 1, speed_den[s->speed]);
    s->run = !s->owner && (s->run || s->ended); /* else the owner lets it go on */
    s->state = STOPPED;
    s->halt = s->toggle = s->pausing = s->hold_noted = s->refusal_noted = s->ended = false;
    s->steps = 0;
    session_course_end(s);
    s->runs++;
    s->due = wall_ns();
    session_tell(s);
}

static void *session_thread(void *arg)
{
    struct session *s = arg;
    pthread_mutex_lock(&s->lock);
    while (!s->quit) {
        if (s->again)
            restart(s);
        else if (s->state == STOPPED)
            stopped_turn(s);
        else
            moving_turn(s);
    }
    session_course_end(s);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* --- ui/session.h; the UI's thread --------------------------------------------------------------------------------- */

void session_copy_line(char *out, size_t size, const char *line)
{
    size_t len = strlen(line);
    if (len >= size) {
        len = size - 1;
        while (len && ((unsigned char)line[len] & 0xc0) == 0x80)
            len--;
    }
    memcpy(out, line, len);
    out[len] = '\0';
}

void session_enter(struct session *s)
{
    pthread_mutex_lock(&s->door);
    pthread_mutex_lock(&s->lock);
    pthread_mutex_unlock(&s->door);
}

void session_wished(struct session *s)
{
    pthread_cond_signal(&s->wish);
    pthread_mutex_unlock(&s->lock);
}

/* A step that takes so long is seen to be under way; one that comes to its end before is not worth a word that flickers. */
static bool stepping(const struct session *s)
{
    bool under_way = s->steps || s->course.on || s->state == STEPPING;
    bool stopping = s->halt || s->pausing;
    return under_way && !s->run && !stopping && !s->choosing && !lookback_on(&s->back) && wall_ns() - s->step_since > SESSION_SEEN_NS;
}

static const char *stopped_at(const struct session *s)
{
    const struct engine *e = s->e;
    if (engine_failed(e))
        return e->failure;
    return s->ended ? e->fatal : e->held_by[0] ? e->held_by : s->back.held_by[0] ? s->back.held_by : e->refused;
}

static void op_status(struct session *s, struct session_status *out)
{
    session_enter(s);
    s->told = false;
    const struct engine *e = s->e;
    *out = (struct session_status){
        .name = s->name, .title = s->title, .generation = rt_generation_name(e->cfg.rt.generation),
        .no_p = !rt_generation_has_p(e->cfg.rt.generation), .lockstep = lockstep(s), .was_free = conductor_was_free(e->cond),
        .paused = !s->run,
        .still = !s->run && s->state == STOPPED && !s->halt && !s->edits.n && !s->steps && !s->course.on && !s->again && !s->branch_wish,
        .stepping = stepping(s), .ended = s->ended && !s->again && !s->branch_wish,
        .newest = e->events, .newest_time = model_time(engine_view(e)), .oldest = history_oldest(e->past),
        .branch = s->branches.v.n > 1 ? (uint32_t)s->branches.here + 1 : 0, .over = s->ended, .failed = engine_failed(e), .how = e->how < 0 ? EH_FATAL : e->how, .seed = e->cfg.rt.seed, .run = s->runs,
        .time = model_time(engine_view(e)), .events = e->events, .pending = engine_over(e) ? 0 : engine_pending(e),
        .lost = engine_lost(e), .tempo = s->tempo, .speed_num = 1, .speed_den = speed_den[s->speed],
    };
    if (e->held_time > out->time)
        out->time = e->held_time;
    session_copy_line(out->stopped_at, sizeof out->stopped_at, stopped_at(s));
    if (lookback_on(&s->back))
        session_status_past(s, out);
    pthread_mutex_unlock(&s->lock);
}

/* The last events up to what is shown. */
static int copy_events(struct session *s, struct session_event *out, int max)
{
    struct history *past = s->e->past;
    uint64_t at = lookback_now(&s->back), kept = at - history_oldest(past), n = kept < (uint64_t)max ? kept : (uint64_t)max, i;
    struct history_event h;
    for (i = 0; i < n && history_get(past, at - n + 1 + i, &h); i++) {
        out[i].number = h.number;
        out[i].m = h.m;
        out[i].ev = h.ev;
        size_t len = h.len < sizeof out[i].text ? h.len : sizeof out[i].text - 1;
        if (len)
            memcpy(out[i].text, h.text, len);
        out[i].text[len] = '\0';
    }
    return (int)i;
}

static struct model *op_view(struct session *s, struct session_event *events, int max, int *n)
{
    session_enter(s);
    s->told = false;
    struct model *md = model_clone(lookback_on(&s->back) ? s->back.md : engine_view(s->e));
    *n = md ? copy_events(s, events, max) : 0;
    if (md)
        model_pass_time(md, lookback_on(&s->back) ? s->back.held_time : s->e->held_time);
    pthread_mutex_unlock(&s->lock);
    return md;
}

static uint64_t op_output(struct session *s, uint64_t from, char (*lines)[160], int max, int *n)
{
    const char *const *all;
    session_enter(s);
    uint64_t total = expect_lines(s->e->expect, &all);
    if (lookback_on(&s->back))
        total = history_prints(s->e->past, lookback_now(&s->back));
    for (*n = 0; *n < max && from + (uint64_t)*n < total; ++*n)
        session_copy_line(lines[*n], sizeof lines[*n], all[from + (uint64_t)*n]);
    pthread_mutex_unlock(&s->lock);
    return total;
}

static void op_pause(struct session *s, bool on)
{
    session_enter(s);
    if (!s->ended || lookback_on(&s->back)) {
        s->halt = on && !s->ended;
        s->run = !on;
        if (on)
            edits_forget_until(&s->edits);
        s->steps = 0;
        s->due = wall_ns();
    }
    session_wished(s);
}

static void op_step(struct session *s, enum step_kind kind, uint32_t n)
{
    session_enter(s);
    if (!s->run && lookback_on(&s->back)) {
        play_to(s, lookback_step(&s->back, kind, 1, n));
    } else if (!s->run && !s->ended) {
        if (!s->steps && s->state != STEPPING)
            s->step_since = wall_ns();
        s->steps = kind == s->step ? s->steps + n : n;
        s->step = kind;
    }
    session_wished(s);
}

double session_next_tempo(double t, int up)
{
    for (size_t i = 0; up > 0 && i < TEMPOS; i++)
        if (tempos[i] > t)
            return tempos[i];
    for (size_t i = TEMPOS; up < 0 && i-- > 0;)
        if (tempos[i] < t)
            return tempos[i];
    return t;
}

static void op_tempo(struct session *s, int up)
{
    session_enter(s);
    if (lockstep(s)) {
        s->tempo = session_next_tempo(s->tempo, up);
        s->due = wall_ns();
    } else {
        if (up > 0 ? s->speed > 0 : s->speed + 1 < SPEEDS)
            s->speed += up > 0 ? -1u : 1u;
        conductor_set_speed(s->e->cond, 1, speed_den[s->speed]);
    }
    session_tell(s);
    session_wished(s);
}

static void op_toggle_mode(struct session *s)
{
    session_enter(s);
    lookback_leave(&s->back);
    s->toggle = !s->ended;
    s->run = s->run && !s->ended;
    session_wished(s);
}

static void op_set_tempo(struct session *s, double tempo)
{
    session_enter(s);
    s->tempo = tempo;
    s->due = wall_ns();
    session_tell(s);
    session_wished(s);
}

static void op_restart(struct session *s, uint64_t seed)
{
    session_enter(s);
    s->again = true;
    s->seed = seed;
    session_wished(s);
}

static int op_wake_fd(struct session *s)
{
    return s->fd;
}

const struct session_ops session_ops = {
    .status = op_status, .view = op_view, .output = op_output, .pause = op_pause, .step = op_step, .tempo = op_tempo,
    .toggle_mode = op_toggle_mode, .set_tempo = op_set_tempo, .check = session_check, .break_add = session_break_add,
    .run_until = session_run_until, .break_delete = session_break_delete, .breaks = session_breaks, .find = session_find, .pending = session_pending,
    .restart = op_restart, .wake_fd = op_wake_fd, .step_back = session_step_back, .goto_event = session_goto_event,
    .goto_time = session_goto_time, .goto_mark = session_goto_mark, .mark = session_mark, .marks = session_marks,
    .choosing = session_choosing, .draw = session_draw, .choose = session_choose, .share = session_share,
    .branches = session_branches, .branch = session_branch, .lesson = session_lesson, .lesson_set = session_lesson_set,
};

/* --- life ---------------------------------------------------------------------------------------------------------- */

static struct engine *live_engine(const struct scenario *sc, const struct options *o, char *err, size_t size)
{
    struct engine_config c = command_engine(sc, o);
    c.live = true;
    c.lesson = o->lesson;
    c.history = o->history;
    return engine_new(&c, err, size);
}

static void init_locks(struct session *s)
{
    pthread_condattr_t attr;
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->door, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&s->wish, &attr);
    pthread_condattr_destroy(&attr);
    pthread_cond_init(&s->arrived, NULL);
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
        pthread_setname_np(s->thread, "session"); /* told from the Ms in a debugger or top; failing costs only that */
    return r;
}

static struct session *begin(const struct scenario *sc, const struct options *o, bool run, char *err, size_t size)
{
    struct session *s = calloc(1, sizeof *s);
    int r = ENOMEM;
    if (s) {
        *s = (struct session){.run = run, .tempo = o->tempo, .audit = o->audit, .title = scenario_info(sc)->title,
                              .name = scenario_info(sc)->name, .o = o, .due = wall_ns()};
        init_locks(s);
        s->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        r = s->fd >= 0 ? 0 : errno;
    }
    if (!r && (s->e = live_engine(sc, o, err, size))) {
        lookback_start(&s->back, s->e->past);
        if (!(r = start_thread(s)))
            return s;
    }
    if (r)
        snprintf(err, size, "the screen cannot start: %s", strerror(r));
    session_free(s);
    return NULL;
}

struct session *session_new(const struct scenario *sc, const struct options *o, char *err, size_t size)
{
    return begin(sc, o, true, err, size);
}

struct session *session_new_paused(const struct scenario *sc, const struct options *o, char *err, size_t size)
{
    return begin(sc, o, false, err, size);
}

void session_own(struct session *s, void *owner)
{
    session_enter(s);
    s->owner = owner;
    pthread_mutex_unlock(&s->lock);
}

void *session_owner(const struct session *s) { return s->owner; }

struct engine *session_stop(struct session *s, bool *ended)
{
    session_enter(s);
    s->quit = true;
    session_wished(s);
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
    lookback_leave(&s->back);
    session_forget_branches(s);
    engine_free(s->e);
    if (s->fd >= 0)
        close(s->fd);
    pthread_cond_destroy(&s->wish);
    pthread_cond_destroy(&s->arrived);
    pthread_mutex_destroy(&s->lock);
    pthread_mutex_destroy(&s->door);
    free(s);
}
