/* Two runs on one scenario clock. Both sessions are paused all the time; the comparison's own thread moves them:
 *
 *   1. Each side logs its next event (session_advance with a time in the past).
 *   2. The side whose next event is earlier advances up to the other side's next event.
 *   3. Repeat from 1.
 *
 * A side may log details without end but no event, for example while its only G is in the kernel. For such a side only a time is known before
 * which it has no event. The comparison uses it like the time of an event, but the side continues to log until its next event is known.
 *
 * Requests of the person go to this thread. So what the person sees depends only on the two seeds: the events of both sides in the order
 * of their times, the left side first where the times are equal. A step is one of these events. A round is all events up to the first
 * that ends a round. A side whose next event is later is shown at the common time.
 *
 * A side that spins may log a hundred thousand events between two events of the other side. So a side advances to a time, not by a number
 * of events, and a rewind searches both histories for the place before it folds anything.
 */
#include "session/comparison.h"
#include "base/wall.h"
#include "engine/signals.h"
#include "session/both_breaks.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { LEFT, RIGHT, SIDES };
enum pace {
    ONE_EVENT,
    ONE_ROUND,
    NO_DELAY,
    PAST_SEARCHES
}; /* how far the thread goes before it checks for requests again; PAST_SEARCHES: like ONE_EVENT, but skips events while Ms of a side only search for work */

struct comparison {
    struct session_ops ops; /* those of the sessions, except the groups that move a run */
    struct session *side[SIDES];
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock; /* protects all fields below */
    pthread_cond_t requested;
    bool run, quit, moving, for_step; /* moving: the thread advances a side, without the lock; for_step: for one of the steps */
    pthread_cond_t idle;              /* moving has become false */
    uint32_t steps;
    enum step_kind step;
    int64_t step_since; /* when the first of the steps was requested */
    struct tempo tempo;
    int64_t due;
    uint64_t seen[SIDES]; /* the events that `due` takes into account */
    bool parts;           /* runs until both part, and goes there */
    bool push;            /* no side moves by itself any more, and the person lets the stuck ones continue */
    struct known {
        struct session_verdict v;
        bool stuck[SIDES];
        int64_t since[SIDES];
        bool over; /* no side moves by itself any more */
    } verdict;
    struct { /* the thread's own, without the lock */
        struct known verdict;
        int64_t push;             /* ns: how far sides that are stuck continue now; 0: they do not */
        int64_t allowed[SIDES];   /* a side that is stuck may continue up to this time */
        uint32_t searches[SIDES]; /* events since a G has moved, without those that were passed over */
    } own;
};

enum { SEARCHES_SHOWN = 24 };
#define PUSH_NS INT64_C(10000000) /* how far a side that is stuck continues at a request */

/* --- the comparison's thread ------------------------------------------------------------------------------------- */

static struct session_status status_of(struct session *s)
{
    struct session_status st;
    session_ops.status(s, &st);
    return st;
}

static bool in_past(const struct comparison *p)
{
    return status_of(p->side[LEFT]).back || status_of(p->side[RIGHT]).back;
}

/* When a side's next event comes; if it is not known, a time before which it does not come. */
struct coming {
    int64_t time;
    bool known;
};

static bool find_coming(struct session *s, struct coming *out)
{
    struct ev next;
    out->known = session_core(s, 1, &next);
    out->time = out->known ? next.time : session_reached(s);
    return out->known;
}

/* Makes a side log its next event, if it can. If it returns ADVANCE_LATER, *out is set. */
static enum advance_end look_ahead(struct session *s, struct coming *out)
{
    if (find_coming(s, out))
        return ADVANCE_LATER;
    enum advance_end how = session_advance(s, &(struct advance_until){.until = -1});
    if (how == ADVANCE_LATER)
        find_coming(s, out);
    return how;
}

/* Returns true if the side stays where it is, because it is stuck before its next event. Otherwise sets *until to the last time at which it is
 * known not to be stuck. */
static bool stays(struct comparison *p, int i, const struct coming *next, int64_t *until)
{
    struct known *v = &p->own.verdict;
    int64_t look;
    int64_t was = v->since[i];
    *until = INT64_MAX;
    v->stuck[i] = false;
    if (status_of(p->side[i]).back)
        return false;
    v->stuck[i] = session_quiet(p->side[i], next->time, &v->since[i], &look);
    *until = look > next->time ? look - 1 : p->own.allowed[i];
    p->own.searches[i] = v->since[i] == was ? p->own.searches[i] : 0;
    return v->stuck[i] && next->time > p->own.allowed[i];
}

/* Lets the sides that are stuck continue if that was requested. */
static bool push(struct comparison *p, const struct coming next[SIDES])
{
    bool any = false;
    for (int i = 0; i < SIDES && p->own.push; i++)
        if (p->own.verdict.stuck[i]) {
            p->own.allowed[i] = next[i].time + p->own.push - 1;
            any = true;
        }
    p->own.push = 0;
    return any;
}

/* Plays the next event of a side's past. A replay stops for the same reasons as a run. */
static enum advance_end replay_one(struct session *s, enum pace pace)
{
    struct ev e;
    if (session_replay_core(s))
        return ADVANCE_HELD;
    if (pace != ONE_ROUND)
        return ADVANCE_DONE;
    return session_core(s, -1, &e) && ev_ends_round(e.kind) ? ADVANCE_ROUND : ADVANCE_LATER;
}

/* Advances the side whose next event is earlier, as far as `pace` and the other's next event allow. ADVANCE_ENDED: both have ended, or are
 * stuck. */
static enum advance_end advance_earlier(struct comparison *p, enum pace pace)
{
    struct coming next[SIDES];
    int64_t known[SIDES];
    enum advance_end how[SIDES];
    for (int i = 0; i < SIDES; i++) {
        how[i] = look_ahead(p->side[i], &next[i]);
        if (how[i] != ADVANCE_LATER && how[i] != ADVANCE_ENDED)
            return how[i];
    }
    for (int i = 0; i < SIDES; i++)
        if (how[i] == ADVANCE_LATER && stays(p, i, &next[i], &known[i]))
            how[i] = ADVANCE_ENDED;
    bool left = how[LEFT] == ADVANCE_LATER, right = how[RIGHT] == ADVANCE_LATER;
    int who = !left || (right && next[RIGHT].time < next[LEFT].time);
    if ((p->own.verdict.over = !left && !right))
        return push(p, next) ? ADVANCE_LATER : ADVANCE_ENDED;
    if (status_of(p->side[who]).back)
        return replay_one(p->side[who], pace);
    int64_t until = left && right ? next[!who].time - (next[who].known && who == RIGHT) : INT64_MAX;
    until = until < known[who] ? until : known[who];
    bool still = pace == PAST_SEARCHES && p->own.searches[who]++ >= SEARCHES_SHOWN;
    bool one = pace == ONE_EVENT || (pace == PAST_SEARCHES && !still);
    uint64_t n = !next[who].known ? 0 : one ? 1 : UINT64_MAX;
    enum advance_end end = session_advance(p->side[who], &(struct advance_until){until, n, pace == ONE_ROUND, still});
    return end == ADVANCE_ENDED ? ADVANCE_LATER : end; /* the end of one side, or its failure, does not stop the other */
}

static enum goto_result worse(enum goto_result a, enum goto_result b)
{
    return a == GOTO_DONE ? b : a;
}

static enum goto_result to_present(struct comparison *p)
{
    enum goto_result left = session_ops.rewind->goto_event(p->side[LEFT], SESSION_NEWEST);
    return worse(left, session_ops.rewind->goto_event(p->side[RIGHT], SESSION_NEWEST));
}

/* Moves the other side to its last event before `time`, the time of side `who`'s last event, which is the last one of both. */
static enum goto_result other_behind(struct comparison *p, int who, int64_t time)
{
    return session_goto_core(p->side[!who], time - (who == LEFT));
}

static enum goto_result go_behind(struct comparison *p, int who, uint64_t n, int64_t time)
{
    enum goto_result r = session_ops.rewind->goto_event(p->side[who], n);
    return worse(r, other_behind(p, who, time));
}

/* Goes to the next end of a round in the past. If there is none, shows the present and returns false. */
static bool round_in_past(struct comparison *p)
{
    struct ev e[SIDES];
    uint64_t n[SIDES];
    for (int i = 0; i < SIDES; i++)
        n[i] = session_round(p->side[i], 1, false, &e[i]);
    int who = !n[LEFT] || (n[RIGHT] && e[RIGHT].time < e[LEFT].time);
    if (n[who])
        go_behind(p, who, n[who], e[who].time);
    else
        to_present(p);
    return n[who] != 0;
}

static bool armed(const struct comparison *p)
{
    struct session_break any;
    return session_ops.breaks->list(p->side[LEFT], &any, 1) + session_ops.breaks->list(p->side[RIGHT], &any, 1) > 0;
}

/* Shows both at the first events that differ; a run that has ended before, at its end. */
static enum goto_result show_parting(struct comparison *p)
{
    const struct session_verdict *v = &p->own.verdict.v;
    enum goto_result r = GOTO_DONE;
    for (int i = 0; i < SIDES; i++)
        r = worse(r, session_ops.rewind->goto_event(p->side[i], v->has[i] ? v->parting.same + 1 : SESSION_NEWEST));
    return r;
}

static enum advance_end move(struct comparison *p, enum pace pace)
{
    for (int i = 0; i < SIDES; i++)
        session_leave_past(p->side[i]);
    bool past = in_past(p) && !armed(p); /* with breakpoints it goes event by event, because each may stop it */
    if (past && pace == NO_DELAY)
        to_present(p);
    if (past && pace == ONE_ROUND && round_in_past(p))
        return ADVANCE_ROUND;
    return advance_earlier(p, pace);
}

/* Returns true if it is time for an event; otherwise waits and returns false. Caller holds the lock. */
static bool due(struct comparison *p)
{
    int64_t now = wall_ns();
    if (p->steps)
        return true;
    if (!p->run) {
        pthread_cond_wait(&p->requested, &p->lock);
        return false;
    }
    if (p->parts || isinf(p->tempo.rate))
        return true;
    if (now < p->due) {
        struct timespec t = {.tv_sec = p->due / 1000000000, .tv_nsec = p->due % 1000000000};
        pthread_cond_timedwait(&p->requested, &p->lock, &t);
        return false;
    }
    return true;
}

/* Lets the event that has just become visible stay. Caller holds the lock. */
static void let_stay(struct comparison *p)
{
    int64_t longest = 0;
    for (int i = 0; i < SIDES; i++) {
        int64_t ns = session_dwell(p->side[i], p->tempo, &p->seen[i]);
        longest = ns > longest ? ns : longest;
    }
    p->due = wall_ns() + longest;
}

static enum pace pace_of(const struct comparison *p)
{
    if (p->steps)
        return p->step == STEP_ROUND ? ONE_ROUND : ONE_EVENT;
    return p->parts || isinf(p->tempo.rate) ? NO_DELAY : p->tempo.automatic ? PAST_SEARCHES : ONE_EVENT;
}

/* on: makes the sides end their advance. Caller: holds the lock, right after a request was left, or before a move. */
static void keep(struct comparison *p, bool on)
{
    for (int i = 0; i < SIDES; i++)
        session_keep(p->side[i], on);
}

/* Compares what has been folded. A restart begins with nothing known, and with no side that was pushed. */
static void note_verdict(struct comparison *p)
{
    struct session_verdict *v = &p->own.verdict.v;
    uint32_t run[SIDES] = {v->run[LEFT], v->run[RIGHT]};
    session_compare(p->side, v);
    for (int i = 0; i < SIDES; i++)
        if (v->run[i] != run[i])
            p->own.allowed[i] = 0;
}

static void *comparison_thread(void *arg)
{
    struct comparison *p = arg;
    pthread_mutex_lock(&p->lock);
    while (!p->quit) {
        if (!due(p))
            continue;
        enum pace pace = pace_of(p);
        bool parts = p->parts;
        p->own.push = p->push ? p->steps ? 1 : PUSH_NS : 0;
        p->push = false;
        p->moving = true;
        p->for_step = p->steps;
        keep(p, false);
        pthread_mutex_unlock(&p->lock);
        enum advance_end how = move(p, pace);
        note_verdict(p);
        if (parts && p->own.verdict.v.parting.parted && show_parting(p) == GOTO_DONE)
            how = ADVANCE_HELD;
        pthread_mutex_lock(&p->lock);
        p->moving = false;
        p->verdict = p->own.verdict;
        let_stay(p);
        p->steps -= p->for_step && (how == ADVANCE_DONE || how == ADVANCE_ROUND);
        if (how == ADVANCE_HELD || how == ADVANCE_ENDED) {
            p->run = p->parts = false;
            p->steps = 0;
            session_show(p->side[LEFT]);
        }
        pthread_cond_signal(&p->idle);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* --- session/session.h; the UI's thread --------------------------------------------------------------------------------- */

static struct comparison *comparison_of(struct session *s)
{
    return session_owner(s);
}

static bool is_left_stuck(struct comparison *p, const struct session *s)
{
    pthread_mutex_lock(&p->lock);
    bool stuck = p->verdict.stuck[s == p->side[RIGHT]];
    pthread_mutex_unlock(&p->lock);
    return stuck;
}

/* Returns the time that both have reached: the later of the two. A run that has ended or is stuck stays at its own time. */
static int64_t common_time(struct comparison *p, const struct session *s, const struct session_status *own)
{
    int64_t a = status_of(p->side[0]).time, b = status_of(p->side[1]).time, later = a > b ? a : b;
    return own->ended || own->time > later || (!own->back && is_left_stuck(p, s)) ? own->time : later;
}

static struct model *op_view(struct session *s, struct session_event *events, int max, int *n)
{
    struct session_status st = status_of(s);
    struct model *md = session_ops.view(s, events, max, n);
    if (md && st.events)
        model_pass_time(md, common_time(comparison_of(s), s, &st));
    return md;
}

/* What one side refuses, both do: a recording beside a live run has one seed. */
static const struct text *op_refusal(struct session *s, enum capability what)
{
    struct comparison *p = comparison_of(s);
    const struct text *own = session_ops.refusal(s, what);
    return own ? own : session_ops.refusal(p->side[s == p->side[LEFT]], what);
}

static void op_status(struct session *s, struct session_status *out)
{
    struct comparison *p = comparison_of(s);
    const struct session_status other = status_of(p->side[s == p->side[LEFT]]);
    session_ops.status(s, out);
    out->without |= other.without;
    out->refused |= other.refused;
    out->time = common_time(p, s, out);
    pthread_mutex_lock(&p->lock);
    int i = s == p->side[RIGHT];
    out->stuck = p->verdict.stuck[i] && !out->back && !out->ended;
    out->stuck_since = p->verdict.since[i];
    out->paused = !p->run;
    out->stepping = !p->run && (p->steps || p->moving) && !out->back && wall_ns() - p->step_since > SESSION_SEEN_NS;
    out->still = out->still && !p->run && !p->steps && !p->moving;
    out->tempo = p->tempo;
    out->pending = 0; /* the person does not see the events that a side has logged in advance */
    pthread_mutex_unlock(&p->lock);
}

static void leave_request(struct comparison *p)
{
    pthread_cond_signal(&p->requested);
    pthread_mutex_unlock(&p->lock);
}

static void op_pause(struct session *s, bool on)
{
    struct comparison *p = comparison_of(s);
    pthread_mutex_lock(&p->lock);
    p->run = !on;
    p->push |= !on && p->verdict.over;
    p->parts = p->for_step = false;
    p->steps = 0;
    p->due = p->step_since = wall_ns();
    keep(p, true);
    leave_request(p);
}

static void op_step(struct session *s, enum step_kind kind, uint32_t n)
{
    struct comparison *p = comparison_of(s);
    pthread_mutex_lock(&p->lock);
    if (!p->run) {
        p->step_since = p->steps || p->moving ? p->step_since : wall_ns();
        p->steps = kind == p->step ? p->steps + n : n;
        p->for_step &= kind == p->step;
        p->step = kind;
        p->push |= p->verdict.over;
    }
    leave_request(p);
}

static void op_set_tempo(struct session *s, struct tempo tempo)
{
    struct comparison *p = comparison_of(s);
    pthread_mutex_lock(&p->lock);
    p->tempo = tempo;
    p->due = wall_ns();
    keep(p, true);
    leave_request(p);
}

static void op_tempo(struct session *s, int up)
{
    op_set_tempo(s, tempo_next(comparison_of(s)->tempo, up)); /* only this thread changes it */
}

/* --- rewinding: the side that is ahead goes first --- */

/* Ends what the thread does and waits until it is idle, so that it makes no step in between. */
static struct comparison *settle(struct session *s)
{
    struct comparison *p = comparison_of(s);
    pthread_mutex_lock(&p->lock);
    p->run = p->parts = p->for_step = false;
    p->steps = 0;
    keep(p, true);
    while (p->moving)
        pthread_cond_wait(&p->idle, &p->lock);
    leave_request(p);
    return p;
}

/* Returns the side whose last event is the last one of both. */
static int latest(struct comparison *p)
{
    struct ev e[SIDES];
    bool has[SIDES];
    for (int i = 0; i < SIDES; i++)
        has[i] = session_core(p->side[i], -1, &e[i]);
    return has[RIGHT] && (!has[LEFT] || e[RIGHT].time >= e[LEFT].time);
}

/* Undoes the last event of both. A side that is at its first event stays there. */
static enum goto_result undo_event(struct comparison *p)
{
    enum goto_result r = GOTO_DONE;
    int who = latest(p);
    for (int i = 0; i < SIDES; i++, who = !who) {
        uint64_t was = status_of(p->side[who]).events;
        r = session_ops.rewind->step_back(p->side[who], STEP_EVENT, 1);
        if (r == GOTO_DONE && status_of(p->side[who]).events != was)
            break;
    }
    return r;
}

/* Goes to the last end of a round before the last event of both; if there is none, to the first events. */
static enum goto_result undo_round(struct comparison *p)
{
    struct ev e[SIDES];
    uint64_t n[SIDES];
    int last = latest(p);
    for (int i = 0; i < SIDES; i++)
        n[i] = session_round(p->side[i], -1, i == last, &e[i]);
    int who = n[RIGHT] && (!n[LEFT] || e[RIGHT].time >= e[LEFT].time);
    if (n[who])
        return go_behind(p, who, n[who], e[who].time);
    enum goto_result left = session_goto_core(p->side[LEFT], -1);
    return worse(left, session_goto_core(p->side[RIGHT], -1));
}

static enum goto_result op_step_back(struct session *s, enum step_kind kind, uint32_t n)
{
    struct comparison *p = settle(s);
    enum goto_result r = GOTO_DONE;
    for (; n && r == GOTO_DONE; n--)
        r = kind == STEP_ROUND ? undo_round(p) : undo_event(p);
    return r;
}

/* Moves a side to its state at time ns. If it has not reached ns, because its next event is later or it has ended, it goes to its newest
 * event. */
static enum goto_result side_goto_time(struct session *s, int64_t ns)
{
    enum goto_result r = session_ops.rewind->goto_time(s, ns);
    return r == GOTO_TOO_LATE ? session_ops.rewind->goto_event(s, SESSION_NEWEST) : r;
}

static enum goto_result op_goto_time(struct session *s, int64_t ns)
{
    struct comparison *p = settle(s);
    if (ns > status_of(p->side[0]).newest_time && ns > status_of(p->side[1]).newest_time)
        return GOTO_TOO_LATE;
    enum goto_result left = side_goto_time(p->side[LEFT], ns);
    return worse(left, side_goto_time(p->side[RIGHT], ns));
}

/* Goes to event `number` of side s, since each side numbers its own events. The other side goes to its state at that time. */
static enum goto_result op_goto_event(struct session *s, uint64_t number)
{
    struct comparison *p = settle(s);
    if (number == SESSION_NEWEST)
        return to_present(p);
    enum goto_result r = session_ops.rewind->goto_event(s, number);
    return r == GOTO_DONE ? other_behind(p, s == p->side[RIGHT], status_of(s).time) : r;
}

static void op_verdict(struct session *s, struct session_verdict *out)
{
    struct comparison *p = comparison_of(s);
    pthread_mutex_lock(&p->lock);
    *out = p->verdict.v;
    pthread_mutex_unlock(&p->lock);
}

static enum goto_result op_goto_parting(struct session *s)
{
    struct comparison *p = settle(s);
    bool parted = p->own.verdict.v.parting.parted;
    if (parted || (status_of(p->side[LEFT]).over && status_of(p->side[RIGHT]).over))
        return parted ? show_parting(p) : GOTO_NO_MARK;
    comparison_part(p);
    return GOTO_TOO_LATE;
}

static enum goto_result op_goto_mark(struct session *s, const char *name)
{
    struct comparison *p = settle(s);
    enum goto_result left = session_ops.rewind->goto_mark(p->side[LEFT], name);
    return worse(left, session_ops.rewind->goto_mark(p->side[RIGHT], name));
}

static bool op_mark(struct session *s, const char *name)
{
    struct comparison *p = comparison_of(s);
    return session_ops.rewind->mark(p->side[0], name) && session_ops.rewind->mark(p->side[1], name);
}

static int op_marks(struct session *s, struct session_mark *out, int max)
{
    return session_ops.rewind->marks(s, out, max);
}

static int op_pending(struct session *s, struct session_event *out, int max)
{
    (void)s, (void)out, (void)max;
    return 0;
}

/* Does nothing, because two runs in free mode would have two clocks. */
static void op_toggle_mode(struct session *s)
{
    (void)s;
}

/* Restarts both with this seed. If s already has this seed, each restarts with its own. */
static void op_restart(struct session *s, uint64_t seed)
{
    struct comparison *p = comparison_of(s);
    bool over = status_of(p->side[LEFT]).ended && status_of(p->side[RIGHT]).ended;
    pthread_mutex_lock(&p->lock);
    bool ran = p->run;
    pthread_mutex_unlock(&p->lock);
    settle(s);
    bool same = status_of(s).seed == seed || op_refusal(s, CAN_CHANGE_SEED);
    for (int i = 0; i < SIDES; i++)
        session_ops.motion->restart(p->side[i], same ? status_of(p->side[i]).seed : seed);
    pthread_mutex_lock(&p->lock);
    p->run = ran || over;
    leave_request(p);
}

static bool op_break_add(struct session *s, const char *pattern, struct session_mistake *wrong)
{
    return both_break_add(comparison_of(s)->side, pattern, wrong);
}

static int op_breaks(struct session *s, struct session_break *out, int max)
{
    return both_breaks(comparison_of(s)->side, out, max);
}

static bool op_break_delete(struct session *s, uint32_t id)
{
    return both_break_delete(comparison_of(s)->side, id);
}

static const struct session_motion_ops motion_ops = {
    .pause = op_pause, .step = op_step, .tempo = op_tempo, .set_tempo = op_set_tempo, .toggle_mode = op_toggle_mode, .restart = op_restart};
static const struct session_break_ops break_ops = {.add = op_break_add, .delete = op_break_delete, .list = op_breaks};
static const struct session_rewind_ops rewind_ops = {
    .step_back = op_step_back,
    .goto_event = op_goto_event,
    .goto_time = op_goto_time,
    .goto_mark = op_goto_mark,
    .mark = op_mark,
    .marks = op_marks};
static const struct session_pair_ops pair_ops = {.verdict = op_verdict, .goto_parting = op_goto_parting};

/* --- life ---------------------------------------------------------------------------------------------------------- */

static void init(struct comparison *p)
{
    pthread_condattr_t attr;
    pthread_mutex_init(&p->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&p->requested, &attr);
    pthread_condattr_destroy(&attr);
    pthread_cond_init(&p->idle, NULL);
    p->ops = session_ops;
    p->ops.status = op_status;
    p->ops.race = NULL;
    p->ops.refusal = op_refusal;
    p->ops.view = op_view;
    p->ops.pending = op_pending;
    p->ops.motion = &motion_ops;
    p->ops.breaks = &break_ops;
    p->ops.rewind = &rewind_ops;
    p->ops.pair = &pair_ops;
    p->ops.decisions = NULL; /* a choice would be one for one side */
}

struct comparison *comparison_new(struct session *left, struct session *right, struct tempo tempo)
{
    sigset_t old;
    struct comparison *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    *p = (struct comparison){.side = {left, right}, .run = true, .tempo = tempo, .due = wall_ns()};
    init(p);
    for (int i = 0; i < SIDES; i++)
        session_own(p->side[i], p);
    signals_block(&old);
    int err = pthread_create(&p->thread, NULL, comparison_thread, p);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if ((p->has_thread = err == 0))
        return p;
    comparison_free(p);
    errno = err;
    return NULL;
}

void comparison_part(struct comparison *p)
{
    pthread_mutex_lock(&p->lock);
    p->run = p->parts = true;
    p->push = p->verdict.over;
    keep(p, true);
    leave_request(p);
}

const struct session_ops *comparison_ops(const struct comparison *p)
{
    return &p->ops;
}

void comparison_free(struct comparison *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->quit = true;
    keep(p, true);
    leave_request(p);
    for (int i = 0; i < SIDES; i++) /* a session's thread ends at once, and with it an advance; neither waits for a world to stop */
        session_stop(p->side[i], &(bool){false});
    if (p->has_thread)
        pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->requested);
    pthread_cond_destroy(&p->idle);
    pthread_mutex_destroy(&p->lock);
    free(p);
}
