/* What the declarations of the library ask about a value whose type they do not know (gofront/stubs/internal/value): its kind, its parts, its names.
 * A part is an interface again: of a value of one cell the value, else the address where it is, which nobody writes through. */
#include "scenario/vm/vm_internal.h"

/* The type of an interface in the frame, and where its value is. NULL: nil. */
static const struct form_type *look(struct vg *g, const int64_t *v, const int64_t **data)
{
    const struct form_type *t = vm_type(g, v[0]);
    *data = t ? vm_seen_data(g->vm, t, v + 1) : NULL;
    return *data ? t : NULL;
}

/* Writes a value as an interface; one that is an interface already stays what it is. */
static void pack(struct vg *g, int64_t *to, uint32_t type, const int64_t *at)
{
    const struct form_type *t = &g->vm->f->type.v[type];
    if (t->kind == TY_INTERFACE) {
        to[0] = at[0];
        to[1] = at[1];
        return;
    }
    to[0] = (int64_t)type + 1;
    if (t->cells == 1) {
        to[1] = at[0];
        return;
    }
    to[1] = vm_alloc(g, t->cells);
    memcpy(g->vm->cell + to[1], at, t->cells * sizeof *at);
}

static bool give_text(struct vg *g, int64_t *f, const char *s)
{
    f[0] = vm_text(g, s, strlen(s));
    f[1] = (int64_t)strlen(s);
    return true;
}

/* func Kind(v any) int: the kind of its type (enum form_type_kind); -1: nil */
bool vm_sys_kind(struct vg *g, int64_t *f)
{
    const struct form_type *t = vm_type(g, f[1]);
    f[0] = t ? (int64_t)t->kind : -1;
    return true;
}

/* func TypeName(v any) string */
bool vm_sys_type_name(struct vg *g, int64_t *f)
{
    const struct form_type *t = vm_type(g, f[2]);
    return give_text(g, f, t ? t->name : "<nil>");
}

/* func ElemKind(v any) int: of what a pointer, a list or a map is made of; -1: it is made of nothing */
bool vm_sys_elem_kind(struct vg *g, int64_t *f)
{
    const struct form_type *t = vm_type(g, f[1]);
    f[0] = t && t->kind >= TY_POINTER && t->kind <= TY_MAP ? (int64_t)g->vm->f->type.v[t->elem].kind : -1;
    return true;
}

struct entries {
    struct vg *g;
    int64_t at, n; /* where they are written, and how many are there */
    const struct form_type *map;
};
static void count_entry(void *ctx, const int64_t *key, const int64_t *value)
{
    struct entries *e = ctx;
    (void)key, (void)value;
    e->n++;
}
static void add_entry(void *ctx, const int64_t *key, const int64_t *value)
{
    struct entries *e = ctx;
    pack(e->g, e->g->vm->cell + e->at + 4 * e->n, e->map->key, key);
    pack(e->g, e->g->vm->cell + e->at + 4 * e->n + 2, e->map->elem, value);
    e->n++;
}

/* func Entries(m any) []any: each key of a map before its value, in the order of their insertion */
bool vm_sys_entries(struct vg *g, int64_t *f)
{
    const int64_t *data;
    const struct form_type *t = look(g, f + 3, &data);
    struct entries e = {.g = g, .map = t};
    if (!t || t->kind != TY_MAP)
        return true;
    vm_map_each(g, *data, count_entry, &e);
    f[0] = e.at = vm_alloc(g, 4 * e.n);
    f[1] = f[2] = 2 * e.n;
    e.n = 0;
    vm_map_each(g, *data, add_entry, &e);
    return true;
}

/* func Len(v any) int: elements of a list, fields of a struct */
bool vm_sys_len(struct vg *g, int64_t *f)
{
    const int64_t *data;
    const struct form_type *t = look(g, f + 1, &data);
    f[0] = !t                     ? 0
           : t->kind == TY_SLICE  ? data[1]
           : t->kind == TY_ARRAY  ? (int64_t)t->length
           : t->kind == TY_STRUCT ? (int64_t)t->field.n
                                  : 0;
    return true;
}

/* Where the part i of a list or struct, or what a pointer points to, is. NULL: there is none. */
static const int64_t *part(struct vg *g, const int64_t *v, int64_t i, uint32_t *type)
{
    const int64_t *data;
    const struct form_type *t = look(g, v, &data);
    if (!t || i < 0)
        return NULL;
    if (t->kind == TY_STRUCT && (uint64_t)i < t->field.n) {
        *type = t->field.v[i].type;
        return data + t->field.v[i].offset;
    }
    *type = t->elem;
    if (t->kind == TY_ARRAY && i < t->length)
        return data + i * g->vm->f->type.v[t->elem].cells;
    if (t->kind == TY_POINTER && *data)
        return vm_seen(g->vm, *data, g->vm->f->type.v[t->elem].cells);
    if (t->kind == TY_SLICE && i < data[1])
        return vm_seen(g->vm, data[0] + i * g->vm->f->type.v[t->elem].cells, g->vm->f->type.v[t->elem].cells);
    return NULL;
}

/* func Part(v any, i int) any */
bool vm_sys_part(struct vg *g, int64_t *f)
{
    uint32_t type;
    const int64_t *at = part(g, f + 2, f[4], &type);
    if (at)
        pack(g, f, type, at);
    return true;
}

/* func PartType(v any, i int) string: the name of the part's type */
bool vm_sys_part_type(struct vg *g, int64_t *f)
{
    const struct form_type *t = vm_type(g, f[2]);
    int64_t i = f[4];
    bool field = t && t->kind == TY_STRUCT && i >= 0 && (uint64_t)i < t->field.n;
    bool elem = t && t->kind >= TY_POINTER && t->kind <= TY_MAP;
    return give_text(g, f, field ? g->vm->f->type.v[t->field.v[i].type].name : elem ? g->vm->f->type.v[t->elem].name : "");
}

/* func Field(v any, i int) (name string, exported bool) */
bool vm_sys_field(struct vg *g, int64_t *f)
{
    const struct form_type *t = vm_type(g, f[3]);
    int64_t i = f[5];
    bool there = t && t->kind == TY_STRUCT && i >= 0 && (uint64_t)i < t->field.n;
    f[2] = there && t->field.v[i].exported;
    return give_text(g, f, there ? t->field.v[i].name : "");
}

/* func Bits(v any) int: its first cell, by which numbers and addresses are sorted */
bool vm_sys_bits(struct vg *g, int64_t *f)
{
    const int64_t *data;
    const struct form_type *t = look(g, f + 1, &data);
    f[0] = t && t->cells ? *data : 0;
    return true;
}

/* func Assign(v, target any) (ok, pointer bool): *target = v, if v has that type, or implements it. pointer: target is a pointer that is not nil */
bool vm_sys_assign(struct vg *g, int64_t *f)
{
    const struct form_type *t = vm_type(g, f[4]), *v = vm_type(g, f[2]);
    f[1] = t && t->kind == TY_POINTER && f[5];
    if (!f[1] || !v)
        return true;
    const struct form_type *want = &g->vm->f->type.v[t->elem];
    bool fits = want->kind == TY_INTERFACE ? !vm_lacks(v, want) : f[2] == (int64_t)t->elem + 1;
    int64_t *to = fits ? vm_at(g, f[5], want->cells) : NULL;
    const int64_t *data = vm_seen_data(g->vm, v, f + 3);
    f[0] = data && to;
    if (f[0] && want->kind == TY_INTERFACE)
        memcpy(to, f + 2, 2 * sizeof *to);
    else if (f[0])
        memcpy(to, data, want->cells * sizeof *to);
    return f[0] || !fits;
}

/* func Comparable(v any) bool */
bool vm_sys_comparable(struct vg *g, int64_t *f)
{
    const int64_t *data;
    const struct form_type *t = look(g, f + 1, &data);
    f[0] = !t || vm_comparable(g->vm, t, data);
    return true;
}

/* func floatOf(bits int) float64: floats are their bits */
bool vm_sys_float_of(struct vg *g, int64_t *f)
{
    (void)g;
    f[0] = f[1];
    return true;
}

/* func Swap(v any, i, j int): of a slice */
bool vm_sys_swap(struct vg *g, int64_t *f)
{
    const int64_t *data;
    const struct form_type *t = look(g, f, &data);
    int64_t n = t && t->kind == TY_SLICE ? data[1] : 0, i = f[2], j = f[3];
    uint32_t cells = n ? g->vm->f->type.v[t->elem].cells : 0;
    if (i < 0 || i >= n || j < 0 || j >= n)
        return vm_throw(g, "reflect: slice index out of range");
    int64_t *a = vm_at(g, data[0] + i * cells, cells), *b = a ? vm_at(g, data[0] + j * cells, cells) : NULL;
    for (uint32_t k = 0; b && k < cells; k++) {
        int64_t v = a[k];
        a[k] = b[k];
        b[k] = v;
    }
    return b;
}
