/* See quiet.h. */
#include "engine/quiet.h"
#include "model/outcome.h"

#define SYSMON_NS INT64_C(10000000) /* what sysmon sleeps at most, and the usual slice */

struct longest {
    const struct scenario *sc; /* NULL: nobody knows what its programs compute */
    int64_t ns;
};

static bool look_at_program(void *ctx, uint32_t program)
{
    struct longest *l = ctx;
    int64_t ns = l->sc ? scenario_stretch(l->sc, program) : -1;
    l->ns = ns > l->ns ? ns : l->ns;
    return ns >= 0;
}

bool engine_quiet(const struct engine *e, int64_t now, int64_t *look)
{
    int64_t slice = e->cfg.info.slice > QUIET_SLICE ? SYSMON_NS : e->cfg.info.slice;
    int64_t moved = model_moved(e->model), patience = 2 * slice + SYSMON_NS, least = moved + patience;
    struct longest l = {.sc = e->cfg.scenario};
    *look = least;
    if (now < least)
        return false;
    *look = now + SYSMON_NS;
    if (outcome_awaits(e->model, now - patience) || !outcome_running(e->model, look_at_program, &l))
        return false;
    *look = least + l.ns;
    return now >= least + l.ns;
}
