/* gmpscope compare with a screen: two runs side by side. */
#include "cli/commands.h"
#include "cli/door_list.h"
#include "engine/shipped.h"
#include "session/comparison.h"
#include <errno.h>
#include <string.h>

/* Both sessions start paused, so that neither runs before both exist. */
static struct comparison *new_pair(struct session **s, const struct scenario *const *sc, const struct options *const *o, bool program)
{
    char err[200];
    struct comparison *p = NULL;
    for (int i = 0; i < 2; i++) {
        struct session_config c = command_session(sc[i], o[i]);
        c.paused = true;
        c.engine.rt.places = program ? PLACES_SHOWN : PLACES_NONE;
        s[i] = session_new(&c, err, sizeof err);
        if (!s[i])
            break;
    }
    if (s[0] && s[1] && !(p = comparison_new(s[0], s[1], o[0]->tempo)))
        snprintf(err, sizeof err, "the screen cannot start: %s", strerror(errno));
    if (!p)
        usage_error("%s", err);
    else if (o[0]->first)
        comparison_part(p);
    return p;
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
    bool program = false;
    int code = 2;
    const char *layout = command_layout(&a, NULL, o[0], &program);
    struct door_list *list = layout ? door_list_of(o[0]) : NULL;
    struct comparison *p = list ? new_pair(s, sc, o, program) : NULL;
    bool shown = p != NULL;
    struct ui_kept kept = {0};
    snprintf(kept.note, sizeof kept.note, "%s", look->note ? look->note : "");
    if (p) {
        struct ui_config ui = command_ui(o[0], layout, shipped_dir(&a, "layouts"));
        ui.session = s[0];
        ui.other = s[1];
        ui.ops = comparison_ops(p);
        ui.settings_text = look->settings[0];
        ui.other_settings_text = look->settings[1];
        ui.subject[0] = look->subject[0];
        ui.subject[1] = look->subject[1];
        ui.all_counters = o[0]->all;
        ui.kept = &kept;
        door_list_lend(list, &ui);
        code = ui_run(&ui);
    }
    comparison_free(p);
    for (int i = 0; i < 2; i++) {
        if (shown)
            code = command_worse(code, comparison_code(s[i]));
        session_free(s[i]);
    }
    arena_fini(&a);
    return code;
}
