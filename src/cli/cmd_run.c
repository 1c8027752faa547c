/* gmpscope run: one scenario, with or without a screen. */
#include "cli/commands.h"
#include "cli/tour.h"
#include "engine/shipped.h"
#include <string.h>

bool command_fix(struct scenario *sc, const struct options *o, char *err, size_t size)
{
    for (uint32_t i = 0; i < o->nvary; i++)
        if (!scenario_fix(sc, o->vary[i], err, size))
            return false;
    return !o->nvary || scenario_drawn(sc, o->seed, err, size);
}

struct scenario *command_scenario(struct options *o, const char *arg)
{
    struct diag d;
    char err[200];
    const char *path = shipped_find(&o->arena, "scenarios", arg);
    if (!path)
        return NULL;
    diag_init(&d, path);
    struct scenario *sc = scenario_load_with(path, &compare_settings, &d);
    if (!sc)
        diag_print(&d, stderr);
    diag_fini(&d);
    if (sc)
        scenario_called(sc, arg);
    if (!sc || command_fix(sc, o, err, sizeof err))
        return sc;
    usage_error("--vary: %s", err);
    scenario_free(sc);
    return NULL;
}

enum rt_generation command_generation(const struct scenario *sc, const struct options *o)
{
    return o->has_generation ? o->generation : scenario_info(sc)->generation;
}

/* Returns false if the options need something that the generation lacks, and writes the first such thing to `why`. */
static bool options_fit(enum rt_generation gen, const struct options *o, char *why, size_t size)
{
    size_t pos;
    for (int i = 0; i < DIS_COUNT; i++)
        if (o->disable >> i & 1 && !rt_generation_has(gen, (enum rt_disable)i)) {
            snprintf(why, size, "--disable: %s has no %s", generation_name[gen], rt_disable_name[i]);
            return false;
        }
    for (uint32_t i = 0; i < o->nbreaks; i++)
        if (!rt_generation_has_p(gen) && !o->other_has_p && pattern_asks_for_p(o->breaks[i].pattern, &pos)) {
            snprintf(why, size, "--break: \"%s\": column %zu: %s has no P", o->breaks[i].text, pos + 1, generation_name[gen]);
            return false;
        }
    return true;
}

bool command_is_for(const struct scenario *sc, const struct options *o, enum rt_generation gen, bool *lacks, char *why, size_t size)
{
    struct diag d;
    diag_init(&d, scenario_info(sc)->path);
    bool fits = scenario_fits(sc, gen, &d);
    *lacks = d.lack;
    if (!fits)
        snprintf(why, size, "%s", d.lack ? strerror(d.lack) : d.item[0].text);
    diag_fini(&d);
    return fits && options_fit(gen, o, why, size);
}

bool command_fits(const struct scenario *sc, const struct options *o)
{
    struct diag d;
    char why[300] = "";
    diag_init(&d, scenario_info(sc)->path);
    bool fits = scenario_fits(sc, command_generation(sc, o), &d);
    if (!fits)
        diag_print(&d, stderr);
    diag_fini(&d);
    if (!fits || options_fit(command_generation(sc, o), o, why, sizeof why))
        return fits;
    usage_error("%s", why);
    return false;
}

struct engine_config command_engine(const struct scenario *sc, const struct options *o)
{
    struct engine_config c = {
        .scenario = sc,
        .rt = scenario_config(sc),
        .breaks = o->breaks,
        .nbreaks = o->nbreaks,
        .lang = o->lang,
        .other_has_p = o->other_has_p};
    if (o->has_mode)
        c.rt.mode = o->mode;
    if (o->has_generation)
        c.rt.generation = o->generation;
    if (o->has_seed)
        c.rt.seed = o->seed;
    if (o->procs)
        c.rt.gomaxprocs = o->procs;
    c.procs_asked = o->procs;
    if (o->memory)
        c.rt.memory = o->memory;
    c.rt.fine = o->fine;
    c.strict = o->strict;
    c.speed = o->speed;
    c.audit = o->audit;
    c.rt.disable = (c.rt.disable | o->disable) & ~o->enable;
    c.rt.choices = o->choices.n ? &o->choices : NULL;
    c.limit_asked = o->limit >= 0 || o->max_events;
    c.limit = o->limit >= 0 ? o->limit : INT64_MAX;
    c.max_events = o->max_events ? o->max_events : UINT64_MAX;
    engine_draw(&c, (char[200]){""}, 200); /* engine_new() reports a failure */
    return c;
}

const char *command_unbound(const struct scenario *sc, struct options *o)
{
    const char *err = NULL;
    size_t pos = 0;
    for (uint32_t i = 0; i < o->nbreaks; i++)
        if (!pattern_bind(o->breaks[i].pattern, &o->arena, &scenario_info(sc)->programs, &err, &pos))
            return arena_printf(&o->arena, "--break: \"%s\": column %zu: %s", o->breaks[i].text, pos + 1, err);
    return NULL;
}

bool command_binds(const struct scenario *sc, struct options *o)
{
    const char *why = command_unbound(sc, o);
    if (why)
        usage_error("%s", why);
    return !why;
}

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
    if (o->strict && !command_engine(sc, o).rt.disable)
        usage_error("--strict has no effect here: nothing is disabled (--disable)");
}

static bool choices_fit(const struct scenario *sc, const struct options *o)
{
    if (!o->choices.n || command_engine(sc, o).rt.mode == MODE_LOCKSTEP)
        return true;
    usage_error("--choices needs --mode lockstep: a free run cannot be repeated");
    return false;
}

static bool lesson_fits(const struct scenario *sc, const struct options *o)
{
    if (!o->lesson || o->headless || scenario_info(sc)->nlesson)
        return true;
    usage_error("%s has no lesson; gmpscope list --topics shows which have one", scenario_info(sc)->name);
    return false;
}

/* command: "run" or "lesson", for messages. */
static int run_one(struct options *o, const char *command)
{
    if (o->nargs == 0)
        return usage_error("%s needs a FILE or NAME; gmpscope list shows them", command);
    if (o->nargs > 1)
        return usage_error("%s takes one FILE or NAME, got %d; unexpected \"%s\"", command, o->nargs, o->args[1]);
    struct scenario *sc = command_scenario(o, o->args[0]);
    if (!sc)
        return 2;
    bool program;
    bool good = command_fits(sc, o) && command_binds(sc, o) && procs_fit(sc, o) && choices_fit(sc, o) && lesson_fits(sc, o) &&
                (!o->layout || command_layout(&o->arena, o, &program));
    if (good)
        warn_useless_strict(sc, o);
    int code = !good ? 2 : o->headless ? run_headless(sc, o) : run_live(sc, o);
    if (good && o->headless && o->picture) { /* the same run once more, in addition to its output */
        int written = run_picture(sc, o);
        code = written ? written : code;
    }
    scenario_free(sc);
    return code;
}

int cmd_run_from(struct front *front, int argc, char **argv)
{
    struct options o;
    int code = 2;
    bool parsed = options_parse(&o, CMD_RUN, argc, argv);
    o.front = front;
    if (parsed)
        code = o.help ? command_help("run FILE|NAME [options]", "run a scenario live in the terminal, or with --headless", CMD_RUN)
                      : run_one(&o, "run");
    options_fini(&o);
    return code;
}

int cmd_run(int argc, char **argv)
{
    return cmd_run_from(NULL, argc, argv);
}

int cmd_run_tour(const struct tour_look *look, int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_RUN, argc, argv)) {
        tour_look_at(&o, look);
        code = run_one(&o, "run");
    }
    options_fini(&o);
    return code;
}

static int play_lesson(struct options *o)
{
    if (!o->tour)
        return run_one(o, "lesson");
    return o->nargs ? usage_error("--tour takes no NAME; unexpected \"%s\"", o->args[0]) : tour(o);
}

int cmd_demo(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_DEMO, argc, argv))
        code = o.help    ? command_help("demo [options]", "watch the most striking two minutes; any key pauses, q ends", CMD_DEMO)
               : o.nargs ? usage_error("demo takes no NAME; unexpected \"%s\"", o.args[0])
                         : tour(&o);
    options_fini(&o);
    return code;
}

int cmd_lesson(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_LESSON, argc, argv))
        code = o.help ? command_help("lesson FILE|NAME [options]", "play a lesson in the terminal", CMD_LESSON) : play_lesson(&o);
    options_fini(&o);
    return code;
}
