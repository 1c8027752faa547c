/* The answers of a lesson come from the log of the run; entries that do not hold or are never met block nothing; check --lessons. */
#include "engine/engine.h"
#include "engine/lesson/rehearse.h"
#include "load.h"
#include "shell.h"

#include <errno.h>

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
    char err[200];
    struct engine_config c = {.scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = UINT64_MAX};
    CHECK(engine_draw(&c, err, sizeof err));
    return c;
}

static void rehearsed(struct answers *a, const struct engine_config *c)
{
    char err[200] = "";
    struct break_words w = {&scenario_info(c->scenario)->programs, true, false, LANG_EN};
    CHECK(answers_init(a, c->scenario, &w));
    if (!rehearse(a, c, err, sizeof err))
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
    rehearsed(&a, &c);
    CHECK_INT(a.v[0].choice, 2); /* the newest G is the runnext */
    CHECK_STR(a.v[0].value, "2");
    CHECK_INT(a.v[1].choice, 1); /* 2, then 0 and 1 in the order of the ring */
    CHECK_INT(a.v[2].choice, 1);
    CHECK(!a.v[2].value);
    answers_fini(&a);
    c.rt.generation = GO1_4; /* no runnext: they run in the order in which they were started */
    rehearsed(&a, &c);
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
    rehearsed(&a, &c);
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
    rehearsed(&a, &c);
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
    rehearsed(&a, &c);
    CHECK(!a.v[0].never && a.v[1].never && !a.v[2].never && a.v[3].never && !a.v[4].never);
    answers_fini(&a);
    scenario_free(sc);
}

/* The last event of the run meets an entry, so no event passes those after it. */
TEST(entries_after_the_end_of_the_run_are_never_met)
{
    struct answers a;
    struct scenario *sc =
        with("  - {on: program_end, say: a}\n  - {on: deadlock, say: b}\n  - {on: steal, say: c}\n  - {on: start, say: d}\n");
    struct engine_config c = settings(sc);
    rehearsed(&a, &c);
    CHECK(!a.v[0].never && a.v[1].never && a.v[2].never);
    answers_fini(&a);
    scenario_free(sc);
}

TEST(an_entry_holds_where_it_says)
{
    struct scenario *sc = with(
        "  - {at: start, say: a, generation: go1.4}\n  - {at: start, say: b, procs: [2, 4]}\n"
        "  - {at: start, say: c, disable: []}\n  - {at: start, say: d, disable: [runnext]}\n  - {at: start, say: e}\n"
        "  - {at: start, say: f, mode: free}\n");
    struct rt_config rt = scenario_config(sc);
    struct {
        enum rt_generation gen;
        uint32_t procs, disable;
        enum conductor_mode mode;
        const char *holds;
    } runs[] = {{GO1_20, 1, 0, MODE_LOCKSTEP, "ce"},
                {GO1_4, 4, 0, MODE_LOCKSTEP, "abce"},
                {GO1_20, 2, 1u << DIS_RUNNEXT, MODE_FREE, "bdef"},
                {GO1_20, 3, 1u << DIS_WAKEP | 1u << DIS_RUNNEXT, MODE_LOCKSTEP, "e"}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        char holds[8] = "";
        rt.generation = runs[k].gen;
        rt.gomaxprocs = runs[k].procs;
        rt.disable = runs[k].disable;
        rt.mode = runs[k].mode;
        for (uint32_t i = 0; i < scenario_info(sc)->nlesson; i++)
            if (scenario_lesson_holds(sc, i, &rt))
                snprintf(holds + strlen(holds), sizeof holds - strlen(holds), "%c", 'a' + (int)i);
        CHECK_STR(holds, runs[k].holds);
    }
    scenario_free(sc);
}

/* A question without keys is for the file's own settings, and `any` stands for all. A text without keys holds wherever nothing in it is false. */
TEST(a_question_holds_for_the_files_own_settings)
{
    struct scenario *sc = with(
        "  - {at: start, ask: {question: q, choices: [a, b], answer: a}}\n"
        "  - {at: start, procs: any, disable: any, generation: any, ask: {question: q, choices: [a, b], answer: a}}\n"
        "  - {at: start, say: On one P.}\n  - {at: start, say: On 1 P.}\n  - {at: start, say: A thief takes half.}\n"
        "  - {at: start, say: G7 comes.}\n  - {at: start, procs: any, generation: [go1.20], disable: [], say: M2 comes.}\n"
        "  - {at: start, say: Bytes are there.}\n");
    const struct rt_config own = scenario_own_settings(sc);
    struct {
        enum rt_generation gen;
        uint32_t procs, disable;
        const char *plays;
    } runs[] = {{own.generation, own.gomaxprocs, 0, "abcdefgh"},
                {own.generation, 2, 0, "bcegh"},
                {own.generation, own.gomaxprocs, 1u << DIS_STEALING, "bcdh"},
                {GO1_0, own.gomaxprocs, 0, "bh"}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        char plays[12] = "";
        struct rt_config rt = own;
        rt.generation = runs[k].gen;
        rt.gomaxprocs = runs[k].procs;
        rt.disable = runs[k].disable;
        for (uint32_t i = 0; i < scenario_info(sc)->nlesson; i++)
            if (scenario_lesson_plays(sc, i, &rt))
                snprintf(plays + strlen(plays), sizeof plays - strlen(plays), "%c", 'a' + (int)i);
        CHECK_STR(plays, runs[k].plays);
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
        {"  - {on: start, say: a, procs: [0]}\n", "procs: expected 1 to 1024 or any, got 0"},
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
    /* An entry of another generation may be the last one, and then no event passes it. */
    snprintf(text, sizeof text, "%s%s", workers, "  - {on: program_end, say: a}\n  - {on: program_end, say: b, generation: go1.4}\n");
    r = RUN("check", (char *)t_file("last.yaml", text), "--lessons");
    CHECK_INT(r.code, 0);
}

/* Every shipped question has a right choice in each generation that it holds for, and both languages. */
TEST(shipped_lessons_are_met_and_answered)
{
    struct result r = RUN("check", "--lessons", "--all-generations", t_count(0, 1) ? "--seeds=3" : "--seeds=1");
    if (r.code)
        t_fail(__FILE__, __LINE__, "%s", r.out);
}

/* Is it a value as the log writes it (no_p, tail), not words for people? What a program prints may be any word. */
static bool is_raw(const struct scenario_lesson *l, uint32_t choice)
{
    const char *text = l->choice[choice].in[LANG_EN];
    size_t letters = strspn(text ? text : "", "abcdefghijklmnopqrstuvwxyz_");
    bool prints = l->query && strstr(l->query, ".text)");
    return l->query && !prints && !l->choice_is[choice] && !l->choice_query[choice] && letters && !text[letters];
}

static void has_words(const struct scenario *sc, const char *path, void *ctx)
{
    (void)ctx;
    for (uint32_t i = 0; i < scenario_info(sc)->nlesson; i++) {
        struct scenario_lesson l;
        scenario_lesson(sc, i, &l);
        for (uint32_t k = 0; k < l.nchoices; k++)
            if (is_raw(&l, k))
                t_fail(path, 0, "entry %u: \"%s\" needs words, with `is:`", i + 1, l.choice[k].in[LANG_EN]);
    }
}

TEST(no_choice_of_a_shipped_lesson_is_a_raw_value)
{
    each_scenario(has_words, NULL);
}

static void speaks_both(const struct scenario *sc, const char *path, void *ctx)
{
    (void)ctx;
    for (uint32_t i = 0; i < scenario_info(sc)->nlesson; i++) {
        struct scenario_lesson l;
        scenario_lesson(sc, i, &l);
        for (uint32_t k = 0; k < l.nchoices; k++) {
            const char *en = l.choice[k].in[LANG_EN], *zh = l.choice[k].in[LANG_ZH];
            bool name = strspn(en, "0123456789GMPns") == strlen(en) || !strcmp(en, "sysmon");
            if (!name && !zh)
                t_fail(path, 0, "the choice \"%s\" is not in Chinese", en);
        }
    }
}

TEST(choices_are_in_both_languages)
{
    each_scenario(speaks_both, NULL);
}

/* ---- what the picture shows ---- */

struct hands {
    struct answers *a;
    const char *path;
    uint32_t g[100]; /* by entry: the G that is the answer and was in no hand when it was asked; 0: none */
    int shown_by[100];
};

static uint32_t answer_g(const struct answers *a, uint32_t entry)
{
    struct scenario_lesson l;
    answers_entry(a, entry, &l);
    const char *right = a->v[entry].choice < 0 ? "" : text_in(&l.choice[a->v[entry].choice], LANG_EN);
    return right[0] == 'G' ? (uint32_t)atoi(right + 1) : 0;
}

static bool no_hand_has_it(void *ctx, const struct merged_event *at)
{
    struct hands *h = ctx;
    for (uint32_t i = 0; i < h->a->n; i++) {
        const struct answer *x = &h->a->v[i];
        const struct model_g *g = model_g(at->md, answer_g(h->a, i));
        bool in_hand = g && g->place == PLACE_IN_TRANSIT;
        if (at->number == x->met)
            h->g[i] = in_hand ? 0 : answer_g(h->a, i);
        if (at->number == answers_shown(h->a, i))
            h->shown_by[i] = at->e->kind;
        if (h->g[i] && in_hand && at->number > x->met && at->number + 1 == answers_shown(h->a, i))
            t_fail(h->path, 0, "entry %u: the answer G%u is in a hand at event %llu", i + 1, h->g[i], (unsigned long long)at->number);
    }
    return true;
}

static void play(struct hands *h, const struct scenario *sc, const char *path)
{
    char err[200];
    struct answers a;
    struct engine_config c = settings(sc);
    rehearsed(&a, &c);
    *h = (struct hands){.a = &a, .path = path};
    CHECK(a.n <= 100);
    struct reader r = {.needs = READS_DETAILS | READS_EACH | READS_STATES, .ctx = h, .event = no_hand_has_it};
    c.readers = &r;
    c.nreaders = 1;
    struct engine *e = engine_new(&c, err, sizeof err);
    CHECK(e);
    engine_drive(e, &(struct drive){0});
    engine_free(e);
    answers_fini(&a);
}

static void hides(const struct scenario *sc, const char *path, void *ctx)
{
    (void)ctx;
    struct hands h;
    if (scenario_info(sc)->nlesson)
        play(&h, sc, path);
}

/* An M that holds a G is drawn with it, so a question is answered when the M takes the G, not when it runs the G or puts it elsewhere. */
TEST(an_answer_is_shown_before_an_m_has_it_in_its_hand)
{
    each_scenario(hides, NULL);
}

TEST(the_event_that_takes_a_g_shows_the_answer)
{
    struct hands h;
    struct scenario *sc = with(
        "  - on: start\n    ask: {question: which?, choices: [G2, G3, G4], answer: value(g_start g>1 .g)}\n"
        "  - on: start\n    ask: {question: where?, choices: [P0, P1], answer: value(g_start g>1 x2 .p)}\n"
        "  - on: start\n    ask: {question: how often?, choices: ['3', '4'], answer: count(g_start g>1)}\n"
        "  - on: 'runnext_get g>1'\n    ask: {question: which now?, choices: [G2, G3, G4], answer: next(g_start after runnext_get .g)}\n");
    play(&h, sc, "workers");
    CHECK_INT(h.shown_by[0], EV_RUNNEXT_GET);
    CHECK_INT(h.shown_by[1], EV_RUNQ_GET);
    CHECK_INT(h.shown_by[2], EV_G_START); /* a number */
    CHECK_INT(h.shown_by[3], EV_G_START); /* the picture shows it when it is asked */
    scenario_free(sc);
}

/* ---- choices made from values ---- */

static const char *choice_at(const struct answers *a, uint32_t entry, uint32_t k)
{
    static struct scenario_lesson l;
    answers_entry(a, entry, &l);
    return k < l.nchoices ? text_in(&l.choice[k], LANG_EN) : "";
}

static const char *because_of(const struct answers *a, uint32_t entry, const char *choice)
{
    static struct scenario_lesson l;
    answers_entry(a, entry, &l);
    for (uint32_t k = 0; k < l.nchoices; k++)
        if (!strcmp(text_in(&l.choice[k], LANG_EN), choice))
            return text_in(&l.choice_because[k], LANG_EN);
    return NULL;
}

static uint32_t choices_of(const struct answers *a, uint32_t entry)
{
    struct scenario_lesson l;
    answers_entry(a, entry, &l);
    return l.nchoices;
}

/* Four numbers, all different, with the right one at the place that `choice` names. */
TEST(numbers_near_the_answer_are_offered)
{
    struct scenario *sc = with(
        "  - on: start\n    ask: {question: how many?, answer: count(go_create fn=worker)}\n"
        "  - on: start\n    ask: {question: how long?, answer: value(program_end .time)}\n");
    struct engine_config c = settings(sc);
    uint32_t places = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct answers a, again;
        c.rt.seed = seed;
        rehearsed(&a, &c);
        rehearsed(&again, &c);
        for (uint32_t i = 0; i < 2; i++) {
            CHECK_INT(choices_of(&a, i), 4);
            CHECK_STR(choice_at(&a, i, (uint32_t)a.v[i].choice), a.v[i].value);
            for (uint32_t k = 0; k < 4; k++) {
                CHECK_STR(choice_at(&again, i, k), choice_at(&a, i, k));
                CHECK(strspn(choice_at(&a, i, k), "0123456789") == strlen(choice_at(&a, i, k)));
            }
        }
        places |= 1u << a.v[0].choice;
        answers_fini(&a);
        answers_fini(&again);
    }
    CHECK_INT(places, 15); /* each place is the right one for some seed */
    scenario_free(sc);
}

/* A known mistake is computed. Where it gives the right answer it is no mistake, and equal choices are one. */
TEST(known_mistakes_are_choices)
{
    struct answers a;
    struct scenario *sc = with(
        "  - on: start\n"
        "    ask:\n"
        "      question: how many?\n"
        "      answer: count(print)\n"
        "      choices: [{value: \"min(4, 2)\", because: two}, {value: 6 / 2, because: right}, {value: 8 - 6, because: again}, {text: many, because: lazy}]\n");
    struct engine_config c = settings(sc);
    rehearsed(&a, &c);
    CHECK_INT(choices_of(&a, 0), 3); /* 3, 2, many */
    CHECK_STR(a.v[0].value, "3");
    CHECK_STR(choice_at(&a, 0, (uint32_t)a.v[0].choice), "3");
    CHECK_STR(because_of(&a, 0, "2"), "two");
    CHECK_STR(because_of(&a, 0, "3"), "");
    CHECK_STR(because_of(&a, 0, "many"), "lazy");
    answers_fini(&a);
    scenario_free(sc);
}

TEST(texts_are_filled_from_the_log)
{
    char buf[200], small[12];
    struct answers a;
    struct scenario *sc = with(
        "  - {on: start, say: \"{count(print)} lines, first {value(print text=\\\"2\\\" .text)}, {{braces}}, no {value(deadlock .time)}\"}\n");
    struct engine_config c = settings(sc);
    struct scenario_lesson l;
    rehearsed(&a, &c);
    answers_entry(&a, 0, &l);
    answers_fill(&a, NULL, text_in(&l.say, LANG_EN), buf, sizeof buf);
    CHECK_STR(buf, "3 lines, first 2, {braces}, no ?");
    answers_fill(&a, NULL, text_in(&l.say, LANG_EN), small, sizeof small);
    CHECK_STR(small, "3 lines, fi");
    answers_fini(&a);
    scenario_free(sc);
}

/* A free run takes its choices from lockstep, and its answer from itself. */
TEST(a_free_run_has_choices_and_no_answer_yet)
{
    struct answers a;
    char err[200] = "";
    struct scenario *sc = with(
        "  - {on: deadlock, say: never there}\n"
        "  - on: start\n    ask: {question: how many?, answer: count(print)}\n"
        "  - on: start\n    ask: {question: which?, answer: b, choices: [a, b]}\n");
    struct engine_config c = settings(sc);
    struct break_words w = {&scenario_info(sc)->programs, true, false, LANG_EN};
    c.rt.mode = MODE_FREE;
    CHECK(answers_init(&a, sc, &w));
    CHECK(rehearse(&a, &c, err, sizeof err));
    CHECK(!a.rehearsed && !a.v[0].never);
    CHECK_INT(choices_of(&a, 1), 4);
    CHECK_INT(a.v[1].choice, -1);
    CHECK_INT(a.v[2].choice, 1);
    answers_fini(&a);
    scenario_free(sc);
}

TEST(mistakes_in_filled_texts_have_a_place)
{
    static const struct {
        const char *lesson, *says;
    } bad[] = {
        {"  - {on: start, say: \"a {vlaue(print .text)}\"}\n", ":10:26: there is no function \"vlaue\"; the nearest is \"value\""},
        {"  - {on: start, say: {en: a, zh: \"{count(prnt)}\"}}\n", ":10:42: there is no event \"prnt\"; the nearest is \"print\""},
        {"  - {on: start, say: \"a { b\"}\n", ":10:25: \"{\" without \"}\"; write \"{{\" for a brace that is shown"},
        {"  - {on: start, ask: {question: q, answer: few}}\n", "without \"choices\" the answer must be a query"},
        {"  - {on: start, ask: {question: q, answer: a, choices: [a, {value: coutn(print)}]}}\n", "the nearest is \"count\""},
        {"  - {on: start, ask: {question: q, answer: a, choices: [a, {because: b}]}}\n", "a choice needs \"text\" or \"value\""},
        {"  - {on: start, ask: {question: q, answer: a, choices: [a, {text: b, value: \"1\"}]}}\n", "either \"text\" or \"value\""},
        {"  - {on: start, say: a, facts: [count(print)]}\n", ":10:33: a fact is QUERY = VALUE"},
        {"  - {on: start, say: a, facts: [coutn(print) = 3]}\n", ":10:33: there is no function \"coutn\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct result r = lint(bad[i].lesson);
        CHECK_INT(r.code, 2);
        HAS(r.err, bad[i].says);
    }
}

/* ---- what a text states ---- */

static void checks(const char *lesson, int code, const char *says)
{
    char text[4000];
    snprintf(text, sizeof text, "%s%s", workers, lesson);
    struct result r = RUN("check", (char *)t_file("states.yaml", text), "--lessons");
    if (r.code != code)
        t_fail(__FILE__, __LINE__, "%s%s%s", lesson, r.out, r.err);
    HAS(r.out, says);
}

TEST(a_text_states_nothing_without_proof)
{
    checks("  - {on: start, say: \"There are 3 workers and G4.\"}\n", 1, "lesson entry 1 states without proof: 3, G4;");
    checks("  - {on: start, say: {en: a, zh: \"有 3 个\"}}\n", 1, "entry 1 states without proof: 3;");
    checks("  - {on: start, say: \"{count(print)} lines on P0, since Go 1.14, go1.4 and #27707, with 1 P.\"}\n", 0, " passed, 0 failed");
    checks("  - {on: 'print x3', say: \"This is line 3.\"}\n", 0, " passed, 0 failed");
    checks("  - {on: 'g_end g=2', say: \"G2 has ended, as G1 will.\"}\n", 0, " passed, 0 failed");
    checks("  - {on: start, constants: [61], say: \"Every 61st tick.\"}\n", 0, " passed, 0 failed");
    checks("  - {on: start, say: \"Every 61st tick.\"}\nconstants: [61]\n", 0, " passed, 0 failed");
    checks("  - {on: start, say: \"Up to 10,000 Gs.\"}\nconstants: [10000]\n", 0, " passed, 0 failed");
    checks("  - {on: start, facts: ['count(print) = 3'], say: \"It prints 3 lines.\"}\n", 0, " passed, 0 failed");
    checks("  - {on: start, facts: ['value(g_end .g) = 4'], say: \"G4 ends first.\"}\n", 0, " passed, 0 failed");
    checks("  - {on: start, facts: ['count(print) = 4'], say: \"It prints 4 lines.\"}\n", 1,
           "lesson entry 1: count(print) = 4 does not hold: it is 3 (seed 1)");
    checks("  - {on: start, facts: ['value(deadlock .time) > 4'], say: \"a\"}\n", 1, "does not hold: it is without a value");
    checks("  - {on: start, facts: ['count(print) >= 3', 'count(print) != 4', 'value(print .text) = 2', 'count(print) < 4'], say: a}\n", 0,
           " passed, 0 failed");
    checks("  - {on: start, say: \"It prints 3 lines.\"}\nexpect: [{event: print, times: 3}]\n", 0, " passed, 0 failed");
    checks("  - on: start\n    ask: {question: \"2 or 3?\", choices: ['2', '3'], answer: count(print), because: \"3 of 4.\"}\n", 1,
           "proof: 4;");
}

/* Words for numbers are counts, too; "one", ordinals and parts of larger numbers are not. */
TEST(a_number_may_be_a_word)
{
    checks("  - {on: start, say: \"Three workers, then two.\"}\n", 1, "lesson entry 1 states without proof: 3, 2;");
    checks("  - {on: start, say: {en: a, zh: \"有三个 G，共两条队列。\"}}\n", 1, "states without proof: 3, 2;");
    checks("  - {on: start, facts: ['count(print) = 3'], say: {en: \"It prints three lines.\", zh: \"打印三次。\"}}\n", 0,
           " passed, 0 failed");
    checks("  - {on: start, say: \"One of ten thousand, the third, half of it, someone, often, two-way.\"}\n", 0, " passed, 0 failed");
    checks("  - {on: start, say: {en: a, zh: \"第三个，十三个，三者，一两次。\"}}\n", 0, " passed, 0 failed");
    checks("  - on: start\n    ask: {question: \"Two or three?\", choices: ['2', '3'], answer: count(print)}\n", 0, " passed, 0 failed");
}

/* A wrong choice proves nothing. */
TEST(only_the_right_choice_proves_a_number)
{
    checks("  - on: start\n    ask: {question: \"How many?\", choices: ['3', '4'], answer: count(print), because: \"It is 4.\"}\n", 1,
           "states without proof: 4;");
    checks("  - on: start\n    ask: {question: \"How many?\", choices: ['3', '4'], answer: count(print), because: \"It is 3.\"}\n", 0,
           " passed, 0 failed");
}

/* What the log has already shown is no prediction. A count is never final. */
TEST(an_answer_is_not_shown_before_it_is_asked)
{
    checks("  - on: 'print x2'\n    ask: {question: \"First?\", choices: ['1', '2'], answer: value(print .text)}\n", 1,
           "lesson entry 1 shows its answer: value(print .text) is in the log when it is asked");
    checks(
        "  - on: 'print'\n    hide: [narration, events]\n    ask: {question: \"First?\", choices: ['1', '2'], answer: value(print .text)}\n",
        0, " passed");
    checks("  - on: 'print'\n    ask: {question: \"Second?\", choices: ['0', '1'], answer: value(print x2 .text)}\n", 0, " passed");
    checks("  - on: 'print x3'\n    ask: {question: \"All?\", choices: ['2', '3'], answer: count(print)}\n", 0, " passed");
    checks("  - on: 'print'\n    ask: {question: \"How long?\", answer: time(print x2) - time(print)}\n", 0, " passed");
}

/* What one run does not have is found where it is stated; tests/long plays all lessons everywhere. */
TEST(check_looks_everywhere)
{
    static const char text[] =
        "  - {on: start, say: \"A thread looks for work on one P.\"}\n  - {on: start, say: \"It takes two Ps.\", procs: [1]}\n";
    struct result r = RUN("check", "scene-07-spin-limit", "gc-idle-worker", "first-spawn", "--lessons", "--everywhere");
    if (r.code != 0)
        t_fail(__FILE__, __LINE__, "%s", r.out);
    char all[4000];
    snprintf(all, sizeof all, "%s%s", workers, text);
    r = RUN("check", (char *)t_file("false.yaml", all), "--lessons", "--everywhere");
    CHECK_INT(r.code, 1);
    HAS(r.out, "false.yaml:11:5: lesson entry 2 ");
    r = RUN("check", "first-spawn", "--everywhere");
    CHECK_INT(r.code, 2);
}

/* A free run may have another answer. That is reported, and is no failure. */
TEST(lessons_are_played_in_free_mode_too)
{
    checks("  - {on: start, say: a}\n", 0, "lesson, free");
    struct result r = RUN("check", "first-spawn", "--lessons", "--mode=free");
    CHECK_INT(r.code, 0);
    HAS(r.out, " passed, 0 failed");
}

/* ---- a rehearsal that fails ---- */

static int opened;

static int opens_once(const struct source_config *c, struct source **out)
{
    return opened++ ? -ENOMEM : source_live(c, out);
}

static const char counts_prints[] = "  - on: start\n    ask: {question: how many?, choices: ['2', '3'], answer: count(print)}\n";

TEST(a_lesson_is_not_played_without_its_answers_for_lack_of_memory)
{
    char err[200];
    struct scenario *sc = with(counts_prints);
    struct engine_config c = settings(sc);
    c.live = c.lesson = true;
    c.open = opens_once;
    opened = 0;
    struct engine *e = engine_new(&c, err, sizeof err);
    CHECK(e);
    rehearse_for(e);
    CHECK_STR(e->failure, "cannot find the lesson's answers: the runtime cannot start: Cannot allocate memory");
    CHECK_INT(engine_exit_code(e, false), 2);
    engine_free(e);
    scenario_free(sc);
}

static struct source_ops broken_ops;
static const struct source_ops *whole_ops;

static int64_t breaks_at_the_end(struct source *s, const struct log_sink *sink, uint64_t max)
{
    int64_t n = whole_ops->next(s, sink, max);
    return n ? n : LOG_BROKEN;
}

static int opens_broken(const struct source_config *c, struct source **out)
{
    int r = source_live(c, out);
    CHECK_INT(r, 0);
    whole_ops = (*out)->ops;
    broken_ops = *whole_ops;
    broken_ops.next = breaks_at_the_end;
    (*out)->ops = &broken_ops;
    return r;
}

/* The lesson is then played without a rehearsal, and its queries follow that run from the beginning. */
TEST(a_failed_rehearsal_counts_nothing)
{
    char err[200];
    const char *value;
    struct answers a;
    struct scenario *sc = with(counts_prints);
    struct engine_config c = settings(sc);
    struct break_words w = {&scenario_info(sc)->programs, true, false, LANG_EN};
    CHECK(answers_init(&a, sc, &w));
    c.open = opens_broken;
    CHECK(!rehearse(&a, &c, err, sizeof err));
    CHECK_STR(err, "the event log cannot be merged");
    CHECK(!a.lacks && !a.rehearsed);
    struct model *md = model_new(&(struct model_config){.runq_size = 4});
    CHECK(md);
    CHECK_INT(query_value(a.asked->query, md, &value), QUERY_VALUE);
    CHECK_STR(value, "0");
    model_free(md);
    answers_fini(&a);
    scenario_free(sc);
}
