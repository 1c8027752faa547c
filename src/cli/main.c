/* gmpscope: the table of commands, and nothing else. */
#include "cli/commands.h"
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>

#define STACK_LEAST (64u << 10)

/* True if the stack limit is large enough. With less the kernel kills the process in some function, by a signal that no handler can catch. */
static bool stack_suffices(void)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_STACK, &r) < 0 || r.rlim_cur >= STACK_LEAST)
        return true;
    fprintf(stderr, "gmpscope: the limit of the stack is %lu KiB; at least %u KiB are needed (ulimit -s)\n", (unsigned long)(r.rlim_cur >> 10),
            STACK_LEAST >> 10);
    return false;
}

int main(int argc, char **argv)
{
    if (!stack_suffices())
        return 2;
    /* Only how bytes are letters: numbers keep their point (strtod), messages their language. */
    setlocale(LC_CTYPE, "");
    /* A reader that has left is an error of write(), not a death without a word. */
    signal(SIGPIPE, SIG_IGN);
    output_begin();
    return output_finish(dispatch(argc - 1, argv + 1), 0);
}
