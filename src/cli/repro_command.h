/* The line that does a run again, exactly. */
#ifndef GMPSCOPE_CLI_REPRO_COMMAND_H
#define GMPSCOPE_CLI_REPRO_COMMAND_H

#include "cli/options.h"

/* `gmpscope run … --headless --seed N …` for o's scenario (its first argument) and o's settings, without a newline; to be pasted into
 * a shell. */
void repro_command(const struct options *o, uint64_t seed, FILE *out);
/* The same with a screen, and with what was chosen. path: the scenario's, if it was named in no argument. */
void repro_command_share(const struct options *o, const char *path, uint64_t seed, const struct choices *choices, FILE *out);

#endif
