/* What the tests of gmpscope attach share: the programs of tests/go/attach, and the real gmpscope that attaches to them. */
#ifndef GMPSCOPE_TESTS_ATTACHING_H
#define GMPSCOPE_TESTS_ATTACHING_H

#include "base/wall.h"
#include "shell.h"

#include <sys/stat.h>
#include <time.h>

static inline void moment(long ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* --- the programs ------------------------------------------------------------------------------------------------------------------ */

static const struct build {
    const char *name, *how; /* of go build */
} builds[] = {
    {"plain", "env CGO_ENABLED=1 go build"},
    {"stripped", "env CGO_ENABLED=0 go build -trimpath -ldflags='-s -w'"},
    {"cgo", "env CGO_ENABLED=1 go build -ldflags='-s -w'"},
    {"pie", "env CGO_ENABLED=0 go build -buildmode=pie -ldflags='-s -w'"},
};
enum { PLAIN, STRIPPED, CGO, PIE, BUILDS };

static inline const char *built(const struct build *b)
{
    char line[2000], *path = keep(600);
    snprintf(path, 600, "%s/%s", t_tmpdir(), b->name);
    snprintf(line, sizeof line, "%s -o '%s' '%s/tests/go/attach/main.go'", b->how, path, SOURCE_DIR);
    struct result *r = shell(line);
    if (r->code != 0)
        t_fail(__FILE__, __LINE__, "%s: %s", b->how, r->err);
    return path;
}

struct running {
    pid_t pid;
    const char *out, *err;
};

static inline bool has_in(const char *path, const char *text)
{
    struct stat st;
    return stat(path, &st) == 0 && strstr(slurp(path, NULL), text);
}

static inline void wait_for(const char *path, const char *text)
{
    for (int64_t until = wall_ms() + 100000; wall_ms() < until; moment(20))
        if (has_in(path, text))
            return;
    t_fail(__FILE__, __LINE__, "no \"%s\" in %s", text, path);
}

static inline struct running starts(const char *path, const char *mode, const char *arg)
{
    char *out = keep(600), *err = keep(600);
    struct running r = {.out = out, .err = err};
    snprintf(out, 600, "%s/%s.out", t_tmpdir(), mode);
    snprintf(err, 600, "%s/%s.err", t_tmpdir(), mode);
    r.pid = program_start((char *[]){(char *)path, (char *)mode, (char *)arg, NULL}, out, err);
    return r;
}

static inline void end(struct running *r)
{
    kill(r->pid, SIGKILL);
    CHECK_INT(program_end(r->pid), 1000 + SIGKILL);
}

static inline char *number(long n)
{
    char *s = keep(24);
    snprintf(s, 24, "%ld", n);
    return s;
}

#define ATTACH(pid, ...) RUN("attach", number(pid), "--headless", ##__VA_ARGS__)

static inline void need_ptrace(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        moment(60000);
        _exit(0);
    }
    struct result r = ATTACH(pid);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    if (strstr(r.err, "ptrace_scope"))
        t_skip("kernel.yama.ptrace_scope forbids it");
    if (strstr(r.err, "forbids ptrace"))
        t_skip("this container forbids ptrace");
}

#endif
