/* The terminal as a whole: its screen (screen.h) and the signals that must restore it (crash.h). */
#include "ui/term/terminal.h"

#include "base/text.h"
#include "ui/term/crash.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool terminal_there(void)
{
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        return true;
    fprintf(stderr, "gmpscope: the screen needs a terminal on stdin and stdout; --headless runs without one\n");
    return false;
}

struct screen *terminal_take(const struct screen_config *cfg, int signal_fd)
{
    const char *why;
    if (!crash_begin(signal_fd)) {
        fprintf(stderr, "gmpscope: the terminal cannot be used: %s; --headless needs none\n", strerror(errno));
        return NULL;
    }
    struct screen *s = screen_open(cfg, &why);
    if (s)
        return s;
    int err = errno;
    crash_end();
    visible_line(stderr, "gmpscope: %s%s%s", why, err ? ": " : "", err ? strerror(err) : "");
    return NULL;
}

void terminal_give_back(struct screen *s)
{
    screen_close(s);
    crash_end();
}

void terminal_suspend(struct screen *s)
{
    screen_leave(s);
    kill(getpid(), SIGSTOP);
    screen_return(s);
}
