/* Breakpoints: see breaks.h. `when` matches where the state becomes true, not at each event while it is: going on must be
 * possible. */
#include "engine/breaks.h"
#include <stdlib.h>
#include <string.h>

struct pattern *break_compile(struct arena *a, const struct break_words *w, const char *text, const char **err, size_t *pos)
{
    struct pattern *p = pattern_compile(a, text, err, pos);
    if (!p || !pattern_bind(p, a, w->programs, err, pos))
        return NULL;
    if (w->has_p || w->p_beside || !pattern_asks_for_p(p, pos))
        return p;
    *err = "this generation has no P";
    return NULL;
}

static void brk_free(struct breakpoint *k)
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
    k->text = arena_strndup(&k->arena, text, strlen(text));
    k->pattern = k->text ? break_compile(&k->arena, w, k->text, &err, &pos) : NULL;
    if (!k->pattern) {
        brk_free(k);
        return NULL;
    }
    k->never = !w->has_p && pattern_asks_for_p(k->pattern, &pos);
    k->state = md && !k->never && pattern_state(k->pattern, md);
    return k;
}

bool breaks_delete(struct breaks *b, uint32_t id)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (b->v[i]->id == id) {
            brk_free(b->v[i]);
            b->n--;
            memmove(&b->v[i], &b->v[i + 1], (b->n - i) * sizeof *b->v);
            return true;
        }
    return false;
}

uint32_t breaks_add(struct breaks *b, const struct break_words *w, const char *text, bool once, const struct model *md)
{
    uint32_t listed = 0;
    if (once)
        breaks_delete(b, 0);
    for (uint32_t i = 0; i < b->n; i++)
        listed += b->v[i]->id != 0;
    struct breakpoint *k = once || listed < BREAKS_LISTED ? breakpoint_new(w, text, md) : NULL;
    if (!k)
        return UINT32_MAX;
    k->id = once ? 0 : ++b->made;
    b->v[b->n++] = k;
    return k->id;
}

uint32_t breaks_list(const struct breaks *b, struct break_at out[BREAKS_LISTED])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n; i++)
        if (b->v[i]->id)
            out[n++] = (struct break_at){b->v[i]->pattern, b->v[i]->text};
    return n;
}

void breaks_fini(struct breaks *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        brk_free(b->v[i]);
    *b = (struct breaks){0};
}

bool breaks_any_when(const struct breaks *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (pattern_is_when(b->v[i]->pattern) && !b->v[i]->never)
            return true;
    return false;
}

bool breaks_hit(struct breaks *b, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    bool stop = false;
    for (uint32_t i = 0; i < b->n; i++) {
        const struct pattern *p = b->v[i]->pattern;
        if (b->v[i]->never || pattern_is_when(p) || !pattern_event(p, m, e, text, len))
            continue;
        /* relaxed: a sum; what the N-th match means is decided in merged order (meets) */
        uint64_t hits = atomic_fetch_add_explicit(&b->v[i]->hits, 1, memory_order_relaxed) + 1;
        stop |= pattern_times(p) <= 1 || hits == pattern_times(p);
    }
    return stop;
}

/* It matches after event n: the N-th time, or each time without xN? In a list that goes through the past the N-th is known. */
static bool meets(struct breakpoint *k, uint64_t n)
{
    uint64_t times = pattern_times(k->pattern), seen = ++k->seen;
    if (times <= 1)
        return true;
    if (!k->hit_at && seen == times)
        k->hit_at = n;
    return k->hit_at == n;
}

void breaks_counted(struct breakpoint *k, uint64_t seen, uint64_t hit_at)
{
    k->seen = seen;
    k->hit_at = hit_at;
    /* relaxed: as in breaks_hit */
    atomic_store_explicit(&k->hits, seen, memory_order_relaxed);
}

static bool becomes_true(struct breakpoint *k, bool now)
{
    bool before = k->state;
    k->state = now;
    return now && !before;
}

static int64_t next_change(const struct breaks *b, const struct model *md, int64_t after)
{
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < b->n; i++) {
        int64_t t = b->v[i]->never ? INT64_MAX : pattern_change_after(b->v[i]->pattern, md, after);
        first = t < first ? t : first;
    }
    return first;
}

/* All that come true at this very moment count; the first is told. */
static struct breakpoint *true_at(struct breaks *b, const struct model *md, int64_t time)
{
    struct breakpoint *first = NULL;
    for (uint32_t i = 0; i < b->n; i++) {
        struct breakpoint *k = b->v[i];
        if (!k->never && becomes_true(k, pattern_state_at(k->pattern, md, time)) && meets(k, model_events(md)) && !first)
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

struct breakpoint *breaks_after(struct breaks *b, const struct model *md, uint64_t n, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct breakpoint *first = NULL;
    for (uint32_t i = 0; i < b->n; i++) {
        struct breakpoint *k = b->v[i];
        if (k->never) /* and nothing of it is judged: there may be no md */
            continue;
        bool match = pattern_is_when(k->pattern) ? becomes_true(k, pattern_state(k->pattern, md))
                                                 : pattern_event(k->pattern, m, e, text, len);
        if (match && meets(k, n) && !first)
            first = k;
    }
    return first;
}
