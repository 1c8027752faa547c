/* Checks that two models are in the same state: everything that the audit compares, and what it does not know:
 * times, counters, sequence numbers. */
#ifndef GMPSCOPE_TESTS_SAME_H
#define GMPSCOPE_TESTS_SAME_H

#include "engine/audit.h"
#include "model/model_internal.h"
#include "t.h"

#include <string.h>

/* The last search of each M, field by field: a copy may differ in the padding. */
static inline void check_same_searches(int line, const struct model *a, const struct model *b)
{
    for (uint32_t m = 0; m < model_nm(a); m++) {
        const struct model_search *x = model_search(a, m), *y = model_search(b, m);
        bool same = !x == !y && (!x || (x->first == y->first && x->last == y->last && x->end == y->end && x->g == y->g &&
                                        x->again == y->again && x->tries == y->tries));
        if (same && x) {
            size_t kept = (x->tries < SEARCH_TRIES ? x->tries : SEARCH_TRIES) * sizeof *x->try;
            same = !memcmp(x->stage, y->stage, sizeof x->stage) && !memcmp(x->recheck, y->recheck, sizeof x->recheck) &&
                   !memcmp(&x->took, &y->took, sizeof x->took) && !memcmp(x->try, y->try, kept);
        }
        if (!same)
            t_fail(__FILE__, line, "after event %llu: the last search of M%u differs", (unsigned long long)model_events(a), m);
    }
}

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
    check_same_searches(line, a, b);
    struct counters ca = *model_counters(a), cb = *model_counters(b);
    ca.races = cb.races = ca.leaks = cb.leaks = 0; /* what reads the run counts them, not the fold */
    model_latency(a, &la[0], &la[1], &la[2]);
    model_latency(b, &lb[0], &lb[1], &lb[2]);
    if (model_events(a) != model_events(b) || model_time(a) != model_time(b) || model_ended(a) != model_ended(b) ||
        memcmp(&ca, &cb, sizeof ca) || memcmp(la, lb, sizeof la) || memcmp(a->count_g, b->count_g, sizeof a->count_g) ||
        a->lockseq != b->lockseq || a->spinseq != b->spinseq)
        t_fail(__FILE__, line, "after event %llu: times, counters or tickets differ", (unsigned long long)model_events(a));
}
#define SAME(a, b) check_same(__LINE__, a, b)

#endif
