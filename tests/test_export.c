/* A scenario as Go source: what is written and what is refused. tests/conformance checks that real Go accepts it and
 * behaves the same. */
#include "scenario/scenario.h"
#include "t.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Go refuses a program that imports a package without using it, or uses one without importing it. */
static void check_imports(const char *text)
{
    static const char *const packages[] = {"os", "runtime", "runtime/debug", "strconv", "sync", "sync/atomic", "syscall", "time", "unsafe"};
    const char *code = strstr(text, "\n)\n");
    CHECK(code && strstr(text, "import (\n") && strstr(text, "import (\n") < code);
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
        char import[40], use[40];
        const char *slash = strrchr(packages[i], '/'), *at = code;
        snprintf(import, sizeof import, "\n\t\"%s\"\n", packages[i]);
        snprintf(use, sizeof use, "%s.", slash ? slash + 1 : packages[i]);
        const char *line = strstr(text, import);
        bool imported = line && line < code, used = false;
        while (!used && (at = strstr(at + 1, use))) { /* no comment, no text, no end of a longer word */
            unsigned quotes = 0;
            bool comment = false;
            for (const char *c = at - 1; *c != '\n'; c--) {
                quotes += *c == '"';
                comment |= *c == '/' && c[1] == '/';
            }
            used = strchr(" \t(*&]!,[-+", at[-1]) && !comment && quotes % 2 == 0;
        }
        if (imported != used)
            t_fail(__FILE__, __LINE__, "%s is %s and %s:\n%s", packages[i], imported ? "imported" : "not imported",
                   used ? "used" : "not used", text);
    }
}

/* Returns the Go program up to its helpers, or the diagnostics. */
static char *exported(const char *yaml, bool *good)
{
    struct diag d;
    const char *path = t_file("s.yaml", yaml);
    char *text = NULL, *told = NULL;
    size_t size = 0;
    diag_init(&d, path);
    struct scenario *sc = scenario_load(path, &d);
    FILE *f = open_memstream(sc ? &text : &told, &size);
    CHECK(f);
    *good = sc && scenario_go_source(sc, scenario_info(sc)->generation, 0, f, &d);
    if (!*good && sc) {
        fclose(f);
        CHECK_STR(text, ""); /* refused: nothing is written */
        free(text);
        text = NULL;
        f = open_memstream(&told, &size);
    }
    if (!*good)
        diag_print(&d, f);
    fclose(f);
    if (*good)
        check_imports(text);
    scenario_free(sc);
    diag_fini(&d);
    return *good ? text : told;
}

static void wants(const char *yaml, const char *const *parts)
{
    bool good;
    char *text = exported(yaml, &good);
    if (!good)
        t_fail(__FILE__, __LINE__, "refused: %s", text);
    for (; *parts; parts++)
        if (!strstr(text, *parts))
            t_fail(__FILE__, __LINE__, "no \"%s\" in:\n%s", *parts, text);
    free(text);
}
#define WANTS(yaml, ...) wants(yaml, (const char *const[]){__VA_ARGS__, NULL})

static void refuses(const char *yaml, const char *why)
{
    bool good;
    char *text = exported(yaml, &good);
    if (good || !strstr(text, why))
        t_fail(__FILE__, __LINE__, "wanted \"%s\", got:\n%s", why, text);
    free(text);
}

#define HEAD \
    "name: s\nscheduler: {gomaxprocs: 1}\nchannels: [c, {name: d, buffer: 3}]\nmutexes: [mu]\nrwmutexes: [rw]\n" \
    "waitgroups: [wg]\nconds: [{name: cv, mutex: mu}]\nshared: [total]\ngoroutines:\n"

TEST(declarations_and_primitives)
{
    WANTS(HEAD "  - name: main\n    do: [{lock: mu}, {cond_wait: cv}, {rlock: rw}, {wunlock: rw}, {add: wg, n: total + 1}, {done: wg}]\n",
          "var c = make(chan int64)\n", "var d = make(chan int64, 3)\n", "var rw sync.RWMutex\n", "var cv = sync.NewCond(&mu)\n",
          "var total int64\n", "\tmu.Lock()\n\tcv.Wait()\n\trw.RLock()\n\trw.Unlock()\n\twg.Add(int(total + 1))\n\twg.Done()\n");
}

#define TIMER \
    "scheduler: {gomaxprocs: 1, generation: %s}\nchannels: [{name: c, buffer: 1}]\ngoroutines:\n  - name: main\n    do: [{timer: c, after: 1ms}, {recv: c}]\n"

/* A newer Go builds the program as the generation's own does; the runtime's timers have another type since 1.23. */
TEST(the_generation_s_go)
{
    static const struct {
        const char *generation, *has[4], *lacks;
    } rows[] = {
        {"go1.20", {"Go 1.14 to 1.22", "startTimer"}, "//go:build"},
        {"go1.22", {"Go 1.22 to 1.22", "\n//go:build go1.22\n", "startTimer"}, "//go:debug"},
        {"go1.23", {"Go 1.23 and newer", "\n//go:debug default=go1.23\n", "newTimer(when"}, "updatemaxprocs"},
        {"go1.26", {"Go 1.26 and newer", "\n//go:build go1.26\n", "\n//go:debug updatemaxprocs=0\n", "newTimer(when"}, "startTimer"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char yaml[500];
        bool good;
        snprintf(yaml, sizeof yaml, "name: s\n" TIMER, rows[i].generation);
        char *text = exported(yaml, &good);
        CHECK(good);
        for (const char *const *has = rows[i].has; has < rows[i].has + 4 && *has; has++)
            CHECK(strstr(text, *has));
        CHECK(!strstr(text, rows[i].lacks));
        free(text);
    }
}

TEST(what_a_program_begins_with_is_not_carried_over)
{
    WANTS("name: s\nscheduler: {gomaxprocs: 1, generation: go1.26, boot: fmt}\ngoroutines:\n  - name: main\n    do: []\n",
          "//   - boot fmt: this program begins with main alone", "//go:debug updatemaxprocs=0");
}

TEST(names_that_go_keeps_for_itself)
{
    WANTS(
        "name: s\nchannels: [func, b-c]\nmutexes: [b_c]\ngoroutines:\n  - name: main\n    do: [{go: c, args: [2]}]\n"
        "  - name: c\n    params: [len]\n    do: [{send: func, value: len}, {recv: b-c, as: bC}, {print: \"{bC}\"}]\n",
        "var funcChan = make(", "var bC = make(", "var bCMutex sync.Mutex", "func c(lenVar int64) {", "\tvar bCVar int64\n",
        "\tfuncChan <- lenVar\n\tbCVar = <-bC\n");
}

/* Go's compiler refuses a variable that is never read. */
TEST(unread_variables_are_left_out)
{
    WANTS(HEAD "  - name: main\n    do: [{recv: c, as: v}, {set: x, to: 1 + 2}, {range: c, as: w}, {loop: 2, as: k, do: [{yield: 1}]}]\n",
          "openOutput()\n\t<-c\n\t_ = 1 + 2\n\tfor range c {\n\t}\n\tfor n := int64(0); n < 2; n++ {\n\t\truntime.Gosched()\n");
}

TEST(a_loop_declares_its_own_variable)
{
    WANTS(HEAD "  - name: main\n    do: [{loop: 2, as: k, do: [{print: \"{k}\"}]}, {loop: 3, as: j, do: []}, {print: \"{j}\"}]\n",
          "\tvar j int64\n\tfor k := int64(0); k < 2; k++ {\n\t\tprintLine(number(k))\n",
          "\tfor n := int64(0); n < 3; n++ {\n\t\tj = n\n\t}\n");
}

/* Go's vet refuses code that control never reaches. */
TEST(unreachable_code_is_left_out)
{
    bool good;
    char *text = exported(HEAD
                          "  - name: main\n    do: [{if: total, then: [{panic: a}], else: [{loop: forever, do: [{yield: 1}]}]},"
                          " {print: unreachable}]\n",
                          &good);
    CHECK(good);
    CHECK(!strstr(text, "unreachable"));
    free(text);
}

TEST(conditions_and_integers)
{
    WANTS(HEAD
          "  - name: main\n    do: [{set: total, to: (total > 2) + 9223372036854775807 + 1}, {set: total, to: 1 / (2 - 2)},"
          " {set: total, to: total}, {if: \"!total\", then: [{set: total, to: -total * 2 - 1}]}]\n",
          "\ttotal = b2i(total > 2) + 9223372036854775807 + 1\n\ttotal = 1 / zero\n\ttotal = +total\n\tif total == 0 {\n"
          "\t\ttotal = -total*2 - 1\n");
}

TEST(numbers_of_gs)
{
    WANTS(HEAD
          "  - name: main\n    do: [{go: w, count: 3}, {after: 1500us, go: w}, {print: \"{goid}\"}]\n"
          "  - name: w\n    do: [{print: \"{goid} {i} {p}\"}]\n",
          "go w(newGoid(), n)\n", "time.AfterFunc(1500*time.Microsecond, func() { w(newGoid(), 0) })\n", "func w(goid, i int64) {",
          "\tgoid := int64(1)\n", "printLine(number(goid), text(\" \"), number(i), text(\" \"), number(0))");
}

/* A print and the evaluation of its values must not be preemption points: Go preempts at the stack check, which
 * go:nosplit omits. text() and number() make values of a type of ours; as interface values, numbers would be
 * allocated, and allocation preempts, too. */
TEST(printing_checks_no_stack)
{
    static const char *const functions[] = {"text(", "number(", "(p *part) size(", "(p *part) write(", "printLine(", "b2i("};
    bool good;
    char *text = exported(HEAD "  - name: main\n    do: [{print: \"a {total > 1} {3}\"}]\n", &good), func[80];
    CHECK(good);
    CHECK(strstr(text, "\tprintLine(text(\"a \"), number(b2i(total > 1)), text(\" \"), number(3))\n"));
    CHECK(strstr(text, "\nfunc printLine(parts ...part) {\n"));
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        snprintf(func, sizeof func, "\n//go:nosplit\nfunc %s", functions[i]);
        if (!strstr(text, func))
            t_fail(__FILE__, __LINE__, "no \"%s\" in:\n%s", func, text);
    }
    free(text);
}

/* A brace that is not doubled stands for itself, at the end of the text too. */
TEST(a_single_closing_brace_is_text)
{
    WANTS("name: s\ngoroutines:\n  - name: main\n    do: [{print: \"a } b {{x}} c}\"}]\n", "printLine(text(\"a } b {x} c}\"))");
}

TEST(start_tick)
{
    WANTS("name: s\nscheduler: {start_tick: 60}\ngoroutines:\n  - {name: main, do: []}\n", "for n := 0; n < 56; n++ {");
    WANTS("name: s\nscheduler: {start_tick: 3}\ngoroutines:\n  - {name: main, do: []}\n", "for n := 0; n < 60; n++ {");
}

static void lacks(const char *yaml, const char *part)
{
    bool good;
    char *text = exported(yaml, &good);
    if (!good || strstr(text, part))
        t_fail(__FILE__, __LINE__, "\"%s\" in:\n%s", part, text);
    free(text);
}

#define ASYNC_OFF "{\"GODEBUG\", \"asyncpreemptoff=1\"}"
#define TIGHT(settings) "name: s\nscheduler: {" settings "}\ngoroutines:\n  - {name: main, do: [{compute: 20ms, tight: true}]}\n"

/* Only a signal can preempt a tight loop, so a scenario with such a loop keeps signals on, unless it turns them off. */
TEST(async_preempt_is_carried_over)
{
    WANTS(TIGHT("async_preempt: false"), ASYNC_OFF, "// asyncpreemptoff is the scenario's async_preempt: false.");
    lacks(TIGHT("async_preempt: true"), "asyncpreemptoff");
    lacks(TIGHT("gomaxprocs: 2"), "asyncpreemptoff");
    WANTS("name: s\ngoroutines:\n  - {name: main, do: [{compute: 20ms}]}\n", ASYNC_OFF);
}

/* Each setting of `scheduler:` is in the program, refused, or named as not carried over. */
TEST(every_setting_of_the_scheduler_is_accounted_for)
{
    WANTS("name: s\nscheduler: {gomaxprocs: 3, max_threads: 7, start_tick: 5, generation: go1.20}\ngoroutines: [{name: main, do: []}]\n",
          "{\"GOMAXPROCS\", \"3\"}", "\t\"runtime/debug\"\n", "\tdebug.SetMaxThreads(7)\n", "for n := 0; n < 1; n++ {");
    WANTS("name: s\nscheduler: {mode: free, seed: 9, preempt_slice: 5ms, randomize: true}\ngoroutines: [{name: main, do: []}]\n",
          "\n// Settings of the scenario that are not carried over:\n//   - mode free: ", "\n//   - seed 9: ",
          "\n//   - preempt_slice 5ms: ", "\n//   - randomize: ");
    WANTS("name: s\nscheduler: {without: [{disable: [runnext], fails: [1]}]}\nexpect: [{prints: []}]\ngoroutines: [{name: main, do: []}]\n",
          "\n//   - without: ");
    lacks("name: s\nscheduler: {gomaxprocs: 1, preempt_slice: 10ms}\ngoroutines: [{name: main, do: []}]\n", "not carried over");
    lacks("name: s\nscheduler: {gomaxprocs: 1, max_threads: 10000}\ngoroutines: [{name: main, do: []}]\n", "debug");
}

/* One setting after the other: what a setting needs, it imports by itself. */
TEST(each_setting_alone_makes_a_whole_program)
{
    static const char *const settings[] = {
        "gomaxprocs: 1",
        "gomaxprocs: 4",
        "max_threads: 50",
        "start_tick: 7",
        "start_tick: 0",
        "seed: 5",
        "mode: free",
        "generation: go1.20",
        "async_preempt: false",
        "async_preempt: true",
        "preempt_slice: 3ms",
        "randomize: true",
        "without: [{disable: [runnext], fails: [1]}]"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (int prints = 0; prints < 2; prints++) {
            char yaml[300];
            bool good;
            snprintf(yaml, sizeof yaml, "name: s\nscheduler: {%s}\nexpect: [{ends: main_returned}]\ngoroutines: [{name: main, do: [%s]}]\n",
                     settings[i], prints ? "{print: x}" : "");
            char *text = exported(yaml, &good); /* checks the imports */
            if (!good)
                t_fail(__FILE__, __LINE__, "%s: %s", settings[i], text);
            free(text);
        }
}

/* Package os leaves a goroutine in runnext. Programs that import it begin with a yield, which lets that goroutine
 * run. */
TEST(conns_are_files)
{
    WANTS(
        "name: s\nscheduler: {start_tick: 4}\nconns: [c, {name: many, count: 2}]\ngoroutines:\n"
        "  - {name: main, do: [{write: c.a, bytes: 2}, {read: \"many[i + 1].b\"}]}\n",
        "\nimport (\n\t\"os\"\n", "var c [2]*os.File\nvar many [][2]*os.File\n",
        "\tc = newPair()\n\tfor n := 0; n < 2; n++ {\n\t\tmany = append(", "for n := 0; n < 61; n++ {",
        "\twriteBytes(c[0], 2)\n\treadBytes(many[i+1][1], 1)\n");
    refuses("name: s\nconns: [{name: many, count: 2}]\ngoroutines:\n  - {name: main, do: [{read: \"many[-1].a\"}]}\n", "the index -1");
    lacks("name: s\ngoroutines: [{name: main, do: []}]\n", "\"os\"");
}

/* The runtime's own timer sends on the scenario's channel; Go 1.22 is the last version with this layout. */
TEST(timers_and_tickers)
{
    WANTS(HEAD "  - name: main\n    do: [{timer: c, after: 1500us}, {ticker: d, every: 2ms}, {recv: d}]\n", "for Go 1.14 to 1.22, on Linux",
          "\tsendAfter(c, 1500*time.Microsecond, 0)\n\tsendAfter(d, 2*time.Millisecond, 2*time.Millisecond)\n\t<-d\n", "time.startTimer\n");
    WANTS(HEAD "  - name: main\n    do: [{sleep: 1ms}]\n", "for Go 1.14 and newer, on Linux");
}

TEST(features_that_go_lacks_are_refused_by_name)
{
    refuses("name: s\nscheduler:\n  runq_size: 8\ngoroutines: [{name: main, do: []}]\n",
            "s.yaml:3:3: \"runq_size: 8\" has no Go equivalent");
    refuses("name: s\nscheduler:\n  disable: [wakep]\ngoroutines: [{name: main, do: []}]\n", ":3:3: \"disable\" has no Go equivalent");
    refuses("name: s\nscheduler: {generation: go1.4}\ngoroutines: [{name: main, do: []}]\n",
            "generation \"go1.4\": its scheduler is no longer in Go");
    refuses("name: s\ngoroutines:\n  - name: main\n    do:\n      - syscall: 1ms\n        blocking: true\n",
            ":5:9: \"syscall\" with \"blocking: true\"");
    refuses("name: s\ngoroutines:\n  - name: main\n    do:\n      - {cgo: 1ms}\n", ":5:10: operation \"cgo\" has no Go equivalent");
    refuses("name: s\ngoroutines:\n  - name: main\n    do:\n      - {print: \"{m}\"}\n", "cannot know its M's number");
    refuses("name: s\ngoroutines:\n  - name: main\n    do:\n      - {print: \"{p}\"}\n", "cannot know its P's number");
}
