/* The terminal as a whole: its screen (screen.h) and the signals that must restore it (crash.h). */
#include "ui/term/terminal.h"

#include "base/text.h"
#include "ui/term/crash.h"
#include "ui/text/texts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool terminal_there(void)
{
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        return true;
    fprintf(stderr, "gmpscope: the screen needs a terminal on stdin and stdout; gmpscope run needs none with --headless or --linear\n");
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

bool terminal_lacks(const struct screen *s, enum lang wanted, bool ascii_wanted, char *out, size_t size)
{
    enum lang lang = screen_ascii(s) ? LANG_EN : wanted;
    const char *instead = screen_instead(s), *term = getenv("TERM");
    int n = instead ? snprintf(out, size, tx(lang, TX_NOTE_TERM), term ? term : "", instead) : 0;
    if (lang != wanted && n >= 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n, "%s%s", instead ? "; " : "",
                 tx(lang, ascii_wanted ? TX_NOTE_ASCII_ENGLISH : TX_NOTE_LOCALE_ENGLISH));
    return instead || lang != wanted;
}

void terminal_give_back(struct screen *s)
{
    screen_close(s);
    crash_end();
}

void terminal_suspend(struct screen *s)
{
    screen_leave(s);
    crash_stop();
    screen_return(s);
}
