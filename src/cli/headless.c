/* gmpscope run --headless: stdout has the program's output (or --json, --events, --narrate); the exit code has the result. */
#include "cli/commands.h"
#include "engine/summary.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#define DEFAULT_LIMIT      INT64_C(10000000000)
#define DEFAULT_MAX_EVENTS UINT64_C(10000000)

void command_headless_limits(struct engine_config *c, const struct options *o)
{
    if (o->limit < 0)
        c->limit = DEFAULT_LIMIT;
    if (!o->max_events)
        c->max_events = DEFAULT_MAX_EVENTS;
}

/* Claims are about whole runs with the scenario's own Ps and mechanisms, in any mode and with any seed. They do not judge a run that
 * the user limited, changed or steered by hand. --strict judges them although a mechanism is disabled. */
bool command_claims_count(const struct engine *e, const struct options *o)
{
    const struct scenario_info *own = scenario_info(e->cfg.scenario);
    bool asked = o->limit >= 0 || o->max_events;
    if (e->how == ENDED_BREAK || e->how == ENDED_INTERRUPTED || e->write_error || (e->how == ENDED_LIMIT && asked) || conductor_departed(e->cond))
        return false;
    return e->cfg.rt.gomaxprocs == own->gomaxprocs && (e->cfg.rt.disable == own->disable || o->strict);
}

void command_failed_claims(const struct engine *e)
{
    uint32_t n = scenario_info(e->cfg.scenario)->nexpect;
    for (uint32_t i = 0; i < n; i++)
        if (!expect_ok(e->expect, i))
            visible_line(stderr, "gmpscope: %s", expect_why(e->expect, i));
}

bool command_bad_choices(const struct engine *e)
{
    struct choice first;
    bool whole = e->how >= ENDED_MAIN_RETURNED && e->how <= ENDED_FATAL;
    if (e->refused[0])
        usage_error("--choices: %s", e->refused);
    else if (whole && conductor_choices_ahead(e->cond, &first))
        usage_error("--choices: the run ended after %llu draws, before %llu%c%u",
                    (unsigned long long)conductor_decisions(e->cond), (unsigned long long)first.draw, decision_kind_letter[first.kind],
                    first.pick);
    else
        return false;
    return true;
}

static void put_cut_by_time(const struct engine *e)
{
    char time[40];
    fprintf(stderr, "stopped at the limit of %s of scenario time (--limit)", duration_text(e->cfg.limit, time, sizeof time));
    if (e->standstill && conductor_was_free(e->cond))
        fprintf(stderr, "; the process was suspended for %s of that time",
                duration_text(e->standstill / 1000000 * 1000000, time, sizeof time));
}

/* Reports on stderr that a limit cut the run short, or that no breakpoint matched; --json has both already. Says nothing if the run
 * ended as its scenario expects, at a breakpoint, or by a signal. */
static void report_cut(const struct engine *e, const struct options *o)
{
    bool cut = e->how == ENDED_LIMIT && !scenario_expects_end(e->cfg.scenario, &e->cfg.rt, ENDED_LIMIT);
    bool missed = o->nbreaks && e->how != ENDED_BREAK && e->how != ENDED_INTERRUPTED && e->how >= 0;
    if (o->json || engine_failed(e) || e->write_error || (!cut && !missed))
        return;
    fputs("gmpscope: ", stderr);
    if (cut && summary_cut_by_time(e))
        put_cut_by_time(e);
    else if (cut)
        fprintf(stderr, "stopped at the limit of %" PRIu64 " events (--max-events)", e->cfg.max_events);
    if (cut && missed)
        fputs("; ", stderr);
    if (missed && o->nbreaks == 1)
        visible_line(stderr, "--break \"%s\" never matched", o->breaks[0].text);
    else if (missed)
        visible_line(stderr, "none of the %u --break patterns matched", o->nbreaks);
    else
        fputc('\n', stderr);
}

static int finish(struct engine *e, const struct options *o)
{
    bool judged = command_claims_count(e, o);
    engine_judge(e);
    if (o->json && !e->lack)
        summary_object(e, stdout), putchar('\n');
    if (fflush(stdout) && !e->write_error)
        e->write_error = errno;
    engine_post_mortem(e, stderr);
    report_cut(e, o);
    if (judged && !engine_failed(e))
        command_failed_claims(e);
    int code = engine_exit_code(e, judged);
    if (!engine_failed(e) && command_bad_choices(e))
        code = 2;
    return output_finish(code ? code : e->how == ENDED_INTERRUPTED ? signals_code() : 0, e->write_error);
}

static enum engine_out output(const struct options *o)
{
    return o->json ? OUT_NONE : o->events ? OUT_EVENTS : o->narrate ? OUT_SENTENCES : OUT_PROGRAM;
}

int run_headless(const struct scenario *sc, const struct options *o)
{
    char err[200];
    struct engine_config c = command_engine(sc, o);
    struct drive d = {.audit = o->audit, .pauses = o->pauses, .signal = signals_seen()};
    c.out = output(o);
    c.stream = stdout;
    c.visible = isatty(STDOUT_FILENO);
    command_headless_limits(&c, o);
    signals_watch();
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e) {
        visible_line(stderr, "gmpscope: %s", err);
        return 2;
    }
    engine_drive(e, &d);
    int code = finish(e, o);
    engine_free(e);
    return code;
}
