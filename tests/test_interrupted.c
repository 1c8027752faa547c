/* Signals interrupt calls of the system: a call that returns EINTR is made again, so whatever is interrupted, the output is the same. */
#include "inject.h"
#include "shell.h"

#include <fcntl.h>
#include <unistd.h>

#define YAML SOURCE_DIR "/tests/scenarios/inject.yaml"

static const char *const calls[] = {"read", "write", "pread", "pwrite", "send", "recv", "epoll_wait", "poll", "waitpid", "nanosleep"};
enum { CALLS = sizeof calls / sizeof *calls };

static char *const commands[][12] = {
    {"run", YAML, "--headless", "--mode", "lockstep", "--events"},
    {"run", "net-echo", "--headless", "--events"},
    {"run", "net-echo", "--headless", "--generation", "go1.0"},
    {"check", YAML, "steal-half", "--audit"},
    {"lint", YAML, "classic"},
    {"list"},
    {"explore", "steal-half", "--seeds", "6", "--jobs", "2", "--tally", "count(g_end)", "--json"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* call NULL: none is interrupted. The counts say in the end how often it was. */
static struct result run_with(const char *call, char *const *command)
{
    static char preload[600], wish[60], path[600], asan[600];
    char *argv[32] = {(char *)"/usr/bin/timeout", (char *)"100", (char *)"env", preload, wish, path, asan, (char *)GMPSCOPE_BIN};
    int n = 8;
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", INJECT_SO);
    snprintf(wish, sizeof wish, "INJECT=%s:1:signal", call ? call : "none");
    snprintf(path, sizeof path, "INJECT_COUNTS=%s/counts", t_tmpdir());
    snprintf(asan, sizeof asan, "ASAN_OPTIONS=%s:verify_asan_link_order=0", getenv("ASAN_OPTIONS") ? getenv("ASAN_OPTIONS") : "");
    int fd = open(strchr(path, '=') + 1, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && ftruncate(fd, sizeof(struct inject_counts)) == 0);
    close(fd);
    for (; *command; command++)
        argv[n++] = *command;
    argv[n] = NULL;
    return run_argv(argv);
}

static uint32_t interrupted(void)
{
    struct inject_counts c;
    char path[600];
    snprintf(path, sizeof path, "%s/counts", t_tmpdir());
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    CHECK(fd >= 0 && read(fd, &c, sizeof c) == sizeof c);
    close(fd);
    return atomic_load_explicit(&c.failed, memory_order_relaxed); /* relaxed: the program has ended */
}

/* Ends the report before the times that depend on the machine. */
static char *steady(char *out)
{
    char *at = strstr(out, "\"wall_ns\":");
    if (at)
        *at = '\0';
    return out;
}

/* Interrupts each of the calls in turn. Adds to hits[] how often. */
static void check_command(int i, uint32_t hits[CALLS])
{
    struct result whole = run_with(NULL, commands[i]);
    steady(whole.out);
    for (int k = 0; k < CALLS; k++) {
        struct result r = run_with(calls[k], commands[i]);
        uint32_t n = interrupted();
        if (r.code != whole.code || strcmp(steady(r.out), whole.out) != 0)
            t_fail(__FILE__, __LINE__, "%s, %s: exit %d after %u interruptions: %s", commands[i][0], calls[k], r.code, n, r.err);
        hits[k] += n;
    }
}

TEST(interrupted_calls_are_made_again)
{
    uint32_t hits[CALLS] = {0}, hit = 0;
#if defined __SANITIZE_THREAD__ || (defined __clang__ && defined __has_feature)
    if (T_SANITIZED)
        t_skip("this sanitizer's runtime is part of the program: its functions cannot be replaced");
#endif
    for (int i = 0; i < COMMANDS; i++)
        check_command(i, hits);
    for (int k = 0; k < CALLS; k++) {
        printf("%s: interrupted %u times\n", calls[k], hits[k]);
        hit += hits[k] > 0;
    }
    CHECK(hit >= 5);
}
