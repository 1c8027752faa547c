/* When the emulated terminal gives up: a program that sleeps for good hangs, one that works, or waits for a program that works, does not. */
#include "base/wall.h"
#include "t.h"
#include "term.h"

#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void sleeps(void *arg)
{
    (void)arg;
    puts("ready");
    fflush(stdout);
    for (;;)
        pause();
}

static void computes(void *arg)
{
    volatile unsigned n = 0;
    (void)arg;
    puts("ready");
    fflush(stdout);
    for (;;)
        n++;
}

/* Wakes now and then, and does nothing that anybody sees. */
static void naps(void *arg)
{
    (void)arg;
    puts("ready");
    fflush(stdout);
    for (;;)
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

static void waits_for(void (*child)(void *))
{
    pid_t pid = fork();
    if (!pid)
        child(NULL);
    waitpid(pid, NULL, 0);
}

static void waits_for_work(void *arg)
{
    (void)arg;
    waits_for(computes);
}

static void waits_for_a_sleeper(void *arg)
{
    (void)arg;
    waits_for(sleeps);
}

static struct term *start(void (*fn)(void *))
{
    struct term *t = term_start_fn(10, 40, NULL, fn, NULL);
    term_wait(t, "ready");
    return t;
}

/* It is found soon, whatever the machine does meanwhile. */
static void hangs(void (*fn)(void *))
{
    struct term *t = start(fn);
    while (!term_hangs(t, 500))
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    term_free(t);
}

static void works(void (*fn)(void *))
{
    struct term *t = start(fn);
    for (int64_t end = wall_ms() + 1500; wall_ms() < end;) {
        CHECK(!term_hangs(t, 1000));
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    term_free(t);
}

TEST(a_program_that_sleeps_hangs)
{
    if (T_TSAN)
        t_skip("a thread of ThreadSanitizer's runtime never sleeps for long");
    hangs(sleeps);
    hangs(waits_for_a_sleeper);
}

TEST(a_program_that_works_does_not_hang)
{
    works(computes);
    works(naps);
    works(waits_for_work);
}
