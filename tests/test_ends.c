/* Where a run without a screen ends, and what it reports: limits, breakpoints, signals. */
#include "load.h"
#include "shell.h"

#include <sys/stat.h>

static const char busy_text[] = BUSY("gomaxprocs: 4", "12", "5");

static const char forever_text[] =
    "name: forever\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{print: begin}, {loop: forever, do: [{set: x, to: x + 1}, {sleep: 1ms}]}]\n";

TEST(limits_end_a_run)
{
    const char *f = t_file("forever.yaml", forever_text);
    struct result r = HEADLESS(f, "--limit=20ms", "--json");
    CHECK_INT(r.code, 0);
    HAS(r.out, "\"ended\":\"limit\"");
    long long t = json_int(r.out, "time_ns");
    CHECK_INT(t, 20000000); /* the limit itself, not the last event before it */
    r = HEADLESS(f, "--max-events=100", "--json");
    CHECK(json_int(r.out, "time_ns") < 20000000);
    r = HEADLESS(f, "--max-events=100", "--events");
    CHECK_INT(r.code, 0);
    CHECK_INT(lines(r.out), 100);
    r = HEADLESS(f, "--limit=20ms", "--mode=free", "--json"); /* on a busy machine the run may end before main has
                                                               * started */
    HAS(r.out, "\"ended\":\"limit\"");
    CHECK_INT(json_int(r.out, "time_ns"), t);
    r = HEADLESS(f, "--limit=20ms", "--audit", "--pauses=10", "--json");
    CHECK_INT(json_int(r.out, "time_ns"), t);
}

/* One line on stderr. --json has the end; where the scenario expects it, it is not reported. */
TEST(a_run_that_is_cut_says_so)
{
    static const char by_time[] = "gmpscope: stopped at the limit of 20 ms of scenario time (--limit)",
                      by_events[] = "gmpscope: stopped at the limit of 100 events (--max-events)",
                      missed[] = "--break \"g_end x99\" never matched\n";
    const char *f = t_file("forever.yaml", forever_text), *s = t_file("s.yaml", "name: s\ngoroutines: [{name: main}]\n");
    char want[300], text[1000];
    snprintf(want, sizeof want, "%s\n", by_time);
    CHECK_STR(HEADLESS(f, "--limit=20ms").err, want);
    CHECK_STR(HEADLESS(f, "--limit=20ms", "--narrate", "--mode=free").err, want);
    snprintf(want, sizeof want, "%s\n", by_events);
    CHECK_STR(HEADLESS(f, "--max-events=100", "--events").err, want);
    snprintf(want, sizeof want, "%s; %s", by_events, missed);
    CHECK_STR(HEADLESS(f, "--max-events=100", "--break", "g_end x99").err, want);
    snprintf(want, sizeof want, "gmpscope: %s", missed);
    CHECK_STR(HEADLESS(s, "--break", "g_end x99").err, want);
    CHECK_INT(HEADLESS(s, "--break", "g_end x99").code, 0);
    CHECK_STR(HEADLESS(s, "--break", "g_end x99", "--break", "when globq > 50").err, "gmpscope: none of the 2 --break patterns matched\n");
    CHECK_STR(HEADLESS(s, "--break", "g_end x99", "--break", "g_start g=1").err, "");
    CHECK_STR(HEADLESS(f, "--limit=20ms", "--json", "--break", "g_end x99").err, "");
    snprintf(text, sizeof text, "%sexpect: [{ends: limit}]\n", forever_text);
    CHECK_STR(HEADLESS(t_file("f.yaml", text), "--limit=20ms").err, "");
}

/* Nothing happens for an hour: in free mode only the clock shows that the limit is reached. */
TEST(a_limit_needs_no_event)
{
    const char *f = t_file("sleepy.yaml", "name: sleepy\ngoroutines: [{name: main, do: [{sleep: 1h}]}]\n");
    CHECK_INT(HEADLESS(f, "--mode=free", "--limit=50ms").code, 0);
    HAS(HEADLESS(f, "--json").out, "\"ended\":\"limit\"");
}

/* A read that is never answered is not a deadlock in Go, in any generation, with or without sysmon: the program
 * waits. */
TEST(a_limit_ends_a_wait_for_the_network)
{
    char *f = (char *)t_file("silent.yaml", "name: silent\nconns: [c]\ngoroutines: [{name: main, do: [{read: c.b, bytes: 1}]}]\n");
    static const char *const generations[] = {"go1.0", "go1.4", "go1.13", "go1.20"};
    for (int i = 0; i < 4; i++) {
        struct result r = HEADLESS(f, "--json", "--limit=5s", "--audit", "--pauses=10", "--generation", (char *)generations[i]);
        CHECK_STR(r.err, "");
        CHECK_INT(r.code, 0);
        HAS(r.out, "\"ended\":\"limit\"");
        CHECK_INT(json_int(r.out, "time_ns"), 5000000000);
        HAS(HEADLESS(f, "--json", "--limit=20ms", "--mode=free", "--generation", (char *)generations[i]).out, "\"ended\":\"limit\"");
    }
    HAS(RUN("explore", f, "--seeds=5", "--generation=go1.0").out, ": 0 failed, 5 cut by the limit");
}

TEST(breakpoints_end_a_run)
{
    const char *f = t_file("busy.yaml", busy_text);
    struct result all = HEADLESS(f, "--events"), r = HEADLESS(f, "--break", "g_start g=3 x2", "--events");
    CHECK_INT(r.code, 0);
    CHECK(r.nout < all.nout && !memcmp(r.out, all.out, r.nout));
    HAS(last_line(&r), "g_start g=3");
    HAS(HEADLESS(f, "--break", "g_end", "--json").out, "\"ended\":\"break\"");
    HAS(HEADLESS(f, "--break", "g_end", "--json", "--mode=free").out, "\"ended\":\"break\"");
    HAS(HEADLESS(f, "--break", "g_end").out, " g_end g=");
    HAS(HEADLESS(f, "--break", "when runnable >= 5", "--json").out, "\"ended\":\"break\"");
    HAS(HEADLESS(f, "--break", "g_end g=999", "--json").out, "\"ended\":\"main_returned\"");
}

/* Checks that the breakpoint prints the n-th line, of all events, that has one of two words. */
static void breaks_at(const char *f, char *pattern, int n, const char *word, const char *other)
{
    const char *line = HEADLESS(f, "--events").out, *end;
    char want[512];
    for (;; line = end + 1) {
        CHECK((end = strchr(line, '\n')) && end - line < 400);
        snprintf(want, sizeof want, "%.*s\n", (int)(end - line), line);
        if ((strstr(want, word) || strstr(want, other)) && --n == 0)
            break;
    }
    struct result r = HEADLESS(f, "--break", pattern);
    size_t len = strlen(want);
    CHECK_INT(r.code, 0);
    CHECK_STR(r.out + r.nout - len, want);
}

TEST(counts_alternatives_and_globs_of_a_breakpoint)
{
    const char *f = t_file("busy.yaml", busy_text);
    breaks_at(f, "g_end x3", 3, " g_end ", " g_end ");
    breaks_at(f, "g_park | g_end x5", 5, " g_park ", " g_end ");
    breaks_at(f, "runq_* x4", 4, " runq_", " runq_");
}

static long time_of(const char *events, const char *what)
{
    const char *line = strstr(events, what);
    CHECK(line);
    while (line > events && line[-1] != '\n')
        line--;
    return atol(line);
}

/* A time at which nothing happens: a nanosecond more than 5 ms after G2 was made. The run ends there, and its last
 * line shows that. */
TEST(a_duration_breaks_between_events)
{
    static const char made[] = " M0 P0 go_create g=2", met[] = " break pattern=\"when g2.runnable > 5ms\"\n";
    const char *f = t_file("waits.yaml",
                           "name: waits\nscheduler: {gomaxprocs: 1, preempt_slice: 10s}\ngoroutines:\n"
                           "  - {name: main, do: [{print: first}, {go: other}, {compute: 30ms}]}\n  - {name: other}\n");
    char want[100];
    struct result all = HEADLESS(f, "--events"), r = HEADLESS(f, "--break", "when g2.runnable > 5ms", "--json");
    long when = time_of(all.out, made) + 5000001;
    HAS(r.out, "\"ended\":\"break\"");
    CHECK_INT(json_int(r.out, "time_ns"), when);
    snprintf(want, sizeof want, "first\n%ld%s", when, met);
    CHECK_STR(HEADLESS(f, "--break", "when g2.runnable > 5ms").out, want);
    CHECK_STR(HEADLESS(f, "--break", "when g2.runnable > 5ms", "--limit=5300us").out, want); /* no event comes before the limit, either */
    r = HEADLESS(f, "--break", "when g2.runnable > 5ms", "--events");
    size_t events = (size_t)(last_line(&r) - r.out);
    CHECK_STR(r.out + events, want + strlen("first\n"));
    CHECK(events > 0 && !memcmp(r.out, all.out, events) && atol(all.out + events) > when);
    snprintf(want, sizeof want, "At %ld.%06ld ms it comes true: when g2.runnable > 5ms.\n", when / 1000000, when % 1000000);
    r = HEADLESS(f, "--break", "when g2.runnable > 5ms", "--narrate", "--lang=en");
    CHECK_STR(last_line(&r), want);
    HAS(HEADLESS(f, "--break", "when g2.runnable > 1s", "--json").out, "\"ended\":\"main_returned\"");
}

TEST(a_duration_breaks_between_events_in_free_mode_too)
{
    const char *f = t_file("waits.yaml",
                           "name: waits\nscheduler: {gomaxprocs: 1, preempt_slice: 10s}\ngoroutines:\n"
                           "  - {name: main, do: [{go: other}, {compute: 30ms}]}\n  - {name: other}\n");
    char want[100];
    for (int i = 0; i < t_count(5, 100); i++) {
        struct result r = HEADLESS(f, "--break", "when g2.runnable > 5ms", "--events", "--mode=free");
        snprintf(want, sizeof want, "%ld break pattern=\"when g2.runnable > 5ms\"\n", time_of(r.out, " M0 P0 go_create g=2") + 5000001);
        CHECK_STR(last_line(&r), want);
        CHECK_INT(r.code, 0);
    }
}

static const char forever[] = "name: f\ngoroutines: [{name: main, do: [{print: begin}, {sleep: 1h}]}]\n";

/* The clock of a free run continues while the process is stopped. To the run it looks as if nothing happened until
 * its limit, not even in sysmon. */
TEST(a_limit_that_was_met_while_the_process_stood_still_says_so)
{
    const char *f = t_file("forever.yaml", forever), *said = "";
    for (int seconds = 1; !strstr(said, "; the process was suspended for "); seconds *= 2) { /* a busy machine may take a second to start */
        const char *out = in_tmp("out"), *err = in_tmp("err");
        char limit[40], *argv[] = {(char *)GMPSCOPE_BIN, "run", (char *)f, "--headless", "--mode=free", limit, NULL};
        snprintf(limit, sizeof limit, "--limit=%ds", seconds);
        pid_t pid = program_start(argv, out, err);
        struct stat st = {0};
        while (stat(out, &st) || st.st_size < 6)
            usleep(1000);
        kill(pid, SIGSTOP);
        usleep((useconds_t)seconds * 1000000 + 200000);
        kill(pid, SIGCONT);
        CHECK_INT(program_end(pid), 0);
        HAS(said = slurp(err, NULL), "gmpscope: stopped at the limit of ");
    }
}

TEST(a_signal_ends_a_run_with_its_output)
{
    const char *f = t_file("forever.yaml", forever);
    static const int sig[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++) {
        const char *out = in_tmp("out");
        char *argv[] = {(char *)GMPSCOPE_BIN, "run", (char *)f, "--headless", "--mode=free", "--limit=1h", NULL};
        pid_t pid = program_start(argv, out, in_tmp("err"));
        struct stat st = {0};
        while (stat(out, &st) || st.st_size < 6) /* printed lines arrive while the program still sleeps */
            usleep(1000);
        kill(pid, sig[i]);
        CHECK_INT(program_end(pid), 128 + sig[i]);
        CHECK_STR(slurp(out, NULL), "begin\n");
    }
}
