/* Slow threads: stalls and late wake-ups are decisions of a lockstep run (conductor/stall.c), and find what quick threads hide. */
#include "shell.h"

/* Two tasks, one worker slot; each task needs a lock that main holds until the task has answered. Free threads deadlock seldom: the second task
 * must get the slot while the first one has just been started. */
static const char slot[] =
    "name: slot\nscheduler: {gomaxprocs: 2}\n"
    "channels: [{name: queue, buffer: 2}, {name: slot, buffer: 1}, {name: a, buffer: 1}, {name: b, buffer: 1}]\n"
    "mutexes: [la, lb]\nwaitgroups: [ga, gb]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{yield: 1}, {lock: la}, {add: ga}, {go: ta}, {wait: ga}, {yield: 1}, {lock: lb}, {add: gb}, {go: tb}, {wait: gb},\n"
    "         {unlock: la}, {recv: a}, {unlock: lb}, {recv: b}]\n"
    "  - {name: ta, do: [{done: ga}, {send: queue}, {send: slot}, {lock: la}, {unlock: la}, {recv: slot}, {send: a}]}\n"
    "  - {name: tb, do: [{done: gb}, {send: queue}, {send: slot}, {lock: lb}, {unlock: lb}, {recv: slot}, {send: b}]}\n"
    "expect: [{ends: main_returned}]\n";

/* A listener tells main that it runs before it waits, so a broadcast may come too early. */
static const char listener[] =
    "name: listener\nscheduler: {gomaxprocs: 2}\nmutexes: [mu]\nconds: [{name: ready, mutex: mu}]\nwaitgroups: [up, heard]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{add: heard, n: 2}, {loop: 2, do: [{add: up}, {go: hears}, {wait: up}]}, {broadcast: ready}, {wait: heard}]\n"
    "  - {name: hears, do: [{done: up}, {lock: mu}, {cond_wait: ready}, {unlock: mu}, {done: heard}]}\n"
    "expect: [{ends: main_returned}]\n";

/* Main is nearly always through before the G that it starts. */
static const char late_write[] =
    "name: late-write\nscheduler: {gomaxprocs: 2}\nshared: [x]\n"
    "goroutines:\n"
    "  - {name: main, do: [{go: writes}, {set: v, to: x}, {if: \"v == 0\", then: [{print: zero}]}]}\n"
    "  - {name: writes, do: [{set: x, to: 1}]}\n";

/* Go before 1.9: the holder takes the mutex again before the waiter, which it has woken, has a CPU. */
static const char greedy[] =
    "name: greedy\nscheduler: {gomaxprocs: 2, generation: go1.4}\nmutexes: [mu]\n"
    "goroutines:\n"
    "  - {name: main, do: [{go: greedy}, {sleep: 1ms}, {loop: 5, do: [{sleep: 50us}, {lock: mu}, {unlock: mu}]}]}\n"
    "  - {name: greedy, do: [{loop: forever, do: [{lock: mu}, {sleep: 50us}, {unlock: mu}]}]}\n";

/* On one P a sleep that is shorter than parking and looking at the timers is over before the queue is looked at. */
static const char nap[] =
    "name: nap\nscheduler: {gomaxprocs: 1}\nmutexes: [a, b]\nwaitgroups: [all]\n"
    "goroutines:\n"
    "  - {name: main, do: [{add: all, n: 2}, {go: w, count: 2}, {wait: all}]}\n"
    "  - {name: w, do: [{lock: a}, {lock: b}, {unlock: a}, {sleep: 250ns}, {lock: a}, {unlock: b}, {unlock: a}, {done: all}]}\n"
    "expect: [{ends: main_returned}]\n";

static int count(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

static char *events(const char *file, const char *options)
{
    char line[400];
    snprintf(line, sizeof line, "gmpscope run %s --headless --events %s", file, options);
    char *out = strdup(shell(line)->out);
    CHECK(out);
    return out;
}

static void same_events(const char *file, const char *a, const char *b, bool same)
{
    char *x = events(file, a), *y = events(file, b);
    if ((strcmp(x, y) == 0) != same)
        t_fail(__FILE__, __LINE__, "%s: '%s' and '%s' %s", file, a, b, same ? "differ" : "are the same");
    free(x);
    free(y);
}

TEST(a_run_has_no_stalls_unless_asked)
{
    char *out = events("steal-half", "");
    CHECK(!strstr(out, "m_stall") && !strstr(out, "m_late"));
    free(out);
    same_events("steal-half", "", "--stalls 0", true);
    same_events("steal-half", "--fine", "--fine --stalls 0", true);
}

TEST(the_same_seed_gives_the_same_stalls)
{
    same_events("steal-half", "--stalls 3 --seed 5", "--stalls 3 --seed 5", true);
    same_events("steal-half", "--stalls 3 --seed 5", "--seed 5", false);
    same_events("steal-half", "--stalls 3 --seed 5", "--stalls 3 --seed 6", false);
}

/* A pause waits until stalled holders of locks have finished, and changes nothing. */
TEST(pauses_do_not_change_stalls)
{
    for (int seed = 1; seed <= 6; seed++) {
        char with[120], without[80];
        snprintf(without, sizeof without, "--stalls 4 --seed %d %s", seed, seed % 2 ? "--fine" : "");
        snprintf(with, sizeof with, "%s --pauses 50", without);
        same_events("steal-half", without, with, true);
    }
}

TEST(there_are_at_most_so_many)
{
    int most = 0;
    for (int seed = 1; seed <= 20; seed++) {
        char options[80];
        snprintf(options, sizeof options, "--stalls 2 --seed %d", seed);
        char *out = events("steal-half", options);
        int n = count(out, " m_stall ");
        CHECK(n <= 2 && strstr(out, " m_late "));
        most = n > most ? n : most;
        free(out);
    }
    CHECK_INT(most, 2);
}

/* Returns a run in which M0 loses its CPU for the time of class 3, at the first decision at which that is possible. */
static const char *chosen(const char *how)
{
    static char line[200];
    for (int n = 1; n < 60; n++) {
        snprintf(line, sizeof line, "gmpscope run steal-half --headless --choices %dt3 --events", n);
        if (strstr(shell(line)->out, " M0 P0 m_stall for=30000\n"))
            break;
    }
    strcpy(strstr(line, "--events"), how);
    return line;
}

TEST(sentences_in_both_languages)
{
    HAS(shell(chosen("--narrate --lang en"))->out, "M0 loses its CPU for 30 µs.");
    HAS(shell(chosen("--narrate --lang zh"))->out, "M0 失去 CPU，持续 30 µs");
    HAS(shell("gmpscope run steal-half --headless --narrate --lang en --stalls 2")->out, "gets a CPU only after ");
}

/* What an M would do with a CPU is not what the pane says of one that has none. */
TEST(a_thread_without_a_cpu_is_shown_so)
{
    HAS(shell("gmpscope run steal-half --stalls 2 --headless --picture p.txt --at 14 --layout classic >/dev/null; cat p.txt; rm p.txt")
            ->out,
        "M0 R  P0  G1   has no CPU until 15.00170 ms ");
    HAS(shell(
            "gmpscope run steal-half --stalls 2 --headless --lang zh --picture p.txt --at 14 --layout classic >/dev/null; cat p.txt; rm p.txt")
            ->out,
        "没有 CPU，直到 6.100 µs");
}

TEST(a_stall_can_be_chosen)
{
    CHECK_INT(count(shell(chosen("--events"))->out, "m_stall"), 1);
    HAS(shell("gmpscope run steal-half --headless --choices 20t93")->err, "M9 cannot lose its CPU there");
    HAS(shell("gmpscope run steal-half --headless --choices 20q1")->err,
        "t (stall), w (wake-up), d (draw), o (map order), k (a call's time) or z (late sleep)");
}

static void finds(const char *name, const char *yaml, const char *options, const char *what)
{
    char line[500];
    snprintf(line, sizeof line, "gmpscope explore %s %s", t_file(name, yaml), options);
    HAS(shell(line)->out, what);
}

TEST(explore_finds_what_needs_a_slow_thread)
{
    finds("slot.yaml", slot, "--seeds 20000 --failures 1", ": deadlock: ");
    finds("listener.yaml", listener, "--seeds 20000 --failures 1", ": deadlock: ");
    finds("late-write.yaml", late_write, "--seeds 3000 --tally 'count(print)'", " x  1, first");
    finds("late-write.yaml", late_write, "--seeds 3000 --tally 'count(print)'", " x  0, first");
}

TEST(a_woken_thread_is_late)
{
    for (int seed = 1; seed <= 3; seed++) {
        char number[20];
        snprintf(number, sizeof number, "%d", seed);
        HAS(HEADLESS(t_file("greedy.yaml", greedy), "--json", "--stalls=1", "--limit=1s", "--seed", number).out, "\"ended\":\"limit\"");
        CHECK_INT(HEADLESS(t_file("nap.yaml", nap), "--stalls=1", "--seed", number).code, 0);
    }
    CHECK_INT(HEADLESS(t_file("nap.yaml", nap), "--mode=lockstep").code, 1);
}

/* A claim with `stalls: no` holds in all other runs, and explore says in how many it was not judged. */
TEST(a_claim_can_leave_out_stalls)
{
    static const char yaml[] =
        "name: n\nscheduler: {gomaxprocs: 1}\ngoroutines: [{name: main, do: [{yield: 1}]}]\nexpect: [{%s, stalls: no}]\n";
    char good[200], bad[200], line[400];
    snprintf(good, sizeof good, yaml, "ends: main_returned");
    snprintf(bad, sizeof bad, yaml, "ends: deadlock");
    CHECK_INT(HEADLESS(t_file("bad.yaml", bad), "--mode=lockstep").code, 1);
    CHECK_INT(HEADLESS(t_file("bad.yaml", bad), "--mode=lockstep", "--stalls=2").code, 0);
    snprintf(line, sizeof line, "gmpscope explore %s --seeds 60", t_file("good.yaml", good));
    HAS(shell(line)->out, "\nclaims with \"stalls: no\" are not judged in ");
    snprintf(line, sizeof line, "gmpscope explore %s --seeds 60 --stalls 0", t_file("good.yaml", good));
    CHECK(!strstr(shell(line)->out, "not judged"));
}

/* Every command that explore prints shows its failure. */
TEST(a_failure_is_replayed_with_its_stalls)
{
    char line[600];
    snprintf(line, sizeof line, "gmpscope explore %s --seeds 20000 --failures 8 --all", t_file("slot.yaml", slot));
    char *out = strdup(shell(line)->out), *save = NULL;
    CHECK(out);
    int replayed = 0;
    for (char *at = strtok_r(out, "\n", &save); at; at = strtok_r(NULL, "\n", &save)) {
        char *end = strstr(at, "   # ");
        if (!end)
            continue;
        *end = '\0';
        CHECK(strstr(at, " --stalls "));
        CHECK_INT(shell(at)->code, 1);
        replayed++;
    }
    CHECK_INT(replayed, 8);
    free(out);
}

/* Each way to choose the next thread fails again as it was printed. */
TEST(a_search_can_be_one_of_its_ways)
{
    static const char *const ways[] = {"uniform", "sticky", "ranked"};
    char line[600];
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        snprintf(line, sizeof line, "gmpscope explore %s --seeds 20000 --failures 1 --search %s", t_file("slot.yaml", slot), ways[i]);
        char *out = strdup(shell(line)->out), *end = out ? strstr(out, "   # ") : NULL;
        CHECK(end);
        HAS(out, ways[i]);
        *end = '\0';
        HAS(out, " --fine --search ");
        CHECK_INT(shell(out)->code, 1);
        free(out);
    }
    HAS(shell("gmpscope explore steal-half --search rank")->err, "did you mean \"ranked\"?");
    HAS(shell("gmpscope run steal-half --headless --search ranked")->err, "--search needs --fine");
}
