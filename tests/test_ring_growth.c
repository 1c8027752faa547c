/* Rings that grow, because their consumer reads nothing and waits for the producers (eventlog/ring.c). */
#include "eventlog/log.h"
#include "t.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { SMALL = 16 * 1024 / 32, N = 9 * SMALL }; /* slots of a ring with m >= 64 */

struct producer {
    struct ring *r;
    _Atomic uint32_t done;
    pthread_t thread;
};

/* Event i has the text of its number, or none. */
static size_t text_of(uint32_t i, char text[80])
{
    return i % 3 ? 0 : (size_t)snprintf(text, 80, "%*u", (int)(i % 70), i);
}

static void *produce(void *arg)
{
    struct producer *p = arg;
    char text[80];
    for (uint32_t i = 1; i <= N; i++) {
        size_t len = text_of(i, text);
        struct ev e = {.time = i, .kind = len ? EV_PRINT : EV_G_START, .a = i};
        ring_put(p->r, &e, len ? text : NULL, len);
    }
    atomic_store_explicit(&p->done, 1, memory_order_release); /* pairs with acquire in start_and_read_nothing() */
    return NULL;
}

struct reader {
    uint32_t last;
    bool wrong;
};

static enum offer read_one(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct reader *r = ctx;
    char want[80];
    size_t n = text_of(e->a, want);
    (void)m;
    r->wrong |= e->a != ++r->last || len != n || (n && strncmp(text, want, n));
    return OFFER_APPLIED;
}

static void start_and_read_nothing(struct log *log, struct producer *p, const struct log_sink *sink)
{
    CHECK_INT(pthread_create(&p->thread, NULL, produce, p), 0);
    while (!atomic_load_explicit(&p->done, memory_order_acquire)) { /* pairs with produce() */
        if (log_full(log))
            log_grow(log);
        CHECK_INT(log_drain(log, LOG_BY_TIME, sink, 0), 0);
        sched_yield();
    }
    pthread_join(p->thread, NULL);
}

TEST(its_producer_finishes_and_nothing_is_lost)
{
    struct log *log = log_new(65);
    struct reader reader = {0};
    struct log_sink sink = {.ctx = &reader, .offer = read_one};
    struct producer p = {.r = log_ring(log, 64)};
    start_and_read_nothing(log, &p, &sink);
    CHECK_INT(log_appended(log), N);
    while (reader.last < N)
        CHECK(log_drain(log, LOG_BY_TIME, &sink, 7) > 0);
    CHECK(!reader.wrong);
    CHECK_INT(log_lost(log), 0);
    CHECK(!log_lacks(log));
    log_free(log);
}

TEST(a_log_with_a_grown_ring_can_be_used_again)
{
    struct log *log = log_new(65);
    struct reader reader = {0};
    struct log_sink sink = {.ctx = &reader, .offer = read_one};
    struct producer p = {.r = log_ring(log, 64)};
    start_and_read_nothing(log, &p, &sink);
    CHECK(log_empty(log, 65));
    CHECK_INT(log_appended(log), 0);
    struct ev e = {.time = 1, .kind = EV_G_START, .a = 1};
    ring_put(log_ring(log, 64), &e, NULL, 0);
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 7), 1);
    CHECK(!reader.wrong);
    log_free(log);
}
