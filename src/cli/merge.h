/* gmpscope explore|claim --merge FILE…: puts the JSON of all parts of a search together (--shard K/N --json). */
#ifndef GMPSCOPE_CLI_MERGE_H
#define GMPSCOPE_CLI_MERGE_H

#include "cli/findings.h"

/* Prints the answer to a claim that all parts together give. Returns the exit code. */
typedef int merged_report(const struct options *o, const struct findings *f);
/* Reads the files o->args and prints one report, of the seeds, failures and values that one process would have found; parts of a claim: by `report`,
 * which is NULL for parts of an exploration. Returns: the exit code, the worst of all failures; 2 after an error message. */
int cmd_merge(const struct options *o, merged_report *report);

#endif
