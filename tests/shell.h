/* The real program in a shell's command lines: what it writes, what it returns. */
#ifndef GMPSCOPE_TESTS_SHELL_H
#define GMPSCOPE_TESTS_SHELL_H

#include "t.h"
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#define HAS(text, part) \
    do { if (!strstr(text, part)) t_fail(__FILE__, __LINE__, "no \"%s\" in \"%s\"", part, text); } while (0)

struct result { int code; char out[60000], err[4000]; };

static void slurp(FILE *f, char *to, size_t size)
{
    CHECK(f);
    size_t n = fread(to, 1, size - 1, f);
    to[n] = '\0';
}

/* `command` in a shell, where gmpscope is this build's. */
static struct result *shell(const char *command)
{
    static struct result r;
    char line[2000], err[600];
    snprintf(err, sizeof err, "%s/err", t_tmpdir());
    snprintf(line, sizeof line, "exec 2>'%s'; gmpscope() { '%s' \"$@\"; }; %s", err, GMPSCOPE_BIN, command);
    FILE *p = popen(line, "r");
    slurp(p, r.out, sizeof r.out);
    int status = pclose(p);
    r.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    FILE *f = fopen(err, "r");
    slurp(f, r.err, sizeof r.err);
    fclose(f);
    return &r;
}

#endif
