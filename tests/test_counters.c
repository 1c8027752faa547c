/* What can be read from the fold: counters, latencies, gauges. */
#include "folding.h"

#define COUNT(md, name) ((long long)model_counters(md)->name)

/* Each name leads to the counter of that name; other names, of events too, lead to none. */
TEST(counter_names)
{
    for (int i = 0; i < (int)COUNTERS_N; i++)
        CHECK_INT(counter_index(counter_name[i]), i);
    CHECK(counter_index("goroutines") >= 0 && counter_index("stws") >= 0 && counter_index("go_issue_45867") >= 0);
    CHECK_INT(counter_index("steal"), -1);
}

TEST(counters_of_queues)
{
    struct model *md = boot2(); /* G1 ran from runnext: a round */
    fill(md, 2, 5, 0);
    OFFER(md, APPLIED, 1, EV_STEAL_TRY, 1, 0, 0, 1, 0, 0);
    OFFER(md, APPLIED, 1, EV_STEAL, 1, 3, 0, 2 << 1, 0, 0);
    OFFER(md, APPLIED, 1, EV_G_START, 1, 3, 2, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, 6, 1, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_RUNQ_OVERFLOW, 0, 6, 3, 2, 0, 0);
    OFFER(md, APPLIED, 0, EV_GLOBQ_PUT, 0, 0, 3, QUEUE_TAIL, 2, 0);
    OFFER(md, APPLIED, 0, EV_G_PREEMPT, 0, 1, 3, PREEMPT_ASYNC, 0, 0);
    OFFER(md, APPLIED, 0, EV_GLOBQ_PUT, 0, 1, 1, QUEUE_TAIL, 3, 0);
    OFFER(md, APPLIED, 0, EV_GLOBQ_GET, 0, 4, 1, GLOBQ_TICK61, 4, 0);
    OFFER(md, APPLIED, 0, EV_G_START, 0, 4, 2, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, EV_SYSTEM_G, 4, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_RUNNEXT_PUT, 0, EV_SYSTEM_G, 0, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_G_END, 1, 3, 3, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_STEAL, 1, EV_SYSTEM_G, 0, 1 << 1 | 1, 1, 0);
    OFFER(md, APPLIED, 1, EV_G_START, 1, EV_SYSTEM_G, 2, 0, 0, 0);
    CHECK_INT(COUNT(md, goroutines), 6);
    CHECK_INT(COUNT(md, rounds), 4);
    CHECK_INT(COUNT(md, runnext_runs), 2);
    CHECK_INT(COUNT(md, steals), 2);
    CHECK_INT(COUNT(md, stolen), 3);
    CHECK_INT(COUNT(md, steal_tries), 1);
    CHECK_INT(COUNT(md, runq_overflows), 1);
    CHECK_INT(COUNT(md, overflowed), 3);
    CHECK_INT(COUNT(md, globq_gets), 1);
    CHECK_INT(COUNT(md, fairness_gets), 1);
    CHECK_INT(COUNT(md, preempts), 1);
    CHECK_INT(COUNT(md, async_preempts), 1);
    model_free(md);
}

/* The runtime's own Gs are not counted, although their ids lie between those of the program's Gs. */
TEST(goroutines_are_the_users)
{
    static const uint32_t ids[] = {EV_SYSTEM_G - 1, EV_SYSTEM_G, EV_SYSTEM_G + EV_SYSTEM_GS - 1, EV_SYSTEM_G + EV_SYSTEM_GS};
    struct model *md = boot();
    for (uint32_t i = 0; i < 4; i++) {
        OFFER(md, APPLIED, 0, EV_G_CREATE, 0, ids[i], 1, 1, 0, 0);
        OFFER(md, APPLIED, 0, EV_RUNQ_PUT, 0, ids[i], i, 0, 0, 0);
    }
    CHECK_INT(COUNT(md, goroutines), 3);
    model_free(md);
}

TEST(counters_of_threads)
{
    struct model *md = boot2();
    OFFER(md, APPLIED, 1, EV_SPIN_START, 1, 0, 1, 1, 0, 0);
    OFFER(md, APPLIED, 1, EV_P_RELEASE, 1, 0, 4, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_P_IDLE, 1, 0, 5, 2, 0, 0);
    OFFER(md, APPLIED, 1, EV_M_PARK, NOP, 0, 3, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_M_WAKE, 0, 0, 1, 4, 1, 1);
    OFFER(md, APPLIED, 2, EV_M_START, NOP, 0, 1, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_NETPOLL_WAIT, NOP, 0, 0, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_NETPOLL_READY, NOP, 0, 0, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_SYSCALL_ENTER, 0, 1, 3, 2, 0, 0);
    OFFER(md, APPLIED, 1, EV_RETAKE, 0, 0, 3, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_HANDOFF, 0, 0, HANDOFF_IDLE, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_STW_START, NOP, 0, 0, 5, 0, 0);
    CHECK_INT(COUNT(md, spins), 3); /* started to spin, was woken spinning, began as a spinning thread */
    CHECK_INT(COUNT(md, m_created), 3);
    CHECK_INT(COUNT(md, m_parks), 1);
    CHECK_INT(COUNT(md, rounds), 2);
    CHECK_INT(COUNT(md, netpolls), 1);
    CHECK_INT(COUNT(md, syscalls), 1);
    CHECK_INT(COUNT(md, retakes), 1);
    CHECK_INT(COUNT(md, handoffs), 1);
    CHECK_INT(COUNT(md, stws), 1);
    CHECK_INT(counter_get(model_counters(md), counter_index("spins")), 3);
    model_free(md);
}

TEST(counters_of_waiting)
{
    struct model *md = boot();
    offer_at(__LINE__, md, APPLIED, 0, timer(EV_TIMER_ADD, 0, 1, 1, 0, 500));
    OFFER(md, APPLIED, 0, EV_G_PARK, 0, 1, 3, WAIT_REASON_SLEEP, 0, 0);
    offer_at(__LINE__, md, APPLIED, 0, timer(EV_TIMER_FIRE, 0, 1, 2, 0, 500));
    OFFER(md, APPLIED, 0, EV_G_READY, 0, 1, 4, 0, 0, 0);
    CHECK_INT(COUNT(md, parks), 1);
    CHECK_INT(COUNT(md, wakes), 1);
    CHECK_INT(COUNT(md, timers_fired), 1);
    model_free(md);
}

static void near(int64_t got, int64_t want)
{
    if (llabs(got - want) > want / 50)
        t_fail(__FILE__, __LINE__, "%lld is more than 2%% off %lld", (long long)got, (long long)want);
}

TEST(latency_is_within_two_percent)
{
    struct model *md = new_model();
    int64_t p50, p99, max;
    model_latency(md, &p50, &p99, &max);
    CHECK(p50 == 0 && p99 == 0 && max == 0);
    for (int64_t v = 1; v < INT64_MAX / 3; v += v / 4 + 1) { /* each size by itself */
        memset(&md->latency, 0, sizeof md->latency);
        latency_add(&md->latency, v);
        latency_add(&md->latency, v * 2);
        model_latency(md, &p50, &p99, &max);
        near(p50, v);
        near(p99, v * 2);
        CHECK_INT(max, v * 2);
    }
    memset(&md->latency, 0, sizeof md->latency);
    for (int64_t v = 1000; v >= 1; v--)
        latency_add(&md->latency, v * 1000);
    latency_add(&md->latency, -5);
    latency_add(&md->latency, INT64_MAX);
    model_latency(md, &p50, &p99, &max);
    near(p50, 500000);
    near(p99, 991000);
    CHECK(max == INT64_MAX);
    model_free(md);
}

TEST(latency_counts_from_runnable_to_running)
{
    struct model *md = new_model();
    int64_t p50, p99, max;
    const struct ev life[] = {
        make(0, EV_M_START, NOP, 0, 0, EV_NONE, 0, 0), make(0, EV_PROCRESIZE, NOP, 0, 0, 1, 0, 0), make(100, EV_G_CREATE, 0, 1, 0, 0, 0, 0),
        make(200, EV_RUNQ_PUT, 0, 1, 0, 0, 0, 0),      make(300, EV_RUNQ_GET, 0, 1, 0, 0, 0, 0),   make(400, EV_G_START, 0, 1, 2, 0, 0, 0),
        make(500, EV_G_YIELD, 0, 1, 3, 0, 0, 0),       make(507, EV_G_START, 0, 1, 4, 0, 0, 0)};
    for (size_t i = 0; i < sizeof life / sizeof *life; i++)
        CHECK_INT(model_offer(md, 0, &life[i], NULL, 0), APPLIED);
    model_latency(md, &p50, &p99, &max);
    CHECK(p50 == 7 && max == 300);
    near(p99, 300);
    CHECK_INT(model_time(md), 507);
    /* Once runnable again it waits, and its wait keeps growing whatever happens elsewhere. */
    const struct ev later[] = {make(600, EV_G_YIELD, 0, 1, 5, 0, 0, 0), make(1600, EV_M_START, NOP, 0, 0, 0, 0, 0)};
    CHECK_INT(model_offer(md, 0, &later[0], NULL, 0), APPLIED);
    CHECK_INT(model_offer(md, 1, &later[1], NULL, 0), APPLIED);
    model_latency(md, &p50, &p99, &max);
    CHECK_INT(max, 1000);
    model_free(md);
}

static void gauge_is(int line, const struct model *md, const char *name, int64_t want)
{
    int64_t got = -99;
    if (!model_gauge(md, name, &got))
        t_fail(__FILE__, line, "no gauge %s", name);
    t_check_int(__FILE__, line, name, got, want);
}
#define GAUGE(md, name, want) gauge_is(__LINE__, md, name, want)

TEST(gauges)
{
    struct model *md = boot2();
    int64_t v;
    fill(md, 2, 4, 0);
    OFFER(md, APPLIED, 0, EV_G_CREATE, 0, 5, 1, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_RUNNEXT_PUT, 0, 5, 0, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_SPIN_START, 1, 0, 1, 1, 0, 0);
    OFFER(md, APPLIED, 0, EV_NEEDSPINNING, 0, 0, 1, 2, 0, 0);
    struct ev late = make(5000, EV_SYSMON_TICK, NOP, 0, 0, 0, 0, 0);
    CHECK_INT(model_offer(md, 0, &late, NULL, 0), APPLIED);
    GAUGE(md, "p0.runq", 3);
    GAUGE(md, "P0.runq", 3);
    GAUGE(md, "p0.runnext", 5);
    GAUGE(md, "p0.tick", 4);
    GAUGE(md, "p0.state", P_RUNNING);
    GAUGE(md, "p1.m", 1);
    GAUGE(md, "g1.state", G_RUNNING);
    GAUGE(md, "g1.runnable", 0);
    GAUGE(md, "g5.runnable", 5000);
    GAUGE(md, "m0.state", MD_RUN);
    GAUGE(md, "m1.state", MD_SPIN);
    GAUGE(md, "m1.g", 0);
    GAUGE(md, "globq", 0);
    GAUGE(md, "runnable", 4);
    GAUGE(md, "running", 1);
    GAUGE(md, "spinning", 1);
    GAUGE(md, "idle_p", 0);
    GAUGE(md, "idle_m", 0);
    GAUGE(md, "needspinning", 1);
    static const char *const none[] = {
        "p2.runq", "g9.state", "m2.state", "p0.nothing", "p.runq", "p0", "p0.", "q0.runq", "", "p99999999999.runq", "p-1.runq"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK(!model_gauge(md, none[i], &v));
    model_free(md);
}
