/* Queries: the printed values against the run's own event lines, read here with string functions; and the mistakes. */
#include "shell.h"

#include <inttypes.h>

static char *const scenes[] = {"steal-half", "ping-pong", "blocking-syscall", "mutex-starving"};
enum { SCENES = sizeof scenes / sizeof *scenes, LINES = 40000 };

static char *line[LINES];
static size_t count;

/* Reads the events of a run into line[]. */
static void record(char *scene)
{
    char *s = RUN("run", scene, "--headless", "--events").out, *next;
    for (count = 0; *s; s = next) {
        next = strchr(s, '\n');
        CHECK(next && count < LINES);
        *next++ = '\0';
        line[count++] = s;
    }
    CHECK(count > 100);
}

/* TIME_NS M2 P0 steal thief=0 …: the event is the first word behind the time that is no M and no P. */
static bool is(const char *l, const char *event)
{
    do
        l = strchr(l, ' ') + 1;
    while (*l == 'M' || *l == 'P');
    size_t n = strcspn(l, " ");
    return n == strlen(event) && !memcmp(l, event, n);
}

/* The value of " field=" in the line. */
static const char *field(const char *l, const char *name)
{
    static char value[80];
    char key[40];
    snprintf(key, sizeof key, " %s=", name);
    const char *at = strstr(l, key);
    CHECK(at);
    at += strlen(key);
    snprintf(value, sizeof value, "%.*s", (int)strcspn(at, " "), at);
    return value;
}

static void value_is(int where, char *scene, const char *query, const char *want)
{
    struct result r = RUN("query", scene, (char *)query);
    char *end = strchr(r.out, '\n');
    if (r.code || !end || end[1])
        t_fail(__FILE__, where, "%s: %s: exit %d, \"%s\", \"%s\"", scene, query, r.code, r.out, r.err);
    *end = '\0';
    if (strcmp(r.out, want))
        t_fail(__FILE__, where, "%s: %s is %s, should be %s", scene, query, r.out, want);
}
#define VALUE(scene, query, ...) \
    do { \
        char want_[80]; \
        snprintf(want_, sizeof want_, __VA_ARGS__); \
        value_is(__LINE__, scene, query, want_); \
    } while (0)

TEST(counts_and_sums)
{
    for (int i = 0; i < SCENES; i++) {
        int starts = 0, ends = 0;
        record(scenes[i]);
        for (size_t k = 0; k < count; k++)
            starts += is(line[k], "g_start"), ends += is(line[k], "g_end");
        VALUE(scenes[i], "count(g_start)", "%d", starts);
        VALUE(scenes[i], "count(g_start | g_end)", "%d", starts + ends);
        VALUE(scenes[i], "count(g_start) - (count(g_end) - 7) + 10", "%d", starts - (ends - 7) + 10);
        VALUE(scenes[i], "counter(rounds) - counter(rounds)", "0");
    }
}

/* Places are events only if something asks for them by name; a breakpoint does, and so does a query. */
TEST(places_are_recorded_for_the_query_that_asks_for_them)
{
    for (int i = 0; i < SCENES; i++) {
        int places = 0;
        char *s = RUN("run", scenes[i], "--headless", "--events", "--break", "g_op x1000000").out;
        while ((s = strstr(s, " g_op ")))
            places++, s++;
        CHECK(places > 0);
        VALUE(scenes[i], "count(g_op)", "%d", places);
    }
}

TEST(values_of_the_first_and_of_a_later_match)
{
    for (int i = 0; i < SCENES; i++) {
        int n = 0;
        record(scenes[i]);
        for (size_t k = 0; k < count; k++) {
            if (!is(line[k], "g_start"))
                continue;
            if (++n == 1)
                VALUE(scenes[i], "value(g_start .g)", "%s", field(line[k], "g"));
            else if (n == 3)
                VALUE(scenes[i], "value(g_start x3 .g)", "%s", field(line[k], "g"));
        }
        CHECK(n >= 3);
    }
    VALUE("steal-half", "value(steal n>=2 .victim)", "0");
    VALUE("steal-half", "value(go_create fn=worker .fn)", "worker");
    VALUE("steal-half", "value(g_park g=1 .reason)", "semacquire");
}

TEST(the_next_match_after_another)
{
    record("steal-half");
    size_t k = 0;
    while (!is(line[k], "steal"))
        k++;
    while (!is(line[k], "g_start"))
        k++;
    VALUE("steal-half", "next(g_start after steal .g)", "%s", field(line[k], "g"));
    VALUE("steal-half", "next(g_start after steal .time)", "%.*s", (int)strcspn(line[k], " "), line[k]);
}

TEST(the_greatest_and_the_order)
{
    for (int i = 0; i < SCENES; i++) {
        char all[4000] = "";
        long greatest = -1;
        record(scenes[i]);
        for (size_t k = 0; k < count; k++)
            if (is(line[k], "go_create")) {
                snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", *all ? " " : "", field(line[k], "g"));
                long g = atol(field(line[k], "g"));
                greatest = g > greatest && g < 1000000 ? g : greatest;
            }
        value_is(__LINE__, scenes[i], "order(go_create .g)", all);
        VALUE(scenes[i], "max(go_create g<1000000 .g)", "%ld", greatest);
    }
}

TEST(times_and_moments)
{
    record("steal-half");
    int64_t first = -1, second = -1, made = -1;
    for (size_t k = 0; k < count; k++) {
        int64_t t = strtoll(line[k], NULL, 10);
        if (is(line[k], "steal"))
            second = first >= 0 && second < 0 ? t : second, first = first < 0 ? t : first;
        if (is(line[k], "go_create") && !strcmp(field(line[k], "g"), "3"))
            made = t;
    }
    VALUE("steal-half", "time(steal x2) - time(steal)", "%" PRId64, second - first);
    /* G3 waits for longer than that, and no event says when half a millisecond has passed: 1 ns after it */
    VALUE("steal-half", "time(when g3.runnable > 500us) - time(go_create g=3)", "500001");
    CHECK(made > 0);
    VALUE("steal-half", "time(go_create g=3)", "%" PRId64, made);
    VALUE("steal-half", "p1.state at steal", "running");
    VALUE("steal-half", "p1.runnext at steal", "-");
    VALUE("steal-half", "globq at steal", "0");
}

TEST(a_single_text_has_no_quotation_marks)
{
    VALUE("steal-half", "value(print .text)", "worker 0 ran on P1");
    HAS(RUN("query", "steal-half", "order(print .text)").out, "\"worker 0 ran on P1\" \"");
}

TEST(no_match_is_exit_1_and_nothing_on_stdout)
{
    static char *const none[] = {"value(steal n>=50 .n)", "time(deadlock)",      "next(steal after deadlock .n)", "max(steal n>=50 .n)",
                                 "order(steal n>=50 .n)", "p0.runq at deadlock", "time(deadlock) - time(steal)"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        struct result r = RUN("query", "steal-half", none[i]);
        CHECK_INT(r.code, 1);
        CHECK_STR(r.out, "");
        HAS(r.err, "has no value");
    }
    VALUE("steal-half", "count(deadlock)", "0");
}

TEST(mistakes_have_a_column_and_the_nearest_word)
{
    static const struct {
        char *query;
        const char *says;
    } bad[] = {
        {"", "column 1: a value is missing here"},
        {"valeu(steal .n)", "column 1: there is no function \"valeu\"; the nearest is \"value\""},
        {"value(steal)", "column 12: the field is missing here: value(steal .n)"},
        {"value(steal .victm)", "column 14: steal has no field \"victm\"; the nearest is \"victim\""},
        {"value(steal n=x .n)", "column 15: \"x\" is no value of n"},
        {"value(steal | g_end .n)", "g_end has no field \"n\""},
        {"value(when globq > 1 .n)", "a condition has no fields"},
        {"value(go_create fn=wrker .g)", "column 20: there is no program \"wrker\"; the nearest is \"worker\""},
        {"max(g_park .reason)", "column 13: reason has no order"},
        {"next(g_start .g)", "column 14: \"after PATTERN\" is missing here"},
        {"count(steal x2)", "column 7: count() looks at all matches"},
        {"count(steal", "column 6: the parenthesis that opens here is never closed"},
        {"count(steal) count(steal)", "column 14: an operator such as \"+\", or the end of the query, is missing here"},
        {"order(g_end .g) + 1", "column 17: arithmetic needs numbers or times"},
        {"min(count(steal))", "column 17: the comma is missing here"},
        {"min(count(steal), order(g_end .g))", "column 1: arithmetic needs numbers or times"},
        {"steals", "column 1: \"steals\" is a counter: write counter(steals)"},
        {"leaks at steal", "column 1: \"leaks\" is a counter: write counter(leaks)"},
        {"counter(stels)", "column 9: there is no counter \"stels\"; the nearest is \"steals\""},
        {"p0.runq", "column 8: \"at PATTERN\" is missing here"},
        {"p0.runk at steal", "column 1: "},
        {"count(steal) - ", "column 16: a value is missing here"},
        {"99999999999999999999", "column 1: this number is too large"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct result r = RUN("query", "steal-half", bad[i].query);
        CHECK_INT(r.code, 2);
        CHECK_STR(r.out, "");
        HAS(r.err, bad[i].says);
    }
    HAS(RUN("query", "two-gs-1-0", "count(g_end)", "--seed=x").err, "--seed");
    CHECK_INT(RUN("query", "steal-half").code, 2);
    CHECK_INT(RUN("query", "steal-half", "count", "(steal)").code, 2);
}

TEST(a_generation_without_p_is_said)
{
    struct result r = RUN("query", "one-lock", "count(g_start p=0)");
    CHECK_INT(r.code, 2);
    HAS(r.err, "column 17: go1.0 has no P");
    CHECK_INT(RUN("query", "one-lock", "count(g_start)").code, 0);
}

TEST(a_program_that_dies_has_values)
{
    const char *f = t_file("dies.yaml", "name: dies\nchannels: [{name: c}]\ngoroutines:\n  - name: main\n    do: [{recv: c}]\n");
    VALUE((char *)f, "count(deadlock)", "1");
}

/* Each value came up with the seed that is named, and the numbers add up to the seeds. */
/* Until Go 1.25 no idle P was given a worker. Only that rule and those that decide where Gs go after a stop of the world matter here. */
TEST(a_tally_says_which_rule_changes_the_values)
{
    struct result r = RUN("explore", "gc-assigns", "--seeds=40", "--coarse", "--stalls=0", "--tally", "count(gc_assign)", "--by-rule");
    HAS(r.out, "\ncount(gc_assign):\n      40 x  1, first with seed 1\n");
    HAS(r.out, "\nwithout gc_assigns           40 of 40 seeds have another value, first seed 1: 0, not 1\n");
    HAS(r.out, "\nwithout inject_wakes         all 40 seeds have the same value\n");
    CHECK(!strstr(RUN("explore", "steal-half", "--seeds=5", "--tally", "count(steal)", "--by-rule").out, "without")); /* go1.20 has none */
    const char *fails = t_file("fails.yaml",
                               "name: fails\nscheduler: {generation: go1.26}\n"
                               "goroutines: [{name: main, do: [{yield: 3}, {print: x}]}]\nexpect: [{prints: [\"y\"]}]\n");
    r = RUN("explore", (char *)fails, "--seeds=5", "--tally", "count(g_yield)", "--by-rule"); /* a seed that fails has a value, too */
    CHECK_INT(r.code, 1);
    HAS(r.out, "\nwithout yield_wakes          all 5 seeds have the same value\n");
    HAS(r.out, "\nwithout sync_timer_channels  all 5 seeds have the same value\n");
    HAS(RUN("explore", "steal-half", "--by-rule").err, "--by-rule needs --tally");
    HAS(RUN("explore", "steal-half", "--by-rule", "--json", "--tally", "count(steal)").err, "--by-rule cannot be combined");
}

TEST(a_tally_counts_the_values_of_all_seeds)
{
    enum { SEEDS = 60 };
    struct result r = RUN("explore", "steal-half", "--seeds=60", "--coarse", "--stalls=0", "--tally", "value(steal n>=2 .n)");
    CHECK_INT(r.code, 0);
    char *at = strstr(r.out, "value(steal n>=2 .n):\n");
    CHECK(at);
    int sum = 0, rows = 0, n, value, last = SEEDS;
    char seed[24], want[24];
    for (at = strchr(at, '\n') + 1; sscanf(at, "%d x %d, first with seed %20s", &n, &value, seed) == 3; at = strchr(at, '\n') + 1) {
        struct result one = RUN("query", "steal-half", "value(steal n>=2 .n)", "--seed", seed);
        snprintf(want, sizeof want, "%d\n", value);
        CHECK_STR(one.out, want);
        CHECK(n <= last);
        last = n;
        sum += n;
        rows++;
    }
    CHECK_INT(sum, SEEDS);
    CHECK(rows >= 2);
    HAS(RUN("explore", "steal-half", "--seeds=20", "--json", "--tally", "count(deadlock)").out,
        "\"tally\":[{\"value\":\"0\",\"times\":20,\"first_seed\":1}]");
    CHECK_INT(RUN("explore", "steal-half", "--seeds=5", "--tally", "count(").code, 2);
}

/* The formulas of known mistakes, next to what the log says. */
TEST(arithmetic_has_its_usual_order)
{
    static const struct {
        char *query;
        const char *value;
    } sums[] = {{"2 + 3 * 4", "14\n"},
                {"(2 + 3) * 4", "20\n"},
                {"9 - 4 - 3", "2\n"},
                {"9 / 2 / 2", "2\n"},
                {"9 % 4 * 2", "2\n"},
                {"min(8 / 2 + 1, 8 / 2)", "4\n"},
                {"max(min(3, 4), 2) + 1", "4\n"},
                {"max(max(steal .n), 9) - count(steal)", "5\n"}};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        CHECK_STR(RUN("query", "steal-half", sums[i].query).out, sums[i].value);
    CHECK_INT(RUN("query", "steal-half", "3 / 0").code, 1);
    CHECK_INT(RUN("query", "steal-half", "3 % (count(steal) - count(steal))").code, 1);
}

/* A value is a number of 64 bits. One that does not fit is no value, and neither is the one quotient that does not fit. */
TEST(arithmetic_at_the_limits)
{
#define MOST "9223372036854775807"
#define LEAST "(0 - " MOST " - 1)"
    static const struct {
        char *query;
        const char *value;
    } fits[] = {
        {MOST, MOST "\n"},
        {MOST " + 0", MOST "\n"},
        {LEAST, "-9223372036854775808\n"},
        {LEAST " / 1", "-9223372036854775808\n"},
        {LEAST " % 2", "0\n"},
        {LEAST " / " LEAST, "1\n"},
        {LEAST " + 1", "-9223372036854775807\n"},
        {"(0 - " MOST ") / (0 - 1)", MOST "\n"},
        {"(0 - " MOST ") * (0 - 1)", MOST "\n"},
        {"(0 - 7) / 2", "-3\n"},
        {"(0 - 7) % 2", "-1\n"}};
    static char *const none[] = {
        MOST " + 1",  MOST " * 2",  LEAST " - 1", LEAST " * (0 - 1)",     "0 - " LEAST,  LEAST " / (0 - 1)", LEAST " % (0 - 1)",
        LEAST " / 0", LEAST " % 0", "0 / 0",      "max(1, " MOST " + 1)", "1 / (1 - 1)", LEAST " + " LEAST};
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++)
        CHECK_STR(RUN("query", "steal-half", fits[i].query).out, fits[i].value);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        struct result r = RUN("query", "steal-half", none[i]);
        CHECK_INT(r.code, 1);
        CHECK_STR(r.out, "");
    }
}
