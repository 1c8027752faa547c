/* select on the real runtime, in both modes: which case is chosen, how fairly, which G is skipped, and that nothing
 * is lost or duplicated when several Ms find one G in several queues. */
#include "prog.h"
#include <math.h>

enum { MANY = 1000 };
static struct hchan *c, *d, *e, *out, *done;

static struct hchan *chan(uint32_t id, uint32_t buffer)
{
    return rt_chan_new(rt_self_sched(), id, buffer);
}

static struct rt_case from(struct hchan *ch)
{
    return (struct rt_case){.c = ch};
}

static struct rt_case to(struct hchan *ch, int64_t value)
{
    return (struct rt_case){.c = ch, .send = true, .value = value};
}

/* ---- fairness (the bound is that of Go's TestSelectFairness: six nines) ------------------------------------------- */

enum { TRIALS = 10000 };
static int taken[MANY];

static void choose(void *arg)
{
    (void)arg;
    for (;;) {
        struct rt_case in[] = {from(d), from(e), from(c), from(done)};
        int at = rt_select(in, 3, true);
        struct rt_case pass_on[] = {to(out, in[at].value), from(done)};
        if (rt_select(pass_on, 2, true) == 1)
            return;
    }
}

static void main_fair(void *arg)
{
    (void)arg;
    c = chan(1, TRIALS + 2);
    d = chan(2, TRIALS + 2);
    e = chan(3, 0);
    out = chan(4, 0);
    done = chan(5, 0);
    for (int i = 0; i < TRIALS + 2; i++) {
        rt_chan_send(c, 0);
        rt_chan_send(d, 1);
    }
    memset(taken, 0, sizeof taken);
    go(choose, 0);
    for (int i = 0; i < TRIALS; i++) {
        int64_t v;
        CHECK(rt_chan_recv(out, &v));
        taken[v]++;
    }
    rt_chan_close(done);
}

static void check_fair(int n, int trials)
{
    double p = 1.0 / n, margin = 4.891676 * sqrt(p * (1 - p) / trials);
    for (int i = 0; i < n; i++)
        if (fabs((double)taken[i] / trials - p) > margin)
            t_fail(__FILE__, __LINE__, "case %d of %d was chosen %d times of %d", i, n, taken[i], trials);
}

TEST(of_two_ready_cases_each_is_chosen_half_the_time)
{
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++)
        for (uint32_t procs = 1; procs <= 2; procs++) {
            CHECK_INT(run((struct how){(enum conductor_mode)mode, 1 + procs, procs}, main_fair).how, ENDED_MAIN_RETURNED);
            CHECK_INT(taken[0] + taken[1], TRIALS);
            check_fair(2, TRIALS);
        }
}

static void main_fair_seven(void *arg)
{
    (void)arg;
    struct rt_case in[7];
    c = chan(1, 1);
    memset(taken, 0, sizeof taken);
    for (int i = 0; i < TRIALS; i++) {
        for (int k = 0; k < 7; k++)
            in[k] = from(k % 2 ? c : NULL);
        in[0] = in[2] = in[6] = from(c);
        rt_chan_send(c, i);
        taken[rt_select(in, 7, false)]++;
    }
    /* case 4 is the only one without a channel; count the other six as 0..5 */
    CHECK_INT(taken[4], 0);
    taken[4] = taken[6];
}

TEST(of_six_ready_cases_each_is_chosen_a_sixth_of_the_time)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        CHECK_INT(run((struct how){MODE_LOCKSTEP, seed, 1}, main_fair_seven).how, ENDED_MAIN_RETURNED);
        check_fair(6, TRIALS);
    }
}

/* ---- which case -------------------------------------------------------------------------------------------------- */

static void main_default(void *arg)
{
    (void)arg;
    c = chan(1, 1);
    d = chan(2, 0);
    struct rt_case k[] = {from(c), from(d), to(d, 1), from(NULL)};
    CHECK_INT(rt_select(k, 4, false), -1);
    CHECK_INT(rt_select(k, 0, false), -1);
    CHECK_INT(rt_select(k, 1, false), -1);
    rt_chan_send(c, 42);
    CHECK_INT(rt_select(k, 4, false), 0);
    CHECK_INT(k[0].value, 42);
    CHECK(k[0].ok);
    CHECK_INT(rt_select(k, 4, false), -1); /* it has been removed */
    struct rt_case s[] = {to(c, 7), to(d, 8)};
    CHECK_INT(rt_select(s, 2, false), 0);
    CHECK_INT(rt_select(s, 2, false), -1); /* full */
    int64_t v;
    CHECK(rt_chan_recv(c, &v));
    CHECK_INT(v, 7);
}

TEST(default_is_for_when_nothing_is_ready)
{
    in_order(main_default);
}

static void main_closed(void *arg)
{
    (void)arg;
    c = chan(1, 1);
    d = chan(2, 0);
    rt_chan_send(c, 5);
    rt_chan_close(c);
    struct rt_case k[] = {from(d), from(c)};
    k[1].value = 99;
    CHECK_INT(rt_select(k, 2, true), 1);
    CHECK(k[1].ok);
    CHECK_INT(k[1].value, 5);
    CHECK_INT(rt_select(k, 2, true), 1);
    CHECK(!k[1].ok);
    CHECK_INT(k[1].value, 0);
}

TEST(a_closed_channel_is_always_ready_and_gives_zero)
{
    in_order(main_closed);
}

static void wait_on_both(void *arg)
{
    (void)arg;
    struct rt_case k[] = {from(c), from(d)};
    k[0].value = k[1].value = 99;
    note(1);
    int at = rt_select(k, 2, true);
    got[0] = at;
    got[1] = k[at].value;
    got[2] = k[at].ok;
    atomic_store(&flag, true);
}

static void main_close_while_waiting(void *arg)
{
    (void)arg;
    c = chan(1, 0);
    d = chan(2, 0);
    go(wait_on_both, 0);
    rt_gosched();
    CHECK_INT(norder, 1);
    rt_chan_close(d);
    rt_gosched();
    CHECK(atomic_load(&flag));
    CHECK_INT(got[0], 1);
    CHECK_INT(got[1], 0);
    CHECK_INT(got[2], 0);
    struct rt_case send_c = to(c, 1);
    CHECK_INT(rt_select(&send_c, 1, false), -1); /* it is not in c's queue any more */
}

TEST(close_wakes_a_select)
{
    in_order(main_close_while_waiting);
}

static void main_leaves_queues(void *arg)
{
    (void)arg;
    c = chan(1, 0);
    d = chan(2, 0);
    for (int i = 0; i < 3; i++)
        go(wait_on_both, i);
    rt_gosched();
    CHECK_INT(norder, 3);
    struct rt_case s[] = {to(c, 1)}, t[] = {to(d, 2)};
    CHECK_INT(rt_select(s, 1, false), 0); /* three wait, and each can be found in two queues, */
    CHECK_INT(rt_select(t, 1, false), 0); /* but the first of d has already been woken through c: */
    CHECK_INT(rt_select(s, 1, false), 0);
    CHECK_INT(rt_select(t, 1, false), -1); /* each is woken once */
    CHECK_INT(rt_select(s, 1, false), -1);
    rt_gosched();
}

TEST(one_that_waits_in_two_queues_is_woken_once)
{
    in_order(main_leaves_queues);
}

/* ---- nothing to wait for ------------------------------------------------------------------------------------------- */

static void main_no_cases(void *arg)
{
    (void)arg;
    rt_select(NULL, 0, true);
}

static void main_nil_cases(void *arg)
{
    (void)arg;
    struct rt_case k[] = {from(NULL), to(NULL, 1)};
    rt_select(k, 2, true);
}

static void main_one_case(void *arg)
{
    (void)arg;
    struct rt_case k = from(chan(1, 0));
    rt_select(&k, 1, true);
}

static void main_two_cases(void *arg)
{
    (void)arg;
    struct rt_case k[] = {from(chan(1, 0)), from(chan(2, 0))};
    rt_select(k, 2, true);
}

TEST(a_select_that_can_never_be_ready_blocks_for_ever)
{
    const char *asleep = "all goroutines are asleep - deadlock!";
    CHECK_INT(dies(main_no_cases, ENDED_DEADLOCK, asleep).parked[WAIT_REASON_SELECT_NO_CASES], 1);
    CHECK_INT(dies(main_nil_cases, ENDED_DEADLOCK, asleep).parked[WAIT_REASON_SELECT], 1);
    CHECK_INT(dies(main_two_cases, ENDED_DEADLOCK, asleep).parked[WAIT_REASON_SELECT], 1);
    CHECK_INT(dies(main_one_case, ENDED_DEADLOCK, asleep).parked[WAIT_REASON_CHAN_RECEIVE],
              1); /* Go's compiler turns it into a plain receive */
}

static void main_send_on_closed(void *arg)
{
    (void)arg;
    c = chan(1, 1);
    rt_chan_close(c);
    struct rt_case k[] = {to(c, 1), from(chan(2, 0))};
    rt_select(k, 2, false);
}

static void send_either(void *arg)
{
    (void)arg;
    struct rt_case k[] = {to(c, 1), to(d, 1)};
    rt_select(k, 2, true);
}

static void main_close_under_select(void *arg)
{
    (void)arg;
    c = chan(1, 0);
    d = chan(2, 0);
    go(send_either, 0);
    rt_gosched();
    rt_chan_close(d);
    rt_gosched();
}

TEST(a_select_that_sends_on_a_closed_channel_panics)
{
    dies(main_send_on_closed, ENDED_PANIC, "send on closed channel");
    dies(main_close_under_select, ENDED_PANIC, "send on closed channel");
}

/* ---- under stress -------------------------------------------------------------------------------------------------- */

enum { ROUNDS = 60 };
static uint32_t self_buffer;

/* Two Gs may send and receive on one channel in one select: neither may receive its own value while it waits. */
static void self(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int i = 0; i < ROUNDS; i++) {
        struct rt_case k[] = {to(c, me), from(c)};
        int swap = i % 2;
        if (swap) {
            struct rt_case first = k[0];
            k[0] = k[1];
            k[1] = first;
        }
        int at = rt_select(k, 2, true);
        if (!k[at].send && self_buffer == 0)
            CHECK(k[at].value != me);
        rt_point();
    }
    rt_waitgroup_add(wg, -1);
}

/* Takes what is left when one ends first. */
static void partner(void *arg)
{
    (void)arg;
    for (;;) {
        struct rt_case k[] = {to(c, -1), from(c), from(done)};
        if (rt_select(k, 3, true) == 2)
            return;
        rt_point();
    }
}

static void main_self(void *arg)
{
    (void)arg;
    struct sched *s = rt_self_sched();
    wg = rt_waitgroup_new(s, 1);
    c = chan(1, self_buffer);
    done = chan(2, 0);
    rt_waitgroup_add(wg, 2);
    go(self, 0);
    go(self, 1);
    go(partner, 0);
    rt_waitgroup_wait(wg);
    rt_chan_close(done);
}

static void nothing(void) {}

TEST(a_select_does_not_receive_from_itself)
{
    for (self_buffer = 0; self_buffer <= 1; self_buffer++)
        under_stress(main_self, nothing);
}

enum { WORKERS = 4, EACH = 40 };
static _Atomic int64_t sum, count;

/* Sends on either of two channels that takes it. */
static void feed(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int i = 0; i < EACH; i++) {
        struct rt_case k[] = {to(c, me * EACH + i), to(d, me * EACH + i)};
        rt_select(k, 2, true);
        if (i % 5 == me)
            rt_gosched();
        rt_point();
    }
    rt_waitgroup_add(wg, -1);
}

/* Receives from any, until `done` is closed; every third time without waiting. */
static void eat(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int i = 0;; i++) {
        struct rt_case k[] = {from(d), from(done), from(c)};
        int at = rt_select(k, 3, i % 3 != me);
        if (at == 1)
            break;
        if (at >= 0) {
            CHECK(k[at].ok);
            atomic_fetch_add(&sum, k[at].value);
            atomic_fetch_add(&count, 1);
        } else {
            rt_gosched();
        }
        rt_point();
    }
    rt_chan_send(out, 1);
}

static void main_many_selects(void *arg)
{
    (void)arg;
    int64_t v;
    atomic_store(&sum, 0);
    atomic_store(&count, 0);
    c = chan(7, 0);
    d = chan(7, 2); /* the numbers that people see need not differ */
    done = chan(7, 0);
    out = chan(7, 0);
    wg = rt_waitgroup_new(rt_self_sched(), 3);
    rt_waitgroup_add(wg, WORKERS);
    for (int i = 0; i < WORKERS; i++) {
        go(feed, i);
        go(eat, i);
    }
    rt_waitgroup_wait(wg);
    while (atomic_load(&count) < WORKERS * EACH)
        rt_gosched();
    rt_chan_close(done);
    for (int i = 0; i < WORKERS; i++)
        CHECK(rt_chan_recv(out, &v));
}

static void all_arrived(void)
{
    const int64_t n = WORKERS * EACH;
    CHECK_INT(count, n);
    CHECK_INT(sum, n * (n - 1) / 2);
}

TEST_TIMED(nothing_is_lost_between_selects, 400)
{
    under_stress(main_many_selects, all_arrived);
}

TEST(in_lockstep_a_seed_is_a_run)
{
    uint64_t first = 0;
    int differing = 0;
    long n = t_count(5, 50);
    for (long seed = 1; seed <= n; seed++) {
        struct how h = {MODE_LOCKSTEP, (uint64_t)seed, 4};
        struct result a = run(h, main_many_selects), b = run(h, main_many_selects);
        CHECK_INT(a.events, b.events);
        CHECK(a.hash == b.hash);
        if (seed == 1)
            first = a.hash;
        differing += a.hash != first;
    }
    CHECK_INT(differing, n - 1);
}

/* Any number of cases, in the G's memory; sizes go up and down, so the memory that a select keeps grows. */
static void main_large(void *arg)
{
    (void)arg;
    struct hchan **ch = rt_alloc(MANY * sizeof(struct hchan *));
    struct rt_case *k = rt_alloc(MANY * sizeof *k);
    for (int i = 0; i < MANY; i++)
        ch[i] = chan((uint32_t)i, 1);
    for (int n = 1; n <= MANY; n = n < 100 ? n + 13 : n + 300) {
        for (int i = 0; i < n; i++)
            k[n - 1 - i] = from(ch[i]);
        rt_chan_send(ch[n / 2], n);
        CHECK_INT(rt_select(k, (uint32_t)n, true), n - 1 - n / 2);
        CHECK_INT(k[n - 1 - n / 2].value, n);
        CHECK_INT(rt_select(k, (uint32_t)n, false), -1);
    }
}

TEST(a_select_may_have_a_thousand_cases)
{
    in_order(main_large);
}
