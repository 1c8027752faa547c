/* Ends a process that a signal has asked to end: ending.h. */
#include "base/ending.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define STUCK_NS 300000 /* a thread that used less CPU time than this in a second is stuck; an alarm itself takes a few µs */
#define ALARMS 4        /* alarms a second */

/* Used by the main thread and by handlers on it; the variables are independent, so relaxed order is enough. */
static _Atomic int asked;
static _Atomic int64_t used[ALARMS]; /* CPU time at the last alarms, a ring */
static _Atomic unsigned alarms;
static void (*_Atomic last_act)(void);

static int64_t cpu_ns(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void on_alarm(int alarm_sig)
{
    int e = errno, sig = atomic_load_explicit(&asked, memory_order_relaxed);
    unsigned n = atomic_fetch_add_explicit(&alarms, 1, memory_order_relaxed);
    int64_t now = cpu_ns(), before = atomic_exchange_explicit(&used[n % ALARMS], now, memory_order_relaxed);
    void (*last)(void) = atomic_load_explicit(&last_act, memory_order_relaxed);
    (void)alarm_sig;
    if (n >= ALARMS && now - before < STUCK_NS) {
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
