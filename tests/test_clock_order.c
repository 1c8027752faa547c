/* The merge where a processor has read its clock too early (eventlog/log.c): an event has an earlier time than an unordered one that was
 * logged before its cause. */
#include "eventlog/log.h"
#include "t.h"

enum { EARLY = 300, MUCH = 100000 }; /* ns: as processors do it, and far more */

/* Each event's `a` is its number in the order of causes: it can be applied only after a - 1; 0: at any time. */
struct seen {
    uint32_t last, n;
    char order[32];
};

static enum offer offer(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct seen *s = ctx;
    (void)m, (void)text, (void)len;
    if (e->a && e->a != s->last + 1)
        return OFFER_NOT_YET;
    s->last = e->a ? e->a : s->last;
    s->order[s->n++] = ev_is_unordered(e->kind) ? 'u' : e->a ? (char)('0' + e->a) : '-';
    return OFFER_APPLIED;
}

static void put(struct log *log, uint32_t m, int64_t time, int kind, uint32_t a)
{
    struct ev e = {.time = time, .kind = (uint8_t)kind, .a = a};
    ring_put(log_ring(log, m), &e, NULL, 0);
}

static int64_t drain(struct log *log, struct seen *s)
{
    return log_drain(log, LOG_BY_SEQUENCE, &(struct log_sink){.ctx = s, .offer = offer}, 100);
}

/* M0 logs an unordered event. M1 logs event 2, which waits for event 1, and has read its clock so much earlier. */
static struct log *begin(int64_t early)
{
    struct log *log = log_new(3);
    put(log, 0, 1000 + early, EV_PREEMPT_REQUEST, 0);
    put(log, 1, 1000, EV_G_START, 2);
    return log;
}

TEST(a_clock_that_was_read_too_early_holds_nothing_up)
{
    struct log *log = begin(EARLY);
    struct seen s = {0};
    put(log, 0, 1000 + EARLY + 1, EV_G_START, 1);
    CHECK_INT(drain(log, &s), 0);
    CHECK_INT(drain(log, &s), 3);
    CHECK_STR(s.order, "u12");
    log_free(log);
}

/* Other Ms continue meanwhile: their events end no patience. */
TEST(it_holds_nothing_up_while_other_events_are_applied)
{
    struct log *log = begin(EARLY);
    struct seen s = {0};
    put(log, 0, 1000 + EARLY + 1, EV_G_START, 1);
    put(log, 2, 1000 + EARLY + 2, EV_G_START, 0);
    CHECK_INT(drain(log, &s), 1);
    put(log, 2, 1000 + EARLY + 3, EV_G_START, 0);
    CHECK_INT(drain(log, &s), 4);
    CHECK_STR(s.order, "--u12");
    log_free(log);
}

/* Event 1 is just being logged: its M is between its change and its event. */
TEST(a_cause_that_comes_with_the_next_drain_is_first)
{
    struct log *log = begin(EARLY);
    struct seen s = {0};
    CHECK_INT(drain(log, &s), 0);
    put(log, 2, 1000 + EARLY + 1, EV_G_START, 1);
    CHECK_INT(drain(log, &s), 3);
    CHECK_STR(s.order, "12u");
    log_free(log);
}

/* The M of event 1 has lost its CPU in between. */
TEST(an_unordered_event_that_is_clearly_later_waits_on)
{
    struct log *log = begin(MUCH);
    struct seen s = {0};
    for (int i = 0; i < 20; i++)
        CHECK_INT(drain(log, &s), 0);
    put(log, 2, 1000 + MUCH + 1, EV_G_START, 1);
    CHECK_INT(drain(log, &s), 3);
    CHECK_STR(s.order, "12u");
    log_free(log);
}
