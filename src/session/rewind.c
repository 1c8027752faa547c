/* Where a look back goes. Steps stop at core events and at ends of rounds, as the runtime's own do, so that the same number of
 * steps forward leads to where one came from. */
#include "session/rewind.h"
#include <string.h>

uint64_t rewind_now(const struct rewind *l)
{
    return l->md ? model_events(l->md) : history_events(l->past);
}

void rewind_release(struct rewind *l)
{
    l->held_by[0] = '\0';
    l->held_time = 0;
}

void rewind_leave(struct rewind *l)
{
    rewind_release(l);
    model_free(l->md);
    l->md = NULL;
}

void rewind_start(struct rewind *l, struct history *past)
{
    rewind_leave(l);
    l->past = past;
    l->nmarks = 0;
}

/* The state before the first event is no picture: there is nothing yet. */
static uint64_t first(const struct rewind *l)
{
    return history_oldest(l->past) + 1;
}

enum goto_result rewind_to(struct rewind *l, uint64_t n)
{
    n = n || history_oldest(l->past) ? n : 1; /* nothing is missing before it */
    if (n < first(l))
        return GOTO_TOO_EARLY;
    if (n > history_events(l->past))
        return GOTO_TOO_LATE;
    rewind_release(l);
    if (n == history_events(l->past))
        rewind_leave(l);
    else if (!history_move(l->past, &l->md, n))
        return GOTO_LOST; /* md is as it was, or gone: then the present is shown */
    return GOTO_DONE;
}

/* ---- steps ---- */

static bool is_core(void *ctx, const struct history_event *e)
{
    (void)ctx;
    return ev_desc[e->ev.kind].level == EV_CORE;
}

static bool is_round_end(void *ctx, const struct history_event *e)
{
    (void)ctx;
    return ev_ends_round(e->ev.kind);
}

bool rewind_core(const struct rewind *l, int by, struct ev *out)
{
    struct history_event e;
    uint64_t n = history_find(l->past, rewind_now(l) + (by > 0), by, is_core, NULL);
    if (!n || !history_get(l->past, n, &e))
        return false;
    *out = e.ev;
    return true;
}

uint64_t rewind_round(const struct rewind *l, int by, bool beyond, struct ev *out)
{
    struct history_event e;
    uint64_t at = rewind_now(l), from = by > 0 ? at + 1 : at;
    if (by < 0 && beyond)
        from = history_find(l->past, at, -1, is_core, NULL) - 1; /* 0 - 1: beyond all, nothing is found */
    uint64_t n = from && from <= history_events(l->past) ? history_find(l->past, from, by, is_round_end, NULL) : 0;
    if (!n || !history_get(l->past, n, &e))
        return 0;
    *out = e.ev;
    return n;
}

uint64_t rewind_core_at(const struct rewind *l, int64_t time)
{
    uint64_t n = history_at(l->past, time);
    n = n ? history_find(l->past, n, -1, is_core, NULL) : 0;
    return n >= first(l) ? n : first(l);
}

static history_test *ends(enum step_kind kind)
{
    return kind == STEP_ROUND ? is_round_end : is_core;
}

static uint64_t next_end(const struct rewind *l, enum step_kind kind, uint64_t at)
{
    uint64_t n = history_find(l->past, at + 1, 1, ends(kind), NULL);
    bool last = !n || !history_find(l->past, n + 1, 1, is_core, NULL);
    return last ? history_events(l->past) : n; /* only detail follows: the next step is the runtime's */
}

/* Behind the last core event there may be detail, which nobody sees: a step back undoes that core event all the same. */
static uint64_t previous_end(const struct rewind *l, enum step_kind kind, uint64_t at)
{
    uint64_t shown = history_find(l->past, at, -1, is_core, NULL);
    uint64_t n = shown ? history_find(l->past, shown - 1, -1, ends(kind), NULL) : 0;
    return n ? n : first(l);
}

uint64_t rewind_step(const struct rewind *l, enum step_kind kind, int by, uint32_t n)
{
    uint64_t at = rewind_now(l);
    for (; n && history_events(l->past); n--)
        at = by > 0 ? next_end(l, kind, at) : previous_end(l, kind, at);
    return at;
}

/* ---- places ---- */

enum goto_result rewind_time(struct rewind *l, int64_t time)
{
    uint64_t n = history_at(l->past, time);
    struct history_event e;
    if (n == history_events(l->past) && history_get(l->past, n, &e) && e.ev.time < time)
        return GOTO_TOO_LATE;
    return rewind_to(l, n);
}

static int find_mark(const struct rewind *l, const char *name)
{
    int i = 0;
    while (i < l->nmarks && strcmp(l->mark[i].name, name))
        i++;
    return i;
}

bool rewind_mark(struct rewind *l, const char *name)
{
    int i = find_mark(l, name);
    if (i == LOOKBACK_MARKS || strlen(name) >= SESSION_MARK)
        return false;
    l->nmarks += i == l->nmarks;
    strcpy(l->mark[i].name, name);
    l->mark[i].at = rewind_now(l);
    return true;
}

enum goto_result rewind_goto_mark(struct rewind *l, const char *name)
{
    int i = find_mark(l, name);
    return i < l->nmarks ? rewind_to(l, l->mark[i].at) : GOTO_NO_MARK;
}
