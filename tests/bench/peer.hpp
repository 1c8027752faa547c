// What the peers of the benchmark share (README.md): the two ends of a measurement, and one row a process, as in bench.go.
//
//	bench_PEER ROW PROCS off [SCALE]          without arguments: the rows that it has
#ifndef GMPSCOPE_BENCH_PEER_HPP
#define GMPSCOPE_BENCH_PEER_HPP

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>

namespace peer {

struct row {
    const char *name;
    void (*run)(int64_t x);
    int64_t x;                    // the row's own size, as in rows.c
};

inline int procs = 1;
inline int64_t scale = 1;

inline int64_t clock_ns(clockid_t id)
{
    timespec t;
    clock_gettime(id, &t);
    return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
}

inline int64_t count(int64_t n)
{
    return n / scale > 0 ? n / scale : 1;
}

inline void report(const char *name, double value)
{
    std::printf("%s %.6g\n", name, value);
}

// One pass to warm up, one that is measured. The wall time of an operation.
inline double twice(int64_t ops, const std::function<void()> &pass)
{
    pass();
    int64_t cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID), wall = clock_ns(CLOCK_MONOTONIC);
    pass();
    double w = double(clock_ns(CLOCK_MONOTONIC) - wall), c = double(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    report("wall", w / double(ops));
    report("cpu", c / double(ops));
    report("load", c / w);
    return w / double(ops);
}

// Ends the process.
[[noreturn]] inline void main(int argc, char **argv, const row *rows, int n)
{
    for (int i = 0; argc < 2 && i < n; i++)
        std::printf("%s\n", rows[i].name);
    if (argc > 2)
        procs = std::atoi(argv[2]);
    if (argc > 4)
        scale = std::atoll(argv[4]);
    for (int i = 0; argc > 2 && i < n; i++)
        if (!std::strcmp(argv[1], rows[i].name)) {
            rows[i].run(rows[i].x);
            std::fflush(stdout);
            std::_Exit(0);
        }
    std::fflush(stdout);
    std::_Exit(argc < 2 ? 0 : 2);
}

} // namespace peer

#endif
