/* What a report of a data race names: the shared variables, and operations by their numbers. */
#include "scenario/scenario_internal.h"

bool scenario_shares(const struct scenario *sc)
{
    return sc->y->shared_count > 0;
}

const char *scenario_shared_name(const struct scenario *sc, uint32_t i)
{
    return i < sc->y->shared_count ? sc->y->shared[i] : "?";
}

static const struct op *find_in(const struct block *b, uint32_t number);

/* Returns the operation with this number inside of op; NULL: it is not there. */
static const struct op *find_inside(const struct op *op, uint32_t number)
{
    const struct op *found = NULL;
    const struct block *in;
    for (uint32_t i = 0; !found && (in = op_inside(op, i)); i++)
        found = find_in(in, number);
    return found;
}

/* An operation has a lower number than those inside of it, and these have lower numbers than the next operation. */
static const struct op *find_in(const struct block *b, uint32_t number)
{
    const struct op *last = NULL;
    for (uint32_t i = 0; i < b->n && b->op[i].number <= number; i++)
        last = &b->op[i];
    return !last || last->number == number ? last : find_inside(last, number);
}

bool scenario_site(const struct scenario *sc, uint32_t number, struct scenario_site *out)
{
    const struct op *op = NULL;
    for (uint32_t i = 0; !op && i < sc->nprog; i++)
        op = find_in(&sc->prog[i].body, number);
    if (op)
        *out = (struct scenario_site){.line = op->line, .col = op->col, .verb = op->verb, .what = op->what ? op->what : ""};
    return op != NULL;
}
