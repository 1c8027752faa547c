/* The settings of `compare` are read when a file is loaded: what `compare` would refuse, lint and check refuse with its place. */
#include "base/diag.h"
#include "cli/commands.h"
#include "engine/shipped.h"
#include "scenario/scenario.h"
#include "shell.h"
#include "t.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REST "goroutines: [{name: main, do: [{compute: 10us}]}]\n"

/* Checks all messages of a file, as "LINE:COL: text\n…"; "" if it is good. */
static void check_file(const char *yaml, const char *want)
{
    struct diag d;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    diag_init(&d, t_file("f.yaml", yaml));
    struct scenario *sc = scenario_open(&(struct scenario_from){.path = d.file, .settings = &compare_settings}, &d);
    CHECK((sc == NULL) == (d.count > 0));
    for (int i = 0; i < d.kept; i++)
        fprintf(out, "%u:%u: %s\n", d.item[i].line, d.item[i].col, d.item[i].text);
    fclose(out);
    CHECK_STR(text, want);
    free(text);
    scenario_free(sc);
    diag_fini(&d);
}

static void check_settings(const char *settings, const char *want)
{
    char yaml[400];
    snprintf(yaml, sizeof yaml, "name: t\ncompare: {right: '%s'}\n" REST, settings);
    check_file(yaml, want);
}

TEST(settings_that_a_side_can_have)
{
    check_settings("", "");
    check_settings(" procs=4\tdisable=stealing,wakep  fine ", "");
    check_settings("generation=go1.0 break=g_start max-events=5 limit=3ms history=64K choices=3m1 seed=7 strict audit", "");
}

TEST(each_wrong_word_has_its_place)
{
    check_settings("procs=999999", "2:19: right: procs: expected a whole number from 1 to 1024, got \"999999\"\n");
    check_settings("prcs=3", "2:19: right: unknown setting \"prcs\"; did you mean \"procs\"?\n");
    check_settings("procs=3 dissable=stealing", "2:27: right: unknown setting \"dissable\"; did you mean \"disable\"?\n");
    check_settings("disable=steeling", "2:19: right: disable: unknown \"steeling\"; did you mean \"stealing\"?\n");
    check_settings("--procs=3", "2:19: right: write settings without dashes: \"generation=go1.13\", not \"--procs=3\"\n");
    check_settings("procs", "2:19: right: procs needs a value: procs=N\n");
    check_settings("fine=1", "2:19: right: fine takes no value\n");
    check_settings("headless", "2:19: right: headless applies to both runs; write --headless\n");
    check_settings("xyzzyx", "2:19: right: unknown setting \"xyzzyx\"; compare --help lists the options\n");
    check_file("name: t\ncompare:\n  left: procs=0 limit=x\n  right: mode=fre\n" REST,
               "3:9: left: procs: expected a whole number from 1 to 1024, got \"0\"\n"
               "3:17: left: limit: expected a duration above 0, such as 300us, 1.5ms or 2s, got \"x\"\n"
               "4:10: right: mode: unknown \"fre\"; did you mean \"free\"?\n");
}

TEST(other_mistakes_do_not_hide_them)
{
    check_file("name: t\ncompare: {left: procs=0}\ncolour: red\n" REST,
               "2:17: left: procs: expected a whole number from 1 to 1024, got \"0\"\n3:1: unknown key \"colour\" in scenario\n");
}

TEST(words_that_are_right_alone_but_not_together)
{
    check_settings("fine mode=free", "2:19: right: --fine needs --mode lockstep\n");
    check_settings("mode=free", "2:19: right: expected mode=lockstep: two free runs share no clock\n");
    check_file("name: t\nscheduler: {mode: free}\ncompare: {right: procs=1}\n" REST,
               "3:1: left: expected mode=lockstep: two free runs share no clock\n"
               "3:18: right: expected mode=lockstep: two free runs share no clock\n");
    check_file("name: t\nscheduler: {mode: free}\ncompare: {left: mode=lockstep, right: mode=lockstep procs=1}\n" REST, "");
}

/* What the run lacks: a mechanism, a P, a feature of the scenario, a drawn number, a program. */
TEST(settings_that_do_not_fit_the_scenario)
{
    check_settings("generation=go1.0 disable=stealing", "2:19: right: --disable: go1.0 has no stealing\n");
    check_settings("break=g_strat",
                   "2:19: right: break: \"g_strat\": column 1: there is no event \"g_strat\"; the nearest is \"g_start\"\n");
    check_settings("vary=n=3", "2:19: right: t does not vary \"n\"; it has no \"vary\"\n");
    check_file("name: t\nvary: {n: 1..4}\ncompare: {right: vary=m=3}\n" REST, "3:18: right: t does not vary \"m\"; it varies n\n");
    check_file("name: t\nvary: {n: 1..4}\ncompare: {right: vary=n=3}\n" REST, "");
    check_file(
        "name: t\nscheduler: {generation: go1.20}\ncompare: {right: generation=go1.4}\n"
        "goroutines: [{name: main, do: [{gc: 1ms}]}]\n",
        "3:18: right: go1.4 has no operation \"gc\": concurrent marking came with Go 1.5\n");
}

TEST(commands_refuse_the_file)
{
    static char *const commands[] = {"lint", "check", "run", "lesson", "compare", "explore", "query", "export"};
    char *path = (char *)t_file("f.yaml", "name: t\ncompare: {right: procs=999999}\n" REST);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct result r = i == 6   ? RUN("query", path, "count(steal)")
                          : i == 7 ? RUN("export", path, "--format", "go")
                                   : RUN(commands[i], path);
        CHECK_INT(r.code, 2);
        HAS(r.err, "f.yaml:2:18: right: procs: expected a whole number from 1 to 1024, got \"999999\"\n");
    }
}

TEST(shipped_scenarios_have_right_settings)
{
    struct arena a = {0};
    size_t n, compared = 0;
    const char **name = shipped_all(&a, "scenarios", &n);
    for (size_t i = 0; i < n; i++) {
        struct diag d;
        diag_init(&d, shipped_path(&a, "scenarios", name[i]));
        struct scenario *sc = scenario_open(&(struct scenario_from){.path = d.file, .settings = &compare_settings}, &d);
        diag_print(&d, stderr);
        CHECK(sc != NULL);
        compared += sc && scenario_info(sc)->compare_right;
        scenario_free(sc);
        diag_fini(&d);
    }
    CHECK(compared > 0);
    arena_fini(&a);
}
