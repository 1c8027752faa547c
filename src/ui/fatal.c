/* Every way out leaves the terminal sane.
 *
 * Crashes (SIGSEGV, SIGABRT … on any thread): the handler may only do what is async-signal-safe, so it does not call
 * ncurses but writes the sequence that undoes it and sets the modes back; then it hands the signal to who had it before
 * (the default action, or a sanitizer's report). It runs on the crashing thread's alternate stack where there is one;
 * the UI thread gets one here. Threads that block these signals die without it: they must not.
 *
 * Requests (SIGTERM, SIGHUP, SIGINT, SIGTSTP) and SIGWINCH, SIGCONT are only noted; the loop is woken and acts in
 * order. A loop that does not, for it waits for a thread that hangs, is not waited for: who asks twice to leave is let go at once.
 *
 * stderr is another way to spoil a screen (asserts, sanitizers, libc): it goes to memory while the screen is up and is
 * replayed afterwards, also after a crash.
 *
 * This state is process-wide because signals, the terminal and file descriptor 2 are.
 */
#include "ui/fatal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT, SIGSYS, SIGTRAP};
static const int requests[] = {SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGWINCH, SIGCONT};
enum { RESTORING = 1, RESTORED };
enum { CRASHES = sizeof crashes / sizeof *crashes, REQUESTS = sizeof requests / sizeof *requests, STACK = 64 * 1024 };

static struct {
    struct termios modes;
    struct sigaction crash_before[CRASHES], request_before[REQUESTS];
    stack_t stack_before;
    int wake_fd, real_stderr, kept_stderr;
    bool own_stack;
} saved;
static char stack[STACK];
/* Written by handlers, read by the UI thread; each stands for itself, so relaxed order is enough. */
static _Atomic int asked, resized, crashed;

/* Ends synchronized output, mouse reports, hidden cursor, colours, keypad mode, and the alternate screen. */
static const char reset[] =
    "\033[?2026l\033[?1006l\033[?1003l\033[?1002l\033[?1000l\033[?25h\033[0m\033[?1l\033>\033[?1049l\r";

static void write_all(int fd, const char *s, size_t n)
{
    for (ssize_t w; n > 0; s += w, n -= (size_t)w) {
        w = write(fd, s, n);
        if (w < 0 && errno == EINTR)
            w = 0;
        if (w < 0)
            return;
    }
}

/* Async-signal-safe. */
static void replay_stderr(void)
{
    char buf[512];
    off_t at = 0;
    for (ssize_t n; (n = pread(saved.kept_stderr, buf, sizeof buf, at)) > 0; at += n)
        write_all(saved.real_stderr, buf, (size_t)n);
}

static int index_of(const int *list, int n, int sig)
{
    int i = 0;
    while (i < n - 1 && list[i] != sig)
        i++;
    return i;
}

/* The first crash restores. A second one (another thread, or a sanitizer's abort after its report) waits until that is
 * done, but never for ever: the first may have crashed again inside. */
static void restore_once(void)
{
    static const struct timespec ms = {.tv_nsec = 1000000};
    int none = 0;
    if (atomic_compare_exchange_strong_explicit(&crashed, &none, RESTORING, memory_order_relaxed,
                                                memory_order_relaxed)) {
        write_all(STDOUT_FILENO, reset, sizeof reset - 1);
        tcsetattr(STDOUT_FILENO, TCSANOW, &saved.modes);
        dup2(saved.real_stderr, STDERR_FILENO);
        replay_stderr();
        atomic_store_explicit(&crashed, RESTORED, memory_order_relaxed);
    }
    for (int i = 0; i < 200 && atomic_load_explicit(&crashed, memory_order_relaxed) == RESTORING; i++)
        nanosleep(&ms, NULL);
}

static void on_crash(int sig, siginfo_t *info, void *context)
{
    (void)context;
    restore_once();
    sigaction(sig, &saved.crash_before[index_of(crashes, CRASHES, sig)], NULL);
    if (info->si_code <= 0)
        raise(sig); /* it was sent; a real fault happens again by itself when we return */
}

/* SIGTSTP does not take the place of a wish to leave. */
static void ask(int sig)
{
    int none = 0;
    if (sig == SIGTSTP) {
        atomic_compare_exchange_strong_explicit(&asked, &none, sig, memory_order_relaxed, memory_order_relaxed);
        return;
    }
    int before = atomic_exchange_explicit(&asked, sig, memory_order_relaxed);
    if (!before || before == SIGTSTP)
        return;
    restore_once();
    _exit(128 + sig);
}

static void on_request(int sig)
{
    int e = errno;
    uint64_t one = 1;
    if (sig == SIGWINCH || sig == SIGCONT)
        atomic_store_explicit(&resized, 1, memory_order_relaxed);
    else
        ask(sig);
    ssize_t n = write(saved.wake_fd, &one, sizeof one);
    (void)n; /* full means that the loop is woken already */
    errno = e;
}

static void close_kept(void)
{
    if (saved.real_stderr >= 0)
        close(saved.real_stderr);
    if (saved.kept_stderr >= 0)
        close(saved.kept_stderr);
}

/* A terminal's stderr into memory that outlives a crash of the heap. */
static bool keep_stderr(void)
{
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

bool fatal_begin(int wake_fd)
{
    stack_t mine = {.ss_sp = stack, .ss_size = sizeof stack};
    atomic_store_explicit(&asked, 0, memory_order_relaxed);
    atomic_store_explicit(&resized, 0, memory_order_relaxed);
    atomic_store_explicit(&crashed, 0, memory_order_relaxed);
    saved.wake_fd = wake_fd;
    saved.own_stack = false;
    if (tcgetattr(STDOUT_FILENO, &saved.modes) != 0 || !keep_stderr())
        return false;
    for (int i = 0; i < CRASHES; i++)
        sigaction(crashes[i], NULL, &saved.crash_before[i]);
    for (int i = 0; i < REQUESTS; i++)
        sigaction(requests[i], NULL, &saved.request_before[i]);
    if (sigaltstack(NULL, &saved.stack_before) == 0 && (saved.stack_before.ss_flags & SS_DISABLE))
        saved.own_stack = sigaltstack(&mine, NULL) == 0;
    return true;
}

void fatal_arm(void)
{
    struct sigaction crash = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction request = {.sa_handler = on_request, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigfillset(&crash.sa_mask);
    sigfillset(&request.sa_mask);
    for (int i = 0; i < CRASHES; i++)
        sigaction(crashes[i], &crash, NULL);
    for (int i = 0; i < REQUESTS; i++)
        sigaction(requests[i], &request, NULL);
}

void fatal_end(void)
{
    for (int i = 0; i < CRASHES; i++)
        sigaction(crashes[i], &saved.crash_before[i], NULL);
    for (int i = 0; i < REQUESTS; i++)
        sigaction(requests[i], &saved.request_before[i], NULL);
    if (saved.own_stack)
        sigaltstack(&saved.stack_before, NULL);
    dup2(saved.real_stderr, STDERR_FILENO);
    replay_stderr();
    close_kept();
}

int fatal_asked(void)
{
    int sig = atomic_load_explicit(&asked, memory_order_relaxed), stop = SIGTSTP;
    if (sig == SIGTSTP)
        atomic_compare_exchange_strong_explicit(&asked, &stop, 0, memory_order_relaxed, memory_order_relaxed);
    return sig;
}

bool fatal_resized(void)
{
    return atomic_exchange_explicit(&resized, 0, memory_order_relaxed) != 0;
}
