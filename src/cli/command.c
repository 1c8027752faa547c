/* What commands share: from options and a scenario to the configuration of a run. No function here needs a command. */
#include "cli/foreign.h"
#include "cli/repro_command.h"
#include "engine/shipped.h"
#include "engine/source_file.h"
#include "trace/go/go_trace.h"
#include "ui/panes/pane.h"
#include <errno.h>
#include <string.h>

#define DEFAULT_LIMIT INT64_C(10000000000)
#define DEFAULT_MAX_EVENTS UINT64_C(10000000)

static const struct command_row rows[] = {
#define COMMAND(name, usage, what, bit, function) {name, usage, what, bit},
#define SCREEN_COMMAND COMMAND
#include "cli/commands.def"
#undef COMMAND
#undef SCREEN_COMMAND
};

const struct command_row *command_row(size_t i)
{
    return i < sizeof rows / sizeof *rows ? &rows[i] : NULL;
}

bool command_fix(struct scenario *sc, const struct options *o, char *err, size_t size)
{
    for (uint32_t i = 0; i < o->nvary; i++)
        if (!scenario_fix(sc, o->vary[i], err, size))
            return false;
    return !o->nvary || scenario_drawn(sc, o->seed, err, size);
}

static void print_notes(const char *lines)
{
    for (size_t n; *(lines += strspn(lines, "\n")); lines += n) {
        n = strcspn(lines, "\n");
        usage_error("%.*s", (int)n, lines);
    }
}

struct scenario *command_scenario(struct options *o, const char *arg)
{
    struct diag d;
    char err[200];
    const char *path = shipped_find(&o->arena, "scenarios", arg);
    if (!path)
        return NULL;
    if (go_trace_is(path)) {
        usage_error("%s: it is an execution trace of Go; gmpscope import shows it", arg);
        return NULL;
    }
    diag_init(&d, path);
    struct scenario *sc = scenario_open(
        &(struct scenario_from){
            .path = path, .settings = &compare_settings, .test = o->test, .args = o->program_args, .nargs = (uint32_t)o->nprogram_args},
        &d);
    if (!sc)
        diag_print(&d, stderr);
    diag_fini(&d);
    if (sc && scenario_info(sc)->notes && !o->format) /* export runs nothing */
        print_notes(scenario_info(sc)->notes);
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

static void refuse_switch(enum rt_generation gen, enum rt_disable d, bool enable, char *why, size_t size)
{
    char text[120];
    scenario_lack_text(gen, d, enable, text, sizeof text);
    snprintf(why, size, "--%s: %s", enable ? "enable" : "disable", text);
}

/* Returns false if the options need something that the generation lacks, and writes the first such thing to `why`. */
static bool options_fit(const struct scenario *sc, enum rt_generation gen, const struct options *o, char *why, size_t size)
{
    uint32_t own = scenario_info(sc)->enable;
    size_t pos;
    for (int i = 0; i < DIS_COUNT; i++)
        if ((o->disable & ~own) >> i & 1 && !rt_generation_has(gen, (enum rt_disable)i)) {
            refuse_switch(gen, (enum rt_disable)i, false, why, size);
            return false;
        } else if (o->enable >> i & 1 && !rt_generation_has(gen, (enum rt_disable)i) && !rt_generation_may(gen, (enum rt_disable)i)) {
            refuse_switch(gen, (enum rt_disable)i, true, why, size);
            return false;
        }
    if (o->boot != BOOT_BARE && !rt_generation_boots(gen)) {
        snprintf(why, size, "--boot: %s begins with main alone; go1.20 and newer have more", generation_name[gen]);
        return false;
    }
    if (o->policy_path && !rt_generation_boots(gen)) {
        snprintf(why, size, "--policy: %s asks no policy; go1.20 and newer do", generation_name[gen]);
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
    return fits && options_fit(sc, gen, o, why, size);
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
    if (!fits || options_fit(sc, command_generation(sc, o), o, why, sizeof why))
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
    if (o->has_boot || !rt_generation_boots(c.rt.generation))
        c.rt.boot = o->boot;
    if (o->has_module)
        c.rt.module = o->module;
    if (o->has_seed)
        c.rt.seed = o->seed;
    if (o->procs)
        c.rt.gomaxprocs = o->procs;
    c.procs_asked = o->procs;
    if (o->memory)
        c.rt.memory = o->memory;
    c.rt.fine = o->fine;
    c.rt.way = o->way;
    c.rt.still = o->still;
    c.rt.stalls = o->stalls;
    c.rt.policy = o->policy;
    c.rt.calm = o->calm;
    c.strict = o->strict;
    c.speed = o->speed;
    c.audit = o->audit;
    c.rt.disable = (c.rt.disable | o->disable) & ~o->enable;
    c.rt.enable = (c.rt.enable & ~o->disable) | o->enable;
    c.rt.choices = o->choices.n ? &o->choices : NULL;
    c.limit_asked = o->limit >= 0 || o->max_events;
    c.limit = o->limit >= 0 ? o->limit : INT64_MAX;
    c.max_events = o->max_events ? o->max_events : UINT64_MAX;
    if (o->recording) {
        c.open = source_file;
        c.from = o->recording;
        c.limit = o->recorded.limit;
        c.max_events = o->recorded.max_events;
    }
    engine_draw(&c, (char[200]){""}, 200); /* engine_new() reports a failure */
    return c;
}

/* As command_binds(), without output. Returns: NULL, or the reason, in the arena of o. */
static const char *command_unbound(const struct scenario *sc, struct options *o)
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

struct query *query_of(const struct scenario *drawn, struct arena *a, const char *text, const char **err, size_t *pos)
{
    const char *filled = scenario_fill(drawn, a, text);
    *err = NULL;
    *pos = 0;
    struct query *q = filled ? query_compile(a, filled, err, pos) : NULL;
    return q && query_bind(q, a, &scenario_info(drawn)->programs, err, pos) ? q : NULL;
}

struct query *command_query(const struct scenario *sc, struct options *o, const char *of, const char *text)
{
    const char *err;
    size_t pos;
    struct query *q = query_of(command_engine(sc, o).scenario, &o->arena, text, &err, &pos);
    bool good = q;
    if (good && !rt_generation_has_p(command_generation(sc, o)) && query_asks_for_p(q, &pos)) {
        err = arena_printf(&o->arena, "%s has no P", generation_name[command_generation(sc, o)]);
        good = false;
    }
    if (!good)
        usage_error("%s\"%s\": column %zu: %s", of, text, pos + 1, err ? err : strerror(ENOMEM));
    return good ? q : NULL;
}

static void share(const struct session_config *c, uint64_t seed, const struct choices *choices, FILE *out)
{
    repro_command_share(c->settings, scenario_info(c->engine.scenario)->path, seed, choices, out);
    repro_end(c->settings, out);
}

bool command_has_lesson(const struct scenario *sc)
{
    if (!scenario_info(sc)->nlesson)
        usage_error("%s has no lesson; gmpscope list --topics shows which have one", scenario_info(sc)->name);
    return scenario_info(sc)->nlesson > 0;
}

struct session_config command_session(const struct scenario *sc, const struct options *o)
{
    struct session_config c = {.engine = command_engine(sc, o), .tempo = o->tempo, .audit = o->audit, .share = share, .settings = o};
    c.paused = o->linear || o->at; /* an event is counted from the start */
    c.engine.live = true;
    c.engine.lesson = o->lesson;
    c.engine.history = o->history;
    return c;
}

/* Loads the layout, too: its mistakes must be reported before anything runs. */
const char *command_layout(struct arena *a, const struct scenario *sc, const struct options *o, bool *program)
{
    const char *own = sc && scenario_info(sc)->go ? "code" : "classic";
    const char *path = shipped_find(a, "layouts", o->layout ? o->layout : own);
    if (!path)
        return NULL;
    struct diag d;
    diag_init(&d, path);
    struct layout *l = layout_load(path, &pane_kinds, &d);
    if (!l) {
        diag_print(&d, stderr);
        path = NULL;
    }
    *program = l && layout_has(l, PANE_program);
    layout_free(l);
    diag_fini(&d);
    return path;
}

struct ui_config command_ui(const struct options *o, const char *layout, const char *dir)
{
    return (struct ui_config){
        .tour = o->tour_scene,
        .wpm = o->wpm,
        .layout_path = layout,
        .layout_asked = o->has_layout || (o->layout && !o->lesson && !o->tour_scene),
        .layout_dir = dir,
        .theme = o->theme,
        .config = &o->config,
        .config_path = o->config_path,
        .lang = o->lang,
        .ascii = o->ascii,
        .color = !options_no_color(o),
        .mouse = !o->no_mouse};
}

void command_headless_limits(struct engine_config *c, const struct options *o)
{
    if (o->recording)
        return; /* it has those of its run */
    if (o->limit < 0)
        c->limit = DEFAULT_LIMIT;
    if (!o->max_events)
        c->max_events = DEFAULT_MAX_EVENTS;
}

int command_worse(int a, int b)
{
    static const int rank[] = {[0] = 0, [3] = 1, [1] = 2, [2] = 3, [4] = 4};
    return rank[a] > rank[b] ? a : b;
}

int command_help(const char *usage, const char *what, enum command_bit command)
{
    printf("gmpscope %s\n  %s\n\n", usage, what);
    options_help(command, stdout);
    return 0;
}

/* Copies language, theme, reading speed and terminal options into the options of the next scene. */
static void take_look(struct options *o, const struct tour_look *look)
{
    const struct options *from = look->from;
    o->tour_scene = look->tour;
    o->tour_look = look;
    o->lang = from->lang;
    o->wpm = from->wpm;
    o->ascii = from->ascii;
    o->no_color = from->no_color;
    o->no_mouse = from->no_mouse;
    o->theme = from->theme;
    o->layout = from->has_layout ? from->layout : o->layout;
    o->has_layout = from->has_layout; /* a scene's own layout gives way to one that fits */
    o->linear = from->linear;
    o->tempo = from->linear ? TEMPO_MAX : o->tempo; /* there is no picture to look at */
}

void command_started(struct options *o, const struct started_from *from)
{
    o->list = from->list;
    if (from->look)
        take_look(o, from->look);
}

const char *command_switches(struct arena *a, uint32_t bits)
{
    const char *text = "";
    for (int i = 0; text && i < DIS_COUNT; i++)
        if (bits >> i & 1)
            text = arena_printf(a, "%s%s%s", text, *text ? "," : "", rt_disable_name[i]);
    return text;
}

/* ---- a scenario's `compare` ---- */

static const char *wrong_word(struct arena *a, const char *word)
{
    struct options o;
    options_default(&o);
    const char *why = options_setting(&o, word);
    why = why ? arena_strndup(a, why, strlen(why)) : NULL;
    a->lacking |= o.arena.lacking;
    options_fini(&o);
    return why;
}

/* Sets o to the settings of one side. Returns: NULL, or the reason why they are wrong, in o->arena. */
static const char *parse(struct options *o, const char *settings)
{
    const char *why = NULL;
    options_default(o);
    while (!why && *(settings += strspn(settings, " \t"))) {
        size_t len = strcspn(settings, " \t");
        char *word = arena_strndup(&o->arena, settings, len);
        why = word ? options_setting(o, word) : "out of memory";
        settings += len;
    }
    return why ? why : options_clash(o);
}

/* Returns the reason why compare would refuse a run with these options, in o->arena; NULL: none. */
static const char *refused(struct scenario *sc, struct options *o)
{
    bool lacks;
    char why[300];
    if (!command_fix(sc, o, why, sizeof why) || !command_is_for(sc, o, command_generation(sc, o), &lacks, why, sizeof why))
        return arena_printf(&o->arena, "%s", why);
    if (command_engine(sc, o).rt.mode == MODE_FREE)
        return "expected mode=lockstep: two free runs share no clock";
    return command_unbound(sc, o);
}

static bool has_p(const struct scenario *sc, const struct options *o)
{
    return rt_generation_has_p(command_generation(sc, o));
}

static const char *wrong_side(struct arena *a, const struct scenario *sc, const char *const settings[2], int side)
{
    struct diag d;
    struct options o[2];
    const char *path = scenario_info(sc)->path, *wrong[2] = {parse(&o[0], settings[0]), parse(&o[1], settings[1])}, *why = wrong[side];
    diag_init(&d, path);
    struct scenario *again = scenario_load(path, &d); /* its numbers get fixed, those of sc stay free */
    o[side].other_has_p = !has_p(sc, &o[side]) && has_p(sc, &o[!side]);
    if (again && !wrong[0] && !wrong[1])
        why = refused(again, &o[side]);
    why = why ? arena_strndup(a, why, strlen(why)) : NULL;
    a->lacking |= !again || o[0].arena.lacking || o[1].arena.lacking;
    scenario_free(again);
    diag_fini(&d);
    options_fini(&o[0]);
    options_fini(&o[1]);
    return why;
}

const struct scenario_settings compare_settings = {wrong_word, wrong_side};
