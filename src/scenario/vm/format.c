/* One value as Go's fmt prints it, and the text of a panic. The verbs, widths and flags were read by package fmt (gofront/stubs/fmt); values that have a
 * method Error or String came as its text. */
#include "base/text.h"
#include "scenario/vm/vm_internal.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct out {
    struct vg *g;
    char *s; /* n of room bytes, this G's */
    size_t n, room;
    bool plus, sharp, minus, zero, space;
    int verb, depth;
    int64_t width, precision; /* -1: not given */
};

enum { DEEPEST = 64 }; /* Go would print a circle until its stack is full */

static void put(struct out *o, const char *s, size_t n)
{
    if (o->room - o->n < n) {
        size_t room = 2 * (o->n + n) + 64;
        char *more = rt_alloc(room);
        if (o->n)
            memcpy(more, o->s, o->n);
        o->s = more;
        o->room = room;
    }
    memcpy(o->s + o->n, s, n);
    o->n += n;
}
static void word(struct out *o, const char *s)
{
    put(o, s, strlen(s));
}

static size_t runes(const char *s, size_t len)
{
    size_t k = 0, n;
    for (size_t i = 0; i < len; i += n, k++)
        utf8_next(s + i, len - i, &n);
    return k;
}

static void fill(struct out *o, char c, size_t n)
{
    while (n--)
        put(o, &c, 1);
}

/* Writes s within the width. A number may be filled with zeros, behind its sign. */
static void padded(struct out *o, const char *s, size_t n, bool number)
{
    size_t is = runes(s, n), more = o->width > (int64_t)is ? (size_t)o->width - is : 0;
    bool zeros = number && o->zero && !o->minus;
    if (zeros && n && strchr("+- ", *s)) {
        put(o, s++, 1);
        n--;
    }
    if (!o->minus)
        fill(o, zeros ? '0' : ' ', more);
    put(o, s, n);
    if (o->minus)
        fill(o, ' ', more);
}

static void quoted(struct out *o, const char *s, size_t len)
{
    struct out q = {.g = o->g};
    size_t n;
    char x[12];
    word(&q, "\"");
    for (size_t i = 0; i < len; i += n) {
        uint32_t c = utf8_next(s + i, len - i, &n);
        const char *plain = c == '"' ? "\\\"" : c == '\\' ? "\\\\" : c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : NULL;
        if (plain) {
            word(&q, plain);
        } else if (c < ' ' || c == 0x7f || (c == 0xfffd && n == 1)) {
            snprintf(x, sizeof x, "\\x%02x", (unsigned char)s[i]);
            word(&q, x);
        } else {
            put(&q, s + i, n);
        }
    }
    word(&q, "\"");
    padded(o, q.s, q.n, false);
}

static void integer(struct out *o, int64_t v, bool no_sign)
{
    char digits[72], *p = digits + sizeof digits;
    bool negative = !no_sign && v < 0;
    uint64_t u = negative ? 0 - (uint64_t)v : (uint64_t)v;
    unsigned base = o->verb == 'x' || o->verb == 'X' ? 16 : o->verb == 'o' || o->verb == 'O' ? 8 : o->verb == 'b' ? 2 : 10;
    do
        *--p = (o->verb == 'X' ? "0123456789ABCDEF" : "0123456789abcdef")[u % base];
    while (u /= base);
    if (base == 16 && o->sharp) {
        *--p = (char)o->verb;
        *--p = '0';
    }
    if (negative || (o->plus && o->verb != 'v') || o->space)
        *--p = negative ? '-' : o->plus ? '+' : ' ';
    padded(o, p, (size_t)(digits + sizeof digits - p), true);
}

/* The shortest digits that are read back as the same number; with an exponent below -4 and from 21. */
static void shortest(char *to, size_t size, double v, bool single)
{
    int digits = 0;
    do
        snprintf(to, size, "%.*e", digits, v);
    while (++digits < 17 && (single ? (double)strtof(to, NULL) != v : strtod(to, NULL) != v));
    int exponent = atoi(strchr(to, 'e') + 1);
    if (exponent >= -4 && exponent < 21)
        snprintf(to, size, "%.*f", digits - 1 > exponent ? digits - 1 - exponent : 0, v);
}

static void real(struct out *o, double v, bool single)
{
    char text[400];
    if (!isfinite(v))
        snprintf(text, sizeof text, "%s", isnan(v) ? "NaN" : v < 0 ? "-Inf" : "+Inf");
    else if (o->verb == 'v' || (o->verb == 'g' && o->precision < 0))
        shortest(text, sizeof text, v, single);
    else if (o->verb == 'e')
        snprintf(text, sizeof text, "%.*e", o->precision < 0 ? 6 : (int)(o->precision % 300), v);
    else if (o->verb == 'g')
        snprintf(text, sizeof text, "%.*g", (int)(o->precision % 300), v);
    else
        snprintf(text, sizeof text, "%.*f", o->precision < 0 ? 6 : (int)(o->precision % 60), v);
    if (o->plus && text[0] != '-' && text[0] != '+') {
        memmove(text + 1, text, strlen(text) + 1);
        text[0] = '+';
    }
    padded(o, text, strlen(text), isfinite(v));
}

static void value(struct out *o, uint32_t type, const int64_t *v);

/* What is in memory there; NULL: nothing, which only a form of another front end brings about. */
static const int64_t *seen(const struct out *o, int64_t at, int64_t n)
{
    const struct vm *vm = o->g->vm;
    const uint64_t from = (uint64_t)at - (uint64_t)VM_FIRST;
    return n >= 0 && from < vm->ncells && (uint64_t)n < vm->ncells - from ? vm->cell + at : NULL;
}
static const char *letters(const struct out *o, const int64_t *s)
{
    const struct vm *vm = o->g->vm;
    bool ok = s[1] == 0 || (s[0] > 0 && s[1] > 0 && (uint64_t)s[0] < vm->nbytes && (uint64_t)s[1] < vm->nbytes - (uint64_t)s[0]);
    return ok ? vm->byte + (s[1] ? s[0] : 0) : NULL;
}

/* "%!d(string=abc)" */
static void bad_verb(struct out *o, const struct form_type *t, uint32_t type, const int64_t *v)
{
    struct out in = {.g = o->g, .verb = 'v', .width = -1, .precision = -1, .depth = o->depth + 1};
    char text[8];
    value(&in, type, v);
    text[utf8_put((uint32_t)o->verb, text)] = '\0';
    word(o, "%!");
    word(o, text);
    word(o, "(");
    word(o, t->name);
    word(o, "=");
    put(o, in.s ? in.s : "", in.n);
    word(o, ")");
}

static void text(struct out *o, const struct form_type *t, uint32_t type, const int64_t *v)
{
    const char *s = letters(o, v);
    size_t n = s ? (size_t)v[1] : 0, k = 0, w;
    for (size_t i = 0; s && o->precision >= 0 && i < n; i += w) {
        utf8_next(s + i, n - i, &w);
        if (k++ == (size_t)o->precision)
            n = i;
    }
    if (o->verb == 'q')
        quoted(o, s, n);
    else if (o->verb == 'x' || o->verb == 'X')
        for (size_t i = 0; i < n; i++) {
            char x[3];
            snprintf(x, sizeof x, o->verb == 'x' ? "%02x" : "%02X", (unsigned char)s[i]);
            word(o, x);
        }
    else if (o->verb == 'v' || o->verb == 's')
        padded(o, s, n, false);
    else
        bad_verb(o, t, type, v);
}

static void whole(struct out *o, const struct form_type *t, uint32_t type, const int64_t *v)
{
    char rune[16], c[5];
    if (strchr("vdxXobO", o->verb)) {
        integer(o, *v, t->kind >= TY_UINT);
        return;
    }
    c[utf8_put(*v < 0 || *v > 0x10ffff ? 0xfffd : (uint32_t)*v, c)] = '\0';
    if (o->verb == 'c')
        snprintf(rune, sizeof rune, "%s", c);
    else if (o->verb == 'q')
        snprintf(rune, sizeof rune, "'%s'", c);
    else if (o->verb == 'U')
        snprintf(rune, sizeof rune, "U+%04" PRIX64, (uint64_t)*v & 0xffffffff);
    else {
        bad_verb(o, t, type, v);
        return;
    }
    padded(o, rune, strlen(rune), false);
}

static void list(struct out *o, uint32_t elem, const int64_t *at, int64_t n)
{
    word(o, "[");
    for (int64_t i = 0; i < n && at; i++) {
        if (i)
            word(o, " ");
        value(o, elem, at + i * o->g->vm->f->type.v[elem].cells);
    }
    word(o, "]");
}

static void slice(struct out *o, const struct form_type *t, const int64_t *v)
{
    const struct form_type *e = &o->g->vm->f->type.v[t->elem];
    const int64_t *at = v[1] > 0 ? seen(o, v[0], v[1] * e->cells) : NULL;
    if (e->kind != TY_UINT8 || (o->verb != 's' && o->verb != 'x')) {
        list(o, t->elem, at, v[1]);
        return;
    }
    for (int64_t i = 0; at && i < v[1]; i++) {
        char x[3] = {(char)at[i]};
        if (o->verb == 'x')
            snprintf(x, sizeof x, "%02x", (unsigned)(at[i] & 255));
        put(o, x, o->verb == 'x' ? 2 : 1);
    }
}

static void structure(struct out *o, const struct form_type *t, const int64_t *v)
{
    word(o, "{");
    for (size_t i = 0; i < t->field.n; i++) {
        if (i)
            word(o, " ");
        if (o->plus) {
            word(o, t->field.v[i].name);
            word(o, ":");
        }
        value(o, t->field.v[i].type, v + t->field.v[i].offset);
    }
    word(o, "}");
}

/* ---- maps, sorted by their keys ---- */

struct pair {
    const int64_t *key, *value;
};
struct pairs {
    struct out *o;
    uint32_t key;
    struct pair *v;
    size_t n, room;
};

static void add_pair(void *ctx, const int64_t *key, const int64_t *value)
{
    struct pairs *p = ctx;
    if (p->n == p->room) {
        struct pair *more = rt_alloc((2 * p->room + 8) * sizeof *more);
        if (p->n)
            memcpy(more, p->v, p->n * sizeof *more);
        p->v = more;
        p->room = 2 * p->room + 8;
    }
    p->v[p->n++] = (struct pair){key, value};
}

static int by_key(const void *a, const void *b, void *ctx)
{
    const int64_t *x = ((const struct pair *)a)->key, *y = ((const struct pair *)b)->key;
    const struct pairs *p = ctx;
    const struct form_type *t = &p->o->g->vm->f->type.v[p->key];
    if (t->kind == TY_STRING) {
        const char *s = letters(p->o, x), *u = letters(p->o, y);
        int r = s && u ? memcmp(s, u, (size_t)(x[1] < y[1] ? x[1] : y[1])) : 0;
        return r ? r : x[1] < y[1] ? -1 : x[1] > y[1];
    }
    return t->cells == 0 ? 0 : *x < *y ? -1 : *x > *y;
}

static void map(struct out *o, const struct form_type *t, int64_t number)
{
    struct pairs p = {.o = o, .key = t->key};
    vm_map_each(o->g, number, add_pair, &p);
    if (p.n)
        qsort_r(p.v, p.n, sizeof *p.v, by_key, &p);
    word(o, "map[");
    for (size_t i = 0; i < p.n; i++) {
        if (i)
            word(o, " ");
        value(o, t->key, p.v[i].key);
        word(o, ":");
        value(o, t->elem, p.v[i].value);
    }
    word(o, "]");
}

/* An address as Go's look: our cells begin where Go's heap does. */
static void address(struct out *o, int64_t v)
{
    char s[32];
    snprintf(s, sizeof s, v ? "%#" PRIx64 : "<nil>", vm_shown(v));
    padded(o, s, strlen(s), false);
}

static void pointer(struct out *o, const struct form_type *t, int64_t v)
{
    const struct form_type *e = &o->g->vm->f->type.v[t->elem];
    const int64_t *at = seen(o, v, e->cells);
    bool shown = e->kind == TY_STRUCT || e->kind == TY_SLICE || e->kind == TY_ARRAY || e->kind == TY_MAP;
    if (!at || !shown || o->depth > 1 || o->verb == 'p') {
        address(o, v);
        return;
    }
    word(o, "&");
    value(o, t->elem, at);
}

static void interface(struct out *o, const int64_t *v)
{
    const struct form_type *t = vm_type(o->g, v[0]);
    const int64_t *data = !t ? NULL : t->cells == 1 ? v + 1 : seen(o, v[1], t->cells);
    if (data)
        value(o, (uint32_t)v[0] - 1, data);
    else
        padded(o, "<nil>", 5, false);
}

static void value(struct out *o, uint32_t type, const int64_t *v)
{
    const struct form_type *t = &o->g->vm->f->type.v[type];
    double d;
    if (++o->depth > DEEPEST) {
        o->depth--;
        return;
    }
    if (t->kind == TY_STRING) {
        text(o, t, type, v);
    } else if (t->kind >= TY_INT && t->kind <= TY_UINTPTR) {
        whole(o, t, type, v);
    } else if (t->kind == TY_BOOL) {
        if (o->verb == 'v' || o->verb == 't')
            padded(o, *v ? "true" : "false", *v ? 4 : 5, false);
        else
            bad_verb(o, t, type, v);
    } else if (t->kind == TY_FLOAT32 || t->kind == TY_FLOAT64) {
        memcpy(&d, v, sizeof d);
        if (strchr("vgeEfF", o->verb))
            real(o, d, t->kind == TY_FLOAT32);
        else
            bad_verb(o, t, type, v);
    } else if (t->kind == TY_SLICE) {
        slice(o, t, v);
    } else if (t->kind == TY_ARRAY) {
        list(o, t->elem, v, t->length);
    } else if (t->kind == TY_STRUCT) {
        structure(o, t, v);
    } else if (t->kind == TY_MAP) {
        map(o, t, *v);
    } else if (t->kind == TY_INTERFACE) {
        interface(o, v);
    } else if (t->kind == TY_POINTER) {
        pointer(o, t, *v);
    } else {
        address(o, *v);
    }
    o->depth--;
}

/* func one(v any, verb rune, flags string, width, precision int) string */
bool vm_sys_format(struct vg *g, int64_t *f)
{
    const int64_t *a = f + 2;
    struct out o = {.g = g, .verb = (int)(a[2] & 0x1fffff), .width = a[5] > 1000000 ? 1000000 : a[5], .precision = a[6]};
    const char *flags = letters(&o, a + 3);
    const struct form_type *t = vm_type(g, a[0]);
    for (int64_t i = 0; flags && i < a[4]; i++) {
        o.plus |= flags[i] == '+';
        o.minus |= flags[i] == '-';
        o.sharp |= flags[i] == '#';
        o.zero |= flags[i] == '0';
        o.space |= flags[i] == ' ';
    }
    if (o.verb == 'T')
        padded(&o, t ? t->name : "<nil>", strlen(t ? t->name : "<nil>"), false);
    else if (!t && o.verb != 'v')
        word(&o, o.verb == 'd' ? "%!d(<nil>)" : "%!s(<nil>)");
    else
        interface(&o, a);
    f[0] = vm_text(g, o.s, o.n);
    f[1] = (int64_t)o.n;
    return true;
}

void vm_panic_text(struct vg *g, char *buf, size_t size, const struct vm_panic *p)
{
    struct out o = {.g = g, .verb = 'v', .width = -1, .precision = -1};
    const struct form_type *t = vm_type(g, p->type);
    int64_t v[2] = {p->type, p->data};
    interface(&o, v);
    if (!t || strcmp(t->name, "string") == 0)
        snprintf(buf, size, "%.*s", (int)o.n, o.s ? o.s : "");
    else
        snprintf(buf, size, "%s(%.*s)", t->name, (int)o.n, o.s ? o.s : "");
}
