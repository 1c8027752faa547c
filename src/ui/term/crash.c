/* Every way out leaves the terminal sane.
 *
 * For requests (SIGTERM, SIGHUP, SIGINT, SIGTSTP) and for SIGWINCH and SIGCONT the handler only sets a flag and wakes the loop, which acts. A
 * second request to leave ends the process at once; so does a request while the loop is stuck (base/ending.h).
 *
 * Every other signal that ends a process by default (SIGSEGV and SIGABRT on any thread, SIGXCPU, SIGUSR1, real-time signals …) is a crash:
 * the handler must be async-signal-safe, so it does not call ncurses but writes the sequence that undoes it and restores the modes. Then it
 * hands the signal to the previous action (the default one, or a sanitizer's report), so the process dies by that signal. It runs on the
 * crashing thread's alternate stack if there is one; the UI thread gets one here. A thread that blocked a fault signal would die without the
 * handler, so none may. Signals that were ignored when the screen came up stay ignored.
 *
 * A sanitizer that finds a mistake ends the process without a signal; its callback does the same as a crash.
 *
 * A handler never blocks. If nobody reads the terminal, its pending output is discarded, and what cannot be written within PATIENCE_MS is
 * dropped.
 *
 * stderr is another way to spoil a screen (asserts, sanitizers, libc): it goes to memory while the screen is up and is
 * replayed afterwards, also after a crash.
 *
 * This state is process-wide because signals, the terminal and file descriptor 2 are.
 */
#include "ui/term/crash.h"

#include "base/ending.h"
#include "base/fault.h"
#include "base/wall.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const int requests[] = {SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGWINCH, SIGCONT};
enum { RESTORING = 1, RESTORED };
enum { REQUESTS = sizeof requests / sizeof *requests, SIGNALS = 65, STACK = 64 * 1024, PATIENCE_MS = 300, REPORT_MS = 5000 };

static struct {
    struct termios modes;
    struct sigaction crash_before[SIGNALS], request_before[REQUESTS];
    bool crash[SIGNALS]; /* on_crash() handles it */
    stack_t stack_before;
    int wake_fd, real_stderr, kept_stderr;
    int tty; /* the terminal, opened non-blocking; -1: not ours to open */
    bool own_stack;
    pthread_t screen; /* the thread that draws */
} saved;
static char stack[STACK];

/* A sanitizer calls it back behind its report. Where there is none, there is no such function. */
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void at_death(void (*act)(void))
{
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(act);
}

/* Written by handlers, read by the UI thread; no two of them depend on each other, so relaxed order is enough. */
static _Atomic int asked, resized, crashed, halt, halted;

/* Ends synchronized output, mouse reports, hidden cursor, colours, keypad mode, and the alternate screen. */
static const char reset[] = "\033[?2026l\033[?1006l\033[?1003l\033[?1002l\033[?1000l\033[?25h\033[0m\033[?1l\033>\033[?1049l\r";

/* Writes as much as fd takes until the given wall_ms(). In pieces of at most PIPE_BUF: a ready pipe takes one without blocking.
 * Async-signal-safe. */
static void write_until(int fd, const char *s, size_t n, int64_t until)
{
    struct pollfd p = {fd, POLLOUT, 0};
    for (int64_t left; n > 0 && (left = until - wall_ms()) > 0;) {
        if (poll(&p, 1, left < INT_MAX ? (int)left : INT_MAX) <= 0)
            continue;
        ssize_t w = write(fd, s, n < PIPE_BUF ? n : PIPE_BUF);
        if (w < 0 && errno != EINTR && errno != EAGAIN)
            return;
        s += w > 0 ? w : 0;
        n -= w > 0 ? (size_t)w : 0;
    }
}

/* Async-signal-safe. */
static void replay_stderr(int64_t until)
{
    char buf[512];
    off_t at = 0;
    int to = saved.tty >= 0 && isatty(saved.real_stderr) ? saved.tty : saved.real_stderr;
    for (ssize_t n; (n = pread(saved.kept_stderr, buf, sizeof buf, at)) > 0; at += n)
        write_until(to, buf, (size_t)n, until);
}

/* Restores the terminal. If it takes no more bytes, nobody reads it, and its pending output is discarded to make room. Async-signal-safe. */
static void reset_terminal(int64_t until)
{
    int fd = saved.tty >= 0 ? saved.tty : STDOUT_FILENO;
    struct pollfd p = {fd, POLLOUT, 0};
    if (poll(&p, 1, 0) <= 0)
        tcflush(fd, TCOFLUSH);
    tcsetattr(fd, TCSANOW, &saved.modes); /* also restarts output stopped by ^S if the previous modes have no flow control */
    write_until(fd, reset, sizeof reset - 1, until);
}

static void nap_ms(void)
{
    static const struct timespec ms = {.tv_nsec = 1000000};
    nanosleep(&ms, NULL);
}

/* A crash on another thread: the thread of the screen must not draw, or take the terminal, behind what restores it. Async-signal-safe. */
static void halt_screen(void)
{
    if (pthread_equal(pthread_self(), saved.screen))
        return;
    atomic_store_explicit(&halt, 1, memory_order_relaxed);
    pthread_kill(saved.screen, SIGWINCH);
    for (int i = 0; i < PATIENCE_MS && !atomic_load_explicit(&halted, memory_order_relaxed); i++)
        nap_ms();
}

/* Stays here while the process dies. Not for ever: a sanitizer may need a lock for its report that this thread holds. */
static void halt_here(void)
{
    atomic_store_explicit(&halted, 1, memory_order_relaxed);
    for (int i = 0; i < REPORT_MS; i++)
        nap_ms();
}

/* The first crash restores. A second one (another thread, or a sanitizer's abort after its report) waits until that is
 * done, but never for ever: the first may have crashed again inside. */
static void restore_once(void)
{
    int none = 0;
    if (atomic_compare_exchange_strong_explicit(&crashed, &none, RESTORING, memory_order_relaxed, memory_order_relaxed)) {
        halt_screen();
        int64_t until = wall_ms() + PATIENCE_MS;
        reset_terminal(until);
        dup2(saved.real_stderr, STDERR_FILENO);
        replay_stderr(until);
        atomic_store_explicit(&crashed, RESTORED, memory_order_relaxed);
    }
    for (int i = 0; i < 3 * PATIENCE_MS && atomic_load_explicit(&crashed, memory_order_relaxed) == RESTORING; i++)
        nap_ms();
}

/* True if the faulting instruction fails again when the handler returns; then the previous action receives the real fault. */
static bool fails_again(int sig, const siginfo_t *info)
{
    return info->si_code > 0 && (sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL);
}

static void on_crash(int sig, siginfo_t *info, void *context)
{
    (void)context;
    if (fault_taken(sig))
        return;
    restore_once();
    sigaction(sig, &saved.crash_before[sig], NULL);
    if (!fails_again(sig, info))
        raise(sig);
}

/* SIGTSTP does not replace a request to leave. */
static void ask(int sig)
{
    int none = 0;
    if (sig == SIGTSTP) {
        atomic_compare_exchange_strong_explicit(&asked, &none, sig, memory_order_relaxed, memory_order_relaxed);
        return;
    }
    int before = atomic_exchange_explicit(&asked, sig, memory_order_relaxed);
    ending_begin(sig, restore_once);
    if (!before || before == SIGTSTP)
        return;
    restore_once();
    _exit(128 + sig);
}

static void on_request(int sig)
{
    int e = errno;
    uint64_t one = 1;
    if (atomic_load_explicit(&halt, memory_order_relaxed) && pthread_equal(pthread_self(), saved.screen))
        halt_here();
    if (sig == SIGWINCH || sig == SIGCONT)
        atomic_store_explicit(&resized, 1, memory_order_relaxed);
    else
        ask(sig);
    ssize_t n = write(saved.wake_fd, &one, sizeof one);
    (void)n; /* if the eventfd is full, the loop is woken already */
    errno = e;
}

static void close_kept(void)
{
    if (saved.tty >= 0)
        close(saved.tty);
    if (saved.real_stderr >= 0)
        close(saved.real_stderr);
    if (saved.kept_stderr >= 0)
        close(saved.kept_stderr);
}

/* Opens the terminal again: O_NONBLOCK on this open file description affects no other process. Returns -1 if the terminal belongs to another
 * user. */
static int own_output(void)
{
    return open("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
}

/* A terminal's stderr into memory that outlives a crash of the heap. */
static bool keep_stderr(void)
{
    saved.tty = own_output();
    saved.real_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    saved.kept_stderr = memfd_create("stderr", MFD_CLOEXEC);
    if (saved.real_stderr >= 0 && saved.kept_stderr >= 0) {
        fcntl(saved.kept_stderr, F_SETFL, O_APPEND);
        if (!isatty(STDERR_FILENO) || dup2(saved.kept_stderr, STDERR_FILENO) >= 0)
            return true;
    }
    int e = errno;
    close_kept();
    errno = e;
    return false;
}

static bool is_request(int sig)
{
    for (int i = 0; i < REQUESTS; i++)
        if (requests[i] == sig)
            return true;
    return false;
}

/* True if the signal does not end the process by default, cannot be caught, or is a request. */
static bool is_harmless(int sig)
{
    static const int harmless[] = {SIGCHLD, SIGURG, SIGTTIN, SIGTTOU, SIGKILL, SIGSTOP};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (harmless[i] == sig)
            return true;
    return is_request(sig);
}

/* sigaction() refuses the signals that the C library reserves. */
static void take_signals(void)
{
    struct sigaction crash = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction request = {.sa_handler = on_request, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigfillset(&crash.sa_mask);
    sigfillset(&request.sa_mask);
    for (int sig = 1; sig < SIGNALS; sig++) {
        struct sigaction *before = &saved.crash_before[sig];
        saved.crash[sig] =
            !is_harmless(sig) && sigaction(sig, NULL, before) == 0 && before->sa_handler != SIG_IGN && sigaction(sig, &crash, NULL) == 0;
    }
    for (int i = 0; i < REQUESTS; i++)
        sigaction(requests[i], &request, &saved.request_before[i]);
}

bool crash_begin(int wake_fd)
{
    stack_t mine = {.ss_sp = stack, .ss_size = sizeof stack};
    atomic_store_explicit(&asked, 0, memory_order_relaxed);
    atomic_store_explicit(&resized, 0, memory_order_relaxed);
    atomic_store_explicit(&crashed, 0, memory_order_relaxed);
    atomic_store_explicit(&halt, 0, memory_order_relaxed);
    atomic_store_explicit(&halted, 0, memory_order_relaxed);
    saved.wake_fd = wake_fd;
    saved.own_stack = false;
    saved.screen = pthread_self();
    if (tcgetattr(STDOUT_FILENO, &saved.modes) != 0 || !keep_stderr())
        return false;
    if (sigaltstack(NULL, &saved.stack_before) == 0 && (saved.stack_before.ss_flags & SS_DISABLE))
        saved.own_stack = sigaltstack(&mine, NULL) == 0;
    at_death(restore_once);
    take_signals(); /* before ncurses starts, which takes only signals with the default action */
    return true;
}

/* Requests first: after that no ending can begin. One that has begun keeps its SIGALRM. */
static void give_signals_back(void)
{
    for (int i = 0; i < REQUESTS; i++)
        sigaction(requests[i], &saved.request_before[i], NULL);
    for (int sig = 1; sig < SIGNALS; sig++)
        if (saved.crash[sig] && !(sig == SIGALRM && ending_begun()))
            sigaction(sig, &saved.crash_before[sig], NULL);
}

void crash_end(void)
{
    ending_forget_last();
    at_death(NULL);
    give_signals_back();
    if (saved.own_stack)
        sigaltstack(&saved.stack_before, NULL);
    tcsetattr(STDOUT_FILENO, TCSANOW, &saved.modes); /* whatever the screen has left behind */
    dup2(saved.real_stderr, STDERR_FILENO);
    replay_stderr(INT64_MAX);
    close_kept();
}

int crash_asked(void)
{
    int sig = atomic_load_explicit(&asked, memory_order_relaxed), stop = SIGTSTP;
    if (sig == SIGTSTP)
        atomic_compare_exchange_strong_explicit(&asked, &stop, 0, memory_order_relaxed, memory_order_relaxed);
    return sig;
}

/* A shell waits for the first process of a job, which may be a script, so the whole group stops. The kernel drops the signal if the group has no
 * shell. No other thread takes signals, so ours arrives before kill() returns. */
void crash_stop(void)
{
    int i = 0;
    struct sigaction ours;
    while (requests[i] != SIGTSTP)
        i++;
    sigaction(SIGTSTP, &saved.request_before[i], &ours);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &ours, NULL);
}

bool crash_resized(void)
{
    return atomic_exchange_explicit(&resized, 0, memory_order_relaxed) != 0;
}
