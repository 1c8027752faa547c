/* Terminals of all kinds: none at all, one that cannot do it, unknown ones and old ones. */
#include "screen.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Runs it without a terminal at fd 0 or 1. */
static int run_without_tty(const char *redirect)
{
    char command[1024];
    snprintf(command, sizeof command, "'%s' run steal-half %s >'%s/out' 2>'%s/err'", GMPSCOPE_BIN, redirect, t_tmpdir(), t_tmpdir());
    int status = system(command);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(no_terminal_is_refused)
{
    CHECK_INT(run_without_tty("</dev/null"), 2);
    char path[512], text[512] = "";
    snprintf(path, sizeof path, "%s/err", t_tmpdir());
    FILE *f = fopen(path, "r");
    CHECK(f != NULL && fgets(text, sizeof text, f) != NULL);
    CHECK(strncmp(text, "gmpscope: ", 10) == 0);
    CHECK(strstr(text, "--headless") != NULL);
    CHECK(fgets(text, sizeof text, f) == NULL);
    fclose(f);
}

/* With the smallest stack that is accepted, which is the stack of each thread, too. */
TEST(a_small_stack_is_enough_for_a_screen)
{
    static const char *const commands[] = {"run steal-half", "lesson steal-half", "compare steal-half --right procs=1", ""};
    if (T_SANITIZED)
        t_skip("a sanitizer needs more");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[1024];
        snprintf(line, sizeof line, "ulimit -s 256; exec '%s' %s", GMPSCOPE_BIN, commands[i]);
        struct term *t = term_start(50, 160, NULL, (const char *const[]){"/bin/sh", "-c", line, NULL});
        term_wait(t, "quit");
        quit(t);
    }
}

TEST(a_useless_terminal_is_refused)
{
    static const char *const compare[] = {GMPSCOPE_BIN, "compare", "steal-half", "first-spawn", NULL};
    struct term *t = term_start(24, 80, (const char *const[]){"TERM=dumb", NULL}, compare);
    CHECK_INT(term_wait_exit(t), 2);
    CHECK(term_shows(t, "cannot move its cursor"));
    CHECK(term_shows(t, "run NAME --linear"));
    term_check_sane(t);
    term_free(t);
}

TEST(an_unknown_terminal_is_taken_for_a_known_one)
{
    static const char *const env[][2] = {{"TERM", NULL}, {"TERM=no-such-terminal", NULL}};
    for (int i = 0; i < 2; i++) {
        struct term *t = term_start(40, 120, env[i], STEAL_HALF());
        term_wait(t, "event ");
        CHECK(term_shows(t, i ? "\"no-such-terminal\" is unknown here; xterm is used instead" : "xterm is used instead"));
        quit(t);
    }
    struct term *t = term_start(40, 120, (const char *const[]){"TERM=no-such-256color", NULL}, STEAL_HALF());
    term_wait(t, "xterm-256color is used instead");
    quit(t);
}

/* On a Linux console ncurses loads libgpm, which leaks, so it is not tested here. */
TEST(other_terminals_work)
{
    static const char *const env[][3] = {{"TERM=xterm", NULL}, {"TERM=vt100", NULL}, {"TERM=linux", "NCURSES_GPM_TERMS=none", NULL},
                                         {"LC_ALL=C", NULL},   {"NO_COLOR=1", NULL}, {"LC_ALL", "LANG", NULL}};
    for (size_t i = 0; i < sizeof env / sizeof *env; i++) {
        struct term *t = term_start(40, 120, env[i], STEAL_HALF());
        term_wait(t, "Threads");
        wait_past(t, 1);
        quit(t);
    }
}

/* The last row of the picture would stand behind the shell's prompt. */
TEST(a_terminal_with_one_screen_keeps_the_picture_and_an_empty_last_row)
{
    struct term *t = term_start(24, 80, (const char *const[]){"TERM=vt100", NULL}, STEAL_HALF("--tempo", "max"));
    term_wait(t, "ENDED");
    term_wait(t, "r restart");
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    CHECK(term_shows(t, "What happened"));
    CHECK(!term_shows(t, "r restart"));
    term_check_sane(t);
    term_free(t);
}

/* ---- a slow line ---- */

enum { LINE_BYTES = 60, LINE_MS = 50, LINE_LOOKS = 100 }; /* 1200 bytes a second, for five seconds */

struct slow_line {
    int master;
    long bytes;
    char seen[65536];
    size_t n, answered;
};

/* Reads what the line lets through, and answers as a terminal does. */
static void read_slowly(struct slow_line *l)
{
    const struct timespec pause = {0, LINE_MS * 1000000L};
    struct pollfd p = {l->master, POLLIN, 0};
    nanosleep(&pause, NULL);
    if (poll(&p, 1, 0) <= 0)
        return;
    size_t room = sizeof l->seen - 1 - l->n;
    ssize_t n = read(l->master, l->seen + l->n, room < LINE_BYTES ? room : LINE_BYTES);
    l->n += n > 0 ? (size_t)n : 0;
    l->seen[l->n] = '\0';
    for (const char *at; (at = strstr(l->seen + l->answered, "\033[5n")) || (at = strstr(l->seen + l->answered, "\033[c"));) {
        const char *answer = at[2] == 'c' ? "\033[?1;2c" : "\033[0n";
        CHECK(write(l->master, answer, strlen(answer)) > 0);
        l->answered = (size_t)(at - l->seen) + 3;
    }
}

/* Frames that have not arrived hold up the next ones, so a pause is behind two frames at most, however long the run was fast. */
TEST(a_pause_is_seen_soon_on_a_slow_line)
{
    const char *path = t_file(
        "million.yaml",
        "name: million\n"
        "scheduler: {gomaxprocs: 4}\n"
        "waitgroups: [wg]\n"
        "goroutines:\n"
        "  - name: main\n"
        "    do: [{loop: 1000, do: [{add: wg, n: 1000}, {go: worker, count: 1000}, {wait: wg}]}]\n"
        "  - {name: worker, do: [{done: wg}]}\n");
    static struct slow_line l;
    const struct winsize size = {.ws_row = 24, .ws_col = 80};
    pid_t pid = forkpty(&l.master, NULL, NULL, &size);
    CHECK(pid >= 0);
    if (pid == 0) {
        setenv("TERM", "xterm-256color", 1);
        execl(GMPSCOPE_BIN, GMPSCOPE_BIN, "run", path, "--tempo", "max", "--lang", "en", (char *)NULL);
        _exit(127);
    }
    for (int i = 0; i < LINE_LOOKS; i++)
        read_slowly(&l);
    CHECK(write(l.master, " ", 1) == 1);
    size_t pressed = l.n;
    while (!strstr(l.seen + pressed, "PAUSED") && l.n < sizeof l.seen - 1)
        read_slowly(&l);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    close(l.master);
    if (l.n - pressed > 6000)
        t_fail(__FILE__, __LINE__, "the pause is behind %zu bytes", l.n - pressed);
}
