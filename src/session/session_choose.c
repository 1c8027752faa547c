/* Choosing, branches and the line to share, behind the screen (session.c).
 *
 * What can be chosen is got ready by the session's thread: where the run stands, or, where the screen looks back at an event, in a
 * run that is made again up to there (branch.c), the fork. A choice in the fork that is what this course did takes the fork and the
 * look back one step on, and the course stays. One that leaves the course begins a branch: the fork is the run from then on, and of
 * the old one its choices and its length are kept, which is all it takes to go back to it.
 */
#include "engine/branch.h"
#include "session/decision_rows.h"
#include "session/session_internal.h"
#include <stdlib.h>
#include <string.h>

/* --- the session's thread; with the lock held; the world stands still ------------------------------------------------ */

static void refused(struct session *s, const char *en)
{
    s->draw.state = CHOICE_REFUSED;
    s->draw.n = 0;
    for (int l = 0; l < LANGS; l++)
        session_copy_line(s->draw.head[l], sizeof s->draw.head[l], en);
}

/* The lock is given up while the run is made again; the engine is this thread's, and only this thread changes it. */
static struct engine *make_again(struct session *s, const struct choices *choices, uint64_t events, struct history *like, char *err,
                                 size_t size)
{
    struct engine_config c = s->e->cfg;
    pthread_mutex_unlock(&s->lock);
    struct engine *e = branch_run(&c, choices, events, NULL, err, size);
    pthread_mutex_lock(&s->lock);
    if (!e || !like || branch_same(e, like, events, err, size))
        return e;
    engine_free(e);
    return NULL;
}

static void make_fork(struct session *s)
{
    struct choices list = {0};
    char err[300] = "out of memory";
    if (engine_choices(s->e, true, &list))
        s->fork = make_again(s, &list, rewind_now(&s->back), s->e->past, err, sizeof err);
    vec_free(&list);
    if (!s->fork)
        refused(s, err);
}

static void drop_fork(struct session *s)
{
    engine_free(s->fork);
    s->fork = NULL;
}

static void list_fork(struct session *s)
{
    choose_list(s->fork, &s->draw);
    s->draw.past = true;
    s->draw.serial++;
}

/* Gets the rows ready. The event looked back at may lie in a locked section: the choice comes behind that. */
static void list(struct session *s)
{
    s->listed = true;
    s->listed_at = rewind_now(&s->back);
    s->draw.serial++;
    drop_fork(s);
    if (rewind_on(&s->back) && !engine_refuses(s->e, CAN_BRANCH)) {
        make_fork(s);
        if (!s->fork)
            return;
        engine_settle(s->fork, false);
        list_fork(s);
    } else {
        session_release(s);
        engine_settle(s->e, s->audit);
        s->listed_at = rewind_now(&s->back);
        choose_list(s->e, &s->draw);
    }
}

/* --- branches -------------------------------------------------------------------------------------------------------- */

/* What it takes to come back to where the run is now. False: out of memory. */
static bool keep_branch(struct session *s)
{
    struct branches *b = &s->branches;
    if (!b->v.n && !vec_push(&b->v, (struct kept_branch){0}))
        return false;
    struct kept_branch *k = &b->v.v[b->here];
    vec_free(&k->choices);
    k->events = s->e->events;
    return engine_choices(s->e, true, &k->choices);
}

void session_forget_branches(struct session *s)
{
    for (size_t i = 0; i < s->branches.v.n; i++)
        vec_free(&s->branches.v.v[i].choices);
    vec_free(&s->branches.v);
    s->branches.here = 0;
    drop_fork(s);
    s->listed = false;
}

static void carry_breaks(const struct engine *from, struct engine *to)
{
    struct break_words words = engine_words(to);
    for (uint32_t i = 0; i < from->breaks.n; i++) {
        const struct breakpoint *k = from->breaks.v[i];
        struct breakpoint *copy = k->id ? breaks_add(&to->breaks, &words, k->text, false, to->model) : NULL;
        if (!copy)
            continue;
        copy->id = k->id;
        past_count(copy, to->past, &words);
    }
    to->breaks.made = from->breaks.made;
}

/* e is the run from now on. */
static void replace(struct session *s, struct engine *e)
{
    carry_breaks(s->e, e);
    lesson_carry(&s->e->lesson, &e->lesson, e->events);
    rewind_leave(&s->back);
    engine_free(s->e);
    s->e = e;
    rewind_start(&s->back, e->past);
    s->ended = s->halt = s->hold_noted = s->refusal_noted = false;
    s->steps = 0;
    s->runs++;
}

/* The fork, which leaves the course here, becomes the run: a branch. */
static bool take_fork(struct session *s)
{
    struct kept_branch new = {.from = s->fork->events};
    if (!keep_branch(s) || !vec_push(&s->branches.v, new))
        return false;
    s->branches.here = s->branches.v.n - 1;
    replace(s, s->fork);
    s->fork = NULL;
    return true;
}

static void go_to_branch(struct session *s, size_t to)
{
    char err[300] = "out of memory";
    drop_fork(s);
    s->listed = false;
    if (to == s->branches.here || engine_refuses(s->e, CAN_BRANCH) || !keep_branch(s))
        return;
    const struct kept_branch *k = &s->branches.v.v[to];
    struct engine *e = make_again(s, &k->choices, k->events, NULL, err, sizeof err);
    if (e) {
        replace(s, e);
        s->branches.here = to;
    } else {
        engine_fail(s->e, "branch %zu: %s", to + 1, err); /* what was once can be again, or something is wrong with us */
    }
}

/* The wish stays until it is done: whoever looks meanwhile sees a run that is about to be another. */
static void switch_branch(struct session *s)
{
    uint32_t wish = s->branch_wish;
    go_to_branch(s, wish - 1);
    if (s->branch_wish == wish)
        s->branch_wish = 0;
}

/* --- choosing --------------------------------------------------------------------------------------------------------- */

/* The fork makes a turn; the lock is given up meanwhile, as in make_again(). */
static void fork_turn(struct engine *e, enum source_turn turn, pthread_mutex_t *lock)
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

/* What is chosen is what this course did: the look back moves one step on in it, and so does the fork, unless that is the present. */
static void choose_same(struct session *s, enum source_turn turn)
{
    uint64_t from = s->listed_at;
    fork_turn(s->fork, turn, &s->lock);
    if (!rewind_on(&s->back) || rewind_now(&s->back) != from)
        return; /* somebody looks elsewhere meanwhile */
    uint64_t to = s->fork->events, end = history_events(s->e->past);
    rewind_to(&s->back, to < end ? to : end);
    if (!rewind_on(&s->back))
        return;
    s->listed = true;
    s->listed_at = rewind_now(&s->back);
    list_fork(s);
}

static void choose(struct session *s)
{
    struct source_decision now;
    struct engine *e = s->fork ? s->fork : s->e;
    bool seed = s->pick == PICK_SEED;
    s->picked = s->listed = false;
    if (engine_over(e) || !engine_decision(e, &now))
        return;
    uint32_t pick = seed ? now.seeds : s->pick;
    if (s->fork && pick == now.pick) {
        choose_same(s, seed ? GO_AS_DECIDED : GO_UNTIL_DECISION);
        return;
    }
    if (!engine_choose(e, pick) || (s->fork && !take_fork(s)))
        return;
    session_release(s);
    engine_arm(s->e, true);
    if (engine_turn(s->e, seed ? GO_AS_DECIDED : GO_ALONE)) {
        s->state = STEPPING;
        s->granted = STEP_TURN;
    }
}

bool session_choose_turn(struct session *s)
{
    if (!s->choosing)
        drop_fork(s);
    if (s->branch_wish)
        switch_branch(s);
    else if (!s->choosing || s->run)
        return false;
    else if (s->picked)
        choose(s);
    else if (!s->listed || s->listed_at != rewind_now(&s->back))
        list(s);
    else
        return false;
    session_tell(s);
    return true;
}

/* --- session/session.h; the UI's thread ------------------------------------------------------------------------------------- */

void session_choosing(struct session *s, bool on)
{
    session_enter(s);
    s->choosing = on;
    s->listed = s->picked = false;
    s->draw.state = on ? CHOICE_MAKING : CHOICE_NONE;
    if (on && s->run) {
        s->run = false;
        s->halt = !s->ended;
        s->steps = 0;
    }
    session_wished(s);
}

void session_decision(struct session *s, struct session_decision *out)
{
    session_enter(s);
    s->told = false;
    *out = s->draw;
    if (s->choosing && !s->listed)
        out->state = CHOICE_MAKING;
    pthread_mutex_unlock(&s->lock);
}

void session_choose(struct session *s, uint32_t pick)
{
    session_enter(s);
    if (s->choosing && s->listed && s->draw.state == CHOICE_READY) {
        s->pick = pick;
        s->picked = true;
    }
    session_wished(s);
}

static bool stands(const struct session *s)
{
    return s->state == STOPPED && !engine_refuses(s->e, CAN_SHARE);
}

bool session_share(struct session *s, char *buf, size_t size)
{
    struct choices list = {0};
    session_enter(s);
    bool can = stands(s) && engine_choices(s->e, !s->ended, &list);
    FILE *out = can ? fmemopen(buf, size, "w") : NULL;
    if (out) {
        s->cfg.share(&s->cfg, s->e->cfg.rt.seed, &list, out);
        can = fflush(out) == 0;
        fclose(out);
    }
    vec_free(&list);
    pthread_mutex_unlock(&s->lock);
    return can && out;
}

int session_branches(struct session *s, struct session_branch *out, int max)
{
    int n = 0;
    session_enter(s);
    size_t all = s->branches.v.n;
    for (size_t i = 0; all > 1 && i < all && n < max; i++) {
        const struct kept_branch *k = &s->branches.v.v[i];
        bool here = i == s->branches.here;
        out[n++] = (struct session_branch){.id = (uint32_t)i + 1, .here = here, .from = k->from,
                                           .events = here ? s->e->events : k->events, .choices = (uint32_t)k->choices.n};
    }
    pthread_mutex_unlock(&s->lock);
    return n;
}

bool session_branch(struct session *s, uint32_t id)
{
    session_enter(s);
    bool known = id && id <= s->branches.v.n;
    if (known) {
        s->branch_wish = id;
        s->run = false;
        s->halt = s->state != STOPPED;
        s->steps = 0;
    }
    session_wished(s);
    return known;
}
