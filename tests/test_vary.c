/* `vary`: numbers drawn from the seed, in programs, settings, durations, texts, patterns and queries; --vary fixes one. */
#include "live.h"
#include "load.h"
#include "shell.h"

/* P1 takes half of what P0 has queued, so the answer depends on n. */
static const char varied[] =
    "name: varied\n"
    "vary: {n: 4..9, size: [16, 32], each: 5}\n"
    "title: {en: \"{n} workers\"}\n"
    "scheduler: {gomaxprocs: 2, runq_size: size, preempt_slice: 10s}\n"
    "waitgroups: [wg]\n"
    "shared: [finished]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{add: wg, n: n}, {go: worker, count: n, args: [2 * n]}, {go: busy}, {wait: wg}]\n"
    "  - name: worker\n"
    "    params: [twice]\n"
    "    do: [{compute: \"{n * 10}us\"}, {print: \"{i} of {n}: {twice + n} in {{size}}\"}, {set: finished, to: finished + 1}, {done: wg}]\n"
    "  - name: busy\n"
    "    do: [{loop: forever, do: [{compute: 10us}, {if: finished == n, then: [{exit: true}]}]}]\n"
    "lesson:\n"
    "  - on: \"go_create fn=worker x{n}\"\n"
    "    say: {en: \"P0 has {n - 1} in its ring.\"}\n"
    "expect:\n"
    "  - {counter: goroutines, equals: \"n + 2\"}\n"
    "  - {event: \"go_create fn=worker\", times: n}\n"
    "  - {event: \"steal n>{n}\", times: 0}\n";

static const char *file(void)
{
    static const char *path;
    return path ? path : (path = t_file("varied.yaml", varied));
}

static int64_t drawn(const struct scenario *base, uint64_t seed, const char *name)
{
    char err[200] = "";
    const struct scenario *sc = scenario_drawn(base, seed, err, sizeof err);
    CHECK_STR(err, "");
    CHECK(sc);
    for (uint32_t i = 0; i < scenario_info(sc)->ndrawn; i++)
        if (!strcmp(scenario_info(sc)->drawn[i].name, name))
            return scenario_info(sc)->drawn[i].value;
    t_fail(__FILE__, __LINE__, "%s is not drawn", name);
}

TEST(each_value_is_drawn_by_some_seed_and_no_other)
{
    struct scenario *sc = load(t_file("v.yaml", varied));
    unsigned n = 0, sizes = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        int64_t v = drawn(sc, seed, "n"), size = drawn(sc, seed, "size");
        CHECK(v >= 4 && v <= 9);
        CHECK(size == 16 || size == 32);
        CHECK_INT(drawn(sc, seed, "each"), 5);
        n |= 1u << v;
        sizes |= (unsigned)size;
        CHECK_INT(drawn(sc, seed, "n"), v);
    }
    CHECK_INT(n, 0x3f0);
    CHECK_INT(sizes, 48);
    scenario_free(sc);
}

/* A name that is fixed, or one more, does not change the others. */
TEST(each_name_has_its_own_stream)
{
    char err[200];
    struct scenario *a = load(t_file("a.yaml", "name: a\nvary: {x: 1..1000, y: 1..1000}\ngoroutines: [{name: main}]\n"));
    struct scenario *b = load(t_file("b.yaml", "name: b\nvary: {z: 1..7, y: 1..1000, x: 1..1000}\ngoroutines: [{name: main}]\n"));
    CHECK(scenario_fix(b, "x=17", err, sizeof err));
    for (uint64_t seed = 1; seed < 20; seed++) {
        CHECK_INT(drawn(a, seed, "y"), drawn(b, seed, "y"));
        CHECK_INT(drawn(b, seed, "x"), 17);
    }
    scenario_free(a);
    scenario_free(b);
}

TEST(the_numbers_are_known_everywhere)
{
    struct result r = RUN("run", (char *)file(), "--headless", "--vary", "n=6", "--vary=size=32");
    CHECK_INT(r.code, 0);
    HAS(r.out, " of 6: 18 in {size}\n");
    r = RUN("run", (char *)file(), "--headless", "--json", "--vary=n=6", "--vary=n=7", "--vary=size=16");
    HAS(r.out, "\"gomaxprocs\":2,\"vary\":{\"n\":7,\"size\":16,\"each\":5},\"ended\":\"main_returned\"");
    r = RUN("query", (char *)file(), "count(go_create fn=worker) - {n}", "--vary=n=5");
    CHECK_STR(r.out, "0\n");
    CHECK_STR(RUN("run", "steal-half", "--headless", "--json", "--seed=7").err, "");
}

TEST(a_tally_takes_the_numbers_of_each_seed)
{
    struct result r = RUN("explore", (char *)file(), "--stalls=0", "--seeds=20", "--tally=count(go_create fn=worker) - {n}");
    CHECK_INT(r.code, 0);
    HAS(r.out, "      20 x  0, first with seed 1\n");
    r = RUN("explore", (char *)file(), "--stalls=0", "--seeds=20", "--vary=n=7", "--tally={n}");
    HAS(r.out, "      20 x  7, first with seed 1\n");
}

TEST(an_exported_program_has_the_numbers)
{
    const char *path = t_file("go.yaml",
                              "name: go\nvary: {n: 4..9}\ngoroutines:\n"
                              "  - name: main\n    do: [{go: worker, count: n}]\n  - name: worker\n    do: [{compute: \"{n}us\"}]\n");
    HAS(RUN("export", (char *)path, "--format=go", "--vary=n=6").out, "n < 6;");
    HAS(RUN("export", (char *)path, "--format=go", "--vary=n=8").out, "compute(8 * time.Microsecond)");
}

TEST(the_answer_depends_on_the_seed)
{
    unsigned answers = 0;
    for (int seed = 1; seed <= 12; seed++) {
        char option[40];
        snprintf(option, sizeof option, "--seed=%d", seed);
        struct result r = RUN("query", (char *)file(), "max(steal .n)", option);
        CHECK_INT(r.code, 0);
        answers |= 1u << atoi(r.out);
        CHECK_STR(RUN("query", (char *)file(), "max(steal .n)", option).out, r.out);
    }
    CHECK(__builtin_popcount(answers) >= 3);
}

TEST(check_draws_anew_for_each_seed)
{
    struct result r = RUN("check", (char *)file(), "--seeds=20");
    if (r.code)
        t_fail(__FILE__, __LINE__, "%s", r.out);
    HAS(r.out, "20 runs");
}

/* The number of Ps may be drawn as well, unless a person asks for it. */
TEST(ps_are_drawn)
{
    static const char text[] =
        "name: ps\nvary: {procs: [1, 3]}\nscheduler: {gomaxprocs: procs}\n"
        "goroutines: [{name: main, do: [{print: \"{procs}\"}]}]\n";
    const char *path = t_file("ps.yaml", text);
    bool seen[2] = {false};
    for (int seed = 1; seed <= 10; seed++) {
        char option[40];
        snprintf(option, sizeof option, "--seed=%d", seed);
        struct result r = RUN("run", (char *)path, "--headless", "--json", option);
        bool three = strstr(r.out, "\"gomaxprocs\":3,\"vary\":{\"procs\":3}");
        CHECK(three || strstr(r.out, "\"gomaxprocs\":1,\"vary\":{\"procs\":1}"));
        seen[three] = true;
        HAS(RUN("run", (char *)path, "--headless", "--json", "--procs=2", option).out, "\"gomaxprocs\":2,");
    }
    CHECK(seen[0] && seen[1]);
}

/* A restart with another seed is another question; the title says so. */
TEST(a_restart_draws_again)
{
    LIVE(l, varied, "--tempo", "max");
    wait_end(&l);
    struct session_status was = status(&l);
    HAS(was.drawn, " each=5");
    for (uint64_t seed = 2; seed < 12; seed++) {
        uint32_t run = status(&l).run;
        session_ops.motion->restart(l.s, seed);
        while (status(&l).run == run)
            wait_change(&l);
        struct session_status st = status(&l);
        char n[80];
        snprintf(n, sizeof n, "n=%s", text_in(&st.title, LANG_EN));
        CHECK(!strncmp(n, st.drawn, 3));
        HAS(st.drawn, " each=5");
        if (strcmp(st.drawn, was.drawn) != 0) {
            close_live(&l);
            return;
        }
    }
    t_fail(__FILE__, __LINE__, "ten seeds drew the same");
}

static void refused(const char *text, const char *says)
{
    struct result r = RUN("lint", (char *)t_file("wrong.yaml", text));
    CHECK_INT(r.code, 2);
    HAS(r.err, says);
}

/* The line of :share fixes the same numbers, so it makes the same run. */
TEST(the_shared_line_fixes_the_same_numbers)
{
    struct live l;
    char err[200], line[1000], command[1100];
    CHECK(options_parse(&l.o, CMD_RUN, 5, (char *[]){(char *)file(), "--tempo=max", "--seed=3", "--vary=n=7", "--vary=size=32"}));
    CHECK((l.sc = command_scenario(&l.o, file())) != NULL);
    struct session_config c = command_session(l.sc, &l.o);
    if (!(l.s = session_new(&c, err, sizeof err)))
        t_fail(__FILE__, __LINE__, "%s", err);
    wait_end(&l);
    CHECK(session_ops.share(l.s, line, sizeof line));
    HAS(line, " --seed 3");
    HAS(line, " --vary n=7 --vary size=32");
    snprintf(command, sizeof command, "%s --headless --json", line);
    HAS(shell(command)->out, "\"vary\":{\"n\":7,\"size\":32,\"each\":5}");
    close_live(&l);
}

/* A lesson's texts and answers are queries, in which a drawn name is a number, but not where a field, an event or a gauge has that name. */
TEST(the_numbers_are_known_in_queries)
{
    const char *path = t_file(
        "leak.yaml",
        "name: leak\nvary: {n: 3..6, steal: 9}\nscheduler: {gomaxprocs: 1}\nchannels: [c]\ngoroutines:\n"
        "  - {name: main, do: [{go: s, count: n}, {recv: c}]}\n  - {name: s, do: [{send: c}]}\nlesson:\n"
        "  - {on: program_end, say: \"{n - count(g_end)} of {n} leaked; {max(n, 2) * 2}, {count(go_create g>=n)}, {count(steal n>=1)}.\"}\n");
    CHECK_STR(RUN("lint", (char *)path).err, "");
    /* Ends with n=5: one sender of five is received from and may end only after main, at one P none does. g counts main: G5 and G6 are >= 5. */
    struct result r = RUN("query", (char *)path, "n - count(g_end)", "--vary=n=5");
    CHECK_STR(r.err, "");
    char command[500], want[100];
    snprintf(want, sizeof want, "%d of 5 leaked; 10, 2, 0.", atoi(r.out));
    snprintf(command, sizeof command, "printf 'space\\nspace\\nq\\n' | gmpscope lesson %s --vary n=5 --linear --lang en", path);
    HAS(shell(command)->out, want);
    HAS(RUN("query", (char *)path, "count(go_create g=n)", "--vary=n=4").out, "1\n");
    path = t_file("rounds.yaml", "name: rounds\nvary: {rounds: 50}\ngoroutines: [{name: main, do: [{yield: rounds}]}]\n");
    CHECK(atoi(RUN("query", (char *)path, "counter(rounds) - rounds").out) > 0); /* a round more than the yields: the first one */
    refused("name: a\nvary: {n: 2..5}\ngoroutines: [{name: main}]\nlesson: [{on: start, say: \"{{n} - count(g_end)} left\"}]\n",
            ":4:28: \"{{\" and \"}}\" show a brace each, and these do not match");
}

/* Writes the questions of a scenario that hold for its own settings, with their choices. */
static void questions(const struct scenario *sc, char *out, size_t size)
{
    struct rt_config rt = scenario_own_settings(sc);
    struct scenario_lesson l;
    size_t at = 0;
    *out = '\0';
    for (uint32_t i = 0; i < scenario_info(sc)->nlesson; i++) {
        scenario_lesson(sc, i, &l);
        if (!l.nchoices || !scenario_lesson_holds(sc, i, &rt))
            continue;
        at += (size_t)snprintf(out + at, size - at, "%s\n", l.question.in[LANG_EN]);
        for (uint32_t k = 0; k < l.nchoices; k++)
            at += (size_t)snprintf(out + at, size - at, "%s\n", l.choice_query[k] ? l.choice_query[k] : l.choice[k].in[LANG_EN]);
        CHECK(at < size);
    }
}

static void asks_by_seed(const struct scenario *sc, const char *path, void *nasked)
{
    static char first[8000], other[8000];
    char err[200] = "";
    bool differs = false;
    if (!(scenario_info(sc)->paths >> PATH_PROGRAMMER & 1))
        return;
    questions(scenario_drawn(sc, 1, err, sizeof err), first, sizeof first);
    for (uint64_t seed = 2; seed <= 8 && !differs; seed++) {
        questions(scenario_drawn(sc, seed, err, sizeof err), other, sizeof other);
        differs = strcmp(first, other) != 0;
    }
    if (*first && !differs)
        t_fail(path, 0, "each seed asks the same:\n%s", first);
    *(int *)nasked += *first != '\0';
}

/* Two students who sit next to each other have other numbers. */
TEST(each_lesson_of_the_short_path_asks_by_seed)
{
    int nasked = 0;
    CHECK(each_scenario(asks_by_seed, &nasked) > 0);
    CHECK(nasked >= 15);
}

TEST(mistakes_name_their_place)
{
    refused("name: a\nvary: {n: many}\ngoroutines: [{name: main}]\n",
            ":2:11: vary: \"many\" is neither a number nor a range; write 6, 4..9 or [2, 4]");
    refused("name: a\nvary: {n: 9..4}\ngoroutines: [{name: main}]\n", ":2:11: vary: the range 9..4 is empty");
    refused("name: a\nvary: {n: []}\ngoroutines: [{name: main}]\n", ":2:8: vary: \"n\" has no values");
    refused("name: a\nvary: {p: 2}\ngoroutines: [{name: main}]\n", ":2:8: vary: \"p\" has a meaning in programs");
    refused("name: a\nvary: {n: 2}\ngoroutines: [{name: main, do: [{set: n, to: 1}]}]\n",
            "\"n\" is drawn by \"vary\"; give the variable another name");
    refused("name: a\nvary: {n: 2}\nshared: [n]\ngoroutines: [{name: main}]\n", "give the shared integer another name");
    refused("name: a\nvary: {n: 2..5}\nscheduler: {runq_size: n}\ngoroutines: [{name: main}]\n",
            ":3:24: runq_size: expected a power of two from 2 to 256, got ");
    refused("name: a\nvary: {n: [2, 4, 8, 9]}\nscheduler: {runq_size: n, seed: 1}\ngoroutines: [{name: main}]\n", "got 9");
    CHECK_STR(RUN("run", (char *)file(), "--headless", "--vary=sice=3").err,
              "gmpscope: --vary: varied does not vary \"sice\"; did you mean \"size\"?\n");
    CHECK_STR(RUN("run", (char *)file(), "--headless", "--vary=k=3").err,
              "gmpscope: --vary: varied does not vary \"k\"; it varies n, size, each\n");
    CHECK_STR(RUN("run", "steal-half", "--headless", "--vary=k=3").err,
              "gmpscope: --vary: steal-half does not vary \"k\"; it has no \"vary\"\n");
    CHECK_STR(RUN("run", (char *)file(), "--headless", "--vary=n").err, "gmpscope: --vary: expected NAME=NUMBER, such as n=6, got \"n\"\n");
    HAS(RUN("run", (char *)file(), "--headless", "--vary=size=3").err,
        "varied.yaml: runq_size: expected a power of two from 2 to 256, got 3");
}

/* The program that the screen shows is the one that runs. */
TEST(another_seed_shows_another_program)
{
    LIVE(l, "name: two\nvary: {n: 4..90}\ngoroutines: [{name: main, do: [{loop: n, do: [{yield: 1}]}]}]\n", "--tempo=max");
    for (uint64_t seed = 1; seed < 4; seed++) {
        struct session_status st;
        char want[100];
        session_ops.motion->restart(l.s, seed);
        for (st = status(&l); st.run < seed || !st.ended; st = status(&l))
            wait_change(&l);
        snprintf(want, sizeof want, " < %.20s;", st.drawn + strlen("n="));
        const struct program_text *t = session_ops.program(l.s);
        bool found = false;
        for (uint32_t i = 0; i < t->nlines; i++)
            found |= strstr(t->line[i], want) != NULL;
        if (!found)
            t_fail(__FILE__, __LINE__, "seed %llu: no line has%s", (unsigned long long)seed, want);
    }
    close_live(&l);
}
