/* The global queue is looked at only when the P has nothing of its own. Go looks there first every 61st time.
 *
 * In fairness-61: count(globq_get why=tick61) is 1 in Go, 0 here. */
#include <gmpscope/policy.h>

static enum policy_place next_place(const struct policy_view *v)
{
    if (v->has_runnext)
        return POLICY_RUNNEXT;
    if (v->ring_len > 0)
        return POLICY_RING_HEAD;
    return v->global_len > 0 ? POLICY_GLOBAL : POLICY_STEAL;
}

const struct gmpscope_policy gmpscope_policy = {GMPSCOPE_POLICY, "no-tick", .next_place = next_place};
