/* gmpscope explore, the pool of child processes below it, and --fine. */
#include "base/prng.h"
#include "engine/worker_pool.h"
#include "engine/reorder_buffer.h"
#include "shell.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- the pool --------------------------------------------------------------------------------------------------- */

#define JOBS 40u

struct field {
    uint32_t told[JOBS];
    int32_t code[JOBS];
    char why[JOBS][400];
    uint64_t seen, enough;
};

/* Job 5 crashes, job 11 leaves, job 17 hangs. */
static void hard_work(void *ctx, struct outcome *out)
{
    (void)ctx;
    if (out->job == 5)
        abort();
    if (out->job == 11)
        _exit(9);
    while (out->job == 17)
        pause();
    out->code = out->job % 2 ? 0 : 1;
    out->events = out->job;
}

static bool take(void *ctx, const struct outcome *out)
{
    struct field *f = ctx;
    CHECK(out->job < JOBS);
    f->told[out->job]++;
    f->code[out->job] = out->code;
    memcpy(f->why[out->job], out->why, sizeof out->why);
    return ++f->seen != f->enough;
}

static bool keep_running(void *ctx)
{
    (void)ctx;
    return true;
}

static struct field worker_pool_out(uint32_t children, uint64_t enough)
{
    struct field f = {.enough = enough};
    struct worker_pool pool = {
        .jobs = JOBS, .children = children, .stuck_ms = 300, .ctx = &f, .work = hard_work, .done = take, .tick = keep_running};
    CHECK_INT(worker_pool_run(&pool), 0);
    return f;
}

TEST(each_job_is_reported_once_whatever_its_child_does)
{
    for (uint32_t children = 1; children <= 3; children++) {
        struct field f = worker_pool_out(children, 0);
        for (uint32_t i = 0; i < JOBS; i++) {
            CHECK_INT(f.told[i], 1);
            CHECK_INT(f.code[i], i == 5 || i == 11 || i == 17 ? 4 : i % 2 ? 0 : 1);
        }
        HAS(f.why[5], "it crashes");
        HAS(f.why[11], "with 9");
        HAS(f.why[17], "it hangs");
        CHECK_INT(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
    }
}

struct ends {
    int sig[JOBS];
    bool lacks[JOBS];
};

static void die_of(void *ctx, struct outcome *out)
{
    const struct ends *e = ctx;
    signal(e->sig[out->job], SIG_DFL); /* a sanitizer has a handler for some */
    raise(e->sig[out->job]);
}

static bool note_lack(void *ctx, const struct outcome *out)
{
    ((struct ends *)ctx)->lacks[out->job] = out->lacks;
    return true;
}

/* SIGKILL is how the kernel ends a process when memory runs out, and others come from limits and people. They prove nothing about the job. */
TEST(a_child_that_is_killed_from_outside_is_a_lack_and_a_fault_is_a_crash)
{
    static const int outside[] = {SIGKILL, SIGTERM, SIGXCPU, SIGUSR1}, faults[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGSYS};
    enum { OUTSIDE = sizeof outside / sizeof *outside, ALL = OUTSIDE + sizeof faults / sizeof *faults };
    struct ends e = {0};
    for (int i = 0; i < ALL; i++)
        e.sig[i] = i < OUTSIDE ? outside[i] : faults[i - OUTSIDE];
    struct worker_pool pool = {
        .jobs = ALL, .children = 2, .stuck_ms = 60000, .ctx = &e, .work = die_of, .done = note_lack, .tick = keep_running};
    CHECK_INT(worker_pool_run(&pool), 0);
    for (int i = 0; i < ALL; i++)
        if (e.lacks[i] != (i < OUTSIDE))
            t_fail(__FILE__, __LINE__, "signal %d: %s", e.sig[i], e.lacks[i] ? "a lack" : "a crash");
}

TEST(enough_is_enough)
{
    struct field f = worker_pool_out(3, 4);
    CHECK_INT(f.seen, 4);
    CHECK_INT(waitpid(-1, NULL, WNOHANG), -1);
}

/* Outcomes arrive in any order and with gaps; they are taken in the order of their jobs, complete. */
TEST(outcomes_line_up)
{
    enum { MANY = 1000 };
    struct prng rand;
    prng_seed(&rand, 1, 0);
    for (int turn = 0; turn < 20; turn++) {
        struct reorder_buffer l = {0};
        uint64_t order[MANY], taken = 0, missing = 0;
        for (uint64_t i = 0; i < MANY; i++) {
            uint64_t k = prng_below(&rand, (uint32_t)i + 1);
            order[i] = order[k];
            order[k] = i;
        }
        for (uint64_t i = 0; i < MANY; i++) {
            struct outcome out = {.job = order[i], .events = order[i] * 3, .code = order[i] % 5 == 0}, *got;
            snprintf(out.why, sizeof out.why, "%s%llu", out.code ? "job " : "", (unsigned long long)out.job);
            if (turn && order[i] % 100 == 7)
                missing++;
            else
                CHECK(reorder_buffer_add(&l, &out));
            while ((got = reorder_buffer_take(&l, i == MANY - 1))) {
                taken += turn && taken % 100 == 7;
                snprintf(out.why, sizeof out.why, "%s%llu", got->code ? "job " : "", (unsigned long long)taken);
                CHECK_STR(got->why, out.why);
                CHECK_INT(got->job, taken);
                CHECK_INT(got->events, taken++ * 3);
                free(got);
            }
        }
        CHECK_INT(taken, MANY);
        CHECK_INT(missing, turn ? 10 : 0);
        reorder_buffer_fini(&l);
    }
}

/* --- the command ------------------------------------------------------------------------------------------------ */

static struct result *explore(const char *file, const char *options)
{
    char line[10000];
    snprintf(line, sizeof line, "gmpscope explore '%s' %s", file, options);
    return shell(line);
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        n++;
    return n;
}

/* Both channels have a value, and chance decides which of them select takes, so about half of the seeds keep the
 * claim. That all of 40 seeds do, or none does, has a probability of 2^-39. The Gs before it are there for threads
 * to steal. */
static const char by_chance[] =
    "name: by-chance\n"
    "channels: [{name: a, buffer: 1}, {name: b, buffer: 1}]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do:\n"
    "      - {loop: 6, do: [{go: worker}, {compute: 1us}]}\n"
    "      - compute: 50us\n"
    "      - send: a\n"
    "      - send: b\n"
    "      - select: [{recv: a, do: [{print: a}]}, {recv: b, do: [{print: b}]}]\n"
    "  - name: worker\n"
    "    do: [{compute: 2us}]\n"
    "expect:\n"
    "  - prints: [a]\n";

TEST(nothing_is_found_where_nothing_is_wrong)
{
    struct result *r = explore("steal-half", "--seeds 60");
    CHECK_INT(r->code, 0);
    HAS(r->out, "steal-half: 60 schedules in ");
    HAS(r->out, ": 0 failed\n");
    CHECK_STR(r->err, "");
    CHECK_INT(explore("steal-half", "--seeds 60 --coarse --jobs 3")->code, 0);
}

/* Every reported line fails again for the same reason when it is pasted into a shell; a seed that was not reported
 * does not fail. */
static void replays(const char *file, const char *options)
{
    static char lines[60000];
    char *save = NULL;
    struct result *r = explore(file, options);
    CHECK_INT(r->code, 1);
    int told = count(r->out, " --headless ");
    CHECK(told > 0 && told <= 3);
    HAS(r->out, "first with seed ");
    snprintf(lines, sizeof lines, "%s", r->out);
    int tried = 0;
    for (char *line = strtok_r(lines, "\n", &save); line && tried < 4; line = strtok_r(NULL, "\n", &save)) {
        if (strncmp(line, "gmpscope run ", 13))
            continue;
        tried++;
        r = shell(line); /* with its comment, as a person would paste it */
        CHECK_INT(r->code, 1);
        HAS(r->err, strstr(line, "# ") + 2);
    }
    CHECK(tried > 0);
}

TEST(a_failure_is_reported_with_its_repro_command)
{
    const char *file = t_file("by-chance.yaml", by_chance);
    replays(file, "--seeds 40");
    replays(file, "--seeds 40 --coarse");
    replays(file, "--seeds 40 --seed 1000 --generation go1.20 --procs 2 --limit 1s");
}

TEST(it_stops_when_enough_have_failed)
{
    const char *file = t_file("by-chance.yaml", by_chance);
    struct result *r = explore(file, "--seeds 1000 --failures 3");
    CHECK_INT(r->code, 1);
    CHECK_INT(count(r->out, " --headless "), 1); /* they are of one kind */
    HAS(r->out, "3 failed, which is enough (--failures)");
    HAS(r->out, "other kinds may come later: without --failures all seeds are tried\n");
    HAS(r->out, "\n2 more with --all\n");
    HAS(r->out, "       3 x  exit 1, first with seed ");
}

/* Each run fails, and one of five in another way than the rest. */
static const char two_kinds[] =
    "name: two-kinds\n"
    "goroutines:\n"
    "  - {name: main, do: [{rand: r, n: 5}, {if: r == 0, then: [{panic: rare}], else: [{panic: frequent}]}]}\n";

TEST(a_frequent_failure_hides_no_rare_one)
{
    const char *file = t_file("two-kinds.yaml", two_kinds);
    struct result *r = explore(file, "--seeds 300"); /* with no limit of failures */
    CHECK_INT(r->code, 3);
    HAS(r->out, ": 300 failed\n");
    CHECK_INT(count(r->out, " x  exit 3, "), 2);
    CHECK(!strstr(r->out, "other kinds may come later"));
    r = explore(file, "--seeds 300 --failures 20");
    HAS(r->out, "      20 x  exit 3, first with seed ");
    HAS(r->out, "failed, which is enough (--failures)");
    const char *rare = strstr(r->out, ": panic: rare"), *often = strstr(r->out, ": panic: frequent");
    CHECK(rare && often);
    CHECK(atol(strstr(r->out, " events: ") + 9) > 50); /* the frequent kind came far more often before the rare one had come 20 times */
    CHECK_INT(count(explore(file, "--seeds 300 --failures 1")->out, " x  exit 3, "), 1);
}

/* There are seven of them for every seed. */
static const char never[] =
    "name: never\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{loop: 6, do: [{go: worker}, {compute: 1us}]}, {compute: 50us}]\n"
    "  - name: worker\n"
    "    do: [{compute: 2us}]\n"
    "expect:\n"
    "  - {counter: goroutines, max: 1}\n";

TEST(claims_are_judged_with_a_mechanism_switched_off)
{
    const char *file = t_file("never.yaml", never);
    CHECK_INT(explore(file, "--seeds 5")->code, 1);
    struct result *r = explore(file, "--seeds 5 --disable retake");
    CHECK_INT(r->code, 1);
    HAS(r->out, ": 5 failed\n");
    replays(file, "--seeds 5 --disable retake");
}

/* A run that was cut short has neither failed nor passed. */
TEST(a_run_that_was_cut_is_reported)
{
    const char *file = t_file("never.yaml", never);
    static const char *const limit[] = {"--seeds 5 --limit 2us", "--seeds 5 --max-events 30"};
    for (int i = 0; i < 2; i++) {
        struct result *r = explore(file, limit[i]);
        CHECK_INT(r->code, 0);
        HAS(r->out, ": 0 failed, 5 cut by the limit, not judged (none finished)\n");
    }
    HAS(explore(file, "--seeds 5 --procs 7")->out, ": 0 failed, claims of 5 not judged: they assume ");
}

/* Removes the time and the number of processes from a report. */
static char *without_processes(char *out)
{
    char *in = strstr(out, " schedules in "), *json = strstr(out, ",\"processes\":");
    CHECK(!in == !!json);
    if (in) /* "… schedules in 1.2 s by 3 processes, 999 events …" */
        memmove(in, strstr(in, ", "), strlen(strstr(in, ", ")) + 1);
    else
        *json = '\0';
    return out;
}

/* Returns everything that is reported, except the time and the number of processes. */
static char *report_of(const char *file, const char *options, int jobs)
{
    char all[300];
    snprintf(all, sizeof all, "%s --jobs %d", options, jobs);
    return without_processes(explore(file, all)->out);
}

/* The first seeds to fail may differ each time; the lowest seeds do not. */
TEST(reports_do_not_depend_on_the_number_of_children)
{
    static const char *const options[] = {
        "--seeds 30", "--seeds 30 --all", "--seeds 1000 --failures 3", "--seeds 30 --json", "--seeds 1000 --failures 3 --json"};
    const char *file = t_file("by-chance.yaml", by_chance);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *one = report_of(file, options[i], 1);
        HAS(one, "gmpscope run ");
        CHECK_STR(report_of(file, options[i], 2), one);
        CHECK_STR(report_of(file, options[i], 5), one);
    }
}

/* The first failure of each kind, how many more there are, the verdict, and how to see the smallest one on the screen. */
TEST(the_report_is_short_unless_all_is_asked_for)
{
    const char *off = "whatif-recheck --disable spinning_recheck --seeds 200 --failures";
    char line[200];
    snprintf(line, sizeof line, "gmpscope explore %s 20", off);
    struct result *r = shell(line);
    CHECK_INT(r->code, 4);
    CHECK_INT(count(r->out, " --headless "), 1);
    const char *more = strstr(r->out, "\n19 more with --all\n"), *verdict = strstr(r->out, "20 failed, which is enough");
    const char *see = strstr(r->out, " on the screen, at the failure: gmpscope run whatif-recheck --seed ");
    CHECK(more && verdict && see && more < verdict && verdict < see);
    HAS(see, " --strict --disable spinning_recheck --at ");
    HAS(see, "\ndata races: ");
    CHECK_STR(
        strstr(see, "\nvaried: "),
        "\nvaried: the next M (uniform, sticky or ranked), random choices, points inside steps, stalls up to 4, late wake-ups; not: the kernel, the "
        "memory order\n");
    snprintf(line, sizeof line, "gmpscope explore %s 20 --all", off);
    r = shell(line);
    CHECK_INT(count(r->out, " --headless "), 20);
    CHECK(!strstr(r->out, "more with"));
    snprintf(line, sizeof line, "gmpscope explore %s 20 --json", off);
    CHECK_INT(count(shell(line)->out, "\"replay\":"), 20);
}

TEST(explore_speaks_json_too)
{
    const char *file = t_file("by-chance.yaml", by_chance);
    struct result *r = explore(file, "--seeds 1000 --failures 3 --json");
    const char *end = json_value(r->out);
    CHECK_INT(r->code, 1);
    CHECK(end && !strcmp(end, "\n"));
    HAS(r->out,
        "{\"scenario\":\"by-chance\",\"generation\":\"go1.20\",\"gomaxprocs\":2,\"fine\":true,\"search\":\"mixed\",\"seed\":1,\"failures\":[{\"seed\":");
    HAS(r->out, "\"ended\":\"failures\"");
    CHECK_INT(json_int(r->out, "failed"), 3);
    CHECK_INT(count(r->out, "\"replay\":\"gmpscope run "), 3);
    CHECK_INT(json_int(r->out, "first_seed"), json_int(r->out, "seed") == 1 ? json_int(strstr(r->out, "failures"), "seed") : -1);
    r = explore("steal-half", "--seeds 5 --seed 7 --json --coarse --audit");
    CHECK_INT(r->code, 0);
    HAS(r->out,
        "\"fine\":false,\"search\":\"mixed\",\"seed\":7,\"failures\":[],\"kinds\":[],\"races\":[{\"value\":\"finished: lines 26 and 34\",\"times\":5,\"first_seed\":7,"
        "\"open\":\"gmpscope run steal-half --seed 7 --audit --at 185 --select g2\"}],\"ended\":\"seeds\",\"schedules\":5,");
    HAS(explore("steal-half", "--for 300ms --json")->out, "\"ended\":\"time\"");
    HAS(explore("steal-half", "--for 300ms")->out, "(time limit reached;");
}

/* Compares one process with `of` parts, which are merged from the last to the first. */
static void check_parts(const char *file, const char *options, int of, bool json, const struct result *whole)
{
    char run[8000], names[6000] = "";
    for (int k = of; k >= 1; k--) {
        snprintf(run, sizeof run, "%s --json --shard %d/%d", options, k, of);
        char name[40];
        snprintf(name, sizeof name, "part-%d-%d", k, of);
        const char *part = t_file(name, explore(file, run)->out);
        snprintf(names + strlen(names), sizeof names - strlen(names), " '%s'", part);
    }
    snprintf(run, sizeof run, "gmpscope explore --merge%s%s", json ? " --json" : "", names);
    struct result *r = shell(run);
    CHECK_INT(r->code, whole->code);
    CHECK_STR(without_processes(r->out), whole->out);
}

/* Parts in any order give what one process gives, whatever their number: failures, values, and runs that were cut or not judged. */
TEST(parts_put_together_are_the_whole)
{
    static const char *const options[] = {
        "--seeds 50 --seed 7 --tally 'value(g_start p=1 .g)'", "--seeds 8 --limit 2us", "--seeds 8 --procs 7"};
    const char *file = t_file("by-chance.yaml", by_chance);
    for (int i = 0; i < 3; i++)
        for (int json = 0; json < 2; json++) {
            char run[300];
            snprintf(run, sizeof run, "%s --failures 1000%s", options[i], json ? " --json" : "");
            struct result whole = *explore(file, run);
            whole.out = strdup(without_processes(whole.out));
            CHECK(whole.out);
            for (int of = 1; of < (i ? 5 : 80); of = of * 3 + 1)
                check_parts(file, options[i], of, json, &whole);
            free(whole.out);
        }
}

/* What cannot be put together is refused, with the file that is wrong. */
TEST(wrong_parts_are_refused)
{
    char run[1000];
    const char *first = t_file("first", explore("steal-half", "--seeds 4 --json --shard 1/2")->out);
    const char *second = t_file("second", explore("steal-half", "--seeds 4 --json --shard 2/2")->out);
    const char *other = t_file("other", explore("steal-half", "--seeds 4 --procs 3 --json --shard 2/2")->out);
    const char *whole = t_file("whole", explore("steal-half", "--seeds 4 --json")->out);
    char *early = explore("steal-half", "--seeds 4 --json --shard 2/2")->out;
    memcpy(strstr(early, "\"ended\":\"seeds\""), "\"ended\":\"error\"", 15);
    const struct {
        const char *a, *b, *says;
    } wrong[] = {
        {first, "", "part 2 of 2 is missing"},
        {first, first, "this is part 1 of 2, as is "},
        {first, other, "the command line differs from that in"},
        {first, whole, "whole: expected what explore --shard K/N --json prints"},
        {first, t_file("early", early), "ended early"},
        {second, t_file("empty", ""), "this file is empty, cut off or something else"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(run, sizeof run, "gmpscope explore --merge '%s' %s", wrong[i].a, wrong[i].b);
        struct result *r = shell(run);
        CHECK_INT(r->code, 2);
        HAS(r->err, wrong[i].says);
        CHECK_STR(r->out, "");
    }
    snprintf(run, sizeof run, "gmpscope explore --merge --seeds 4 '%s' '%s'", first, second);
    CHECK_INT(shell(run)->code, 2);
    CHECK_INT(explore("steal-half", "--shard 1/2 --json")->code, 2);
    CHECK_INT(explore("steal-half", "--seeds 9 --shard 1/2")->code, 2);
    CHECK_INT(explore("steal-half", "--seeds 9 --json --failures 3 --shard 1/2")->code, 2);
    CHECK_INT(explore("steal-half", "--seeds 9 --json --shard 3/2")->code, 2);
}

/* The names and settings of the parts agree, but the file was edited in between, or another gmpscope searched it. */
TEST(parts_of_different_scenarios_or_versions_are_refused)
{
    char run[1000], text[sizeof by_chance];
    const char *part[2];
    memcpy(text, by_chance, sizeof text);
    for (int k = 0; k < 2; k++) {
        snprintf(run, sizeof run, "--seeds 4 --json --shard %d/2", k + 1);
        part[k] = t_file(k ? "part-2" : "part-1", explore(t_file("by-chance.yaml", text), run)->out);
        text[strcspn(text, "5")] = '4'; /* 50us becomes 40us */
    }
    snprintf(run, sizeof run, "gmpscope explore --merge '%s' '%s'", part[0], part[1]);
    struct result *r = shell(run);
    CHECK_INT(r->code, 2);
    HAS(r->err, "part-2: the text of the scenario differs from that in ");
    CHECK_INT(count(r->err, "\n"), 1);
    snprintf(run, sizeof run, "sed -i 's/\"version\":\"/&9/' '%s'; gmpscope explore --merge '%s' '%s'", part[1], part[0], part[1]);
    r = shell(run);
    CHECK_INT(r->code, 2);
    HAS(r->err, "part-2: the version of gmpscope differs from that in ");
    CHECK_STR(r->out, "");
}

TEST(senseless_options_are_refused)
{
    CHECK_INT(explore("no-such-scenario", "")->code, 2);
    CHECK_INT(explore("steal-half", "--fine --coarse")->code, 2);
    CHECK_INT(shell("gmpscope explore")->code, 2);
    CHECK_INT(shell("gmpscope run steal-half --headless --mode free --fine")->code, 2);
}

/* --- what it is for --------------------------------------------------------------------------------------------- */

/* Without the recheck of the queues a G waits although a P is idle; with it, none does. */
TEST(the_lost_wake_up_is_found_and_replays)
{
    static const char off[] =
        "name: off\n"
        "scheduler: {disable: [spinning_recheck]}\n"
        "waitgroups: [wg]\n"
        "goroutines:\n"
        "  - name: main\n"
        "    do: [{add: wg, n: 20}, {loop: 20, do: [{go: quick}, {compute: 3us}, {go: quick}, {compute: 50us}]}]\n"
        "  - name: quick\n"
        "    do: [{yield: 1}]\n";
    char how[2][700];
    snprintf(how[0], sizeof how[0], "gmpscope explore whatif-recheck --disable spinning_recheck --seeds 200 --failures 1");
    snprintf(how[1], sizeof how[1], "gmpscope explore '%s' --seeds 200 --failures 1", t_file("off.yaml", off));
    for (int i = 0; i < 2; i++) {
        struct result *r = shell(how[i]);
        CHECK_INT(r->code, 4);
        HAS(r->out, "but time jumps: no M was woken for it");
        char line[1000];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(r->out, "\n"), r->out);
        r = shell(line);
        CHECK_INT(r->code, 4);
        HAS(r->err, "but time jumps: no M was woken for it");
    }
    CHECK_INT(explore("whatif-recheck", "--seeds 12")->code, 0);
}

/* Small rings, thieves, overflow, channels, sockets, system calls, and everything in package sync. Breaking one line
 * of runq.c, spin.c, pm.c, netpoll.c or sema.c makes one of these fail within some hundred seeds. */
TEST(the_unbroken_runtime_passes)
{
    for (int i = 1; i <= 8; i++) {
        char file[600], options[40];
        snprintf(file, sizeof file, "%s/tests/scenarios/explore-stress%d.yaml", SOURCE_DIR, i);
        snprintf(options, sizeof options, "--seeds %ld", t_count(100, 30000));
        struct result *r = explore(file, options);
        if (r->code)
            t_fail(__FILE__, __LINE__, "%s", r->out);
    }
}

/* --- --fine ----------------------------------------------------------------------------------------------------- */

/* Points inside steps are part of the course; pauses and audits are not. */
TEST(a_fine_run_is_the_same_each_time)
{
    static char first[60000];
    static const char *const more[] = {"", "--pauses 30", "--audit"};
    for (int seed = 1; seed <= 12; seed++)
        for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
            char line[300];
            snprintf(line, sizeof line, "gmpscope run steal-half --headless --fine --events --seed %d %s", seed, more[i]);
            struct result *r = shell(line);
            CHECK_INT(r->code, 0);
            if (i == 0)
                snprintf(first, sizeof first, "%s", r->out);
            CHECK_STR(r->out, first);
        }
}

/* Returns whether some event is delivered before one that was logged earlier, because that one had to wait for a cause
 * logged later still. */
static bool out_of_order(const char *events)
{
    long long last = 0;
    for (const char *at = events; *at; at = strchr(at, '\n') + 1) {
        long long t = strtoll(at, NULL, 10);
        if (t < last)
            return true;
        last = t;
    }
    return false;
}

static const char thieves[] =
    "name: thieves\n"
    "scheduler: {gomaxprocs: 4, runq_size: 8}\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do:\n"
    "      - {loop: 3, do: [{go: worker, count: 20}, {compute: 20us}]}\n"
    "  - name: worker\n"
    "    do: [{compute: 1us}]\n";

/* In a plain run the operation and its event are one step. In a fine run other events come between a thief's taking
 * of a batch and its steal event; events logged there can be applied only after the steal. */
TEST(fine_cuts_steps_in_two)
{
    const char *file = t_file("thieves.yaml", thieves);
    bool fine = false;
    for (int seed = 1; seed <= 300 && !fine; seed++) {
        char line[1000];
        snprintf(line, sizeof line, "gmpscope run '%s' --headless --events --seed %d", file, seed);
        CHECK(!out_of_order(shell(line)->out));
        strcat(line, " --fine");
        struct result *r = shell(line);
        CHECK_INT(r->code, 0);
        fine = out_of_order(r->out);
    }
    CHECK(fine);
}
