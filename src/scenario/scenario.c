/* A scenario as a whole: its file, and the scenarios that seeds draw from it. */
#include "scenario/scenario_internal.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the scenarios that were drawn ---- */

static bool same(const struct scenario *sc, const int64_t *values)
{
    for (uint32_t i = 0; i < sc->nvary; i++)
        if (sc->vary[i].value != values[i])
            return false;
    return true;
}

static const struct scenario *drawn_before(const struct scenario *base, const int64_t *values)
{
    if (same(base, values))
        return base;
    /* acquire: pairs with the release in keep(), so that a scenario is seen whole */
    const struct scenario *sc = atomic_load_explicit(&base->draws->first, memory_order_acquire);
    while (sc && !same(sc, values))
        sc = sc->next;
    return sc;
}

/* Several threads may draw at once; two of them may then keep equal scenarios, which does no harm. */
static void keep(const struct scenario *base, struct scenario *sc)
{
    /* relaxed: the exchange below publishes it */
    sc->next = atomic_load_explicit(&base->draws->first, memory_order_relaxed);
    /* release: pairs with the acquire in drawn_before() */
    while (!atomic_compare_exchange_weak_explicit(&base->draws->first, &sc->next, sc, memory_order_release, memory_order_relaxed))
        ;
}

const struct scenario *scenario_drawn(const struct scenario *sc, uint64_t seed, char *err, size_t size)
{
    const struct scenario *base = sc->base ? sc->base : sc, *known;
    int64_t values[VARY_MAX] = {0};
    if (!base->nvary)
        return sc;
    for (uint32_t i = 0; i < base->nvary; i++)
        values[i] = base->draws->is_fixed[i] ? base->draws->fixed[i] : vary_draw(&base->vary[i], seed);
    if ((known = drawn_before(base, values)))
        return known;
    struct diag d;
    diag_init(&d, base->info.path);
    struct scenario *made = scenario_with(base, values, &d);
    if (!made)
        snprintf(err, size, "%s: %s", base->info.path, d.kept ? d.item[0].text : "out of memory");
    diag_fini(&d);
    if (made)
        keep(base, made);
    return made;
}

/* ---- the file ---- */

/* Compiles the scenario with each value of each name, up to this number of values. Only the first mistake is reported: the others are
 * probably the same. */
#define VALUES_TRIED 12

static void check_values(const struct scenario *sc, struct diag *d)
{
    for (uint32_t i = 0; i < sc->nvary; i++) {
        const struct vary *v = &sc->vary[i];
        uint64_t n = v->total < VALUES_TRIED ? v->total : VALUES_TRIED;
        for (uint64_t k = 0; k < n && !d->count; k++) {
            int64_t values[VARY_MAX];
            struct diag with;
            for (uint32_t j = 0; j < sc->nvary; j++)
                values[j] = sc->vary[j].value;
            values[i] = vary_value(v, n > 1 ? k * (v->total - 1) / (n - 1) : 0);
            diag_init(&with, sc->info.path);
            scenario_drop(scenario_with(sc, values, &with));
            if (with.lack)
                diag_lack(d, with.lack);
            else if (with.kept)
                diag_add(d, with.item[0].line, with.item[0].col, "%s (with %s = %" PRId64 ")", with.item[0].text, v->name, values[i]);
            diag_fini(&with);
        }
    }
}

/* Reports what is wrong with the settings of each side: every wrong word, otherwise what the words come to together. */
static void check_compare(struct compiler *c, const struct scenario_settings *settings, struct arena *a)
{
    static const char *const name[2] = {"left", "right"};
    const struct ynode *map = yaml_get(c->root, "compare");
    const char *text[2], *why;
    for (int i = 0; i < 2; i++) {
        const struct ynode *at = yaml_get(map, name[i]);
        text[i] = at ? at->text : "";
        for (size_t off = strspn(text[i], " \t"), len; text[i][off]; off += len + strspn(text[i] + off + len, " \t")) {
            len = strcspn(text[i] + off, " \t");
            const char *word = arena_strndup(a, text[i] + off, len);
            if (word && (why = settings->word(a, word)))
                bad(c, at, off, "%s: %s", name[i], why);
        }
    }
    bool words_are_right = c->d->count == 0;
    for (int i = 0; i < 2 && words_are_right; i++) {
        const struct ynode *at = yaml_get(map, name[i]);
        if ((why = settings->side(a, c->sc, text, i)))
            bad(c, at ? at : yaml_key(c->root, "compare"), 0, "%s: %s", name[i], why);
    }
}

struct scenario *scenario_load(const char *path, struct diag *d)
{
    return scenario_open(&(struct scenario_from){.path = path}, d);
}

/* Sets the bytes of the scenario. */
static void read_bytes(struct scenario *sc, const struct scenario_from *from, struct diag *d)
{
    sc->len = from->len;
    if (from->text && source_unpack(sc, from->text, from->len, d))
        return;
    sc->is_program = !from->text && scenario_is_program(from->path);
    if (sc->is_program)
        sc->bytes = source_scenario(&sc->a, from->path, &sc->len);
    else
        sc->bytes = from->text ? arena_strndup(&sc->a, from->text, from->len) : yaml_read(&sc->a, from->path, &sc->len, d);
}

struct scenario *scenario_open(const struct scenario_from *from, struct diag *d)
{
    struct scenario *sc = calloc(1, sizeof *sc);
    d->file = from->path;
    d->advice = scenario_advice;
    if (!sc) {
        diag_lack(d, ENOMEM);
        return NULL;
    }
    sc->info.path = arena_strndup(&sc->a, from->path, strlen(from->path));
    sc->draws = arena_alloc(&sc->a, sizeof *sc->draws);
    sc->from = from;
    read_bytes(sc, from, d);
    sc->info.go_file = source_is_bare(sc->bytes, sc->len);
    if (d->count == 0 && scenario_load_well(sc, NULL, d))
        check_values(sc, d);
    if (d->count == 0 && !sc->go && (from->test || from->nargs))
        diag_add(d, 0, 0, "is no Go program: it takes no %s", from->test ? "--test" : "arguments");
    if (from->settings && sc->y && sc->y->compare && !d->lack) {
        struct compiler c = {.a = &sc->a, .d = d, .sc = sc, .root = sc->root};
        check_compare(&c, from->settings, &sc->a);
        if (sc->a.lacking)
            diag_lack(d, ENOMEM);
    }
    sc->from = NULL;
    if (d->count == 0)
        return sc;
    scenario_drop(sc);
    return NULL;
}

void scenario_forget(const struct scenario *sc)
{
    struct scenario *drawn = NULL;
    if (sc->draws) /* relaxed: no other thread draws */
        drawn = atomic_exchange_explicit(&sc->draws->first, NULL, memory_order_relaxed);
    for (struct scenario *next; drawn; drawn = next) {
        next = drawn->next;
        scenario_drop(drawn);
    }
}

void scenario_free(struct scenario *sc)
{
    if (sc)
        scenario_forget(sc);
    scenario_drop(sc);
}
