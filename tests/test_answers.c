/* The answers of a lesson come from the log of the run; entries that do not hold or are never met block nothing; check --lessons. */
#include "engine/answers.h"
#include "engine/engine.h"
#include "load.h"
#include "shell.h"

/* Three workers; the one that was started last ends first, because it is the runnext. */
static const char workers[] =
    "name: workers\n"
    "scheduler: {gomaxprocs: 1, preempt_slice: 10s}\n"
    "waitgroups: [wg]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{add: wg, n: 3}, {go: worker, count: 3}, {wait: wg}]\n"
    "  - name: worker\n"
    "    do: [{print: \"{i}\"}, {done: wg}]\n"
    "lesson:\n";

static struct scenario *with(const char *lesson)
{
    char text[4000];
    snprintf(text, sizeof text, "%s%s", workers, lesson);
    return load(t_file("workers.yaml", text));
}

static struct engine_config settings(const struct scenario *sc)
{
    return (struct engine_config){.scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = UINT64_MAX};
}

static void rehearse(struct answers *a, const struct engine_config *c)
{
    char err[200] = "";
    struct break_words w = {&scenario_info(c->scenario)->programs, true, false};
    CHECK(answers_init(a, c->scenario, &w));
    if (!answers_rehearse(a, c, err, sizeof err))
        t_fail(__FILE__, __LINE__, "%s", err);
}

TEST(a_query_is_answered_before_its_event)
{
    struct answers a;
    struct scenario *sc = with(
        "  - on: start\n    ask: {question: first?, choices: ['0', '1', '2'], answer: value(print .text)}\n"
        "  - on: start\n    ask: {question: last?, choices: ['0', '1', '2'], answer: value(print x3 .text)}\n"
        "  - on: start\n    ask: {question: named?, choices: [x, y], answer: y}\n");
    struct engine_config c = settings(sc);
    rehearse(&a, &c);
    CHECK_INT(a.v[0].choice, 2); /* the newest G is the runnext */
    CHECK_STR(a.v[0].value, "2");
    CHECK_INT(a.v[1].choice, 1); /* 2, then 0 and 1 in the order of the ring */
    CHECK_INT(a.v[2].choice, 1);
    CHECK(!a.v[2].value);
    answers_fini(&a);
    c.rt.generation = GO1_4; /* no runnext: they run in the order in which they were started */
    rehearse(&a, &c);
    CHECK_INT(a.v[0].choice, 0);
    CHECK_INT(a.v[1].choice, 2);
    answers_fini(&a);
    scenario_free(sc);
}

TEST(a_choice_may_carry_the_letter_of_a_g)
{
    struct answers a;
    struct scenario *sc = with(
        "  - on: start\n    ask: {question: first?, choices: [G1, G2, G4], answer: value(g_start g>1 .g)}\n"
        "  - on: start\n    ask: {question: where?, choices: [M4, P0], answer: value(g_start g=4 .p)}\n"
        "  - on: start\n    ask: {question: word?, choices: [Ghost, G], answer: value(g_start g=4 .g)}\n");
    struct engine_config c = settings(sc);
    rehearse(&a, &c);
    CHECK_INT(a.v[0].choice, 2);
    CHECK_INT(a.v[1].choice, 1);
    CHECK_INT(a.v[2].choice, -1);
    answers_fini(&a);
    scenario_free(sc);
}

TEST(a_value_that_is_no_choice_is_no_answer)
{
    struct answers a;
    struct scenario *sc = with(
        "  - on: start\n    ask: {question: q, choices: ['7', '8'], answer: value(print .text)}\n"
        "  - on: start\n    ask: {question: q, choices: ['7', '8'], answer: value(deadlock .time)}\n");
    struct engine_config c = settings(sc);
    rehearse(&a, &c);
    CHECK_INT(a.v[0].choice, -1);
    CHECK_STR(a.v[0].value, "2");
    CHECK_INT(a.v[1].choice, -1);
    CHECK(!a.v[1].value);
    answers_fini(&a);
    scenario_free(sc);
}

TEST(an_entry_that_is_never_met_blocks_nothing)
{
    struct answers a;
    struct scenario *sc = with(
        "  - {on: start, say: a}\n  - {on: deadlock, say: b}\n  - {on: 'print x2', say: c}\n"
        "  - {on: 'go_create g=2', say: too late}\n  - {on: program_end, say: d}\n");
    struct engine_config c = settings(sc);
    rehearse(&a, &c);
    CHECK(!a.v[0].never && a.v[1].never && !a.v[2].never && a.v[3].never && !a.v[4].never);
    answers_fini(&a);
    scenario_free(sc);
}

TEST(an_entry_holds_where_it_says)
{
    struct scenario *sc = with(
        "  - {at: start, say: a, generation: go1.4}\n  - {at: start, say: b, procs: [2, 4]}\n"
        "  - {at: start, say: c, disable: []}\n  - {at: start, say: d, disable: [runnext]}\n  - {at: start, say: e}\n");
    struct rt_config rt = scenario_config(sc);
    struct {
        enum rt_generation gen;
        uint32_t procs, disable;
        const char *holds;
    } runs[] = {{GO1_20, 1, 0, "ce"},
                {GO1_4, 4, 0, "abce"},
                {GO1_20, 2, 1u << DIS_RUNNEXT, "bde"},
                {GO1_20, 3, 1u << DIS_WAKEP | 1u << DIS_RUNNEXT, "e"}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        char holds[8] = "";
        rt.generation = runs[k].gen;
        rt.gomaxprocs = runs[k].procs;
        rt.disable = runs[k].disable;
        for (uint32_t i = 0; i < scenario_info(sc)->nlesson; i++)
            if (scenario_lesson_holds(sc, i, &rt))
                snprintf(holds + strlen(holds), sizeof holds - strlen(holds), "%c", 'a' + (int)i);
        CHECK_STR(holds, runs[k].holds);
    }
    scenario_free(sc);
}

static struct result lint(const char *lesson)
{
    char text[4000];
    snprintf(text, sizeof text, "%s%s", workers, lesson);
    return RUN("lint", (char *)t_file("wrong.yaml", text));
}

TEST(mistakes_name_line_and_column)
{
    static const struct {
        const char *lesson, *says;
    } bad[] = {
        {"  - {on: start, at: start, say: a}\n", ":10:17: \"at\" means the same as \"on\""},
        {"  - {say: a}\n", "an item of lesson lacks the key \"on\""},
        {"  - {at: strat, say: a}\n", "did you mean \"start\"?"},
        {"  - {on: start, say: a, procs: [0]}\n", "procs: expected 1 to 1024, got 0"},
        {"  - {on: start, ask: {question: q, choices: [a, b], answer: c}}\n", "the answer \"c\" is not one of the choices"},
        {"  - on: start\n    ask:\n      question: q\n      choices: [a, b]\n      answer: vlaue(print .text)\n",
         ":14:15: there is no function \"vlaue\"; the nearest is \"value\""},
        {"  - on: start\n    ask:\n      question: q\n      choices: [a, b]\n      answer: value(print .txt)\n",
         "print has no field \"txt\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct result r = lint(bad[i].lesson);
        CHECK_INT(r.code, 2);
        HAS(r.err, bad[i].says);
    }
}

TEST(check_plays_lessons)
{
    char text[4000];
    struct result r = RUN("check", "steal-half", "first-spawn", "--lessons", "--all-generations", "--seeds=10");
    CHECK_INT(r.code, 0);
    HAS(r.out, " passed, 0 failed");
    snprintf(text, sizeof text, "%s%s", workers,
             "  - {on: deadlock, say: a}\n  - on: start\n    ask: {question: q, choices: ['7', '8'], answer: value(print .text)}\n");
    r = RUN("check", (char *)t_file("wrong.yaml", text), "--lessons");
    CHECK_INT(r.code, 1);
    HAS(r.out, "lesson entry 1 is never met: deadlock (seed 1)");
    HAS(r.out, "lesson entry 2: value(print .text) is 2, which is not one of the choices (seed 1)");
}

/* Every shipped question has a right choice in each generation that it holds for, and both languages. */
TEST(shipped_lessons_are_met_and_answered)
{
    struct result r = RUN("check", "--lessons", "--all-generations", "--seeds=3");
    if (r.code)
        t_fail(__FILE__, __LINE__, "%s", r.out);
}

static void speaks_both(const struct scenario *sc, const char *path, void *ctx)
{
    (void)ctx;
    for (uint32_t i = 0; i < scenario_info(sc)->nlesson; i++) {
        struct scenario_lesson l;
        scenario_lesson(sc, i, &l);
        for (uint32_t k = 0; k < l.nchoices; k++) {
            const char *en = text_in(&l.choice[k], LANG_EN), *zh = text_in(&l.choice[k], LANG_ZH);
            bool name = strspn(en, "0123456789GMPns") == strlen(en) || !strcmp(en, "sysmon");
            if (!name && !strcmp(en, zh))
                t_fail(path, 0, "the choice \"%s\" is not in Chinese", en);
        }
    }
}

TEST(choices_are_in_both_languages)
{
    each_scenario(speaks_both, NULL);
}
