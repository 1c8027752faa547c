/* --policy: a person's own scheduling policy (lab/gmpscope/policy.h), in a shared object that is loaded into this process. */
#ifndef GMPSCOPE_CLI_POLICY_H
#define GMPSCOPE_CLI_POLICY_H

#include "cli/options.h"

/* Loads a shared object, whose text runs with all rights of this process; it stays loaded. Sets o->policy and o->policy_path. Returns: NULL, or the reason,
 * in o->arena. */
const char *policy_load(struct options *o, const char *path);
/* Sets o->policy to one that decides nothing, for a recording of a run with a policy of that name. Returns as above. */
const char *policy_name(struct options *o, const char *name);

#endif
