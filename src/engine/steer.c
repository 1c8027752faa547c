/* How the run is steered beyond what its source does itself (engine.h). */
#include "engine/engine.h"

bool engine_make_room(struct engine *e, int64_t until)
{
    if (!e->source->ops->full(e->source))
        return true;
    e->no_core = true;
    e->room_until = until;
    bool made = engine_drain(e, ENGINE_BATCH) > 0;
    e->no_core = false;
    if (!made)
        engine_grow(e);
    return made;
}

/* Lockstep without a screen is exact without arming: the cut is a place in the merged order, however far the world has moved meanwhile.
 * The hook runs only where something may stop at a single event, because in free mode it costs an M as much as recording the event does.
 * A time limit alone needs no hook there: the fold cuts at it. */
void engine_arm(struct engine *e, bool in_step)
{
    bool exact = engine_mode(e) == MODE_FREE || e->cfg.live;
    bool when = breaks_any_folded(&e->breaks) || lesson_any_when(&e->lesson, e->events);
    bool limit = e->cfg.live && e->cfg.limit != INT64_MAX && engine_mode(e) == MODE_LOCKSTEP;
    e->source->ops->watch(e->source, e->breaks.n || e->lesson.on || limit, in_step && exact && when);
}

bool engine_past_limit(const struct engine *e)
{
    return e->source->ops->clock(e->source) > e->cfg.limit;
}

void engine_change_mode(struct engine *e)
{
    if (!engine_refuses(e, CAN_CHANGE_MODE))
        e->source->ops->set_mode(e->source, engine_mode(e) == MODE_FREE ? MODE_LOCKSTEP : MODE_FREE);
}

struct breakpoint *engine_break_add_text(struct engine *e, const char *text, enum lang lang)
{
    struct break_words words = engine_words(&e->cfg);
    return breaks_add_text(&e->breaks, &words, text, lang);
}
