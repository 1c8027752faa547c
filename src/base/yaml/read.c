/* Reads a file without blocking: opening a FIFO for reading would wait for a writer. */
#include "base/yaml/yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX ((size_t)1 << 20)

static bool acceptable(int fd, struct diag *d)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        diag_lack(d, errno);
    else if (S_ISDIR(st.st_mode))
        diag_add(d, 0, 0, "is a directory; a file is needed, or for a Go program a folder with Go files");
    else if (!S_ISREG(st.st_mode))
        diag_add(d, 0, 0, "is not a regular file");
    else if ((size_t)st.st_size > FILE_MAX)
        diag_add(d, 0, 0, "is too large; at most 1 MiB");
    else
        return true;
    return false;
}

/* Reads up to the end into `bytes`, even if the file grows while it is read. Returns false if it cannot be used. */
static bool read_all(char *bytes, int fd, size_t *len, struct diag *d)
{
    size_t n = 0;
    ssize_t got = 1;
    while (n <= FILE_MAX && (got = read(fd, bytes + n, FILE_MAX + 1 - n)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        n += (size_t)got;
    }
    *len = n;
    if (got < 0)
        diag_lack(d, errno);
    else if (n > FILE_MAX)
        diag_add(d, 0, 0, "is too large; at most 1 MiB");
    return got >= 0 && n <= FILE_MAX;
}

char *yaml_read(struct arena *a, const char *path, size_t *len, struct diag *d)
{
    char *kept = NULL;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
        diag_lack(d, errno);
    else if (fd < 0)
        diag_add(d, 0, 0, "cannot be read: %s", strerror(errno));
    if (fd < 0)
        return NULL;
    char *bytes = malloc(FILE_MAX + 1); /* not zeroed: only the pages that are read into are touched */
    bool usable = bytes && acceptable(fd, d) && read_all(bytes, fd, len, d);
    close(fd);
    if (!bytes || (usable && !(kept = arena_strndup(a, bytes, *len))))
        diag_lack(d, ENOMEM);
    free(bytes);
    return kept;
}
