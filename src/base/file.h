/* Files in folders that others may be able to write to: the state, the configuration, saved layouts. */
#ifndef GMPSCOPE_BASE_FILE_H
#define GMPSCOPE_BASE_FILE_H

#include <stdio.h>

/* Opens a regular file for reading. NULL, with errno, for anything else: opening a FIFO would wait for a writer, and a device may never end. */
FILE *file_open(const char *path);
/* New contents of a file. They are written to a second file next to it, which gets its name when it is complete. So the old contents stay if the
 * disk is full. */
struct file_new {
    FILE *out;
    const char *path;
    char temporary[4200];
};
/* Creates the second file under a free name; follows no link. Returns: 0 or an errno. `path` is borrowed until
 * file_finish(). */
int file_begin(struct file_new *f, const char *path);
/* Closes it, and replaces the old file. Returns 0 or an errno; then the old file stays. */
int file_finish(struct file_new *f);

#endif
