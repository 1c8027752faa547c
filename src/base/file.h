/* Files in folders that others may be able to write to: the state, the configuration, saved layouts. */
#ifndef GMPSCOPE_BASE_FILE_H
#define GMPSCOPE_BASE_FILE_H

#include <stdio.h>

/* Opens a regular file for reading. NULL, with errno, for anything else: opening a FIFO would wait for a writer, and a device may never end. */
FILE *file_open(const char *path);
/* A new content for a file. It is written next to the file, and takes its name when it is complete, so that the old content stays if the disk is
 * full. */
struct file_new {
    FILE *out;
    const char *path;
    char temporary[4200];
};
/* Returns 0 or an errno. Creates a file of its own under a name that is free: it follows no link that waits there. `path` is borrowed until
 * file_finish(). */
int file_begin(struct file_new *f, const char *path);
/* Closes it, and replaces the old file. Returns 0 or an errno; then the old file stays. */
int file_finish(struct file_new *f);

#endif
