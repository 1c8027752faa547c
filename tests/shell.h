/* The real program, run as a user runs it, without a terminal (screen.h has one): its output and its exit code. */
#ifndef GMPSCOPE_TESTS_SHELL_H
#define GMPSCOPE_TESTS_SHELL_H

#include "t.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define HAS(text, part) \
    do { \
        if (!strstr(text, part)) \
            t_fail(__FILE__, __LINE__, "no \"%s\" in \"%s\"", part, text); \
    } while (0)

/* The texts live as long as their test. */
struct result {
    int code;
    char *out, *err;
    size_t nout;
};

struct kept_text {
    struct kept_text *next;
    char text[];
};
static struct kept_text *kept_texts;

static inline char *keep(size_t size)
{
    struct kept_text *k = calloc(1, sizeof *k + size);
    CHECK(k);
    k->next = kept_texts;
    kept_texts = k;
    return k->text;
}

static inline char *slurp(const char *path, size_t *len)
{
    FILE *f = fopen(path, "r");
    CHECK(f);
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    rewind(f);
    char *s = keep((size_t)n + 1);
    CHECK(fread(s, 1, (size_t)n, f) == (size_t)n);
    fclose(f);
    if (len)
        *len = (size_t)n;
    return s;
}

/* Returns the path of a file in the test's folder. The last four paths stay valid. */
static inline const char *in_tmp(const char *name)
{
    static char path[4][512];
    static int i;
    char *p = path[i++ & 3];
    snprintf(p, sizeof path[0], "%s/%s", t_tmpdir(), name);
    return p;
}

static inline pid_t program_start(char **argv, const char *out, const char *err)
{
    posix_spawn_file_actions_t fa;
    pid_t pid;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&fa, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&fa, 2, err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK_INT(posix_spawn(&pid, argv[0], &fa, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&fa);
    return pid;
}

/* Returns the exit code, or 1000 + the signal. */
static inline int program_end(pid_t pid)
{
    int status;
    CHECK(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static inline struct result run_argv(char **argv)
{
    struct result r;
    const char *out = in_tmp("out"), *err = in_tmp("err");
    r.code = program_end(program_start(argv, out, err));
    r.out = slurp(out, &r.nout);
    r.err = slurp(err, NULL);
    return r;
}

/* Takes the arguments, without a final NULL. */
#define RUN(...) run_argv((char *[]){(char *)GMPSCOPE_BIN, __VA_ARGS__, NULL})
#define HEADLESS(file, ...) RUN("run", (char *)(file), "--headless", ##__VA_ARGS__)

/* Runs a command line in a shell, where gmpscope is this build's. The struct is valid until the next call. */
static inline struct result *shell(const char *command)
{
    static struct result r;
    char line[8192];
    CHECK((size_t)snprintf(line, sizeof line, "gmpscope() { '%s' \"$@\"; }; %s", GMPSCOPE_BIN, command) < sizeof line);
    r = run_argv((char *[]){"/bin/bash", "-c", line, NULL});
    return &r;
}

static inline int lines(const char *s)
{
    int n = 0;
    for (; *s; s++)
        n += *s == '\n';
    return n;
}

static inline const char *last_line(const struct result *r)
{
    const char *at = r->out + (r->nout ? r->nout - 1 : 0);
    while (at > r->out && at[-1] != '\n')
        at--;
    return at;
}

/* A small strict JSON reader: libyaml accepts more than JSON, and python3 may be missing. */
static inline const char *json_value(const char *s);

static inline const char *json_text(const char *s)
{
    if (!s || *s++ != '"')
        return NULL;
    for (; *s != '"'; s++) {
        if ((unsigned char)*s < 0x20)
            return NULL;
        if (*s == '\\' && !strchr("\"\\/bfnrtu", *++s))
            return NULL;
    }
    return s + 1;
}

static inline const char *json_list(const char *s, char end, bool keys)
{
    for (s++; *s != end;) {
        if (keys && (!(s = json_text(s)) || *s++ != ':'))
            return NULL;
        if (!(s = json_value(s)) || (*s != ',' && *s != end))
            return NULL;
        if (*s == ',' && *++s == end)
            return NULL;
    }
    return s + 1;
}

static inline const char *json_value(const char *s)
{
    char *end;
    for (int i = 0; i < 2; i++)
        if (!strncmp(s, i ? "true" : "false", i ? 4 : 5))
            return s + (i ? 4 : 5);
    switch (*s) {
    case '"':
        return json_text(s);
    case '{':
        return json_list(s, '}', true);
    case '[':
        return json_list(s, ']', false);
    }
    strtoll(s, &end, 10);
    return end == s ? NULL : end;
}

/* Returns the number after "key": in a summary. */
static inline long long json_int(const char *out, const char *key)
{
    char name[80];
    snprintf(name, sizeof name, "\"%s\":", key);
    HAS(out, name);
    return strtoll(strstr(out, name) + strlen(name), NULL, 10);
}

/* Ends the test as skipped where no Go is installed. */
static inline void need_go(void)
{
    if (shell("go version")->code != 0)
        t_skip("Go is not installed");
}

#endif
