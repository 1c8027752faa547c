/* A Go execution trace in the form of Go 1.22, which every later reader takes: one generation, a stream of batches for each M, then the tables of strings
 * and stacks. Go's reader puts the streams in order by the numbers that it keeps of each G and P; go_order.h reads the same form.
 *
 * With --go 1.19 it is version 1: the events that would be written become those of gotrace_old.c.
 *
 * What Go does not record (steals, batches, Gs that are kicked out of runnext, overflows) are log marks. Such a mark needs a running G: it stands behind
 * the start of the G to which it led. */
#include "engine/export/gotrace_internal.h"
#include <stdlib.h>
#include <string.h>

/* ---- the streams ---- */

static void write_batch(struct exporter *x, uint64_t m, int64_t time, const struct export_buf *data)
{
    struct export_buf head = {0};
    export_varint(&head, GO_EVENT_BATCH);
    export_varint(&head, 1);
    export_varint(&head, m);
    export_varint(&head, (uint64_t)time);
    export_varint(&head, data->n);
    export_bytes(x, head.v, head.n);
    export_bytes(x, data->v, data->n);
    vec_free(&head);
}

static void flush(struct exporter *x, uint32_t m)
{
    struct trace_m *of = &((struct gotrace *)x->state)->ms.v[m];
    if (of->batch.data.n)
        write_batch(x, m, of->batch.begins, &of->batch.data);
    of->batch.data.n = 0;
}

/* Adds an event to an M's stream. Before the range only the state is followed. */
static void put(struct exporter *x, uint32_t m, enum go_kind kind, const uint64_t arg[GOTRACE_ARGS])
{
    struct gotrace *t = x->state;
    if (!x->begun || x->old) {
        if (x->begun)
            gotrace_old_put(x, m, kind, arg);
        return;
    }
    struct trace_batch *of = &t->ms.v[m].batch;
    if (of->data.n > BATCH_FULL)
        flush(x, m);
    if (!of->data.n)
        of->begins = of->last = t->now;
    export_varint(&of->data, kind);
    export_varint(&of->data, (uint64_t)(t->now - of->last));
    for (int i = 0; i < go_args[kind]; i++)
        t->lacks |= !export_varint(&of->data, arg[i]);
    of->last = t->now;
}
#define PUT(x, m, kind, ...) put(x, m, kind, (const uint64_t[GOTRACE_ARGS]){__VA_ARGS__})

static bool reach_m(struct gotrace *t, uint32_t m)
{
    struct trace_m none = {.p = NOBODY};
    while (t->ms.n <= m)
        if (!vec_push(&t->ms, none))
            return false;
    return true;
}

static struct trace_g *g_of(struct gotrace *t, uint32_t g)
{
    const uint32_t *at = id_find(&t->g_of, g);
    struct trace_g none = {.id = g};
    if (at)
        return &t->gs.v[*at];
    if (!id_put(&t->g_of, g, (uint32_t)t->gs.n) || !vec_push(&t->gs, none))
        return NULL;
    return &t->gs.v[t->gs.n - 1];
}

/* ---- Ps ---- */

/* The P leaves its M, if it has one; `by` sees to it. */
static void lose(struct exporter *x, uint32_t p, uint32_t by)
{
    struct gotrace *t = x->state;
    if (p >= EV_MAX_P || t->p[p].status == P_NEW || t->p[p].status == P_STOPPED)
        return;
    uint32_t m = t->p[p].m;
    if (t->p[p].status == P_IN_CALL && m != by)
        PUT(x, by, GO_PROC_STEAL, p, ++t->p[p].seq, m);
    else
        PUT(x, m, GO_PROC_STOP, 0);
    t->p[p].status = P_STOPPED;
    t->ms.v[m].p = NOBODY;
}

/* The M has this P from now on. */
static void have(struct exporter *x, uint32_t m, uint32_t p)
{
    struct gotrace *t = x->state;
    if (p >= EV_MAX_P || t->ms.v[m].p == (int32_t)p)
        return;
    if (t->ms.v[m].p != NOBODY)
        lose(x, (uint32_t)t->ms.v[m].p, m);
    lose(x, p, m);
    if (t->p[p].status == P_NEW)
        PUT(x, m, GO_PROC_STATUS, p, P_STOPPED);
    PUT(x, m, GO_PROC_START, p, ++t->p[p].seq);
    t->p[p].status = P_RUNS;
    t->p[p].m = m;
    t->ms.v[m].p = (int32_t)p;
}

/* ---- Gs ---- */

static bool runs(const struct gotrace *t, uint32_t m, const struct trace_g *g)
{
    return g && g->status == G_RUNNING && t->ms.v[m].g == g->id && t->ms.v[m].p != NOBODY;
}

static void mark(struct exporter *x, uint32_t m, uint32_t string)
{
    struct gotrace *t = x->state;
    const struct trace_g *g = t->ms.v[m].g ? g_of(t, t->ms.v[m].g) : NULL;
    if (!string)
        t->lacks = true;
    else if (runs(t, m, g))
        PUT(x, m, GO_USER_LOG, 0, t->t.sched, string, gotrace_stack(&t->t, x->md, g->id));
    else
        t->lacks |= !vec_push(&t->ms.v[m].marks, string);
}

/* How many Ps there are. It also needs a running G, which the first time is not there yet. */
static void say_procs(struct exporter *x, uint32_t m)
{
    struct gotrace *t = x->state;
    if (t->procs && runs(t, m, g_of(t, t->ms.v[m].g)))
        PUT(x, m, GO_PROCS_CHANGE, t->procs, 0), t->procs = 0;
}

static void start(struct exporter *x, uint32_t m, struct trace_g *g)
{
    struct gotrace *t = x->state;
    struct trace_m *of = &t->ms.v[m];
    PUT(x, m, GO_GO_START, g->id, ++g->seq);
    g->status = G_RUNNING;
    g->m = m;
    of->g = g->id;
    say_procs(x, m);
    for (size_t i = 0; i < of->marks.n; i++)
        mark(x, m, of->marks.v[i]);
    of->marks.n = 0;
}

static void stop(struct exporter *x, const struct merged_event *at, struct trace_g *g)
{
    struct gotrace *t = x->state;
    const struct ev *e = at->e;
    if (!runs(t, at->m, g))
        return;
    uint32_t stack = gotrace_stack(&t->t, at->md, g->id);
    if (e->kind == EV_G_END)
        PUT(x, at->m, GO_GO_DESTROY, 0);
    else if (e->kind == EV_G_PARK)
        PUT(x, at->m, GO_GO_BLOCK, x->old ? e->b & 0xffff : gotrace_reason(&t->t, e->b & 0xffff), stack);
    else
        PUT(x, at->m, GO_GO_STOP, e->kind == EV_G_YIELD ? t->t.gosched : t->t.preempted, stack);
    g->status = e->kind == EV_G_END ? 0 : e->kind == EV_G_PARK ? G_WAITING : G_RUNNABLE;
    t->ms.v[at->m].g = 0;
}

static void create(struct exporter *x, const struct merged_event *at, struct trace_g *g)
{
    struct gotrace *t = x->state;
    uint32_t by = at->e->a, m = at->m, stack = by ? gotrace_stack(&t->t, at->md, by) : 0, begins = gotrace_root(&t->t, at->e->b);
    if (!g || g->status)
        return;
    if (t->ms.v[m].p != NOBODY || x->old) {
        PUT(x, m, GO_GO_CREATE, g->id, begins, stack);
    } else { /* by an M without a P, as none of Go's is: it was there already, and waited */
        PUT(x, m, GO_GO_STATUS, g->id, GO_NO_THREAD, G_WAITING);
        PUT(x, m, GO_GO_UNBLOCK, g->id, ++g->seq, stack);
    }
    g->status = G_RUNNABLE;
}

/* ---- system calls ---- */

static void enter(struct exporter *x, const struct merged_event *at, struct trace_g *g)
{
    struct gotrace *t = x->state;
    if (!runs(t, at->m, g))
        return;
    int32_t p = t->ms.v[at->m].p;
    PUT(x, at->m, GO_GO_SYSCALL_BEGIN, ++t->p[p].seq, gotrace_stack(&t->t, at->md, g->id));
    g->status = G_SYSCALL;
    t->p[p].status = P_IN_CALL;
}

static void leave(struct exporter *x, const struct merged_event *at, struct trace_g *g)
{
    struct gotrace *t = x->state;
    struct trace_m *m = &t->ms.v[at->m];
    bool has_p = at->e->d != EXITSYSCALL_NO_P && at->e->p != EV_NO_P;
    if (!g || g->status != G_SYSCALL || m->g != g->id)
        return;
    if (has_p && m->p == (int32_t)at->e->p && t->p[m->p].status == P_IN_CALL) {
        PUT(x, at->m, GO_GO_SYSCALL_END, 0);
        t->p[m->p].status = P_RUNS;
        g->status = G_RUNNING;
        return;
    }
    if (m->p != NOBODY && t->p[m->p].status == P_IN_CALL)
        lose(x, (uint32_t)m->p, at->m);
    if (has_p)
        have(x, at->m, at->e->p);
    PUT(x, at->m, GO_GO_SYSCALL_END_BLOCKED, 0);
    g->status = G_RUNNABLE;
    m->g = 0;
    if (has_p)
        start(x, at->m, g);
}

/* ---- the world ---- */

static void world(struct exporter *x, const struct merged_event *at)
{
    struct gotrace *t = x->state;
    const struct ev *e = at->e;
    struct trace_m *m = &t->ms.v[at->m];
    const struct trace_g *g = m->g ? g_of(t, m->g) : NULL;
    uint32_t stack = g ? gotrace_stack(&t->t, at->md, g->id) : 0;
    bool can = runs(t, at->m, g), begins = e->kind == EV_GC_PHASE && e->a == GCPHASE_MARK, old = x->old;
    enum gc_phase_kind phase = model_world(at->md).phase;
    if (e->kind == EV_STW_START && can && (!old || e->a == STW_GC)) {
        PUT(x, at->m, GO_STW_BEGIN, old ? phase == GCPHASE_OFF : gotrace_stw(&t->t, e->a, phase), stack);
        t->stopper = x->begun ? g->id : 0;
    } else if (e->kind == EV_STW_END && can && t->stopper == g->id) {
        PUT(x, at->m, GO_STW_END, 0);
        t->stopper = 0;
    } else if (begins && can && !t->collects) {
        PUT(x, at->m, GO_GC_BEGIN, t->cycles, stack);
        t->cycles += x->begun;
        t->collects = x->begun;
    } else if (e->kind == EV_GC_PHASE && e->a == GCPHASE_OFF && can && t->collects) {
        PUT(x, at->m, GO_GC_END, t->cycles++);
        t->collects = false;
    } else {
        x->left_out += x->begun && (e->kind != EV_GC_PHASE || e->a != GCPHASE_MARK_TERMINATION);
    }
}

/* ---- the events ---- */

/* Marks what Go does not record. */
static void decide(struct exporter *x, const struct merged_event *at)
{
    struct gotrace *t = x->state;
    const struct ev *e = at->e;
    if (e->kind == EV_STEAL)
        mark(x, at->m, gotrace_mark(&t->t, MARK_STEAL, e->b >> 1, e->a));
    else if (e->kind == EV_GLOBQ_GET)
        mark(x, at->m, gotrace_mark(&t->t, MARK_BATCH, e->a, 0));
    else if (e->kind == EV_RUNNEXT_PUT && e->a)
        mark(x, at->m, gotrace_mark(&t->t, MARK_KICK, e->a, e->g));
    else if (e->kind == EV_RUNQ_OVERFLOW)
        mark(x, at->m, gotrace_mark(&t->t, MARK_OVERFLOW, e->a, 0));
}

/* Is the P of these events that of their M? Of others it is the P that they are about. */
static bool has_own_p(const struct ev *e)
{
    switch (e->kind) {
    case EV_G_CREATE:
    case EV_G_START:
    case EV_G_END:
    case EV_G_PARK:
    case EV_G_PREEMPT:
    case EV_G_YIELD:
    case EV_SYSCALL_ENTER:
    case EV_SYSCALL_BLOCK:
    case EV_P_ACQUIRE:
    case EV_PROCRESIZE:
        return e->p != EV_NO_P;
    default:
        return false;
    }
}

static bool passes(struct exporter *x, const struct merged_event *at)
{
    struct gotrace *t = x->state;
    const struct ev *e = at->e;
    t->now = e->time + 1 > t->now ? e->time + 1 : t->now;
    struct trace_g *g = e->g ? g_of(t, e->g) : NULL;
    if ((!t->t.info && !gotrace_tables_init(&t->t, x->info)) || !reach_m(t, at->m) || (e->g && !g))
        return false;
    if (has_own_p(e))
        have(x, at->m, e->p);
    switch (e->kind) {
    case EV_PROCRESIZE:
        t->procs = e->b;
        if (t->ms.v[at->m].g)
            say_procs(x, at->m);
        break;
    case EV_P_RELEASE:
    case EV_RETAKE:
    case EV_P_DESTROY:
        lose(x, e->p, at->m);
        break;
    case EV_P_GCSTOP:
        if (e->c != GCSTOP_STOPPER)
            lose(x, e->p, at->m);
        break;
    case EV_G_CREATE:
        create(x, at, g);
        break;
    case EV_G_START:
        if (g && g->status == G_RUNNABLE)
            start(x, at->m, g);
        break;
    case EV_G_END:
    case EV_G_PARK:
    case EV_G_PREEMPT:
    case EV_G_YIELD:
        stop(x, at, g);
        break;
    case EV_G_READY:
        if (!g || g->status != G_WAITING)
            break;
        PUT(x, at->m, GO_GO_UNBLOCK, e->g, ++g->seq, e->b ? gotrace_stack(&t->t, at->md, e->b) : 0);
        g->status = G_RUNNABLE;
        break;
    case EV_SYSCALL_ENTER:
    case EV_SYSCALL_BLOCK:
        enter(x, at, g);
        break;
    case EV_SYSCALL_EXIT:
        leave(x, at, g);
        break;
    case EV_STW_START:
    case EV_STW_END:
    case EV_GC_PHASE:
        world(x, at);
        break;
    default:
        break;
    }
    return !t->lacks && !t->t.lacks;
}

static bool event(struct exporter *x, const struct merged_event *at)
{
    if (!passes(x, at))
        return false;
    decide(x, at);
    return true;
}

/* ---- begin and end ---- */

/* What there is where the range begins: each P and G has a state before its first event. */
static bool begin(struct exporter *x)
{
    struct gotrace *t = x->state;
    bool old = x->old;
    if (old ? !gotrace_old_begin(x) : (export_bytes(x, "go 1.22 trace\0\0", 16), false))
        return false;
    x->begun = true; /* for put() */
    t->now = x->md ? model_time(x->md) + 1 : 1;
    for (uint32_t p = 0; p < EV_MAX_P; p++)
        if (t->p[p].status != P_NEW)
            PUT(x, t->p[p].status == P_STOPPED ? 0 : t->p[p].m, GO_PROC_STATUS, p, t->p[p].status), t->p[p].seq = 0;
    for (size_t i = 0; i < t->gs.n; i++) {
        struct trace_g *g = &t->gs.v[i];
        bool on_m = g->status == G_RUNNING || g->status == G_SYSCALL;
        if (g->status)
            PUT(x, on_m ? g->m : 0, GO_GO_STATUS, g->id, on_m ? g->m : GO_NO_THREAD, g->status);
        g->seq = 0;
    }
    if (old) /* it ends what is there when a trace of version 1 begins */
        PUT(x, 0, GO_PROCS_CHANGE, x->md && model_np(x->md) ? model_np(x->md) : x->info->procs ? x->info->procs : 1, 0);
    return !t->lacks;
}

static bool end(struct exporter *x)
{
    struct gotrace *t = x->state;
    struct export_buf data = {0};
    for (uint32_t m = 0; m < t->ms.n; m++) {
        x->left_out += t->ms.v[m].marks.n;
        flush(x, m);
    }
    if (x->old)
        return (t->t.info || gotrace_tables_init(&t->t, x->info)) && gotrace_old_end(x);
    bool good =
        (t->t.info || gotrace_tables_init(&t->t, x->info)) && export_varint(&data, GO_FREQUENCY) && export_varint(&data, 1000000000);
    write_batch(x, GO_NO_THREAD, t->now, &data);
    for (int which = 0; which < 2; which++)
        for (size_t from = 0; good && gotrace_table(&t->t, which, &from, &data);)
            write_batch(x, GO_NO_THREAD, t->now, &data);
    vec_free(&data);
    return good && !t->t.lacks;
}

static void fini(struct exporter *x)
{
    struct gotrace *t = x->state;
    for (size_t m = 0; m < t->ms.n; m++) {
        vec_free(&t->ms.v[m].batch.data);
        vec_free(&t->ms.v[m].marks);
    }
    vec_free(&t->ms);
    vec_free(&t->gs);
    id_fini(&t->g_of);
    gotrace_tables_fini(&t->t);
    gotrace_old_fini(t);
}

const struct export_ops export_gotrace = {
    .name = "gotrace",
    .what = {{"an execution trace for go tool trace", "供 go tool trace 读取的执行跟踪"}},
    .state = sizeof(struct gotrace),
    .needs_p = true,
    .places = true,
    .begin = begin,
    .passes = passes,
    .event = event,
    .end = end,
    .fini = fini};
