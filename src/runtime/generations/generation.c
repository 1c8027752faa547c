/* Which generation is which, and what each lacks. */
#include "runtime/sched/proc.h"

const struct generation *const generations[GENERATIONS] = {[GO1_20] = &go1_20, [GO1_13] = &go1_13, [GO1_4] = &go1_4, [GO1_0] = &go1_0};

const char *rt_generation_fatal(enum rt_generation gen)
{
    return generations[gen]->fatal;
}

bool rt_generation_has(enum rt_generation gen, enum rt_disable d)
{
    const struct generation *g = generations[gen];
    if (d == DIS_RUNNEXT || d == DIS_STEAL_RUNNEXT_DELAY)
        return g->has_runnext;
    if (d == DIS_NEEDSPINNING)
        return g->needspinning;
    return g->has_p;
}

bool rt_generation_has_p(enum rt_generation gen)
{
    return generations[gen]->has_p;
}

bool rt_generation_has_buckets(enum rt_generation gen)
{
    return !generations[gen]->timers_in_p;
}

/* If one of these is switched off, a G may wait next to an idle P by design. */
#define SWITCHES_THAT_WAKE (1u << DIS_SPINNING | 1u << DIS_SPINNING_RECHECK | 1u << DIS_STEALING | 1u << DIS_HANDOFF | 1u << DIS_WAKEP)

uint32_t rt_known(const struct rt_config *cfg)
{
    return generations[cfg->generation]->known | (cfg->disable & SWITCHES_THAT_WAKE ? KNOWN_SWITCH : 0) |
           (cfg->disable >> DIS_NEEDSPINNING & 1u ? KNOWN(go_issue_45867) : 0);
}

uint32_t rt_first_tick(const struct rt_config *cfg)
{
    bool inherits = generations[cfg->generation]->has_runnext && !(cfg->disable >> DIS_RUNNEXT & 1u);
    return cfg->start_tick - !inherits;
}
