/* The wall's clock, for who waits for people, processes and threads that may hang. Scenario time is the conductor's. */
#ifndef GMPSCOPE_BASE_WALL_H
#define GMPSCOPE_BASE_WALL_H

#include <stdint.h>
#include <time.h>

/* Monotonic. */
static inline int64_t wall_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline int64_t wall_ms(void) { return wall_ns() / 1000000; }

#endif
