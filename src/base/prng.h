/* Small generators (xoroshiro128+). Every stream is seeded from the run's seed and a stream number. */
#ifndef GMPSCOPE_BASE_PRNG_H
#define GMPSCOPE_BASE_PRNG_H

#include <stdint.h>

struct prng {
    uint64_t s[2];
};

/* Each use of randomness has its own stream, so an additional number from one stream does not change the others. */
enum {
    PRNG_DRAW = 1,
    PRNG_PAUSES = 2,
    PRNG_FINE = 3,
    PRNG_VARY = 4 /* in the upper half; the lower half is the name */,
    PRNG_STALLS = 5,
    PRNG_CALLS = 6,
    PRNG_PACE = 7,
    PRNG_STEAL = 1000 /* + P id */,
    PRNG_SELECT = 100000 /* + P id */,
    PRNG_M = 200000 /* + M id */,
    PRNG_SHUFFLE = 500000 /* + P id */,
    PRNG_PROGRAM = 1000000000 /* + number */
};

static inline uint64_t prng_splitmix(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline void prng_seed(struct prng *r, uint64_t seed, uint64_t stream)
{
    uint64_t x = seed ^ (stream * 0xd1342543de82ef95u);
    r->s[0] = prng_splitmix(&x);
    r->s[1] = prng_splitmix(&x) | 1;
}

static inline uint64_t prng_next(struct prng *r) /* xoroshiro128+ */
{
    uint64_t a = r->s[0], b = r->s[1], sum = a + b;
    b ^= a;
    r->s[0] = (a << 24 | a >> 40) ^ b ^ (b << 16);
    r->s[1] = b << 37 | b >> 27;
    return sum;
}

/* Returns 0 … n - 1, n > 0. Multiply-shift: the bias of 2^-32 is too small to matter. */
static inline uint32_t prng_below(struct prng *r, uint32_t n)
{
    return (uint32_t)(((prng_next(r) >> 32) * n) >> 32);
}

#endif
