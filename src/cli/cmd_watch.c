/* gmpscope watch: a Go program of today, live, from its execution trace. */
#include "base/feed.h"
#include "cli/foreign.h"
#include "cli/watched.h"
#include <string.h>

/* Follows what the tracer writes. Returns the exit code; *over: the program has closed its trace, so it has ended, or is about to. */
static int follow(struct watched *w, struct options *o, bool *over)
{
    const char *slash = strrchr(o->args[0], '/');
    struct foreign f = {.o = o, .path = o->args[0], .feed = w->trace, .watched = true};
    bool none = false;
    while (!signals_code() && !feed_wait(w->trace, 0, 100))
        ;
    if (!signals_code())
        none = feed_size(w->trace, over) == 0;
    w->trace = NULL; /* f has it */
    if (none) {
        foreign_end(&f);
        return usage_error("%s: its tracer has written nothing before the program ended", o->args[0]);
    }
    if (!foreign_follow(&f, slash && slash[1] ? slash + 1 : o->args[0])) {
        *over = !signals_code(); /* what it has written ends before its first event */
        return *over ? 2 : signals_code();
    }
    int code = foreign_run(&f);
    feed_size(f.feed, over);
    foreign_end(&f);
    return code;
}

static int watch(struct options *o)
{
    struct watched w;
    bool over = false;
    if (o->nargs == 0)
        return usage_error("watch needs a Go program: watch -- main.go [ARG…]");
    signals_watch();
    bool started = watched_start(&w, o);
    if (!o->headless)
        foreign_keys(); /* the program has stdin */
    int code = started && !signals_code() ? follow(&w, o, &over) : signals_code() ? signals_code() : 2;
    feed_free(w.trace);
    int own = watched_end(&w, o, over && started);
    return code && !(code == 2 && own) ? code : own; /* a program that dies at once leaves no trace to show */
}

int cmd_watch(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_WATCH, argc, argv))
        code = o.help
                   ? command_help("watch [options] -- PROGRAM [ARG…]", "run a Go program with its tracer on, and show it live", CMD_WATCH)
                   : watch(&o);
    options_fini(&o);
    return code;
}
