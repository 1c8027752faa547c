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
