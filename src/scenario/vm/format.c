/* A value without parts as Go's fmt and strconv print it, and the text of a panic. Verbs, flags and the parts of lists, maps and structs are read by
 * package fmt (gofront/stubs/fmt), which calls the methods of values, too. */
#include "base/text.h"
#include "scenario/vm/vm_internal.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct out {
    char *s; /* n of room bytes, this G's */
    size_t n, room;
    bool plus, sharp, minus, zero, space, syntax; /* syntax: # of the verb v */
    char quote;                                   /* of quoted text */
    int verb;
    int64_t width, precision; /* -1: not given */
};

enum { DIGITS_MOST = 300, WIDTH_MOST = 1000000 };

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
    if (n)
        memcpy(o->s + o->n, s, n);
    o->n += n;
}
static void word(struct out *o, const char *s)
{
    put(o, s, strlen(s));
}
static void fill(struct out *o, char c, size_t n)
{
    while (n--)
        put(o, &c, 1);
}

static size_t runes(const char *s, size_t len)
{
    size_t k = 0, n;
    for (size_t i = 0; i < len; i += n, k++)
        utf8_next(s + i, len - i, &n);
    return k;
}

/* Writes s within the width. Zeros fill a number behind its sign. */
static void padded(struct out *o, const char *s, size_t n, bool number)
{
    size_t is = runes(s, n), more = o->width > (int64_t)is ? (size_t)o->width - is : 0;
    bool zeros = o->zero && !o->minus;
    if (zeros && number && n && strchr("+- ", *s)) {
        put(o, s++, 1);
        n--;
    }
    if (!o->minus)
        fill(o, zeros ? '0' : ' ', more);
    put(o, s, n);
    if (o->minus)
        fill(o, ' ', more);
}

/* Does strconv.Quote write the rune as it is? Beyond ASCII these ranges of spaces and of runes without a shape are what texts have. */
static bool printable(uint32_t c)
{
    static const uint32_t hidden[][2] = {{0x80, 0xa0},     {0xad, 0xad},     {0x600, 0x605},   {0x61c, 0x61c},   {0x1680, 0x1680},
                                         {0x180e, 0x180e}, {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f}, {0x3000, 0x3000},
                                         {0xd800, 0xf8ff}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0x10ffff}};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (c >= hidden[i][0] && c <= hidden[i][1])
            return false;
    return c >= ' ' && c != 0x7f;
}

static void escaped(struct out *q, uint32_t c, const char *s, size_t n)
{
    static const char letters[] = "abtnvfr"; /* of the codes 7 to 13 */
    char x[12];
    if (c == (unsigned char)q->quote || c == '\\')
        snprintf(x, sizeof x, "\\%c", (int)c);
    else if (c == 0xfffd && n == 1)
        snprintf(x, sizeof x, "\\x%02x", (unsigned char)*s);
    else if (printable(c) && (c < 0x80 || !q->plus))
        snprintf(x, sizeof x, "%.*s", (int)n, s);
    else if (c >= 7 && c <= 13)
        snprintf(x, sizeof x, "\\%c", letters[c - 7]);
    else if (c < 0x80)
        snprintf(x, sizeof x, "\\x%02x", c);
    else
        snprintf(x, sizeof x, c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
    word(q, x);
}

static bool fits_backquotes(const char *s, size_t len)
{
    size_t n;
    for (size_t i = 0; i < len; i += n) {
        const uint32_t c = utf8_next(s + i, len - i, &n);
        if (n == 1 ? c == 0xfffd || (c < ' ' && c != '\t') || c == '`' || c == 0x7f : c == 0xfeff)
            return false;
    }
    return true;
}

static void quoted(struct out *o, const char *s, size_t len, char quote)
{
    struct out q = {.plus = o->plus, .quote = quote};
    size_t n;
    if (o->sharp && quote == '"' && fits_backquotes(s, len))
        quote = '`';
    put(&q, &quote, 1);
    for (size_t i = 0; i < len; i += n) {
        uint32_t c = utf8_next(s + i, len - i, &n);
        if (quote == '`')
            put(&q, s + i, n);
        else
            escaped(&q, c, s + i, n);
    }
    put(&q, &quote, 1);
    padded(o, q.s, q.n, false);
}

static void integer(struct out *o, int64_t v, bool no_sign)
{
    char digits[64], *end = digits + sizeof digits, *p = end;
    struct out all = {0};
    const bool negative = !no_sign && v < 0, zero = o->zero;
    uint64_t u = negative ? 0 - (uint64_t)v : (uint64_t)v;
    const unsigned base = strchr("xX", o->verb) ? 16 : strchr("oO", o->verb) ? 8 : o->verb == 'b' ? 2 : 10;
    const char sign = negative ? '-' : o->plus ? '+' : o->space ? ' ' : '\0';
    const int64_t least = o->precision >= 0 ? o->precision : zero && !o->minus ? o->width - (sign != 0) : 0;
    o->zero = false; /* the zeros are among the digits */
    if (o->precision == 0 && u == 0) {
        padded(o, "", 0, false);
    } else {
        do
            *--p = (o->verb == 'X' ? "0123456789ABCDEF" : "0123456789abcdef")[u % base];
        while (u /= base);
        const size_t more = least > end - p ? (size_t)(least - (end - p)) : 0;
        if (sign)
            put(&all, &sign, 1);
        if (o->verb == 'O')
            word(&all, "0o");
        if (o->sharp && base != 10 && (base != 8 || (!more && *p != '0')))
            word(&all, base == 8 ? "0" : base == 2 ? "0b" : o->verb == 'X' ? "0X" : "0x");
        fill(&all, '0', more);
        put(&all, p, (size_t)(end - p));
        padded(o, all.s, all.n, false);
    }
    o->zero = zero;
}

/* The shortest digits that are read back as the same number: as %e, %f, or as %g, which has an exponent below -4 and from 6. */
static void shortest(char *to, size_t size, double v, bool single, char verb)
{
    int digits = 0;
    do
        snprintf(to, size, "%.*e", digits, v);
    while (++digits < 17 && (single ? (double)strtof(to, NULL) != v : strtod(to, NULL) != v));
    int exponent = atoi(strchr(to, 'e') + 1);
    if (verb == 'f' || (verb == 'g' && exponent >= -4 && exponent < 6))
        snprintf(to, size, "%.*f", digits - 1 > exponent ? digits - 1 - exponent : 0, v);
}

/* Seven digits and an exponent of three, as Go's runtime made them before 1.26. */
static void old_float(char *to, size_t size, double v)
{
    int e = 0;
    double x = fabs(v);
    char digits[8] = "";
    for (; x >= 10; x /= 10)
        e++;
    for (; x != 0 && x < 1; x *= 10)
        e--;
    if (x != 0)
        x += 5e-7;
    if (x >= 10) {
        e++;
        x /= 10;
    }
    for (int i = 0; i < 7; i++, x *= 10) {
        digits[i] = (char)('0' + (int)x);
        x -= (int)x;
    }
    snprintf(to, size, "%c%c.%se%c%03d", signbit(v) ? '-' : '+', digits[0], digits + 1, e < 0 ? '-' : '+', abs(e));
}

int vm_float_text(char *to, size_t size, double v, bool single, bool old)
{
    if (isfinite(v) && old)
        old_float(to, size, v);
    else if (isfinite(v))
        shortest(to, size, v, single, 'g');
    else
        snprintf(to, size, "%s", isnan(v) ? "NaN" : v < 0 ? "-Inf" : "+Inf");
    return (int)strlen(to);
}

/* %x: the first bit, then as many digits after the point as are asked for, or as there are, rounded to even; the power of two has two digits. */
static void hex_real(const struct out *o, double v, char *to, size_t size)
{
    int power, precision = o->precision < 0 ? -1 : (int)(o->precision < DIGITS_MOST ? o->precision : DIGITS_MOST);
    bool upper = o->verb == 'X';
    uint64_t bits = (uint64_t)ldexp(frexp(fabs(v), &power), 53) << 8; /* the first bit is bit 60 */
    power = bits ? power - 1 : 0;
    if (precision >= 0 && precision < 15) {
        const int cut = 60 - 4 * precision;
        const uint64_t half = UINT64_C(1) << (cut - 1), rest = bits & (2 * half - 1);
        bits >>= cut;
        bits = (bits + (rest > half || (rest == half && bits & 1))) << cut;
        power += bits >> 61 != 0;
        bits >>= bits >> 61;
    }
    int n = snprintf(to, size, "%s%s%d%s", signbit(v) ? "-" : "", upper ? "0X" : "0x", (int)(bits >> 60),
                     precision > 0 || (precision < 0 && bits << 4) ? "." : "");
    for (int k = 0; k < precision || (precision < 0 && bits << 4); k++) {
        bits = (bits & ((UINT64_C(1) << 60) - 1)) << 4;
        n += snprintf(to + n, size - (size_t)n, upper ? "%X" : "%x", (unsigned)(bits >> 60));
    }
    snprintf(to + n, size - (size_t)n, "%c%c%02d", upper ? 'P' : 'p', power < 0 ? '-' : '+', abs(power));
}

/* %b: the bits of the fraction, and the power of two. */
static void binary_real(double v, bool single, char *to, size_t size)
{
    int power;
    const int bits = single ? 24 : 53, least = single ? -149 : -1074;
    frexp(v, &power);
    power = v == 0 || power - bits < least ? least : power - bits;
    snprintf(to, size, "%s%.0fp%+d", signbit(v) ? "-" : "", ldexp(fabs(v), -power), power);
}

/* The sharp flag: a point in any case, and zeros until `digits` of them count (of %e and %f, all are there). */
static void sharpened(const struct out *o, char *text, size_t size)
{
    char tail[16] = "";
    int64_t digits = strchr("vgGx", o->verb) ? o->precision : 0;
    bool point = false, counts = false;
    char *p = text + (*text == '-');
    const char *first = p;
    if (digits < 0)
        digits = 6;
    for (; *p && !strchr("pP", *p) && !(strchr("eE", *p) && !strchr("xX", o->verb)); p++) {
        point |= *p == '.';
        counts |= *p != '.' && *p != '0';
        digits -= *p != '.' && counts;
    }
    snprintf(tail, sizeof tail, "%s", p);
    if (!point) {
        digits -= p == first + 1 && *first == '0';
        *p++ = '.';
    }
    for (; digits > 0 && p < text + size - sizeof tail; digits--)
        *p++ = '0';
    memcpy(p, tail, sizeof tail);
}

static void real(struct out *o, double v, bool single)
{
    char text[2 * DIGITS_MOST + 360];
    const bool finite = isfinite(v), zero = o->zero;
    const char verb = strchr("vgG", o->verb) ? 'g' : strchr("eE", o->verb) ? 'e' : 'f';
    const int64_t precision = o->precision == -1 && verb != 'g' ? 6 : o->precision < DIGITS_MOST ? o->precision : DIGITS_MOST;
    if (!finite)
        snprintf(text, sizeof text, "%s",
                 isnan(v)               ? (o->plus    ? "+NaN"
                                           : o->space ? " NaN"
                                                      : "NaN")
                 : v < 0                ? "-Inf"
                 : o->space && !o->plus ? " Inf"
                                        : "+Inf");
    else if (o->verb == 'b')
        binary_real(v, single, text, sizeof text);
    else if (strchr("xX", o->verb))
        hex_real(o, v, text, sizeof text);
    else if (precision < 0) /* -2: strconv asks for the shortest form */
        shortest(text, sizeof text, v, single, verb);
    else
        snprintf(text, sizeof text, verb == 'g' ? "%.*g" : verb == 'e' ? "%.*e" : "%.*f", (int)precision, v);
    if (finite && o->sharp && o->verb != 'b')
        sharpened(o, text, sizeof text);
    for (char *p = text; strchr("EG", o->verb) && *p; p++)
        *p = *p == 'e' ? 'E' : *p;
    if (finite && (o->plus || o->space) && text[0] != '-') {
        memmove(text + 1, text, strlen(text) + 1);
        text[0] = o->plus ? '+' : ' ';
    }
    o->zero = zero && finite;
    padded(o, text, strlen(text), finite);
    o->zero = zero;
}

static const char *letters(const struct vm *vm, const int64_t *s)
{
    bool ok = s[1] == 0 || (s[0] > 0 && s[1] > 0 && (uint64_t)s[0] < vm->nbytes && (uint64_t)s[1] < vm->nbytes - (uint64_t)s[0]);
    return ok ? vm->byte + (s[1] ? s[0] : 0) : NULL;
}

static void hex(struct out *o, const char *s, size_t n)
{
    struct out x = {0};
    char two[4];
    for (size_t i = 0; i < n; i++) {
        if (o->space && i)
            word(&x, " ");
        if (o->sharp && (o->space || !i))
            word(&x, o->verb == 'x' ? "0x" : "0X");
        snprintf(two, sizeof two, o->verb == 'x' ? "%02x" : "%02X", (unsigned char)s[i]);
        word(&x, two);
    }
    padded(o, x.s ? x.s : "", x.n, false);
}

static bool text(struct out *o, const struct vm *vm, const int64_t *v)
{
    const char *s = letters(vm, v);
    size_t n = s ? (size_t)v[1] : 0, k = 0, w;
    bool bytes = strchr("xX", o->verb) != NULL;
    for (size_t i = 0; s && o->precision >= 0 && i < n; i += w) {
        w = 1;
        if (!bytes)
            utf8_next(s + i, n - i, &w);
        if (k++ == (size_t)o->precision)
            n = i;
    }
    if (o->verb == 'q' || (o->verb == 'v' && o->syntax)) {
        quoted(o, s ? s : "", n, '"');
    } else if (bytes) {
        hex(o, s, n);
    } else if (o->verb == 'v' || o->verb == 's') {
        padded(o, s, n, false);
    } else {
        return false;
    }
    return true;
}

static void code_point(struct out *o, int64_t v, const char *c)
{
    struct out u = {.verb = 'X', .width = -1, .precision = o->precision > 4 ? o->precision : 4};
    const bool zero = o->zero;
    word(&u, "U+");
    integer(&u, v, true);
    if (c) {
        word(&u, " '");
        word(&u, c);
        word(&u, "'");
    }
    o->zero = false;
    padded(o, u.s, u.n, false);
    o->zero = zero;
}

static bool whole(struct out *o, const struct form_type *t, const int64_t *v)
{
    char c[5];
    uint32_t code = *v < 0 || *v > 0x10ffff || (*v >= 0xd800 && *v < 0xe000) ? 0xfffd : (uint32_t)*v;
    if (o->verb == 'v' && o->syntax && t->kind >= TY_UINT) {
        o->verb = 'x';
        o->sharp = true;
        integer(o, *v, true);
        return true;
    }
    if (strchr("vdxXobO", o->verb)) {
        integer(o, *v, t->kind >= TY_UINT);
        return true;
    }
    size_t n = (size_t)utf8_put(code, c);
    c[n] = '\0';
    if (o->verb == 'q') {
        quoted(o, c, n, '\'');
        return true;
    }
    if (o->verb == 'c')
        padded(o, c, n, false);
    else if (o->verb == 'U')
        code_point(o, *v, o->sharp && (uint64_t)*v <= 0x10ffff && printable(code) ? c : NULL);
    return o->verb == 'c' || o->verb == 'U';
}

/* An address as Go's look: our cells begin where Go's heap does. */
static bool address(struct out *o, int64_t v)
{
    if (o->verb == 'v' && !v) {
        padded(o, "<nil>", 5, false);
        return true;
    }
    if (o->verb == 'v' || o->verb == 'p') {
        o->verb = 'x';
        o->sharp = !o->sharp;
    }
    if (strchr("bodxX", o->verb))
        integer(o, (int64_t)vm_shown(v), true);
    return strchr("bodxX", o->verb) != NULL;
}

/* Returns false if the verb does not fit the value. */
static bool leaf(struct out *o, const struct vm *vm, const struct form_type *t, const int64_t *v)
{
    double d;
    if (t->kind == TY_STRING)
        return text(o, vm, v);
    if (t->kind >= TY_INT && t->kind <= TY_UINTPTR)
        return whole(o, t, v);
    if (t->kind == TY_BOOL) {
        bool fits = o->verb == 'v' || o->verb == 't';
        if (fits)
            padded(o, *v ? "true" : "false", *v ? 4 : 5, false);
        return fits;
    }
    if (t->kind == TY_FLOAT32 || t->kind == TY_FLOAT64) {
        bool fits = strchr("vbgGeEfFxX", o->verb) != NULL;
        memcpy(&d, v, sizeof d);
        if (fits)
            real(o, d, t->kind == TY_FLOAT32);
        return fits;
    }
    return address(o, *v);
}

/* func leaf(v any, verb rune, flags string, width, precision int) (s string, fits bool) */
bool vm_sys_format(struct vg *g, int64_t *f)
{
    const int64_t *a = f + 3;
    struct out o = {.verb = (int)(a[2] & 0x1fffff), .width = a[5] > WIDTH_MOST ? WIDTH_MOST : a[5], .precision = a[6]};
    const char *flags = letters(g->vm, a + 3);
    const struct form_type *t = vm_type(g, a[0]);
    const int64_t *v = t ? vm_seen_data(g->vm, t, a + 1) : NULL;
    for (int64_t i = 0; flags && i < a[4]; i++) {
        o.plus |= flags[i] == '+';
        o.minus |= flags[i] == '-';
        o.sharp |= flags[i] == '#';
        o.zero |= flags[i] == '0';
        o.space |= flags[i] == ' ';
        o.syntax |= flags[i] == 'v';
    }
    f[2] = v && o.verb > 0 && o.verb < 0x80 && leaf(&o, g->vm, t, v);
    f[0] = vm_text(g, o.s, f[2] ? o.n : 0);
    f[1] = f[2] ? (int64_t)o.n : 0;
    return true;
}

/* What the runtime prints of a value that nothing recovers: numbers and strings, with the name of their type if it is a named one; the address of
 * anything else. */
void vm_panic_text(struct vg *g, char *buf, size_t size, const struct vm_panic *p)
{
    struct out o = {.verb = 'v', .width = -1, .precision = -1};
    const struct form_type *t = vm_type(g, p->type);
    const int64_t v[2] = {p->type, p->data}, *data = t ? vm_seen_data(g->vm, t, v + 1) : NULL;
    if (!data) {
        snprintf(buf, size, "nil");
        return;
    }
    if (t->kind > TY_STRING) {
        snprintf(buf, size, "(%s) 0x%" PRIx64, t->name, vm_shown(p->data));
        return;
    }
    bool named = strchr(t->name, '.') != NULL, quotes = named && t->kind == TY_STRING;
    if (t->kind == TY_FLOAT32 || t->kind == TY_FLOAT64) {
        char text[40];
        double d;
        memcpy(&d, data, sizeof d);
        vm_float_text(text, sizeof text, d, t->kind == TY_FLOAT32, g->vm->f->old_floats);
        word(&o, text);
    } else {
        leaf(&o, g->vm, t, data);
    }
    snprintf(buf, size, "%s%s%s%.*s%s%s", named ? t->name : "", named ? "(" : "", quotes ? "\"" : "", (int)o.n, o.s ? o.s : "",
             quotes ? "\"" : "", named ? ")" : "");
}

/* func parseFloat(s string, bitSize int) (f float64, ok, over bool) */
bool vm_sys_parse_float(struct vg *g, int64_t *f)
{
    char text[400];
    const char *s = letters(g->vm, f + 3);
    size_t n = s && f[4] < (int64_t)sizeof text ? (size_t)f[4] : 0;
    double v;
    if (n)
        memcpy(text, s, n);
    text[n] = '\0';
    char *end = text, *digits = text + (*text == '-' || *text == '+');
    bool begins = strchr("0123456789.iInN", *digits) != NULL, payload = strchr(text, '(') != NULL;
    v = f[5] == 32 ? (double)strtof(text, &end) : strtod(text, &end);
    f[1] = n && begins && !payload && end == text + n;
    f[2] = f[1] && isinf(v) && strchr("0123456789.", *digits);
    memcpy(f, &v, sizeof v);
    return true;
}
