/* gmpscope explore --merge FILE…: puts the JSON of all parts of a search together (explore --shard K/N --json). */
#ifndef GMPSCOPE_CLI_MERGE_H
#define GMPSCOPE_CLI_MERGE_H

#include "cli/options.h"

/* Reads the files o->args and prints one report, of the seeds, failures and values that one process would have found. Returns: the exit code,
 * the worst of all failures; 2 after an error message. */
int cmd_merge(const struct options *o);

#endif
