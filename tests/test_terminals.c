/* Terminals of all kinds: none at all, one that cannot do it, unknown ones and old ones. */
#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

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
