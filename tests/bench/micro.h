/* The single costs: what bench_micro measures, row by row (micro.c prints them in one table). */
#ifndef GMPSCOPE_BENCH_MICRO_H
#define GMPSCOPE_BENCH_MICRO_H

#include <stdbool.h>

enum { SAMPLES_MAX = 1024 };

/* Values of one row, in the order in which they were measured. */
struct samples {
    double v[SAMPLES_MAX];
    int n;
};
void sample(struct samples *s, double v);

/* One line of the table: the median, the least and the greatest value. aim: the target, as text; "" if there is
 * none. */
void micro_row(const char *name, const char *unit, const struct samples *s, const char *aim);
/* The same for the quotient of two measured values, pair by pair. */
void micro_ratio(const char *name, const struct samples *a, const struct samples *b, const char *aim);
/* What a takes more than b: the differences of their medians, of their least and of their greatest values. After the aim follows a's least
 * value. */
void micro_difference(const char *name, const char *unit, const struct samples *a, const struct samples *b, const char *aim);
/* A median of pairs in the same table. After the aim follows its 95 % interval, which holds for any distribution of
 * the values. */
void micro_interval(const char *name, const char *unit, const double *v, int n, const char *aim);
/* Reports on stderr why a row is missing. */
void micro_failed(const char *name, const char *why);

void micro_log(void);                    /* micro_log.c: the clock, the append, the gate */
void micro_interp(void);                 /* micro_interp.c: the scenario interpreter's own cost */
void micro_fold(void);                   /* micro_run.c: the fold, lockstep, bytes an event */
void micro_screen(const char *gmpscope); /* micro_screen.c: the real program on a pty */
void micro_view(void);                   /* micro_view.c: what watching costs a run */

#endif
