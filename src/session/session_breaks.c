/* What the screen asks about breakpoints, patterns, the lesson and events that wait; the UI's thread (session.c). */
#include "session/session_internal.h"
#include <string.h>

bool session_check(struct session *s, const char *pattern, struct session_mistake *wrong)
{
    struct arena a = {0};
    const char *err = "out of memory";
    wrong->pos = 0;
    session_enter(s);
    struct break_words words = engine_words(s->e);
    pthread_mutex_unlock(&s->lock);
    bool right = break_compile(&a, &words, pattern, &err, &wrong->pos);
    if (!right)
        session_copy_line(wrong->text, sizeof wrong->text, err);
    arena_fini(&a);
    return right;
}

/* Leaves the wish; the session's thread brings the world to a stop for it. */
static bool leave_edit(struct session *s, enum edit_what what, uint64_t n, const char *text)
{
    session_enter(s);
    bool room = edits_leave(&s->edits, what, n, text);
    session_wished(s);
    return room;
}

int session_breaks(struct session *s, struct session_break *out, int max)
{
    int n = 0;
    session_enter(s);
    for (uint32_t i = 0; i < s->e->breaks.n && n < max; i++) {
        const struct breakpoint *k = s->e->breaks.v[i];
        if (!k->id)
            continue;
        out[n] = (struct session_break){.id = k->id, .met = k->seen};
        session_copy_line(out[n++].text, sizeof out->text, k->text);
    }
    pthread_mutex_unlock(&s->lock);
    return n;
}

static bool add(struct session *s, const char *pattern, struct session_mistake *wrong)
{
    if (!session_check(s, pattern, wrong))
        return false;
    *wrong = (struct session_mistake){.text = "too long"};
    return leave_edit(s, EDIT_ADD, 0, pattern);
}

bool session_break_add(struct session *s, const char *pattern, struct session_mistake *wrong)
{
    struct session_break all[BREAKS_LISTED];
    if (session_breaks(s, all, BREAKS_LISTED) < BREAKS_LISTED)
        return add(s, pattern, wrong);
    *wrong = (struct session_mistake){.text = "too many breakpoints; at most 16"};
    return false;
}

/* Through what is known already; right here, as seeking is (session_past.c). */
static bool until_in_past(struct session *s, const char *pattern, uint64_t *seen)
{
    struct break_words words = engine_words(s->e);
    s->run = false;
    return past_play_until(&s->back, &s->e->breaks, &words, pattern, seen);
}

bool session_run_until(struct session *s, const char *pattern, struct session_mistake *wrong)
{
    uint64_t seen = 0;
    if (!session_check(s, pattern, wrong))
        return false;
    *wrong = (struct session_mistake){.text = "too long"};
    session_enter(s);
    bool found = rewind_on(&s->back) && until_in_past(s, pattern, &seen);
    bool over = found || (rewind_on(&s->back) && s->ended);
    if (!over)
        rewind_leave(&s->back);
    bool room = over || edits_leave(&s->edits, EDIT_UNTIL, seen, pattern);
    session_wished(s);
    return room;
}

bool session_break_delete(struct session *s, uint32_t id)
{
    struct session_break all[BREAKS_LISTED];
    int n = session_breaks(s, all, BREAKS_LISTED);
    bool known = !id && n;
    for (int i = 0; i < n; i++)
        known |= all[i].id == id;
    return known && leave_edit(s, EDIT_DELETE, id, "");
}

static bool matches(void *ctx, const struct history_event *h)
{
    return pattern_event(ctx, h->m, &h->ev, h->text, h->len);
}

uint64_t session_find(struct session *s, const char *pattern, uint64_t from, int step)
{
    struct arena a = {0};
    const char *err;
    size_t pos;
    uint64_t found = 0;
    session_enter(s);
    struct break_words words = engine_words(s->e);
    struct pattern *p = break_compile(&a, &words, pattern, &err, &pos);
    if (p && s->e->past)
        found = history_find(s->e->past, from, step, matches, p);
    pthread_mutex_unlock(&s->lock);
    arena_fini(&a);
    return found;
}

bool session_query(struct session *s, session_ask *ask, void *ctx)
{
    session_enter(s);
    bool known = s->e->past;
    if (known)
        ask(s->e->past, ctx);
    pthread_mutex_unlock(&s->lock);
    return known;
}

struct unread { struct session_event *out; int n, max; };

/* Kept in the order of time while they come ring by ring. */
static void take_unread(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct unread *u = ctx;
    int at = u->n;
    while (at > 0 && u->out[at - 1].ev.time > e->time)
        at--;
    if (at == u->max)
        return;
    u->n += u->n < u->max;
    memmove(&u->out[at + 1], &u->out[at], (size_t)(u->n - 1 - at) * sizeof *u->out);
    u->out[at] = (struct session_event){.m = m, .ev = *e};
    memcpy(u->out[at].text, text ? text : "", len < sizeof u->out->text ? len : sizeof u->out->text - 1);
}

int session_pending(struct session *s, struct session_event *out, int max)
{
    struct unread u = {out, 0, max};
    session_enter(s);
    if (s->e->how < 0)
        log_unread(s->e->log, take_unread, &u);
    pthread_mutex_unlock(&s->lock);
    return u.n;
}

static void copy_entry(const struct scenario *sc, uint32_t i, struct session_lesson *out)
{
    struct scenario_lesson l;
    scenario_lesson(sc, i, &l);
    out->say = l.say;
    out->question = l.question;
    out->because = l.because;
    out->answer = l.answer;
    out->nchoices = l.nchoices;
    for (uint32_t k = 0; k < l.nchoices; k++)
        out->choice[k] = l.choice[k];
}

void session_lesson(struct session *s, struct session_lesson *out)
{
    struct scenario_lesson next = {.on = ""};
    session_enter(s);
    const struct lesson *l = &s->e->lesson;
    *out = (struct session_lesson){.on = l->on, .n = l->n, .met = lesson_met(l, rewind_now(&s->back))};
    if (l->on && out->met)
        copy_entry(s->e->cfg.scenario, out->met - 1, out);
    if (out->met < l->n)
        scenario_lesson(s->e->cfg.scenario, out->met, &next);
    out->next = next.on;
    pthread_mutex_unlock(&s->lock);
}

bool session_lesson_set(struct session *s, bool on)
{
    bool any = s->e->lesson.n > 0; /* the scenario's, which does not change */
    return any && leave_edit(s, EDIT_LESSON, on, "");
}
