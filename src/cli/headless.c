/* gmpscope run --headless: stdout has the program's output (or --json, --events, --narrate); the exit code has the result. */
#include "cli/commands.h"
#include "engine/summary.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Says which Gs main leaves behind, after the last event. */
static void say_left(const struct engine *e)
{
    enum { SAID = 100 };
    char text[700];
    uint32_t g = 0;
    for (int n = 0; e->waits && e->how == ENDED_MAIN_RETURNED && n < SAID && (g = waits_next_left(e->waits, g, WAITS_BOTH)); n++)
        visible_line(stdout, "%s", waits_say_left(e->waits, g, e->cfg.lang, text, sizeof text));
}

static int finish(struct engine *e, const struct options *o)
{
    engine_judge(e);
    if (o->narrate)
        say_left(e);
    if (o->json && !e->lack)
        summary_object(e, stdout), putchar('\n');
    if (o->narrate)
        races_say(&e->races, 0, e->cfg.scenario, o->lang, "", stdout);
    if (fflush(stdout) && !e->write_error)
        e->write_error = errno;
    struct verdict v = engine_finish(e, &(struct finish){.err = stderr, .claims = true, .cut = !o->json});
    int code = v.code ? v.code : e->how != ENDED_INTERRUPTED ? 0 : e->was.signal ? 128 + e->was.signal : signals_code();
    code = engine_own_exit(e, code);
    return output_finish(command_record_end(e, code), e->write_error);
}

static enum engine_out output(const struct options *o)
{
    return o->json ? OUT_NONE : o->events ? OUT_EVENTS : o->narrate ? OUT_SENTENCES : OUT_PROGRAM;
}

int run_headless(const struct scenario *sc, const struct options *o)
{
    char err[200];
    unsigned places = 0;
    struct engine_config c = command_engine(sc, o);
    struct drive d = {.audit = o->audit, .pauses = o->pauses, .signal = signals_seen()};
    c.out = output(o);
    c.stream = stdout;
    c.visible = isatty(STDOUT_FILENO);
    c.err = scenario_info(sc)->go ? stderr : NULL;
    c.rt.input = true;
    if (!scenario_info(sc)->go) /* a Go program ends when it ends, as in Go */
        command_headless_limits(&c, o);
    if (scenario_info(sc)->go && o->record) /* its replay marks the lines where Gs are */
        c.rt.places = PLACES_SHOWN;
    signals_watch();
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e || (o->record && !command_record(e, o, &(struct record_asked){.path = o->record}, err, sizeof err))) {
        visible_line(stderr, "gmpscope: %s", err);
        engine_free(e);
        return 2;
    }
    if (o->cut)
        visible_line(stderr, "gmpscope: %s", o->cut);
    for (uint32_t i = 0; i < o->nbreaks; i++)
        places |= pattern_asks_for_places(o->breaks[i].pattern) ? READS_PLACES : 0;
    if (!command_recorded(e, o, places)) {
        engine_free(e);
        return 2;
    }
    if (o->events || o->narrate)
        command_recorded(e, o, READS_DETAILS); /* what it has is printed all the same */
    engine_drive(e, &d);
    int code = finish(e, o);
    engine_free(e);
    return code;
}
