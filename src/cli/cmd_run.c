/* gmpscope run: one scenario, with or without a screen. */
#include "cli/commands.h"
#include <string.h>

/* Rejects a breakpoint on a P that never exists. The scenario's `gomaxprocs` operations may raise the number of Ps later. */
static bool procs_fit(const struct scenario *sc, const struct options *o)
{
    uint32_t procs = command_engine(sc, o).rt.gomaxprocs, later = scenario_info(sc)->op_procs;
    for (uint32_t i = 0; i < o->nbreaks; i++) {
        int64_t p = pattern_names_p(o->breaks[i].pattern);
        if (p < (procs > later ? procs : later))
            continue;
        usage_error("--break: \"%s\": P%lld does not exist; GOMAXPROCS is at most %u", o->breaks[i].text, (long long)p,
                    procs > later ? procs : later);
        return false;
    }
    return true;
}

static void warn_useless_strict(const struct scenario *sc, const struct options *o)
{
    const struct rt_config rt = command_engine(sc, o).rt, own = scenario_config(sc);
    if (o->strict && !scenario_info(sc)->go_file && !rt_disabled(&rt) && rt_same_rules(&rt, &own) && rt_same_boot(&rt, &own))
        usage_error("--strict has no effect here: nothing is disabled (--disable), and there is no --policy");
}

static bool choices_fit(const struct scenario *sc, const struct options *o)
{
    if (!o->choices.n || command_engine(sc, o).rt.mode == MODE_LOCKSTEP)
        return true;
    usage_error("--choices needs --mode lockstep: a free run cannot be repeated");
    return false;
}

int run_parsed(struct options *o, const char *command)
{
    if (o->nargs == 0)
        return usage_error("%s needs a FILE or NAME; gmpscope list shows them", command);
    if (o->nargs > 1)
        return usage_error("%s takes one FILE or NAME, got %d; unexpected \"%s\"", command, o->nargs, o->args[1]);
    struct scenario *sc = command_scenario(o, o->args[0]);
    int code = sc ? run_loaded(sc, o) : 2;
    scenario_free(sc);
    return code;
}

int run_loaded(struct scenario *sc, struct options *o)
{
    bool program;
    bool good = command_fits(sc, o) && command_binds(sc, o) && procs_fit(sc, o) && choices_fit(sc, o) &&
                (!o->lesson || o->headless || command_has_lesson(sc)) && (!o->layout || command_layout(&o->arena, NULL, o, &program));
    if (good)
        warn_useless_strict(sc, o);
    int code = !good ? 2 : o->headless ? run_headless(sc, o) : run_live(sc, o);
    if (good && o->headless && o->picture) { /* the same run once more, in addition to its output */
        int written = run_picture(sc, o);
        code = written ? written : code;
    }
    return code;
}

int cmd_run(const struct started_from *from, int argc, char **argv)
{
    struct options o;
    int code = 2;
    bool parsed = options_parse(&o, CMD_RUN, argc, argv);
    command_started(&o, from);
    if (parsed)
        code = o.help ? command_help("run FILE|NAME [options]", "run a scenario live in the terminal, or with --headless", CMD_RUN)
                      : run_parsed(&o, "run");
    options_fini(&o);
    return code;
}
