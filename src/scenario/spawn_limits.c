/* How many Gs a scenario certainly starts: counts times loops, through chains of `go`. Only constants are counted. A
 * branch counts its smaller side, an endless loop and one that may be left early one turn, a program that starts itself once. So a number with too
 * many zeros is reported at load time, not by a machine out of memory. */
#include "scenario/scenario_internal.h"

#define MANY ((uint64_t)1 << 60)

enum state { UNKNOWN, COUNTING, COUNTED };
struct spawns {
    const struct scenario *sc;
    uint8_t *state;
    uint64_t *total;
};

static uint64_t times_capped(uint64_t a, uint64_t b)
{
    return a && b > MANY / a ? MANY : a * b;
}

static uint64_t plus_capped(uint64_t a, uint64_t b)
{
    return a > MANY - b ? MANY : a + b;
}

/* missing: the value if there is no expression. A value that is not constant counts as 0. */
static uint64_t constant(const struct expr *e, uint64_t missing)
{
    int64_t v;
    if (!e)
        return missing;
    if (!expr_constant(e, &v) || v < 0)
        return 0;
    return (uint64_t)v > MANY ? MANY : (uint64_t)v;
}

static bool leaves(const struct op *op);

static bool block_leaves(const struct block *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (leaves(&b->op[i]))
            return true;
    return false;
}

/* May the operations after this one be left out? */
static bool leaves(const struct op *op)
{
    const struct block *in;
    for (uint32_t i = 0; (in = op_inside(op, i)); i++)
        if (block_leaves(in))
            return true;
    return op->exec == exec_call || op->exec == exec_exit || op->exec == exec_panic || op->exec == exec_break ||
           op->exec == exec_continue || op->exec == exec_return;
}

static uint64_t spawns_of_block(struct spawns *s, const struct block *b);

static uint64_t spawns_of_program(struct spawns *s, uint32_t i)
{
    if (s->state[i] == UNKNOWN) {
        s->state[i] = COUNTING;
        s->total[i] = spawns_of_block(s, &s->sc->prog[i].body);
        s->state[i] = COUNTED;
    }
    return s->state[i] == COUNTED ? s->total[i] : 0;
}

static uint64_t spawns_of_branch(struct spawns *s, const struct op *op)
{
    int64_t v;
    uint64_t then = spawns_of_block(s, &op->u.branch.then), otherwise = spawns_of_block(s, &op->u.branch.otherwise);
    if (expr_constant(op->u.branch.cond, &v))
        return v ? then : otherwise;
    return then < otherwise ? then : otherwise;
}

/* Returns the smallest of the cases, including the default. */
static uint64_t spawns_of_select(struct spawns *s, const struct op *op)
{
    uint64_t least = op->u.select.otherwise ? spawns_of_block(s, op->u.select.otherwise) : MANY;
    for (uint32_t i = 0; i < op->u.select.n; i++) {
        uint64_t n = spawns_of_block(s, &op->u.select.v[i].body);
        least = n < least ? n : least;
    }
    return least == MANY ? 0 : least;
}

static uint64_t spawns_of_op(struct spawns *s, const struct op *op)
{
    if (op->exec == exec_go)
        return times_capped(constant(op->u.go.count, 1), plus_capped(1, spawns_of_program(s, op->u.go.prog)));
    if (op->exec == exec_call)
        return spawns_of_program(s, op->u.go.prog);
    if (op->exec == exec_after)
        return plus_capped(1, spawns_of_program(s, op->u.timer.prog));
    if (op->exec == exec_loop)
        return times_capped(block_leaves(&op->u.loop.body) ? 1 : constant(op->u.loop.n, 1), spawns_of_block(s, &op->u.loop.body));
    if (op->exec == exec_select)
        return spawns_of_select(s, op);
    return op->exec == exec_if ? spawns_of_branch(s, op) : 0;
}

static uint64_t spawns_of_block(struct spawns *s, const struct block *b)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        n = plus_capped(n, spawns_of_op(s, &b->op[i]));
        if (leaves(&b->op[i]))
            break;
    }
    return n;
}

static void report_too_many(struct compiler *c, const struct op *op, uint64_t n)
{
    diag_add(c->d, op->line, op->col, "this starts %s%llu goroutines; at most %u are allowed", n >= MANY ? "more than " : "",
             (unsigned long long)n, MAX_GOROUTINES);
}

/* Reports each single `go` that is too large, wherever it is. */
static bool check_counts(struct compiler *c, const struct block *b)
{
    bool ok = true;
    for (uint32_t i = 0; i < b->n; i++) {
        const struct op *op = &b->op[i];
        if (op->exec == exec_go && constant(op->u.go.count, 1) > MAX_GOROUTINES) {
            report_too_many(c, op, constant(op->u.go.count, 1));
            ok = false;
        }
        const struct block *in;
        for (uint32_t k = 0; (in = op_inside(op, k)); k++)
            ok &= check_counts(c, in);
    }
    return ok;
}

/* Reports the operation at which main's sum passes the limit. */
static void check_main_sum(struct compiler *c, struct spawns *s)
{
    const struct block *b = &c->sc->prog[c->sc->main].body;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < b->n && sum <= MAX_GOROUTINES; i++) {
        sum = plus_capped(sum, spawns_of_op(s, &b->op[i]));
        if (sum > MAX_GOROUTINES)
            report_too_many(c, &b->op[i], sum);
        if (leaves(&b->op[i]))
            break;
    }
}

void lint_spawns(struct compiler *c)
{
    struct spawns s = {.sc = c->sc};
    bool ok = true;
    for (uint32_t i = 0; i < c->sc->nprog; i++)
        ok &= check_counts(c, &c->sc->prog[i].body);
    s.state = arena_alloc(c->a, c->sc->nprog * sizeof *s.state + 1);
    s.total = arena_alloc(c->a, c->sc->nprog * sizeof *s.total + 1);
    if (ok && s.state && s.total && c->sc->nprog)
        check_main_sum(c, &s);
}
