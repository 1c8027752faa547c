/* How long it takes to go back and to answer queries, and what the history costs: one run with its history, then random ways through it
 * (README.md).
 *
 *   bench_history [busy|gs|FILE] [EVENTS] [BUDGET_MIB] [fold]
 *
 * FILE: a scenario's path from the bench's scenarios, which runs in free mode. fold: only what it costs to fold and keep. */
#include "base/prng.h"
#include "bench/common.h"
#include "cli/commands.h"
#include "engine/engine.h"
#include "model/query/pattern.h"
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 2000 };

/* CPU time, so that other programs on the machine do not count. */
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

/* Timelines of the whole run and of a hundredth of it, and the next hundred events of an M. */
static void queries(struct history *h)
{
    static int64_t all[20], part[SAMPLES], chain[SAMPLES];
    struct history_bins b;
    struct prng r;
    struct history_event last;
    uint64_t n = history_events(h);
    prng_seed(&r, 1, 2);
    if (!history_get(h, n, &last))
        return;
    for (int i = 0; i < 20; i++) {
        int64_t t = cpu();
        if (!(i % 2 ? history_bins_by_event(h, 0, n, 200, &b) : history_bins_by_time(h, 0, last.ev.time, 200, &b)))
            printf("no bins\n");
        all[i] = cpu() - t;
        history_bins_free(&b);
    }
    for (int i = 0; i < SAMPLES; i++) {
        uint64_t from = prng_below(&r, (uint32_t)(n - n / 100)), at = from + 1;
        struct history_subject s = {SUBJECT_M, prng_below(&r, 4), 0};
        int64_t t = cpu();
        if (!history_bins_by_event(h, from, from + n / 100, 200, &b))
            printf("no bins\n");
        part[i] = cpu() - t;
        history_bins_free(&b);
        t = cpu();
        for (int k = 0; k < 100 && at; k++)
            at = history_chain(h, &s, at + (k > 0), UINT64_MAX, 1);
        chain[i] = cpu() - t;
    }
    report("200 bins of the whole run", all, 20);
    report("200 bins of a hundredth of it", part, SAMPLES);
    report("100 events of an M", chain, SAMPLES);
}

static bool matches(void *ctx, const struct history_event *e)
{
    return pattern_event(ctx, e->m, &e->ev, e->text, e->len);
}

/* One search through the whole history, as `[` makes it. Parts of the history come from the file. */
static void search(struct history *h, const char *text)
{
    struct arena a = {0};
    const char *err;
    size_t pos;
    bool kinds[EV_KINDS] = {false};
    uint64_t at = history_events(h), found = 0, n = at;
    struct pattern *p = pattern_compile(&a, text, &err, &pos);
    int64_t t = clock_ns(CLOCK_MONOTONIC), used = cpu(), piece = 0, longest = 0;
    if (!p)
        return;
    pattern_kinds(p, kinds);
    while (!found && at) {
        piece = clock_ns(CLOCK_MONOTONIC);
        found = history_search(h, at, -1, &(struct history_search){matches, p, kinds, 1 << 20}, &at);
        piece = clock_ns(CLOCK_MONOTONIC) - piece;
        longest = piece > longest ? piece : longest;
    }
    t = clock_ns(CLOCK_MONOTONIC) - t;
    used = cpu() - used;
    printf("search for %-33s %.0f million events a second of CPU time, %.0f of the wall clock, longest piece %.1f ms%s\n", text,
           (double)(n - found) / (double)used * 1e3, (double)(n - found) / (double)t * 1e3, (double)longest / 1e6, found ? ", found" : "");
    arena_fini(&a);
}

/* Nothing matches: a rare kind, a frequent kind, any kind, several tests. */
static void searches(struct history *h)
{
    search(h, "deadlock");
    search(h, "g_start g=999999");
    search(h, "* g=999999");
    search(h, "g_* g=999999 | runq_* g=999999 | steal n>200");
}

enum { BATCH = 4096 };
struct batch {
    struct ev ev[BATCH];
    uint32_t m[BATCH], n;
};

static void read_batch(struct history *h, uint64_t from, struct batch *b)
{
    struct history_event e;
    for (b->n = 0; b->n < BATCH && history_get(h, from + b->n, &e); b->n++) {
        b->ev[b->n] = e.ev;
        b->m[b->n] = e.m;
    }
}

/* As the engine takes records (engine.c). */
static bool fold_batch(struct model *md, struct history *copy, const struct batch *b)
{
    for (uint32_t i = 0, n; i < b->n; i += n) {
        for (n = 1; n < 8 && i + n < b->n && b->m[i + n] == b->m[i] && b->ev[i + n].time == b->ev[i].time;)
            n++;
        if (copy && !history_takes(copy, n))
            n = 1;
        if (model_offer_record(md, b->m[i], &b->ev[i], &n) || (copy && !history_add_record(copy, md, b->m[i], &b->ev[i], n)))
            return false;
    }
    return true;
}

/* Folds all events again, into another history if `keep`: the CPU time of what the consumer does for each, apart from the merge. */
static void refold(struct history *h, bool keep)
{
    struct model *md = NULL;
    static struct batch b;
    int64_t ns = 0;
    if (!history_move(h, &md, 0))
        return;
    struct history *copy = keep ? history_new(md, &(struct history_config){.budget = HISTORY_BUDGET}) : NULL;
    for (uint64_t n = 1; n <= history_events(h) && (read_batch(h, n, &b), b.n); n += b.n) {
        int64_t t = cpu();
        if (!fold_batch(md, copy, &b))
            printf("not folded\n");
        ns += cpu() - t;
    }
    printf("%-44s %.1f ns an event\n", keep ? "to fold and keep an event" : "to fold an event", (double)ns / (double)history_events(h));
    history_free(copy);
    model_free(md);
}

static void costs(const struct history *h)
{
    struct history_stats st = history_stats(h);
    double n = (double)history_events(h);
    printf("%.0f events, %u segments, %u in the file, %u keyframes\n", n, st.segments, st.spilled, st.keyframes);
    printf("%.1f MiB in memory (%.1f of them keyframes), %.1f MiB in the file, %.1f bytes an event, %.2f of them for queries\n",
           (double)st.bytes / 1048576, (double)st.key_bytes / 1048576, (double)st.file_bytes / 1048576,
           (double)(st.bytes + st.file_bytes) / n, (double)st.query_bytes / n);
}

static struct engine *record(const char *name, uint64_t events, uint64_t history)
{
    char err[200];
    struct scenario *sc = program_load(name);
    if (!sc)
        return NULL;
    struct engine_config c = {.scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = events, .history = history};
    c.rt.mode = strchr(name, '/') ? MODE_FREE : MODE_LOCKSTEP;
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
        for (int i = 0; i < (argc > 4 ? 20 : 2); i++)
            refold(e->history, i % 2);
    }
    if (e->history && argc <= 4) {
        seeks(e->history);
        queries(e->history);
        searches(e->history);
        costs(e->history);
    }
    return 0;
}
