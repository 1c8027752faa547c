/* The real program, run as a user runs it: its output and its exit codes. No terminal here (test_term.c has one). */
#include "load.h"
#include "shell.h"

#include <sys/stat.h>

/* --- scenarios of these tests --- */

static const char spawn_text[] =
    "name: spawn\n"
    "title: {en: \"a \\\"title\\\"\"}\n"
    "scheduler: {gomaxprocs: 1, preempt_slice: 10s}\n"
    "waitgroups: [wg]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do:\n"
    "      - {add: wg, n: 3}\n"
    "      - {go: worker, count: 3}\n"
    "      - wait: wg\n"
    "  - name: worker\n"
    "    do:\n"
    "      - print: \"tab\\t quote\\\" back\\\\slash {i} 走\"\n"
    "      - done: wg\n";

static const char busy_text[] = BUSY("gomaxprocs: 4", "12", "5");

static const char dead_text[] =
    "name: dead\n"
    "channels: [{name: c}]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do:\n"
    "      - print: before\n"
    "      - recv: c\n";

static const char panic_text[] =
    "name: panics\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{print: before}, {panic: \"oh no\"}, {print: never}]\n";

/* --- usage --- */

TEST(unknown_words_name_the_nearest)
{
    struct result r = RUN("rnu");
    CHECK_INT(r.code, 2);
    HAS(r.err, "did you mean run?");
    CHECK_INT(lines(r.err), 1);
    r = RUN("run", "x", "--sede", "3");
    CHECK_INT(r.code, 2);
    HAS(r.err, "did you mean --seed?");
    CHECK_INT(lines(r.err), 1);
    r = RUN("run", "clasic", "--headless");
    CHECK_INT(r.code, 2);
    r = RUN("run", "x", "--mode=lokstep");
    HAS(r.err, "did you mean \"lockstep\"?");
    CHECK_INT(r.code, 2);
}

TEST(bad_values_are_refused)
{
    static const char *const bad[] = {
        "--seed=1x",        "--seed=",          "--seed=18446744073709551616",
        "--procs=0",        "--procs=1025",     "--limit=5",
        "--limit=-1s",      "--max-events=0",   "--tempo=fast",
        "--tempo=nan",      "--speed=0",        "--speed=1/0",
        "--speed=fast",     "--disable=runnxt", "--break=nosuch_event",
        "--lang=fr",        "--layout=nosuch",  "--rings=drop",
        "--rings=blok",     "--headless=yes",   "--generation=go1.4",
        "--generation=go9", "--record=",        "--json"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct result r = RUN("run", (char *)t_file("s.yaml", spawn_text), (char *)bad[i]);
        if (r.code != 2 || lines(r.err) != 1 || r.nout)
            t_fail(__FILE__, __LINE__, "%s: code %d, stderr \"%s\"", bad[i], r.code, r.err);
    }
    CHECK_INT(HEADLESS(t_file("s.yaml", spawn_text), "--layout=nosuch").code, 2);
    CHECK_INT(HEADLESS(t_file("s.yaml", spawn_text), "--layout=compact", "--rings=block").code, 0);
    CHECK_INT(RUN("run", "--headless").code, 2);
    CHECK_INT(RUN("run", "a", "b", "--headless").code, 2);
    CHECK_INT(HEADLESS("x", "--json", "--events").code, 2);
    CHECK_INT(RUN("run", "x", "--seed").code, 2);
    CHECK_INT(HEADLESS("").code, 2);
}

TEST(help_and_version)
{
    static const char *const names[] = {"run", "check", "explore", "compare", "lint", "list"};
    struct result r = RUN("--help");
    CHECK_INT(r.code, 0);
    HAS(r.out, "--max-events");
    for (size_t i = 0; i < 4; i++) {
        r = RUN((char *)names[i], "--help");
        CHECK_INT(r.code, 0);
        HAS(r.out, names[i]);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        r = RUN("help", (char *)names[i]);
        CHECK_INT(r.code, 0);
        HAS(r.out, names[i]);
        HAS(r.out, "--lang");
    }
    r = RUN("help", "--help");
    CHECK_INT(r.code, 0);
    HAS(r.out, "help [TOPIC|COMMAND]");
    CHECK_STR(RUN("help", "export").out, RUN("export", "--help").out);
    HAS(RUN("export", "first-spawn").err, "--format go");
    r = RUN("--version");
    CHECK_INT(r.code, 0);
    HAS(r.out, "gmpscope ");
}

TEST(list_begins_with_names)
{
    struct result r = RUN("list"), alone = run_argv((char *[]){(char *)GMPSCOPE_BIN, NULL});
    CHECK_INT(r.code, 0);
    CHECK_STR(alone.out, r.out);
    HAS(r.out, "first-spawn ");
    HAS(r.out, "\nsteal-half ");
    HAS(r.out, "\nclassic ");
}

TEST(only_regular_files)
{
    const char *fifo = in_tmp("fifo.yaml");
    CHECK_INT(mkfifo(fifo, 0600), 0);
    char *bad[] = {(char *)fifo, (char *)t_tmpdir(), "/dev/zero", "./no-such-file.yaml"};
    for (size_t i = 0; i < 4; i++) {
        CHECK_INT(HEADLESS(bad[i]).code, 2);
        CHECK_INT(RUN("check", bad[i]).code, 2);
        CHECK_INT(RUN("lint", bad[i]).code, 2);
    }
}

TEST(lint_reports_all_mistakes)
{
    struct result r = RUN("lint", (char *)t_file("bad.yaml",
                                                 "name: bad\ngoroutines:\n  - name: main\n    do:\n"
                                                 "      - compte: 1ms\n      - {send: nowhere}\n"));
    CHECK_INT(r.code, 2);
    HAS(r.err, "bad.yaml:5:9: ");
    HAS(r.err, "compute");
    HAS(r.err, "bad.yaml:6:");
    r = RUN("lint", (char *)t_file("l.yaml", "name: l\nroot: {pane: proccessors}\n"));
    CHECK_INT(r.code, 2);
    HAS(r.err, "processors");
    CHECK_INT(RUN("lint", (char *)t_file("s.yaml", spawn_text), SOURCE_DIR "/layouts/classic.yaml").code, 0);
    CHECK_INT(RUN("lint", "classic", "first-spawn").code, 0);
    CHECK_INT(RUN("lint").code, 2);
    r = RUN("lint", "nofile");
    CHECK_INT(r.code, 2);
    HAS(r.err, "no scenario or layout \"nofile\"");
    HAS(shell("cd \"${TMPDIR:-/tmp}\"; d=$(mktemp -d) && cd \"$d\" && touch mine.yaml; gmpscope lint mine; rm -r \"$d\"")->err,
        "no scenario or layout \"mine\" comes with gmpscope; for the file here, write mine.yaml");
    HAS(RUN("lint", "clasic").err, "did you mean \"classic\"?");
    char many[2000] = "name: t\ngoroutines:\n  - name: main\n    do:\n";
    for (int i = 0; i < 25; i++)
        strcat(many, "      - sleep: x\n");
    CHECK_INT(lines(RUN("lint", (char *)t_file("many.yaml", many)).err), 25);
}

/* --- headless --- */

static const char spawn_out[] = "tab\t quote\" back\\slash 2 走\ntab\t quote\" back\\slash 0 走\ntab\t quote\" back\\slash 1 走\n";

/* Returns the words of the line that follows the mistake in `what`. */
static char *right_words(struct result r, const char *what)
{
    char *mistake = strstr(r.err, what), *list = mistake ? strstr(mistake, "\n    allowed here: ") : NULL;
    if (!list)
        t_fail(__FILE__, __LINE__, "nothing is offered for \"%s\": %s", what, r.err);
    return list + strlen("\n    allowed here: ");
}

static void offers(struct result r, const char *what, const char *first, const char *other)
{
    char *words = right_words(r, what), *end = strstr(words, "\ngmpscope:");
    if (end)
        *end = '\0';
    if (strncmp(words, first, strlen(first)) || !strstr(words, other))
        t_fail(__FILE__, __LINE__, "%s: expected %s first, and %s; got %s", what, first, other, words);
    if (end)
        *end = '\n';
}

TEST(lint_lists_what_would_be_right)
{
    struct result r =
        RUN("lint", (char *)t_file("words.yaml",
                                   "name: t\nscheduler: {gomaxproc: 4, disable: [stelaing]}\nmutexes: [mu, nu]\ngoroutines:\n"
                                   "  - name: main\n    do:\n      - compte: 1ms\n      - zzzz: 1\n      - {set: total, to: 1}\n"
                                   "      - lock: mi\n      - print: \"{totl}\"\nexpect:\n  - {counter: stels, min: 1}\n"
                                   "  - {event: steal theif=1}\n  - {event: stel}\n  - {event: g_park reason=chan}\n"
                                   "  - {never: when p0.rnq > 1}\n  - {never: when globqq > 1}\n  - {event: go_create fn=mian}\n"
                                   "lesson:\n  - {on: start, ask: {question: q, choices: [one, two], answer: tow}}\n"));
    CHECK_INT(r.code, 2);
    offers(r, "unknown key \"gomaxproc\"", "gomaxprocs, ", "generation");
    offers(r, "unknown word \"stelaing\"", "stealing, ", "spinning");
    offers(r, "unknown key \"compte\"", "compute, ", "print");
    offers(r, "unknown key \"zzzz\"", "compute, ", "print");
    offers(r, "unknown mutex \"mi\"", "mu, ", "nu");
    offers(r, "unknown variable \"totl\"", "total, ", "goid");
    offers(r, "unknown counter \"stels\"", "steals, ", "rounds");
    offers(r, "no field \"theif\"", "thief, ", "victim");
    offers(r, "no event \"stel\"", "steal, ", "g_ready");
    offers(r, "no value of reason", "chan_send, ", "chan_receive");
    CHECK(!strstr(r.err, "; there are ")); /* the words of the line below are not in the message too */
    offers(r, "no gauge \"rnq\"", "p0.runq, ", "p0.state");
    offers(r, "no gauge \"globqq\"", "globq, ", "idle_p");
    offers(r, "the answer \"tow\"", "two, ", "one");
    CHECK(!strstr(HEADLESS(t_file("words.yaml", "name: t\nscheduler: {gomaxproc: 4}\n")).err, "allowed here")); /* run is brief */
    for (const char *s = r.err; (s = strstr(s, "allowed here")); s++)
        CHECK(strcspn(s, "\n") < 100 && strncmp(strchr(s, '\n') + 1, "  ", 2) != 0); /* one line each */
}

/* It runs and prints the word, which is probably not what was wanted: lint says so. */
TEST(lint_finds_a_bare_word_that_is_a_variable)
{
    const char *bare = t_file("bare.yaml", "name: t\ngoroutines: [{name: main, do: [{set: v, to: 7}, {print: v}]}]\n"), *quoted = NULL;
    CHECK_STR(HEADLESS(bare).out, "v\n");
    HAS(RUN("lint", (char *)bare).err, ":2:57: this prints the word \"v\"; write \"{v}\" for the variable's value, or quotes for the word");
    quoted = t_file("quoted.yaml", "name: t\ngoroutines: [{name: main, do: [{set: v, to: 7}, {print: \"v\"}, {print: main}]}]\n");
    CHECK_INT(RUN("lint", (char *)quoted).code, 0);
}

TEST(lint_lists_what_would_be_right_in_a_layout)
{
    struct result r = RUN("lint", (char *)t_file("words.yaml",
                                                 "name: t\nroot: {split: rows, children: [{pane: statsu, size: 1}, {pane: zzzz},\n"
                                                 "  {pane: processors, options: {rnq: bar}}]}\n"));
    CHECK_INT(r.code, 2);
    offers(r, "unknown word \"statsu\"", "status, ", "narration");
    offers(r, "unknown word \"zzzz\"", "status, ", "narration");
    offers(r, "unknown key \"rnq\"", "runq, ", "arrows");
    r = RUN("lint", (char *)t_file("words.yaml", "name: t\nroot: {split: rows, children: [{pain: keys}]}\n"));
    HAS(r.err, "unknown key \"pain\" in an item of children; it can be pane, options, split, ");
    r = RUN("lint", (char *)t_file("words.yaml", "name: t\ntheme: lihgt\nroot: {pane: status}\n"));
    offers(r, "unknown theme \"lihgt\"", "light, ", "mono");
}

TEST(headless_prints_the_program)
{
    const char *f = t_file("s.yaml", spawn_text);
    struct result r = HEADLESS(f), fr = HEADLESS(f, "--mode", "free");
    CHECK_INT(r.code, 0);
    CHECK_STR(r.err, "");
    CHECK_STR(r.out, spawn_out);
    CHECK_INT(fr.code, 0);
    CHECK_STR(fr.out, spawn_out);
}

TEST(json_is_json)
{
    struct result r = HEADLESS(t_file("s.yaml", spawn_text), "--json", "--audit");
    const char *end = json_value(r.out);
    CHECK_INT(r.code, 0);
    CHECK(end && !strcmp(end, "\n"));
    HAS(r.out,
        "{\"scenario\":\"spawn\",\"mode\":\"lockstep\",\"generation\":\"go1.20\",\"seed\":1,\"gomaxprocs\":1,"
        "\"ended\":\"main_returned\",\"time_ns\":");
    HAS(r.out, "\"output\":[\"tab\\t quote\\\" back\\\\slash 2 走\",");
    HAS(r.out, "\"counters\":{\"goroutines\":4,");
    HAS(r.out, "\"mismatches\":0},\"expect\":{\"passed\":0,\"failed\":0}}");
}

TEST(audit_compares_at_every_round)
{
    const char *f = t_file("busy.yaml", busy_text);
    for (int seed = 1; seed <= t_count(3, 100); seed++) {
        char arg[32];
        snprintf(arg, sizeof arg, "--seed=%d", seed);
        struct result r = HEADLESS(f, "--json", "--audit", arg);
        CHECK_STR(r.err, "");
        CHECK_INT(r.code, 0);
        CHECK(json_int(r.out, "compared") >= json_int(r.out, "rounds"));
        CHECK(json_int(r.out, "rounds") >= 13);
        r = HEADLESS(f, "--json", "--audit", "--mode=free", "--pauses=20", arg);
        CHECK_STR(r.err, "");
        CHECK(json_int(r.out, "compared") >= 2);
    }
}

/* The same seed gives the same bytes, with or without stops; another seed gives other bytes. */
TEST(events_are_the_same_for_a_seed)
{
    const char *f = t_file("busy.yaml", busy_text);
    struct result first = HEADLESS(f, "--events"), r;
    CHECK_INT(first.code, 0);
    CHECK(lines(first.out) > 200);
    for (int i = 0; i < t_count(5, 100); i++) {
        r = HEADLESS(f, "--events");
        CHECK(r.nout == first.nout && !memcmp(r.out, first.out, r.nout));
    }
    r = HEADLESS(f, "--events", "--pauses=100");
    CHECK(r.nout == first.nout && !memcmp(r.out, first.out, r.nout));
    r = HEADLESS(f, "--events", "--audit");
    CHECK(r.nout == first.nout && !memcmp(r.out, first.out, r.nout));
    r = HEADLESS(f, "--events", "--audit", "--pauses=50");
    CHECK(r.nout == first.nout && !memcmp(r.out, first.out, r.nout));
    r = HEADLESS(f, "--events", "--seed=2");
    CHECK(strcmp(r.out, first.out) != 0);
}

TEST(narration_speaks_both_languages)
{
    const char *f = t_file("busy.yaml", busy_text);
    struct result en = HEADLESS(f, "--narrate", "--lang=en"), zh = HEADLESS(f, "--narrate", "--lang=zh");
    HAS(en.out, "starts G2 (worker).");
    HAS(zh.out, "创建 G2（worker）。");
    CHECK_INT(lines(en.out), lines(zh.out));
}

/* --- ends --- */

TEST(deadlock_in_gos_words)
{
    for (int i = 0; i < 2; i++) {
        struct result r = HEADLESS(t_file("dead.yaml", dead_text), i ? "--mode=free" : "--mode=lockstep");
        CHECK_INT(r.code, 3);
        CHECK_STR(r.out, "before\n");
        HAS(r.err, "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\n");
    }
}

TEST(panic_in_gos_words)
{
    struct result r = HEADLESS(t_file("p.yaml", panic_text));
    CHECK_INT(r.code, 3);
    CHECK_STR(r.out, "before\n");
    CHECK(!strncmp(r.err, "panic: oh no\n\ngoroutine 1 [running]:\n", 36));
}

TEST(fatal_error_in_gos_words)
{
    /* Whether the mutex is locked is known only in the run, so the file cannot be refused at load. */
    struct result r =
        HEADLESS(t_file("f.yaml",
                        "name: f\nmutexes: [mu]\ngoroutines:\n  - name: main\n    do:\n"
                        "      - {set: x, to: 0}\n      - {if: x, then: [{lock: mu}]}\n"
                        "      - unlock: mu\n"));
    CHECK_INT(r.code, 3);
    CHECK_STR(r.err,
              "fatal error: sync: unlock of unlocked mutex\n\ngoroutine 1 [running]:\nmain.main()\n"
              "\ngmpscope: where it dies:\n  G1 (main, line 8)\n");
    const char *nil = t_file("n.yaml",
                             "name: n\ngoroutines:\n  - name: main\n    do:\n      - {go: f}\n      - {sleep: 1ms}\n"
                             "  - name: f\n    do:\n      - {if: 1, then: [{stop: t}]}\n      - {timer: 1ms, as: t}\n");
    for (int free = 0; free < 2; free++)
        HAS(HEADLESS((char *)nil, free ? "--mode=free" : "--mode=lockstep").err, "\ngmpscope: where it dies:\n  G2 (f, line 9)\n");
    HAS(HEADLESS((char *)nil, "--lang=zh").err, "\ngmpscope：出错的位置：\n  G2（f，第 9 行）\n");
    nil = t_file("a.yaml",
                 "name: a\ncontexts: [{name: part, count: 2}]\ngoroutines:\n  - name: main\n    do:\n"
                 "      - {loop: 2, do: [{context: 'part[1]'}]}\n");
    HAS(HEADLESS((char *)nil).err, "gmpscope: line 6: the context part[1] is made again; ");
}

TEST(an_expected_death_is_none)
{
    char text[600];
    snprintf(text, sizeof text, "%s%s", dead_text, "expect: [{ends: deadlock}]\n");
    struct result r = HEADLESS(t_file("d.yaml", text));
    CHECK_INT(r.code, 0);
    CHECK_STR(r.err, ""); /* a run that ends well writes nothing there */
    CHECK_INT(RUN("check", (char *)t_file("d.yaml", text)).code, 0);
}

TEST(claims_decide_the_exit_code)
{
    char text[2000];
    snprintf(text, sizeof text, "%s%s", spawn_text, "expect:\n  - {counter: steals, min: 1}\n  - {counter: goroutines, equals: 4}\n");
    const char *f = t_file("e.yaml", text);
    struct result r = HEADLESS(f), c = RUN("check", "--audit", (char *)f);
    CHECK_INT(r.code, 1);
    HAS(r.err, "e.yaml:");
    CHECK_STR(r.out, spawn_out);
    CHECK_INT(c.code, 1);
    HAS(c.out, "FAILED");
    HAS(c.out, "0 passed, 2 failed");
    /* With other Ps or mechanisms it is another experiment: reported in --json, but not a failure. */
    r = HEADLESS(f, "--procs=2", "--json");
    CHECK_INT(r.code, 0);
    HAS(r.out, "\"expect\":{\"passed\":");
    CHECK_INT(HEADLESS(f, "--disable=stealing,wakep").code, 0);
    CHECK_INT(HEADLESS(f, "--procs=1", "--seed=7").code, 1);
    /* 1 outranks 3 */
    snprintf(text, sizeof text, "%s%s", panic_text, "expect: [{counter: steals, min: 1}]\n");
    CHECK_INT(HEADLESS(t_file("pe.yaml", text)).code, 1);
    CHECK_INT(RUN("check", (char *)t_file("pe.yaml", text)).code, 1);
    CHECK_INT(RUN("check", (char *)t_file("p.yaml", panic_text)).code, 3);
}

TEST(a_reader_that_leaves_is_no_crash)
{
    char cmd[1200];
    const char *f = t_file("busy.yaml", busy_text);
    snprintf(cmd, sizeof cmd, "%s run %s --headless --events --limit=1h | head -n 1 >/dev/null; exit ${PIPESTATUS[0]}", GMPSCOPE_BIN, f);
    char *argv[] = {"/bin/bash", "-c", cmd, NULL};
    CHECK_INT(run_argv(argv).code, 0);
}

/* Every command that writes to stdout reports a write error, and does not return 0. */
TEST(lost_output_is_reported)
{
    static const char *const commands[] = {
        "list",
        "--help",
        "--version",
        "run --help",
        "check first-spawn",
        "lint classic",
        "run first-spawn --headless",
        "run first-spawn --headless --events",
        "run first-spawn --headless --json",
        "run first-spawn --linear </dev/null",
        "export first-spawn --format go"};
    static const char *const to[][2] = {{"/dev/full", "No space left on device"}, {"&-", "Bad file descriptor"}};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        for (int k = 0; k < 2; k++) {
            char cmd[1200], *argv[] = {"/bin/bash", "-c", cmd, NULL};
            snprintf(cmd, sizeof cmd, "%s %s >%s", GMPSCOPE_BIN, commands[i], to[k][0]);
            struct result r = run_argv(argv);
            if (r.code != 2 || lines(r.err) != 1 || !strstr(r.err, to[k][1]))
                t_fail(__FILE__, __LINE__, "%s: code %d, stderr \"%s\"", cmd, r.code, r.err);
        }
}

/* --- check --- */

TEST(shipped_scenarios_keep_their_claims)
{
    char seeds[32];
    snprintf(seeds, sizeof seeds, "--seeds=%ld", t_count(3, 200));
    struct result r = RUN("check", "--audit", "--limit=1h", seeds);
    if (r.code) {
        const char *first = strstr(r.out, "FAILED"); /* runs that passed before it print nothing */
        t_fail(__FILE__, __LINE__, "code %d\n%.3000s%s", r.code, first ? first : r.out, r.err);
    }
    HAS(r.out, "first-spawn ");
    HAS(r.out, " 0 failed; compared ");
    HAS(r.out, "mismatches 0\n");
}

/* The same scenario runs on all generations that have its features. */
TEST_TIMED(shipped_scenarios_keep_their_claims_on_all_generations, 600)
{
    char seeds[32];
    snprintf(seeds, sizeof seeds, "--seeds=%ld", t_count(1, 50));
    struct result r = RUN("check", "--audit", "--all-generations", "--limit=1h", seeds);
    if (r.code) {
        const char *first = strstr(r.out, "FAILED");
        t_fail(__FILE__, __LINE__, "code %d\n%.3000s%s", r.code, first ? first : r.out, r.err);
    }
    HAS(r.out, "ok      first-spawn           go1.0  lockstep");
    HAS(r.out, "ok      first-spawn           go1.20  free");
    HAS(r.out, "-       gc-cycle              go1.4  skipped: go1.4 has no operation \"gc\": concurrent marking came with Go 1.5\n");
    HAS(r.out, "mismatches 0\n");
}

/* One file with a claim for some generations only, which names a P; go1.0 has none. That is no reason to skip the
 * file there. */
TEST(a_claim_may_be_for_some_generations)
{
    const char *f = t_file(
        "eras.yaml",
        "name: eras\nscheduler: {gomaxprocs: 1, preempt_slice: 10s}\nwaitgroups: [wg]\ngoroutines:\n"
        "  - {name: main, do: [{add: wg, n: 2}, {go: w, count: 2}, {wait: wg}]}\n  - {name: w, do: [{print: '{i}'}, {done: wg}]}\nexpect:\n"
        "  - {prints: [0, 1], generation: [go1.0, go1.4]}\n  - {prints: [1, 0], generation: go1.13}\n"
        "  - {event: runnext_put g=3 p=0, generation: go1.20}\n");
    struct result r = RUN("check", "--all-generations", (char *)f);
    CHECK_INT(r.code, 0);
    HAS(r.out, "22 passed, 0 failed\n");
    CHECK_INT(RUN("check", "--generation=go1.0", (char *)f).code, 0);
    CHECK_INT(RUN("check", "--generation=go1.0", "--all-generations", (char *)f).code, 2);
    f = t_file("wrong.yaml",
               "name: wrong\ngoroutines: [{name: main, do: [{gc: 10us}]}]\nexpect:\n"
               "  - {event: m_park, min: 1000, generation: go1.13}\n");
    CHECK_INT(RUN("check", (char *)f).code, 0);
    r = RUN("check", "--all-generations", (char *)f);
    CHECK_INT(r.code, 1);
    HAS(r.out, "go1.0  skipped: go1.0 has no operation \"gc\"");
    HAS(r.out, "FAILED  wrong                 go1.13  lockstep");
    HAS(r.out, "16 passed, 2 failed, 2 skipped\n");
    CHECK_INT(RUN("check", "--generation=go1.4", (char *)f).code, 2); /* named explicitly */
}

/* Stopped in the middle of its second run, which was the first of its file: nothing was shown there, so nothing
 * passed. */
TEST(an_interrupted_check_is_not_ok)
{
    const char *quick = t_file("quick.yaml", "name: quick\ngoroutines: [{name: main}]\n");
    const char *f = t_file("sleepy.yaml", "name: sleepy\ngoroutines: [{name: main, do: [{sleep: 1h}]}]\n");
    char *argv[] = {(char *)GMPSCOPE_BIN, "check", "--mode=free", "--limit=2h", (char *)quick, (char *)f, NULL};
    const char *out = in_tmp("out");
    for (useconds_t later = 1000;; later *= 2) { /* a signal between the two files is valid, too, but does not test
                                                  * this */
        unlink(out);
        pid_t pid = program_start(argv, out, in_tmp("err"));
        struct stat st = {0};
        while (stat(out, &st) || st.st_size == 0) /* it reports each file when that file is done */
            usleep(1000);
        usleep(later);
        kill(pid, SIGINT);
        CHECK_INT(program_end(pid), 130);
        HAS(slurp(out, NULL), "1 passed, 0 failed, interrupted\n");
        if (strstr(slurp(out, NULL), "interrupted  sleepy"))
            return;
    }
}

/* A loop that never blocks: it is preempted since Go 1.14, and never before. */
TEST(a_loop_without_calls_is_preempted_asynchronously)
{
    static const char text[] =
        "name: hog\nscheduler: {gomaxprocs: 1, async_preempt: %s}\ngoroutines:\n"
        "  - name: main\n    do: [{go: hog}, {yield: 1}, {print: back}]\n"
        "  - name: hog\n    do: [{loop: forever, do: [{if: x >= 0, then: [{set: x, to: x + 1}]}]}]\n";
    for (int free_ = 0; free_ < 2; free_++) {
        char yaml[600], *mode = free_ ? "--mode=free" : "--mode=lockstep";
        snprintf(yaml, sizeof yaml, text, "true");
        const char *f = t_file("hog.yaml", yaml);
        struct result r = HEADLESS(f, "--audit", "--limit=1000s", mode);
        CHECK_STR(r.out, "back\n");
        CHECK_INT(r.code, 0);
        HAS(HEADLESS(f, "--events", "--limit=1000s", mode).out, "g_preempt g=2 kind=async");
        snprintf(yaml, sizeof yaml, text, "false");
        r = HEADLESS(t_file("hog.yaml", yaml), "--json", "--limit=40ms", mode);
        HAS(r.out, "\"ended\":\"limit\"");
        HAS(r.out, "\"preempts\":0");
    }
}

TEST(claims_for_other_ps_say_so)
{
    char text[2000];
    snprintf(text, sizeof text, "%s%s", spawn_text, "expect: [{counter: m_created, max: 2}]\n");
    char *f = (char *)t_file("one.yaml", text);
    CHECK_INT(RUN("check", "--mode=lockstep", f).code, 0);
    struct result r = RUN("check", "--mode=lockstep", "--procs=4", f);
    CHECK_INT(r.code, 1);
    HAS(r.out, "(--procs 4; the claims assume 1)\n");
}

TEST(first_spawn_prints_nine_first)
{
    static const char want[] = "9\n0\n1\n2\n3\n4\n5\n6\n7\n8\n";
    struct result r = HEADLESS("first-spawn");
    CHECK_STR(r.out, want);
    CHECK_INT(r.code, 0);
    r = HEADLESS("first-spawn", "--mode", "free", "--procs", "1");
    CHECK_STR(r.out, want);
    CHECK_INT(r.code, 0);
}

/* There is no such P, and none can appear. If an operation may create it, the breakpoint waits for it. */
TEST(a_breakpoint_about_a_p_that_never_is_is_refused)
{
    static const struct {
        const char *run, *pattern;
        int code;
    } v[] = {
        {"steal-half", "when p2.runq > 1", 2},
        {"steal-half", "* p=P7", 2},
        {"steal-half", "steal victim=2 | handoff", 2},
        {"steal-half", "when globq > 99 or p1.runq > 99", 0},
        {"steal-half --procs 3", "when p2.runq > 99", 0},
        {"steal-half", "steal thief!=9 x99", 0},
        {"steal-half", "g_start p=none", 0},
        {"gomaxprocs-grow", "when p2.runq > 999", 0},
        {"gomaxprocs-grow", "when p3.runq > 999", 2},
    };
    char line[200];
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        snprintf(line, sizeof line, "gmpscope run %s --headless --break '%s'", v[i].run, v[i].pattern);
        struct result *r = shell(line);
        if (r->code != v[i].code)
            t_fail(__FILE__, __LINE__, "%s: %d, %s", line, r->code, r->err);
    }
    HAS(shell("gmpscope run steal-half --headless --break 'when p99.runq > 1'")->err,
        "gmpscope: --break: \"when p99.runq > 1\": P99 does not exist; GOMAXPROCS is at most 2\n");
}

TEST(strict_without_a_switch_says_that_it_changes_nothing)
{
    HAS(shell("gmpscope run steal-half --headless --strict")->err, "--strict has no effect here: nothing is disabled");
    CHECK(!strstr(shell("gmpscope run steal-half --headless --strict --disable handoff")->err, "changes nothing"));
    CHECK_STR(shell("gmpscope run steal-half --headless")->err, "");
}
