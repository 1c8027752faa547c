/* See rehearse.h. */
#include "engine/lesson/rehearse.h"
#include "engine/signals.h"
#include <stdio.h>
#include <string.h>

#define MOST_EVENTS UINT64_C(2000000) /* a lesson is about a small run; a longer one is rehearsed up to here */
#define LONGEST INT64_C(10000000000)

enum { HELD_MOST = 64 }; /* more Gs at a time are not followed */
struct rehearsal {
    struct answers *a;
    struct lesson lesson;
    uint32_t nheld;
    struct held {
        uint32_t m, g, place; /* place: 0 for the first of the Gs that the M holds */
        uint64_t at;          /* the event by which the M took it */
    } held[HELD_MOST];
};

static void rehearse_time(void *ctx, const struct model *md, int64_t time)
{
    const struct rehearsal *r = ctx;
    for (struct asked *x = r->a->asked; x; x = x->next)
        query_passes(x->rehearsing, md, time);
}

/* Returns the G if it is the first of those that M m holds, else NULL. */
static const struct held *next_of(const struct rehearsal *r, uint32_t m, uint32_t g)
{
    for (uint32_t i = 0; i < r->nheld; i++)
        if (r->held[i].m == m && r->held[i].g == g && !r->held[i].place)
            return &r->held[i];
    return NULL;
}

/* An M takes a G from a queue before it runs it or puts it elsewhere. Notes since when the M holds what it holds after this event. */
static void follow_hand(struct rehearsal *r, const struct merged_event *at)
{
    const struct model_m *mm = model_m(at->md, at->m);
    uint32_t n = r->nheld;
    struct held was[HELD_MOST];
    memcpy(was, r->held, sizeof was);
    r->nheld = 0;
    for (uint32_t i = 0; i < n; i++)
        if (was[i].m != at->m)
            r->held[r->nheld++] = was[i];
    for (uint32_t place = 0; mm && place < mm->transit_n && r->nheld < HELD_MOST; place++) {
        struct held *h = &r->held[r->nheld++];
        *h = (struct held){at->m, mm->transit[place], place, at->number};
        for (uint32_t i = 0; i < n; i++)
            if (was[i].m == h->m && was[i].g == h->g)
                h->at = was[i].at;
    }
}

static bool rehearse_event(void *ctx, const struct merged_event *at)
{
    struct rehearsal *r = ctx;
    uint32_t asked = r->lesson.met;
    const struct held *held = next_of(r, at->m, at->e->g);
    for (struct asked *x = r->a->asked; x; x = x->next) {
        bool was = query_is_final(x->rehearsing);
        query_event(x->rehearsing, at);
        if (query_lacks(x->rehearsing))
            return false;
        if (held && !was && query_is_final(x->rehearsing) && query_names_actor(x->rehearsing, at->e->kind))
            x->taken = held->at;
    }
    follow_hand(r, at);
    lesson_after(&r->lesson, at);
    for (; asked < r->lesson.met; asked++)
        r->a->v[asked].late = r->a->v[asked].asked && query_is_final(r->a->v[asked].asked->rehearsing);
    return true;
}

/* Begins the lesson. False: out of memory. */
static bool begin(struct rehearsal *r, const struct break_words *w, const struct rt_config *rt, char *err, size_t size)
{
    struct answers *a = r->a;
    a->lacks = !lesson_init(&r->lesson, a->sc, w, rt);
    if (a->lacks) {
        snprintf(err, size, "out of memory");
        return false;
    }
    for (uint32_t i = 0; i < a->n; i++)
        r->lesson.v[i].match.never |= a->v[i].never;
    lesson_set(&r->lesson, true, 0);
    return true;
}

/* One run. *unmet: the first entry that it did not meet, the number of entries if it met all. */
static bool run_once(struct rehearsal *r, const struct engine_config *cfg, uint32_t *unmet, char *err, size_t size)
{
    struct reader reads = answers_reader(r->a);
    reads.needs |= READS_DETAILS | READS_EACH | READS_STATES;
    reads.ctx = r;
    reads.passes = rehearse_time;
    reads.event = rehearse_event;
    struct engine_config c = *cfg;
    c.readers = &reads;
    c.nreaders = 1;
    c.breaks = NULL;
    c.nbreaks = 0;
    c.lesson = c.live = false;
    c.history = 0;
    c.out = OUT_NONE;
    c.limit = c.limit < LONGEST ? c.limit : LONGEST;
    c.max_events = c.max_events < MOST_EVENTS ? c.max_events : MOST_EVENTS;
    struct engine *e = engine_new(&c, err, size);
    r->a->lacks = !e;
    if (!e)
        return false;
    engine_drive(e, &(struct drive){.signal = signals_seen()});
    bool good = !engine_failed(e) && answers_keep(r->a, engine_view(e), cfg->rt.seed);
    r->a->lacks = !good && (e->lack || !engine_failed(e));
    if (!good)
        snprintf(err, size, "%s", engine_failed(e) ? e->failure : "out of memory");
    *unmet = lesson_next(&r->lesson, r->lesson.met); /* if the last event met an entry, no event passed those after it */
    r->a->events = e->events;
    r->a->cut = e->how == ENDED_LIMIT;
    for (uint32_t i = 0; i < r->a->n; i++)
        r->a->v[i].met = i < r->lesson.met ? r->lesson.v[i].met_at : 0;
    engine_free(e);
    return good;
}

/* The run is free: its lockstep twin has given choices, and nothing else is known. */
static void keep_choices_only(struct answers *a)
{
    for (uint32_t i = 0; i < a->n; i++) {
        a->v[i].never = false;
        if (a->v[i].asked)
            a->v[i].choice = -1;
    }
}

bool rehearse(struct answers *a, const struct engine_config *cfg, char *err, size_t size)
{
    struct rehearsal r = {.a = a};
    struct engine_config c = *cfg;
    const struct break_words w = engine_words(cfg);
    c.rt.mode = MODE_LOCKSTEP;
    for (uint32_t unmet = 0; unmet < a->n && !signals_code();) {
        for (struct asked *x = a->asked; x; x = x->next) {
            query_reset(x->rehearsing);
            x->taken = 0;
        }
        r.nheld = 0;
        bool good = begin(&r, &w, &cfg->rt, err, size) && run_once(&r, &c, &unmet, err, size);
        lesson_fini(&r.lesson);
        if (!good)
            return false;
        if (unmet < a->n)
            a->v[unmet].never = true;
    }
    a->rehearsed = cfg->rt.mode == MODE_LOCKSTEP;
    if (!a->rehearsed)
        keep_choices_only(a);
    return true;
}

bool rehearse_once(struct answers *a, const struct engine_config *cfg, char *err, size_t size)
{
    struct rehearsal r = {.a = a};
    uint32_t unmet = 0;
    const struct break_words w = engine_words(cfg);
    bool good = begin(&r, &w, &cfg->rt, err, size) && run_once(&r, cfg, &unmet, err, size);
    lesson_fini(&r.lesson);
    for (uint32_t i = unmet; i < a->n; i++)
        a->v[i].never = true;
    a->rehearsed = good;
    return good;
}

/* An answer is shown after those to earlier questions, if an event is left for it before the last one: a class hears them in the order of the
 * questions. */
static void order_answers(struct lesson *l, const struct answers *a)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        struct lesson_step *s = &l->v[i];
        if (s->match.never || !a->v[i].met || s->decided <= a->v[i].met)
            continue;
        if (s->decided <= last && last + 1 < a->events)
            s->decided = last + 1;
        last = s->decided > last ? s->decided : last;
    }
}

void rehearsed_lesson(struct lesson *l, const struct answers *a)
{
    for (uint32_t i = 0; i < l->n; i++) {
        l->v[i].match.never |= a->v[i].never || answers_are_false(a, i);
        l->v[i].decided = answers_shown(a, i);
    }
    order_answers(l, a);
}

/* If a check fails in that run, the lesson is played without answers, and will meet the failure itself. */
void rehearse_for(struct engine *e)
{
    char err[200];
    bool free = engine_mode(e) != MODE_LOCKSTEP || engine_was_free(e);
    if (!e->cfg.live || e->answers.rehearsed || (free && !e->answers.lists))
        return;
    struct engine_config c = e->cfg;
    c.rt.mode = free ? MODE_FREE : MODE_LOCKSTEP;
    bool good = rehearse(&e->answers, &c, err, sizeof err);
    if (e->answers.lacks)
        engine_lacks(e, "cannot find the lesson's answers: %s", err);
    if (good)
        rehearsed_lesson(&e->lesson, &e->answers);
}
