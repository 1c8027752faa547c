/* See common.h. */
#include "bench/common.h"
#include "scenario/scenario.h"
#include <stdio.h>

int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void program_file(const char *name, char path[PROGRAM_PATH])
{
    snprintf(path, PROGRAM_PATH, "%s/%s.yaml", BENCH_SCENARIOS, name);
}

struct scenario *program_load(const char *name)
{
    char path[PROGRAM_PATH];
    struct diag d;
    program_file(name, path);
    diag_init(&d, path);
    struct scenario *sc = scenario_load(path, &d);
    diag_print(&d, stderr);
    diag_fini(&d);
    return sc;
}
