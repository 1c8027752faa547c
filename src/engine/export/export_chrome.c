/* Chrome's trace event JSON, which Perfetto, speedscope and browsers open. Process 1 has the Ms, process 2 the Ps, process 3 the queues as counters.
 *
 * Each event is an instant of its M, in category "event". Besides: what runs on each M and P as slices, the states of Gs as asynchronous
 * slices, wake-ups and steals as flows. Times are µs there, and numbers of threads begin with 1: a zero would mean none. */
#include "base/arena.h"
#include "engine/export/export.h"
#include "trace/go/id_table.h"
#include <inttypes.h>
#include <stdlib.h>

enum { MS = 1, PS = 2, QUEUES = 3 };

struct lane {
    uint32_t g;
    bool open, call;
    int64_t since;
};

struct chrome_g {
    uint64_t woken, stolen; /* flows that end when it starts; 0: none */
    uint32_t thief;
    bool lives;
};

struct chrome {
    VEC(struct lane) ms;
    struct lane ps[EV_MAX_P];
    bool named_p[EV_MAX_P];
    VEC(struct chrome_g) gs;
    struct id_table g_of;
    uint64_t flows;
    uint32_t globq, spinning, len[EV_MAX_P];
    int64_t now;
    bool comma;
};

static void head(struct exporter *x, const char *name, const char *cat, const char *ph, int64_t time)
{
    struct chrome *c = x->state;
    export_print(x, "%s{\"name\":", c->comma ? ",\n" : "");
    c->comma = true;
    json_string(name, x->out);
    export_print(x, ",\"cat\":\"%s\",\"ph\":\"%s\",\"ts\":%" PRId64 ".%03d", cat, ph, time / 1000, (int)(time % 1000));
}

static void place(struct exporter *x, int pid, uint32_t id)
{
    export_print(x, ",\"pid\":%d,\"tid\":%" PRIu32, pid, id + 1);
}

static void name_of(struct exporter *x, const char *what, int pid, uint32_t id, const char *name)
{
    head(x, what, "__metadata", "M", 0);
    place(x, pid, id);
    export_print(x, ",\"args\":{\"name\":");
    json_string(name, x->out);
    export_print(x, "}}");
}

static void name_of_m(struct exporter *x, uint32_t m)
{
    char name[24];
    snprintf(name, sizeof name, "M%" PRIu32, m);
    name_of(x, "thread_name", MS, m, name);
}

static bool begin(struct exporter *x)
{
    struct chrome *c = x->state;
    export_print(x, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"name\":");
    json_string(x->info->name, x->out);
    export_print(x, "},\"traceEvents\":[\n");
    name_of(x, "process_name", MS, 0, "M");
    name_of(x, "process_name", PS, 0, "P");
    name_of(x, "process_name", QUEUES, 0, "queues");
    for (uint32_t m = 0; m < c->ms.n; m++)
        name_of_m(x, m);
    return true;
}

static struct lane *lane_of_m(struct exporter *x, uint32_t m)
{
    struct chrome *c = x->state;
    while (c->ms.n <= m) {
        struct lane none = {0};
        if (!vec_push(&c->ms, none))
            return NULL;
        if (x->begun)
            name_of_m(x, (uint32_t)c->ms.n - 1);
    }
    return &c->ms.v[m];
}

static struct chrome_g *g_of(struct chrome *c, uint32_t g)
{
    const uint32_t *at = id_find(&c->g_of, g);
    struct chrome_g none = {0};
    if (at)
        return &c->gs.v[*at];
    if (!id_put(&c->g_of, g, (uint32_t)c->gs.n) || !vec_push(&c->gs, none))
        return NULL;
    return &c->gs.v[c->gs.n - 1];
}

/* ---- slices ---- */

static void close_lane(struct exporter *x, struct lane *l, int pid, uint32_t id, int64_t now)
{
    char name[64], g[EV_G_NAME];
    if (!l->open)
        return;
    l->open = false;
    if (!x->begun)
        return;
    const char *fn = model_fn_name(x->md, l->g);
    snprintf(name, sizeof name, "%s%s%.30s%s", ev_g_name(l->g, g), fn && *fn ? " " : "", fn ? fn : "", l->call ? " (syscall)" : "");
    head(x, name, l->call ? "syscall" : "run", "X", l->since);
    place(x, pid, id);
    export_print(x, ",\"dur\":%" PRId64 ".%03d,\"args\":{\"g\":%" PRIu32 "}}", (now - l->since) / 1000, (int)((now - l->since) % 1000),
                 l->g);
}

static void open_lane(struct lane *l, uint32_t g, bool call, int64_t now)
{
    *l = (struct lane){g, true, call, now};
}

static void flow(struct exporter *x, const char *name, const char *ph, uint64_t id, int pid, uint32_t lane, int64_t time)
{
    head(x, name, name, ph, time);
    place(x, pid, lane);
    export_print(x, ",\"id\":%" PRIu64 "%s}", id, *ph == 'f' ? ",\"bp\":\"e\"" : "");
}

static void life(struct exporter *x, const char *ph, const char *name, uint32_t g, int64_t time)
{
    head(x, name, "g", ph, time);
    place(x, QUEUES, 0);
    export_print(x, ",\"id\":%" PRIu32 "}", g);
}

/* The P of an event, if it has one that can be. */
static struct lane *lane_of_p(struct exporter *x, uint16_t p)
{
    struct chrome *c = x->state;
    char name[16];
    if (p >= EV_MAX_P)
        return NULL;
    if (!c->named_p[p] && x->begun) {
        c->named_p[p] = true;
        snprintf(name, sizeof name, "P%u", p);
        name_of(x, "thread_name", PS, p, name);
    }
    return &c->ps[p];
}

static void ends(struct exporter *x, struct lane *m, const struct merged_event *at)
{
    struct lane *p = lane_of_p(x, at->e->p);
    close_lane(x, m, MS, at->m, at->e->time);
    if (p)
        close_lane(x, p, PS, at->e->p, at->e->time);
}

static void starts(struct exporter *x, struct lane *m, const struct merged_event *at)
{
    struct lane *p = lane_of_p(x, at->e->p);
    ends(x, m, at);
    open_lane(m, at->e->g, false, at->e->time);
    if (p)
        open_lane(p, at->e->g, false, at->e->time);
}

/* ---- the events ---- */

static void g_starts(struct exporter *x, struct chrome_g *g, const struct merged_event *at)
{
    if (x->begun && g->woken)
        flow(x, "wakeup", "f", g->woken, MS, at->m, at->e->time);
    if (x->begun && g->stolen)
        flow(x, "steal", "f", g->stolen, PS, at->e->p, at->e->time);
    g->woken = g->stolen = 0;
}

static bool moves(struct exporter *x, const struct merged_event *at)
{
    struct chrome *c = x->state;
    const struct ev *e = at->e;
    char name[EV_G_NAME];
    if (!lane_of_m(x, at->m))
        return false;
    struct lane *m = &c->ms.v[at->m];
    struct chrome_g *g = e->g ? g_of(c, e->g) : NULL;
    if (e->g && !g)
        return false;
    switch (g ? e->kind : EV_KINDS) { /* all of them are about a G */
    case EV_G_CREATE:
        if (x->begun)
            life(x, "b", ev_g_name(e->g, name), e->g, e->time);
        g->lives = x->begun;
        break;
    case EV_G_READY:
        if (x->begun)
            flow(x, "wakeup", "s", g->woken = ++c->flows, MS, at->m, e->time);
        break;
    case EV_STEAL:
        if (x->begun && e->a < EV_MAX_P && lane_of_p(x, (uint16_t)e->a) && g)
            flow(x, "steal", "s", g->stolen = ++c->flows, PS, e->a, e->time);
        break;
    case EV_G_START:
        starts(x, m, at);
        g_starts(x, g, at);
        break;
    case EV_SYSCALL_EXIT:
        ends(x, m, at);
        if (e->d != EXITSYSCALL_NO_P)
            starts(x, m, at);
        break;
    case EV_SYSCALL_ENTER:
    case EV_SYSCALL_BLOCK:
        ends(x, m, at);
        open_lane(m, e->g, true, e->time);
        break;
    case EV_G_END:
        if (g->lives && x->begun)
            life(x, "e", ev_g_name(e->g, name), e->g, e->time);
        g->lives = false;
        ends(x, m, at);
        break;
    case EV_G_PARK:
    case EV_G_PREEMPT:
    case EV_G_YIELD:
        ends(x, m, at);
        break;
    default:
        break;
    }
    return true;
}

static void counter(struct exporter *x, const char *name, uint32_t *old, uint32_t now, int64_t time)
{
    if (*old == now)
        return;
    *old = now;
    head(x, name, "queue", "C", time);
    place(x, QUEUES, 0);
    export_print(x, ",\"args\":{\"n\":%" PRIu32 "}}", now);
}

static void counters(struct exporter *x, const struct merged_event *at)
{
    struct chrome *c = x->state;
    char name[24];
    const uint32_t *globq;
    uint32_t n = model_np(at->md);
    for (uint32_t p = 0; p < n && p < EV_MAX_P; p++) {
        const struct model_p *of = model_p(at->md, p);
        snprintf(name, sizeof name, "P%" PRIu32 " queue", p);
        counter(x, name, &c->len[p], of->tail - of->head + (of->runnext != 0), at->e->time);
    }
    counter(x, "global queue", &c->globq, model_globq(at->md, &globq), at->e->time);
    counter(x, "spinning Ms", &c->spinning, model_nmspinning(at->md), at->e->time);
}

static bool passes(struct exporter *x, const struct merged_event *at)
{
    return moves(x, at);
}

static bool event(struct exporter *x, const struct merged_event *at)
{
    struct chrome *c = x->state;
    if (!moves(x, at))
        return false;
    c->now = at->e->time;
    head(x, ev_desc[at->e->kind].name, "event", "i", at->e->time);
    place(x, MS, at->m);
    export_print(x, ",\"s\":\"t\",\"args\":");
    export_fields(x, at);
    export_print(x, "}");
    counters(x, at);
    return true;
}

static bool end(struct exporter *x)
{
    struct chrome *c = x->state;
    for (uint32_t m = 0; m < c->ms.n; m++)
        close_lane(x, &c->ms.v[m], MS, m, c->now > c->ms.v[m].since ? c->now : c->ms.v[m].since);
    for (uint32_t p = 0; p < EV_MAX_P; p++)
        close_lane(x, &c->ps[p], PS, p, c->now > c->ps[p].since ? c->now : c->ps[p].since);
    export_print(x, "\n]}\n");
    return true;
}

static void fini(struct exporter *x)
{
    struct chrome *c = x->state;
    vec_free(&c->ms);
    vec_free(&c->gs);
    id_fini(&c->g_of);
}

const struct export_ops export_chrome = {
    .name = "chrome",
    .what = {{"JSON for Perfetto, speedscope and browsers", "供 Perfetto、speedscope 和浏览器读取的 JSON"}},
    .state = sizeof(struct chrome),
    .begin = begin,
    .passes = passes,
    .event = event,
    .end = end,
    .fini = fini};
