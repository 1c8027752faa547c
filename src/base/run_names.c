#include "base/run_names.h"

#define X(id, name) [id] = name,
const char *const mode_name[MODES] = {RUN_MODES(X)};
const char *const way_name[WAYS_OF_RUNS] = {RUN_WAYS(X)};
const char *const generation_name[GENERATIONS] = {RUN_GENERATIONS(X)};
const char *const boot_name[BOOTS] = {RUN_BOOTS(X)};
#undef X
