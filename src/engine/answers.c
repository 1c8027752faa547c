/* See answers.h. */
#include "engine/answers.h"
#include "engine/engine.h"
#include "engine/signals.h"
#include <stdio.h>
#include <string.h>

#define MOST_EVENTS UINT64_C(2000000) /* a lesson is about a small run; a longer one is rehearsed up to here */
#define LONGEST INT64_C(10000000000)

static bool make(struct answers *a, uint32_t i, const struct break_words *w)
{
    struct scenario_lesson l;
    const char *err;
    size_t pos;
    scenario_lesson(a->sc, i, &l);
    a->v[i] = (struct answer){.choice = l.nchoices && !l.query ? (int)l.answer : -1};
    if (!l.query)
        return true;
    a->queries = true;
    a->v[i].query = query_compile(&a->arena, l.query, &err, &pos);
    return a->v[i].query && query_bind(a->v[i].query, &a->arena, w->programs, &err, &pos);
}

bool answers_init(struct answers *a, const struct scenario *sc, const struct break_words *w)
{
    uint32_t n = scenario_info(sc)->nlesson;
    *a = (struct answers){.sc = sc};
    a->v = arena_alloc(&a->arena, (n + 1) * sizeof *a->v);
    if (!a->v)
        return false;
    for (; a->n < n; a->n++)
        if (!make(a, a->n, w))
            return false;
    return true;
}

static void reset(struct answers *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (a->v[i].query)
            query_reset(a->v[i].query);
}

void answers_fini(struct answers *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (a->v[i].query)
            query_fini(a->v[i].query);
    arena_fini(&a->arena);
    *a = (struct answers){.v = NULL};
}

void answers_passes(struct answers *a, const struct model *md, int64_t time)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (a->v[i].query)
            query_passes(a->v[i].query, md, time);
}

void answers_event(struct answers *a, const struct merged_event *at)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (a->v[i].query)
            query_event(a->v[i].query, at);
}

/* Returns true if a choice stands for a query's value: the same text, or the name of that G, M or P. */
static bool stands_for(const char *choice, const char *value)
{
    bool name = strchr("GMP", choice[0]) && choice[1] >= '0' && choice[1] <= '9';
    return !strcmp(choice, value) || (name && !strcmp(choice + 1, value));
}

static int choice_of(const struct answers *a, uint32_t entry, const char *value)
{
    struct scenario_lesson l;
    scenario_lesson(a->sc, entry, &l);
    for (uint32_t k = 0; k < l.nchoices; k++)
        if (stands_for(text_in(&l.choice[k], LANG_EN), value))
            return (int)k;
    return -1;
}

int answers_choice(struct answers *a, uint32_t entry, const struct model *md)
{
    const char *value;
    const struct answer *x = &a->v[entry];
    if (a->rehearsed || !x->query || query_value(x->query, md, &value) != QUERY_VALUE)
        return x->choice;
    return choice_of(a, entry, value);
}

/* --- the rehearsal --- */

struct rehearsal {
    struct answers *a;
    struct lesson lesson;
};

static void passes(void *ctx, const struct model *md, int64_t time)
{
    answers_passes(((struct rehearsal *)ctx)->a, md, time);
}

static void event(void *ctx, const struct merged_event *at)
{
    struct rehearsal *r = ctx;
    answers_event(r->a, at);
    lesson_after(&r->lesson, at);
}

static bool keep_values(struct answers *a, const struct model *md)
{
    for (uint32_t i = 0; i < a->n; i++) {
        const char *value;
        struct answer *x = &a->v[i];
        enum query_result r = x->query ? query_value(x->query, md, &value) : QUERY_NONE;
        if (r == QUERY_NONE)
            continue;
        x->decided = query_decided(x->query);
        x->value = r == QUERY_VALUE ? arena_strndup(&a->arena, value, strlen(value)) : NULL;
        if (!x->value)
            return false;
        x->choice = choice_of(a, i, x->value);
    }
    return true;
}

/* One run. *unmet: the first entry that it did not meet, the number of entries if it met all. */
static bool run_once(struct rehearsal *r, const struct engine_config *cfg, uint32_t *unmet, char *err, size_t size)
{
    struct engine_observer o = {passes, event, r};
    struct engine_config c = *cfg;
    c.observer = &o;
    c.breaks = NULL;
    c.nbreaks = 0;
    c.lesson = c.live = false;
    c.history = 0;
    c.out = OUT_NONE;
    c.limit = c.limit < LONGEST ? c.limit : LONGEST;
    c.max_events = c.max_events < MOST_EVENTS ? c.max_events : MOST_EVENTS;
    struct engine *e = engine_new(&c, err, size);
    if (!e)
        return false;
    engine_drive(e, &(struct drive){.signal = signals_seen()});
    bool good = !engine_failed(e) && keep_values(r->a, engine_view(e));
    if (!good)
        snprintf(err, size, "%s", engine_failed(e) ? e->failure : "out of memory");
    *unmet = r->lesson.met;
    r->a->events = e->events;
    for (uint32_t i = 0; i < r->a->n; i++)
        r->a->v[i].met = i < r->lesson.met ? r->lesson.v[i].met_at : 0;
    engine_free(e);
    return good;
}

/* An entry that is never met must not block those behind it. So the run is repeated without it. */
bool answers_rehearse(struct answers *a, const struct engine_config *cfg, char *err, size_t size)
{
    struct rehearsal r = {.a = a};
    const struct break_words w = {&scenario_info(a->sc)->programs, rt_generation_has_p(cfg->rt.generation), cfg->other_has_p};
    for (uint32_t unmet = 0; unmet < a->n;) {
        reset(a);
        bool good = lesson_init(&r.lesson, a->sc, &w, &cfg->rt);
        if (!good)
            snprintf(err, size, "out of memory");
        for (uint32_t i = 0; good && i < a->n; i++)
            r.lesson.v[i].match.never |= a->v[i].never;
        if (good)
            lesson_set(&r.lesson, true, 0);
        good = good && run_once(&r, cfg, &unmet, err, size);
        lesson_fini(&r.lesson);
        if (!good)
            return false;
        if (unmet < a->n)
            a->v[unmet].never = true;
    }
    a->rehearsed = true;
    return true;
}
