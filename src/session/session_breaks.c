/* What the screen asks about breakpoints, patterns and the lesson; the UI's thread (session.c). */
#include "session/rewind_breaks.h"
#include "session/session_internal.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool is_about_places(const struct pattern *p)
{
    bool kinds[EV_KINDS] = {false}, other = false;
    pattern_kinds(p, kinds);
    for (int k = 0; k < EV_KINDS; k++)
        other |= kinds[k] && k != EV_G_OP;
    return kinds[EV_G_OP] && !other;
}

bool session_check(struct session *s, const char *pattern, struct session_mistake *wrong)
{
    struct arena a = {0};
    const char *err = pattern_text(wrong->lang, PATTERN_MEMORY);
    *wrong = (struct session_mistake){.lang = wrong->lang};
    session_enter(s);
    struct break_words words = engine_words(&s->e->cfg);
    words.lang = wrong->lang;
    const struct run_info *info = &s->e->cfg.info; /* at a line of a Go program a run can stop without an event */
    bool places = info->places == PLACES_EVENTS || (info->programs.text && info->places != PLACES_NONE);
    const struct pattern *p = break_compile(&a, &words, pattern, &err, &wrong->pos); /* the names are the engine's: a restart frees it */
    session_leave(s, REQUEST_NONE);
    if (!p)
        session_copy_line(wrong->text, sizeof wrong->text, err);
    wrong->unrecorded = p && !places && is_about_places(p);
    arena_fini(&a);
    return p;
}

bool session_leave_pending(struct session *s, enum pending_what what, uint64_t n, const char *text)
{
    struct pending_break left = {.what = what, .n = n, .round_p = BREAK_NOT_ROUND};
    if (!pending_set_text(&left, text))
        return false;
    session_enter(s);
    bool room = pending_leave(&s->request.pending, &left);
    session_leave(s, REQUEST_EDIT);
    return room;
}

static int op_list(struct session *s, struct session_break *out, int max)
{
    int n = 0;
    session_enter(s);
    const struct breaks *b = &s->e->breaks;
    for (uint32_t i = 0; i < b->n && n < max; i++) {
        const struct breakpoint *k = b->v[i];
        if (!k->id)
            continue;
        out[n] = (struct session_break){.id = k->id, .hits = k->match.seen};
        session_copy_line(out[n++].text, sizeof out->text, k->text);
    }
    session_leave(s, REQUEST_NONE);
    return n;
}

/* Returns false, with the reason. */
static bool fails(struct session_mistake *wrong, enum pattern_text_id why)
{
    *wrong = (struct session_mistake){.lang = wrong->lang};
    session_copy_line(wrong->text, sizeof wrong->text, pattern_text(wrong->lang, why));
    return false;
}

static bool add_breakpoint(struct session *s, const char *pattern, struct session_mistake *wrong)
{
    if (!session_check(s, pattern, wrong))
        return false;
    return session_leave_pending(s, PENDING_ADD, 0, pattern) || fails(wrong, PATTERN_LONG);
}

static bool op_add(struct session *s, const char *pattern, struct session_mistake *wrong)
{
    struct session_break all[BREAKS_LISTED];
    if (op_list(s, all, BREAKS_LISTED) < BREAKS_LISTED)
        return add_breakpoint(s, pattern, wrong);
    return fails(wrong, PATTERN_MANY);
}

/* Plays the recorded past at once, as seeking does (session_rewind.c). */
static enum play until_in_past(struct session *s, struct pending_break *until)
{
    if (until->goal != GOAL_PATTERN) /* its caller has looked there already */
        return PLAY_ON;
    struct break_words words = engine_words(&s->e->cfg);
    s->request.run = false;
    return rewind_play_until(&s->rewind, &s->e->breaks, &words, until, &s->search);
}

/* If the same run "until …" is running or waiting, counts one more and returns true. */
static bool repeats(struct session *s, const struct pending_break *until)
{
    struct pending_break *left = pending_until(&s->request.pending);
    struct breakpoint *k = s->request.run && !left ? breaks_find(&s->e->breaks, 0) : NULL;
    if (until->goal != GOAL_PATTERN)
        return false;
    if (left && left->goal == GOAL_PATTERN && left->round_p == until->round_p && !strcmp(left->text, until->text))
        return ++left->again;
    return k && !k->event && k->round_p == until->round_p && !strcmp(k->text, until->text) && ++k->again;
}

/* Leaves the next of the requests to run to the same match. */
static void leave_until_again(struct session *s)
{
    const struct breakpoint *k = breaks_find(&s->e->breaks, 0);
    const struct stop *held = &s->e->held;
    struct pending_break until = {.what = PENDING_UNTIL};
    if (!s->request.run || !k || !k->again || strcmp(held->text, k->text) || !pending_set_text(&until, k->text))
        return;
    until.round_p = k->round_p;
    until.again = k->again - 1;
    pending_leave(&s->request.pending, &until);
}

static void stand_still(struct session *s)
{
    s->request.run = false;
    s->request.steps = 0;
}

/* Drops the requests to move at a match, so that the screen stays there. Does so once for each match, because the person may have said
 * "run" before the world came to rest. Further requests to run to this match stay. A refused choice is noted once; then the run continues as
 * the seed says. */
void session_note_hold(struct session *s)
{
    if (engine_held(s->e) && s->e->held.kind != STOP_LIMIT && !s->motion.hold_noted) {
        leave_until_again(s);
        stand_still(s);
        s->motion.hold_noted = true;
    }
    if (s->e->refused.kind && !s->motion.refusal_noted) {
        stand_still(s);
        s->motion.refusal_noted = true;
    }
}

static bool run_until(struct session *s, struct pending_break *until)
{
    session_enter(s);
    enum play found = rewind_on(&s->rewind) ? until_in_past(s, until) : PLAY_ON;
    bool over = found != PLAY_ON || (rewind_on(&s->rewind) && s->ended);
    if (!over)
        rewind_leave(&s->rewind);
    bool room = over || repeats(s, until) || pending_leave(&s->request.pending, until);
    session_leave(s, REQUEST_UNTIL);
    return room;
}

static bool op_match(struct session *s, const char *pattern, struct session_mistake *wrong)
{
    struct pending_break until = {.what = PENDING_UNTIL, .round_p = BREAK_NOT_ROUND};
    if (!session_check(s, pattern, wrong))
        return false;
    return (pending_set_text(&until, pattern) && run_until(s, &until)) || fails(wrong, PATTERN_LONG);
}

/* A round on a P ends where a G starts there, or where it is put on the idle list. */
static void op_round(struct session *s, uint32_t p)
{
    struct pending_break until = {.what = PENDING_UNTIL, .round_p = p};
    snprintf(until.text, sizeof until.text, "g_start p=%u | p_idle p=%u", p, p);
    run_until(s, &until);
}

static bool op_text(struct session *s, const char *text, enum lang lang, uint64_t after)
{
    struct pending_break until = {.what = PENDING_UNTIL, .goal = GOAL_TEXT, .lang = lang, .n = after, .round_p = BREAK_NOT_ROUND};
    return pending_set_text(&until, text) && run_until(s, &until);
}

static void op_event(struct session *s, uint64_t n)
{
    struct pending_break until = {.what = PENDING_UNTIL, .goal = GOAL_EVENT, .n = n, .round_p = BREAK_NOT_ROUND};
    snprintf(until.text, sizeof until.text, "* x%" PRIu64, n);
    session_enter(s);
    bool moves = s->motion.state != STOPPED || s->request.run || s->request.steps;
    bool newest =
        s->e->history && n == history_events(s->e->history) && moves && !rewind_on(&s->rewind); /* more may come before the world rests */
    session_leave(s, REQUEST_NONE);
    if (newest || session_goto_event(s, n) == GOTO_TOO_LATE)
        run_until(s, &until);
}

static bool op_delete(struct session *s, uint32_t id)
{
    struct session_break all[BREAKS_LISTED];
    int n = op_list(s, all, BREAKS_LISTED);
    bool known = !id && n;
    for (int i = 0; i < n; i++)
        known |= all[i].id == id;
    return known && session_leave_pending(s, PENDING_DELETE, id, "");
}

const struct session_break_ops session_break_ops = {
    .add = op_add,
    .delete = op_delete,
    .list = op_list,
};

const struct session_run_to_ops session_run_to_ops = {
    .match = op_match,
    .round = op_round,
    .text = op_text,
    .event = op_event,
};
