/* From a file to a struct scenario: read, parse, normalise, check, load, lint, compile. A file with a mistake gives
 * no scenario. What is right in it is checked all the same, so that all mistakes are reported. */
#include "lab/gmpscope/policy.h"
#include "base/hash.h"
#include "scenario/scenario_internal.h"
#include "scenario/vm/form.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Parsed and normalised; NULL: reported. */
static struct ynode *read_tree(struct scenario *sc, struct diag *d)
{
    struct ynode *root = sc->bytes ? yaml_parse(&sc->a, sc->bytes, sc->len, d) : NULL;
    if (root)
        tree_normalise(&sc->a, &root);
    return root;
}

/* Does everything after the schema's check. If that found mistakes, they have been cut out. */
static void compile_tree(struct compiler *c)
{
    if (!lint_scenario(c))
        return;
    compile_programs(c);
    source_programs(c);
    compile_claims(c);
    lint_lessons(c);
    if (c->d->count == 0) {
        lint_spawns(c);
        scenario_make_flow(c->sc);
    }
    scenario_fits(c->sc, c->sc->info.generation, c->d);
    for (unsigned i = 0; i < c->sc->y->aliases_count; i++)
        if (c->sc->y->aliases[i].generation)
            scenario_fits(c->sc, (enum rt_generation) * c->sc->y->aliases[i].generation, c->d);
}

/* Fills in sc from its bytes. values: of the names that vary; NULL: drawn from the file's own seed. */
static void load(struct scenario *sc, const int64_t *values, struct diag *d)
{
    struct compiler *c = arena_alloc(&sc->a, sizeof *c);
    struct ynode *root = read_tree(sc, d);
    void *data = NULL;
    if (!root || !c)
        return;
    sc->info.text_hash = hash_bytes(sc->bytes, sc->len); /* of a Go program: source.c */
    *c = (struct compiler){.a = &sc->a, .d = d, .sc = sc, .root = root, .gens = ALL_GENERATIONS};
    vary_read(c);
    vary_set(c, values);
    vary_fill(c, root);
    source_expand(c, root);
    if (d->count)
        return;
    own_timers_declare(c, root);
    if (c->a->lacking)
        return;
    if (!yaml_check(root, &scenario_schema, "scenario", d) && (d->count >= d->max || !tree_salvage(c, root)))
        return;
    if (!yaml_load(&sc->a, root, &scenario_schema, &data, d))
        return;
    sc->y = data;
    sc->root = root;
    sc->names = c->ns;
    compile_tree(c);
}

bool scenario_load_well(struct scenario *sc, const int64_t *values, struct diag *d)
{
    load(sc, values, d);
    if (sc->a.lacking || (d->count == 0 && !sc->y))
        diag_lack(d, ENOMEM);
    return d->count == 0;
}

void scenario_drop(struct scenario *sc)
{
    if (!sc)
        return;
    /* relaxed: no other thread has it any more */
    program_text_free(atomic_load_explicit(&sc->program, memory_order_relaxed));
    if (!sc->base)
        form_free(sc->form);
    cyaml_free(&yaml_config, &scenario_schema, sc->y, 0);
    arena_fini(&sc->a);
    free(sc);
}

struct scenario *scenario_with(const struct scenario *base, const int64_t *values, struct diag *d)
{
    struct scenario *sc = calloc(1, sizeof *sc);
    if (!sc) {
        diag_lack(d, ENOMEM);
        return NULL;
    }
    sc->info.path = base->info.path;
    sc->bytes = base->bytes;
    sc->len = base->len;
    sc->base = base;
    if (!scenario_load_well(sc, values, d)) {
        scenario_drop(sc);
        return NULL;
    }
    if (base->alias)
        scenario_called(sc, base->alias);
    return sc;
}

static const struct {
    const char *word;
    struct text title;
} topics[TOPICS] = {
#define TOPIC(id, word, en, zh) [TOPIC_##id] = {word, {{en, zh}}},
#include "scenario/topics.def"
#undef TOPIC
};

const struct text *scenario_topic_title(enum scenario_topic t)
{
    return &topics[t].title;
}

static const struct {
    const char *word;
    struct text title;
    enum scenario_topic first[TOPICS];
    uint32_t n; /* of `first` */
} paths[PATHS] = {
#define PATH(id, word, en, zh, ...) \
    [PATH_##id] = {word, {{en, zh}}, {__VA_ARGS__}, sizeof(enum scenario_topic[]){__VA_ARGS__} / sizeof(enum scenario_topic)},
#include "scenario/paths.def"
#undef PATH
};

const char *scenario_path_word(enum scenario_path p)
{
    return paths[p].word;
}

const struct text *scenario_path_title(enum scenario_path p)
{
    return &paths[p].title;
}

uint32_t scenario_path_rank(enum scenario_path p, enum scenario_topic t)
{
    uint32_t i = 0;
    while (i < paths[p].n && paths[p].first[i] != t)
        i++;
    return i < paths[p].n ? i : paths[p].n + (uint32_t)t;
}

const char *scenario_text(const struct scenario *sc, size_t *len)
{
    *len = sc->packed ? sc->packed_len : sc->len;
    return sc->packed ? sc->packed : sc->bytes;
}

const struct scenario_info *scenario_info(const struct scenario *sc)
{
    return &sc->info;
}

/* A `without` says something about the scenario's own generation only. */
void scenario_called(struct scenario *sc, const char *name)
{
    sc->alias = arena_strndup(&sc->a, name, strlen(name));
    for (unsigned i = 0; i < sc->y->aliases_count; i++) {
        const struct yalias *alias = &sc->y->aliases[i];
        if (!alias->generation || strcmp(alias->name, name) != 0)
            continue;
        if (sc->info.generation != (enum rt_generation) * alias->generation)
            sc->info.nwithout = 0;
        sc->info.generation = (enum rt_generation) * alias->generation;
    }
}

struct rt_config scenario_config(const struct scenario *sc)
{
    const struct scenario_info *i = &sc->info;
    return (struct rt_config){
        .generation = i->generation,
        .gomaxprocs = i->gomaxprocs,
        .runq_size = i->runq_size,
        .max_threads = i->max_threads,
        .start_tick = i->start_tick,
        .boot = i->boot,
        .module = i->module,
        .preempt_slice = i->preempt_slice,
        .async_preempt = i->async_preempt,
        .randomize = i->randomize,
        .disable = i->disable,
        .enable = i->enable,
        .seed = i->seed,
        .mode = i->mode,
        .main_prog = sc->main,
        .level = EV_DETAIL,
        .memory = rt_memory_default(),
    };
}

struct run_info scenario_run_info(const struct scenario *sc, const struct rt_config *rt)
{
    const struct scenario_info *i = &sc->info;
    struct run_info info = {
        .name = i->name,
        .go = i->go,
        .title = i->title,
        .summary = i->summary,
        .generation = rt->generation,
        .policy = rt->policy ? rt->policy->name : NULL,
        .mode = rt->mode,
        .exact = rt->mode == MODE_LOCKSTEP && !rt->fine,
        .seed = rt->seed,
        .drawn = i->drawn,
        .ndrawn = i->ndrawn,
        .procs = rt->gomaxprocs,
        .runq_size = rt->runq_size,
        .max_threads = rt->max_threads,
        .start_tick = rt_first_tick(rt),
        .slice = rt->preempt_slice,
        .has_p = rt_generation_has_p(rt->generation),
        .heaps_stay = rt_generation_has_buckets(rt->generation),
        .off = rt->disable,
        .task = i->disable,
        .known = rt_known(rt),
        .programs = i->programs,
        .objects = i->objects,
        .flow = sc->flow};
    for (int d = 0; d < DIS_COUNT; d++)
        info.mechanisms |= (uint32_t)rt_generation_has(rt->generation, (enum rt_disable)d) << d;
    info.mechanisms |= rt->enable;
    return info;
}

void scenario_without(const struct scenario *sc, uint32_t index, uint32_t *disable, uint64_t *fails)
{
    *disable = sc->without[index].disable;
    *fails = sc->without[index].fails;
}
