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

/* The address of element n. One that is not in memory is found where it is used. */
static int64_t behind(int64_t at, int64_t n, int64_t each)
{
    return (int64_t)((uint64_t)at + (uint64_t)n * (uint64_t)each);
}

OP(sidx)
{
    int64_t n = f[i->c];
    if (!in_range(g, n, f[i->b + 1]))
        return false;
    f[i->a] = behind(f[i->b], n, i->d);
    return true;
}
OP(aidx)
{
    int64_t n = f[i->c];
    if (!in_range(g, n, i->e))
        return false;
    f[i->a] = behind(f[i->b], n, i->d);
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

/* The address of an array's worth of a slice's elements. */
OP(toarray)
{
    if (f[i->b + 1] < i->c)
        return vm_throw(g, "runtime error: cannot convert slice with length %lld to array or pointer to array with length %lld",
                        (long long)f[i->b + 1], (long long)i->c);
    f[i->a] = f[i->b];
    return true;
}

/* Says which of two bounds is wrong, as Go does: a negative one is named alone. */
static bool bad_bounds(struct vg *g, int64_t low, int64_t high, const char *behind)
{
    if (low < 0)
        return vm_throw(g, "runtime error: slice bounds out of range [%lld:%s]", (long long)low, behind);
    return vm_throw(g, "runtime error: slice bounds out of range [%lld:%lld%s]", (long long)low, (long long)high, behind);
}

/* s[low:high:max]; i->e has a bit for each bound that is given, and for an array; i->c their cells. */
OP(slice)
{
    int64_t at = f[i->b], len = f[i->b + 1], cap = f[i->b + 2];
    bool three = i->e & 4;
    int64_t low = i->e & 1 ? f[i->c] : 0, high = i->e & 2 ? f[i->c + 1] : len, max = three ? f[i->c + 2] : cap, last = three ? max : high;
    const char *before = three ? "::" : ":", *what = i->e & 8 ? "length" : "capacity";
    if (last < 0)
        return vm_throw(g, "runtime error: slice bounds out of range [%s%lld]", before, (long long)last);
    if (last > cap)
        return vm_throw(g, "runtime error: slice bounds out of range [%s%lld] with %s %lld", before, (long long)last, what, (long long)cap);
    if (high < 0)
        return vm_throw(g, "runtime error: slice bounds out of range [:%lld:]", (long long)high);
    if (high > max)
        return vm_throw(g, "runtime error: slice bounds out of range [:%lld:%lld]", (long long)high, (long long)max);
    if (low < 0 || low > high)
        return bad_bounds(g, low, high, three ? ":" : "");
    f[i->a] = max > low ? behind(at, low, i->d) : at;
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
    f[i->a] = vm_alloc(g, i->d ? vm_cells(cap, i->d) : 1);
    f[i->a + 1] = len;
    f[i->a + 2] = cap;
    return true;
}

/* What malloc makes of a size: the classes of Go's allocator, with the header of a block that has pointers; beyond them whole pages. */
static uint64_t rounded_up(uint64_t size, bool pointers)
{
    enum { PAGE = 8192, HEADER = 8, HEADER_FROM = 512, SMALL = 32768 };
    static const uint16_t class[] = {
        8,    16,   24,    32,    48,    64,    80,    96,    112,   128,   144,   160,   176,   192,   208,   224,  240,
        256,  288,  320,   352,   384,   416,   448,   480,   512,   576,   640,   704,   768,   896,   1024,  1152, 1280,
        1408, 1536, 1792,  2048,  2304,  2688,  3072,  3200,  3456,  4096,  4864,  5376,  6144,  6528,  6784,  6912, 8192,
        9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384, 18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768};
    uint64_t header = pointers && size > HEADER_FROM ? HEADER : 0;
    if (size > SMALL - HEADER)
        return (size + PAGE - 1) / PAGE * PAGE;
    size_t n = 0;
    while (class[n] < size + header)
        n++;
    return class[n] - header;
}

/* The capacity of a slice that must hold len elements, as Go's growslice chooses it. */
static int64_t grown(int64_t cap, int64_t len, const struct form_type *elem)
{
    const uint64_t bytes = elem->size / 2;
    int64_t want = cap;
    if (!bytes)
        return len;
    if (len > 2 * cap)
        want = len;
    else if (cap < 256)
        want = 2 * cap;
    while (want < len)
        want += (want + 3 * 256) / 4;
    if (bytes > UINT64_C(1) << 20 || want > INT64_C(1) << 40)
        return want;
    return (int64_t)(rounded_up((uint64_t)want * bytes, elem->size & 1) / bytes);
}

/* Appends n elements, at `from` in memory or in the frame. */
static bool append(struct vg *g, const struct form_ins *i, const int64_t *from, int64_t n)
{
    const struct form_type *elem = &g->vm->f->type.v[i->d];
    const int64_t each = elem->cells;
    const int64_t *s = g->f + i->b;
    int64_t *to = g->f + i->a;
    int64_t at = s[0], had = s[1], cap = s[2], len = 0;
    if (had < 0 || n < 0 || cap < had || __builtin_add_overflow(had, n, &len) || len > ELEMENTS_MOST || cap > ELEMENTS_MOST)
        return vm_throw(g, "runtime error: growslice: len out of range");
    if (len > cap) {
        const int64_t *old = had && each ? vm_at(g, at, vm_cells(had, each)) : g->vm->cell;
        if (!old)
            return false;
        if (had && each)
            vm_reads(g, i, at, had * each);
        cap = grown(cap, len, elem);
        at = vm_alloc(g, vm_cells(cap, each));
        vm_move(g->vm->cell + at, old, had * each);
    }
    if (n && each) {
        int64_t *end = vm_at(g, at, vm_cells(len, each));
        if (!end)
            return false;
        vm_writes(g, i, at + had * each, n * each, from);
        vm_move(end + had * each, from, n * each);
    }
    to[0] = at;
    to[1] = len;
    to[2] = cap;
    return true;
}
OP(append)
{
    const struct form_type *elem = &g->vm->f->type.v[i->d];
    int64_t n = f[i->c + 1];
    int64_t each = elem->cells;
    if (n < 0 || n > ELEMENTS_MOST)
        return vm_throw(g, "runtime error: growslice: len out of range");
    const int64_t *from = n && each ? vm_at(g, f[i->c], vm_cells(n, each)) : g->vm->cell;
    if (from && n && each)
        vm_reads(g, i, f[i->c], n * each);
    return from && append(g, i, from, n);
}
OP(appendv)
{
    return append(g, i, f + i->c, i->e);
}

OP(copy)
{
    int64_t n = f[i->b + 1] < f[i->c + 1] ? f[i->b + 1] : f[i->c + 1];
    if (n > 0 && i->d) {
        int64_t cells = vm_cells(n, i->d), *to = vm_at(g, f[i->b], cells), *from = to ? vm_at(g, f[i->c], cells) : NULL;
        if (!from)
            return false;
        vm_reads(g, i, f[i->c], cells);
        vm_writes(g, i, f[i->b], cells, from);
        vm_move(to, from, cells);
    }
    f[i->a] = n;
    return true;
}
OP(copystr)
{
    int64_t n = f[i->b + 1] < f[i->c + 1] ? f[i->b + 1] : f[i->c + 1];
    int64_t *to = n ? vm_at(g, f[i->b], n) : g->vm->cell;
    const char *s = to ? vm_chars(g, f[i->c], n) : NULL;
    if (s)
        vm_writes(g, i, f[i->b], n, NULL);
    for (int64_t k = 0; s && k < n; k++)
        vm_set_cell(to + k, (unsigned char)s[k]);
    f[i->a] = n;
    return s;
}
OP(clear)
{
    int64_t n = f[i->a + 1] < 0 ? -1 : vm_cells(f[i->a + 1], i->b);
    int64_t *s = n ? vm_at(g, f[i->a], n) : g->vm->cell;
    if (s)
        vm_writes(g, i, f[i->a], n, NULL);
    for (int64_t k = 0; s && k < n; k++)
        vm_set_cell(s + k, 0);
    return s;
}
