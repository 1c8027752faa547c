/* What a run writes while it folds: the program's lines, or each event as a line or a sentence. */
#ifndef GMPSCOPE_ENGINE_OUTPUT_H
#define GMPSCOPE_ENGINE_OUTPUT_H

#include "engine/engine.h"

enum { OUTPUT_LINE = 4096 }; /* bytes of e->line */

/* Returns the reader that writes what engine_config.out says. */
struct reader output_reader(struct engine *e);
void output_event(struct engine *e, enum engine_out out, const struct merged_event *at);
/* Prints that a condition became true by time alone, which no event shows. The line has the form of an event's line. */
void output_instant(struct engine *e, const char *pattern, int64_t at);

#endif
