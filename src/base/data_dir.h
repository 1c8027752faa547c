/* Where the files are that come with the program. */
#ifndef GMPSCOPE_BASE_DATA_DIR_H
#define GMPSCOPE_BASE_DATA_DIR_H

#include "base/arena.h"

/* Returns the data directory, in the arena; where none is found, the place where it would be installed. */
const char *data_dir(struct arena *a);
/* Returns a folder with source that people's own tools read: "gofront", the front end for Go programs, or "lab", scheduling policies. NULL: it is in none
 * of the data directories. */
const char *data_source(struct arena *a, const char *folder);

#endif
