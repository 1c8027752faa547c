/* Operations on strings. */
#include "base/text.h"
#include "scenario/vm/vm_internal.h"

#define OP(name) bool vm_op_##name(struct vg *g, int64_t *f, const struct form_ins *i)

/* < 0, 0, > 0 as the first is before, equal to, behind the second. False: a panic has begun. */
static bool order(struct vg *g, const int64_t *a, const int64_t *b, int *order)
{
    int64_t n = a[1] < b[1] ? a[1] : b[1];
    const char *p = vm_chars(g, a[0], a[1]), *q = p ? vm_chars(g, b[0], b[1]) : NULL;
    int r = q && n > 0 ? memcmp(p, q, (size_t)n) : 0;
    *order = r ? r : a[1] < b[1] ? -1 : a[1] > b[1];
    return q;
}

#define COMPARISON(name, sign) \
    OP(name) \
    { \
        int r; \
        if (!order(g, f + i->b, f + i->c, &r)) \
            return false; \
        f[i->a] = r sign 0; \
        return true; \
    }
COMPARISON(seq, ==)
COMPARISON(sne, !=)
COMPARISON(slt, <)
COMPARISON(sle, <=)
COMPARISON(sgt, >)
COMPARISON(sge, >=)

OP(concat)
{
    const int64_t a[2] = {f[i->b], f[i->b + 1]}, b[2] = {f[i->c], f[i->c + 1]};
    const char *p = vm_chars(g, a[0], a[1]), *q = p ? vm_chars(g, b[0], b[1]) : NULL;
    if (!q)
        return false;
    if (!a[1] || !b[1]) {
        f[i->a] = a[1] ? a[0] : b[0];
    } else {
        f[i->a] = vm_text(g, NULL, (uint64_t)a[1] + (uint64_t)b[1]);
        memcpy(g->vm->byte + f[i->a], p, (size_t)a[1]);
        memcpy(g->vm->byte + f[i->a] + a[1], q, (size_t)b[1]);
    }
    f[i->a + 1] = a[1] + b[1];
    return true;
}

OP(stridx)
{
    int64_t n = f[i->c], len = f[i->b + 1];
    if (n < 0)
        return vm_throw(g, "runtime error: index out of range [%lld]", (long long)n);
    if (n >= len)
        return vm_throw(g, "runtime error: index out of range [%lld] with length %lld", (long long)n, (long long)len);
    const char *s = vm_chars(g, f[i->b], len);
    if (s)
        f[i->a] = (unsigned char)s[n];
    return s;
}

OP(substr)
{
    int64_t at = f[i->b], len = f[i->b + 1], low = i->c >= 0 ? f[i->c] : 0, high = i->d >= 0 ? f[i->d] : len;
    if (high < 0)
        return vm_throw(g, "runtime error: slice bounds out of range [:%lld]", (long long)high);
    if (high > len)
        return vm_throw(g, "runtime error: slice bounds out of range [:%lld] with length %lld", (long long)high, (long long)len);
    if (low < 0)
        return vm_throw(g, "runtime error: slice bounds out of range [%lld:]", (long long)low);
    if (low > high)
        return vm_throw(g, "runtime error: slice bounds out of range [%lld:%lld]", (long long)low, (long long)high);
    f[i->a] = at + low;
    f[i->a + 1] = high - low;
    return true;
}

/* For range: where the rune begins, the rune, and 1; or 0 at the end. The place moves on. */
OP(strnext)
{
    int64_t at = f[i->c], len = f[i->b + 1];
    size_t n;
    const char *s = vm_chars(g, f[i->b], len);
    if (!s)
        return false;
    f[i->a + 2] = at >= 0 && at < len;
    if (!f[i->a + 2])
        return true;
    f[i->a] = at;
    f[i->a + 1] = (int64_t)utf8_next(s + at, (size_t)(len - at), &n);
    f[i->c] = at + (int64_t)n;
    return true;
}

/* ---- conversions ---- */

OP(bytestostr)
{
    int64_t len = f[i->b + 1];
    const int64_t *s = len ? vm_at(g, f[i->b], len) : g->vm->cell;
    if (!s)
        return false;
    int64_t to = vm_text(g, NULL, (uint64_t)len);
    for (int64_t n = 0; n < len; n++)
        g->vm->byte[to + n] = (char)s[n];
    f[i->a] = to;
    f[i->a + 1] = len;
    return true;
}

OP(strtobytes)
{
    int64_t len = f[i->b + 1];
    const char *s = vm_chars(g, f[i->b], len);
    if (!s)
        return false;
    int64_t to = vm_alloc(g, len);
    for (int64_t n = 0; n < len; n++)
        g->vm->cell[to + n] = (unsigned char)s[n];
    f[i->a] = to;
    f[i->a + 1] = f[i->a + 2] = len;
    return true;
}

static int put_rune(int64_t r, char out[4])
{
    return utf8_put(r < 0 || r > 0x10ffff ? 0xfffd : (uint32_t)r, out);
}

OP(runestostr)
{
    int64_t len = f[i->b + 1];
    const int64_t *s = len ? vm_at(g, f[i->b], len) : g->vm->cell;
    char u[4];
    uint64_t n = 0;
    if (!s)
        return false;
    for (int64_t k = 0; k < len; k++)
        n += (uint64_t)put_rune(s[k], u);
    int64_t to = vm_text(g, NULL, n), at = to;
    for (int64_t k = 0; k < len; k++) {
        int w = put_rune(s[k], u);
        if ((uint64_t)(at - to) + (uint64_t)w <= n) /* another G may change it meanwhile */
            memcpy(g->vm->byte + at, u, (size_t)w);
        at += w;
    }
    f[i->a] = to;
    f[i->a + 1] = (int64_t)n;
    return true;
}

OP(strtorunes)
{
    int64_t len = f[i->b + 1], count = 0;
    const char *s = vm_chars(g, f[i->b], len);
    size_t n;
    if (!s)
        return false;
    int64_t to = vm_alloc(g, len);
    for (int64_t at = 0; at < len; at += (int64_t)n)
        g->vm->cell[to + count++] = (int64_t)utf8_next(s + at, (size_t)(len - at), &n);
    f[i->a] = to;
    f[i->a + 1] = f[i->a + 2] = count;
    return true;
}

OP(runetostr)
{
    char u[4];
    int n = put_rune(f[i->b], u);
    f[i->a] = vm_text(g, u, (uint64_t)n);
    f[i->a + 1] = n;
    return true;
}
