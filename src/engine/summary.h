/* The summary of a run (--json). */
#ifndef GMPSCOPE_ENGINE_SUMMARY_H
#define GMPSCOPE_ENGINE_SUMMARY_H

#include "engine/engine.h"

void summary_object(const struct engine *e, FILE *out); /* as one JSON object, without a newline */
bool summary_cut_by_time(const struct engine *e);       /* by --limit, not by --max-events */
/* How long the run lasted in scenario ns: up to its last event, or up to the limit that cut it. */
int64_t summary_time(const struct engine *e);

#endif
