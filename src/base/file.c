/* See file.h. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_TRIED = 100 };

FILE *file_open(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        return NULL;
    bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    FILE *f = regular ? fdopen(fd, "r") : NULL;
    if (!f) {
        int err = regular ? errno : EINVAL;
        close(fd);
        errno = err;
    }
    return f;
}

int file_begin(struct file_new *f, const char *path)
{
    int fd = -1;
    f->path = path;
    for (int i = 0; fd < 0 && i < NAMES_TRIED; i++) {
        if (snprintf(f->temporary, sizeof f->temporary, "%s.new%ld.%d", path, (long)getpid(), i) >= (int)sizeof f->temporary)
            return ENAMETOOLONG;
        fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666); /* umask decides */
        if (fd < 0 && errno != EEXIST)
            return errno;
    }
    if (fd < 0)
        return EEXIST;
    f->out = fdopen(fd, "w");
    if (f->out)
        return 0;
    int err = errno;
    close(fd);
    unlink(f->temporary);
    return err;
}

int file_finish(struct file_new *f)
{
    errno = 0;
    bool failed = ferror(f->out);
    failed |= fclose(f->out) != 0;
    if (!failed && rename(f->temporary, f->path) == 0)
        return 0;
    int err = errno ? errno : EIO;
    unlink(f->temporary);
    return err;
}
