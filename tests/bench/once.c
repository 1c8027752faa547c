/* Runs a program once and prints what it took: wall time and CPU time in ms, and the peak resident size in KiB.
 *
 *   bench_once COMMAND...          its stdout goes to stderr
 *   bench_once --screen COMMAND... on a pty of 200x60 that is read all the time and says what it is; wall time up to the
 *                                  first frame that shows the end of the run, then `q`; on stderr the CPU time of the
 *                                  screen's thread up to that frame
 *
 * CPU time includes all children of the program. */
#include "bench/common.h"
#include <poll.h>
#include <pty.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define END_TEXT "ENDED" /* the status line's, in one colour, so it is sent as one text */

static void run(char **command)
{
    execvp(*command, command);
    perror(*command);
    _exit(127);
}

static pid_t start(char **command)
{
    pid_t pid = fork();
    if (pid == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        run(command);
    }
    return pid;
}

static pid_t start_on_screen(char **command, int *terminal)
{
    struct winsize ws = {.ws_row = 60, .ws_col = 200};
    pid_t pid = forkpty(terminal, NULL, NULL, &ws);
    if (pid == 0) {
        setenv("TERM", "xterm-256color", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        run(command);
    }
    return pid;
}

static bool has(const char *text, size_t n, const char *what)
{
    return memmem(text, n, what, strlen(what));
}

/* On stderr: what the first thread of the process, the screen's, has taken so far. */
static void print_screen_thread(pid_t pid)
{
    char name[64];
    long long ns;
    snprintf(name, sizeof name, "/proc/%d/task/%d/schedstat", (int)pid, (int)pid);
    FILE *f = fopen(name, "re");
    if (f && fscanf(f, "%lld", &ns) == 1)
        fprintf(stderr, "the screen's thread: %.1f ms of CPU time\n", (double)ns / 1e6);
    if (f)
        fclose(f);
}

/* Reads the terminal until the program closes it. Returns when the end of the run was shown; 0: it never was. */
static int64_t read_screen(pid_t pid, int terminal)
{
    char text[65536 + sizeof END_TEXT];
    size_t kept = 0;
    int64_t ended = 0;
    bool answered = false;
    ssize_t n;
    while ((n = read(terminal, text + kept, 65536)) > 0) {
        size_t all = kept + (size_t)n;
        if (!answered && has(text, all, TERMINAL_QUESTION))
            answered = write(terminal, TERMINAL_ANSWER, strlen(TERMINAL_ANSWER)) == (ssize_t)strlen(TERMINAL_ANSWER);
        if (!ended && has(text, all, END_TEXT)) {
            ended = clock_ns(CLOCK_MONOTONIC);
            print_screen_thread(pid);
            if (write(terminal, "q", 1) != 1)
                return 0;
        }
        kept = all < sizeof END_TEXT ? all : sizeof END_TEXT;
        memmove(text, text + all - kept, kept);
    }
    return ended;
}

static double ms(struct timeval t)
{
    return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

int main(int argc, char **argv)
{
    bool screen = argc > 2 && !strcmp(argv[1], "--screen");
    int terminal = -1, status = 0;
    struct rusage used;
    if (argc < 2) {
        fprintf(stderr, "bench_once [--screen] COMMAND...\n");
        return 2;
    }
    int64_t began = clock_ns(CLOCK_MONOTONIC), ended = 0;
    pid_t pid = screen ? start_on_screen(argv + 2, &terminal) : start(argv + 1);
    if (pid > 0 && screen)
        ended = read_screen(pid, terminal);
    if (pid < 0 || wait4(pid, &status, 0, &used) < 0) {
        perror("bench_once");
        return 1;
    }
    if (!screen)
        ended = clock_ns(CLOCK_MONOTONIC);
    if (!ended)
        fprintf(stderr, "bench_once: the screen never showed \"%s\"\n", END_TEXT);
    else
        printf("%.3f %.3f %ld\n", (double)(ended - began) / 1e6, ms(used.ru_utime) + ms(used.ru_stime), used.ru_maxrss);
    return ended && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
