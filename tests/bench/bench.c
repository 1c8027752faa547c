/* One row of the benchmark on our runtime, in its own process:
 *
 *   bench_rt ROW PROCS off|on [SCALE]         prints "metric value" lines; bench_rt without arguments: the rows
 *
 * `off`: no event is recorded. `on`: all core events are, and a consumer drains them live. README.md says what the
 * driver (run.sh) makes of many such processes. Each row warms up with a full pass and then measures one. */
#include "bench.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct bench bench = {.procs = 1, .scale = 1};

/* G stacks have no room for stdio, so reports are printed at the end. */
static struct {
    char name[40];
    double value;
} reported[64];
static int nreported;
static struct {
    int64_t wall, cpu;
    uint64_t events;
} began;

int64_t bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t bench_n(int64_t n)
{
    return n / bench.scale > 0 ? n / bench.scale : 1;
}

void bench_report(const char *prefix, const char *name, double value)
{
    if (nreported == sizeof reported / sizeof *reported)
        return;
    strcpy(reported[nreported].name, prefix);
    strcat(reported[nreported].name, name);
    reported[nreported++].value = value;
}

void bench_begin(void)
{
    began.events = log_appended(rt_log(bench.s));
    began.cpu = cpu_now();
    began.wall = bench_now();
}

void bench_end(const char *prefix, int64_t ops)
{
    double wall = (double)(bench_now() - began.wall), cpu = (double)(cpu_now() - began.cpu);
    uint64_t events = log_appended(rt_log(bench.s)) - began.events;
    bench_report(prefix, "wall", wall / (double)ops);
    bench_report(prefix, "cpu", cpu / (double)ops);
    bench_report(prefix, "load", cpu / wall);
    bench_report(prefix, "events", (double)events / (double)ops);
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

void bench_late(int64_t *late, int64_t n)
{
    qsort(late, (size_t)n, sizeof *late, by_size);
    bench_report("", "p50", (double)late[n / 2] / 1000);
    bench_report("", "p99", (double)late[n * 99 / 100] / 1000);
    bench_report("", "max", (double)late[n - 1] / 1000);
}

/* Returns the number after `key` in a small file, or 0. Without stdio, because it is called on G stacks. */
static int64_t file_number(const char *path, const char *key)
{
    static char text[8192];
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = '\0';
    const char *at = strstr(text, key);
    return at ? strtoll(at + strlen(key), NULL, 10) : 0;
}

int64_t bench_memory(void)
{
    return (file_number("/proc/self/status", "VmRSS:") + file_number("/proc/self/status", "VmPTE:")) * 1024;
}

/* ---- one process ------------------------------------------------------------------------------------------------- */

static const struct row *find_row(const char *name)
{
    const struct row *r = bench_rows;
    while (r->name && strcmp(r->name, name) != 0)
        r++;
    return r->name ? r : NULL;
}

static bool start(enum ev_level level)
{
    struct rt_config cfg = {
        .generation = GO1_20,
        .gomaxprocs = bench.procs,
        .runq_size = 256,
        .max_threads = 10000,
        .preempt_slice = 10000000,
        .async_preempt = true,
        .seed = 1,
        .mode = MODE_FREE,
        .main_fn = bench.row->main,
        .level = level,
        .hook = bench.hook};
    bench.s = rt_new(&cfg);
    return bench.s && (!bench.row->prepare || bench.row->prepare(bench.row)) && rt_start(bench.s) == 0;
}

static void nap(int64_t ns)
{
    nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

/* How long the consumer rests after n events: 1 ms, because each look costs the Ms a cache line; longer while no
 * events come. But an M that only hands off fills its ring of 65,536 in that time and would wait, so the rest is no
 * longer than half a ring takes. */
#define REST 1000000
static int64_t rest_after(int64_t rest, int64_t n)
{
    if (n == 0)
        return rest < 4 * REST ? 2 * rest : rest;
    rest = rest * 30000 / n;
    return rest > REST ? REST : rest < REST / 4 ? REST / 4 : rest;
}

/* Runs until the program is over and everything is drained. False: something is wrong, and was reported. */
static bool drive(enum ev_level level)
{
    int64_t rest = REST;
    conductor_run(rt_conductor(bench.s));
    for (;;) {
        int how;
        bool over = rt_ended(bench.s, &how) && conductor_wait_stopped(rt_conductor(bench.s), 0);
        if (level != EV_OFF)
            rest = rest_after(rest, consumer_turn(rt_log(bench.s)));
        const char *wrong = rt_throw_text(bench.s) ? rt_throw_text(bench.s) : consumer_error();
        if (wrong || (over && how != ENDED_MAIN_RETURNED))
            fprintf(stderr, "bench_rt: %s: %s\n", bench.row->name, wrong ? wrong : "the program ended badly");
        if (wrong || over)
            return !wrong && how == ENDED_MAIN_RETURNED;
        if (level == EV_OFF)
            conductor_wait_stopped(rt_conductor(bench.s), 1000);
        else
            nap(rest);
    }
}

static int finish(bool ok)
{
    struct log *log = rt_log(bench.s);
    bench_report("", "appended", (double)log_appended(log));
    bench_report("", "lost", (double)log_lost(log) + (double)(log_appended(log) - log_consumed(log)));
    for (int i = 0; i < nreported; i++)
        printf("%s %.6g\n", reported[i].name, reported[i].value);
    fflush(stdout);
    _exit(ok ? 0 : 1); /* a million Gs need not be freed one by one */
}

static int usage(void)
{
    printf("bench_rt ROW PROCS off|on [SCALE]; rows:");
    for (const struct row *r = bench_rows; r->name; r++)
        printf(" %s", r->name);
    printf("\n");
    return 2;
}

int main(int argc, char **argv)
{
    if (argc < 4 || !(bench.row = find_row(argv[1])))
        return usage();
#ifndef __OPTIMIZE__
    fprintf(stderr, "bench_rt: not optimised: configure with -DCMAKE_BUILD_TYPE=Release\n");
#endif
    bench.procs = (uint32_t)atoi(argv[2]);
    bench.scale = argc > 4 ? atoll(argv[4]) : 1;
    enum ev_level level = strcmp(argv[3], "on") == 0 ? EV_CORE : EV_OFF;
    if (!consumer_init() || !start(level)) {
        fprintf(stderr, "bench_rt: %s cannot be started\n", bench.row->name);
        return 1;
    }
    return finish(drive(level));
}
