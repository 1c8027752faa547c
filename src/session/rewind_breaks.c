/* Breakpoints in the past are judged by the code that judges them in the run (breaks_before, breaks_after), on copies of the list and the
 * state. The run's own list stays at the present. xN counts over the whole run, so it names a single event, which the run's list knows
 * (nth_at). If no breakpoint has a condition, nothing is folded, because the events suffice. */
#include "session/rewind_breaks.h"
#include <stdlib.h>
#include <string.h>

struct rewind_stop {
    const struct breakpoint *by;
    uint64_t at;
    int64_t time; /* as in struct stop */
    bool ended;   /* the search was ended */
};

static bool goes_on(const struct session_search *search, uint64_t at, struct rewind_stop *out)
{
    out->ended = search && search->going && !search->going(search->ctx, at);
    return !out->ended;
}

/* ---- playing ---- */

enum { FOLD_COST = 16 }; /* to fold an event takes as long as to look at so many */

enum { GS_MOST = 1 << 20 }; /* a stranger's file may have any number */

struct events {
    struct breaks *b;
    uint64_t to;
    struct rewind_stop *out;
    const struct program_text *text; /* of a Go program; NULL: no breakpoint is about its lines */
    VEC(uint32_t) line;              /* of the text, by G: where it was; UINT32_MAX: nowhere */
};

static uint32_t line_of(const struct events *way, const struct model *md, uint32_t g)
{
    uint32_t op;
    return model_g_op(md, g, &op) && op < way->text->nops ? way->text->op[op] : UINT32_MAX;
}

/* Notes the lines where Gs are. Finds the first breakpoint at a line that a G has reached since the last call. Between two events the history has only the
 * last place of a G, so a line that a G has only passed there is not met again. */
static const struct breakpoint *look_at_lines(struct events *way, const struct model *md, bool first)
{
    const struct breakpoint *by = NULL;
    for (uint32_t g = 0; way->text && (g = model_next_live(md, g)) && g < GS_MOST;) {
        uint32_t line = line_of(way, md, g), op;
        while (way->line.n <= g)
            if (!vec_push(&way->line, UINT32_MAX))
                return NULL;
        bool reached = !first && line != UINT32_MAX && line != way->line.v[g] && model_g_op(md, g, &op);
        way->line.v[g] = line;
        struct ev e = {.kind = EV_G_OP, .g = g, .d = NOTE_PLACE | PLACE_ARRIVES, .time = model_time(md)};
        if (reached)
            e.c = op;
        if (reached && !by)
            by = breaks_after(way->b, &(struct merged_event){md, model_events(md), EV_NONE, &e, NULL, 0});
    }
    return by;
}

static bool ends_way(void *ctx, const struct history_event *e)
{
    struct events *v = ctx;
    if (e->number <= v->to)
        v->out->by = breaks_after(v->b, &(struct merged_event){NULL, e->number, e->m, &e->ev, e->text, e->len});
    return e->number > v->to || v->out->by;
}

static bool next_event_stop(struct history *past, struct events *way, uint64_t from, const struct session_search *search)
{
    bool kinds[EV_KINDS] = {false};
    uint64_t at = from + 1;
    breaks_kinds(way->b, kinds);
    do
        way->out->at = history_search(past, at, 1, &(struct history_search){ends_way, way, kinds, search_piece(search)}, &at);
    while (!way->out->at && at && at <= way->to && goes_on(search, at, way->out));
    return way->out->by != NULL;
}

/* Moves one event forward, together with *md. Sets out->by if a breakpoint stops before or after that event. Returns false if there is
 * no further event. */
static bool further(struct history *past, struct model **md, struct breaks *b, struct rewind_stop *out)
{
    struct history_event e;
    uint64_t n = model_events(*md);
    if (!history_get(past, n + 1, &e))
        return false;
    out->at = n;
    out->by = n ? breaks_before(b, *md, e.ev.time, &out->time) : NULL;
    if (out->by)
        return true;
    out->time = -1;
    if (!history_move(past, md, n + 1) || !history_get(past, n + 1, &e))
        return false;
    out->at = n + 1;
    out->by = breaks_after(b, &(struct merged_event){*md, n + 1, e.m, &e.ev, e.text, e.len});
    return true;
}

/* Finds the first stop after state `from`, up to state `to`. *md is state `from`. */
static bool next_stop(struct history *past, struct model **md, struct events *way, uint64_t from, const struct session_search *search)
{
    uint64_t piece = search_piece(search) / FOLD_COST + 1;
    struct rewind_stop *out = way->out;
    *out = (struct rewind_stop){.time = -1};
    bool kinds[EV_KINDS] = {false};
    breaks_kinds(way->b, kinds);
    way->text = kinds[EV_G_OP] ? way->text : NULL;
    if (!breaks_any_folded(way->b) && !way->text)
        return next_event_stop(past, way, from, search);
    look_at_lines(way, *md, true);
    while (*md && !out->by && model_events(*md) < way->to && further(past, md, way->b, out)) {
        const struct breakpoint *line = *md ? look_at_lines(way, *md, false) : NULL;
        out->by = out->by ? out->by : line;
        if (!out->by && model_events(*md) % piece == 0 && !goes_on(search, model_events(*md), out))
            break;
    }
    return out->by != NULL;
}

/* ---- the copy ---- */

static void copy_at(struct breaks *to, const struct breaks *armed, const struct break_words *w, const struct rewind *r)
{
    *to = (struct breaks){.judged = rewind_time_shown(r)};
    for (uint32_t i = 0; i < armed->n; i++) {
        const struct breakpoint *k = armed->v[i];
        struct breakpoint *copy = breaks_add(to, w, k->text, !k->id, NULL);
        if (!copy)
            continue;
        copy->round_p = k->round_p;
        copy->match.nth_at = k->match.nth_at;
        copy->match.state = pattern_state_at(copy->match.pattern, r->md, rewind_time_shown(r));
    }
}

/* ---- for the session ---- */

static bool stop_at(struct rewind *r, const struct rewind_stop *stop)
{
    if (rewind_to(r, stop->at) != GOTO_DONE)
        return false;
    r->held = break_stop(stop->by, rewind_on(r) ? stop->time : -1);
    return true;
}

/* Goes to the first stop of b up to `to`, if there is one. */
static enum play find_stop(struct rewind *r, struct breaks *b, const struct break_words *w, uint64_t to,
                           const struct session_search *search)
{
    struct rewind_stop stop = {.by = NULL};
    struct model *md = b->n ? model_clone(r->md) : NULL;
    const struct program_text *text = w->programs ? w->programs->text : NULL;
    struct events way = {.b = b, .to = to, .out = &stop, .text = text && text->nfiles ? text : NULL};
    bool found = b->n && next_stop(r->history, &md, &way, rewind_now(r), search) && stop_at(r, &stop);
    vec_free(&way.line);
    model_free(md);
    return found ? PLAY_STOPPED : stop.ended ? PLAY_ENDED : PLAY_ON;
}

bool rewind_play(struct rewind *r, const struct breaks *armed, const struct break_words *w, uint64_t to)
{
    struct breaks b;
    copy_at(&b, armed, w, r);
    bool stopped = find_stop(r, &b, w, to, NULL) == PLAY_STOPPED;
    breaks_fini(&b);
    if (!stopped && rewind_to(r, to) != GOTO_DONE)
        rewind_leave(r);
    return stopped;
}

enum play rewind_play_until(struct rewind *r, const struct breaks *armed, const struct break_words *w, struct pending_break *until,
                            const struct session_search *search)
{
    struct breaks b;
    copy_at(&b, armed, w, r);
    struct breakpoint *k = breaks_add(&b, w, until->text, true, r->md);
    if (k) {
        k->round_p = until->round_p;
        k->match.state = pattern_state_at(k->match.pattern, r->md, rewind_time_shown(r));
    }
    enum play stopped = k ? find_stop(r, &b, w, history_events(r->history), search) : PLAY_ON;
    until->n = k ? k->match.seen : 0;
    breaks_fini(&b);
    return stopped;
}

/* Part of the history, in which a pattern is looked for. */
struct stretch {
    struct rewind *r;
    const struct break_words *w;
    const char *text;
    uint64_t from, to; /* the events after `from`, up to `to` */
};

/* Walks to the n-th stop of the stretch (0: to its end). Returns how many stops it has passed. *last: the last one. */
static uint64_t walk_stops(const struct stretch *p, uint64_t n, struct rewind_stop *last)
{
    struct breaks b = {0};
    struct model *md = NULL;
    struct rewind_stop stop = {.by = NULL};
    uint64_t found = 0, at = p->from;
    struct breakpoint *k = history_move(p->r->history, &md, at) ? breaks_add(&b, p->w, p->text, true, md) : NULL;
    b.judged = k ? model_time(md) : 0;
    while (k && next_stop(p->r->history, &md, &(struct events){.b = &b, .to = p->to, .out = &stop}, at, NULL)) {
        *last = stop;
        at = stop.at;
        if (++found == n)
            break;
    }
    if (last->by)
        p->r->held = break_stop(last->by, last->time); /* before the breakpoint is freed */
    breaks_fini(&b);
    model_free(md);
    return found;
}

enum play rewind_back_until(struct rewind *r, const struct break_words *w, const char *text, uint64_t n,
                            const struct session_search *search)
{
    enum { STRETCH = 1 << 14 };
    uint64_t now = rewind_now(r), oldest = history_oldest(r->history);
    struct stop was = r->held;
    struct stretch p = {.r = r, .w = w, .text = text, .to = now ? now - 1 : 0};
    struct rewind_stop stop = {.by = NULL};
    for (; p.to > oldest; p.to = p.from) {
        p.from = p.to - oldest > STRETCH ? p.to - STRETCH : oldest;
        uint64_t here = walk_stops(&p, 0, &stop);
        if (here >= n) {
            walk_stops(&p, here - n + 1, &stop);
            struct stop held = r->held;
            bool went = rewind_to(r, stop.at) == GOTO_DONE;
            r->held = went ? held : was;
            return PLAY_STOPPED;
        }
        n -= here;
        if (p.from > oldest && !goes_on(search, p.from, &stop))
            break;
    }
    r->held = was;
    return stop.ended ? PLAY_ENDED : PLAY_ON;
}

void rewind_count(struct breakpoint *k, struct history *past, const struct break_words *w)
{
    struct breaks b = {0};
    struct model *md = NULL;
    struct rewind_stop stop = {0};
    uint64_t from = past ? history_oldest(past) : 0;
    bool counts = past && pattern_times(k->match.pattern) > 1 && history_move(past, &md, from);
    struct breakpoint *copy = counts ? breaks_add(&b, w, k->text, false, NULL) : NULL;
    while (copy &&
           next_stop(past, &md, &(struct events){.b = &b, .to = history_events(past), .out = &stop}, stop.at ? stop.at : from, NULL))
        ;
    if (copy)
        breaks_counted(k, copy->match.seen, copy->match.nth_at);
    breaks_fini(&b);
    model_free(md);
}
