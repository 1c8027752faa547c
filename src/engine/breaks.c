/* Breakpoints: see breaks.h. A condition matches where it becomes true, not at each event while it holds, so that the run can continue. */
#include "engine/breaks.h"
#include <stdlib.h>
#include <string.h>

struct pattern *break_compile(struct arena *a, const struct break_words *w, const char *text, const char **err, size_t *pos)
{
    struct pattern *p = pattern_compile_in(a, w->lang, text, err, pos);
    if (!p || !pattern_bind_in(p, a, w->lang, w->programs, err, pos))
        return NULL;
    if (w->has_p || w->other_has_p || !pattern_asks_for_p(p, pos))
        return p;
    *err = pattern_text(w->lang, PATTERN_NO_P);
    return NULL;
}

static void breakpoint_free(struct breakpoint *k)
{
    if (k)
        arena_fini(&k->arena);
    free(k);
}

static struct breakpoint *breakpoint_new(const struct break_words *w, const char *text, const struct model *md)
{
    const char *err;
    size_t pos;
    struct breakpoint *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->round_p = BREAK_NOT_ROUND;
    k->text = arena_strndup(&k->arena, text, strlen(text));
    k->match.pattern = k->text ? break_compile(&k->arena, w, k->text, &err, &pos) : NULL;
    if (!k->match.pattern) {
        breakpoint_free(k);
        return NULL;
    }
    k->match.never = !w->has_p && pattern_asks_for_p(k->match.pattern, &pos);
    k->match.state = md && !k->match.never && pattern_state(k->match.pattern, md);
    return k;
}

struct breakpoint *breaks_find(const struct breaks *b, uint32_t id)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (b->v[i]->id == id)
            return b->v[i];
    return NULL;
}

bool breaks_delete(struct breaks *b, uint32_t id)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (b->v[i]->id == id) {
            breakpoint_free(b->v[i]);
            b->n--;
            memmove(&b->v[i], &b->v[i + 1], (b->n - i) * sizeof *b->v);
            return true;
        }
    return false;
}

struct breakpoint *breaks_add(struct breaks *b, const struct break_words *w, const char *text, bool once, const struct model *md)
{
    uint32_t listed = 0;
    if (once)
        breaks_delete(b, 0);
    for (uint32_t i = 0; i < b->n; i++)
        listed += b->v[i]->id != 0;
    struct breakpoint *k = once || listed < BREAKS_LISTED ? breakpoint_new(w, text, md) : NULL;
    if (!k)
        return NULL;
    k->id = once ? 0 : ++b->made;
    b->v[b->n++] = k;
    return k;
}

struct breakpoint *breaks_add_text(struct breaks *b, const struct break_words *w, const char *text, enum lang lang)
{
    struct breakpoint *k = breaks_add(b, w, "*", true, NULL);
    if (!k)
        return NULL;
    k->text = arena_printf(&k->arena, "\"%s\"", text);
    k->match.says = arena_strndup(&k->arena, text, strlen(text));
    k->match.lang = lang;
    if (k->text && k->match.says)
        return k;
    breaks_delete(b, 0);
    return NULL;
}

uint32_t breaks_list(const struct breaks *b, struct break_at out[BREAKS_LISTED])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n; i++)
        if (b->v[i]->id)
            out[n++] = (struct break_at){.text = b->v[i]->text};
    return n;
}

bool breaks_has(const struct breaks *b, const char *text)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (!strcmp(b->v[i]->text, text))
            return true;
    return false;
}

void breaks_fini(struct breaks *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        breakpoint_free(b->v[i]);
    *b = (struct breaks){0};
}

static bool is_folded(const struct breakpoint *k)
{
    return pattern_is_when(k->match.pattern) || k->match.says;
}

bool breaks_any_folded(const struct breaks *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (is_folded(b->v[i]) && !b->v[i]->match.never)
            return true;
    return false;
}

void breaks_kinds(const struct breaks *b, bool kinds[EV_KINDS])
{
    for (uint32_t i = 0; i < b->n; i++)
        pattern_kinds(b->v[i]->match.pattern, kinds);
}

bool breaks_hit(struct breaks *b, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    bool stop = false;
    for (uint32_t i = 0; i < b->n; i++) {
        const struct pattern *p = b->v[i]->match.pattern;
        if (b->v[i]->match.never || is_folded(b->v[i]) || !pattern_meets(p, m, e, text, len))
            continue;
        /* relaxed: a sum; which match is the N-th is decided in merged order (matcher_is_nth) */
        uint64_t hits = atomic_fetch_add_explicit(&b->v[i]->hits, 1, memory_order_relaxed) + 1;
        stop |= pattern_times(p) <= 1 || hits == pattern_times(p);
    }
    return stop;
}

void breaks_counted(struct breakpoint *k, uint64_t seen, uint64_t nth_at)
{
    k->match.seen = seen;
    k->match.nth_at = nth_at;
    /* relaxed: as in breaks_hit */
    atomic_store_explicit(&k->hits, seen, memory_order_relaxed);
}

static int64_t next_change(const struct breaks *b, const struct model *md, int64_t after)
{
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < b->n; i++) {
        int64_t t = matcher_change_after(&b->v[i]->match, md, after);
        first = t < first ? t : first;
    }
    return first;
}

/* Counts all breakpoints whose condition becomes true at `time`. Returns the first. */
static struct breakpoint *true_at(struct breaks *b, const struct model *md, int64_t time)
{
    struct breakpoint *first = NULL;
    for (uint32_t i = 0; i < b->n; i++) {
        struct breakpoint *k = b->v[i];
        if (matcher_time(&k->match, md, time) && matcher_is_nth(&k->match, model_events(md)) && !first)
            first = k;
    }
    return first;
}

struct breakpoint *breaks_before(struct breaks *b, const struct model *md, int64_t time, int64_t *at)
{
    int64_t now = model_time(md) > b->judged ? model_time(md) : b->judged; /* an event may be offered more than once */
    while ((now = next_change(b, md, now)) <= time && now < INT64_MAX) {
        struct breakpoint *k = true_at(b, md, now);
        b->judged = *at = now;
        if (k)
            return k;
    }
    return NULL;
}

struct breakpoint *breaks_after(struct breaks *b, const struct merged_event *at)
{
    struct breakpoint *first = NULL;
    for (uint32_t i = 0; i < b->n; i++) {
        struct breakpoint *k = b->v[i];
        if (matcher_event(&k->match, at) && matcher_is_nth(&k->match, at->number) && !first)
            first = k;
    }
    return first;
}

struct stop break_stop(const struct breakpoint *k, int64_t time)
{
    struct stop s = {.kind = k->round_p == BREAK_NOT_ROUND ? STOP_BREAKPOINT : STOP_ROUND, .p = k->round_p, .time = time};
    stop_set_text(&s, k->text);
    return s;
}
