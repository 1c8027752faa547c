/* gmpscope run --record, and gmpscope replay: what a run printed is printed again, byte for byte, with the same exit code. */
#include "load.h"
#include "shell.h"
#include "trace/run_file.h"

#include <signal.h>
#include <sys/stat.h>
#include <time.h>

/* Returns the path of a file in the test's folder, valid until the test ends. */
static char *at(const char *name)
{
    const char *path = in_tmp(name);
    return strcpy(keep(strlen(path) + 1), path);
}

#define REPLAY(...) RUN("replay", __VA_ARGS__)

static const char *const outputs[] = {NULL, "--json", "--events", "--narrate"};
enum { OUTPUTS = sizeof outputs / sizeof *outputs };

static void check_equal(const char *what, const char *output, const struct result *live, const struct result *played)
{
    if (live->code != played->code || live->nout != played->nout || memcmp(live->out, played->out, live->nout) ||
        strcmp(live->err, played->err))
        t_fail(__FILE__, __LINE__, "%s %s: exit %d and %d; stderr \"%.300s\" and \"%.300s\"; stdout: %zu and %zu bytes", what,
               output ? output : "", live->code, played->code, live->err, played->err, live->nout, played->nout);
}

/* Runs with these words and one output, and replays with the same output. */
static void same_again(const char *scenario, const char *const *word, int n, const char *output)
{
    char *argv[24] = {(char *)GMPSCOPE_BIN, "run", (char *)scenario, "--headless"}, *file = at("a.run");
    int argc = 4;
    for (int i = 0; i < n; i++)
        argv[argc++] = (char *)word[i];
    if (output)
        argv[argc++] = (char *)output;
    argv[argc++] = "--record";
    argv[argc++] = file;
    struct result live = run_argv(argv), played = output ? REPLAY(file, "--headless", (char *)output) : REPLAY(file, "--headless");
    check_equal(scenario, output, &live, &played);
}
#define SAME_AGAIN(scenario, ...) \
    do { \
        static const char *const words[] = {__VA_ARGS__}; \
        for (int output = 0; output < OUTPUTS; output++) \
            same_again(scenario, words, sizeof words / sizeof *words, outputs[output]); \
    } while (0)

/* Every scenario in lockstep. A run that is recorded while it prints one output prints each other output as another run does. */
static void replay_each(const struct scenario *sc, const char *path, void *ctx)
{
    char *file = at("a.run"), *f = (char *)path;
    int *nth = ctx, only = (*nth)++ % (int)t_count(4, 1);
    (void)sc;
    struct result live = HEADLESS(f, "--mode=lockstep", "--seed=7", "--events", "--record", file),
                  played = REPLAY(file, "--headless", "--events");
    check_equal(path, "--events", &live, &played);
    live = HEADLESS(f, "--mode=lockstep", "--seed=7", "--json");
    played = REPLAY(file, "--headless", "--json");
    check_equal(path, "--json", &live, &played);
    if (only)
        return;
    live = HEADLESS(f, "--mode=lockstep", "--seed=7", "--narrate");
    played = REPLAY(file, "--headless", "--narrate");
    check_equal(path, "--narrate", &live, &played);
    live = HEADLESS(f, "--mode=lockstep", "--seed=7");
    played = REPLAY(file, "--headless");
    check_equal(path, NULL, &live, &played);
}

TEST(each_scenario_is_printed_again)
{
    int nth = 0;
    each_scenario(replay_each, &nth);
}

static void replay_each_free(const struct scenario *sc, const char *path, void *ctx)
{
    static const char *const words[] = {"--mode=free"};
    int *nth = ctx;
    (void)sc;
    if ((*nth)++ % (int)t_count(12, 1) == 0)
        for (int i = 0; i < OUTPUTS; i++)
            same_again(path, words, 1, outputs[i]);
}

TEST(free_runs_are_printed_again)
{
    int nth = 0;
    each_scenario(replay_each_free, &nth);
}

TEST(each_end_is_the_end_again)
{
    SAME_AGAIN("steal-half", "--limit=50us");
    SAME_AGAIN("steal-half", "--mode=free", "--limit=20us");
    SAME_AGAIN("steal-half", "--max-events=50");
    SAME_AGAIN("steal-half", "--break=steal");
    SAME_AGAIN("steal-half", "--break=when g3.runnable > 5us");
    SAME_AGAIN("steal-half", "--break=steal x9");
    SAME_AGAIN("steal-half", "--disable=stealing", "--strict", "--max-events=20000");
}

TEST(each_setting_is_the_setting_again)
{
    SAME_AGAIN("steal-half", "--audit");
    SAME_AGAIN("steal-half", "--mode=free", "--audit");
    SAME_AGAIN("steal-half", "--procs=4", "--disable=runnext", "--seed=9");
    SAME_AGAIN("steal-half", "--generation=go1.0");
    SAME_AGAIN("steal-half", "--fine");
    SAME_AGAIN("steal-half", "--choices=99999999m0");
    SAME_AGAIN("steal-half", "--choices=1m9");
    SAME_AGAIN(t_file("vary.yaml", "name: v\nvary: {n: 2..9}\ngoroutines:\n- name: main\n  do: [{print: \"{n}\"}, {yield: n}]\n"),
               "--vary=n=6");
}

TEST(each_death_is_reported_again)
{
    SAME_AGAIN(t_file("panic.yaml", "name: p\ngoroutines:\n- name: main\n  do: [{print: a}, {panic: over}]\n"), "--seed=1");
    SAME_AGAIN(t_file("lock.yaml", "name: d\nchannels: [{name: c}]\ngoroutines:\n- name: main\n  do: [{recv: c}]\n"), "--seed=1");
    SAME_AGAIN(t_file("claim.yaml", "name: c\ngoroutines:\n- name: main\n  do: [{print: a}]\nexpect:\n- prints: [b]\n"), "--seed=1");
}

/* The scenario's file is not needed any more. */
TEST(a_recording_stands_alone)
{
    const char *file = t_file("gone.yaml", "name: gone\ngoroutines:\n- name: main\n  do: [{print: here}]\n");
    CHECK_INT(HEADLESS(file, "--record", at("a.run")).code, 0);
    CHECK_INT(unlink(file), 0);
    CHECK_STR(REPLAY(at("a.run"), "--headless").out, "here\n");
}

TEST(a_query_of_a_recording_is_that_of_its_run)
{
    static const char *const query[] = {
        "count(steal)",   "time(steal)",        "order(g_start .g)", "count(find_stage)",       "p0.runq at steal x2",
        "counter(parks)", "value(steal x9 .n)", "value(nosuch .x)",  "max(g_create | steal .n)"};
    char *file = at("a.run");
    CHECK_INT(HEADLESS("steal-half", "--seed=3", "--record", file).code, 0);
    for (size_t i = 0; i < sizeof query / sizeof *query; i++) {
        struct result live = RUN("query", "steal-half", (char *)query[i], "--seed=3"), played = RUN("query", file, (char *)query[i]);
        check_equal(query[i], NULL, &live, &played);
    }
    struct result r = RUN("query", file, "count(g_op)");
    CHECK_INT(r.code, 2);
    HAS(r.err, "no events about the operations");
    r = RUN("query", file, "count(steal)", "--procs=4");
    CHECK_INT(r.code, 2);
    HAS(r.err, "cannot be changed");
}

static const char wrong[] = "name: wrong\ngoroutines:\n- name: main\n  do: [{print: a}]\nexpect:\n- prints: [b]\n";

/* A recording is compared as its run is, on either side. */
TEST(a_recording_is_compared_as_its_run)
{
    static const char *const output[] = {NULL, "--first", "--json", "--all"};
    char *l = at("l.run"), *r = at("r.run");
    CHECK_INT(HEADLESS("steal-half", "--seed=3", "--record", l).code, 0);
    CHECK_INT(HEADLESS("steal-half", "--seed=3", "--disable=runnext", "--record", r).code, 0);
    for (size_t i = 0; i < sizeof output / sizeof *output; i++) {
        char *o = (char *)output[i];
        struct result live = RUN("compare", "steal-half", "--seed=3", "--right=disable=runnext", "--headless", o),
                      both = RUN("compare", l, r, "--headless", o),
                      left = RUN("compare", l, "steal-half", "--right=disable=runnext", "--headless", o),
                      right = RUN("compare", "steal-half", r, "--headless", o);
        check_equal("both", o, &live, &both);
        check_equal("left", o, &live, &left);
        check_equal("right", o, &live, &right);
    }
}

TEST(two_free_runs_are_compared_if_they_are_recorded)
{
    char *l = at("l.run"), *r = at("r.run");
    CHECK_INT(HEADLESS("steal-half", "--mode=free", "--record", l).code, 0);
    CHECK_INT(HEADLESS("steal-half", "--mode=free", "--record", r).code, 0);
    struct result both = RUN("compare", l, r, "--headless");
    CHECK_INT(both.code, 0);
    HAS(both.out, "events");
    both = RUN("compare", l, l, "--headless");
    HAS(both.out, "0 differ");
    both = RUN("compare", l, "steal-half", "--headless"); /* a lockstep run has detail events */
    CHECK_INT(both.code, 2);
    HAS(both.err, "has only core events, no detail events, and the other side has both");
}

TEST(what_compare_cannot_do_with_a_recording_is_refused)
{
    char *l = at("l.run");
    CHECK_INT(HEADLESS("steal-half", "--record", l).code, 0);
    const struct result refused[] = {
        RUN("compare", l, "--headless"), RUN("compare", l, "steal-half", "--left=procs=4", "--headless"),
        RUN("compare", "steal-half", l, "--seed=4", "--headless"), RUN("compare", l, "steal-half", "--right=mode=free", "--headless"),
        RUN("compare", l, (char *)t_file("bad.run", "\x89GMP\r\n\x1a\n"), "--headless")};
    static const char *const why[] = {"something to compare", "which has its settings", "--seed: ", "share no clock", "it ends before"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK_INT(refused[i].code, 2);
        CHECK_INT(lines(refused[i].err), 1);
        HAS(refused[i].err, why[i]);
    }
}

TEST(check_and_explore_record_what_fails)
{
    char *bad = (char *)t_file("wrong.yaml", wrong), *file = at("a.run");
    CHECK_INT(RUN("check", bad, "--record", file).code, 1);
    CHECK_INT(REPLAY(file, "--headless").code, 1);
    struct result r = RUN("explore", bad, "--seeds=9", "--seed=5", "--record", file);
    CHECK_INT(r.code, 1);
    HAS(r.err, "has the run of seed 5");
    r = REPLAY(file, "--headless", "--json");
    CHECK_INT(r.code, 1);
    HAS(r.out, "\"seed\":5,");
    r = RUN("check", "steal-half", bad, "--record", file);
    CHECK_INT(r.code, 2);
    HAS(r.err, "--record needs one FILE");
    CHECK_INT(RUN("explore", bad, "--seeds=9", "--record", bad).code, 2);
    CHECK_STR(slurp(bad, NULL), wrong);
}

/* A signal ends the search, not the recording of what it has found. */
TEST(a_search_that_is_interrupted_records_what_it_found)
{
    char *bad = (char *)t_file("wrong.yaml", wrong), *file = at("a.run"), *out = at("out"), *err = at("err");
    char *argv[] = {(char *)GMPSCOPE_BIN, "explore", bad, "--seeds=100000000", "--failures=100000000", "--record", file, NULL};
    pid_t pid = program_start(argv, out, err);
    struct stat st = {0};
    while (stat(out, &st) != 0 || st.st_size < 100) /* it reports each failure at once */
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    kill(pid, SIGINT);
    int code = program_end(pid);
    if (code != 1 && code != 130)
        t_fail(__FILE__, __LINE__, "exit %d: %s", code, slurp(err, NULL));
    HAS(slurp(err, NULL), "has the run of seed 1");
    CHECK_INT(REPLAY(file, "--headless").code, 1);
}

/* --- what a recording refuses ---------------------------------------------------------------------------------------------- */

TEST(what_a_recording_cannot_do_is_refused_with_its_reason)
{
    static const struct {
        const char *option, *en, *zh;
    } refused[] = {{"--choices=1m2", "what happened in it cannot be changed", "不能改变"},
                   {"--mode=free", "what happened in it cannot be changed", "不能改变"},
                   {"--procs=3", "what happened in it cannot be changed", "不能改变"},
                   {"--seed=3", "another seed needs gmpscope run", "换种子"},
                   {"--speed=1/10", "it has no clock to slow down", "没有可以变慢的时钟"},
                   {"--audit", "the memory that an audit compares is gone", "内存已不存在"},
                   {"--record=b.run", "copy its file", "复制它的文件"}};
    char *file = at("a.run");
    CHECK_INT(HEADLESS("steal-half", "--record", file).code, 0);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct result r = REPLAY(file, "--headless", "--lang=en", (char *)refused[i].option);
        CHECK_INT(r.code, 2);
        CHECK_INT(lines(r.err), 1);
        HAS(r.err, refused[i].en);
        r = REPLAY(file, "--headless", (char *)refused[i].option, "--lang=zh");
        CHECK_INT(r.code, 2);
        HAS(r.err, refused[i].zh);
    }
}

/* --- files ------------------------------------------------------------------------------------------------------------------- */

static void check_refused(const char *file, const char *why)
{
    struct result r = REPLAY((char *)file, "--headless");
    if (r.code != 2 || lines(r.err) != 1)
        t_fail(__FILE__, __LINE__, "%s: exit %d: %s", file, r.code, r.err);
    CHECK_INT(r.nout, 0);
    HAS(r.err, file);
    HAS(r.err, why);
}

TEST(other_files_are_refused)
{
    CHECK_INT(REPLAY("--headless").code, 2);
    check_refused(at("none"), "No such file");
    check_refused(t_tmpdir(), "");
    check_refused(t_file("empty", ""), "");
    check_refused(t_file("text", "name: x\n"), "");
}

/* Writes a run file with these settings, as a stranger might. */
static const char *forged(const char *settings, size_t len, const char *how, const char *scenario)
{
    char why[RUN_ERROR];
    struct run_head head = {0};
    const char *path = at("forged.run");
    CHECK(run_head_put(&head, "scenario", scenario, strlen(scenario)) && run_head_put(&head, "path", "x.yaml", 6) &&
          run_head_put(&head, "name", "", 0) && run_head_put(&head, "settings", settings, len) &&
          run_head_put(&head, "how", how, strlen(how)));
    struct run_writer *w = run_writer_new(path, &head, why);
    CHECK(w && run_writer_end(w, NULL));
    run_writer_free(w);
    run_head_fini(&head);
    return path;
}

TEST(a_forged_head_does_nothing_else)
{
    static const char how[] = "limit 1000\nmax_events 1000\n", text[] = "name: x\ngoroutines: [{name: main, do: []}]\n";
    char picture[600];
    struct stat st;
    int n = snprintf(picture, sizeof picture, "--picture=%s", at("victim.txt"));
    check_refused(forged(picture, (size_t)n + 1, how, text), "--picture");
    CHECK(stat(at("victim.txt"), &st) != 0);
    check_refused(forged("another", 8, how, text), "");
    check_refused(forged("--procs=5000", 13, how, text), "--procs");
    check_refused(forged("", 0, "", text), "how its run was made");
    check_refused(forged("", 0, how, "name: x\n"), "mistakes");
    check_refused(forged("--vary=n=3", 11, how, text), "");
    CHECK_INT(REPLAY((char *)forged("", 0, how, text), "--headless").code, 0); /* it has no events */
}

/* Events that make no sense are bad input, as any other mistake in a file. */
TEST(forged_events_are_refused)
{
    static const char how[] = "limit 1000\nmax_events 1000\n", text[] = "name: x\ngoroutines: [{name: main, do: []}]\n";
    static const struct ev forgery[] = {
        {.kind = EV_G_START, .g = 99, .p = 0, .time = 10},   /* no such G */
        {.kind = EV_GC_PHASE, .a = 99, .p = 0, .time = 10},  /* no such phase */
        {.kind = EV_STW_START, .a = 99, .p = 0, .time = 10}, /* no such reason */
    };
    char why[RUN_ERROR];
    for (size_t i = 0; i < sizeof forgery / sizeof *forgery; i++) {
        const char *file = forged("", 0, how, text);
        struct run_reader *r = run_reader_open(file, why);
        CHECK(r);
        struct run_writer *w = run_writer_new(file, run_reader_head(r), why);
        CHECK(w && run_writer_add(w, 0, &forgery[i], 1, NULL, 0) && run_writer_end(w, NULL));
        run_writer_free(w);
        run_reader_free(r);
        check_refused(file, "makes no sense");
    }
}

/* What today's rules change is in the file, too: who was chosen after a stop of the world, and the order of idle Ps. */
TEST(todays_rules_are_replayed)
{
    static const char *const names[] = {"stop-the-world", "gomaxprocs-grow", "gomaxprocs-shrink", "gc-cycle", "steal-half"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *file = at("today.run");
        struct result run = HEADLESS(names[i], "--generation=go1.27", "--procs=4", "--record", file, "--json");
        struct result replay = REPLAY(file, "--headless", "--json");
        CHECK_INT(replay.code, run.code);
        CHECK_STR(replay.out, run.out);
        unlink(file);
    }
}

/* A slot of a G is a number in an event: a stranger's may be any, and takes no memory. */
TEST(a_forged_slot_is_left_out)
{
    char *file = at("a.run"), *forgery = at("b.run"), why[RUN_ERROR], line[1300];
    CHECK_INT(HEADLESS("steal-half", "--mode=lockstep", "--record", file).code, 0);
    struct run_reader *r = run_reader_open(file, why);
    CHECK(r);
    struct run_writer *w = run_writer_new(forgery, run_reader_head(r), why);
    struct run_event e;
    uint32_t changed = 0;
    for (enum run_item item; (item = run_reader_next(r, &e)) < RUN_END;) {
        struct ev ev = item == RUN_EVENT ? *e.ev : (struct ev){0};
        if (item == RUN_EVENT && ev.kind == EV_G_CREATE && ev.g < EV_SYSTEM_G && changed++ == 1)
            ev.d = 0x7fffffff;
        CHECK(item == RUN_PLACE ? run_writer_place(w, e.g, e.op) : run_writer_add(w, e.m, &ev, 1, e.text, e.len));
    }
    CHECK(changed > 1 && run_writer_end(w, run_reader_end(r)));
    run_writer_free(w);
    run_reader_free(r);
    struct result whole = REPLAY(file, "--headless", "--json");
    const char *limit = T_SANITIZED ? "" : "ulimit -v 4000000; "; /* a sanitizer reserves more */
    snprintf(line, sizeof line, "%sgmpscope replay %s --headless --json", limit, forgery);
    struct result *forged = shell(line);
    CHECK_INT(forged->code, 0);
    CHECK_STR(forged->out, whole.out);
}

TEST(a_recording_replaces_recordings_only)
{
    char *file = at("a.run"), *text = (char *)t_file("notes.txt", "mine\n"), *link = at("link");
    CHECK_INT(HEADLESS("steal-half", "--record", file).code, 0);
    CHECK_INT(HEADLESS("steal-half", "--seed=2", "--record", file).code, 0);
    HAS(REPLAY(file, "--headless", "--json").out, "\"seed\":2,");
    struct result r = HEADLESS("steal-half", "--record", text);
    CHECK_INT(r.code, 2);
    CHECK_INT(r.nout, 0);
    HAS(r.err, "exists and is not a recording");
    CHECK_STR(slurp(text, NULL), "mine\n");
    CHECK_INT(symlink(text, link), 0);
    CHECK_INT(HEADLESS("steal-half", "--record", link).code, 2);
    CHECK_INT(HEADLESS("steal-half", "--record", (char *)t_tmpdir()).code, 2);
    CHECK_INT(HEADLESS("steal-half", "--record", at("none/x")).code, 2);
    CHECK_INT(HEADLESS("steal-half", "--record=").code, 2);
}

/* The program's output is complete, but not the recording. */
TEST(a_full_disk_ends_the_recording_only)
{
    char line[1200];
    snprintf(line, sizeof line, "ulimit -f 20; gmpscope run fairness-61 --headless --record %s", at("full.run"));
    struct result whole = HEADLESS("fairness-61");
    struct result *r = shell(line);
    CHECK_STR(r->out, whole.out);
    CHECK_INT(r->code, 2);
    HAS(r->err, "the recording ends after event");
}

/* --- a writer that is killed ---------------------------------------------------------------------------------------------------- */

static const char endless[] =
    "name: endless\ngoroutines:\n- name: main\n  do: [{go: other}, {loop: forever, do: [{compute: 2us}, {yield: 1}]}]\n"
    "- name: other\n  do: [{loop: forever, do: [{sleep: 10us}]}]\n";

static void kill_and_replay(const char *mode, int ms)
{
    char *file = at("killed.run"), *out = at("killed.out");
    char *argv[] = {
        (char *)GMPSCOPE_BIN, "run", (char *)t_file("endless.yaml", endless), "--headless", (char *)mode, "--record", file, NULL};
    struct stat st = {0};
    unlink(file);
    pid_t pid = program_start(argv, out, out);
    while (stat(file, &st) != 0 || !st.st_size)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
    kill(pid, SIGKILL);
    CHECK_INT(program_end(pid), 1000 + SIGKILL);
    char why[RUN_ERROR], reaches[80];
    struct run_reader *r = run_reader_open(file, why);
    if (!r)
        t_fail(__FILE__, __LINE__, "killed after %d ms: %s", ms, why);
    uint64_t n = run_reader_events(r);
    run_reader_free(r);
    struct result played = REPLAY(file, "--headless", "--json", "--lang=en");
    CHECK_INT(played.code, 0);
    HAS(played.out, "\"ended\":\"interrupted\"");
    CHECK_INT(json_int(played.out, "events"), (long long)n);
    snprintf(reaches, sizeof reaches, "the recording is incomplete; it ends at event %llu", (unsigned long long)n);
    HAS(played.err, reaches);
    struct result asked = RUN("query", file, "count(g_start)"); /* of what there is */
    CHECK_INT(asked.code, 0);
    CHECK(asked.nout > 1);
}

TEST(what_a_killed_run_has_recorded_is_replayed)
{
    for (long i = 0, n = t_count(4, 100); i < n; i++)
        kill_and_replay(i % 2 ? "--mode=free" : "--mode=lockstep", (int)(i * 37 % 150));
}
