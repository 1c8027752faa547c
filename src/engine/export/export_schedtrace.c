/* What GODEBUG=schedtrace=1 prints, in the words of the run's generation: a line for each ms of scenario time, and one for the end. */
#include "engine/export/export.h"
#include <inttypes.h>

enum { PERIOD = 1000000 };

struct schedtrace {
    int64_t next, last;
};

/* Go: schedtrace(). As there, a ring's length is without runnext. */
static void line(struct exporter *x, const struct model *md, int64_t time)
{
    unsigned gen = 1u << x->info->generation;
    const uint32_t *globq, *idlem;
    uint32_t np = model_np(md);
    export_print(x, "SCHED %" PRId64 "ms: gomaxprocs=%u idleprocs=%u threads=%u", time / PERIOD, np, model_npidle(md), model_nm(md));
    if (gen & SINCE(GO1_13))
        export_print(x, " spinningthreads=%u", model_nmspinning(md));
    if (gen & SINCE(GO1_20))
        export_print(x, " needspinning=%d", model_needspinning(md));
    export_print(x, " idlethreads=%u runqueue=%u", model_idlem(md, &idlem), model_globq(md, &globq));
    const char *before = gen & SINCE(GO1_25) ? " [ " : " [", *after = gen & SINCE(GO1_25) ? " ]" : "]";
    for (uint32_t p = 0; p < np; p++)
        export_print(x, "%s%u", p ? " " : before, model_p(md, p)->tail - model_p(md, p)->head);
    export_print(x, "%s", after);
    for (uint32_t p = 0; p < np && gen & SINCE(GO1_25); p++)
        export_print(x, "%s%u", p ? " " : " schedticks=[ ", model_p(md, p)->schedtick);
    export_print(x, "%s\n", gen & SINCE(GO1_25) ? " ]" : "");
}

static bool begin(struct exporter *x)
{
    struct schedtrace *s = x->state;
    s->next = x->md ? (model_time(x->md) / PERIOD + 1) * PERIOD : PERIOD;
    return true;
}

static void pass_time(struct exporter *x, const struct model *md, int64_t time)
{
    struct schedtrace *s = x->state;
    for (; s->next <= time; s->next += PERIOD)
        line(x, md, s->next);
}

static bool event(struct exporter *x, const struct merged_event *at)
{
    ((struct schedtrace *)x->state)->last = at->e->time;
    return true;
}

static bool end(struct exporter *x)
{
    if (x->events)
        line(x, x->md, ((struct schedtrace *)x->state)->last);
    return true;
}

const struct export_ops export_schedtrace = {
    .name = "schedtrace",
    .what = {{"the lines of GODEBUG=schedtrace=1", "GODEBUG=schedtrace=1 的输出"}},
    .state = sizeof(struct schedtrace),
    .needs_p = true,
    .begin = begin,
    .time = pass_time,
    .event = event,
    .end = end};
