/* Batches: events that an M publishes together, under one time (runtime/sched/emit.h, eventlog/log.h). The reader sees the same events as if each
 * had been logged by itself. */
#include "eventlog/log.h"
#include "runtime/sched/proc.h"
#include "stops.h"

/* ---- the ring ---------------------------------------------------------------------------------------------------- */

struct seen {
    struct ev e[400000];
    uint32_t n;
};
static struct seen seen, other;

static enum offer see(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    struct seen *s = ctx;
    (void)m;
    CHECK(!text && len == 0);
    CHECK(s->n < sizeof s->e / sizeof *s->e);
    s->e[s->n++] = *e;
    return OFFER_APPLIED;
}

static const struct log_sink sink = {.ctx = &seen, .offer = see};

static bool add(struct ring *r, uint32_t number)
{
    return ring_batch_add(r, EV_HEAD(((struct ev){.kind = EV_G_READY, .p = 3, .g = number})), EV_PAIR(1, 2), EV_PAIR(3, 4));
}

static void check_seen(uint32_t first, uint32_t n, int64_t time)
{
    CHECK_INT(seen.n, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct ev *e = &seen.e[i];
        CHECK(e->kind == EV_G_READY && e->ncont == 0 && e->p == 3 && e->a == 1 && e->b == 2 && e->c == 3 && e->d == 4);
        CHECK_INT(e->g, first + i);
        CHECK_INT(e->time, time);
    }
}

TEST(a_batch_is_seen_when_it_ends_and_has_one_time)
{
    struct log *log = log_new(1);
    struct ring *r = log_ring(log, 0);
    seen.n = 0;
    CHECK(ring_batch_empty(r));
    for (uint32_t i = 0; i < 5; i++) {
        CHECK(add(r, i));
        CHECK(!ring_batch_empty(r));
        CHECK_INT(ring_appended(r), 0);
        CHECK_INT(log_drain(log, LOG_BY_SEQUENCE, &sink, 100), 0);
    }
    ring_batch_end(r, 50);
    CHECK(ring_batch_empty(r));
    CHECK_INT(ring_appended(r), 5);
    CHECK_INT(log_drain(log, LOG_BY_SEQUENCE, &sink, 100), 5);
    check_seen(0, 5, 50);
    CHECK(ring_is_read(r));
    log_free(log);
}

/* Batches are in the log in the order of the times at which they end. */
TEST(a_batch_is_as_late_as_its_end)
{
    struct log *log = log_new(2);
    struct ring *early = log_ring(log, 0), *late = log_ring(log, 1);
    seen.n = 0;
    CHECK(add(late, 1) && add(late, 2));
    CHECK(ring_put_words(early, 10, EV_HEAD(((struct ev){.kind = EV_G_END, .g = 9})), 0, 0));
    ring_batch_end(late, 20);
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 100), 3);
    CHECK(seen.e[0].g == 9 && seen.e[1].g == 1 && seen.e[2].g == 2);
    log_free(log);
}

/* In a small ring, from every offset. A batch never overwrites unread events. */
TEST(batches_go_around_the_end_and_stop_at_the_reader)
{
    struct log *log = log_new(65);
    struct ring *r = log_ring(log, 64);
    uint32_t slots = 16384 / sizeof(struct ev), number = 0, most = 0;
    for (uint32_t round = 0; round < 3 * slots; round++) {
        uint32_t n = round % 100 >= 98 ? 2 * slots : round % 7 + 1, first = number;
        struct ev e = {.kind = EV_G_READY, .time = round, .p = 3, .g = number, .a = 1, .b = 2, .c = 3, .d = 4};
        seen.n = 0;
        ring_put(r, &e, NULL, 0); /* reads how far the consumer has read */
        for (number++; number - first < n && add(r, number); number++)
            ;
        CHECK(number - first <= slots); /* may be fewer than n: the producer does not check for each event how far the consumer has read */
        most = number - first > most ? number - first : most;
        if (!ring_batch_empty(r))
            ring_batch_end(r, round);
        CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 2 * slots), number - first);
        check_seen(first, number - first, round);
    }
    CHECK_INT(most, slots);
    log_free(log);
}

/* ---- what the consumer takes together ---- */

enum { TAKEN = 64 };
static struct {
    uint32_t n[TAKEN], used; /* records, by their number of events; 0: an event with a text */
} taken;

static enum offer take_text(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)ctx, (void)m, (void)e;
    CHECK(text && len > 0);
    taken.n[taken.used++] = 0;
    return OFFER_APPLIED;
}

static enum offer take_record(void *ctx, uint32_t m, const struct ev *e, uint32_t *n)
{
    (void)ctx, (void)m;
    for (uint32_t i = 0; i < *n; i++)
        CHECK(!e[i].ncont && e[i].time == e[0].time);
    CHECK(taken.used < TAKEN);
    taken.n[taken.used++] = *n;
    return OFFER_APPLIED;
}

static void batch_of(struct ring *r, uint32_t n, int64_t time)
{
    for (uint32_t i = 0; i < n; i++)
        CHECK(add(r, i));
    ring_batch_end(r, time);
}

static void prints(struct ring *r, int64_t time)
{
    struct ev e = {.kind = EV_PRINT, .time = time};
    ring_put(r, &e, "text", 4);
}

static void check_taken(struct log *log, uint64_t most, const uint32_t *n, uint32_t records)
{
    static const struct log_sink together_sink = {.offer = take_text, .offer_record = take_record};
    taken.used = 0;
    while (log_drain(log, LOG_BY_SEQUENCE, &together_sink, most) > 0)
        ;
    CHECK_INT(taken.used, records);
    for (uint32_t i = 0; i < records; i++)
        CHECK_INT(taken.n[i], n[i]);
}

/* A record ends at another time, at a text, and where the consumer takes no more. */
TEST(a_record_has_one_time_and_no_text)
{
    struct log *log = log_new(1);
    struct ring *r = log_ring(log, 0);
    batch_of(r, 3, 10);
    batch_of(r, 2, 20);
    prints(r, 20);
    batch_of(r, 4, 20);
    check_taken(log, 1000, (const uint32_t[]){3, 2, 0, 4}, 4);
    batch_of(r, 7, 30);
    check_taken(log, 5, (const uint32_t[]){5, 2}, 2);
    log_free(log);
}

/* The events of a record lie next to each other, so the end of the ring ends it. */
TEST(a_record_does_not_go_around_the_end_of_its_ring)
{
    struct log *log = log_new(65);
    struct ring *r = log_ring(log, 64);
    uint32_t slots = 16384 / sizeof(struct ev), at = 0, ends = 0;
    for (uint32_t round = 0; round < slots; round++) {
        uint32_t n = 0;
        prints(r, round);          /* two slots */
        while (n < 5 && add(r, n)) /* the producer does not check for each event how far the consumer has read */
            n++;
        if (n)
            ring_batch_end(r, round + 1);
        uint32_t left = slots - (at + 2) % slots; /* up to the end */
        ends += left < n;
        check_taken(log, 1000, (const uint32_t[]){0, left < n ? left : n, n - left}, left < n ? 3 : n ? 2 : 1);
        at += 2 + n;
    }
    CHECK(ends > 0);
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

/* Everything that is logged in batches: Gs that are created one after another, more than a ring holds, that yield,
 * talk, wake each other, and end. */
static void busy_main(void *arg)
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

/* It computes after each kind of batch, so that stops find it there. */
static void computing_main(void *arg)
{
    (void)arg;
    int64_t v = 0;
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    to_echo = rt_chan_new(rt_self_sched(), 1, 0);
    from_echo = rt_chan_new(rt_self_sched(), 2, 0);
    rt_waitgroup_add(wg, 51);
    go(echoes, 0);
    for (int i = 0; i < 50; i++) {
        go(ends, i);
        rt_compute(20000, false);
        rt_chan_send(to_echo, v);
        rt_compute(20000, false);
        CHECK(rt_chan_recv(from_echo, &v));
    }
    rt_chan_close(to_echo);
    rt_waitgroup_wait(wg);
}

static struct seen *into;
static uint32_t together; /* events of M0 with the time of the one before */

static void keep(uint32_t m, const struct ev *e)
{
    static int64_t before;
    if (m != 0)
        return; /* sysmon */
    together += e->time == before;
    before = e->time;
    CHECK(into->n < sizeof into->e / sizeof *into->e);
    into->e[into->n] = *e;
    into->e[into->n++].time = 0;
}

static bool looks_on(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)ctx, (void)m, (void)e, (void)text, (void)len;
    return false;
}

/* If breakpoints look at each event, each is logged by itself. On one P nothing else can differ. */
TEST(in_batches_or_one_by_one_the_events_are_the_same)
{
    seen.n = other.n = together = 0;
    prog_taken = keep;
    into = &seen;
    struct result r = run((struct how){MODE_FREE, 1, 1}, busy_main);
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    CHECK(together > 400 * 4); /* creating a G: at least five events in a batch */
    into = &other;
    prog_hook = looks_on;
    r = run((struct how){MODE_FREE, 1, 1}, busy_main);
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

static struct {
    uint32_t all[EV_KINDS], joined[EV_KINDS]; /* events; those that have the time of the M's next event */
    uint32_t unordered, unordered_joined;     /* joined: to the event before or after it */
    uint32_t searches, searches_joined;       /* the M begins to spin; joined: to the event before */
} shared;

static void note_shared(uint32_t m, const struct ev *e)
{
    static struct ev before[64];
    CHECK(m < 64);
    const struct ev *was = &before[m];
    bool same = e->time == was->time;
    shared.all[was->kind]++;
    shared.joined[was->kind] += same;
    shared.searches += e->kind == EV_SPIN_START;
    shared.searches_joined += e->kind == EV_SPIN_START && same;
    shared.unordered += ev_is_unordered(e->kind);
    shared.unordered_joined += same && (ev_is_unordered(e->kind) || ev_is_unordered(was->kind));
    before[m] = *e;
}

static void count_shared(enum ev_level level, uint32_t procs)
{
    memset(&shared, 0, sizeof shared);
    prog_taken = note_shared;
    prog_level = level;
    CHECK_INT(run((struct how){MODE_FREE, 1, procs}, busy_main).how, ENDED_MAIN_RETURNED);
    prog_level = EV_DETAIL;
    prog_taken = NULL;
}

/* A detail event of the search would end the batch of a G that gives up its M. */
TEST(what_an_m_does_in_one_go_is_in_one_batch)
{
    static const enum ev_kind first[] = {EV_G_CREATE, EV_G_READY, EV_G_YIELD, EV_G_END, EV_G_PARK, EV_RUNNEXT_GET, EV_RUNQ_GET};
    count_shared(EV_CORE, 1);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (shared.joined[first[i]] < 90) /* not all: what takes a lock in between has a time of its own */
            t_fail(__FILE__, __LINE__, "%s: only %u of %u", ev_desc[first[i]].name, shared.joined[first[i]], shared.all[first[i]]);
}

/* The times of g_park say in which order Gs of several Ms wait, so such a park has a time of its own. A slow clock may show one time twice. */
TEST(a_park_of_one_of_several_ms_is_in_no_batch)
{
    count_shared(EV_CORE, 2);
    CHECK(shared.all[EV_G_PARK] > 100 && shared.joined[EV_G_PARK] <= shared.all[EV_G_PARK] / 10);
}

/* An M that searches outside of its P may wait there, so it has published that its G gave it up. */
TEST(a_search_of_other_ps_begins_no_batch_and_joins_none)
{
    uint32_t searches = 0, joined = 0;
    for (int i = 0; i < 20; i++) {
        count_shared(EV_CORE, 3);
        searches += shared.searches;
        joined += shared.searches_joined;
    }
    CHECK(searches > 0 && joined <= searches / 10); /* as above */
}

/* In its ring, an unordered event may precede a change only if its time does. */
TEST(an_unordered_event_is_in_no_batch)
{
    count_shared(EV_DETAIL, 1);
    CHECK(shared.unordered > 1000 && shared.unordered_joined <= shared.unordered / 10); /* as above */
}

/* All generations, several Ps, with everything that moves between them: the model folds it, in the order of its
 * sequence numbers. */
TEST(the_model_folds_the_batches_of_several_ps)
{
    for (int generation = 0; generation < GENERATIONS; generation++)
        for (uint32_t procs = 1; procs <= 4; procs++)
            for (long i = 0; i < t_count(5, 50); i++) {
                struct result r = run_in((enum rt_generation)generation, (struct how){MODE_FREE, (uint64_t)i, procs}, busy_main);
                CHECK_INT(r.how, ENDED_MAIN_RETURNED);
            }
}

/* An M may wait for a lock, and nothing that it did may be missing from the log then. */
static void locks_in_a_batch(void *arg)
{
    (void)arg;
    struct m *m = getm();
    batch_begin(m);
    CHECK(m->batching);
    lock(m, &m->sched->lock);
    bool open = m->batching;
    unlock(m, &m->sched->lock);
    batch_end(m);
    CHECK(!open);
}

TEST(a_lock_ends_a_batch)
{
    CHECK_INT(run((struct how){MODE_FREE, 1, 2}, locks_in_a_batch).how, ENDED_MAIN_RETURNED);
}

static int kept; /* batches */

/* On one P only sysmon may hold the lock at times. */
static void locks_for_a_moment(void *arg)
{
    (void)arg;
    struct m *m = getm();
    for (int i = 0; i < 100; i++) {
        batch_begin(m);
        lock_in_batch(m, &m->sched->lock);
        CHECK(conductor_holds(m->w, &m->sched->lock));
        unlock_in_batch(m, &m->sched->lock);
        CHECK(!conductor_holds(m->w, &m->sched->lock));
        kept += m->batching;
        batch_end(m);
    }
}

TEST(a_lock_that_is_free_does_not_end_a_batch_that_allows_it)
{
    kept = 0;
    CHECK_INT(run((struct how){MODE_FREE, 1, 1}, locks_for_a_moment).how, ENDED_MAIN_RETURNED);
    CHECK(kept > 0);
}

TEST(no_batch_is_open_when_ms_are_stopped)
{
    struct stops t = {0};
    for (; t.run < t_count(60, 600); t.run++)
        stop_at_random(&t, (struct rt_config){.preempt_slice = 10000000000,
                                              .main_fn = t.run % 3 ? busy_main : computing_main,
                                              .level = t.run / 4 % 2 ? EV_CORE : EV_DETAIL});
    CHECK(t.audit.compared > 0);
}
