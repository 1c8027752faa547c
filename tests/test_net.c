/* The network on the real runtime, in both modes: reads and writes are exact; a write blocks only because of its
 * credit; a G that waits for a socket is found; no descriptor is left behind. */
#include "prog.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define CREDIT 65536

static struct conn *conns[64];
static _Atomic int64_t sum[64];

static struct conn *new_conn(uint32_t id)
{
    struct conn *c = rt_conn_new(rt_self_sched(), id);
    CHECK(c);
    return c;
}

static void new_wg(int64_t n)
{
    wg = rt_waitgroup_new(rt_self_sched(), 1);
    rt_waitgroup_add(wg, n);
}

/* ---- credit ---------------------------------------------------------------------------------------------------- */

/* Returns how often writers had to wait, in lockstep with one P. */
static uint32_t waits(rt_fn *main_fn)
{
    fresh();
    struct result r = run((struct how){MODE_LOCKSTEP, 1, 1}, main_fn);
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    return r.parked[WAIT_REASON_IO_WAIT];
}

static void main_writes_the_credit(void *arg)
{
    (void)arg;
    conns[0] = new_conn(1);
    rt_conn_write(conns[0], 0, CREDIT);
    rt_conn_write(conns[0], 1, CREDIT); /* each direction has its own credit */
}

TEST(the_credit_can_be_written_without_waiting)
{
    CHECK_INT(waits(main_writes_the_credit), 0);
}

static void read_one(void *arg)
{
    (void)arg;
    rt_sleep(1000000);
    rt_conn_read(conns[0], 1, 1);
}

static void main_writes_one_more(void *arg)
{
    (void)arg;
    conns[0] = new_conn(1);
    go(read_one, 0);
    rt_conn_write(conns[0], 0, CREDIT);
    rt_conn_write(conns[0], 0, 1); /* returns when one byte was read, not earlier or later */
}

TEST(one_byte_more_waits_for_one_byte_to_be_read)
{
    CHECK_INT(waits(main_writes_one_more), 1);
}

/* The kernel charges several hundred bytes for each small piece, so its own buffer would be full long before. */
static void main_writes_byte_by_byte(void *arg)
{
    (void)arg;
    conns[0] = new_conn(1);
    for (int i = 0; i < CREDIT; i++)
        rt_conn_write(conns[0], 0, 1);
    note(1);
    go(read_one, 0);
    rt_conn_write(conns[0], 0, 1);
    rt_conn_read(conns[0], 1, CREDIT); /* everything written is there */
    note(2);
}

TEST(the_size_of_writes_does_not_matter)
{
    CHECK_INT(waits(main_writes_byte_by_byte), 1);
    CHECK_INT(norder, 2);
}

/* ---- exactness ------------------------------------------------------------------------------------------------- */

#define LONG_WRITE 1000000

static void write_long(void *arg)
{
    (void)arg;
    rt_conn_write(conns[0], 0, LONG_WRITE);
    rt_waitgroup_add(wg, -1);
}

/* Reads of odd sizes that add up to everything written. */
static void main_reads_all(void *arg)
{
    (void)arg;
    conns[0] = new_conn(1);
    new_wg(1);
    go(write_long, 0);
    int64_t left = LONG_WRITE;
    for (int64_t n = 1; left > 0; n = n * 3 + 1) {
        rt_conn_read(conns[0], 1, n < left ? n : left);
        left -= n;
    }
    rt_waitgroup_wait(wg);
    rt_conn_write(conns[0], 0, CREDIT); /* the connection is empty: the whole credit is available again */
    note(1);
}

TEST(written_bytes_are_read)
{
    in_order(main_reads_all);
    CHECK_INT(norder, 1);
}

static void main_negative(void *arg)
{
    (void)arg;
    conns[0] = new_conn(1);
    rt_conn_read(conns[0], 0, 0); /* nothing to wait for */
    rt_conn_write(conns[0], 0, 0);
    rt_conn_read(conns[0], 0, -1);
}

TEST(a_negative_size_panics)
{
    dies(main_negative, ENDED_PANIC, "runtime error: makeslice: len out of range");
}

/* ---- many Gs --------------------------------------------------------------------------------------------------- */

/* Several Gs at the same end: one after the other; a waiting one does not block the other direction. */
static void reader_of_shared_end(void *arg)
{
    (void)arg;
    rt_conn_read(conns[0], 1, 1000);
    rt_waitgroup_add(wg, -1);
}

static void writer_of_shared_end(void *arg)
{
    (void)arg;
    rt_conn_write(conns[0], 0, 50000);
    rt_waitgroup_add(wg, -1);
}

static void main_shares_an_end(void *arg)
{
    (void)arg;
    conns[0] = new_conn(1);
    new_wg(104);
    for (int i = 0; i < 100; i++)
        go(reader_of_shared_end, i);
    for (int i = 0; i < 4; i++)
        go(writer_of_shared_end, i);
    rt_conn_read(conns[0], 1, 100000);
    rt_waitgroup_wait(wg);
}

static void nothing(void) {}

TEST(several_gs_at_one_end)
{
    under_stress(main_shares_an_end, nothing);
}

#define PAIRS 16
#define ROUNDS 20

static void echo(void *arg)
{
    (void)arg;
    int me = my_number();
    for (int k = 0; k < ROUNDS; k++) {
        rt_conn_read(conns[me], 1, 100 + 5000 * (k % 16));
        rt_conn_write(conns[me], 1, 100 + 5000 * (k % 16));
    }
    rt_waitgroup_add(wg, -1);
}

static void talk(void *arg)
{
    (void)arg;
    int me = my_number();
    for (int k = 0; k < ROUNDS; k++) {
        rt_conn_write(conns[me], 0, 100 + 5000 * (k % 16));
        rt_conn_read(conns[me], 0, 100 + 5000 * (k % 16));
        atomic_fetch_add(&sum[me], 1);
    }
    rt_waitgroup_add(wg, -1);
}

static void main_pairs(void *arg)
{
    (void)arg;
    new_wg(2 * PAIRS);
    for (int i = 0; i < PAIRS; i++) {
        atomic_store(&sum[i], 0);
        conns[i] = new_conn((uint32_t)i + 1);
    }
    for (int i = 0; i < PAIRS; i++) {
        go(echo, i);
        go(talk, i);
    }
    rt_waitgroup_wait(wg);
}

static void all_rounds(void)
{
    for (int i = 0; i < PAIRS; i++)
        CHECK_INT(atomic_load(&sum[i]), ROUNDS);
}

TEST(many_pairs_talk)
{
    under_stress(main_pairs, all_rounds);
}

/* Without Ps exactly one G asks epoll for all. 1.4 and 1.13 have the poller where 1.20 has it. */
static _Atomic uint32_t poll_servers;

static bool count_poll_servers(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)ctx, (void)m, (void)text, (void)len;
    if (e->kind == EV_G_CREATE && e->b == EV_SYSTEM_FN + SYSG_POLLSERVER)
        atomic_fetch_add(&poll_servers, 1);
    return false;
}

static void one_poll_server(void)
{
    all_rounds();
    CHECK_INT(atomic_exchange(&poll_servers, 0), 1);
}

TEST_TIMED(many_pairs_talk_in_old_generations, 480)
{
    under_stress_in(GO1_4, main_pairs, all_rounds);
    under_stress_in(GO1_13, main_pairs, all_rounds);
    prog_hook = count_poll_servers;
    under_stress_in(GO1_0, main_pairs, one_poll_server);
    prog_hook = NULL;
    under_stress_in(GO1_0, main_shares_an_end, nothing);
}

/* A socket may become ready after a G found nothing and before it has parked: then the G must continue by itself. */
TEST(readiness_between_the_try_and_the_parking)
{
    for (int mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
        uint32_t seen = 0;
        for (uint64_t seed = 1; seed <= 200 && !seen; seed++) {
            fresh();
            seen = run((struct how){(enum conductor_mode)mode, seed, 4}, main_pairs).not_parked;
            all_rounds();
        }
        CHECK(mode == MODE_FREE || seen); /* in free mode it may happen or not */
    }
}

/* main_pairs on four Ps, not running yet. */
static struct sched *pairs_started(struct rt_config cfg, struct result *r)
{
    cfg.gomaxprocs = 4;
    cfg.runq_size = 256;
    cfg.max_threads = 100;
    cfg.start_tick = 4;
    cfg.preempt_slice = 10000000000;
    cfg.mode = MODE_LOCKSTEP;
    cfg.main_fn = main_pairs;
    cfg.level = EV_CORE;
    *r = (struct result){.md = model_new(&(struct model_config){.runq_size = 256, .start_tick = 4, .seed = cfg.seed})};
    fresh();
    struct sched *s = rt_new(&cfg);
    CHECK(s && r->md);
    CHECK_INT(rt_start(s), 0);
    return s;
}

/* Ms that return from the poller with nothing take no further step while another M can. Meanwhile they still seem to
 * poll, so no M polls for Gs that park. */
static bool empty_handed[64];
static uint32_t times_empty_handed;

static bool see_empty_hands(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)ctx, (void)text, (void)len;
    CHECK(m < 64);
    empty_handed[m] = e->kind == EV_NETPOLL_READY && e->a == 0;
    times_empty_handed += empty_handed[m];
    return false;
}

static void choose_another(struct conductor *c)
{
    struct decision now;
    uint32_t ready[64];
    if (!conductor_decision_now(c, &now) || now.kind != DECIDE_M || !empty_handed[now.pick])
        return;
    uint32_t n = conductor_ready(c, ready, 64);
    for (uint32_t i = 0; i < n; i++)
        if (!empty_handed[ready[i]]) {
            CHECK(conductor_choose(c, ready[i]));
            return;
        }
}

static void slow_poller(enum rt_generation generation, uint64_t seed)
{
    struct result r;
    struct sched *s = pairs_started((struct rt_config){.generation = generation, .seed = seed, .fine = true, .hook = see_empty_hands}, &r);
    while (!rt_ended(s, &r.how)) {
        choose_another(rt_conductor(s));
        conductor_step_turn(rt_conductor(s), TURN_AS_DECIDED);
        CHECK(conductor_wait_stopped(rt_conductor(s), -1));
    }
    drain(s, LOG_BY_SEQUENCE, &r);
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    all_rounds();
    rt_free(s);
    model_free(r.md);
}

TEST_TIMED(readiness_that_concerns_nobody_stops_no_poller, 480)
{
    const enum rt_generation all[] = {GO1_4, GO1_13, GO1_20};
    for (int i = 0; i < 3; i++) {
        times_empty_handed = 0;
        for (uint64_t seed = 1; seed <= (uint64_t)t_count(20, 1000); seed++)
            slow_poller(all[i], seed);
        CHECK_INT(times_empty_handed > 0, all[i] == GO1_20); /* before, the poller does not report it and continues
                                                              * to wait */
    }
}

/* ---- order -------------------------------------------------------------------------------------------------------- */

#define READERS 5
static const int written[READERS] = {2, 0, 4, 1, 3};

static void read_and_note(void *arg)
{
    (void)arg;
    int me = my_number();
    rt_conn_read(conns[me], 1, 1);
    note(me);
    rt_waitgroup_add(wg, -1);
}

static void main_writes_in_another_order(void *arg)
{
    (void)arg;
    new_wg(READERS);
    for (int i = 0; i < READERS; i++) {
        conns[i] = new_conn((uint32_t)i + 1);
        go(read_and_note, i);
    }
    rt_sleep(5 * 1000000); /* all wait, and the first events of the new sockets have been fetched */
    for (int i = 0; i < READERS; i++)
        rt_conn_write(conns[written[i]], 0, 1);
    rt_waitgroup_wait(wg);
}

/* Go's netpoll pushes each ready G onto the front of its list, whose first G runs first: so the socket that became
 * ready last is served first. Real Go 1.19 agrees. Neither a conn's number nor the order of registration matters. */
TEST(ready_sockets_come_in_the_order_of_their_edges)
{
    const enum rt_generation all[] = {GO1_4, GO1_13, GO1_20};
    for (int k = 0; k < 3; k++) {
        fresh();
        CHECK_INT(run_in(all[k], (struct how){MODE_LOCKSTEP, 1, 1}, main_writes_in_another_order).how, ENDED_MAIN_RETURNED);
        CHECK_INT(norder, READERS);
        for (int i = 0; i < READERS; i++)
            CHECK_INT(order[i], written[READERS - 1 - i]);
    }
}

TEST(the_same_seed_gives_the_same_course)
{
    fresh();
    uint64_t hash = run((struct how){MODE_LOCKSTEP, 7, 4}, main_pairs).hash;
    for (int i = 0; i < 10; i++)
        CHECK(run((struct how){MODE_LOCKSTEP, 7, 4}, main_pairs).hash == hash);
    CHECK(run((struct how){MODE_LOCKSTEP, 8, 4}, main_pairs).hash != hash);
}

/* The same with fine points, where sockets become ready between any two polls. */
TEST(the_same_seed_gives_the_same_course_with_any_number_of_ps)
{
    for (int k = 0; k < 2 * 8; k++) {
        uint64_t first = 0;
        prog_fine = k % 2;
        for (long i = 0; i < t_count(3, 30); i++) {
            uint64_t hash = run((struct how){MODE_LOCKSTEP, 11, (uint32_t)(1 + k / 2)}, main_pairs).hash;
            first = i ? first : hash;
            CHECK(hash == first);
        }
    }
    prog_fine = false;
}

/* ---- between the modes ------------------------------------------------------------------------------------------ */

/* Step, stop, switch the mode, and so on to the end: an M that waits in the poller in one mode keeps waiting in the
 * other. */
static void switching(uint64_t seed)
{
    struct result r;
    struct sched *s = pairs_started((struct rt_config){.generation = GO1_20, .seed = seed}, &r);
    for (uint64_t i = 0; !rt_ended(s, &r.how); i++) {
        conductor_set_mode(rt_conductor(s), i % 2 ? MODE_LOCKSTEP : MODE_FREE);
        conductor_step_events(rt_conductor(s), 50 + 37 * (i + seed) % 200, false);
        while (!conductor_wait_stopped(rt_conductor(s), 20) && !rt_ended(s, &r.how))
            drain(s, LOG_BY_SEQUENCE, &r);
        conductor_pause(rt_conductor(s));
        CHECK(conductor_wait_stopped(rt_conductor(s), 10000));
        drain(s, LOG_BY_SEQUENCE, &r);
    }
    CHECK_INT(r.how, ENDED_MAIN_RETURNED);
    all_rounds();
    rt_free(s);
    model_free(r.md);
}

TEST(the_mode_changes_under_waiting_ms)
{
    for (uint64_t seed = 1; seed <= 5; seed++)
        switching(seed);
}

/* ---- descriptors ------------------------------------------------------------------------------------------------ */

static int open_descriptors(void)
{
    DIR *d = opendir("/proc/self/fd");
    int n = 0;
    CHECK(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static void read_for_ever(void *arg)
{
    (void)arg;
    rt_conn_read(conns[my_number()], 0, 1);
}

static void main_waits(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++)
        go(read_for_ever, i);
    read_for_ever(arg);
}

/* Stops at any point: before, while or after Gs wait for their sockets. An M may wait in the poller at that point, too. */
static void start_and_stop(enum conductor_mode mode, uint64_t seed)
{
    struct rt_config cfg = {
        .gomaxprocs = 2,
        .runq_size = 256,
        .max_threads = 100,
        .start_tick = 4,
        .preempt_slice = 10000000,
        .seed = seed,
        .mode = mode,
        .main_fn = main_waits,
        .level = EV_CORE};
    struct sched *s = rt_new(&cfg);
    CHECK(s);
    for (uint32_t i = 0; i < 3; i++)
        CHECK(conns[i] = rt_conn_new(s, i + 1));
    CHECK_INT(rt_start(s), 0);
    conductor_step_events(rt_conductor(s), seed % 60 + 1, false);
    conductor_wait_stopped(rt_conductor(s), 100); /* an endless wait in the poller counts as stopped only when paused */
    rt_free(s);
}

TEST(a_thousand_starts_leave_no_descriptor)
{
    int before = open_descriptors();
    long n = t_count(100, 500);
    for (long i = 0; i < n; i++) {
        start_and_stop(MODE_LOCKSTEP, (uint64_t)i);
        start_and_stop(MODE_FREE, (uint64_t)i);
    }
    CHECK_INT(open_descriptors(), before);
}

/* The soft limit is raised to the hard one when conns need it. Beyond that a conn cannot be made, and everything
 * made is released. */
TEST(descriptors_as_many_as_allowed)
{
    struct rlimit r = {.rlim_cur = 40, .rlim_max = 200};
    CHECK_INT(setrlimit(RLIMIT_NOFILE, &r), 0);
    int before = open_descriptors(), n = 0;
    struct rt_config cfg = {.gomaxprocs = 1, .runq_size = 256, .max_threads = 100, .main_fn = main_waits};
    struct sched *s = rt_new(&cfg);
    CHECK(s);
    while (rt_conn_new(s, (uint32_t)n + 1))
        n++;
    CHECK_INT(errno, EMFILE);
    CHECK(n >= 90 && n <= 98);
    rt_free(s);
    CHECK_INT(open_descriptors(), before);
}

/* ---- whole scenarios ------------------------------------------------------------------------------------------- */

static int gmpscope(const char *args, const char *file)
{
    char command[4096];
    snprintf(command, sizeof command, "'%s' %s '%s' >/dev/null 2>&1", GMPSCOPE_BIN, args, file);
    int r = system(command);
    return WIFEXITED(r) ? WEXITSTATUS(r) : -1;
}

TEST(nine_thousand_conns)
{
    struct rlimit r;
    getrlimit(RLIMIT_NOFILE, &r);
    if (r.rlim_max < 18100)
        t_skip("needs 18,100 descriptors");
    CHECK_INT(gmpscope("run --headless", SOURCE_DIR "/tests/scenarios/net-9000.yaml"), 0);
    CHECK_INT(gmpscope("run --headless --audit --mode free --limit 10000h", SOURCE_DIR "/tests/scenarios/net-9000.yaml"), 0);
}

/* Thirteen sockets are ready at once. The ring has room for four: the poller's batch overflows it, and the rest goes
 * to the global queue. */
static const char batch[] =
    "name: batch\n"
    "scheduler: {gomaxprocs: 1, runq_size: 4, preempt_slice: 10s}\n"
    "conns: [{name: c, count: 13}]\n"
    "waitgroups: [wg]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do:\n"
    "      - {add: wg, n: 13}\n"
    "      - {go: reader, count: 13}\n"
    "      - sleep: 1ms\n"
    "      - {loop: 13, as: k, do: [{write: 'c[k].a'}]}\n"
    "      - wait: wg\n"
    "  - name: reader\n"
    "    do: [{read: 'c[i].b'}, {done: wg}]\n"
    "expect:\n"
    "  - {sequence: [netpoll_ready n=13, g_ready g=13, runq_put g=13, runq_put g=12, runq_put g=11, runq_put g=10,\n"
    "                globq_put n=8 g=9, g_ready g=14, g_start g=14], mode: lockstep}\n"
    "  - ends: main_returned\n";

TEST(a_batch_of_ready_gs_overflows_the_ring)
{
    CHECK_INT(gmpscope("check --audit --seeds 20", t_file("batch.yaml", batch)), 0);
}

/* A wait in the poller ends after 20 ms; 5 us later the second socket is ready while the only P computes. If lastpoll is the time before the
 * wait, as in 1.20, sysmon polls at once; otherwise only after 10 ms, and by then main's M has polled. */
static const char after_a_long_wait[] =
    "name: lastpoll\n"
    "scheduler: {gomaxprocs: 1, preempt_slice: 10s}\n"
    "conns: [c, d]\n"
    "waitgroups: [all]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{add: all, n: 2}, {go: first}, {go: second}, {syscall: 20ms, blocking: true}, {write: c.a}, {compute: 5us}, {write: d.a},\n"
    "         {compute: 5ms}, {wait: all}]\n"
    "  - name: first\n"
    "    do: [{read: c.b}, {done: all}]\n"
    "  - name: second\n"
    "    do: [{read: d.b}, {done: all}]\n"
    "expect:\n"
    "  - {sequence: ['netpoll_wait delay=-1', 'netpoll_ready m=2 n=1', 'netpoll_ready n=1'], mode: lockstep, generation: [go1.4, go1.13, go1.20]}\n"
    "  - {never: 'netpoll_ready m=1', mode: lockstep, generation: [go1.4, go1.13]}\n"
    "  - {event: 'netpoll_ready m=1 n=1', times: 1, mode: lockstep, generation: go1.20}\n"
    "  - ends: main_returned\n";

TEST(sysmon_counts_from_the_end_of_the_last_wait_until_1_13)
{
    CHECK_INT(gmpscope("check --audit --all-generations", t_file("lastpoll.yaml", after_a_long_wait)), 0);
}

TEST(an_index_beyond_the_array_panics)
{
    const char *text =
        "name: t\nconns: [{name: c, count: 3}]\ngoroutines: [{name: main, do: [{loop: 4, as: k, do: [{write: 'c[k].a'}]}]}]\n"
        "expect: [{event: 'fatal text=\"runtime error: index out of range [3] with length 3\"'}, {ends: panic}]\n";
    CHECK_INT(gmpscope("check --audit", t_file("t.yaml", text)), 0);
}
