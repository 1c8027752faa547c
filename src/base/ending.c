/* Ends a process that a signal has asked to end: ending.h. */
#include "base/ending.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define STUCK_NS 20000000 /* CPU time in a second; the alarms themselves take some µs, or half a millisecond on a slow virtual machine */
#define ALARMS 4          /* alarms a second */

/* Used by the main thread and by handlers on it; the variables are independent, so relaxed order is enough. */
static _Atomic int asked;
static _Atomic int64_t used[ALARMS]; /* CPU time at the last alarms, a ring */
static _Atomic long slept[ALARMS];   /* how often the thread had gone to sleep by then */
static _Atomic unsigned alarms;
static void (*_Atomic last_act)(void);

static int64_t cpu_ns(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static long sleeps(void)
{
    struct rusage u = {0};
    getrusage(RUSAGE_THREAD, &u); /* not in POSIX's list of async-signal-safe functions, but on Linux only a system call */
    return u.ru_nvcsw;
}

/* Takes the sample of alarm n. Returns true if the thread has made no progress since the alarm a second ago: it sleeps in a system call, which
 * each alarm interrupts once. A thread that a slow reader wakes sleeps more often; one that waits for a CPU does not sleep. */
static bool is_stuck(unsigned n)
{
    int64_t cpu = cpu_ns(), cpu_before = atomic_exchange_explicit(&used[n % ALARMS], cpu, memory_order_relaxed);
    long times = sleeps(), times_before = atomic_exchange_explicit(&slept[n % ALARMS], times, memory_order_relaxed);
    return n >= ALARMS && cpu - cpu_before < STUCK_NS && times > times_before && times - times_before <= ALARMS;
}

static void on_alarm(int alarm_sig)
{
    int e = errno, sig = atomic_load_explicit(&asked, memory_order_relaxed);
    void (*last)(void) = atomic_load_explicit(&last_act, memory_order_relaxed);
    (void)alarm_sig;
    if (is_stuck(atomic_fetch_add_explicit(&alarms, 1, memory_order_relaxed))) {
        if (last)
            last();
        _exit(128 + sig);
    }
    errno = e;
}

void ending_begin(int sig, void (*last)(void))
{
    struct sigaction sa = {.sa_handler = on_alarm, .sa_flags = SA_RESTART | SA_ONSTACK};
    atomic_store_explicit(&last_act, last, memory_order_relaxed);
    if (atomic_exchange_explicit(&asked, sig, memory_order_relaxed))
        return;
    struct itimerval often = {{.tv_usec = 1000000 / ALARMS}, {.tv_usec = 1}}; /* the first alarm comes at once and takes the first sample */
    sigfillset(&sa.sa_mask);
    sigaction(SIGALRM, &sa, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
}

bool ending_begun(void)
{
    return atomic_load_explicit(&asked, memory_order_relaxed) != 0;
}

void ending_forget_last(void)
{
    atomic_store_explicit(&last_act, NULL, memory_order_relaxed);
}
