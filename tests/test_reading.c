/* The history unpacks a block only as far as it is read. So what a reader gets must not depend on what was read before: from any event,
 * forwards and backwards, while events are added, and when the records have gone to the file. */
#include "model/history/history.h"
#include "ref.h"
#include "t.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS = 40000, MOST = 12 }; /* MOST: events of a record, more than are packed as one */

/* What was added, and what is therefore read. */
struct added {
    struct ref *r;
    struct model *md;
    struct history *h;
    struct prng rand;
    uint32_t n;
    size_t len[EVENTS + 10000];
};

static char letter(uint32_t i, size_t k)
{
    return (char)('a' + (i + k) % 26);
}

static const char *text_of(uint32_t i)
{
    static char text[EV_TEXT_MAX];
    for (size_t k = 0; k < sizeof text; k++)
        text[k] = letter(i, k);
    return text;
}

static struct added *begin(uint64_t seed, uint64_t budget, uint32_t segment)
{
    struct added *a = calloc(1, sizeof *a);
    a->md = model_new(&(struct model_config){.runq_size = REF_RING, .start_tick = 3});
    a->h = history_new(a->md, &(struct history_config){.budget = budget, .segment = segment});
    a->r = ref_new(seed, 0);
    prng_seed(&a->rand, seed, 5);
    ref_run(a->r, EVENTS);
    CHECK(a->h && a->r->nlog <= sizeof a->len / sizeof *a->len);
    return a;
}

static void end(struct added *a)
{
    ref_free(a->r);
    model_free(a->md);
    history_free(a->h);
    free(a);
}

/* Returns how many events, from the next one on, are added as one record: of one M and one time, and without a text. */
static uint32_t record_at(struct added *a)
{
    const struct ref_event *e = &a->r->log[a->n];
    uint32_t most = 1 + prng_below(&a->rand, MOST), n = 1;
    while (n < most && a->n + n < a->r->nlog && e[n].m == e->m && e[n].ev.kind != EV_PRINT)
        n++;
    return history_takes(a->h, n) && e->ev.kind != EV_PRINT ? n : 1;
}

static void add_one(struct added *a)
{
    const struct ref_event *e = &a->r->log[a->n];
    size_t len = e->ev.kind == EV_PRINT ? prng_below(&a->rand, EV_TEXT_MAX + 1) : 0;
    CHECK_INT(model_offer(a->md, e->m, &e->ev, text_of(a->n), len), OFFER_APPLIED);
    CHECK(history_add(a->h, a->md, e->m, &e->ev, text_of(a->n), len));
    a->len[a->n++] = len;
}

static void add_some(struct added *a)
{
    uint32_t n = record_at(a);
    struct ev e[MOST];
    if (n == 1) {
        add_one(a);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        a->r->log[a->n + i].ev.time = a->r->log[a->n].ev.time;
        e[i] = a->r->log[a->n + i].ev;
        CHECK_INT(model_offer(a->md, a->r->log[a->n].m, &e[i], NULL, 0), OFFER_APPLIED);
    }
    CHECK(history_add_record(a->h, a->md, a->r->log[a->n].m, e, n));
    a->n += n;
}

static void check_event(struct added *a, uint64_t number)
{
    struct history_event got;
    const struct ref_event *want = &a->r->log[number - 1];
    size_t len = a->len[number - 1];
    if (!history_get(a->h, number, &got))
        t_fail(__FILE__, __LINE__, "event %llu cannot be read", (unsigned long long)number);
    if (got.number != number || got.m != want->m || got.len != len || memcmp(&got.ev, &want->ev, sizeof got.ev) != 0)
        t_fail(__FILE__, __LINE__, "event %llu is not what was added", (unsigned long long)number);
    for (size_t k = 0; k < len; k++)
        CHECK_INT(got.text[k], letter((uint32_t)number - 1, k));
}

/* Reads some events in a row, from anywhere, in either direction. Most such walks end inside a block. */
static void walk(struct added *a)
{
    uint64_t oldest = history_oldest(a->h), at = oldest + 1 + prng_below(&a->rand, (uint32_t)(a->n - oldest));
    int step = prng_below(&a->rand, 2) ? 1 : -1;
    for (uint32_t left = prng_below(&a->rand, 4) ? 1 + prng_below(&a->rand, 10) : 600; left && at > oldest && at <= a->n; left--) {
        check_event(a, at);
        at += (uint64_t)(int64_t)step;
    }
}

static void check_while_it_grows(uint64_t seed, uint64_t budget, uint32_t segment)
{
    struct added *a = begin(seed, budget, segment);
    while (a->n < a->r->nlog) {
        add_some(a);
        if (prng_below(&a->rand, 40) == 0)
            walk(a);
        if (prng_below(&a->rand, 40) == 0)
            check_event(a, a->n); /* the newest: its block will be unpacked further */
    }
    CHECK_INT(history_events(a->h), a->n);
    for (int i = 0; i < 300; i++)
        walk(a);
    CHECK((history_stats(a->h).spilled > 0) == (budget < HISTORY_BUDGET));
    end(a);
}

TEST(what_is_read_does_not_depend_on_what_was_read_before)
{
    for (long seed = 1; seed <= t_count(4, 200); seed++) {
        check_while_it_grows((uint64_t)seed, HISTORY_BUDGET, 0);  /* blocks of 4096 events, in memory */
        check_while_it_grows((uint64_t)seed, 512 << 10, 0);       /* most of them in the file */
        check_while_it_grows((uint64_t)seed, HISTORY_BUDGET, 64); /* small ones */
    }
}

static bool has_text(void *ctx, const struct history_event *e)
{
    (void)ctx;
    return e->len > 0;
}

/* Returns the nearest event with a text, by what was added; 0: none. */
static uint64_t with_text(const struct added *a, uint64_t at, int step)
{
    while (at >= 1 && at <= a->n && !a->len[at - 1])
        at += (uint64_t)(int64_t)step;
    return at >= 1 && at <= a->n ? at : 0;
}

TEST(searches_find_the_same_after_partial_readings)
{
    struct added *a = begin(9, HISTORY_BUDGET, 0);
    while (a->n < a->r->nlog)
        add_some(a);
    for (int i = 0; i < 2000; i++) {
        uint64_t from = 1 + prng_below(&a->rand, a->n);
        int step = prng_below(&a->rand, 2) ? 1 : -1;
        if (i % 3 == 0)
            walk(a);
        CHECK_INT(history_find(a->h, from, step, has_text, NULL), with_text(a, from, step));
    }
    end(a);
}
