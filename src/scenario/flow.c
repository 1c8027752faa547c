/* The compiled programs as a graph (model/flow.h). Nodes are numbered in the order of the file: an operation, the cases if it is a select, then
 * the operations inside of it. */
#include "scenario/scenario_internal.h"
#include "scenario/vm/form.h"

struct flow_writer {
    const struct scenario *sc;
    struct flow_node *node;
    uint32_t *of_op;
    uint32_t n, fn;
    uint32_t turn, after_loop; /* where `continue` and `break` go to */
    uint32_t end;              /* where the program's end is */
    uint32_t *start;           /* by program */
    uint32_t first_end;        /* of the nodes of program's ends, in their order; FLOW_NONE: there are none */
    uint32_t used;             /* nodes */
    uint32_t deferred;         /* the node of the program's next deferred list */
};

static const struct {
    op_exec *exec;
    enum flow_kind kind;
} object_ops[] = {
    {exec_send, FLOW_SEND},           {exec_recv, FLOW_RECV},       {exec_range, FLOW_RANGE},   {exec_close, FLOW_CLOSE},
    {exec_lock, FLOW_LOCK},           {exec_unlock, FLOW_UNLOCK},   {exec_rlock, FLOW_RLOCK},   {exec_runlock, FLOW_RUNLOCK},
    {exec_wlock, FLOW_WLOCK},         {exec_wunlock, FLOW_WUNLOCK}, {exec_add, FLOW_LOWER},     {exec_done, FLOW_LOWER},
    {exec_once_end, FLOW_UNLOCK},     {exec_wait, FLOW_WAIT},       {exec_signal, FLOW_SIGNAL}, {exec_broadcast, FLOW_SIGNAL},
    {exec_cond_wait, FLOW_COND_WAIT},
};

/* ---- numbers ---- */

static void number_block(struct flow_writer *w, const struct block *b);

/* With no array yet, it only counts. */
static void number_op(struct flow_writer *w, const struct op *op)
{
    uint32_t at = w->n++;
    if (w->of_op)
        w->of_op[op->number] = at;
    if (op->exec == exec_select)
        w->n += op->u.select.n;
    if (op->exec == exec_cancel)
        w->n += w->sc->ndescents;
    const struct block *in;
    for (uint32_t i = 0; (in = op_inside(op, i)); i++)
        number_block(w, in);
}

static void number_block(struct flow_writer *w, const struct block *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        number_op(w, &b->op[i]);
}

static uint32_t count_ops(const struct block *b, op_exec *exec)
{
    const struct block *in;
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        n += b->op[i].exec == exec;
        for (uint32_t k = 0; (in = op_inside(&b->op[i], k)); k++)
            n += count_ops(in, exec);
    }
    return n;
}

/* Where programs call each other or defer, a program ends through its deferred lists, then at what follows each of its calls. That takes a node for
 * each of these, and one for each program, behind all others. Returns how many. */
static uint32_t count_ends(const struct scenario *sc)
{
    bool any = sc->defers;
    uint32_t n = sc->nprog;
    for (uint32_t i = 0; i < sc->nprog; i++) {
        any |= sc->prog[i].called;
        n += count_ops(&sc->prog[i].body, exec_defer) + count_ops(&sc->prog[i].body, exec_call);
    }
    return any ? n : 0;
}

static uint32_t number_all(struct flow_writer *w)
{
    w->n = 0;
    for (uint32_t i = 0; i < w->sc->nprog; i++)
        number_block(w, &w->sc->prog[i].body);
    return w->n;
}

/* ---- nodes ---- */

static uint32_t first_of(const struct flow_writer *w, const struct block *b, uint32_t after)
{
    return b->n ? w->of_op[b->op[0].number] : after;
}

static void write_block(struct flow_writer *w, const struct block *b, uint32_t after);

/* Fills in which objects an operation may work with: one of an array if its index is computed. */
static void write_ids(const struct flow_writer *w, const struct operand *o, struct flow_node *n)
{
    int64_t at = 0;
    const struct operand *range = o->n ? o : &w->sc->passed;
    bool known = o->n && (!o->e || expr_constant(o->e, &at)) && at >= 0 && at < o->n;
    n->id = range->first + (known ? (uint32_t)at : 0) + 1;
    n->n = known ? 1 : range->n;
}

static void write_select(struct flow_writer *w, const struct op *op, struct flow_node *n, uint32_t after)
{
    uint32_t cases = op->u.select.n, at = (uint32_t)(n - w->node) + 1;
    n->kind = FLOW_SELECT;
    n->alt = cases ? at : FLOW_NONE;
    n->next = op->u.select.otherwise ? first_of(w, op->u.select.otherwise, after) : FLOW_NONE;
    if (op->u.select.otherwise)
        write_block(w, op->u.select.otherwise, after);
    for (uint32_t i = 0; i < cases; i++) {
        const struct selcase *k = &op->u.select.v[i];
        w->node[at + i] = (struct flow_node){
            .kind = k->send ? FLOW_SEND : FLOW_RECV,
            .in_case = true,
            .called = w->sc->prog[w->fn].called,
            .line = op->line,
            .fn = w->fn,
            .next = first_of(w, &k->body, after),
            .alt = i + 1 < cases ? at + i + 1 : FLOW_NONE};
        write_ids(w, &k->chan, &w->node[at + i]);
        write_block(w, &k->body, after);
    }
}

static bool overlap(const struct operand *a, const struct operand *b)
{
    return a->first < b->first + b->n && b->first < a->first + a->n;
}

/* May the child be cancelled with this context? */
static bool is_below(const struct scenario *sc, const struct descent *d, const struct operand *context, uint32_t depth)
{
    if (overlap(&d->parent, context))
        return true;
    for (const struct descent *e = sc->descent; e && depth; e = e->next)
        if (overlap(&d->parent, &e->child) && is_below(sc, e, context, depth - 1))
            return true;
    return false;
}

/* Writes a node that closes the channels of contexts. */
static void write_closing(const struct flow_writer *w, const struct operand *context, struct flow_node *n)
{
    struct operand chan = *context;
    chan.first += object_total(w->sc, NS_CHANNELS);
    n->kind = FLOW_CLOSE;
    write_ids(w, &chan, n);
}

/* cancel: a node for the context, then one for each that may be a child of it. */
static void write_cancel(const struct flow_writer *w, const struct op *op, struct flow_node *n, uint32_t after)
{
    struct flow_node same = *n;
    uint32_t at = (uint32_t)(n - w->node);
    write_closing(w, &op->u.context.context, n);
    for (const struct descent *d = w->sc->descent; d; d = d->next) {
        n->next = ++at;
        *++n = same;
        if (is_below(w->sc, d, &op->u.context.context, 8))
            write_closing(w, &d->child, n);
    }
    n->next = after;
}

/* What a timer of a context starts: it closes the channels of those that have a timeout, and of their children. */
static void write_timeouts(struct flow_writer *w, uint32_t at)
{
    const struct scenario *sc = w->sc;
    uint32_t end = at + sc->ntimed + sc->ndescents;
    for (uint32_t k = at; k < end; k++)
        w->node[k] = (struct flow_node){.fn = sc->nprog, .next = k + 1 < end ? k + 1 : FLOW_NONE, .alt = FLOW_NONE};
    for (const struct descent *t = sc->timed; t; t = t->next)
        write_closing(w, &t->child, &w->node[at++]);
    for (const struct descent *d = sc->descent; d; d = d->next, at++)
        for (const struct descent *t = sc->timed; t; t = t->next)
            if (is_below(sc, d, &t->child, 8))
                write_closing(w, &d->child, &w->node[at]);
}

static void write_object(const struct flow_writer *w, const struct op *op, struct flow_node *n)
{
    int64_t add = 1;
    for (size_t i = 0; i < sizeof object_ops / sizeof *object_ops; i++)
        if (object_ops[i].exec == op->exec) {
            n->kind = (uint8_t)object_ops[i].kind;
            write_ids(w, op->exec == exec_once_end ? &op->u.once.mutex : &op->u.obj.obj, n);
        }
    if (op->exec == exec_cond_wait) {
        n->mutex = w->sc->cond_mutex[n->id - 1] + 1;
        n->nmutex = w->sc->cond_mutex[n->id + n->n - 2] + 2 - n->mutex;
    }
    if (op->exec == exec_add && (!op->u.obj.value.e || expr_constant(op->u.obj.value.e, &add)) && add >= 0)
        n->kind = FLOW_PLAIN;
}

static void write_body(struct flow_writer *w, const struct block *b, uint32_t loop, uint32_t after)
{
    struct flow_writer outer = *w;
    w->turn = loop;
    w->after_loop = after;
    write_block(w, b, loop);
    w->turn = outer.turn;
    w->after_loop = outer.after_loop;
}

/* The list of a `defer` runs when the program ends, before those that were deferred earlier: once, several times or not at all. */
static void write_deferred(struct flow_writer *w, const struct op *op)
{
    uint32_t end = w->end, at = w->deferred++;
    w->node[at].alt = first_of(w, &op->u.loop.body, at);
    w->end = at;
    write_block(w, &op->u.loop.body, at);
    w->end = end;
}

/* Only those that wait for its mutex must come through the body: for others it may be done. A panic goes on after its end. */
static void write_once(struct flow_writer *w, const struct op *op, struct flow_node *n, uint32_t after)
{
    uint32_t end = w->end, finish = w->of_op[op->u.once.finish.op->number];
    n->kind = FLOW_LOCK;
    n->next = first_of(w, &op->u.once.body, finish);
    n->alt = after;
    write_ids(w, &op->u.once.mutex, n);
    w->end = finish;
    write_block(w, &op->u.once.body, finish);
    w->end = end;
    write_block(w, &op->u.once.finish, after);
    w->node[finish].alt = end;
}

/* Prepares the nodes of a program's end: those of its deferred lists, each before that of an earlier one. */
static void begin_end(struct flow_writer *w, const struct program *p)
{
    w->deferred = w->used;
    w->end = w->first_end + w->fn;
    for (uint32_t n = count_ops(&p->body, exec_defer); n; n--) {
        w->node[w->used] = (struct flow_node){.fn = w->fn, .called = p->called, .next = w->end, .alt = FLOW_NONE};
        w->end = w->used++;
    }
}

static void write_op(struct flow_writer *w, const struct op *op, uint32_t after)
{
    uint32_t at = w->of_op[op->number];
    struct flow_node *n = &w->node[at];
    bool library = w->sc->form && !w->sc->form->text.v[w->sc->form->fn.v[w->fn].file]; /* people do not see its lines */
    *n = (struct flow_node){
        .line = library ? 0 : op->line, .fn = w->fn, .next = after, .alt = FLOW_NONE, .called = w->sc->prog[w->fn].called};
    if (op->exec == exec_loop) {
        n->alt = first_of(w, &op->u.loop.body, at);
        n->next = op->u.loop.n ? after : FLOW_NONE;
        write_body(w, &op->u.loop.body, at, after);
    } else if (op->exec == exec_if) {
        n->next = first_of(w, &op->u.branch.then, after);
        n->alt = first_of(w, &op->u.branch.otherwise, after);
        write_block(w, &op->u.branch.then, after);
        write_block(w, &op->u.branch.otherwise, after);
    } else if (op->exec == exec_select) {
        write_select(w, op, n, after);
    } else if (op->exec == exec_exit || op->exec == exec_panic) {
        n->next = w->sc->defers ? w->end : FLOW_NONE; /* a deferred list runs, and may recover */
    } else if (op->exec == exec_call) {
        struct flow_node *end = &w->node[w->first_end + op->u.go.prog];
        n->next = w->start[op->u.go.prog];
        w->node[w->used] = *n;
        w->node[w->used].next = end->next;
        w->node[w->used].alt = after;
        end->next = w->used++;
    } else if (op->exec == exec_defer) {
        write_deferred(w, op);
    } else if (op->exec == exec_once) {
        write_once(w, op, n, after);
    } else if (op->exec == exec_break || op->exec == exec_continue || op->exec == exec_return) {
        n->next = op->exec == exec_break ? w->after_loop : op->exec == exec_continue ? w->turn : w->end;
    } else if (op->exec == exec_go || op->exec == exec_finalizer) {
        n->kind = FLOW_GO;
        n->id = op->u.go.prog;
        n->n = op->exec == exec_finalizer ? START_AS_FINALIZER : START_NOW;
    } else if (op->exec == exec_after || (op->exec == exec_reset && op->u.timer.own)) {
        n->kind = FLOW_GO;
        n->id = op->u.timer.prog;
        n->n = START_BY_TIMER;
    } else if (op->exec == exec_timer || op->exec == exec_ticker || op->exec == exec_reset) {
        n->kind = FLOW_TIMER;
        write_ids(w, &op->u.timer.chan, n);
    } else if (op->exec == exec_context && op->u.context.has_timeout) {
        n->kind = FLOW_GO;
        n->id = w->sc->nprog;
        n->n = START_BY_TIMER;
    } else if (op->exec == exec_cancel) {
        write_cancel(w, op, n, after);
    } else if (op->exec == exec_read || op->exec == exec_write) {
        n->kind = op->exec == exec_read ? FLOW_READ : FLOW_WRITE;
        n->end = (uint8_t)op->u.io.side;
        write_ids(w, &op->u.io.conn, n);
    } else {
        write_object(w, op, n);
    }
    if (op->exec == exec_range) {
        n->alt = first_of(w, &op->u.obj.body, at);
        write_body(w, &op->u.obj.body, at, after);
    }
}

static void write_block(struct flow_writer *w, const struct block *b, uint32_t after)
{
    for (uint32_t i = 0; i < b->n; i++)
        write_op(w, &b->op[i], i + 1 < b->n ? w->of_op[b->op[i + 1].number] : after);
}

void scenario_make_flow(struct scenario *sc)
{
    struct flow_writer w = {.sc = sc, .end = FLOW_NONE, .first_end = FLOW_NONE};
    struct flow *f = arena_alloc(&sc->a, sizeof *f);
    uint32_t n = number_all(&w), ends = count_ends(sc), timeouts = sc->ntimed ? sc->ntimed + sc->ndescents : 0;
    w.start = arena_alloc(&sc->a, (sc->nprog + (size_t)1) * sizeof *w.start);
    w.node = arena_alloc(&sc->a, (n + ends + timeouts + (size_t)1) * sizeof *w.node);
    w.of_op = arena_alloc(&sc->a, (sc->nops + 1) * sizeof *w.of_op);
    if (!f || !w.start || !w.node || !w.of_op)
        return;
    number_all(&w);
    if (ends) {
        w.first_end = n;
        w.used = n + sc->nprog;
    }
    for (uint32_t i = 0; i < sc->nprog; i++) {
        w.start[i] = first_of(&w, &sc->prog[i].body, ends ? n + i : FLOW_NONE);
        if (ends)
            w.node[n + i] = (struct flow_node){.fn = i, .called = sc->prog[i].called, .next = FLOW_NONE, .alt = FLOW_NONE};
    }
    for (w.fn = 0; w.fn < sc->nprog; w.fn++) {
        if (ends)
            begin_end(&w, &sc->prog[w.fn]);
        write_block(&w, &sc->prog[w.fn].body, w.end);
    }
    w.start[sc->nprog] = timeouts ? n + ends : FLOW_NONE;
    if (timeouts)
        write_timeouts(&w, n + ends);
    *f = (struct flow){sc->form, w.node, n + ends + timeouts, w.of_op, sc->nops, w.start, sc->nprog + (timeouts > 0)};
    sc->flow = f;
}
