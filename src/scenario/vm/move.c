/* Operations on numbers, cells and memory; jumps. */
#include "runtime/sched/point.h"
#include "scenario/vm/vm_internal.h"

#define OP(name) bool vm_op_##name(struct vg *g, int64_t *f, const struct form_ins *i)
#define PLAIN(name, what) \
    OP(name) \
    { \
        (void)g; \
        what; \
        return true; \
    }

PLAIN(const, f[i->a] = i->b)
PLAIN(mov, memmove(f + i->a, f + i->b, (size_t)i->c * sizeof *f))
PLAIN(zero, memset(f + i->a, 0, (size_t)i->b * sizeof *f))
PLAIN(global, f[i->a] = VM_FIRST + g->vm->f->global.v[i->b].at)
PLAIN(not, f[i->a] = !f[i->b])
PLAIN(new, f[i->a] = vm_alloc(g, i->b))

OP(str)
{
    f[i->a] = (int64_t)g->vm->string_at[i->b];
    f[i->a + 1] = g->vm->f->string.v[i->b].len;
    return true;
}
OP(lea)
{
    if (!vm_at(g, f[i->b], i->c))
        return false;
    f[i->a] = f[i->b] + i->c;
    return true;
}
OP(load)
{
    const int64_t *p = vm_at(g, f[i->b], i->d + i->c);
    if (p)
        vm_reads(g, i, f[i->b] + i->d, i->c);
    for (int64_t n = 0; p && n < i->c; n++)
        f[i->a + n] = vm_cell(p + i->d + n);
    return p;
}
OP(store)
{
    int64_t *p = vm_at(g, f[i->a], i->d + i->c);
    if (p)
        vm_writes(g, i, f[i->a] + i->d, i->c, f + i->b);
    for (int64_t n = 0; p && n < i->c; n++)
        vm_set_cell(p + i->d + n, f[i->b + n]);
    return p;
}
/* Into memory that no other G knows yet. */
OP(init)
{
    int64_t *p = vm_at(g, f[i->a], i->d + i->c);
    if (!p)
        return false;
    vm_writes(g, i, f[i->a] + i->d, i->c, f + i->b);
    memcpy(p + i->d, f + i->b, (size_t)i->c * sizeof *p);
    return true;
}

/* ---- jumps ---- */

PLAIN(jmp, (void)f; g->i = g->code + i->a)
PLAIN(jz, if (!f[i->a]) g->i = g->code + i->b)
PLAIN(jnz, if (f[i->a]) g->i = g->code + i->b)
OP(back)
{
    (void)f;
    rt_back_edge();
    if (g->vm->places)
        vm_again(g, i);
    if (__builtin_expect(g->spent >= g->vm->slice, 0))
        vm_turn(g, false);
    g->i = g->code + i->a;
    if (__builtin_expect(++g->turns == g->look_at, 0))
        vm_loops(g);
    return true;
}

/* ---- numbers ---- */

static int64_t wrapped(int64_t kind, uint64_t v)
{
    switch (kind) {
    case FK_I8:
        return (int8_t)v;
    case FK_I16:
        return (int16_t)v;
    case FK_I32:
        return (int32_t)v;
    case FK_U8:
        return (uint8_t)v;
    case FK_U16:
        return (uint16_t)v;
    case FK_U32:
        return (uint32_t)v;
    default:
        return (int64_t)v;
    }
}

static bool is_real(int64_t kind)
{
    return kind == FK_F32 || kind == FK_F64;
}
static bool is_unsigned(int64_t kind)
{
    return (kind >= FK_U8 && kind <= FK_U64) || kind == FK_P;
}
static double real_of(int64_t v)
{
    double d;
    memcpy(&d, &v, sizeof d);
    return d;
}
/* A float32 is kept as the double of the same value. */
static int64_t of_real(int64_t kind, double d)
{
    int64_t v;
    if (kind == FK_F32)
        d = (double)(float)d;
    memcpy(&v, &d, sizeof v);
    return v;
}

#define ARITHMETIC(name, sign) \
    OP(name) \
    { \
        (void)g; \
        if (is_real(i->d)) \
            f[i->a] = of_real(i->d, real_of(f[i->b]) sign real_of(f[i->c])); \
        else \
            f[i->a] = wrapped(i->d, (uint64_t)f[i->b] sign(uint64_t) f[i->c]); \
        return true; \
    }
ARITHMETIC(add, +)
ARITHMETIC(sub, -)
ARITHMETIC(mul, *)
PLAIN(and, f[i->a] = f[i->b] & f[i->c])
PLAIN(or, f[i->a] = f[i->b] | f[i->c])
PLAIN(xor, f[i->a] = f[i->b] ^ f[i->c])
PLAIN(andnot, f[i->a] = f[i->b] & ~f[i->c])
PLAIN(neg, f[i->a] = is_real(i->c) ? of_real(i->c, -real_of(f[i->b])) : wrapped(i->c, 0 - (uint64_t)f[i->b]))
PLAIN(com, f[i->a] = wrapped(i->c, ~(uint64_t)f[i->b]))

/* The quotient and the remainder of integers, as Go has them: towards zero, and the smallest by -1 is itself. */
static bool divided(struct vg *g, int64_t kind, int64_t x, int64_t y, int64_t *quotient, int64_t *rest)
{
    if (!y)
        return vm_throw(g, "runtime error: integer divide by zero");
    if (is_unsigned(kind)) {
        *quotient = (int64_t)((uint64_t)x / (uint64_t)y);
        *rest = (int64_t)((uint64_t)x % (uint64_t)y);
    } else {
        *quotient = y == -1 ? wrapped(kind, 0 - (uint64_t)x) : wrapped(kind, (uint64_t)(x / y));
        *rest = y == -1 ? 0 : x % y;
    }
    return true;
}
OP(div)
{
    int64_t rest;
    if (!is_real(i->d))
        return divided(g, i->d, f[i->b], f[i->c], &f[i->a], &rest);
    f[i->a] = of_real(i->d, real_of(f[i->b]) / real_of(f[i->c]));
    return true;
}
OP(rem)
{
    int64_t quotient;
    return divided(g, i->d, f[i->b], f[i->c], &quotient, &f[i->a]);
}

/* How far to shift: 64 for everything beyond. False: negative. */
static bool distance(struct vg *g, int64_t kind, int64_t n, uint64_t *by)
{
    if (!is_unsigned(kind) && n < 0)
        return vm_throw(g, "runtime error: negative shift amount");
    *by = (uint64_t)n > 64 ? 64 : (uint64_t)n;
    return true;
}
OP(shl)
{
    uint64_t by = 0;
    if (!distance(g, i->e, f[i->c], &by))
        return false;
    f[i->a] = by > 63 ? 0 : wrapped(i->d, (uint64_t)f[i->b] << by);
    return true;
}
OP(shr)
{
    uint64_t by = 0;
    if (!distance(g, i->e, f[i->c], &by))
        return false;
    if (is_unsigned(i->d))
        f[i->a] = by > 63 ? 0 : (int64_t)((uint64_t)f[i->b] >> by);
    else
        f[i->a] = f[i->b] >> (by > 63 ? 63 : by);
    return true;
}

#define COMPARISON(name, sign) \
    OP(name) \
    { \
        (void)g; \
        int64_t x = f[i->b], y = f[i->c]; \
        if (is_real(i->d)) \
            f[i->a] = real_of(x) sign real_of(y); \
        else \
            f[i->a] = is_unsigned(i->d) ? (uint64_t)x sign(uint64_t) y : x sign y; \
        return true; \
    }
COMPARISON(eq, ==)
COMPARISON(ne, !=)
COMPARISON(lt, <)
COMPARISON(le, <=)
COMPARISON(gt, >)
COMPARISON(ge, >=)

/* A float out of range becomes what amd64's instructions make of it. */
static int64_t truncated(int64_t kind, double d)
{
    if (kind == FK_U64 && d >= 9223372036854775808.0 && d < 18446744073709551616.0)
        return (int64_t)(uint64_t)d;
    return wrapped(kind, d >= -9223372036854775808.0 && d < 9223372036854775808.0 ? (uint64_t)(int64_t)d : UINT64_C(1) << 63);
}
OP(conv)
{
    int64_t v = f[i->b];
    (void)g;
    if (is_real(i->c))
        f[i->a] = is_real(i->d) ? of_real(i->d, real_of(v)) : truncated(i->d, real_of(v));
    else if (is_real(i->d))
        f[i->a] = of_real(i->d, is_unsigned(i->c) ? (double)(uint64_t)v : (double)v);
    else
        f[i->a] = wrapped(i->d, (uint64_t)v);
    return true;
}
