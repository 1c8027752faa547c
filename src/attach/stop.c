/* Stops all threads of a process for a moment.
 *
 *   SEIZE each thread      it runs on; from now on its signals stop it, until it is let go
 *   INTERRUPT each         it stops where it is: in user code, or out of a sleep in the kernel, which it then begins again
 *   look for new threads   one that was being started is in /proc by now; repeat until there is none
 *   DETACH each            with the signal that it was about to get, if that is what stopped it
 *
 * A thread in an uninterruptible sleep does not stop; after SLOW_NS the others are let go and the look is dropped. If this process dies, the kernel
 * detaches. A process that somebody has stopped (SIGSTOP) stays so: DETACH puts a thread back into its group's stop. */
#include "attach/attach_internal.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SLOW_NS INT64_C(50000000)
#define SPIN_NS INT64_C(300000)

static int64_t mono(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool stop_open(struct stopper *s, pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    *s = (struct stopper){.pid = pid, .tasks = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    return s->tasks >= 0;
}

void stop_close(struct stopper *s)
{
    if (s->tasks >= 0)
        close(s->tasks);
    vec_free(&s->threads);
}

static struct stopped_thread *known(struct stopper *s, pid_t tid)
{
    for (size_t i = 0; i < s->threads.n; i++)
        if (s->threads.v[i].tid == tid)
            return &s->threads.v[i];
    return NULL;
}

struct entry { /* of getdents64() */
    uint64_t ino;
    int64_t off;
    unsigned short len;
    unsigned char type;
    char name[];
};

/* Seizes the threads that are not known yet. Returns how many were new, -1 with errno. */
static int seize_new(struct stopper *s)
{
    _Alignas(16) char buf[32768];
    int fresh = 0;
    if (lseek(s->tasks, 0, SEEK_SET) < 0)
        return -1;
    for (long n; (n = syscall(SYS_getdents64, s->tasks, buf, sizeof buf)) != 0;) {
        if (n < 0)
            return -1;
        for (long at = 0; at < n;) {
            const struct entry *e = (const void *)(buf + at);
            pid_t tid = (pid_t)strtol(e->name, NULL, 10);
            at += e->len;
            if (tid <= 0 || known(s, tid))
                continue;
            if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0) {
                if (errno == ESRCH || s->threads.n) /* it has just ended; what was allowed for one thread is allowed for all that live */
                    continue;
                return -1;
            }
            if (!vec_push(&s->threads, ((struct stopped_thread){.tid = tid, .state = THREAD_SEIZED})))
                return errno = ENOMEM, -1;
            fresh++;
        }
    }
    return fresh;
}

/* Notes that a thread has stopped or ended. Returns false if it has done neither yet. */
static bool has_stopped(struct stopped_thread *t)
{
    int status;
    pid_t got = waitpid(t->tid, &status, __WALL | WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR))
        return false;
    t->state = got == t->tid && WIFSTOPPED(status) ? THREAD_STOPPED : THREAD_GONE;
    /* status >> 16: an event of ptrace's own, among them the stop by INTERRUPT; else it is about to get the signal */
    t->signal = t->state == THREAD_STOPPED && !(status >> 16) ? WSTOPSIG(status) : 0;
    return true;
}

/* Waits until all threads have stopped. Returns false if one has not by then. */
static bool wait_all(struct stopper *s)
{
    int64_t from = mono();
    for (size_t i = 0; i < s->threads.n;) {
        if (s->threads.v[i].state != THREAD_SEIZED || has_stopped(&s->threads.v[i])) {
            i++;
            continue;
        }
        int64_t took = mono() - from;
        if (took > SLOW_NS)
            return false;
        if (took < SPIN_NS)
            sched_yield();
        else
            nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    }
    return true;
}

void stop_let_go(struct stopper *s)
{
    for (size_t i = 0; i < s->threads.n; i++) {
        struct stopped_thread *t = &s->threads.v[i];
        if (t->state == THREAD_SEIZED) /* one that has not stopped cannot be detached: it must stop first */
            ptrace(PTRACE_INTERRUPT, t->tid, NULL, NULL);
        for (int64_t from = mono(); t->state == THREAD_SEIZED && !has_stopped(t) && mono() - from < 20 * SLOW_NS;)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        if (t->state == THREAD_STOPPED)
            ptrace(PTRACE_DETACH, t->tid, NULL, (void *)(uintptr_t)t->signal);
    }
    s->threads.n = 0;
}

enum stop_result stop_all(struct stopper *s, int *error)
{
    size_t asked = 0;
    s->threads.n = 0;
    for (int fresh = 1, rounds = 0; fresh; rounds++) {
        do /* most threads are there before the first one stops, so the stop is short */
            fresh = seize_new(s);
        while (rounds == 0 && fresh > 0);
        *error = fresh < 0 ? errno : 0;
        if (asked == 0)
            s->from = mono();
        for (; asked < s->threads.n; asked++) {
            fresh = 1;
            if (ptrace(PTRACE_INTERRUPT, s->threads.v[asked].tid, NULL, NULL) != 0 && errno != ESRCH)
                *error = errno;
        }
        if (*error || rounds > 50 || !wait_all(s)) {
            stop_let_go(s);
            return *error == ENOENT ? STOP_GONE : *error ? STOP_REFUSED : STOP_SLOW;
        }
    }
    for (size_t i = 0; i < s->threads.n; i++)
        if (s->threads.v[i].state == THREAD_STOPPED)
            return STOP_OK;
    stop_let_go(s);
    return STOP_GONE;
}
