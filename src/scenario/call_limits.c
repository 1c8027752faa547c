/* Which programs call which. A program may not call itself, so at most one call of each is under way in a G, and their variables lie behind those of
 * their caller: program.room is known when the file is loaded. For the same reason the nest of blocks has a bound, and the G's stack is large enough
 * for it. */
#include "scenario/scenario_internal.h"

#define MOST_NESTED \
    80u /* lists of operations inside of each other, through all calls: what a G's stack has room for (runtime/stack/stack.c) */
#define CALL_COST 8u /* a call, or a once, takes as much of the stack as so many */

enum { UNKNOWN, COUNTING, COUNTED };
struct calls {
    struct compiler *c;
    uint8_t *state;
    uint32_t *nested;
};

static void measure(struct calls *s, uint32_t i);

static void measure_call(struct calls *s, uint32_t caller, const struct op *op, uint32_t depth)
{
    struct program *p = &s->c->sc->prog[caller], *q = &s->c->sc->prog[op->u.go.prog];
    if (s->state[op->u.go.prog] == COUNTING) {
        diag_add(s->c->d, op->line, op->col, "\"%s\" calls itself here%s%s; a program that calls itself must be started with \"go\"",
                 q->name, p == q ? "" : ", through ", p == q ? "" : p->name);
        return;
    }
    measure(s, op->u.go.prog);
    if (p->nvars + q->room > p->room)
        p->room = p->nvars + q->room;
    if (q->ncases > p->ncases)
        p->ncases = q->ncases;
    uint32_t nested = depth + CALL_COST + s->nested[op->u.go.prog];
    if (nested > s->nested[caller])
        s->nested[caller] = nested;
    if (p->room > MAX_VARIABLES)
        diag_add(s->c->d, op->line, op->col, "more than %u variables in a program and those that it calls", MAX_VARIABLES);
    else if (nested > MOST_NESTED)
        diag_add(s->c->d, op->line, op->col, "calls and lists are nested too deeply here: at most %u, where a call counts as %u",
                 MOST_NESTED, CALL_COST);
}

static void measure_block(struct calls *s, uint32_t prog, const struct block *b, uint32_t depth)
{
    const struct block *in;
    for (uint32_t i = 0; i < b->n && s->c->d->count == 0; i++) {
        if (b->op[i].exec == exec_call)
            measure_call(s, prog, &b->op[i], depth);
        for (uint32_t k = 0; (in = op_inside(&b->op[i], k)); k++)
            measure_block(s, prog, in, depth + (b->op[i].exec == exec_once ? CALL_COST : 1));
    }
    if (depth > s->nested[prog])
        s->nested[prog] = depth;
}

static void measure(struct calls *s, uint32_t i)
{
    struct program *p = &s->c->sc->prog[i];
    if (s->state[i] != UNKNOWN)
        return;
    s->state[i] = COUNTING;
    p->room = p->nvars;
    measure_block(s, i, &p->body, 1);
    s->state[i] = COUNTED;
}

/* The start data of a G that a timer with a name starts lies in the timer. */
static void check_timers(struct calls *s, const struct block *b)
{
    const struct block *in;
    for (uint32_t i = 0; i < b->n; i++) {
        const struct op *op = &b->op[i];
        if (op->exec == exec_after && op->u.timer.own && s->c->sc->prog[op->u.timer.prog].room > TIMER_VARIABLES)
            diag_add(s->c->d, op->line, op->col, "\"%s\" has more than %u variables, with those that it calls; leave out \"as\"",
                     s->c->sc->prog[op->u.timer.prog].name, TIMER_VARIABLES - 1);
        for (uint32_t k = 0; (in = op_inside(op, k)); k++)
            check_timers(s, in);
    }
}

void lint_calls(struct compiler *c)
{
    uint32_t n = c->sc->nprog;
    struct calls s = {c, arena_alloc(c->a, n + (size_t)1), arena_alloc(c->a, (n + (size_t)1) * sizeof *s.nested)};
    for (uint32_t i = 0; s.state && s.nested && c->d->count == 0 && i < n; i++)
        measure(&s, i);
    for (uint32_t i = 0; s.state && s.nested && c->d->count == 0 && i < n; i++)
        check_timers(&s, &c->sc->prog[i].body);
}
