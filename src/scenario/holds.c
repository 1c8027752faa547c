/* Where the entries of a lesson hold. A question holds for the file's own settings, and so does each of its reasons, unless the entry names others.
 * A text holds in every run of which it says nothing false. Other settings make two kinds of sentences false: they state a number that this run
 * does not have (proof.c), and they name a mechanism that this run lacks. So both are looked for wherever the settings are not the file's own
 * and the entry does not name them. Other Gs before main's first operation change the numbers of all Gs and the queues, so no entry holds there. Other sentences, such as one about an order, the author must restrict by hand. */
#include "scenario/scenario_internal.h"
#include <stdio.h>
#include <string.h>

struct rt_config scenario_own_settings(const struct scenario *sc)
{
    struct rt_config own = scenario_config(sc);
    const struct yscheduler *y = sc->y->scheduler;
    own.generation = y && y->generation ? (enum rt_generation) * y->generation : DEFAULT_GENERATION; /* an alias may name another one */
    return own;
}

static const struct ynode *key_of(const struct scenario *sc, uint32_t i, const char *key)
{
    return yaml_get(yaml_get(sc->root, "lesson")->item[i], key);
}

static bool has_procs(const struct ylesson *l, uint32_t procs)
{
    for (unsigned k = 0; k < l->procs_count; k++)
        if (l->procs[k] == procs || l->procs[k] == PROCS_ANY)
            return true;
    return false;
}

/* Exactly these are disabled; `disable: []` means: every mechanism is at work. */
static bool has_disabled(const struct ylesson *l, uint32_t disable)
{
    uint32_t listed = 0;
    for (unsigned k = 0; k < l->disable_count; k++)
        if (l->disable[k] == LESSON_ANY)
            return true;
        else
            listed |= 1u << l->disable[k];
    return listed == disable;
}

bool scenario_lesson_holds(const struct scenario *sc, uint32_t i, const struct rt_config *rt)
{
    const struct ylesson *l = &sc->y->lesson[i];
    const struct rt_config own = scenario_own_settings(sc);
    bool gen = key_of(sc, i, "generation") ? scenario_narrow(l->generation, l->generation_count) >> rt->generation & 1
                                           : !l->ask || rt->generation == own.generation;
    bool procs = key_of(sc, i, "procs") ? has_procs(l, rt->gomaxprocs) : !l->ask || rt->gomaxprocs == own.gomaxprocs;
    bool disable = key_of(sc, i, "disable") ? has_disabled(l, rt_disabled(rt)) : !l->ask || rt_same_rules(rt, &own);
    return gen && procs && disable && rt_same_boot(rt, &own) && (!l->mode || *l->mode == (int)rt->mode);
}

void scenario_lesson_place(const struct scenario *sc, uint32_t i, char *buf, size_t size)
{
    const struct ynode *at = yaml_get(sc->root, "lesson")->item[i];
    snprintf(buf, size, "%s:%u:%u", sc->info.path, at->line, yaml_column(at, 0));
}

bool scenario_entry_is_for(const struct scenario *sc, uint32_t i, const struct rt_config *rt)
{
    const struct rt_config own = scenario_own_settings(sc);
    return (rt->generation == own.generation || key_of(sc, i, "generation")) &&
           (rt->gomaxprocs == own.gomaxprocs || key_of(sc, i, "procs")) && (rt_same_rules(rt, &own) || key_of(sc, i, "disable"));
}

/* ---- mechanisms that a run may lack ---- */

#define WITH_P SINCE(GO1_4)
#define WITH_RUNNEXT SINCE(GO1_13)
enum { NO_SWITCH = -1 };

/* The beginning of a word, in lower case, that names a mechanism; the switch that disables it, and the generations that have it. */
static const struct mechanism {
    const char *word;
    int disabled;
    uint32_t gens;
} mechanisms[] = {
#define MECHANISM(word, disabled, gens) {word, disabled, gens},
#include "scenario/mechanisms.def"
#undef MECHANISM
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool begins(const char *s, const char *word)
{
    while (*word && lower(*s) == *word)
        s++, word++;
    return !*word;
}

/* "P0", "two Ps", "its P.": the letter as a word. */
static bool names_p(const char *s)
{
    return *s == 'P' && !is_letter(s[1 + (s[1] == 's')]);
}

static bool names(const char *text, const char *word)
{
    for (const char *s = text; s && *s; s++)
        if ((s == text || !is_letter(*word) || !is_letter(s[-1])) && (strcmp(word, "p") ? begins(s, word) : names_p(s)))
            return true;
    return false;
}

static bool ytext_names(const struct ytext *t, const char *word)
{
    return t && (names(t->en, word) || names(t->zh, word));
}

static bool entry_names(const struct ylesson *l, const char *word)
{
    if (ytext_names(l->say, word))
        return true;
    if (!l->ask)
        return false;
    bool named = ytext_names(l->ask->question, word) || ytext_names(l->ask->because, word);
    for (unsigned k = 0; k < l->ask->choices_count; k++)
        named |= ytext_names(l->ask->choices[k].because, word);
    return named;
}

bool scenario_lesson_misnames(const struct lesson_case *c, char *buf, size_t size)
{
    const struct ylesson *l = &c->sc->y->lesson[c->entry];
    const struct rt_config own = scenario_own_settings(c->sc);
    bool switches = !key_of(c->sc, c->entry, "disable"),
         gens = !key_of(c->sc, c->entry, "generation") && c->rt->generation != own.generation;
    uint32_t off = switches ? rt_disabled(c->rt) & ~rt_disabled(&own) : 0;
    *buf = '\0';
    for (size_t i = 0; i < sizeof mechanisms / sizeof *mechanisms; i++) {
        const struct mechanism *m = &mechanisms[i];
        bool disabled = m->disabled != NO_SWITCH && (off >> m->disabled & 1), missing = gens && !(m->gens >> c->rt->generation & 1);
        if ((!disabled && !missing) || !entry_names(l, m->word))
            continue;
        snprintf(buf, size, "\"%s\", which %s %s", m->word, disabled ? "depends on" : "is another thing in",
                 disabled ? rt_disable_name[m->disabled] : generation_name[c->rt->generation]);
        return true;
    }
    return false;
}
