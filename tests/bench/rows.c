/* The rows: README.md defines their work, which is the same as in bench.go. */
#include "bench.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static struct waitgroup *wg;

static void child(rt_fn *fn, int64_t i)
{
    (void)rt_go(fn, (void *)(intptr_t)i, NULL, 0, (uint32_t)i);
}

static void done(void)
{
    rt_waitgroup_add(wg, -1);
}

/* Starts n Gs that run fn(0 … n - 1) and waits for them; each calls done() at its end. */
static void fan_out(rt_fn *fn, int64_t n)
{
    rt_waitgroup_add(wg, n);
    for (int64_t i = 0; i < n; i++)
        child(fn, i);
    rt_waitgroup_wait(wg);
}

/* Runs pass(n) twice; the second time is measured. */
static void twice(void (*pass)(int64_t n), int64_t n)
{
    wg = rt_waitgroup_new(bench.s, 1);
    pass(n);
    bench_begin();
    pass(n);
    bench_end("", n);
}

/* ---- spawn, spawn1 ----------------------------------------------------------------------------------------------- */

static void only_done(void *arg)
{
    (void)arg;
    done();
}

static void spawn_pass(int64_t n)
{
    for (int64_t batch = bench.row->x; n > 0; n -= batch)
        fan_out(only_done, batch < n ? batch : n);
}

static void spawn_main(void *arg)
{
    (void)arg;
    twice(spawn_pass, bench_n(1000000));
}

/* ---- tree: 2^depth - 1 nodes in a heap's order; three levels less if it shall be small ----------------------------- */

static struct waitgroup **joins; /* of the inner nodes */
static int64_t inner;

static bool tree_prepare(const struct row *row)
{
    int64_t depth = bench.scale >= 10 ? row->x - 3 : row->x;
    inner = ((int64_t)1 << (depth - 1)) - 1;
    joins = calloc((size_t)inner + 1, sizeof *joins);
    for (int64_t i = 0; joins && i < inner; i++)
        if (!(joins[i] = rt_waitgroup_new(bench.s, (uint32_t)i + 2)))
            return false;
    return joins != NULL;
}

static void tree_node(void *arg)
{
    int64_t i = (intptr_t)arg;
    if (i < inner) {
        rt_waitgroup_add(joins[i], 2);
        child(tree_node, 2 * i + 1);
        child(tree_node, 2 * i + 2);
        rt_waitgroup_wait(joins[i]);
    }
    rt_waitgroup_add(i ? joins[(i - 1) / 2] : wg, -1);
}

static void tree_pass(int64_t n)
{
    (void)n;
    fan_out(tree_node, 1);
}

static void tree_main(void *arg)
{
    (void)arg;
    twice(tree_pass, 2 * inner + 1);
}

/* ---- channels -------------------------------------------------------------------------------------------------- */

static struct hchan *there, *back;

static bool chans_prepare(const struct row *row)
{
    there = rt_chan_new(bench.s, 1, (uint32_t)row->x);
    back = rt_chan_new(bench.s, 2, 0);
    return there && back;
}

static int64_t rounds;

static void echoer(void *arg)
{
    (void)arg;
    for (int64_t i = 0, v; i < rounds; i++) {
        rt_chan_recv(there, &v);
        rt_chan_send(back, v);
    }
    done();
}

static void pingpong_pass(int64_t n)
{
    rounds = n;
    rt_waitgroup_add(wg, 1);
    child(echoer, 0);
    for (int64_t i = 0, v; i < n; i++) {
        rt_chan_send(there, i);
        rt_chan_recv(back, &v);
    }
    rt_waitgroup_wait(wg);
}

static void pingpong_main(void *arg)
{
    (void)arg;
    twice(pingpong_pass, bench_n(700000));
}

static void producer(void *arg)
{
    struct hchan *c = arg;
    for (int64_t i = 0; i < rounds; i++)
        rt_chan_send(c, i);
    rt_chan_close(c);
}

static void prodcons_pass(int64_t n)
{
    struct hchan *c = rt_chan_new(bench.s, 3, (uint32_t)bench.row->x);
    rounds = n;
    (void)rt_go(producer, c, NULL, 0, 0);
    for (int64_t v; rt_chan_recv(c, &v);)
        ;
}

static void prodcons_main(void *arg)
{
    (void)arg;
    twice(prodcons_pass, bench_n(3000000));
}

static void select_sender(void *arg)
{
    struct hchan *c = arg;
    for (int64_t i = 0; i < rounds; i++)
        rt_chan_send(c, i);
}

static void select_pass(int64_t n)
{
    rounds = n / 2;
    (void)rt_go(select_sender, there, NULL, 0, 0);
    (void)rt_go(select_sender, back, NULL, 0, 1);
    for (int64_t i = 0; i < 2 * rounds; i++) {
        struct rt_case cases[2] = {{.c = there}, {.c = back}};
        rt_select(cases, 2, true);
    }
}

static void select_main(void *arg)
{
    (void)arg;
    twice(select_pass, bench_n(500000));
}

/* ---- yield, mutex -------------------------------------------------------------------------------------------------- */

static void yielder(void *arg)
{
    (void)arg;
    for (int64_t i = 0; i < rounds; i++)
        rt_gosched();
    done();
}

static void yield_pass(int64_t n)
{
    rounds = n / (2 * bench.procs);
    fan_out(yielder, 2 * bench.procs);
}

static void yield_main(void *arg)
{
    (void)arg;
    twice(yield_pass, bench_n(1000000));
}

static struct mutex *mu;
static int64_t sum;

static void locker(void *arg)
{
    struct mutex *lock = mu; /* Go's is captured; here it is next to the sum */
    (void)arg;
    for (int64_t i = 0, n = rounds; i < n; i++) {
        rt_mutex_lock(lock);
        sum++;
        rt_mutex_unlock(lock);
    }
    done();
}

static void mutex_pass(int64_t n)
{
    rounds = n / (4 * bench.procs);
    sum = 0;
    fan_out(locker, 4 * bench.procs);
    if (sum != rounds * 4 * bench.procs)
        rt_fatal("the mutex does not exclude");
}

static void mutex_main(void *arg)
{
    (void)arg;
    mu = rt_mutex_new(bench.s, 1);
    twice(mutex_pass, bench_n(5000000));
}

/* ---- steal, burst: tasks that compute ---------------------------------------------------------------------------------- */

static _Atomic uint64_t sink;

static __attribute__((noinline)) uint64_t xorshift(uint64_t x, int64_t n)
{
    for (; n > 0; n--) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x;
}

static void task(void *arg)
{
    uint64_t x = xorshift((uint64_t)(intptr_t)arg + 1, bench.row->x);
    if (x == 0)
        atomic_store_explicit(&sink, x, memory_order_relaxed); /* never happens: keeps the loop */
    done();
}

/* One task alone: the best of nine. */
static double serial(double best)
{
    for (int i = 0; i < 9; i++) {
        int64_t n = 2000000 / bench.row->x, t = bench_now();
        for (int64_t k = 0; k < n; k++)
            if (xorshift((uint64_t)k + 1, bench.row->x) == 0)
                atomic_store_explicit(&sink, 1, memory_order_relaxed);
        double each = (double)(bench_now() - t) / (double)n;
        best = each < best ? each : best;
    }
    return best;
}

static int64_t task_batch;

static void tasks_pass(int64_t n)
{
    for (int64_t k = 0; k < n; k += task_batch)
        fan_out(task, task_batch);
}

static void tasks(int64_t n, int64_t batch)
{
    task_batch = batch;
    wg = rt_waitgroup_new(bench.s, 1);
    n = bench_n(n / batch) * batch;
    tasks_pass(n);
    double alone = serial(1e18);
    bench_begin();
    int64_t t = bench_now();
    tasks_pass(n);
    double wall = (double)(bench_now() - t) / (double)n;
    bench_end("", n);
    alone = serial(alone);
    bench_report("", "serial", alone);
    bench_report("", "efficiency", alone / (wall * bench.procs));
}

static void steal_main(void *arg)
{
    (void)arg;
    tasks(bench.row->x < 7000 ? 100000 : 20000, 2000);
}

static void burst_main(void *arg)
{
    (void)arg;
    int64_t x = bench.row->x;
    tasks(x < 7000 ? 40000 : x < 35000 ? 8000 : 2000, 4);
}

/* ---- park ---------------------------------------------------------------------------------------------------------- */

static struct hchan *gate;

static void parker(void *arg)
{
    (void)arg;
    int64_t v;
    rt_chan_recv(gate, &v);
    done();
}

/* Creation ends when all are parked. The last one made runs first (runnext), so main yields until they are. */
static void park_once(const char *prefix, int64_t n)
{
    char name[20];
    gate = rt_chan_new(bench.s, 9, 0);
    rt_waitgroup_add(wg, n);
    int64_t before = bench_memory();
    bench_begin();
    for (int64_t i = 0; i < n; i++)
        child(parker, i);
    for (int i = 0; i < 3; i++)
        rt_gosched();
    bench_end(strcat(strcpy(name, prefix), "create_"), n);
    bench_report(prefix, "bytes", (double)(bench_memory() - before) / (double)n);
    bench_begin();
    rt_chan_close(gate);
    rt_waitgroup_wait(wg);
    bench_end(strcat(strcpy(name, prefix), "wake_"), n);
}

static void park_main(void *arg)
{
    (void)arg;
    wg = rt_waitgroup_new(bench.s, 1);
    park_once("cold_", bench_n(bench.row->x));
    park_once("warm_", bench_n(bench.row->x));
}

/* ---- timers, periodic ------------------------------------------------------------------------------------------------ */

static int64_t *late;

static int64_t *numbers(int64_t n)
{
    void *p = mmap(NULL, (size_t)n * sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        rt_fatal("out of memory");
    return memset(p, 0, (size_t)n * sizeof(int64_t));
}

static int64_t sleep_ns[100000];

static void sleeper(void *arg)
{
    int64_t i = (intptr_t)arg, t = bench_now();
    rt_sleep(sleep_ns[i]);
    late[i] = bench_now() - t - sleep_ns[i];
    done();
}

static void timers_pass(int64_t n)
{
    uint32_t x = 12345;
    for (int64_t i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        sleep_ns[i] = 400000000 + (int64_t)(x % 300000) * 1000;
    }
    fan_out(sleeper, n);
}

static void timers_main(void *arg)
{
    (void)arg;
    int64_t n = bench_n(100000);
    late = numbers(n);
    twice(timers_pass, n);
    bench_late(late, n);
}

static void periodic_g(void *arg)
{
    int64_t i = (intptr_t)arg;
    for (int64_t k = 0; k < rounds; k++) {
        int64_t t = bench_now();
        rt_sleep(1000000);
        late[i * rounds + k] = bench_now() - t - 1000000;
    }
    done();
}

static void periodic_pass(int64_t n)
{
    fan_out(periodic_g, n / rounds);
}

static void periodic_main(void *arg)
{
    (void)arg;
    rounds = 100;
    int64_t n = bench_n(1000) * rounds;
    late = numbers(n);
    twice(periodic_pass, n);
    bench_late(late, n);
}

/* ---- echo: K pairs, a client and a server each -------------------------------------------------------------------------- */

static struct conn **conns;

static bool echo_prepare(const struct row *row)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_NOFILE, &r) == 0) {
        r.rlim_cur = r.rlim_max;
        setrlimit(RLIMIT_NOFILE, &r);
    }
    conns = calloc((size_t)row->x, sizeof *conns);
    for (int64_t i = 0; conns && i < row->x; i++)
        if (!(conns[i] = rt_conn_new(bench.s, (uint32_t)i + 1)))
            return false;
    return conns != NULL;
}

static void echo_server(void *arg)
{
    struct conn *c = conns[(intptr_t)arg];
    for (int64_t i = 0; i < rounds; i++) {
        rt_conn_read(c, 1, 64);
        rt_conn_write(c, 1, 64);
    }
    done();
}

static void echo_client(void *arg)
{
    struct conn *c = conns[(intptr_t)arg];
    for (int64_t i = 0; i < rounds; i++) {
        rt_conn_write(c, 0, 64);
        rt_conn_read(c, 0, 64);
    }
    done();
}

static void echo_pass(int64_t n)
{
    int64_t k = bench.row->x;
    rounds = n / k;
    rt_waitgroup_add(wg, 2 * k);
    for (int64_t i = 0; i < k; i++) {
        child(echo_server, i);
        child(echo_client, i);
    }
    rt_waitgroup_wait(wg);
}

static void echo_main(void *arg)
{
    (void)arg;
    int64_t n = bench_n(90000) / bench.row->x;
    twice(echo_pass, (n > 0 ? n : 1) * bench.row->x);
}

/* ---- syscall, preempt, idle --------------------------------------------------------------------------------------------- */

static void syscall_pass(int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        rt_syscall(0, false);
        getppid();
    }
}

static void syscall_main(void *arg)
{
    (void)arg;
    twice(syscall_pass, bench_n(300000));
}

/* The other P computes without safe points. Measures from the request on: how long until the world is stopped, and
 * until it runs again. */
static void busy(void *arg)
{
    (void)arg;
    rt_compute(INT64_C(3600000000000), true);
}

static void preempt_main(void *arg)
{
    (void)arg;
    int64_t n = bench_n(200);
    late = numbers(n);
    for (uint32_t i = 1; i < bench.procs; i++)
        child(busy, i);
    rt_sleep(5000000);
    for (int64_t i = 0; i < n; i++) {
        rt_sleep(1000000);
        int64_t t = bench_now();
        rt_stop_the_world(0);
        late[i] = bench_now() - t;
    }
    bench_late(late, n);
}

static void idle_main(void *arg)
{
    (void)arg;
    struct rusage a, b;
    const int64_t ns = 1000000000;
    rt_sleep(100000000);
    getrusage(RUSAGE_SELF, &a);
    bench_begin();
    rt_sleep(ns);
    bench_end("", ns / 1000000);
    getrusage(RUSAGE_SELF, &b);
    bench_report("", "wakeups", (double)(b.ru_nvcsw - a.ru_nvcsw) * 1e9 / (double)ns);
}

const struct row bench_rows[] = {
    {"spawn", spawn_main, 1000, NULL},
    {"spawn1", spawn_main, 1, NULL},
    {"tree", tree_main, 20, tree_prepare},
    {"pingpong", pingpong_main, 0, chans_prepare},
    {"prodcons", prodcons_main, 128, NULL},
    {"select", select_main, 0, chans_prepare},
    {"yield", yield_main, 0, NULL},
    {"steal700", steal_main, 700, NULL},
    {"steal7000", steal_main, 7000, NULL},
    {"burst700", burst_main, 700, NULL},
    {"burst7000", burst_main, 7000, NULL},
    {"burst35000", burst_main, 35000, NULL},
    {"mutex", mutex_main, 0, NULL},
    {"park1e5", park_main, 100000, NULL},
    {"park1e6", park_main, 1000000, NULL},
    {"timers", timers_main, 0, NULL},
    {"periodic", periodic_main, 0, NULL},
    {"echo1000", echo_main, 1000, echo_prepare},
    {"echo9000", echo_main, 9000, echo_prepare},
    {"syscall", syscall_main, 0, NULL},
    {"preempt", preempt_main, 0, NULL},
    {"idle", idle_main, 0, NULL},
    {NULL, NULL, 0, NULL},
};
