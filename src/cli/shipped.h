/* FILE|NAME: a path, or the name of a scenario or layout that is shipped. */
#ifndef GMPSCOPE_CLI_SHIPPED_H
#define GMPSCOPE_CLI_SHIPPED_H

#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>

/* The folder of shipped scenarios ("scenarios") or layouts ("layouts"). */
const char *shipped_dir(struct arena *a, const char *kind);
/* A path to open, in the arena; NULL: no such name, said on stderr with the nearest one. kind NULL: either. */
const char *shipped_find(struct arena *a, const char *kind, const char *arg);
/* All shipped names of a kind, sorted, NULL-terminated, in the arena. NULL: the folder cannot be read, said on stderr. */
const char **shipped_all(struct arena *a, const char *kind, size_t *n);
/* Is arg a shipped name? */
bool shipped_is(struct arena *a, const char *kind, const char *arg);
/* The path of a shipped name. */
const char *shipped_path(struct arena *a, const char *kind, const char *name);

#endif
