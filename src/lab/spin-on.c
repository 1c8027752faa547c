/* Every thread without work searches for some. In Go at most half as many threads search as Ps are busy; the others sleep.
 *
 * In burst-of-readers: max(spin_start .nmspinning) is 2 in Go, 4 here. */
#include <gmpscope/policy.h>

static bool may_spin(uint32_t spinning, uint32_t busy)
{
    (void)spinning;
    (void)busy;
    return true;
}

const struct gmpscope_policy gmpscope_policy = {GMPSCOPE_POLICY, "spin-on", .may_spin = may_spin};
