/* Loads and lints a scenario, fits it to each generation, exports it, and runs it briefly with an audit. Whatever the file says, no internal
 * check may fail and no memory error may occur. The size of the file chooses the output, the language and --fine. */
#include "engine/engine.h"
#include "fuzz.h"

enum { MOST_EVENTS = 3000, MOST_PROCS = 16 };

static void run(const struct scenario *sc, size_t choose)
{
    char err[200];
    struct engine_config c = {
        .scenario = sc,
        .rt = scenario_config(sc),
        .limit = 100000000,
        .max_events = MOST_EVENTS,
        .stream = nowhere(),
        .out = choose & 1 ? OUT_EVENTS : OUT_SENTENCES,
        .lang = choose & 2 ? LANG_ZH : LANG_EN};
    c.rt.mode = MODE_LOCKSTEP;
    c.rt.fine = choose & 4;
    if (c.rt.gomaxprocs > MOST_PROCS)
        c.rt.gomaxprocs = MOST_PROCS;
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e)
        WRONG("no run: %s", err);
    engine_drive(e, &(struct drive){.audit = true});
    engine_judge(e);
    engine_post_mortem(e, nowhere());
    if (engine_failed(e))
        WRONG("%s", e->failure);
    engine_free(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag d;
    const char *path = as_file(data, size);
    diag_init(&d, path);
    struct scenario *sc = scenario_load(path, &d);
    if (!sc)
        check_refused(&d);
    diag_fini(&d);
    if (!sc)
        return 0;
    for (int gen = 0; gen < GENERATIONS; gen++) {
        diag_init(&d, path);
        if (!scenario_fits(sc, (enum rt_generation)gen, &d))
            check_refused(&d);
        diag_fini(&d);
    }
    diag_init(&d, path);
    if (!scenario_go_source(sc, scenario_info(sc)->generation, 0, nowhere(), &d))
        check_refused(&d);
    diag_fini(&d);
    run(sc, size);
    scenario_free(sc);
    return 0;
}
