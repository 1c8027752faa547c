/* Where Go programs come from: the Go that reads them, the cache, the files and folders, what is written where, the exit codes. What a program means is held
 * against real Go by tests/go. Most tests need no Go: a script plays its part. */
#include "shell.h"
#include <sys/stat.h>

static const char hello[] = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"hello\") }\n";

/* Makes a script that is the only Go. */
static void go_is(const char *script)
{
    char text[2000];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
    const char *path = t_file("go", text);
    CHECK_INT(chmod(path, 0755), 0);
    setenv("GMPSCOPE_GO", path, 1);
}

/* A Go whose front end is a script, too; it is in the cache of the test. */
static void front_end_is(const char *script)
{
    char text[2000];
    setenv("XDG_CACHE_HOME", in_tmp("cache"), 1);
    snprintf(text, sizeof text,
             "[ $1 = version ] && echo go version go1.26.1 linux/amd64 && exit\n"
             "while [ $1 != -o ]; do shift; done\nsleep 0.2\ncat >$2 <<'END'\n#!/bin/sh\n%s\nEND\nchmod +x $2",
             script);
    go_is(text);
}

/* The program is refused with exactly one line that has the text. */
static void refused(const char *path, const char *text)
{
    struct result r = HEADLESS(path);
    CHECK_INT(r.code, 2);
    CHECK_STR(r.out, "");
    HAS(r.err, text);
    if (lines(r.err) != 1)
        t_fail(__FILE__, __LINE__, "not one line: %s", r.err);
}

TEST(without_go_one_line_says_so)
{
    const char *path = t_file("main.go", hello);
    unsetenv("GMPSCOPE_GO");
    setenv("PATH", "", 1);
    refused(path, "main.go: a Go program is read by Go 1.19 or newer; there is no go on the PATH; install it, or set GMPSCOPE_GO");
    CHECK_INT(RUN("lint", (char *)path).code, 2);
    CHECK_INT(HEADLESS("steal-half").code, 0);
    setenv("PATH", ".:", 1); /* never a program from the folder here */
    refused(path, "there is no go on the PATH");
    setenv("GMPSCOPE_GO", "/none/go", 1);
    refused(path, "$GMPSCOPE_GO is \"/none/go\", which cannot be run");
}

TEST(each_go_that_is_none_is_refused)
{
    static const struct {
        const char *script, *says;
    } of[] = {{"echo go version go1.18.3 linux/amd64", "go1.18.3 is too old"},
              {"echo hello", "does not say its version, but \"hello\""},
              {"", "does not say its version"},
              {"exit 3", "failed (exit code 3)"},
              {"kill -SEGV $$", "was killed (Segmentation fault)"},
              {"yes", "writes too much"},
              {"[ $1 = version ] && echo go version go1.26.1 x", "failed (exit code 1)"},
              {"echo go version go1.26.1 x", "says that it did, but has not"},
              {"[ $1 = version ] && echo go version go1.26.1 x && exit\necho '# x' >&2; echo 'no space left on device' >&2; exit 1",
               "no space left on device"}};
    const char *path = t_file("main.go", hello);
    setenv("XDG_CACHE_HOME", in_tmp("cache"), 1);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        go_is(of[i].script);
        refused(path, of[i].says);
    }
}

TEST(each_front_end_that_fails_is_reported)
{
    static const struct {
        const char *script, *says;
    } of[] = {{"echo nonsense", "made no program"},
              {"exit 1", "failed (exit code 1)"},
              {"kill -KILL $$", "was killed"},
              {"echo 'panic: boom' >&2; echo >&2; echo 'goroutine 1' >&2; exit 2", "panic: boom"},
              {"for f; do :; done\necho \"$f:3:7: undefined: x\" >&2; exit 2", "main.go:3:7: undefined: x"}};
    const char *path = t_file("main.go", hello);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        front_end_is(of[i].script);
        CHECK_INT(shell("rm -rf \"$XDG_CACHE_HOME\"")->code, 0);
        refused(path, of[i].says);
    }
}

TEST(a_cache_that_cannot_be_written_is_named)
{
    const char *path = t_file("main.go", hello);
    front_end_is("exit 1");
    setenv("XDG_CACHE_HOME", t_file("file", ""), 1);
    refused(path, "file/gmpscope: Not a directory; set XDG_CACHE_HOME to a folder that can be written");
    if (getuid() == 0)
        return;
    CHECK_INT(mkdir(in_tmp("closed"), 0500), 0);
    setenv("XDG_CACHE_HOME", in_tmp("closed"), 1);
    refused(path, "Permission denied; set XDG_CACHE_HOME");
}

TEST(a_folder_for_people_without_a_home_is_theirs_alone)
{
    char dir[600];
    const char *path = t_file("main.go", hello);
    front_end_is("echo nonsense");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    setenv("TMPDIR", t_tmpdir(), 1);
    refused(path, "made no program");
    snprintf(dir, sizeof dir, "%s/gmpscope-%u", t_tmpdir(), (unsigned)getuid());
    CHECK_INT(chmod(dir, 0777), 0);
    refused(path, "others can write there");
}

TEST(two_processes_may_build_at_once)
{
    t_file("main.go", hello);
    front_end_is("echo nonsense");
    struct result *r = shell(
        "cd \"$(dirname \"$XDG_CACHE_HOME\")\"; for i in 1 2 3; do gmpscope run main.go --headless & done; wait; ls cache/gmpscope | wc -l");
    CHECK_STR(r->out, "1\n");
    CHECK_INT(lines(r->err), 3);
    int same = 0;
    for (const char *at = r->err; (at = strstr(at, "made no program")); at++)
        same++;
    CHECK_INT(same, 3);
}

TEST(only_files_and_folders_are_read)
{
    struct result *r = shell(
        "cd \"$(mktemp -d)\"; mkfifo a.go; mkdir b.go c; touch c/x.txt\n"
        "for f in a.go b.go c none.go; do timeout 20 \"" GMPSCOPE_BIN "\" run ./$f --headless; echo $?; done");
    CHECK_STR(r->out, "2\n2\n2\n2\n");
    CHECK_INT(lines(r->err), 4);
    HAS(r->err, "./a.go: is not a regular file");
    HAS(r->err, "./c: is a directory");
    HAS(r->err, "./none.go: cannot be read: No such file or directory");
}

TEST(a_test_that_is_none_is_answered_with_those_that_are)
{
    need_go();
    char *path = (char *)t_file(
        "some_test.go", "package main\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {}\nfunc TestTwo(t *testing.T) {}\n");
    HAS(RUN("run", path, "--headless", "--test", "Nope").err, "there is no test Nope; the package has TestOne, TestTwo");
    HAS(RUN("run", path, "--headless").err, "--test NAME runs a test: TestOne, TestTwo");
    path = (char *)t_file("none.go", "package main\n\nfunc main() {}\n");
    HAS(RUN("run", path, "--headless", "--test", "Nope").err, "there is no test Nope; the package has no tests");
}

TEST(a_source_in_a_scenario_has_a_place)
{
    const char *path = t_file("s.yaml", "name: s\nsource: none.go\n");
    refused(path, "s.yaml:2:9: none.go cannot be read");
    refused(t_file("s.yaml", "name: s\nsource: s.yaml\n"), "s.yaml:2:9: s.yaml is not a Go program");
    refused(t_file("s.yaml", "name: s\nsource: a.go\nchannels: [c]\n"), "s.yaml:3:1: \"source\" and \"channels\" cannot be combined");
    CHECK_INT(HEADLESS("steal-half", "--", "a").code, 2);
    CHECK_INT(HEADLESS("steal-half", "--test", "TestX").code, 2);
}

/* ---- with Go ---- */

TEST(a_path_may_have_any_characters)
{
    need_go();
    static const char *const names[] = {
        "it's.go", "a b\"c\".go", "$(x)`y`.go", "并发.go", "x: {y}.go", "-n.go", "a\\b.go", "#.go", "a\tb.go", "\xff.go"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct result r = HEADLESS(t_file(names[i], hello));
        CHECK_STR(r.err, "");
        CHECK_STR(r.out, "hello\n");
    }
}

TEST(a_deadlock_without_goroutines_is_said_in_words)
{
    need_go();
    char *path = (char *)t_file("goexit.go", "package main\n\nimport \"runtime\"\n\nfunc main() { runtime.Goexit() }\n");
    struct result r = HEADLESS(path);
    HAS(r.err, "fatal error: no goroutines (main called runtime.Goexit) - deadlock!");
    CHECK(!strstr(r.err, "who waits"));
    HAS(RUN("explore", path, "--seeds", "2").out, "deadlock: no goroutines (main called runtime.Goexit)");
}

/* What a program writes takes time in a search. How long is a numbered decision: another one can be chosen, and is replayed. */
TEST(the_time_of_a_write_is_a_decision)
{
    need_go();
    const char *path = t_file("write.go", "package main\n\nfunc main() { println(\"x\") }\n");
    char line[500], *out = strdup(RUN("explore", (char *)path, "--seeds", "3").out);
    HAS(out, "varied: the next M (uniform, sticky, ranked, parallel, loaded or single), ");
    HAS(out, "stalls up to 4, late wake-ups, times of writes, late sleeps; not: ");
    free(out);
    long long took[2] = {0};
    int first = 0;
    for (int n = 1; n < 400 && !first; n++) {
        snprintf(line, sizeof line, "gmpscope run %s --headless --fine --stalls 1 --seed 2 --choices %dk1", path, n);
        struct result r = *shell(line);
        first = r.code == 0 ? n : 0;
        if (!first)
            HAS(r.err, "not a call's time but a ");
    }
    CHECK(first);
    for (int i = 0; i < 2; i++) {
        snprintf(line, sizeof line, "gmpscope run %s --headless --fine --stalls 1 --seed 2 --json --choices %dk%d", path, first,
                 i ? 64 : 1);
        out = shell(line)->out;
        took[i] = strtoll(strstr(out, "\"time_ns\":") + 10, NULL, 10);
    }
    CHECK(took[1] - took[0] > 13000000); /* 250 ns and 13.7 ms */
}

/* It begins at the first line of the program; c and a line number alone are understood there. */
/* Its three Gs may use it for the first time at once: in each schedule there is one mutex, which is locked three times. */
TEST(a_lock_that_several_use_first_is_one)
{
    need_go();
    const char *path =
        t_file("main.go",
               "package main\n\nimport \"sync\"\n\nfunc main() {\n\tvar wg sync.WaitGroup\n\tvar mu sync.Mutex\n\tfor range 3 {\n"
               "\t\twg.Add(1)\n\t\tgo func() {\n\t\t\tdefer wg.Done()\n\t\t\tmu.Lock()\n\t\t\tmu.Unlock()\n\t\t}()\n\t}\n\twg.Wait()\n}\n");
    struct result r = RUN("explore", (char *)path, "--seeds", "400", "--procs", "4", "--tally", "count(mutex_op op=lock)");
    HAS(r.out, "400 x  3,");
    struct result named = RUN("explore", (char *)path, "--seeds", "400", "--procs", "4", "--tally", "count(mutex_op obj=mu op=lock)");
    HAS(named.out, "400 x  3,");
}

TEST(a_person_begins_at_the_first_line)
{
    need_go();
    struct result *r = shell(
        "cd \"$(mktemp -d)\"; mkdir two; printf 'package main\n\nfunc main() {\n\twork()\n}\n' >two/a.go\n"
        "printf 'package main\n\nfunc work() {\n\tprintln(1)\n}\n' >two/b.go; printf 'package main\n\nfunc main() {\n\tprintln(1)\n}\n' >one.go\n"
        "printf 'break 4\nc\nq\n' | \"" GMPSCOPE_BIN
        "\" run one.go --linear --tempo auto\n"
        "printf 'break 4\nq\n' | \"" GMPSCOPE_BIN "\" run two --linear --tempo auto");
    HAS(r->out, "PAUSED at one.go:4.");
    HAS(r->out, "stops at one.go:4");
    HAS(r->out, "The run is paused at a line, between two decisions: press s first.");
    HAS(r->out, "write the file, too: two/a.go:4, two/b.go:4");
}

TEST(a_recording_needs_no_go)
{
    need_go();
    const char *path = t_file("main.go", "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() { fmt.Println(os.Args[1:]) }\n");
    struct result r = HEADLESS(path, "--record", (char *)in_tmp("a.run"), "--", "x", "a b"), again;
    CHECK_STR(r.out, "[x a b]\n");
    setenv("PATH", "", 1);
    unsetenv("GMPSCOPE_GO");
    again = RUN("replay", (char *)in_tmp("a.run"), "--headless");
    CHECK_INT(again.code, 0);
    CHECK_STR(again.out, r.out);
    again = RUN("replay", (char *)in_tmp("a.run"), "--headless", "--json");
    HAS(again.out, "\"go_exit\":0");
    char *picture = (char *)in_tmp("a.txt"); /* it has the source, and the lines where Gs are */
    CHECK_INT(RUN("replay", (char *)in_tmp("a.run"), "--headless", "--at", "77", "--picture", picture).code, 0);
    HAS(slurp(picture, NULL), "G1▶ 8 func main() {");
}

TEST(what_is_written_where)
{
    need_go();
    const char *path =
        t_file("main.go",
               "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc f() int {\n\tprintln(\"f\")\n\treturn 1\n}\n\n"
               "func main() {\n\tfmt.Print(\"a\")\n\tfmt.Print(\"b\\n\\nc\")\n\tprintln(\"x\", f(), true)\n"
               "\tfmt.Print(\"\\xff\\x01\\n\")\n\tprint(\"end\")\n\tfmt.Print(\"last\")\n\tos.Exit(7)\n}\n");
    struct result r = HEADLESS(path);
    CHECK_INT(r.code, 7);
    CHECK_STR(r.out, "ab\n\nc\xff\x01\nlast");
    CHECK_STR(r.err, "f\nx 1 true\nend");
    r = HEADLESS(path, "--json");
    CHECK_INT(r.code, 7);
    HAS(r.out, "\"ended\":\"exit\",\"go_exit\":7,");
    HAS(r.out, "\"output\":[\"ab\",\"\",\"c");
    path = t_file("s.yaml", "name: s\nsource: main.go\nexpect: [{ends: exit}, {may: \"prints: ab\"}, {never: \"prints: a\"}]\n");
    CHECK_INT(RUN("check", (char *)path).code, 0);
}

/* run, check and explore agree on how a program ends. */
TEST(each_command_tells_the_same_end)
{
    need_go();
    char *path = (char *)t_file("main.go", "package main\n\nimport \"os\"\n\nfunc main() { os.Exit(7) }\n");
    struct result r = RUN("explore", path, "--seeds", "2", "--jobs", "1");
    HAS(r.out, "       2 x  exit 7, first with seed 1");
    CHECK_INT(r.code, 3);
    HAS(RUN("explore", path, "--seeds", "2", "--json").out, "\"exit\":3,");
    HAS(RUN("explore", path, "--seeds", "2", "--json").out, "\"why\":\"the program ended by os.Exit(7)\",\"go_exit\":7,");
    CHECK_INT(RUN("check", path).code, 3);
    path = (char *)t_file(
        "main.go", "package main\n\nimport \"sync\"\n\nfunc main() {\n\tvar mu sync.Mutex\n\tmu.Lock()\n\tgo mu.Lock()\n\tmu.Lock()\n}\n");
    CHECK_INT(RUN("check", path).code, 3);
    CHECK_INT(RUN("explore", path, "--seeds", "2").code, 3);
    CHECK_INT(HEADLESS(path).code, 3);
    path = (char *)t_file("x_test.go",
                          "package x\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tt.Run(\"one\", func(t *testing.T) {})\n"
                          "\tt.Run(\"two\", func(t *testing.T) { t.Error(\"no\") })\n}\n\nfunc TestB(t *testing.T) { t.Fail() }\n");
    CHECK_INT(HEADLESS(path, "--test", "TestA").code, 1);
    r = RUN("check", path, "--test", "TestA");
    CHECK_INT(r.code, 1);
    HAS(r.out, "        test TestA/two failed\n");
    r = RUN("explore", path, "--seeds", "2", "--test", "TestB");
    CHECK_INT(r.code, 1);
    HAS(r.out, "       2 x  exit 1, first with seed 1");
    HAS(r.out, ": test TestB failed\n");
}

/* The library of the tool has other files and lines than Go's. */
TEST(a_traceback_shows_no_files_of_the_library)
{
    need_go();
    char *path = (char *)t_file("x_test.go", "package x\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\t<-make(chan int)\n}\n");
    struct result r = HEADLESS(path, "--test", "TestA");
    CHECK_INT(r.code, 3);
    HAS(r.err, "x_test.go:6 +");
    HAS(r.err, "created by testing.(*T).Run in goroutine 1\n");
    CHECK(!strstr(r.err, "testing.go"));
}

TEST(long_lines_are_whole)
{
    need_go();
    struct result r =
        HEADLESS(t_file("main.go",
                        "package main\n\nimport \"fmt\"\n\nfunc main() {\n\ts := \"0123456789\"\n\tfor i := 0; i < 8; i++ {\n\t\ts += s\n"
                        "\t}\n\tfmt.Println(s)\n\tfmt.Println(s[:992])\n\tfmt.Println(s[:993])\n}\n"));
    CHECK_INT((int)r.nout, 2560 + 992 + 993 + 3);
    CHECK_INT(lines(r.out), 3);
}

TEST(tracebacks_have_the_lines_of_the_program)
{
    need_go();
    struct result r = HEADLESS(t_file(
        "main.go", "package main\n\nfunc f(c chan int) {\n\t<-c\n}\n\nfunc main() {\n\tc := make(chan int)\n\tgo f(c)\n\tselect {}\n}\n"));
    CHECK_INT(r.code, 3);
    HAS(r.err, "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [select (no cases)]:\nmain.main()\n\t");
    HAS(r.err, "/main.go:10 +0x");
    HAS(r.err, "[chan receive]:\nmain.f(...)\n\t");
    HAS(r.err, "/main.go:4 +0x");
    HAS(r.err, "created by main.main in goroutine 1\n\t");
    HAS(r.err, "/main.go:9 +0x");
    r = HEADLESS(
        t_file("main.go",
               "package main\n\nimport \"errors\"\n\nfunc main() {\n\tdefer func() {\n\t\trecover()\n\t\tpanic(\"two\\nlines\")\n\t}()\n"
               "\tpanic(errors.New(\"one\"))\n}\n"));
    CHECK_INT(r.code, 3);
    HAS(r.err, "panic: one [recovered]\n\tpanic: two\n\tlines\n\ngoroutine 1 [running]:\nmain.main.func1()\n\t");
    HAS(r.err, "/main.go:8 +0x");
    HAS(r.err, "\nmain.main()\n\t");
    HAS(r.err, "/main.go:10 +0x");
}

TEST(a_go_program_is_not_exported_as_go)
{
    need_go();
    struct result r = RUN("export", (char *)t_file("main.go", hello), "--format", "go");
    CHECK_INT(r.code, 2);
    CHECK_STR(r.out, "");
    HAS(r.err, "main.go: is a Go program already; go run runs it");
}

TEST(which_go_it_is)
{
    need_go();
    CHECK_INT(
        shell(
            "cd \"$(mktemp -d)\"; printf 'module m\\n\\ngo 1.21\\n' >go.mod\n"
            "printf 'package main\\n\\nfunc main() {\\n\\tvar f []func()\\n\\tfor i := 0; i < 2; i++ {\\n\\t\\tf = append(f, func() { print(i) })\\n\\t}\\n\\tf[0]()\\n}\\n' >main.go\n"
            "gmpscope run main.go --headless 2>err; test \"$(cat err)\" = 2 || exit 1\n"
            "echo 'module m' >go.mod; echo 'go 1.999' >>go.mod; gmpscope run main.go --headless 2>err; grep -q 'go.mod requires go >= 1.999' err")
            ->code,
        0);
}
