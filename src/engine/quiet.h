/* When a run is stuck, for a comparison of two runs. */
#ifndef GMPSCOPE_ENGINE_QUIET_H
#define GMPSCOPE_ENGINE_QUIET_H

#include "engine/engine.h"

/* A run is stuck at time `now` if no G has done anything for long enough (quiet_ns), and nothing that the state shows will change that: no timer
 * is set, no G is in a system call or waits for the network, and the world is not being stopped. Long enough is twice the time slice of
 * preemption and the longest sleep of sysmon, in addition to what a running G may compute (scenario_stretch). If that is not known, the run is
 * never stuck. A timer that has been due for so long, or a stop of the world that has lasted so long, does not count. This is an observation and
 * not a proof: it does not wait for a slice that is longer than QUIET_SLICE.
 *
 * Returns true if the run is stuck. Otherwise *look is a later time at which it may be; before that it is not. Caller: at rest, or has
 * the lock of the fold. */
#define QUIET_SLICE INT64_C(100000000) /* ns */
bool engine_quiet(const struct engine *e, int64_t now, int64_t *look);

#endif
