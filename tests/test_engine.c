/* The engine: a run can be torn down at any place and started again, and the audit covers every field of the state. */
#include "cli/commands.h"
#include "model/model_internal.h"
#include "load.h"

#include <stdlib.h>

static const char busy_text[] = BUSY("gomaxprocs: 4, runq_size: 4", "20", "3");

static struct engine *engine_of(const struct scenario *sc, enum conductor_mode mode, uint64_t seed, enum rt_generation gen)
{
    char err[200];
    struct engine_config c = {.scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = UINT64_MAX};
    c.rt.mode = mode;
    c.rt.generation = gen;
    c.rt.seed = seed;
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e)
        t_fail(__FILE__, __LINE__, "%s", err);
    return e;
}

static int entries(const char *dir)
{
    int n = 0;
    DIR *d = opendir(dir);
    CHECK(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

/* Torn down at its start, in its middle, or after its end. */
static void one_life(const struct scenario *sc, int i)
{
    struct engine *e = engine_of(sc, i & 1 ? MODE_FREE : MODE_LOCKSTEP, (uint64_t)i, (enum rt_generation)(i % GENERATIONS));
    if (i % 3 == 1)
        engine_run(e);
    if (i % 3 == 2)
        engine_drive(e, &(struct drive){.audit = i % 5 == 0});
    if (engine_failed(e))
        t_fail(__FILE__, __LINE__, "life %d: %s", i, e->failure);
    engine_free(e);
}

TEST_TIMED(a_thousand_lives_leave_nothing_behind, 600)
{
    struct scenario *sc = load(t_file("busy.yaml", busy_text));
    one_life(sc, 2); /* by now the C library has allocated what it keeps */
    int threads = entries("/proc/self/task"), fds = entries("/proc/self/fd");
    for (int i = 0; i < t_count(100, 1000); i++)
        one_life(sc, i);
    CHECK_INT(entries("/proc/self/task"), threads);
    CHECK_INT(entries("/proc/self/fd"), fds);
    scenario_free(sc);
}

TEST(two_runs_side_by_side)
{
    struct scenario *sc = load(t_file("busy.yaml", busy_text));
    struct engine *a = engine_of(sc, MODE_LOCKSTEP, 1, GO1_20), *b = engine_of(sc, MODE_FREE, 2, GO1_20);
    engine_run(b);
    engine_drive(a, &(struct drive){.audit = true});
    engine_drive(b, &(struct drive){.audit = true});
    CHECK_STR(a->failure, "");
    CHECK_STR(b->failure, "");
    CHECK_INT(a->how, ENDED_MAIN_RETURNED);
    CHECK_INT(b->how, ENDED_MAIN_RETURNED);
    CHECK_INT(engine_pending(b), 0);
    engine_free(a);
    engine_free(b);
    scenario_free(sc);
}

/* Returns true if Ms look at each event before they log it, in a run as under a screen. */
static bool looks_at_each(const struct scenario *sc, const struct break_at *at)
{
    char err[200];
    struct engine_config c = {
        .scenario = sc,
        .rt = scenario_config(sc),
        .limit = INT64_MAX,
        .max_events = UINT64_MAX,
        .live = true,
        .breaks = at,
        .nbreaks = at != NULL};
    c.rt.mode = MODE_FREE;
    struct engine *e = engine_new(&c, err, sizeof err);
    CHECK(e);
    engine_drive(e, &(struct drive){.audit = false});
    CHECK_STR(e->failure, "");
    CHECK_INT(e->how, ENDED_MAIN_RETURNED);
    bool yes = (conductor_attention(conductor_hot(source_live_conductor(e->source))) & ATTN_WATCHED) != 0;
    engine_free(e);
    return yes;
}

/* A screen alone does not make Ms look at each event; a breakpoint does. */
TEST(only_breakpoints_make_ms_look_at_each_event)
{
    struct scenario *sc = load(t_file("busy.yaml", busy_text));
    CHECK(!looks_at_each(sc, NULL));
    CHECK(looks_at_each(sc, &(struct break_at){.text = "g_start g=99999"}));
    scenario_free(sc);
}

/* A field that the fold leaves out keeps its first value; on some scenario, shipped or the busy one, the audit must
 * report it. */
static bool caught(const char *path, enum rt_generation gen, enum audit_field f)
{
    struct scenario *sc = load(path);
    struct engine *e = engine_of(sc, MODE_LOCKSTEP, 1, gen);
    model_freeze(e->model, f);
    engine_drive(e, &(struct drive){.audit = true});
    bool yes = e->audit.mismatches > 0;
    if (!yes)
        CHECK_STR(e->failure, "");
    engine_free(e);
    scenario_free(sc);
    return yes;
}

TEST(leaving_out_any_field_is_caught)
{
    static const char *const shipped[] = {"first-spawn",    "steal-half",  "overflow", "blocking-syscall", "ping-pong",
                                          "lock-os-thread", "locked-exit", "net-wait", "disable-user",     "mutex-starving"};
    const char *busy = t_file("busy.yaml", busy_text);
    for (int f = 0; f < AUDIT_COUNT; f++) {
        bool yes = caught(busy, GO1_20, (enum audit_field)f) || caught(busy, GO1_0, (enum audit_field)f);
        for (size_t i = 0; i < sizeof shipped / sizeof *shipped && !yes; i++) {
            char path[600];
            snprintf(path, sizeof path, "%s/scenarios/%s.yaml", SOURCE_DIR, shipped[i]);
            yes = caught(path, GO1_20, (enum audit_field)f);
        }
        if (!yes)
            t_fail(__FILE__, __LINE__, "field %s was left out and nobody saw it", audit_field_name[f]);
    }
}

/* A G is left while a P is idle, in a generation that is not known to do so: the run ends there. */
TEST(a_broken_invariant_is_4_and_the_last_event_shows_it)
{
    struct scenario *sc = load(SOURCE_DIR "/scenarios/issue-55160.yaml");
    struct engine *e = engine_of(sc, MODE_LOCKSTEP, scenario_config(sc).seed, GO1_20);
    e->model->cfg.known = 0;
    engine_drive(e, &(struct drive){0});
    engine_judge(e);
    CHECK_STR(e->failure, "invariant: G1 can run and a P is idle, but time jumps: no M was woken for it");
    CHECK_INT(engine_exit_code(e, true), 4);
    char text[20000] = "";
    FILE *f = fmemopen(text, sizeof text - 1, "w");
    CHECK(f);
    engine_post_mortem(e, f);
    fclose(f);
    const char *told = strstr(text, " time_jump to="), *next;
    CHECK(told && strstr(text, "the last 50 of "));
    while ((next = strstr(told + 1, " time_jump to=")))
        told = next;
    CHECK(!strchr(strchr(told, '\n') + 1, '\n'));
    engine_free(e);
    scenario_free(sc);
}

TEST(a_failed_check_is_4_and_shows_the_last_events)
{
    struct scenario *sc = load(t_file("busy.yaml", busy_text));
    struct engine *e = engine_of(sc, MODE_LOCKSTEP, 1, GO1_20);
    model_freeze(e->model, AUDIT_G_STATUS);
    engine_drive(e, &(struct drive){.audit = true});
    engine_judge(e);
    CHECK_INT(engine_exit_code(e, true), 4);
    char text[20000] = "";
    FILE *f = fmemopen(text, sizeof text - 1, "w");
    CHECK(f);
    engine_post_mortem(e, f);
    fclose(f);
    CHECK(strstr(text, "gmpscope: an internal check failed: audit: "));
    CHECK(strstr(text, "the last "));
    CHECK(strstr(text, " m_start "));
    engine_free(e);
    scenario_free(sc);
}

/* ---- a lack ---- */

static enum source_failure lacks_a_thread(struct source *s, const char **text)
{
    (void)s;
    *text = "no thread is left";
    return FAILURE_LACK;
}

/* What fails because an M stands still in the middle of a change, or because the model has half an event, is not our mistake. */
static void lack_then_failure(bool of_model, const char *reason)
{
    char err[200];
    struct scenario *sc = load(SOURCE_DIR "/scenarios/steal-half.yaml");
    struct engine_config c = {.scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = UINT64_MAX};
    struct engine *e = engine_new(&c, err, sizeof err);
    CHECK(e);
    struct source_ops ops = *e->source->ops;
    ops.failure = lacks_a_thread;
    if (of_model)
        e->model->oom = true;
    else
        e->source->ops = &ops;
    engine_fail(e, "the event log cannot be merged");
    CHECK_STR(e->failure, reason);
    CHECK_INT(engine_exit_code(e, true), 2);
    engine_free(e);
    scenario_free(sc);
}

TEST(a_lack_is_the_cause_of_a_failure_after_it)
{
    lack_then_failure(false, "no thread is left");
}
TEST(half_an_event_is_the_cause_of_a_failure_after_it)
{
    lack_then_failure(true, "cannot keep the scheduler's state: Cannot allocate memory");
}
