/* Completion of a pattern that is being typed. It looks only at the words; the parser decides. */
#include "model/query/pattern_internal.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#define BREAKS_WORDS " \t|=!<>()"

struct offers {
    const char *word;
    size_t len;
    pattern_offer *fn;
    void *ctx;
};

static void offer(const struct offers *o, const char *word)
{
    if (strncmp(word, o->word, o->len) == 0)
        o->fn(o->ctx, word);
}

static void offer_events(const struct offers *o)
{
    for (int kind = 0; kind < EV_KINDS; kind++)
        offer(o, ev_desc[kind].name);
}

static bool event_is(int kind, const char *glob, size_t len)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)len, glob);
    return fnmatch(name, ev_desc[kind].name, 0) == 0;
}

static void offer_fields(const struct offers *o, const char *event, size_t len)
{
    static const char *const common[] = {"m", "p", "g", "time"};
    for (int kind = 0; kind < EV_KINDS; kind++)
        for (int i = 0; event_is(kind, event, len) && i < EV_FIELDS && ev_desc[kind].field[i].name; i++)
            if (ev_desc[kind].field[i].name[0] && ev_desc[kind].field[i].type != FT_NONE)
                offer(o, ev_desc[kind].field[i].name);
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        offer(o, common[i]);
}

/* Offers the gauges of a P after "p0."; without a point, the gauges of the scheduler and the words of the grammar. */
static void offer_gauges(const struct offers *o)
{
    static const char *const between[] = {"and", "or", "not", "p0.", "m0.", "g1."};
    char name[64], subject;
    const char *what, *dot = memchr(o->word, '.', o->len);
    for (int i = 0; (what = gauge_name(i, &subject)); i++) {
        if (!subject && !dot)
            offer(o, what);
        if (subject && dot && (o->word[0] | 0x20) == subject) {
            snprintf(name, sizeof name, "%.*s%s", (int)(dot + 1 - o->word), o->word, what);
            offer(o, name);
        }
    }
    for (size_t i = 0; i < sizeof between / sizeof *between; i++)
        offer(o, between[i]);
}

static size_t word_start(const char *s, size_t at)
{
    while (at > 0 && !strchr(BREAKS_WORDS, s[at - 1]))
        at--;
    return at;
}

/* Returns where the alternative that contains `at` begins. */
static size_t alternative(const char *s, size_t at)
{
    while (at > 0 && s[at - 1] != '|')
        at--;
    while (s[at] == ' ' || s[at] == '\t')
        at++;
    return at;
}

size_t pattern_complete(const char *s, size_t at, pattern_offer *fn, void *ctx)
{
    size_t from = word_start(s, at), event = alternative(s, from), elen = strcspn(s + event, BREAKS_WORDS), op = from;
    struct offers o = {s + from, at - from, fn, ctx};
    bool when = strncmp(s + strspn(s, " \t"), "when ", 5) == 0;
    while (op > 0 && s[op - 1] == ' ')
        op--;
    bool value = op > 0 && strchr("=!<>", s[op - 1]);
    if (when && !value) {
        offer_gauges(&o);
    } else if (from <= event) {
        offer_events(&o);
        if (alternative(s, 0) == event)
            offer(&o, "when");
    } else if (value && !when) {
        while (op > 0 && strchr("=!<> ", s[op - 1]))
            op--;
        size_t field = word_start(s, op);
        for (int kind = 0; kind < EV_KINDS; kind++) {
            const struct ev_field *f = event_is(kind, s + event, elen) ? ev_field(kind, s + field, op - field) : NULL;
            for (int i = 0; f && i < ev_words(f->type); i++)
                offer(&o, ev_word(f->type, i));
        }
    } else if (!value) {
        offer_fields(&o, s + event, elen);
    }
    return from;
}
