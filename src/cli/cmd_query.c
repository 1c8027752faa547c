/* gmpscope query: runs a scenario without a screen, and prints one value computed from its events. */
#include "cli/foreign.h"
#include "engine/source_file.h"
#include "trace/go/go_trace.h"
#include "engine/summary.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void say_derived(const struct model *md, const char *text, enum lang lang)
{
    struct model_replay r;
    model_replay(md, &r);
    unsigned long long all = r.starts, explained = all - r.by[RULE_NONE];
    visible_line(stderr,
                 lang == LANG_ZH ? "gmpscope: \"%s\" 是推出的：来源未记录队列；在其事件上重演了调度规则，解释了 %llu/%llu 次启动"
                                 : "gmpscope: \"%s\" is derived: the source records no queues; our rules were replayed over its events "
                                   "and explain %llu of %llu starts",
                 text, explained, all);
}

/* What is asked about a run: one value, or a report. */
struct question {
    const char *text;
    struct query *query;   /* NULL: a report is asked for */
    struct report *report; /* NULL: a value */
};

static int lacks_memory(void)
{
    return usage_error("%s", strerror(ENOMEM));
}

/* Reads what the text asks for, if that is a report. Returns false after an error message. */
static bool take_report(const char *text, struct question *out)
{
    struct report_asked asked;
    const char *err = NULL;
    size_t pos = 0;
    *out = (struct question){.text = text};
    enum report_parsed is = report_parse(text, &asked, &err, &pos);
    if (is == REPORT_NONE)
        return true;
    if (is == REPORT_WRONG)
        return usage_error("\"%s\": column %zu: %s", text, pos + 1, err), false;
    return (out->report = report_new(&asked)) || (lacks_memory(), false);
}

static void question_fini(struct question *k)
{
    if (k->query)
        query_fini(k->query);
    report_free(k->report);
}

/* A value as JSON: a number, or a string. */
static void value_json(const char *text, const char *value, bool derived)
{
    fputs("{\"query\":", stdout);
    json_string(text, stdout);
    fputs(",\"value\":", stdout);
    const char *digits = value + (*value == '-');
    if (*digits && !digits[strspn(digits, "0123456789")])
        fputs(value, stdout);
    else
        json_string(value, stdout);
    puts(derived ? ",\"derived\":true}" : "}");
}

/* Prints the value. Returns the exit code. */
static int answer_value(const struct engine *e, const struct question *k, const struct options *o)
{
    const char *value = NULL;
    switch (query_value(k->query, engine_view(e), &value)) {
    case QUERY_VALUE:
        if (o->json) {
            value_json(k->text, value, query_is_derived(k->query));
        } else {
            visible_write(stdout, value, strlen(value)); /* a list may be long: visible_line() would need memory for it */
            putchar('\n');
        }
        if (query_is_derived(k->query)) {
            fflush(stdout);
            say_derived(engine_view(e), k->text, o->lang);
        }
        return output_finish(0, 0);
    case QUERY_NONE:
        visible_line(stderr, "gmpscope: \"%s\" has no value: nothing in this run matches", k->text);
        return 1;
    default:
        return lacks_memory();
    }
}

/* Prints the rows. Returns the exit code. */
static int answer_rows(const struct engine *e, const struct question *k, const struct options *o)
{
    struct report_rows rows = {.lacks = false};
    char line[REPORT_LINE];
    bool good = true;
    if (report_is_empty(k->report)) {
        visible_line(stderr, "gmpscope: \"%s\" has no answer: nothing in this run is what it asks about", k->text);
        return 1;
    }
    if (o->json && (good = report_json(k->report, engine_view(e), stdout)))
        putchar('\n');
    else if (!o->json && (good = report_rows(k->report, engine_view(e), o->lang, &rows)))
        for (size_t i = 0; i < rows.row.n; i++)
            visible_line(stdout, "%s", report_line(&rows.row.v[i], line));
    vec_free(&rows.row);
    return good ? output_finish(0, 0) : lacks_memory();
}

/* The end of the program is part of what is asked about: a deadlock is an answer, not a failure. */
static int run(struct engine_config c, const struct options *o, const struct question *k)
{
    char err[200];
    struct reader reads = k->query ? query_reader(k->query) : report_reader(k->report);
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
    if (!command_recorded(e, o, reads.needs & ~(unsigned)READS_EACH)) {
        engine_free(e);
        return 2;
    }
    engine_drive(e, &d);
    struct verdict v = engine_finish(e, &(struct finish){.err = stderr});
    bool asked_to_end = e->how == ENDED_INTERRUPTED && signals_code(); /* else a recording ends there, and has an answer up to there */
    int code = v.code == 2 || v.code == 4 ? v.code
               : asked_to_end             ? signals_code()
               : k->query                 ? answer_value(e, k, o)
                                          : answer_rows(e, k, o);
    engine_free(e);
    return code;
}

/* Answers the second word about the run of the first. */
static int ask(struct scenario *sc, struct options *o)
{
    struct question k = {.text = NULL};
    bool good = sc && command_fits(sc, o) && take_report(o->args[1], &k);
    if (good && !k.report)
        good = (k.query = command_query(sc, o, "", k.text)) != NULL;
    struct engine_config c = {.limit = 0};
    if (good) {
        c = command_engine(sc, o);
        command_headless_limits(&c, o);
    }
    int code = good ? run(c, o, &k) : 2;
    question_fini(&k);
    scenario_free(sc);
    return code;
}

static int ask_foreign(const struct foreign *f, const char *text)
{
    const char *err = NULL;
    size_t pos = 0;
    struct arena *a = &f->o->arena;
    struct question k;
    if (!take_report(text, &k))
        return 2;
    if (!k.report && (!(k.query = query_compile(a, text, &err, &pos)) || !query_bind(k.query, a, &f->info.programs, &err, &pos)))
        return usage_error("\"%s\": column %zu: %s", text, pos + 1, err ? err : strerror(ENOMEM));
    f->o->cut = f->cut;
    int code = run(foreign_engine(f), f->o, &k);
    question_fini(&k);
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
