/* Opening: why it is impossible, if it is, and the first look. */
#include "attach/attach_internal.h"
#include "eventlog/events.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int file_number(const char *path)
{
    int n = -1;
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%d", &n) != 1)
        n = -1;
    if (f)
        fclose(f);
    return n;
}

static int tracer_of(pid_t pid)
{
    char path[64], line[200];
    int tracer = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f) && sscanf(line, "TracerPid: %d", &tracer) != 1)
        ;
    if (f)
        fclose(f);
    return tracer;
}

/* Says why the system forbids to look, and what would help. */
static void say_forbidden(pid_t pid, enum lang lang, char why[ATTACH_WHY])
{
    char path[64];
    struct stat st;
    int scope = file_number("/proc/sys/kernel/yama/ptrace_scope"), tracer = tracer_of(pid);
    snprintf(path, sizeof path, "/proc/%d", (int)pid);
    bool theirs = stat(path, &st) == 0 && geteuid() != 0 && st.st_uid != geteuid();
    if (tracer)
        WHY(lang, why, "process %d already traces it; only one process can: end that one first",
            "进程 %d 正在跟踪它；同时只能有一个：请先结束那个进程", tracer);
    else if (theirs)
        WHY(lang, why, "it belongs to another user (uid %u): run gmpscope as that user, or as root",
            "它属于另一个用户（uid %u）：请以该用户或 root 运行 gmpscope", (unsigned)st.st_uid);
    else if (scope == 3)
        WHY(lang, why, "kernel.yama.ptrace_scope is %d, which forbids it until the next boot; set it to 0 or 1 at boot",
            "kernel.yama.ptrace_scope 为 %d，在下次启动前都禁止；请在启动时设为 0 或 1", scope);
    else if (scope > 0)
        WHY(lang, why,
            "kernel.yama.ptrace_scope is %d, which forbids it: run \"sudo sysctl kernel.yama.ptrace_scope=0\", or gmpscope as root",
            "kernel.yama.ptrace_scope 为 %d，不允许：请运行 \"sudo sysctl kernel.yama.ptrace_scope=0\"，或以 root 运行 gmpscope", scope);
    else
        WHY(lang, why, "the system forbids ptrace here (%s); in a container, start it with --cap-add=SYS_PTRACE",
            "系统在此禁止 ptrace（%s）；在容器中请加上 --cap-add=SYS_PTRACE", strerror(EPERM));
}

static bool cannot_open(pid_t pid, int error, enum lang lang, char why[ATTACH_WHY])
{
    if (error == EACCES || error == EPERM)
        say_forbidden(pid, lang, why);
    else if (error == ENOENT || error == ESRCH)
        WHY(lang, why, "there is no such process, or it has no program (%s)", "没有这个进程，或它没有程序（%s）", strerror(error));
    else
        WHY(lang, why, "%s", "%s", strerror(error));
    return false;
}

static bool read_exe(struct attach *a, char why[ATTACH_WHY])
{
    char path[64];
    struct stat st;
    pid_t pid = a->target.pid;
    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    ssize_t n = readlink(path, a->path, sizeof a->path - 1);
    if (n < 0)
        return cannot_open(pid, errno, a->target.lang, why);
    a->path[n] = '\0';
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0) {
        int error = errno;
        if (fd >= 0)
            close(fd);
        return cannot_open(pid, error, a->target.lang, why);
    }
    a->inode = st.st_ino;
    a->device = st.st_dev;
    void *v = st.st_size > 0 ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    int error = errno;
    close(fd);
    if (v == MAP_FAILED)
        return cannot_open(pid, error, a->target.lang, why);
    bool good = go_exe_read(v, (size_t)st.st_size, &a->exe, a->target.lang, why);
    munmap(v, (size_t)st.st_size);
    return good;
}

/* May this process read the other one's memory, and stop it? */
static bool may_look(struct attach *a, char why[ATTACH_WHY])
{
    uint8_t byte;
    int error = 0;
    const struct exe_segment *g = &a->exe.segment[0];
    if (!a->exe.dynamic && !target_read(a->target.pid, g->at, &byte, 1) && (errno == EPERM || errno == EACCES || errno == ENOSYS))
        return cannot_open(a->target.pid, EPERM, a->target.lang, why);
    if (!stop_open(&a->stopper, a->target.pid))
        return cannot_open(a->target.pid, errno, a->target.lang, why);
    if (a->no_stop)
        return true;
    enum stop_result r = stop_all(&a->stopper, &error);
    if (r == STOP_OK)
        stop_let_go(&a->stopper);
    if (r == STOP_REFUSED)
        return cannot_open(a->target.pid, error, a->target.lang, why);
    return r == STOP_GONE ? cannot_open(a->target.pid, ESRCH, a->target.lang, why) : true;
}

/* The first look must hold together. A thread may have been stopped inside of the scheduler, so it is tried again. */
static bool first_look(struct attach *a, char why[ATTACH_WHY])
{
    enum { TRIES = 200 };
    const struct snapshot *s;
    enum attach_look r = ATTACH_TORN;
    for (int i = 0; i < TRIES && r == ATTACH_TORN; i++) {
        if (i)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        r = attach_look(a, &s);
    }
    if (r == ATTACH_TORN)
        WHY(a->target.lang, why,
            "the state that was read contradicts itself (%s): the layout of this runtime (%s) is not the one that attach knows%s",
            "读到的状态自相矛盾（%s）：这个运行时（%s）的布局与 attach 所知的不同%s", memory_wrong(a->memory), a->exe.version,
            !a->no_stop                 ? ""
            : a->target.lang == LANG_ZH ? "，或程序过于繁忙：请去掉 --no-stop"
                                        : ", or it is too busy: try without --no-stop");
    else if (r != ATTACH_LOOKED)
        cannot_open(a->target.pid, r == ATTACH_LACK ? ENOMEM : ESRCH, a->target.lang, why);
    a->told.torn = 0;
    return r == ATTACH_LOOKED;
}

struct attach *attach_open(const struct attach_config *c, char why[ATTACH_WHY])
{
    struct attach *a = calloc(1, sizeof *a);
    const char **fn = calloc(ATTACH_FNS, sizeof *fn);
    if (a)
        a->memory = memory_new();
    if (!a || !fn || !a->memory) {
        free(fn);
        memory_free(a ? a->memory : NULL);
        free(a);
        return WHY(c->lang, why, "%s", "%s", strerror(ENOMEM)), NULL;
    }
    for (int i = 0; i < ATTACH_FNS; i++)
        fn[i] = "";
    a->target = (struct target){.pid = c->pid, .lang = c->lang};
    a->stopper.tasks = -1;
    a->no_stop = c->no_stop;
    a->next_number = EV_SYSTEM_G + EV_SYSTEM_GS;
    a->told = (struct attach_told){.exe = a->path, .version = a->exe.version, .fn = fn};
    bool good = c->pid != getpid()
                    ? read_exe(a, why)
                    : (WHY(c->lang, why, "%s", "%s", c->lang == LANG_ZH ? "这是 gmpscope 自己" : "that is gmpscope itself"), false);
    if (good) {
        a->told.minor = a->exe.minor;
        a->l = go_layout(a->exe.minor);
        good = may_look(a, why) && target_open(&a->target, &a->exe, why) && locate(&a->target, &a->exe, a->l, &a->at, why) &&
               first_look(a, why);
    }
    if (good)
        return a;
    attach_close(a);
    return NULL;
}

void attach_close(struct attach *a)
{
    if (!a)
        return;
    stop_close(&a->stopper);
    target_close(&a->target);
    memory_free(a->memory);
    free(a->numbers);
    free((void *)(uintptr_t)a->told.fn);
    snapshot_fini(&a->s);
    free(a);
}
