/* See worker_pool.h. The parent polls the children's pipes. It kills only its own children, by their ids. */
#include "engine/worker_pool.h"
#include "base/wall.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CODE_CRASH 4
#define TICK_MS 100
#define MOST_CHILDREN 256u
#define GATHER_NS 2000000 /* between two readings; a pipe has room for far more outcomes than a child can write meanwhile */
#define GATHER 32         /* outcomes that one reading takes from a pipe */
#define ERRNO_CODE 100    /* this plus an errno is the exit status of a child that lacks what it needs */

struct child {
    pid_t pid; /* 0: none */
    int fd;
    uint64_t next; /* the job that it is doing */
    int64_t wrote; /* when it last wrote, ms */
    bool hangs;    /* killed because it was silent for too long */
};

struct crew {
    const struct worker_pool *f;
    struct child *child;
    uint32_t n;
    bool enough;
    bool came; /* the last turn has read outcomes */
};

uint32_t worker_pool_children(const struct worker_pool *f)
{
    cpu_set_t cpus;
    uint32_t n = f->children;
    if (!n)
        n = sched_getaffinity(0, sizeof cpus, &cpus) ? 1 : (uint32_t)CPU_COUNT(&cpus);
    if (n > MOST_CHILDREN)
        n = MOST_CHILDREN;
    return n > f->jobs ? (uint32_t)f->jobs : n;
}

/* --- in a child ------------------------------------------------------------------------------------------------- */

/* Pins child i to one CPU, the i-th of those that the process may use, modulo their number. A lockstep run hands the baton from thread to
 * thread, which is fastest on one CPU. */
static void take_cpu(uint32_t i)
{
    cpu_set_t may, one;
    if (sched_getaffinity(0, sizeof may, &may) || !CPU_COUNT(&may))
        return;
    i %= (uint32_t)CPU_COUNT(&may);
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &may) || i--)
            continue;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof one, &one); /* a failure costs only speed */
        return;
    }
}

static _Noreturn void leave(int err)
{
    _exit(ERRNO_CODE + err);
}

/* A child prints nothing: the command that repeats a failed run prints it again. It ignores ^C, which the parent handles, and ends when
 * the parent is gone. */
static void be_quiet(pid_t parent)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
        leave(errno);
    close(null);
}

static _Noreturn void live(const struct crew *w, uint32_t i, uint64_t job, int fd)
{
    const struct worker_pool *f = w->f;
    take_cpu(i);
    for (; job < f->jobs; job += w->n) {
        struct outcome out = {.job = job};
        f->work(f->ctx, &out);
        ssize_t n;
        do
            n = write(fd, &out, sizeof out); /* whole, because it is shorter than PIPE_BUF */
        while (n < 0 && errno == EINTR);
        if (n != (ssize_t)sizeof out)
            leave(errno); /* the parent may have gone */
    }
    _exit(0);
}

/* --- in the parent ---------------------------------------------------------------------------------------------- */

static int start(struct crew *w, uint32_t i, uint64_t job)
{
    struct child *c = &w->child[i];
    int fd[2];
    pid_t parent = getpid();
    *c = (struct child){.fd = -1, .next = job};
    if (job >= w->f->jobs || w->enough)
        return 0;
    if (pipe2(fd, O_CLOEXEC))
        return -errno;
    fflush(NULL); /* otherwise the child would write the parent's buffered text, too */
    pid_t pid = fork();
    if (pid == 0) {
        close(fd[0]);
        be_quiet(parent);
        live(w, i, job, fd[1]);
    }
    int err = pid < 0 ? -errno : 0;
    close(fd[1]);
    if (err) {
        close(fd[0]);
        return err;
    }
    c->pid = pid;
    c->fd = fd[0];
    c->wrote = wall_ms();
    return 0;
}

static void take_outcome(struct crew *w, struct child *c, const struct outcome *out)
{
    c->next = out->job + w->n;
    c->wrote = wall_ms();
    if (!w->enough && !w->f->done(w->f->ctx, out))
        w->enough = true;
}

/* Returns true for the signals that only the kernel or another process sends: SIGKILL is what the kernel sends when memory runs out. All others
 * come from a mistake in the program itself. */
static bool from_outside(int sig)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (sig == faults[i])
            return false;
    return true;
}

/* The child has ended: after its last job, or within a job, which is that job's outcome. In that case a new child continues. */
static int reap(struct crew *w, uint32_t i)
{
    struct child *c = &w->child[i];
    struct outcome out = {.job = c->next, .code = CODE_CRASH};
    int status = 0;
    close(c->fd);
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        ;
    c->pid = 0;
    if (c->next >= w->f->jobs || w->enough)
        return 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) > ERRNO_CODE)
        return ERRNO_CODE - WEXITSTATUS(status);
    if (c->hangs)
        snprintf(out.why, sizeof out.why, "it hangs: nothing for %d s", w->f->stuck_ms / 1000);
    else if (WIFSIGNALED(status) && (out.lacks = from_outside(WTERMSIG(status))))
        snprintf(out.why, sizeof out.why, "the process that tried it was killed from outside (%s)%s; this proves nothing about the seed",
                 strsignal(WTERMSIG(status)), WTERMSIG(status) == SIGKILL ? ", as the kernel does when memory runs out" : "");
    else if (WIFSIGNALED(status))
        snprintf(out.why, sizeof out.why, "it crashes: %s", strsignal(WTERMSIG(status)));
    else
        snprintf(out.why, sizeof out.why, "it ends the process with %d", WEXITSTATUS(status));
    take_outcome(w, c, &out);
    return start(w, i, c->next);
}

static void kill_all(struct crew *w)
{
    for (uint32_t i = 0; w->child && i < w->n; i++)
        if (w->child[i].pid)
            kill(w->child[i].pid, SIGKILL);
}

static void kill_silent(struct crew *w)
{
    int64_t now = wall_ms();
    for (uint32_t i = 0; i < w->n; i++) {
        struct child *c = &w->child[i];
        if (!c->pid || c->hangs || now - c->wrote < w->f->stuck_ms)
            continue;
        c->hangs = true;
        kill(c->pid, SIGKILL);
    }
}

/* Outcomes are written whole, so they are read whole. */
static int read_outcomes(struct crew *w, uint32_t i)
{
    struct outcome out[GATHER];
    ssize_t n = read(w->child[i].fd, out, sizeof out);
    if (n < 0)
        return errno == EINTR ? 0 : -errno;
    for (size_t k = 0; k < (size_t)n / sizeof *out; k++)
        take_outcome(w, &w->child[i], &out[k]);
    w->came |= n > 0;
    return n ? 0 : reap(w, i);
}

/* A parent that waits in poll() is woken by each outcome. That costs the child that writes it some 10 µs, and a CPU if children use all of
 * them. So while outcomes come, the parent sleeps and lets them gather. */
static void gather(struct crew *w)
{
    if (w->came && !w->enough)
        nanosleep(&(struct timespec){.tv_nsec = GATHER_NS}, NULL);
    w->came = false;
}

/* One turn of the loop. Returns how many children are left, or a negative errno. */
static int turn(struct crew *w, struct pollfd *fd)
{
    int alive = 0, err = 0;
    gather(w);
    for (uint32_t i = 0; i < w->n; i++) {
        fd[i] = (struct pollfd){.fd = w->child[i].pid ? w->child[i].fd : -1, .events = POLLIN};
        alive += w->child[i].pid != 0;
    }
    if (!alive)
        return 0;
    int n = poll(fd, w->n, TICK_MS);
    for (uint32_t i = 0; n > 0 && i < w->n && !err; i++)
        if (fd[i].revents)
            err = read_outcomes(w, i);
    kill_silent(w);
    return err ? err : alive;
}

int worker_pool_run(const struct worker_pool *f)
{
    struct crew w = {.f = f, .n = worker_pool_children(f)};
    w.child = calloc(w.n, sizeof *w.child);
    struct pollfd *fd = calloc(w.n, sizeof *fd);
    int err = w.child && fd ? 0 : -ENOMEM;
    int64_t ticked = 0;
    for (uint32_t i = 0; i < w.n && !err; i++)
        err = start(&w, i, i);
    for (int left = 1; left > 0 && !err;) {
        if ((left = turn(&w, fd)) < 0)
            err = left;
        if (wall_ms() - ticked >= TICK_MS || err) {
            ticked = wall_ms();
            w.enough |= err || !f->tick(f->ctx);
        }
        if (w.enough)
            kill_all(&w);
    }
    w.enough = true;
    kill_all(&w);
    while (w.child && fd && turn(&w, fd) > 0)
        ;
    free(w.child);
    free(fd);
    return err;
}
