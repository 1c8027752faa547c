/* gmpscope run with a screen: the session, the layout, and the messages after the screen is closed. */
#include "cli/again.h"
#include "cli/commands.h"
#include "cli/front.h"
#include "cli/state.h"
#include "session/comparison.h"
#include "engine/catalogue.h"
#include "engine/shipped.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Writes the names of switches as --disable takes them. */
static void name_switches(uint32_t bits, char *out, size_t size)
{
    size_t len = 0;
    *out = '\0';
    for (int i = 0; i < DIS_COUNT && len < size; i++)
        if (bits >> i & 1)
            len += (size_t)snprintf(out + len, size - len, "%s%s", len ? "," : "", rt_disable_name[i]);
    if (len >= size)
        *out = '\0';
}

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
struct course {
    struct arena texts;
    const struct scenario_info *info;
    enum scenario_path path;
};

static void take_next(struct lesson_after *after)
{
    struct course *c = after->ctx;
    const struct catalogue_entry *next;
    after->find_next = NULL;
    after->lacks = !find_next(&c->texts, c->info, c->path, &next);
    if (!after->lacks && next && !next->broken) {
        after->next = next->name;
        after->next_lesson = next->lesson;
    }
}

/* What a lesson offers at its end. The course must stay in place. */
static struct lesson_after after_lesson(struct course *course, const struct scenario *sc, enum scenario_path path)
{
    const struct scenario_info *i = scenario_info(sc);
    struct lesson_after after = {.watch = i->watch, .compares = i->compare_left || i->compare_right, .find_next = take_next, .ctx = course};
    uint32_t disable = 0;
    uint64_t fails;
    course->info = i;
    course->path = path;
    if (i->nwithout)
        scenario_without(sc, 0, &disable, &fails);
    name_switches(disable, after.without, sizeof after.without);
    return after;
}

static int show_once(struct again *a, const struct options *o, struct front *front, const char *layout, const char *dir,
                     struct lesson_after *after)
{
    int write_error = 0;
    struct ui_config ui = {
        .hint = !o->lesson && !o->linear && !o->tour_scene && state_hint(),
        .after = after,
        .autoplay = o->autoplay,
        .wpm = o->wpm,
        .tour = o->tour_scene,
        .linear = o->linear,
        .dumb = o->dumb,
        .every_event = o->narrate,
        .write_error = &write_error,
        .at = a->kept.theme ? 0 : o->at,
        .select = o->select,
        .picture = a->kept.theme ? NULL : o->picture,
        .session = a->s,
        .ops = &session_ops,
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
    if (!o->linear) /* the list of scenarios is a full screen */
        front_lend(front, &ui);
    again_lend(a, &ui);
    int code = ui_run(&ui);
    if (ui.hint && code != 2)
        state_hint_shown();
    return write_error ? output_finish(code, write_error) : code;
}

/* Shows a comparison with other settings. Meanwhile the run is paused. Returns 0, or the code if a signal asked to leave. */
static int show_comparison(struct again *a, struct front *front)
{
    struct session_status st;
    session_ops.status(a->s, &st);
    bool ran = !st.paused && !st.ended;
    if (ran)
        session_ops.pause(a->s, true);
    int code = front_compare(front, a->now.o, scenario_info(a->now.sc)->path, st.seed, a->settings, a->kept.note, sizeof a->kept.note);
    if (ran)
        session_ops.pause(a->s, false);
    return code >= 128 ? code : 0;
}

static int show(struct again *a, struct front *front, const char *layout, const char *dir)
{
    bool ended, again = true;
    const struct options *o = a->now.o; /* those of the screen */
    int code = 0;
    struct course course = {.info = NULL};
    struct lesson_after after = {0};
    while (again) {
        after = after_lesson(&course, a->now.sc, front_path(front));
        code = show_once(a, o, front, layout, dir, &after);
        code = !code && after.lacks ? 2 : code;
        if (after.played)
            front_played(a->now.sc, &after);
        again = !code && a->asked && !front_chosen(front);
        if (again && a->what != CHANGE_COMPARE)
            again_replace(a);
        else if (again)
            again = !(code = show_comparison(a, front)) && !front_chosen(front);
    }
    front_go_on(front, a->now.sc, &after);
    arena_fini(&course.texts);
    struct engine *e = session_stop(a->s, &ended);
    return code ? code : engine_finish(e, &(struct finish){.err = o->tour_scene ? NULL : stderr, .claims = true, .early = !ended}).code;
}

int run_live(const struct scenario *sc, const struct options *o)
{
    struct arena a = {0};
    char err[200];
    int code = 2;
    bool program = false;
    const char *layout = command_layout(&a, o, &program);
    struct front *own = layout && !o->front ? front_new(o) : NULL, *front = o->front ? o->front : own;
    struct session_config c = command_session(sc, o);
    c.engine.rt.places = program ? PLACES_SHOWN : PLACES_NONE;
    struct session *s = layout && front ? session_new(&c, err, sizeof err) : NULL;
    struct again again = {.s = s, .now = {.sc = sc, .o = o}};
    if (s) {
        if (!o->tour_scene)
            front_ran(sc);
        code = show(&again, front, layout, shipped_dir(&a, "layouts"));
    } else if (layout && front) {
        usage_error("%s", err);
    }
    session_free(again.s);
    again_fini(&again);
    if (own && front_chosen(own))
        code = front_follow(own);
    front_free(own);
    arena_fini(&a);
    return code;
}

int run_picture(const struct scenario *sc, const struct options *o)
{
    struct arena a = {0};
    char err[200];
    int code = 2;
    bool program = false;
    const char *layout = command_layout(&a, o, &program);
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

/* ---- two runs at once ---- */

static int show_pair(struct session *const *s, struct comparison *p, const struct options *o, struct front *front,
                     const struct pair_look *look, const char *layout, const char *dir)
{
    struct ui_config ui = {
        .tour = o->tour_scene,
        .wpm = o->wpm,
        .session = s[0],
        .other = s[1],
        .settings_text = look->settings[0],
        .other_settings_text = look->settings[1],
        .subject = {look->subject[0], look->subject[1]},
        .all_counters = o->all,
        .ops = comparison_ops(p),
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
    front_lend(front, &ui);
    return ui_run(&ui);
}

/* Both sessions start paused, so that neither runs before both exist. */
static bool new_pair(struct session **s, const struct scenario *const *sc, const struct options *const *o, bool program,
                     struct comparison **p)
{
    char err[200];
    for (int i = 0; i < 2; i++) {
        struct session_config c = command_session(sc[i], o[i]);
        c.paused = true;
        c.engine.rt.places = program ? PLACES_SHOWN : PLACES_NONE;
        s[i] = session_new(&c, err, sizeof err);
        if (!s[i])
            break;
    }
    if (s[0] && s[1] && !(*p = comparison_new(s[0], s[1], o[0]->tempo)))
        snprintf(err, sizeof err, "the screen cannot start: %s", strerror(errno));
    if (!*p)
        usage_error("%s", err);
    else if (o[0]->first)
        comparison_part(*p);
    return *p != NULL;
}

/* Returns the exit code of one side. Prints a message only if the run failed an internal check; the screen showed everything else. */
static int comparison_code(struct session *s)
{
    bool ended;
    return engine_finish(session_stop(s, &ended), &(struct finish){.err = stderr, .early = true}).code;
}

int run_pair(const struct scenario *const *sc, const struct options *const *o, const struct pair_look *look)
{
    struct arena a = {0};
    struct session *s[2] = {NULL, NULL};
    struct comparison *p = NULL;
    bool program = false;
    const char *layout = command_layout(&a, o[0], &program);
    struct front *own = layout && !o[0]->front ? front_new(o[0]) : NULL, *front = o[0]->front ? o[0]->front : own;
    bool ready = layout && front && new_pair(s, sc, o, program, &p);
    int code = ready ? show_pair(s, p, o[0], front, look, layout, shipped_dir(&a, "layouts")) : 2;
    bool shown = p != NULL;
    comparison_free(p);
    for (int i = 0; i < 2; i++) {
        if (shown)
            code = command_worse(code, comparison_code(s[i]));
        session_free(s[i]);
    }
    if (own && front_chosen(own))
        code = front_follow(own);
    front_free(own);
    arena_fini(&a);
    return code;
}
