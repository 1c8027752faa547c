/* The summary of a run (spec 7). */
#ifndef GMPSCOPE_ENGINE_SUMMARY_H
#define GMPSCOPE_ENGINE_SUMMARY_H

#include "engine/engine.h"

void summary_object(const struct engine *e, FILE *out);   /* as one JSON object, without a newline */
/* A JSON string. Bytes that are no UTF-8 become U+FFFD: the output must stay valid whatever was printed. */
void json_string(const char *s, FILE *out);
bool summary_cut_by_time(const struct engine *e);         /* by --limit, not by --max-events */
/* Scenario ns that the run lasted: up to its last event; if its time was limited, up to that. */
int64_t summary_time(const struct engine *e);

#endif
