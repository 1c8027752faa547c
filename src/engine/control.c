/* How the run is steered: the engine's view of its source (source.h). If the source has no decisions, these functions report none. */
#include "engine/engine.h"

const struct text refusal_text[REFUSALS] = {
    [REFUSED_NOT] = {{"", ""}},
    [REFUSED_FREE] = {{"Only lockstep lets you choose which M goes next (m changes the mode).", "只有 lockstep 模式才能选择（m 切换）。"}},
    [REFUSED_WAS_FREE] = {{"This run was in free mode for a while, so nothing can be chosen in it (r restarts it).",
                           "此次运行曾处于 free 模式：不能再选择（r 重新开始）。"}},
    [REFUSED_LOCKSTEP] = {{"Only free mode has a clock that can run slower (m changes the mode).",
                           "只有 free 模式才有可以变慢的时钟（m 切换）。"}},
    [REFUSED_OVER] = {{"The run is over: step back, or restart (r).", "运行已结束：后退，或重新开始（r）。"}},
    [REFUSED_PENDING] = {{"Some logged events are not shown yet: step first.", "还有未显示的事件：请先继续单步。"}},
    [REFUSED_RECORDED] = {{"This is a recording: what happened in it cannot be changed.", "这是一段记录：其中发生的事不能改变。"}},
    [REFUSED_FOLLOWED] = {{"This run belongs to somebody else: it can be watched, not steered.", "这是别人的运行：只能观看，不能操控。"}},
};

/* --- motion --------------------------------------------------------------------------------------------------------- */

void engine_run(struct engine *e)
{
    e->source->ops->run(e->source);
}

void engine_step(struct engine *e, enum source_unit unit, uint64_t n)
{
    e->source->ops->step(e->source, unit, n);
}

void engine_pause(struct engine *e)
{
    e->source->ops->pause(e->source);
}

bool engine_wait_stopped(const struct engine *e, int ms)
{
    return e->source->ops->wait_stopped(e->source, ms);
}

void engine_grow(struct engine *e)
{
    if (e->source->ops->full(e->source))
        e->source->ops->grow(e->source);
}

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

void engine_peek(const struct engine *e, source_show *show, void *ctx)
{
    e->source->ops->peek(e->source, show, ctx);
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

struct breakpoint *engine_break_add_text(struct engine *e, const char *text, enum lang lang)
{
    struct break_words words = engine_words(&e->cfg);
    return breaks_add_text(&e->breaks, &words, text, lang);
}

bool engine_past_limit(const struct engine *e)
{
    return e->source->ops->clock(e->source) > e->cfg.limit;
}

/* --- modes and capabilities ------------------------------------------------------------------------------------------- */

enum refusal engine_refuses(const struct engine *e, enum capability what)
{
    return e->source->ops->refuses(e->source, what);
}

enum conductor_mode engine_mode(const struct engine *e)
{
    return e->source->ops->mode(e->source);
}

bool engine_was_free(const struct engine *e)
{
    return e->source->ops->was_free(e->source);
}

void engine_change_mode(struct engine *e)
{
    if (!engine_refuses(e, CAN_CHANGE_MODE))
        e->source->ops->set_mode(e->source, engine_mode(e) == MODE_FREE ? MODE_LOCKSTEP : MODE_FREE);
}

void engine_speed(struct engine *e, struct speed s)
{
    if (e->source->ops->set_speed)
        e->source->ops->set_speed(e->source, s.num, s.den);
}

bool engine_intent(const struct engine *e, uint32_t m, struct intent *out)
{
    return e->source->ops->intent && e->source->ops->intent(e->source, m, out);
}

uint32_t engine_steal_order(const struct engine *e, uint32_t outcome, uint32_t *p, uint32_t max)
{
    return e->source->ops->steal_order ? e->source->ops->steal_order(e->source, outcome, p, max) : 0;
}

/* --- decisions ---------------------------------------------------------------------------------------------------------- */

static const struct source_decision_ops *decisions(const struct engine *e)
{
    return e->source->ops->decisions;
}

bool engine_decision(const struct engine *e, struct decision *out)
{
    return decisions(e) && decisions(e)->now(e->source, out);
}

uint32_t engine_ready(const struct engine *e, uint32_t *ids, uint32_t max)
{
    return decisions(e) ? decisions(e)->ready(e->source, ids, max) : 0;
}

bool engine_choose(struct engine *e, uint32_t pick)
{
    return decisions(e) && decisions(e)->choose(e->source, pick);
}

bool engine_turn(struct engine *e, enum turn turn)
{
    return decisions(e) && decisions(e)->turn(e->source, turn);
}

bool engine_departed(const struct engine *e)
{
    return decisions(e) && decisions(e)->departed(e->source);
}

bool engine_refused(const struct engine *e, struct refused_choice *out)
{
    return decisions(e) && decisions(e)->refused(e->source, out);
}

uint64_t engine_decisions(const struct engine *e)
{
    return decisions(e) ? decisions(e)->count(e->source) : 0;
}

bool engine_choices(const struct engine *e, bool ahead, struct choices *out)
{
    return decisions(e) && decisions(e)->choices(e->source, ahead, out);
}

size_t engine_choices_ahead(const struct engine *e, struct choice *first)
{
    return decisions(e) ? decisions(e)->choices_ahead(e->source, first) : 0;
}

bool engine_break_delete(struct engine *e, uint32_t id)
{
    return breaks_delete(&e->breaks, id);
}

void engine_break_delete_all(struct engine *e)
{
    while (e->breaks.n)
        breaks_delete(&e->breaks, e->breaks.v[0]->id);
}
