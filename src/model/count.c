/* Counters and latency. Each counter of the summary (spec 7) is defined by an event here and nowhere else. */
#include "model/model_impl.h"

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

/* A G runs "from runnext" when its last move out of a queue was out of a runnext: its own P's (runnext_get) or a victim's. */
static bool ran_from_runnext(const struct model *md, uint32_t g)
{
    const struct mg *mg = model_g(md, g);
    return mg && mg->via == PL_RUNNEXT;
}

static void count_g(struct counters *c, const struct model *md, const struct ev *e)
{
    switch (e->kind) {
    case EV_G_CREATE:
        c->goroutines += !ev_is_system_g(e->g);
        break;
    case EV_G_START:
        c->rounds++;
        c->runnext_runs += ran_from_runnext(md, e->g);
        break;
    case EV_G_PARK:
        c->parks++;
        break;
    case EV_G_READY:
        c->wakes++;
        break;
    case EV_G_PREEMPT:
        c->preempts++;
        c->async_preempts += e->b == PK_ASYNC;
        break;
    case EV_SYSCALL_ENTER:
    case EV_SYSCALL_BLOCK:
        c->syscalls += !ev_is_system_g(e->g); /* a timerproc's sleep is no system call of the program's */
        break;
    default:
        break;
    }
}

static void count_queue(struct counters *c, const struct ev *e)
{
    switch (e->kind) {
    case EV_STEAL:
        c->steals++;
        c->stolen += e->b >> 1;
        break;
    case EV_STEAL_TRY:
        c->steal_tries++;
        break;
    case EV_RUNQ_OVERFLOW:
        c->runq_overflows++;
        c->overflowed += e->a;
        break;
    case EV_GLOBQ_GET:
        c->globq_gets++;
        c->fairness_gets += e->b == GW_TICK61;
        break;
    case EV_TIMER_FIRE:
        c->timers_fired++;
        break;
    default:
        break;
    }
}

static void count_m(struct counters *c, const struct ev *e)
{
    switch (e->kind) {
    case EV_SPIN_START:
        c->spins++;
        break;
    case EV_M_START: /* threads may be born or woken spinning: that is a spin too */
        c->m_created++;
        c->spins += e->a & 1;
        break;
    case EV_M_WAKE:
        c->spins += e->c & 1;
        break;
    case EV_M_PARK:
        c->rounds++;
        c->m_parks++;
        break;
    case EV_HANDOFF:
        c->handoffs++;
        break;
    case EV_RETAKE:
        c->retakes++;
        break;
    case EV_NETPOLL_WAIT:
        c->netpolls++;
        break;
    case EV_STW_START:
        c->stws++;
        break;
    default:
        break;
    }
}

void count_event(struct model *md, const struct ev *e)
{
    count_g(&md->counters, md, e);
    count_queue(&md->counters, e);
    count_m(&md->counters, e);
}

/* ---- latency: a histogram of 32 equal steps for each power of two; values below 32 are exact ---- */

static uint32_t bucket_of(uint64_t v)
{
    if (v < 1u << LAT_SUB)
        return (uint32_t)v;
    uint32_t exp = 63 - (uint32_t)__builtin_clzll(v) - LAT_SUB; /* v >> exp is in 32..63 */
    return (exp << LAT_SUB) + (uint32_t)(v >> exp);
}

static int64_t bucket_middle(uint32_t i)
{
    if (i < 2u << LAT_SUB)
        return i;
    uint32_t exp = (i >> LAT_SUB) - 1;
    uint64_t low = (uint64_t)((i & ((1u << LAT_SUB) - 1)) + (1u << LAT_SUB)) << exp;
    return (int64_t)(low + (((uint64_t)1 << exp) - 1) / 2);
}

/* ns below 0 (two Ms' clocks read out of order) counts as 0. */
void latency_add(struct latency *l, int64_t ns)
{
    if (ns < 0)
        ns = 0;
    l->n++;
    l->bucket[bucket_of((uint64_t)ns)]++;
    if (ns > l->max)
        l->max = ns;
}

/* The value that at least pct of 100 samples do not exceed. */
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

/* Who still waits to run has waited until now: left out, the G that starves would be the one that does not count. */
static void add_waiting(struct latency *l, const struct model *md)
{
    for (uint32_t i = 0; i < md->ngpage; i++)
        for (uint32_t k = 0; md->gpage[i] && k < GPAGE; k++)
            if (md->gpage[i]->g[k].status == G_RUNNABLE)
                latency_add(l, md->time - md->gpage[i]->g[k].since);
}

void model_latency(const struct model *md, int64_t *p50, int64_t *p99, int64_t *max)
{
    struct latency all = md->latency;
    if (md->count_g[G_RUNNABLE])
        add_waiting(&all, md);
    *p50 = percentile(&all, 50);
    *p99 = percentile(&all, 99);
    *max = all.max;
}
