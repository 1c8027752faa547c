/* The test frame (t.h).
 *
 * The runtime under test runs on many threads and on its own stacks, so an assert cannot unwind to the test: it ends
 * the whole child process from wherever it is. A test has passed only if its function returned (a page shared with
 * the parent records that) and the child then exited with 0. A child that calls exit(0) in the middle, crashes,
 * hangs, or fails its leak check has failed. The child leads a process group, so processes that it started end with
 * it. */
#include "base/wall.h"
#include "t.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_TESTS = 512, SKIPPED = 77 };
enum outcome { PASSED, FAILED, SKIP };

struct test {
    const char *name;
    void (*fn)(void);
    int seconds;
};

/* Written by the child (and its children), read by the parent after waitpid, which orders it. */
struct verdict {
    atomic_bool returned;
    atomic_bool failed;
};

static struct test tests[MAX_TESTS];
static int ntests;
static struct verdict *verdict;
static char tmpdir[256];

void t_add(const char *name, void (*fn)(void), int seconds)
{
    if (ntests == MAX_TESTS)
        abort();
    tests[ntests++] = (struct test){name, fn, seconds};
}

/* May run on a small G stack: no stdio stream, no big frame. */
void t_fail(const char *file, int line, const char *fmt, ...)
{
    char text[1024];
    int n = snprintf(text, sizeof text, "%s:%d: ", file, line);
    va_list ap;
    va_start(ap, fmt);
    n += vsnprintf(text + n, sizeof text - (size_t)n - 1, fmt, ap);
    va_end(ap);
    if (n > (int)sizeof text - 2)
        n = (int)sizeof text - 2;
    text[n++] = '\n';
    if (write(STDERR_FILENO, text, (size_t)n) < 0) {
        /* The text is lost; the verdict below still counts. */
    }
    /* relaxed: pairs with the load in judge(); waitpid orders them. */
    atomic_store_explicit(&verdict->failed, true, memory_order_relaxed);
    _exit(1);
}

void t_skip(const char *why)
{
    dprintf(STDERR_FILENO, "skipped: %s\n", why);
    _exit(SKIPPED);
}

void t_check_int(const char *file, int line, const char *expr, long long got, long long want)
{
    if (got != want)
        t_fail(file, line, "%s is %lld, should be %lld", expr, got, want);
}

void t_check_str(const char *file, int line, const char *expr, const char *got, const char *want)
{
    if (got == want || (got && want && strcmp(got, want) == 0))
        return;
    t_fail(file, line, "%s\n  is        \"%.400s\"\n  should be \"%.400s\"", expr, got ? got : "(NULL)", want ? want : "(NULL)");
}

static bool is_long(void)
{
    const char *s = getenv("GMPSCOPE_LONG");
    return s && strcmp(s, "1") == 0;
}

long t_count(long quick, long full)
{
    return is_long() ? full : quick;
}

const char *t_tmpdir(void)
{
    return tmpdir;
}

/* Kept until the child ends: tests use several paths at once. */
struct path {
    struct path *next;
    char text[];
};
static struct path *paths;

static void make_parents(char *path)
{
    for (char *p = path + strlen(tmpdir) + 1; (p = strchr(p, '/')); *p++ = '/') {
        *p = 0;
        if (mkdir(path, 0700) && errno != EEXIST)
            t_fail(path, 0, "mkdir: %s", strerror(errno));
    }
}

const char *t_file(const char *name, const char *text)
{
    struct path *p = malloc(sizeof *p + strlen(tmpdir) + strlen(name) + 2);
    if (!p)
        abort();
    p->next = paths;
    paths = p;
    sprintf(p->text, "%s/%s", tmpdir, name);
    make_parents(p->text);
    FILE *f = fopen(p->text, "w");
    if (!f || fputs(text, f) == EOF || fclose(f))
        t_fail(p->text, 0, "cannot write: %s", strerror(errno));
    return p->text;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static void make_tmpdir(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(tmpdir, sizeof tmpdir, "%s/gmpscope-test.XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(tmpdir)) {
        perror(tmpdir);
        exit(2);
    }
}

/* Full counts and sanitizers need longer; a hang is still a hang. */
static int64_t limit_ms(const struct test *t)
{
    int64_t ms = (int64_t)t->seconds * (T_SANITIZED ? 3000 : 1000);
    return is_long() ? ms * 20 : ms;
}

/* A shell's background job or nohup may ignore signals. The programs under test would inherit that, and a test that
 * waits for one to end by such a signal would wait forever. */
static void default_signals(void)
{
    static const int sigs[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU};
    for (size_t i = 0; i < sizeof sigs / sizeof *sigs; i++)
        signal(sigs[i], SIG_DFL);
}

static void run_child(const struct test *t, const sigset_t *mask)
{
    setpgid(0, 0);
    default_signals();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        close(null);
    }
    t->fn();
    /* relaxed: as in t_fail(). */
    atomic_store_explicit(&verdict->returned, true, memory_order_relaxed);
    exit(0);
}

/* Waits up to `left` for the child (SIGCHLD is blocked), then kills its group. Returns false if time ran out. Time
 * in which this process did not run, because it or the machine was stopped, does not count, so the wait has small
 * pieces. */
static bool wait_child(pid_t pid, int64_t left, int *status)
{
    sigset_t chld;
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    bool in_time = true;
    while (waitpid(pid, status, WNOHANG) == 0) {
        if (left <= 0) {
            in_time = false;
            kill(-pid, SIGKILL);
            waitpid(pid, status, 0);
            break;
        }
        int64_t piece = left < 1000 ? left : 1000, before = wall_ms();
        struct timespec ts = {piece / 1000, piece % 1000 * 1000000};
        sigtimedwait(&chld, NULL, &ts);
        int64_t took = wall_ms() - before;
        left -= took < piece ? took : piece;
    }
    kill(-pid, SIGKILL);
    return in_time;
}

static enum outcome judge(const struct test *t, int status, bool in_time, char *why, size_t size)
{
    /* relaxed, both: the writers have ended, and waitpid orders them before this. */
    bool failed = atomic_load_explicit(&verdict->failed, memory_order_relaxed);
    bool returned = atomic_load_explicit(&verdict->returned, memory_order_relaxed);
    if (!in_time)
        snprintf(why, size, "no end after %lld s", (long long)limit_ms(t) / 1000);
    else if (WIFSIGNALED(status))
        snprintf(why, size, "killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (!failed && !returned && WEXITSTATUS(status) == SKIPPED)
        return SKIP;
    else if (failed)
        snprintf(why, size, "an assert failed");
    else if (!returned)
        snprintf(why, size, "the process left with %d in the middle of the test", WEXITSTATUS(status));
    else if (WEXITSTATUS(status))
        snprintf(why, size, "exit status %d after the test (leak or race?)", WEXITSTATUS(status));
    else
        return PASSED;
    return FAILED;
}

static enum outcome run_test(const struct test *t)
{
    sigset_t chld, old;
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    sigprocmask(SIG_BLOCK, &chld, &old);
    make_tmpdir();
    atomic_init(&verdict->failed, false);
    atomic_init(&verdict->returned, false);
    int64_t start = wall_ms();
    int status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        run_child(t, &old);
    if (pid < 0) {
        perror("fork");
        exit(2);
    }
    setpgid(pid, pid); /* both sides do it: either may be first */
    bool in_time = wait_child(pid, limit_ms(t), &status);
    nftw(tmpdir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    char why[128] = "";
    enum outcome o = judge(t, status, in_time, why, sizeof why);
    static const char *const words[] = {"ok  ", "FAIL", "skip"};
    printf("%s %s (%lld ms)%s%s\n", words[o], t->name, (long long)(wall_ms() - start), *why ? ": " : "", why);
    fflush(stdout);
    return o;
}

static bool wanted(const struct test *t, char **names)
{
    for (char **n = names; *n; n++)
        if (fnmatch(*n, t->name, 0) == 0)
            return true;
    return !*names;
}

static int list(void)
{
    for (int i = 0; i < ntests; i++)
        puts(tests[i].name);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--list") == 0)
        return list();
    setenv("LC_ALL", "C.UTF-8", 1);            /* a test's result depends neither on the locale */
    setenv("XDG_CONFIG_HOME", "/dev/null", 1); /* nor on the preferences of the user */
    verdict = mmap(NULL, sizeof *verdict, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (verdict == MAP_FAILED) {
        perror("mmap");
        return 2;
    }
    int n[3] = {0};
    for (int i = 0; i < ntests; i++)
        if (wanted(&tests[i], argv + 1))
            n[run_test(&tests[i])]++;
    if (n[PASSED] + n[FAILED] + n[SKIP] == 0) {
        fprintf(stderr, "no such test\n");
        return 2;
    }
    if (n[SKIP])
        printf("%d passed, %d failed, %d skipped\n", n[PASSED], n[FAILED], n[SKIP]);
    else
        printf("%d passed, %d failed\n", n[PASSED], n[FAILED]);
    return n[FAILED] ? 1 : n[PASSED] ? 0 : SKIPPED;
}
