/* See feed.h. */
#include "base/feed.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PIECE = 1 << 16, PIPE_BYTES = 1 << 20, LOOK_MS = 50 };

struct feed {
    int from, to, stop; /* to: the regular file, which may be `from`; stop: an eventfd, readable when the thread must end */
    bool runs;
    pthread_t thread;
    pthread_mutex_t lock; /* of the rest */
    pthread_cond_t came;
    uint64_t size;
    bool over;
    int error;
};

static void note(struct feed *f, uint64_t size, bool over, int error)
{
    pthread_mutex_lock(&f->lock);
    f->size = size;
    f->over = over;
    f->error = error;
    pthread_cond_broadcast(&f->came);
    pthread_mutex_unlock(&f->lock);
}

/* Waits until `fd` can be read, or ms have passed. Returns false if the thread must end. fd -1: waits for the time only. */
static bool wait_for(const struct feed *f, int fd, int ms)
{
    struct pollfd p[] = {{.fd = f->stop, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
    while (poll(p, 2, ms) < 0 && errno == EINTR)
        ;
    return !p[0].revents;
}

/* ---- a pipe ---- */

static bool write_all(int fd, const char *at, size_t n)
{
    for (ssize_t put; n; at += put, n -= (size_t)put) {
        put = write(fd, at, n);
        if (put < 0 && errno != EINTR)
            return false;
        put = put > 0 ? put : 0;
    }
    return true;
}

/* At its end it closes the pipe, so that a writer notices. */
static void *copy(void *arg)
{
    struct feed *f = arg;
    char buf[PIECE];
    uint64_t size = 0;
    int error = 0;
    while (!error && wait_for(f, f->from, -1)) {
        ssize_t n = read(f->from, buf, sizeof buf);
        if (n == 0)
            break;
        if (n < 0)
            error = errno == EINTR || errno == EAGAIN ? 0 : errno;
        else if (!write_all(f->to, buf, (size_t)n))
            error = errno;
        else
            note(f, size += (uint64_t)n, false, 0);
    }
    close(f->from);
    f->from = -1;
    note(f, size, true, error);
    return NULL;
}

/* ---- a file ---- */

enum written { BY_NOBODY, BY_ANOTHER, NOT_SAID };

/* The system grants a lease for reading only where no process has the file open for writing. It is given back at once. */
static enum written written(int fd)
{
    fcntl(fd, F_SETSIG, SIGURG); /* SIGIO, which a process gets that opens the file meanwhile, would end this process */
    if (fcntl(fd, F_SETLEASE, F_RDLCK) != 0)
        return errno == EAGAIN ? BY_ANOTHER : NOT_SAID;
    fcntl(fd, F_SETLEASE, F_UNLCK);
    return BY_NOBODY;
}

bool feed_is_written(int fd)
{
    return written(fd) == BY_ANOTHER;
}

static void *look(void *arg)
{
    struct feed *f = arg;
    struct stat st;
    uint64_t size = 0;
    int error = 0;
    bool over = false;
    do {
        over = written(f->from) == BY_NOBODY; /* before its size: what was written until then belongs to it */
        error = fstat(f->from, &st) != 0 ? errno : (uint64_t)st.st_size < size ? ESTALE : 0;
        size = error ? size : (uint64_t)st.st_size;
        over |= error != 0;
        note(f, size, over, error);
    } while (!over && wait_for(f, -1, LOOK_MS));
    return NULL;
}

/* ---- life ---- */

static int start(struct feed *f, void *(*run)(void *))
{
    pthread_condattr_t attr;
    sigset_t most, old;
    pthread_mutex_init(&f->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&f->came, &attr);
    pthread_condattr_destroy(&attr);
    sigfillset(&most);
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&most, faults[i]);
    pthread_sigmask(SIG_BLOCK, &most, &old);
    int r = pthread_create(&f->thread, NULL, run, f);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    f->runs = r == 0;
    return r;
}

static struct feed *new_feed(int from, int to, void *(*run)(void *))
{
    struct feed *f = calloc(1, sizeof *f);
    int error = f ? 0 : ENOMEM;
    if (!f) {
        close(from);
        if (to != from && to >= 0)
            close(to);
        return errno = error, NULL;
    }
    *f = (struct feed){.from = from, .to = to, .stop = eventfd(0, EFD_CLOEXEC)};
    error = f->stop < 0 ? errno : start(f, run);
    if (!error)
        return f;
    feed_free(f);
    return errno = error, NULL;
}

struct feed *feed_pipe(int fd)
{
    const char *dir = getenv("TMPDIR");
    int to = open(dir && *dir ? dir : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (to < 0) {
        int error = errno;
        close(fd);
        return errno = error, NULL;
    }
    fcntl(fd, F_SETPIPE_SZ, PIPE_BYTES); /* so that the writer waits less often; where that is not allowed, it waits */
    return new_feed(fd, to, copy);
}

struct feed *feed_file(int fd)
{
    return new_feed(fd, fd, look);
}

void feed_free(struct feed *f)
{
    if (!f)
        return;
    if (f->runs) {
        uint64_t one = 1;
        while (write(f->stop, &one, sizeof one) < 0 && errno == EINTR)
            ;
        pthread_join(f->thread, NULL);
    }
    if (f->stop >= 0)
        close(f->stop);
    if (f->from >= 0 && f->from != f->to)
        close(f->from);
    close(f->to);
    pthread_cond_destroy(&f->came);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

int feed_fd(const struct feed *f)
{
    return f->to;
}

uint64_t feed_size(struct feed *f, bool *over)
{
    pthread_mutex_lock(&f->lock);
    uint64_t size = f->size;
    *over = f->over;
    pthread_mutex_unlock(&f->lock);
    return size;
}

bool feed_wait(struct feed *f, uint64_t beyond, int ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&f->lock);
    while (!f->over && f->size <= beyond && pthread_cond_timedwait(&f->came, &f->lock, &until) == 0)
        ;
    bool came = f->over || f->size > beyond;
    pthread_mutex_unlock(&f->lock);
    return came;
}

int feed_error(struct feed *f)
{
    pthread_mutex_lock(&f->lock);
    int error = f->error;
    pthread_mutex_unlock(&f->lock);
    return error;
}
