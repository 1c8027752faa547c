/* Which way of dying a scenario says it dies. */
#include "scenario/sc.h"

bool scenario_expects_end(const struct scenario *sc, enum cond_mode mode, uint64_t seed, int how)
{
    for (uint32_t i = 0; i < sc->info.nexpect; i++) {
        const struct claim *c = &sc->claim[i];
        bool applies = (c->mode < 0 || c->mode == (int)mode) && (!c->has_seed || c->seed == seed);
        if (c->kind == CLAIM_ENDS && applies && c->end == how)
            return true;
    }
    return false;
}
