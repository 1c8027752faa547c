/* Whatever the texts and the names of a scenario are, its export is Go that compiles, that gofmt leaves as it is, and about which vet says nothing.
 * Skipped without Go. */
#include "base/diag.h"
#include "scenario/scenario.h"
#include "shell.h"

#include <sys/stat.h>

/* Names that mean something to Go, to the helpers of an export or to its functions, and names that differ only where Go's do not. */
static const char *const names[] = {
    "break",       "case",      "chan",       "const",      "func",       "go",         "goto",
    "import",      "interface", "map",        "package",    "range",      "return",     "select",
    "struct",      "type",      "var",        "any",        "append",     "bool",       "byte",
    "cap",         "close",     "delete",     "error",      "false",      "init",       "int64",
    "iota",        "len",       "make",       "max",        "min",        "new",        "nil",
    "panic",       "print",     "recover",    "string",     "true",       "uintptr",    "_",
    "__",          "atomic",    "debug",      "os",         "runtime",    "strconv",    "sync",
    "syscall",     "time",      "unsafe",     "b2i",        "compute",    "goid",       "mapOutput",
    "newGoid",     "lastGoid",  "openOutput", "output",     "outputEnd",  "outputSize", "nanotime",
    "newPair",     "number",    "part",       "printLine",  "readBytes",  "runAgain",   "runtimeTimer",
    "sendAfter",   "sendTime",  "settings",   "showOutput", "startTimer", "text",       "writeBytes",
    "zero",        "n",         "end",        "a",          "name",       "err",        "fd",
    "path",        "2nd",       "0",          "-1",         "a-b",        "a_b",        "aB",
    "-a",          "a-",        "X",          "x",          "C",          "test",       "systemCall",
    "computeTight"};

/* In YAML's double quotes. Some are conditions, directives or markup for Go where they are in a comment, some end a comment or a string. */
static const char *const texts[] = {
    "*/ /* x",
    "//go:build ignore",
    "+build ignore",
    "x\\n\\n+build ignore\\n\\ny",
    "go:embed x",
    "line x.go:1",
    "a\\nb\\rc\\td",
    "\\uFEFF",
    "x\\uFEFFy",
    "`\\\"\\\\",
    "\\\\x \\\\u12 \\\\",
    "%d %s %n %",
    "{{}} {{",
    "# heading",
    "- a\\n- b",
    "    a\\n\\tb",
    "[x]: http://x",
    "package main",
    " ",
    "\\0x",
    "\\x01\\x7F\\x85\\u2028\\u202E",
    "  x  ",
    "1. a\\n2. b",
    "\\u200D\\u200B",
    "\\U000E0001\\U0010FFFF",
    "\\u00A0\\u3000",
    "import \\\"C\\\"",
    "\\uFFFE\\uFFFF",
    "a\\n\\n\\nb",
    "* a\\n+ b",
    "\\\"",
    "x\\u3000",
    "Deprecated: x",
    "\\n",
    "\xef\xbb\xbfx",
    "export f",
    "Output:\\nx",
    "'''",
    "中文 👩\\u200D💻",
    "x\\u2029y\\u0000"};

static int packages;

/* Exports it as a package of the module. Returns whether it is a scenario at all; NUL is none in a text. */
static bool export_package(const char *yaml)
{
    struct diag d;
    char folder[600], path[700];
    diag_init(&d, t_file("s.yaml", yaml));
    struct scenario *sc = scenario_load(d.file, &d);
    if (sc) {
        snprintf(folder, sizeof folder, "%s/m/p%d", t_tmpdir(), packages++);
        CHECK(mkdir(folder, 0700) == 0);
        snprintf(path, sizeof path, "%s/main.go", folder);
        FILE *f = fopen(path, "w");
        if (!f || !scenario_go_source(sc, scenario_info(sc)->generation, 0, f, &d) || fclose(f)) {
            diag_print(&d, stderr);
            t_fail(__FILE__, __LINE__, "refused:\n%s", yaml);
        }
    }
    bool good = sc;
    scenario_free(sc);
    diag_fini(&d);
    return good;
}

static void begin(void)
{
    if (T_SANITIZED)
        t_skip("what is written does not depend on the sanitizer");
    if (shell("command -v go && command -v gofmt")->code)
        t_skip("no Go here");
    CHECK(mkdir(in_tmp("m"), 0700) == 0);
    t_file("m/go.mod", "module m\n\ngo 1.19\n");
}

static void vet(void)
{
    char command[1000];
    CHECK(packages > 0);
    snprintf(
        command, sizeof command,
        "cd '%s/m'; export GOFLAGS=-mod=mod GOPROXY=off GOCACHE='%s/cache' GOPATH='%s/path' GO111MODULE=on CGO_ENABLED=0 GOTOOLCHAIN=local; "
        "gofmt -l . 2>&1; go vet ./... 2>&1 || head -5 \"$(ls -d p* | head -1)\"/main.go",
        t_tmpdir(), t_tmpdir(), t_tmpdir());
    struct result *r = shell(command);
    CHECK_STR(r->out, "");
}

/* Each name in all places at once, where it may be. */
static void export_names(void)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char yaml[3000];
        const char *n = names[i], *v = strchr("0123456789-", *n) || strchr(n, '-') || !strcmp(n, "goid") ? "v" : n;
        snprintf(
            yaml, sizeof yaml,
            "name: t\nchannels: [\"%1$s\", \"%1$s-x\"]\nmutexes: [\"%1$s\"]\nrwmutexes: [\"%1$s\"]\nwaitgroups: [\"%1$s\"]\n"
            "conds: [{name: \"%1$s\", mutex: \"%1$s\"}]\nconns: [{name: \"%1$s\"}]\nshared: [%2$sS]\ngoroutines:\n  - name: main\n    do:\n"
            "      - {go: \"%1$s\", args: [1]}\n      - {recv: \"%1$s\", as: \"%2$s\"}\n      - lock: \"%1$s\"\n      - unlock: \"%1$s\"\n"
            "      - rlock: \"%1$s\"\n      - runlock: \"%1$s\"\n      - add: \"%1$s\"\n      - done: \"%1$s\"\n      - wait: \"%1$s\"\n"
            "      - {loop: 3, as: \"%2$s\", do: [{print: \"{%2$s} {goid}\"}]}\n      - {set: %2$sS, to: \"%2$s\"}\n      - compute: 1us\n"
            "      - {compute: 1us, tight: true}\n      - syscall: 1us\n      - {timer: \"%1$s\", after: 1us}\n"
            "      - {write: \"%1$s.a\", bytes: 1}\n      - read: \"%1$s.b\"\n      - {loop: 2, do: [{yield: 1}]}\n"
            "      - print: \"{%2$s / 2} {2 > 1} {%2$s / %2$sS}\"\n"
            "  - name: \"%1$s\"\n    params: [\"%2$s\"]\n    do:\n      - {send: \"%1$s\", value: \"%2$s\"}\n      - print: \"{%2$s} {i}\"\n"
            "      - select: [{send: \"%1$s\", value: 1}, {recv: \"%1$s\", as: \"%2$s\", do: [{print: \"{%2$s}\"}]}]\n",
            n, v);
        if (!export_package(yaml))
            t_fail(__FILE__, __LINE__, "no scenario:\n%s", yaml);
    }
}

static void export_texts(void)
{
    size_t refused = 0, n = sizeof texts / sizeof *texts;
    for (size_t i = 0; i < n; i++) {
        char yaml[2000];
        snprintf(yaml, sizeof yaml,
                 "name: t\ntitle: \"%1$s\"\nsummary: \"%1$s\"\nscheduler: {seed: 3, mode: lockstep, preempt_slice: 1ms, randomize: true}\n"
                 "channels: [c]\ngoroutines:\n  - name: main\n    do: [{panic: \"%1$s\"}]\n",
                 texts[i]);
        refused += !export_package(yaml);
        snprintf(yaml, sizeof yaml,
                 "name: t\nsummary: {en: \"x\\n%1$s\", zh: \"%1$s\"}\ngoroutines:\n  - name: main\n    do: [{print: \"%2$s%1$s\"}]\n",
                 texts[i], strchr(texts[i], '{') ? "" : "a");
        refused += !export_package(yaml);
    }
    CHECK(refused <= 8); /* with NUL, with a byte order mark or with a single brace */
}

/* One module: the packages that all import are compiled once. */
TEST(any_names_and_texts)
{
    begin();
    export_names();
    export_texts();
    vet();
}
