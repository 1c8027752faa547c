/* A scenario that runs to its end or to a limit, for tests that look at its whole log afterwards. */
#ifndef GMPSCOPE_TESTS_WHOLE_H
#define GMPSCOPE_TESTS_WHOLE_H

#include "engine/engine.h"
#include "t.h"

/* The scenario's own settings, with a history. */
static inline struct engine_config whole_run(const struct scenario *sc, uint64_t max_events)
{
    return (struct engine_config){
        .scenario = sc, .rt = scenario_config(sc), .limit = INT64_C(10000000000), .max_events = max_events, .history = HISTORY_BUDGET};
}

static inline struct engine *run_whole(const struct engine_config *c)
{
    char err[200];
    struct engine *e = engine_new(c, err, sizeof err);
    if (!e)
        t_fail(__FILE__, __LINE__, "%s", err);
    engine_drive(e, &(struct drive){.audit = false});
    if (engine_failed(e))
        t_fail(__FILE__, __LINE__, "%s: %s", scenario_info(c->scenario)->name, e->failure);
    return e;
}

static inline struct engine *run_scenario(const struct scenario *sc, enum conductor_mode mode, uint64_t max_events)
{
    struct engine_config c = whole_run(sc, max_events);
    c.rt.mode = mode;
    return run_whole(&c);
}

#endif
