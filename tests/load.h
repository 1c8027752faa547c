/* Scenarios for tests: a scenario with mistakes fails the test. */
#ifndef GMPSCOPE_TESTS_LOAD_H
#define GMPSCOPE_TESTS_LOAD_H

#include "scenario/scenario.h"
#include "t.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static inline struct scenario *load(const char *path)
{
    struct diag d;
    diag_init(&d, path);
    struct scenario *sc = scenario_load(path, &d);
    diag_print(&d, stderr);
    CHECK(sc);
    diag_fini(&d);
    return sc;
}

/* go1.21 to go1.27 have one text and differ in rules. The newest has all of them; with GMPSCOPE_LONG=1 the others are tried, too. */
static inline bool is_tried(int gen)
{
    return t_count(0, 1) || gen == GO1_27 || gen >= GO1_20;
}

/* Calls fn for each shipped scenario. Returns their number. */
static inline int each_scenario(void (*fn)(const struct scenario *sc, const char *path, void *ctx), void *ctx)
{
    int n = 0;
    DIR *d = opendir(SOURCE_DIR "/scenarios");
    CHECK(d);
    for (struct dirent *x; (x = readdir(d));) {
        char path[1024];
        size_t len = strlen(x->d_name);
        if (len < 5 || strcmp(x->d_name + len - 5, ".yaml"))
            continue;
        snprintf(path, sizeof path, "%s/scenarios/%s", SOURCE_DIR, x->d_name);
        struct scenario *sc = load(path);
        fn(sc, path, ctx);
        scenario_free(sc);
        n++;
    }
    closedir(d);
    CHECK(n > 10);
    return n;
}

/* n (a string) Gs that compute, lock, sleep, make system calls and send to main, which prints what it receives. Each
 * G makes `loops` turns. `settings` are the scheduler's. */
#define BUSY(settings, n, loops) \
    "name: busy\n" \
    "title: Busy\n" \
    "scheduler: {" settings \
    "}\n" \
    "waitgroups: [wg]\n" \
    "mutexes: [mu]\n" \
    "channels: [{name: c, buffer: 2}]\n" \
    "goroutines:\n" \
    "  - name: main\n" \
    "    do:\n" \
    "      - {add: wg, n: " n \
    "}\n" \
    "      - {go: worker, count: " n \
    "}\n" \
    "      - {loop: " n \
    ", do: [{recv: c, as: v}, {print: \"got {v}\"}]}\n" \
    "      - wait: wg\n" \
    "  - name: worker\n" \
    "    do:\n" \
    "      - {loop: " loops \
    ", do: [{compute: 3us}, {lock: mu}, {compute: 1us}, {unlock: mu}, {yield: 1}]}\n" \
    "      - {sleep: 20us}\n" \
    "      - {syscall: 30us}\n" \
    "      - {send: c, value: i}\n" \
    "      - done: wg\n"

#endif
