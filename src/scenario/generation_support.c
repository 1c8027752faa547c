/* What a generation lacks, and where a scenario uses it. The compiler notes each use as it goes. Then the
 * generation, the file's own or the command line's, is checked against the notes. */
#include "scenario/scenario_internal.h"
#include <string.h>

/* The operations that not all generations have, and those that have them. */
static const struct lack {
    const char *verb;
    unsigned gens;
    const char *why;
} lacks[] = {
    {"gc", SINCE(GO1_13), "concurrent marking came with Go 1.5"},
    {"disable_user", SINCE(GO1_13), "schedEnableUser came with Go 1.12"},
    {"trace_reader", SINCE(GO1_13), "the execution tracer came with Go 1.5"},
};

static void note_use(struct compiler *c, const struct use *u)
{
    struct use *copy = arena_alloc(c->a, sizeof *copy);
    if (!copy)
        return; /* the arena is checked at the end of the load */
    *copy = *u;
    copy->gens = c->gens;
    copy->next = c->sc->use;
    c->sc->use = copy;
}

void use_verb(struct compiler *c, const struct ynode *key, const char *verb)
{
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        if (strcmp(lacks[i].verb, verb) == 0)
            note_use(c, &(struct use){.verb = (int)i, .disable = -1, .line = key->line, .col = key->col});
}

void use_disable(struct compiler *c, const struct ynode *at, int disable, bool without)
{
    note_use(c, &(struct use){.verb = -1, .disable = disable, .without = without, .line = at->line, .col = at->col});
}

void use_p(struct compiler *c, const struct ynode *at, size_t off)
{
    note_use(c, &(struct use){.verb = -1, .disable = -1, .line = at->line, .col = yaml_column(at, off)});
}

static void report_lack(const struct use *u, enum rt_generation gen, struct diag *d)
{
    const char *name = generation_name[gen];
    if (u->verb >= 0 && !(lacks[u->verb].gens >> gen & 1))
        diag_add(d, u->line, u->col, "%s has no operation \"%s\": %s", name, lacks[u->verb].verb, lacks[u->verb].why);
    else if (u->disable >= 0 && !rt_generation_has(gen, (enum rt_disable)u->disable))
        diag_add(d, u->line, u->col, "%s has no %s, so it cannot be disabled", name, rt_disable_name[u->disable]);
    else if (u->verb < 0 && u->disable < 0 && !rt_generation_has_p(gen))
        diag_add(d, u->line, u->col, "%s has no Ps, so a pattern cannot match one", name);
}

/* Claims under `without` are about the file's own generation, so other generations skip them. */
bool scenario_fits(const struct scenario *sc, enum rt_generation gen, struct diag *d)
{
    int before = d->count;
    for (const struct use *u = sc->use; u; u = u->next)
        if (u->gens >> gen & 1 && (!u->without || gen == sc->info.generation))
            report_lack(u, gen, d);
    return d->count == before;
}

uint32_t scenario_narrow(const int *list, unsigned n)
{
    uint32_t gens = n ? 0 : ALL_GENERATIONS;
    for (unsigned i = 0; i < n; i++)
        gens |= list[i] == LESSON_ANY ? ALL_GENERATIONS : list[i] >= OR_NEWER ? SINCE(list[i] - OR_NEWER) : 1u << list[i];
    return gens;
}
