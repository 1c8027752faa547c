/* See lesson.h. The event that meets one entry cannot meet the next one. Only `start` is met without an event, and so are entries that no
 * event of this run can meet. */
#include "engine/lesson/lesson.h"
#include <string.h>

enum { SET_UP = 2 }; /* the event that makes the first Ps: before it, the picture has nothing that a text is about */

static bool make_step(struct lesson *l, struct lesson_step *s, const struct scenario_lesson *from, const struct break_words *w)
{
    const char *err;
    size_t pos;
    s->on = from->on;
    s->stops = from->stops && !s->match.never;
    if (!strcmp(from->on, "start"))
        return true;
    struct pattern *p = pattern_compile(&l->arena, from->on, &err, &pos);
    if (!p || !pattern_bind(p, &l->arena, w->programs, &err, &pos))
        return false;
    s->pattern = p;
    s->match.never |= !w->has_p && pattern_asks_for_p(p, &pos);
    return true;
}

static void compare_settings(struct lesson_made_for *out, const struct scenario *sc, const struct rt_config *rt)
{
    const struct rt_config own = scenario_own_settings(sc);
    out->lacks = scenario_lesson_lacks(sc, rt, &out->no_questions);
    out->generation = own.generation;
    out->procs = own.gomaxprocs;
    out->boot = own.boot;
    out->module = rt_module(&own);
    struct rt_config there = own;
    there.module = rt->module;
    out->other_switches = !rt_same_rules(rt, &there);
    out->other_boot = !rt_same_boot(rt, &own) || (rt_same_rules(rt, &there) && !rt_same_rules(rt, &own));
}

bool lesson_init(struct lesson *l, const struct scenario *sc, const struct break_words *w, const struct rt_config *rt)
{
    uint32_t n = sc ? scenario_info(sc)->nlesson : 0;
    *l = (struct lesson){.v = NULL};
    atomic_init(&l->armed, LESSON_OFF);
    l->v = arena_alloc(&l->arena, (n + 1) * sizeof *l->v);
    if (!l->v)
        return false;
    memset(l->v, 0, (n + 1) * sizeof *l->v);
    if (n)
        compare_settings(&l->made_for, sc, rt);
    for (; l->n < n; l->n++) {
        struct scenario_lesson from;
        scenario_lesson(sc, l->n, &from);
        l->v[l->n].match.never = !scenario_lesson_plays(sc, l->n, rt);
        if (!make_step(l, &l->v[l->n], &from, w))
            return false;
        l->v[l->n].barred = l->v[l->n].match.never;
    }
    return true;
}

void lesson_fini(struct lesson *l)
{
    arena_fini(&l->arena);
    *l = (struct lesson){.v = NULL};
}

static bool waits(const struct lesson_step *s)
{
    return s->pattern && !s->match.never;
}

/* Passes the entries that wait for no event. Returns true if one of them stops the run. */
static bool pass(struct lesson *l, uint64_t n)
{
    bool stop = false;
    for (; !stop && l->met < l->n && !waits(&l->v[l->met]); l->met++) {
        l->v[l->met].met_at = n;
        stop = l->v[l->met].stops && !l->v[l->met].match.never;
    }
    return stop;
}

/* Publishes how many entries were met. The Ms may have passed more entries than the fold, never fewer. */
static void publish(struct lesson *l)
{
    /* relaxed: as in lesson_hit(), its partner */
    uint32_t armed = atomic_load_explicit(&l->armed, memory_order_relaxed);
    while (armed < l->met && !atomic_compare_exchange_weak_explicit(&l->armed, &armed, l->met, memory_order_relaxed, memory_order_relaxed))
        ;
}

static void publish_again(struct lesson *l)
{
    /* relaxed: as in lesson_hit(), its partner */
    atomic_store_explicit(&l->armed, l->on ? l->met : LESSON_OFF, memory_order_relaxed);
}

bool lesson_set(struct lesson *l, bool on, uint64_t n)
{
    l->on = on;
    l->skips = false;
    l->met = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        matcher_reset(&l->v[i].match, l->v[i].pattern);
        l->v[i].met_at = 0;
        /* relaxed: a sum, see lesson_hit() */
        atomic_store_explicit(&l->v[i].hits, 0, memory_order_relaxed);
    }
    bool stop = on && n >= SET_UP && pass(l, n);
    publish_again(l);
    return stop;
}

void lesson_carry(const struct lesson *from, struct lesson *to, uint64_t n)
{
    lesson_set(to, from->on, 0);
    for (to->met = 0; to->met < lesson_met(from, n); to->met++)
        to->v[to->met].met_at = from->v[to->met].met_at;
    publish_again(to);
}

void lesson_restore(struct lesson *l, const struct lesson_meeting *met, uint32_t n)
{
    lesson_set(l, l->on, 0);
    for (; l->met < n && l->met < l->n; l->met++) {
        l->v[l->met].met_at = met[l->met].at;
        l->v[l->met].match.never = met[l->met].left_out;
    }
    publish_again(l);
}

/* Is this step's answer decided after its question, at event n or later? */
static bool waits_for_answer(const struct lesson_step *s, uint64_t n)
{
    return !s->match.never && s->decided > s->met_at && s->decided >= n;
}

int lesson_decided_at(const struct lesson *l, uint64_t n)
{
    int i = (int)lesson_met(l, n) - 1;
    while (i >= 0 && (!waits_for_answer(&l->v[i], n) || l->v[i].decided != n))
        i--;
    return i;
}

bool lesson_any_when(const struct lesson *l, uint64_t n)
{
    for (uint32_t i = 0; l->on && !l->skips && i < l->met; i++)
        if (waits_for_answer(&l->v[i], n + 1) || (l->v[i].follows && !l->v[i].match.never))
            return true;
    for (uint32_t i = l->met; l->on && i < l->n; i++)
        if (waits(&l->v[i]) && pattern_is_when(l->v[i].pattern))
            return true;
    return false;
}

/* The Ms meet the entries in the order in which they log, which may differ from the merged order. Then the world stops for nothing, or
 * later than it could; the fold holds at the place in both cases. So relaxed is enough everywhere here; the entries do not change. */
bool lesson_hit(struct lesson *l, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    uint32_t i = atomic_load_explicit(&l->armed, memory_order_relaxed);
    uint32_t was = i;
    /* relaxed: lesson_after() may write it meanwhile */
    while (i < l->n && (__atomic_load_n(&l->v[i].match.never, __ATOMIC_RELAXED) || (!l->v[i].pattern && !l->v[i].stops)))
        i++; /* it waits for no event and does not stop */
    if (i >= l->n)
        return false;
    struct lesson_step *s = &l->v[i];
    if (s->pattern && (pattern_is_when(s->pattern) || !pattern_event(s->pattern, m, e, text, len)))
        return false;
    uint64_t hits = atomic_fetch_add_explicit(&s->hits, 1, memory_order_relaxed) + 1;
    if (s->pattern && hits != pattern_times(s->pattern))
        return false;
    atomic_compare_exchange_strong_explicit(&l->armed, &was, i + 1, memory_order_relaxed, memory_order_relaxed);
    return s->stops;
}

bool lesson_after(struct lesson *l, const struct merged_event *at)
{
    if (!l->on || at->number < SET_UP)
        return false;
    bool decides = !l->skips && lesson_decided_at(l, at->number) >= 0, stop = l->met < l->n && pass(l, at->number);
    if (!stop && l->met < l->n) {
        struct lesson_step *s = &l->v[l->met];
        if (!matcher_event(&s->match, at) || !matcher_is_nth(&s->match, at->number))
            return decides;
        s->met_at = at->number;
        __atomic_store_n(&s->match.never, l->holds && !l->holds(l->ctx, l->met), __ATOMIC_RELAXED); /* lesson_hit() may read it meanwhile */
        l->met++;
        stop = s->stops && !s->match.never;
    }
    l->skips = l->skips && !stop;
    publish(l);
    return stop || decides;
}

uint64_t lesson_place(const struct lesson *l, uint64_t n, int by)
{
    uint64_t place = 0;
    for (uint32_t i = 0; i < l->met; i++) {
        uint64_t at = l->v[i].met_at;
        if (!l->v[i].stops || l->v[i].match.never)
            continue;
        if (by < 0 && at < n)
            place = at;
        else if (by > 0 && at > n)
            return at;
    }
    return place;
}

uint32_t lesson_met(const struct lesson *l, uint64_t n)
{
    uint32_t met = 0;
    while (met < l->met && l->v[met].met_at <= n)
        met++;
    return met;
}

uint32_t lesson_holding(const struct lesson *l, uint32_t upto)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < upto && i < l->n; i++)
        n += !l->v[i].match.never;
    return n;
}

int lesson_last(const struct lesson *l, uint64_t n)
{
    int i = (int)lesson_met(l, n) - 1;
    while (i >= 0 && l->v[i].match.never)
        i--;
    return i;
}

uint32_t lesson_next(const struct lesson *l, uint32_t from)
{
    while (from < l->n && l->v[from].match.never)
        from++;
    return from;
}

/* Returns the entry whose answer was decided last, after its question and up to event n; -1 if none. */
static int last_decided(const struct lesson *l, uint64_t n)
{
    int found = -1;
    for (int i = 0; i < (int)lesson_met(l, n); i++)
        if (waits_for_answer(&l->v[i], 0) && l->v[i].decided <= n && (found < 0 || l->v[i].decided >= l->v[found].decided))
            found = i;
    return found;
}

int lesson_shown(const struct lesson *l, uint64_t n)
{
    int last = lesson_last(l, n), decided = last_decided(l, n);
    return decided >= 0 && l->v[last].met_at < l->v[decided].decided ? decided : last;
}
