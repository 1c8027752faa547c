/* Records that hold several events (eventlog/records.def): a reader of the log sees the same events as if each had
 * its own record. */
#include "eventlog/log.h"
#include "prog.h"

/* ---- the ring ---------------------------------------------------------------------------------------------------- */

struct seen {
    struct ev e[400000];
    uint32_t n, hold_at, wait_at; /* the event number (from 1) at which the sink wants no more, once; which must wait, once */
};
static struct seen seen, other;

static enum offer see(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct seen *s = ctx;
    (void)m;
    CHECK(!text && len == 0);
    if (s->hold_at == s->n + 1)
        return s->hold_at = 0, OFFER_HOLD;
    if (s->wait_at == s->n + 1)
        return s->wait_at = 0, OFFER_NOT_YET;
    CHECK(s->n < sizeof s->e / sizeof *s->e);
    s->e[s->n++] = *e;
    return OFFER_APPLIED;
}

static const struct log_sink sink = {.ctx = &seen, .offer = see};

static uint64_t head(enum ev_several kind, uint32_t slots, uint32_t g)
{
    return EV_HEAD(((struct ev){.kind = (uint8_t)kind, .ncont = (uint8_t)(slots - 1), .p = 3, .g = g}));
}

/* One record of each kind, as the runtime would write it, and its meaning: by the agreement in eventlog/README.md,
 * not by records.def. */
static const struct {
    enum ev_several kind;
    uint32_t slots, g, a, b, c, d, e, f, i, j, n;
    struct ev means[EV_SEVERAL_MOST];
} records[] = {
    /* G7, at its 5th step, readied by G2; G4 moves from runnext to slot 90 */
    {EV_SEVERAL_READY, 1, 7, 5, 2, 4, 90, 0, 0, 0, 0, 3,
     {{.kind = EV_G_READY, .g = 7, .a = 5, .b = 2}, {.kind = EV_RUNNEXT_PUT, .g = 7, .a = 4}, {.kind = EV_RUNQ_PUT, .g = 4, .a = 90}}},
    {EV_SEVERAL_READY, 1, 7, 5, 2, 0, 0, 0, 0, 0, 0, 2,
     {{.kind = EV_G_READY, .g = 7, .a = 5, .b = 2}, {.kind = EV_RUNNEXT_PUT, .g = 7}}},
    /* the same, and no idle P: the spinning word goes through its changes 21, 22, 23 */
    {EV_SEVERAL_READY_VAIN, 1, 7, 5, 2, WAKEP_READY, 21, 0, 0, 0, 0, 5,
     {{.kind = EV_G_READY, .g = 7, .a = 5, .b = 2}, {.kind = EV_RUNNEXT_PUT, .g = 7}, {.kind = EV_WAKEP, .a = WAKEP_READY, .b = 21},
      {.kind = EV_NEEDSPINNING, .a = 1, .b = 22}, {.kind = EV_SPIN_STOP, .b = 23, .c = SPIN_STOP_NO_IDLE_P}}},
    {EV_SEVERAL_VAIN, 1, 0, WAKEP_NEW_G, 0xffffffff, 0, 0, 0, 0, 0, 0, 3,
     {{.kind = EV_WAKEP, .a = WAKEP_NEW_G, .b = 0xffffffff}, {.kind = EV_NEEDSPINNING, .a = 1, .b = 0},
      {.kind = EV_SPIN_STOP, .b = 1, .c = SPIN_STOP_NO_IDLE_P}}},
    /* G2 makes G9, the 6th of program 11; G8 leaves runnext for slot 0 */
    {EV_SEVERAL_CREATE, 2, 9, 2, 11, 6, 8, 0, 1, WAKEP_NEW_G, 31, 6,
     {{.kind = EV_G_CREATE, .g = 9, .a = 2, .b = 11, .c = 6}, {.kind = EV_RUNNEXT_PUT, .g = 9, .a = 8}, {.kind = EV_RUNQ_PUT, .g = 8},
      {.kind = EV_WAKEP, .a = WAKEP_NEW_G, .b = 31}, {.kind = EV_NEEDSPINNING, .a = 1, .b = 32}, {.kind = EV_SPIN_STOP, .b = 33, .c = SPIN_STOP_NO_IDLE_P}}},
    {EV_SEVERAL_CREATE, 2, 9, 2, 11, 6, 0, 0, 0, WAKEP_NEW_G, 0, 2,
     {{.kind = EV_G_CREATE, .g = 9, .a = 2, .b = 11, .c = 6}, {.kind = EV_RUNNEXT_PUT, .g = 9}}},
    /* G9 is at its 3rd step in runnext and starts, its 4th, within the slice that runs */
    {EV_SEVERAL_NEXT_START, 1, 9, 4, 0, 0, 0, 0, 0, 0, 0, 2,
     {{.kind = EV_RUNNEXT_GET, .g = 9, .a = 3}, {.kind = EV_G_START, .g = 9, .a = 4, .b = 1}}},
    {EV_SEVERAL_RING_START, 1, 9, 4, 77, 0, 0, 0, 0, 0, 0, 2,
     {{.kind = EV_RUNQ_GET, .g = 9, .a = 77}, {.kind = EV_G_START, .g = 9, .a = 4}}},
    {EV_SEVERAL_GLOBAL_START, 1, 9, 4, GLOBQ_TICK61, 1234, 0, 0, 0, 0, 0, 2,
     {{.kind = EV_GLOBQ_GET, .g = 9, .a = 1, .b = GLOBQ_TICK61, .c = 1234}, {.kind = EV_G_START, .g = 9, .a = 4}}},
    {EV_SEVERAL_YIELD, 1, 9, 4, 1235, 0, 0, 0, 0, 0, 0, 2,
     {{.kind = EV_G_YIELD, .g = 9, .a = 4}, {.kind = EV_GLOBQ_PUT, .g = 9, .a = 1, .b = QUEUE_TAIL, .c = 1235}}},
};
enum { RECORDS = sizeof records / sizeof *records };

static bool put_record(struct ring *r, int i, int64_t time)
{
    return ring_put_several(r, time, head(records[i].kind, records[i].slots, records[i].g), EV_PAIR(records[i].a, records[i].b),
                            EV_PAIR(records[i].c, records[i].d), EV_PAIR(records[i].e, records[i].f), EV_PAIR(records[i].i, records[i].j),
                            records[i].slots, records[i].n);
}

/* The same, as the runtime does if the fast path finds no room: a closer look may find some. */
static void put_somehow(struct ring *r, int i, int64_t time)
{
    if (!put_record(r, i, time))
        ring_wait_several(r, time, head(records[i].kind, records[i].slots, records[i].g), EV_PAIR(records[i].a, records[i].b),
                          EV_PAIR(records[i].c, records[i].d), EV_PAIR(records[i].e, records[i].f), EV_PAIR(records[i].i, records[i].j),
                          records[i].slots, records[i].n);
}

static void check_means(const struct ev *told, int i, int64_t time)
{
    for (uint32_t k = 0; k < records[i].n; k++) {
        const struct ev *e = &records[i].means[k];
        CHECK_STR(ev_desc[told[k].kind].name, ev_desc[e->kind].name);
        CHECK_INT(told[k].time, time);
        CHECK_INT(told[k].p, 3);
        CHECK_INT(told[k].ncont, 0);
        CHECK(told[k].g == e->g && told[k].a == e->a && told[k].b == e->b && told[k].c == e->c && told[k].d == e->d);
    }
}

TEST(every_kind_has_an_example)
{
    for (int kind = EV_SEVERAL + 1; kind < EV_SEVERAL_END; kind++) {
        int n = 0;
        for (int i = 0; i < RECORDS; i++)
            n += (int)records[i].kind == kind;
        CHECK(n > 0);
    }
    CHECK(EV_SEVERAL_END <= 256);
}

TEST(a_record_of_several_is_taken_apart)
{
    for (int i = 0; i < RECORDS; i++) {
        struct log *log = log_new(1);
        struct ring *r = log_ring(log, 0);
        seen.n = 0;
        CHECK(put_record(r, i, 50 + i));
        CHECK_INT(ring_appended(r), records[i].n);
        CHECK_INT(log_drain(log, LOG_BY_TICKET, &sink, 100), records[i].n);
        CHECK_INT(seen.n, records[i].n);
        check_means(seen.e, i, 50 + i);
        CHECK_INT(log_consumed(log), records[i].n);
        CHECK(ring_is_read(r));
        log_free(log);
    }
}

/* Wherever the reader stops within a record, it continues there. */
static void stop_within(int i, uint32_t at, bool hold)
{
    struct log *log = log_new(1);
    seen.n = seen.hold_at = seen.wait_at = 0;
    *(hold ? &seen.hold_at : &seen.wait_at) = at;
    put_record(log_ring(log, 0), i, 50);
    int64_t first = log_drain(log, LOG_BY_TIME_PATIENT, &sink, 100);
    CHECK_INT(first, at - 1);
    CHECK_INT(log_consumed(log), at - 1);
    CHECK(!ring_is_read(log_ring(log, 0)));
    CHECK_INT(log_drain(log, LOG_BY_TIME_PATIENT, &sink, 100), records[i].n - first);
    check_means(seen.e, i, 50);
    log_free(log);
}

TEST(a_reader_may_stop_within_a_record)
{
    for (int i = 0; i < RECORDS; i++)
        for (uint32_t at = 1; at <= records[i].n; at++) {
            stop_within(i, at, true);
            stop_within(i, at, false);
        }
}

static void count_unread(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)m, (void)text, (void)len;
    struct seen *s = ctx;
    s->e[s->n++] = *e;
}

TEST(one_at_a_time_and_the_unread_rest)
{
    struct log *log = log_new(1);
    uint32_t all = 0, told = 0;
    for (int i = 0; i < RECORDS; i++) {
        put_record(log_ring(log, 0), i, 50);
        all += records[i].n;
    }
    seen.n = 0;
    for (; told < all; told++) {
        other.n = 0;
        log_unread(log, count_unread, &other);
        CHECK_INT(other.n, all - told);
        CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 1), 1);
        CHECK(memcmp(&seen.e[told], &other.e[0], sizeof(struct ev)) == 0);
    }
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 1), 0);
    for (uint32_t i = 0, at = 0; i < RECORDS; at += records[i++].n)
        check_means(&seen.e[at], (int)i, 50);
    log_free(log);
}

/* Records of one and of two slots wrap around the end of a small ring at every offset; a full ring takes no more of
 * them. */
TEST(records_go_around_the_end)
{
    struct log *log = log_new(65);
    struct ring *r = log_ring(log, 64);
    for (int round = 0; round < 3000; round++) {
        int i = round % 7 % RECORDS, k = (round / 3) % RECORDS;
        seen.n = 0;
        put_somehow(r, i, round);
        put_somehow(r, k, round);
        CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 100), records[i].n + records[k].n);
        check_means(seen.e, i, round);
        check_means(seen.e + records[i].n, k, round);
    }
    ring_wait_several(r, 3000, head(EV_SEVERAL_VAIN, 1, 0), EV_PAIR(1, 1), 0, 0, 0, 1, 3);
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 100), 3);
    uint32_t free_slots = 512; /* a ring of 16 KiB */
    for (; free_slots >= 2; free_slots -= records[4].slots)
        put_somehow(r, 4, 5000);
    CHECK(!put_record(r, 4, 5000));
    log_close(log);
    ring_wait_several(r, 5001, head(EV_SEVERAL_CREATE, 2, 9), 0, 0, 0, 0, 2, 2);
    CHECK_INT(log_lost(log), 1);
    log_free(log);
}

/* ---- the runtime ------------------------------------------------------------------------------------------------- */

static void yields(void *arg)
{
    (void)arg;
    rt_gosched();
    rt_waitgroup_add(wg, -1);
}

static void ends(void *arg)
{
    (void)arg;
    rt_waitgroup_add(wg, -1);
}

/* Everything that can share one record: Gs that are created one after another, more than a ring holds, that yield,
 * talk, wake each other, and end. */
static void talkative_main(void *arg)
{
    (void)arg;
    int64_t v = 0;
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    to_echo = rt_chan_new(rt_self_sched(), 1, 0);
    from_echo = rt_chan_new(rt_self_sched(), 2, 0);
    rt_waitgroup_add(wg, 400);
    for (int i = 0; i < 400; i++)
        go(yields, i);
    rt_waitgroup_wait(wg);
    rt_waitgroup_add(wg, 1);
    go(echoes, 0);
    for (int i = 0; i < 200; i++) {
        rt_chan_send(to_echo, v);
        CHECK(rt_chan_recv(from_echo, &v));
    }
    CHECK_INT(v, 200);
    rt_chan_close(to_echo);
    rt_waitgroup_wait(wg);
    for (int i = 0; i < 50; i++) {
        rt_waitgroup_add(wg, 2);
        go(ends, i);
        go(ends, i);
        rt_waitgroup_wait(wg);
    }
}

static struct seen *into;

static void keep(uint32_t m, const struct ev *e)
{
    if (m != 0)
        return; /* sysmon */
    CHECK(into->n < sizeof into->e / sizeof *into->e);
    into->e[into->n] = *e;
    into->e[into->n++].time = 0;
}

static bool looks_on(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)ctx, (void)m, (void)e, (void)text, (void)len;
    return false;
}

/* Where an observer sees each event, each has its own record; otherwise several share one. On one P nothing else can
 * differ. */
TEST(in_batches_or_one_by_one_the_events_are_the_same)
{
    seen.n = other.n = 0;
    prog_taken = keep;
    into = &seen;
    struct result r = run((struct how){MODE_FREE, 1, 1}, talkative_main);
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    CHECK(prog_more > 1000);
    into = &other;
    prog_hook = looks_on;
    r = run((struct how){MODE_FREE, 1, 1}, talkative_main);
    CHECK_INT(prog_more, 0);
    prog_hook = NULL;
    prog_taken = NULL;
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    CHECK(seen.n > 400 * 9 + 200 * 16 + 50 * 16); /* events of a spawn, a round trip, two of which the second also kicks out the first */
    for (uint32_t i = 0; i < seen.n && i < other.n; i++)
        if (memcmp(&seen.e[i], &other.e[i], sizeof(struct ev)) != 0)
            t_fail(__FILE__, __LINE__, "event %u: %s g=%u, one by one %s g=%u", i, ev_desc[seen.e[i].kind].name, seen.e[i].g,
                   ev_desc[other.e[i].kind].name, other.e[i].g);
    CHECK_INT(seen.n, other.n);
}

/* The what-ifs that take away a step, and the older generations, log each event by itself. */
TEST(rules_that_lack_a_step_log_one_by_one)
{
    for (int generation = GO1_13; generation < GENERATIONS; generation++) {
        struct result r = run_in((enum rt_generation)generation, (struct how){MODE_FREE, 1, 1}, talkative_main);
        CHECK_INT(r.how, ENDED_MAIN_RETURNED);
        CHECK_INT(prog_more, 0);
    }
}

/* On several Ps, with everything that moves between them: the model folds it, in the order of its sequence numbers. */
TEST(several_ps_log_in_batches)
{
    for (uint32_t procs = 2; procs <= 4; procs++)
        for (long i = 0; i < t_count(10, 100); i++) {
            struct result r = run((struct how){MODE_FREE, (uint64_t)i, procs}, talkative_main);
            CHECK_INT(r.how, ENDED_MAIN_RETURNED);
            CHECK(prog_more > 0);
        }
}
