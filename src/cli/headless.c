/* gmpscope run --headless: stdout has the program's output (or --json, --events, --narrate); the exit code has the result. */
#include "cli/commands.h"
#include "engine/summary.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int finish(struct engine *e, const struct options *o)
{
    engine_judge(e);
    if (o->json && !e->lack)
        summary_object(e, stdout), putchar('\n');
    if (fflush(stdout) && !e->write_error)
        e->write_error = errno;
    struct verdict v = engine_finish(e, &(struct finish){.err = stderr, .claims = true, .cut = !o->json});
    return output_finish(v.code ? v.code : e->how == ENDED_INTERRUPTED ? signals_code() : 0, e->write_error);
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
