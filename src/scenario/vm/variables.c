/* What the variables of a G have in them, as text. Only while stopped. It reads memory of the program, in which anything may be, so each address and each
 * number of a type is checked, and a value has a depth and a length at which it ends. */
#include "base/program_text.h"
#include "base/text.h"
#include "base/variables.h"
#include "scenario/vm/vm_internal.h"
#include <inttypes.h>
#include <stdio.h>

enum { DEPTH = 4, ELEMENTS = 8, LETTERS = 48 };

struct text_out {
    const struct vm *vm;
    char *s;
    size_t n, size;
    bool full;
};

static void put(struct text_out *o, const char *s)
{
    size_t len = strlen(s);
    bool fits = !o->full && o->n + len + sizeof "…" <= o->size;
    if (o->full)
        return;
    memcpy(o->s + o->n, fits ? s : "…", fits ? len : strlen("…"));
    o->n += fits ? len : strlen("…");
    o->s[o->n] = '\0';
    o->full = !fits;
}

static void put_number(struct text_out *o, const struct form_type *t, int64_t v)
{
    char buf[40];
    double d;
    memcpy(&d, &v, sizeof d);
    if (t->kind == TY_FLOAT32 || t->kind == TY_FLOAT64)
        snprintf(buf, sizeof buf, "%.*g", t->kind == TY_FLOAT32 ? 7 : 15, d);
    else if (t->kind >= TY_UINT && t->kind <= TY_UINTPTR)
        snprintf(buf, sizeof buf, "%" PRIu64, (uint64_t)v);
    else
        snprintf(buf, sizeof buf, "%" PRId64, v);
    put(o, buf);
}

static void put_string(struct text_out *o, const int64_t *v)
{
    const uint64_t size = o->vm->nbytes;
    bool sound = v[1] > 0 && v[0] > 0 && (uint64_t)v[0] <= size && (uint64_t)v[1] <= size - (uint64_t)v[0];
    size_t len = sound ? (size_t)v[1] : 0, n;
    char visible[VISIBLE_BYTES + 1];
    put(o, "\"");
    for (size_t i = 0; i < len && i < LETTERS; i += n) {
        visible[visible_next(o->vm->byte + v[0], i, len, &n, visible)] = '\0';
        put(o, visible);
    }
    put(o, len > LETTERS ? "…\"" : "\"");
}

/* A channel, by the name that people know. */
static void put_chan(struct text_out *o, int64_t number)
{
    const struct vm_object *is = number ? vm_object_at(o->vm, number) : NULL;
    const struct form_labels *l = &o->vm->f->label[LABEL_CHAN];
    uint32_t k = is && is->id ? is->id - 1 : 0;
    char buf[80];
    if (is && is->id && l->name[k % l->n][0] && k >= l->n)
        snprintf(buf, sizeof buf, "chan %s#%u", l->name[k % l->n], k / l->n + 1);
    else if (is && is->id && l->name[k % l->n][0])
        snprintf(buf, sizeof buf, "chan %s", l->name[k % l->n]);
    else
        snprintf(buf, sizeof buf, "%s", number ? "chan" : "nil");
    put(o, buf);
}

static const char *short_name(const char *name)
{
    return strncmp(name, "main.", 5) == 0 ? name + 5 : name;
}

static void put_func(struct text_out *o, int64_t closure)
{
    const int64_t *c = closure ? vm_seen(o->vm, closure, 1) : NULL;
    put(o, c && *c >= 0 && (uint64_t)*c < o->vm->f->fn.n ? short_name(o->vm->f->fn.v[*c].name) : closure ? "func" : "nil");
}

static void put_value(struct text_out *o, uint32_t type, const int64_t *v, int depth);

static void put_elements(struct text_out *o, uint32_t type, const int64_t *v, uint64_t n, int depth)
{
    uint32_t cells = o->vm->f->type.v[type].cells;
    put(o, "[");
    for (uint64_t i = 0; i < n && i < ELEMENTS; i++) {
        put(o, i ? " " : "");
        put_value(o, type, v + i * cells, depth + 1);
    }
    put(o, n > ELEMENTS ? " …]" : "]");
}

static void put_slice(struct text_out *o, const struct form_type *t, const int64_t *v, int depth)
{
    char buf[64];
    uint32_t cells = o->vm->f->type.v[t->elem].cells;
    bool sound = v[1] >= 0 && v[1] <= (int64_t)o->vm->ncells;
    const int64_t *first = sound && v[1] ? vm_seen(o->vm, v[0], v[1] * cells) : NULL;
    if (!v[0] && !v[1]) {
        put(o, "nil");
        return;
    }
    put_elements(o, t->elem, first, first || (!cells && sound) ? (uint64_t)v[1] : 0, depth);
    snprintf(buf, sizeof buf, " len %" PRId64 " cap %" PRId64, v[1], v[2]);
    put(o, depth ? "" : buf);
}

/* A lock, or another value of the library, is shown as its type: its fields are not the program's. */
static bool is_of_library(const struct form_type *t)
{
    static const char *const packages[] = {"sync.", "atomic.", "time.", "context.", "errgroup.", "semaphore.", "rand.", "testing."};
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
        if (strncmp(t->name, packages[i], strlen(packages[i])) == 0)
            return true;
    return false;
}

static void put_struct(struct text_out *o, const struct form_type *t, const int64_t *v, int depth)
{
    if (is_of_library(t)) {
        put(o, t->name);
        return;
    }
    put(o, "{");
    for (size_t i = 0; i < t->field.n; i++) {
        put(o, i ? " " : "");
        put(o, t->field.v[i].name);
        put(o, ":");
        put_value(o, t->field.v[i].type, v + t->field.v[i].offset, depth + 1);
    }
    put(o, "}");
}

static void put_pointer(struct text_out *o, const struct form_type *t, int64_t v, int depth)
{
    const struct form_type *to = &o->vm->f->type.v[t->elem];
    const int64_t *at = v ? vm_seen(o->vm, v, to->cells) : NULL;
    put(o, at ? "&" : "nil");
    if (at)
        put_value(o, t->elem, at, depth + 1);
}

static void put_interface(struct text_out *o, const int64_t *v, int depth)
{
    bool typed = v[0] > 0 && (uint64_t)v[0] <= o->vm->f->type.n;
    const struct form_type *t = typed ? &o->vm->f->type.v[v[0] - 1] : NULL;
    const int64_t *data = t ? vm_seen_data(o->vm, t, v + 1) : NULL;
    put(o, data ? "" : "nil");
    if (data)
        put_value(o, (uint32_t)v[0] - 1, data, depth + 1);
}

static void put_value(struct text_out *o, uint32_t type, const int64_t *v, int depth)
{
    const struct form_type *t = &o->vm->f->type.v[type];
    char buf[48];
    if (o->full)
        return;
    if (depth > DEPTH) {
        put(o, "…");
        return;
    }
    switch (t->kind) {
    case TY_BOOL:
        put(o, *v ? "true" : "false");
        break;
    case TY_STRING:
        put_string(o, v);
        break;
    case TY_POINTER:
        put_pointer(o, t, *v, depth);
        break;
    case TY_SLICE:
        put_slice(o, t, v, depth);
        break;
    case TY_ARRAY:
        put_elements(o, t->elem, v, t->length, depth);
        break;
    case TY_STRUCT:
        put_struct(o, t, v, depth);
        break;
    case TY_INTERFACE:
        put_interface(o, v, depth);
        break;
    case TY_CHAN:
        put_chan(o, *v);
        break;
    case TY_FUNC:
        put_func(o, *v);
        break;
    case TY_MAP:
        snprintf(buf, sizeof buf, "map of %" PRIu64, *v ? vm_map_size(o->vm, *v) : 0);
        put(o, *v ? buf : "nil");
        break;
    case TY_NIL:
        put(o, "nil");
        break;
    default:
        put_number(o, t, *v);
    }
}

/* ---- where a variable is ---- */

static const int64_t *cells_of(const struct vg *g, const struct vm_call *c, const struct form_local *l)
{
    const int64_t *frame = g->stack + c->fp;
    const uint32_t n = g->vm->f->type.v[l->type].cells;
    bool in_closure = l->place == PLACE_COPY || l->place == PLACE_SHARED;
    bool boxed = l->place == PLACE_BOX || l->place == PLACE_SHARED;
    if (in_closure && c->fn->ctx < 0)
        return NULL;
    if (!in_closure && l->at + (boxed ? 1 : n) > c->fn->frame)
        return NULL;
    const int64_t *at = in_closure ? vm_seen(g->vm, frame[c->fn->ctx] + l->at, boxed ? 1 : n) : frame + l->at;
    return at && boxed ? vm_seen(g->vm, *at, n) : at;
}

static bool is_seen(const struct vm_call *c, size_t k, size_t i)
{
    const struct form_local *l = &c->fn->local.v[i];
    bool seen = l->first <= k && k <= l->last;
    for (size_t j = i + 1; seen && j < c->fn->local.n; j++) { /* an inner one of the same name hides it */
        const struct form_local *inner = &c->fn->local.v[j];
        seen = !(inner->first <= k && k <= inner->last && strcmp(inner->name, l->name) == 0);
    }
    return seen;
}

static struct variable *next_row(struct variables *out)
{
    if (out->n == VARIABLES_MOST) {
        out->more++;
        return NULL;
    }
    return memset(&out->v[out->n++], 0, sizeof *out->v);
}

static const struct form_ins *at_of(const struct vg *g, const struct vm_call *c)
{
    if (c != &g->call[g->ncalls - 1])
        return vm_under_way(g, c);
    return g->at_line || g->i == g->code ? g->i : g->i - 1;
}

static void add_call(const struct vg *g, const struct vm_call *c, const struct program_text *text, struct variables *out)
{
    const struct form_ins *i = at_of(g, c);
    size_t k = (size_t)(i - c->fn->code.v);
    struct variable *row = next_row(out);
    uint32_t op = c->fn->first + (uint32_t)k;
    if (row) {
        row->head = true;
        snprintf(row->name, sizeof row->name, "%s", short_name(c->fn->name));
        if (op < text->nops)
            program_place(text, text->op[op], row->value, sizeof row->value);
    }
    for (size_t n = 0; n < c->fn->local.n; n++) {
        const struct form_local *l = &c->fn->local.v[n];
        const int64_t *v = is_seen(c, k, n) && l->type < g->vm->f->type.n ? cells_of(g, c, l) : NULL;
        if (!v || !(row = next_row(out)))
            continue;
        snprintf(row->name, sizeof row->name, "%s", l->name);
        put_value(&(struct text_out){.vm = g->vm, .s = row->value, .size = sizeof row->value}, l->type, v, 0);
    }
}

bool vm_variables(const struct vm_start *s, const struct program_text *text, uint32_t line, struct variables *out)
{
    const struct vg *g = s->g;
    *out = (struct variables){.is = VARIABLES_NONE, .lines_run = g ? g->lines : 0};
    if (!g || !g->ncalls)
        return true;
    for (uint32_t n = g->ncalls; n > 0; n--) {
        const struct vm_call *c = &g->call[n - 1];
        if (!g->vm->f->text.v[c->fn->file])
            continue;
        add_call(g, c, text, out);
        uint32_t op = c->fn->first + (uint32_t)(at_of(g, c) - c->fn->code.v);
        if (out->is == VARIABLES_NONE && (op >= text->nops || text->op[op] != line))
            return false;
        out->is = VARIABLES_KNOWN;
    }
    return true;
}
