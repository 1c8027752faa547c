/* See needed.h. */
#include "engine/needed.h"

/* Returns true if the run records detail events. In free mode they cost time of the Ms and of the fold, so they are recorded only for a reader.
 * Lockstep always records them, so that a course does not depend on its readers. */
bool needed_details(const struct engine *e)
{
    bool shown = e->cfg.live || e->cfg.out == OUT_EVENTS || e->cfg.out == OUT_SENTENCES;
    bool observed = e->cfg.observer && (e->cfg.observer->details || e->cfg.observer->states);
    return shown || observed || expect_sees_states(e->expect) || e->cfg.audit || e->breaks.n || scenario_claims_details(e->cfg.scenario) ||
           e->cfg.rt.mode == MODE_LOCKSTEP;
}

/* Returns true if a reader needs each operation as an event of its own. A screen shows only the state. Breakpoints have their own switch
 * (ATTN_WATCHED). */
bool needed_each_event(const struct engine *e)
{
    bool listed = e->cfg.observer || e->cfg.out == OUT_EVENTS || e->cfg.out == OUT_SENTENCES;
    return listed || !e->cfg.live || e->cfg.lesson || scenario_claims_details(e->cfg.scenario);
}

/* Returns how the run records where Gs are in their programs. As events (g_op) only if a pattern asks for them by name: they would double the
 * events of most runs, and change the numbers of all others. A screen shows places without events. */
enum rt_places needed_places(const struct engine *e)
{
    bool asked = scenario_asks_for_places(e->cfg.scenario);
    for (uint32_t i = 0; i < e->breaks.n; i++)
        asked |= pattern_asks_for_places(e->breaks.v[i]->match.pattern);
    if (asked)
        return PLACES_EVENTS;
    if (e->cfg.rt.places)
        return PLACES_SHOWN;
    return e->cfg.live && e->cfg.rt.mode == MODE_LOCKSTEP ? PLACES_LOCKSTEP : PLACES_NONE;
}
