/* Checks that two models are in the same state: everything that the audit compares, and what it does not know:
 * times, counters, sequence numbers. */
#ifndef GMPSCOPE_TESTS_SAME_H
#define GMPSCOPE_TESTS_SAME_H

#include "engine/audit.h"
#include "model/model_internal.h"
#include "t.h"

#include <string.h>

static inline void check_same(int line, const struct model *a, const struct model *b)
{
    struct snapshot sa = {0}, sb = {0};
    struct audit_result r = {0};
    int64_t la[3], lb[3];
    CHECK(model_snapshot(a, &sa) && model_snapshot(b, &sb));
    if (audit_compare(&sa, &sb, &r))
        t_fail(__FILE__, line, "after event %llu: %s", (unsigned long long)model_events(a), r.first);
    snapshot_fini(&sa);
    snapshot_fini(&sb);
    model_latency(a, &la[0], &la[1], &la[2]);
    model_latency(b, &lb[0], &lb[1], &lb[2]);
    if (model_events(a) != model_events(b) || model_time(a) != model_time(b) || model_ended(a) != model_ended(b) ||
        memcmp(model_counters(a), model_counters(b), sizeof(struct counters)) || memcmp(la, lb, sizeof la) ||
        memcmp(a->count_g, b->count_g, sizeof a->count_g) || a->lockseq != b->lockseq || a->spinseq != b->spinseq)
        t_fail(__FILE__, line, "after event %llu: times, counters or tickets differ", (unsigned long long)model_events(a));
}
#define SAME(a, b) check_same(__LINE__, a, b)

#endif
