/* Which generation is which, and what each lacks. */
#include "runtime/sched/proc.h"

/* The newer ones have the text of Go 1.20. What they do differently are rules, which ask disabled() at their place in it. */
const struct generation *const generations[GENERATIONS] = {
    [GO1_27] = &go1_20, [GO1_26] = &go1_20, [GO1_25] = &go1_20, [GO1_24] = &go1_20, [GO1_23] = &go1_20, [GO1_22] = &go1_20,
    [GO1_21] = &go1_20, [GO1_20] = &go1_20, [GO1_13] = &go1_13, [GO1_4] = &go1_4,   [GO1_0] = &go1_0};

static const uint32_t has[DIS_COUNT] = {
#define X(id, name, since) SINCE(since),
    RT_SWITCHES(X)
#undef X
};

const char *rt_generation_fatal(enum rt_generation gen)
{
    return generations[gen]->fatal;
}

bool rt_generation_has(enum rt_generation gen, enum rt_disable d)
{
    return has[d] >> gen & 1;
}

bool rt_generation_may(enum rt_generation gen, enum rt_disable d)
{
    return d >= DIS_FIRST_RULE && SINCE(GO1_20) >> gen & 1 && !rt_generation_has(gen, d);
}

static uint32_t lacks(enum rt_generation gen)
{
    uint32_t rules = 0;
    for (int d = DIS_FIRST_RULE; d < DIS_COUNT; d++)
        rules |= (uint32_t)!rt_generation_has(gen, (enum rt_disable)d) << d;
    return rules;
}

/* Until Go 1.26, a module older than 1.23 has GODEBUG=asynctimerchan=1: timers of the older kind. Go 1.27 has no such setting. */
static uint32_t by_module(const struct rt_config *cfg)
{
    bool older = !(SINCE(GO1_23) >> cfg->module & 1) && BETWEEN(GO1_23, GO1_26) >> cfg->generation & 1;
    return (uint32_t)older << DIS_SYNC_TIMER_CHANNELS;
}

uint32_t rt_disabled(const struct rt_config *cfg)
{
    return (cfg->disable | by_module(cfg)) & ~cfg->enable;
}

uint32_t rt_off(const struct rt_config *cfg)
{
    return rt_disabled(cfg) | (lacks(cfg->generation) & ~cfg->enable);
}

static struct rt_config in_generation_of(const struct rt_config *cfg, const struct rt_config *own)
{
    struct rt_config there = *own;
    there.generation = cfg->generation;
    return there;
}

bool rt_same_rules(const struct rt_config *cfg, const struct rt_config *own)
{
    const struct rt_config there = in_generation_of(cfg, own);
    return rt_off(cfg) == rt_off(&there) && cfg->policy == own->policy;
}

enum rt_generation rt_module(const struct rt_config *cfg)
{
    return SINCE(cfg->generation) >> cfg->module & 1 ? cfg->generation : cfg->module;
}

bool rt_starts_updater(const struct rt_config *cfg)
{
    return cfg->boot != BOOT_BARE && SINCE(GO1_25) >> rt_module(cfg) & 1;
}

bool rt_same_boot(const struct rt_config *cfg, const struct rt_config *own)
{
    const struct rt_config there = in_generation_of(cfg, own);
    return cfg->boot == own->boot && rt_starts_updater(cfg) == rt_starts_updater(&there);
}

bool rt_generation_has_p(enum rt_generation gen)
{
    return generations[gen]->has_p;
}

bool rt_generation_boots(enum rt_generation gen)
{
    return SINCE(GO1_20) >> gen & 1;
}

bool rt_generation_has_buckets(enum rt_generation gen)
{
    return !generations[gen]->timers_in_p;
}

/* If one of these is switched off, a G may wait next to an idle P by design. */
#define SWITCHES_THAT_WAKE (1u << DIS_SPINNING | 1u << DIS_SPINNING_RECHECK | 1u << DIS_STEALING | 1u << DIS_HANDOFF | 1u << DIS_WAKEP)

uint32_t rt_known(const struct rt_config *cfg)
{
    /* Both are needed: an M that still spins when a G yields is not woken, and must look for the G afterwards. */
    const uint32_t yields = 1u << DIS_YIELD_WAKES | 1u << DIS_LAST_LOOK;
    uint32_t off = rt_off(cfg);
    uint32_t mended = (off & yields ? 0 : KNOWN(go_issue_55160)) | (off >> DIS_INJECT_WAKES & 1u ? 0 : KNOWN(go_issue_63555));
    return (generations[cfg->generation]->known & ~mended) | (cfg->disable & SWITCHES_THAT_WAKE || cfg->policy ? KNOWN_SWITCH : 0) |
           (cfg->disable >> DIS_NEEDSPINNING & 1u ? KNOWN(go_issue_45867) : 0);
}

uint32_t rt_first_tick(const struct rt_config *cfg)
{
    bool inherits = generations[cfg->generation]->has_runnext && !(cfg->disable >> DIS_RUNNEXT & 1u);
    uint32_t starts = cfg->boot == BOOT_BARE ? 0 : inherits ? 2 : 6; /* main.c, with one P */
    return cfg->start_tick - !inherits - starts;
}
