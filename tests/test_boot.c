/* What is there when main begins (`boot:` and `module:`): numbers of goroutines, places in the queue, ticks. test_real_boot.c asks
 * real Go. */
#include "shell.h"

#include <stdlib.h>

static const char three[] =
    "name: three\ntitle: three\nsummary: three\nscheduler: {gomaxprocs: 1, preempt_slice: 10s}\nwaitgroups: [wg]\ngoroutines:\n"
    "  - {name: main, do: [{add: wg, n: 3}, {go: w, count: 3}, {wait: wg}]}\n"
    "  - {name: w, do: [{print: 'G{goid}'}, {done: wg}]}\n";

static char *file(const char *name, const char *text)
{
    return (char *)t_file(name, text);
}

static struct result run(char *path, char *generation, char *boot, char *module, char *what)
{
    struct result r = RUN("run", path, "--headless", "--generation", generation, "--boot", boot, "--module", module, what);
    CHECK_INT(r.code, 0);
    return r;
}

/* By imports, version and the module's go line. */
static const struct {
    char *generation, *boot, *module;
    int first;
} numbers[] = {
    {"go1.20", "print", "go1.20", 5}, {"go1.20", "fmt", "go1.20", 6},   {"go1.20", "net", "go1.20", 6},   {"go1.22", "net", "go1.22", 6},
    {"go1.23", "net", "go1.23", 7},   {"go1.25", "print", "go1.24", 5}, {"go1.25", "print", "go1.25", 6}, {"go1.26", "print", "go1.24", 5},
    {"go1.26", "print", "go1.26", 6}, {"go1.26", "fmt", "go1.24", 6},   {"go1.26", "fmt", "go1.26", 7},   {"go1.26", "net", "go1.24", 7},
    {"go1.26", "net", "go1.26", 8},   {"go1.26", "bare", "go1.26", 2}};

TEST(the_first_goroutine_has_the_number_that_go_gives_it)
{
    char want[60], *path = file("three.yaml", three);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int n = numbers[i].first;
        snprintf(want, sizeof want, "G%d\nG%d\nG%d\n", n + 2, n, n + 1); /* the last one first, from runnext */
        CHECK_STR(run(path, numbers[i].generation, numbers[i].boot, numbers[i].module, "--audit").out, want);
    }
}

/* A ring of 256 and runnext: 257 Gs fit, or fewer if Gs of the runtime are there already. */
TEST(of_257_places_some_are_taken)
{
    static const struct {
        char *generation, *boot;
        int fit;
    } of[] = {{"go1.20", "bare", 257},  {"go1.20", "print", 257}, {"go1.20", "fmt", 256},
              {"go1.26", "print", 256}, {"go1.26", "fmt", 255},   {"go1.26", "net", 254}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int more = 0; more <= 1; more++) {
            char text[400];
            snprintf(
                text, sizeof text,
                "name: many\ntitle: many\nsummary: many\nscheduler: {gomaxprocs: 1, preempt_slice: 10s}\nwaitgroups: [wg]\ngoroutines:\n"
                "  - {name: main, do: [{add: wg, n: %d}, {go: w, count: %d}, {wait: wg}]}\n  - {name: w, do: [{done: wg}]}\n",
                of[i].fit + more, of[i].fit + more);
            struct result r = run(file("many.yaml", text), of[i].generation, of[i].boot, "go1.27", "--events");
            CHECK_INT(strstr(r.out, "runq_overflow") != NULL, more);
        }
}

TEST(main_begins_at_its_tick_after_the_collectors_gs)
{
    char *path = file("three.yaml", three);
    static char *const boots[] = {"bare", "print", "fmt", "net"};
    for (size_t i = 0; i < sizeof boots / sizeof *boots; i++) {
        struct result r = run(path, "go1.26", boots[i], "go1.26", "--events");
        const char *first = strstr(r.out, "fn=w");
        CHECK(first);
        HAS(first, "stage=local tick=4 "); /* the next round of main's P */
        const char *sweep = strstr(r.out, "reason=gc_sweep_wait"), *updater = strstr(r.out, "reason=update_gomaxprocs_idle");
        CHECK_INT(sweep && sweep<first, i> 0);
        CHECK_INT(updater && updater > first, i > 0);
    }
}

TEST(gs_of_the_runtime_wait_for_ever_and_do_not_count)
{
    char *path = file("dead.yaml",
                      "name: dead\ntitle: dead\nsummary: dead\nscheduler: {gomaxprocs: 2, generation: go1.26, boot: net}\nchannels: [c]\n"
                      "goroutines:\n  - {name: main, do: [{go: w}, {recv: c}]}\n  - {name: w, do: [{recv: c}]}\n"
                      "expect: [{ends: deadlock}]\n");
    struct result r = RUN("run", path, "--headless", "--audit");
    CHECK_INT(r.code, 0);
    r = RUN("run", path, "--headless", "--events");
    HAS(r.out, "deadlock");
    HAS(r.out, "program_end how=deadlock");
    r = RUN("explore", path, "--seeds=60", "--audit");
    HAS(r.out, ": 0 failed");
    r = RUN("run", path, "--headless", "--narrate");
    HAS(r.out, "G1 starts Gs6 (cleanup).");
    HAS(r.out, "waits for a cleanup to run.");
    r = RUN("run", path, "--headless", "--generation=go1.13");
    CHECK_INT(r.code, 2);
    HAS(r.err, "go1.13 begins with main alone");
    r = RUN("run", "steal-half", "--headless", "--generation=go1.13", "--boot=fmt");
    CHECK_INT(r.code, 2);
    HAS(r.err, "--boot: go1.13 begins with main alone");
    r = RUN("lint", file("bad.yaml", "name: bad\nscheduler: {boot: os}\ngoroutines: [{name: main, do: []}]\n"));
    CHECK_INT(r.code, 2);
}

/* A recording, a comparison and a failure's command keep what main begins with. */
TEST(boot_is_part_of_the_run)
{
    char *path = strdup(file("three.yaml", three)), *record = strdup(in_tmp("boot.run"));
    struct result r = RUN("run", path, "--headless", "--generation=go1.26", "--boot=fmt", "--module=go1.24", "--record", record);
    CHECK_STR(r.out, "G8\nG6\nG7\n");
    r = RUN("replay", record, "--headless", "--events");
    HAS(r.out, "go_create g=6 by=1 fn=w i=0");
    r = RUN("compare", path, "--left=generation=go1.26 boot=fmt", "--right=generation=go1.26", "--headless", "--first");
    HAS(r.out, "Outcome: both: main returned; their outputs differ.");
    r = RUN("compare", path, "--left=generation=go1.26 boot=fmt", "--right=generation=go1.26", "--headless");
    HAS(r.out,
        "\n* boot                                      fmt                     bare\n  module                                 go1.26                   go1.26\n");
    free(path);
    free(record);
    path =
        file("wrong.yaml", "name: wrong\nscheduler: {generation: go1.26}\nchannels: [ch]\ngoroutines: [{name: main, do: [{recv: ch}]}]\n");
    r = RUN("explore", path, "--boot=net", "--module=go1.20", "--seeds=3");
    HAS(r.out, " --boot net --module go1.20");
}

/* The M that takes a last look at the global queue takes a batch, and begins to spin with Gs in its ring. */
TEST(a_last_look_takes_a_batch)
{
    struct result r = RUN("run", "ring-before-main", "--headless", "--procs=4", "--disable=stealing", "--audit", "--break",
                          "globq_get why=last_look n=2");
    CHECK_INT(r.code, 0);
    CHECK(!strstr(r.err, "never matched"));
    r = RUN("run", "ring-before-main", "--headless", "--procs=4", "--disable=stealing", "--audit");
    CHECK_INT(r.code, 0);
}

/* Claims, questions and texts are about a scenario's own boot, module and rules, wherever the options make a difference. */
static const struct {
    char *name, *generation, *option, *value;
    bool other;
} changed[] = {
    {"overflow", "go1.20", "--boot", "fmt", true},
    {"overflow", "go1.26", "--boot", "bare", false},
    {"first-spawn", "go1.20", "--boot", "fmt", true},
    {"steal-half", "go1.20", "--boot", "print", true},
    {"ring-before-main", "go1.26", "--boot", "net", true},
    {"ring-before-main", "go1.26", "--boot", "fmt", false},
    {"ring-before-main", "go1.26", "--module", "go1.21", true},
    {"ring-before-main", "go1.26", "--module", "go1.25", false},
    {"timer-stale", "go1.26", "--module", "go1.22", true},
    {"timer-stale", "go1.26", "--module", "go1.23", false},
    {"timer-stale", "go1.22", "--module", "go1.21", false},
    {"yield-wakes", "go1.20", "--enable", "yield_wakes", true},
};

TEST(other_settings_are_not_judged_as_the_own_ones)
{
    static const char own[] = "assume the scenario's own settings";
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        char *name = changed[i].name, *gen = changed[i].generation, *option = changed[i].option, *value = changed[i].value;
        struct result r = RUN("run", name, "--headless", "--generation", gen, option, value);
        CHECK_INT(r.code, 0);
        r = RUN("explore", name, "--seeds", "2", "--generation", gen, option, value);
        CHECK_INT(r.code, 0);
        CHECK_INT(strstr(r.out, own) != NULL, changed[i].other);
        r = RUN("check", name, "--generation", gen, option, value);
        CHECK_INT(r.code, 0);
        CHECK_INT(strstr(r.out, own) != NULL, changed[i].other);
    }
    CHECK_INT(RUN("run", "first-spawn", "--headless", "--boot", "fmt", "--strict").code, 1);
}

/* GODEBUG=asynctimerchan=1, which Go sets for such a module up to 1.26. */
TEST(an_old_module_has_timer_channels_of_the_old_kind)
{
    static const struct {
        char *generation, *module, *first;
    } of[] = {{"go1.22", "go1.21", "Stop returns 0\n"}, {"go1.23", "go1.22", "Stop returns 0\n"}, {"go1.26", "go1.21", "Stop returns 0\n"},
              {"go1.26", "go1.23", "Stop returns 1\n"}, {"go1.27", "go1.21", "Stop returns 1\n"}, {"go1.26", "go1.27", "Stop returns 1\n"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct result r = RUN("run", "timer-stale", "--headless", "--generation", of[i].generation, "--module", of[i].module);
        CHECK_INT(r.code, 0);
        CHECK_INT(strncmp(r.out, of[i].first, strlen(of[i].first)), 0);
    }
    struct result r =
        RUN("run", "timer-stale", "--headless", "--generation", "go1.26", "--module", "go1.21", "--enable", "sync_timer_channels");
    HAS(r.out, "Stop returns 1\n");
    r = RUN("compare", "timer-stale", "--generation", "go1.26", "--right", "module=go1.21", "--headless");
    HAS(r.out, "* module                                 go1.26                   go1.21\n");
    HAS(r.out, "* sync_timer_channels                        on                      off\n");
}

TEST(what_differs_has_a_name)
{
    struct result r = RUN("compare", "steal-half", "--right", "boot=fmt", "--first", "--headless");
    HAS(r.out, "runnext G1, 0 Gs in the ring. (find_stage stage=local tick=4 len=0 runnext=1)\n");
    HAS(r.out, "; boot is bare on the left and fmt on the right.\n");
    static const struct {
        char *generation, *option, *value, *says;
    } of[] = {{"go1.20", "--disable", "yield_wakes", "--disable: yield_wakes is a rule since go1.22; this run is go1.20\n"},
              {"go1.25", "--disable", "gc_assigns", "--disable: gc_assigns is a rule since go1.26; this run is go1.25\n"},
              {"go1.13", "--enable", "yield_wakes", "--enable: rules can be enabled from go1.20 on; this run is go1.13\n"},
              {"go1.0", "--disable", "stealing", "--disable: go1.0 has no stealing\n"},
              {"go1.26", "--module", "go1.19", "--module: unknown \"go1.19\": go1.20 stands for Go 1.14 to 1.20\n"},
              {"1.14", "--module", "1.21", "--generation: unknown \"1.14\": go1.20 stands for Go 1.14 to 1.20\n"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        r = RUN("run", "steal-half", "--headless", "--generation", of[i].generation, of[i].option, of[i].value);
        CHECK_INT(r.code, 2);
        HAS(r.err, of[i].says);
    }
    CHECK_INT(RUN("run", "steal-half", "--headless", "--generation", "1.26", "--module", "1.26").code, 0);
    HAS(RUN("explore", "steal-half", "--seeds", "2", "--tally", "count(steal)", "--by-rule").out,
        "go1.20 has none of these rules; add --generation go1.26\n");
    r = RUN("explore", "steal-half", "--seeds", "2", "--tally", "count(steal)", "--by-rule", "--lang", "zh", "--generation", "go1.26");
    HAS(r.out, "没有 yield_wakes");
    CHECK(!strstr(r.out, "without"));
}
