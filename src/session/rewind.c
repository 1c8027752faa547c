/* See rewind.h. Steps in the past stop where the source's own steps do: at core events, at ends of rounds, or at every event. So the same
 * number of steps forward leads back to where they began. */
#include "session/rewind.h"
#include <string.h>

uint64_t rewind_now(const struct rewind *r)
{
    return r->md ? model_events(r->md) : history_events(r->history);
}

void rewind_release(struct rewind *r)
{
    r->held = (struct stop){.time = -1};
}

int64_t rewind_time_shown(const struct rewind *r)
{
    return r->held.time >= 0 ? r->held.time : model_time(r->md);
}

void rewind_leave(struct rewind *r)
{
    rewind_release(r);
    model_free(r->md);
    r->md = NULL;
}

void rewind_start(struct rewind *r, struct history *history)
{
    rewind_leave(r);
    r->history = history;
    r->nmarks = 0;
    r->core_of = r->core = 0;
}

/* The state before the first event shows nothing, so the first event is the earliest state. */
static uint64_t first(const struct rewind *r)
{
    return history_oldest(r->history) + 1;
}

enum goto_result rewind_to(struct rewind *r, uint64_t n)
{
    n = n || history_oldest(r->history) ? n : 1; /* state 0 is allowed, too, if the whole history is kept */
    if (n < first(r))
        return GOTO_TOO_EARLY;
    if (n > history_events(r->history))
        return GOTO_TOO_LATE;
    rewind_release(r);
    if (n == history_events(r->history))
        rewind_leave(r);
    else if (!history_move(r->history, &r->md, n))
        return GOTO_LOST; /* md is unchanged, or NULL, which shows the present */
    return GOTO_DONE;
}

/* ---- steps ---- */

static bool is_core(void *ctx, const struct history_event *e)
{
    (void)ctx;
    return ev_desc[e->ev.kind].level == EV_CORE;
}

static bool is_core_or_end(void *ctx, const struct history_event *e)
{
    const uint64_t *end = ctx;
    return e->number == *end || is_core(NULL, e);
}

static bool is_round_end(void *ctx, const struct history_event *e)
{
    (void)ctx;
    return ev_ends_round(e->ev.kind);
}

/* Thousands of detail events may follow a core event, and a run that continues asks at each batch. So only those after the state that was asked for
 * last are looked at. */
uint64_t rewind_core_shown(struct rewind *r)
{
    uint64_t now = rewind_now(r), found = now ? history_find(r->history, now, -1, is_core_or_end, &r->core_of) : 0;
    r->core = found && found == r->core_of ? r->core : found;
    r->core_of = now;
    return r->core;
}

bool rewind_core(const struct rewind *r, int by, struct ev *out)
{
    struct history_event e;
    uint64_t n = history_find(r->history, rewind_now(r) + (by > 0), by, is_core, NULL);
    if (!n || !history_get(r->history, n, &e))
        return false;
    *out = e.ev;
    return true;
}

uint64_t rewind_round(const struct rewind *r, int by, bool beyond, struct ev *out)
{
    struct history_event e;
    uint64_t at = rewind_now(r), from = by > 0 ? at + 1 : at;
    if (by < 0 && beyond)
        from = history_find(r->history, at, -1, is_core, NULL) - 1; /* 0 - 1 is later than every event, so nothing is found */
    uint64_t n = from && from <= history_events(r->history) ? history_find(r->history, from, by, is_round_end, NULL) : 0;
    if (!n || !history_get(r->history, n, &e))
        return 0;
    *out = e.ev;
    return n;
}

uint64_t rewind_core_at(const struct rewind *r, int64_t time)
{
    uint64_t n = history_at(r->history, time);
    n = n ? history_find(r->history, n, -1, is_core, NULL) : 0;
    return n >= first(r) ? n : first(r);
}

static history_test *ends(enum step_kind kind)
{
    return kind == STEP_ROUND ? is_round_end : is_core;
}

static uint64_t next_end(const struct rewind *r, enum step_kind kind, uint64_t at)
{
    if (kind == STEP_DETAIL)
        return at < history_events(r->history) ? at + 1 : at;
    uint64_t n = history_find(r->history, at + 1, 1, ends(kind), NULL);
    bool last = !n || !history_find(r->history, n + 1, 1, is_core, NULL);
    return last ? history_events(r->history) : n; /* only detail follows: the next step is the source's */
}

/* Detail events may follow the last core event, but the screen does not show them. So a step back undoes that core event, too. */
static uint64_t previous_end(const struct rewind *r, enum step_kind kind, uint64_t at)
{
    if (kind == STEP_DETAIL)
        return at > first(r) ? at - 1 : first(r);
    uint64_t shown = history_find(r->history, at, -1, is_core, NULL);
    uint64_t n = shown ? history_find(r->history, shown - 1, -1, ends(kind), NULL) : 0;
    return n ? n : first(r);
}

uint64_t rewind_step(const struct rewind *r, enum step_kind kind, int by, uint32_t n)
{
    uint64_t at = rewind_now(r);
    for (; n && history_events(r->history); n--)
        at = by > 0 ? next_end(r, kind, at) : previous_end(r, kind, at);
    return at;
}

/* ---- places ---- */

enum goto_result rewind_time(struct rewind *r, int64_t time)
{
    uint64_t n = history_at(r->history, time);
    struct history_event e;
    if (n == history_events(r->history) && history_get(r->history, n, &e) && e.ev.time < time)
        return GOTO_TOO_LATE;
    return rewind_to(r, n);
}

static int find_mark(const struct rewind *r, const char *name)
{
    int i = 0;
    while (i < r->nmarks && strcmp(r->mark[i].name, name))
        i++;
    return i;
}

bool rewind_mark(struct rewind *r, const char *name)
{
    int i = find_mark(r, name);
    if (i == REWIND_MARKS || strlen(name) >= SESSION_MARK)
        return false;
    r->nmarks += i == r->nmarks;
    strcpy(r->mark[i].name, name);
    r->mark[i].at = rewind_now(r);
    return true;
}

enum goto_result rewind_goto_mark(struct rewind *r, const char *name)
{
    int i = find_mark(r, name);
    return i < r->nmarks ? rewind_to(r, r->mark[i].at) : GOTO_NO_MARK;
}
