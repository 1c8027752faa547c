/* The options that a search implies (search.h). */
#include "cli/search.h"
#include "cli/commands.h"
#include "cli/search_tree.h"

#define DEFAULT_STALLS 4u

void search_options(const struct scenario *sc, struct options *o)
{
    o->has_mode = scenario_info(sc)->mode != MODE_LOCKSTEP;
    o->mode = MODE_LOCKSTEP;
    o->fine = !o->coarse;
    if (!o->has_stalls && !o->still)
        o->stalls = DEFAULT_STALLS;
}

struct scenario *search_scenario(struct options *o)
{
    struct scenario *sc = command_scenario(o, o->args[0]);
    if (!sc)
        return NULL;
    search_options(sc, o);
    if (command_fits(sc, o) && (!o->exhaust || search_tree_fixed(sc, o)))
        return sc;
    scenario_free(sc);
    return NULL;
}
