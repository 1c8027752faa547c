/* Who waits for whom: the report of a deadlock on stderr (model/waits.h), over every kind of object, in both modes and both languages. */
#include "shell.h"

#define HEAD "name: t\nscheduler: {gomaxprocs: 2, preempt_slice: 10s}\n"

/* Checks the lines after "who waits for whom"; in free mode, objects are known only by what the programs can do. */
static void says(const char *yaml, char *mode, char *lang, const char *want)
{
    const char *f = t_file("t.yaml", yaml);
    struct result r = HEADLESS(f, "--mode", mode, "--lang", lang);
    const char *head = strcmp(lang, "zh") ? "\ngmpscope: who waits for whom:\n" : "\ngmpscope：谁在等谁：\n";
    const char *ours = strstr(r.err, head);
    CHECK(ours != NULL);
    CHECK_STR(ours ? ours + strlen(head) : r.err, want);
    CHECK_INT(r.code, 3);
}

static const char mixed[] = HEAD
    "channels: [status]\n"
    "rwmutexes: [rw]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{wlock: rw}, {go: taker},\n"
    "         {send: status}, {wunlock: rw}]\n"
    "  - name: taker\n"
    "    do: [{wlock: rw}, {recv: status}, {wunlock: rw}]\n";

TEST(a_circle_closes_over_a_lock_and_a_channel)
{
    says(mixed, "lockstep", "en",
         "  G1 (main, line 8) waits to send on status, from which only G2 receives\n"
         "  G2 (taker, line 10) waits to write-lock rw, held by G1\n"
         "  A circle: G1 → G2 → G1. Each waits for the next, so none can continue.\n");
    says(mixed, "free", "en",
         "  G1 (main, line 8) waits to send on status, from which only G2 receives\n"
         "  G2 (taker, line 10) waits to write-lock rw, which only G1 unlocks\n"
         "  A circle: G1 → G2 → G1. Each waits for the next, so none can continue.\n");
    says(mixed, "lockstep", "zh",
         "  G1（main，第 8 行）等待向 status 发送，只有 G2 会从它接收\n"
         "  G2（taker，第 10 行）等待 rw 的写锁，由 G1 持有\n"
         "  形成环：G1 → G2 → G1。它们依次等待，谁也无法继续。\n");
}

/* A reader that waits for a value keeps the writer out, which would send it. Only the number of readers is recorded: their names follow from the
 * programs. */
static const char readers[] = HEAD
    "channels: [c]\n"
    "rwmutexes: [rw]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: reader, count: 2}, {sleep: 1ms}, {wlock: rw}, {send: c}, {send: c}, {wunlock: rw}]\n"
    "  - name: reader\n"
    "    do: [{rlock: rw}, {recv: c}, {runlock: rw}]\n";

TEST(readers_are_named)
{
    says(readers, "lockstep", "en",
         "  G1 (main, line 7) waits to write-lock rw, held for reading by G2 and G3\n"
         "  G2 (reader, line 9) waits to receive from c, on which only G1 sends\n"
         "  G3 (reader, line 9) waits to receive from c, on which only G1 sends\n"
         "  A circle: G1 → G2 → G1. Each waits for the next, so none can continue.\n");
}

/* Checks which lines a kernel's deadlock has, by the first schedule of explore that fails. */
static void kernel_says(const char *name, const char *en, const char *zh)
{
    char line[1000], head[400];
    snprintf(line, sizeof line, "gmpscope explore " SOURCE_DIR "/tests/kernels/%s.yaml --seeds 5000 --failures 1", name);
    snprintf(head, sizeof head, "%.*s", (int)strcspn(shell(line)->out, "#"), shell(line)->out);
    HAS(shell(head)->err, en);
    snprintf(line, sizeof line, "%s --lang zh", head);
    HAS(shell(line)->err, zh);
}

TEST(a_writer_that_waits_does_not_hold_the_lock)
{
    kernel_says("writer-between",
                "  G3 (writer, line 13) waits to write-lock rw, held for reading by G2\n"
                "  G4 (helper, line 15) waits to read-lock rw, behind G3, which waits to write-lock it\n",
                "  G4（helper，第 15 行）等待 rw 的读锁，排在等待写锁的 G3 之后\n");
    kernel_says("read-write-read",
                "  G2 (reader, line 9) waits to read-lock rw, behind G3, which waits to write-lock it\n"
                "  G3 (writer, line 11) waits to write-lock rw, held for reading by G2\n"
                "  A circle: G2 → G3 → G2. ",
                "  G3（writer，第 11 行）等待 rw 的写锁，由 G2 持有读锁\n");
}

TEST(a_g_can_wait_for_itself)
{
    kernel_says("lock-twice",
                "  G3 (request, line 15) waits for mutex mu, which it holds itself\n"
                "  G3 waits for itself, so it can never continue.\n",
                "  G3（request，第 15 行）等待互斥锁 mu，而锁由它自己持有\n"
                "  G3 在等它自己，永远无法继续。\n");
    kernel_says("upgrade",
                "  G3 (upgrade, line 9) waits to write-lock rw, which it holds for reading itself\n"
                "  G3 waits for itself, so it can never continue.\n",
                "  G3（upgrade，第 9 行）等待 rw 的写锁，而它自己持有读锁\n");
}

/* Both read, then both want to write: the first writer waits for both readers, of which it is one; the second waits behind it. */
static const char both[] = HEAD
    "rwmutexes: [rw]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: up}, {rlock: rw}, {sleep: 1ms}, {wlock: rw}]\n"
    "  - name: up\n"
    "    do: [{rlock: rw}, {sleep: 2ms}, {wlock: rw}]\n";

TEST(a_writer_is_one_of_several_readers)
{
    says(both, "lockstep", "en",
         "  G1 (main, line 6) waits to write-lock rw, held for reading by G2 and itself\n"
         "  G2 (up, line 8) waits to write-lock rw, behind G1, which waits to write-lock it\n"
         "  A circle: G1 → G2 → G1. Each waits for the next, so none can continue.\n");
}

/* A WaitGroup, a Cond, a select, a range and a conn: who could end each wait follows from what the programs still have. */
static const char kinds[] = HEAD
    "channels: [c, d, e]\n"
    "mutexes: [mu]\n"
    "conds: [{name: cv, mutex: mu}]\n"
    "waitgroups: [wg]\n"
    "conns: [k]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{add: wg}, {go: group}, {go: cond}, {go: ranger}, {go: chooser}, {sleep: 1ms}, {wait: wg}, {send: c}]\n"
    "  - name: group\n"
    "    do: [{recv: c}, {close: d}]\n"
    "  - name: cond\n"
    "    do: [{lock: mu}, {cond_wait: cv}, {unlock: mu}, {done: wg}]\n"
    "  - name: ranger\n"
    "    do: [{range: d, do: [{print: got}]}]\n"
    "  - name: chooser\n"
    "    do: [{select: [{recv: e}, {send: e}]}, {signal: cv}]\n";

TEST(each_kind_of_wait_names_those_that_could_end_it)
{
    says(kinds, "lockstep", "en",
         "  G1 (main, line 10) waits for wg (1 more call of Done needed), on which only G3 calls Done\n"
         "  G2 (group, line 12) waits to receive from c, on which only G1 sends\n"
         "  G3 (cond, line 14) waits for a signal on cv, which only G5 signals\n"
         "  G4 (ranger, line 16) waits to receive from d, which only G2 closes\n"
         "  G5 (chooser, line 18) waits in a select (recv e, send e), which no other G can complete\n");
    says(kinds, "lockstep", "zh",
         "  G1（main，第 10 行）等待 wg（还差 1 次 Done），只有 G3 会调用 Done\n"
         "  G2（group，第 12 行）等待从 c 接收，只有 G1 会向它发送\n"
         "  G3（cond，第 14 行）等待 cv 的信号，只有 G5 会发信号\n"
         "  G4（ranger，第 16 行）等待从 d 接收，只有 G2 会关闭它\n"
         "  G5（chooser，第 18 行）在 select（recv e, send e）中等待，没有别的 G 能让它继续\n");
}

static const char lonely[] = HEAD
    "channels: [c]\n"
    "mutexes: [mu]\n"
    "conds: [{name: cv, mutex: mu}]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: holder}, {go: sleeper}, {sleep: 1ms}, {select: [{recv: c}, {send: c}]}]\n"
    "  - name: holder\n"
    "    do: [{lock: mu}]\n"
    "  - name: sleeper\n"
    "    do: [{sleep: 500us}, {lock: mu}, {cond_wait: cv}, {unlock: mu}]\n";

TEST(a_holder_that_has_ended_and_a_select_that_no_g_meets)
{
    says(lonely, "lockstep", "en",
         "  G1 (main, line 8) waits in a select (recv c, send c), which no other G can complete\n"
         "  G3 (sleeper, line 12) waits for mutex mu, which G2 locked; it has ended and never unlocks it\n");
}

/* What comes only later, after a wait that nothing ends, still counts as what a program can do; what is behind it does not. */
static const char spent[] = HEAD
    "channels: [c]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: giver}, {recv: c}, {recv: c}]\n"
    "  - name: giver\n"
    "    do: [{send: c}, {recv: c}]\n";

TEST(what_a_program_has_behind_it_does_not_count)
{
    says(spent, "lockstep", "en",
         "  G1 (main, line 6) waits to receive from c, on which no other G sends\n"
         "  G2 (giver, line 8) waits to receive from c, on which no other G sends\n");
}

/* ---- leaks ---- */

/* Gs that main leaves behind. `leaked` waits for a value that only main could send; `idle` sleeps; `late` waits for what idle sends; `locks` wants a
 * mutex whose holder is leaked, although a G that lives would unlock it, too, once it had it; `ticked` waits for a ticker. */
static const char left[] = HEAD
    "channels: [never, later, tick]\n"
    "mutexes: [mu]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: leaked}, {go: idle}, {go: late}, {go: locks}, {go: ticked}, {sleep: 5ms}, {if: \"0\", then: [{send: never}]}]\n"
    "  - name: leaked\n"
    "    do: [{lock: mu}, {recv: never}, {unlock: mu}]\n"
    "  - name: idle\n"
    "    do: [{sleep: 1s}, {send: later}, {lock: mu}, {unlock: mu}]\n"
    "  - name: late\n"
    "    do: [{recv: later}]\n"
    "  - name: locks\n"
    "    do: [{sleep: 500us}, {lock: mu}, {unlock: mu}]\n"
    "  - name: ticked\n"
    "    do: [{ticker: tick, every: 300ms}, {range: tick, do: [{print: tick}]}]\n";

TEST(gs_that_nothing_can_release_are_leaked_and_the_others_are_left)
{
    const char *f = t_file("t.yaml", left);
    struct result r = HEADLESS(f, "--json");
    HAS(r.out, "\"leaks\":2}");
    HAS(r.out,
        "\"left\":[{\"g\":2,\"program\":\"leaked\",\"line\":9,\"leaked\":true,\"reason\":\"chan_receive\",\"says\":"
        "\"G2 (leaked, line 9) waits to receive from never, on which no other G sends\"},{\"g\":3,\"program\":\"idle\",\"line\":11,"
        "\"leaked\":false,");
    CHECK_STR(r.err, "");
    r = HEADLESS(f, "--narrate");
    HAS(r.out,
        "\nleaked: G2 (leaked, line 9) waits to receive from never, on which no other G sends\n"
        "left: G3 (idle, line 11) sleeps\n"
        "left: G4 (late, line 13) waits to receive from later, on which only G3 sends\n"
        "leaked: G5 (locks, line 15) waits for mutex mu, held by G2\n"
        "left: G6 (ticked, line 17) waits to receive from tick; a timer sends on it\n");
    r = HEADLESS(f, "--narrate", "--lang", "zh");
    HAS(r.out, "\n已泄漏：G5（locks，第 15 行）等待互斥锁 mu，由 G2 持有\n");
    CHECK_STR(RUN("query", (char *)f, "counter(leaks)").out, "2\n");
}

TEST(leaks_can_be_claimed_in_both_modes)
{
    char text[2000];
    snprintf(text, sizeof text, "%sexpect: [{leaks: 0}]\n", left);
    for (int free = 0; free < 2; free++) {
        struct result r = HEADLESS(t_file("t.yaml", text), free ? "--mode=free" : "--mode=lockstep");
        CHECK_INT(r.code, 1);
        HAS(r.err, free ? ":18:10: leaked Gs: expected 0, got " : ":18:10: leaked Gs: expected 0, got 2: G"); /* free: G5 may still sleep */
        HAS(r.err, "(leaked, line 9) waits to receive from never, on which no other G sends");
    }
    snprintf(text, sizeof text, "%sexpect: [{leaks: 2}, {event: g_end fn=idle, times: 0}]\n", left);
    CHECK_INT(HEADLESS(t_file("t.yaml", text)).code, 0);
}

/* A pair of Gs that could only release each other, over an unbuffered channel: neither comes to what it would send. */
static const char pair[] = HEAD
    "channels: [a, b, done]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: left}, {go: right}, {sleep: 1ms}, {print: ended}]\n"
    "  - {name: left, do: [{recv: a}, {send: b}]}\n"
    "  - {name: right, do: [{recv: b}, {send: a}]}\n"
    "expect: [{leaks: 0}]\n";

TEST(a_circle_beside_a_main_that_returns_is_leaked)
{
    struct result r = HEADLESS(t_file("t.yaml", pair));
    HAS(r.err,
        "leaked Gs: expected 0, got 2: G2 (left, line 7) waits to receive from a, on which only G3 sends; "
        "G3 (right, line 8) waits to receive from b, on which only G2 sends\n");
    CHECK_INT(r.code, 1);
}

/* G3 has been woken and can run, but has not run yet when main returns: its select is behind it, so it will close what G2 waits for. */
static const char woken[] =
    "name: t\nscheduler: {gomaxprocs: 1, preempt_slice: 10s}\n"
    "channels: [stop, done]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: waiter}, {go: closer}, {sleep: 1ms}, {send: stop}]\n"
    "  - {name: waiter, do: [{recv: done}]}\n"
    "  - {name: closer, do: [{select: [{recv: stop, do: [{close: done}]}]}]}\n";

TEST(a_g_that_can_run_has_its_wait_behind_it)
{
    const char *f = t_file("t.yaml", woken);
    HAS(HEADLESS(f, "--json").out, "\"leaks\":0}");
    HAS(HEADLESS(f, "--narrate").out,
        "left: G2 (waiter, line 7) waits to receive from done, which only G3 closes\nleft: G3 (closer) could still run\n");
}

static const char *explored(const char *file, const char *options)
{
    static char line[400];
    snprintf(line, sizeof line, "gmpscope explore %s %s", file, options);
    return shell(line)->out;
}

/* A sender holds the lock that the receiver wants, in some schedules. */
static const char two_ways[] = HEAD
    "channels: [status]\n"
    "rwmutexes: [rw]\n"
    "waitgroups: [wg]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{add: wg, n: 3}, {go: sync}, {go: set, count: 2}, {wait: wg}]\n"
    "  - {name: sync, do: [{loop: 2, do: [{recv: status}, {wlock: rw}, {wunlock: rw}]}, {done: wg}]}\n"
    "  - {name: set, do: [{wlock: rw}, {send: status}, {wunlock: rw}, {done: wg}]}\n"
    "expect: [{ends: main_returned}]\n";

/* One line a kind, whatever the numbers of the Gs are; the command that opens it on the screen; the same in JSON and from parts. */
TEST(explore_says_each_kind_once_and_how_to_see_it)
{
    const char *f = t_file("t.yaml", two_ways);
    const char *out = explored(f, "--seeds 200 --failures 200");
    HAS(out,
        ": deadlock: set (line 10) waits to send on status, from which only sync receives; sync (line 9) waits to write-lock rw, held by set\n");
    HAS(out, "            on the screen, at the failure: gmpscope run ");
    HAS(out, " --at ");
    out = explored(f, "--seeds 200 --failures 200 --json");
    HAS(out, "\"kinds\":[{\"kind\":\"");
    HAS(out, "\"smallest_events\":");
    HAS(out, "\"open\":\"gmpscope run ");
}

/* Runs the command that explore prints for what it found (`where`: "at the failure: ") with all events on stdout. Returns the line of the event at which
 * it opens, and the event in *at. */
static const char *opened(const char *out, const char *where, uint64_t *at)
{
    static char line[1200];
    const char *command = strstr(out, where), *event = command ? strstr(command, " --at ") : NULL;
    *at = event ? strtoull(event + 6, NULL, 10) : 0;
    line[0] = '\0';
    CHECK(*at > 0);
    if (event) {
        command += strlen(where);
        snprintf(line, sizeof line, "%.*s --headless --events --max-events 1000 2>/dev/null", (int)(event - command), command);
        const char *log = shell(line)->out;
        for (uint64_t n = 1; n < *at && *log; n++)
            log += strcspn(log, "\n") + 1;
        snprintf(line, sizeof line, "%.*s", (int)strcspn(log, "\n"), log);
    }
    return line;
}

/* G3 could receive until it has looked at n. G2 has waited for a long time then. */
static const char leaks_late[] = HEAD
    "channels: [a]\n"
    "shared: [n]\n"
    "goroutines:\n"
    "  - {name: main, do: [{go: sends}, {go: looks}, {sleep: 10ms}]}\n"
    "  - {name: sends, do: [{send: a}]}\n"
    "  - name: looks\n"
    "    do: [{sleep: 100us}, {compute: 10us}, {if: \"n > 0\", then: [{recv: a}]}, {print: too late}, {compute: 10us}, {print: end}]\n"
    "expect: [{leaks: 0}]\n";

/* A leak is opened where nothing can release the G any more, with that G; in a search over all schedules, too. */
TEST(a_leak_opens_where_it_becomes_one)
{
    uint64_t at;
    const char *f = t_file("t.yaml", leaks_late);
    const char *const how[] = {"--seeds 1 --coarse --stalls 0", "--seeds 20", "--exhaust --failures 1"};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        const char *out = explored(f, how[i]);
        HAS(out, " --select g2\n");
        HAS(opened(out, "at the failure: ", &at), "print g=3 text=\"too late\"");
    }
    f = t_file("t.yaml", HEAD
               "channels: [a]\n"
               "goroutines: [{name: main, do: [{go: sends}, {sleep: 1ms}]}, {name: sends, do: [{send: a}]}]\n"
               "expect: [{event: g_end, times: 1}]\n");
    HAS(opened(explored(f, "--seeds 20"), "at the failure: ", &at), "g_park g=2 reason=chan_send");
}

/* Any other claim opens at the event that breaks it, if there is one. */
TEST(a_claim_opens_at_the_event_that_breaks_it)
{
    static const char program[] = HEAD
        "shared: [n]\n"
        "goroutines:\n"
        "  - {name: main, do: [{go: w}, {set: n, to: 1}, {print: one}, {print: two}, {print: two}, {yield: 1}]}\n"
        "  - {name: w, do: [{set: n, to: 2}]}\n"
        "expect: [%s]\n";
    static const struct {
        const char *claim, *event;
    } of[] = {
        {"{prints: [one, three]}", "print g=1 text=\"two\""}, {"{prints: [one]}", "print g=1 text=\"two\""},
        {"{event: print, max: 2}", "print g=1 text=\"two\""}, {"{never: \"print text=two\"}", "print g=1 text=\"two\""},
        {"{never: print}", "print g=1 text=\"one\""},         {"{event: print, min: 7}", "program_end"},
        {"{prints: [one, two, two, four]}", "program_end"},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        uint64_t at;
        char text[800];
        snprintf(text, sizeof text, program, of[i].claim);
        HAS(opened(explored(t_file("t.yaml", text), "--seeds 3"), "at the failure: ", &at), of[i].event);
    }
    uint64_t claim, race;
    char text[800];
    snprintf(text, sizeof text, program, "{races: 0}");
    const char *out = explored(t_file("t.yaml", text), "--seeds 1 --coarse --stalls 0");
    opened(out, "at the race: ", &race);
    opened(out, "at the failure: ", &claim);
    CHECK_INT((int)claim, (int)race);
}

/* Why a G waits or runs names the races in which it took part, from the one that comes next on. */
TEST(the_screen_names_the_races_of_a_g)
{
    char at[24];
    uint64_t race;
    char *f = (char *)t_file(
        "t.yaml", HEAD
        "shared: [n]\n"
        "goroutines: [{name: main, do: [{go: w}, {set: n, to: 1}, {yield: 1}, {print: x}]}, {name: w, do: [{set: n, to: 2}]}]\n"
        "expect: [{races: 0}]\n");
    opened(explored(f, "--seeds 1 --coarse --stalls 0"), "at the race: ", &race);
    char *layout = (char *)t_file("l.yaml", "name: l\nroot: {split: rows, children: [{pane: goroutine, options: {show: why}}]}\n"),
         *picture = (char *)in_tmp("p.txt");
    snprintf(at, sizeof at, "%d", (int)race + 1);
    RUN("run", f, "--headless", "--at", at, "--select", "g2", "--layout", layout, "--picture", picture);
    HAS(slurp(picture, NULL), "data race on n: ");
    RUN("run", f, "--headless", "--at", "3", "--select", "g1", "--layout", layout, "--picture", picture);
    CHECK(!strstr(slurp(picture, NULL), "data race"));
}

/* All that a person reads is in the language of --lang; JSON and its keys are in English. */
TEST(searches_and_checks_explain_in_chinese)
{
    const char *f = t_file("t.yaml", two_ways), *english = strdup(explored(f, "--seeds 50 --failures 50 --json"));
    const char *out = explored(f, "--seeds 200 --failures 200 --lang zh --shrink");
    HAS(out, "：死锁：set（第 10 行）等待向 status 发送，只有 sync 会从它接收；sync（第 9 行）等待 rw 的写锁，由 set 持有\n");
    HAS(out, "t：200 种调度，");
    HAS(out, "            在屏幕上打开失败处：gmpscope run ");
    HAS(out, "变化的：下一个 M（uniform、sticky 或 ranked）、");
    HAS(out, "缩减到 1 个选择和 "); /* the main of a calm run that has returned waits for an M inside a step */
    out = explored(f, "--seeds 50 --failures 50 --json --lang zh");
    CHECK_INT(strncmp(out, english, strcspn(english, "]")), 0);
    free((char *)(uintptr_t)english);
    char line[400];
    snprintf(line, sizeof line, "gmpscope check %s --seeds 30 --mode lockstep --lang zh", f);
    HAS(shell(line)->out, "        程序不是以 main 返回结束的：deadlock");
    HAS(shell(line)->out, "程序的结束方式：应为“main_returned”，实为“deadlock”");
    HAS(shell(line)->out, "0 项通过，1 项失败");
    const struct {
        const char *claim, *says;
    } of[] = {
        {"may: ends: deadlock", "may: ends: deadlock：成立\n有，这里就有一个：种子 "},
        {"never: ends: panic", "never: ends: panic：未能判定\n在 40 种调度中没有找到；不能作为证明\n变化的："},
        {"must: ends: main_returned", "不成立\n有，这里就有一个，运行到结束也没有出现：种子 "},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        snprintf(line, sizeof line, "gmpscope claim %s '%s' --seeds 40 --lang zh", f, of[i].claim);
        HAS(shell(line)->out, of[i].says);
    }
    f = t_file("t.yaml", leaks_late);
    snprintf(line, sizeof line, "gmpscope run %s --headless --lang zh 2>&1", f);
    HAS(shell(line)->out, "泄漏的 G：应为 0 个，实为 1 个：G2（sends，第 7 行）等待向 a 发送，没有别的 G 会从它接收");
    HAS(explored(f, "--exhaust --lang zh"),
        ": 泄漏的 G：应为 0 个，实为 1 个；泄漏：sends（第 7 行）等待向 a 发送，没有别的 G 会从它接收\n");
    f = t_file("t.yaml", "name: t\nscheduler: {gomaxprocs: 1}\ngoroutines: [{name: main, do: [{yield: 1}]}]\n");
    HAS(explored(f, "--exhaust --lang zh"), "；全部调度都试过了\n范围：");
    snprintf(line, sizeof line,
             "gmpscope run whatif-recheck --seed 11 --fine --strict --disable spinning_recheck --headless --lang zh 2>&1");
    HAS(shell(line)->out, "丢失的唤醒：G17 可以运行，又有空闲的 P");
}

/* The timer is due when main returns: in some schedules it has left its heap, but has not sent yet. Then nothing is leaked. */
static const char due[] = HEAD
    "channels: [a]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: sets}, {go: waits}, {sleep: 2ms}]\n"
    "  - {name: sets, do: [{timer: a, after: 2ms}]}\n"
    "  - {name: waits, do: [{recv: a}]}\n"
    "expect: [{leaks: 0}]\n";

TEST(a_timer_that_fires_as_main_returns_still_sends)
{
    const char *f = t_file("t.yaml", due);
    HAS(explored(f, "--seeds 2000 --coarse"), " 0 failed");
    HAS(explored(f, "--seeds 2000"), " 0 failed");
}

static void leaks_none(const char *yaml)
{
    const char *f = t_file("t.yaml", yaml);
    HAS(HEADLESS(f, "--json").out, "\"leaks\":0}");
    HAS(HEADLESS(f, "--json", "--mode", "free").out, "\"leaks\":0}");
}

/* What was written as main returns is in the socket, and only the poller has not come yet. */
TEST(bytes_on_their_way_release_a_reader)
{
    leaks_none(HEAD
               "conns: [c]\n"
               "goroutines:\n"
               "  - {name: main, do: [{go: w}, {sleep: 1ms}, {write: c.a, bytes: 10}]}\n"
               "  - {name: w, do: [{read: c.b, bytes: 10}]}\n"
               "expect: [{leaks: 0}]\n");
    leaks_none(HEAD
               "conns: [c]\n"
               "goroutines:\n"
               "  - {name: main, do: [{go: w}, {sleep: 1ms}, {read: c.b, bytes: 65536}]}\n"
               "  - {name: w, do: [{write: c.a, bytes: 100000}]}\n"
               "expect: [{leaks: 0}]\n");
}

TEST(a_conn_that_is_dry_or_full_releases_nobody)
{
    static const char leaky[] = HEAD
        "conns: [c, d]\n"
        "goroutines:\n"
        "  - {name: main, do: [{go: r}, {go: w}, {sleep: 1ms}, {write: c.a, bytes: 9}, {sleep: 1ms}]}\n"
        "  - {name: r, do: [{read: c.b, bytes: 10}]}\n"
        "  - {name: w, do: [{write: d.b, bytes: 100000}]}\n";
    const char *f = t_file("t.yaml", leaky);
    HAS(HEADLESS(f, "--json").out, "\"leaks\":2}");
    CHECK(
        !strstr(HEADLESS(f, "--json", "--mode", "free").out, "\"leaks\":2}")); /* the bytes are not recorded, so G2 may be about to go on */
}

/* Two ways to die in one program, and one of them at two lines. */
static const char dies[] = HEAD
    "channels: [c]\n"
    "waitgroups: [wg]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: closer}, {go: sender}, {go: late}, {go: done}, {sleep: 1ms}]\n"
    "  - {name: closer, do: [{close: c}]}\n"
    "  - {name: sender, do: [{select: [{send: c}], default: []}]}\n"
    "  - {name: late, do: [{select: [{send: c}], default: []}]}\n"
    "  - {name: done, do: [{done: wg}]}\n"
    "expect: [{ends: main_returned}]\n";

/* The message of a panic and its line make its kind, and are its text in explore, JSON and check. */
TEST(a_panic_is_told_with_its_line)
{
    const char *f = t_file("t.yaml", dies);
    const char *out = explored(f, "--seeds 300 --failures 300");
    HAS(out, ": panic: sync: negative WaitGroup counter: done (line 11)\n");
    HAS(out, ": panic: send on closed channel: sender (line 9)\n");
    HAS(out, ": panic: send on closed channel: late (line 10)\n");
    HAS(explored(f, "--seeds 300 --failures 300 --json"), "\"why\":\"panic: send on closed channel: sender (line 9)\"");
    char line[400];
    snprintf(line, sizeof line, "gmpscope check %s --mode lockstep 2>&1", f);
    HAS(shell(line)->out, "        the program did not end by returning from main: panic: s");
    HAS(shell(line)->out, " (line ");
}

/* What is said of a kind is true of the run that its command shows. */
TEST(the_reason_of_a_kind_is_that_of_its_smallest_run)
{
    const char *f = t_file(
        "t.yaml",
        "name: t\n"
        "scheduler: {disable: [wakep]}\n"
        "vary: {n: 1..3}\n"
        "goroutines:\n"
        "  - {name: main, do: [{go: two, count: n}, {yield: 2}, {go: one}, {compute: 1ms}]}\n"
        "  - {name: one, do: [{compute: 1ms}]}\n"
        "  - {name: two, do: [{print: hi}]}\n");
    char *out = strdup(explored(f, "--seeds 40 --failures 40 --all --strict")), line[1200];
    const char *kind = out ? strstr(out, " x  exit 4, ") : NULL, *why = kind ? strstr(kind, ": invariant: ") : NULL;
    const char *open = why ? strstr(why, "at the failure: gmpscope run ") : NULL, *at = open ? strstr(open, " --at ") : NULL;
    CHECK(at != NULL);
    if (at) {
        snprintf(line, sizeof line, "%.*s --headless 2>&1", (int)(at - open) - 16, open + 16);
        char *said = strdup(shell(line)->out);
        snprintf(line, sizeof line, "%.*s", (int)strcspn(why + 13, "\n"), why + 13);
        HAS(said, line);
        CHECK(line[0]);
        free(said);
    }
    free(out);
}

/* Timers that have left their heap: what an M logs after that, or does not log as long as it is stalled, is no end of their function. */
TEST(a_timer_that_fires_on_a_stalled_m_still_sends)
{
    const char *f =
        t_file("t.yaml", HEAD
               "channels: [{name: c, buffer: 1}]\n"
               "goroutines:\n"
               "  - {name: main, do: [{go: w}, {sleep: 1ms}, {loop: 30, do: [{yield: 1}]}]}\n"
               "  - {name: w, do: [{timer: c, after: 1ms}, {recv: c}]}\n"
               "expect: [{leaks: 0}]\n");
    HAS(explored(f, "--seeds 4000 --stalls 1"), " 0 failed");
}

/* The holder's thread has lost its CPU between the lock and the unlock, and main returns meanwhile. Where the holder is was not recorded. */
TEST(a_holder_on_a_stalled_m_still_unlocks)
{
    const char *f = t_file(
        "t.yaml", HEAD
        "mutexes: [mu]\n"
        "channels: [{name: stop, buffer: 1}]\n"
        "goroutines:\n"
        "  - {name: main, do: [{go: w, count: 2}, {send: stop}, {sleep: 1ms}]}\n"
        "  - {name: w, do: [{lock: mu}, {select: [{recv: stop, do: [{unlock: mu}, {exit: true}]}], default: []}, {unlock: mu}]}\n"
        "expect: [{leaks: 0}]\n");
    HAS(explored(f, "--seed 5500 --seeds 100"), " 0 failed");
}

/* A finalizer that is queued or runs will still do the rest of its program. */
TEST(a_finalizer_that_runs_still_sends)
{
    leaks_none(HEAD
               "channels: [c]\n"
               "goroutines:\n"
               "  - {name: main, do: [{go: w}, {sleep: 1ms}, {finalizer: fin}, {sleep: 1ms}]}\n"
               "  - {name: w, do: [{recv: c}]}\n"
               "  - {name: fin, do: [{sleep: 5ms}, {send: c}]}\n"
               "expect: [{leaks: 0}]\n");
    leaks_none(HEAD
               "channels: [c]\n"
               "goroutines:\n"
               "  - {name: main, do: [{go: w}, {sleep: 1ms}, {finalizer: fin}]}\n"
               "  - {name: w, do: [{recv: c}]}\n"
               "  - {name: fin, do: [{send: c}]}\n"
               "expect: [{leaks: 0}]\n");
}

/* Ends at once, with Gs that something other than a living G will release. */
static void says_left(const char *objects, const char *programs, const char *en, const char *zh)
{
    char text[1000];
    snprintf(text, sizeof text, HEAD "%sgoroutines:\n%s", objects, programs);
    const char *f = t_file("t.yaml", text);
    HAS(HEADLESS(f, "--narrate").out, en);
    HAS(HEADLESS(f, "--narrate", "--lang", "zh").out, zh);
}

TEST(timers_and_finalizers_are_named_beside_the_gs)
{
    says_left("channels: [c]\n",
              "  - {name: main, do: [{after: 10ms, go: z}, {go: w}, {sleep: 1ms}]}\n"
              "  - {name: w, do: [{recv: c}]}\n"
              "  - {name: z, do: [{send: c}]}\n",
              "left: G2 (w, line 6) waits to receive from c, on which Gs that are still to be started send\n",
              "等待从 c 接收，尚未启动的 G 会向它发送\n");
    says_left("channels: [c, d]\n",
              "  - {name: main, do: [{go: w}, {sleep: 1ms}]}\n"
              "  - {name: w, do: [{timer: c, after: 5ms}, {select: [{recv: d}, {recv: c}]}]}\n",
              "left: G2 (w, line 6) waits in a select (recv d, recv c); a timer sends on c\n", "；有定时器向 c 发送\n");
    says_left("channels: [c]\n",
              "  - {name: main, do: [{go: w}, {sleep: 1ms}, {finalizer: fin}, {sleep: 1ms}]}\n"
              "  - {name: w, do: [{recv: c}]}\n"
              "  - {name: fin, do: [{sleep: 5ms}, {close: c}]}\n",
              "left: G2 (w, line 6) waits to receive from c, which a finalizer closes\n", "，终结器 G 会关闭它\n");
}

/* Which Gs are leaked is found out only if main returns or no G can continue. */
TEST(a_claim_about_leaks_is_not_judged_when_a_run_is_cut)
{
    const char *f =
        t_file("t.yaml", HEAD
               "channels: [c]\n"
               "goroutines:\n"
               "  - {name: main, do: [{go: w}, {sleep: 1ms}, {panic: boom}]}\n"
               "  - {name: w, do: [{recv: c}]}\n"
               "expect: [{leaks: 1}]\n");
    struct result r = HEADLESS(f);
    CHECK_INT(r.code, 3);
    CHECK(!strstr(r.err, "leaked Gs"));
}
