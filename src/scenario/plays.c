/* Which entries of a lesson a run shows: those that hold in it, and whose words and numbers are true in it. */
#include "scenario/scenario_internal.h"

bool scenario_lesson_plays(const struct scenario *sc, uint32_t i, const struct rt_config *rt)
{
    char buf[100];
    const struct lesson_case c = {.sc = sc, .entry = i, .rt = rt};
    if (!scenario_lesson_holds(sc, i, rt))
        return false;
    return scenario_entry_is_for(sc, i, rt) || (!scenario_lesson_misnames(&c, buf, sizeof buf) && !scenario_unproved(&c, buf, sizeof buf));
}

/* ---- how much of it a run shows ---- */

struct holding {
    uint32_t entries, questions;
};

static struct holding count_playing(const struct scenario *sc, const struct rt_config *rt)
{
    struct holding n = {0};
    for (uint32_t i = 0; i < sc->y->lesson_count; i++) {
        bool plays = scenario_lesson_plays(sc, i, rt);
        n.entries += plays;
        n.questions += plays && sc->y->lesson[i].ask;
    }
    return n;
}

bool scenario_lesson_lacks(const struct scenario *sc, const struct rt_config *rt, bool *questions)
{
    struct rt_config own = scenario_own_settings(sc);
    own.mode = rt->mode;
    struct holding here = count_playing(sc, rt), there = count_playing(sc, &own);
    *questions = there.questions && !here.questions;
    return here.entries < there.entries || here.questions < there.questions;
}
