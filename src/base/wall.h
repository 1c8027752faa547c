/* The wall clock, for code that waits for people, processes and threads that may hang. Scenario time belongs to the conductor. */
#ifndef GMPSCOPE_BASE_WALL_H
#define GMPSCOPE_BASE_WALL_H

#include <stdint.h>
#include <time.h>

static inline int64_t wall_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int64_t wall_ms(void)
{
    return wall_ns() / 1000000;
}

#endif
