/* Checks the settings of a scenario's `compare`, so that lint and each command that loads a scenario report what `compare` would refuse. */
#include "cli/commands.h"
#include <string.h>

static const char *wrong_word(struct arena *a, const char *word)
{
    struct options o;
    options_default(&o);
    const char *why = options_setting(&o, word);
    why = why ? arena_strndup(a, why, strlen(why)) : NULL;
    a->lacking |= o.arena.lacking;
    options_fini(&o);
    return why;
}

/* Sets o to the settings of one side. Returns: NULL, or the reason why they are wrong, in o->arena. */
static const char *parse(struct options *o, const char *settings)
{
    const char *why = NULL;
    options_default(o);
    while (!why && *(settings += strspn(settings, " \t"))) {
        size_t len = strcspn(settings, " \t");
        char *word = arena_strndup(&o->arena, settings, len);
        why = word ? options_setting(o, word) : "out of memory";
        settings += len;
    }
    return why ? why : options_clash(o);
}

/* Returns the reason why compare would refuse a run with these options, in o->arena; NULL: none. */
static const char *refused(struct scenario *sc, struct options *o)
{
    bool lacks;
    char why[300];
    if (!command_fix(sc, o, why, sizeof why) || !command_is_for(sc, o, command_generation(sc, o), &lacks, why, sizeof why))
        return arena_printf(&o->arena, "%s", why);
    if (command_engine(sc, o).rt.mode == MODE_FREE)
        return "expected mode=lockstep: two free runs share no clock";
    return command_unbound(sc, o);
}

static bool has_p(const struct scenario *sc, const struct options *o)
{
    return rt_generation_has_p(command_generation(sc, o));
}

static const char *wrong_side(struct arena *a, const struct scenario *sc, const char *const settings[2], int side)
{
    struct diag d;
    struct options o[2];
    const char *path = scenario_info(sc)->path, *wrong[2] = {parse(&o[0], settings[0]), parse(&o[1], settings[1])}, *why = wrong[side];
    diag_init(&d, path);
    struct scenario *again = scenario_load(path, &d); /* its numbers get fixed, those of sc stay free */
    o[side].other_has_p = !has_p(sc, &o[side]) && has_p(sc, &o[!side]);
    if (again && !wrong[0] && !wrong[1])
        why = refused(again, &o[side]);
    why = why ? arena_strndup(a, why, strlen(why)) : NULL;
    a->lacking |= !again || o[0].arena.lacking || o[1].arena.lacking;
    scenario_free(again);
    diag_fini(&d);
    options_fini(&o[0]);
    options_fini(&o[1]);
    return why;
}

const struct scenario_settings compare_settings = {wrong_word, wrong_side};
