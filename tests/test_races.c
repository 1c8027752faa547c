/* Data races: which synchronization orders two accesses, as Go's race detector sees it. tests/races compares random programs with real Go. */
#include "shell.h"

static struct result json_of(const char *file, const char *mode)
{
    return RUN("run", (char *)(uintptr_t)file, "--headless", "--json", "--mode", (char *)(uintptr_t)mode);
}

static long counter_of(const char *out)
{
    const char *at = strstr(out, "\"races\":");
    CHECK(at);
    return strtol(at + strlen("\"races\":"), NULL, 10);
}

/* Runs a program whose main starts g, with one shared variable x. */
static const char *program(const char *objects, const char *before, const char *g, const char *after)
{
    char *yaml;
    CHECK(asprintf(&yaml,
                   "name: t\nscheduler: {gomaxprocs: 1}\nshared: [x]\nwaitgroups: [end]\n%s\ngoroutines:\n"
                   "  - name: main\n    do: [{add: end}, %s {go: g}, %s {wait: end}]\n  - name: g\n    do: [%s {done: end}]\n",
                   objects, before, after, g) > 0);
    const char *file = t_file("t.yaml", yaml);
    free(yaml);
    return file;
}

static void check(const char *file, int races)
{
    static const char *const modes[] = {"lockstep", "free"};
    for (int i = 0; i < 2; i++) {
        struct result r = json_of(file, modes[i]);
        CHECK_STR(r.err, "");
        CHECK_INT(r.code, 0);
        CHECK_INT(counter_of(r.out), races);
    }
}

#define W "{set: x, to: 1}"
#define R "{if: \"x == 0\", then: []}"

TEST(go_orders_what_comes_before_it)
{
    check(program("", W ",", R ",", ""), 0);
    check(program("", "", W ",", R ","), 1);
    check(program("", "", R ",", R ","), 0);
}

TEST(a_wait_group_orders_done_and_wait)
{
    check(program("", "", W ",", "{wait: end}, " W ","), 0);
}

TEST(a_channel_without_buffer_orders_both_ways)
{
    check(program("channels: [c]", "", W ", {send: c},", "{recv: c}, " W ","), 0);
    check(program("channels: [c]", "", "{send: c}, " W ",", W ", {recv: c},"), 0);
    check(program("channels: [c]", "", "{send: c}, " W ",", "{recv: c}, " W ","), 1);
    check(program("channels: [c, d]", "", W ", {select: [{send: c}, {recv: d}]},", "{recv: c}, " W ","), 0);
}

TEST(a_buffer_orders_a_receive_and_the_send_that_takes_its_slot)
{
    const char *one = "channels: [{name: c, buffer: 1}]", *two = "channels: [{name: c, buffer: 2}]";
    check(program(one, "", W ", {send: c},", "{recv: c}, " W ","), 0);
    check(program(one, "", W ", {recv: c},", "{send: c}, " W ","), 1);
    check(program(one, "", W ", {recv: c},", "{send: c}, {send: c}, " W ","), 0);
    check(program(two, "", W ", {recv: c},", "{send: c}, {send: c}, " W ","), 1);
}

TEST(a_close_orders_the_receive_that_sees_it)
{
    check(program("channels: [c]", "", W ", {close: c},", "{recv: c}, " W ","), 0);
    check(program("channels: [c]", "", W ", {recv: c}, " W ",", W ", {yield: 3}, {close: c},"), 1);
}

TEST(locks_order_their_sections)
{
    check(program("mutexes: [m]", "", "{lock: m}, " W ", {unlock: m},", "{lock: m}, " W ", {unlock: m},"), 0);
    check(program("mutexes: [m, n]", "", "{lock: m}, " W ", {unlock: m},", "{lock: n}, " W ", {unlock: n},"), 1);
    check(program("rwmutexes: [m]", "", "{rlock: m}, " R ", {runlock: m},", "{wlock: m}, " W ", {wunlock: m},"), 0);
    check(program("rwmutexes: [m]", "", "{rlock: m}, " W ", {runlock: m},", "{rlock: m}, " W ", {runlock: m},"), 1);
}

TEST(a_timer_follows_what_made_it)
{
    check(program("channels: [c]", "", "{recv: c}, " W ",", W ", {timer: c, after: 1us},"), 0);
    check(program("channels: [c]", "", "{recv: c}, " W ",", "{timer: c, after: 1us}, " W ","), 1);
    check(program("", "", "", "{add: end}, " W ", {after: 1us, go: g},"), 0);
    check(program("", "", W ",", "{add: end}, {after: 1us, go: g},"), 1); /* the two Gs, at one operation */
    check(program("", "", "{sleep: 1us}, " W ",", "{sleep: 1ms}, " W ","), 1);
}

TEST(a_conn_orders_a_write_and_the_read_of_it)
{
    check(program("conns: [c]", "", W ", {write: c.a, bytes: 1},", "{read: c.b, bytes: 1}, " W ","), 0);
    check(program("conns: [c]", "", "{write: c.a, bytes: 1}, " W ",", "{read: c.b, bytes: 1}, " W ","), 1);
}

TEST(a_race_is_reported_with_both_places_and_the_last_step_that_orders_them)
{
    const char *text =
        "name: t\nshared: [x]\nchannels: [{name: c, buffer: 1}]\nwaitgroups: [end]\ngoroutines:\n"
        "  - name: main\n    do:\n      - add: end\n      - go: g\n      - recv: c\n      - set: x\n        to: 1\n"
        "      - wait: end\n  - name: g\n    do:\n      - send: c\n      - sleep: 1us\n      - set: x\n        to: \"x + 1\"\n"
        "      - done: end\nexpect: [{races: 0}]\n";
    const char *file = t_file("two.yaml", text);
    struct result r = RUN("run", (char *)(uintptr_t)file, "--headless");
    CHECK_INT(r.code, 1);
    HAS(r.err,
        "data races: expected 0, got 1; the first: data race on x: G1 (main) writes it at line 11, and G2 (g) reads it at line 18; "
        "after G1's \"go g\" at line 9, nothing orders the two");
    HAS(RUN("check", (char *)(uintptr_t)file).out, "data races: expected 0, got 1");
    HAS(RUN("run", (char *)(uintptr_t)file, "--headless", "--narrate", "--lang", "zh").out, "x 上有数据竞争：G1（main）在第 11 行写它");
    HAS(RUN("explore", (char *)(uintptr_t)file, "--seeds", "4").out, "data races: 1 pair of lines, first in seed 1");
    CHECK_STR(RUN("query", (char *)(uintptr_t)file, "counter(races)").out, "1\n");
    struct result json = json_of(file, "lockstep");
    HAS(json.out, "\"races\":[{\"variable\":\"x\",\"first\":{\"g\":1,\"fn\":\"main\",\"access\":\"write\",\"line\":11,\"col\":9}");
}

TEST(many_goroutines_share_few_clocks)
{
    const char *text =
        "name: t\nshared: [n]\nmutexes: [mu]\nwaitgroups: [wg]\ngoroutines:\n"
        "  - {name: main, do: [{add: wg, n: 10000}, {go: w, count: 10000}, {wait: wg}, {print: \"{n}\"}]}\n"
        "  - {name: w, do: [{lock: mu}, {set: n, to: \"n + 1\"}, {unlock: mu}, {done: wg}]}\n";
    check(t_file("many.yaml", text), 0);
}

/* Each of them races with all others, and the first operation of each with the last of all: what is kept of a variable is bounded. */
TEST(many_goroutines_race_for_one_variable)
{
    const char *text =
        "name: t\nshared: [n, m]\nwaitgroups: [wg]\ngoroutines:\n"
        "  - {name: main, do: [{add: wg, n: 5000}, {go: w, count: 5000}, {set: n, to: 1}, {wait: wg}, {print: \"{n}\"}]}\n"
        "  - {name: w, do: [{if: \"i % 2 == 0\", then: [{set: n, to: 2}], else: [{set: n, to: 3}]}, {done: wg}]}\n";
    check(t_file("race.yaml", text), 5); /* each of the three writes with the others, and each of two with itself */
}
