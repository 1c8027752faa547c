/* gmpscope replay: a recorded run, shown again. */
#include "cli/foreign.h"
#include "engine/source_file.h"

static int replay(const struct started_from *from, struct options *asked, int argc, char **argv)
{
    struct options o;
    if (asked->nargs == 0)
        return usage_error("replay needs a FILE that run --record FILE has written");
    if (asked->nargs > 1)
        return usage_error("replay takes one FILE, got %d; unexpected \"%s\"", asked->nargs, asked->args[1]);
    struct foreign f = {.o = asked, .open = source_file, .from = asked->args[0], .path = asked->args[0]};
    if (command_foreign(&f))
        return foreign_run(&f);
    struct scenario *sc = command_recording(asked, 0, CMD_REPLAY, argc, argv, &o);
    command_started(&o, from);
    int code = sc ? run_loaded(sc, &o) : 2;
    scenario_free(sc);
    options_fini(&o);
    return code;
}

int cmd_replay(const struct started_from *from, int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_REPLAY, argc, argv))
        code = o.help ? command_help("replay FILE [options]", "show a recorded run, or print it with --headless", CMD_REPLAY)
                      : replay(from, &o, argc, argv);
    options_fini(&o);
    return code;
}
