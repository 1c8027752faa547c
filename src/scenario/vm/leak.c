/* Which Gs nothing can release any more. As a garbage collector, and as Go 1.26's profile of leaked goroutines does: it marks what the Gs that can still
 * run can reach; a G that waits for something marked can be released, so what it reaches is marked, too. A G that is left waits for ever.
 *
 * Memory has no types here, so each cell that looks like an address or an object counts as one. A G may count as one that can be released though it is not;
 * never the other way round. */
#include "scenario/vm/vm_internal.h"
#include <stdlib.h>

struct marking {
    const struct vm *vm;
    uint64_t used, nobjects;
    VEC(uint64_t) start; /* of each piece of memory that was allocated: where its size is */
    VEC(uint64_t) todo;  /* pieces, and objects behind them, whose contents are to be looked at */
    uint8_t *seen, *object, *ticks;
    bool lacking;
};

static void push(struct marking *k, uint64_t what)
{
    k->lacking |= !vec_push(&k->todo, what);
}

/* The piece that has this cell. */
static size_t piece_of(const struct marking *k, uint64_t at)
{
    size_t low = 0, high = k->start.n;
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        *(k->start.v[mid] <= at ? &low : &high) = mid;
    }
    return low;
}

static void mark(void *ctx, int64_t v)
{
    struct marking *k = ctx;
    uint64_t at = (uint64_t)v - (uint64_t)VM_FIRST, n = (uint64_t)v - (uint64_t)VM_OBJECTS;
    if (n < k->nobjects && !k->object[n]) {
        k->object[n] = 1;
        push(k, k->start.n + n);
    } else if (at < k->used && k->start.n && at >= k->start.v[0]) {
        size_t piece = piece_of(k, at);
        if (!k->seen[piece])
            push(k, piece);
        k->seen[piece] = 1;
    }
}

static void mark_cells(struct marking *k, const int64_t *v, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        mark(k, v[i]);
}

static void mark_start(struct marking *k, const struct vm_start *s)
{
    mark(k, s->ctx);
    mark_cells(k, s->arg, s->n);
}

static void drain(struct marking *k)
{
    while (k->todo.n) {
        uint64_t what = k->todo.v[--k->todo.n], n;
        if (what < k->start.n) {
            uint64_t piece = k->start.v[what];
            mark_cells(k, k->vm->cell + VM_FIRST + (int64_t)piece + 1, vm_piece_cells(k->vm, piece));
            continue;
        }
        const struct vm_object *o = vm_object_at(k->vm, VM_OBJECTS + (int64_t)(what - k->start.n));
        void *is = o ? atomic_load_explicit(&o->is, memory_order_relaxed) : NULL; /* at rest */
        if (is && o->kind == VO_MAP) {
            const int64_t *cells = vm_map_cells(is, &n);
            mark_cells(k, cells, n);
        } else if (is && o->kind == VO_CHAN) {
            rt_chan_values(is, mark, k);
        } else if (is && o->kind == VO_TIMER) { /* a G that can reach it may start it again */
            mark_start(k, rt_func_arg(is));
        }
    }
}

static void mark_g(struct marking *k, const struct vm_start *s)
{
    const struct vg *g = s->g;
    mark_start(k, s);
    if (!g || !g->ncalls)
        return;
    const struct vm_call *top = &g->call[g->ncalls - 1];
    mark_cells(k, g->stack, top->fp + top->fn->frame);
    for (uint32_t i = 0; i < g->ncalls; i++)
        mark(k, g->call[i].defers);
    for (const struct vm_panic *p = g->panic; p; p = p->below)
        mark(k, p->data);
}

/* ---- what a G waits for ---- */

static const enum ev_object_kind event_kind[VO_KINDS] = {OBJ_CHAN, OBJ_MUTEX, OBJ_RWMUTEX, OBJ_WAITGROUP, OBJ_COND, OBJ_NONE, OBJ_NONE};

/* The number of an object, from 0. nobjects: not known. */
static uint64_t number_of(const struct marking *k, struct ev_object what, const void *is)
{
    enum ev_object_kind kind = what.kind == OBJ_WRITERS ? OBJ_RWMUTEX : what.kind;
    for (uint64_t n = 0; n < k->nobjects; n++) {
        const struct vm_object *o = vm_object_at(k->vm, VM_OBJECTS + (int64_t)n);
        if (o && (is ? atomic_load_explicit(&o->is, memory_order_relaxed) == is : event_kind[o->kind] == kind && o->id == what.id))
            return n;
    }
    return k->nobjects;
}

static bool is_marked(const struct marking *k, uint64_t n)
{
    return n >= k->nobjects || k->object[n] || k->ticks[n];
}

/* Its cases are in its frame. NULL: it is in no select of its own. */
static const int64_t *cases_of(const struct vm_g *at, int64_t *n)
{
    const struct vg *g = at->at->g;
    if (!g || !g->ncalls)
        return NULL;
    const struct vm_call *top = &g->call[g->ncalls - 1];
    const struct form_ins *i = &top->fn->code.v[top->pc ? top->pc - 1 : 0];
    *n = i->c;
    return i->op == FO_select ? g->stack + top->fp + i->b : NULL;
}

static void note_cases(const struct marking *k, struct vm_g *at)
{
    int64_t n = 0;
    const int64_t *c = at->reason == WAIT_REASON_SELECT ? cases_of(at, &n) : NULL;
    for (int64_t i = 0; c && i < n; i++) {
        const struct vm_object *o = vm_object_at(k->vm, c[VM_CASE * i]);
        if (o && at->is->ncases < WAITS_CASES)
            at->is->cases[at->is->ncases++] = (struct waits_case){o->id, c[VM_CASE * i + 1] != 0};
    }
}

static bool can_continue(const struct marking *k, const struct vm_g *at)
{
    int64_t n = 0;
    switch (at->reason) {
    case WAIT_REASON_CHAN_RECEIVE_NIL:
    case WAIT_REASON_CHAN_SEND_NIL:
    case WAIT_REASON_SELECT_NO_CASES:
        return false;
    case WAIT_REASON_SELECT: {
        const int64_t *c = cases_of(at, &n);
        bool can = !c;
        for (int64_t i = 0; i < n && !can; i++)
            can = c[VM_CASE * i] && is_marked(k, (uint64_t)c[VM_CASE * i] - (uint64_t)VM_OBJECTS);
        return can;
    }
    default:
        return at->object.kind == OBJ_NONE || is_marked(k, number_of(k, at->object, NULL));
    }
}

/* ---- all ---- */

static void note_timer(void *ctx, const void *c, rt_fn *fn, const void *arg)
{
    struct marking *k = ctx;
    uint64_t n = c ? number_of(k, (struct ev_object){0}, c) : k->nobjects;
    if (n < k->nobjects)
        k->ticks[n] = 1;
    if (fn == vm_main)
        mark_start(k, arg);
}

static bool prepare(struct marking *k)
{
    for (uint64_t at = 1 + (uint64_t)k->vm->f->globals; at < k->used; at += 1 + vm_piece_cells(k->vm, at))
        k->lacking |= !vec_push(&k->start, at);
    k->seen = calloc(k->start.n + 1, 1);
    k->object = calloc(k->nobjects + 1, 1);
    k->ticks = calloc(k->nobjects + 1, 1);
    return !k->lacking && k->seen && k->object && k->ticks;
}

/* Lets the Gs live that can continue. Returns false if there is none but those that do. */
static bool revive(struct marking *k, struct vm_g *v, size_t n)
{
    bool found = false;
    for (size_t i = 0; i < n; i++)
        if (v[i].is->stuck && (!v[i].waits || can_continue(k, &v[i]))) {
            v[i].is->stuck = false;
            found = true;
            mark_g(k, v[i].at);
            drain(k);
        }
    return found;
}

static void find_living(struct marking *k, struct vm_g *v, size_t n)
{
    bool lives = k->todo.n > 0; /* what a timer starts */
    drain(k);
    lives |= revive(k, v, n);
    if (lives)
        mark_cells(k, k->vm->cell + VM_FIRST, 1 + k->vm->f->globals); /* each G can reach the globals */
    drain(k);
    while (revive(k, v, n))
        ;
}

bool vm_find_stuck(const struct vm *vm, struct sched *s, struct vm_g *v, size_t n)
{
    struct marking k = {.vm = vm,
                        .used = atomic_load_explicit(&vm->used, memory_order_relaxed), /* at rest */
                        .nobjects = atomic_load_explicit(&vm->nobjects, memory_order_relaxed)};
    bool known = prepare(&k);
    if (known) {
        rt_timers(s, note_timer, &k);
        for (size_t i = 0; i < n; i++)
            v[i].is->stuck = true;
        find_living(&k, v, n);
        for (size_t i = 0; i < n; i++)
            note_cases(&k, &v[i]);
        known = !k.lacking;
    }
    free(k.seen);
    free(k.object);
    free(k.ticks);
    vec_free(&k.start);
    vec_free(&k.todo);
    return known;
}
