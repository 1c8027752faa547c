/* Moving between the entries of a lesson, and how fast the run goes there. */
#include "session/session_internal.h"

/* A stretch between two stops takes about this many seconds at the usual tempo, however many events it has. */
enum { STRETCH_S = 4, USUAL_TEMPO = 4 };

/* Returns the first event after n at which the lesson will stop, as the rehearsal met it, or the last event of the run. 0: not known. */
static uint64_t next_stop(const struct engine *e, uint64_t n)
{
    const struct lesson *l = &e->lesson;
    uint64_t next = e->answers.rehearsed && !e->answers.departed ? e->answers.events : 0;
    for (uint32_t i = 0; i < l->n; i++) {
        const struct answer *a = &e->answers.v[i];
        if (l->v[i].stops && a->met > n && a->met < next)
            next = a->met;
        if (l->v[i].decided > n && l->v[i].decided < next && a->met <= n)
            next = l->v[i].decided;
    }
    return next;
}

/* Returns the last event up to n at which the lesson stopped. */
static uint64_t last_stop(const struct lesson *l, uint64_t n)
{
    uint64_t last = lesson_place(l, n + 1, -1);
    for (uint32_t i = 0; i < l->met; i++)
        if (l->v[i].decided <= n && l->v[i].decided > last)
            last = l->v[i].decided;
    return last;
}

int64_t session_lesson_dwell(const struct session *s)
{
    const struct lesson *l = &s->e->lesson;
    uint64_t now = rewind_now(&s->rewind);
    if (!l->on || !session_is_lockstep(s))
        return INT64_MAX;
    uint64_t from = last_stop(l, now), to = next_stop(s->e, now);
    double haste = s->pacing.tempo.automatic ? s->pacing.tempo.rate : s->pacing.tempo.rate / USUAL_TEMPO;
    if (!from)
        return 0; /* to the first entry at once */
    return to > from ? (int64_t)(1e9 * STRETCH_S / haste / (double)(to - from)) : INT64_MAX;
}

/* Runs on to the next entry. What decides an answer on the way does not stop it. */
static void run_on(struct session *s)
{
    rewind_leave(&s->rewind);
    s->e->lesson.skips = true;
    s->pacing.no_delay = true;
    s->request.run = true;
    s->request.halt = false;
    s->request.steps = 0;
}

static enum goto_result op_go(struct session *s, int by)
{
    enum goto_result r = GOTO_DONE;
    session_enter(s);
    uint64_t now = rewind_now(&s->rewind), place = lesson_place(&s->e->lesson, now, by);
    if (by > 0 && !place && s->ended && rewind_on(&s->rewind))
        place = history_events(s->e->history);
    if (place) {
        session_stand(s);
        r = rewind_to(&s->rewind, place);
    } else if (by < 0 || s->ended) {
        r = by < 0 ? GOTO_TOO_EARLY : GOTO_TOO_LATE;
    } else {
        run_on(s);
    }
    session_leave(s, REQUEST_LESSON);
    return r;
}

static bool op_set(struct session *s, bool on)
{
    bool any = s->e->lesson.n > 0; /* the lesson of the scenario, which does not change */
    return any && session_leave_pending(s, PENDING_LESSON, on, "");
}

const struct session_lesson_ops session_lesson_ops = {
    .now = session_lesson,
    .set = op_set,
    .entry = session_lesson_entry,
    .go = op_go,
};
