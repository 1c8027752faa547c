/* Reads the program form. It comes from our own front end, but it may also come from a stranger's file: nothing in it is trusted. */
#include "scenario/vm/form.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST (INT64_C(1) << 24) /* of anything that is counted: types, functions, cells of a value */

static const char *const kind_name[FORM_TYPE_KINDS] = {
#define X(id, name) name,
    FORM_TYPE_KINDS_X(X)
#undef X
};

static const char *const place_name[FORM_PLACES] = {
#define X(id, name) name,
    FORM_PLACES_X(X)
#undef X
};

struct form_reader {
    struct form *f;
    char *at, *end; /* of a copy, in which strings are unescaped in place */
    uint32_t line;
    char *err;
    size_t size;
    bool bad;
};

static void wrong(struct form_reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void wrong(struct form_reader *r, const char *fmt, ...)
{
    va_list ap;
    if (r->bad)
        return;
    r->bad = true;
    int n = snprintf(r->err, r->size, "program form, line %u: ", r->line);
    va_start(ap, fmt);
    vsnprintf(r->err + n, r->size - (size_t)n, fmt, ap);
    va_end(ap);
}

#define ADD(r, vec, ...) \
    do { \
        if (!(r)->bad && !vec_push(&(vec), (__VA_ARGS__))) \
            wrong((r), "memory is lacking"); \
    } while (0)

static int hex(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A string in quotes: \" \\ \xHH. */
static char *quoted(struct form_reader *r, size_t *len)
{
    char *s = ++r->at, *to = s;
    while (r->at < r->end && *r->at != '"' && *r->at != '\n') {
        if (*r->at != '\\') {
            *to++ = *r->at++;
        } else if (r->end - r->at > 3 && r->at[1] == 'x' && hex(r->at[2]) >= 0 && hex(r->at[3]) >= 0) {
            *to++ = (char)(hex(r->at[2]) << 4 | hex(r->at[3]));
            r->at += 4;
        } else if (r->end - r->at > 1 && (r->at[1] == '"' || r->at[1] == '\\')) {
            *to++ = r->at[1];
            r->at += 2;
        } else {
            wrong(r, "an escape that is not known");
            break;
        }
    }
    if (r->at >= r->end || *r->at != '"')
        wrong(r, "a string does not end");
    else
        *r->at++ = ' ';
    *len = (size_t)(to - s);
    *to = '\0'; /* at the latest where the quote was */
    return s;
}

static bool at_end(struct form_reader *r)
{
    while (r->at < r->end && *r->at == ' ')
        r->at++;
    return r->at >= r->end || *r->at == '\n';
}

/* Returns the next word of the line; of length 0 at its end. */
static char *word(struct form_reader *r, size_t *len)
{
    if (!at_end(r) && *r->at == '"')
        return quoted(r, len);
    char *s = r->at;
    while (r->at < r->end && *r->at != ' ' && *r->at != '\n')
        r->at++;
    *len = (size_t)(r->at - s);
    return s;
}

static const char *name(struct form_reader *r)
{
    size_t n;
    const char *s = word(r, &n), *copy = arena_strndup(&r->f->a, s, n);
    if (!copy)
        wrong(r, "memory is lacking");
    return copy ? copy : "";
}

static int64_t number(struct form_reader *r, int64_t low, int64_t high)
{
    size_t n;
    const char *s = word(r, &n);
    char text[24], *end = text;
    int64_t v = low;
    if (n && n < sizeof text) {
        memcpy(text, s, n);
        text[n] = '\0';
        v = strtoll(text, &end, 10);
    }
    if (end == text || *end || v < low || v > high) {
        wrong(r, "a number from %" PRId64 " to %" PRId64 " is missing", low, high);
        return low;
    }
    return v;
}

static uint32_t count(struct form_reader *r)
{
    return (uint32_t)number(r, 0, MOST);
}

static int one_of(struct form_reader *r, const char *const *names, int n, const char *what)
{
    size_t len;
    const char *s = word(r, &len);
    for (int i = 0; i < n; i++)
        if (strlen(names[i]) == len && memcmp(names[i], s, len) == 0)
            return i;
    wrong(r, "%s is not known", what);
    return 0;
}

static void read_type(struct form_reader *r)
{
    struct form_type t = {0};
    number(r, (int64_t)r->f->type.n, (int64_t)r->f->type.n);
    t.kind = (enum form_type_kind)one_of(r, kind_name, FORM_TYPE_KINDS, "the kind of type");
    t.cells = count(r);
    t.size = (uint64_t)number(r, 0, INT64_MAX);
    t.name = name(r);
    if (t.kind == TY_MAP)
        t.key = count(r);
    if (t.kind >= TY_POINTER && t.kind <= TY_MAP)
        t.elem = count(r);
    if (t.kind == TY_ARRAY)
        t.length = count(r);
    for (uint32_t n = t.kind == TY_STRUCT ? count(r) : 0; n && !r->bad; n--) {
        struct form_field x = {.name = name(r), .type = count(r)};
        x.offset = count(r);
        x.exported = number(r, 0, 1);
        ADD(r, t.field, x);
    }
    for (uint32_t n = t.kind == TY_INTERFACE ? count(r) : 0; n && !r->bad; n--)
        ADD(r, t.want, name(r));
    ADD(r, r->f->type, t);
    if (r->bad) {
        vec_free(&t.field);
        vec_free(&t.want);
    }
}

static void read_methods(struct form_reader *r)
{
    int64_t n = number(r, 0, (int64_t)r->f->type.n - 1);
    while (!r->bad && !at_end(r)) {
        struct form_method m = {.name = name(r), .fn = count(r)};
        ADD(r, r->f->type.v[n].method, m);
    }
}

static void read_fn(struct form_reader *r)
{
    struct form_fn f = {0};
    number(r, (int64_t)r->f->fn.n, (int64_t)r->f->fn.n);
    f.name = name(r);
    f.nres = count(r);
    f.nparam = count(r);
    f.ctx = (int32_t)number(r, -1, MOST);
    f.frame = count(r);
    f.file = count(r);
    f.line = count(r);
    ADD(r, r->f->fn, f);
}

static void read_local(struct form_reader *r)
{
    struct form_local l = {.name = name(r), .type = count(r)};
    l.place = (enum form_place)one_of(r, place_name, FORM_PLACES, "the place of a variable");
    l.at = count(r);
    l.first = count(r);
    l.last = count(r);
    if (!r->f->fn.n)
        wrong(r, "a variable outside of a function");
    else
        ADD(r, r->f->fn.v[r->f->fn.n - 1].local, l);
}

static void read_ins(struct form_reader *r)
{
    struct form_ins i = {.op = (uint16_t)one_of(r, form_op_name, FORM_OPS, "the operation")};
    i.a = number(r, INT64_MIN, INT64_MAX);
    i.b = number(r, INT64_MIN, INT64_MAX);
    i.c = number(r, INT64_MIN, INT64_MAX);
    i.d = number(r, INT64_MIN, INT64_MAX);
    i.e = number(r, INT64_MIN, INT64_MAX);
    i.line = count(r);
    i.col = (uint16_t)number(r, 0, UINT16_MAX);
    i.name = count(r);
    if (!r->f->fn.n)
        wrong(r, "an instruction outside of a function");
    else
        ADD(r, r->f->fn.v[r->f->fn.n - 1].code, i);
}

static void read_global(struct form_reader *r)
{
    number(r, (int64_t)r->f->global.n, (int64_t)r->f->global.n);
    struct form_global g = {.cells = count(r), .at = 1 + r->f->globals};
    g.name = name(r);
    if (r->f->globals + g.cells > MOST)
        wrong(r, "too many globals");
    r->f->globals += g.cells ? g.cells : 1;
    ADD(r, r->f->global, g);
}

static void read_string(struct form_reader *r)
{
    size_t n;
    number(r, (int64_t)r->f->string.n, (int64_t)r->f->string.n);
    const char *s = word(r, &n), *copy = arena_strndup(&r->f->a, s, n);
    ADD(r, r->f->string, (struct form_string){copy, (uint32_t)n});
    if (!copy)
        wrong(r, "memory is lacking");
}

static void read_line(struct form_reader *r)
{
    enum { HEAD, GO, FILE_, TEXT, STRING, TYPE, METHODS, GLOBAL, FUNC, LOCAL, INS, INIT, ERROR, IMPORT, MAIN, WORDS };
    static const char *const words[WORDS] = {
        "gmpscope-program", "go",  "file", "text", "string", "type", "methods", "global", "func", "local", "i", "init", "error",
        "import",           "main"};
    int what = one_of(r, words, WORDS, "the word at the beginning");
    if (r->bad)
        return;
    switch (what) {
    case HEAD:
        number(r, 1, 1);
        break;
    case GO:
        if (sscanf(name(r), "1.%" SCNu32, &r->f->language) != 1)
            r->f->language = UINT32_MAX;
        r->f->old_floats = !at_end(r) && number(r, 1, 1000000) < 26;
        break;
    case IMPORT:
        ADD(r, r->f->import, name(r));
        break;
    case FILE_:
        number(r, (int64_t)r->f->file.n, (int64_t)r->f->file.n);
        ADD(r, r->f->file, name(r));
        ADD(r, r->f->text, NULL);
        break;
    case TEXT: {
        int64_t n = number(r, 0, (int64_t)r->f->file.n - 1);
        const char *text = name(r);
        if (!r->bad)
            r->f->text.v[n] = text;
        break;
    }
    case STRING:
        read_string(r);
        break;
    case TYPE:
        read_type(r);
        break;
    case METHODS:
        read_methods(r);
        break;
    case GLOBAL:
        read_global(r);
        break;
    case FUNC:
        read_fn(r);
        break;
    case LOCAL:
        read_local(r);
        break;
    case INS:
        read_ins(r);
        break;
    case INIT:
        ADD(r, r->f->init, count(r));
        break;
    case ERROR:
        for (size_t k = 0; k < FORM_ERRORS; k++) /* one: it is the type of all */
            r->f->error[k] = k && at_end(r) ? r->f->error[0] : count(r);
        break;
    default:
        r->f->main = count(r);
    }
    if (!at_end(r))
        wrong(r, "more than the line can have");
    r->at++;
}

struct form *form_load(const char *text, size_t len, char *err, size_t size)
{
    struct form *f = calloc(1, sizeof *f);
    char *copy = malloc(len + 1);
    struct form_reader r = {.f = f, .at = copy, .end = copy ? copy + len : NULL, .line = 1, .err = err, .size = size};
    if (!f || !copy)
        wrong(&r, "memory is lacking");
    else
        memcpy(copy, text, len);
    for (; !r.bad && r.at < r.end; r.line++)
        read_line(&r);
    const char *unsound = r.bad ? NULL : form_check(f);
    if (!r.bad && !unsound) {
        form_labels(f);
        form_cook(f);
    }
    if (f && f->a.lacking)
        unsound = "memory is lacking";
    if (unsound)
        snprintf(err, size, "program form: %s", unsound);
    free(copy);
    if (!r.bad && !unsound)
        return f;
    form_free(f);
    return NULL;
}

void form_free(struct form *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->type.n; i++) {
        vec_free(&f->type.v[i].field);
        vec_free(&f->type.v[i].want);
        vec_free(&f->type.v[i].method);
    }
    for (size_t i = 0; i < f->fn.n; i++) {
        vec_free(&f->fn.v[i].code);
        vec_free(&f->fn.v[i].local);
    }
    vec_free(&f->file);
    vec_free(&f->text);
    vec_free(&f->string);
    vec_free(&f->type);
    vec_free(&f->global);
    vec_free(&f->fn);
    vec_free(&f->init);
    vec_free(&f->import);
    arena_fini(&f->a);
    free(f);
}
