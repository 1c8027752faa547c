/* A lack of memory in the fold is not taken for an event that comes too early. This program's malloc() and calloc() fail on demand (--wrap). */
#include "folding.h"

static int fails_after = -1; /* how many calls still succeed; negative: all */
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);

static bool fails(void)
{
    return fails_after >= 0 && fails_after-- == 0;
}

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

/* An M's own course, and a clone before each event: so each change of a G begins with a copy of its page. */
static const struct {
    int kind;
    uint32_t p, g, a, b;
} course[] = {
    {EV_G_CREATE, 0, 2, 1, 1},    {EV_RUNQ_PUT, 0, 2, 0, 0}, {EV_G_PARK, 0, 1, 3, WAIT_REASON_SLEEP},
    {EV_RUNQ_GET, 0, 2, 0, 0},    {EV_G_START, 0, 2, 2, 0},  {EV_G_READY, 0, 1, 4, 0},
    {EV_RUNNEXT_PUT, 0, 1, 0, 0}, {EV_G_END, 0, 2, 3, 0},    {EV_RUNNEXT_GET, 0, 1, 4, 0},
    {EV_G_START, 0, 1, 5, 0},     {EV_G_YIELD, 0, 1, 6, 0},
};
enum { EVENTS = sizeof course / sizeof *course };

static struct ev nth(uint32_t i)
{
    return make(0, course[i].kind, course[i].p, course[i].g, course[i].a, course[i].b, 0, 0);
}

/* Folds the course, and lets the n-th allocation of event `at` fail. Returns true if there was one. */
static bool fail_at(uint32_t at, int n, bool as_record)
{
    struct model *md = boot();
    for (uint32_t i = 0; i < at; i++) {
        struct ev e = nth(i);
        CHECK_INT(model_offer(md, 0, &e, NULL, 0), APPLIED);
    }
    struct model *held = model_clone(md);
    CHECK(held);
    struct ev e = nth(at);
    uint32_t one = 1;
    fails_after = n;
    int got = as_record ? (int)model_offer_record(md, 0, &e, &one) : (int)model_offer(md, 0, &e, NULL, 0);
    bool failed = fails_after < 0;
    fails_after = -1;
    if (failed && (got != BROKEN || !model_lacks_memory(md)))
        t_fail(__FILE__, __LINE__, "event %u (%s), allocation %d fails: %d is returned", at, ev_desc[e.kind].name, n, got);
    if (!failed)
        CHECK_INT(got, APPLIED);
    model_free(held);
    model_free(md);
    return failed;
}

static void each_allocation_fails(bool as_record)
{
    uint32_t failures = 0;
    for (uint32_t at = 0; at < EVENTS; at++)
        for (int n = 0; fail_at(at, n, as_record); n++)
            failures++;
    CHECK(failures >= EVENTS - 1); /* a copy of the page for each event that changes a G */
}

TEST(a_lack_is_not_taken_for_an_event_that_comes_too_early)
{
    each_allocation_fails(false);
}

TEST(nor_in_a_record)
{
    each_allocation_fails(true);
}
