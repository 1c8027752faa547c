/* When a run is stuck, for a comparison of two runs. */
#ifndef GMPSCOPE_ENGINE_QUIET_H
#define GMPSCOPE_ENGINE_QUIET_H

#include "engine/engine.h"

/* A run is stuck at time `now` if no G has done anything for long enough (quiet_ns), and nothing that the state shows will change that: no timer
 * is set, no G is in a system call or waits for the network, and the world is not being stopped. A timer that is due and a stop of the world
 * count only for as long. Long enough: twice the time slice of
 * preemption and what sysmon sleeps at most, in addition to what a G that runs may compute (scenario_stretch). If that is not known, the
 * run is never stuck. It is an observation and no proof: a slice that is longer than QUIET_SLICE is not waited for.
 *
 * Returns true if the run is stuck. Otherwise *look is a later time at which it may be; before that it is not. Caller: at rest, or has
 * the lock of the fold. */
#define QUIET_SLICE INT64_C(100000000) /* ns */
bool engine_quiet(const struct engine *e, int64_t now, int64_t *look);
/* Ends the report, before an event at this time, if the run is stuck by then (engine_config.until_stuck). */
void engine_cut_if_quiet(struct engine *e, int64_t time);

#endif
