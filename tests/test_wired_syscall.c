/* System calls since Go 1.26 (wired_syscall): the P stays with its M, and running, and who wants it asks the G. */
#include "shell.h"

#include <stdlib.h>

/* Calls of all kinds on a changing number of Ps, while the world stops. */
static const char calls[] =
    "name: calls\ntitle: calls\nsummary: calls\nscheduler: {gomaxprocs: 3, generation: go1.26}\nwaitgroups: [wg]\ngoroutines:\n"
    "  - {name: main, do: [{add: wg, n: 6}, {go: caller, count: 4}, {go: in_c}, {go: stopper}, {wait: wg}]}\n"
    "  - {name: caller, do: [{loop: 12, do: [{syscall: 1us}, {syscall: 30us}, {compute: 1us}, {syscall: 20us, blocking: true}]}, {done: wg}]}\n"
    "  - {name: in_c, do: [{loop: 10, do: [{cgo: 25us}, {yield: 1}]}, {done: wg}]}\n"
    "  - {name: stopper, do: [{loop: 6, do: [{stop_the_world: 5us}, {compute: 3us}, {gomaxprocs: 2}, {compute: 2us}, {gomaxprocs: 3}]}, {done: wg}]}\n";

static char *calls_file(void)
{
    return (char *)t_file("calls.yaml", calls);
}

static const char *events(char *scenario, char *generation)
{
    struct result r = RUN("run", scenario, "--headless", "--events", "--generation", generation);
    CHECK_INT(r.code, 0);
    return r.out;
}

/* Returns whether the pattern matches an event of the run, or a state. */
static bool meets(char *scenario, char *generation, char *pattern)
{
    struct result r = RUN("run", scenario, "--headless", "--generation", generation, "--break", pattern);
    CHECK_INT(r.code, 0);
    return !strstr(r.err, "never matched");
}

/* As Go's own scheddetail says: status=1 … m=0 in 1.26, status=2 … m=nil before. */
TEST(a_p_stays_with_its_m_and_running)
{
    CHECK(!meets("scene-09-short-syscall", "go1.26", "when p0.state = syscall"));
    CHECK(meets("scene-09-short-syscall", "go1.26", "when m0.state = syscall and p0.state = running and p0.m = 0"));
    CHECK(meets("scene-09-short-syscall", "go1.25", "when m0.state = syscall and p0.state = syscall"));
    struct result r = RUN("run", "scene-09-short-syscall", "--headless", "--generation=go1.26", "--narrate");
    HAS(r.out, "G1 enters a system call; P0 stays with M0.");
    r = RUN("run", "cgo", "--headless", "--generation=go1.26", "--narrate", "--lang=zh");
    HAS(r.out, "进入 C 代码；P0 仍归 M0。");
}

/* Copies the events without the P that the M of each has, and without the field that is new. */
static char *without_ps(const char *events)
{
    char *out = keep(strlen(events) + 1), *to = out;
    for (const char *at = events; *at;) {
        const char *end = at + strcspn(at, "\n"), *wired = strstr(at, " wired=1"), *p = strstr(at, " P");
        bool has_p = p && p < end && p[2] >= '0' && p[2] <= '9' && p < at + strcspn(at, "_=");
        if (has_p) {
            memcpy(to, at, (size_t)(p - at));
            to += p - at;
            at = p + 2 + strspn(p + 2, "0123456789");
        }
        size_t n = (size_t)((wired && wired < end ? wired : end) - at);
        memcpy(to, at, n);
        to += n;
        *to++ = '\n';
        at = end + (*end == '\n');
    }
    return out;
}

/* The G in runnext of a P in a call is taken without a pause, because the call will not run it. */
static const char behind_a_call[] =
    "name: behind-a-call\n"
    "scheduler: {gomaxprocs: 2}\n"
    "goroutines:\n"
    "  - {name: main, do: [{syscall: 5ms}, {go: a}, {syscall: 5ms}, {print: x}]}\n"
    "  - {name: a, do: [{compute: 1ms}]}\n";

/* Who takes a P, when, and how a G gets one again are as before. */
TEST(a_p_is_taken_at_the_same_times)
{
    char *const scenarios[] = {
        "scene-09-short-syscall", "blocking-syscall", "cgo", "stop-the-world", (char *)t_file("behind-a-call.yaml", behind_a_call)};
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        struct result old = RUN("run", scenarios[i], "--headless", "--events", "--generation=go1.26", "--disable=wired_syscall");
        struct result new = RUN("run", scenarios[i], "--headless", "--events", "--generation=go1.26");
        CHECK_STR(without_ps(new.out), without_ps(old.out));
    }
}

TEST_TIMED(the_model_follows_each_way, 200)
{
    static char *const ways[] = {"p_gcstop how=entersyscall", "p_gcstop how=syscall",  "retake why=nobody_else",
                                 "retake why=work_waits",     "retake why=old_p",      "syscall_exit how=old_p",
                                 "syscall_exit how=idle_p",   "syscall_exit how=no_p", "syscall_exit how=taken_back",
                                 "syscall_enter wired=1",     "syscall_enter p=none",  "syscall_enter call=cgo wired=1"};
    struct result r = RUN("explore", calls_file(), "--seeds=300", "--audit");
    CHECK_INT(r.code, 0);
    HAS(r.out, ": 0 failed");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        int found = 0;
        for (int seed = 1; seed <= 20 && !found; seed++) {
            char s[16];
            snprintf(s, sizeof s, "%d", seed);
            struct result of = RUN("run", calls_file(), "--headless", "--fine", "--stalls=4", "--seed", s, "--break", ways[i]);
            CHECK_INT(of.code, 0);
            found = !strstr(of.err, "never matched");
        }
        if (!found)
            t_fail(__FILE__, __LINE__, "never: %s", ways[i]);
    }
    for (int i = 1; i <= t_count(5, 100); i++) {
        char seed[16];
        snprintf(seed, sizeof seed, "%d", i);
        r = RUN("run", calls_file(), "--headless", "--mode=free", "--audit", "--pauses=4", "--seed", seed);
        CHECK_INT(r.code, 0);
    }
}

TEST(a_g_in_a_call_is_not_asked_to_stop)
{
    char *file = (char *)t_file(
        "long.yaml",
        "name: long\ntitle: long\nsummary: long\nscheduler: {gomaxprocs: 2, disable: [retake]}\nwaitgroups: [wg]\ngoroutines:\n"
        "  - {name: main, do: [{add: wg, n: 1}, {go: caller}, {sleep: 60ms}, {stop_the_world: 1us}, {wait: wg}]}\n"
        "  - {name: caller, do: [{syscall: 100ms}, {done: wg}]}\n");
    CHECK(!strstr(events(file, "go1.26"), "preempt_request"));
}

TEST(panes_say_that_the_call_holds_the_p)
{
    char *file = (char *)t_file("wired.txt", "");
    struct result r = RUN("run", "scene-09-short-syscall", "--headless", "--generation=go1.26", "--at=11", "--picture", file);
    CHECK_INT(r.code, 0);
    const char *picture = slurp(file, NULL);
    HAS(picture, "P0 Y M0  G1 syscall");
    HAS(picture, "M0 Y  P0  G1   main  syscall 0  ");
}

/* On a projector the G of a call is with its P, and not among the threads that have none. */
TEST(the_projector_shows_the_g_with_its_p)
{
    char *file = (char *)t_file("wired.txt", "");
    RUN("run", "scene-09-short-syscall", "--headless", "--generation=go1.26", "--layout=projector", "--at=11", "--picture", file);
    HAS(slurp(file, NULL), "M0       \xe2\x95\xb0syscall\xe2\x95\xaf");
    CHECK(!strstr(slurp(file, NULL), "in the kernel"));
}
