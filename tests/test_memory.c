/* The limit of memory for what a program takes (--memory): each way to take it without end ends in one clear message, with exit code 2 and
 * without a verdict, in each command. */
#include "runtime/runtime.h"
#include "runtime/stack/stack.h"
#include "screen.h"
#include "shell.h"

#include <sys/resource.h>

#define LIMIT "gmpscope: the program needs more memory"
#define MAIN(ops) "goroutines: [{name: main, do: [" ops "]}, {name: t, do: [{sleep: 100s}]}]\n"
#define LARGE \
    "name: large\nchannels: [{name: a, buffer: 1000000}, {name: b, buffer: 1000000}, {name: c, buffer: 1000000},\n  {name: d, buffer: 1000000}]\n" MAIN( \
        "{yield: 1}")
#define MANY "name: many\n" MAIN("{go: t, count: 9999999}")

static const struct way {
    const char *yaml, *kind;
} ways[] = {
    {MANY, "goroutines"},
    {"name: t\ngoroutines: [{name: main, do: [{go: t, count: 9999999, args: [1, 2, 3, 4, 5, 6, 7, 8, 9]}]},\n"
     "  {name: t, params: [a, b, c, d, e, f, g, h, j], do: [{sleep: 100s}]}]\n",
     "goroutines"},
    {"name: t\nchannels: [a, b]\ngoroutines: [{name: main, do: [{go: t, count: 9999999}]},\n"
     "  {name: t, do: [{select: [{recv: a}, {recv: b}]}]}]\n",
     "goroutines"},
    {LARGE, "channels and other objects"},
    {"name: t\n" MAIN("{loop: forever, do: [{print: a line of some length}]}"), "printed lines"},
    {"name: t\n" MAIN("{loop: forever, do: [{after: 100s, go: t}]}"), "timers and what they start"},
    {"name: t\n" MAIN("{loop: forever, do: [{finalizer: t}]}"), "timers and what they start"},
    {"name: t\ngoroutines: [{name: main, do: [{loop: 1000, do: [{go: t}, {sleep: 1ms}]}]}, {name: t, do: [{syscall: 100s}]}]\n", "threads"},
};

static long peak_kib(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return u.ru_maxrss;
}

TEST(each_way_to_take_memory_has_a_limit)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct result r = HEADLESS(t_file("f.yaml", ways[i].yaml), "--memory", "24M", "--limit", "1000s", "--json");
        CHECK_INT(r.code, 2);
        CHECK_STR(r.out, "");
        HAS(r.err, LIMIT);
        HAS(r.err, ways[i].kind);
        HAS(r.err, " its limit, 24 MiB");
        HAS(r.err, "--memory sets the limit\n");
        CHECK_INT(lines(r.err), 1);
    }
    if (!T_SANITIZED)
        CHECK(peak_kib() < 64 << 10); /* what is counted is what is taken, and the program itself is small */
}

TEST(memory_that_is_freed_is_not_counted)
{
    static const char *const yaml[] = {
        "name: t\nwaitgroups: [wg]\ngoroutines: [{name: main, do: [{loop: 30000, do: [{add: wg}, {go: t, args: [1, 2, 3, 4, 5, 6, 7, 8, 9]},\n"
        "  {wait: wg}]}]}, {name: t, params: [a, b, c, d, e, f, g, h, j], do: [{done: wg}]}]\n",
        "name: t\nchannels: [{name: a, buffer: 1}, b]\nwaitgroups: [wg]\ngoroutines: [{name: main, do: [{loop: 30000, do: [{add: wg}, {go: t},\n"
        "  {wait: wg}]}]}, {name: t, do: [{send: a, value: 1}, {select: [{recv: a}, {recv: b}]}, {done: wg}]}]\n",
        "name: t\ngoroutines: [{name: main, do: [{loop: 30000, do: [{after: 1us, go: t}, {sleep: 10us}]}]}, {name: t}]\n"};
    for (size_t i = 0; i < sizeof yaml / sizeof *yaml; i++) {
        struct result r = HEADLESS(t_file("f.yaml", yaml[i]), "--memory", "1M", "--limit", "1000s");
        CHECK_STR(r.err, "");
        CHECK_INT(r.code, 0);
    }
}

TEST(each_command_says_it)
{
    const char *many = t_file("many.yaml", MANY), *large = t_file("large.yaml", LARGE);
    for (int i = 0; i < 2; i++) {
        char *f = (char *)(i ? large : many);
        struct result r[] = {
            RUN("check", f, "--memory", "16M"), RUN("explore", f, "--memory", "16M", "--seeds", "4"),
            RUN("compare", f, "--memory", "16M", "--headless", "--right", "procs=1"), RUN("query", f, "count(steal)", "--memory", "16M")};
        for (size_t k = 0; k < sizeof r / sizeof *r; k++) {
            CHECK_INT(r[k].code, 2);
            HAS(r[k].err, "the program needs more memory");
            CHECK(!strstr(r[k].out, "FAILED") && !strstr(r[k].err, "fatal error"));
        }
    }
}

TEST(a_screen_says_it)
{
    const char *f = t_file("many.yaml", MANY);
    struct term *t = term_start(24, 80, NULL, (const char *const[]){GMPSCOPE_BIN, "run", f, "--memory", "8M", "--tempo", "max", NULL});
    term_wait(t, "needs more memory than its limit, 8 MiB");
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 2);
    term_check_sane(t);
    term_free(t);
}

TEST(a_wrong_size_is_refused)
{
    struct result r = HEADLESS("steal-half", "--memory", "1000K");
    CHECK_INT(r.code, 2);
    CHECK_STR(r.err, "gmpscope: --memory: expected a size of at least 1M, such as 64M or 2G, got \"1000K\"\n");
    CHECK_INT(HEADLESS("steal-half", "--memory", "1M").code, 0);
}

/* The contract: a million Gs that wait fit into what is given without --memory, if the machine has as much. tests/long runs them. */
TEST(the_default_is_enough_for_a_million)
{
    uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    CHECK(rt_memory_default() <= (uint64_t)8 << 30 && rt_memory_default() <= machine);
    CHECK(machine < (uint64_t)11 << 30 || rt_memory_default() > (uint64_t)1000000 * (STACK_G_BYTES + 1024));
}

/* Each seed draws other numbers. What was drawn for one seed is not kept for the next. */
TEST(drawn_scenarios_are_not_kept)
{
    if (T_SANITIZED)
        t_skip("a sanitizer keeps freed memory");
    const char *f = t_file("v.yaml", "name: v\nvary: {n: 1..1000000}\ngoroutines: [{name: main, do: [{compute: '{n}ns'}]}]\n");
    CHECK_INT(RUN("explore", (char *)f, "--jobs", "1", "--seeds", "3000").code, 0);
    CHECK(peak_kib() < 20 << 10);
}
