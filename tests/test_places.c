/* Where Gs are in their programs, in a run that a screen watches: no event, so all events are those of a run without
 * a screen. The state after an event has the places that were reached before it, however it is reached. */
#include "base/prng.h"
#include "engine/branch.h"
#include "load.h"

#include <string.h>

enum { SEEDS = 3, BUDGET = 64 << 10 };

static struct engine_config config_of(const struct scenario *sc, uint64_t seed)
{
    struct engine_config c = {
        .scenario = sc, .rt = scenario_config(sc), .limit = INT64_C(10000000000), .max_events = 1000000, .history = HISTORY_BUDGET};
    c.rt.mode = MODE_LOCKSTEP;
    c.rt.seed = seed;
    return c;
}

static struct engine *run(const struct engine_config *c)
{
    char err[200];
    struct engine *e = engine_new(c, err, sizeof err);
    CHECK(e);
    engine_drive(e, &(struct drive){.audit = false});
    CHECK_STR(e->failure, "");
    return e;
}

static void check_watched(const struct scenario *sc, const char *path, void *ctx)
{
    struct branch_refusal why;
    (void)ctx;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct engine_config c = config_of(sc, seed);
        struct engine *alone = run(&c);
        for (enum run_places places = PLACES_NONE; places <= PLACES_SHOWN; places += PLACES_SHOWN) {
            c.rt.places = places;
            struct engine *watched = branch_run(&c, NULL, alone->events, alone->history, &why);
            if (!watched)
                t_fail(__FILE__, __LINE__, "%s, seed %llu: %s", path, (unsigned long long)seed, why.text);
            CHECK_INT(watched->events, alone->events);
            CHECK_INT(engine_rounds(watched), engine_rounds(alone));
            engine_free(watched);
        }
        engine_free(alone);
    }
}

TEST_TIMED(a_watched_run_has_the_events_of_a_run_without_a_screen, 600)
{
    CHECK(each_scenario(check_watched, NULL) > 50);
}

/* A breakpoint on g_op makes places events. A branch repeats the run without the breakpoint, but with the same events. */
TEST(a_run_with_places_as_events_is_repeated_with_them)
{
    struct branch_refusal why;
    const struct break_at at = {.text = "g_op x1000000"};
    struct scenario *sc = load(SOURCE_DIR "/scenarios/steal-half.yaml");
    struct engine_config c = config_of(sc, 1);
    c.breaks = &at;
    c.nbreaks = 1;
    struct engine *e = run(&c);
    CHECK_INT(e->cfg.rt.places, PLACES_EVENTS);
    struct engine *again = branch_run(&e->cfg, NULL, e->events, e->history, &why);
    if (!again)
        t_fail(__FILE__, __LINE__, "%s", why.text);
    CHECK_INT(again->events, e->events);
    engine_free(again);
    engine_free(e);
    scenario_free(sc);
}

/* ---- the places of a state ---- */

static uint64_t places_of(const struct model *md)
{
    uint64_t sum = 0;
    uint32_t op;
    for (uint32_t g = 0; (g = model_next_live(md, g));)
        if (model_g_op(md, g, &op))
            sum = (sum + (uint64_t)g * 1000003 + op + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return sum;
}

/* Makes steps of one event each to the end, and keeps the places of each state that a screen would show: sum[n]. Returns the number of
 * states in which a place differs from the one before. */
static uint32_t step_through(struct engine *e, uint64_t *sum, uint64_t most)
{
    uint32_t changes = 0;
    while (!engine_over(e)) {
        engine_step(e, UNIT_EVENT, 1);
        while (!engine_wait_stopped(e, 1))
            ;
        while (!engine_over(e) && engine_drain(e, 1)) {
            CHECK(e->events < most);
            sum[e->events] = places_of(e->model);
            changes += sum[e->events] != sum[e->events - 1];
        }
    }
    CHECK_STR(e->failure, "");
    return changes;
}

/* With the least budget, old segments are in the file, and most of them have no keyframe. */
static void check_states(const char *name, uint64_t budget)
{
    enum { MOST = 30000 };
    static uint64_t sum[MOST];
    char path[1024], err[200];
    struct prng r;
    struct model *md = NULL;
    snprintf(path, sizeof path, "%s/scenarios/%s.yaml", SOURCE_DIR, name);
    struct scenario *sc = load(path);
    struct engine_config c = config_of(sc, 1);
    c.history = budget;
    c.live = true;
    struct engine *e = engine_new(&c, err, sizeof err);
    CHECK(e);
    CHECK(step_through(e, sum, MOST) > 20);
    CHECK(budget > BUDGET || history_stats(e->history).spilled > 1);
    prng_seed(&r, 1, PRNG_PAUSES);
    for (int i = 0; i < 500; i++) {
        uint64_t n = prng_below(&r, (uint32_t)e->events) + 1;
        CHECK(history_move(e->history, &md, n));
        if (places_of(md) != sum[n])
            t_fail(__FILE__, __LINE__, "%s: the places after event %llu differ", name, (unsigned long long)n);
    }
    model_free(md);
    engine_free(e);
    scenario_free(sc);
}

TEST(a_state_has_the_places_that_a_stop_there_shows)
{
    check_states("steal-half", HISTORY_BUDGET);
    check_states("pair", HISTORY_BUDGET);
}

TEST(places_come_back_from_the_file)
{
    check_states("whatif-recheck", BUDGET);
}
