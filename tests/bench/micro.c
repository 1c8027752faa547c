/* The single costs behind the benchmark's rows, in one table (README.md):
 *
 *   bench_micro GMPSCOPE [log|interp|fold|screen|view]... GMPSCOPE: the program; without a part: all
 */
#include "bench/micro.h"
#include "bench/common.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sample(struct samples *s, double v)
{
    if (s->n < SAMPLES_MAX)
        s->v[s->n++] = v;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct samples in_order(const struct samples *s)
{
    struct samples t = *s;
    qsort(t.v, (size_t)t.n, sizeof *t.v, by_value);
    return t;
}

static void print_row(const char *name, const char *unit, double median, double least, double greatest, const char *aim)
{
    printf("%-50s %10.4g %10.4g %10.4g  %-9s %s\n", name, median, least, greatest, unit, aim);
    fflush(stdout);
}

void micro_row(const char *name, const char *unit, const struct samples *s, const char *aim)
{
    struct samples t = in_order(s);
    if (t.n == 0)
        micro_failed(name, "nothing was measured");
    else
        print_row(name, unit, t.v[t.n / 2], t.v[0], t.v[t.n - 1], aim);
}

void micro_difference(const char *name, const char *unit, const struct samples *a, const struct samples *b, const char *aim)
{
    struct samples x = in_order(a), y = in_order(b);
    int last = (x.n < y.n ? x.n : y.n) - 1;
    char text[80];
    if (last < 0) {
        micro_failed(name, "nothing was measured");
        return;
    }
    snprintf(text, sizeof text, "%s (of %.4g)", aim, x.v[0]);
    print_row(name, unit, x.v[last / 2] - y.v[last / 2], x.v[0] - y.v[0], x.v[last] - y.v[last], text);
}

void micro_ratio(const char *name, const struct samples *a, const struct samples *b, const char *aim)
{
    struct samples r = {.n = 0};
    for (int i = 0; i < a->n && i < b->n; i++)
        sample(&r, a->v[i] / b->v[i]);
    micro_row(name, "", &r, aim);
}

void micro_interval(const char *name, const char *unit, const double *v, int n, const char *aim)
{
    struct samples t = {.n = 0};
    char text[100];
    for (int i = 0; i < n; i++)
        sample(&t, v[i]);
    qsort(t.v, (size_t)t.n, sizeof *t.v, by_value);
    /* The number of values below the true median is binomial, a half each: 1.96 standard deviations about n / 2. */
    int away = (int)ceil(0.98 * sqrt(t.n)), low = t.n / 2 - away, high = (t.n - 1) / 2 + away;
    if (low < 0)
        snprintf(text, sizeof text, "%s (%d pairs)", aim, t.n);
    else
        snprintf(text, sizeof text, "%s (95 %%: %.2f to %.2f, %d pairs)", aim, t.v[low], t.v[high], t.n);
    micro_row(name, unit, &t, text);
}

void micro_failed(const char *name, const char *why)
{
    fprintf(stderr, "bench_micro: %s: %s\n", name, why);
}

static bool asked(int argc, char **argv, const char *part)
{
    for (int i = 2; i < argc; i++)
        if (!strcmp(argv[i], part))
            return true;
    return argc <= 2;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "bench_micro GMPSCOPE [log|interp|fold|screen|view]...\n");
        return 2;
    }
#ifndef __OPTIMIZE__
    fprintf(stderr, "bench_micro: not optimised: configure with -DCMAKE_BUILD_TYPE=Release\n");
#endif
    printf("%-50s %10s %10s %10s  %-9s %s\n", "", "median", "min", "max", "", "aim");
    if (asked(argc, argv, "log"))
        micro_log();
    if (asked(argc, argv, "interp"))
        micro_interp();
    if (asked(argc, argv, "fold"))
        micro_fold();
    if (asked(argc, argv, "screen"))
        micro_screen(argv[1]);
    if (asked(argc, argv, "view"))
        micro_view();
    return 0;
}
