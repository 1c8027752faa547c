/* See needed.h. */
#include "engine/needed.h"

/* In free mode detail events cost their Ms and the fold time, for nothing if nobody looks at them. Lockstep records them always, so that a
 * course does not depend on who looks. */
bool needed_details(const struct engine *e)
{
    bool shown = e->cfg.live || e->cfg.out == OUT_EVENTS || e->cfg.out == OUT_SENTENCES;
    bool observed = e->cfg.observer && (e->cfg.observer->details || e->cfg.observer->states);
    return shown || observed || expect_sees_states(e->expect) || e->cfg.audit || e->breaks.n || scenario_claims_details(e->cfg.scenario) ||
           e->cfg.rt.mode == MODE_LOCKSTEP;
}

/* A screen shows the state; only readers of single events need each of them. Breakpoints have their own switch (ATTN_WATCHED). */
bool needed_each_event(const struct engine *e)
{
    bool listed = e->cfg.observer || e->cfg.out == OUT_EVENTS || e->cfg.out == OUT_SENTENCES;
    return listed || !e->cfg.live || e->cfg.lesson || scenario_claims_details(e->cfg.scenario);
}

/* Where Gs are in their programs is an event only for those who ask for it by name: most runs would double their events, and the others
 * would have other numbers than in a run without a screen. A screen shows it without events. */
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
