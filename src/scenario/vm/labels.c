/* What people call the objects that a program makes. The last operand of makechan, and of a call, is the string with the name; an object that the library
 * makes has the name of the person's own call that is under way.
 *
 * The number of an object says its name, so that no event has to: with n names, object 1 + k + n * i is the i-th, from 0, of name k. Name 0 is that of
 * objects without one. */
#include "scenario/vm/vm_internal.h"

/* Packages whose functions make no object that people see. */
static bool makes_objects(const struct form *f, const struct form_fn *fn)
{
    static const char *const none[] = {"fmt.", "strings.", "strconv.", "errors.", "sort.", "os.", "math."};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (strncmp(fn->name, none[i], strlen(none[i])) == 0)
            return false;
    return !f->text.v[fn->file];
}

/* Returns whether an object of this kind may get the instruction's name. */
static bool names(const struct form *f, const struct form_ins *i, enum form_label_kind kind)
{
    switch (i->op) {
    case FO_makechan:
        return kind == LABEL_CHAN;
    case FO_call:
    case FO_go:
    case FO_defer:
        return makes_objects(f, &f->fn.v[i->a]);
    case FO_calli:
    case FO_callc:
    case FO_goi:
    case FO_goc:
    case FO_deferi:
    case FO_deferc:
        return true;
    default:
        return false;
    }
}

static void add_labels(struct form *f, enum form_label_kind kind)
{
    struct form_labels *l = &f->label[kind];
    l->of = arena_alloc(&f->a, (f->string.n + 1) * sizeof *l->of);
    l->name = arena_alloc(&f->a, (f->string.n + 1) * sizeof *l->name);
    if (!l->of || !l->name)
        return;
    l->name[l->n++] = "";
    for (size_t n = 0; n < f->fn.n; n++)
        for (size_t k = 0; k < f->fn.v[n].code.n; k++) {
            const struct form_ins *i = &f->fn.v[n].code.v[k];
            if (i->e <= 0 || !names(f, i, kind) || l->of[i->e] || !f->string.v[i->e].len)
                continue;
            l->of[i->e] = l->n;
            l->name[l->n++] = f->string.v[i->e].s;
        }
}

void form_labels(struct form *f)
{
    for (int kind = 0; kind < LABELS; kind++)
        add_labels(f, (enum form_label_kind)kind);
}

uint32_t vm_number(struct vg *g, enum vm_object_kind kind)
{
    enum form_label_kind is = kind == VO_CHAN ? LABEL_CHAN : LABEL_LOCK;
    const struct form_labels *l = &g->vm->f->label[is];
    const struct form_ins *i = vm_own(g);
    uint32_t name = i && i->e > 0 && names(g->vm->f, i, is) ? l->of[i->e] : 0;
    /* relaxed: only a number is taken */
    return 1 + name + l->n * atomic_fetch_add_explicit(&g->vm->made[kind][name], 1, memory_order_relaxed);
}
