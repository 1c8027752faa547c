/* A Go execution trace in the form of Go 1.19 (version 1), for its `go tool trace`: one sequence of events in batches of a P, and strings and stacks at the
 * end. export_gotrace.c follows the run; here its events of version 2 become those of version 1. That version has no end of a system call that keeps its P,
 * and no stop of the world except the collector's. go_old.h reads the same form. */
#include "engine/export/gotrace_internal.h"
#include "trace/go/go_old.h"
#include <stdlib.h>
#include <string.h>

enum { NO_P = EV_MAX_P, STREAMS };

static struct trace_g *g_at(struct gotrace *t, uint64_t id)
{
    const uint32_t *at = id_find(&t->g_of, id);
    return at ? &t->gs.v[*at] : NULL;
}

static bool is_on(const struct gotrace *t, uint32_t p, uint8_t status)
{
    return p < NO_P && t->p[p].status == status;
}

static uint32_t stream_of(const struct gotrace *t, uint32_t m)
{
    return m < t->ms.n && t->ms.v[m].p != NOBODY ? (uint32_t)t->ms.v[m].p : NO_P;
}

/* ---- events ---- */

/* Writes an event: its kind and how many numbers it has, or with more than three how many bytes they have. */
static bool event(struct export_buf *out, enum go_old_kind kind, const uint64_t *v, int n)
{
    struct export_buf numbers = {0};
    bool good = true;
    uint32_t coded = n > 3 ? 3 : (uint32_t)n - 1;
    for (int i = 0; i < n; i++)
        good &= export_varint(&numbers, v[i]);
    good &= vec_push(out, (uint8_t)(kind | coded << 6)) && (n <= 3 || export_varint(out, numbers.n));
    good &= !numbers.n || export_append(out, numbers.v, numbers.n);
    vec_free(&numbers);
    return good;
}

static void flush(struct exporter *x, uint32_t stream)
{
    struct gotrace *t = x->state;
    struct trace_batch *b = &t->stream[stream];
    struct export_buf head = {0};
    if (!b->data.n)
        return;
    t->lacks |= !event(&head, OLD_BATCH, (const uint64_t[]){stream == NO_P ? UINT64_MAX : stream, (uint64_t)b->begins}, 2);
    export_bytes(x, head.v, head.n);
    export_bytes(x, b->data.v, b->data.n);
    b->data.n = 0;
    vec_free(&head);
}

/* Adds an event with a time. Events of two Ps at one time would have no order, so the second one is a ns later. */
static void add(struct exporter *x, uint32_t stream, enum go_old_kind kind, const uint64_t *arg, int n)
{
    struct gotrace *t = x->state;
    struct trace_batch *b = &t->stream[stream];
    uint64_t v[OLD_ARGS];
    if (b->data.n > BATCH_FULL)
        flush(x, stream);
    t->now += stream != t->stream_last;
    t->stream_last = stream;
    if (!b->data.n)
        b->begins = b->last = t->now;
    v[0] = (uint64_t)(t->now - b->last);
    for (int i = 0; i < n; i++)
        v[i + 1] = arg[i];
    b->last = t->now;
    t->lacks |= !event(&b->data, kind, v, n + 1);
}
#define ADD(x, stream, kind, ...) \
    add(x, stream, kind, (const uint64_t[]){__VA_ARGS__}, (int)(sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)))

static void add_plain(struct exporter *x, uint32_t stream, enum go_old_kind kind)
{
    add(x, stream, kind, NULL, 0);
}

/* ---- what they say ---- */

static enum go_old_kind block_of(uint64_t reason)
{
    static const uint8_t of[] = {
        [WAIT_REASON_CHAN_RECEIVE] = OLD_GO_BLOCK_RECV,
        [WAIT_REASON_CHAN_SEND] = OLD_GO_BLOCK_SEND,
        [WAIT_REASON_CHAN_RECEIVE_NIL] = OLD_GO_STOP,
        [WAIT_REASON_CHAN_SEND_NIL] = OLD_GO_STOP,
        [WAIT_REASON_SELECT] = OLD_GO_BLOCK_SELECT,
        [WAIT_REASON_SLEEP] = OLD_GO_SLEEP,
        [WAIT_REASON_SEMACQUIRE] = OLD_GO_BLOCK_SYNC,
        [WAIT_REASON_MUTEX_LOCK] = OLD_GO_BLOCK_SYNC,
        [WAIT_REASON_RWMUTEX_RLOCK] = OLD_GO_BLOCK_SYNC,
        [WAIT_REASON_RWMUTEX_LOCK] = OLD_GO_BLOCK_SYNC,
        [WAIT_REASON_COND_WAIT] = OLD_GO_BLOCK_COND,
        [WAIT_REASON_WAITGROUP_WAIT] = OLD_GO_BLOCK_SYNC,
        [WAIT_REASON_IO_WAIT] = OLD_GO_BLOCK_NET,
        [WAIT_REASON_SELECT_NO_CASES] = OLD_GO_STOP,
        [WAIT_REASON_FOREVER] = OLD_GO_STOP};
    return reason < sizeof of && of[reason] ? of[reason] : OLD_GO_BLOCK;
}

/* A G that was there when the trace began. */
static void add_state(struct exporter *x, uint32_t m, const uint64_t arg[GOTRACE_ARGS])
{
    struct gotrace *t = x->state;
    struct trace_g *g = g_at(t, arg[0]);
    const struct model_g *of = x->md ? model_g(x->md, (uint32_t)arg[0]) : NULL;
    uint32_t p = stream_of(t, m);
    if (!g)
        return;
    g->old_seq = 0;
    g->back = 0;
    ADD(x, NO_P, OLD_GO_CREATE, arg[0], of && of->fn != MODEL_FORGOTTEN ? gotrace_root(&t->t, of->fn) : 0, 0);
    if (arg[2] == G_WAITING || (arg[2] == G_SYSCALL && !is_on(t, p, P_IN_CALL))) {
        ADD(x, NO_P, arg[2] == G_WAITING ? OLD_GO_WAITING : OLD_GO_IN_SYSCALL, arg[0]);
        g->old_seq = 1;
    } else if (arg[2] != G_RUNNABLE) {
        ADD(x, p, OLD_GO_START, arg[0], ++g->old_seq);
        if (arg[2] == G_SYSCALL)
            ADD(x, p, OLD_GO_SYSCALL, 0);
    }
}

static void add_exit(struct exporter *x, uint32_t stream, struct trace_g *g)
{
    ADD(x, stream, OLD_GO_SYS_EXIT, g->id, ++g->old_seq, (uint64_t)g->back);
    g->back = 0;
}

/* The call has lost its P, or has one: then the G starts at once. */
static void end_call(struct exporter *x, uint32_t m)
{
    struct gotrace *t = x->state;
    struct trace_g *g = g_at(t, t->ms.v[m].g);
    uint32_t p = stream_of(t, m);
    if (g && p == NO_P)
        g->back = t->now;
    else if (g)
        add_exit(x, p, g);
}

static void stop_p(struct exporter *x, uint32_t p)
{
    if (is_on(x->state, p, P_IN_CALL))
        add_plain(x, p, OLD_GO_SYS_BLOCK);
    if (p < NO_P)
        add_plain(x, p, OLD_PROC_STOP);
}

static void add_mark(struct exporter *x, uint32_t p, const uint64_t arg[GOTRACE_ARGS])
{
    struct gotrace *t = x->state;
    const char *text = arg[2] && arg[2] <= t->t.strings.n ? t->t.strings.v[arg[2] - 1] : "";
    ADD(x, p, OLD_USER_LOG, 0, arg[1], arg[3]);
    t->lacks |= !export_varint(&t->stream[p].data, strlen(text)) || !export_append(&t->stream[p].data, text, strlen(text));
}

void gotrace_old_put(struct exporter *x, uint32_t m, enum go_kind kind, const uint64_t arg[GOTRACE_ARGS])
{
    struct gotrace *t = x->state;
    uint32_t p = stream_of(t, m);
    struct trace_g *g = kind == GO_GO_START || kind == GO_GO_UNBLOCK || kind == GO_GO_CREATE ? g_at(t, arg[0]) : NULL;
    switch (kind) {
    case GO_PROC_START:
        ADD(x, (uint32_t)arg[0], OLD_PROC_START, m);
        break;
    case GO_PROC_STATUS: /* of one that has no M nothing is written before it starts */
        if (arg[1] != P_STOPPED)
            ADD(x, (uint32_t)arg[0], OLD_PROC_START, m);
        break;
    case GO_PROC_STOP:
        stop_p(x, p);
        break;
    case GO_PROC_STEAL:
        stop_p(x, (uint32_t)arg[0]);
        break;
    case GO_GO_STATUS:
        add_state(x, m, arg);
        break;
    case GO_GO_CREATE:
        if (g)
            g->old_seq = 0, g->back = 0;
        ADD(x, p, OLD_GO_CREATE, arg[0], arg[1], arg[2]);
        break;
    case GO_GO_START:
        if (g && g->back)
            add_exit(x, p, g);
        if (g)
            ADD(x, p, OLD_GO_START, arg[0], ++g->old_seq);
        break;
    case GO_GO_DESTROY:
        add_plain(x, p, OLD_GO_END);
        break;
    case GO_GO_BLOCK:
        ADD(x, p, block_of(arg[0]), arg[1]);
        break;
    case GO_GO_STOP:
        ADD(x, p, arg[0] == t->t.gosched ? OLD_GO_SCHED : OLD_GO_PREEMPT, arg[1]);
        break;
    case GO_GO_UNBLOCK:
        if (g)
            ADD(x, p, OLD_GO_UNBLOCK, arg[0], ++g->old_seq, arg[2]);
        break;
    case GO_GO_SYSCALL_BEGIN:
        ADD(x, p, OLD_GO_SYSCALL, arg[1]);
        break;
    case GO_GO_SYSCALL_END_BLOCKED:
        end_call(x, m);
        break;
    case GO_PROCS_CHANGE:
        ADD(x, p, OLD_GOMAXPROCS, arg[0], arg[1]);
        break;
    case GO_STW_BEGIN:
        ADD(x, p, OLD_STW_START, arg[0]);
        break;
    case GO_STW_END:
        add_plain(x, p, OLD_STW_DONE);
        break;
    case GO_GC_BEGIN:
        ADD(x, p, OLD_GC_START, t->collections++, arg[1]);
        break;
    case GO_GC_END:
        add_plain(x, p, OLD_GC_DONE);
        break;
    case GO_USER_LOG:
        add_mark(x, p, arg);
        break;
    default: /* GO_GO_SYSCALL_END: version 1 does not have it */
        break;
    }
}

/* ---- begin and end ---- */

bool gotrace_old_begin(struct exporter *x)
{
    struct gotrace *t = x->state;
    t->stream = calloc(STREAMS, sizeof *t->stream);
    t->stream_last = NO_P;
    export_bytes(x, "go 1.19 trace\0\0", 16);
    return t->stream != NULL;
}

static bool put_tables(struct gotrace_tables *t, struct export_buf *out)
{
    bool good = event(out, OLD_FREQUENCY, (const uint64_t[]){1000000000}, 1);
    for (size_t i = 0; good && i < t->strings.n; i++) {
        size_t n = strlen(t->strings.v[i]);
        good = vec_push(out, OLD_STRING) && export_varint(out, i + 1) && export_varint(out, n) && export_append(out, t->strings.v[i], n);
    }
    for (size_t i = 0; good && i < t->stacks.n; i++) {
        uint64_t v[GOTRACE_STACK];
        int n = gotrace_stack_numbers(t, i, v);
        struct export_buf one = {0};
        for (int k = 0; k < n; k++)
            good &= export_varint(&one, v[k]);
        good &= vec_push(out, (uint8_t)(OLD_STACK | 3 << 6)) && export_varint(out, one.n) && export_append(out, one.v, one.n);
        vec_free(&one);
    }
    return good;
}

bool gotrace_old_end(struct exporter *x)
{
    struct gotrace *t = x->state;
    struct export_buf tables = {0};
    for (size_t i = 0; i < t->gs.n; i++)
        if (t->gs.v[i].back) /* it did not run again */
            add_exit(x, NO_P, &t->gs.v[i]);
    for (uint32_t p = 0; p < STREAMS; p++)
        flush(x, p);
    bool good = put_tables(&t->t, &tables);
    export_bytes(x, tables.v, tables.n);
    vec_free(&tables);
    return good && !t->lacks && !t->t.lacks;
}

void gotrace_old_fini(struct gotrace *t)
{
    for (uint32_t p = 0; t->stream && p < STREAMS; p++)
        vec_free(&t->stream[p].data);
    free(t->stream);
}
