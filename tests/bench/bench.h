/* Shared by the rows of the benchmark: their sizes, start and end of a measurement, and the reports. */
#ifndef GMPSCOPE_BENCH_H
#define GMPSCOPE_BENCH_H

#include "runtime/runtime.h"
#include <stdatomic.h>

struct row {
    const char *name;
    rt_fn *main;                            /* the program's main: warms up, measures, reports */
    int64_t x;                              /* the row's own size: a batch, a burst, a number of Gs */
    bool (*prepare)(const struct row *row); /* before rt_start; false: the row cannot run here */
};
extern const struct row bench_rows[];

/* Of this process; constant once the program runs. */
extern struct bench {
    const struct row *row;
    struct sched *s;
    uint32_t procs;
    int64_t scale; /* every N is divided by it (bench-quick) */
    bool (*hook)(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len);
} bench;

/* On G stacks. The code between the two calls is measured; ops: its number of operations. Reports wall and cpu (ns
 * per operation), load (CPUs busy), events (per operation). `prefix` goes before these names. */
void bench_begin(void);
void bench_end(const char *prefix, int64_t ops);
void bench_report(const char *prefix, const char *name, double value);

int64_t bench_now(void);                   /* CLOCK_MONOTONIC, ns */
int64_t bench_memory(void);                /* RSS and page tables, bytes */
int64_t bench_n(int64_t n);                /* n by the scale */
void bench_late(int64_t *late, int64_t n); /* sorts and reports p50, p99, max in us */

/* consumer.c: drains the log live, checks every ticket, drops the record. */
bool consumer_init(void);
int64_t consumer_turn(struct log *log); /* returns the number of events */
const char *consumer_error(void);

#endif
