/* How long a look back takes, and what the past costs: one run with its history, then random ways through it (README.md).
 *
 *   bench_history [busy|gs] [EVENTS] [BUDGET_MIB]
 */
#include "base/prng.h"
#include "cli/commands.h"
#include "cli/engine.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLES = 2000 };

/* `busy`: few Gs, all kinds of events. `gs`: a great many Gs, all of which run again and again, so that every keyframe is large. */
static const struct { const char *name, *text; } programs[] = {
    {"busy",
     "name: busy\n"
     "scheduler: {gomaxprocs: 4}\n"
     "waitgroups: [wg]\n"
     "mutexes: [mu]\n"
     "channels: [{name: c, buffer: 2}]\n"
     "goroutines:\n"
     "  - name: main\n"
     "    do: [{add: wg, n: 20}, {go: worker, count: 20}, {loop: forever, do: [{recv: c, as: v}, {go: child}]}]\n"
     "  - name: child\n"
     "    do: [{compute: 1us}]\n"
     "  - name: worker\n"
     "    do:\n"
     "      - loop: forever\n"
     "        do: [{compute: 3us}, {lock: mu}, {compute: 1us}, {unlock: mu}, {yield: 1}, {sleep: 20us}, {send: c, value: i}]\n"},
    {"gs",
     "name: gs\n"
     "scheduler: {gomaxprocs: 4}\n"
     "goroutines:\n"
     "  - name: main\n"
     "    do: [{go: worker, count: 200000}, {loop: forever, do: [{yield: 1}]}]\n"
     "  - name: worker\n"
     "    do: [{loop: forever, do: [{yield: 1}]}]\n"},
};

static int64_t clock_ns(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* What others do on the machine is not counted. */
static int64_t cpu(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void report(const char *what, int64_t *ns, int n)
{
    qsort(ns, (size_t)n, sizeof *ns, by_size);
    printf("%-44s p50 %8.3f ms   p99 %8.3f ms   max %8.3f ms\n", what, (double)ns[n / 2] / 1e6, (double)ns[n * 99 / 100] / 1e6,
           (double)ns[n - 1] / 1e6);
}

static struct scenario *load(const char *name)
{
    char path[] = "/tmp/bench-XXXXXX";
    int fd = mkstemp(path);
    struct scenario *sc = NULL;
    struct diag d;
    diag_init(&d, path);
    for (size_t i = 0; fd >= 0 && i < sizeof programs / sizeof *programs; i++)
        if (!strcmp(programs[i].name, name) && write(fd, programs[i].text, strlen(programs[i].text)) > 0)
            sc = scenario_load(path, &d);
    diag_print(&d, stderr);
    diag_fini(&d);
    unlink(path);
    return sc;
}

static void seeks(struct history *h)
{
    static int64_t far[SAMPLES], wall[SAMPLES], copied[SAMPLES], back[SAMPLES];
    struct prng r;
    prng_seed(&r, 1, 1);
    for (int i = 0; i < SAMPLES; i++) {
        struct model *md = NULL;
        uint64_t n = 2 + prng_below(&r, (uint32_t)(history_events(h) - 2));
        int64_t t = cpu(), w = clock_ns(CLOCK_MONOTONIC);
        if (!history_move(h, &md, n))
            printf("state %llu is not reached\n", (unsigned long long)n);
        far[i] = cpu() - t;
        wall[i] = clock_ns(CLOCK_MONOTONIC) - w;
        t = cpu();
        model_free(model_clone(md));
        copied[i] = cpu() - t;
        t = cpu();
        history_move(h, &md, n - 1);
        back[i] = cpu() - t;
        model_free(md);
    }
    report("any state, from nowhere: CPU time", far, SAMPLES);
    report("  on the wall clock", wall, SAMPLES);
    report("one event back from there", back, SAMPLES);
    report("of it, to copy a model and let it go", copied, SAMPLES);
}

static void costs(const struct history *h)
{
    struct history_stats st = history_stats(h);
    double n = (double)history_events(h);
    printf("%.0f events, %u segments, %u in the file, %u keyframes\n", n, st.segments, st.spilled, st.keyframes);
    printf("%.1f MiB in memory (%.1f of them keyframes), %.1f MiB in the file, %.1f bytes an event\n", (double)st.bytes / 1048576,
           (double)st.key_bytes / 1048576, (double)st.file_bytes / 1048576, (double)(st.bytes + st.file_bytes) / n);
}

static struct engine *record(const char *name, uint64_t events, uint64_t history)
{
    char err[200];
    struct scenario *sc = load(name);
    if (!sc)
        return NULL;
    struct engine_config c = {.scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = events, .history = history};
    c.rt.mode = MODE_LOCKSTEP;
    struct engine *e = engine_new(&c, err, sizeof err);
    int64_t t = clock_ns(CLOCK_MONOTONIC);
    if (e)
        engine_drive(e, &(struct drive){.audit = false});
    t = clock_ns(CLOCK_MONOTONIC) - t;
    if (e)
        printf("%s, %llu MiB: %.1f s, %.0f ns an event\n", name, (unsigned long long)history >> 20, (double)t / 1e9,
               (double)t / (double)e->events);
    return e;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "busy";
    uint64_t events = argc > 2 ? strtoull(argv[2], NULL, 10) : 10000000;
    uint64_t budget = argc > 3 ? strtoull(argv[3], NULL, 10) << 20 : HISTORY_BUDGET;
    struct engine *e = record(name, events, budget);
    if (!e || engine_failed(e))
        return fprintf(stderr, "%s\n", e ? e->failure : "not started"), 1;
#ifndef __OPTIMIZE__
    printf("this build is not optimized: its times say nothing\n");
#endif
    if (e->past) {
        seeks(e->past);
        costs(e->past);
    }
    return 0;
}
