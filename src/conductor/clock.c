/* Scenario time in free mode: the monotonic clock, scaled, and standing while paused.
 *
 * A seqlock made of atomics only. The writer's data stores are releases, so that a reader which meets one of them also
 * meets the odd sequence number stored before it, and tries again. (The textbook form with fences is not understood
 * by ThreadSanitizer.)
 */
#include "conductor/impl.h"
#include <time.h>

#define HOUR INT64_C(3600000000000)
#define TRIES 100                /* then the writer has lost its CPU, perhaps to us */

int64_t clock_mono(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t time_add(int64_t t, int64_t ns)
{
    if (ns <= 0)
        return t;
    return t > INT64_MAX - ns ? INT64_MAX : t + ns;
}

struct rate { int64_t v; uint32_t num, den; };

/* a * num / den without overflow where the result has none; a >= 0 */
static int64_t scale(int64_t a, uint32_t num, uint32_t den)
{
    return a / den * num + (int64_t)((uint64_t)(a % den) * num / den);
}

static bool try_read(const struct clock *k, struct rate *r)
{
    /* acquire: pairs with the release of the even number in clock_set() */
    uint32_t seq = atomic_load_explicit(&k->seq, memory_order_acquire);
    /* acquire, each: pairs with the release of that field in clock_set(), so that the second look at seq is not stale */
    int64_t base_v = atomic_load_explicit(&k->base_v, memory_order_acquire);
    int64_t base_r = atomic_load_explicit(&k->base_r, memory_order_acquire);
    r->num = atomic_load_explicit(&k->num, memory_order_acquire);
    r->den = atomic_load_explicit(&k->den, memory_order_acquire);
    int64_t passed = r->num ? clock_mono() - base_r : 0;
    r->v = base_v + (passed > 0 ? scale(passed, r->num, r->den) : 0);
    /* relaxed: ordered after the data by their acquires */
    return !(seq & 1) && atomic_load_explicit(&k->seq, memory_order_relaxed) == seq;
}

static struct rate read_rate(const struct clock *k)
{
    struct rate r;
    for (int i = 1; !try_read(k, &r); i++)
        if (i % TRIES == 0)
            sched_yield();
    return r;
}

int64_t clock_read(const struct clock *k) { return read_rate(k).v; }

/* Where the clock stands now, by the writer: between the odd and the even number, so that no reader gets a later time
 * from the old rate after this one was taken. */
static int64_t standing(const struct clock *k, int64_t mono)
{
    /* relaxed, all: writers hold mu */
    int64_t v = atomic_load_explicit(&k->base_v, memory_order_relaxed);
    int64_t passed = mono - atomic_load_explicit(&k->base_r, memory_order_relaxed);
    uint32_t num = atomic_load_explicit(&k->num, memory_order_relaxed);
    uint32_t den = atomic_load_explicit(&k->den, memory_order_relaxed);
    return num && passed > 0 ? v + scale(passed, num, den) : v;
}

void clock_set(struct clock *k, int64_t v, uint32_t num, uint32_t den)
{
    uint32_t seq = atomic_load_explicit(&k->seq, memory_order_relaxed); /* relaxed: writers hold mu */
    /* relaxed: published by the releases that follow */
    atomic_store_explicit(&k->seq, seq + 1, memory_order_relaxed);
    int64_t mono = clock_mono();
    /* release, each: carries the odd number; pairs with the acquires in try_read() */
    atomic_store_explicit(&k->base_v, v < 0 ? standing(k, mono) : v, memory_order_release);
    atomic_store_explicit(&k->base_r, mono, memory_order_release);
    atomic_store_explicit(&k->num, num, memory_order_release);
    atomic_store_explicit(&k->den, den, memory_order_release);
    /* release: the new values are complete; pairs with the first load in try_read() */
    atomic_store_explicit(&k->seq, seq + 2, memory_order_release);
}

int64_t clock_left(const struct clock *k, int64_t deadline)
{
    struct rate r = read_rate(k);
    if (r.v >= deadline)
        return 0;
    if (!r.num)
        return -1;
    int64_t left = deadline - r.v;
    if (left / r.num >= HOUR / r.den)
        return HOUR; /* look again then: no overflow, whatever the speed */
    return scale(left, r.den, r.num) + 1;
}
