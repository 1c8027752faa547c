// The rows that are tasks to TBB, as they are defined in README.md: task_group, one arena of as many threads as there are Ps.
#include "peer.hpp"

#include <atomic>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

static __attribute__((noinline)) uint64_t xorshift(uint64_t v, int64_t n)
{
    for (; n > 0; n--) {
        v ^= v << 13;
        v ^= v >> 7;
        v ^= v << 17;
    }
    return v;
}

static std::atomic<uint64_t> sink;

static void task(int64_t i, int64_t x)
{
    if (xorshift(uint64_t(i) + 1, x) == 0)
        sink = 1; /* never happens: keeps the loop */
}

// One task alone: the best of nine.
static double serial(int64_t x, double best)
{
    for (int i = 0; i < 9; i++) {
        int64_t n = 2000000 / x, t = peer::clock_ns(CLOCK_MONOTONIC);
        for (int64_t k = 0; k < n; k++)
            task(k, x);
        double each = double(peer::clock_ns(CLOCK_MONOTONIC) - t) / double(n);
        best = each < best ? each : best;
    }
    return best;
}

static void steal(int64_t x)
{
    constexpr int64_t batch = 2000;
    int64_t n = peer::count((x < 7000 ? 100000 : 20000) / batch) * batch;
    double alone = serial(x, 1e18);
    double wall = peer::twice(n, [=] {
        for (int64_t k = 0; k < n; k += batch) {
            tbb::task_group g;
            for (int64_t i = 0; i < batch; i++)
                g.run([=] { task(i, x); });
            g.wait();
        }
    });
    alone = serial(x, alone);
    peer::report("serial", alone);
    peer::report("efficiency", alone / (wall * peer::procs));
}

static void node(int64_t i, int64_t inner)
{
    if (i >= inner)
        return;
    tbb::task_group g;
    g.run([=] { node(2 * i + 1, inner); });
    g.run([=] { node(2 * i + 2, inner); });
    g.wait();
}

static void tree(int64_t depth)
{
    depth -= peer::scale > 1 ? 3 : 0;
    int64_t inner = (int64_t(1) << (depth - 1)) - 1;
    peer::twice(2 * inner + 1, [=] {
        tbb::task_group g;
        g.run([=] { node(0, inner); });
        g.wait();
    });
}

static const peer::row rows[] = {{"steal700", steal, 700}, {"steal7000", steal, 7000}, {"tree", tree, 20}};

int main(int argc, char **argv)
{
    int procs = argc > 2 ? std::atoi(argv[2]) : 1;
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::size_t(procs));
    tbb::task_arena arena(procs);
    arena.execute([&] { peer::main(argc, argv, rows, int(sizeof rows / sizeof *rows)); });
}
