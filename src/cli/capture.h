/* Catches what a command writes to stderr while a screen hides it. */
#ifndef GMPSCOPE_CLI_CAPTURE_H
#define GMPSCOPE_CLI_CAPTURE_H

#include <stddef.h>

/* stderr goes to a file in memory meanwhile. */
struct capture {
    int saved, file;
};

struct capture capture_begin(void);
/* Restores stderr and copies what was written. */
void capture_end(struct capture c, char *text, size_t size);
/* Copies the first line, without the program's name and without the folders of the file that is to blame. */
void capture_first_line(const char *text, char *out, size_t size);

#endif
