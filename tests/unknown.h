/* Sources that do not see everything, for tests. */
#ifndef GMPSCOPE_TESTS_UNKNOWN_H
#define GMPSCOPE_TESTS_UNKNOWN_H

#include "base/prng.h"
#include "model/model.h"
#include "t.h"

/* A trace of Go's own: what Gs and Ps do, but no queues. */
#define GO_TRACE \
    (LACKS(KNOW_BEFORE) | LACKS(KNOW_P_RUNNEXT) | LACKS(KNOW_P_RUNQ) | LACKS(KNOW_P_LEN) | LACKS(KNOW_P_TICK) | LACKS(KNOW_P_TIMERS) | \
     LACKS(KNOW_M_STATE) | LACKS(KNOW_M_SEARCH) | LACKS(KNOW_G_PLACE) | LACKS(KNOW_GLOBQ) | LACKS(KNOW_GLOBQ_LEN) | LACKS(KNOW_IDLE_P) | \
     LACKS(KNOW_IDLE_P_N) | LACKS(KNOW_IDLE_M) | LACKS(KNOW_SPINNING) | LACKS(KNOW_STEALS) | LACKS(KNOW_OBJECTS) | LACKS(KNOW_OUTPUT) | \
     LACKS(KNOW_P_HEAD) | LACKS(KNOW_P_TAIL))
/* The same with the lengths of queues, as GODEBUG=schedtrace prints them. */
#define COUNTS GO_TRACE
/* Everything, but not from the start. */
#define LATE LACKS(KNOW_BEFORE)

static const char *const partial_programs[] __attribute__((unused)) = {"main", "worker"};

static inline struct model *partial(uint32_t lacks)
{
    struct model *md =
        model_new(&(struct model_config){.runq_size = 4, .start_tick = 3, .names = {.fn = partial_programs, .nfn = 2}, .lacks = lacks});
    CHECK(md);
    return md;
}

/* ---- events as a stranger might make them ---- */

static inline uint32_t some(struct prng *r)
{
    static const uint32_t odd[] = {0, 1, 2, 3, EV_NONE, EV_NO_P, EV_MAX_P, EV_MAX_P - 1, 255, 256, 0x80000000, EV_SYSTEM_G, UINT32_MAX - 1};
    uint32_t n = (uint32_t)prng_below(r, 20);
    return n < sizeof odd / sizeof *odd ? odd[n] : (uint32_t)prng_below(r, 8);
}

static inline struct ev any_event(struct prng *r, int64_t time)
{
    bool tame = prng_below(r, 8) != 0; /* small numbers, so that some events fit each other */
    struct ev e = {.time = time, .kind = (uint8_t)prng_below(r, EV_KINDS)};
    e.p = (uint16_t)(tame ? prng_below(r, 4) : some(r));
    e.g = tame ? (uint32_t)prng_below(r, 70) : some(r);
    uint32_t *word[] = {&e.a, &e.b, &e.c, &e.d};
    for (int i = 0; i < 4; i++)
        *word[i] = tame ? (uint32_t)prng_below(r, i == 1 ? 6 : 3) : some(r);
    if (prng_below(r, 400) == 0)
        e.time = (int64_t)((uint64_t)some(r) << 32);
    return e;
}

#endif
