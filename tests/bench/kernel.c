/* What the kernel takes for the two things of which lockstep and `explore` need many, a value a line:
 *
 *   switch   ns to pass the baton from one thread to another on the same CPU, each asleep in a futex until then
 *   across   the same on two CPUs
 *   process  µs to fork, to end the child at once, and to wait for it */
#include "bench/common.h"
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SWITCHES = 20000, PROCESSES = 1000, ROUNDS = 5 };

static atomic_uint turn;
static size_t cpus[2];

static void bind_to(size_t cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* Gives the baton away and sleeps until it is back. me: 0 or 1. */
static void pass(unsigned me)
{
    atomic_store(&turn, !me);
    syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    while (atomic_load(&turn) != me)
        syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, !me, NULL, NULL, 0);
}

static void *other(void *cpu)
{
    bind_to(*(size_t *)cpu);
    while (atomic_load(&turn) != 1)
        syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    for (int i = 1; i < SWITCHES / 2; i++)
        pass(1);
    atomic_store(&turn, 0);
    syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return NULL;
}

static double switches(size_t cpu)
{
    pthread_t t;
    atomic_store(&turn, 0);
    bind_to(cpus[0]);
    if (pthread_create(&t, NULL, other, &cpu) != 0)
        exit(1);
    int64_t began = clock_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < SWITCHES / 2; i++)
        pass(0);
    began = clock_ns(CLOCK_MONOTONIC) - began;
    pthread_join(t, NULL);
    return (double)began / SWITCHES;
}

static double processes(void)
{
    int64_t began = clock_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < PROCESSES; i++) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(0);
        if (pid < 0 || waitpid(pid, NULL, 0) != pid)
            exit(1);
    }
    return (double)(clock_ns(CLOCK_MONOTONIC) - began) / PROCESSES / 1e3;
}

int main(void)
{
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    int n = 0;
    for (size_t i = 0; i < CPU_SETSIZE && n < 2; i++)
        if (CPU_ISSET(i, &all))
            cpus[n++] = i;
    for (int i = 0; i < ROUNDS; i++) {
        printf("switch %.0f\n", switches(cpus[0]));
        if (n == 2)
            printf("across %.0f\n", switches(cpus[1]));
        sched_setaffinity(0, sizeof all, &all);
        printf("process %.2f\n", processes());
    }
    return 0;
}
