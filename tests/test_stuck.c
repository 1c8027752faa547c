/* A thread of the runtime hangs for good, wherever it is: the process still ends when asked to, with its printed
 * output, and the terminal is as it was. Such a hang would be a bug of ours. Here ptrace holds the threads, which
 * the program cannot know. */
#include "screen.h"
#include "shell.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/ptrace.h>
#include <sys/stat.h>

enum { MOST = 64 };

static const char text[] =
    "name: busy\n"
    "scheduler: {gomaxprocs: 2, disable: [preemption]}\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{print: begin}, {go: other}, {loop: forever, do: [{set: x, to: x + 1}]}]\n"
    "  - name: other\n"
    "    do: [{loop: forever, do: [{set: x, to: x + 1}]}]\n";

/* ---- holding threads ---- */

struct held {
    pid_t tid[MOST];
    int n;
    pthread_t reaper;
};

/* Returns whether the signal is in that set ("SigBlk:", "ShdPnd:") of the thread; false if the thread is gone. */
static bool in_set(pid_t pid, pid_t tid, const char *set, int sig)
{
    char path[64], line[200];
    unsigned long long bits = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/status", pid, tid);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, set, strlen(set)))
            bits = strtoull(line + strlen(set), NULL, 16);
    if (f)
        fclose(f);
    return bits >> (sig - 1) & 1;
}

static bool is_session(pid_t pid, pid_t tid)
{
    char path[64], name[32] = "";
    snprintf(path, sizeof path, "/proc/%d/task/%d/comm", pid, tid);
    FILE *f = fopen(path, "r");
    if (f && fgets(name, sizeof name, f))
        name[strcspn(name, "\n")] = '\0';
    if (f)
        fclose(f);
    return !strcmp(name, "session");
}

/* Ms, like the session's thread, block every signal that can be blocked except faults; the main thread blocks none,
 * a sanitizer's own thread all. */
static bool is_m(pid_t pid, pid_t tid)
{
    return in_set(pid, tid, "SigBlk:", SIGTERM) && !in_set(pid, tid, "SigBlk:", SIGSEGV) && !is_session(pid, tid);
}

static bool is_held(const struct held *h, pid_t tid)
{
    for (int i = 0; i < h->n; i++)
        if (h->tid[i] == tid)
            return true;
    return false;
}

static void hold(struct held *h, pid_t tid)
{
    int status;
    if (ptrace(PTRACE_SEIZE, tid, NULL, NULL))
        t_skip("no ptrace here");
    CHECK_INT(ptrace(PTRACE_INTERRUPT, tid, NULL, NULL), 0);
    CHECK_INT(waitpid(tid, &status, __WALL), tid);
    CHECK(WIFSTOPPED(status) && h->n < MOST);
    h->tid[h->n++] = tid;
}

/* Holds sysmon and at least one M that runs Gs. Repeats until it finds no other thread, because a thread that was
 * not held yet may have started one. */
static void hold_all(struct held *h, pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    for (int before = -1; before != h->n || h->n < 2;) {
        before = h->n;
        DIR *d = opendir(path);
        CHECK(d);
        for (struct dirent *x; (x = readdir(d));) {
            pid_t tid = atoi(x->d_name);
            if (tid > 0 && !is_held(h, tid) && is_m(pid, tid))
                hold(h, tid);
        }
        closedir(d);
    }
}

/* A process has not ended before its tracer has seen its threads end. */
static void *reap(void *arg)
{
    struct held *h = arg;
    int status;
    for (int i = 0; i < h->n; i++)
        while (waitpid(h->tid[i], &status, __WALL) == h->tid[i])
            ;
    return NULL;
}

/* From here on the process may end. */
static void let_die(struct held *h)
{
    CHECK_INT(pthread_create(&h->reaper, NULL, reap, h), 0);
}

/* ---- without a screen ---- */

static void ends_headless(char *mode, int sig, int times)
{
    const char *out = in_tmp("out"), *err = in_tmp("err");
    char *argv[] = {(char *)GMPSCOPE_BIN,         "run", (char *)t_file("busy.yaml", text), "--headless", mode, "--limit=10000h",
                    "--max-events=1000000000000", NULL};
    pid_t pid = program_start(argv, out, err);
    struct held h = {0};
    struct stat st = {0};
    while (stat(out, &st) || st.st_size < 6)
        usleep(1000);
    hold_all(&h, pid);
    let_die(&h);
    for (int i = 0; i < times; i++) {
        while (in_set(pid, pid, "ShdPnd:", sig)) /* a second signal that comes before the first is taken is lost */
            usleep(1000);
        kill(pid, sig);
    }
    CHECK_INT(program_end(pid), 128 + sig);
    pthread_join(h.reaper, NULL);
    CHECK_STR(slurp(out, NULL), "begin\n");
}

TEST(one_signal_ends_a_headless_run_that_hangs)
{
    ends_headless("--mode=lockstep", SIGTERM, 1);
    ends_headless("--mode=free", SIGINT, 1);
}

TEST(a_second_signal_ends_it_at_once)
{
    ends_headless("--mode=lockstep", SIGHUP, 2);
    ends_headless("--mode=free", SIGTERM, 2);
}

/* ---- with a screen ---- */

static struct term *start(const char *mode, struct held *h)
{
    const char *argv[] = {GMPSCOPE_BIN, "run", t_file("busy.yaml", text), mode, "--tempo=max", NULL};
    struct term *t = term_start(40, 120, NULL, argv);
    term_wait(t, "begin");
    hold_all(h, term_pid(t));
    let_die(h);
    return t;
}

static bool is_left(struct term *t, void *arg)
{
    (void)arg;
    return !term_altscreen(t);
}

static void ended(struct term *t, struct held *h, int sig)
{
    CHECK_INT(term_wait_exit(t), 128 + sig);
    pthread_join(h->reaper, NULL);
    term_check_sane(t);
    term_free(t);
}

/* The first signal takes the screen away; the second one ends the process, which then waits for the Ms. */
static void ends_on_screen(const char *mode, int sig)
{
    struct held h = {0};
    struct term *t = start(mode, &h);
    term_signal(t, sig);
    term_wait_for(t, "the screen stays", is_left, NULL);
    term_signal(t, sig);
    ended(t, &h, sig);
}

TEST(the_screen_is_left_in_lockstep)
{
    ends_on_screen("--mode=lockstep", SIGTERM);
}
TEST(the_screen_is_left_in_free_mode)
{
    ends_on_screen("--mode=free", SIGHUP);
}

/* `r` tears down the old run: the session's thread waits for the Ms, and soon the screen waits for the session. */
static void ends_while_it_waits(const char *mode, int sig)
{
    if (T_SANITIZED)
        t_skip("ThreadSanitizer runs no handler while a thread waits for a mutex");
    struct held h = {0};
    struct term *t = start(mode, &h);
    term_keys(t, "r");
    term_settle(t, 300); /* a screen that waits shows nothing, here and below; if it does not wait yet, it must end all the same */
    term_keys(t, "nnn");
    term_settle(t, 100);
    term_signal(t, sig);
    term_settle(t, 100);
    term_signal(t, sig);
    ended(t, &h, sig);
}

TEST(a_screen_that_waits_is_left_in_lockstep)
{
    ends_while_it_waits("--mode=lockstep", SIGINT);
}
TEST(a_screen_that_waits_is_left_in_free_mode)
{
    ends_while_it_waits("--mode=free", SIGTERM);
}
