/* Runs that use each other's threads, rings and stacks (rt_config.spares): the courses are those of runs that make
 * their own, and no thread is made that is there already. */
#include "prog.h"
#include <unistd.h>

static struct hchan *ch;
static _Atomic int ntids;
static pid_t tids[256];

static void sees_its_thread(void *arg)
{
    (void)arg;
    tids[atomic_fetch_add(&ntids, 1)] = gettid();
    rt_compute(30000, false);
    rt_chan_send(ch, my_number());
}

static void ends_locked(void *arg)
{
    (void)arg;
    rt_lock_os_thread();
    rt_chan_send(ch, -1);
}

static void parks_for_ever(void *arg)
{
    (void)arg;
    int64_t v;
    rt_chan_recv(rt_chan_new(rt_self_sched(), 2, 0), &v);
}

/* All Ps work; a thread ends within the run; at its end, Gs are parked. */
static void main_of_all_kinds(void *arg)
{
    (void)arg;
    int64_t v;
    ch = rt_chan_new(rt_self_sched(), 1, 0);
    for (int i = 0; i < 100; i++)
        go(i % 10 == 9 ? ends_locked : i % 10 == 8 ? parks_for_ever : sees_its_thread, i);
    for (int i = 0; i < 90; i++)
        rt_chan_recv(ch, &v);
}

static struct result run_again(enum rt_generation gen, struct how h)
{
    atomic_store(&ntids, 0);
    struct result r = run_in(gen, h, main_of_all_kinds);
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    return r;
}

TEST(the_courses_are_those_of_runs_that_make_their_own)
{
    for (enum rt_generation gen = 0; gen < GENERATIONS; gen++) {
        struct rt_spares *spares = rt_spares_new();
        for (uint64_t seed = 0; seed < 6; seed++) {
            struct how h = {MODE_LOCKSTEP, seed, 1 + (uint32_t)seed % 4};
            prog_fine = seed % 2;
            prog_spares = NULL;
            uint64_t own = run_again(gen, h).hash;
            prog_spares = spares;
            CHECK(run_again(gen, h).hash == own);
        }
        prog_spares = NULL;
        prog_fine = false;
        rt_spares_free(spares);
    }
}

TEST(free_runs_may_use_them_too)
{
    prog_spares = rt_spares_new();
    for (uint64_t seed = 0; seed < 6; seed++)
        run_again(GO1_20, (struct how){MODE_FREE, seed, 1 + (uint32_t)seed % 4});
    rt_spares_free(prog_spares);
    prog_spares = NULL;
    rt_spares_free(NULL);
}

static enum offer take_time(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)m, (void)text, (void)len;
    *(int64_t *)ctx = e->time;
    return OFFER_APPLIED;
}

static void put(struct ring *r, int64_t time)
{
    ring_put(r, &(struct ev){.time = time, .kind = EV_PRINT}, "text", 4);
}

TEST(a_log_is_emptied_for_another_run)
{
    int64_t time = 0;
    struct log *log = log_new(10);
    struct ring *r = log_ring(log, 3);
    struct log_sink sink = {.ctx = &time, .offer = take_time};
    put(r, 1000);
    put(r, 2000);
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 1), 1);
    log_close(log);
    CHECK(!log_empty(log, 11));
    CHECK(log_empty(log, 10));
    CHECK(log_ring(log, 3) == r);
    CHECK_INT(log_appended(log) + log_consumed(log), 0);
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 10), 0);
    put(r, 5); /* earlier than all before */
    CHECK_INT(log_drain(log, LOG_BY_TIME, &sink, 10), 1);
    CHECK_INT(time, 5);
    log_free(log);
}

static int keep_new(pid_t *known, int n)
{
    for (int i = 0; i < atomic_load(&ntids); i++) {
        int k = 0;
        while (k < n && known[k] != tids[i])
            k++;
        known[k] = tids[i];
        n += k == n;
    }
    return n;
}

TEST(ten_runs_need_no_more_threads_than_one)
{
    pid_t known[256 + 1];
    int n = 0;
    uint32_t ms = 0;
    prog_spares = rt_spares_new();
    for (int i = 0; i < 10; i++) {
        ms = run_again(GO1_20, (struct how){MODE_LOCKSTEP, 3, 4}).kinds[EV_M_START];
        n = keep_new(known, n);
    }
    CHECK(n > 1 && n <= (int)ms);
    rt_spares_free(prog_spares);
    prog_spares = NULL;
}
