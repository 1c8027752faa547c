/* Terminals of all kinds: none at all, one that cannot do it, unknown ones and old ones. */
#include "screen.h"
#include "ui/term/arrival.h"

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

enum { LINE_BYTES = 60, LINE_MS = 50, LINE_LOOKS = 100, DRAW_BYTES = 4000 }; /* 1200 bytes a second, for five seconds */

struct line {
    int master;
    pid_t pid;
    bool answers; /* ARRIVAL_QUESTION, too */
    char seen[65536];
    size_t n, at; /* at: up to where questions are answered */
};

static struct line *start_line(bool answers)
{
    static struct line l;
    const char *path = t_file(
        "endless.yaml",
        "name: endless\n"
        "scheduler: {gomaxprocs: 2}\n"
        "goroutines:\n"
        "  - name: main\n"
        "    do: [{go: other}, {loop: forever, do: [{compute: 2us}, {yield: 1}]}]\n"
        "  - {name: other, do: [{loop: forever, do: [{sleep: 10us}]}]}\n");
    const struct winsize size = {.ws_row = 24, .ws_col = 80};
    l = (struct line){.answers = answers};
    l.pid = forkpty(&l.master, NULL, NULL, &size);
    CHECK(l.pid >= 0);
    if (l.pid == 0) {
        setenv("TERM", "xterm-256color", 1);
        execl(GMPSCOPE_BIN, GMPSCOPE_BIN, "run", path, "--tempo", "max", "--lang", "en", (char *)NULL);
        _exit(127);
    }
    return &l;
}

static void end_line(struct line *l)
{
    kill(l->pid, SIGKILL);
    waitpid(l->pid, NULL, 0);
    close(l->master);
}

/* Reads up to `most` bytes, and answers as a terminal does. */
static void read_line(struct line *l, size_t most)
{
    static const char *const of[][2] = {{ARRIVAL_QUESTION, ARRIVAL_ANSWER}, {"\033[c", "\033[?1;2c"}};
    struct pollfd p = {l->master, POLLIN, 0};
    if (poll(&p, 1, LINE_MS) <= 0)
        return;
    size_t room = sizeof l->seen - 1 - l->n;
    ssize_t n = read(l->master, l->seen + l->n, room < most ? room : most);
    l->n += n > 0 ? (size_t)n : 0;
    for (; l->at < l->n; l->at++)
        for (int i = l->answers ? 0 : 1; i < 2; i++) {
            size_t len = strlen(of[i][0]), left = l->n - l->at;
            if (left < len && memcmp(l->seen + l->at, of[i][0], left) == 0)
                return; /* its end is still to come */
            if (left >= len && memcmp(l->seen + l->at, of[i][0], len) == 0)
                CHECK(write(l->master, of[i][1], strlen(of[i][1])) > 0);
        }
}

static void read_slowly(struct line *l)
{
    nanosleep(&(struct timespec){0, LINE_MS * 1000000L}, NULL);
    read_line(l, LINE_BYTES);
}

/* Returns how many bytes the line delivers until it has delivered the text. */
static size_t bytes_until(struct line *l, const char *text, void (*reads)(struct line *))
{
    size_t from = l->n;
    while (!memmem(l->seen + from, l->n - from, text, strlen(text)) && l->n < sizeof l->seen - 1)
        reads(l);
    return l->n - from;
}

/* A frame that has not arrived holds up the next one, so a pause is behind two frames at most, however long the run was fast. */
TEST(a_pause_is_seen_soon_on_a_slow_line)
{
    struct line *l = start_line(true);
    bytes_until(l, "\033[?2026l", read_slowly); /* the first frame has each cell */
    for (int i = 0; i < LINE_LOOKS; i++)
        read_slowly(l);
    CHECK(write(l->master, " ", 1) == 1);
    size_t behind = bytes_until(l, "PAUSED", read_slowly);
    end_line(l);
    if (behind > DRAW_BYTES)
        t_fail(__FILE__, __LINE__, "the pause is behind %zu bytes", behind);
}

static void read_fast(struct line *l)
{
    read_line(l, sizeof l->seen);
}

/* A terminal that leaves the first question without an answer gets no other, and nothing waits for it. */
TEST(a_terminal_that_does_not_answer_is_not_waited_for)
{
    struct line *l = start_line(false);
    int asked = 0;
    bytes_until(l, "RUNNING", read_fast);
    for (int i = 0; i < 20; i++)
        read_fast(l);
    CHECK(write(l->master, " ", 1) == 1);
    bytes_until(l, "PAUSED", read_fast);
    for (const char *at = l->seen; (at = memmem(at, (size_t)(l->seen + l->n - at), ARRIVAL_QUESTION, strlen(ARRIVAL_QUESTION))); at++)
        asked++;
    end_line(l);
    CHECK_INT(asked, 1);
}

TEST(only_a_slow_line_is_asked_for_each_frame)
{
    struct arrival a = {0};
    arrival_asked(&a, 1000);
    CHECK(!arrival_asks(&a, 0) && !arrival_behind(&a, 5000)); /* it may not answer at all */
    arrival_answered(&a, 1600);                               /* a far one */
    CHECK(arrival_asks(&a, 0));
    arrival_asked(&a, 2000);
    CHECK(!arrival_asks(&a, 0)); /* one question at a time */
    CHECK(arrival_behind(&a, 2000) && arrival_awaited(&a));
    struct arrival slow = a;
    arrival_answered(&a, 2700);
    CHECK(!arrival_asks(&a, 100));
    CHECK(arrival_asks(&a, 300)); /* the write was blocked */
    arrival_answered(&slow, 2900);
    CHECK(arrival_asks(&slow, 0) && !arrival_behind(&slow, 2900));
    arrival_asked(&slow, 3000);
    CHECK(arrival_behind(&slow, 3000));
    CHECK(!arrival_behind(&slow, 14000)); /* it answers no more */
    CHECK(!arrival_asks(&slow, 300) && !arrival_awaited(&slow));
    arrival_answered(&slow, 15000); /* it does */
    CHECK(arrival_asks(&slow, 0));
}
