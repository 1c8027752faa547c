/* The table of events, the rings and the merge. Producers here are plain threads; the sink is a toy that knows one
 * cause. */
#include "eventlog/log.h"
#include "eventlog/snapshot.h"
#include "t.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SMALL = 16 * 1024 / 32 }; /* slots of a ring with m >= 64 */

/* ---- the table ------------------------------------------------------------------------------------------------- */

TEST(every_kind_is_found_by_its_name)
{
    for (int kind = 0; kind < EV_KINDS; kind++) {
        CHECK(ev_desc[kind].name && ev_desc[kind].go && ev_desc[kind].meaning);
        CHECK(ev_desc[kind].say.in[LANG_EN] && ev_desc[kind].say.in[LANG_ZH]);
        CHECK_INT(ev_kind(ev_desc[kind].name, strlen(ev_desc[kind].name)), kind);
    }
    CHECK_INT(ev_kind("g_start", 6), -1); /* a prefix is not the word */
    CHECK_INT(ev_kind("g_startx", 8), -1);
    CHECK_INT(ev_kind("", 0), -1);
}

/* Checks the fields that the event has with this value of word A. */
static void check_overlap(int kind, uint32_t a)
{
    uint64_t used[W_TIME + 1] = {0};
    for (int i = 0; i < EV_FIELDS && ev_desc[kind].field[i].name; i++) {
        const struct ev_field *f = &ev_desc[kind].field[i];
        if (f->bits == 0 || f->word == W_LATE || (f->only && !(f->only >> a & 1)))
            continue;
        uint64_t bits = (f->bits == 64 ? ~0ull : (1ull << f->bits) - 1) << f->shift;
        bool wide = f->word == W_CD;
        uint64_t *w = &used[wide ? W_C : f->word];
        if ((*w & (wide ? 0xffffffffu : bits)) || (wide && used[W_D]))
            t_fail(__FILE__, __LINE__, "%s: field %s overlaps", ev_desc[kind].name, f->name);
        *w |= wide ? 0xffffffffu : bits;
        if (wide)
            used[W_D] = 0xffffffffu;
    }
}

/* Two fields of one event may share bits only if one of them is derived from the other (W_LATE), or if no event has both (F_IF). */
TEST(fields_of_an_event_do_not_overlap)
{
    for (int kind = 0; kind < EV_KINDS; kind++)
        for (uint32_t a = 0; a < 32; a++)
            check_overlap(kind, a);
}

TEST(each_field_in_a_sentence_exists)
{
    static const char *const always[] = {"m", "p", "g"};
    for (int kind = 0; kind < EV_KINDS; kind++)
        for (int lang = 0; lang < 2; lang++)
            for (const char *s = ev_desc[kind].say.in[lang]; (s = strchr(s, '{')); s++) {
                size_t len = strcspn(s + 1, ":}");
                bool fine = ev_field(kind, s + 1, len) != NULL;
                for (int i = 0; i < 3; i++)
                    fine |= strlen(always[i]) == len && memcmp(always[i], s + 1, len) == 0;
                if (!fine)
                    t_fail(__FILE__, __LINE__, "%s: no field %.*s", ev_desc[kind].name, (int)len, s + 1);
            }
}

static int64_t value(const struct ev *e, uint32_t m, const char *name)
{
    const struct ev_field *f = ev_field(e->kind, name, strlen(name));
    CHECK(f);
    return ev_value(e, m, f);
}

TEST(values_come_out_of_the_words)
{
    struct ev steal = {.kind = EV_STEAL, .p = 3, .g = 9, .a = 1, .b = 4 << 1 | 1, .c = 0xfffffffe, .time = 77};
    CHECK_INT(value(&steal, 5, "thief"), 3);
    CHECK_INT(value(&steal, 5, "victim"), 1);
    CHECK_INT(value(&steal, 5, "n"), 4);
    CHECK_INT(value(&steal, 5, "runnext"), 1);
    CHECK_INT(value(&steal, 5, "head"), 0xfffffffell); /* absolute indices are unsigned */
    CHECK_INT(value(&steal, 5, "m"), 5);
    CHECK_INT(value(&steal, 5, "g"), 9);
    CHECK_INT(value(&steal, 5, "time"), 77);
    struct ev fire = {.kind = EV_TIMER_FIRE, .time = 1000, .p = EV_NO_P};
    ev_set_cd(&fire, 400);
    CHECK_INT(value(&fire, 0, "late"), 600);
    CHECK_INT(value(&fire, 0, "when"), 400);
    CHECK_INT(value(&fire, 0, "p"), EV_NONE);
    struct ev poll = {.kind = EV_NETPOLL_WAIT};
    ev_set_cd(&poll, -1);
    CHECK_INT(value(&poll, 0, "delay"), -1);
    struct ev wake = {.kind = EV_M_WAKE, .a = 4};
    CHECK_INT(value(&wake, 2, "m"), 4); /* its own m, not the logging M's */
    CHECK_INT(value(&wake, 2, "by"), 2);
}

/* The merge offers an unordered event without checking for a cause, so none of its fields may be a sequence number. */
TEST(unordered_kinds_have_no_sequence_number)
{
    for (int kind = 0; kind < EV_KINDS; kind++) {
        bool numbered = false;
        for (int i = 0; i < EV_FIELDS && ev_desc[kind].field[i].name; i++)
            numbered |= EV_IS_SEQ(ev_desc[kind].field[i].type);
        if (numbered && ev_is_unordered(kind))
            t_fail(__FILE__, __LINE__, "%s is unordered but has a sequence number", ev_desc[kind].name);
        /* A detail event may be missing, so no other event may wait for it. Those of looks come in one order, without a merge. */
        if (ev_desc[kind].level == EV_DETAIL && !ev_is_unordered(kind) && !ev_has_trait(kind, EV_SEEN))
            t_fail(__FILE__, __LINE__, "%s is a detail event but not unordered", ev_desc[kind].name);
    }
    CHECK(!ev_is_unordered(-1) && !ev_is_unordered(EV_KINDS) && !ev_ends_round(255));
    CHECK(ev_ends_round(EV_G_START) && ev_ends_round(EV_M_PARK) && !ev_ends_round(EV_G_PARK));
}

TEST(fields_that_are_not_there)
{
    CHECK(!ev_field(EV_STEAL, "reason", 6));
    CHECK(!ev_field(EV_STEAL, "", 0));       /* sequence numbers cannot be queried */
    CHECK(!ev_field(EV_STW_END, "none", 4)); /* a placeholder is not a field */
    CHECK(!ev_field(-1, "reason", 6));
    CHECK(ev_field(-1, "g", 1));
}

TEST(words_of_enumerated_fields)
{
    CHECK_STR(ev_word(FT_REASON, WAIT_REASON_SLEEP), "sleep");
    CHECK_INT(ev_word_value(FT_REASON, "sleep", 5), WAIT_REASON_SLEEP);
    CHECK_STR(ev_word(FT_REASON, WAIT_REASON_STOPPED), "stopped");
    CHECK_STR(ev_word(FT_LOCK, RANK_OTHER), "other");
    CHECK_STR(ev_word(FT_END_HOW, ENDED_INTERRUPTED), "interrupted");
    CHECK_INT(ev_words(FT_PREEMPT), 4);
    CHECK(!ev_word(FT_PREEMPT, 4));
    CHECK(!ev_word(FT_PREEMPT, -1));
    CHECK(!ev_word(FT_INT, 0));
    CHECK_INT(ev_words(FT_INT), 0);
    CHECK_INT(ev_word_value(FT_PREEMPT, "asyn", 4), -1);
    CHECK_STR(ev_say(FT_REASON, WAIT_REASON_MUTEX_LOCK, 0), "for a mutex");
    CHECK_STR(ev_go_reason(WAIT_REASON_TIMER_GOROUTINE_IDLE, 0, 1u << GO1_13), "timer goroutine (idle)");
    CHECK(!ev_go_reason(ev_words(FT_REASON), 0, 1u << GO1_20) && !ev_say(FT_REASON, -1, 0));
    CHECK_STR(ev_system_label(EV_SYSTEM_FN + SYSG_POLLSERVER), "pollserver");
}

/* ---- toys ------------------------------------------------------------------------------------------------------ */

/* Each event's `a` is its number in the order of causes: it can be applied only after a - 1; 0: at any time. */
struct toy {
    uint32_t last, offers, not_yet;
    uint64_t applied, by_m[80];
    int64_t time;
    uint32_t turn;
    bool time_fell, turn_fell, torn;
    uint32_t hold_at, break_at;
    uint32_t order[64];
    char text[EV_TEXT_MAX + 1];
};

static enum offer toy_offer(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct toy *t = ctx;
    t->offers++;
    if (t->hold_at && t->applied + 1 == t->hold_at)
        return OFFER_HOLD;
    if (t->break_at && t->applied + 1 == t->break_at)
        return OFFER_BROKEN;
    if (e->a && e->a != t->last + 1)
        return t->not_yet++, OFFER_NOT_YET;
    if (e->a)
        t->last = e->a;
    if (t->applied < 64)
        t->order[t->applied] = m;
    t->applied++;
    t->by_m[m % 80]++;
    t->time_fell |= e->time < t->time;
    t->time = e->time;
    t->turn_fell |= e->c < t->turn;
    t->turn = e->c;
    for (size_t i = 0; i < len; i++)
        t->torn |= text[i] != (char)('a' + (e->b + i) % 26);
    if (len)
        snprintf(t->text, sizeof t->text, "%.*s", (int)len, text);
    return OFFER_APPLIED;
}

static struct log_sink sink_of(struct toy *t)
{
    return (struct log_sink){.ctx = t, .offer = toy_offer};
}

static void put(struct ring *r, int64_t time, uint32_t a)
{
    struct ev e = {.time = time, .kind = EV_G_START, .a = a};
    ring_put(r, &e, NULL, 0);
}

static void put_text(struct ring *r, int64_t time, uint32_t seed, size_t len)
{
    char text[2000];
    for (size_t i = 0; i < len; i++)
        text[i] = (char)('a' + (seed + i) % 26);
    struct ev e = {.time = time, .kind = EV_PRINT, .b = seed};
    ring_put(r, &e, text, len);
}

/* ---- rings ----------------------------------------------------------------------------------------------------- */

TEST(rings_are_made_once_and_bounded)
{
    struct log *log = log_new(100);
    struct ring *r = log_ring(log, 7);
    CHECK(r && log_ring(log, 7) == r);
    CHECK(log_ring(log, 99));
    CHECK(!log_ring(log, 100));
    CHECK_INT(ring_appended(r), 0);
    log_free(log);
    log_free(NULL);
}

/* Texts of all lengths wrap around the end of a small ring many times, at every offset. */
TEST(texts_survive_the_wrap)
{
    struct log *log = log_new(65);
    struct ring *r = log_ring(log, 64);
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    uint32_t n = 0;
    for (; n < 4000; n++) {
        put_text(r, n, n, n % (EV_TEXT_MAX + 1));
        CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 10), 1);
    }
    CHECK(!toy.torn);
    CHECK_INT(toy.applied, n);
    CHECK_INT(ring_appended(r), n);
    CHECK_INT(log_consumed(log), n);
    log_free(log);
}

TEST(long_text_is_cut_between_characters)
{
    struct log *log = log_new(1);
    struct toy toy = {0};
    struct log_sink sink = {.ctx = &toy, .offer = toy_offer};
    char text[1200];
    for (size_t i = 0; i + 3 <= sizeof text; i += 3)
        memcpy(text + i, "\xe4\xb8\xad", 3);
    struct ev e = {.kind = EV_PRINT};
    ring_put(log_ring(log, 0), &e, text, sizeof text);
    CHECK_INT(e.d, EV_TEXT_MAX / 3 * 3);
    CHECK_INT(e.ncont, 31);
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 10), 1);
    CHECK_INT(strlen(toy.text), EV_TEXT_MAX / 3 * 3);
    ring_put(log_ring(log, 0), &e, "", 0);
    CHECK_INT(e.d, 0);
    CHECK_INT(e.ncont, 0);
    log_free(log);
}

struct producer {
    struct ring *r;
    uint32_t first, n, step;
    _Atomic uint32_t done;
    pthread_t thread;
};

static void *produce(void *arg)
{
    struct producer *p = arg;
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t a = p->first + i * p->step;
        if (i % 64 == 5) {
            char text[100];
            for (size_t k = 0; k < sizeof text; k++)
                text[k] = (char)('a' + (a + k) % 26);
            struct ev e = {.time = a, .kind = EV_PRINT, .a = a, .b = a};
            ring_put(p->r, &e, text, i % sizeof text);
        } else {
            put(p->r, a, a);
        }
    }
    atomic_store_explicit(&p->done, 1, memory_order_release); /* pairs with acquire in the test */
    return NULL;
}

static void start(struct producer *p)
{
    CHECK_INT(pthread_create(&p->thread, NULL, produce, p), 0);
}

/* The producer has more than fits. It can finish only after the consumer has made room. */
TEST(a_full_ring_makes_its_producer_wait)
{
    struct log *log = log_new(65);
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    struct producer p = {.r = log_ring(log, 64), .first = 1, .n = 5 * SMALL, .step = 1};
    start(&p);
    while (ring_appended(p.r) < SMALL / 2) /* texts use the other slots */
        sched_yield();
    CHECK(!atomic_load_explicit(&p.done, memory_order_acquire));
    while (toy.applied < p.n)
        CHECK(log_drain(log, LOG_BY_TIME, &sink, 7) >= 0);
    pthread_join(p.thread, NULL);
    CHECK_INT(ring_appended(p.r), p.n);
    CHECK_INT(log_lost(log), 0);
    CHECK(!toy.torn);
    log_free(log);
}

TEST(close_counts_lost_events)
{
    struct log *log = log_new(70);
    struct ring *r = log_ring(log, 69);
    log_close(log);
    for (uint32_t i = 0; i < SMALL + 5; i++)
        put(r, i, 0);
    put_text(r, 1, 0, 500);
    CHECK_INT(ring_appended(r), SMALL);
    CHECK_INT(log_appended(log), SMALL);
    CHECK_INT(log_lost(log), 6);
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 1 << 20), SMALL);
    put(r, SMALL, 0); /* there is room again: the event is kept */
    CHECK_INT(log_lost(log), 6);
    CHECK_INT(ring_appended(r), SMALL + 1);
    log_free(log);
}

TEST(close_wakes_a_waiting_producer)
{
    struct log *log = log_new(65);
    struct producer p = {.r = log_ring(log, 64), .first = 1, .n = 2000, .step = 1};
    start(&p);
    while (ring_appended(p.r) < SMALL / 2)
        sched_yield();
    for (int i = 0; i < 1000; i++) /* the producer usually sleeps by now; if it is awake, the result must be the same */
        sched_yield();
    log_close(log);
    pthread_join(p.thread, NULL);
    CHECK_INT(log_appended(log) + log_lost(log), 2000);
    CHECK(log_lost(log) >= 2000 - SMALL);
    log_free(log);
}

/* ---- merge ----------------------------------------------------------------------------------------------------- */

TEST(merge_by_time)
{
    struct log *log = log_new(100);
    struct ring *r[3] = {log_ring(log, 0), log_ring(log, 1), log_ring(log, 70)};
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    put(r[0], 10, 1);
    put(r[0], 10, 2); /* one section: the same time */
    put(r[2], 20, 3);
    put(r[1], 30, 4);
    put(r[0], 40, 5);
    put(r[2], 50, 6);
    put(r[2], 60, 7);
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 3), 3);
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 100), 4);
    CHECK_INT(toy.last, 7);
    CHECK_INT(toy.not_yet, 0);
    CHECK(!toy.time_fell);
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 100), 0);
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 0), 0);
    log_free(log);
}

TEST(not_yet_in_time_order_is_broken)
{
    struct log *log = log_new(2);
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    put(log_ring(log, 0), 10, 2);
    put(log_ring(log, 1), 20, 1);
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 100), LOG_BROKEN);
    CHECK_INT(toy.applied, 0);
    char buf[400];
    log_stuck(log, buf, sizeof buf);
    CHECK(strstr(buf, "M0 waits at 10 ns: g_start"));
    CHECK(strstr(buf, "M1 waits at 20 ns: g_start"));
    log_stuck(log, buf, 8); /* cut, without an overflow */
    CHECK_INT(strlen(buf), 7);
    log_free(log);
}

/* Causes 1..6 are in three rings. Their times contradict them, as clocks of running threads do. */
TEST(merge_by_sequence)
{
    struct log *log = log_new(3);
    struct ring *r[3] = {log_ring(log, 0), log_ring(log, 1), log_ring(log, 2)};
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    put(r[0], 10, 3);
    put(r[0], 11, 6);
    put(r[1], 20, 1);
    put(r[1], 21, 4);
    put(r[2], 30, 2);
    CHECK_INT(log_drain(log, LOG_BY_SEQUENCE, &sink, 100), 4);
    CHECK_INT(toy.last, 4); /* 6 waits for 5 */
    static const uint32_t want[] = {1, 2, 0, 1};
    CHECK_INT(memcmp(toy.order, want, sizeof want), 0);
    CHECK_INT(log_drain(log, LOG_BY_SEQUENCE, &sink, 100), 0);
    put(r[2], 5, 5);
    CHECK_INT(log_drain(log, LOG_BY_SEQUENCE, &sink, 100), 2);
    CHECK_INT(toy.last, 6);
    CHECK_INT(log_consumed(log), log_appended(log));
    log_free(log);
}

/* Without causes the lowest time goes first. After a cause, the deferred event goes before all later ones. */
TEST(a_deferred_event_goes_first_after_its_cause)
{
    struct log *log = log_new(3);
    struct ring *r[3] = {log_ring(log, 0), log_ring(log, 1), log_ring(log, 2)};
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    put(r[0], 10, 2);
    put(r[1], 20, 0);
    put(r[1], 25, 0);
    put(r[1], 40, 0);
    put(r[2], 30, 1);
    put(r[2], 31, 0);
    CHECK_INT(log_drain(log, LOG_BY_SEQUENCE, &sink, 100), 6);
    static const uint32_t want[] = {1, 1, 2, 0, 2, 1};
    CHECK_INT(memcmp(toy.order, want, sizeof want), 0);
    log_free(log);
}

TEST(hold_and_broken_leave_the_event_unread)
{
    for (int order = LOG_BY_TIME; order <= LOG_AT_REST; order++) {
        struct log *log = log_new(2);
        struct toy toy = {.hold_at = 3};
        struct log_sink sink = sink_of(&toy);
        for (uint32_t i = 1; i <= 6; i++)
            put(log_ring(log, i % 2), i, i);
        CHECK_INT(log_drain(log, (enum log_order)order, &sink, 100), 2);
        toy.hold_at = 0;
        toy.break_at = 5;
        CHECK_INT(log_drain(log, (enum log_order)order, &sink, 100), LOG_BROKEN);
        CHECK_INT(log_consumed(log), 4);
        toy.break_at = 0;
        CHECK_INT(log_drain(log, (enum log_order)order, &sink, 100), 2);
        CHECK_INT(toy.last, 6);
        log_free(log);
    }
}

/* The chain of causes passes through 10,000 rings against the order of times: each drain must find its way. */
TEST(ten_thousand_rings)
{
    enum { N = 10000 };
    struct log *log = log_new(N);
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    for (uint32_t m = 0; m < N; m++)
        put(log_ring(log, m), N - m, 0);
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 1 << 20), N);
    CHECK(!toy.time_fell);
    for (uint32_t m = 0; m < 1000; m++)
        put(log_ring(log, m * 7), 1000 - m, m + 1);
    CHECK_INT(log_drain(log, LOG_BY_SEQUENCE, &sink, 1 << 20), 1000);
    CHECK_INT(toy.last, 1000);
    log_free(log);
}

/* Two threads and a consumer: causes alternate between the rings, so a gap or a wrong order would stop everything. */
TEST(two_producers_one_consumer)
{
    uint32_t n = (uint32_t)t_count(100000, 1000000);
    struct log *log = log_new(66);
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    struct producer p[2] = {
        {.r = log_ring(log, 64), .first = 1, .n = n / 2, .step = 2}, {.r = log_ring(log, 65), .first = 2, .n = n / 2, .step = 2}};
    start(&p[0]);
    start(&p[1]);
    while (toy.applied < n)
        CHECK(log_drain(log, LOG_BY_SEQUENCE, &sink, 1000) >= 0);
    pthread_join(p[0].thread, NULL);
    pthread_join(p[1].thread, NULL);
    CHECK_INT(toy.last, n);
    CHECK(!toy.torn);
    CHECK_INT(log_appended(log), n);
    CHECK_INT(log_consumed(log), n);
    CHECK_INT(log_lost(log), 0);
    log_free(log);
}

/* One thread at a time logs; a word hands over the turn, so each turn comes after the last one. The consumer drains all
 * the time and must deliver the turns in order (the two readings of log.c). Many empty rings lie between the rings of
 * these threads, so one reading takes long. */
enum { RUNNERS = 4 };
struct baton {
    _Atomic uint32_t turn;
    uint32_t n, a_time;
};
struct runner {
    struct baton *baton;
    struct ring *r;
    uint32_t id;
    pthread_t thread;
};

static void *run(void *arg)
{
    struct runner *me = arg;
    struct baton *b = me->baton;
    for (uint32_t turn = me->id; turn < b->n; turn += RUNNERS) {
        /* acquire, and the release below: the baton's happens-before */
        while (atomic_load_explicit(&b->turn, memory_order_acquire) != turn)
            sched_yield();
        struct ev e = {.time = turn / b->a_time, .kind = EV_GC_PHASE, .c = turn};
        ring_put(me->r, &e, NULL, 0);
        atomic_store_explicit(&b->turn, turn + 1, memory_order_release);
    }
    return NULL;
}

static void turns_keep_their_order(enum log_order order, uint32_t a_time)
{
    enum { GAP = 250 };
    struct log *log = log_new(RUNNERS * GAP);
    struct baton baton = {.n = (uint32_t)t_count(2000, 200000), .a_time = a_time};
    struct runner runner[RUNNERS];
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    for (uint32_t m = 0; m < RUNNERS * GAP; m++)
        CHECK(log_ring(log, m));
    for (uint32_t i = 0; i < RUNNERS; i++) {
        runner[i] = (struct runner){.baton = &baton, .r = log_ring(log, i * GAP), .id = i};
        CHECK_INT(pthread_create(&runner[i].thread, NULL, run, &runner[i]), 0);
    }
    while (toy.applied < baton.n) {
        CHECK(log_drain(log, order, &sink, 100000) >= 0);
        sched_yield();
    }
    for (int i = 0; i < RUNNERS; i++)
        pthread_join(runner[i].thread, NULL);
    CHECK_INT(toy.not_yet, 0);
    CHECK(!toy.time_fell);
    CHECK(!toy.turn_fell);
    log_free(log);
}

TEST(time_order_while_the_baton_goes_round)
{
    turns_keep_their_order(LOG_BY_TIME, 1);
}

TEST(events_without_a_number_keep_their_order)
{
    turns_keep_their_order(LOG_BY_SEQUENCE, 1);
}

/* A slow clock: four turns have the same time. Their rings are in the order of the turns, so the merge delivers equal
 * times in that order. */
TEST(nothing_is_missed_among_equal_times)
{
    turns_keep_their_order(LOG_BY_SEQUENCE, RUNNERS);
}

/* An unordered event at 20000 is not delivered before the event at 10, which waits for its cause. */
static struct log *remark_behind(void)
{
    struct log *log = log_new(3);
    struct ev remark = {.time = 20000, .kind = EV_PREEMPT_REQUEST};
    put(log_ring(log, 1), 10, 2);
    ring_put(log_ring(log, 0), &remark, NULL, 0);
    CHECK(log_ring(log, 2));
    return log;
}

TEST(an_unordered_event_waits_for_earlier_ones)
{
    struct log *log = remark_behind();
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    put(log_ring(log, 0), 20001, 0); /* what follows the unordered event waits with it */
    CHECK_INT(log_drain(log, LOG_BY_SEQUENCE, &sink, 100), 0);
    put(log_ring(log, 2), 30000, 1); /* the cause, delivered late */
    put(log_ring(log, 2), 30001, 0);
    CHECK_INT(log_drain(log, LOG_BY_SEQUENCE, &sink, 100), 5);
    static const uint32_t want[] = {2, 1, 0, 0, 2};
    CHECK_INT(memcmp(toy.order, want, sizeof want), 0);
    log_free(log);
}

/* Only an earlier event makes it wait, and no other kind of event waits like this. */
TEST(an_unordered_event_waits_for_no_later_one)
{
    struct log *log = remark_behind();
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    put(log_ring(log, 2), 15, 0);
    CHECK_INT(log_drain(log, LOG_BY_SEQUENCE, &sink, 100), 1);
    CHECK_INT(toy.order[0], 2);
    log_free(log);
    log = log_new(2);
    toy = (struct toy){0};
    struct ev remark = {.time = 9, .kind = EV_PREEMPT_REQUEST};
    put(log_ring(log, 1), 10, 2);
    ring_put(log_ring(log, 0), &remark, NULL, 0);
    CHECK_INT(log_drain(log, LOG_BY_SEQUENCE, &sink, 100), 1);
    log_free(log);
}

/* If the cause does not come, because clocks disagree, the unordered event is delivered: at once when at rest,
 * otherwise after many empty drains. */
TEST(an_unordered_event_does_not_wait_forever)
{
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    struct log *log = remark_behind();
    put(log_ring(log, 0), 30000, 1); /* the cause follows the unordered event */
    CHECK_INT(log_drain(log, LOG_AT_REST, &sink, 100), 3);
    CHECK_INT(toy.last, 2);
    log_free(log);
    log = remark_behind();
    put(log_ring(log, 0), 30000, 3); /* 2 waits for 1, which no M logs */
    toy = (struct toy){0};
    int drains = 0;
    while (log_drain(log, LOG_BY_SEQUENCE, &sink, 100) == 0)
        drains++;
    CHECK(drains >= 100);
    CHECK_INT(toy.applied, 1);
    CHECK_INT(log_drain(log, LOG_AT_REST, &sink, 100), 0);
    log_free(log);
}

/* A deferred detail event is logged behind a change, the cause of the event at 10, and in front of its event at 30. */
TEST(a_detail_event_waits_only_while_others_can_go)
{
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    struct log *log = log_new(3);
    struct ev stage = {.time = 20, .kind = EV_FIND_STAGE};
    put(log_ring(log, 1), 10, 2);
    ring_put(log_ring(log, 0), &stage, NULL, 0);
    put(log_ring(log, 0), 30, 1);
    put(log_ring(log, 2), 31, 0); /* can go before the stage */
    CHECK_INT(log_drain(log, LOG_BY_SEQUENCE, &sink, 100), 4);
    static const uint32_t want[] = {2, 0, 0, 1};
    CHECK_INT(memcmp(toy.order, want, sizeof want), 0);
    log_free(log);
}

/* Rings may be made in parallel, for different Ms. */
static void *make_rings(void *arg)
{
    struct log *log = ((struct log **)arg)[0];
    for (uint32_t m = 0; m < 500; m++)
        put(log_ring(log, 2 * m + 1), m, 0);
    return NULL;
}

TEST(rings_made_while_draining)
{
    struct log *log = log_new(1000);
    struct toy toy = {0};
    struct log_sink sink = sink_of(&toy);
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, make_rings, &log), 0);
    for (uint32_t m = 0; m < 500; m++) {
        put(log_ring(log, 2 * m), m, 0);
        CHECK(log_drain(log, LOG_BY_SEQUENCE, &sink, 100) >= 0);
    }
    pthread_join(thread, NULL);
    CHECK(log_drain(log, LOG_BY_SEQUENCE, &sink, 100000) >= 0);
    CHECK_INT(toy.applied, 1000);
    log_free(log);
}

/* ---- snapshots ------------------------------------------------------------------------------------------------- */

TEST(snapshot_memory)
{
    struct snapshot s = {0};
    for (int round = 0; round < 3; round++) {
        uint32_t *a = snapshot_alloc(&s, 10, sizeof *a);
        a[9] = 1;
        uint32_t *big = snapshot_alloc(&s, 100000, sizeof *big);
        CHECK_INT(big[0] | big[99999], 0);
        memset(big, 0xff, 400000);
        CHECK_INT(a[9], 1); /* it has not moved */
        snapshot_reset(&s);
        CHECK_INT(s.np, 0);
        CHECK(s.chunks && !s.chunks->next);
        CHECK(snapshot_alloc(&s, 0, 4));
    }
    CHECK(!snapshot_alloc(&s, SIZE_MAX / 2, 16));
    snapshot_fini(&s);
    CHECK(!s.chunks);
}
