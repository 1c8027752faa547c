/* The model distinguishes a lack of memory from an event that comes too early, and from a state with nothing in it. This program's malloc(),
 * calloc() and realloc() fail on demand (--wrap). */
#include "folding.h"
#include "model/history/history.h"

static int fails_after = -1; /* how many calls still succeed; negative: all */
static bool fails_on;        /* the calls after the one that fails do, too */
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void *__real_realloc(void *p, size_t n);

static bool fails(void)
{
    if (fails_after == 0 && fails_on)
        return true;
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

void *__wrap_realloc(void *p, size_t n)
{
    return fails() ? NULL : __real_realloc(p, n);
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

/* ---- the Gs that wait ---- */

static void select_on(struct model *md, uint32_t cases)
{
    for (uint32_t i = 1; i <= cases; i++) {
        struct ev e = make(0, EV_SELECT_CASE, 0, 1, i, SELECT_OP_RECV, 0, 0);
        CHECK_INT(model_offer(md, 0, &e, NULL, 0), APPLIED);
    }
    OFFER(md, APPLIED, 0, EV_G_PARK, 0, 1, 3, WAIT_REASON_SELECT, 0, 0);
}

/* The audit takes what a snapshot lacks for a difference. */
TEST(a_snapshot_has_all_waiters_or_none_is_made)
{
    struct model *md = boot();
    select_on(md, 3);
    struct snapshot whole = {0};
    CHECK(model_snapshot(md, &whole));
    for (int n = 0, failed = 1; failed; n++) {
        struct snapshot s = {0};
        struct audit_result r = {0};
        fails_after = n;
        bool made = model_snapshot(md, &s);
        failed = fails_after < 0;
        fails_after = -1;
        CHECK(made || failed);
        if (made && audit_compare(&whole, &s, &r))
            t_fail(__FILE__, __LINE__, "allocation %d fails: %s", n, r.first);
        snapshot_fini(&s);
    }
    snapshot_fini(&whole);
    model_free(md);
}

TEST(a_snapshot_has_more_waiters_than_a_screen_shows)
{
    struct model *md = boot();
    struct model_waiter *w;
    uint32_t n;
    md->cfg.objects.of[OBJ_CHAN].n = WAITERS_SHOWN + 10; /* as many as the scenario has: other numbers would be a stranger's */
    select_on(md, WAITERS_SHOWN + 10);
    CHECK(model_waiters(md, UINT32_MAX, &w, &n));
    CHECK_INT(n, WAITERS_SHOWN + 11); /* and the select itself */
    free(w);
    CHECK(model_waiters(md, WAITERS_SHOWN, &w, &n));
    CHECK_INT(n, WAITERS_SHOWN);
    free(w);
    struct snapshot s = {0};
    CHECK(model_snapshot(md, &s));
    CHECK_INT(s.nobject, WAITERS_SHOWN + 10);
    snapshot_fini(&s);
    model_free(md);
}

/* ---- the history ---- */

/* Folds and keeps the course. The n-th allocation of the history fails, or, in the same event, all from that one on. Returns false if there is
 * none. A history may do without some things; otherwise nothing is added to it any more. */
static bool keep(struct history *h, struct model *md, int n)
{
    bool failed = false, kept = true;
    for (uint32_t i = 0; i < EVENTS && kept; i++) {
        struct ev e = nth(i);
        CHECK_INT(model_offer(md, 0, &e, NULL, 0), APPLIED);
        fails_after = failed ? -1 : n;
        kept = history_add(h, md, 0, &e, NULL, 0);
        failed |= fails_on ? fails_after == 0 : fails_after < 0;
        n = fails_after;
        fails_after = -1;
        CHECK(kept || failed);
    }
    return failed;
}

/* Each state and each event that the history says it has is there. */
static void is_whole(struct history *h)
{
    struct model *md = NULL;
    struct history_bins bins;
    struct history_event at;
    for (uint64_t n = history_oldest(h); n <= history_events(h); n++) {
        model_free(md);
        md = NULL;
        CHECK(history_move(h, &md, n));
        CHECK_INT(model_events(md), n);
        CHECK(n == history_oldest(h) || history_get(h, n, &at));
        CHECK(history_bins_by_event(h, history_oldest(h), n, 1, &bins));
        history_bins_free(&bins);
    }
    model_free(md);
}

/* budget: 1 has room for nothing, so each segment that is full loses the one before it. */
static bool keep_and_read(uint64_t budget, int n)
{
    struct model *md = boot();
    md->events = 0; /* a history begins with the first event */
    struct history *h = history_new(md, &(struct history_config){.budget = budget, .segment = 2});
    CHECK(h);
    bool failed = keep(h, md, n);
    is_whole(h);
    history_free(h);
    model_free(md);
    return failed;
}

TEST(a_history_that_memory_ran_out_for_can_be_read)
{
    CHECK_INT(setenv("TMPDIR", "/nonexistent", 1), 0);
    for (int on = 0; on < 2; on++)
        for (uint64_t budget = 1; budget <= 1 << 20; budget <<= 20) {
            int n = 0;
            fails_on = on;
            while (keep_and_read(budget, n))
                n++;
            CHECK(n > 10);
        }
}
