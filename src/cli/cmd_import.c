/* gmpscope import: the execution trace of a real Go program, in the same screens as a run. */
#include "cli/foreign.h"

static int import(struct options *o)
{
    struct foreign f;
    if (o->nargs == 0)
        return usage_error("import needs a FILE that Go's tracer has written, or - for what comes through a pipe");
    if (o->nargs > 1)
        return usage_error("import takes one FILE, got %d; unexpected \"%s\"", o->nargs, o->args[1]);
    int code = foreign_trace(&f, o, true) ? foreign_run(&f) : 2;
    foreign_end(&f);
    return code;
}

int cmd_import(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_IMPORT, argc, argv))
        code = o.help ? command_help("import FILE|- [options]",
                                     "show the execution trace of a real Go program, or print it with --headless", CMD_IMPORT)
                      : import(&o);
    options_fini(&o);
    return code;
}
