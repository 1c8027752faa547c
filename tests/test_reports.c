/* Reports: their parts against times that this test adds up from the event lines of the same run, and what they say on the screen. tests/go/traces/run
 * holds those of real Go programs against Go's own parser. */
#include "screen.h"
#include "shell.h"

#include <inttypes.h>
#include <unistd.h>

static char *const scenes[] = {"steal-half", "ping-pong", "blocking-syscall", "mutex-starving"};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* Returns the number behind the first "KEY": at or after `from`. */
static int64_t number(const char *from, const char *key)
{
    char with[60];
    snprintf(with, sizeof with, "\"%s\":", key);
    const char *at = strstr(from, with);
    CHECK(at);
    return strtoll(at + strlen(with), NULL, 10);
}

/* How long a G was in each of the states of a report, by the lines of its events. */
struct spent {
    int64_t running, syscall, waiting, runnable, all;
    int64_t *now, since;
};

static void move(struct spent *s, int64_t *to, int64_t time)
{
    if (s->now) {
        *s->now += time - s->since;
        s->all += time - s->since;
    }
    s->now = to;
    s->since = time;
}

static struct spent spent_of(char *scene, int g)
{
    struct spent s = {.now = NULL};
    char *l = RUN("run", scene, "--headless", "--events").out, of[20];
    int64_t last = 0;
    snprintf(of, sizeof of, " g=%d", g);
    for (char *next; *l; l = next) {
        next = strchr(l, '\n');
        CHECK(next);
        *next++ = '\0';
        const char *own = strstr(l, of);
        int64_t time = last = strtoll(l, NULL, 10);
        if (!own || (own[strlen(of)] && own[strlen(of)] != ' '))
            continue;
        if (strstr(l, " go_create") || strstr(l, " g_ready") || strstr(l, " g_preempt") || strstr(l, " g_yield") || strstr(l, " how=no_p"))
            move(&s, &s.runnable, time);
        else if (strstr(l, " g_start") || strstr(l, " syscall_exit"))
            move(&s, &s.running, time);
        else if (strstr(l, " g_park"))
            move(&s, &s.waiting, time);
        else if (strstr(l, " syscall_enter") || strstr(l, " syscall_block"))
            move(&s, &s.syscall, time);
        else if (strstr(l, " g_end"))
            move(&s, NULL, time);
    }
    move(&s, NULL, last);
    return s;
}

TEST(the_parts_of_a_wait_add_up_to_what_the_events_say)
{
    for (int i = 0; i < SCENES; i++)
        for (int g = 1; g <= 3; g++) {
            char asks[20];
            snprintf(asks, sizeof asks, "g%d wait", g);
            struct spent want = spent_of(scenes[i], g);
            struct result r = RUN("query", scenes[i], asks, "--json");
            CHECK_INT(r.code, 0);
            const char *states = strstr(r.out, "\"states\":"), *parts = strstr(r.out, "\"parts\":");
            CHECK(states && parts);
            CHECK_INT(number(r.out, "total_ns"), want.all);
            CHECK_INT(number(states, "running"), want.running);
            CHECK_INT(number(states, "syscall"), want.syscall);
            CHECK_INT(number(states, "blocked"), want.waiting);
            CHECK_INT(number(states, "runnable") + number(states, "stopped"), want.runnable);
            int64_t sum = 0;
            for (const char *p = parts; (p = strstr(p, "\"ns\":")); p++)
                sum += number(p, "ns");
            CHECK_INT(sum, want.all);
        }
}

/* One P: G3 waits until G2 has computed, and G1 until both are done. Each gate takes some ns of virtual time. */
static const char one_p[] =
    "name: t\nscheduler: {gomaxprocs: 1, preempt_slice: 10s, disable: [runnext]}\n"
    "waitgroups: [wg]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{add: wg, n: 2}, {go: first}, {go: second}, {wait: wg}]\n"
    "  - {name: first, do: [{compute: 2ms}, {done: wg}]}\n"
    "  - {name: second, do: [{compute: 1ms}, {sleep: 5ms}, {syscall: 3ms}, {done: wg}]}\n";

TEST(a_wait_says_behind_whom_and_until_whom)
{
    char *f = (char *)(uintptr_t)t_file("t.yaml", one_p);
    const char *out = RUN("query", f, "g3 wait").out;
    HAS(out, "G3 second, from event ");
    HAS(out, "2 ms");
    HAS(out, "in P0's queue, behind G2, which ran there\n");
    HAS(out, "for its timer, until the runtime readied it\n");
    HAS(out, "in system calls\n");
    HAS(out, "100.0 %  together\n");
    HAS(RUN("query", f, "G1 wait").out, "for a semaphore (wg), until G3 readied it\n");
    HAS(RUN("query", f, "g1 wait", "--lang", "zh").out, "信号量（wg），由 G3 唤醒\n");
    HAS(RUN("query", f, "g3 wait", "--json").out, "\"cause\":\"behind_g\",\"p\":\"P0\",\"g\":\"G2\",\"derived\":false,\"ns\":2000");
}

/* Main waits for G3, which sleeps by itself after G2 has sent it a value. G4 computes for longer than G2, but nothing waits for it. */
static const char relay[] =
    "name: t\nscheduler: {gomaxprocs: 3, preempt_slice: 10s}\n"
    "channels: [{name: a}, {name: b}]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: first}, {go: second}, {go: third}, {recv: b}]\n"
    "  - {name: first, do: [{compute: 2ms}, {send: a}]}\n"
    "  - {name: second, do: [{recv: a}, {sleep: 5ms}, {compute: 1ms}, {send: b}]}\n"
    "  - {name: third, do: [{compute: 3ms}]}\n";

TEST(the_critical_path_goes_back_over_those_who_were_waited_for)
{
    char *f = (char *)(uintptr_t)t_file("t.yaml", relay);
    struct result r = RUN("query", f, "path", "--json");
    CHECK_INT(r.code, 0);
    int64_t end = strtoll(RUN("query", f, "time(program_end)").out, NULL, 10);
    const char *all = strstr(r.out, "\"stretches\":");
    CHECK(all);
    /* main was readied by G3, that by G2, which main has created */
    const char *g[] = {"\"G1\"", "\"G3\"", "\"G2\"", "\"G1\""};
    int64_t sum = 0, begin = -1;
    for (int i = 0; i < 4; i++) {
        all = strstr(all, "{\"g\":");
        CHECK(all && !strncmp(all + 5, g[i], 4));
        if (begin >= 0) /* it ends where the later one begins */
            CHECK_INT(number(all, "begin_ns") + number(all, "ns"), begin);
        begin = number(all, "begin_ns");
        sum += number(all, "ns");
        all++;
    }
    CHECK(!strstr(all, "{\"g\":"));
    CHECK_INT(sum, number(r.out, "total_ns"));
    CHECK_INT(begin + sum, end);
    int64_t ran = number(r.out, "running_ns"), slept = number(r.out, "blocked_ns");
    CHECK(ran >= 3000000 && ran < 3100000 && slept >= 5000000 && slept < 5100000); /* third is not on it */
    const char *out = RUN("query", f, "path").out;
    HAS(out, "The critical path to G1 main at event ");
    HAS(out, "G3 second, readied or created by G2: ran for 1 ms");
    HAS(out, "G1 main, the root: ");
    HAS(RUN("query", f, "g4 path").out, "G4 third, readied or created by G1: ran for 3 ms");
    HAS(RUN("query", f, "path", "--lang", "zh").out, "由 G2 唤醒或创建");
    HAS(RUN("query", "steal-half", "path #232").out, "The critical path to G3 worker at event 232"); /* G3 starts there */
    CHECK_INT(RUN("query", f, "g4 path #5").code, 1);                                                /* it is not there yet */
    struct result wrong = RUN("query", f, "path 5");
    CHECK_INT(wrong.code, 2);
    HAS(wrong.err, "column 6: expected an event, such as #197");
}

/* The stops of the world, added up here from the event lines. */
TEST(figures_under_the_names_of_go)
{
    char *l = RUN("run", "gc-cycle", "--headless", "--events").out;
    int64_t began = -1, longest = 0, stops = 0;
    for (char *next; *l; l = next) {
        next = strchr(l, '\n');
        *next++ = '\0';
        int64_t time = strtoll(l, NULL, 10);
        if (strstr(l, " stw_start why=gc"))
            began = time;
        if (strstr(l, " stw_end") && began >= 0) {
            stops++;
            longest = time - began > longest ? time - began : longest;
            began = -1;
        }
    }
    CHECK(stops > 0);
    const char *json = RUN("query", "gc-cycle", "/sched/pauses/total/gc:seconds", "--json").out;
    CHECK_INT(number(json, "n"), stops);
    CHECK_INT(number(json, "max_ns"), longest);
    CHECK_STR(RUN("query", "steal-half", "/sched/gomaxprocs:threads").out, "2\n");
    CHECK_STR(RUN("query", "steal-half", "/sched/goroutines-created:goroutines").out, "10\n");
    CHECK_STR(RUN("query", "steal-half", "/sched/goroutines:goroutines").out, "1\n"); /* main */
    /* two Ps for as long as the run has them: from procresize on */
    int64_t from = strtoll(RUN("query", "steal-half", "time(procresize)").out, NULL, 10),
            to = strtoll(RUN("query", "steal-half", "time(program_end)").out, NULL, 10);
    char total[40];
    snprintf(total, sizeof total, "%.9f\n", 2 * (double)(to - from) / 1e9);
    CHECK_STR(RUN("query", "steal-half", "/cpu/classes/total:cpu-seconds").out, total);
    CHECK_INT(RUN("query", "steal-half", "/sched/goroutine:goroutines").code, 2);
}

TEST(the_same_of_a_recording)
{
    char *scene = RUN("query", "steal-half", "g4 wait").out;
    const char *at = t_file("a.run", "");
    unlink(at);
    CHECK_INT(RUN("run", "steal-half", "--headless", "--record", (char *)(uintptr_t)at).code, 0);
    CHECK_STR(RUN("query", (char *)(uintptr_t)at, "g4 wait").out, scene);
}

TEST(what_is_no_report)
{
    struct result r = RUN("query", "steal-half", "g77 wait");
    CHECK_INT(r.code, 1);
    CHECK_STR(r.out, "");
    CHECK_STR(r.err, "gmpscope: \"g77 wait\" has no answer: nothing in this run is what it asks about\n");
    r = RUN("query", "steal-half", "wait g4");
    CHECK_INT(r.code, 2);
    CHECK_STR(r.err, "gmpscope: \"wait g4\": column 1: the G comes first: g4 wait\n");
    r = RUN("query", "steal-half", "g4 wait long");
    CHECK_INT(r.code, 2);
    CHECK_STR(r.err, "gmpscope: \"g4 wait long\": column 9: nothing may follow here\n");
    CHECK_INT(RUN("query", "steal-half", "g4 weit").code, 2);
}

TEST(values_as_json)
{
    CHECK_STR(RUN("query", "steal-half", "count(deadlock)", "--json").out, "{\"query\":\"count(deadlock)\",\"value\":0}\n");
    CHECK_STR(RUN("query", "steal-half", "value(go_create fn=worker .fn)", "--json").out,
              "{\"query\":\"value(go_create fn=worker .fn)\",\"value\":\"worker\"}\n");
}

/* ---- the screen ---- */

TEST(the_screen_has_the_same_rows_up_to_the_event_that_is_shown)
{
    static const int sizes[][2] = {{24, 80}, {40, 120}, {60, 200}};
    for (int i = 0; i < 3; i++) {
        struct term *t = term_start(sizes[i][0], sizes[i][1], NULL, STEAL_HALF("--tempo", "max"));
        term_wait(t, "ENDED");
        term_keys(t, ":wait g4\r");
        term_wait(t, "G4 worker, from event 30 to its end at event 272");
        term_wait(t, "in P1's queue, behind G3, which ran there");
        term_wait(t, "together");
        term_keys(t, "jj\r"); /* to where the longest of these waits began */
        term_wait_gone(t, "together");
        term_wait(t, "event 232");
        term_keys(t, ":wait g4\r");
        term_wait(t, "G4 worker, from event 30 to event 232");
        term_keys(t, "\x1b");
        term_wait_gone(t, "together");
        term_keys(t, ":path g4\r");
        term_wait(t, "The critical path to G4 worker at event 232");
        term_keys(t, "\x1b:metrics\r");
        term_wait(t, "/sched/gomaxprocs:threads");
        term_keys(t, "\x1b:wait 4\r");
        term_wait(t, "expected a G, such as g4");
        term_free(t);
    }
}
