/* Editing scenario files in the person's own editor. */
#ifndef GMPSCOPE_CLI_STARTER_COPY_H
#define GMPSCOPE_CLI_STARTER_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include <limits.h>

/* Copies a file into the current folder, as NAME.yaml or the first of NAME-2.yaml … that is free. Returns: false, with the reason. */
bool starter_copy(const char *from, const char *name, char to[PATH_MAX], char *why, size_t size);
/* Runs $VISUAL, $EDITOR or vi on it and waits. Returns: false, with the reason, if there is no editor or it fails. */
bool starter_edit(const char *path, char *why, size_t size);

#endif
