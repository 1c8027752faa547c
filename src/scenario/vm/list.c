/* Operations on slices and arrays. A slice is its address, length and capacity. */
#include "scenario/vm/vm_internal.h"

#define OP(name) bool vm_op_##name(struct vg *g, int64_t *f, const struct form_ins *i)
#define ELEMENTS_MOST (INT64_C(1) << 40)

static bool in_range(struct vg *g, int64_t n, int64_t len)
{
    if (n >= 0 && n < len)
        return true;
    if (n < 0)
        return vm_throw(g, "runtime error: index out of range [%lld]", (long long)n);
    return vm_throw(g, "runtime error: index out of range [%lld] with length %lld", (long long)n, (long long)len);
}

OP(sidx)
{
    int64_t n = f[i->c];
    if (!in_range(g, n, f[i->b + 1]))
        return false;
    f[i->a] = f[i->b] + n * i->d;
    return true;
}
OP(aidx)
{
    int64_t n = f[i->c];
    if (!in_range(g, n, i->e))
        return false;
    f[i->a] = f[i->b] + n * i->d;
    return true;
}
OP(fget)
{
    int64_t n = f[i->c];
    if (!in_range(g, n, i->e))
        return false;
    memmove(f + i->a, f + i->b + n * i->d, (size_t)i->d * sizeof *f);
    return true;
}
OP(fput)
{
    int64_t n = f[i->c];
    if (!in_range(g, n, i->e))
        return false;
    memmove(f + i->a + n * i->d, f + i->b, (size_t)i->d * sizeof *f);
    return true;
}

/* s[low:high:max]; i->e has a bit for each bound that is given, i->c their cells. */
OP(slice)
{
    int64_t at = f[i->b], len = f[i->b + 1], cap = f[i->b + 2];
    int64_t low = i->e & 1 ? f[i->c] : 0, high = i->e & 2 ? f[i->c + 1] : len, max = i->e & 4 ? f[i->c + 2] : cap;
    if (max < 0 || max > cap)
        return vm_throw(g, "runtime error: slice bounds out of range [::%lld] with capacity %lld", (long long)max, (long long)cap);
    if ((high < 0 || high > max) && (i->e & 4))
        return vm_throw(g, "runtime error: slice bounds out of range [:%lld:%lld]", (long long)high, (long long)max);
    if (high < 0 || high > max)
        return vm_throw(g, "runtime error: slice bounds out of range [:%lld] with capacity %lld", (long long)high, (long long)cap);
    if (low < 0 || low > high)
        return vm_throw(g, "runtime error: slice bounds out of range [%lld:%lld]", (long long)low, (long long)high);
    f[i->a] = max > low ? at + low * i->d : at;
    f[i->a + 1] = high - low;
    f[i->a + 2] = max - low;
    return true;
}

OP(makeslice)
{
    int64_t len = f[i->b], cap = i->c >= 0 ? f[i->c] : len;
    if (len < 0 || len > ELEMENTS_MOST)
        return vm_throw(g, "runtime error: makeslice: len out of range");
    if (cap < len || cap > ELEMENTS_MOST)
        return vm_throw(g, "runtime error: makeslice: cap out of range");
    f[i->a] = vm_alloc(g, i->d ? cap * i->d : 1);
    f[i->a + 1] = len;
    f[i->a + 2] = cap;
    return true;
}

/* Go's capacity for a slice that must hold `len`, without its size classes. */
static int64_t grown(int64_t cap, int64_t len)
{
    int64_t want = cap < 256 ? 2 * cap : cap + (cap + 3 * 256) / 4;
    return want < len ? len : want;
}

/* Appends n elements of `each` cells, at `from` in memory or in the frame. */
static bool append(struct vg *g, int64_t *to, const int64_t *s, const int64_t *from, int64_t n, int64_t each)
{
    int64_t at = s[0], had = s[1], cap = s[2], len = had + n;
    if (had < 0 || n < 0 || cap < had || len > ELEMENTS_MOST || cap > ELEMENTS_MOST)
        return vm_throw(g, "runtime error: growslice: len out of range");
    if (len > cap) {
        const int64_t *old = had && each ? vm_at(g, at, had * each) : g->vm->cell;
        if (!old)
            return false;
        cap = grown(cap, len);
        at = vm_alloc(g, cap * each);
        memcpy(g->vm->cell + at, old, (size_t)(had * each) * sizeof *s);
    }
    if (n && each) {
        int64_t *end = vm_at(g, at, len * each);
        if (!end)
            return false;
        memmove(end + had * each, from, (size_t)(n * each) * sizeof *s);
    }
    to[0] = at;
    to[1] = len;
    to[2] = cap;
    return true;
}
OP(append)
{
    int64_t n = f[i->c + 1];
    const int64_t *from = n && i->d ? vm_at(g, f[i->c], n * i->d) : g->vm->cell;
    return from && append(g, f + i->a, f + i->b, from, n, i->d);
}
OP(appendv)
{
    return append(g, f + i->a, f + i->b, f + i->c, i->e, i->d);
}

OP(copy)
{
    int64_t n = f[i->b + 1] < f[i->c + 1] ? f[i->b + 1] : f[i->c + 1];
    if (n > 0 && i->d) {
        int64_t *to = vm_at(g, f[i->b], n * i->d), *from = to ? vm_at(g, f[i->c], n * i->d) : NULL;
        if (!from)
            return false;
        memmove(to, from, (size_t)(n * i->d) * sizeof *to);
    }
    f[i->a] = n;
    return true;
}
OP(copystr)
{
    int64_t n = f[i->b + 1] < f[i->c + 1] ? f[i->b + 1] : f[i->c + 1];
    int64_t *to = n ? vm_at(g, f[i->b], n) : g->vm->cell;
    const char *s = to ? vm_chars(g, f[i->c], n) : NULL;
    for (int64_t k = 0; s && k < n; k++)
        to[k] = (unsigned char)s[k];
    f[i->a] = n;
    return s;
}
OP(clear)
{
    int64_t n = f[i->a + 1] * i->b;
    int64_t *s = n ? vm_at(g, f[i->a], n) : g->vm->cell;
    if (s)
        memset(s, 0, (size_t)n * sizeof *s);
    return s;
}
