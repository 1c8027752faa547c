/* What a report of a data race names: the shared variables, and operations by their numbers. */
#include "scenario/scenario_internal.h"
#include "scenario/vm/form.h"
#include <string.h>

bool scenario_shares(const struct scenario *sc)
{
    return sc->form || sc->y->shared_count > 0;
}

/* The instruction of a Go program with this number, and its function. NULL: there is none. */
static const struct form_ins *instruction(const struct scenario *sc, uint32_t number, const struct form_fn **fn)
{
    const struct form *f = sc->form;
    for (size_t i = 0; f && i < f->fn.n; i++) {
        *fn = &f->fn.v[i];
        if (number >= (*fn)->first && number - (*fn)->first < (*fn)->code.n)
            return &(*fn)->code.v[number - (*fn)->first];
    }
    return NULL;
}

/* A call of the library uses what it is given: the receiver, if it is a lock, or what has no name there. */
static const char *used_by(const struct scenario *sc, uint32_t op)
{
    const struct form_fn *fn;
    const struct form_ins *i = instruction(sc, op, &fn);
    int64_t name = !i ? 0 : i->name || i->op != FO_call ? i->name : i->e;
    return name ? sc->form->string.v[name].s : SCENARIO_NAMELESS;
}

const char *scenario_shared_name(const struct scenario *sc, uint32_t i, uint32_t op)
{
    return sc->form ? used_by(sc, op) : i < sc->y->shared_count ? sc->y->shared[i] : "?";
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
    const struct form_fn *fn;
    const struct form_ins *ins = instruction(sc, number, &fn);
    if (ins) {
        const char *path = sc->form->file.v[fn->file], *slash = strrchr(path, '/');
        *out = (struct scenario_site){.line = ins->line, .col = ins->col, .verb = "", .what = "", .file = slash ? slash + 1 : path};
        return true;
    }
    for (uint32_t i = 0; !op && i < sc->nprog; i++)
        op = find_in(&sc->prog[i].body, number);
    if (op)
        *out = (struct scenario_site){.line = op->line, .col = op->col, .verb = op->verb, .what = op->what ? op->what : ""};
    return op != NULL;
}
