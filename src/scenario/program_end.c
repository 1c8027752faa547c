/* Which claims apply to a run, and which fatal ends a scenario expects. */
#include "scenario/scenario_internal.h"

static bool in_scope(const struct claim *c, const struct rt_config *rt)
{
    return (c->mode < 0 || c->mode == (int)rt->mode) && (!c->has_seed || c->seed == rt->seed) && c->gens >> rt->generation & 1;
}

/* In a fine run the next M is picked as unfairly as on a real machine, and with choices it is picked by a person. So
 * claims for lockstep only, or for one seed, apply only to plain runs. */
bool claim_applies(const struct claim *c, const struct rt_config *rt)
{
    return in_scope(c, rt) && !((rt->fine || rt->choices) && (c->mode >= 0 || c->has_seed));
}

bool scenario_expects_end(const struct scenario *sc, const struct rt_config *rt, int how)
{
    for (uint32_t i = 0; i < sc->info.nexpect; i++) {
        const struct claim *c = &sc->claim[i];
        if (c->kind == CLAIM_ENDS && in_scope(c, rt) && c->end == how)
            return true;
    }
    return false;
}
