/* Each signal that ends the process leaves the terminal as it was, from the first moment on, and the exit status
 * names the signal. A signal ends the program even if its terminal or pipe is never read. */
#include "base/prng.h"
#include "screen.h"
#include "shell.h"
#include "ui/term/crash.h"

#include <dirent.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
#define T_ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define T_ASAN 1
#endif
#endif
#ifndef T_ASAN
#define T_ASAN 0
#endif

/* Takes faults for itself, reports them and exits. */
static void not_sanitized(void)
{
    if (T_SANITIZED)
        t_skip("a sanitizer handles faults itself");
}

/* Delivers a signal only when the thread makes a call that it knows. */
static void not_under_tsan(void)
{
    if (T_TSAN)
        t_skip("ThreadSanitizer delays signals");
}

static void no_core_files(void)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

static struct term *start(void)
{
    struct term *t = term_start(30, 100, NULL, STEAL_HALF("--tempo", "1"));
    term_wait(t, "Processors");
    return t;
}

static void ended(struct term *t, int status, int sig)
{
    if (status != 128 + sig)
        t_fail(__FILE__, __LINE__, "signal %d (%s): status %d", sig, strsignal(sig), status);
    term_check_sane(t);
    term_free(t);
}

/* ---- each signal ---- */

/* By signal(7): all except those that do nothing by default, stop the process, or cannot be caught. SIGPIPE and SIGXFSZ are ignored. */
static bool ends_a_process(int sig)
{
    static const int others[] = {SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGKILL, SIGPIPE, SIGXFSZ};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] == sig)
            return false;
    return sig < 32 || sig >= SIGRTMIN; /* between them are two or three that the C library reserves */
}

TEST_TIMED(each_signal_leaves_the_terminal_sane, 1200)
{
    not_sanitized();
    no_core_files();
    for (int sig = 1; sig <= SIGRTMAX; sig++) {
        if (!ends_a_process(sig) || (sig > SIGRTMIN + 1 && sig < SIGRTMAX && !getenv("GMPSCOPE_LONG")))
            continue;
        struct term *t = start();
        term_signal(t, sig);
        ended(t, term_wait_exit(t), sig);
    }
}

/* SIGXCPU carries the kernel's si_code like a fault, but it repeats only after a second, so the handler must raise it itself. */
TEST(a_limit_of_cpu_time_leaves_the_terminal_sane)
{
    if (T_SANITIZED)
        t_skip("a sanitizer's own start takes much of the second");
    no_core_files();
    struct term *t = term_start(
        30, 100, NULL,
        (const char *const[]){
            "/bin/sh", "-c", "ulimit -S -t 1; exec \"$0\" \"$@\"", GMPSCOPE_BIN, "run",
            t_file("busy.yaml", "name: busy\ngoroutines: [{name: main, do: [{loop: forever, do: [{yield: 1}]}]}]\n"), "--tempo=max", NULL});
    ended(t, term_wait_exit(t), SIGXCPU);
}

TEST(ignored_or_harmless_signals_change_nothing)
{
    not_under_tsan();
    struct term *t = start();
    static const int sigs[] = {SIGPIPE, SIGXFSZ, SIGURG, SIGCHLD, SIGCONT, SIGWINCH};
    for (size_t i = 0; i < sizeof sigs / sizeof *sigs; i++)
        term_signal(t, sigs[i]);
    term_keys(t, " ");
    term_wait(t, "PAUSED");
    quit(t);
    t = term_start(30, 100, NULL,
                   (const char *const[]){"/bin/sh", "-c", "trap '' USR1; exec \"$0\" run steal-half --tempo 1", GMPSCOPE_BIN, NULL});
    term_wait(t, "Processors");
    term_signal(t, SIGUSR1); /* the parent wants it ignored */
    term_keys(t, " ");
    term_wait(t, "PAUSED");
    quit(t);
}

/* ---- on whichever thread, and whatever state the screen is in ---- */

static int thread_of(pid_t pid, const char *name)
{
    char path[300], comm[32];
    struct dirent *d;
    int tid = 0;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *tasks = opendir(path);
    CHECK(tasks);
    while (!tid && (d = readdir(tasks))) {
        snprintf(path, sizeof path, "/proc/%d/task/%.20s/comm", pid, d->d_name);
        FILE *f = fopen(path, "r");
        if (f && fgets(comm, sizeof comm, f) && !strncmp(comm, name, strlen(name)))
            tid = atoi(d->d_name);
        if (f)
            fclose(f);
    }
    closedir(tasks);
    return tid;
}

/* The thread of the screen takes the terminal and draws meanwhile. */
TEST_TIMED(a_crash_on_another_thread_leaves_the_terminal_sane, 1200)
{
    not_sanitized();
    no_core_files();
    for (int i = 0; i < t_count(40, 1000); i++) {
        struct term *t = term_start(30, 100, NULL, STEAL_HALF("--tempo", "100"));
        int tid;
        while (!(tid = thread_of(term_pid(t), "session")))
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        nanosleep(&(struct timespec){.tv_nsec = i % 8 * 3000000}, NULL); /* any moment will do */
        if (i % 8 == 7)
            term_wait(t, "Processors");
        CHECK_INT(syscall(SYS_tgkill, term_pid(t), tid, SIGSEGV), 0);
        ended(t, term_wait_exit(t), SIGSEGV);
    }
}

/* A process whose screen is up, as far as the terminal can tell. Returns what tcgetattr() gives when it has ended. */
static struct termios modes_after(void (*way_out)(void), struct termios *before, int *status)
{
    struct termios now, raw;
    int master, slave;
    pid_t pid;
    CHECK(openpty(&master, &slave, NULL, NULL, NULL) == 0 && tcgetattr(slave, before) == 0);
    fflush(NULL);
    pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        if (dup2(slave, STDOUT_FILENO) < 0 || !crash_begin(-1))
            _exit(3);
        raw = *before;
        cfmakeraw(&raw);
        tcsetattr(STDOUT_FILENO, TCSANOW, &raw);
        way_out();
        _exit(0);
    }
    CHECK(waitpid(pid, status, 0) == pid && tcgetattr(slave, &now) == 0);
    close(master);
    close(slave);
    return now;
}

TEST(the_end_of_the_screen_restores_the_modes_itself)
{
    struct termios before, after;
    int status;
    after = modes_after(crash_end, &before, &status);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK_INT(after.c_iflag, before.c_iflag);
    CHECK_INT(after.c_lflag, before.c_lflag);
}

#if T_ASAN
static void writes_past_the_end(void)
{
    volatile char *volatile p = malloc(8); /* volatile: for AddressSanitizer, not for the compiler */
    p[8] = 1;
    free((void *)p);
}

TEST(what_a_sanitizer_finds_leaves_the_terminal_sane)
{
    struct termios before, after;
    int status;
    after = modes_after(writes_past_the_end, &before, &status);
    CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
    CHECK_INT(after.c_iflag, before.c_iflag);
    CHECK_INT(after.c_lflag, before.c_lflag);
}
#endif

/* ---- from the first moment on ---- */

TEST_TIMED(signals_at_the_start_leave_the_terminal_sane, 1200)
{
    static const int sigs[] = {
        SIGSEGV, SIGTERM, SIGUSR1, SIGALRM}; /* none that the parent ignores: its forked child may still ignore them too */
    struct prng rand;
    not_sanitized();
    no_core_files();
    prng_seed(&rand, 1, 0);
    for (int i = 0; i < t_count(80, 2000); i++) {
        int sig = sigs[i % 4];
        struct term *t = term_start(30, 100, NULL, STEAL_HALF("--tempo", "1"));
        nanosleep(&(struct timespec){.tv_nsec = prng_below(&rand, 40000000)}, NULL); /* any moment will do */
        term_signal(t, sig);
        ended(t, term_wait_exit(t), sig);
    }
}

/* ---- unread output ---- */

static void unread(int sig, int times)
{
    not_under_tsan();
    no_core_files();
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "1"));
    term_wait(t, "Processors");
    term_fill(t, "t"); /* another theme: the whole screen is painted again */
    for (int i = 0; i < times; i++)
        term_signal(t, sig);
    ended(t, term_wait_exit_unread(t), sig);
}

TEST(an_unread_terminal_is_left_by_one_sigterm)
{
    unread(SIGTERM, 1);
}
TEST(an_unread_terminal_is_left_by_one_sigint)
{
    unread(SIGINT, 1);
}
TEST(an_unread_terminal_is_left_by_one_sighup)
{
    unread(SIGHUP, 1);
}
TEST(an_unread_terminal_is_left_by_two_signals)
{
    unread(SIGTERM, 2);
}
TEST(an_unread_terminal_is_left_by_sigquit)
{
    unread(SIGQUIT, 1);
}
TEST(an_unread_terminal_is_left_by_a_crash)
{
    not_sanitized();
    unread(SIGSEGV, 1);
}

static pid_t start_on(int fd, char **argv)
{
    posix_spawn_file_actions_t fa;
    pid_t pid;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_adddup2(&fa, fd, 1);
    posix_spawn_file_actions_adddup2(&fa, fd, 2);
    CHECK_INT(posix_spawn(&pid, argv[0], &fa, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&fa);
    return pid;
}

/* Waits until the program is stuck in a write to the full pipe. Pages that earlier writes did not fill stay so, so a full pipe may hold few
 * bytes. */
static void wait_full(const int fd[2])
{
    struct pollfd room = {fd[1], POLLOUT, 0};
    int n = 0, before;
    do { /* the last piece does not fit */
        before = n;
        poll(NULL, 0, 100);
        CHECK_INT(ioctl(fd[0], FIONREAD, &n), 0);
    } while (n != before || poll(&room, 1, 0) != 0);
}

/* Standard output is a full pipe that is never read. */
static void full_pipe(int sig, int times, char **argv)
{
    int fd[2];
    CHECK_INT(pipe2(fd, O_CLOEXEC), 0);
    pid_t pid = start_on(fd[1], argv);
    wait_full(fd);
    for (int i = 0; i < times; i++)
        CHECK_INT(kill(pid, sig), 0);
    CHECK_INT(program_end(pid), 128 + sig);
    close(fd[0]);
    close(fd[1]);
}

static char *forever(void)
{
    return (char *)t_file("talk.yaml",
                          "name: talk\ngoroutines: [{name: main, do: [{loop: forever, do: [{print: 'another line of text'}]}]}]\n");
}

static void full_pipes(int sig, int times)
{
    char *f = forever(), *bin = (char *)GMPSCOPE_BIN;
    not_under_tsan();
    full_pipe(sig, times, (char *[]){bin, "run", f, "--headless", NULL});
    full_pipe(sig, times, (char *[]){bin, "run", f, "--headless", "--mode=free", NULL});
    full_pipe(sig, times, (char *[]){bin, "run", f, "--headless", "--events", NULL});
}

TEST(a_full_pipe_is_left_by_one_signal)
{
    full_pipes(SIGTERM, 1);
}

TEST(a_full_pipe_is_left_by_two_signals)
{
    full_pipes(SIGHUP, 2);
}

/* Output that is read slowly is written completely, whatever the signal, and also if the signal comes in the middle of a write. */
static void read_slowly(bool full)
{
    int fd[2], seen = 0, whole = 0;
    char buf[4096], *argv[] = {(char *)GMPSCOPE_BIN, "run", forever(), "--headless", "--json", "--max-events=20000", NULL};
    struct pollfd p = {.events = POLLIN};
    CHECK_INT(pipe2(fd, O_CLOEXEC), 0);
    pid_t pid = start_on(fd[1], argv);
    p.fd = fd[0];
    if (full)
        wait_full(fd);
    else
        poll(&p, 1, -1);
    kill(pid, SIGTERM);
    if (full)
        wait_full(fd); /* time for the signal to interrupt the write; without it the test would only see less */
    close(fd[1]);
    for (ssize_t n; (n = read(fd[0], buf, sizeof buf)) > 0; seen += (int)n) {
        whole = buf[n - 1] == '\n';
        poll(NULL, 0, 20);
    }
    CHECK(seen > 0 && whole);
    CHECK_INT(program_end(pid), 0); /* it ended by itself */
    close(fd[0]);
}

TEST(a_pipe_that_is_read_slowly_gets_all)
{
    read_slowly(false);
    read_slowly(true);
}
