/* The frame itself: this program runs itself with T_INNER set, which registers tests that must fail, and reads its
 * report. */
#include "t.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void inner_good(void)
{
    CHECK_INT(1 + 1, 2);
    CHECK_STR("a", "a");
}

static void inner_int(void)
{
    CHECK_INT(2 + 2, 5);
}

static void inner_str(void)
{
    CHECK_STR("got this", "wanted that");
}

static void *thread_fails(void *arg)
{
    CHECK(arg != NULL);
    return NULL;
}

static void inner_thread(void)
{
    pthread_t th;
    pthread_create(&th, NULL, thread_fails, NULL);
    pthread_join(th, NULL);
    pause();
}

static void inner_crash(void)
{
    raise(SIGSEGV);
}

static void inner_hang(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (;;)
        pause();
}

static void inner_exit(void)
{
    exit(0);
}

static void inner_grandchild(void)
{
    pid_t pid = fork();
    if (pid == 0)
        CHECK(!"in the grandchild");
    waitpid(pid, NULL, 0);
}

static void leave_badly(void)
{
    _exit(23);
}

static void inner_atexit(void)
{
    atexit(leave_badly);
}

static void inner_skip(void)
{
    t_skip("no reason");
}

static void inner_by_sigint(void)
{
    raise(SIGINT);
}

static void inner_tmpdir(void)
{
    FILE *f = fopen(getenv("T_INNER"), "w");
    CHECK(f != NULL);
    fprintf(f, "%s", t_file("a/b/c", "text"));
    fclose(f);
}

__attribute__((constructor)) static void add_inner(void)
{
    if (!getenv("T_INNER"))
        return;
    t_add("inner_good", inner_good, 60);
    t_add("inner_int", inner_int, 60);
    t_add("inner_str", inner_str, 60);
    t_add("inner_thread", inner_thread, 60);
    t_add("inner_crash", inner_crash, 60);
    t_add("inner_hang", inner_hang, 1);
    t_add("inner_exit", inner_exit, 60);
    t_add("inner_grandchild", inner_grandchild, 60);
    t_add("inner_atexit", inner_atexit, 60);
    t_add("inner_skip", inner_skip, 60);
    t_add("inner_tmpdir", inner_tmpdir, 60);
    t_add("inner_by_sigint", inner_by_sigint, 60);
}

static char report[8192];

/* Runs `test_t FILTER` with T_INNER=value, its stdout and stderr into report; returns its exit status. */
static int run_self(const char *filter, const char *value)
{
    char out[512];
    snprintf(out, sizeof out, "%s/report", t_tmpdir());
    pid_t pid = fork();
    if (pid == 0) {
        int fd = open(out, O_CREAT | O_WRONLY | O_TRUNC, 0600);
        dup2(fd, 1);
        dup2(fd, 2);
        setenv("T_INNER", value, 1);
        unsetenv("GMPSCOPE_LONG");
        execl("/proc/self/exe", "test_t", filter, (char *)NULL);
        _exit(127);
    }
    int status;
    waitpid(pid, &status, 0);
    FILE *f = fopen(out, "r");
    CHECK(f != NULL);
    report[fread(report, 1, sizeof report - 1, f)] = 0;
    fclose(f);
    CHECK(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void expect_failed(const char *filter, const char *text)
{
    CHECK_INT(run_self(filter, "1"), 1);
    if (!strstr(report, text))
        t_fail(__FILE__, __LINE__, "the report of %s lacks \"%s\":\n%s", filter, text, report);
    CHECK(strlen(report) > 19);
    CHECK_STR(report + strlen(report) - 19, "0 passed, 1 failed\n");
}

TEST(good_passes)
{
    CHECK_INT(run_self("inner_good", "1"), 0);
    CHECK(strstr(report, "ok   inner_good") != NULL);
    CHECK(strstr(report, "\n1 passed, 0 failed\n") != NULL);
}

TEST(operands_are_printed)
{
    expect_failed("inner_int", "2 + 2 is 4, should be 5");
    expect_failed("inner_str", "\"got this\"\n  should be \"wanted that\"");
}

TEST(assert_in_thread_fails)
{
    expect_failed("inner_thread", "arg != NULL");
}

TEST(crash_fails)
{
    CHECK_INT(run_self("inner_crash", "1"), 1);
    CHECK(strstr(report, "FAIL inner_crash") != NULL);
}

TEST(hang_fails)
{
    expect_failed("inner_hang", "no end after");
}

TEST(early_exit_fails)
{
    expect_failed("inner_exit", "in the middle of the test");
}

TEST(assert_in_grandchild_fails)
{
    expect_failed("inner_grandchild", "in the grandchild");
}

TEST(bad_status_at_exit_fails)
{
    expect_failed("inner_atexit", "exit status 23 after the test");
}

/* As in a shell's background job. */
TEST(ignored_signals_are_not_inherited)
{
    signal(SIGINT, SIG_IGN);
    CHECK_INT(run_self("inner_by_sigint", "1"), 1);
    CHECK(strstr(report, "killed by signal 2") != NULL);
}

TEST(skip_is_no_pass)
{
    CHECK_INT(run_self("inner_skip", "1"), 77);
    CHECK(strstr(report, "\n0 passed, 0 failed, 1 skipped\n") != NULL);
}

TEST(unknown_name_is_an_error)
{
    CHECK_INT(run_self("no_such_test", "1"), 2);
}

TEST(sums)
{
    CHECK_INT(run_self("inner_[gis]*", "1"), 1);
    CHECK(strstr(report, "\n1 passed, 3 failed, 1 skipped\n") != NULL);
}

TEST(tmpdir_is_removed)
{
    char note[512], path[600] = "";
    snprintf(note, sizeof note, "%s/note", t_tmpdir());
    CHECK_INT(run_self("inner_tmpdir", note), 0);
    FILE *f = fopen(note, "r");
    CHECK(f != NULL);
    CHECK(fgets(path, sizeof path, f) != NULL);
    fclose(f);
    CHECK(strstr(path, "/a/b/c") != NULL);
    *strstr(path, "/a/b/c") = 0;
    CHECK(access(path, F_OK) != 0);
}

TEST(counts)
{
    setenv("GMPSCOPE_LONG", "1", 1);
    CHECK_INT(t_count(2, 200), 200);
    unsetenv("GMPSCOPE_LONG");
    CHECK_INT(t_count(2, 200), 2);
}
