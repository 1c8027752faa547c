/* See again.h. A change is checked while the old run is still shown, so a mistake in it costs nothing. */
#include "cli/again.h"
#include "cli/capture.h"
#include "cli/commands.h"
#include <stdlib.h>
#include <string.h>

static struct session_status status_of(const struct again *a)
{
    struct session_status st;
    session_ops.status(a->s, &st);
    return st;
}

static void free_made(struct made_from *f)
{
    if (f->owned && f->sc)
        scenario_free((struct scenario *)f->sc);
    if (f->owned && f->o)
        options_fini((struct options *)f->o);
    if (f->owned)
        free((struct options *)f->o);
    *f = (struct made_from){0};
}

/* Copies the options as the run is now: its seed and its mode. Strings that :set changes are
 * copied, too; the others are those of the command line. Choices belong to
 * one course, and breakpoints are carried over from the run. */
static struct options *copy_options(const struct again *a)
{
    struct options *o = malloc(sizeof *o);
    struct session_status st = status_of(a);
    if (!o)
        return NULL;
    *o = *a->now.o;
    o->arena = (struct arena){0};
    o->choices = (struct choices){0};
    o->nbreaks = 0;
    o->has_seed = o->has_mode = true;
    o->seed = st.seed;
    for (uint32_t i = 0; i < o->nvary; i++)
        o->vary[i] = arena_strndup(&o->arena, o->vary[i], strlen(o->vary[i]));
    o->mode = st.lockstep ? MODE_LOCKSTEP : MODE_FREE;
    return o;
}

/* Applies "NAME=VALUE"; "disable=" enables all that options have disabled. */
static bool apply(struct options *o, const char *setting)
{
    if (strcmp(setting, "disable=") != 0)
        return options_change(o, setting) && options_agree(o, CMD_RUN);
    o->disable = 0;
    return true;
}

static bool prepare_run(struct again *a, struct made_from *next, const char *setting)
{
    struct options *o = copy_options(a);
    *next = (struct made_from){.o = o, .owned = true};
    if (!o || o->arena.lacking)
        return usage_error("%s", "out of memory"), false;
    if (*setting && !apply(o, setting))
        return false;
    next->sc = command_scenario(o, scenario_info(a->now.sc)->path);
    return next->sc && command_fits(next->sc, o);
}

static bool prepare_comparison(struct again *a, const char *settings)
{
    struct made_from scratch = {0};
    snprintf(a->settings, sizeof a->settings, "%s", settings);
    bool good = prepare_run(a, &scratch, "") && options_settings((struct options *)scratch.o, "compare", settings) &&
                command_fits(scratch.sc, scratch.o);
    free_made(&scratch);
    return good;
}

static bool change(void *ctx, enum ui_change what, const char *text, char *why, size_t size)
{
    struct again *a = ctx;
    char written[4096];
    free_made(&a->next);
    struct capture c = capture_begin();
    a->asked = what == CHANGE_COMPARE ? prepare_comparison(a, text) : prepare_run(a, &a->next, text);
    capture_end(c, written, sizeof written);
    capture_first_line(written, why, size);
    char *of = strncmp(why, "--", 2) ? NULL : strstr(why, ": "); /* the command line has named the option already */
    if (of)
        memmove(why, of + 2, strlen(of + 2) + 1);
    a->what = what;
    if (!a->asked)
        free_made(&a->next);
    return a->asked;
}

void again_lend(struct again *a, struct ui_config *ui)
{
    a->asked = false;
    ui->change = change;
    ui->change_ctx = a;
    ui->kept = &a->kept;
    ui->switches = rt_disable_name;
    ui->nswitches = DIS_COUNT;
}

static void carry_breaks(struct session *from, struct session *to)
{
    struct session_break all[BREAKS_LISTED];
    struct session_mistake wrong = {.lang = LANG_EN};
    int n = session_ops.breaks->list(from, all, BREAKS_LISTED);
    for (int i = 0; i < n; i++)
        session_ops.breaks->add(to, all[i].text, &wrong); /* one that makes no sense in the new run is left out */
}

/* Says that the recording of the run ends here. */
static void note_recorded(struct again *a, struct recorded r)
{
    bool zh = a->now.o->lang == LANG_ZH;
    unsigned long long n = r.events;
    char *to = a->kept.note + strlen(a->kept.note);
    size_t size = sizeof a->kept.note - (size_t)(to - a->kept.note);
    const char *and = !a->kept.note[0] ? "" : zh ? "；" : "; ";
    if (r.name[0] && r.error)
        snprintf(to, size, zh ? "%s事件 %llu 之后记录失败：%s" : "%sREC failed after event %llu: %s", and, n, strerror(r.error));
    else if (r.name[0])
        snprintf(to, size, zh ? "%s%s 记录了之前那次运行，到事件 %llu 为止" : "%s%s has the run before this one, up to event %llu", and,
                 r.name, n);
}

void again_replace(struct again *a)
{
    char err[200];
    struct session_status st = status_of(a);
    struct session_lesson lesson;
    bool ended;
    session_ops.lesson->now(a->s, &lesson);
    struct session_config c = command_session(a->next.sc, a->next.o);
    c.paused = true;
    c.record = command_record_session;
    c.tempo = st.tempo;
    c.engine.lesson = lesson.on && scenario_info(a->next.sc)->nlesson;
    c.engine.other_has_p = true; /* a breakpoint about Ps never matches where there are none */
    struct session *s = session_new(&c, err, sizeof err);
    if (!s) {
        snprintf(a->kept.note, sizeof a->kept.note, "%s", err);
        free_made(&a->next);
        return;
    }
    carry_breaks(a->s, s);
    note_recorded(a, engine_record_replaced(session_stop(a->s, &ended)));
    session_free(a->s);
    free_made(&a->now);
    a->s = s;
    a->now = a->next;
    a->next = (struct made_from){0};
    session_ops.motion->pause(s, a->now.o->linear);
}

void again_fini(struct again *a)
{
    free_made(&a->next);
    free_made(&a->now);
}
