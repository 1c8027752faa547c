/* See common.h. */
#include "bench/common.h"
#include "scenario/scenario.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Twenty workers on one mutex and one channel, whose values become Gs; `rests`: what a worker does between two
 * rounds. */
#define WORKERS(name, procs, rests) \
    "name: " name \
    "\n" \
    "scheduler: {gomaxprocs: " procs \
    "}\n" \
    "waitgroups: [wg]\n" \
    "mutexes: [mu]\n" \
    "channels: [{name: c, buffer: 2}]\n" \
    "goroutines:\n" \
    "  - name: main\n" \
    "    do: [{add: wg, n: 20}, {go: worker, count: 20}, {loop: forever, do: [{recv: c, as: v}, {go: child}]}]\n" \
    "  - name: child\n" \
    "    do: [{compute: 1us}]\n" \
    "  - name: worker\n" \
    "    do:\n" \
    "      - loop: forever\n" \
    "        do: [{compute: 3us}, {lock: mu}, {compute: 1us}, {unlock: mu}, {yield: 1}, " rests "{send: c, value: i}]\n"

/* `busy`: few Gs, all kinds of events. `one`: the same on one P that never waits. `gs`: very many Gs, all of which
 * run again and again, so every keyframe is large. */
static const struct {
    const char *name, *text;
} programs[] = {
    {"busy", WORKERS("busy", "4", "{sleep: 20us}, ")},
    {"one", WORKERS("one", "1", "")},
    {"gs",
     "name: gs\n"
     "scheduler: {gomaxprocs: 4}\n"
     "goroutines:\n"
     "  - name: main\n"
     "    do: [{go: worker, count: 200000}, {loop: forever, do: [{yield: 1}]}]\n"
     "  - name: worker\n"
     "    do: [{loop: forever, do: [{yield: 1}]}]\n"},
};

int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void text_file(const char *text, char path[PROGRAM_PATH])
{
    strcpy(path, "/tmp/bench-XXXXXX.yaml");
    int fd = text ? mkstemps(path, 5) : -1;
    bool written = fd >= 0 && write(fd, text, strlen(text)) > 0;
    if (fd >= 0)
        close(fd);
    if (!written)
        path[0] = '\0';
}

static const char *text_of(const char *name)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (!strcmp(programs[i].name, name))
            return programs[i].text;
    return NULL;
}

void program_file(const char *name, char path[PROGRAM_PATH])
{
    text_file(text_of(name), path);
}

struct scenario *program_load_text(const char *text)
{
    char path[PROGRAM_PATH];
    struct diag d;
    text_file(text, path);
    diag_init(&d, path);
    struct scenario *sc = scenario_load(path, &d);
    diag_print(&d, stderr);
    diag_fini(&d);
    unlink(path);
    return sc;
}

struct scenario *program_load(const char *name)
{
    return program_load_text(text_of(name));
}
