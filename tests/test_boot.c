/* What is there when main begins (`boot:` and `module:`): numbers of goroutines, places in the queue, ticks; and what real Go says. */
#include "shell.h"

#include <stdlib.h>
#include <sys/stat.h>

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

/* ---- what real Go says ---- */

/* The path of a Go whose version begins so. Skips the test, naming it, if there is none. */
static const char *real_go(const char *version)
{
    static const char *const places[] = {"/usr/local/go/bin/go", "/usr/lib/go-1.19/bin/go", "go"};
    static char why[80];
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char command[200];
        snprintf(command, sizeof command, "GOTOOLCHAIN=local %s version 2>/dev/null | grep -q 'go%s\\b'", places[i], version);
        if (shell(command)->code == 0)
            return places[i];
    }
    snprintf(why, sizeof why, "no Go %s here", version);
    t_skip(why);
}

/* Builds the program in a module with this go line and runs it. Returns what it writes. */
static const char *real(const char *go, const char *line, const char *program, const char *environment)
{
    char command[1500];
    mkdir(in_tmp("boot"), 0700);
    t_file("boot/main.go", program);
    snprintf(command, sizeof command,
             "cd '%s/boot' && printf 'module boot\n\ngo %s\n' >go.mod && export GOTOOLCHAIN=local GOPROXY=off CGO_ENABLED=0 && "
             "'%s' build -o boot . && { %s timeout 20 ./boot 2>&1; true; }",
             t_tmpdir(), line, go, environment);
    struct result *r = shell(command);
    CHECK_STR(r->err, "");
    CHECK_INT(r->code, 0);
    return r->out;
}

static void says(const char *go, const char *line, const char *imports, const char *use, int number)
{
    char program[500], want[60];
    snprintf(program, sizeof program, "package main\n%s\nfunc main() {\n\t%s\n\tgo func() { panic(\"first\") }()\n\tselect {}\n}\n",
             imports, use);
    snprintf(want, sizeof want, "goroutine %d [running]:", number);
    HAS(real(go, line, program, "GOMAXPROCS=1"), want);
}

#define FMT "import \"fmt\"\n"
#define NET "import \"fmt\"\nimport _ \"net/netip\"\n"

TEST_TIMED(real_go_1_26_gives_the_same_numbers, 300)
{
    const char *go = real_go("1.26");
    says(go, "1.24", "", "", 5);
    says(go, "1.26", "", "", 6);
    says(go, "1.24", FMT, "fmt.Print()", 6);
    says(go, "1.26", FMT, "fmt.Print()", 7);
    says(go, "1.24", NET, "fmt.Print()", 7);
    says(go, "1.26", NET, "fmt.Print()", 8);
}

TEST_TIMED(real_go_1_19_gives_the_numbers_of_go_1_20, 300)
{
    const char *go = real_go("1.19");
    says(go, "1.19", "", "", 5);
    says(go, "1.19", FMT, "fmt.Print()", 6);
}

/* A call of 8 ms, again and again, with an idle P beside it: sysmon leaves the P there for 10 ms, and prints what it sees. */
static const char calls[] =
    "package main\n\nimport \"syscall\"\n\nfunc main() {\n\tfor i := 0; i < 60; i++ {\n"
    "\t\tts := syscall.Timespec{Nsec: 8000000}\n\t\tsyscall.Nanosleep(&ts, nil)\n\t}\n}\n";

TEST_TIMED(real_go_1_26_leaves_the_p_with_its_m_in_a_call, 200)
{
    const char *out = real(real_go("1.26"), "1.26", calls, "GOMAXPROCS=2 GODEBUG=schedtrace=1,scheddetail=1");
    HAS(out, "G1: status=3(");
    HAS(out, ": status=1 ");
    CHECK(!strstr(out, ": status=2 schedtick"));
}

TEST_TIMED(real_go_1_19_leaves_the_p_in_psyscall, 200)
{
    const char *out = real(real_go("1.19"), "1.19", calls, "GOMAXPROCS=2 GODEBUG=schedtrace=1,scheddetail=1");
    HAS(out, "G1: status=3(");
    HAS(out, ": status=2 schedtick");
}
