/* gmpscope watch: Go programs that run with their tracer on are followed, and nothing of them remains. */
#include "base/wall.h"
#include "shell.h"
#include "term.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

static void need_new_go(void)
{
    if (shell("go env GOVERSION | grep -E '^go1\\.(2[2-9]|[3-9])'")->code != 0)
        t_skip("Go 1.22 or newer is not installed");
}

/* Does what its first argument says; writes the pids of itself and of a child of its own into the file that the second names. */
static const char program[] =
    "package main\n\nimport (\n\t\"bufio\"\n\t\"fmt\"\n\t\"os\"\n\t\"os/exec\"\n\t\"syscall\"\n\t\"time\"\n)\n\n"
    "var trace = 1\n\nfunc work(n int) { time.Sleep(time.Duration(n) * time.Millisecond) }\n\n"
    "func main() {\n\tfmt.Println(\"begins\", os.Getenv(\"GMPSCOPE_TRACE\"))\n\tfor i := 0; i < 5; i++ {\n\t\tgo work(i)\n\t}\n"
    "\ttime.Sleep(20 * time.Millisecond)\n"
    "\tswitch os.Args[1] {\n\tcase \"exit\":\n\t\tos.Exit(5)\n\tcase \"panic\":\n\t\tpanic(\"no\")\n"
    "\tcase \"dies\":\n\t\tsyscall.Kill(os.Getpid(), syscall.SIGKILL)\n"
    "\tcase \"reads\":\n\t\ts, _ := bufio.NewReader(os.Stdin).ReadString('\\n')\n\t\tfmt.Print(\"read \", s)\n"
    "\tcase \"stays\":\n\t\tc := exec.Command(\"sleep\", \"1000\")\n\t\tc.Start()\n"
    "\t\tos.WriteFile(os.Args[2], fmt.Appendf(nil, \"%d %d\\n\", os.Getpid(), c.Process.Pid), 0o600)\n"
    "\t\tfor i := 0; ; i++ {\n\t\t\tgo work(1)\n\t\t\ttime.Sleep(5 * time.Millisecond)\n\t\t}\n\t}\n}\n";

static char *source(void)
{
    char *path = keep(600);
    setenv("TMPDIR", t_tmpdir(), 1);
    snprintf(path, 600, "%s", t_file("prog.go", program));
    return path;
}

#define WATCH(...) RUN("watch", "--headless", __VA_ARGS__)

TEST(it_prints_and_ends_as_by_itself)
{
    need_new_go();
    char *go = source();
    struct result r = WATCH("--", go, "ends");
    CHECK_INT(r.code, 0);
    CHECK_STR(r.out, "begins \n"); /* its environment has no trace of us */
    CHECK_STR(r.err, "");
    r = WATCH("--", go, "exit");
    CHECK_INT(r.code, 5);
    CHECK_STR(r.out, "begins \n");
    HAS(r.err, "prog.go: exit status 5");
    CHECK(!strstr(r.err, "no end")); /* the last events are there: Go stops the tracer at the exit */
    r = WATCH("--", go, "panic");
    CHECK_INT(r.code, 2);
    HAS(r.err, "panic: no");
    HAS(r.err, "prog.go: exit status 2");
    r = WATCH("--", go, "dies");
    CHECK_INT(r.code, 128 + SIGKILL);
    HAS(r.err, "prog.go: killed by signal 9");
    CHECK_STR(shell("ls -d \"${TMPDIR:-/tmp}\"/gmpscope-watch-* 2>/dev/null | wc -l")->out, "0\n");
}

TEST(its_events_are_those_of_its_trace)
{
    need_new_go();
    char *go = source(), *run = keep(600);
    snprintf(run, 600, "%s/of.run", t_tmpdir());
    struct result r = WATCH("--events", "--record", run, "--", go, "exit");
    CHECK_INT(r.code, 5);
    HAS(r.err, "begins");
    int n = 0;
    for (const char *at = r.out; (at = strstr(at, "fn=main.work\n")); at++)
        n += at - r.out > 40;
    CHECK_INT(n, 10); /* each of five Gs is created, and ends */
    r = RUN("query", run, "count(go_create fn=main.work)");
    CHECK_STR(r.out, "5\n");
}

TEST(it_has_our_stdin)
{
    need_new_go();
    char line[900];
    snprintf(line, sizeof line, "echo words | gmpscope watch --headless -- %s reads", source());
    CHECK_STR(shell(line)->out, "begins \nread words\n");
}

TEST(a_test_is_watched)
{
    need_new_go();
    char *path = (char *)t_file(
        "some_test.go",
        "package some\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\nfunc TestA(t *testing.T) { time.Sleep(time.Millisecond) }\n");
    t_file("go.mod", "module some\n");
    struct result r = WATCH("--events", "--", path);
    CHECK_INT(r.code, 0);
    HAS(r.out, "fn=testing.tRunner");
    HAS(r.err, "PASS");
}

/* ---- nothing remains ---- */

static void moment(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

/* Waits until the program has written its pids. */
static void pids_of(const char *path, int pid[2])
{
    for (int64_t until = wall_ms() + 200000; wall_ms() < until; moment()) {
        FILE *f = fopen(path, "r");
        int n = f ? fscanf(f, "%d %d\n", &pid[0], &pid[1]) : 0;
        if (f)
            fclose(f);
        if (n == 2)
            return;
    }
    t_fail(__FILE__, __LINE__, "the program does not begin");
}

/* A process that nobody has reaped yet is gone, too. */
static void gone(int pid)
{
    char path[60], state = 0;
    for (int64_t until = wall_ms() + 100000; wall_ms() < until; moment()) {
        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        FILE *f = fopen(path, "r");
        if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1 || state == 'Z') {
            if (f)
                fclose(f);
            return;
        }
        fclose(f);
    }
    t_fail(__FILE__, __LINE__, "process %d is still there, in state %c", pid, state);
}

TEST(a_breakpoint_ends_it)
{
    need_new_go();
    int pid[2];
    char *pids = keep(600);
    snprintf(pids, 600, "%s/pids", t_tmpdir());
    struct result r = WATCH("--break", "go_create fn=main.work x40", "--", source(), "stays", pids);
    CHECK_INT(r.code, 0);
    HAS(r.out, "go_create");
    pids_of(pids, pid);
    gone(pid[0]);
    gone(pid[1]);
}

TEST(a_signal_ends_both)
{
    need_new_go();
    static const int signals[] = {SIGINT, SIGTERM, SIGKILL};
    char *go = source(), *pids = keep(600);
    snprintf(pids, 600, "%s/pids", t_tmpdir());
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        int pid[2];
        unlink(pids);
        pid_t self = program_start(
            (char *[]){(char *)GMPSCOPE_BIN, "watch", "--headless", "--", go, "stays", pids, NULL}, in_tmp("out"), in_tmp("err"));
        pids_of(pids, pid);
        kill(self, signals[i]);
        CHECK_INT(program_end(self), signals[i] == SIGKILL ? 1000 + SIGKILL : 128 + signals[i]);
        gone(pid[0]);
        if (signals[i] == SIGKILL)
            kill(pid[1], SIGKILL); /* only the program itself dies with a watcher that cannot end it */
        gone(pid[1]);
    }
}

TEST(the_screen_follows_and_q_ends_it)
{
    need_new_go();
    int pid[2];
    char *go = source(), *pids = keep(600);
    snprintf(pids, 600, "%s/pids", t_tmpdir());
    struct term *t = term_start(
        40, 120, NULL, (const char *const[]){GMPSCOPE_BIN, "watch", "--no-mouse", "--layout=classic", "--", go, "stays", pids, NULL});
    pids_of(pids, pid);
    term_wait(t, "live, ");
    term_wait(t, "(main.work)");
    CHECK_INT(term_quit(t), 0);
    CHECK(term_shows(t, "begins")); /* what it has printed */
    term_check_sane(t);
    term_free(t);
    gone(pid[0]);
    gone(pid[1]);
}

/* ---- what cannot be watched ---- */

TEST(what_cannot_be_watched_is_said)
{
    struct result r = WATCH("--", "/bin/true");
    CHECK_INT(r.code, 2);
    HAS(r.err, "/bin/true: the tracer of a program that is built already cannot be switched on from outside; watch its source");
    CHECK_INT(lines(r.err), 1);
    r = WATCH("--", "nosuch.go");
    CHECK_INT(r.code, 2);
    HAS(r.err, "nosuch.go: No such file or directory");
    r = RUN("watch");
    CHECK_INT(r.code, 2);
    HAS(r.err, "watch needs a Go program: watch -- main.go [ARG…]");
    r = WATCH("--seed=3", "--", "x.go");
    CHECK_INT(r.code, 2);
    need_new_go();
    r = WATCH("--", (char *)t_file("bad.go", "package main\n\nfunc main() { x() }\n"));
    CHECK_INT(r.code, 2);
    HAS(r.err, "undefined: x\n");
    HAS(r.err, "the program cannot be built");
    setenv("GMPSCOPE_GO", "/usr/lib/go-1.19/bin/go", 1);
    if (access("/usr/lib/go-1.19/bin/go", X_OK) == 0) {
        r = WATCH("--", source());
        CHECK_INT(r.code, 2);
        HAS(r.err, "watch needs Go 1.22 or newer, which writes traces of today's form; this is go1.19");
    }
    unsetenv("GMPSCOPE_GO");
}
