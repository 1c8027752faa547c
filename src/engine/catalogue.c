/* The scenarios as lists show them. Each file is loaded whole, so a list shows only what can be run. */
#include "engine/catalogue.h"
#include "engine/shipped.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *copy(struct arena *a, const char *s)
{
    return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

static struct text copy_text(struct arena *a, const struct text *t)
{
    return (struct text){{copy(a, t->in[LANG_EN]), copy(a, t->in[LANG_ZH])}};
}

static const char *first_stop(struct arena *a, const struct scenario *sc)
{
    struct scenario_lesson l;
    for (uint32_t i = 0; i < scenario_info(sc)->nlesson; i++) {
        scenario_lesson(sc, i, &l);
        if (l.stops && strcmp(l.on, "start") != 0)
            return copy(a, l.on);
    }
    return NULL;
}

static void fill(struct arena *a, const struct scenario *sc, struct catalogue_entry *e)
{
    const struct scenario_info *i = scenario_info(sc);
    e->broken = false;
    e->title = copy_text(a, &i->title);
    e->summary = copy_text(a, &i->summary);
    e->watch = copy_text(a, &i->watch);
    e->topic = i->topic;
    e->order = i->order;
    e->paths = i->paths;
    e->next = copy(a, i->next);
    e->aliases = arena_alloc(a, (i->naliases + 1) * sizeof *e->aliases);
    e->naliases = e->aliases ? i->naliases : 0;
    for (uint32_t k = 0; k < e->naliases; k++)
        e->aliases[k] = copy(a, i->aliases[k]);
    e->gomaxprocs = i->gomaxprocs;
    e->generation = i->generation;
    e->lesson = i->nlesson > 0;
    e->stop = first_stop(a, sc);
}

bool catalogue_read(struct arena *a, const char *name, const char *path, struct catalogue_entry *out)
{
    static const struct text none = {{"", NULL}};
    struct diag d;
    *out = (struct catalogue_entry){
        .name = name, .path = path, .broken = true, .title = none, .summary = none, .watch = none, .topic = TOPICS, .order = UINT32_MAX};
    diag_init(&d, path);
    struct scenario *sc = scenario_load(path, &d);
    if (sc)
        fill(a, sc, out);
    scenario_free(sc);
    bool lack = d.lack || a->lacking;
    if (d.lack)
        diag_print(&d, stderr);
    else if (a->lacking)
        usage_error("%s: %s", path, strerror(ENOMEM));
    diag_fini(&d);
    return !lack;
}

bool catalogue_load(struct arena *a, struct catalogue *out)
{
    const char **names = shipped_all(a, "scenarios", &out->n);
    out->v = names ? arena_alloc(a, (out->n + 1) * sizeof *out->v) : NULL;
    for (size_t i = 0; out->v && i < out->n; i++) {
        const char *path = shipped_path(a, "scenarios", names[i]);
        if (path && !catalogue_read(a, names[i], path, &out->v[i]))
            return false;
    }
    if (names && a->lacking)
        usage_error("scenarios: %s", strerror(ENOMEM));
    return names && !a->lacking;
}

static int by_place(const void *a, const void *b)
{
    const struct catalogue_entry *l = a, *r = b;
    if (l->topic != r->topic)
        return l->topic < r->topic ? -1 : 1;
    if (l->order != r->order)
        return l->order < r->order ? -1 : 1;
    return strcmp(l->name, r->name);
}

void catalogue_sort(struct catalogue *c)
{
    if (c->n)
        qsort(c->v, c->n, sizeof *c->v, by_place);
    for (size_t i = 0; i + 1 < c->n; i++)
        if (!c->v[i].next && c->v[i].topic < TOPICS && c->v[i + 1].topic < TOPICS)
            c->v[i].next = c->v[i + 1].name;
}

size_t catalogue_path(struct arena *a, const struct catalogue *c, enum scenario_path path, const struct catalogue_entry ***out)
{
    size_t n = 0;
    *out = arena_alloc(a, (c->n + 1) * sizeof **out);
    for (uint32_t rank = 0; *out && rank < 2 * TOPICS; rank++)
        for (size_t i = 0; i < c->n; i++) {
            const struct catalogue_entry *e = &c->v[i];
            if (e->topic < TOPICS && e->paths >> path & 1 && scenario_path_rank(path, e->topic) == rank)
                (*out)[n++] = e;
        }
    return n;
}

static bool has_alias(const struct catalogue_entry *e, const char *name)
{
    for (uint32_t i = 0; i < e->naliases; i++)
        if (!strcmp(e->aliases[i], name))
            return true;
    return false;
}

const struct catalogue_entry *catalogue_find(const struct catalogue *c, const char *name)
{
    for (size_t i = 0; i < c->n; i++)
        if (!strcmp(c->v[i].name, name))
            return &c->v[i];
    for (size_t i = 0; i < c->n; i++)
        if (has_alias(&c->v[i], name))
            return &c->v[i];
    return NULL;
}

const struct catalogue_entry *
catalogue_next(struct arena *a, const struct catalogue *c, const struct catalogue_entry *e, enum scenario_path path)
{
    const struct catalogue_entry **on;
    if (path == PATHS || !(e->paths >> path & 1))
        return e->next ? catalogue_find(c, e->next) : NULL;
    size_t n = catalogue_path(a, c, path, &on);
    for (size_t i = 0; i + 1 < n; i++)
        if (on[i] == e)
            return on[i + 1];
    return NULL;
}
