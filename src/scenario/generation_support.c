/* What a generation lacks, and where a scenario uses it. The compiler notes each use as it goes. Then the
 * generation, the file's own or the command line's, is checked against the notes. */
#include "scenario/scenario_internal.h"
#include <stdio.h>
#include <string.h>

/* The operations that not all generations have, and those that have them. */
static const struct lack {
    const char *verb;
    unsigned gens;
    const char *why;
} lacks[] = {
    {"context", SINCE(GO1_13), "package context came with Go 1.7"},
    {"gc", SINCE(GO1_13), "concurrent marking came with Go 1.5"},
    {"disable_user", SINCE(GO1_13), "schedEnableUser came with Go 1.12"},
    {"try_lock", SINCE(GO1_20), "TryLock came with Go 1.18"},
    {"try_rlock", SINCE(GO1_20), "TryRLock came with Go 1.18"},
    {"try_wlock", SINCE(GO1_20), "TryLock came with Go 1.18"},
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
            note_use(c, &(struct use){.of = USE_VERB, .what = (int)i, .line = key->line, .col = key->col});
}

void use_boot(struct compiler *c, const struct ynode *at)
{
    note_use(c, &(struct use){.of = USE_BOOT, .line = at->line, .col = at->col});
}

void use_switch(struct compiler *c, const struct ynode *at, int which, enum use_kind how)
{
    note_use(c, &(struct use){.of = how, .what = which, .line = at->line, .col = at->col});
}

void use_p(struct compiler *c, const struct ynode *at, size_t off)
{
    note_use(c, &(struct use){.of = USE_P, .line = at->line, .col = yaml_column(at, off)});
}

static enum rt_generation first_with(enum rt_disable d)
{
    int gen = GENERATIONS - 1;
    while (gen > 0 && !rt_generation_has((enum rt_generation)gen, d))
        gen--;
    return (enum rt_generation)gen;
}

void scenario_lack_text(enum rt_generation gen, enum rt_disable d, bool enable, char *buf, size_t size)
{
    const char *name = generation_name[gen], *what = rt_disable_name[d];
    if (d < DIS_FIRST_RULE)
        snprintf(buf, size, "%s has no %s", name, what);
    else if (enable)
        snprintf(buf, size, "rules can be enabled from go1.20 on; this run is %s", name);
    else
        snprintf(buf, size, "%s is a rule since %s; this run is %s", what, generation_name[first_with(d)], name);
}

static void report_lack(const struct scenario *sc, const struct use *u, enum rt_generation gen, struct diag *d)
{
    const char *name = generation_name[gen];
    char why[120] = "";
    bool has = u->of >= USE_DISABLE && rt_generation_has(gen, (enum rt_disable)u->what);
    if (u->of >= USE_DISABLE)
        scenario_lack_text(gen, (enum rt_disable)u->what, u->of == USE_ENABLE, why, sizeof why);
    if (u->of == USE_VERB && !(lacks[u->what].gens >> gen & 1))
        diag_add(d, u->line, u->col, "%s has no operation \"%s\": %s", name, lacks[u->what].verb, lacks[u->what].why);
    else if (u->of == USE_BOOT && !rt_generation_boots(gen))
        diag_add(d, u->line, u->col, "%s begins with main alone: \"boot\" is for go1.20 and newer", name);
    else if (u->of == USE_P && !rt_generation_has_p(gen))
        diag_add(d, u->line, u->col, "%s has no Ps, so a pattern cannot match one", name);
    else if (u->of == USE_ENABLE && !has && !rt_generation_may(gen, (enum rt_disable)u->what))
        diag_add(d, u->line, u->col, "%s", why);
    else if ((u->of == USE_DISABLE || u->of == USE_WITHOUT) && !has && !(sc->info.enable >> u->what & 1))
        diag_add(d, u->line, u->col, "%s, so %s cannot be disabled", why, u->what < DIS_FIRST_RULE ? "it" : rt_disable_name[u->what]);
}

/* Claims under `without` are about the file's own generation, so other generations skip them. */
bool scenario_fits(const struct scenario *sc, enum rt_generation gen, struct diag *d)
{
    int before = d->count;
    for (const struct use *u = sc->use; u; u = u->next)
        if (u->gens >> gen & 1 && (u->of != USE_WITHOUT || gen == sc->info.generation))
            report_lack(sc, u, gen, d);
    return d->count == before;
}

uint32_t scenario_narrow(const int *list, unsigned n)
{
    uint32_t gens = n ? 0 : ALL_GENERATIONS;
    for (unsigned i = 0; i < n; i++)
        gens |= list[i] == LESSON_ANY ? ALL_GENERATIONS : list[i] >= OR_NEWER ? SINCE(list[i] - OR_NEWER) : 1u << list[i];
    return gens;
}
