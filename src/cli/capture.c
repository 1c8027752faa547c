/* See capture.h. */
#include "cli/capture.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct capture capture_begin(void)
{
    fflush(stderr);
    struct capture c = {dup(STDERR_FILENO), memfd_create("stderr", MFD_CLOEXEC)};
    if (c.saved >= 0 && c.file >= 0)
        dup2(c.file, STDERR_FILENO);
    return c;
}

void capture_end(struct capture c, char *text, size_t size)
{
    fflush(stderr);
    if (c.saved >= 0 && c.file >= 0)
        dup2(c.saved, STDERR_FILENO);
    ssize_t n = c.file >= 0 ? pread(c.file, text, size - 1, 0) : 0;
    text[n > 0 ? n : 0] = '\0';
    if (c.saved >= 0)
        close(c.saved);
    if (c.file >= 0)
        close(c.file);
}

/* Skips the folders of a file that is to blame: the row for the note is short. */
static const char *without_folders(const char *s)
{
    const char *colon = strchr(s, ':'), *slash = *s == '/' ? s : NULL;
    for (const char *at = slash; at && colon && (at = strchr(at, '/')) && at < colon; at++)
        slash = at;
    return slash ? slash + 1 : s;
}

void capture_first_line(const char *text, char *out, size_t size)
{
    const char *first = without_folders(text + (strncmp(text, "gmpscope: ", 10) ? 0 : 10));
    snprintf(out, size, "%.*s", (int)strcspn(first, "\n"), first);
}
