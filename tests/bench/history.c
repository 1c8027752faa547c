/* How long a look back takes, and what the past costs: one run with its history, then random ways through it (README.md).
 *
 *   bench_history [busy|gs] [EVENTS] [BUDGET_MIB]
 */
#include "base/prng.h"
#include "bench/common.h"
#include "cli/commands.h"
#include "engine/engine.h"
#include <stdlib.h>

enum { SAMPLES = 2000 };

/* What others do on the machine is not counted. */
static int64_t cpu(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void report(const char *what, int64_t *ns, int n)
{
    qsort(ns, (size_t)n, sizeof *ns, by_size);
    printf("%-44s p50 %8.3f ms   p99 %8.3f ms   max %8.3f ms\n", what, (double)ns[n / 2] / 1e6, (double)ns[n * 99 / 100] / 1e6,
           (double)ns[n - 1] / 1e6);
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
    struct scenario *sc = program_load(name);
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
    if (e->history) {
        seeks(e->history);
        costs(e->history);
    }
    return 0;
}
