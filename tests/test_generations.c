/* The generations: each behaves as real Go of its time did, and lacks what that Go lacked. The model follows all of
 * them through a program that uses everything. */
#include "cli/commands.h"
#include "load.h"
#include "shell.h"

#include <stdlib.h>
#include <string.h>

static struct scenario *load_text(const char *text)
{
    return load(t_file("generation.yaml", text));
}

struct how {
    enum rt_generation gen;
    enum conductor_mode mode;
    uint64_t seed;
    uint32_t procs, pauses;
};

/* Runs to the end, audited. lines: the output in one string, separated by blanks. The caller frees the engine. */
static struct engine *run(const struct scenario *sc, struct how h, char *lines, size_t size)
{
    char err[200];
    struct engine_config c = {.scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = 10000000};
    c.rt.generation = h.gen;
    c.rt.mode = h.mode;
    c.rt.seed = h.seed;
    c.rt.gomaxprocs = h.procs;
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e)
        t_fail(__FILE__, __LINE__, "%s", err);
    engine_drive(e, &(struct drive){.audit = true, .pauses = h.pauses});
    if (engine_failed(e))
        t_fail(__FILE__, __LINE__, "%s, %s, seed %llu: %s", generation_name[h.gen], mode_name[h.mode], (unsigned long long)h.seed,
               e->failure);
    CHECK_INT(e->audit.mismatches, 0);
    const char *const *v;
    uint32_t n = expect_lines(e->expect, &v);
    lines[0] = '\0';
    for (uint32_t i = 0; i < n; i++)
        snprintf(lines + strlen(lines), size - strlen(lines), "%s%s", i ? " " : "", v[i]);
    return e;
}

/* ---- the eras: expectations from real Go, not from here ---- */

static void prints(const char *text, enum rt_generation gen, const char *want)
{
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
        char got[2000];
        struct scenario *sc = load_text(text);
        engine_free(run(sc, (struct how){gen, (enum conductor_mode)mode, 1, 1, 0}, got, sizeof got));
        CHECK_STR(got, want);
        scenario_free(sc);
    }
}

#define HEAD "name: g\nscheduler: {preempt_slice: 10s, start_tick: 4}\n"

TEST(ten_spawned_run_first_to_last_until_there_was_a_runnext)
{
    static const char text[] = HEAD
        "waitgroups: [wg]\ngoroutines:\n"
        "  - {name: main, do: [{add: wg, n: 10}, {go: say, count: 10}, {wait: wg}]}\n"
        "  - {name: say, do: [{print: '{i}'}, {done: wg}]}\n";
    prints(text, GO1_0, "0 1 2 3 4 5 6 7 8 9");
    prints(text, GO1_4, "0 1 2 3 4 5 6 7 8 9");
    prints(text, GO1_13, "9 0 1 2 3 4 5 6 7 8");
    prints(text, GO1_20, "9 0 1 2 3 4 5 6 7 8");
}

TEST(a_chain_lets_main_wait_as_long_as_its_ticks_say)
{
    static const char text[] =
        "name: g\nscheduler: {preempt_slice: 10s, start_tick: 2}\nshared: [ran]\ngoroutines:\n"
        "  - {name: main, do: [{go: link, args: [299]}, {yield: 1}, {print: '{ran}'}]}\n"
        "  - {name: link, params: [left], do: [{set: ran, to: ran + 1}, {if: left > 0, then: [{go: link, args: [left - 1]}]}]}\n";
    prints(text, GO1_0, "1");
    prints(text, GO1_4, "59");
    prints(text, GO1_13, "300");
    prints(text, GO1_20, "300");
}

TEST(close_wakes_in_the_order_of_arrival_and_later_in_the_reverse_one)
{
    /* All wait, and close readies them. With a runnext the last G readied runs first, so LIFO readying prints 0
     * first again. */
    static const char text[] = HEAD
        "channels: [c]\nwaitgroups: [wg]\ngoroutines:\n"
        "  - {name: main, do: [{add: wg, n: 4}, {go: w, count: 4}, {yield: 1}, {close: c}, {wait: wg}]}\n"
        "  - {name: w, do: [{recv: c}, {print: '{i}'}, {done: wg}]}\n";
    prints(text, GO1_4, "0 1 2 3");
    /* They arrived as 3 0 1 2 and are readied as 2 1 0 3. 3 is runnext; the others are in the ring in the order in
     * which they were kicked out. */
    prints(text, GO1_13, "3 2 1 0");
    prints(text, GO1_20, "3 2 1 0");
}

TEST(a_waiter_of_a_buffered_channel_is_robbed_until_go_1_6)
{
    static const char text[] = HEAD
        "channels: [{name: c, buffer: 1}, done]\ngoroutines:\n"
        "  - {name: main, do: [{go: r}, {yield: 1}, {send: c, value: 1}, {select: [{recv: c, as: v, do: [{print: 'robbed'}]}],\n"
        "     default: [{print: 'handed over'}]}, {yield: 1}, {select: [{send: c, value: 2}], default: []}, {yield: 1}]}\n"
        "  - {name: r, do: [{recv: c, as: v}, {print: '{v}'}]}\n";
    prints(text, GO1_0, "robbed 2");
    prints(text, GO1_4, "robbed 2");
    prints(text, GO1_13, "handed over 1");
    prints(text, GO1_20, "handed over 1");
}

/* ---- the model follows ---- */

static const char everything[] =
    "name: everything\nscheduler: {runq_size: 8}\n"
    "channels: [{name: un}, {name: buf, buffer: 3}, {name: s1}, {name: s2, buffer: 1}]\n"
    "mutexes: [mu]\nwaitgroups: [wg]\nshared: [n]\ngoroutines:\n"
    "  - {name: main, do: [{add: wg, n: 46}, {go: worker, count: 12}, {go: sender, count: 6}, {go: recver, count: 6},\n"
    "     {go: sleeper, count: 8}, {go: sys, count: 8}, {go: seller, count: 3}, {go: buyer, count: 3}, {wait: wg}, {print: '{n}'}]}\n"
    "  - {name: worker, do: [{loop: 5, do: [{lock: mu}, {set: n, to: n + 1}, {compute: 3us}, {unlock: mu}, {yield: 1}]}, {done: wg}]}\n"
    "  - {name: sender, do: [{loop: 5, do: [{send: un, value: i}, {send: buf, value: i}]}, {done: wg}]}\n"
    "  - {name: recver, do: [{loop: 5, do: [{recv: un}, {recv: buf}]}, {done: wg}]}\n"
    "  - {name: sleeper, do: [{loop: 4, do: [{sleep: 40us}, {compute: 10us}, {sleep: 5us}]}, {done: wg}]}\n"
    "  - {name: sys, do: [{loop: 4, do: [{syscall: 30us}, {compute: 5us}, {syscall: 100us, blocking: true}]}, {done: wg}]}\n"
    "  - {name: seller, do: [{loop: 6, do: [{select: [{send: s1, value: i}, {send: s2, value: i}]}]}, {done: wg}]}\n"
    "  - {name: buyer, do: [{loop: 6, do: [{select: [{recv: s1}, {recv: s2}]}]}, {done: wg}]}\n";

static void many_seeds(enum rt_generation gen)
{
    struct scenario *sc = load_text(everything);
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++)
        for (long seed = 1; seed <= t_count(25, 200); seed++) {
            char got[100];
            struct engine *e = run(sc, (struct how){gen, (enum conductor_mode)mode, (uint64_t)seed, 4, 3}, got, sizeof got);
            CHECK_STR(got, "60");
            CHECK_INT(e->how, ENDED_MAIN_RETURNED);
            engine_free(e);
        }
    scenario_free(sc);
}

TEST_TIMED(go1_0_in_the_model, 600)
{
    many_seeds(GO1_0);
}
TEST_TIMED(go1_4_in_the_model, 600)
{
    many_seeds(GO1_4);
}
TEST_TIMED(go1_13_in_the_model, 600)
{
    many_seeds(GO1_13);
}

/* GOMAXPROCS goes down while sleepers' timers are in the buckets of Ps that no longer exist. */
TEST(timers_outlive_the_ps_of_their_buckets)
{
    static const char text[] =
        "name: g\nwaitgroups: [wg]\ngoroutines:\n"
        "  - {name: main, do: [{add: wg, n: 12}, {go: w, count: 12}, {yield: 3}, {gomaxprocs: 1}, {sleep: 30us}, {gomaxprocs: 3},\n"
        "     {wait: wg}, {print: 'all'}]}\n"
        "  - {name: w, do: [{compute: 10us}, {sleep: 80us}, {compute: 5us}, {sleep: 40us}, {done: wg}]}\n";
    struct scenario *sc = load_text(text);
    for (enum rt_generation gen = GO1_20; gen < GENERATIONS; gen++)
        for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++)
            for (uint64_t seed = 1; seed <= 20; seed++) {
                char got[100];
                engine_free(run(sc, (struct how){gen, (enum conductor_mode)mode, seed, 4, 2}, got, sizeof got));
                CHECK_STR(got, "all");
            }
    scenario_free(sc);
}

TEST(in_lockstep_a_seed_is_a_run)
{
    struct scenario *sc = load_text(everything);
    for (enum rt_generation gen = GO1_20; gen < GENERATIONS; gen++) {
        char got[100];
        struct engine *a = run(sc, (struct how){gen, MODE_LOCKSTEP, 7, 4, 0}, got, sizeof got);
        struct engine *b = run(sc, (struct how){gen, MODE_LOCKSTEP, 7, 4, 9}, got, sizeof got);
        CHECK_INT(a->events, b->events);
        CHECK_INT(model_time(engine_view(a)), model_time(engine_view(b)));
        CHECK(memcmp(model_counters(engine_view(a)), model_counters(engine_view(b)), sizeof(struct counters)) == 0);
        engine_free(a);
        engine_free(b);
    }
    scenario_free(sc);
}

/* No more than GOMAXPROCS threads run Go code in go1.0 either, although there are no Ps: mcpu counts. */
TEST(at_most_gomaxprocs_run)
{
    struct scenario *sc = load_text(everything);
    char err[200];
    struct engine_config c = {.scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = UINT64_MAX};
    c.rt.generation = GO1_0;
    c.rt.gomaxprocs = 2;
    struct engine *e = engine_new(&c, err, sizeof err);
    CHECK(e);
    uint32_t most = 0;
    engine_run(e);
    while (e->how < 0 && !engine_failed(e)) {
        engine_drain(e, 1);
        uint32_t running = model_count_g(e->model, G_RUNNING);
        most = running > most ? running : most;
    }
    CHECK_STR(e->failure, "");
    CHECK_INT(most, 2);
    engine_free(e);
    scenario_free(sc);
}

/* ---- work conservation: what each is known to break ---- */

/* A first text that names a P is not for a generation with Ps and for one without them. */
static void first_text_has_its_ps(const struct scenario *sc, const char *path, void *ctx)
{
    struct scenario_lesson l;
    struct rt_config rt = scenario_config(sc), newest = rt;
    (void)ctx;
    rt.generation = GO1_0;
    newest.generation = GO1_20;
    struct diag d;
    diag_init(&d, path);
    bool fits = scenario_fits(sc, rt.generation, &d);
    diag_fini(&d);
    for (uint32_t i = 0; fits && i < scenario_info(sc)->nlesson; i++) {
        scenario_lesson(sc, i, &l);
        bool both = scenario_lesson_holds(sc, i, &rt) && scenario_lesson_holds(sc, i, &newest);
        const char *p = both && !strcmp(l.on, "start") ? text_in(&l.say, LANG_EN) : "";
        for (; (p = strchr(p, 'P')); p++)
            if (p[1] == 's' || p[1] == '.' || p[1] == ' ' || p[1] == ',' || (p[1] >= '0' && p[1] <= '9'))
                t_fail(__FILE__, __LINE__, "%s, entry %u: %s", path, i + 1, text_in(&l.say, LANG_EN));
    }
}

TEST(a_first_text_names_a_p_only_where_there_are_ps)
{
    each_scenario(first_text_has_its_ps, NULL);
}

/* Returns the ways (KNOWN(…)) in which a run of the shipped scenario left a G waiting although a P was idle. */
static uint32_t ways_of(const struct scenario *sc, const struct rt_config *rt)
{
    char err[200];
    struct engine_config c = {.scenario = sc, .rt = *rt, .limit = 10000000000, .max_events = 10000000};
    struct engine *e = engine_new(&c, err, sizeof err);
    CHECK(e);
    engine_drive(e, &(struct drive){.audit = true});
    if (engine_failed(e))
        t_fail(__FILE__, __LINE__, "%s: %s", scenario_info(sc)->name, e->failure);
    const struct counters *n = model_counters(engine_view(e));
    uint32_t ways = 0;
#define X(name) ways |= n->name ? KNOWN(name) : 0;
    KNOWN_LIST(X)
#undef X
    CHECK(!ways || n->stranded);
    engine_free(e);
    return ways;
}

/* As shipped, and with each switch in `without`. */
struct shown {
    uint32_t ways[GENERATIONS], without;
};

static void shipped_ways(const struct scenario *sc, const char *path, void *ctx)
{
    struct shown *shown = ctx;
    (void)path;
    struct rt_config rt = scenario_config(sc);
    rt.mode = MODE_LOCKSTEP;
    uint32_t ways = ways_of(sc, &rt);
    CHECK_INT(ways & ~rt_known(&rt), 0);
    shown->ways[rt.generation] |= ways;
    for (uint32_t i = 0, disable; i < scenario_info(sc)->nwithout; i++) {
        uint64_t fails;
        scenario_without(sc, i, &disable, &fails);
        rt.disable = disable;
        shown->without |= disable == 1u << DIS_NEEDSPINNING ? ways_of(sc, &rt) : 0;
    }
}

/* wakep_race needs an M that stops between two operations: only --fine makes that, and only one seed in some
 * hundred. */
static uint32_t fine_ways(void)
{
    struct scenario *sc = load(SOURCE_DIR "/tests/scenarios/wakep-race.yaml");
    struct rt_config rt = scenario_config(sc);
    uint32_t ways = 0;
    rt.mode = MODE_LOCKSTEP;
    rt.fine = true;
    for (rt.seed = 1; rt.seed < 5000 && !(ways & KNOWN(wakep_race)); rt.seed++)
        ways |= ways_of(sc, &rt);
    scenario_free(sc);
    return ways;
}

/* Some files show a race in a generation that is not their own, with the seed that their claims name. */
static const struct {
    const char *path;
    enum rt_generation generation;
    uint64_t seed;
} races[] = {
    {SOURCE_DIR "/scenarios/issue-55160.yaml", GO1_13, 39},
    {SOURCE_DIR "/scenarios/issue-55160.yaml", GO1_4, 4},
    {SOURCE_DIR "/scenarios/handoff-race.yaml", GO1_13, 10},
    {SOURCE_DIR "/scenarios/handoff-race.yaml", GO1_4, 143},
};

static void race_ways(struct shown *shown)
{
    for (size_t i = 0; i < sizeof races / sizeof *races; i++) {
        struct scenario *sc = load(races[i].path);
        struct rt_config rt = scenario_config(sc);
        rt.mode = MODE_LOCKSTEP;
        rt.generation = races[i].generation;
        rt.seed = races[i].seed;
        uint32_t ways = ways_of(sc, &rt);
        CHECK(ways);
        shown->ways[rt.generation] |= ways;
        scenario_free(sc);
    }
}

/* Each generation makes its listed mistakes in a shipped scenario, except for wakep_race. A mistake that is not
 * listed would have failed the run. */
TEST_TIMED(every_known_violation_is_shown_by_a_scenario, 300)
{
    struct shown shown = {0};
    each_scenario(shipped_ways, &shown);
    race_ways(&shown);
    shown.ways[GO1_20] |= fine_ways();
    for (enum rt_generation gen = GO1_20; gen < GENERATIONS; gen++)
        CHECK_INT(shown.ways[gen], rt_known(&(struct rt_config){.generation = gen}));
    CHECK_INT(shown.without, KNOWN(go_issue_45867));
}

/* ---- what a generation lacks ---- */

static void refused(const char *text, const char *want)
{
    struct diag d;
    char got[2000] = "";
    const char *path = t_file("generation.yaml", text);
    diag_init(&d, path);
    struct scenario *sc = scenario_load(path, &d);
    for (int i = 0; i < d.count && i < DIAG_MAX; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%u:%u: %s\n", d.item[i].line, d.item[i].col, d.item[i].text);
    CHECK_STR(got, want);
    CHECK((sc != NULL) == (*want == '\0'));
    scenario_free(sc);
    diag_fini(&d);
}

#define FILE_WITH(gen, more, ops) "name: t\nscheduler: {generation: " gen more "}\ngoroutines:\n  - name: main\n    do: [" ops "]\n"

TEST(features_that_a_generation_lacks_are_refused_by_name)
{
    refused(FILE_WITH("go1.0", ", disable: [stealing]", ""), "2:42: go1.0 has no stealing, so it cannot be disabled\n");
    refused(FILE_WITH("go1.4", ", disable: [runnext]", ""), "2:42: go1.4 has no runnext, so it cannot be disabled\n");
    refused(FILE_WITH("go1.4", ", disable: [wakep]", ""), "");
    refused(FILE_WITH("go1.13", ", disable: [runnext, steal_runnext_delay]", ""), "");
    refused(FILE_WITH("go1.4", "", "{gc: 1ms}"), "5:11: go1.4 has no operation \"gc\": concurrent marking came with Go 1.5\n");
    refused(FILE_WITH("go1.13", "", "{gc: 1ms}"), "");
    refused(FILE_WITH("go1.0", "", "{print: '{p}'}") "expect:\n  - never: \"steal victim=0\"\n  - never: g_preempt\n",
            "7:26: go1.0 has no Ps, so a pattern cannot match one\n");
    refused(FILE_WITH("go1.0", "", "{print: '{p}'}") "lesson:\n  - {on: 'when p0.runq > 1', say: x}\n",
            "7:11: go1.0 has no Ps, so a pattern cannot match one\n");
    refused(FILE_WITH("go1.0", "", "{print: '{p}'}") "lesson:\n  - {on: 'when p0.runq > 1', generation: [go1.4], say: x}\n", "");
    refused(FILE_WITH("go1.0", "", "{gomaxprocs: 3}, {print: '{p}'}"), "");
}

/* Each time the world starts, an idle P is given the worker. If the world stops again before the worker runs, the P gives the worker back, and
 * the next start needs one again. */
TEST(a_worker_that_does_not_run_is_given_back)
{
    const char *f = t_file("t.yaml",
                           "name: t\nscheduler: {gomaxprocs: 4, generation: go1.26, preempt_slice: 10s}\nwaitgroups: [wg]\ngoroutines:\n"
                           "  - {name: main, do: [{add: wg}, {go: stops}, {gc: 300us}, {wait: wg}]}\n"
                           "  - {name: stops, do: [{loop: 30, do: [{compute: 1us}, {stop_the_world: 1us}]}, {done: wg}]}\n");
    char *events = strdup(HEADLESS(f, "--seed=2", "--stalls=3", "--audit", "--events").out);
    int set = 0, given_back = 0, run = 0;
    for (const char *at = events; (at = strstr(at, " gc_")); at++) {
        set += !strncmp(at, " gc_assign", 10) && !strncmp(at + strcspn(at, "\n") - 5, "set=1", 5);
        given_back += !strncmp(at, " gc_assign", 10) && !strncmp(at + strcspn(at, "\n") - 5, "set=0", 5);
        run += !strncmp(at, " gc_worker", 10) && !strncmp(at + strcspn(at, "\n") - 9, "dedicated", 9);
    }
    free(events);
    CHECK(given_back > 0 && run > 0);
    CHECK(set >= given_back && set <= given_back + run);
}

/* With all rules that came later, go1.20 runs as the newest does; without one of them the key says the same as the option. */
TEST(a_scenario_may_have_rules_of_newer_generations)
{
    static const char text[] =
        "name: t\nscheduler: {generation: %s, gomaxprocs: 4, seed: 3%s}\nwaitgroups: [wg]\nconns: [c]\ngoroutines:\n"
        "  - {name: main, do: [{add: wg, n: 3}, {go: hog, count: 2}, {go: reads}, {sleep: 1ms}, {write: c.a, bytes: 1}, {gc: 300us}, {wait: wg}]}\n"
        "  - {name: hog, do: [{loop: 20, do: [{compute: 80us}, {yield: 1}]}, {done: wg}]}\n"
        "  - {name: reads, do: [{read: c.b, bytes: 1}, {done: wg}]}\n";
    char rules[400] = "", key[420], yaml[2000];
    for (int d = DIS_FIRST_RULE; d < DIS_COUNT; d++)
        snprintf(rules + strlen(rules), sizeof rules - strlen(rules), "%s%s", *rules ? ", " : "", rt_disable_name[d]);
    snprintf(key, sizeof key, ", enable: [%s]", rules);
    snprintf(yaml, sizeof yaml, text, "go1.20", key);
    const char *old = t_file("old.yaml", yaml);
    snprintf(yaml, sizeof yaml, text, "go1.27", "");
    const char *new = t_file("new.yaml", yaml);
    CHECK_STR(HEADLESS(old, "--events").out, HEADLESS(new, "--events").out);
    CHECK_STR(HEADLESS(old, "--events", "--disable=gc_assigns").out, HEADLESS(new, "--events", "--disable=gc_assigns").out);
    CHECK(strstr(HEADLESS(new, "--events").out, "gc_assign"));
    CHECK(!strstr(HEADLESS(old, "--events", "--disable=gc_assigns").out, "gc_assign"));
}
