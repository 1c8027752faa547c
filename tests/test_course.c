/* Small programs whose course follows from Go's source: what sysmon sees of system calls, how long it pauses, how a starving mutex is handed
 * on. Lockstep: the clock moves only when nothing else can, so the numbers of looks are exact. */
#include "shell.h"

#define MAIN "goroutines:\n  - name: main\n    do: "

/* Counts the lines with `what` between the n-th `from` and the next `to`; from NULL: from the beginning to the last `to`. */
static int between(const char *events, const char *from, int n, const char *to, const char *what)
{
    const char *at = events, *end = NULL;
    for (int i = 0; from && i < n; i++)
        CHECK((at = strstr(at, from)) && *++at);
    for (const char *next = at; (next = strstr(next, to)); next++) {
        end = next;
        if (from)
            break;
    }
    CHECK(end);
    int found = 0;
    for (; (at = strstr(at, what)) && at < end; at++)
        found++;
    return found;
}

static const char *events_of(const char *yaml, char *generation)
{
    return HEADLESS(t_file("c.yaml", yaml), "--events", "--generation", generation).out;
}

/* ---- what sysmon sees of system calls: a line sysmon_tick comes before each pause, a look after it ---- */

static const char two_calls[] =
    "name: c\nscheduler: {gomaxprocs: 1}\nwaitgroups: [all]\n" MAIN
    "[{add: all, n: 2}, {go: w, count: 2}, {wait: all}]\n"
    "  - {name: w, do: [{syscall: 5ms}, {done: all}]}\n";

/* os.NewFile asks with fcntl whether a descriptor blocks, for each of the three that a program begins with. So P0's syscalltick is 3 when main
 * begins, and sysmon, which has seen 0, takes P0 at its second look. In Go 1.4 NewFile asks nothing. */
TEST(the_first_call_of_p0_is_noted_first)
{
    CHECK_INT(between(events_of(two_calls, "go1.20"), "syscall_enter", 1, "retake", "sysmon_tick"), 1);
    CHECK_INT(between(events_of(two_calls, "go1.13"), "syscall_enter", 1, "retake", "sysmon_tick"), 1);
    CHECK_INT(between(events_of(two_calls, "go1.4"), "syscall_enter", 1, "retake", "sysmon_tick"), 0);
}

static const char four_calls[] =
    "name: c\nscheduler: {gomaxprocs: 1}\nwaitgroups: [all]\n" MAIN
    "[{add: all, n: 4}, {go: w, count: 4}, {wait: all}]\n"
    "  - {name: w, do: [{syscall: 5ms}, {done: all}]}\n";

/* retake counts the call that it ends (p.syscalltick++) only since the execution tracer, 1.5. Before, the next call looks like the same one. */
TEST(a_call_that_sysmon_ends_counts_since_1_5)
{
    CHECK_INT(between(events_of(four_calls, "go1.20"), NULL, 0, "retake", "sysmon_tick"), 8);
    CHECK_INT(between(events_of(four_calls, "go1.13"), NULL, 0, "retake", "sysmon_tick"), 8);
    CHECK_INT(between(events_of(four_calls, "go1.4"), NULL, 0, "retake", "sysmon_tick"), 4);
}

/* exitsyscall, after mcall(exitsyscall0): p.syscalltick++ of the P that the G runs on now. Sysmon has taken P0, and `busy` has it when the first
 * call is over, so the G comes back through the global queue. Its second call is a new one to sysmon. */
TEST(a_return_through_the_queue_counts)
{
    const char *events = events_of(
        "name: c\nscheduler: {gomaxprocs: 1}\nwaitgroups: [all]\n" MAIN
        "[{add: all, n: 2}, {go: calls}, {go: busy}, {wait: all}]\n"
        "  - {name: calls, do: [{syscall: 1ms}, {syscall: 50ms}, {done: all}]}\n"
        "  - {name: busy, do: [{compute: 3ms}, {done: all}]}\n",
        "go1.4");
    HAS(events, "how=no_p");
    CHECK(between(events, "syscall_enter", 2, "retake", "sysmon_tick") >= 1);
}

/* sysmon: 51 pauses of 20 µs (idle 0 to 50), then each is twice as long, up to 10 ms. */
TEST(sysmon_pauses_longer_after_fifty_looks)
{
    char want[80];
    const char *at = events_of("name: c\nscheduler: {gomaxprocs: 1, preempt_slice: 10s}\n" MAIN "[{compute: 100ms}]\n", "go1.20");
    for (int i = 0, delay = 20000; i < 62; i++) {
        if (i > 50)
            delay = delay < 5000000 ? delay * 2 : 10000000;
        snprintf(want, sizeof want, "sysmon_tick delay=%d\n", delay);
        CHECK((at = strstr(at, "sysmon_tick ")));
        if (strncmp(at, want, strlen(want)))
            t_fail(__FILE__, __LINE__, "pause %d is %.30s, should be %s", i + 1, at, want);
        at++;
    }
}

/* Returns the time of the line around `at`. */
static int64_t line_time(const char *events, const char *at)
{
    while (at > events && at[-1] != '\n')
        at--;
    return atoll(at);
}

/* Returns the time of the n-th line with `what`, from 1, and the pause that the last sysmon_tick before it, or the first one after it, announces. */
static int64_t time_of(const char *events, const char *what, int n, bool after, int64_t *pause)
{
    static const char tick[] = "sysmon_tick delay=";
    const char *at = events, *near = NULL;
    while (n-- > 0)
        CHECK((at = strstr(at, what)) && *++at);
    for (const char *next = events; (next = strstr(next, tick)) && (!near || next < at || (after && near < at)); next += sizeof tick)
        near = next;
    CHECK(near && (near > at) == after);
    *pause = atoll(near + strlen(tick));
    return line_time(events, at);
}

/* Returns sysmon's first look at or after `since` if it has found nothing before: 51 pauses of 20 µs, then each is twice as long, up to 10 ms. */
static int64_t first_look(int64_t since)
{
    int64_t at = 0, pause = 20000;
    for (int i = 0; at < since; i++) {
        if (i > 50)
            pause = pause < 5000000 ? pause * 2 : 10000000;
        at += pause;
    }
    return at;
}

/* A look takes some ns, which add up to less than 2 µs here. */
static void happens_at(int64_t time, int64_t look)
{
    if (time < look || time >= look + 2000)
        t_fail(__FILE__, __LINE__, "at %lld ns, should be at the look at %lld", (long long)time, (long long)look);
}

/* if retake(now) != 0 { idle = 0 }, and idle == 0 is delay = 20. */
TEST(sysmon_pauses_shortly_after_a_find)
{
    int64_t before, after;
    const char *events =
        events_of("name: c\nscheduler: {gomaxprocs: 1, preempt_slice: 10s}\n" MAIN
                  "[{go: w}, {compute: 100ms}, {syscall: 50ms}]\n"
                  "  - {name: w, do: [{compute: 1ms}]}\n",
                  "go1.20");
    time_of(events, "retake", 1, false, &before);
    time_of(events, "retake", 1, true, &after);
    CHECK_INT(before, 10000000);
    CHECK_INT(after, 20000);
}

/* If the return of a system call ends the deep sleep, the pauses are short again (idle = 0, delay = 20). If its time is over, they grow on. */
TEST(sysmon_pauses_shortly_after_a_call_has_woken_it)
{
    int64_t pause;
    const char *events = events_of("name: c\nscheduler: {gomaxprocs: 1, preempt_slice: 10s}\n" MAIN
                                   "[{compute: 100ms}, {syscall: 60ms, blocking: true}, {compute: 1ms}]\n",
                                   "go1.20");
    time_of(events, "syscall_block", 1, false, &pause);
    CHECK_INT(pause, 10000000);
    time_of(events, "syscall_exit g=1", 1, true, &pause);
    CHECK_INT(pause, 20000);
}

/* forcegcperiod / 2: however long all Gs sleep, sysmon wakes each minute, and its pauses grow on. */
TEST(the_deep_sleep_lasts_a_minute_at_most)
{
    int64_t pause;
    const char *events = HEADLESS(t_file("c.yaml", "name: c\nscheduler: {gomaxprocs: 1}\n" MAIN "[{compute: 1ms}, {sleep: 200s}]\n"),
                                  "--events", "--limit=300s")
                             .out;
    int ticks = 0;
    for (const char *at = events; (at = strstr(at, "sysmon_tick")); at++)
        ticks += line_time(events, at) / 60000000000 == ticks + 1;
    CHECK_INT(ticks, 3);
    time_of(events, "program_end", 1, false, &pause);
    CHECK_INT(pause, 160000);
}

/* retake: a P whose call lasts, without work and next to an idle P, is taken at the first look 10 ms after the one that noted the call. */
TEST(a_long_call_is_one_of_ten_milliseconds)
{
    int64_t pause;
    const char *events = events_of("name: c\nscheduler: {gomaxprocs: 2}\n" MAIN "[{syscall: 50ms}]\n", "go1.20");
    happens_at(time_of(events, "retake why=long_syscall", 1, false, &pause), first_look(20000 + 10000000));
}

/* sysmon polls if nobody has for more than 10 ms, here since the beginning. */
TEST(the_network_is_polled_after_ten_milliseconds)
{
    int64_t pause;
    const char *events = events_of("name: c\nscheduler: {gomaxprocs: 1, preempt_slice: 10s}\nconns: [c]\n" MAIN
                                   "[{go: reader}, {yield: 20}, {write: c.a}, {compute: 50ms}]\n  - {name: reader, do: [{read: c.b}]}\n",
                                   "go1.20");
    happens_at(time_of(events, "netpoll_ready", 1, false, &pause), first_look(10000000));
}

/* ---- runtime.GC (mgc.go) ---- */

/* Its caller yields between two spans that it sweeps. Here it yields once. */
TEST(a_collection_yields_after_marking)
{
    const char *at = strstr(events_of("name: c\nscheduler: {gomaxprocs: 1}\n" MAIN "[{gc: 1ms}]\n", "go1.20"), "gc_phase phase=off");
    CHECK(at);
    HAS(at, " g_yield g=1\n");
}

/* ---- a starving mutex (sync/mutex.go) ---- */

/* Three Gs wait for more than 1 ms. The mutex goes from one to the next, and only the last waiter ends the mode. Real Go 1.19 prints the same. */
TEST(a_mutex_starves_until_its_last_waiter)
{
    static const char yaml[] =
        "name: c\nscheduler: {gomaxprocs: 1, preempt_slice: 10s}\nmutexes: [mu]\nwaitgroups: [all]\n" MAIN
        "[{lock: mu}, {add: all, n: 3}, {go: w, count: 3}, {yield: 1}, {compute: 4ms}, {unlock: mu}, {lock: mu},\n"
        "         {print: m1}, {yield: 1}, {unlock: mu}, {print: m2}, {wait: all}]\n"
        "  - {name: w, do: [{lock: mu}, {print: \"got{i}\"}, {unlock: mu}, {print: \"left{i}\"}, {lock: mu},\n"
        "                   {print: \"again{i}\"}, {unlock: mu}, {done: all}]}\n";
    CHECK_STR(HEADLESS(t_file("c.yaml", yaml)).out, "m1\ngot2\ngot0\ngot1\nleft1\nagain1\nm2\nleft2\nagain2\nleft0\nagain0\n");
}
