/* The order of a trace of version 1. Events of one P are in their order; between Ps, each event of a G says in which state that G must be, and numbers
 * count its changes. Of the events that are possible, the earliest comes first.
 *
 * What comes out are events of version 2, as Go 1.26's own reader has them. Two things need events that come later:
 * - Whether a system call lost its P: the next event of that P says so. A call that kept it has no end, so its end is put where it begins.
 * - When a call that lost its P was over: the event comes when the G runs again, and says the time. The index has these times.
 *
 * Version 1 names threads only where a P starts. What a thread without a P does, and what takes a P from a system call, has the thread GO_NO_THREAD; a G
 * that was in a call when the trace began has a thread of its own, whose number in the trace is not known. */
#include "trace/go/go_old.h"

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 4 };
#define UNNAMED (UINT64_C(1) << 63) /* + a G: the thread in whose system call that G was at the start */

/* The events of a P, one at a time. */
struct old_cursor {
    uint32_t stream;
    size_t place, end; /* the batches that are left, in the index */
    uint64_t ticks;
    struct old_reader in;
    struct old_event e;
    bool live; /* e is there */
};

struct old_p {
    uint64_t g;      /* that runs here; GO_NO_G: none */
    uint32_t m;      /* its place in `ms`; GO_THREADS_MOST: none */
    bool known;      /* it started or stopped before */
    bool runs, lost; /* lost: its system call has blocked, and it has not stopped yet */
};

struct go_old {
    struct old_p p[OLD_STREAMS];
    VEC(struct old_cursor *) cursors;
    struct go_frontier frontier;
    size_t exit;             /* the next one of the index */
    uint64_t gc;             /* collections that have begun */
    bool begun, collects;    /* begun: the Gs that were there are known */
    size_t early, early_end; /* of `gs`: those that may have been there since the start */
    struct go_event out[AT_ONCE];
    uint64_t out_ticks[AT_ONCE];
    uint32_t nout, taken;
};

static void damaged(struct go_order *o, const struct old_event *e, const char *what)
{
    go_file_damaged(o->f, "the event at byte %llu (kind %u): %s", (unsigned long long)e->place, e->kind, what);
}

/* ---- the events of a P ---- */

static bool cursor_next(struct go_order *o, struct old_cursor *c)
{
    const struct old_index *x = o->f->old;
    for (;;) {
        enum old_read got = c->in.end ? old_read(&c->in, &c->e) : OLD_END;
        if (got == OLD_READ && c->e.kind == OLD_STRING)
            continue;
        if (got == OLD_READ && c->e.kind != OLD_BATCH) {
            bool timed = c->e.kind != OLD_STACK && c->e.kind != OLD_FREQUENCY && c->e.kind != OLD_TIMER_GOROUTINE;
            c->ticks = c->e.time > UINT64_MAX - c->ticks ? UINT64_MAX : c->ticks + c->e.time;
            if (timed && c->e.kind != OLD_CPU_SAMPLE)
                return c->live = true;
            continue;
        }
        if (c->place == c->end)
            return c->live = false;
        old_read_at(&c->in, o->f, x->places.v[c->place++] & ((UINT64_C(1) << 48) - 1), o->f->at);
        if (old_read(&c->in, &c->e) != OLD_READ || c->e.kind != OLD_BATCH)
            return c->live = go_file_damaged(o->f, "it has changed");
        c->ticks = c->e.arg[1];
    }
}

static bool begin(struct go_order *o)
{
    struct go_old *old = o->old = calloc(1, sizeof *old);
    const struct old_index *x = o->f->old;
    if (!old)
        return false;
    for (uint32_t i = 0; i < OLD_STREAMS; i++)
        old->p[i] = (struct old_p){.g = GO_NO_G, .m = GO_THREADS_MOST};
    for (size_t i = 0, end; i < x->places.n; i = end) {
        struct old_cursor *c = malloc(sizeof *c);
        if (!c || !vec_push(&old->cursors, c))
            return free(c), false;
        c->stream = (uint32_t)(x->places.v[i] >> 48);
        for (end = i; end < x->places.n && x->places.v[end] >> 48 == c->stream; end++)
            ;
        c->place = i;
        c->end = end;
        old_read_at(&c->in, o->f, 0, 0);
        if (cursor_next(o, c) && !go_frontier_add(&old->frontier, (struct go_head){c->ticks, c->stream, c}))
            return false;
    }
    return true;
}

void go_old_order_free(struct go_old *old)
{
    if (!old)
        return;
    for (size_t i = 0; i < old->cursors.n; i++)
        free(old->cursors.v[i]);
    vec_free(&old->cursors);
    vec_free(&old->frontier.heads);
    free(old);
}

/* ---- when an event is possible ---- */

/* What an event needs of its G, and what that is afterwards. NUMBER: the place of the number among the arguments; 0: it has none. */
static const struct old_step {
    uint8_t from, to, number;
} steps[OLD_KINDS] = {[OLD_GO_START] = {GO_G_RUNNABLE, GO_G_RUNNING, 1},          [OLD_GO_START_LABEL] = {GO_G_RUNNABLE, GO_G_RUNNING, 1},
                      [OLD_GO_START_LOCAL] = {GO_G_RUNNABLE, GO_G_RUNNING, 0},    [OLD_GO_UNBLOCK] = {GO_G_WAITING, GO_G_RUNNABLE, 1},
                      [OLD_GO_UNBLOCK_LOCAL] = {GO_G_WAITING, GO_G_RUNNABLE, 0},  [OLD_GO_SYS_EXIT] = {GO_G_WAITING, GO_G_RUNNABLE, 1},
                      [OLD_GO_SYS_EXIT_LOCAL] = {GO_G_WAITING, GO_G_RUNNABLE, 0}, [OLD_GO_WAITING] = {GO_G_RUNNABLE, GO_G_WAITING, 0},
                      [OLD_GO_IN_SYSCALL] = {GO_G_RUNNABLE, GO_G_WAITING, 0}};

static bool possible(struct go_order *o, const struct old_event *e)
{
    const struct old_step *s = &steps[e->kind];
    const struct go_g *g = s->from || e->kind == OLD_GO_CREATE ? go_order_g(o, e->arg[0]) : NULL;
    if (e->kind == OLD_GO_CREATE)
        return !g;
    if (e->kind == OLD_GC_START)
        return e->arg[0] == o->old->gc;
    return !s->from || (g && g->old == s->from && (!s->number || g->seq == e->arg[s->number]));
}

/* ---- what an event is ---- */

static uint32_t no_thread(struct go_order *o)
{
    return go_order_thread(o, GO_NO_THREAD);
}

static uint32_t thread_of(struct go_order *o, uint32_t stream)
{
    struct old_p *p = &o->old->p[stream];
    if (p->m == GO_THREADS_MOST && !p->known && o->f->old->first_m[stream] != GO_NO_THREAD)
        p->m = go_order_thread(o, o->f->old->first_m[stream]); /* what a P does before its start, its first thread does */
    return p->m == GO_THREADS_MOST ? no_thread(o) : p->m;
}

/* Adds an event of the P's thread to those that come out next. */
static struct go_event *put(struct go_order *o, const struct old_cursor *c, uint64_t ticks, enum go_kind kind)
{
    struct go_old *old = o->old;
    struct go_event *e = &old->out[old->nout];
    old->out_ticks[old->nout++] = ticks;
    *e = (struct go_event){.kind = (uint8_t)kind, .m = thread_of(o, c->stream), .g = old->p[c->stream].g};
    e->p = c->stream == OLD_NO_P ? GO_NO_P : c->stream;
    return e;
}

static void create(struct go_order *o, const struct old_cursor *c, const struct old_event *e, uint64_t ticks)
{
    bool status = c->live && (c->e.kind == OLD_GO_WAITING || c->e.kind == OLD_GO_IN_SYSCALL) && c->e.arg[0] == e->arg[0];
    struct go_g *g = e->arg[0] && e->arg[0] < UNNAMED ? go_order_add(o, e->arg[0], GO_G_RUNNABLE) : NULL;
    if (!g) {
        if (!o->f->lacks)
            damaged(o, e, "no G can have this number");
        return;
    }
    g->old = GO_G_RUNNABLE;
    g->seq = 1;
    g->m = GO_THREADS_MOST;
    g->early = !o->old->begun || status;
    g->stack = e->arg[1];
    if (g->early)
        return; /* its state comes */
    struct go_event *out = put(o, c, ticks, GO_GO_CREATE);
    out->arg[0] = e->arg[0];
    out->arg[1] = e->arg[1];
    out->arg[2] = e->arg[2];
}

/* The state of a G that was there when the trace began. */
static struct go_event state_of(struct go_g *g, uint64_t m)
{
    g->early = false;
    return (struct go_event){.kind = GO_GO_STATUS_STACK, .arg = {g->id, m, g->status, g->stack}};
}

static void put_state(struct go_order *o, const struct old_cursor *c, uint64_t ticks, struct go_g *g, uint64_t m)
{
    struct go_event *out = put(o, c, ticks, GO_GO_STATUS_STACK), e = state_of(g, m);
    memcpy(out->arg, e.arg, sizeof e.arg);
}

static void waits(struct go_order *o, const struct old_cursor *c, const struct old_event *e, uint64_t ticks)
{
    bool calls = e->kind == OLD_GO_IN_SYSCALL;
    uint32_t m = calls ? go_order_thread(o, UNNAMED + e->arg[0]) : GO_THREADS_MOST;
    struct go_g *g = go_order_g(o, e->arg[0]);
    if (!g->early || (calls && m == GO_THREADS_MOST)) {
        damaged(o, e, "the G did not wait when the trace began");
        return;
    }
    g->status = calls ? GO_G_SYSCALL : GO_G_WAITING;
    g->m = m;
    put_state(o, c, ticks, g, calls ? UNNAMED + g->id : GO_NO_THREAD);
}

/* The system call of a G is over: it is runnable. */
static void call_ends(struct go_order *o, const struct old_cursor *c, struct go_g *g, uint64_t ticks)
{
    struct go_event *out = put(o, c, ticks, GO_GO_SYSCALL_END_BLOCKED);
    out->m = g->m;
    out->g = g->id;
    out->p = GO_NO_P;
    g->status = GO_G_RUNNABLE;
}

static void start(struct go_order *o, const struct old_cursor *c, const struct old_event *e, uint64_t ticks)
{
    struct old_p *p = &o->old->p[c->stream];
    struct go_g *g = go_order_g(o, e->arg[0]);
    if (c->stream == OLD_NO_P || p->g != GO_NO_G || g->status != GO_G_RUNNABLE) {
        damaged(o, e, "no P can start this G now");
        return;
    }
    g->status = GO_G_RUNNING;
    if (g->early)
        put_state(o, c, ticks, g, GO_NO_THREAD);
    else
        put(o, c, ticks, GO_GO_START)->arg[0] = g->id;
    p->g = g->id;
}

static void exits(struct go_order *o, const struct old_cursor *c, const struct old_event *e, uint64_t ticks)
{
    struct old_p *p = &o->old->p[c->stream];
    struct go_g *g = go_order_g(o, e->arg[0]);
    if (g->m == GO_THREADS_MOST || g->status == GO_G_WAITING) {
        damaged(o, e, "the G is in no system call");
        return;
    }
    if (p->runs && p->m == GO_THREADS_MOST && c->stream != OLD_NO_P) { /* its thread came back just when the P was in another call */
        p->m = g->m;
        put(o, c, ticks, GO_PROC_START)->arg[0] = c->stream;
    }
    if (g->status == GO_G_SYSCALL)
        call_ends(o, c, g, ticks);
}

static void unblock(struct go_order *o, const struct old_cursor *c, const struct old_event *e, uint64_t ticks)
{
    bool local = e->kind == OLD_GO_UNBLOCK_LOCAL;
    struct go_g *g = go_order_g(o, e->arg[0]);
    if (g->status != GO_G_WAITING) {
        damaged(o, e, "the G does not wait");
        return;
    }
    g->status = GO_G_RUNNABLE;
    struct go_event *out = put(o, c, ticks, GO_GO_UNBLOCK);
    out->arg[0] = e->arg[0];
    out->arg[2] = e->arg[local ? 1 : 2];
}

static void call_blocks(struct go_order *o, const struct old_cursor *c, struct go_g *g, uint64_t ticks)
{
    struct old_p *p = &o->old->p[c->stream];
    if (g->status == GO_G_RUNNING)
        g->m = put(o, c, ticks, GO_GO_SYSCALL_BEGIN)->m;
    g->status = GO_G_SYSCALL;
    g->old = GO_G_WAITING;
    p->g = GO_NO_G;
    p->lost = !c->live || c->e.kind == OLD_PROC_STOP;
    if (p->lost)
        return;
    struct go_event *out = put(o, c, ticks, GO_PROC_STEAL);
    out->m = no_thread(o);
    out->arg[0] = c->stream;
    p->m = GO_THREADS_MOST;
}

/* The G that runs on the P does this. */
static void own(struct go_order *o, const struct old_cursor *c, const struct old_event *e, uint64_t ticks)
{
    static const struct {
        uint8_t kind, status, word;
    } to[OLD_KINDS] = {
        [OLD_GO_END] = {GO_GO_DESTROY, GO_G_NONE, 0},
        [OLD_GO_STOP] = {GO_GO_BLOCK, GO_G_WAITING, OLD_FOREVER},
        [OLD_GO_SCHED] = {GO_GO_STOP, GO_G_RUNNABLE, OLD_GOSCHED},
        [OLD_GO_PREEMPT] = {GO_GO_STOP, GO_G_RUNNABLE, OLD_PREEMPTED},
        [OLD_GO_SLEEP] = {GO_GO_BLOCK, GO_G_WAITING, OLD_SLEEP},
        [OLD_GO_BLOCK] = {GO_GO_BLOCK, GO_G_WAITING, OLD_STW_UNKNOWN},
        [OLD_GO_BLOCK_SEND] = {GO_GO_BLOCK, GO_G_WAITING, OLD_CHAN_SEND},
        [OLD_GO_BLOCK_RECV] = {GO_GO_BLOCK, GO_G_WAITING, OLD_CHAN_RECEIVE},
        [OLD_GO_BLOCK_SELECT] = {GO_GO_BLOCK, GO_G_WAITING, OLD_SELECT},
        [OLD_GO_BLOCK_SYNC] = {GO_GO_BLOCK, GO_G_WAITING, OLD_SYNC},
        [OLD_GO_BLOCK_COND] = {GO_GO_BLOCK, GO_G_WAITING, OLD_COND},
        [OLD_GO_BLOCK_NET] = {GO_GO_BLOCK, GO_G_WAITING, OLD_NETWORK},
        [OLD_GO_BLOCK_GC] = {GO_GO_BLOCK, GO_G_WAITING, OLD_ASSIST}};
    struct old_p *p = &o->old->p[c->stream];
    struct go_g *g = p->g == GO_NO_G ? NULL : go_order_g(o, p->g);
    if (!g || g->old != GO_G_RUNNING) {
        damaged(o, e, "the P runs no G");
        return;
    }
    if (e->kind == OLD_GO_SYS_BLOCK) {
        call_blocks(o, c, g, ticks);
        return;
    }
    struct go_event *out = put(o, c, ticks, e->kind == OLD_GO_SYSCALL ? GO_GO_SYSCALL_BEGIN : to[e->kind].kind);
    if (e->kind == OLD_GO_SYSCALL) {
        out->arg[1] = e->arg[0];
        g->m = out->m;
        if (c->live ? c->e.kind != OLD_GO_SYS_BLOCK : o->f->old->state == GO_WHOLE)
            put(o, c, ticks, GO_GO_SYSCALL_END);
        else
            g->status = GO_G_SYSCALL;
        return;
    }
    out->arg[0] = OLD_WORD(to[e->kind].word);
    out->arg[1] = e->arg[0];
    g->old = g->status = to[e->kind].status;
    p->g = GO_NO_G;
    if (e->kind == OLD_GO_END)
        go_order_remove(o, out->g);
}

static void proc(struct go_order *o, const struct old_cursor *c, const struct old_event *e, uint64_t ticks)
{
    struct old_p *p = &o->old->p[c->stream];
    bool starts = e->kind == OLD_PROC_START, known = p->known;
    if (c->stream == OLD_NO_P || (starts && known ? p->runs : !starts && ((known && !p->runs) || p->g != GO_NO_G))) {
        damaged(o, e, "the P cannot start or stop now");
        return;
    }
    uint32_t m = starts ? go_order_thread(o, e->arg[0]) : p->m;
    if (starts)
        p->m = m;
    p->known = true;
    struct go_event *out = put(o, c, ticks, !known ? GO_PROC_STATUS : starts ? GO_PROC_START : GO_PROC_STOP);
    out->arg[0] = c->stream;
    out->arg[1] = starts ? GO_P_RUNNING : GO_P_IDLE; /* of a status */
    out->was = !known ? 0 : p->lost ? GO_P_SYSCALL : GO_P_RUNNING;
    if (p->lost)
        out->m = no_thread(o);
    p->runs = starts;
    p->lost = false;
    p->m = starts ? m : GO_THREADS_MOST;
}

static uint64_t stop_word(const struct go_file *f, uint64_t kind)
{
    enum { MARK = 1, SWEEP, GOMAXPROCS = 9, KINDS = 17 }; /* of Go 1.21 */
    if (f->minor < 21)
        return OLD_WORD(kind == 0 ? OLD_STW_MARK : kind == 1 ? OLD_STW_SWEEP : OLD_STW_UNKNOWN);
    return OLD_WORD(kind == MARK ? OLD_STW_MARK : kind == SWEEP ? OLD_STW_SWEEP : kind == GOMAXPROCS ? OLD_STW_GOMAXPROCS : OLD_STW_USER);
}

static void world(struct go_order *o, const struct old_cursor *c, const struct old_event *e, uint64_t ticks)
{
    struct go_old *old = o->old;
    struct go_event *out;
    switch (e->kind) {
    case OLD_GOMAXPROCS: /* the first one ends what is said of the start */
        old->early_end = old->begun ? 0 : o->gs.n;
        old->begun = true;
        out = put(o, c, ticks, GO_PROCS_CHANGE);
        out->arg[0] = e->arg[0];
        out->arg[1] = e->arg[1];
        break;
    case OLD_STW_START:
        put(o, c, ticks, GO_STW_BEGIN)->arg[0] = stop_word(o->f, e->arg[0]);
        break;
    case OLD_STW_DONE:
        put(o, c, ticks, GO_STW_END);
        break;
    default:
        if ((e->kind == OLD_GC_START) == old->collects) {
            damaged(o, e, "the collector begins or ends twice");
            return;
        }
        old->collects = !old->collects;
        old->gc += old->collects;
        put(o, c, ticks, old->collects ? GO_GC_BEGIN : GO_GC_END)->arg[1] = e->arg[1];
    }
}

/* An event that changes no G, P or M; or an assist of the collector. */
static void other(struct go_order *o, const struct old_cursor *c, const struct old_event *e, uint64_t ticks)
{
    static const uint8_t kind[OLD_KINDS] = {
        [OLD_SWEEP_START] = GO_GC_SWEEP_BEGIN,   [OLD_SWEEP_DONE] = GO_GC_SWEEP_END,
        [OLD_HEAP_ALLOC] = GO_HEAP_ALLOC,        [OLD_HEAP_GOAL] = GO_HEAP_GOAL,
        [OLD_ASSIST_START] = GO_GC_ASSIST_BEGIN, [OLD_ASSIST_DONE] = GO_GC_ASSIST_END,
        [OLD_TASK_CREATE] = GO_TASK_BEGIN,       [OLD_TASK_END] = GO_TASK_END,
        [OLD_REGION] = GO_REGION_BEGIN,          [OLD_USER_LOG] = GO_USER_LOG,
        [OLD_FUTILE_WAKEUP] = GO_GO_LABEL};
    struct go_event *out = put(o, c, ticks, kind[e->kind]);
    if (e->kind == OLD_REGION)
        out->arg[2] = e->arg[3];
    if (e->kind == OLD_TASK_CREATE)
        out->arg[3] = e->arg[3];
}

typedef void old_what(struct go_order *o, const struct old_cursor *c, const struct old_event *e, uint64_t ticks);
static old_what *const what_of[OLD_KINDS] = {
    [OLD_GOMAXPROCS] = world,
    [OLD_PROC_START] = proc,
    [OLD_PROC_STOP] = proc,
    [OLD_GC_START] = world,
    [OLD_GC_DONE] = world,
    [OLD_STW_START] = world,
    [OLD_STW_DONE] = world,
    [OLD_SWEEP_START] = other,
    [OLD_SWEEP_DONE] = other,
    [OLD_GO_CREATE] = create,
    [OLD_GO_START] = start,
    [OLD_GO_END] = own,
    [OLD_GO_STOP] = own,
    [OLD_GO_SCHED] = own,
    [OLD_GO_PREEMPT] = own,
    [OLD_GO_SLEEP] = own,
    [OLD_GO_BLOCK] = own,
    [OLD_GO_UNBLOCK] = unblock,
    [OLD_GO_BLOCK_SEND] = own,
    [OLD_GO_BLOCK_RECV] = own,
    [OLD_GO_BLOCK_SELECT] = own,
    [OLD_GO_BLOCK_SYNC] = own,
    [OLD_GO_BLOCK_COND] = own,
    [OLD_GO_BLOCK_NET] = own,
    [OLD_GO_SYSCALL] = own,
    [OLD_GO_SYS_EXIT] = exits,
    [OLD_GO_SYS_BLOCK] = own,
    [OLD_GO_WAITING] = waits,
    [OLD_GO_IN_SYSCALL] = waits,
    [OLD_HEAP_ALLOC] = other,
    [OLD_HEAP_GOAL] = other,
    [OLD_FUTILE_WAKEUP] = other,
    [OLD_GO_START_LOCAL] = start,
    [OLD_GO_UNBLOCK_LOCAL] = unblock,
    [OLD_GO_SYS_EXIT_LOCAL] = exits,
    [OLD_GO_START_LABEL] = start,
    [OLD_GO_BLOCK_GC] = own,
    [OLD_ASSIST_START] = other,
    [OLD_ASSIST_DONE] = other,
    [OLD_TASK_CREATE] = other,
    [OLD_TASK_END] = other,
    [OLD_REGION] = other,
    [OLD_USER_LOG] = other};

/* ---- the order ---- */

/* Takes the event at this place of the frontier. Its P's next one takes its place, so that what() can look at it. */
static void take(struct go_order *o, size_t i)
{
    struct go_old *old = o->old;
    struct old_cursor *c = old->frontier.heads.v[i].cursor;
    const struct old_event e = c->e;
    uint64_t ticks = c->ticks;
    if (cursor_next(o, c)) {
        old->frontier.heads.v[i].ticks = c->ticks;
        go_frontier_moved(&old->frontier, i);
    } else {
        go_frontier_drop(&old->frontier, i);
    }
    what_of[e.kind](o, c, &e, ticks);
    struct go_g *g = steps[e.kind].from ? go_order_g(o, e.arg[0]) : NULL;
    if (g) {
        g->old = steps[e.kind].to;
        g->seq++;
    }
}

/* Puts out the end of a system call whose time has come. */
static bool take_exit(struct go_order *o)
{
    const struct old_index *x = o->f->old;
    struct go_old *old = o->old;
    for (; old->exit < x->exits.n && x->exits.v[old->exit].ticks < old->frontier.heads.v[0].ticks; old->exit++) {
        struct go_g *g = go_order_g(o, x->exits.v[old->exit].g);
        if (!g || g->status != GO_G_SYSCALL)
            continue;
        call_ends(o, old->frontier.heads.v[0].cursor, g, x->exits.v[old->exit++].ticks);
        return true;
    }
    return false;
}

/* The state of the next G that was there when the trace began, and has done nothing yet. It comes before the event that ends the start. */
static bool next_early(struct go_order *o, struct go_event *e)
{
    struct go_old *old = o->old;
    for (; old->early < old->early_end; old->early++) {
        struct go_g *g = &o->gs.v[old->early];
        if (!g->early || g->status != GO_G_RUNNABLE)
            continue;
        *e = state_of(g, GO_NO_THREAD);
        e->m = old->out[0].m;
        e->g = GO_NO_G;
        e->p = GO_NO_P;
        go_order_number(o, e, old->out_ticks[0]);
        return true;
    }
    return false;
}

/* The end, or where no event is possible. */
static bool ends(struct go_order *o)
{
    const struct old_index *x = o->f->old;
    if (o->old->frontier.heads.n && x->state == GO_WHOLE)
        return go_file_damaged(o->f, "no event can come after event %llu", (unsigned long long)o->events);
    if (x->state == GO_DAMAGED)
        return go_file_damaged(o->f, "%s", x->wrong);
    o->f->state = x->state;
    return false;
}

bool go_old_order(struct go_order *o, struct go_event *e)
{
    struct go_file *f = o->f;
    if (!o->old && !begin(o))
        f->lacks = true;
    struct go_old *old = o->old;
    while (!f->lacks && f->state == GO_WHOLE && old->taken == old->nout) {
        size_t i = 0;
        old->taken = old->nout = 0;
        if (old->frontier.heads.n && take_exit(o))
            break;
        if (old->frontier.heads.n && !possible(o, &((struct old_cursor *)old->frontier.heads.v[0].cursor)->e)) {
            go_frontier_sort(&old->frontier);
            while (i < old->frontier.heads.n && !possible(o, &((struct old_cursor *)old->frontier.heads.v[i].cursor)->e))
                i++;
        }
        if (i == old->frontier.heads.n)
            return ends(o);
        take(o, i);
    }
    if (f->lacks || f->state != GO_WHOLE)
        return false;
    if (next_early(o, e))
        return true;
    *e = old->out[old->taken];
    go_order_number(o, e, old->out_ticks[old->taken++]);
    return true;
}
