/* Scenario time in free mode: the monotonic clock, scaled, and stopped while paused.
 *
 * A seqlock made of atomics only. The writer's data stores are releases, so a reader that sees one of them also sees
 * the odd sequence number stored before it, and tries again. (ThreadSanitizer does not understand the textbook form
 * with fences.)
 * Reading the kernel's clock costs more than the rest of an event. Some processors have a counter that runs at one
 * constant rate on all CPUs; there the time is read from the counter. The length of a tick is measured against the
 * monotonic clock, by threads that are about to sleep anyway: first over a millisecond (until then the kernel is
 * asked), then over longer and longer times. Each new rate continues from the value that the old one had reached, so
 * scenario time never jumps. The error of the first rate, some millionths of a few milliseconds, stays. */
#include "conductor/conductor_internal.h"
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define HOUR INT64_C(3600000000000)
#define FIRST 1000000      /* ns after which the length of a tick is known well enough */
#define LONGEST 1000000000 /* longest time between two measurements */
#define TRIES 100          /* after this many tries, the writer has probably lost its CPU, perhaps to this thread */

int64_t clock_mono(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

struct rate {
    int64_t v;
    uint32_t num, den;
};

/* Returns a * num / den without overflow if the result has none; a >= 0. */
static int64_t scale_time(int64_t a, uint32_t num, uint32_t den)
{
    return a / den * num + (int64_t)((uint64_t)(a % den) * num / den);
}

bool clock_rate(const struct conductor_clock *k, uint32_t *seq, uint64_t *mult, uint64_t *offset)
{
    /* acquire, each: pairs with the release of that field in clock_set(), so the second load of seq is not stale */
    *seq = atomic_load_explicit(&k->seq, memory_order_acquire);
    *mult = atomic_load_explicit(&k->mult, memory_order_acquire);
    *offset = atomic_load_explicit(&k->offset, memory_order_acquire);
    /* relaxed: ordered after the data by their acquires */
    return *mult && !(*seq & 1) && atomic_load_explicit(&k->seq, memory_order_relaxed) == *seq;
}

/* Reads the time by the counter. False: the rate is not known. */
static bool read_counter(const struct conductor_clock *k, int64_t *v)
{
    uint32_t seq;
    uint64_t mult, offset;
    if (!clock_rate(k, &seq, &mult, &offset))
        return false;
    *v = conductor_ticks(conductor_counter(), mult, offset);
    /* relaxed: as in conductor_now_quick() */
    return atomic_load_explicit(&k->seq, memory_order_relaxed) == seq;
}

static bool try_read(const struct conductor_clock *k, struct rate *r)
{
    /* acquire: pairs with the release of the even number in clock_set() */
    uint32_t seq = atomic_load_explicit(&k->seq, memory_order_acquire);
    /* acquire, each: as in clock_rate() */
    int64_t base_v = atomic_load_explicit(&k->base_v, memory_order_acquire);
    int64_t base_r = atomic_load_explicit(&k->base_r, memory_order_acquire);
    r->num = atomic_load_explicit(&k->num, memory_order_acquire);
    r->den = atomic_load_explicit(&k->den, memory_order_acquire);
    int64_t passed = r->num ? clock_mono() - base_r : 0;
    r->v = base_v + (passed > 0 ? scale_time(passed, r->num, r->den) : 0);
    /* relaxed: ordered after the data by their acquires */
    return !(seq & 1) && atomic_load_explicit(&k->seq, memory_order_relaxed) == seq;
}

static struct rate read_rate(const struct conductor_clock *k)
{
    struct rate r;
    for (int i = 1; !try_read(k, &r); i++)
        if (i % TRIES == 0)
            sched_yield();
    return r;
}

int64_t clock_read(const struct conductor_clock *k)
{
    int64_t v;
    return read_counter(k, &v) ? v : read_rate(k).v;
}

/* ---- the counter ------------------------------------------------------------------------------------------------- */

/* Returns whether the counter runs at a constant rate, the same on all CPUs. */
static bool counter_is_steady(void)
{
#if defined(__x86_64__)
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8); /* "invariant TSC" */
#elif defined(__aarch64__)
    return true;
#else
    return false;
#endif
}

struct moment {
    int64_t r;
    uint64_t t;
};

/* Reads both clocks at one moment: the closest of four attempts. The counter is read first, so a time computed from
 * it later is not too low. */
static struct moment read_moment(void)
{
    struct moment best = {0};
    uint64_t width = UINT64_MAX;
    for (int i = 0; i < 4; i++) {
        uint64_t t = conductor_counter();
        int64_t r = clock_mono();
        uint64_t w = conductor_counter() - t;
        if (w < width) {
            width = w;
            best = (struct moment){r, t};
        }
    }
    return best;
}

void clock_init(struct conductor_clock *k)
{
    if (counter_is_steady()) {
        struct moment now = read_moment();
        k->first_r = now.r;
        k->first_t = now.t;
    }
    clock_set(k, 0, 0, 1);
}

/* Under mu. Returns the scenario time of one tick in 2^-32 ns; 0: not known. The measured times double, so the error
 * soon does not matter. */
static uint64_t measure_tick(struct conductor_clock *k, struct moment now, uint32_t num, uint32_t den)
{
    int64_t passed = now.r - k->first_r;
    uint64_t ticks = now.t - k->first_t;
    int64_t next = passed < FIRST ? k->first_r + FIRST : now.r + (passed < LONGEST ? passed : LONGEST);
    bool known = k->first_r && passed >= FIRST && ticks > 0 && ticks < (uint64_t)1 << 62;
    double tick = known ? (double)passed / (double)ticks : 0;
    if (k->tick > 0 && (tick < k->tick * 0.999 || tick > k->tick * 1.001)) { /* the machine slept or was moved: start
                                                                              * again */
        k->first_r = now.r;
        k->first_t = now.t;
        next = now.r + FIRST;
        tick = 0;
    }
    k->tick = tick;
    /* relaxed: a hint, checked again under mu */
    atomic_store_explicit(&k->due, k->first_r ? next : INT64_MAX, memory_order_relaxed);
    return num ? (uint64_t)(tick * num / den * 4294967296.0) : 0;
}

bool clock_due(const struct conductor_clock *k)
{
    /* relaxed, both: a hint */
    return atomic_load_explicit(&k->num, memory_order_relaxed) && clock_mono() >= atomic_load_explicit(&k->due, memory_order_relaxed);
}

void clock_measure(struct conductor_clock *k)
{
    if (clock_due(k)) /* relaxed, both: writers hold mu */
        clock_set(k, -1, atomic_load_explicit(&k->num, memory_order_relaxed), atomic_load_explicit(&k->den, memory_order_relaxed));
}

/* ---- setting ----------------------------------------------------------------------------------------------------- */

/* Returns the clock's current value. Caller: the writer, between the odd and the even number, so that no reader gets
 * a later time from the old rate afterwards. */
static int64_t clock_value(const struct conductor_clock *k, struct moment now)
{
    /* relaxed, all: writers hold mu */
    int64_t v = atomic_load_explicit(&k->base_v, memory_order_relaxed);
    int64_t passed = now.r - atomic_load_explicit(&k->base_r, memory_order_relaxed);
    uint64_t offset = atomic_load_explicit(&k->offset, memory_order_relaxed);
    uint64_t mult = atomic_load_explicit(&k->mult, memory_order_relaxed);
    uint32_t num = atomic_load_explicit(&k->num, memory_order_relaxed);
    uint32_t den = atomic_load_explicit(&k->den, memory_order_relaxed);
    if (mult)
        return conductor_ticks(now.t, mult, offset);
    return num && passed > 0 ? v + scale_time(passed, num, den) : v;
}

void clock_set(struct conductor_clock *k, int64_t v, uint32_t num, uint32_t den)
{
    uint32_t seq = atomic_load_explicit(&k->seq, memory_order_relaxed); /* relaxed: writers hold mu */
    /* relaxed: published by the releases that follow */
    atomic_store_explicit(&k->seq, seq + 1, memory_order_relaxed);
    struct moment now = read_moment();
    uint64_t mult = measure_tick(k, now, num, den);
    v = v < 0 ? clock_value(k, now) : v;
    /* release, each: carries the odd number; pairs with the acquires in try_read() and clock_rate() */
    atomic_store_explicit(&k->base_v, v, memory_order_release);
    atomic_store_explicit(&k->base_r, now.r, memory_order_release);
    atomic_store_explicit(&k->mult, mult, memory_order_release);
    atomic_store_explicit(&k->offset, (uint64_t)v - (uint64_t)conductor_ticks(now.t, mult, 0),
                          memory_order_release); /* so that the time is v now */
    atomic_store_explicit(&k->num, num, memory_order_release);
    atomic_store_explicit(&k->den, den, memory_order_release);
    /* release: the new values are complete; pairs with the first loads in try_read() and clock_rate() */
    atomic_store_explicit(&k->seq, seq + 2, memory_order_release);
}

int64_t clock_left(const struct conductor_clock *k, int64_t deadline)
{
    struct rate r = read_rate(k);
    int64_t v;
    if (read_counter(k, &v))
        r.v = v; /* like clock_read(): if nothing is left, the caller's clock must agree */
    if (r.v >= deadline)
        return 0;
    if (!r.num)
        return -1;
    int64_t left = deadline - r.v;
    if (left / r.num >= HOUR / r.den)
        return HOUR; /* the caller looks again after an hour; so nothing overflows, whatever the speed */
    return scale_time(left, r.den, r.num) + 1;
}
