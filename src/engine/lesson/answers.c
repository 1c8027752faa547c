/* See answers.h. */
#include "engine/lesson/answers.h"
#include "base/prng.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST (INT64_MAX / 16) /* multiples of larger numbers might not fit */
enum { SMALL = 60, ENOUGH = 4, ENOUGH_GIVEN = 3 };

static struct asked *find(const struct answers *a, const char *text, size_t len)
{
    struct asked *x = a->asked;
    while (x && (strlen(x->text) != len || memcmp(x->text, text, len) != 0))
        x = x->next;
    return x;
}

/* The lint has compiled every query, so only memory can be lacking. */
static struct query *compile(struct answers *a, const char *text, const struct break_words *w)
{
    const char *err;
    size_t pos;
    struct query *q = query_compile(&a->arena, text, &err, &pos);
    return q && query_bind(q, &a->arena, w->programs, &err, &pos) ? q : NULL;
}

static bool ask(struct answers *a, const char *text, size_t len, const struct break_words *w)
{
    if (find(a, text, len))
        return true;
    struct asked *x = arena_alloc(&a->arena, sizeof *x);
    if (!x || !(x->text = arena_strndup(&a->arena, text, len)) || !(x->query = compile(a, x->text, w)) ||
        !(x->rehearsing = compile(a, x->text, w)))
        return false;
    x->next = a->asked;
    a->asked = x;
    return true;
}

static bool ask_text(struct answers *a, const struct text *t, const struct break_words *w)
{
    for (int lang = 0; lang < LANGS; lang++) {
        size_t at = 0, len;
        for (const char *s = t->in[lang]; s && (s = lesson_query(s, &at, &len)); s += at)
            if (!ask(a, s, len, w))
                return false;
    }
    return true;
}

static bool ask_choices(struct answers *a, const struct scenario_lesson *l, const struct break_words *w)
{
    for (uint32_t k = 0; k < l->nchoices; k++)
        if ((l->choice_query[k] && !ask(a, l->choice_query[k], strlen(l->choice_query[k]), w)) || !ask_text(a, &l->choice[k], w) ||
            !ask_text(a, &l->choice_because[k], w))
            return false;
    return true;
}

static bool make(struct answers *a, uint32_t i, const struct break_words *w)
{
    struct scenario_lesson l;
    scenario_lesson(a->sc, i, &l);
    if (!ask_text(a, &l.say, w) || !ask_text(a, &l.question, w) || !ask_text(a, &l.because, w) || !ask_choices(a, &l, w))
        return false;
    for (uint32_t k = 0; k < l.nfacts; k++)
        if (!ask(a, l.fact[k].query, strlen(l.fact[k].query), w))
            return false;
    if (l.query && !ask(a, l.query, strlen(l.query), w))
        return false;
    a->v[i] = (struct answer){.choice = l.nchoices && !l.query ? (int)l.answer : -1, .listed = l.listed};
    a->v[i].asked = l.query ? find(a, l.query, strlen(l.query)) : NULL;
    a->lists |= l.listed;
    return true;
}

bool answers_init(struct answers *a, const struct scenario *sc, const struct break_words *w)
{
    uint32_t n = sc ? scenario_info(sc)->nlesson : 0;
    *a = (struct answers){.sc = sc, .lacks = true};
    a->v = arena_alloc(&a->arena, (n + 1) * sizeof *a->v);
    if (!a->v)
        return false;
    for (; a->n < n; a->n++)
        if (!make(a, a->n, w))
            return false;
    a->lacks = false;
    return true;
}

void answers_fini(struct answers *a)
{
    for (struct asked *x = a->asked; x; x = x->next)
        query_fini(x->query), query_fini(x->rehearsing);
    arena_fini(&a->arena);
    *a = (struct answers){.v = NULL};
}

static void pass_time(void *ctx, const struct model *md, int64_t time)
{
    struct answers *a = ctx;
    for (struct asked *x = a->asked; x; x = x->next)
        query_passes(x->query, md, time);
}

static bool show_event(void *ctx, const struct merged_event *at)
{
    struct answers *a = ctx;
    bool good = true;
    for (struct asked *x = a->asked; x; x = x->next) {
        query_event(x->query, at);
        good &= !query_lacks(x->query);
    }
    return good;
}

struct reader answers_reader(struct answers *a)
{
    unsigned needs = 0;
    for (const struct asked *x = a->asked; x; x = x->next)
        needs |= query_needs(x->query);
    return (struct reader){.ctx = a, .needs = needs, .passes = pass_time, .event = show_event, .lack = "cannot keep the lesson's answers"};
}

void answers_entry(const struct answers *a, uint32_t entry, struct scenario_lesson *out)
{
    const struct answer *x = &a->v[entry];
    scenario_lesson(a->sc, entry, out);
    if (!x->listed)
        return;
    out->nchoices = x->nchoices;
    memset(out->choice_is, 0, sizeof out->choice_is);
    memcpy(out->choice, x->choice_text, sizeof out->choice);
    memcpy(out->choice_because, x->choice_because, sizeof out->choice_because);
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
    answers_entry(a, entry, &l);
    for (uint32_t k = 0; k < l.nchoices; k++)
        if (stands_for(l.choice_is[k] ? l.choice_is[k] : text_in(&l.choice[k], LANG_EN), value))
            return (int)k;
    return -1;
}

/* Do the rehearsal's values hold for the run itself? */
static bool holds(const struct answers *a)
{
    return a->rehearsed && !a->departed;
}

/* Returns the value, NULL if there is none (yet). */
static const char *value_of(const struct answers *a, const struct asked *x, const struct model *md)
{
    const char *value;
    if (holds(a))
        return x->value;
    return query_value(x->query, md, &value) == QUERY_VALUE ? value : NULL;
}

int answers_choice(struct answers *a, uint32_t entry, const struct model *md, bool over)
{
    const struct answer *x = &a->v[entry];
    if (!x->asked || holds(a))
        return x->choice;
    const char *value = a->departed ? answers_value(a, entry, md, over) : value_of(a, x->asked, md);
    return value ? choice_of(a, entry, value) : -1;
}

uint64_t answers_decided(const struct answers *a, uint32_t entry, bool over)
{
    const struct asked *x = a->v[entry].asked;
    if (holds(a) || !x)
        return holds(a) ? a->v[entry].decided : 0;
    return over || query_is_final(x->query) ? query_decided(x->query) : 0;
}

uint64_t answers_shown(const struct answers *a, uint32_t entry)
{
    const struct answer *x = &a->v[entry];
    return x->taken > x->met ? x->taken : x->decided;
}

const char *answers_value(struct answers *a, uint32_t entry, const struct model *md, bool over)
{
    const struct asked *x = a->v[entry].asked;
    return x && (holds(a) || over || query_is_final(x->query)) ? value_of(a, x, md) : NULL;
}

void answers_fill(struct answers *a, const struct model *md, const char *text, char *buf, size_t size)
{
    size_t at = 0, skip, len, n = 0;
    for (const char *s = text; *s && n + 1 < size; s += at) {
        const char *q = lesson_query(s, &skip, &len), *end = q ? q - 1 : s + strlen(s);
        for (; s < end && n + 1 < size; s++) {
            buf[n++] = *s;
            s += (*s == '{' || *s == '}') && s[1] == *s; /* two braces are one */
        }
        const struct asked *x = q ? find(a, q, len) : NULL;
        const char *value = x ? value_of(a, x, md) : NULL;
        if (q)
            n += (size_t)snprintf(buf + n, size - n, "%s", value ? value : "?");
        s = q ? q : end;
        at = q ? skip : 0;
    }
    buf[n < size ? n : size - 1] = '\0';
}

/* --- choices made from values --- */

/* Adds a choice, unless there is an equal one. */
static void add_choice(struct answer *x, struct text text, struct text because)
{
    for (uint32_t k = 0; k < x->nchoices; k++)
        if (!strcmp(text_in(&x->choice_text[k], LANG_EN), text_in(&text, LANG_EN)))
            return;
    if (x->nchoices == LESSON_CHOICES)
        return;
    x->choice_text[x->nchoices] = text;
    x->choice_because[x->nchoices++] = because;
}

static void add_value(struct answer *x, const char *value, struct text because)
{
    if (value)
        add_choice(x, (struct text){{value, NULL}}, because);
}

static const struct text no_text = {{"", NULL}};

/* Adds numbers near the right one until there are enough, in an order drawn from the seed. A small number has neighbours; of a large one,
 * such as a time, a multiple is the more plausible mistake. */
static bool add_numbers(struct answers *a, struct answer *x, struct prng *r, uint32_t enough)
{
    static const struct {
        int64_t mul, div, add;
    } small[] = {{1, 1, 1}, {1, 1, -1}, {1, 1, 2}, {1, 1, -2}, {2, 1, 0}, {1, 2, 0}, {1, 1, 3}},
      large[] = {{2, 1, 0}, {1, 2, 0}, {10, 1, 0}, {1, 10, 0}, {3, 2, 0}, {4, 1, 0}, {1, 4, 0}};
    enum { N = sizeof small / sizeof *small };
    char *end;
    int64_t v = strtoll(x->value, &end, 10);
    if (end == x->value || *end || v < -LARGEST || v > LARGEST)
        return true;
    uint32_t first = prng_below(r, N - 2);
    for (uint32_t i = 0; i < N && x->nchoices < enough; i++) {
        uint32_t k = i < N - 2 ? (first + i) % (N - 2) : i;
        int64_t near = v > SMALL ? v * large[k].mul / large[k].div : v * small[k].mul / small[k].div + small[k].add;
        if (near < 0 && v >= 0)
            continue;
        const char *text = arena_printf(&a->arena, "%" PRId64, near);
        if (!text)
            return false;
        add_value(x, text, no_text);
    }
    return true;
}

static void shuffle(struct answer *x, struct prng *r)
{
    for (uint32_t k = x->nchoices; k > 1; k--) {
        uint32_t with = prng_below(r, k);
        struct text text = x->choice_text[k - 1], because = x->choice_because[k - 1];
        x->choice_text[k - 1] = x->choice_text[with];
        x->choice_because[k - 1] = x->choice_because[with];
        x->choice_text[with] = text;
        x->choice_because[with] = because;
    }
}

/* Known mistakes that happen to give the right answer are no mistakes here. So the right one comes first, and equal ones fall together. */
static bool list_choices(struct answers *a, uint32_t entry, uint64_t seed)
{
    struct prng r;
    struct scenario_lesson l;
    struct answer *x = &a->v[entry];
    scenario_lesson(a->sc, entry, &l);
    x->nchoices = 0;
    prng_seed(&r, seed, (uint64_t)PRNG_VARY << 32 | entry);
    add_value(x, x->value, no_text);
    for (uint32_t k = 0; k < l.nchoices; k++)
        if (l.choice_query[k])
            add_value(x, find(a, l.choice_query[k], strlen(l.choice_query[k]))->value, l.choice_because[k]);
        else
            add_choice(x, l.choice[k], l.choice_because[k]);
    bool good = !x->value || add_numbers(a, x, &r, l.nchoices ? ENOUGH_GIVEN : ENOUGH);
    shuffle(x, &r);
    return good;
}

static bool agrees(const struct scenario_fact *fact, const char *value)
{
    char *end, *wanted_end;
    if (!value)
        return false;
    int64_t v = strtoll(value, &end, 10), wanted = strtoll(fact->value, &wanted_end, 10);
    bool numbers = end != value && !*end && wanted_end != fact->value && !*wanted_end;
    int order = numbers ? (v > wanted) - (v < wanted) : strcmp(value, fact->value);
    switch (fact->op[0]) {
    case '<':
        return order < 0 || (fact->op[1] && !order);
    case '>':
        return order > 0 || (fact->op[1] && !order);
    case '!':
        return order;
    default:
        return !order;
    }
}

bool answers_fact(const struct answers *a, const struct scenario_fact *fact, const char **value)
{
    const struct asked *x = find(a, fact->query, strlen(fact->query));
    *value = x ? x->value : NULL;
    return agrees(fact, *value);
}

bool answers_hold_now(const struct answers *a, uint32_t entry, const struct model *md)
{
    struct scenario_lesson l;
    scenario_lesson(a->sc, entry, &l);
    for (uint32_t k = 0; k < l.nfacts; k++)
        if (!agrees(&l.fact[k], value_of(a, find(a, l.fact[k].query, strlen(l.fact[k].query)), md)))
            return false;
    return true;
}

bool answers_are_false(const struct answers *a, uint32_t entry)
{
    const char *value;
    struct scenario_lesson l;
    scenario_lesson(a->sc, entry, &l);
    for (uint32_t k = 0; a->rehearsed && !a->cut && k < l.nfacts; k++)
        if (!answers_fact(a, &l.fact[k], &value))
            return true;
    return false;
}

bool answers_keep(struct answers *a, const struct model *md, uint64_t seed)
{
    const char *value;
    for (struct asked *x = a->asked; x; x = x->next) {
        enum query_result r = query_value(x->rehearsing, md, &value);
        x->value = r == QUERY_VALUE ? arena_strndup(&a->arena, value, strlen(value)) : NULL;
        if (r != QUERY_NONE && !x->value)
            return false;
    }
    for (uint32_t i = 0; i < a->n; i++) {
        struct answer *x = &a->v[i];
        struct scenario_lesson l;
        scenario_lesson(a->sc, i, &l);
        x->value = x->asked ? x->asked->value : NULL;
        x->decided = x->asked ? query_decided(x->asked->rehearsing) : 0;
        x->taken = x->asked ? x->asked->taken : 0;
        if (x->listed && !x->value && l.nchoices && !l.query)
            x->value = text_in(&l.choice[l.answer], LANG_EN);
        if (x->listed && !list_choices(a, i, seed))
            return false;
        if (x->value)
            x->choice = choice_of(a, i, x->value);
    }
    return true;
}
