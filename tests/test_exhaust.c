/* --exhaust: all schedules of small programs. The search that leaves out orders of independent steps must find the same outcomes as the one that
 * tries every order. EXHAUST_PROGRAMS in the environment: how many generated programs are compared (tests/long: 200). */
#include "exhaust.h"

#include <unistd.h>

#define PLAIN_MOST "3000" /* schedules of a program whose every order is tried */

static const char *one_of(const char *const *words, uint32_t n)
{
    return words[prng_below(&rand_of, n)];
}

/* main starts Gs and does little more, so that its schedules are few: other threads only begin to search for work before it ends. */
static const char *program(uint64_t number)
{
    static const char *const ops[] = {
        "{print: \"a{x}\"}",
        "{set: x, to: \"x + 1\"}",
        "{lock: mu}, {unlock: mu}",
        "{once: o, do: [{print: A}]}, {print: a}",
        "{rand: r, n: 2}, {print: \"{r}\"}",
        "{send: c}",
        "{sleep: 1us}",
        "{rlock: rw}, {runlock: rw}",
        "{send: d}",
        "{select: [{send: c, do: [{print: c}]}, {send: d, do: [{print: d}]}]}"};
    static const char *const others[] = {
        "{print: \"b{x}\"}", "{set: x, to: \"x + 2\"}",    "{recv: c}", "{lock: mu}", "{yield: 1}", "{recv: d}", "{sleep: 1us}",
        "{wlock: rw}",       "{once: o, do: [{print: B}]}"};
    char text[2000];
    prng_seed(&rand_of, number, PRNG_FINE);
    size_t n = (size_t)snprintf(
        text, sizeof text,
        "name: g\nscheduler: {gomaxprocs: %u}\nmutexes: [mu]\nrwmutexes: [rw]\nonces: [o]\nchannels: [{name: c, buffer: 1}, {name: d, buffer: 1}]\n"
        "shared: [x]\ngoroutines:\n  - {name: main, do: [{go: w, count: %u}",
        1 + prng_below(&rand_of, 3), 1 + prng_below(&rand_of, 2));
    for (uint32_t i = prng_below(&rand_of, 4); i; i--)
        n += (size_t)snprintf(text + n, sizeof text - n, ", %s", one_of(ops, sizeof ops / sizeof *ops));
    n += (size_t)snprintf(text + n, sizeof text - n, "]}\n  - {name: w, do: [%s", one_of(others, sizeof others / sizeof *others));
    for (uint32_t i = prng_below(&rand_of, 2); i; i--)
        n += (size_t)snprintf(text + n, sizeof text - n, ", %s", one_of(others, sizeof others / sizeof *others));
    snprintf(text + n, sizeof text - n, "]}\n");
    return t_file("g.yaml", text);
}

TEST(reduction_and_plain_enumeration_agree)
{
    static const char *const query[] = {"order(print .text)", "value(program_end .how)", "count(lock_wait)", "count(m_wake)"};
    const char *asked = getenv("EXHAUST_PROGRAMS");
    int wanted = asked ? atoi(asked) : 20, compared = 0, fewer = 0;
    for (uint64_t number = 1; compared < wanted && number < 20 * (uint64_t)wanted; number++) {
        const char *file = program(number);
        char plain[4000], reduced[4000];
        long all = 0, classes = 0;
        for (size_t q = 0; q < sizeof query / sizeof *query; q++) {
            values(file, query[q], "--every-order --seeds " PLAIN_MOST, plain, sizeof plain, &all);
            if (!plain[0])
                break;
            values(file, query[q], "", reduced, sizeof reduced, &classes);
            if (strcmp(plain, reduced))
                fprintf(stderr, "program %llu:\n%s", (unsigned long long)number, shell("cat g.yaml")->out);
            CHECK_STR(reduced, plain);
            CHECK(classes <= all);
        }
        compared += plain[0] != '\0';
        fewer += classes < all;
    }
    CHECK_INT(compared, wanted);
    CHECK(fewer > 0);
}

/* Which child of a context is cancelled first is a decision. */
TEST(orders_of_contexts_agree_with_plain_enumeration)
{
    static const char text[] =
        "name: k\nscheduler: {gomaxprocs: 1}\ncontexts: [k, {name: part, count: 2}]\ngoroutines:\n"
        "  - {name: main, do: [{context: k}, {loop: 2, as: n, do: [{context: 'part[n]', parent: k}]}, {go: w, count: 2}, {yield: 1}, "
        "{cancel: k}, {yield: 1}]}\n"
        "  - {name: w, do: [{recv: 'part[i]'}, {print: '{i}'}]}\n";
    const char *file = t_file("k.yaml", text);
    char plain[4000], reduced[4000];
    long all = 0, classes = 0;
    values(file, "order(print .text)", "--every-order --seeds " PLAIN_MOST, plain, sizeof plain, &all);
    values(file, "order(print .text)", "", reduced, sizeof reduced, &classes);
    CHECK(strstr(plain, "\n") != strrchr(plain, '\n')); /* two orders */
    CHECK_STR(reduced, plain);
}

/* Two Gs lock two mutexes in opposite order, on one P: only a yield between the locks brings the deadlock, in one of the two programs. */
static const char *crossed(const char *name, const char *between)
{
    char text[1000];
    snprintf(text, sizeof text,
             "name: crossed\nscheduler: {gomaxprocs: 1}\nmutexes: [a, b]\nwaitgroups: [wg]\ngoroutines:\n"
             "  - {name: main, do: [{add: wg, n: 2}, {go: one}, {go: two}, {wait: wg}]}\n"
             "  - {name: one, do: [{lock: a}, {lock: b}, {unlock: b}, {unlock: a}, {done: wg}]}\n"
             "  - {name: two, do: [{lock: b}, %s {lock: a}, {unlock: a}, {unlock: b}, {done: wg}]}\n",
             between);
    return t_file(name, text);
}

/* Returns the search of all schedules as JSON, without what differs from run to run; parts 0: by one process. */
static char *searched(const char *file, int parts)
{
    static const char asks[] = "--exhaust --json --tally 'order(print .text)'";
    char rest[600], name[40], merge[1000] = "gmpscope explore --json --merge";
    for (int k = 1; k <= parts; k++) {
        snprintf(name, sizeof name, "part-%d.json", k);
        const char *to = t_file(name, "");
        snprintf(rest, sizeof rest, "%s --shard %d/%d >'%s'", asks, k, parts, to);
        CHECK(on("explore", file, rest)->code != 2);
        snprintf(merge + strlen(merge), sizeof merge - strlen(merge), " '%s'", to);
    }
    snprintf(rest, sizeof rest, "%s --failures 1000000", asks);
    char *json = strdup((parts ? shell(merge) : on("explore", file, rest))->out), *at = strstr(json, ",\"processes\":");
    CHECK(at != NULL);
    *at = '\0';
    return json;
}

/* The units of the tree are dealt to the parts: together they try each schedule once, in the order of one process. */
TEST(parts_of_all_schedules_are_all_schedules)
{
    int compared = 0;
    for (uint64_t number = 1; compared < t_count(3, 30) && number < 100; number++) {
        const char *file = program(number);
        long schedules = 0;
        char all[4000];
        values(file, "count(m_wake)", "--seeds 2000", all, sizeof all, &schedules);
        if (!all[0] || schedules < 50)
            continue;
        char *one = searched(file, 0), *merged = searched(file, 2 + compared % 2);
        CHECK_STR(merged, one);
        free(one);
        free(merged);
        compared++;
    }
    CHECK_INT(compared, t_count(3, 30));
}

/* The answer of the parts is that of one process, with its witness and how many schedules it tries until then. */
TEST(parts_of_a_claim_answer_as_one_process)
{
    static const char *const claims[] = {"may: ends: deadlock", "never: ends: deadlock", "may: ends: panic"};
    const char *file = crossed("yes.yaml", "{yield: 1},");
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        char rest[400], merge[600] = "gmpscope claim --merge";
        snprintf(rest, sizeof rest, "'%s' --exhaust", claims[i]);
        struct result *one = on("claim", file, rest);
        char *out = strdup(one->out), *scope = strstr(out, "scope: ");
        int code = one->code;
        CHECK(scope != NULL);
        *scope = '\0';
        for (int k = 1; k <= 2; k++) {
            const char *to = t_file(k == 1 ? "claim-1.json" : "claim-2.json", "");
            snprintf(rest, sizeof rest, "'%s' --exhaust --json --shard %d/2 >'%s'", claims[i], k, to);
            (void)on("claim", file, rest);
            snprintf(merge + strlen(merge), sizeof merge - strlen(merge), " '%s'", to);
        }
        struct result *merged = shell(merge);
        CHECK_INT(merged->code, code);
        CHECK(!strncmp(merged->out, out, strlen(out)));
        free(out);
    }
    HAS(on("claim", file, "'may: ends: deadlock' --exhaust --json --shard 1/2 --seeds 9")->err,
        "--exhaust --shard and --seeds cannot be combined; the parts try all schedules together\n");
}

/* A run that ends between the note which steal orders are alike and the draw must not leave that note to the next run. */
TEST(a_note_about_a_draw_does_not_outlive_its_run)
{
    static const char text[] =
        "name: notes\nscheduler: {gomaxprocs: 2}\nchannels: [{name: c, buffer: 1}, {name: d, buffer: 1}]\ngoroutines:\n"
        "  - {name: main, do: [{go: w}, {go: w}, {send: c}, {send: d}, {select: [{recv: c}, {recv: d, do: [{recv: d}]}]}]}\n"
        "  - {name: w, do: [{print: x}, {select: [{recv: c}, {send: d}, {recv: d}]}]}\n";
    HAS(on("explore", t_file("notes.yaml", text), "--exhaust --seeds 2000")->out, "notes: 2000 schedules in ");
}

TEST(all_schedules_are_an_answer)
{
    const char *file = crossed("no.yaml", "");
    struct result *r = on("claim", file, "'may: ends: deadlock' --exhaust");
    CHECK_INT(r->code, 1);
    HAS(r->out, "may: ends: deadlock: does not hold\nno: the only schedule was tried\nscope: ");
    CHECK_INT(on("claim", file, "'never: ends: deadlock' --exhaust")->code, 0);
    CHECK_INT(on("claim", crossed("yes.yaml", "{yield: 1},"), "'may: ends: deadlock' --exhaust")->code, 0);
    CHECK_INT(on("claim", file, "'must: ends: main_returned' --exhaust")->code, 0);
}

/* A choice of the search is a choice of `run`: the command leads to the end that was found. */
TEST(a_witness_of_all_schedules_opens)
{
    static const char text[] =
        "name: chance\nchannels: [{name: c, buffer: 1}, {name: d, buffer: 1}]\ngoroutines:\n"
        "  - {name: main, do: [{send: c}, {send: d}, {select: [{recv: c}, {recv: d, do: [{recv: d}]}]}]}\n";
    const char *file = t_file("chance.yaml", text);
    struct result *r = on("claim", file, "'never: ends: deadlock' --exhaust");
    CHECK_INT(r->code, 1);
    const char *command = strstr(r->out, "\ngmpscope run "), *at = command ? strstr(command, " --at ") : NULL;
    CHECK(at != NULL);
    if (!at)
        return;
    char line[4000];
    snprintf(line, sizeof line, "%.*s --headless", (int)(at - command - 1), command + 1);
    CHECK_INT(shell(line)->code, 3);
    r = on("explore", file, "--exhaust");
    CHECK_INT(r->code, 3);
    HAS(r->out, "; all schedules tried\n");
}

/* The step after a wait for a lock takes the lock, so it depends on the other Ms that want it. */
TEST(waits_for_locks_are_in_all_schedules)
{
    static const char text[] =
        "name: z\nscheduler: {gomaxprocs: 2}\ngoroutines: [{name: main, do: [{go: w}, {go: w}]}, {name: w, do: []}]\n";
    struct result *r = on("claim", t_file("z.yaml", text), "'may: lock_wait x3' --exhaust");
    CHECK_INT(r->code, 0);
    HAS(r->out, "yes, here is one");
}

TEST(a_bound_is_no_answer)
{
    struct result *r = shell("gmpscope claim steal-half 'may: ends: deadlock' --exhaust --seeds 20");
    CHECK_INT(r->code, 5);
    HAS(r->out, "not found; stopped after 20 schedules; this is no proof");
    r = on("claim", t_file("loop.yaml", "name: l\ngoroutines: [{name: main, do: [{loop: forever, do: [{sleep: 1ms}]}]}]\n"),
           "'never: ends: panic' --exhaust");
    CHECK_INT(r->code, 5);
    HAS(r->out, "not found; stopped after 0 schedules; this is no proof (a schedule ");
}

/* What a schedule shows before it meets the limit counts, and its command opens it. */
TEST(a_schedule_that_is_cut_may_be_an_answer)
{
    static const char text[] =
        "name: hi\nscheduler: {gomaxprocs: 1}\n"
        "goroutines: [{name: main, do: [{print: hi}, {loop: forever, do: [{sleep: 1ms}]}]}]\n";
    const char *file = t_file("hi.yaml", text);
    struct result *r = on("claim", file, "'may: prints: hi' --exhaust --max-events 200");
    CHECK_INT(r->code, 0);
    HAS(r->out, "yes, here is one: seed 1, event 11, schedule 1 of this search\ngmpscope run ");
    r = on("claim", file, "'may: prints: ho' --exhaust --max-events 200");
    CHECK_INT(r->code, 5);
    HAS(r->out, "not found; stopped after 0 schedules; this is no proof (a schedule ");
}

/* After a broken invariant a thread may still run, so the search ends there. */
TEST(a_broken_invariant_ends_the_search_of_all)
{
    static const char text[] =
        "name: lost\nscheduler: {gomaxprocs: 2, disable: [wakep, stealing]}\ngoroutines:\n"
        "  - {name: main, do: [{go: w, count: 2}, {compute: 1ms}]}\n  - {name: w, do: [{compute: 10us}]}\n";
    struct result *r = on("explore", t_file("lost.yaml", text), "--exhaust");
    CHECK_INT(r->code, 4);
    HAS(r->out, "lost: 1 schedule in ");
    CHECK(!strstr(r->out, "all schedules tried"));
}

TEST(all_schedules_are_those_of_one_program)
{
    static const char text[] =
        "name: v\nvary: {n: 1..3, k: [1, 2]}\ngoroutines:\n  - {name: main, do: [{go: w, count: n}]}\n  - {name: w, do: [{yield: k}]}\n";
    const char *file = t_file("v.yaml", text);
    struct result *r = on("claim", file, "'may: ends: deadlock' --exhaust");
    CHECK_INT(r->code, 2);
    HAS(r->err, "the seed draws n, k; fix each of them, such as: --vary n=");
    r = on("explore", file, "--exhaust --vary n=1");
    CHECK_INT(r->code, 2);
    HAS(r->err, "the seed draws k; fix each of them, such as: --vary k=");
    CHECK_INT(on("claim", file, "'never: ends: deadlock' --exhaust --vary n=1 --vary k=1")->code, 0);
}

/* The recording has the choices of the schedule that failed, not only its seed. */
TEST(the_schedule_that_failed_is_recorded)
{
    static const char text[] =
        "name: chance\nchannels: [{name: c, buffer: 1}, {name: d, buffer: 1}]\ngoroutines:\n"
        "  - {name: main, do: [{send: c}, {send: d}, {select: [{recv: c}, {recv: d, do: [{recv: d}]}]}]}\n";
    const char *recorded = t_file("all.rec", "");
    char rest[500];
    unlink(recorded);
    snprintf(rest, sizeof rest, "--exhaust --record '%s'", recorded);
    CHECK_INT(on("explore", t_file("chance.yaml", text), rest)->code, 3);
    CHECK_INT(on("replay", recorded, "--headless")->code, 3);
}

/* Independent events have an order, too, for a query that asks for it. */
TEST(a_tally_of_an_order_is_not_reduced)
{
    static const char text[] = "name: z\nscheduler: {gomaxprocs: 2}\ngoroutines: [{name: main, do: [{go: w}]}, {name: w, do: []}]\n";
    const char *file = t_file("z.yaml", text);
    HAS(on("explore", file, "--exhaust --tally 'count(g_start)'")->out, " count once.\n");
    HAS(on("explore", file, "--exhaust --tally 'order(print .text)'")->out, " count once.\n");
    HAS(on("explore", file, "--exhaust --tally 'order(g_start .g)' --seeds 50")->out, "Every order of steps is counted.\n");
    HAS(on("explore", file, "--exhaust --tally 'p0.runq at g_end' --seeds 50")->out, "Every order of steps is counted.\n");
}

/* --- --shrink ------------------------------------------------------------------------------------------------------ */

TEST(a_lost_wake_up_shrinks_to_two_choices)
{
    struct result *r = on("explore", "whatif-recheck", "--disable spinning_recheck --failures 1 --shrink");
    CHECK_INT(r->code, 4);
    const char *said = strstr(r->out, "shrunk to "), *command = said ? strstr(said, "\ngmpscope run ") : NULL;
    CHECK(command != NULL);
    if (!command)
        return;
    CHECK(atoi(said + 10) <= 2);
    HAS(said, " --calm ");
    HAS(said, "no M was woken for it");
    char line[1000];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(command + 1, "#"), command + 1);
    CHECK_INT(shell(line)->code, 4);
}

TEST(an_interrupted_shrink_prints_the_best_so_far)
{
    struct result *r =
        shell("timeout --foreground -s TERM 2 '" GMPSCOPE_BIN "' explore whatif-recheck --disable spinning_recheck --failures 1 --shrink");
    const char *said = strstr(r->out, "shrunk to ");
    HAS(r->out, said ? " (interrupted; this is the best so far):\ngmpscope run " : "not shrunk: interrupted\n");
}

/* --- claims about all schedules in a file -------------------------------------------------------------------------- */

TEST(check_searches_for_what_may_and_must_happen)
{
    static const char head[] =
        "name: may\nchannels: [{name: a, buffer: 1}, {name: b, buffer: 1}]\ngoroutines:\n"
        "  - {name: main, do: [{send: a}, {send: b}, {select: [{recv: a, do: [{print: a}]}, {recv: b, do: [{print: b}, {recv: a}, "
        "{recv: a}]}]}]}\nexpect:\n";
    char text[2000];
    snprintf(text, sizeof text, "%s  - {may: \"ends: deadlock\"}\n  - {may: \"print text=b\"}\n", head);
    struct result *r = on("check", t_file("may.yaml", text), "");
    CHECK_INT(r->code, 0);
    HAS(r->out, "may: ends: deadlock\n    yes, here is one\n    gmpscope run ");
    HAS(r->out, "4 passed, 0 failed\n");
    snprintf(text, sizeof text, "%s  - {may: \"ends: deadlock\"}\n  - {must: \"prints: b\"}\n  - {never: \"ends: panic\"}\n", head);
    r = on("check", t_file("must.yaml", text), "");
    CHECK_INT(r->code, 1);
    HAS(r->out, "FAILED  may                   must: prints: b\n    yes, here is one that ends without it\n");
    HAS(r->out, "open    may                   never: ends: panic\n    not found in 1000 schedules; this is no proof\n");
    HAS(r->out, "3 passed, 1 failed, 1 neither shown nor refuted\n");
    snprintf(text, sizeof text, "%s  - {may: \"ends: deadlok\"}\n", head);
    r = on("lint", t_file("bad.yaml", text), "");
    CHECK_INT(r->code, 2);
    HAS(r->err, ":6:18: unknown end \"deadlok\"; did you mean \"deadlock\"?");
}

TEST(a_question_may_ask_what_can_happen)
{
    static const char head[] =
        "name: can\nchannels: [{name: a, buffer: 1}, {name: b, buffer: 1}]\ngoroutines:\n"
        "  - {name: main, do: [{send: a}, {send: b}, {select: [{recv: a, do: [{print: a}]}, {recv: b, do: [{print: b}]}]}]}\nlesson:\n";
    static const struct {
        const char *ask, *says;
        int code;
    } of[] = {
        {"can: 'prints: b', answer: 'yes'", "may: prints: b\n    yes, here is one\n", 0},
        {"can: 'prints: c', answer: 'no'", "never: prints: c\n    not found in 1000 schedules; this is no proof\n", 0},
        {"can: 'prints: b', answer: 'no'", "FAILED  can                   never: prints: b\n    yes, here is one\n", 1},
        {"can: 'prints: b', answer: 'maybe'", "the answer to \"can\" is yes or no, got \"maybe\"", 2},
        {"can: 'stel', answer: 'yes'", "there is no event \"stel\"; the nearest is \"steal\"", 2},
        {"can: 'steal', answer: 'yes', choices: ['yes', 'no']", "a question with \"can\" has the choices yes and no; leave them out", 2},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%s  - {at: start, ask: {question: 'Can it?', %s}}\n", head, of[i].ask);
        struct result *r = on("check", t_file("can.yaml", text), "--lessons --mode lockstep 2>&1");
        CHECK_INT(r->code, of[i].code);
        HAS(r->out, of[i].says);
    }
}

/* What depends on the order of steps that touch no common data is tried in every order. */
TEST(what_sees_the_order_is_not_reduced)
{
    static const struct {
        const char *command, *asks;
        bool reduced;
    } of[] = {
        {"claim", "'may: prints: b'", true},
        {"claim", "'may: steal'", true},
        {"claim", "'may: ends: deadlock'", true},
        {"claim", "'may: when globq > 0'", false},
        {"claim", "'may: find_stage busy=2'", false},
        {"claim", "'may: steal time>5us'", false},
        {"explore", "--tally 'order(print .text)'", true},
        {"explore", "--tally 'order(g_start .g)'", false},
        {"explore", "--tally 'value(g_start .g)'", false},
        {"explore", "--tally 'globq at g_end'", false},
        {"explore", "--tally 'count(steal)'", true},
    };
    const char *file =
        t_file("go.yaml", "name: go\ngoroutines:\n  - {name: main, do: [{go: w}, {print: a}]}\n  - {name: w, do: [{print: b}]}\n");
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char rest[300];
        snprintf(rest, sizeof rest, "%s --exhaust --seeds 2", of[i].asks);
        struct result *r = on(of[i].command, file, rest);
        HAS(r->out, of[i].reduced ? " count once.\n" : "Every order of steps is counted.\n");
    }
}
