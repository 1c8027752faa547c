/* The line that does a run again, exactly. */
#ifndef GMPSCOPE_CLI_REPLAY_H
#define GMPSCOPE_CLI_REPLAY_H

#include "cli/options.h"

/* `gmpscope run … --headless --seed N …` for o's scenario (its first argument) and o's settings, without a newline; to be pasted into
 * a shell. */
void replay_line(const struct options *o, uint64_t seed, FILE *out);

#endif
