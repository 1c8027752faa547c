/* The summary of a run (spec 7). */
#ifndef GMPSCOPE_CLI_SUMMARY_H
#define GMPSCOPE_CLI_SUMMARY_H

#include "cli/engine.h"

void summary_object(const struct engine *e, FILE *out);   /* as one JSON object, without a newline */
int64_t summary_time(const struct engine *e);             /* scenario ns that the run lasted */

#endif
