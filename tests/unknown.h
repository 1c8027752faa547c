/* Sources that do not see everything, for tests. */
#ifndef GMPSCOPE_TESTS_UNKNOWN_H
#define GMPSCOPE_TESTS_UNKNOWN_H

#include "model/model.h"
#include "t.h"

/* A trace of Go's own: what Gs and Ps do, but no queues. */
#define GO_TRACE \
    (LACKS(KNOW_BEFORE) | LACKS(KNOW_P_RUNNEXT) | LACKS(KNOW_P_RUNQ) | LACKS(KNOW_P_LEN) | LACKS(KNOW_P_TICK) | LACKS(KNOW_P_TIMERS) | \
     LACKS(KNOW_M_STATE) | LACKS(KNOW_M_SEARCH) | LACKS(KNOW_G_PLACE) | LACKS(KNOW_GLOBQ) | LACKS(KNOW_GLOBQ_LEN) | LACKS(KNOW_IDLE_P) | \
     LACKS(KNOW_IDLE_P_N) | LACKS(KNOW_IDLE_M) | LACKS(KNOW_SPINNING) | LACKS(KNOW_STEALS) | LACKS(KNOW_OBJECTS))
/* The same with the lengths of queues, as GODEBUG=schedtrace prints them. */
#define COUNTS GO_TRACE
/* Everything, but not from the start. */
#define LATE LACKS(KNOW_BEFORE)

static const char *const partial_programs[] __attribute__((unused)) = {"main", "worker"};

static inline struct model *partial(uint32_t lacks)
{
    struct model *md = model_new(&(struct model_config){.runq_size = 4, .start_tick = 3, .names = {partial_programs, 2}, .lacks = lacks});
    CHECK(md);
    return md;
}

#endif
