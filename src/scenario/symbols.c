/* Names, durations, patterns, and the positions of mistakes in them. */
#include "base/hash.h"
#include "scenario/scenario_internal.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void bad(struct compiler *c, const struct ynode *at, size_t off, const char *fmt, ...)
{
    char *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&text, fmt, ap) >= 0)
        diag_add(c->d, at->line, yaml_column(at, off), "%s", text);
    else
        diag_lack(c->d, ENOMEM);
    va_end(ap);
    free(text);
}

void offer(struct compiler *c, const struct ynode *at, size_t off, const char *word, const char *const *words, size_t n)
{
    diag_offer(c->d, at->line, yaml_column(at, off), word, words, n);
}

bool name_valid(const char *s)
{
    return *s && s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] == '\0';
}

/* A variable must also be a word of an expression. */
bool variable_valid(const char *s)
{
    return *s && !strchr("0123456789", *s) && name_valid(s) && !strchr(s, '-');
}

/* Returns the slot that has the name (its index + 1), or the free one where it belongs. A file may declare as many names as it has bytes for,
 * and use each of them, so names are hashed. */
static uint32_t *slot_of(const struct names *ns, const char *name)
{
    uint32_t i = (uint32_t)hash_bytes(name, strlen(name)) & ns->mask;
    while (ns->slot[i] && strcmp(ns->v[ns->slot[i] - 1], name) != 0)
        i = (i + 1) & ns->mask;
    return &ns->slot[i];
}

bool names_init(struct names *ns, struct arena *a, unsigned n)
{
    uint32_t slots = 2;
    while (slots <= 2 * n)
        slots *= 2;
    ns->mask = slots - 1;
    ns->v = arena_alloc(a, (n + 1) * sizeof *ns->v);
    ns->slot = arena_alloc(a, slots * sizeof *ns->slot);
    return ns->v && ns->slot;
}

/* Of equal names, lookups find the first. */
void names_add(struct names *ns, const char *name)
{
    uint32_t *slot = slot_of(ns, name);
    ns->v[ns->n++] = name;
    if (*slot == 0)
        *slot = ns->n;
}

int names_find(const struct names *ns, const char *name)
{
    return ns->slot ? (int)*slot_of(ns, name) - 1 : -1;
}

#define GUESSED 1000 /* with at most this many names, the nearest name is searched even when mistakes are no longer printed */

/* Returns the kind, with its article, of which the name is declared; NULL: it is not. */
static const char *other_kind(const struct compiler *c, const char *name)
{
    static const char *const what[NS_COUNT] = {
        "a program", "a channel", "a mutex", "an rwmutex", "a waitgroup", "a cond", "a once", "a context", "a conn", "a shared integer"};
    for (int i = 0; i < NS_COUNT; i++)
        if (names_find(&c->ns[i], name) >= 0)
            return what[i];
    return NULL;
}

int names_resolve(struct compiler *c, int which, const struct ynode *at, const char *name)
{
    const struct names *ns = &c->ns[which];
    const char *near, *other;
    int i = names_find(ns, name);
    if (i >= 0 || ns->suspect)
        return i;
    other = other_kind(c, name);
    /* Searched only if the mistake will be printed, because the search is slow among a hundred thousand names. */
    near = c->d->count < DIAG_MAX || ns->n <= GUESSED ? diag_nearest(name, ns->v, ns->n) : NULL;
    if (other)
        bad(c, at, 0, "\"%s\" is %s, not a%s %s", name, other, which == NS_RWMUTEXES ? "n" : "", ns->what);
    else if (near)
        bad(c, at, 0, "unknown %s \"%s\"; did you mean \"%s\"?", ns->what, name, near);
    else if (ns->n == 1)
        bad(c, at, 0, "unknown %s \"%s\"; the only one is \"%s\"", ns->what, name, ns->v[0]);
    else
        bad(c, at, 0, "unknown %s \"%s\"; declare it under \"%s\"", ns->what, name, ns->list);
    if (ns->n > 1)
        offer(c, at, 0, name, ns->v, ns->n);
    return -1;
}

bool compile_duration(struct compiler *c, const struct ynode *at, const char *s, int64_t *ns)
{
    if (duration_parse(s, strlen(s), ns))
        return true;
    if (*s && s[strspn(s, "0123456789.")] == '\0')
        bad(c, at, 0, "\"%s\" has no unit; did you mean \"%sms\"? ns, us, ms and s are units", s, s);
    else
        bad(c, at, 0, "\"%s\" is not a duration; write one like \"300us\", \"1.5ms\" or \"2s\"", s);
    return false;
}

struct pattern_words {
    struct arena *a;
    const char *v[256];
    size_t n;
    bool inside; /* after the dot of a gauge */
};

static void add_word(void *ctx, const char *word)
{
    struct pattern_words *w = ctx;
    if (w->inside && (!strchr(word, '.') || word[strlen(word) - 1] == '.'))
        return;
    for (size_t i = 0; i < w->n; i++)
        if (!strcmp(w->v[i], word))
            return;
    if (w->n < sizeof w->v / sizeof *w->v && (w->v[w->n] = arena_strndup(w->a, word, strlen(word))))
        w->n++;
}

/* Finds what may stand at this place of the pattern: events, fields, values, gauges, else programs. */
static struct names find_pattern_words(struct compiler *c, const char *s, size_t pos, struct pattern_words *w)
{
    size_t len = strcspn(s + pos, " \t=!<>|()"), dot = strcspn(s + pos, ".");
    w->a = c->a;
    w->inside = dot < len;
    pattern_complete(s, w->inside ? pos + dot + 1 : pos, add_word, w);
    return w->n ? (struct names){.v = w->v, .n = (unsigned)w->n} : c->ns[NS_PROGRAMS];
}

/* Returns the length of the message without its list of the first possible words, if they are among the words that are offered. */
static size_t without_list(const char *err, const struct names *offered)
{
    static const char *const before[] = {"; there is ", "; there are "};
    for (int i = 0; i < 2; i++) {
        const char *list = strstr(err, before[i]);
        for (unsigned w = 0; list && w < offered->n; w++)
            if (strncmp(list + strlen(before[i]), offered->v[w], strlen(offered->v[w])) == 0)
                return (size_t)(list - err);
    }
    return strlen(err);
}

struct pattern *compile_pattern(struct compiler *c, const struct ynode *at, const char *s)
{
    const char *err = NULL;
    size_t pos = 0;
    struct pattern *p = pattern_compile(c->a, s, &err, &pos);
    const struct names *ns = &c->ns[NS_PROGRAMS];
    const struct model_names programs = {.fn = ns->v, .nfn = ns->n, .objects = &c->sc->info.objects, .text = c->sc->info.programs.text};
    /* If a declaration had a mistake, an unknown program may be the one that it declares. */
    if (p && (pattern_bind(p, c->a, &programs, &err, &pos) || ns->suspect)) {
        if (pattern_asks_for_p(p, &pos))
            use_p(c, at, pos);
        c->sc->asks_for_places |= pattern_asks_for_places(p);
        return p;
    }
    struct pattern_words w = {.n = 0};
    const char *word = arena_strndup(c->a, s + pos, strcspn(s + pos, " \t=!<>|()"));
    err = err ? err : "not a pattern";
    if (!c->d->offers || !s[pos] || !word) {
        bad(c, at, pos, "%s", err);
        return NULL;
    }
    const struct names offered = find_pattern_words(c, s, pos, &w);
    bad(c, at, pos, "%.*s", (int)without_list(err, &offered), err);
    offer(c, at, pos, word, offered.v, offered.n);
    return NULL;
}
