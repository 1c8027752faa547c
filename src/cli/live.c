/* gmpscope run with a screen: the session, the layout, and the messages after the screen is closed. */
#include "cli/again.h"
#include "cli/commands.h"
#include "cli/door_list.h"
#include "cli/state.h"
#include "engine/catalogue.h"
#include "engine/shipped.h"
#include <math.h>
#include <string.h>

/* Sets *next to the scenario after this one, on the path if it is on it; NULL: there is none. Returns false, with a message, if the machine lacks what
 * reading the scenarios needs. */
static bool find_next(struct arena *a, const struct scenario_info *i, enum scenario_path path, const struct catalogue_entry **next)
{
    struct catalogue c;
    *next = NULL;
    if (!shipped_is(a, "scenarios", i->next ? i->next : i->name))
        return true;
    if (!catalogue_load(a, &c))
        return false;
    catalogue_sort(&c);
    const struct catalogue_entry *e = shipped_is(a, "scenarios", i->name) ? catalogue_find(&c, i->name) : NULL;
    *next = e ? catalogue_next(a, &c, e, path) : catalogue_find(&c, i->next);
    return true;
}

/* What take_next() needs. */
struct lesson_course {
    struct arena texts;
    const struct scenario_info *info;
    enum scenario_path path;
};

static void take_next(struct lesson_after *after)
{
    struct lesson_course *c = after->ctx;
    const struct catalogue_entry *next;
    after->find_next = NULL;
    after->lacks = !find_next(&c->texts, c->info, c->path, &next);
    if (!after->lacks && next && !next->broken) {
        after->next = next->name;
        after->next_lesson = next->lesson;
    }
}

/* What a lesson offers at its end. The course must stay in place. recorded: another run of the scenario is not offered, because a stranger's
 * recording may name any file as its scenario. */
static struct lesson_after after_lesson(struct lesson_course *course, const struct scenario *sc, enum scenario_path path, bool recorded)
{
    const struct scenario_info *i = scenario_info(sc);
    bool compares = !recorded && (i->compare_left || i->compare_right);
    struct lesson_after after = {.watch = i->watch, .compares = compares, .find_next = take_next, .ctx = course};
    uint32_t disable = 0;
    uint64_t fails;
    course->info = i;
    course->path = path;
    if (i->nwithout && !recorded)
        scenario_without(sc, 0, &disable, &fails);
    const char *names = command_switches(&course->texts, disable);
    if (names && strlen(names) < sizeof after.without)
        strcpy(after.without, names);
    return after;
}

/* How the run is shown. */
struct shown_as {
    const struct options *o; /* those of the screen */
    struct door_list *list;
    const char *layout, *dir;
};

static int show_once(struct again *a, const struct shown_as *as, struct lesson_after *after)
{
    int write_error = 0;
    const struct options *o = as->o;
    struct ui_config ui = command_ui(o, as->layout, as->dir);
    ui.session = a->s;
    ui.ops = session_ops_of(a->s);
    ui.hint = !o->lesson && !o->linear && !o->tour_scene && state_hint();
    ui.after = after;
    ui.autoplay = o->autoplay;
    ui.linear = o->linear;
    ui.dumb = o->dumb;
    ui.every_event = o->narrate;
    ui.write_error = &write_error;
    ui.at = a->kept.theme ? 0 : o->at;
    ui.select = o->select;
    ui.picture = a->kept.theme ? NULL : o->picture;
    if (!o->linear) /* the list of scenarios is a full screen */
        door_list_lend(as->list, &ui);
    again_lend(a, &ui);
    int code = ui_run(&ui);
    if (ui.hint && code != 2)
        state_hint_shown();
    return write_error ? output_finish(code, write_error) : code;
}

/* Runs `compare` for a run and one that has other settings, in the midst of the first. Returns the exit code. */
static int compare(struct again *a, struct door_list *list, uint64_t seed)
{
    const struct options *o = a->now.o;
    struct next_command n = {.argc = 0};
    next_add(&n, true, scenario_info(a->now.sc)->path, NULL);
    next_add(&n, true, "--seed", arena_printf(&n.arena, "%llu", (unsigned long long)seed));
    next_add(&n, true, "--mode", mode_name[MODE_LOCKSTEP]);
    next_add(&n, o->procs, "--procs", arena_printf(&n.arena, "%u", o->procs));
    next_add(&n, o->has_generation, "--generation", generation_name[o->generation]);
    next_add(&n, o->has_boot, "--boot", boot_name[o->boot]);
    next_add(&n, o->has_module, "--module", generation_name[o->module]);
    next_add(&n, o->disable, "--disable", command_switches(&n.arena, o->disable));
    next_add(&n, o->enable, "--enable", command_switches(&n.arena, o->enable));
    for (uint32_t i = 0; i < o->nvary; i++)
        next_add(&n, true, "--vary", o->vary[i]);
    next_add(&n, o->policy_path, "--policy", o->policy_path);
    next_add(&n, true, "--right", a->settings);
    door_list_begin(list, &n);
    int code = n.arena.lacking ? usage_error("out of memory") : cmd_compare(&(struct started_from){&list, NULL}, n.argc, n.argv);
    door_list_end(list, &n, code);
    if (door_list_note(list)[0])
        snprintf(a->kept.note, sizeof a->kept.note, "%s", door_list_note(list));
    return code;
}

/* Shows a comparison with other settings. Meanwhile the run is paused. Returns 0, or the code if a signal asked to leave. */
static int show_comparison(struct again *a, struct door_list *list)
{
    struct session_status st;
    session_ops.status(a->s, &st);
    bool ran = !st.paused && !st.ended;
    if (ran)
        session_ops.motion->pause(a->s, true);
    int code = compare(a, list, st.seed);
    if (ran)
        session_ops.motion->pause(a->s, false);
    return code >= 128 ? code : 0;
}

static int show(struct again *a, struct door_list *list, const char *layout, const char *dir)
{
    bool ended, again = true;
    const struct options *o = a->now.o; /* those of the screen */
    int code = 0;
    struct lesson_course course = {.info = NULL};
    struct lesson_after after = {0};
    while (again) {
        after = after_lesson(&course, a->now.sc, door_list_path(list), a->now.o->recording);
        code = show_once(a, &(struct shown_as){o, list, layout, dir}, &after);
        code = !code && after.lacks ? 2 : code;
        if (after.played)
            door_list_played(a->now.sc, &after);
        again = !code && a->asked && !door_list_chosen(list);
        if (again && a->what != CHANGE_COMPARE)
            again_replace(a);
        else if (again)
            again = !(code = show_comparison(a, list)) && !door_list_chosen(list);
    }
    door_list_go_on(list, a->now.sc, &after);
    arena_fini(&course.texts);
    struct engine *e = session_stop(a->s, &ended);
    code = code ? code : engine_finish(e, &(struct finish){.err = o->tour_scene ? NULL : stderr, .claims = true, .early = !ended}).code;
    code = engine_own_exit(e, code);
    return command_record_end(e, code);
}

/* A Go program begins with the boot of Go's runtime. The screen passes it, unless something was asked for that may be in it. */
static const char *begins_at(const struct scenario *sc, const struct options *o, bool places)
{
    bool asked = o->has_boot || o->at || o->lesson || o->recording || isinf(o->tempo.rate) || o->tour_scene;
    return scenario_info(sc)->go && places && !asked ? "g_op" : NULL;
}

int run_live(const struct scenario *sc, const struct options *o)
{
    struct arena a = {0};
    char err[200];
    int code = 2;
    bool program = false;
    const char *layout = command_layout(&a, sc, o, &program);
    struct door_list *list = layout ? door_list_of(o) : NULL;
    struct session_config c = command_session(sc, o);
    c.engine.rt.places = program ? PLACES_SHOWN : PLACES_NONE;
    c.begin = begins_at(sc, o, program);
    c.record = command_record_session;
    c.record_to = o->record;
    struct session *s = layout && list ? session_new(&c, err, sizeof err) : NULL;
    struct again again = {.s = s, .now = {.sc = sc, .o = o}};
    if (o->cut)
        snprintf(again.kept.note, sizeof again.kept.note, "%s", o->cut);
    if (s) {
        if (!o->tour_scene && !o->recording)
            door_list_ran(sc);
        code = show(&again, list, layout, shipped_dir(&a, "layouts"));
    } else if (layout && list) {
        usage_error("%s", err);
    }
    session_free(again.s);
    again_fini(&again);
    arena_fini(&a);
    return code;
}

int run_picture(const struct scenario *sc, const struct options *o)
{
    struct arena a = {0};
    char err[200];
    int code = 2;
    bool program = false;
    const char *layout = command_layout(&a, sc, o, &program);
    struct session_config c = command_session(sc, o);
    c.engine.rt.places = program ? PLACES_SHOWN : PLACES_NONE;
    c.tempo = TEMPO_MAX;
    command_headless_limits(&c.engine, o);
    struct session *s = layout ? session_new(&c, err, sizeof err) : NULL;
    struct ui_config ui = {
        .session = s,
        .ops = &session_ops,
        .layout_path = layout,
        .layout_dir = shipped_dir(&a, "layouts"),
        .theme = o->theme,
        .lang = o->lang,
        .ascii = o->ascii,
        .at = o->at,
        .select = o->select,
        .picture = o->picture,
        .only_picture = true};
    if (s)
        code = ui_run(&ui);
    else if (layout)
        usage_error("%s", err);
    session_free(s);
    arena_fini(&a);
    return code;
}
