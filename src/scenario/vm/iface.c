/* Interfaces: [1 + the number of the type, data]. The data is the value if it has one cell, else the address of a copy. */
#include "scenario/vm/vm_internal.h"

#define OP(name) bool vm_op_##name(struct vg *g, int64_t *f, const struct form_ins *i)

OP(iface)
{
    uint32_t n = g->vm->f->type.v[i->b].cells;
    int64_t data = f[i->c];
    if (n != 1) {
        data = vm_alloc(g, n);
        memcpy(g->vm->cell + data, f + i->c, n * sizeof *f);
    }
    f[i->a] = i->b + 1;
    f[i->a + 1] = data;
    return true;
}

const char *vm_lacks(const struct form_type *t, const struct form_type *iface)
{
    for (size_t w = 0; w < iface->want.n; w++) {
        size_t m = 0;
        while (m < t->method.n && strcmp(t->method.v[m].name, iface->want.v[w]) != 0)
            m++;
        if (m == t->method.n)
            return iface->want.v[w];
    }
    return NULL;
}

/* Writes v as a value of the type; false, and a panic: it is in no memory. */
static bool take(struct vg *g, int64_t *to, int64_t type, int64_t data, const struct form_type *want)
{
    if (want->kind == TY_INTERFACE) {
        to[0] = type;
        to[1] = data;
        return true;
    }
    const int64_t *v = vm_data(g, want, &data);
    if (v)
        memcpy(to, v, want->cells * sizeof *to);
    return v;
}

static bool holds(struct vg *g, int64_t type, const struct form_ins *i, const struct form_type *want, const char **missing)
{
    const struct form_type *t = vm_type(g, type);
    *missing = NULL;
    if (want->kind != TY_INTERFACE)
        return type == i->c + 1;
    *missing = t ? vm_lacks(t, want) : NULL;
    return t && !*missing;
}

static bool failed(struct vg *g, const struct form_ins *i, int64_t type, const char *missing)
{
    const struct form_type *want = &g->vm->f->type.v[i->c], *t = vm_type(g, type);
    const char *from = g->vm->f->type.v[i->d].name;
    if (!t)
        return vm_throw(g, "interface conversion: %s is nil, not %s", want->kind == TY_INTERFACE ? "interface" : from, want->name);
    if (missing) { /* the name without package and signature */
        size_t n = strcspn(missing, "(…"), k = n;
        while (k && missing[k - 1] != '.')
            k--;
        return vm_throw(g, "interface conversion: %s is not %s: missing method %.*s", t->name, want->name, (int)(n - k), missing + k);
    }
    return vm_throw(g, "interface conversion: %s is %s, not %s", from, t->name, want->name);
}

static bool must(struct vg *g, int64_t *f, const struct form_ins *i)
{
    const struct form_type *want = &g->vm->f->type.v[i->c];
    const char *missing;
    int64_t type = f[i->b], data = f[i->b + 1];
    return holds(g, type, i, want, &missing) ? take(g, f + i->a, type, data, want) : failed(g, i, type, missing);
}
static bool may(struct vg *g, int64_t *f, const struct form_ins *i)
{
    const struct form_type *want = &g->vm->f->type.v[i->c];
    const char *missing;
    int64_t type = f[i->b], data = f[i->b + 1];
    bool ok = holds(g, type, i, want, &missing);
    if (ok && !take(g, f + i->a, type, data, want))
        return false;
    if (!ok)
        memset(f + i->a, 0, want->cells * sizeof *f);
    f[i->d] = ok;
    return true;
}
OP(assert)
{
    return must(g, f, i);
}
OP(asserti)
{
    return must(g, f, i);
}
OP(assertok)
{
    return may(g, f, i);
}
OP(assertiok)
{
    return may(g, f, i);
}
OP(equal)
{
    bool equal;
    if (!vm_equal(g, (uint32_t)i->d, f + i->b, f + i->c, &equal))
        return false;
    f[i->a] = equal;
    return true;
}
