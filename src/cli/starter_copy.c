/* A copy of a scenario in the current folder, and the editor that opens it. */
#include "cli/starter_copy.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COPIES = 1000 };
extern char **environ;

/* Opens a file that did not exist. Returns: its descriptor, or -1 with errno. */
static int create(const char *name, char to[PATH_MAX])
{
    int fd = -1;
    for (int i = 1; i < COPIES && fd < 0; i++) {
        if (i == 1)
            snprintf(to, PATH_MAX, "./%s.yaml", name);
        else
            snprintf(to, PATH_MAX, "./%s-%d.yaml", name, i);
        fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

/* Returns: false with errno. */
static bool copy(int from, int to)
{
    char bytes[16384];
    ssize_t n;
    while ((n = read(from, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR))
        for (ssize_t done = 0, w; done<n; done += w> 0 ? w : 0)
            if ((w = write(to, bytes + done, (size_t)(n - done))) < 0 && errno != EINTR)
                return false;
    return n == 0;
}

bool starter_copy(const char *from, const char *name, char to[PATH_MAX], char *why, size_t size)
{
    int in = open(from, O_RDONLY | O_CLOEXEC), out = in < 0 ? -1 : create(name, to);
    bool copied = out >= 0 && copy(in, out);
    copied = out >= 0 && close(out) == 0 && copied;
    if (!copied)
        snprintf(why, size, "%s: %s", in < 0 ? from : to, strerror(errno));
    if (!copied && out >= 0)
        unlink(to);
    if (in >= 0)
        close(in);
    return copied;
}

static const char *editor(void)
{
    const char *visual = getenv("VISUAL"), *other = getenv("EDITOR");
    return visual && *visual ? visual : other && *other ? other : "vi";
}

/* Runs the editor through the shell, which splits a command with arguments, such as "code --wait". Meanwhile only the editor reacts to
 * SIGINT. */
bool starter_edit(const char *path, char *why, size_t size)
{
    char command[PATH_MAX];
    pid_t pid;
    int status = 0;
    snprintf(command, sizeof command, "%s \"$1\"", editor());
    char *argv[] = {(char *)"sh", (char *)"-c", command, (char *)"sh", (char *)path, NULL};
    posix_spawnattr_t attr;
    sigset_t normal;
    sigemptyset(&normal);
    sigaddset(&normal, SIGINT);
    sigaddset(&normal, SIGPIPE);
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigdefault(&attr, &normal);
    void (*before)(int) = signal(SIGINT, SIG_IGN);
    int err = posix_spawn(&pid, "/bin/sh", NULL, &attr, argv, environ);
    posix_spawnattr_destroy(&attr);
    while (!err && waitpid(pid, &status, 0) < 0)
        err = errno == EINTR ? 0 : errno;
    signal(SIGINT, before);
    if (err)
        snprintf(why, size, "%s: %s", editor(), strerror(err));
    else if (status)
        snprintf(why, size, "%s has failed; %s is as it left it", editor(), path);
    return !err && !status;
}
