/* See child.h. Between fork() and execve() only async-signal-safe calls are made, because a run's threads may exist. An interrupting signal is seen
 * through a signalfd and left pending: it does what it would have done without the child, once the child's group is dead. */
#include "base/child.h"
#include "base/wall.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUT, ERR, EXEC, ENDS };

extern char **environ;

static bool same_name(const char *a, const char *b)
{
    size_t n = strcspn(a, "=");
    return n == strcspn(b, "=") && strncmp(a, b, n) == 0;
}

static char **environment(struct arena *a, const char *const *change)
{
    size_t n = 0, changes = 0, k = 0;
    while (environ[n])
        n++;
    while (change && change[changes])
        changes++;
    char **env = arena_alloc(a, (n + changes + 1) * sizeof *env);
    for (size_t i = 0; env && i < n; i++) {
        bool kept = true;
        for (size_t j = 0; kept && j < changes; j++)
            kept = !same_name(environ[i], change[j]);
        if (kept)
            env[k++] = environ[i];
    }
    for (size_t j = 0; env && j < changes; j++)
        if (strchr(change[j], '='))
            env[k++] = (char *)(uintptr_t)change[j];
    return env;
}

static void limit(int what, uint64_t most)
{
    struct rlimit l;
    if (getrlimit((__rlimit_resource_t)what, &l))
        return;
    l.rlim_max = l.rlim_max < most ? l.rlim_max : most;
    l.rlim_cur = l.rlim_max;
    setrlimit((__rlimit_resource_t)what, &l);
}

#define FILE_MOST (UINT64_C(1) << 30) /* a cache of Go's has smaller files */

/* Caller: the child. */
static _Noreturn void become(const struct child *c, const int ends[ENDS][2], char **env, pid_t parent)
{
    sigset_t none;
    int err, in = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int sig = 1; sig < NSIG; sig++)
        signal(sig, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, c->seconds);
    limit(RLIMIT_FSIZE, FILE_MOST);
    limit(RLIMIT_AS, c->memory);
    bool good = in >= 0 && dup2(in, STDIN_FILENO) == STDIN_FILENO && dup2(ends[OUT][1], STDOUT_FILENO) == STDOUT_FILENO &&
                dup2(ends[ERR][1], STDERR_FILENO) == STDERR_FILENO && (!c->dir || chdir(c->dir) == 0);
    if (good && getppid() == parent)
        execve(c->argv[0], (char *const *)(uintptr_t)c->argv, env);
    err = errno;
    if (write(ends[EXEC][1], &err, sizeof err) < 0)
        _exit(126);
    _exit(127);
}

/* Reads what is there. Returns false at the end. */
static bool take(int fd, struct child_result *r, int which, int *err)
{
    char buf[16384];
    ssize_t n = read(fd, buf, sizeof buf);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    if (which == EXEC && n == (ssize_t)sizeof *err)
        memcpy(err, buf, sizeof *err);
    for (ssize_t i = 0; which != EXEC && i < n; i++)
        if (!(which == OUT ? vec_push(&r->out, buf[i]) : vec_push(&r->err, buf[i])))
            *err = ENOMEM;
    return n > 0;
}

#define ERR_MOST ((size_t)1 << 20)

/* A child that runs. */
struct running {
    pid_t pid;
    int ends[ENDS][2]; /* of its pipes; those for writing are closed here */
    int signals;       /* readable when a signal has asked us to end */
};

/* Reads until the child has closed all ends, and ends it where that must be. */
static int listen_to(const struct child *c, const struct running *w, struct child_result *r)
{
    struct pollfd p[ENDS + 1];
    int64_t until = wall_ms() + INT64_C(1000) * c->seconds;
    int err = 0, ends_left = ENDS;
    for (int i = 0; i < ENDS; i++)
        p[i] = (struct pollfd){.fd = w->ends[i][0], .events = POLLIN};
    p[ENDS] = (struct pollfd){.fd = w->signals, .events = POLLIN};
    r->end = CHILD_EXITED;
    while (ends_left && !err && r->end == CHILD_EXITED) {
        int64_t left = until - wall_ms();
        if (left <= 0)
            r->end = CHILD_SLOW;
        else if (poll(p, ENDS + 1, (int)left) < 0 && errno != EINTR)
            err = errno;
        for (int i = 0; i < ENDS; i++)
            if (p[i].fd >= 0 && p[i].revents && !take(p[i].fd, r, i, &err)) {
                p[i].fd = -1;
                ends_left--;
            }
        if (p[ENDS].revents)
            r->end = CHILD_INTERRUPTED;
        else if (r->out.n > c->output || r->err.n > ERR_MOST)
            r->end = CHILD_TALKS;
    }
    kill(-w->pid, SIGKILL); /* what it has started may outlive it */
    if (err || r->end != CHILD_EXITED)
        kill(w->pid, SIGKILL);
    return err;
}

static int await(const struct child *c, const struct running *w, struct child_result *r)
{
    int status = 0, err = listen_to(c, w, r);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (r->end == CHILD_EXITED && WIFSIGNALED(status))
        r->end = WTERMSIG(status) == SIGXCPU ? CHILD_SLOW : CHILD_KILLED;
    r->status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (!vec_push(&r->out, '\0') || !vec_push(&r->err, '\0'))
        return err ? err : ENOMEM;
    r->out.n--;
    r->err.n--;
    return err;
}

int child_run(const struct child *c, struct child_result *r)
{
    struct arena a = {0};
    struct running w = {.pid = -1, .ends = {{-1, -1}, {-1, -1}, {-1, -1}}};
    sigset_t asked, old;
    pid_t parent = getpid();
    int err = 0;
    *r = (struct child_result){0};
    char **env = environment(&a, c->env);
    sigemptyset(&asked);
    sigaddset(&asked, SIGINT);
    sigaddset(&asked, SIGTERM);
    sigaddset(&asked, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &asked, &old);
    w.signals = signalfd(-1, &asked, SFD_CLOEXEC | SFD_NONBLOCK);
    for (int i = 0; i < ENDS && !err; i++)
        err = pipe2(w.ends[i], O_CLOEXEC) ? errno : 0;
    err = !env ? ENOMEM : w.signals < 0 ? errno : err;
    if (!err && (w.pid = fork()) == 0)
        become(c, (const int(*)[2])w.ends, env, parent);
    err = !err && w.pid < 0 ? errno : err;
    if (w.pid > 0)
        setpgid(w.pid, w.pid); /* the child does so, too: whoever is first */
    for (int i = 0; i < ENDS; i++)
        close(w.ends[i][1]);
    if (!err)
        err = await(c, &w, r);
    for (int i = 0; i < ENDS; i++)
        close(w.ends[i][0]);
    close(w.signals);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    arena_fini(&a);
    return err;
}

void child_fini(struct child_result *r)
{
    vec_free(&r->out);
    vec_free(&r->err);
}

static bool runs(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

const char *child_find(struct arena *a, const char *name)
{
    const char *path = getenv("PATH");
    char here[PATH_MAX];
    if (strchr(name, '/') && (!runs(name) || name[0] == '/'))
        return runs(name) ? name : NULL;
    if (strchr(name, '/'))
        return getcwd(here, sizeof here) ? arena_printf(a, "%s/%s", here, name) : NULL;
    for (size_t n; path && *path; path += n + (path[n] == ':')) {
        n = strcspn(path, ":");
        const char *at =
            n ? arena_printf(a, "%.*s/%s", (int)n, path, name) : NULL; /* an empty part is the folder here: never a program from there */
        if (at && at[0] == '/' && runs(at))
            return at;
    }
    return NULL;
}
