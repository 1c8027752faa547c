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
        bool same = !x == !y && (!x || (x->first == y->first && x->last == y->last && x->end == y->end && x->g == y->g && x->n == y->n &&
                                        x->left_out == y->left_out));
        for (uint32_t i = 0; same && x && i < x->n; i++) {
            const struct search_step *s = &x->step[i], *t = &y->step[i];
            same = s->event == t->event && s->a == t->a && s->b == t->b && s->p == t->p && s->kind == t->kind && s->what == t->what;
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
    model_latency(a, &la[0], &la[1], &la[2]);
    model_latency(b, &lb[0], &lb[1], &lb[2]);
    if (model_events(a) != model_events(b) || model_time(a) != model_time(b) || model_ended(a) != model_ended(b) ||
        memcmp(model_counters(a), model_counters(b), sizeof(struct counters)) || memcmp(la, lb, sizeof la) ||
        memcmp(a->count_g, b->count_g, sizeof a->count_g) || a->lockseq != b->lockseq || a->spinseq != b->spinseq)
        t_fail(__FILE__, line, "after event %llu: times, counters or tickets differ", (unsigned long long)model_events(a));
}
#define SAME(a, b) check_same(__LINE__, a, b)

#endif
