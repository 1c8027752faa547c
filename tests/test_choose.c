/* Choosing in real runs: whatever is chosen, the scenario, the seed and the printed list make the same run again,
 * byte for byte. Every M has a text about its next step, which is true where it can be known. A run can be made
 * again up to any of its events. */
#include "engine/branch.h"
#include "engine/intent.h"
#include "base/prng.h"
#include "load.h"
#include "shell.h"

#define READY_MAX 64

/* --- runs ----------------------------------------------------------------------------------------------------------- */

static struct engine_config config(const struct scenario *sc, uint64_t seed, const struct choices *choices, FILE *out)
{
    struct engine_config c = {
        .scenario = sc,
        .rt = scenario_config(sc),
        .limit = INT64_C(1000000000),
        .max_events = 50000,
        .history = HISTORY_BUDGET,
        .out = out ? OUT_EVENTS : OUT_NONE,
        .stream = out};
    c.rt.mode = MODE_LOCKSTEP;
    c.rt.seed = seed;
    c.rt.choices = choices;
    return c;
}

static struct engine *start(const struct engine_config *c)
{
    char err[200];
    struct engine *e = engine_new(c, err, sizeof err);
    if (!e)
        t_fail(__FILE__, __LINE__, "%s", err);
    return e;
}

static void come_to_rest(struct engine *e)
{
    while (!engine_wait_stopped(e, 1))
        engine_drain(e, ENGINE_BATCH);
    engine_settle(e, true);
    if (engine_failed(e))
        t_fail(__FILE__, __LINE__, "%s, seed %llu: %s", scenario_info(e->cfg.scenario)->name, (unsigned long long)e->cfg.rt.seed,
               e->failure);
}

static void step(struct engine *e, uint64_t events)
{
    engine_step(e, UNIT_EVENT, events);
    come_to_rest(e);
}

/* --- choosing at random --------------------------------------------------------------------------------------------- */

static void check_line(const struct engine *e, uint32_t m)
{
    for (int lang = 0; lang < LANGS; lang++) {
        char line[NEXT_MAX];
        engine_next(e, m, (enum lang)lang, line, sizeof line);
        if (!line[0] || (strchr(line, '{') && !strstr(line, "print ")))
            t_fail(__FILE__, __LINE__, "M%u: \"%s\"", m, line);
    }
}

static uint32_t any_pick(const struct engine *e, const struct decision *now, struct prng *rand)
{
    uint32_t ids[READY_MAX], n;
    if (now->kind != DECIDE_M)
        return prng_below(rand, now->n);
    n = engine_decides(e)->ready(e->source, ids, READY_MAX);
    CHECK_INT(n, now->n);
    n = n < READY_MAX ? n : READY_MAX;
    for (uint32_t i = 0; i < n; i++)
        check_line(e, ids[i]);
    return ids[prng_below(rand, n)];
}

static bool one_turn(struct engine *e, struct prng *rand, uint64_t *outcomes)
{
    struct decision now;
    if (engine_over(e) || !engine_decision(e, &now))
        return false;
    *outcomes += now.kind != DECIDE_M;
    CHECK(engine_decides(e)->choose(e->source, any_pick(e, &now, rand)));
    CHECK(engine_turn(e, TURN_ALONE));
    come_to_rest(e);
    return true;
}

/* Runs some stretches by the seed, some turns by hand. */
static void walk(struct engine *e, struct prng *rand, int actions, uint64_t *outcomes)
{
    for (int i = 0; i < actions && !engine_over(e); i++)
        if (prng_below(rand, 5) == 0)
            step(e, 1 + prng_below(rand, 40));
        else if (!one_turn(e, rand, outcomes))
            return;
}

struct run_record {
    char *text;
    size_t size;
    char *list;
};

static struct run_record run_by_hand(const struct scenario *sc, uint64_t seed, bool fine, struct prng *rand, uint64_t *outcomes)
{
    struct run_record t = {0};
    struct choices taken = {0};
    FILE *out = open_memstream(&t.text, &t.size);
    struct engine_config c = config(sc, seed, NULL, out);
    c.rt.fine = fine;
    struct engine *e = start(&c);
    walk(e, rand, 60, outcomes);
    engine_drive(e, &(struct drive){.audit = false});
    CHECK(!engine_failed(e));
    CHECK(engine_choices(e, false, &taken));
    CHECK((t.list = choices_text(&taken)));
    vec_free(&taken);
    engine_free(e);
    CHECK_INT(fclose(out), 0);
    return t;
}

static struct run_record run_by_list(const struct scenario *sc, uint64_t seed, bool fine, const char *list)
{
    struct run_record t = {0};
    struct choices given = {0}, taken = {0};
    char why[200];
    FILE *out = open_memstream(&t.text, &t.size);
    CHECK(!choices_parse(list, &given, why, sizeof why));
    struct engine_config c = config(sc, seed, &given, out);
    c.rt.fine = fine;
    struct engine *e = start(&c);
    engine_drive(e, &(struct drive){.audit = false});
    CHECK_INT(e->refused.kind, STOP_NONE);
    CHECK(engine_choices(e, false, &taken));
    CHECK((t.list = choices_text(&taken)));
    engine_free(e);
    vec_free(&given);
    vec_free(&taken);
    CHECK_INT(fclose(out), 0);
    return t;
}

static void run_record_free(struct run_record *t)
{
    free(t->text);
    free(t->list);
}

static void check_walk(const struct scenario *sc, uint64_t seed, bool fine, struct prng *rand, uint64_t *outcomes)
{
    struct run_record a = run_by_hand(sc, seed, fine, rand, outcomes), b = run_by_list(sc, seed, fine, a.list);
    if (a.size != b.size || memcmp(a.text, b.text, a.size))
        t_fail(__FILE__, __LINE__, "%s, seed %llu, choices %s: another run", scenario_info(sc)->name, (unsigned long long)seed, a.list);
    run_record_free(&a);
    run_record_free(&b);
}

/* Checks the option with the program itself. */
static void check_option(const struct scenario *sc, const char *path, struct prng *rand)
{
    uint64_t outcomes = 0;
    char cmd[8000];
    struct run_record a = run_by_hand(sc, 7, false, rand, &outcomes);
    int n = snprintf(cmd, sizeof cmd,
                     "gmpscope run '%s' --mode lockstep --headless --events --seed 7 --limit 1s --max-events 50000 "
                     "--choices '%s'",
                     path, a.list);
    CHECK(n > 0 && (size_t)n < sizeof cmd);
    struct result *r = shell(cmd);
    if (r->nout != a.size || memcmp(r->out, a.text, a.size))
        t_fail(__FILE__, __LINE__, "another run: %s", cmd);
    run_record_free(&a);
}

struct walks {
    struct prng rand;
    uint64_t outcomes;
    long each;
};

static void walks_of(const struct scenario *sc, const char *path, void *ctx)
{
    struct walks *w = ctx;
    for (long i = 0; i < w->each; i++)
        check_walk(sc, 1 + prng_below(&w->rand, 1000), i % 4 == 3, &w->rand, &w->outcomes);
    check_option(sc, path, &w->rand);
}

TEST_TIMED(any_choices_make_the_run_again, 900)
{
    struct walks w = {.each = t_count(2, 40)};
    prng_seed(&w.rand, 20, 0);
    each_scenario(walks_of, &w);
    CHECK(w.outcomes > 20);
}

/* --- the run made again ---------------------------------------------------------------------------------------------- */

static void again_of(const struct scenario *sc, const char *path, void *ctx)
{
    struct walks *w = ctx;
    struct choices taken = {0};
    struct branch_refusal why;
    (void)path;
    struct engine_config c = config(sc, 3, NULL, NULL);
    c.live = true;
    struct engine *e = start(&c);
    walk(e, &w->rand, 40, &w->outcomes);
    CHECK(engine_choices(e, false, &taken));
    uint64_t n = e->events ? 1 + prng_below(&w->rand, (uint32_t)e->events) : 0;
    struct engine *b = branch_run(&c, &taken, n, e->history, &why);
    if (!b)
        t_fail(__FILE__, __LINE__, "%s: %s", scenario_info(sc)->name, why.text);
    CHECK_INT(b->events, n);
    come_to_rest(b);
    vec_free(&taken);
    engine_free(b);
    engine_free(e);
}

TEST(made_again_up_to_any_event)
{
    struct walks w = {0};
    prng_seed(&w.rand, 21, 0);
    each_scenario(again_of, &w);
}

/* Finds where the run can stop at all, by steps of one event: after which events no lock is held. */
static uint64_t rests_of(const struct scenario *sc, bool *rest, uint64_t max)
{
    struct engine_config c = config(sc, 1, NULL, NULL);
    c.live = true;
    struct engine *e = start(&c);
    while (!engine_over(e) && e->events < max) {
        rest[e->events] = true;
        step(e, 1);
    }
    uint64_t n = e->events;
    engine_free(e);
    return n < max ? n : max - 1;
}

/* ... and it stops at the first such place from event n on, however often time jumps on the way there. */
static void stands_behind(const struct scenario *sc, const bool *rest, uint64_t n, uint64_t end)
{
    struct branch_refusal why;
    uint64_t first = n;
    while (first < end && !rest[first])
        first++;
    struct engine_config c = config(sc, 1, NULL, NULL);
    struct engine *b = branch_run(&c, NULL, n, NULL, &why);
    if (!b)
        t_fail(__FILE__, __LINE__, "%s: %s", scenario_info(sc)->name, why.text);
    CHECK_INT(b->events, n);
    engine_settle(b, true);
    CHECK(!engine_failed(b));
    CHECK_INT(b->events, first);
    engine_free(b);
}

TEST(a_remade_run_has_not_run_on)
{
    static const char *const names[] = {"steal-half", "gc-cycle", "ping-pong"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        static bool rest[2000];
        char path[1024];
        memset(rest, 0, sizeof rest);
        snprintf(path, sizeof path, "%s/scenarios/%s.yaml", SOURCE_DIR, names[i]);
        struct scenario *sc = load(path);
        uint64_t end = rests_of(sc, rest, sizeof rest / sizeof *rest);
        CHECK(end > 100);
        for (uint64_t n = 1; n < end; n += 1 + end / 60)
            stands_behind(sc, rest, n, end);
        scenario_free(sc);
    }
}

TEST(made_again_no_further_than_it_goes)
{
    struct branch_refusal why;
    struct scenario *sc = load(SOURCE_DIR "/scenarios/steal-half.yaml");
    struct engine_config c = config(sc, 1, NULL, NULL);
    CHECK(!branch_run(&c, NULL, 1000000, NULL, &why));
    CHECK_STR(why.text, "the run cannot be repeated up to event 1000000: it ends before");
    scenario_free(sc);
}

/* A history of another seed is detected. */
TEST(made_again_is_compared)
{
    struct branch_refusal why;
    struct scenario *sc = load(SOURCE_DIR "/scenarios/steal-half.yaml");
    struct engine_config c = config(sc, 1, NULL, NULL), other = config(sc, 2, NULL, NULL);
    struct engine *e = start(&c);
    engine_drive(e, &(struct drive){.audit = false});
    CHECK(!branch_run(&other, NULL, e->events, e->history, &why));
    CHECK(strstr(why.text, "differs from event"));
    engine_free(e);
    scenario_free(sc);
}

/* --- what is said of the next step ------------------------------------------------------------------------------------ */

TEST(every_event_has_a_next_step)
{
    for (int kind = 0; kind < EV_KINDS; kind++)
        for (int lang = 0; lang < LANGS; lang++) {
            struct ev e = {.kind = (uint8_t)kind};
            const char *line = ev_intent(&e, 1u << GO1_20, lang);
            if (!line || !*line)
                t_fail(__FILE__, __LINE__, "events.def has no intent for %s", ev_desc[kind].name);
        }
}

/* What a line promises: the event that the M logs next. */
static const struct {
    const char *line;
    const char *then[6];
} promises[] = {
    {"'s own queue", {"runq_get", "runnext_get", "find_stage", "spin_start"}},
    {"'s timers", {"timer_fire", "lock_wait", "find_stage", "g_ready"}},
    {"is about to steal: ", {"steal_try", "timer_steal", "find_stage"}},
    {"is about to sleep until it is woken", {""}}, /* it is no longer ready */
    {"is about to enter the kernel", {"syscall_exit", "lock_wait", "p_take", "handoff", "p_gcstop", "conn_op"}},
    {"is about to start: a new thread", {"m_start"}},
    {"'s queue and take half", {"steal", "steal_try", "find_stage", "timer_steal", "timer_fire", "spin_stop"}}, /* or the world stops */
};
#define PROMISES (sizeof promises / sizeof *promises)

struct kept {
    uint64_t times[PROMISES];
};

static bool among(const char *name, const char *const then[6])
{
    for (int i = 0; i < 6 && then[i]; i++)
        if (!strcmp(then[i], name))
            return true;
    return false;
}

static bool later_of(void *ctx, const struct history_event *e)
{
    return e->m == *(const uint32_t *)ctx && e->ev.kind != EV_TIME_JUMP; /* the M that rests last logs it for all */
}

/* Takes turns of M m until it logs something. Returns the name of that event. */
static const char *next_event_of(struct engine *e, uint32_t m)
{
    uint64_t from = e->events + 1, n;
    struct history_event h;
    for (int i = 0; i < 4000 && !engine_over(e); i++) {
        struct decision now;
        if ((n = history_find(e->history, from, 1, later_of, &m)) && history_get(e->history, n, &h))
            return ev_desc[h.ev.kind].name;
        if (!engine_decision(e, &now) || (now.kind == DECIDE_M && !engine_decides(e)->choose(e->source, m)))
            return NULL; /* it sleeps now */
        CHECK(engine_turn(e, TURN_ALONE));
        come_to_rest(e);
    }
    return NULL;
}

static void keep_promise(struct engine *e, uint32_t m, struct kept *k)
{
    char line[NEXT_MAX];
    engine_next(e, m, LANG_EN, line, sizeof line);
    for (size_t i = 0; i < PROMISES; i++) {
        if (!strstr(line, promises[i].line))
            continue;
        const char *then = next_event_of(e, m);
        if (then && !among(then, promises[i].then))
            t_fail(__FILE__, __LINE__, "%s: M%u %s, but then came %s", scenario_info(e->cfg.scenario)->name, m, line, then);
        k->times[i] += then != NULL || !*promises[i].then[0];
        return;
    }
}

static void promises_of(const struct scenario *sc, const char *path, void *ctx)
{
    struct prng rand;
    (void)path;
    if (scenario_info(sc)->generation != GO1_20)
        return;
    prng_seed(&rand, 5, 0);
    struct engine_config c = config(sc, 1, NULL, NULL);
    c.live = true;
    struct engine *e = start(&c);
    for (int i = 0; i < 60 && !engine_over(e); i++) {
        uint32_t ids[READY_MAX];
        uint32_t n = engine_decides(e)->ready(e->source, ids, READY_MAX);
        if (n)
            keep_promise(e, ids[prng_below(&rand, n < READY_MAX ? n : READY_MAX)], ctx);
        if (!engine_over(e))
            step(e, 1 + prng_below(&rand, 12));
    }
    engine_free(e);
}

TEST(lines_come_true)
{
    struct kept k = {0};
    each_scenario(promises_of, &k);
    for (size_t i = 0; i < PROMISES; i++)
        if (!k.times[i])
            t_fail(__FILE__, __LINE__, "never seen: %s", promises[i].line);
}

/* --- the option ---------------------------------------------------------------------------------------------------------- */

/* Checks that `run steal-half --headless ARGS` ends with that code, and that its stderr holds the text ("": it is
 * empty). */
static void run_says(const char *args, int code, const char *text)
{
    char cmd[1024];
    snprintf(cmd, sizeof cmd, "gmpscope run steal-half --headless %s", args);
    struct result *r = shell(cmd);
    if (r->code != code || (*text ? !strstr(r->err, text) : *r->err != 0))
        t_fail(__FILE__, __LINE__, "%s: exit %d, said \"%s\"", args, r->code, r->err);
}

TEST(bad_lists_are_reported)
{
    run_says("--choices ''", 0, "");
    run_says("--choices 16m2", 0, ""); /* the line that tests/test_term.c shares */
    run_says("--choices 16m1", 2, "--choices: choice 16m1: M1 cannot continue there; 2 others can");
    run_says("--choices 16s0", 2, "--choices: choice 16s0: that decision is not a steal order but a next M");
    run_says("--choices 100000m0", 2, "--choices: the run ended after ");
    run_says("--choices 100000m0 --limit 1us", 0, "gmpscope: stopped at the limit of 1 µs "); /* the run ends before that choice */
    run_says("--choices 16", 2, "\"16\": column 3: expected m (next M), s (steal order)");
    run_says("--choices 16m2 --mode free", 2, "--choices needs --mode lockstep: a free run cannot be repeated");
}
