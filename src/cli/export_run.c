/* gmpscope export: what happens in a run, in a form that other programs read. The run is recorded, or is made here without a screen. */
#include "cli/export_run.h"
#include "base/file.h"
#include "cli/commands.h"
#include "engine/export/export.h"
#include "engine/export/page_lesson.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool bounds(const struct options *o, struct exporter *x)
{
    x->has_from = o->from && export_bound_read(o->from, &x->from);
    x->has_to = o->to && export_bound_read(o->to, &x->to);
    bool comparable = x->has_from && x->has_to && !x->from.event == !x->to.event;
    if (comparable && (x->from.event ? x->from.event > x->to.event : x->from.time > x->to.time))
        return usage_error("--from %s is after --to %s", o->from, o->to), false;
    return true;
}

/* Compiles --only for the run. Returns false after a message. */
static bool only(const struct engine *e, struct arena *a, const char *text, struct exporter *x)
{
    const char *err = NULL;
    size_t pos = 0;
    struct pattern *p = text ? pattern_compile(a, text, &err, &pos) : NULL;
    x->only = p;
    if (!text)
        return true;
    if (p && pattern_is_when(p))
        return usage_error("--only: \"%s\": a condition matches no single event; name events, such as \"steal\"", text), false;
    if (p && pattern_times(p) > 1)
        return usage_error("--only: \"%s\": all events that match are exported, so xN means nothing here", text), false;
    if (p && pattern_bind(p, a, &e->cfg.info.programs, &err, &pos))
        return true;
    if (err)
        return usage_error("--only: \"%s\": column %zu: %s", text, pos + 1, err), false;
    return usage_error("%s", strerror(ENOMEM)), false;
}

static void say_written(const struct options *o, const struct exporter *x)
{
    bool zh = o->lang == LANG_ZH;
    if (o->output)
        visible_line(stderr, zh ? "gmpscope: %s：%llu 个事件" : "gmpscope: %s: %llu events", o->output, (unsigned long long)x->events);
    if (x->left_out)
        visible_line(stderr,
                     zh ? "gmpscope: %s 无法表示其中 %llu 个：当时没有 G 在运行" : "gmpscope: %s cannot say %llu of them: no G ran there",
                     x->ops->name, (unsigned long long)x->left_out);
}

static int drive(struct engine *e, const struct options *o, struct exporter *x, struct file_new *f)
{
    struct drive d = {.signal = signals_seen()};
    engine_drive(e, &d);
    struct verdict v = engine_finish(e, &(struct finish){.err = stderr});
    bool ended_by_signal = e->how == ENDED_INTERRUPTED && signals_code(); /* else a recording ends there */
    int code = v.code == 2 || v.code == 4 ? v.code : ended_by_signal ? signals_code() : 0, error = e->write_error;
    if (!o->output && !error)
        say_written(o, x);
    if (!o->output)
        return output_finish(code, error);
    int closed = file_finish(f);
    error = error ? error : closed;
    if (error)
        visible_line(stderr, "gmpscope: %s: %s", o->output, strerror(error));
    if (!error)
        say_written(o, x);
    return error && !code ? 2 : code;
}

/* Finds what a page needs to play the lesson. Returns false after a message. */
static bool lesson(const struct engine *e, const struct options *o, struct exporter *x, struct page_lesson *l)
{
    char err[200];
    if (!o->lesson)
        return true;
    if (!x->ops->lessons)
        return usage_error("--lesson: only --format html can play a lesson"), false;
    if (o->only || o->from || o->to)
        return usage_error("--lesson needs the whole run, without --only, --from and --to: it stops at events all over it"), false;
    if (e->cfg.info.mode != MODE_LOCKSTEP)
        return usage_error("--lesson needs --mode lockstep: the page must know the answers before it asks"), false;
    x->lesson = l;
    bool good = page_lesson_init(l, &e->cfg, err, sizeof err);
    if (!good)
        visible_line(stderr, "gmpscope: --lesson: %s", err);
    return good;
}

static int run(const struct scenario *sc, struct options *o, struct exporter *x)
{
    char err[200];
    struct file_new f;
    struct reader reads = export_reader(x);
    struct engine_config c = command_engine(sc, o);
    c.readers = &reads;
    c.nreaders = 1;
    if (x->ops->places) /* they are no events, so the others keep their numbers */
        c.rt.places = PLACES_SHOWN;
    if (!scenario_info(sc)->go)
        command_headless_limits(&c, o);
    signals_watch();
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e)
        return visible_line(stderr, "gmpscope: %s", err), 2;
    struct run_info info = e->cfg.info;
    if (x->ops->places)
        info.program = scenario_program(e->cfg.scenario);
    x->info = &info;
    x->error = &e->write_error;
    x->progress = isatty(STDERR_FILENO) ? stderr : NULL;
    const char *lack = x->ops->needs_p && !x->info->has_p ? "a generation without Ps has no such form" : export_begin(x);
    struct page_lesson told;
    bool good = !lack && only(e, &o->arena, o->only, x) && lesson(e, o, x, &told);
    int error = good && o->output ? file_begin(&f, o->output) : 0, code = 2;
    if (lack)
        visible_line(stderr, "gmpscope: %s: %s", x->ops->name, lack);
    else if (error)
        visible_line(stderr, "gmpscope: %s: %s", o->output, strerror(error));
    if (good && !error && command_recorded(e, o, 0)) {
        x->out = o->output ? f.out : stdout;
        if (o->cut)
            visible_line(stderr, "gmpscope: %s", o->cut);
        code = drive(e, o, x, &f);
    }
    export_fini(x);
    if (x->lesson)
        page_lesson_fini(x->lesson);
    engine_free(e);
    return code;
}

static int loaded(struct scenario *sc, struct options *o, const struct export_ops *form)
{
    struct exporter x = {.ops = form, .old = o->go == 19};
    bool has_versions = form == &export_gotrace;
    if (o->go && !has_versions)
        usage_error("--go: only --format gotrace has a form for each version of Go");
    bool good = sc && (!o->go || has_versions) && command_fits(sc, o) && (!o->lesson || command_has_lesson(sc)) && bounds(o, &x);
    int code = good ? run(sc, o, &x) : 2;
    scenario_free(sc);
    return code;
}

int export_run(const struct export_ops *form, int argc, char **argv)
{
    struct options asked, o = {.limit = -1};
    int code = 2;
    bool recorded = false;
    if (options_parse(&asked, CMD_EXPORT_RUN, argc, argv) && !(recorded = recorded_is(asked.args[0])))
        code = loaded(command_scenario(&asked, asked.args[0]), &asked, form);
    options_fini(&asked);
    if (recorded && options_parse(&asked, CMD_EXPORT_FILE, argc, argv))
        code = loaded(command_recording(&asked, 0, CMD_EXPORT_FILE, argc, argv, &o), &o, form);
    if (recorded) {
        options_fini(&o);
        options_fini(&asked);
    }
    return code;
}
