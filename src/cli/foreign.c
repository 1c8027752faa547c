/* See foreign.h. */
#include "cli/foreign.h"
#include "engine/shipped.h"
#include "engine/summary.h"
#include "trace/run_file.h"
#include "trace/go/go_trace.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static bool binds(const struct foreign *i)
{
    const char *err = NULL;
    size_t pos = 0;
    for (uint32_t k = 0; k < i->o->nbreaks; k++)
        if (!pattern_bind(i->o->breaks[k].pattern, &i->o->arena, &i->info.programs, &err, &pos)) {
            usage_error("--break: \"%s\": column %zu: %s", i->o->breaks[k].text, pos + 1, err);
            return false;
        }
    return true;
}

struct engine_config foreign_engine(const struct foreign *i)
{
    const struct options *o = i->o;
    return (struct engine_config){
        .info = i->info,
        .open = i->open,
        .from = i->from,
        .breaks = o->breaks,
        .nbreaks = o->nbreaks,
        .limit = o->limit >= 0 ? o->limit : INT64_MAX,
        .max_events = o->max_events ? o->max_events : UINT64_MAX,
        .limit_asked = o->limit >= 0 || o->max_events,
        .lang = o->lang};
}

static bool record(struct engine *e, const struct record_asked *asked, char *err, size_t size)
{
    char why[RUN_ERROR + 200];
    const struct record_to to = {.path = asked->path, .name = "", .settings = "", .replace = asked->replace, .lang = asked->lang};
    if (engine_record(e, &to, why, sizeof why))
        return true;
    snprintf(err, size, asked->lang == LANG_ZH ? "无法记录：%s" : "cannot record: %s", why);
    return false;
}

static bool record_session(const struct session_config *c, struct engine *e, const char *path, bool replace, enum lang lang, char *err,
                           size_t size)
{
    (void)c;
    return record(e, &(struct record_asked){path, replace, lang}, err, size);
}

static struct session_config session_of(const struct foreign *i, bool only_picture)
{
    struct session_config c = {.engine = foreign_engine(i), .settings = i->o};
    c.tempo = only_picture || (i->followed && !i->o->tempo_asked) ? TEMPO_MAX : i->o->tempo; /* a follower must keep up */
    c.paused = i->o->at || i->o->linear;
    c.record = record_session;
    c.record_to = only_picture ? NULL : i->o->record;
    c.engine.live = true;
    c.engine.history = i->o->history;
    return c;
}

/* What a trace has, for a person who asked for nothing else. */
static void print_told(const struct foreign *i)
{
    const struct go_told *t = go_trace_told(i->trace);
    bool zh = i->o->lang == LANG_ZH;
    visible_line(stdout, zh ? "%s：Go %s 的执行跟踪" : "%s: an execution trace of Go %s", i->info.name, go_trace_version(t->minor));
    printf(zh ? "G：%" PRIu64 "，M：%" PRIu64 "，P：%u；事件：%" PRIu64 "，历时 %.6f ms\n"
              : "Gs: %" PRIu64 ", Ms: %" PRIu64 ", Ps: %u; events: %" PRIu64 ", in %.6f ms\n",
           t->goroutines, t->threads, t->procs, t->events, (double)t->end / 1e6);
    printf(zh ? "未显示：不改变 G、P、M 的 Go 事件（内存、任务、区域、日志、标签、清扫）：%" PRIu64 "；以及调用栈\n"
              : "left out: %" PRIu64
                " of Go's events, which change no G, P or M (memory, tasks, regions, logs, labels, sweeps), and the stacks\n",
           t->left_out);
}

static void print_replay(const struct engine *e, enum lang lang)
{
    struct model_replay r;
    if (model_replay(engine_view(e), &r))
        printf(lang == LANG_ZH ? "队列未记录，由规则重演推出：解释了 %" PRIu64 "/%" PRIu64 " 次启动\n"
                               : "derived: the queues, by a replay of the rules, which explains %" PRIu64 " of %" PRIu64 " starts\n",
               r.starts - r.by[RULE_NONE], r.starts);
}

static int headless(struct foreign *i)
{
    char err[200];
    const struct options *o = i->o;
    struct engine_config c = foreign_engine(i);
    struct drive d = {.signal = signals_seen()};
    c.out = o->json ? OUT_NONE : o->narrate ? OUT_SENTENCES : o->events ? OUT_EVENTS : OUT_PROGRAM;
    c.stream = stdout;
    c.visible = isatty(STDOUT_FILENO);
    signals_watch();
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e || (o->record && !record(e, &(struct record_asked){.path = o->record}, err, sizeof err))) {
        visible_line(stderr, "gmpscope: %s", err);
        engine_free(e);
        return 2;
    }
    if (i->cut)
        visible_line(stderr, "gmpscope: %s", i->cut);
    engine_drive(e, &d);
    engine_judge(e);
    if (i->followed && (i->cut = foreign_cut(i)))
        visible_line(stderr, "gmpscope: %s", i->cut);
    if (i->trace && !i->watched && c.out == OUT_PROGRAM && !o->picture) {
        print_told(i);
        print_replay(e, o->lang);
    }
    if (i->print && c.out == OUT_PROGRAM && !o->picture)
        i->print(i);
    if (o->json && !e->lack)
        summary_object(e, stdout), putchar('\n');
    if (fflush(stdout) && !e->write_error)
        e->write_error = errno;
    struct verdict v = engine_finish(e, &(struct finish){.err = stderr, .cut = !o->json});
    int code = v.code ? v.code : e->how == ENDED_INTERRUPTED ? signals_code() : 0, error = e->write_error;
    code = command_record_end(e, code);
    engine_free(e);
    return output_finish(code, error);
}

static int show(struct foreign *i, const char *layout, bool only_picture)
{
    struct arena a = {0};
    char err[200];
    const struct options *o = i->o;
    bool ended;
    int code = 2, write_error = 0;
    struct session_config c = session_of(i, only_picture);
    struct session *s = session_new(&c, err, sizeof err);
    if (!s)
        return usage_error("%s", err);
    struct ui_config ui = command_ui(o, layout, shipped_dir(&a, "layouts"));
    ui.session = s;
    ui.ops = session_ops_of(s);
    ui.linear = o->linear;
    ui.dumb = o->dumb;
    ui.every_event = o->narrate;
    ui.write_error = &write_error;
    ui.at = o->at;
    ui.select = o->select;
    ui.picture = o->picture;
    ui.only_picture = only_picture;
    struct ui_kept kept = {.lang = o->lang};
    snprintf(kept.note, sizeof kept.note, "%s", i->cut ? i->cut : "");
    ui.kept = &kept;
    code = ui_run(&ui);
    struct engine *e = session_stop(s, &ended);
    i->cut = i->followed ? foreign_cut(i) : i->cut; /* its thread has read the trace until now */
    if (i->cut && !only_picture)                    /* a screen may have hidden it */
        visible_line(stderr, "gmpscope: %s", i->cut);
    code = code ? code : engine_finish(e, &(struct finish){.err = stderr, .early = !ended}).code;
    code = command_record_end(e, code);
    session_free(s);
    arena_fini(&a);
    return write_error ? output_finish(code, write_error) : code;
}

int foreign_run(struct foreign *i)
{
    const struct options *o = i->o;
    bool program = false;
    const char *layout = o->headless && !o->picture && !o->layout ? "" : command_layout(&i->o->arena, NULL, o, &program);
    int code = layout && binds(i) ? 0 : 2;
    if (!code && o->headless)
        code = headless(i);
    if (!code && (!o->headless || o->picture))
        code = show(i, layout, o->headless);
    return code;
}
