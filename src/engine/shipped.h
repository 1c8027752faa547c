/* FILE|NAME: a path, or the name of a scenario or layout that is shipped. */
#ifndef GMPSCOPE_ENGINE_SHIPPED_H
#define GMPSCOPE_ENGINE_SHIPPED_H

#include "base/arena.h"
#include <stdbool.h>
#include <stddef.h>

/* The folder of shipped scenarios ("scenarios") or layouts ("layouts"). */
const char *shipped_dir(struct arena *a, const char *kind);
/* Returns a path to open, in the arena. NULL: there is no such name; reported on stderr with the nearest one. kind NULL: either. */
const char *shipped_find(struct arena *a, const char *kind, const char *arg);
/* Returns all shipped names of a kind, sorted, NULL-terminated, in the arena. NULL: the folder cannot be read; reported on stderr. */
const char **shipped_all(struct arena *a, const char *kind, size_t *n);
/* Returns true if arg is a shipped name. */
bool shipped_is(struct arena *a, const char *kind, const char *arg);
/* Returns the path of a shipped name. */
const char *shipped_path(struct arena *a, const char *kind, const char *name);

#endif
