/* gmpscope query: runs a scenario without a screen, and prints one value computed from its events. */
#include "cli/foreign.h"
#include "engine/source_file.h"
#include "trace/go/go_trace.h"
#include "engine/summary.h"
#include <errno.h>
#include <string.h>

/* Prints the value. Returns the exit code. */
static int answer(const struct engine *e, struct query *q, const char *text)
{
    const char *value = NULL;
    switch (query_value(q, engine_view(e), &value)) {
    case QUERY_VALUE:
        visible_write(stdout, value, strlen(value)); /* a list may be long: visible_line() would need memory for it */
        putchar('\n');
        return output_finish(0, 0);
    case QUERY_NONE:
        visible_line(stderr, "gmpscope: \"%s\" has no value: nothing in this run matches", text);
        return 1;
    default:
        return usage_error("%s", strerror(ENOMEM));
    }
}

/* The end of the program is part of what is asked about: a deadlock is an answer, not a failure. */
static int run(struct engine_config c, const struct options *o, struct query *q, const char *text)
{
    char err[200];
    struct reader reads = query_reader(q);
    struct drive d = {.signal = signals_seen()};
    c.readers = &reads;
    c.nreaders = 1;
    signals_watch();
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e) {
        visible_line(stderr, "gmpscope: %s", err);
        return 2;
    }
    if (o->cut)
        visible_line(stderr, "gmpscope: %s", o->cut);
    if (!command_recorded(e, o, query_needs(q) & ~(unsigned)READS_EACH)) {
        engine_free(e);
        return 2;
    }
    engine_drive(e, &d);
    struct verdict v = engine_finish(e, &(struct finish){.err = stderr});
    bool asked_to_end = e->how == ENDED_INTERRUPTED && signals_code(); /* else a recording ends there, and has an answer up to there */
    int code = v.code == 2 || v.code == 4 ? v.code : asked_to_end ? signals_code() : answer(e, q, text);
    engine_free(e);
    return code;
}

/* Answers the second word about the run of the first. */
static int ask(struct scenario *sc, struct options *o)
{
    struct query *q = sc && command_fits(sc, o) ? command_query(sc, o, "", o->args[1]) : NULL;
    struct engine_config c = {.limit = 0};
    if (q) {
        c = command_engine(sc, o);
        command_headless_limits(&c, o);
    }
    int code = q ? run(c, o, q, o->args[1]) : 2;
    if (q)
        query_fini(q);
    scenario_free(sc);
    return code;
}

static int ask_foreign(const struct foreign *f, const char *text)
{
    const char *err = NULL;
    size_t pos = 0;
    struct arena *a = &f->o->arena;
    struct query *q = query_compile(a, text, &err, &pos);
    if (!q || !query_bind(q, a, &f->info.programs, &err, &pos))
        return usage_error("\"%s\": column %zu: %s", text, pos + 1, err ? err : strerror(ENOMEM));
    f->o->cut = f->cut;
    int code = run(foreign_engine(f), f->o, q, text);
    query_fini(q);
    return code;
}

/* A recording has its settings; the command line may have none. */
static int query_recording(int argc, char **argv)
{
    struct options asked, o = {.limit = -1};
    bool good = options_parse(&asked, CMD_ASKED, argc, argv);
    struct foreign f = {.o = &asked, .open = source_file};
    f.from = f.path = good ? asked.args[0] : NULL;
    bool is_trace = good && go_trace_is(f.path);
    int code = 2;
    if (good && ((is_trace && foreign_trace(&f, &asked, false)) || (!is_trace && command_foreign(&f))))
        code = ask_foreign(&f, asked.args[1]);
    else if (good && !is_trace)
        code = ask(command_recording(&asked, 0, CMD_ASKED, argc, argv, &o), &o);
    if (is_trace)
        foreign_end(&f);
    options_fini(&o);
    options_fini(&asked);
    return code;
}

static int query(struct options *o, int argc, char **argv)
{
    if (o->nargs < 2)
        return usage_error("query needs a FILE or NAME and a QUERY, such as \"count(steal)\"; gmpscope help queries explains them");
    if (o->nargs > 2)
        return usage_error("query takes one FILE or NAME and one QUERY; unexpected \"%s\"; quote the query", o->args[2]);
    return recorded_is(o->args[0]) || go_trace_is(o->args[0]) ? query_recording(argc, argv) : ask(command_scenario(o, o->args[0]), o);
}

int cmd_query(int argc, char **argv)
{
    struct options o;
    int code = 2;
    if (options_parse(&o, CMD_QUERY, argc, argv))
        code = o.help ? command_help("query FILE|NAME QUERY [options]", "print a value computed from the events of one run", CMD_QUERY)
                      : query(&o, argc, argv);
    options_fini(&o);
    return code;
}
