/* A scheduling policy of one's own (src/lab/): the shipped ones beside Go's, a student's way, and those that answer nonsense, crash or do not return. */
#include "load.h"
#include "shell.h"

#include <dirent.h>

#define HEADER "#include <gmpscope/policy.h>\n"
#define NAMED(name, members) \
    "const struct gmpscope_policy gmpscope_policy = {.version = GMPSCOPE_POLICY, .name = \"" name "\", " members "};\n"

/* Builds a policy, and returns the shared object's path. */
static const char *built_from(const char *c, const char *name)
{
    char *so = keep(600), line[2000];
    snprintf(so, 600, "%s/%s.so", t_tmpdir(), name);
    snprintf(line, sizeof line, "cc -O1 -I%s/src/lab -shared -fPIC -o %s %s", SOURCE_DIR, so, c);
    CHECK_INT(shell(line)->code, 0);
    return so;
}

static const char *built(const char *name, const char *source)
{
    char file[100];
    snprintf(file, sizeof file, "%s.c", name);
    return built_from(t_file(file, source), name);
}

static const char *shipped(const char *name)
{
    char path[600];
    snprintf(path, sizeof path, "%s/src/lab/%s.c", SOURCE_DIR, name);
    return built_from(path, name);
}

/* --- the shipped ones --- */

/* In gc-assigns the collector empties and fills the global queue between the question and Go's own look at it. */
static bool differs(const char *name)
{
    return !strcmp(name, "gc-assigns");
}

static void same_course(const struct scenario *sc, const char *path, void *so)
{
    const struct scenario_info *info = scenario_info(sc);
    if (!rt_generation_boots(info->generation) || differs(info->name))
        return;
    struct result go = HEADLESS(path, "--events"), policy = HEADLESS(path, "--events", "--policy", so);
    CHECK_INT(policy.code, go.code);
    if (strcmp(policy.out, go.out))
        t_fail(__FILE__, __LINE__, "%s: the policy \"go\" takes another course than Go's own rules", info->name);
}

TEST(go_written_as_a_policy_takes_the_same_course)
{
    CHECK(each_scenario(same_course, (void *)(uintptr_t)shipped("go")) >= 80);
}

/* Reads "In SCENARIO: QUERY is A in Go, B here." */
static void claims_of(const char *name)
{
    char path[600], scenario[100], query[200], go[50], here[50];
    snprintf(path, sizeof path, "%s/src/lab/%s.c", SOURCE_DIR, name);
    const char *claim = strstr(slurp(path, NULL), "* In ");
    const char *so = shipped(name);
    if (!claim || sscanf(claim, "* In %99[^:]: %199[^)]) is %49s in Go, %49s here.", scenario, query, go, here) != 4)
        t_fail(__FILE__, __LINE__, "%s has no claim", path);
    strcat(query, ")");
    struct result with = RUN("query", scenario, query, "--policy", (char *)(uintptr_t)so), without = RUN("query", scenario, query);
    CHECK_STR(strtok(without.out, "\n"), go);
    CHECK_STR(strtok(with.out, "\n"), here);
}

TEST(each_shipped_policy_differs_from_go_where_it_says)
{
    DIR *dir = opendir(SOURCE_DIR "/src/lab");
    int n = 0;
    CHECK(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".c") || !strcmp(e->d_name, "go.c"))
            continue;
        *dot = '\0';
        claims_of(e->d_name);
        n++;
    }
    closedir(dir);
    CHECK_INT(n, 5);
}

TEST(each_shipped_policy_is_audited_in_both_modes)
{
    static const char *const names[] = {"steal-one", "fifo", "lowest-victim", "no-tick", "spin-on"}, *const in[] = {"steal-half", "tree",
                                                                                                                    "overflow", "pool"};
    for (size_t i = 0; i < 5; i++) {
        char *so = (char *)(uintptr_t)shipped(names[i]);
        for (size_t k = 0; k < 4; k++)
            for (int free = 0; free < 2; free++) {
                struct result r =
                    HEADLESS(in[k], "--audit", "--json", "--policy", so, "--mode", free ? (char *)"free" : (char *)"lockstep");
                CHECK_INT(r.code, 0);
                HAS(r.out, names[i]);
                CHECK_INT(json_int(r.out, "mismatches"), 0);
                CHECK_INT(json_int(r.out, "policy_wrong"), 0);
            }
    }
}

/* --- a student's way --- */

TEST(lab_new_writes_a_policy_whose_task_is_solved_by_one_change)
{
    char line[2000];
    snprintf(line, sizeof line, "export PATH=\"%s:$PATH\" && cd %s && gmpscope lab new mine && make -s check", t_tmpdir(), t_tmpdir());
    CHECK_INT(symlink(GMPSCOPE_BIN, in_tmp("gmpscope")), 0);
    struct result *r = shell(line);
    CHECK_INT(r->code, 2); /* of make */
    HAS(r->out, "expected 8, got");
    snprintf(
        line, sizeof line,
        "export PATH=\"%s:$PATH\" && cd %s && sed -i 's/return victim_len - victim_len . 2/(void)victim_len; return 1/' mine.c && make -s check && "
        "gmpscope explore mine.yaml --policy ./mine.so --seeds 50 && gmpscope compare mine.yaml --right policy=./mine.so --headless",
        t_tmpdir(), t_tmpdir());
    r = shell(line);
    CHECK_INT(r->code, 0);
    HAS(r->out, "2 passed, 0 failed");
    HAS(r->out, "50 schedules");
    r = shell("cd /tmp && gmpscope lab new; gmpscope lab new ../x; gmpscope lab old x");
    CHECK_INT(lines(r->err), 3);
    CHECK_INT(r->code, 2);
}

/* A replay loads no code, and still knows that the rules were not the scenario's own. */
TEST(a_recording_has_the_name_of_the_policy_and_not_its_code)
{
    char *so = (char *)(uintptr_t)shipped("steal-one"), run[600];
    snprintf(run, sizeof run, "%s/one.run", t_tmpdir());
    CHECK_INT(HEADLESS("steal-half", "--policy", so, "--record", run).code, 0);
    unlink(so);
    struct result r = RUN("replay", run, "--headless", "--json");
    CHECK_INT(r.code, 0);
    HAS(r.out, "\"policy\":\"steal-one\"");
    CHECK_INT(json_int(r.out, "steals"), 8);
}

/* --- policies with mistakes --- */

static const char wrong[] = HEADER
    "static enum policy_place next(const struct policy_view *v) { (void)v; return 77; }\n"
    "static enum policy_place put(const struct policy_view *v, enum policy_why why) { (void)v; (void)why; return POLICY_STEAL; }\n"
    "static uint32_t amount(uint32_t n) { return n + 5; }\n"
    "static uint32_t batch(uint32_t a, uint32_t b, uint32_t c) { (void)a; (void)b; (void)c; return 0; }\n"
    "static uint32_t victim(const struct policy_view *v, uint32_t look, uint32_t r) { (void)look; (void)r; return v->procs; }\n"
    "static int64_t slice(const struct policy_view *v) { (void)v; return -1; }\n" NAMED(
        "wrong", ".next_place = next, .put = put, .steal_amount = amount, .global_batch = batch, .victim = victim, .slice = slice");

/* Each wrong answer is replaced by Go's: so the course is Go's, apart from the events that say so. */
TEST(wrong_answers_are_events_and_change_nothing)
{
    char *so = (char *)(uintptr_t)built("wrong", wrong), line[2000];
    static const char *const names[] = {"steal-half", "overflow", "fairness-61", "tree"};
    for (size_t i = 0; i < 4; i++) {
        snprintf(line, sizeof line, "gmpscope run %s --headless --mode lockstep", names[i]);
        const char *go = shell(line)->out;
        snprintf(line, sizeof line, "gmpscope run %s --headless --mode lockstep --policy %s", names[i], so);
        CHECK_STR(shell(line)->out, go);
    }
    struct result r = HEADLESS("steal-half", "--narrate", "--policy", so);
    HAS(r.out, "next_place");
    HAS(r.out, "77 is not possible here");
    HAS(r.out, "P0 asks the policy where a G goes (put). 4 is not possible here; 0 is used.");
    r = HEADLESS("steal-half", "--narrate", "--lang", "zh", "--policy", so);
    HAS(r.out, "不可能");
    CHECK(json_int(HEADLESS("steal-half", "--json", "--policy", so).out, "policy_wrong") > 20);
}

/* modes: 2: in free mode, too, where it is certain that the function is asked. */
static void ends(const char *so, int modes, const char *text)
{
    for (int free = 0; free < modes; free++) {
        struct result r = HEADLESS(
            "steal-half", "--policy", (char *)(uintptr_t)so, "--mode", free ? (char *)"free" : (char *)"lockstep", "--limit", "100s");
        CHECK_INT(r.code, 3);
        HAS(r.err, text);
    }
}

TEST(a_policy_that_crashes_ends_the_run_with_its_name)
{
    ends(
        built(
            "null", HEADER
            "static enum policy_place f(const struct policy_view *v, enum policy_why w) { (void)v; (void)w; return *(volatile int *)8; }\n" NAMED(
                "null", ".put = f")),
        2, "fatal error: policy null: put() crashed (Segmentation fault)");
    ends(built("zero",
               HEADER "static uint32_t f(uint32_t n) { volatile uint32_t z = 0; return n / z; }\n" NAMED("zero", ".steal_amount = f")),
         1, "fatal error: policy zero: steal_amount() crashed (Floating point exception)");
    ends(built("aborts",
               "#include <stdlib.h>\n" HEADER "static uint32_t f(uint32_t n) { (void)n; abort(); }\n" NAMED("aborts", ".steal_amount = f")),
         1, "fatal error: policy aborts: steal_amount() crashed (Aborted)");
    ends(built("deep", HEADER
               "static int d(volatile int n) { volatile char b[4096]; b[0] = (char)n; return d(n + 1) + b[0]; }\n"
               "static enum policy_place f(const struct policy_view *v, enum policy_why w) { (void)v; (void)w; return d(0); }\n" NAMED(
                   "deep", ".put = f")),
         2, "fatal error: policy deep: put() crashed (");
}

TEST(a_policy_that_does_not_return_ends_the_run_with_its_name)
{
    if (T_TSAN)
        t_skip("ThreadSanitizer delivers no signal to code that calls nothing");
    ends(
        built(
            "loops", HEADER
            "static enum policy_place f(const struct policy_view *v, enum policy_why w) { (void)v; (void)w; for (volatile int i = 0;; i++) ; }\n" NAMED(
                "loops", ".put = f")),
        2, "fatal error: policy loops: put() does not return");
}

TEST(what_is_no_policy_is_refused)
{
    static const char *const bad[][2] = {
        {"old", HEADER "const struct gmpscope_policy gmpscope_policy = {.version = 99, .name = \"old\"};\n"},
        {"name", HEADER NAMED("a b", ".put = 0")},
        {"none", "int x;\n"},
    };
    static const char *const says[] = {"built for version 99", "letters, digits", "exports no variable gmpscope_policy"};
    for (size_t i = 0; i < 3; i++) {
        struct result r = HEADLESS("steal-half", "--policy", (char *)(uintptr_t)built(bad[i][0], bad[i][1]));
        CHECK_INT(r.code, 2);
        CHECK_INT(lines(r.err), 1);
        HAS(r.err, says[i]);
    }
    struct result r = HEADLESS("steal-half", "--policy", (char *)(uintptr_t)t_file("text.so", "no ELF"));
    CHECK_INT(r.code, 2);
    HAS(r.err, "cannot be loaded");
    r = HEADLESS("steal-half", "--policy", "no-such.so");
    CHECK_INT(r.code, 2);
    HAS(r.err, "there is no such file");
    r = HEADLESS("steal-half", "--generation", "go1.13", "--policy", (char *)(uintptr_t)shipped("fifo"));
    CHECK_INT(r.code, 2);
    HAS(r.err, "go1.13 asks no policy");
}
