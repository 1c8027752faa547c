/* gmpscope compare, without a screen: two runs in two columns, with differences marked. */
#include "shell.h"

#include <stdlib.h>

/* Returns the table's row `name`, cut at its end. */
static const char *row(const char *table, const char *name)
{
    static char line[200];
    char head[64];
    snprintf(head, sizeof head, " %s ", name);
    const char *at = strstr(table, head);
    if (!at)
        t_fail(__FILE__, __LINE__, "no row %s in %s", name, table);
    while (at > table && at[-1] != '\n')
        at--;
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    return line;
}

TEST(a_run_does_not_differ_from_itself)
{
    struct result *r = shell("gmpscope compare steal-half steal-half --headless");
    CHECK_INT(r->code, 0);
    CHECK(!strchr(r->out, '*'));
    HAS(r->out, "\n0 differ\n");
    HAS(r->out, "\nNo difference: the 405 events of both runs are the same.\n");
    HAS(r->out, "\nBoth runs are the same, event by event: all 10 Gs end after 8.003 ms.\n");
    CHECK_INT(shell("gmpscope compare steal-half --right procs=2 --headless")->code, 0); /* it has 2 anyway */
    HAS(r->out, "\n0 differ\n");
}

TEST(differences_are_marked)
{
    struct result *r =
        shell("gmpscope compare steal-half --left generation=go1.13 --right 'generation=go1.20 procs=4' --headless --seed 3");
    CHECK_INT(r->code, 0);
    CHECK_STR(row(r->out, "generation"), "* generation                             go1.13                   go1.20");
    CHECK_STR(row(r->out, "gomaxprocs"), "* gomaxprocs                                  2                        4");
    CHECK_STR(row(r->out, "seed"), "  seed                                        3                        3");
    CHECK_STR(row(r->out, "ended"), "  ended                           main_returned            main_returned");
}

TEST(switches_are_shown_by_name)
{
    struct result *r = shell("gmpscope compare steal-half --left disable=stealing,handoff --limit 2ms --headless");
    CHECK_INT(r->code, 0);
    CHECK_STR(row(r->out, "stealing"), "* stealing                                  off                       on");
    CHECK_STR(row(r->out, "handoff"), "* handoff                                   off                       on");
    HAS(row(r->out, "steals"), "0  ");
}

/* Both run up to the same place, if they reach it. */
/* By which rule they differ, and whether the end does. Yielding and the last look came with Go 1.22; without stealing nothing is left to do. */
TEST(the_first_difference_has_its_rule_and_its_outcome)
{
    struct result r = RUN("compare", "issue-55160", "--right=generation=go1.22", "--first", "--headless");
    HAS(r.out,
        "\nRules: only the right run has yield_wakes, last_look, fresh_lastpoll.\nOutcome: the same: main returned, with the same output.\n"
        "Each of them off alone:\n"
        "  yield_wakes          alone it changes nothing: without it they differ as early\n"
        "  last_look            makes the difference: without it there is none\n");
    HAS(RUN("compare", "buffered-retry", "--left=generation=go1.4", "--right=generation=go1.13", "--first", "--headless").out,
        "Each of them off alone:\n  runnext              makes the first difference: without it both are the same up to event 20");
    r = RUN("compare", "issue-55160", "--left=generation=go1.21", "--right=generation=go1.21 enable=last_look", "--first", "--headless");
    HAS(r.out, "\nRules: only the right run has last_look.\n");
    r = RUN("compare", "buffered-retry", "--left=generation=go1.4", "--right=generation=go1.13", "--first", "--headless", "--lang=zh");
    HAS(r.out, "\n规则：只有右侧有 runnext、steal_runnext_delay。\n结果：左侧：main 返回；右侧：死锁。\n");
}

TEST(a_breakpoint_ends_the_sides_that_come_to_it)
{
    struct result *r = shell("gmpscope compare steal-half --left disable=stealing --break steal --max-events 2000 --headless");
    CHECK_INT(r->code, 0);
    CHECK_STR(row(r->out, "ended"), "* ended                                   limit                    break");
    HAS(row(r->out, "steals"), "0                        1");
    r = shell("gmpscope compare first-spawn steal-half --break 'go_create fn=busy' --headless");
    CHECK_INT(r->code, 2); /* the left one has no such program */
    HAS(r->err, "--break");
}

/* Each side is the run that it would be alone. */
TEST(both_sides_run_as_they_would_alone)
{
    char left[20000], right[20000], both[42000];
    snprintf(left, sizeof left, "%.19000s", shell("gmpscope run pair --generation go1.4 --headless --json --seed 5")->out);
    snprintf(right, sizeof right, "%.19000s", shell("gmpscope run pair --generation go1.13 --headless --json --seed 5 --procs 3")->out);
    left[strcspn(left, "\n")] = right[strcspn(right, "\n")] = '\0';
    snprintf(both, sizeof both, "{\"left\":%s,\"right\":%s,\"differ\":[\"generation\",\"gomaxprocs\"", left, right);
    struct result *r =
        shell("gmpscope compare pair pair --headless --json --seed 5 --left generation=go1.4 --right 'generation=go1.13 procs=3'");
    CHECK_INT(r->code, 0);
    CHECK(!strncmp(r->out, both, strlen(both)));
    HAS(r->out, "],\"first\":{\"same\":");
}

TEST(one_seed_for_both)
{
    char a[1000], b[1000], line[2200];
    snprintf(a, sizeof a, "%s", t_file("a.yaml", "name: a\nscheduler: {seed: 11}\ngoroutines: [{name: main, do: [{compute: 1us}]}]\n"));
    snprintf(b, sizeof b, "%s", t_file("b.yaml", "name: b\nscheduler: {seed: 22}\ngoroutines: [{name: main, do: [{compute: 1us}]}]\n"));
    snprintf(line, sizeof line, "gmpscope compare '%s' '%s' --headless", a, b);
    CHECK_STR(row(shell(line)->out, "seed"), "  seed                                       11                       11");
    strcat(line, " --right seed=7");
    CHECK_STR(row(shell(line)->out, "seed"), "* seed                                       11                        7");
}

/* What a scenario claims of its own scheduler need not hold for another one: that is the question. */
TEST(claims_do_not_count)
{
    char line[1200];
    const char *f = t_file("last.yaml",
                           "name: last\nscheduler: {gomaxprocs: 1}\nwaitgroups: [wg]\ngoroutines:\n"
                           "  - {name: main, do: [{add: wg, n: 2}, {go: w, count: 2}, {wait: wg}]}\n"
                           "  - {name: w, do: [{print: '{i}'}, {done: wg}]}\nexpect: [{prints: [1, 0]}]\n");
    snprintf(line, sizeof line, "gmpscope run '%s' --headless --generation go1.0", f);
    CHECK_INT(shell(line)->code, 1);
    snprintf(line, sizeof line, "gmpscope compare '%s' --left generation=go1.0 --headless", f);
    struct result *r = shell(line);
    CHECK_INT(r->code, 0);
    CHECK_STR(row(r->out, "generation"), "* generation                              go1.0                   go1.20");
}

/* The worse of the two ends is reported, as that run alone would report it. */
TEST(it_returns_the_worse_exit_code)
{
    char line[1200];
    const char *dead = t_file("dead.yaml", "name: dead\nchannels: [c]\ngoroutines: [{name: main, do: [{recv: c}]}]\n");
    snprintf(line, sizeof line, "gmpscope compare steal-half '%s' --headless", dead);
    struct result *r = shell(line);
    CHECK_INT(r->code, 3);
    HAS(r->err, "all goroutines are asleep - deadlock!");
    CHECK_STR(row(r->out, "ended"), "* ended                           main_returned                 deadlock");
}

TEST(impossible_comparisons_are_refused)
{
    static const char *const bad[] = {
        "compare",
        "compare steal-half",
        "compare a b c",
        "compare steal-half no-such-one",
        "compare steal-half --left nonsense=1",
        "compare steal-half --left procs=0",
        "compare steal-half --left --procs=3",
        "compare steal-half --right 'procs 3'",
        "compare steal-half --right 'generation=go1.0 disable=stealing'",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char line[300];
        snprintf(line, sizeof line, "gmpscope %s --headless", bad[i]);
        struct result *r = shell(line);
        if (r->code != 2 || r->out[0])
            t_fail(__FILE__, __LINE__, "%s: %d, %s", line, r->code, r->out);
    }
}

/* go1.0 has no Ps. A condition on a P is for the other side, which is reported; if neither side has Ps, it is
 * refused. */
TEST(a_breakpoint_about_a_p_is_for_the_side_that_has_some)
{
    struct result *r = shell("gmpscope compare steal-half --left generation=go1.0 --break 'when p0.runq >= 4' --headless");
    CHECK_INT(r->code, 0);
    CHECK_STR(row(r->out, "ended"), "* ended                           main_returned                    break");
    HAS(r->err, "gmpscope: --break \"when p0.runq >= 4\" applies only to the right run: go1.0 has no P\n");
    r = shell("gmpscope compare steal-half --right generation=go1.0 --break '* p=1' --headless");
    CHECK_INT(r->code, 0);
    CHECK_STR(row(r->out, "ended"), "* ended                                   break            main_returned");
    HAS(r->err, " applies only to the left run: go1.0 has no P\n");
    r = shell("gmpscope compare steal-half --generation go1.0 --right seed=4 --break 'when p0.runq >= 4' --headless");
    CHECK_INT(r->code, 2);
    HAS(r->err, "go1.0 has no P");
}

/* Reported with the side that it is about; a setting for both is not a setting of one side. */
TEST(a_mistake_of_a_side_names_the_side)
{
    static const struct {
        const char *settings, *says;
    } bad[] = {
        {"--left foo=1", "gmpscope: --left: unknown setting \"foo\""},
        {"--right proc=2", "gmpscope: --right: unknown setting \"proc\"; did you mean \"procs\"?"},
        {"--left procs=0", "gmpscope: --left: procs: "},
        {"--left 'seed=3 procs'", "gmpscope: --left: procs needs a value: procs=N"},
        {"--right fine=1", "gmpscope: --right: fine takes no value"},
        {"--left --procs=3", "gmpscope: --left: write settings without dashes"},
        {"--left headless", "gmpscope: --left: headless applies to both runs; write --headless"},
        {"--right tempo=max", "gmpscope: --right: tempo applies to both runs; write --tempo=max"},
        {"--left ''", "gmpscope: --left: expected settings"},
        {"--right '  '", "gmpscope: --right: expected settings"},
        {"--left mode=free", "compare needs --mode lockstep"},
        {"--left seed=2 --mode free", "compare needs --mode lockstep"},
        {"--left 'fine mode=free'", "--fine needs --mode lockstep"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char line[300];
        snprintf(line, sizeof line, "gmpscope compare steal-half %s --headless", bad[i].settings);
        struct result *r = shell(line);
        if (r->code != 2 || r->out[0] || !strstr(r->err, bad[i].says) || strchr(r->err, '\n')[1])
            t_fail(__FILE__, __LINE__, "%s: %d, %s%s", line, r->code, r->out, r->err);
    }
    struct result *r = shell("gmpscope compare steal-half --left seed=2 --headless --seed 3");
    CHECK_INT(r->code, 0);
    CHECK_STR(row(r->out, "seed"), "* seed                                        2                        3");
}

/* A scenario may say what it is to be compared with; settings on the command line take its place. */
TEST(a_scenario_says_what_to_compare)
{
    char *file =
        (char *)t_file("own.yaml", "name: own\ncompare: {right: generation=go1.4}\ngoroutines: [{name: main, do: [{print: a}]}]\n");
    char *bare = (char *)t_file("bare.yaml", "name: bare\ngoroutines: [{name: main, do: [{print: a}]}]\n");
    HAS(RUN("compare", file, "--headless").out, "go1.4");
    struct result r = RUN("compare", file, "--headless", "--left", "generation=go1.13");
    HAS(r.out, "go1.13");
    CHECK(!strstr(r.out, "go1.4"));
    CHECK_INT(RUN("compare", bare, "--headless").code, 2);
}
