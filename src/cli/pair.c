/* Both sessions are paused all the time. A thread of the pair lets each log its next event, has the earlier one shown, waits until that
 * session stands again, and so on; what a person asks for goes to this thread. So both stay on one scenario clock, and what is seen
 * depends on the two seeds alone. A round, too, is made of such steps, until one of them ends it: a session that was granted a round of
 * its own would run away from the other. Whose next event is still to come is shown as of the common time.
 */
#include "cli/pair.h"
#include "cli/lookback.h"
#include "cli/signals.h"
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { SIDES = 2 };

#define LOOK_NS 100000               /* between two looks whether a step is over: it takes microseconds */

struct pair {
    struct session_ops ops;          /* the sessions' own, but for control */
    struct session *side[SIDES];
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock;            /* all below */
    pthread_cond_t wish;
    bool run, quit, moving;          /* moving: a step is being made; */
    pthread_cond_t rest;             /* it is over */
    uint32_t steps;
    enum step_kind step;
    int64_t step_since;              /* when the first of them was asked for */
    double tempo;
    int64_t due;
};

static int64_t monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* --- the pair's thread ------------------------------------------------------------------------------------------- */

static struct session_status status_of(struct session *s)
{
    struct session_status st;
    session_ops.status(s, &st);
    return st;
}

/* When the next event of s is. */
static int64_t next_time(const struct session_status *st, struct session *s)
{
    struct ev next;
    return session_core(s, 1, &next) ? next.time : st->time;
}

/* The one whose next event is earlier; NULL: both are at their ends. */
static struct session *earlier(const struct pair *p)
{
    struct session_status a = status_of(p->side[0]), b = status_of(p->side[1]);
    bool a_over = a.ended && !a.back, b_over = b.ended && !b.back;
    if (a_over || b_over)
        return a_over && b_over ? NULL : p->side[a_over];
    return p->side[next_time(&b, p->side[1]) < next_time(&a, p->side[0])];
}

static bool quits(struct pair *p)
{
    pthread_mutex_lock(&p->lock);
    bool yes = p->quit;
    pthread_mutex_unlock(&p->lock);
    return yes;
}

static void wait_still(struct pair *p, struct session *s)
{
    enum { YIELDS = 50 };
    for (int i = 0;; i++) {
        struct session_status st = status_of(s);
        if (st.still || st.ended || quits(p))
            return;
        if (i < YIELDS)
            sched_yield();
        else
            nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
}

/* One event of the one that comes first. False: there is nothing more to do. */
static bool move(struct pair *p, bool *round)
{
    struct ev last;
    for (int i = 0; i < SIDES; i++)
        if (!status_of(p->side[i]).pending)
            session_ahead(p->side[i]);
    for (int i = 0; i < SIDES; i++)
        wait_still(p, p->side[i]);
    struct session *s = earlier(p);
    if (!s)
        return false;
    session_ops.step(s, STEP_EVENT, 1);
    wait_still(p, s);
    *round = session_core(s, -1, &last) && lookback_ends_round(&last);
    struct session_status st = status_of(s);
    return st.ended ? !st.failed : !st.stopped_at[0];
}

/* Under the lock: true when it is time for an event. Else it has waited. */
static bool due(struct pair *p)
{
    int64_t now = monotonic();
    if (p->steps)
        return true;
    if (!p->run) {
        pthread_cond_wait(&p->wish, &p->lock);
        return false;
    }
    if (isinf(p->tempo))
        return true;
    if (now < p->due) {
        struct timespec t = {.tv_sec = p->due / 1000000000, .tv_nsec = p->due % 1000000000};
        pthread_cond_timedwait(&p->wish, &p->lock, &t);
        return false;
    }
    p->due = now + (int64_t)(1e9 / p->tempo);
    return true;
}

static void *pair_thread(void *arg)
{
    struct pair *p = arg;
    for (int i = 0; i < SIDES; i++)
        wait_still(p, p->side[i]);
    pthread_mutex_lock(&p->lock);
    while (!p->quit) {
        if (!due(p))
            continue;
        p->moving = true;
        pthread_mutex_unlock(&p->lock);
        bool round = false, more = move(p, &round);
        pthread_mutex_lock(&p->lock);
        p->moving = false;
        p->steps -= p->steps && (p->step == STEP_EVENT || round);
        if (!more) {
            p->run = false;
            p->steps = 0;
        }
        pthread_cond_signal(&p->rest);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* --- ui/session.h; the UI's thread --------------------------------------------------------------------------------- */

static struct pair *pair_of(struct session *s) { return session_owner(s); }

/* How far both have come: the later of the two, but an end stays where it was. */
static int64_t common_time(struct pair *p, const struct session_status *own)
{
    int64_t a = status_of(p->side[0]).time, b = status_of(p->side[1]).time, later = a > b ? a : b;
    return own->ended || own->time > later ? own->time : later;
}

static struct model *op_view(struct session *s, struct session_event *events, int max, int *n)
{
    struct session_status st = status_of(s);
    struct model *md = session_ops.view(s, events, max, n);
    if (md && st.events)
        model_pass_time(md, common_time(pair_of(s), &st));
    return md;
}

static void op_status(struct session *s, struct session_status *out)
{
    struct pair *p = pair_of(s);
    session_ops.status(s, out);
    out->time = common_time(p, out);
    pthread_mutex_lock(&p->lock);
    out->paused = !p->run;
    out->stepping = !p->run && (p->steps || p->moving) && !out->back && monotonic() - p->step_since > SESSION_SEEN_NS;
    out->still = out->still && !p->run && !p->steps && !p->moving;
    out->tempo = p->tempo;
    out->pending = 0; /* what was logged for next_time() is none of a person's business */
    pthread_mutex_unlock(&p->lock);
}

static void wished(struct pair *p)
{
    pthread_cond_signal(&p->wish);
    pthread_mutex_unlock(&p->lock);
}

static void op_pause(struct session *s, bool on)
{
    struct pair *p = pair_of(s);
    pthread_mutex_lock(&p->lock);
    p->run = !on;
    p->steps = 0;
    p->due = p->step_since = monotonic();
    wished(p);
    for (int i = 0; on && i < SIDES; i++)
        if (status_of(p->side[i]).stepping) /* the thread waits for an event that does not come */
            session_ops.pause(p->side[i], true);
}

static void op_step(struct session *s, enum step_kind kind, uint32_t n)
{
    struct pair *p = pair_of(s);
    pthread_mutex_lock(&p->lock);
    if (!p->run) {
        p->step_since = p->steps || p->moving ? p->step_since : monotonic();
        p->steps = kind == p->step ? p->steps + n : n;
        p->step = kind;
    }
    wished(p);
}

static void op_tempo(struct session *s, int up)
{
    struct pair *p = pair_of(s);
    pthread_mutex_lock(&p->lock);
    p->tempo = session_next_tempo(p->tempo, up);
    p->due = monotonic();
    wished(p);
}

static void op_set_tempo(struct session *s, double tempo)
{
    struct pair *p = pair_of(s);
    pthread_mutex_lock(&p->lock);
    p->tempo = tempo;
    p->due = monotonic();
    wished(p);
}

/* --- looking back: the one that is ahead goes first --- */

/* No step of the thread's may lie between. */
static void hold(struct pair *p)
{
    pthread_mutex_lock(&p->lock);
    p->run = false;
    p->steps = 0;
    while (p->moving)
        pthread_cond_wait(&p->rest, &p->lock);
    wished(p);
}

/* The side whose last event is the last of both; where the times are equal the left one's came first (earlier()). */
static int latest(struct pair *p, struct ev *last)
{
    struct ev e[SIDES];
    bool has[SIDES];
    for (int i = 0; i < SIDES; i++)
        has[i] = session_core(p->side[i], -1, &e[i]);
    int who = has[1] && (!has[0] || e[1].time >= e[0].time);
    *last = has[who] ? e[who] : (struct ev){0};
    return who;
}

/* False: there is nothing before. The one that is at its first event stays there. */
static bool undo(struct pair *p, enum goto_result *r)
{
    struct ev last;
    int who = latest(p, &last);
    for (int i = 0; i < SIDES; i++, who = !who) {
        uint64_t was = status_of(p->side[who]).events;
        *r = session_ops.step_back(p->side[who], STEP_EVENT, 1);
        if (*r == GOTO_DONE && status_of(p->side[who]).events != was)
            return true;
    }
    return false;
}

static bool at_round_end(struct pair *p)
{
    struct ev last;
    latest(p, &last);
    return lookback_ends_round(&last);
}

static enum goto_result op_step_back(struct session *s, enum step_kind kind, uint32_t n)
{
    struct pair *p = pair_of(s);
    enum goto_result r = GOTO_DONE;
    hold(p);
    for (bool more = true; n && more; n--)
        do
            more = undo(p, &r);
        while (more && kind == STEP_ROUND && !at_round_end(p));
    return r;
}

/* One that has not come so far, for its next event is later or it has ended, is where it should be at its newest. */
static enum goto_result side_goto_time(struct session *s, int64_t ns)
{
    enum goto_result r = session_ops.goto_time(s, ns);
    return r == GOTO_TOO_LATE ? session_ops.goto_event(s, SESSION_NEWEST) : r;
}

static enum goto_result op_goto_time(struct session *s, int64_t ns)
{
    struct pair *p = pair_of(s);
    hold(p);
    if (ns > status_of(p->side[0]).newest_time && ns > status_of(p->side[1]).newest_time)
        return GOTO_TOO_LATE;
    enum goto_result left = side_goto_time(p->side[0], ns), right = side_goto_time(p->side[1], ns);
    return left == GOTO_DONE ? right : left;
}

/* Events are numbered on each side: the other one comes to the same time. */
static enum goto_result op_goto_event(struct session *s, uint64_t number)
{
    struct pair *p = pair_of(s);
    struct session *other = p->side[s == p->side[0]];
    hold(p);
    enum goto_result r = session_ops.goto_event(s, number);
    if (r != GOTO_DONE)
        return r;
    return number == SESSION_NEWEST ? session_ops.goto_event(other, number) : side_goto_time(other, status_of(s).time);
}

static enum goto_result op_goto_mark(struct session *s, const char *name)
{
    struct pair *p = pair_of(s);
    hold(p);
    enum goto_result left = session_ops.goto_mark(p->side[0], name), right = session_ops.goto_mark(p->side[1], name);
    return left == GOTO_DONE ? right : left;
}

static bool op_mark(struct session *s, const char *name)
{
    struct pair *p = pair_of(s);
    return session_ops.mark(p->side[0], name) && session_ops.mark(p->side[1], name);
}

static int op_pending(struct session *s, struct session_event *out, int max)
{
    (void)s, (void)out, (void)max;
    return 0;
}

/* In free mode there are two clocks. */
static void op_toggle_mode(struct session *s) { (void)s; }

/* Both begin anew, with the seed of the one. */
static void op_restart(struct session *s, uint64_t seed)
{
    struct pair *p = pair_of(s);
    bool over = status_of(p->side[0]).ended && status_of(p->side[1]).ended;
    for (int i = 0; i < SIDES; i++) {
        session_ops.pause(p->side[i], true);
        session_ops.restart(p->side[i], seed);
    }
    pthread_mutex_lock(&p->lock);
    p->run = p->run || over;
    wished(p);
}

static bool op_break_add(struct session *s, const char *pattern, struct session_mistake *wrong)
{
    struct pair *p = pair_of(s);
    return session_ops.break_add(p->side[0], pattern, wrong) && session_ops.break_add(p->side[1], pattern, wrong);
}

static bool op_break_delete(struct session *s, uint32_t id)
{
    struct pair *p = pair_of(s);
    bool left = session_ops.break_delete(p->side[0], id), right = session_ops.break_delete(p->side[1], id);
    return left || right;
}

/* --- life ---------------------------------------------------------------------------------------------------------- */

static void init(struct pair *p)
{
    pthread_condattr_t attr;
    pthread_mutex_init(&p->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&p->wish, &attr);
    pthread_condattr_destroy(&attr);
    pthread_cond_init(&p->rest, NULL);
    p->ops = session_ops;
    p->ops.status = op_status;
    p->ops.view = op_view;
    p->ops.pause = op_pause;
    p->ops.step = op_step;
    p->ops.tempo = op_tempo;
    p->ops.set_tempo = op_set_tempo;
    p->ops.toggle_mode = op_toggle_mode;
    p->ops.restart = op_restart;
    p->ops.step_back = op_step_back;
    p->ops.goto_time = op_goto_time;
    p->ops.goto_event = op_goto_event;
    p->ops.goto_mark = op_goto_mark;
    p->ops.mark = op_mark;
    p->ops.pending = op_pending;
    p->ops.break_add = op_break_add;
    p->ops.break_delete = op_break_delete;
}

struct pair *pair_new(struct session *left, struct session *right, double tempo)
{
    sigset_t old;
    struct pair *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    *p = (struct pair){.side = {left, right}, .run = true, .tempo = tempo, .due = monotonic()};
    init(p);
    for (int i = 0; i < SIDES; i++)
        session_own(p->side[i], p);
    signals_block(&old);
    p->has_thread = pthread_create(&p->thread, NULL, pair_thread, p) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (p->has_thread)
        return p;
    pair_free(p);
    return NULL;
}

const struct session_ops *pair_ops(const struct pair *p) { return &p->ops; }

void pair_free(struct pair *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->quit = true;
    wished(p);
    if (p->has_thread)
        pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->wish);
    pthread_cond_destroy(&p->rest);
    pthread_mutex_destroy(&p->lock);
    free(p);
}
