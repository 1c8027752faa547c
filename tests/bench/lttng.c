/* What one event costs with LTTng-UST, as the part `log` of bench_micro measures ours: the counter alone, the event
 * while it is off, the event recorded. lttng.sh says which: on or off. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng_event.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TIMES = 7, N = 2000000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    double each[TIMES];
    (void)argc;
    for (int k = 0; k < TIMES; k++) {
        double begin = now();
        for (uint64_t i = 0; i < N; i++)
            lttng_ust_tracepoint(gmpscope_bench, append, i, i + 1, i + 2);
        each[k] = (now() - begin) / N;
    }
    qsort(each, TIMES, sizeof *each, by_size);
    printf("LTTng-UST, one event of 24 bytes, %-3s: %6.1f ns (least %.1f)\n", argv[1] ? argv[1] : "", each[TIMES / 2], each[0]);
    return 0;
}
