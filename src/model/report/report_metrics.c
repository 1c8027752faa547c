/* metrics, /sched/…: figures of the scheduler under the names and with the meaning of Go's package runtime/metrics (1.26). Go samples the latencies of one
 * G in eight; here all count. A figure that the source of the events does not record has no value. */
#include "model/report/report_internal.h"

#include <inttypes.h>
#include <string.h>

/* METRIC(id, name of Go). Counts, then distributions, then CPU times. */
#define METRICS_LIST(X) \
    X(GOMAXPROCS, "/sched/gomaxprocs:threads") \
    X(CREATED, "/sched/goroutines-created:goroutines") \
    X(NOT_IN_GO, "/sched/goroutines/not-in-go:goroutines") \
    X(RUNNABLE, "/sched/goroutines/runnable:goroutines") \
    X(RUNNING, "/sched/goroutines/running:goroutines") \
    X(WAITING, "/sched/goroutines/waiting:goroutines") \
    X(GOROUTINES, "/sched/goroutines:goroutines") \
    X(THREADS, "/sched/threads/total:threads") \
    X(LATENCIES, "/sched/latencies:seconds") \
    X(STOPPING_GC, "/sched/pauses/stopping/gc:seconds") \
    X(STOPPING_OTHER, "/sched/pauses/stopping/other:seconds") \
    X(TOTAL_GC, "/sched/pauses/total/gc:seconds") \
    X(TOTAL_OTHER, "/sched/pauses/total/other:seconds") \
    X(CPU_ASSIST, "/cpu/classes/gc/mark/assist:cpu-seconds") \
    X(CPU_PAUSE, "/cpu/classes/gc/pause:cpu-seconds") \
    X(CPU_IDLE, "/cpu/classes/idle:cpu-seconds") \
    X(CPU_TOTAL, "/cpu/classes/total:cpu-seconds")
enum metric {
#define X(id, name) METRIC_##id,
    METRICS_LIST(X)
#undef X
        METRICS
};
static const char *const names[METRICS] = {
#define X(id, name) [METRIC_##id] = name,
    METRICS_LIST(X)
#undef X
};

struct spread {
    bool known;
    uint64_t n;
    int64_t sum, max;
};
struct metrics_report {
    struct report base;
    int only; /* enum metric; METRICS: all */
    bool begun, ps_unknown;
    int64_t last, np, idle; /* the time of the last event, and the Ps after it */
    int64_t cpu, cpu_idle, cpu_pause, assist;
    int64_t stop_began; /* -1: the world runs */
    bool of_gc;
    struct spread stopping[2], total[2]; /* [1]: of the collector */
};

static void add(struct spread *s, int64_t ns)
{
    s->n++;
    s->sum += ns;
    s->max = ns > s->max ? ns : s->max;
}

static void pass_time(struct metrics_report *s, int64_t now)
{
    int64_t dt = s->begun && now > s->last ? now - s->last : 0;
    s->cpu += dt * s->np;
    s->cpu_idle += dt * s->idle;
    s->ps_unknown |= dt && s->idle < 0;
    s->last = now > s->last ? now : s->last;
}

static void event(struct report *r, const struct merged_event *at)
{
    struct metrics_report *s = (struct metrics_report *)r;
    const struct ev *e = at->e;
    pass_time(s, model_time(at->md));
    s->begun = true;
    s->idle = report_idle_ps(at->md);
    s->np = s->idle < 0 ? 0 : model_np(at->md);
    if (e->kind == EV_STW_START) {
        s->stop_began = e->time;
        s->of_gc = e->a == STW_GC;
    } else if (e->kind == EV_P_GCSTOP && e->d == 0 && s->stop_began >= 0) {
        add(&s->stopping[s->of_gc], e->time - s->stop_began);
    } else if (e->kind == EV_STW_END && s->stop_began >= 0) {
        add(&s->total[s->of_gc], e->time - s->stop_began);
        s->cpu_pause += s->of_gc ? (e->time - s->stop_began) * s->np : 0;
        s->stop_began = -1;
    } else if (e->kind == EV_GC_ASSIST) {
        s->assist += ev_cd(e);
    }
}

/* ---- reading ---- */

/* A value; unknown: v is negative. of: a distribution, whose v is its number of samples. */
struct figure {
    int64_t v;
    bool spread, cpu, median; /* median: p50 and p99 are known */
    int64_t p50, p99, max;
};

static bool is_of_runtime(const struct model *md, uint32_t g)
{
    const char *fn = model_fn_name(md, g);
    return ev_is_system_g(g) || (fn && !strncmp(fn, "runtime.", 8) && strcmp(fn, "runtime.main") != 0);
}

/* Counts the live Gs of the program in these states. Go does not count those of the runtime, which only a function that is known tells. */
static int64_t live(const struct model *md, unsigned states)
{
    int64_t n = 0;
    for (uint32_t g = model_next_live(md, 0); g; g = model_next_live(md, g)) {
        uint32_t status = model_g(md, g)->status;
        if (status == G_UNKNOWN || (model_knows(md, KNOW_G_FN, g) == KNOWN_NOT && !ev_is_system_g(g)))
            return -1;
        n += states >> status & 1 && !is_of_runtime(md, g);
    }
    return n;
}

static int64_t threads(const struct model *md)
{
    int64_t n = 0;
    for (uint32_t m = 0; m < model_nm(md); m++)
        n += model_m(md, m)->started && !model_m(md, m)->exited;
    return model_is_partial(md) ? -1 : n;
}

static struct figure spread_of(const struct spread *s, bool known)
{
    return (struct figure){.v = known ? (int64_t)s->n : -1, .spread = true, .max = s->max};
}

static struct figure latencies(const struct model *md)
{
    struct figure f = {.spread = true, .median = true};
    uint64_t bin[WAIT_BINS];
    if (model_knows(md, KNOW_WAITS, 0) == KNOWN_NOT)
        return (struct figure){.v = -1};
    f.v = (int64_t)model_waits(md, bin);
    model_latency(md, &f.p50, &f.p99, &f.max);
    return f;
}

static struct figure read_figure(struct metrics_report *s, const struct model *md, enum metric what)
{
    enum { LIVE = 1u << G_RUNNABLE | 1u << G_RUNNING | 1u << G_SYSCALL | 1u << G_WAITING };
    bool partial = model_is_partial(md), no_cpu = s->ps_unknown || !s->np;
    pass_time(s, model_time(md));
    switch (what) {
    case METRIC_GOMAXPROCS:
        return (struct figure){.v = s->np ? s->np : -1};
    case METRIC_CREATED:
        return (struct figure){.v = partial ? -1 : (int64_t)model_counters(md)->goroutines};
    case METRIC_NOT_IN_GO:
        return (struct figure){.v = live(md, 1u << G_SYSCALL)};
    case METRIC_RUNNABLE:
        return (struct figure){.v = live(md, 1u << G_RUNNABLE)};
    case METRIC_RUNNING:
        return (struct figure){.v = live(md, 1u << G_RUNNING)};
    case METRIC_WAITING:
        return (struct figure){.v = live(md, 1u << G_WAITING)};
    case METRIC_GOROUTINES:
        return (struct figure){.v = live(md, LIVE)};
    case METRIC_THREADS:
        return (struct figure){.v = threads(md)};
    case METRIC_LATENCIES:
        return latencies(md);
    case METRIC_STOPPING_GC:
    case METRIC_STOPPING_OTHER: /* a trace does not say when all Ps have stopped */
        return spread_of(&s->stopping[what == METRIC_STOPPING_GC], !partial && s->np);
    case METRIC_TOTAL_GC:
    case METRIC_TOTAL_OTHER:
        return spread_of(&s->total[what == METRIC_TOTAL_GC], true);
    case METRIC_CPU_ASSIST:
        return (struct figure){.v = partial ? -1 : s->assist, .cpu = true}; /* a trace counts the waits in an assist, too */
    case METRIC_CPU_PAUSE:
        return (struct figure){.v = no_cpu ? -1 : s->cpu_pause, .cpu = true};
    case METRIC_CPU_IDLE:
        return (struct figure){.v = no_cpu ? -1 : s->cpu_idle, .cpu = true};
    default:
        return (struct figure){.v = no_cpu ? -1 : s->cpu, .cpu = true};
    }
}

static void figure_text(const struct figure *f, enum lang lang, char *buf, size_t size)
{
    char p50[32], p99[32], max[32];
    duration_text(f->max, max, sizeof max);
    if (f->v < 0)
        snprintf(buf, size, "?");
    else if (f->cpu)
        snprintf(buf, size, "%.9f", (double)f->v / 1e9);
    else if (f->spread && f->median)
        snprintf(buf, size, report_text(RT_METRIC_SPREAD, "%lld%s%s%s", lang), (long long)f->v, duration_text(f->p50, p50, sizeof p50),
                 duration_text(f->p99, p99, sizeof p99), max);
    else if (f->spread)
        snprintf(buf, size, report_text(RT_METRIC_MAX, "%lld%s", lang), (long long)f->v, max);
    else
        snprintf(buf, size, "%lld", (long long)f->v);
}

static void rows(struct report *r, const struct model *md, enum lang lang, struct report_rows *out)
{
    struct metrics_report *s = (struct metrics_report *)r;
    char text[120];
    if (s->only == METRICS)
        report_add(out, 0, -1, "%s", report_text(RT_METRIC_HEAD, "", lang));
    for (int i = 0; i < METRICS; i++) {
        if (s->only != METRICS && s->only != i)
            continue;
        struct figure f = read_figure(s, md, (enum metric)i);
        figure_text(&f, lang, text, sizeof text);
        report_add(out, 0, -1, s->only == METRICS ? "%-44s %s" : "%.0s%s", names[i], text);
    }
}

static void json(struct report *r, const struct model *md, FILE *out)
{
    struct metrics_report *s = (struct metrics_report *)r;
    const char *comma = "{";
    for (int i = 0; i < METRICS; i++) {
        if (s->only != METRICS && s->only != i)
            continue;
        struct figure f = read_figure(s, md, (enum metric)i);
        fprintf(out, "%s\"%s\":", comma, names[i]);
        comma = ",";
        if (f.v < 0)
            fputs("null", out);
        else if (f.cpu)
            fprintf(out, "%.9f", (double)f.v / 1e9);
        else if (f.spread && f.median)
            fprintf(out, "{\"n\":%" PRId64 ",\"p50_ns\":%" PRId64 ",\"p99_ns\":%" PRId64 ",\"max_ns\":%" PRId64 "}", f.v, f.p50, f.p99,
                    f.max);
        else if (f.spread)
            fprintf(out, "{\"n\":%" PRId64 ",\"max_ns\":%" PRId64 "}", f.v, f.max);
        else
            fprintf(out, "%" PRId64, f.v);
    }
    fputs("}", out);
}

int report_metric(const char *word, size_t len)
{
    for (int i = 0; i < METRICS; i++)
        if (strlen(names[i]) == len && !memcmp(names[i], word, len))
            return i;
    return -1;
}

static void begin(struct report *r, const struct report_asked *asked)
{
    struct metrics_report *s = (struct metrics_report *)r;
    s->only = asked->metric < 0 ? METRICS : asked->metric;
    s->stop_began = -1;
}

static bool is_empty(const struct report *r)
{
    return !((const struct metrics_report *)r)->begun;
}

static void fini(struct report *r)
{
    (void)r;
}

const struct report_ops report_metrics = {
    .bytes = sizeof(struct metrics_report),
    .states = true,
    .begin = begin,
    .event = event,
    .rows = rows,
    .json = json,
    .is_empty = is_empty,
    .fini = fini,
};
