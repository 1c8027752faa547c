/* Package math, as far as each implementation gives the same bits. A float is its bits in a cell. */
#include "scenario/vm/vm_internal.h"
#include <math.h>

static double of_bits(int64_t v)
{
    double d;
    memcpy(&d, &v, sizeof d);
    return d;
}

static bool give(int64_t *f, double v)
{
    memcpy(f, &v, sizeof v);
    return true;
}

#define ONE(name, function) \
    bool vm_sys_##name(struct vg *g, int64_t *f) \
    { \
        (void)g; \
        return give(f, function(of_bits(f[1]))); \
    }
ONE(sqrt, sqrt)
ONE(floor, floor)
ONE(ceil, ceil)
ONE(trunc, trunc)
ONE(round, round)
ONE(round_even, rint)

bool vm_sys_mod(struct vg *g, int64_t *f)
{
    (void)g;
    return give(f, fmod(of_bits(f[1]), of_bits(f[2])));
}

/* A float32 is in its cell as a float64. */
bool vm_sys_float32_bits(struct vg *g, int64_t *f)
{
    (void)g;
    float v = (float)of_bits(f[1]);
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    f[0] = bits;
    return true;
}
bool vm_sys_float32_of(struct vg *g, int64_t *f)
{
    (void)g;
    float v;
    uint32_t bits = (uint32_t)f[1];
    memcpy(&v, &bits, sizeof v);
    return give(f, v);
}

/* a*b + c, rounded once if the processor can: so it is in Go's Exp for amd64. */
static double sum(bool once, double a, double b, double c)
{
    if (once)
        return fma(a, b, c);
    const volatile double product = a * b; /* volatile: no compiler makes one operation of the two */
    return product + c;
}

/* Shibata's method: x less a multiple of ln 2, a sixteenth of it in a Taylor series of e^r - 1, and four times 2r + r*r. */
bool vm_sys_exp(struct vg *g, int64_t *f)
{
    static const double terms[] = {1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0};
    double x = of_bits(f[1]), r, t;
    bool once = false;
    (void)g;
#ifdef __x86_64__
    once = __builtin_cpu_supports("fma");
#endif
    if (isnan(x) || x == INFINITY)
        return give(f, x);
    if (x > 7.09782712893384e+02)
        return give(f, INFINITY);
    if (x < -800)
        return give(f, 0);
    const double power = rint(x * 1.4426950408889634073599246810018920);
    r = sum(once, -power, 0.69314718055966295651160180568695068359375, x);
    r = sum(once, -power, 0.28235290563031577122588448175013436025525412068e-12, r) * 0.0625;
    t = terms[0];
    for (size_t i = 1; i < sizeof terms / sizeof *terms; i++)
        t = sum(once, t, r, terms[i]);
    r *= t;
    for (int i = 0; i < 3; i++)
        r *= r + 2;
    r = sum(once, r + 2, r, 1);
    if (power <= -1023 - 52 - 1)
        return give(f, 0);
    return give(f, power <= -1023 ? r * ldexp(1, (int)power + 1022) * 0x1p-1022 : power >= 1024 ? INFINITY : r * ldexp(1, (int)power));
}
