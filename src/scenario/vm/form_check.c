/* Checks a program form, so that the interpreter need not: every cell that an instruction names is in its function's frame, every number of a
 * type, function, string is one that there is, the interpreter has each function of the library that is called, types are not parts of themselves, and no function runs off its end. */
#include "scenario/vm/vm_internal.h"
#include <inttypes.h>
#include <string.h>

static const char *const operands[FORM_OPS] = {
#define FORM_OP(name, operands) operands,
#include "scenario/vm/ops.def"
#undef FORM_OP
};

const char *const form_op_name[FORM_OPS] = {
#define FORM_OP(name, operands) #name,
#include "scenario/vm/ops.def"
#undef FORM_OP
};

struct check {
    struct form *f;
    const struct form_fn *fn;
    const struct form_ins *i;
};

static bool cells(const struct check *k, int64_t at, int64_t n)
{
    return at >= 0 && n >= 0 && n <= k->fn->frame && at <= k->fn->frame - n;
}

static bool of_type(const struct check *k, int64_t at, uint32_t type)
{
    return cells(k, at, k->f->type.v[type].cells);
}

static bool product(const struct check *k, int64_t at, int64_t n, int64_t each)
{
    return n >= 0 && each >= 0 && n <= k->fn->frame && each <= k->fn->frame && cells(k, at, n * each);
}

/* Operands whose cells depend on others. Caller: the types that the instruction names are there. */
static bool special(const struct check *k)
{
    const struct form_ins *i = k->i;
    const struct form_type *t = k->f->type.v;
    switch (i->op) {
    case FO_equal:
        return of_type(k, i->b, (uint32_t)i->d) && of_type(k, i->c, (uint32_t)i->d);
    case FO_fget:
        return product(k, i->b, i->e, i->d);
    case FO_fput:
        return product(k, i->a, i->e, i->d);
    case FO_appendv:
        return product(k, i->c, i->e, t[i->d].cells);
    case FO_mapget:
    case FO_mapgetok: {
        const struct form_type *m = &t[i->d];
        return m->kind == TY_MAP && of_type(k, i->c, m->key) && cells(k, i->a, (int64_t)t[m->elem].cells + (i->op == FO_mapgetok));
    }
    case FO_mapset:
        return t[i->d].kind == TY_MAP && of_type(k, i->b, t[i->d].key) && of_type(k, i->c, t[i->d].elem);
    case FO_mapdel:
        return t[i->c].kind == TY_MAP && of_type(k, i->b, t[i->c].key);
    case FO_mapnext: {
        const struct form_type *m = &t[i->c];
        return m->kind == TY_MAP && cells(k, i->a, (int64_t)t[m->key].cells + t[m->elem].cells + 1) && cells(k, i->b, MAP_ITERATOR);
    }
    case FO_mapiter:
        return cells(k, i->a, MAP_ITERATOR);
    case FO_makemap:
        return t[i->b].kind == TY_MAP;
    case FO_select:
        return product(k, i->b, i->c, 4);
    case FO_iface:
        return of_type(k, i->c, (uint32_t)i->b);
    case FO_assert:
    case FO_assertok:
        return of_type(k, i->a, (uint32_t)i->c);
    case FO_print:
        return cells(k, i->a, i->b == FK_S ? 2 : 1);
    default:
        return true;
    }
}

static bool operand(const struct check *k, char what, int64_t v)
{
    const struct form *f = k->f;
    const struct form_ins *i = k->i;
    switch (what) {
    case '1':
    case '2':
    case '3':
        return cells(k, v, what - '0');
    case '-':
        return v == -1 || cells(k, v, 1);
    case 'a':
        return cells(k, v, i->a);
    case 'b':
        return cells(k, v, i->b);
    case 'c':
        return cells(k, v, i->c);
    case 'd':
        return cells(k, v, i->d);
    case 'B':
        return v >= 0 && v <= k->fn->frame;
    case 's':
        return v >= 0 && (uint64_t)v < f->string.n;
    case 't':
        return v >= 0 && (uint64_t)v < f->type.n;
    case 'f':
        return v >= 0 && (uint64_t)v < f->fn.n;
    case 'g':
        return v >= 0 && (uint64_t)v < f->global.n;
    case 'j': /* only FO_back leads back: it looks whether the G has to stop */
        return v >= 0 && (uint64_t)v < k->fn->code.n && (i->op == FO_back || i->op == FO_frame || v > i - k->fn->code.v);
    case 'k':
        return v >= 0 && v < FORM_KINDS;
    case '+':
        return v >= 0 && v <= INT32_MAX;
    default:
        return true;
    }
}

static bool sound(const struct check *k)
{
    const struct form_ins *i = k->i;
    const int64_t v[5] = {i->a, i->b, i->c, i->d, i->e};
    for (int n = 0; n < 5; n++)
        if (!operand(k, operands[i->op][n], v[n]))
            return false;
    return i->name < (k->f->string.n ? k->f->string.n : 1) && special(k);
}

/* What is known of each type while they are measured. */
enum { NOT_YET, UNDER_WAY, DONE };

/* Is the type's number of cells that of its parts, and is it no part of itself? Parts are measured first; the depth is limited. */
static bool measure(struct form *f, uint8_t *state, uint32_t type, int depth)
{
    if (type >= f->type.n || state[type] == UNDER_WAY || depth > 200)
        return false;
    if (state[type] == DONE)
        return true;
    const struct form_type *t = &f->type.v[type];
    int64_t n = t->kind == TY_STRING || t->kind == TY_INTERFACE ? 2 : t->kind == TY_SLICE ? 3 : 1;
    state[type] = UNDER_WAY;
    if (t->kind == TY_ARRAY) {
        if (!measure(f, state, t->elem, depth + 1))
            return false;
        n = (int64_t)f->type.v[t->elem].cells * t->length;
    }
    if (t->kind == TY_STRUCT) {
        n = 0;
        for (size_t i = 0; i < t->field.n; i++) {
            if (t->field.v[i].offset != n || !measure(f, state, t->field.v[i].type, depth + 1))
                return false;
            n += f->type.v[t->field.v[i].type].cells;
        }
    }
    state[type] = DONE;
    return n == t->cells;
}

static const char *check_types(struct form *f)
{
    uint8_t *state = arena_alloc(&f->a, f->type.n + 1);
    for (uint32_t i = 0; state && i < f->type.n; i++) {
        const struct form_type *t = &f->type.v[i];
        bool ok = measure(f, state, i, 0);
        ok = ok && (t->kind < TY_POINTER || t->kind > TY_MAP || t->elem < f->type.n) && (t->kind != TY_MAP || t->key < f->type.n);
        for (size_t m = 0; m < t->method.n; m++)
            ok = ok && t->method.v[m].fn < f->fn.n && f->fn.v[t->method.v[m].fn].nparam > 0;
        if (!ok)
            return arena_printf(&f->a, "type %u is not sound", i);
    }
    return NULL;
}

/* A closure's cells are checked where they are read. */
static bool is_local(const struct check *k, const struct form_local *l)
{
    if (l->type >= k->f->type.n || l->last >= k->fn->code.n)
        return false;
    switch (l->place) {
    case PLACE_FRAME:
        return of_type(k, l->at, l->type);
    case PLACE_BOX:
        return cells(k, l->at, 1);
    default:
        return k->fn->ctx >= 0;
    }
}

static const char *check_fn(struct form *f, struct form_fn *fn)
{
    struct check k = {.f = f, .fn = fn};
    bool ends = fn->code.n && fn->code.v[fn->code.n - 1].op == FO_ret;
    if (!ends || fn->file >= f->file.n || (int64_t)fn->nres + fn->nparam > fn->frame || fn->ctx >= (int64_t)fn->frame)
        return arena_printf(&f->a, "the function %s is not sound", fn->name);
    for (size_t n = 0; n < fn->local.n; n++)
        if (!is_local(&k, &fn->local.v[n]))
            return arena_printf(&f->a, "%s: the variable %s is not sound", fn->name, fn->local.v[n].name);
    for (size_t n = 0; n < fn->code.n; n++) {
        k.i = &fn->code.v[n];
        if (!sound(&k))
            return arena_printf(&f->a, "%s:%u: instruction %zu, %s, is not sound", fn->name, k.i->line, n, form_op_name[k.i->op]);
        if (k.i->op == FO_sys && !vm_sys_find(f->string.v[k.i->a].s))
            return arena_printf(&f->a, "%s:%u: the interpreter has no function %s", fn->name, k.i->line, f->string.v[k.i->a].s);
        if (k.i->op == FO_frame)
            fn->end = (uint32_t)k.i->a;
    }
    return NULL;
}

/* A text, or the address of one in a struct: what vm_throw makes. */
static bool is_error(const struct form *f, const struct form_type *t)
{
    if (t->kind == TY_STRING)
        return true;
    const struct form_type *to = t->kind == TY_POINTER ? &f->type.v[t->elem] : NULL;
    return to && to->kind == TY_STRUCT && to->cells == 2 && to->field.n == 1 && f->type.v[to->field.v[0].type].kind == TY_STRING;
}

const char *form_check(struct form *f)
{
    const char *wrong = check_types(f);
    uint32_t first = 0;
    for (size_t i = 0; i < f->fn.n && !wrong; i++) {
        wrong = check_fn(f, &f->fn.v[i]);
        f->fn.v[i].first = first;
        first += (uint32_t)f->fn.v[i].code.n;
    }
    for (size_t i = 0; i < f->init.n && !wrong; i++)
        wrong = f->init.v[i] < f->fn.n && f->fn.v[f->init.v[i]].nparam == 0 ? NULL : "a function before main is not sound";
    if (!wrong && (f->main >= f->fn.n || f->fn.v[f->main].ctx >= 0))
        wrong = "there is no function main";
    for (size_t k = 0; k < FORM_ERRORS && !wrong; k++)
        if (f->error[k] >= f->type.n || !is_error(f, &f->type.v[f->error[k]]))
            wrong = "there is no type for the runtime's errors";
    return f->a.lacking ? "memory is lacking" : wrong;
}
