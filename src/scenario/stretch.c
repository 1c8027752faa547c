/* How long a G of a program may compute before it has been through its program once. compare needs it to say that a G is stuck in a loop and not
 * in a long computation (engine_quiet). It is an upper bound: all branches count, and so do all loops with a constant number of turns. An
 * endless loop counts one turn, unless the turn changes a variable: then the loop may count something, and its length is unknown. */
#include "scenario/scenario_internal.h"

#define MANY (INT64_C(1) << 60)

struct stretch {
    int64_t ns;
    bool sets; /* a variable is set in it */
};

static struct stretch block_stretch(const struct block *b);

static struct stretch both(struct stretch a, struct stretch b)
{
    return (struct stretch){a.ns > MANY - b.ns ? MANY : a.ns + b.ns, a.sets || b.sets};
}

static struct stretch loop_stretch(const struct op *op)
{
    int64_t n = 1;
    struct stretch turn = block_stretch(&op->u.loop.body);
    bool known = op->u.loop.n ? expr_constant(op->u.loop.n, &n) : !turn.sets;
    if (turn.ns && (!known || (n > 0 && turn.ns > MANY / n)))
        turn.ns = MANY;
    else
        turn.ns *= n > 0 ? n : 0;
    return turn;
}

static struct stretch op_stretch(const struct op *op)
{
    if (op->exec == exec_compute)
        return (struct stretch){op->u.time.ns, false};
    if (op->exec == exec_set || op->exec == exec_rand)
        return (struct stretch){0, true};
    if (op->exec == exec_loop)
        return loop_stretch(op);
    if (op->exec == exec_call)
        return block_stretch(&op->u.go.callee->body);
    struct stretch all = {0}; /* of a range, too: each value that it takes is an event of its G */
    const struct block *in;
    for (uint32_t i = 0; (in = op_inside(op, i)); i++)
        all = both(all, block_stretch(in));
    return all;
}

static struct stretch block_stretch(const struct block *b)
{
    struct stretch s = {0};
    for (uint32_t i = 0; i < b->n; i++)
        s = both(s, op_stretch(&b->op[i]));
    return s;
}

int64_t scenario_stretch(const struct scenario *sc, uint32_t program)
{
    if (program >= sc->nprog)
        return 0; /* a G of the runtime's own */
    int64_t ns = block_stretch(&sc->prog[program].body).ns;
    return ns >= MANY ? -1 : ns;
}
