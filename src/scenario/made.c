/* Contexts that are used but never made, or made twice in one list: a run would end in a panic of Go's, which names nothing. */
#include "scenario/scenario_internal.h"
#include <string.h>

struct making {
    struct compiler *c;
    bool *made;  /* by name */
    bool judges; /* the second time, when all that is made is known */
};

static uint32_t name_of(const struct scenario *sc, uint32_t first)
{
    uint32_t i = 0;
    while (sc->first[NS_CONTEXTS][i + 1] <= first)
        i++;
    return i;
}

static void use(const struct making *k, const struct op *op, uint32_t first)
{
    uint32_t i = name_of(k->c->sc, first);
    const char *name = k->c->ns[NS_CONTEXTS].v[i];
    if (k->judges && !k->made[i])
        diag_add(k->c->d, op->line, op->col, "nothing makes the context \"%s\"; write {context: %s%s} before", name, name,
                 object_is_array(k->c->sc, NS_CONTEXTS, i) ? "[EXPR]" : "");
}

static void use_channel(const struct making *k, const struct op *op, const struct operand *channel)
{
    if (is_context(k->c, channel))
        use(k, op, channel->first - object_total(k->c->sc, NS_CHANNELS));
}

static void make(const struct making *k, const struct block *b, uint32_t at)
{
    const struct op *op = &b->op[at];
    uint32_t first = op->u.context.context.first;
    k->made[name_of(k->c->sc, first)] = true;
    for (uint32_t i = 0; k->judges && !op->u.context.context.e && i < at; i++)
        if (b->op[i].exec == exec_context && !b->op[i].u.context.context.e && b->op[i].u.context.context.first == first) {
            diag_add(k->c->d, op->line, op->col,
                     "the context \"%s\" is made on line %u already; use another name, or an array with \"count\"", op->what,
                     b->op[i].line);
            return;
        }
}

static void look(const struct making *k, const struct block *b)
{
    const struct block *in;
    for (uint32_t i = 0; i < b->n; i++) {
        const struct op *op = &b->op[i];
        if (op->exec == exec_context)
            make(k, b, i);
        if (op->exec == exec_context && op->u.context.has_parent)
            use(k, op, op->u.context.parent.first);
        else if (op->exec == exec_cancel || op->exec == exec_err)
            use(k, op, op->u.context.context.first);
        else if (op->exec == exec_recv)
            use_channel(k, op, &op->u.obj.obj);
        for (uint32_t s = 0; op->exec == exec_select && s < op->u.select.n; s++)
            use_channel(k, op, &op->u.select.v[s].chan);
        for (uint32_t n = 0; (in = op_inside(op, n)); n++)
            look(k, in);
    }
}

void lint_making(struct compiler *c)
{
    struct making k = {.c = c, .made = arena_alloc(c->a, c->ns[NS_CONTEXTS].n + (size_t)1)};
    bool complete = c->d->count == 0; /* else what makes a context may have a mistake */
    for (int judges = 0; k.made && complete && c->ns[NS_CONTEXTS].n && judges < 2; judges++) {
        k.judges = judges;
        for (uint32_t i = 0; i < c->sc->nprog; i++)
            look(&k, &c->sc->prog[i].body);
    }
}
