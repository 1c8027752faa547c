/* Decisions, branches, and the line to share (session.c).
 *
 * The session's thread prepares the rows of the next decision: in the run itself, or, while the past is shown, in a run that is repeated
 * up to the state shown (branch.c): the fork. If the choice is the one that this run made, the fork and the shown past move one step,
 * and the run does not change. Otherwise a branch begins: the fork becomes the run. The choices and the length of the old run are kept,
 * which is enough to return to it.
 */
#include "engine/branch.h"
#include "engine/lesson/rehearse.h"
#include "session/decision_rows.h"
#include "session/session_internal.h"
#include <stdlib.h>
#include <string.h>

/* --- the session's thread; with the lock held; at rest --------------------------------------------------------------- */

static void refused(struct session *s, const char *en)
{
    s->decision.rows.state = CHOICE_REFUSED;
    s->decision.rows.n = 0;
    for (int l = 0; l < LANGS; l++)
        session_copy_line(s->decision.rows.head[l], sizeof s->decision.rows.head[l], en);
}

/* Repeats the run. Releases the lock meanwhile, which is safe, because only this thread replaces the engine. */
struct engine *session_repeat(struct session *s, const struct choices *choices, uint64_t events, struct history *like,
                              struct branch_refusal *why)
{
    struct engine_config c = s->e->cfg;
    pthread_mutex_unlock(&s->lock);
    struct engine *e = branch_run(&c, choices, events, NULL, why);
    pthread_mutex_lock(&s->lock);
    if (!e || !like || branch_same(e, like, events, why))
        return e;
    engine_free(e);
    return NULL;
}

static void make_fork(struct session *s)
{
    struct choices list = {0};
    struct branch_refusal why = {.text = "out of memory"};
    if (engine_choices(s->e, true, &list))
        s->decision.fork = session_repeat(s, &list, rewind_now(&s->rewind), s->e->history, &why);
    vec_free(&list);
    if (!s->decision.fork)
        refused(s, why.text);
}

static void drop_fork(struct session *s)
{
    engine_free(s->decision.fork);
    s->decision.fork = NULL;
}

/* The rows are those of the decision at this state. */
static void rows_are_new(struct session *s, uint64_t at)
{
    s->decision.rows.id++;
    s->decision.rows.serial++;
    s->decision.listed = true;
    s->decision.listed_at = at;
}

/* Are the rows those of the state shown? A person may go elsewhere at any time. */
static bool rows_hold(const struct session *s)
{
    return s->decision.listed && s->decision.listed_at == rewind_now(&s->rewind);
}

static void list_fork(struct session *s, uint64_t at)
{
    decision_rows(s->decision.fork, &s->decision.rows);
    s->decision.rows.past = true;
    rows_are_new(s, at);
}

/* Brings the world to its next decision. Where no event comes before it, the state shown stays the one of the stop. */
static void settle_at_decision(struct session *s)
{
    struct stop held = engine_held(s->e) ? s->e->held : s->rewind.held;
    uint64_t shown = rewind_now(&s->rewind);
    session_release(s);
    engine_settle(s->e, s->cfg.audit);
    if (rewind_now(&s->rewind) == shown && !engine_held(s->e) && held.time < 0)
        s->rewind.held = held;
}

/* Lets the fork make one turn. Releases the lock meanwhile, as in session_repeat(). */
static void fork_turn(struct engine *e, enum turn turn, pthread_mutex_t *lock)
{
    pthread_mutex_unlock(lock);
    engine_turn(e, turn);
    while (!engine_wait_stopped(e, 1) && !engine_hangs(e)) {
        engine_drain(e, ENGINE_BATCH); /* the rings must not fill up */
        engine_check_throw(e);
    }
    engine_settle(e, false);
    pthread_mutex_lock(lock);
}

/* Returns the last event before `now` after which more than one outcome was possible; 0: there is none near. The run is repeated for that. */
static uint64_t last_choice(struct session *s, uint64_t now)
{
    enum { NEAR = 256, TURNS = 2000, MOST = 50000 }; /* MOST: a longer run takes too long to repeat without being asked for it */
    struct choices list = {0};
    struct branch_refusal why;
    struct decision d;
    uint64_t last = 0;
    struct engine *e =
        now <= MOST && engine_choices(s->e, true, &list) ? session_repeat(s, &list, now > NEAR ? now - NEAR : 1, NULL, &why) : NULL;
    vec_free(&list);
    for (int i = 0; e && i < TURNS && e->events < now && !engine_over(e); i++) {
        if (!engine_pending(e) && engine_decision(e, &d) && d.n > 1)
            last = e->events;
        fork_turn(e, TURN_AS_DECIDED, &s->lock);
    }
    engine_free(e);
    return last;
}

static void list_past(struct session *s)
{
    uint64_t at = rewind_now(&s->rewind);
    make_fork(s);
    if (s->decision.fork) {
        engine_settle(s->decision.fork, false);
        list_fork(s, at);
    } else {
        rows_are_new(s, at);
    }
}

/* Prepares the rows. If the event that is shown was logged in a locked section, the decision is the first one after that section. */
static void list_decision(struct session *s)
{
    struct session_decision *rows = &s->decision.rows;
    s->decision.listed = s->decision.picked = false;
    drop_fork(s);
    if (rewind_on(&s->rewind) && !engine_refuses(s->e, CAN_BRANCH)) {
        list_past(s);
    } else {
        settle_at_decision(s);
        decision_rows(s->e, rows);
        rows_are_new(s, rewind_now(&s->rewind));
    }
    if (rows->state != CHOICE_READY || rows->all > 1 || engine_refuses(s->e, CAN_BRANCH))
        return;
    rows->last = last_choice(s, rows->at);
    rows->serial++;
}

/* --- branches -------------------------------------------------------------------------------------------------------- */

/* Keeps what is needed to return to this run. False: out of memory. */
static bool keep_branch(struct session *s)
{
    struct branches *b = &s->branches;
    if (!b->v.n && !vec_push(&b->v, (struct kept_branch){0}))
        return false;
    struct kept_branch *k = &b->v.v[b->here];
    vec_free(&k->choices);
    k->events = s->e->events;
    k->off_course = engine_off_course(s->e);
    vec_free(&k->met);
    const struct lesson *l = &s->e->lesson;
    for (uint32_t i = 0; i < l->met; i++) {
        struct lesson_meeting met = {.at = l->v[i].met_at, .left_out = l->v[i].match.never};
        if (!vec_push(&k->met, met))
            return false;
    }
    return engine_choices(s->e, true, &k->choices);
}

void session_forget_branches(struct session *s)
{
    for (size_t i = 0; i < s->branches.v.n; i++) {
        vec_free(&s->branches.v.v[i].choices);
        vec_free(&s->branches.v.v[i].met);
    }
    vec_free(&s->branches.v);
    s->branches.here = 0;
    drop_fork(s);
    s->decision.listed = false;
}

/* Copies the breakpoints to the new run. They keep their ids, and count what they match in its history. */
static void carry_breaks(const struct engine *from, struct engine *to)
{
    const struct breaks *b = &from->breaks;
    struct break_words words = engine_words(&to->cfg);
    for (uint32_t i = 0; i < b->n; i++) {
        if (!b->v[i]->id)
            continue;
        struct breakpoint *copy = engine_break_add(to, b->v[i]->text, false);
        if (!copy) {
            engine_lacks(to, "cannot keep the breakpoints: out of memory");
            return;
        }
        copy->id = b->v[i]->id;
        rewind_count(copy, to->history, &words);
    }
    if (from->lesson.on)
        rehearse_for(to);
    engine_carry(from, to);
}

/* Makes e the run. */
static void replace(struct session *s, struct engine *e)
{
    carry_breaks(s->e, e);
    rewind_leave(&s->rewind);
    s->recorded = engine_record_replaced(s->e);
    engine_free(s->e);
    s->e = e;
    rewind_start(&s->rewind, e->history);
    s->ended = s->request.halt = s->motion.hold_noted = s->motion.refusal_noted = false;
    s->request.steps = 0;
    s->runs++;
}

/* Makes the fork a branch, because it leaves the course of the run here. */
static bool take_fork(struct session *s)
{
    struct kept_branch new = {.from = s->decision.fork->events};
    if (!keep_branch(s) || !vec_push(&s->branches.v, new))
        return false;
    s->branches.here = s->branches.v.n - 1;
    replace(s, s->decision.fork);
    s->decision.fork = NULL;
    return true;
}

static void go_to_branch(struct session *s, size_t to)
{
    struct branch_refusal why;
    drop_fork(s);
    s->decision.listed = false;
    if (to == s->branches.here || engine_refuses(s->e, CAN_BRANCH) || !keep_branch(s))
        return;
    const struct kept_branch *k = &s->branches.v.v[to];
    struct engine *e = session_repeat(s, &k->choices, k->events, NULL, &why);
    if (e) {
        replace(s, e);
        e->answers.departed = k->off_course;
        lesson_restore(&e->lesson, k->met.v, (uint32_t)k->met.n);
        engine_follow_lesson(e);
        s->branches.here = to;
    } else if (why.lack) {
        engine_lacks(s->e, "branch %zu: %s", to + 1, why.text);
    } else {
        engine_fail(s->e, "branch %zu: %s", to + 1, why.text); /* a kept branch can be repeated, unless a check of ours has failed */
    }
}

/* Switches to another branch. The request stays set until that is done, so that the status shows that another run is coming. */
static void switch_branch(struct session *s)
{
    uint32_t to = s->request.branch;
    go_to_branch(s, to - 1);
    if (s->request.branch == to)
        s->request.branch = 0;
}

/* --- choosing --------------------------------------------------------------------------------------------------------- */

/* Handles a choice that the run itself has made: the shown past moves one step forward, and so does the fork, unless that reaches the
 * present. */
static void choose_same(struct session *s, enum turn turn)
{
    uint64_t from = s->decision.listed_at;
    fork_turn(s->decision.fork, turn, &s->lock);
    if (!rewind_on(&s->rewind) || rewind_now(&s->rewind) != from)
        return; /* the person has gone elsewhere meanwhile */
    uint64_t to = s->decision.fork->events, end = history_events(s->e->history);
    rewind_to(&s->rewind, to < end ? to : end);
    if (rewind_on(&s->rewind))
        list_fork(s, rewind_now(&s->rewind));
}

static void choose(struct session *s)
{
    struct decision now;
    struct engine *e = s->decision.fork ? s->decision.fork : s->e;
    bool seed = s->decision.pick == PICK_SEED;
    s->decision.picked = s->decision.listed = false;
    if (engine_over(e) || !engine_decision(e, &now))
        return;
    uint32_t pick = seed ? now.seeds : s->decision.pick;
    if (s->decision.fork && pick == now.pick) {
        choose_same(s, seed ? TURN_AS_DECIDED : TURN_ASKED);
        return;
    }
    if (!engine_decides(e)->choose(e->source, pick) || (s->decision.fork && !take_fork(s)))
        return;
    session_release(s);
    engine_arm(s->e, true);
    if (engine_turn(s->e, seed ? TURN_AS_DECIDED : TURN_ALONE)) {
        s->motion.state = STEPPING;
        s->motion.granted = STEP_TURN;
    }
}

bool session_decision_turn(struct session *s)
{
    if (!s->decision.on)
        drop_fork(s);
    if (s->request.branch)
        switch_branch(s);
    else if (!s->decision.on || s->request.run)
        return false;
    else if (!rows_hold(s))
        list_decision(s);
    else if (s->decision.picked)
        choose(s);
    else
        return false;
    session_notify(s);
    return true;
}

/* --- session/session.h; the UI's thread ------------------------------------------------------------------------------------- */

static void op_prepare(struct session *s, bool on)
{
    session_enter(s);
    s->decision.on = on;
    s->decision.listed = s->decision.picked = false;
    if (on && s->request.run) {
        s->request.run = false;
        s->request.halt = !s->ended;
        s->request.steps = 0;
    }
    session_leave(s, REQUEST_DECIDE);
}

static void op_rows(struct session *s, struct session_decision *out)
{
    session_enter(s);
    s->notified = false;
    *out = s->decision.rows;
    if (!s->decision.on)
        out->state = CHOICE_NONE;
    else if (!rows_hold(s) || s->decision.picked)
        out->state = CHOICE_MAKING;
    session_leave(s, REQUEST_NONE);
}

static void op_choose(struct session *s, uint32_t id, uint32_t pick)
{
    session_enter(s);
    const struct session_decision *rows = &s->decision.rows;
    if (s->decision.on && rows_hold(s) && rows->id == id && rows->state == CHOICE_READY) {
        s->decision.pick = pick;
        s->decision.picked = true;
    }
    session_leave(s, REQUEST_DECIDE);
}

static bool stands(const struct session *s)
{
    return s->motion.state == STOPPED && !engine_refuses(s->e, CAN_SHARE);
}

bool session_share(struct session *s, char *buf, size_t size)
{
    struct choices list = {0};
    session_enter(s);
    bool can = stands(s) && engine_choices(s->e, !s->ended, &list);
    FILE *out = can ? fmemopen(buf, size, "w") : NULL;
    if (out) {
        s->cfg.share(&s->cfg, s->e->cfg.info.seed, &list, out);
        can = fflush(out) == 0;
        fclose(out);
    }
    vec_free(&list);
    session_leave(s, REQUEST_NONE);
    return can && out;
}

static int op_branches(struct session *s, struct session_branch *out, int max)
{
    int n = 0;
    session_enter(s);
    size_t all = s->branches.v.n;
    for (size_t i = 0; all > 1 && i < all && n < max; i++) {
        const struct kept_branch *k = &s->branches.v.v[i];
        bool here = i == s->branches.here;
        out[n++] = (struct session_branch){
            .id = (uint32_t)i + 1,
            .here = here,
            .from = k->from,
            .events = here ? s->e->events : k->events,
            .choices = (uint32_t)k->choices.n};
    }
    session_leave(s, REQUEST_NONE);
    return n;
}

static bool op_branch(struct session *s, uint32_t id)
{
    session_enter(s);
    bool known = id && id <= s->branches.v.n;
    if (known) {
        s->request.branch = id;
        s->request.run = false;
        s->request.halt = s->motion.state != STOPPED;
        s->request.steps = 0;
    }
    session_leave(s, REQUEST_BRANCH);
    return known;
}

const struct session_decision_ops session_decision_ops = {
    .prepare = op_prepare,
    .rows = op_rows,
    .choose = op_choose,
    .branches = op_branches,
    .branch = op_branch,
};
