/* gmpscope: prepares the process and runs the command. */
#include "cli/commands.h"
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define STACK_LEAST (256u << 10) /* twice what a screen needs without optimization */

/* Returns true if the stack limit is large enough. With less, the kernel kills the process in some function, by a signal that no handler
 * can catch. A stream without a buffer takes 8 KiB of stack, so the message is written without one. (Below about 12 KiB the kernel kills each
 * program before its first instruction: the dynamic linker needs as much.) */
static bool stack_suffices(void)
{
    struct rlimit r;
    char text[120];
    if (getrlimit(RLIMIT_STACK, &r) < 0 || r.rlim_cur >= STACK_LEAST)
        return true;
    int n = snprintf(text, sizeof text, "gmpscope: the stack limit is %lu KiB, but gmpscope needs at least %u KiB (ulimit -s)\n",
                     (unsigned long)(r.rlim_cur >> 10), STACK_LEAST >> 10);
    ssize_t written = write(STDERR_FILENO, text, (size_t)n);
    (void)written; /* there is no other place to report it */
    return false;
}

int main(int argc, char **argv)
{
    if (!stack_suffices())
        return 2;
    locale_start(); /* only the encoding: strtod must keep the decimal point, and system messages stay in English */
    /* If the reader of a pipe has gone, write() must fail instead of killing the process silently. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* the same for a file that may not grow any more */
    output_begin();
    return output_finish(dispatch(argc - 1, argv + 1), 0);
}
