/* See common.h. */
#include "bench/common.h"
#include "scenario/scenario.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static struct scenario *load(const char *path)
{
    struct diag d;
    diag_init(&d, path);
    struct scenario *sc = scenario_load(path, &d);
    diag_print(&d, stderr);
    diag_fini(&d);
    return sc;
}

void program_file(const char *name, char path[PROGRAM_PATH])
{
    snprintf(path, PROGRAM_PATH, "%s/%s.yaml", BENCH_SCENARIOS, name);
}

struct scenario *program_load(const char *name)
{
    char path[PROGRAM_PATH];
    program_file(name, path);
    return load(path);
}

struct scenario *program_load_text(const char *text)
{
    char path[] = "/tmp/bench-XXXXXX.yaml";
    int fd = mkstemps(path, 5);
    bool written = fd >= 0 && write(fd, text, strlen(text)) > 0;
    if (fd >= 0)
        close(fd);
    struct scenario *sc = written ? load(path) : NULL;
    unlink(path);
    return sc;
}
