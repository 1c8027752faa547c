/* A thief takes one G. Go takes half of the ring, so that it need not come back soon.
 *
 * In steal-half: count(steal) is 4 in Go, 8 here. */
#include <gmpscope/policy.h>

static uint32_t steal_amount(uint32_t victim_len)
{
    (void)victim_len;
    return 1;
}

const struct gmpscope_policy gmpscope_policy = {GMPSCOPE_POLICY, "steal-one", .steal_amount = steal_amount};
