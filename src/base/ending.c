/* See ending.h. */
#include "base/ending.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#define STUCK_NS 300000 /* the thread used less CPU time than this in a second; handling the alarm takes some µs */

/* Used by handlers on the main thread and by that thread; each stands for itself, so relaxed order is enough. */
static _Atomic int asked;
static _Atomic int64_t used;
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
    int64_t now = cpu_ns(), before = atomic_exchange_explicit(&used, now, memory_order_relaxed);
    void (*last)(void) = atomic_load_explicit(&last_act, memory_order_relaxed);
    (void)alarm_sig;
    if (now - before < STUCK_NS) {
        if (last)
            last();
        _exit(128 + sig);
    }
    alarm(1);
    errno = e;
}

void ending_begin(int sig, void (*last)(void))
{
    struct sigaction sa = {.sa_handler = on_alarm, .sa_flags = SA_RESTART | SA_ONSTACK};
    atomic_store_explicit(&last_act, last, memory_order_relaxed);
    if (atomic_exchange_explicit(&asked, sig, memory_order_relaxed))
        return;
    atomic_store_explicit(&used, cpu_ns(), memory_order_relaxed);
    sigfillset(&sa.sa_mask);
    sigaction(SIGALRM, &sa, NULL);
    alarm(1);
}

bool ending_begun(void)
{
    return atomic_load_explicit(&asked, memory_order_relaxed) != 0;
}

void ending_forget_last(void)
{
    atomic_store_explicit(&last_act, NULL, memory_order_relaxed);
}
