/* Channels on the real runtime, in both modes: the order in which Gs are served, the texts of fatal errors, and that
 * nothing is lost when four Ps compete. */
#include "prog.h"

static struct hchan *c, *d;

/* ---- channels: order ------------------------------------------------------------------------------------------- */

static void receiver(void *arg)
{
    int me = (int)(intptr_t)arg;
    note(me);
    CHECK(rt_chan_recv(c, &got[me]));
}

static void main_fifo_receivers(void *arg)
{
    (void)arg;
    c = rt_chan_new(rt_self_sched(), 1, 0);
    for (int i = 0; i < 5; i++)
        go(receiver, i);
    rt_gosched();
    CHECK_INT(norder, 5); /* all wait */
    for (int i = 0; i < 5; i++)
        rt_chan_send(c, 100 + i);
    rt_gosched();
    for (int i = 0; i < 5; i++)
        CHECK_INT(got[order[i]], 100 + i);
}

TEST(receivers_are_served_first_come_first_served)
{
    in_order(main_fifo_receivers);
}

static void sender(void *arg)
{
    int me = (int)(intptr_t)arg;
    note(me);
    rt_chan_send(c, me);
    atomic_store(&flag, true);
}

static void main_fifo_senders(void *arg)
{
    (void)arg;
    c = rt_chan_new(rt_self_sched(), 1, 2);
    rt_chan_send(c, 50);
    rt_chan_send(c, 51);
    for (int i = 0; i < 4; i++)
        go(sender, i);
    rt_gosched();
    CHECK_INT(norder, 4);
    int64_t v[6];
    for (int i = 0; i < 6; i++)
        CHECK(rt_chan_recv(c, &v[i]));
    CHECK(!atomic_load(&flag)); /* no sender ran: each receive moved the next sender's value into the buffer */
    CHECK_INT(v[0], 50);
    CHECK_INT(v[1], 51);
    for (int i = 0; i < 4; i++)
        CHECK_INT(v[i + 2], order[i]);
}

TEST(a_full_buffer_takes_waiting_senders_values_in_order)
{
    in_order(main_fifo_senders);
}

static void slow_receiver(void *arg)
{
    (void)arg;
    CHECK(rt_chan_recv(c, &got[0]));
    atomic_store(&flag, true);
}

static void main_buffered_hand_over(void *arg)
{
    (void)arg;
    c = rt_chan_new(rt_self_sched(), 1, 1);
    go(slow_receiver, 0);
    rt_gosched();
    rt_chan_send(c, 7); /* to the receiver, not into the buffer … */
    rt_chan_send(c, 8); /* … so there is room for this one, and this G need not wait */
    CHECK(!atomic_load(&flag));
    int64_t v;
    CHECK(rt_chan_recv(c, &v));
    CHECK_INT(v, 8); /* no other G can take a value that was handed over */
    rt_gosched();
    CHECK(atomic_load(&flag));
    CHECK_INT(got[0], 7);
}

TEST(a_buffered_send_goes_straight_to_a_waiting_receiver)
{
    in_order(main_buffered_hand_over);
}

/* ---- channels: close ------------------------------------------------------------------------------------------- */

static void main_close_keeps_values(void *arg)
{
    (void)arg;
    int64_t v = 99;
    c = rt_chan_new(rt_self_sched(), 1, 3);
    for (int i = 1; i <= 3; i++)
        rt_chan_send(c, i);
    rt_chan_close(c);
    int n = 0;
    while (rt_chan_recv(c, &v)) /* as `range` does */
        CHECK_INT(v, ++n);
    CHECK_INT(n, 3);
    CHECK_INT(v, 0);
    v = 99;
    CHECK(!rt_chan_recv(c, &v));
    CHECK_INT(v, 0);
}

TEST(a_closed_channel_gives_its_values_and_then_zero)
{
    in_order(main_close_keeps_values);
}

static void closed_on(void *arg)
{
    int me = (int)(intptr_t)arg;
    int64_t v = 99;
    note(me);
    CHECK(!rt_chan_recv(c, &v));
    CHECK_INT(v, 0);
    woken[nwoken++] = me;
}

static void main_close_wakes(void *arg)
{
    (void)arg;
    nwoken = 0;
    c = rt_chan_new(rt_self_sched(), 1, 0);
    for (int i = 0; i < 4; i++)
        go(closed_on, i);
    rt_gosched();
    CHECK_INT(norder, 4);
    rt_chan_close(c);
    rt_gosched();
    CHECK_INT(nwoken, 4);
    /* Waiters are readied last come, first served, each as runnext. The first that came is readied last, so it keeps
     * runnext and runs first. The others were kicked into the ring in the order in which they were readied. */
    const int want[] = {order[0], order[3], order[2], order[1]};
    for (int i = 0; i < 4; i++)
        CHECK_INT(woken[i], want[i]);
}

TEST(close_readies_its_waiters_last_come_first)
{
    in_order(main_close_wakes);
}

/* ---- channels: what kills -------------------------------------------------------------------------------------- */

static void main_send_on_closed(void *arg)
{
    (void)arg;
    c = rt_chan_new(rt_self_sched(), 1, 1);
    rt_chan_close(c);
    rt_chan_send(c, 1);
}

static void main_close_under_sender(void *arg)
{
    (void)arg;
    c = rt_chan_new(rt_self_sched(), 1, 0);
    go(sender, 0);
    rt_gosched();
    rt_chan_close(c);
    rt_gosched();
}

static void main_close_twice(void *arg)
{
    (void)arg;
    c = rt_chan_new(rt_self_sched(), 1, 0);
    rt_chan_close(c);
    rt_chan_close(c);
}

static void main_close_nil(void *arg)
{
    (void)arg;
    rt_chan_close(NULL);
}

TEST(channel_panics_have_gos_words)
{
    dies(main_send_on_closed, ENDED_PANIC, "send on closed channel");
    dies(main_close_under_sender, ENDED_PANIC, "send on closed channel");
    dies(main_close_twice, ENDED_PANIC, "close of closed channel");
    dies(main_close_nil, ENDED_PANIC, "close of nil channel");
}

static void main_send_nil(void *arg)
{
    (void)arg;
    rt_chan_send(NULL, 1);
}

static void main_recv_nil(void *arg)
{
    (void)arg;
    int64_t v;
    rt_chan_recv(NULL, &v);
}

TEST(a_nil_channel_blocks_for_ever)
{
    const char *asleep = "all goroutines are asleep - deadlock!";
    struct result r = dies(main_send_nil, ENDED_DEADLOCK, asleep);
    CHECK_INT(r.parked[WAIT_REASON_CHAN_SEND_NIL], 1);
    r = dies(main_recv_nil, ENDED_DEADLOCK, asleep);
    CHECK_INT(r.parked[WAIT_REASON_CHAN_RECEIVE_NIL], 1);
}

/* ---- channels under stress ------------------------------------------------------------------------------------- */

enum { PRODUCERS = 4, CONSUMERS = 3, EACH = 40 };
static _Atomic int64_t sum, count;
static uint32_t buffer;

static void produce(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int i = 0; i < EACH; i++) {
        rt_chan_send(c, me * EACH + i);
        if (i % 7 == me)
            rt_gosched();
        rt_point();
    }
    rt_waitgroup_add(wg, -1);
}

static void consume(void *arg)
{
    (void)arg;
    int64_t v, last[PRODUCERS];
    memset(last, -1, sizeof last);
    while (rt_chan_recv(c, &v)) {
        CHECK(v > last[v / EACH]); /* one producer's values stay in order */
        last[v / EACH] = v;
        atomic_fetch_add(&sum, v);
        atomic_fetch_add(&count, 1);
        if (v % 5 == 0)
            rt_compute(2000, false);
    }
    rt_chan_send(d, 1);
}

static void main_many_to_many(void *arg)
{
    (void)arg;
    struct sched *s = rt_self_sched();
    int64_t v;
    atomic_store(&sum, 0);
    atomic_store(&count, 0);
    c = rt_chan_new(s, 1, buffer);
    d = rt_chan_new(s, 2, 0);
    wg = rt_waitgroup_new(s, 3);
    rt_waitgroup_add(wg, PRODUCERS);
    for (int i = 0; i < CONSUMERS; i++)
        go(consume, i);
    for (int i = 0; i < PRODUCERS; i++)
        go(produce, i);
    rt_waitgroup_wait(wg);
    rt_chan_close(c);
    for (int i = 0; i < CONSUMERS; i++)
        CHECK(rt_chan_recv(d, &v));
}

static void all_arrived(void)
{
    const int64_t n = PRODUCERS * EACH;
    CHECK_INT(count, n);
    CHECK_INT(sum, n * (n - 1) / 2);
}

TEST(nothing_is_lost_between_many_producers_and_consumers)
{
    const uint32_t sizes[] = {0, 1, 8};
    for (int i = 0; i < 3; i++) {
        buffer = sizes[i];
        under_stress(main_many_to_many, all_arrived);
    }
}

TEST(in_lockstep_a_seed_is_a_run)
{
    buffer = 2;
    uint64_t first = 0;
    int differing = 0;
    long n = t_count(10, 100);
    for (long seed = 1; seed <= n; seed++) {
        struct how h = {MODE_LOCKSTEP, (uint64_t)seed, 4};
        struct result a = run(h, main_many_to_many), b = run(h, main_many_to_many);
        CHECK_INT(a.events, b.events);
        CHECK(a.hash == b.hash);
        if (seed == 1)
            first = a.hash;
        differing += a.hash != first;
    }
    CHECK_INT(differing, n - 1);
}
