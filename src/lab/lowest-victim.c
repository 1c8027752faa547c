/* A thief always looks at P0 first, then P1, and so on. In Go each pass has its own random order, so that thieves do not meet at one P.
 *
 * In steal-order: value(steal_try p=7 .victim) is 6 in Go, 0 here. */
#include <gmpscope/policy.h>

static uint32_t victim(const struct policy_view *v, uint32_t look, uint32_t random)
{
    (void)random;
    return look % v->procs;
}

const struct gmpscope_policy gmpscope_policy = {GMPSCOPE_POLICY, "lowest-victim", .victim = victim};
