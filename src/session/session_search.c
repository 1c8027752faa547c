/* Searching in what is recorded, for a pattern or for a text in sentences; the UI's thread (session.c). A search leaves the lock to the run
 * between two pieces, and the screen may end it there. */
#include "session/rewind_breaks.h"
#include "session/session_internal.h"
#include <stdio.h>
#include <string.h>

static bool matches(void *ctx, const struct history_event *h)
{
    return pattern_event(ctx, h->m, &h->ev, h->text, h->len);
}

/* A text that sentences are searched for. */
struct wanted_text {
    const struct session *s;
    const char *text;
    enum lang lang;
};

static bool says(void *ctx, const struct history_event *h)
{
    const struct wanted_text *w = ctx;
    return sentence_has(&(struct merged_event){engine_view(w->s->e), h->number, h->m, &h->ev, h->text, h->len}, w->text, w->lang);
}

/* What is searched for. */
struct sought {
    struct arena arena; /* of the pattern */
    struct wanted_text text;
    bool kinds[EV_KINDS];
    struct history_search search;
};

static struct pattern *compile(struct session *s, struct arena *a, const char *pattern)
{
    const char *err;
    size_t pos;
    session_enter(s);
    struct break_words words = engine_words(&s->e->cfg);
    struct pattern *p = break_compile(a, &words, pattern, &err, &pos);
    session_leave(s, REQUEST_NONE);
    return p;
}

static bool sought_pattern(struct session *s, struct sought *w, const char *pattern)
{
    *w = (struct sought){0};
    struct pattern *p = compile(s, &w->arena, pattern);
    if (p)
        pattern_kinds(p, w->kinds);
    w->search = (struct history_search){matches, p, w->kinds, search_piece(&s->search)};
    return p;
}

/* A sentence takes far longer than a look at an event, so the pieces are shorter. */
static void sought_text(struct session *s, struct sought *w, const char *text, enum lang lang)
{
    enum { DEARER = 128 };
    *w = (struct sought){.text = {s, text, lang}};
    for (int k = 0; k < EV_KINDS; k++)
        w->kinds[k] = ev_level_of[k] == EV_CORE;
    w->search = (struct history_search){says, &w->text, w->kinds, search_piece(&s->search) / DEARER + 1};
}

static void op_on_search(struct session *s, struct session_search search)
{
    s->search = search;
}

static uint64_t find_in_pieces(struct session *s, const struct history_search *what, uint64_t at, int step)
{
    uint64_t found = 0;
    do {
        session_enter(s);
        at = s->e->history ? at : 0;
        if (at)
            found = history_search(s->e->history, at, step, what, &at);
        session_leave(s, REQUEST_NONE);
    } while (!found && at && (!s->search.going || s->search.going(s->search.ctx, at)));
    return found;
}

static uint64_t op_find(struct session *s, const char *pattern, uint64_t from, int step)
{
    struct sought w;
    uint64_t found = sought_pattern(s, &w, pattern) ? find_in_pieces(s, &w.search, from, step) : 0;
    arena_fini(&w.arena);
    return found;
}

static uint64_t op_find_text(struct session *s, const char *text, enum lang lang, uint64_t from, int step)
{
    struct sought w;
    sought_text(s, &w, text, lang);
    return find_in_pieces(s, &w.search, from, step);
}

/* ---- counting ---- */

struct counting {
    const struct history_search *what;
    struct session_count n;
    uint64_t at;
};

/* Matches nothing, so that the search reads everything. */
static bool counts(void *ctx, const struct history_event *h)
{
    struct counting *c = ctx;
    if (c->what->is(c->what->ctx, h)) {
        c->n.of++;
        c->n.nth += h->number <= c->at;
    }
    return false;
}

static struct session_count count_all(struct session *s, const struct history_search *what, uint64_t at)
{
    struct counting c = {.what = what, .at = at};
    struct history_search all = {counts, &c, what->kinds, what->most};
    session_enter(s);
    uint64_t oldest = history_oldest(s->e->history), n = history_events(s->e->history) - oldest;
    session_leave(s, REQUEST_NONE);
    if (n && n <= SESSION_COUNTED)
        find_in_pieces(s, &all, oldest + 1, 1);
    return c.n;
}

static struct session_count op_count(struct session *s, const char *pattern, uint64_t at)
{
    struct sought w;
    struct session_count n = sought_pattern(s, &w, pattern) ? count_all(s, &w.search, at) : (struct session_count){0};
    arena_fini(&w.arena);
    return n;
}

static struct session_count op_count_text(struct session *s, const char *text, enum lang lang, uint64_t at)
{
    struct sought w;
    sought_text(s, &w, text, lang);
    return count_all(s, &w.search, at);
}

static bool op_matches(struct session *s, const char *pattern, const uint64_t *number, int n, bool *hit)
{
    struct arena a = {0};
    struct pattern *p = compile(s, &a, pattern);
    session_enter(s);
    for (int i = 0; i < n; i++) {
        struct history_event h;
        hit[i] = p && !pattern_is_when(p) && s->e->history && history_get(s->e->history, number[i], &h) && matches(p, &h);
    }
    session_leave(s, REQUEST_NONE);
    arena_fini(&a);
    return p;
}

/* "PATTERN xN": the N-th match back. */
static bool op_back_until(struct session *s, const char *pattern, bool *found, struct session_mistake *wrong)
{
    char text[PENDING_TEXT];
    unsigned long long n = 1;
    const char *x = strrchr(pattern, ' ');
    int end = 0;
    *found = false;
    if (!session_check(s, pattern, wrong))
        return false;
    bool times = x && sscanf(x, " x%llu%n", &n, &end) == 1 && !x[end] && n;
    snprintf(text, sizeof text, "%.*s", times ? (int)(x - pattern) : (int)strlen(pattern), pattern);
    session_enter(s);
    session_stand(s);
    struct break_words words = engine_words(&s->e->cfg);
    enum play r = s->e->history ? rewind_back_until(&s->rewind, &words, text, times ? n : 1, &s->search) : PLAY_ON;
    session_leave(s, REQUEST_SEEK);
    *found = r == PLAY_STOPPED;
    return true;
}

static bool op_query(struct session *s, session_ask *ask, void *ctx)
{
    session_enter(s);
    bool known = s->e->history;
    if (known)
        ask(s->e->history, ctx);
    session_leave(s, REQUEST_NONE);
    return known;
}

const struct session_search_ops session_search_ops = {
    .check = session_check,
    .find = op_find,
    .find_text = op_find_text,
    .count = op_count,
    .count_text = op_count_text,
    .on_search = op_on_search,
    .matches = op_matches,
    .back_until = op_back_until,
    .query = op_query,
};
