// The rows that boost.fiber can do as they are defined in README.md: fibers with stacks of 16 KiB, its own channels. At 2 Ps its
// work-stealing scheduler on two threads.
#include "peer.hpp"

#include <atomic>
#include <boost/fiber/all.hpp>
#include <thread>

namespace fibers = boost::fibers;

static constexpr std::size_t stack_size = 16384;

// One counter and one waiter.
static struct {
    std::atomic<int64_t> n{0};
    fibers::mutex mu;
    fibers::condition_variable cv;
} wg;

static void done()
{
    if (--wg.n == 0) {
        std::unique_lock<fibers::mutex> held(wg.mu);
        wg.cv.notify_one();
    }
}

static void wait()
{
    std::unique_lock<fibers::mutex> held(wg.mu);
    while (wg.n != 0)
        wg.cv.wait(held);
}

/* With one thread, stacks are reused; the pool is not made for two. */
template <class F> static void go(F fn)
{
    static fibers::pooled_fixedsize_stack pool(stack_size);
    if (peer::procs == 1)
        fibers::fiber(fibers::launch::post, std::allocator_arg, pool, fn).detach();
    else
        fibers::fiber(fibers::launch::post, std::allocator_arg, fibers::fixedsize_stack(stack_size), fn).detach();
}

static void spawn(int64_t batch)
{
    int64_t n = peer::count(1000000);
    peer::twice(n, [=] {
        for (int64_t left = n; left > 0; left -= batch) {
            int64_t b = left < batch ? left : batch;
            wg.n = b;
            for (int64_t i = 0; i < b; i++)
                go(done);
            wait();
        }
    });
}

static void pingpong(int64_t)
{
    int64_t n = peer::count(700000);
    fibers::unbuffered_channel<int64_t> there, back;
    peer::twice(n, [&] {
        wg.n = 1;
        go([&] {
            for (int64_t i = 0, v = 0; i < n; i++) {
                there.pop(v);
                back.push(v);
            }
            done();
        });
        for (int64_t i = 0, v = 0; i < n; i++) {
            there.push(i);
            back.pop(v);
        }
        wait();
    });
}

static void yield(int64_t)
{
    int64_t gs = 2 * peer::procs, n = peer::count(1000000) / gs;
    peer::twice(n * gs, [=] {
        wg.n = gs;
        for (int64_t i = 0; i < gs; i++)
            go([=] {
                for (int64_t k = 0; k < n; k++)
                    boost::this_fiber::yield();
                done();
            });
        wait();
    });
}

static const peer::row rows[] = {{"spawn", spawn, 1000}, {"spawn1", spawn, 1}, {"pingpong", pingpong, 0}, {"yield", yield, 0}};

/* The second thread only works for the scheduler; peer::main ends the process while it runs. */
static void second()
{
    fibers::use_scheduling_algorithm<fibers::algo::work_stealing>(2, true);
    fibers::mutex mu;
    fibers::condition_variable never;
    std::unique_lock<fibers::mutex> held(mu);
    for (;;)
        never.wait(held);
}

int main(int argc, char **argv)
{
    if (argc > 2 && std::atoi(argv[2]) > 1) {
        std::thread(second).detach();
        fibers::use_scheduling_algorithm<fibers::algo::work_stealing>(2, true); /* waits until both threads are there */
    }
    peer::main(argc, argv, rows, int(sizeof rows / sizeof *rows));
}
