/* Signals in a run without a screen: the handler only notes the signal, and the run then ends with all its output written. */
#include "engine/signals.h"
#include "base/ending.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

/* A handler can reach only a static. */
static _Atomic int seen;

static void on_signal(int sig)
{
    /* relaxed: only the flag itself is read, by interrupted() in drive.c */
    if (atomic_exchange_explicit(&seen, sig, memory_order_relaxed))
        _exit(128 + sig);
    ending_begin(sig, NULL);
}

void signals_watch(void)
{
    static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++) {
        /* SA_RESTART: a write to a full pipe must go on, or stdio would lose its buffer. All waits of the main thread have a time limit. */
        struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, old;
        /* A signal that the caller ignores (nohup, a background job) stays ignored. */
        if (sigaction(watched[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(watched[i], &sa, NULL);
    }
}

const volatile _Atomic int *signals_seen(void)
{
    return &seen;
}

int signals_code(void)
{
    int sig = atomic_load_explicit(&seen, memory_order_relaxed);
    return sig ? 128 + sig : 0;
}

void signals_give_up(void)
{
    fflush(stdout);
    fputs("gmpscope: a thread hangs and cannot be stopped; ended without it\n", stderr);
    _exit(signals_code());
}

void signals_block(sigset_t *old)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    sigset_t set;
    sigfillset(&set);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&set, faults[i]);
    pthread_sigmask(SIG_BLOCK, &set, old);
}
