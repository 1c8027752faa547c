/* Values by their types: equality, hashes. */
#include "scenario/vm/vm_internal.h"

const struct form_type *vm_type(struct vg *g, int64_t number)
{
    return number > 0 && (uint64_t)number <= g->vm->f->type.n ? &g->vm->f->type.v[number - 1] : NULL;
}

/* Where the value of an interface is: its data cell itself, or in memory. NULL: a panic has begun. */
int64_t *vm_data(struct vg *g, const struct form_type *t, int64_t *data)
{
    return t->cells == 1 ? data : vm_at(g, *data, t->cells);
}

const int64_t *vm_seen(const struct vm *vm, int64_t at, int64_t n)
{
    const uint64_t from = (uint64_t)at - (uint64_t)VM_FIRST;
    return n >= 0 && from < vm->ncells && (uint64_t)n < vm->ncells - from ? vm->cell + at : NULL;
}
const int64_t *vm_seen_data(const struct vm *vm, const struct form_type *t, const int64_t *data)
{
    return t->cells == 1 ? data : vm_seen(vm, *data, t->cells);
}

/* Is it a float? Its bits are not its value: 0 and -0 are equal, and no NaN is. */
static bool is_float(const struct form_type *t)
{
    return t->kind == TY_FLOAT32 || t->kind == TY_FLOAT64;
}

/* Fields named _ are no part of a comparison. */
static bool is_blank(const struct form_type *t, size_t field)
{
    return t->kind == TY_STRUCT && strcmp(t->field.v[field].name, "_") == 0;
}

bool vm_comparable(const struct vm *vm, const struct form_type *t, const int64_t *v)
{
    if (t->kind == TY_SLICE || t->kind == TY_MAP || t->kind == TY_FUNC)
        return false;
    if (t->kind == TY_INTERFACE && v) {
        bool typed = v[0] > 0 && (uint64_t)v[0] <= vm->f->type.n;
        const struct form_type *in = typed ? &vm->f->type.v[v[0] - 1] : NULL;
        return !in || vm_comparable(vm, in, vm_seen_data(vm, in, v + 1));
    }
    size_t n = t->kind == TY_STRUCT ? t->field.n : t->kind == TY_ARRAY ? t->length : 0;
    for (size_t i = 0; i < n; i++) {
        const struct form_type *p = &vm->f->type.v[t->kind == TY_STRUCT ? t->field.v[i].type : t->elem];
        size_t at = t->kind == TY_STRUCT ? t->field.v[i].offset : i * p->cells;
        if (!vm_comparable(vm, p, v ? v + at : NULL))
            return false;
    }
    return true;
}

bool vm_equal_any(struct vg *g, const int64_t *a, const int64_t *b, bool *equal)
{
    const struct form_type *t = vm_type(g, a[0]);
    *equal = a[0] == b[0];
    if (!*equal || !t)
        return true;
    if (!vm_comparable(g->vm, t, NULL))
        return vm_throw(g, "runtime error: comparing uncomparable type %s", t->name);
    int64_t x = a[1], y = b[1];
    const int64_t *p = vm_data(g, t, &x), *q = p ? vm_data(g, t, &y) : NULL;
    return q && vm_equal(g, (uint32_t)a[0] - 1, p, q, equal);
}

bool vm_equal(struct vg *g, uint32_t type, const int64_t *a, const int64_t *b, bool *equal)
{
    const struct form_type *t = &g->vm->f->type.v[type];
    *equal = true;
    if (t->kind == TY_INTERFACE)
        return vm_equal_any(g, a, b, equal);
    if (t->kind == TY_STRING) {
        const char *p = vm_chars(g, a[0], a[1]), *q = p ? vm_chars(g, b[0], b[1]) : NULL;
        *equal = q && a[1] == b[1] && memcmp(p, q, (size_t)a[1]) == 0;
        return q;
    }
    if (t->kind == TY_STRUCT) {
        for (size_t i = 0; i < t->field.n && *equal; i++)
            if (!is_blank(t, i) && !vm_equal(g, t->field.v[i].type, a + t->field.v[i].offset, b + t->field.v[i].offset, equal))
                return false;
        return true;
    }
    if (t->kind == TY_ARRAY) {
        uint32_t n = g->vm->f->type.v[t->elem].cells;
        for (uint32_t i = 0; i < t->length && n && *equal; i++)
            if (!vm_equal(g, t->elem, a + (size_t)i * n, b + (size_t)i * n, equal))
                return false;
        return true;
    }
    if (is_float(t)) {
        double x, y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        *equal = x == y;
        return true;
    }
    *equal = a[0] == b[0];
    return true;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static bool hash_parts(struct vg *g, const struct form_type *t, const int64_t *v, uint64_t *hash)
{
    uint64_t part;
    size_t n = t->kind == TY_STRUCT ? t->field.n : t->length;
    for (size_t i = 0; i < n; i++) {
        uint32_t type = t->kind == TY_STRUCT ? t->field.v[i].type : t->elem;
        size_t at = t->kind == TY_STRUCT ? t->field.v[i].offset : i * g->vm->f->type.v[type].cells;
        if (is_blank(t, i))
            continue;
        if (!vm_hash(g, type, v + at, &part))
            return false;
        *hash = mix(*hash, part);
    }
    return true;
}

bool vm_hash(struct vg *g, uint32_t type, const int64_t *v, uint64_t *hash)
{
    const struct form_type *t = &g->vm->f->type.v[type];
    *hash = 1;
    if (t->kind == TY_STRUCT || t->kind == TY_ARRAY)
        return hash_parts(g, t, v, hash);
    if (t->kind == TY_STRING) {
        const char *s = vm_chars(g, v[0], v[1]);
        for (int64_t i = 0; s && i < v[1]; i++)
            *hash = mix(*hash, (unsigned char)s[i]);
        return s;
    }
    if (t->kind == TY_INTERFACE) {
        const struct form_type *d = vm_type(g, v[0]);
        int64_t data = v[1];
        if (!d)
            return true;
        if (!vm_comparable(g->vm, d, NULL))
            return vm_throw(g, "runtime error: hash of unhashable type %s", d->name);
        const int64_t *p = vm_data(g, d, &data);
        return p && vm_hash(g, (uint32_t)v[0] - 1, p, hash);
    }
    *hash = mix(1, is_float(t) && v[0] == INT64_MIN ? 0 : (uint64_t)v[0]);
    return true;
}
