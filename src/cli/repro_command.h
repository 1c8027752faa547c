/* The command line that reproduces a run exactly. */
#ifndef GMPSCOPE_CLI_REPRO_COMMAND_H
#define GMPSCOPE_CLI_REPRO_COMMAND_H

#include "cli/options.h"

/* Prints `gmpscope run … --headless --seed N …`, without a newline, for the scenario (the first argument) and the settings of o. The
 * line can be pasted into a shell. */
void repro_command(const struct options *o, uint64_t seed, FILE *out);
/* Like repro_command(), for a run with a screen and with its choices. path: the scenario, if no argument names it. */
void repro_command_share(const struct options *o, const char *path, uint64_t seed, const struct choices *choices, FILE *out);
/* Writes what comes last, the arguments of a Go program: after repro_command_share(), and after the options that are added to it. */
void repro_end(const struct options *o, FILE *out);
/* Adds an option whose value is text. */
void repro_option(const char *option, const char *value, FILE *out);
/* Writes the settings of o and the seed as words of a command line, each with a NUL at its end. */
void repro_settings(const struct options *o, uint64_t seed, FILE *out);

#endif
