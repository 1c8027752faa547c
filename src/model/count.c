/* Names of counters, and latency. */
#include "model/model_internal.h"

#include <string.h>

const char *const counter_name[COUNTERS_N] = {
#define X(name) #name,
    MODEL_COUNTERS(X)
#undef X
};

const char *const latency_name[LATENCIES] = {"runnable_p50", "runnable_p99", "runnable_max"};

int counter_index(const char *name)
{
    for (size_t i = 0; i < COUNTERS_N; i++)
        if (strcmp(counter_name[i], name) == 0)
            return (int)i;
    return -1;
}

/* ---- latency: a histogram of 32 equal steps for each power of two; values below 32 are exact ---- */

static uint32_t bucket_of(uint64_t v)
{
    if (v < 1u << LAT_SUB)
        return (uint32_t)v;
    uint32_t exp = 63 - (uint32_t)__builtin_clzll(v) - LAT_SUB; /* v >> exp is in 32..63 */
    return (exp << LAT_SUB) + (uint32_t)(v >> exp);
}

/* Returns the number of the highest bit of the bucket's values. A bucket never spans two. */
static uint32_t bucket_bits(uint32_t i)
{
    uint32_t low = i < 2u << LAT_SUB ? i : (i & ((1u << LAT_SUB) - 1)) + (1u << LAT_SUB);
    uint32_t exp = i < 2u << LAT_SUB ? 0 : (i >> LAT_SUB) - 1;
    return low ? 31 - (uint32_t)__builtin_clz(low) + exp : 0;
}

static int64_t bucket_middle(uint32_t i)
{
    if (i < 2u << LAT_SUB)
        return i;
    uint32_t exp = (i >> LAT_SUB) - 1;
    uint64_t low = (uint64_t)((i & ((1u << LAT_SUB) - 1)) + (1u << LAT_SUB)) << exp;
    return (int64_t)(low + (((uint64_t)1 << exp) - 1) / 2);
}

/* Negative ns count as 0: two Ms may have read their clocks out of order. */
void latency_add(struct latency *l, int64_t ns)
{
    if (ns < 0)
        ns = 0;
    l->n++;
    l->bucket[bucket_of((uint64_t)ns)]++;
    if (ns > l->max)
        l->max = ns;
}

/* Returns the value that pct % of the samples do not exceed. */
static int64_t percentile(const struct latency *l, uint32_t pct)
{
    uint64_t want = l->n / 100 * pct + (l->n % 100 * pct + 99) / 100, seen = 0;
    for (uint32_t i = 0; i < LAT_BUCKETS && want; i++) {
        seen += l->bucket[i];
        if (seen >= want)
            return bucket_middle(i) < l->max ? bucket_middle(i) : l->max;
    }
    return 0;
}

/* Adds the Gs that are still runnable, with their time up to now. Without them a starving G would not count. */
static void add_waiting(struct latency *l, const struct model *md)
{
    const struct gpage *page;
    for (uint32_t i = 0; (page = gpages_live(md, &i)); i++)
        for (uint32_t k = 0; k < GPAGE; k++)
            if (page->g[k].status == G_RUNNABLE)
                latency_add(l, md->time - page->g[k].since);
}

/* Fills `all` with the waits of all Gs up to now. */
static void all_waits(const struct model *md, struct latency *all)
{
    *all = md->latency;
    if (md->count_g[G_RUNNABLE])
        add_waiting(all, md);
}

void model_latency(const struct model *md, int64_t *p50, int64_t *p99, int64_t *max)
{
    struct latency all;
    all_waits(md, &all);
    *p50 = percentile(&all, 50);
    *p99 = percentile(&all, 99);
    *max = all.max;
}

uint64_t model_waits(const struct model *md, uint64_t bin[WAIT_BINS])
{
    struct latency all;
    all_waits(md, &all);
    for (uint32_t i = 0; i < WAIT_BINS; i++)
        bin[i] = 0;
    for (uint32_t i = 0; i < LAT_BUCKETS; i++)
        bin[bucket_bits(i) < WAIT_BINS ? bucket_bits(i) : WAIT_BINS - 1] += all.bucket[i];
    return all.n;
}
