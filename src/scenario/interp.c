/* Programs run here: on G stacks, through runtime.h and point.h, never through stdio.
 *
 * A block runs by recursion, one level per nested list, so a frame must stay small: the file format's depth of 64
 * must fit into a G's stack several times over. The only large buffer (a print's text) is in a leaf. Nothing on the
 * stack owns memory: a G owns its struct start, which holds its variables. An instance may be
 * torn down at any rt_ call without returning here. */
#include "runtime/sched/point.h"
#include "scenario/scenario_internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

/* goid, p and m in a print: where the G runs at this moment. */
static int64_t place_value(struct frame *f, int slot)
{
    int64_t v = slot == SLOT_GOID ? rt_goid() : slot == SLOT_P ? rt_pid() : rt_mid();
    f->no_p |= slot == SLOT_P && v == EV_NONE;
    return v;
}

/* Returns the value of a variable, which may be shared. */
static int64_t load_slot(const struct frame *f, int slot)
{
    if (slot < SLOT_SHARED)
        return f->var[slot];
    /* relaxed: a scenario's races are intended; pairs with nothing */
    return atomic_load_explicit(&f->run->shared[slot - SLOT_SHARED], memory_order_relaxed);
}

static int64_t get_slot(void *ctx, int slot)
{
    struct frame *f = ctx;
    if (slot >= SLOT_GOID)
        return place_value(f, slot);
    if (slot >= SLOT_SHARED)
        rt_touch_shared();
    if (slot >= SLOT_SHARED && f->run->races)
        rt_access((uint32_t)(slot - SLOT_SHARED), NOTE_READ);
    return load_slot(f, slot);
}

static void put_slot(struct frame *f, int slot, int64_t value)
{
    if (slot < SLOT_SHARED) {
        f->var[slot] = value;
        return;
    }
    rt_touch_shared();
    if (f->run->races)
        rt_access((uint32_t)(slot - SLOT_SHARED), NOTE_WRITE);
    /* relaxed: as in load_slot() */
    atomic_store_explicit(&f->run->shared[slot - SLOT_SHARED], value, memory_order_relaxed);
}

/* slot -1: nobody wants it. */
static void put_result(struct frame *f, int slot, int64_t value)
{
    if (slot >= 0)
        put_slot(f, slot, value);
}

static int64_t eval(struct frame *f, const struct expr *e, int64_t missing)
{
    int64_t v = missing;
    if (e && expr_eval(e, get_slot, f, &v) == EXPR_DIV_ZERO)
        rt_panic("runtime error: integer divide by zero");
    return v;
}

/* ---- objects ---- */

/* Panics with Go's words for an index beyond an array. */
static __attribute__((noinline)) void bad_index(int64_t at, uint32_t count)
{
    char text[80];
    size_t n = (size_t)snprintf(text, sizeof text, "runtime error: index out of range [%lld]", (long long)at);
    if (at >= 0)
        snprintf(text + n, sizeof text - n, " with length %u", count);
    rt_panic(text);
}

/* Returns the number of the object, from 0. */
static uint32_t element(struct frame *f, const struct operand *o)
{
    if (!o->e)
        return o->first;
    int64_t at = eval(f, o->e, 0);
    if (at < 0 || at >= o->n)
        bad_index(at, o->n);
    return o->first + (uint32_t)at;
}

/* Returns a number, or the id of a channel. */
static int64_t value_of(struct frame *f, const struct operand *o)
{
    return o->n ? (int64_t)element(f, o) + 1 : eval(f, o->e, 0);
}

/* ---- blocks ---- */

/* The G is in op now, or reaches it next. */
static void reach(struct frame *f, const struct op *op)
{
    bool moves = f->start->at != op;
    f->start->at = op;
    if (f->run->races)
        rt_at(op->number);
    if (f->run->places && moves)
        rt_reach(op->line, op->col, op->number);
}

/* Inline, so that a turn of a loop is one call less. */
static inline __attribute__((always_inline)) void run_block(struct frame *f, const struct block *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const struct op *op = &b->op[i];
        reach(f, op);
        rt_point();
        op->exec(f, op);
        if (f->leave)
            return;
    }
}

/* After the body of a loop that was left before its end. Returns whether the loop ends, too. */
static bool ends_loop(struct frame *f)
{
    bool turn = f->leave == LEAVE_TURN;
    if (f->leave != LEAVE_PROGRAM)
        f->leave = LEAVE_NOTHING;
    return !turn;
}

void exec_loop(struct frame *f, const struct op *op)
{
    int64_t n = eval(f, op->u.loop.n, 0);
    bool forever = !op->u.loop.n;
    for (int64_t i = 0; forever || i < n; i = (int64_t)((uint64_t)i + 1)) {
        rt_point();
        if (op->u.loop.var >= 0)
            put_slot(f, op->u.loop.var, i);
        run_block(f, &op->u.loop.body);
        if (f->leave && ends_loop(f))
            return;
        reach(f, op);
        rt_back_edge();
    }
}

void exec_if(struct frame *f, const struct op *op)
{
    run_block(f, eval(f, op->u.branch.cond, 0) ? &op->u.branch.then : &op->u.branch.otherwise);
}

/* A shared integer is read and written in two steps: a write by another G in between is lost, as in Go. */
void exec_set(struct frame *f, const struct op *op)
{
    int64_t v = value_of(f, &op->u.set.to);
    if (op->u.set.var >= SLOT_SHARED)
        rt_point();
    put_slot(f, op->u.set.var, v);
}

/* Notes an atomic access: what a write releases before it, what a read acquires after it. */
static void note_atomic(const struct frame *f, uint32_t variable, enum ev_note order)
{
    const uint32_t object = UINT32_C(1) << 31 | variable; /* a number that no object of the runtime has */
    if (!f->run->races)
        return;
    if (order != NOTE_ACQUIRE)
        rt_access(variable, order == NOTE_NONE ? NOTE_ATOMIC_READ : NOTE_ATOMIC_WRITE);
    if (order != NOTE_NONE)
        rt_sync(object, order);
}

/* One step. seq_cst, as all of Go's are: they pair with each other. */
void exec_atomic(struct frame *f, const struct op *op)
{
    int64_t n = eval(f, op->u.atomic.n, 0), to = eval(f, op->u.atomic.to, 0), old = eval(f, op->u.atomic.old, 0), result = 0;
    uint32_t i = (uint32_t)op->u.atomic.var;
    _Atomic int64_t *at = &f->run->shared[i];
    bool writes = op->u.atomic.n || op->u.atomic.to;
    rt_touch_shared();
    note_atomic(f, i, writes ? NOTE_RELEASE_MERGE : NOTE_NONE);
    if (op->u.atomic.n)
        result = (int64_t)((uint64_t)atomic_fetch_add_explicit(at, n, memory_order_seq_cst) + (uint64_t)n); /* partner: the others here */
    else if (op->u.atomic.old)
        result = atomic_compare_exchange_strong_explicit(at, &old, to, memory_order_seq_cst, memory_order_seq_cst); /* as above */
    else if (op->u.atomic.to)
        result = atomic_exchange_explicit(at, to, memory_order_seq_cst); /* as above */
    else
        result = atomic_load_explicit(at, memory_order_seq_cst); /* as above */
    if (op->u.atomic.as >= 0 || !op->u.atomic.to)
        note_atomic(f, i, NOTE_ACQUIRE);
    put_result(f, op->u.atomic.as, result);
}

/* math/rand: a number is a decision of the run. */
void exec_rand(struct frame *f, const struct op *op)
{
    int64_t n = eval(f, op->u.loop.n, 1);
    if (n <= 0)
        rt_panic("invalid argument to Int63n");
    bool large = n > UINT32_MAX;
    uint64_t low = large ? rt_random() >> 32 : 0, drawn = rt_decide(DECIDE_DRAW, large ? UINT32_MAX : (uint32_t)n);
    put_slot(f, op->u.loop.var, (int64_t)(large ? (drawn << 31 | low >> 1) % (uint64_t)n : drawn));
}

void exec_yield(struct frame *f, const struct op *op)
{
    for (int64_t n = eval(f, op->u.loop.n, 1); n > 0; n--)
        rt_gosched();
}

/* ---- Gs ---- */

static void run_body(struct frame *f, const struct block *b)
{
    run_block(f, b);
}

static void run_program(struct frame *f)
{
    if (f->prog->defers)
        run_deferring(f, &f->prog->body, run_body);
    else
        run_block(f, &f->prog->body);
}

/* The runtime has found a mistake of this G, which may recover. */
static void on_mistake(void *ctx, const char *text)
{
    raise_panic(ctx, text, false);
}

void interp_main(void *arg)
{
    struct start *s = arg;
    struct unwinding u = {NULL, NULL};
    struct frame f = {.run = s->run, .prog = &s->run->sc->prog[s->prog], .start = s, .var = s->var, .unwinding = &u};
    f.cases = f.prog->ncases ? rt_alloc(f.prog->ncases * sizeof *f.cases) : NULL;
    if (s->run->sc->defers)
        rt_on_panic(on_mistake, &u);
    run_program(&f);
}

void exec_call(struct frame *f, const struct op *op)
{
    const struct program *p = op->u.go.callee;
    struct frame in = {.run = f->run, .prog = p, .start = f->start, .var = f->var + f->prog->nvars, .cases = f->cases};
    in.unwinding = f->unwinding;
    for (uint32_t k = 0; k < p->nvars; k++)
        in.var[k] = k && k <= op->u.go.nargs ? value_of(f, &op->u.go.arg[k - 1]) : 0;
    f->start->base = (uint32_t)(in.var - f->start->var);
    run_program(&in);
    f->start->base = (uint32_t)(f->var - f->start->var);
    reach(f, op);
    if (op->u.go.var >= 0)
        put_slot(f, op->u.go.var, in.result);
}

void exec_defer(struct frame *f, const struct op *op)
{
    struct deferred *d = rt_alloc(sizeof *d);
    *d = (struct deferred){&op->u.loop.body, f->deferred};
    f->deferred = d;
}

/* The number of a once's flag, which no shared integer and no cell has. */
static uint32_t flag_of(const struct frame *f, uint32_t mutex)
{
    return UINT32_C(1) << 31 | (f->run->sc->y->shared_count + mutex);
}

static bool is_done(const struct frame *f, uint32_t mutex)
{
    rt_touch(flag_of(f, mutex), false);
    bool done = atomic_load_explicit(&f->run->done[mutex], memory_order_acquire); /* acquire: pairs with the store in exec_once_end() */
    if (done && f->run->races)
        rt_sync(flag_of(f, mutex), NOTE_ACQUIRE);
    return done;
}

/* sync.Once.Do: its doSlow defers the unlock and the store, so both happen when the body panics, too. */
void exec_once(struct frame *f, const struct op *op)
{
    uint32_t mutex = element(f, &op->u.once.mutex);
    struct deferred finish = {&op->u.once.finish, NULL};
    struct frame in = *f;
    if (is_done(f, mutex))
        return;
    rt_mutex_lock(f->run->mutex[mutex]);
    in.deferred = &finish;
    in.once = mutex;
    if (is_done(f, mutex))
        rt_mutex_unlock(f->run->mutex[mutex]);
    else
        run_deferring(&in, &op->u.once.body, run_body);
    reach(f, op);
}

void exec_once_end(struct frame *f, const struct op *op)
{
    uint32_t mutex = f->once;
    (void)op;
    rt_touch(flag_of(f, mutex), true);
    if (f->run->races)
        rt_sync(flag_of(f, mutex), NOTE_RELEASE_MERGE);
    atomic_store_explicit(&f->run->done[mutex], true, memory_order_release); /* release: pairs with the load in is_done() */
    rt_mutex_unlock(f->run->mutex[mutex]);
}

void exec_recover(struct frame *f, const struct op *op)
{
    bool recovers = recover_panic(f->unwinding);
    if (op->u.loop.var >= 0)
        put_slot(f, op->u.loop.var, recovers);
}

void exec_return(struct frame *f, const struct op *op)
{
    if (op->u.loop.n)
        f->result = eval(f, op->u.loop.n, 0);
    f->leave = LEAVE_PROGRAM;
}

static size_t start_size(const struct program *p)
{
    return sizeof(struct start) + p->room * sizeof(int64_t);
}

/* Variable 0 is i; the caller sets the params, which follow. */
static void begin_start(struct start *s, struct scenario_run *run, uint32_t prog, int64_t i)
{
    const struct program *p = &run->sc->prog[prog];
    s->run = run;
    s->prog = prog;
    s->base = 0;
    s->at = NULL;
    s->var[0] = i;
    for (uint32_t k = 1; k < p->room; k++)
        s->var[k] = 0;
}

struct start *interp_start(struct scenario_run *run, uint32_t prog, int64_t i)
{
    struct start *s = malloc(start_size(&run->sc->prog[prog]));
    if (s)
        begin_start(s, run, prog, i);
    return s;
}

#define HOLDER_BYTES 64u /* of what holds the start of a G that is not made yet: a finalizer, or a timer's rest */

static void free_started(void *arg)
{
    struct start *s = arg;
    rt_memory_give(s->run->sched, start_size(&s->run->sc->prog[s->prog]) + HOLDER_BYTES);
    free(s);
}

/* Release it by free_started(). */
static struct start *started(struct frame *f, uint32_t prog, int64_t i)
{
    rt_memory_need(start_size(&f->run->sc->prog[prog]) + HOLDER_BYTES);
    struct start *s = interp_start(f->run, prog, i);
    if (!s)
        rt_no_memory("cannot allocate memory for a goroutine");
    return s;
}

/* The start data of a G that is being made. It stays on its creator's stack until every value is known: a division by zero ends the
 * creator, which must own nothing then. Few programs need a large draft, and it would make each creator touch one more page of its stack. */
#define DRAFT(variables) \
    union { \
        struct start start; \
        char room[sizeof(struct start) + (variables) * sizeof(int64_t)]; \
    }

/* Evaluates the args, left to right. */
static void fill_draft(struct start *s, struct frame *f, const struct op *op, int64_t i)
{
    begin_start(s, f->run, op->u.go.prog, i);
    for (uint32_t k = 0; k < op->u.go.nargs; k++)
        s->var[1 + k] = value_of(f, &op->u.go.arg[k]);
}

static void go_all(struct frame *f, const struct op *op, struct start *draft)
{
    int64_t n = eval(f, op->u.go.count, 1);
    for (int64_t i = 0; i < n; i++) {
        fill_draft(draft, f, op, i);
        rt_go_copy(interp_main, draft, start_size(&f->run->sc->prog[draft->prog]), op->u.go.prog, (uint32_t)i);
    }
}

static __attribute__((noinline)) void go_large(struct frame *f, const struct op *op)
{
    DRAFT(MAX_VARIABLES) d;
    go_all(f, op, &d.start);
}

#define FEW_VARIABLES 8u

void exec_go(struct frame *f, const struct op *op)
{
    DRAFT(FEW_VARIABLES) d;
    if (f->run->sc->prog[op->u.go.prog].room <= FEW_VARIABLES)
        go_all(f, op, &d.start);
    else
        go_large(f, op);
}

void exec_finalizer(struct frame *f, const struct op *op)
{
    DRAFT(MAX_VARIABLES) d;
    fill_draft(&d.start, f, op, 0);
    struct start *s = started(f, op->u.go.prog, 0);
    memcpy(s, &d, start_size(&s->run->sc->prog[s->prog]));
    rt_finalizer(interp_main, s, free_started);
}

/* ---- printing ---- */

struct line {
    size_t n;
    char text[EV_TEXT_MAX];
};

static void line_add(struct line *l, const char *s, size_t n)
{
    size_t room = sizeof l->text - l->n;
    if (n > room) /* cut between characters */
        for (n = room; n && ((unsigned char)s[n] & 0xc0) == 0x80; n--)
            ;
    memcpy(l->text + l->n, s, n);
    l->n += n;
}

static void line_add_int(struct line *l, int64_t v)
{
    char digits[20], *p = digits + sizeof digits;
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do
        *--p = (char)('0' + u % 10);
    while (u /= 10);
    if (v < 0)
        *--p = '-';
    line_add(l, p, (size_t)(digits + sizeof digits - p));
}

static void add_value(struct line *l, const struct frame *f, int64_t v)
{
    if (f->no_p) /* the generation has no Ps */
        line_add(l, "-", 1);
    else
        line_add_int(l, v);
}

void exec_print(struct frame *f, const struct op *op)
{
    struct line l;
    l.n = 0;
    for (uint32_t i = 0; i < op->u.print.n; i++) {
        const struct piece *p = &op->u.print.piece[i];
        f->no_p = false;
        if (p->e)
            add_value(&l, f, eval(f, p->e, 0));
        else
            line_add(&l, p->text, p->len);
    }
    rt_print(l.text, l.n);
}

/* A G whose next text is requested from outside of the run. */
struct asked {
    struct frame f; /* first, for get_slot() */
    struct scenario_place at;
};

static int64_t asked_slot(void *ctx, int slot)
{
    struct asked *k = ctx;
    if (slot < SLOT_GOID)
        return load_slot(&k->f, slot);
    k->f.no_p |= slot == SLOT_P && k->at.p == EV_NO_P;
    return slot == SLOT_GOID ? k->at.g : slot == SLOT_P ? k->at.p : k->at.m;
}

bool interp_text(const struct start *g, struct scenario_place place, char text[EV_TEXT_MAX + 1])
{
    struct line l;
    struct asked k = {.f = {.run = g->run, .var = (int64_t *)(uintptr_t)g->var + g->base}, .at = place};
    const struct op *op = g->at;
    l.n = 0;
    for (uint32_t i = 0; i < op->u.print.n; i++) {
        const struct piece *p = &op->u.print.piece[i];
        int64_t v = 0;
        k.f.no_p = false;
        if (p->e && expr_eval(p->e, asked_slot, &k, &v) == EXPR_DIV_ZERO)
            return false;
        if (p->e)
            add_value(&l, &k.f, v);
        else
            line_add(&l, p->text, p->len);
    }
    memcpy(text, l.text, l.n);
    text[l.n] = '\0';
    return true;
}

/* ---- channels ---- */

/* A timer that was not made yet is nil. */
static struct hchan *made(const struct frame *f, uint32_t i)
{
    struct hchan *c = f->run->chan[i];
    uint32_t declared = object_total(f->run->sc, NS_CHANNELS);
    if (i >= declared)
        return context_done(f->run, i - declared);
    if (i >= f->run->sc->first_timer_chan && !rt_timer_made(c))
        nil_pointer();
    return c;
}

/* NULL: nil. */
static struct hchan *chan(struct frame *f, const struct operand *o)
{
    int64_t id = value_of(f, o);
    return id ? made(f, (uint32_t)(id - 1)) : NULL;
}

void exec_send(struct frame *f, const struct op *op)
{
    struct hchan *c = chan(f, &op->u.obj.obj);
    rt_chan_send(c, value_of(f, &op->u.obj.value));
}

void exec_close(struct frame *f, const struct op *op)
{
    struct hchan *c = chan(f, &op->u.obj.obj);
    if (!c)
        rt_panic("close of nil channel");
    rt_chan_close(c);
}

void exec_len(struct frame *f, const struct op *op)
{
    struct hchan *c = chan(f, &op->u.obj.obj);
    put_result(f, op->u.obj.var, c ? rt_chan_len(c) : 0);
}

void exec_recv(struct frame *f, const struct op *op)
{
    int64_t v = 0;
    bool ok = rt_chan_recv(chan(f, &op->u.obj.obj), &v);
    put_result(f, op->u.obj.var, v);
    put_result(f, op->u.obj.ok, ok);
}

void exec_range(struct frame *f, const struct op *op)
{
    int64_t v = 0;
    struct hchan *c = chan(f, &op->u.obj.obj);
    while (rt_chan_recv(c, &v)) {
        rt_point();
        if (op->u.obj.var >= 0)
            put_slot(f, op->u.obj.var, v);
        run_block(f, &op->u.obj.body);
        if (f->leave && ends_loop(f))
            return;
        reach(f, op);
    }
}

/* Evaluates the values in the order of the cases, as in Go, whichever case is then done. */
static int select_one(struct frame *f, const struct op *op)
{
    for (uint32_t i = 0; i < op->u.select.n; i++) {
        const struct selcase *k = &op->u.select.v[i];
        f->cases[i] = (struct rt_case){.c = chan(f, &k->chan), .send = k->send};
        f->cases[i].value = value_of(f, &k->value);
    }
    return rt_select(f->cases, op->u.select.n, !op->u.select.otherwise);
}

void exec_select(struct frame *f, const struct op *op)
{
    int at = select_one(f, op);
    const struct selcase *k = at < 0 ? NULL : &op->u.select.v[at];
    if (k && !k->send) {
        put_result(f, k->var, f->cases[at].value);
        put_result(f, k->ok, f->cases[at].ok);
    }
    run_block(f, k ? &k->body : op->u.select.otherwise);
}

/* ---- timers with names ---- */

/* AfterFunc: like exec_go, but later; the new G's i is 0. */
void exec_after(struct frame *f, const struct op *op)
{
    uint32_t prog = op->u.timer.prog;
    DRAFT(TIMER_VARIABLES) d;
    if (!op->u.timer.own) {
        rt_after(op->u.timer.ns, interp_main, started(f, prog, 0), free_started, prog);
        return;
    }
    begin_start(&d.start, f->run, prog, 0);
    struct handle *t = rt_func_new(op->u.timer.ns, interp_main, &d, start_size(&f->run->sc->prog[prog]), prog);
    atomic_store_explicit(&f->run->func[op->u.timer.chan.first], t, memory_order_release); /* pairs with the load in func() */
}

static struct handle *func(const struct frame *f, const struct op *op)
{
    struct handle *t =
        atomic_load_explicit(&f->run->func[op->u.timer.chan.first], memory_order_acquire); /* pairs with the store in exec_after() */
    if (!t)
        nil_pointer();
    return t;
}

void exec_stop(struct frame *f, const struct op *op)
{
    bool pending = op->u.timer.own ? rt_func_stop(func(f, op)) : rt_timer_stop(made(f, op->u.timer.chan.first));
    put_result(f, op->u.timer.var, pending);
}

void exec_reset(struct frame *f, const struct op *op)
{
    int64_t ns = op->u.timer.ns;
    bool pending = op->u.timer.own ? rt_func_reset(func(f, op), ns) : rt_timer_reset(made(f, op->u.timer.chan.first), ns);
    put_result(f, op->u.timer.var, pending);
}

void exec_context(struct frame *f, const struct op *op)
{
    int64_t ns = op->u.context.timeout;
    uint32_t i = element(f, &op->u.context.context), parent = op->u.context.has_parent ? element(f, &op->u.context.parent) + 1 : 0;
    context_make(f->run, i, parent, !op->u.context.has_timeout ? -1 : ns < 0 ? 0 : ns, op->line);
}

/* ---- operations that are one call of the runtime ---- */

#define CALL(verb, call) \
    void exec_##verb(struct frame *f, const struct op *op) \
    { \
        (void)f, (void)op; \
        call; \
    }
CALL(compute, rt_compute(op->u.time.ns, op->u.time.flag))
CALL(sleep, rt_sleep(op->u.time.ns))
CALL(syscall, rt_syscall(op->u.time.ns, op->u.time.flag))
CALL(cgo, rt_cgo(op->u.time.ns))
CALL(stop_the_world, rt_stop_the_world(op->u.time.ns))
CALL(gc, rt_gc(op->u.time.ns, op->u.time.flag))
CALL(disable_user, rt_disable_user(op->u.time.ns))
CALL(trace_reader, rt_trace_reader())
CALL(gomaxprocs, rt_gomaxprocs(eval(f, op->u.loop.n, 0)))
CALL(lock_os_thread, rt_lock_os_thread())
CALL(unlock_os_thread, rt_unlock_os_thread())
CALL(exit, f->unwinding->place ? raise_panic(f->unwinding, "", true) : rt_goexit())
CALL(panic, rt_panic(op->u.text))
CALL(break, f->leave = LEAVE_LOOP)
CALL(continue, f->leave = LEAVE_TURN)
CALL(timer, (op->u.timer.own ? rt_timer_new : rt_timer)(f->run->chan[element(f, &op->u.timer.chan)], op->u.timer.ns))
CALL(ticker, (op->u.timer.own ? rt_ticker_new : rt_ticker)(f->run->chan[element(f, &op->u.timer.chan)], op->u.timer.ns))
CALL(lock, rt_mutex_lock(f->run->mutex[element(f, &op->u.obj.obj)]))
CALL(unlock, rt_mutex_unlock(f->run->mutex[element(f, &op->u.obj.obj)]))
CALL(rlock, rt_rwmutex_rlock(f->run->rwmutex[element(f, &op->u.obj.obj)]))
CALL(runlock, rt_rwmutex_runlock(f->run->rwmutex[element(f, &op->u.obj.obj)]))
CALL(wlock, rt_rwmutex_lock(f->run->rwmutex[element(f, &op->u.obj.obj)]))
CALL(wunlock, rt_rwmutex_unlock(f->run->rwmutex[element(f, &op->u.obj.obj)]))
CALL(add, rt_waitgroup_add(f->run->waitgroup[element(f, &op->u.obj.obj)], eval(f, op->u.obj.value.e, 1)))
CALL(done, rt_waitgroup_add(f->run->waitgroup[element(f, &op->u.obj.obj)], -1))
CALL(wait, rt_waitgroup_wait(f->run->waitgroup[element(f, &op->u.obj.obj)]))
CALL(cond_wait, rt_cond_wait(f->run->cond[element(f, &op->u.obj.obj)]))
CALL(signal, rt_cond_signal(f->run->cond[element(f, &op->u.obj.obj)]))
CALL(broadcast, rt_cond_broadcast(f->run->cond[element(f, &op->u.obj.obj)]))
CALL(try_lock, put_result(f, op->u.obj.var, rt_mutex_try_lock(f->run->mutex[element(f, &op->u.obj.obj)])))
CALL(try_rlock, put_result(f, op->u.obj.var, rt_rwmutex_try_rlock(f->run->rwmutex[element(f, &op->u.obj.obj)])))
CALL(try_wlock, put_result(f, op->u.obj.var, rt_rwmutex_try_lock(f->run->rwmutex[element(f, &op->u.obj.obj)])))
CALL(cancel, context_cancel(f->run, element(f, &op->u.context.context)))
CALL(err, put_result(f, op->u.context.var, context_err(f->run, element(f, &op->u.context.context))))
CALL(now, put_slot(f, op->u.loop.var, rt_now()))
CALL(write, rt_conn_write(f->run->conn[element(f, &op->u.io.conn)], op->u.io.side, eval(f, op->u.io.bytes, 1)))
CALL(read, rt_conn_read(f->run->conn[element(f, &op->u.io.conn)], op->u.io.side, eval(f, op->u.io.bytes, 1)))
