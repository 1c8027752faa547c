/* The breakpoints are judged by the same code that judges them in the run (breaks_before, breaks_after), on a copy of the list that
 * goes along with a copy of the state; the run's own list stays as it is at the present. A count is of the whole run, so what is met
 * by xN is one event, which the run's list knows (hit_at). Where no condition is armed nothing is folded: the events are enough. */
#include "session/rewind_breaks.h"
#include <string.h>

struct stop { const struct breakpoint *by; uint64_t at; int64_t time; }; /* time: 0, or when it came true after that event */

/* ---- the way ---- */

struct events { struct breaks *b; uint64_t to; struct stop *out; };

static bool ends_way(void *ctx, const struct history_event *e)
{
    struct events *v = ctx;
    if (e->number <= v->to)
        v->out->by = breaks_after(v->b, NULL, e->number, e->m, &e->ev, e->text, e->len);
    return e->number > v->to || v->out->by;
}

static bool next_event_stop(struct history *past, struct breaks *b, uint64_t from, uint64_t to, struct stop *out)
{
    out->at = history_find(past, from + 1, 1, ends_way, &(struct events){b, to, out});
    return out->by != NULL;
}

/* One event further, *md too; *out.by: it stops before that or after it. False: there is no more. */
static bool further(struct history *past, struct model **md, struct breaks *b, struct stop *out)
{
    struct history_event e;
    uint64_t n = model_events(*md);
    if (!history_get(past, n + 1, &e))
        return false;
    out->at = n;
    out->by = n ? breaks_before(b, *md, e.ev.time, &out->time) : NULL;
    if (out->by)
        return true;
    out->time = 0;
    if (!history_move(past, md, n + 1) || !history_get(past, n + 1, &e))
        return false;
    out->at = n + 1;
    out->by = breaks_after(b, *md, n + 1, e.m, &e.ev, e.text, e.len);
    return true;
}

/* The first stop on the way from `from` (*md is that state) to `to`. */
static bool next_stop(struct history *past, struct model **md, struct breaks *b, uint64_t from, uint64_t to, struct stop *out)
{
    *out = (struct stop){0};
    if (!breaks_any_when(b))
        return next_event_stop(past, b, from, to, out);
    while (*md && !out->by && model_events(*md) < to && further(past, md, b, out))
        ;
    return out->by != NULL;
}

/* ---- the copy ---- */

static void copy_one(struct breaks *to, const struct break_words *w, const struct breakpoint *k, const struct model *md, int64_t time)
{
    if (breaks_add(to, w, k->text, !k->id, NULL) == UINT32_MAX)
        return;
    struct breakpoint *copy = to->v[to->n - 1];
    copy->hit_at = k->hit_at;
    copy->state = pattern_is_when(copy->pattern) && pattern_state_at(copy->pattern, md, time);
}

static int64_t time_of(const struct rewind *l)
{
    return l->held_time ? l->held_time : model_time(l->md);
}

static void copy_at(struct breaks *to, const struct breaks *armed, const struct break_words *w, const struct rewind *l)
{
    *to = (struct breaks){.judged = time_of(l)};
    for (uint32_t i = 0; i < armed->n; i++)
        copy_one(to, w, armed->v[i], l->md, time_of(l));
}

/* ---- for the session ---- */

static bool stop_at(struct rewind *l, const struct stop *stop)
{
    if (rewind_to(l, stop->at) != GOTO_DONE)
        return false;
    strncat(strcpy(l->held_by, ""), stop->by->text, sizeof l->held_by - 1);
    l->held_time = rewind_on(l) ? stop->time : 0;
    return true;
}

/* Goes to the first stop of b before `to`, if there is one. */
static bool find_stop(struct rewind *l, struct breaks *b, uint64_t to)
{
    struct stop stop;
    struct model *md = b->n ? model_clone(l->md) : NULL;
    bool found = b->n && next_stop(l->past, &md, b, rewind_now(l), to, &stop) && stop_at(l, &stop);
    model_free(md);
    return found;
}

bool past_play(struct rewind *l, const struct breaks *armed, const struct break_words *w, uint64_t to)
{
    struct breaks b;
    copy_at(&b, armed, w, l);
    bool stopped = find_stop(l, &b, to);
    breaks_fini(&b);
    if (!stopped && rewind_to(l, to) != GOTO_DONE)
        rewind_leave(l);
    return stopped;
}

bool past_play_until(struct rewind *l, const struct breaks *armed, const struct break_words *w, const char *until, uint64_t *seen)
{
    struct breaks b;
    copy_at(&b, armed, w, l);
    bool added = breaks_add(&b, w, until, true, l->md) != UINT32_MAX;
    struct breakpoint *k = added ? b.v[b.n - 1] : NULL;
    if (k)
        k->state = pattern_is_when(k->pattern) && pattern_state_at(k->pattern, l->md, time_of(l));
    bool stopped = k && find_stop(l, &b, history_events(l->past));
    *seen = k ? k->seen : 0;
    breaks_fini(&b);
    return stopped;
}

void past_count(struct breakpoint *k, struct history *past, const struct break_words *w)
{
    struct breaks b = {0};
    struct model *md = NULL;
    struct stop stop = {0};
    uint64_t from = past ? history_oldest(past) : 0;
    if (past && pattern_times(k->pattern) > 1 && history_move(past, &md, from) && breaks_add(&b, w, k->text, false, NULL) != UINT32_MAX) {
        while (next_stop(past, &md, &b, stop.at ? stop.at : from, history_events(past), &stop))
            ;
        breaks_counted(k, b.v[0]->seen, b.v[0]->hit_at);
    }
    breaks_fini(&b);
    model_free(md);
}
