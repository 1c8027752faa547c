/* Calls, deferred calls, panics, and the loop that runs a G.
 *
 * Frames lie behind each other on the G's stack of cells, which moves when it grows: nothing points into it. A callee's frame begins in its caller's, where
 * the arguments were written. Deferred calls are records in the program's memory: [next, function, closure, arguments…].
 */
#include "runtime/sched/point.h"
#include "scenario/vm/vm_internal.h"
#include <stdarg.h>
#include <stdio.h>

#define STACK_MOST (UINT64_C(1) << 24) /* cells: 128 MiB, as much as Go's 1 GB for a 64th of its frames */
enum { STACK_FIRST = 256, CALLS_FIRST = 16, RECORD = 3 };

/* ---- frames ---- */

/* Makes the stack at least so large. */
static void need(struct vg *g, uint64_t cells)
{
    uint64_t n = g->nstack ? g->nstack : STACK_FIRST;
    if (cells <= g->nstack)
        return;
    if (cells > STACK_MOST) {
        static const char limit[] = "runtime: goroutine stack exceeds 1000000000-byte limit\n";
        rt_write(2, false, limit, sizeof limit - 1);
        rt_fatal("stack overflow");
    }
    while (n < cells)
        n *= 2;
    int64_t *s = rt_alloc(n * sizeof *s);
    if (g->nstack)
        memcpy(s, g->stack, g->nstack * sizeof *s);
    g->stack = s;
    g->nstack = n;
}

static struct vm_call *top(struct vg *g)
{
    return &g->call[g->ncalls - 1];
}

/* Continues in the top call. */
static void resume(struct vg *g)
{
    struct vm_call *c = top(g);
    g->code = c->fn->code.v;
    g->i = g->code + c->pc;
    g->f = g->stack + c->fp;
}

/* Notes where the top call is. */
static void leave_off(struct vg *g)
{
    top(g)->pc = (uint32_t)(g->i - g->code);
}

static bool push(struct vg *g, const struct form_fn *fn, uint64_t fp, int64_t ctx, int how)
{
    need(g, fp + fn->frame + 1);
    if (g->ncalls == g->room) {
        uint32_t n = g->room ? 2 * g->room : CALLS_FIRST;
        struct vm_call *c = rt_alloc(n * sizeof *c);
        if (g->ncalls)
            memcpy(c, g->call, g->ncalls * sizeof *c);
        g->call = c;
        g->room = n;
    }
    g->call[g->ncalls++] = (struct vm_call){.fn = fn, .fp = fp, .how = (uint8_t)how};
    memset(g->stack + fp, 0, fn->nres * sizeof *g->stack);
    if (fn->ctx >= 0)
        g->stack[fp + (uint64_t)fn->ctx] = ctx;
    resume(g);
    return true;
}

bool vm_enter(struct vg *g, int64_t fn, uint64_t base, int64_t ctx, int how)
{
    if (fn < 0 || (uint64_t)fn >= g->vm->f->fn.n)
        return vm_throw(g, "runtime error: invalid memory address or nil pointer dereference");
    leave_off(g);
    rt_call_edge();
    if (__builtin_expect(g->spent >= g->vm->slice, 0))
        vm_turn(g, true);
    return push(g, &g->vm->f->fn.v[fn], top(g)->fp + base, ctx, how);
}

int64_t vm_function(struct vg *g, int64_t closure)
{
    const int64_t *c = vm_at(g, closure, 1);
    if (!c)
        return -1;
    if (*c >= VM_FUNCTIONS && (uint64_t)(*c - VM_FUNCTIONS) < g->vm->f->fn.n)
        return *c - VM_FUNCTIONS;
    vm_throw(g, "runtime error: invalid memory address or nil pointer dereference");
    return -1;
}

/* The method that an interface calls; its receiver is written where it reads it. -1: a panic has begun. */
static int64_t method_of(struct vg *g, int64_t *f, const struct form_ins *i)
{
    const char *name = g->vm->f->string.v[i->c].s;
    const struct form_type *t = vm_type(g, f[i->a]);
    for (size_t n = 0; t && n < t->method.n; n++)
        if (strcmp(t->method.v[n].name, name) == 0) {
            const struct form_fn *fn = &g->vm->f->fn.v[t->method.v[n].fn];
            uint64_t at = top(g)->fp + (uint64_t)i->b + fn->nres;
            int64_t data = f[i->a + 1];
            need(g, at + fn->frame + 1);
            g->f = g->stack + top(g)->fp;
            g->stack[at] = data;
            return t->method.v[n].fn;
        }
    vm_throw(g, "runtime error: invalid memory address or nil pointer dereference");
    return -1;
}

/* ---- go, defer ---- */

static bool is_own(const struct vm *vm, int64_t fn)
{
    return vm->f->text.v[vm->f->fn.v[fn].file];
}

/* The program that people see start: of a function of the library (T.Run, Group.Go) that of the person that it was given, if there is one. */
static uint32_t program_of(const struct vm *vm, const struct vm_start *s)
{
    const int64_t *c = s->ctx ? vm->cell + s->ctx : NULL;
    uint64_t cells = c ? vm_piece_cells(vm, (uint64_t)(s->ctx - VM_FIRST - 1)) : 0; /* before a closure lies its size */
    for (uint64_t i = 1; !is_own(vm, s->fn) && i < cells; i++) {
        int64_t fn = (uint64_t)c[i] - (uint64_t)VM_FIRST < vm->ncells ? vm->cell[c[i]] - VM_FUNCTIONS : -1;
        if (fn >= 0 && (uint64_t)fn < vm->f->fn.n && is_own(vm, fn))
            return (uint32_t)fn;
    }
    return s->fn;
}

static bool start(struct vg *g, int64_t fn, int64_t ctx, int64_t base)
{
    const struct form_fn *to = &g->vm->f->fn.v[fn];
    size_t size = sizeof(struct vm_start) + to->nparam * sizeof(int64_t);
    uint64_t at = top(g)->fp + (uint64_t)base;
    need(g, at + to->frame + 1);
    g->f = g->stack + top(g)->fp;
    struct vm_start *s = rt_alloc(size);
    *s = (struct vm_start){.run = g->start->run, .vm = g->vm, .fn = (uint32_t)fn, .n = to->nparam, .ctx = ctx};
    memcpy(s->arg, g->stack + at + to->nres, to->nparam * sizeof *s->arg);
    vm_publish(g, s->arg, s->n);
    vm_publish(g, &s->ctx, 1);
    vm_join(g->vm); /* from here on there is another G */
    vm_reach(g);
    s->made = (struct vm_frame){top(g)->fn, top(g)->pc ? top(g)->pc - 1 : 0};
    rt_point();
    rt_go_copy(vm_main, s, size, program_of(g->vm, s), 0);
    return true;
}

static bool put_off(struct vg *g, int64_t fn, int64_t ctx, int64_t base)
{
    const struct form_fn *to = &g->vm->f->fn.v[fn];
    uint64_t at = top(g)->fp + (uint64_t)base;
    need(g, at + to->frame + 1);
    g->f = g->stack + top(g)->fp;
    int64_t record = vm_alloc(g, RECORD + (int64_t)to->nparam), *r = g->vm->cell + record;
    struct vm_call *owner = g->defer_to ? &g->call[g->defer_to - 1] : top(g);
    r[0] = owner->defers;
    r[1] = fn;
    r[2] = ctx;
    memcpy(r + RECORD, g->stack + at + to->nres, to->nparam * sizeof *r);
    owner->defers = record;
    g->defer_to = 0;
    return true;
}

/* The record of a deferred call. No Go program has its address, but a form can say any number. */
static const int64_t *record_at(const struct vm *vm, int64_t at)
{
    uint64_t room = vm->ncells - ((uint64_t)at - (uint64_t)VM_FIRST);
    const int64_t *r = room <= vm->ncells && room >= RECORD ? vm->cell + at : NULL;
    if (!r || (uint64_t)r[1] >= vm->f->fn.n || room - RECORD < vm->f->fn.v[r[1]].nparam)
        rt_fatal("a deferred call was overwritten");
    return r;
}

/* Calls the newest deferred call of the top one, behind its frame. */
static bool call_deferred(struct vg *g, int how)
{
    struct vm_call *c = top(g);
    uint64_t base = c->fp + c->fn->frame;
    const int64_t *r = record_at(g->vm, c->defers);
    const struct form_fn *fn = &g->vm->f->fn.v[r[1]];
    int64_t ctx = r[2];
    c->defers = r[0];
    need(g, base + fn->frame + 1);
    memcpy(g->stack + base + fn->nres, r + RECORD, fn->nparam * sizeof *r);
    return push(g, fn, base, ctx, how);
}

/* ---- panics ---- */

static bool begin_panic(struct vg *g, struct vm_panic p)
{
    struct vm_panic *q = rt_alloc(sizeof *q);
    p.below = g->panic;
    *q = p;
    leave_off(g);
    if (!p.goexit)
        vm_keep_frames(g, q);
    g->panic = q;
    return false;
}

bool vm_panic(struct vg *g, int64_t type, int64_t data)
{
    return begin_panic(g, (struct vm_panic){.type = type, .data = data});
}

/* The type in Go of the runtime's error with this text. */
static uint32_t error_type(const struct form *f, const char *text)
{
    static const struct {
        const char *begins;
        enum form_error error;
    } kinds[] = {
        {"runtime error: index out of range", ERROR_BOUNDS},   {"runtime error: slice bounds out of range", ERROR_BOUNDS},
        {"runtime error: cannot convert slice", ERROR_BOUNDS}, {"runtime error: ", ERROR_STRING},
        {"interface conversion: ", ERROR_ASSERTION},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strncmp(text, kinds[k].begins, strlen(kinds[k].begins)) == 0)
            return f->error[kinds[k].error];
    return f->error[ERROR_PLAIN];
}

bool vm_throw(struct vg *g, const char *fmt, ...)
{
    char text[240];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    int64_t at = vm_alloc(g, 2);
    uint64_t len = n < 0 ? 0 : (uint64_t)n < sizeof text ? (uint64_t)n : sizeof text - 1;
    g->vm->cell[at] = vm_text(g, text, len);
    g->vm->cell[at + 1] = (int64_t)len;
    return begin_panic(g, (struct vm_panic){.type = (int64_t)error_type(g->vm->f, text) + 1, .data = at});
}

void vm_goexit(struct vg *g)
{
    begin_panic(g, (struct vm_panic){.goexit = true});
}

/* The method that makes the text of a value: Error, else String. NULL: the type has none. */
static const struct form_method *text_method(const struct form_type *t)
{
    static const char *const names[] = {"Error()(string)", "String()(string)"};
    for (size_t k = 0; t && k < 2; k++)
        for (size_t n = 0; n < t->method.n; n++)
            if (strcmp(t->method.v[n].name, names[k]) == 0)
                return &t->method.v[n];
    return NULL;
}

/* Is the same value panicked with again after it was recovered? */
static bool same_value(const struct vm_panic *a, const struct vm_panic *b)
{
    return a->type == b->type && a->data == b->data;
}

/* Sets the text of a panic's value, a copy. */
static void set_text(struct vm_panic *p, const char *s, size_t n)
{
    p->text = rt_alloc(n + 1);
    if (n)
        memcpy(p->text, s, n);
    p->text[n] = '\0';
}

/* Go: printpanics. The lines of a value are indented. Returns the new length. */
static size_t put_panics(const struct vm_panic *p, char *out, size_t size, size_t n)
{
    if (p->below)
        n = put_panics(p->below, out, size, n);
    if (p->below && p->below->repanicked)
        return n;
    if (p->below && !p->below->goexit && n + 2 < size)
        n += (size_t)snprintf(out + n, size - n, "\t");
    if (p->goexit)
        return n;
    n += n + 8 < size ? (size_t)snprintf(out + n, size - n, "panic: ") : 0;
    for (const char *s = p->text; *s && n + 3 < size; s++) {
        out[n++] = *s;
        if (*s == '\n')
            out[n++] = '\t';
    }
    const char *end = !p->recovered ? "" : p->repanicked ? " [recovered, repanicked]" : " [recovered]";
    if (n + strlen(end) + 2 < size)
        n += (size_t)snprintf(out + n, size - n, "%s\n", end);
    return n;
}

static void show_instruction(struct vg *g, const struct form_fn *fn, size_t k, bool moved)
{
    const struct vm *vm = g->vm;
    const struct form_ins *i = &fn->code.v[k];
    if (vm->operation)
        g->start->at = (const char *)vm->operation[fn - vm->f->fn.v] + k * vm->operation_size;
    if (vm->races)
        rt_at(fn->first + (uint32_t)k);
    if (vm->places && moved && vm->f->text.v[fn->file])
        rt_reach(i->line, i->col, fn->first + (uint32_t)k);
}

/* No call is left. The values' own methods make their texts, one after another; the loop comes back here with each (vm_op_ret). */
static void die(struct vg *g)
{
    char text[EV_TEXT_MAX + 1];
    if (g->panic->goexit)
        rt_goexit();
    for (struct vm_panic *p = g->panic; p; p = p->below) {
        const struct form_method *m = p->text || p->goexit ? NULL : text_method(vm_type(g, p->type));
        p->repanicked = p->recovered && g->panic != p && same_value(g->panic, p);
        if (p->text || p->goexit)
            continue;
        if (m && g->vm->f->fn.v[m->fn].nres == 2) {
            need(g, g->vm->f->fn.v[m->fn].frame + 1);
            g->stack[g->vm->f->fn.v[m->fn].nres] = p->data;
            push(g, &g->vm->f->fn.v[m->fn], 0, 0, HOW_LAST_WORDS);
            return;
        }
        vm_panic_text(g, text, sizeof text, p);
        set_text(p, text, strlen(text));
    }
    size_t n = put_panics(g->panic, text, sizeof text, 0);
    text[n - (n && text[n - 1] == '\n')] = '\0';
    rt_on_panic(NULL, NULL);
    if (g->panic->nframes) /* where it began, not where the last deferred call was */
        show_instruction(g, g->panic->frame->fn, g->panic->frame->pc, true);
    rt_panic(strncmp(text, "panic: ", 7) ? text : text + 7);
}

static void last_words(struct vg *g)
{
    struct vm_panic *p = g->panic;
    const char *s = vm_chars(g, g->stack[0], g->stack[1]);
    while (p->text || p->goexit)
        p = p->below;
    set_text(p, s ? s : "", s ? (size_t)g->stack[1] : 0);
    g->ncalls = 0;
    die(g);
}

/* Runs the deferred calls of a panic, from the top call down. The G, or the program, dies when no call is left. */
void vm_unwind(struct vg *g)
{
    while (g->ncalls) {
        struct vm_call *c = top(g);
        if (c->defers) {
            g->panic->depth = g->ncalls;
            call_deferred(g, HOW_DEFERRED_IN_PANIC);
            return;
        }
        if (c->how == HOW_DEFERRED_IN_PANIC && g->panic->below)
            g->panic->below->aborted = true;
        g->ncalls--;
    }
    die(g);
}

/* A deferred call of a panic has returned: the next, or, if it recovered, the call that deferred it returns. */
static void after_deferred(struct vg *g)
{
    if (!g->panic->recovered) {
        vm_unwind(g);
        return;
    }
    do
        g->panic = g->panic->below;
    while (g->panic && g->panic->aborted);
    top(g)->pc = top(g)->fn->end;
    resume(g);
}

/* ---- the loop ---- */

static vm_op *const operation[FORM_OPS] = {
#define FORM_OP(name, operands) vm_op_##name,
#include "scenario/vm/ops.def"
#undef FORM_OP
};

const struct vm_call *vm_own_call(const struct vg *g)
{
    uint32_t n = g->ncalls;
    while (n > 1 && !g->vm->f->text.v[g->call[n - 1].fn->file])
        n--;
    return n ? &g->call[n - 1] : NULL;
}

const struct form_ins *vm_under_way(const struct vg *g, const struct vm_call *c)
{
    const struct vm_call *above = c + 1;
    bool left_at_it = above < g->call + g->ncalls && above->how != HOW_CALL; /* it runs its deferred calls */
    return &c->fn->code.v[c->pc && !left_at_it ? c->pc - 1 : c->pc];
}

const struct form_ins *vm_own(struct vg *g)
{
    leave_off(g);
    return vm_under_way(g, vm_own_call(g));
}

/* People see their own program: the G is where its newest function of that was left. */
void vm_show_place(struct vg *g, bool again)
{
    leave_off(g);
    const struct vm_call *c = vm_own_call(g);
    const struct form_ins *i = vm_under_way(g, c);
    show_instruction(g, c->fn, (size_t)(i - c->fn->code.v), again || c->line != i->line);
}

void vm_again(struct vg *g, const struct form_ins *back)
{
    const struct form_ins *i = g->code + back->a;
    while (i < back && i->line == back->line)
        i++;
    if (i >= back)
        top(g)->line = 0;
}

void vm_line(struct vg *g)
{
    struct vm_call *c = top(g);
    const struct form_ins *i = g->i;
    if ((c->line == i->line && !c->returned) || !i->line || !g->vm->f->text.v[c->fn->file])
        return;
    size_t k = (size_t)(i - g->code);
    if (g->vm->operation)
        g->start->at = (const char *)g->vm->operation[c->fn - g->vm->f->fn.v] + k * g->vm->operation_size;
    g->at_line = true;
    g->lines++;
    bool logged = rt_line(i->line, i->col, c->fn->first + (uint32_t)k, c->line != i->line);
    g->at_line = false;
    if (!logged) {
        g->lines--;
        return;
    }
    c->line = i->line;
    c->returned = false;
}

void vm_turn(struct vg *g, bool call)
{
    vm_show_place(g, false);
    g->spent -= rt_turn(g->spent, call);
}

/* What is short takes its time at once. In an exhaustive run none passes while another M can go on; there a G that has passed many points without a wait lets
 * the others go first, so that a loop that waits for them ends. */
void vm_reach(struct vg *g)
{
    vm_show_place(g, false);
    if (g->spent >= g->vm->slice / VM_SHORT) {
        g->spent -= rt_turn(g->spent, true);
    } else if (!g->vm->point_ns) {
        rt_ran(g->spent);
        g->spent = 0;
    }
}

/* The runtime has found a mistake of the program (send on closed channel). Nothing of ours lies between the loop and the runtime's call that would have
 * to be undone. */
static void on_mistake(void *ctx, const char *text)
{
    struct vg *g = ctx;
    vm_throw(g, "%s", text);
    longjmp(g->mistake, 1);
}

bool vm_operation(struct vg *g, const struct form_ins *i)
{
    return operation[i->op](g, g->f, i);
}

void vm_fails(struct vg *g, const struct form_ins *i)
{
    g->i = i;
    leave_off(g);
    vm_unwind(g);
}

/* Runs until the call that is on top now has returned. */
static void run(struct vg *g)
{
    if (setjmp(g->mistake)) {
        g->i--;
        leave_off(g);
        vm_unwind(g);
    }
    while (g->ncalls) {
        if (g->vm->places)
            vm_line(g);
        const struct form_ins *i = g->i++;
        g->spent++;
        if (!operation[i->op](g, g->f, i))
            vm_fails(g, i);
    }
}

void vm_main(void *arg)
{
    struct vm_start *s = arg;
    const struct form *f = s->vm->f;
    struct vg *g = rt_alloc(sizeof *g);
    g->vm = s->vm;
    g->start = s;
    s->g = g;
    g->id = vm_join(g->vm);
    g->look_at = VM_TURNS;
    rt_on_panic(on_mistake, g);
    if (s == &s->vm->main)
        s->vm->cpus = rt_procs();
    for (size_t k = 0; s == &s->vm->main && k < f->init.n; k++) {
        push(g, &f->fn.v[f->init.v[k]], 0, 0, HOW_CALL);
        run(g);
    }
    need(g, (uint64_t)f->fn.v[s->fn].nres + s->n + 1);
    memcpy(g->stack + f->fn.v[s->fn].nres, s->arg, s->n * sizeof *s->arg);
    push(g, &f->fn.v[s->fn], 0, s->ctx, HOW_CALL);
    run(g);
}

/* ---- operations ---- */

#define OP(name) bool vm_op_##name(struct vg *g, int64_t *f, const struct form_ins *i)

OP(call)
{
    (void)f;
    return vm_enter(g, i->a, (uint64_t)i->b, 0, HOW_CALL);
}
OP(callc)
{
    int64_t ctx = f[i->a], fn = vm_function(g, ctx);
    return fn >= 0 && vm_enter(g, fn, (uint64_t)i->b, ctx, HOW_CALL);
}
OP(calli)
{
    int64_t fn = method_of(g, f, i);
    return fn >= 0 && vm_enter(g, fn, (uint64_t)i->b, 0, HOW_CALL);
}
OP(go)
{
    (void)f;
    return start(g, i->a, 0, i->b);
}
OP(goc)
{
    int64_t ctx = f[i->a];
    if (!ctx)
        rt_fatal("go of nil func value");
    int64_t fn = vm_function(g, ctx);
    return fn >= 0 && start(g, fn, ctx, i->b);
}
OP(goi)
{
    int64_t fn = method_of(g, f, i);
    return fn >= 0 && start(g, fn, 0, i->b);
}
OP(defer)
{
    (void)f;
    return put_off(g, i->a, 0, i->b);
}
OP(deferc)
{
    int64_t ctx = f[i->a], fn = vm_function(g, ctx);
    return fn >= 0 && put_off(g, fn, ctx, i->b);
}
OP(deferi)
{
    int64_t fn = method_of(g, f, i);
    return fn >= 0 && put_off(g, fn, 0, i->b);
}
/* A body of a range over a function defers for the function around it, whose call it knows by its depth. */
OP(depth)
{
    f[i->a] = g->ncalls;
    return true;
}
OP(deferto)
{
    int64_t n = f[i->a];
    bool sound = n > 0 && n <= g->ncalls && g->call[n - 1].fn->end;
    g->defer_to = sound ? (uint32_t)n : 0;
    return true;
}
OP(frame)
{
    (void)g, (void)f, (void)i;
    return true;
}
OP(defers)
{
    (void)f;
    if (!top(g)->defers)
        return true;
    g->i = i; /* it comes back here, until there is none */
    leave_off(g);
    return call_deferred(g, HOW_DEFERRED);
}
OP(ret)
{
    (void)f, (void)i;
    int how = top(g)->how;
    if (how == HOW_LAST_WORDS) {
        last_words(g);
        return true;
    }
    g->ncalls--;
    if (how == HOW_DEFERRED_IN_PANIC)
        after_deferred(g);
    else if (g->ncalls)
        resume(g);
    if (g->ncalls)
        top(g)->returned = true;
    return true;
}
OP(closure)
{
    int64_t at = vm_alloc(g, 1 + i->c), *c = g->vm->cell + at;
    c[0] = VM_FUNCTIONS + i->b;
    memcpy(c + 1, f + i->d, (size_t)i->c * sizeof *c);
    f[i->a] = at;
    return true;
}
OP(sys)
{
    vm_reach(g);
    return g->vm->sys[i->a](g, f);
}
OP(panic)
{
    return vm_panic(g, f[i->a], f[i->a + 1]);
}
OP(recover)
{
    struct vm_panic *p = g->panic;
    f[i->a] = f[i->a + 1] = 0;
    if (!p || p->goexit || p->recovered || top(g)->how != HOW_DEFERRED_IN_PANIC || p->depth != g->ncalls - 1)
        return true;
    p->recovered = true;
    f[i->a] = p->type;
    f[i->a + 1] = p->data;
    return true;
}
