/* gmpscope claim: may, must, never. */
#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct result *claim(const char *file, const char *text, const char *options)
{
    char line[4000];
    snprintf(line, sizeof line, "gmpscope claim '%s' \"%s\" %s", file, text, options);
    return shell(line);
}

/* Chance decides which of both cases the select takes. */
static const char by_chance[] =
    "name: by-chance\n"
    "channels: [{name: a, buffer: 1}, {name: b, buffer: 1}]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do:\n"
    "      - send: a\n"
    "      - send: b\n"
    "      - select: [{recv: a, do: [{print: a}]}, {recv: b, do: [{print: b}, {recv: a}, {recv: a}]}]\n";

TEST(each_word_has_its_answer_and_its_exit_code)
{
    static const struct {
        const char *claim, *says, *answer;
        int code;
    } of[] = {
        {"may: ends: deadlock", "holds", "yes, here is one: seed ", 0},
        {"never: ends: deadlock", "does not hold", "yes, here is one: seed ", 1},
        {"must: ends: main_returned", "does not hold", "yes, here is one that ends without it: seed ", 1},
        {"may: prints: b", "holds", "yes, here is one: seed ", 0},
        {"may: prints: 'b'", "holds", "yes, here is one: seed ", 0},
        {"never: g_park reason=chan_receive", "does not hold", "yes, here is one: seed ", 1},
        {"may: when g1.state = waiting", "holds", "yes, here is one: seed ", 0},
        {"may: prints: c", "not decided", "not found in 40 schedules; this is no proof\n", 5},
        {"never: ends: panic", "not decided", "not found in 40 schedules; this is no proof\n", 5},
        {"must: g_start", "not decided", "not found in 40 schedules; this is no proof\n", 5},
    };
    const char *file = t_file("by-chance.yaml", by_chance);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char first[100];
        struct result *r = claim(file, of[i].claim, "--seeds 40");
        CHECK_INT(r->code, of[i].code);
        snprintf(first, sizeof first, "%s: %s\n", of[i].claim, of[i].says);
        HAS(r->out, first);
        HAS(r->out, of[i].answer);
        CHECK_STR(r->err, "");
    }
    CHECK_INT(claim(file, "may: prints: c", "--seeds 40 --weak")->code, 0);
    CHECK_INT(claim(file, "never: prints: b", "--seeds 40 --weak")->code, 1);
}

/* The command that is printed leads to the event: headless, that event is the one the claim names. */
TEST(a_witness_opens_at_the_moment)
{
    static const char *const options[] = {"--seeds 40", "--seeds 40 --coarse", "--seeds 40 --seed 900 --procs 1"};
    const char *file = t_file("by-chance.yaml", by_chance);
    for (size_t i = 0; i < 3; i++) {
        struct result *r = claim(file, "may: print text=b", options[i]);
        CHECK_INT(r->code, 0);
        const char *command = strstr(r->out, "\ngmpscope run "), *at = command ? strstr(command, " --at ") : NULL;
        CHECK(at != NULL);
        if (!at)
            return;
        char line[3000];
        snprintf(line, sizeof line, "%.*s --headless --events 2>/dev/null | sed -n %dp", (int)(at - command - 1), command + 1,
                 atoi(at + 6));
        HAS(shell(line)->out, " print ");
        HAS(shell(line)->out, "b");
    }
}

TEST(the_answer_does_not_depend_on_the_processes)
{
    const char *file = t_file("by-chance.yaml", by_chance);
    char *one = strdup(claim(file, "may: ends: deadlock", "--jobs 1")->out);
    CHECK_STR(claim(file, "may: ends: deadlock", "--jobs 5")->out, one);
    free(one);
}

TEST(a_cut_schedule_is_said)
{
    const char *file = t_file("by-chance.yaml", by_chance);
    struct result *r = claim(file, "must: prints: c", "--seeds 5 --max-events 3");
    CHECK_INT(r->code, 5);
    HAS(r->out, "not found in 5 schedules; this is no proof (5 of them were cut by the limit)\n");
    CHECK_INT(claim(file, "may: ends: limit", "--seeds 5 --max-events 3")->code, 0);
}

TEST(claims_speak_json_too)
{
    const char *file = t_file("by-chance.yaml", by_chance);
    struct result *r = claim(file, "never: prints: b", "--json");
    CHECK_INT(r->code, 1);
    HAS(r->out, "\"claim\":\"never: prints: b\",\"word\":\"never\",\"holds\":false,\"answer\":\"yes, here is one\",\"schedules\":");
    HAS(r->out, "\"command\":\"gmpscope run ");
    HAS(claim(file, "may: prints: c", "--json --seeds 5")->out, "\"holds\":null,\"answer\":\"not found in 5 schedules; this is no proof\"");
}

TEST(a_bad_claim_is_one_line)
{
    static const struct {
        const char *claim, *err;
    } of[] = {
        {"mya: steal", "\"mya: steal\": column 1: unknown word \"mya\"; did you mean \"may\"?\n"},
        {"may: ends: deadlok", "column 12: unknown end \"deadlok\"; did you mean \"deadlock\"?\n"},
        {"may: end: deadlock", "column 6: unknown word \"end\"; did you mean \"ends\"?\n"},
        {"may: prnts: x", "column 6: unknown word \"prnts\"; did you mean \"prints\"?\n"},
        {"may: races",
         "column 6: a data race is no event; `gmpscope explore FILE` reports the races and their lines, and a scenario claims "
         "\"races: 0\"\n"},
        {"may: deadlock", "column 6: that is an end, no event; write \"ends: deadlock\"\n"},
        {"may: stel", "column 6: there is no event \"stel\"; the nearest is \"steal\"\n"},
        {"never: steal thif=1", "column 14: steal has no field \"thif\"; the nearest is \"thief\"\n"},
        {"must: when p0.runk > 1", "column 12: "},
        {"steal", "column 1: expected may, must or never, and a colon, such as \"may: ends: deadlock\"\n"},
        {"ends: deadlock", "column 1: expected may, must or never, got \"ends\"\n"},
        {"", "column 1: expected may, must or never, and a colon"},
        {"may:", "column 5: the pattern is empty"},
    };
    const char *file = t_file("by-chance.yaml", by_chance);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct result *r = claim(file, of[i].claim, "");
        CHECK_INT(r->code, 2);
        CHECK_STR(r->out, "");
        HAS(r->err, of[i].err);
        CHECK(strchr(r->err, '\n') == r->err + strlen(r->err) - 1);
    }
    CHECK_INT(shell("gmpscope claim steal-half")->code, 2);
    HAS(shell("gmpscope claim steal-half may: steal")->err, "quote the claim");
}

/* explore and run judge what one run can refute; a may is counted. */
TEST(one_run_refutes_must_and_never)
{
    static const struct {
        const char *claim, *why;
        int code; /* of explore */
    } of[] = {
        {"must: 'prints: b'", "\"must: prints: b\": this run ends without it", 1},
        {"must: print text=b", "\"must: print text=b\": this run ends without it", 1},
        {"never: 'prints: b'", "\"never: prints: b\": this run has it", 1},
        {"must: g_start g=1", NULL, 0},
        {"must: when g1.state = running", NULL, 0},
        {"must: 'ends: panic'", "\"must: ends: panic\": this run ends without it", 1},
        {"never: 'ends: panic'", NULL, 0},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char text[1000], line[2000];
        snprintf(text, sizeof text, "%sexpect: [{may: 'ends: deadlock'}, {may: 'prints: c'}, {%s}]\n", by_chance, of[i].claim);
        const char *file = t_file("modal.yaml", text);
        snprintf(line, sizeof line, "gmpscope explore '%s' --seeds 40", file);
        struct result *r = shell(line);
        CHECK_INT(r->code, of[i].code);
        HAS(r->out, "may: 1 of 2 shown\nvaried: ");
        if (of[i].why) {
            HAS(r->out, of[i].why);
        } else {
            HAS(r->out, ": 0 failed\n");
        }
        for (int seed = 1, seen = 0; of[i].why && !seen; seed++) {
            snprintf(line, sizeof line, "gmpscope run '%s' --headless --seed %d", file, seed);
            r = shell(line);
            seen = r->code == 1;
            CHECK(seed < 40);
            if (seed >= 40)
                return;
        }
        if (of[i].why)
            HAS(r->err, of[i].why);
    }
}

TEST(an_end_that_may_come_is_still_told)
{
    char text[1000], line[2000];
    snprintf(text, sizeof text, "%sexpect: [{may: 'ends: deadlock'}]\n", by_chance);
    const char *file = t_file("modal.yaml", text);
    struct result *r = NULL;
    for (int seed = 1; seed < 40 && (!r || !strstr(r->err, "deadlock")); seed++) {
        snprintf(line, sizeof line, "gmpscope run '%s' --headless --seed %d", file, seed);
        r = shell(line);
        CHECK_INT(r->code, 0);
    }
    HAS(r->err, "fatal error: all goroutines are asleep - deadlock!\n");
    HAS(r->err, "gmpscope: who waits for whom:\n");
    HAS(r->err, "gmpscope: the scenario allows this end: \"may: ends: deadlock\"\n");
}

TEST(parts_show_together_what_may_happen)
{
    char text[1000], line[3000];
    snprintf(text, sizeof text, "%sexpect: [{may: 'ends: deadlock'}, {may: 'ends: main_returned'}, {may: 'prints: c'}]\n", by_chance);
    const char *file = t_file("modal.yaml", text);
    snprintf(line, sizeof line,
             "f='%s'; for k in 1 2 3 4; do gmpscope explore \"$f\" --seeds 12 --shard $k/4 --json > \"$f\".$k; done; "
             "gmpscope explore --merge \"$f\".[1-4]",
             file);
    HAS(shell(line)->out, "may: 2 of 3 shown\n");
}

/* Tries 60 seeds in three parts. Returns what the parts together answer. */
static struct result *in_parts(const char *file, const char *text, const char *options)
{
    char line[2000];
    snprintf(
        line, sizeof line,
        "for k in 1 2 3; do gmpscope claim '%s' \"%s\" --seeds 60 --shard $k/3 --json >'%s'.$k; done; gmpscope claim --merge %s '%s'.3 '%s'.1 '%s'.2",
        file, text, file, options, file, file, file);
    return shell(line);
}

TEST(parts_answer_as_one_process_does)
{
    const char *f = t_file("by-chance.yaml", by_chance);
    static const char *const claims[] = {
        "may: prints: b", "never: g_park reason=chan_receive", "must: ends: main_returned", "may: prints: c", "never: ends: panic"};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        struct result whole = *claim(f, claims[i], "--seeds 60"), *parts = in_parts(f, claims[i], "");
        char *text = strdup(whole.out);
        CHECK_INT(parts->code, whole.code);
        CHECK_STR(parts->out, text);
        free(text);
        whole = *claim(f, claims[i], "--seeds 60 --json");
        text = strdup(whole.out);
        parts = in_parts(f, claims[i], "--json");
        size_t same = (size_t)(strstr(text, "\"processes\"") - text); /* which, and the time, add up */
        CHECK_INT(strncmp(parts->out, text, same), 0);
        free(text);
    }
    CHECK_INT(in_parts(f, "may: prints: c", "--weak")->code, 0);
    HAS(in_parts(f, "may: prints: b", "--lang zh")->out, "may: prints: b：成立\n有，这里就有一个：种子 ");
}

TEST(parts_of_claims_and_of_explorations_do_not_mix)
{
    const char *f = t_file("by-chance.yaml", by_chance);
    char line[1000];
    in_parts(f, "may: prints: b", "");
    snprintf(line, sizeof line, "gmpscope explore --merge '%s'.1 '%s'.2 '%s'.3 2>&1", f, f, f);
    HAS(shell(line)->out, ": this is a part of a claim; put the parts together with gmpscope claim --merge\n");
    snprintf(line, sizeof line,
             "gmpscope claim '%s' 'may: prints: c' --seeds 60 --shard 2/3 --json >'%s'.2; gmpscope claim --merge '%s'.1 '%s'.2 '%s'.3 2>&1",
             f, f, f, f, f);
    HAS(shell(line)->out, ": the claim differs from that in ");
    snprintf(line, sizeof line, "gmpscope explore '%s' --seeds 60 --shard 1/1 --json >'%s'.1; gmpscope claim --merge '%s'.1 2>&1", f, f, f);
    HAS(shell(line)->out, ": this is a part of an exploration; put the parts together with gmpscope explore --merge\n");
}

TEST(messages_name_what_was_typed)
{
    static const struct {
        const char *options, *err;
    } of[] = {
        {"--exhaust --fine", "--exhaust and --fine cannot be combined: all schedules have the points of a plain run\n"},
        {"--exhaust --search ranked", "--exhaust and --search cannot be combined: all schedules are tried\n"},
        {"--exhaust --stalls 2", "--exhaust and --stalls cannot be combined"},
        {"--still --stalls 2", "--still and --stalls cannot be combined"},
        {"--fine --coarse", "--fine and --coarse cannot be combined\n"},
        {"--shard 1/2", "--shard needs --json; --merge reads it\n"},
        {"--shrink", "claim has no --shrink; use explore --shrink\n"},
    };
    const char *file = t_file("by-chance.yaml", by_chance);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct result *r = claim(file, "may: steal", of[i].options);
        CHECK_INT(r->code, 2);
        HAS(r->err, of[i].err);
    }
}

TEST(an_answer_says_what_was_varied)
{
    const char *file = t_file("by-chance.yaml", by_chance);
    HAS(claim(file, "may: prints: c", "--seeds 1")->out, "not found in 1 schedule; this is no proof\nvaried: the next M (");
    HAS(claim(file, "may: prints: c", "--seeds 3 --calm --stalls 0")->out,
        "\nvaried: nothing; not: the next M, random choices (--calm), stalls");
    HAS(claim(file, "may: prints: c", "--seeds 3 --calm")->out, "\nvaried: stalls up to 4, late wake-ups; not: the next M");
    HAS(claim(file, "may: prints: c", "--exhaust --seeds 1")->out, "not found; stopped after 1 schedule; this is no proof");
    char line[3000];
    snprintf(line, sizeof line, "timeout --foreground -s TERM 1 '%s' claim '%s' 'may: prints: c' --for 30s 2>/dev/null", GMPSCOPE_BIN,
             file);
    HAS(shell(line)->out, " schedules; this is no proof (interrupted)\nvaried: ");
}

TEST(check_gives_the_reason_that_claim_gives)
{
    char text[1000];
    snprintf(text, sizeof text, "%sexpect: [{must: 'prints: b'}, {never: 'prints: b'}]\n", by_chance);
    struct result r = RUN("check", (char *)t_file("modal.yaml", text), "--mode", "lockstep");
    CHECK_INT(r.code, 1);
    HAS(r.out, "must: prints: b\n    yes, here is one that ends without it\n");
    HAS(r.out, "never: prints: b\n    yes, here is one\n");
}

/* Without slow threads the slower of the two never comes first. The numbers that the seed draws are those of each schedule. */
static const char one_slow[] =
    "name: one-slow\n"
    "vary: {n: [3, 4]}\n"
    "scheduler: {gomaxprocs: 2}\n"
    "shared: [x]\n"
    "goroutines:\n"
    "  - {name: main, do: [{go: w}, {set: x, to: n}, {print: 'main {x}'}, {sleep: 1ms}]}\n"
    "  - {name: w, do: [{print: 'w {x}'}]}\n";

TEST(check_searches_with_stalls_as_claim_does)
{
    char text[2000];
    snprintf(text, sizeof text, "%sexpect: [{may: 'prints: w 0'}, {may: 'prints: w 0', stalls: no}, {may: 'prints: main {n}'}]\n",
             one_slow);
    const char *file = t_file("slow.yaml", text);
    struct result r = RUN("check", (char *)file, "--mode", "lockstep");
    CHECK_INT(r.code, 0);
    const char *with = strstr(r.out, "ok      one-slow              may: prints: w 0\n"),
               *command = with ? strstr(with, "gmpscope run ") : NULL;
    CHECK(command);
    HAS(command, " --stalls ");
    HAS(r.out, "open    one-slow              may: prints: w 0\n    not found in 1000 schedules; this is no proof\n");
    char drawn[200];
    snprintf(drawn, sizeof drawn, "ok      one-slow              may: prints: main %c\n", strstr(r.out, "prints: main 3") ? '3' : '4');
    HAS(r.out, drawn);
    CHECK(strstr(command, " --seed "));
    char *line = strndup(command, strcspn(command, "\n"));
    char run[1500], *at = strstr(line, " --at ");
    CHECK(at);
    snprintf(run, sizeof run, "%.*s --headless --max-events %s", (int)(at - line), line, at + strlen(" --at "));
    HAS(shell(run)->out, "w 0\n"); /* the witness prints what was asked */
    free(line);
}

/* A question of a lesson, whose text has a number that the seed draws. */
TEST(a_question_about_all_schedules_has_each_seeds_numbers)
{
    static const char lesson[] =
        "lesson:\n"
        "  - on: start\n"
        "    ask: {question: 'Q?', can: 'print text=\"main {n}\"', %sanswer: 'yes'}\n";
    char text[2000];
    int len = snprintf(text, sizeof text, "%s", one_slow);
    snprintf(text + len, sizeof text - (size_t)len, lesson, "");
    struct result r = RUN("check", (char *)t_file("asks.yaml", text), "--lessons", "--mode", "lockstep");
    CHECK_INT(r.code, 0);
    HAS(r.out, "may: print text=\"main ");
    CHECK(!strstr(r.out, "{n}"));
    snprintf(text + len, sizeof text - (size_t)len, lesson, "stalls: no, ");
    r = RUN("check", (char *)t_file("asks.yaml", text), "--lessons", "--mode", "lockstep");
    CHECK_INT(r.code, 0);
    CHECK(!strstr(r.out, "--stalls"));
    r = RUN("lint", (char *)t_file("asks.yaml",
                                   "name: a\ngoroutines: [{name: main, do: []}]\nlesson:\n  - on: start\n    ask: {question: 'Q?', "
                                   "choices: ['1', '2'], stalls: no, answer: '1'}\n"));
    CHECK_INT(r.code, 2);
    HAS(r.err, "\"stalls\" belongs to \"can\", and this question has none");
}
