/* The decisions of Go 1.20's scheduler. With this policy a run takes the course that it takes without one. */
#include <gmpscope/policy.h>

/* Where a P takes its next G. Every 61st time the global queue comes first, so that two Gs that ready each other cannot keep the P for ever. */
static enum policy_place next_place(const struct policy_view *v)
{
    if (v->tick % 61 == 0 && v->global_len > 0)
        return POLICY_GLOBAL;
    if (v->has_runnext)
        return POLICY_RUNNEXT;
    if (v->ring_len > 0)
        return POLICY_RING_HEAD;
    return v->global_len > 0 ? POLICY_GLOBAL : POLICY_STEAL;
}

/* A G that is new or was woken runs next on this P. One that gave up the P waits behind all others. */
static enum policy_place put(const struct policy_view *v, enum policy_why why)
{
    (void)v;
    return why == POLICY_NEW || why == POLICY_READY ? POLICY_RUNNEXT : POLICY_GLOBAL;
}

/* Half, rounded up. */
static uint32_t steal_amount(uint32_t victim_len)
{
    return victim_len - victim_len / 2;
}

/* A fair share for each P, and at most half a ring. */
static uint32_t global_batch(uint32_t global_len, uint32_t procs, uint32_t ring_size)
{
    uint32_t n = global_len / procs + 1;
    n = n < global_len ? n : global_len;
    return n < ring_size / 2 ? n : ring_size / 2;
}

/* At most half as many threads search as Ps are busy. */
static bool may_spin(uint32_t spinning, uint32_t busy)
{
    return 2 * spinning < busy;
}

static uint32_t gcd(uint32_t a, uint32_t b)
{
    return b ? gcd(b, a % b) : a;
}

/* From a random P on, by a step that has no divisor in common with the number of Ps: so each pass looks at each P once. */
static uint32_t victim(const struct policy_view *v, uint32_t look, uint32_t random)
{
    uint32_t step = 0, first = random % v->procs;
    for (uint32_t n = random / v->procs + 1; n > 0;)
        n -= gcd(++step, v->procs) == 1;
    return (first + look % v->procs * step) % v->procs;
}

const struct gmpscope_policy gmpscope_policy = {
    .version = GMPSCOPE_POLICY,
    .name = "go",
    .next_place = next_place,
    .put = put,
    .steal_amount = steal_amount,
    .global_batch = global_batch,
    .may_spin = may_spin,
    .victim = victim,
    /* .slice: as the scenario says, else 10 ms */
};
