/* gmpscope import: the execution trace of a real Go program, in the same screens as a run. */
#include "cli/commands.h"
#include "engine/source_go.h"
#include "engine/shipped.h"
#include "engine/summary.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A trace that was opened, and the run that it is. */
struct imported {
    struct options *o;
    struct go_trace *trace;
    struct run_info info;
    const char *name, *cut; /* cut: what a person must know of its end, NULL: it is whole */
};

static int cannot(const char *path, const char *why)
{
    visible_line(stderr, "gmpscope: %s: %s", path, why);
    return 2;
}

/* --- the file ---------------------------------------------------------------------------------------------------------------- */

/* Copies what a pipe has, up to its end, into a file without a name: a trace is read twice. Returns a descriptor, -1 with errno. */
static int spool(int from)
{
    const char *dir = getenv("TMPDIR");
    char buf[1 << 16];
    int to = open(dir && *dir ? dir : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (to < 0)
        return -1;
    for (ssize_t n, done; (n = read(from, buf, sizeof buf)) != 0;) {
        if (n < 0 && errno == EINTR && !signals_code())
            continue;
        for (done = 0; n > 0 && done < n;) {
            ssize_t put = write(to, buf + done, (size_t)(n - done));
            if (put < 0 && errno != EINTR)
                n = -1;
            done += put > 0 ? put : 0;
        }
        if (n < 0) {
            int error = errno;
            close(to);
            return errno = error, -1;
        }
    }
    return to;
}

/* Opens a file, or "-": what comes through stdin. Returns a descriptor of a regular file, -1 with errno. */
static int open_file(const char *path)
{
    struct stat st;
    bool in = !strcmp(path, "-");
    int fd = in ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0 || (S_ISREG(st.st_mode) && !in))
        return fd;
    if (S_ISDIR(st.st_mode)) {
        close(fd);
        return errno = EISDIR, -1;
    }
    int copy = spool(fd), error = errno;
    close(fd);
    int terminal = in && copy >= 0 && !isatty(STDIN_FILENO) ? open("/dev/tty", O_RDONLY | O_CLOEXEC) : -1;
    if (terminal >= 0) { /* a screen reads its keys there */
        dup2(terminal, STDIN_FILENO);
        close(terminal);
    }
    return errno = error, copy;
}

static const char *cut_text(struct options *o, const struct go_told *told)
{
    bool zh = o->lang == LANG_ZH;
    unsigned long long at = told->at, size = told->size;
    if (told->state == GO_CUT)
        return arena_printf(
            &o->arena,
            zh ? "跟踪在中途结束：读了 %llu 字节，共 %llu 字节" : "the trace ends in the middle: %llu of its %llu bytes were read", at,
            size);
    if (told->state == GO_DAMAGED)
        return arena_printf(
            &o->arena, zh ? "跟踪已损坏：%s；显示此前的 %llu 个事件" : "the trace is damaged: %s; the %llu events before that are shown",
            told->wrong, (unsigned long long)told->events);
    return NULL;
}

static bool import_open(struct imported *i, struct options *o)
{
    char wrong[GO_TEXT];
    bool foreign;
    const char *path = o->args[0], *slash = strrchr(path, '/');
    *i = (struct imported){.o = o, .name = !strcmp(path, "-") ? "stdin" : slash && slash[1] ? slash + 1 : path};
    int fd = open_file(path);
    if (fd < 0)
        return cannot(path, strerror(errno)), false;
    i->trace = go_trace_open(fd, wrong, &foreign);
    if (!i->trace)
        return cannot(path, wrong), false;
    const struct go_told *told = go_trace_told(i->trace);
    source_go_info(told, i->name, &i->info);
    i->cut = cut_text(o, told);
    if (told->events)
        return true;
    cannot(path, i->cut ? i->cut : o->lang == LANG_ZH ? "跟踪中没有事件" : "the trace has no events");
    return false;
}

static bool binds(struct imported *i)
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

/* --- the run ----------------------------------------------------------------------------------------------------------------- */

static struct engine_config import_engine(const struct imported *i)
{
    const struct options *o = i->o;
    return (struct engine_config){
        .info = i->info,
        .open = source_go,
        .from = i->trace,
        .breaks = o->breaks,
        .nbreaks = o->nbreaks,
        .limit = o->limit >= 0 ? o->limit : INT64_MAX,
        .max_events = o->max_events ? o->max_events : UINT64_MAX,
        .limit_asked = o->limit >= 0 || o->max_events,
        .lang = o->lang};
}

static struct session_config import_session(const struct imported *i)
{
    struct session_config c = {.engine = import_engine(i), .tempo = i->o->tempo, .settings = i->o};
    c.paused = i->o->at || i->o->linear;
    c.engine.live = true;
    c.engine.history = i->o->history;
    return c;
}

static int import_headless(const struct imported *i)
{
    char err[200];
    const struct options *o = i->o;
    struct engine_config c = import_engine(i);
    struct drive d = {.signal = signals_seen()};
    c.out = o->json ? OUT_NONE : o->narrate ? OUT_SENTENCES : o->events ? OUT_EVENTS : OUT_PROGRAM;
    c.stream = stdout;
    c.visible = isatty(STDOUT_FILENO);
    signals_watch();
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e)
        return visible_line(stderr, "gmpscope: %s", err), 2;
    if (i->cut)
        cannot(o->args[0], i->cut);
    engine_drive(e, &d);
    engine_judge(e);
    if (o->json && !e->lack)
        summary_object(e, stdout), putchar('\n');
    if (fflush(stdout) && !e->write_error)
        e->write_error = errno;
    struct verdict v = engine_finish(e, &(struct finish){.err = stderr, .cut = !o->json});
    int code = v.code ? v.code : e->how == ENDED_INTERRUPTED ? signals_code() : 0, error = e->write_error;
    engine_free(e);
    return output_finish(code, error);
}

static int import_show(const struct imported *i, const char *layout, bool only_picture)
{
    struct arena a = {0};
    char err[200];
    const struct options *o = i->o;
    bool ended;
    int code = 2, write_error = 0;
    struct session_config c = import_session(i);
    c.tempo = only_picture ? TEMPO_MAX : c.tempo;
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
    code = code ? code : engine_finish(e, &(struct finish){.err = stderr, .early = !ended}).code;
    session_free(s);
    arena_fini(&a);
    return write_error ? output_finish(code, write_error) : code;
}

static int import(struct options *o)
{
    struct imported i;
    bool program = false;
    if (o->nargs == 0)
        return usage_error("import needs a FILE that Go's tracer has written, or - for what comes through a pipe");
    if (o->nargs > 1)
        return usage_error("import takes one FILE, got %d; unexpected \"%s\"", o->nargs, o->args[1]);
    const char *layout = o->headless && !o->picture && !o->layout ? "" : command_layout(&o->arena, NULL, o, &program);
    if (!layout)
        return 2;
    int code = import_open(&i, o) && binds(&i) ? 0 : 2;
    if (!code && o->headless)
        code = import_headless(&i);
    if (!code && (!o->headless || o->picture))
        code = import_show(&i, layout, o->headless);
    go_trace_free(i.trace);
    return code;
}

int cmd_import(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_IMPORT, argc, argv))
        code = o.help ? command_help("import FILE|- [options]",
                                     "show the execution trace of a real Go program, or print it with --headless", CMD_IMPORT)
                      : import(&o);
    options_fini(&o);
    return code;
}
