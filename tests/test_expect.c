/* Expectations are judged only from events. The events here are made up, so that each claim is seen to hold and to
 * fail. */
#include "load.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct scenario *scenario_of(const char *expect)
{
    char *yaml;
    CHECK(asprintf(&yaml, "name: t\ngoroutines: [main]\nexpect:\n%s", expect) > 0);
    struct scenario *sc = load(t_file("f.yaml", yaml));
    free(yaml);
    return sc;
}

struct judge {
    struct scenario *sc;
    struct model *md;
    struct expect *x;
    uint64_t events;
};

static struct judge begin_with(const char *expect, const struct rt_config *want)
{
    struct model_config cfg = {.runq_size = 4};
    struct judge j = {.sc = scenario_of(expect), .md = model_new(&cfg)};
    CHECK(j.md);
    struct rt_config rt = scenario_config(j.sc);
    rt.mode = want->mode;
    rt.seed = want->seed;
    rt.generation = want->generation;
    rt.fine = want->fine;
    rt.choices = want->choices;
    j.x = expect_new(j.sc, &rt, false, LANG_EN);
    CHECK(j.x);
    return j;
}

static struct judge begin_in(const char *expect, enum rt_generation gen, enum conductor_mode mode, uint64_t seed)
{
    return begin_with(expect, &(struct rt_config){.generation = gen, .mode = mode, .seed = seed});
}

static struct judge begin_fine(const char *expect)
{
    return begin_with(expect, &(struct rt_config){.generation = GO1_20, .mode = MODE_LOCKSTEP, .seed = 1, .fine = true});
}

static struct judge begin_as(const char *expect, enum conductor_mode mode, uint64_t seed)
{
    return begin_in(expect, GO1_20, mode, seed);
}

static struct judge begin(const char *expect)
{
    return begin_as(expect, MODE_LOCKSTEP, 1);
}

static void event(struct judge *j, enum ev_kind kind, uint32_t g, uint32_t a, uint32_t b)
{
    struct ev e = {.kind = (uint8_t)kind, .g = g, .a = a, .b = b};
    expect_event(j->x, &(struct merged_event){.md = j->md, .number = ++j->events, .e = &e});
}

static void print(struct judge *j, const char *text)
{
    struct ev e = {.kind = EV_PRINT, .g = 1};
    expect_event(j->x, &(struct merged_event){j->md, ++j->events, 0, &e, text, strlen(text)});
}

static void end_at(struct judge *j, int how, int64_t time)
{
    struct ev e = {.kind = EV_PROGRAM_END, .time = time, .a = (uint32_t)how};
    expect_event(j->x, &(struct merged_event){.md = j->md, .number = ++j->events, .e = &e});
    expect_finish(j->x, j->md, how, NULL);
}

static void fini(struct judge *j)
{
    expect_free(j->x);
    model_free(j->md);
    scenario_free(j->sc);
}

/* Returns the part of a reason after "FILE:LINE:COL: ". */
static const char *why(const struct judge *j, uint32_t i)
{
    const char *s = expect_why(j->x, i), *at = strstr(s, ": ");
    return at ? at + 2 : s;
}

TEST(prints)
{
    struct judge j = begin(
        "  - prints: [b, a]\n  - prints: [b]\n  - prints: [b, a, c]\n  - prints: [b, x]\n  - prints: []\n"
        "  - prints_sorted: [a, b]\n  - prints_sorted: [a, c]\n");
    const char *const *lines;
    print(&j, "b");
    print(&j, "a");
    end_at(&j, ENDED_MAIN_RETURNED, 5);
    CHECK_STR(why(&j, 0), "");
    CHECK_STR(why(&j, 1), "printed lines: expected 1, got 2 (the next one is \"a\")");
    CHECK_STR(why(&j, 2), "printed lines: expected 3, got 2 (\"c\" is missing)");
    CHECK_STR(why(&j, 3), "printed line 2: expected \"x\", got \"a\"");
    CHECK_STR(why(&j, 4), "printed lines: expected 0, got 2 (the next one is \"b\")");
    CHECK_STR(why(&j, 5), "");
    CHECK_STR(why(&j, 6), "printed lines, in any order: expected \"c\", got \"b\"");
    CHECK_INT(expect_passed(j.x), 2);
    CHECK_INT(expect_failed(j.x), 5);
    CHECK_INT(expect_lines(j.x, &lines), 2);
    CHECK_STR(lines[0], "b");
    CHECK(expect_ok(j.x, 0) && !expect_ok(j.x, 1));
    fini(&j);
}

TEST(nothing_printed_nothing_expected)
{
    struct judge j = begin("  - prints: []\n  - prints_sorted:\n");
    end_at(&j, ENDED_MAIN_RETURNED, 0);
    CHECK_INT(expect_passed(j.x), 2);
    fini(&j);
}

TEST(events_are_counted)
{
    struct judge j = begin(
        "  - event: \"runq_put g=2\"\n  - {event: runq_put, times: 3}\n  - {event: runq_put, times: 2}\n"
        "  - {event: runq_put, max: 2}\n  - {event: runq_put, min: 4}\n  - {event: \"runq_put slot>0\", min: 2, max: 2}\n"
        "  - event: runq_get\n  - {event: runq_get, max: 0}\n  - {event: runq_get, times: 0}\n"
        "  - event: \"runq_put x3\"\n  - event: \"runq_put x4\"\n  - {event: \"runq_put x2\", times: 1}\n");
    static const bool ok[] = {true, true, false, false, false, true, false, true, true, true, false, true};
    for (uint32_t slot = 0; slot < 3; slot++)
        event(&j, EV_RUNQ_PUT, slot + 1, slot, 0);
    end_at(&j, ENDED_MAIN_RETURNED, 0);
    for (uint32_t i = 0; i < sizeof ok / sizeof *ok; i++)
        if (expect_ok(j.x, i) != ok[i])
            t_fail(__FILE__, __LINE__, "claim %u: %s", i + 1, expect_why(j.x, i));
    CHECK_STR(why(&j, 2), "the number of events \"runq_put\": expected 2, got 3");
    CHECK_STR(why(&j, 4), "the number of events \"runq_put\": expected at least 4, got 3");
    CHECK_STR(why(&j, 3), "the number of events \"runq_put\": expected at most 2, got 3");
    fini(&j);
}

TEST(never)
{
    struct judge j = begin("  - never: \"g_park g=3\"\n  - never: \"g_park g=2\"\n  - never: \"g_park x3\"\n  - never: \"g_park x2\"\n");
    event(&j, EV_G_PARK, 2, 1, WAIT_REASON_SLEEP);
    event(&j, EV_G_PARK, 2, 2, WAIT_REASON_SLEEP);
    end_at(&j, ENDED_MAIN_RETURNED, 0);
    CHECK(expect_ok(j.x, 0) && !expect_ok(j.x, 1) && expect_ok(j.x, 2) && !expect_ok(j.x, 3));
    CHECK_STR(why(&j, 1), "\"g_park g=2\": expected never, got 2 times");
    fini(&j);
}

TEST(sequence)
{
    struct judge j = begin(
        "  - sequence: [\"g_park g=2\", \"g_ready g=2\", \"g_park g=2\"]\n"
        "  - sequence: [\"g_ready g=2\", \"g_park g=2\"]\n"
        "  - sequence: [\"g_ready g=2\", \"g_ready g=2\"]\n"
        "  - sequence: [\"g_park g=2 x2\", \"g_end g=2\"]\n"
        "  - sequence: [\"g_park g=2 x3\"]\n");
    static const enum ev_kind kinds[] = {EV_G_PARK, EV_G_START, EV_G_READY, EV_G_PARK, EV_G_END};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        event(&j, kinds[i], 2, 0, 0);
    end_at(&j, ENDED_MAIN_RETURNED, 0);
    CHECK_STR(why(&j, 0), "");
    CHECK_STR(why(&j, 1), "");
    CHECK_STR(why(&j, 2), "sequence: expected \"g_ready g=2\" next; only 1 of 2 events occurred in this order");
    CHECK_STR(why(&j, 3), "");
    CHECK(!expect_ok(j.x, 4));
    fini(&j);
}

TEST(ends_within_and_counters)
{
    struct judge j = begin(
        "  - ends: deadlock\n  - ends: main_returned\n  - within: 50ms\n  - within: 49ms\n"
        "  - {counter: steals, max: 0}\n  - {counter: steals, min: 1}\n  - {counter: steals, equals: 2}\n");
    end_at(&j, ENDED_DEADLOCK, 50000000);
    CHECK(expect_ok(j.x, 0) && !expect_ok(j.x, 1) && expect_ok(j.x, 2) && !expect_ok(j.x, 3));
    CHECK(expect_ok(j.x, 4) && !expect_ok(j.x, 5) && !expect_ok(j.x, 6));
    CHECK_STR(why(&j, 1), "end of the program: expected \"main_returned\", got \"deadlock\"");
    CHECK_STR(why(&j, 3), "time until the program ended: expected at most 49 ms, got 50 ms");
    CHECK_STR(why(&j, 5), "counter \"steals\": expected at least 1, got 0");
    CHECK_STR(why(&j, 6), "counter \"steals\": expected 2, got 0");
    CHECK(strstr(expect_why(j.x, 1), "f.yaml:5:5: end of the program"));
    fini(&j);
}

TEST(a_run_that_was_cut_off)
{
    struct judge j = begin("  - ends: limit\n  - within: 1s\n  - ends: main_returned\n");
    expect_finish(j.x, j.md, ENDED_LIMIT, NULL);
    CHECK(expect_ok(j.x, 0) && !expect_ok(j.x, 1) && !expect_ok(j.x, 2));
    CHECK_STR(why(&j, 1), "the program did not end");
    fini(&j);
}

TEST(claims_are_narrowed)
{
    static const char claims[] =
        "  - {event: steal, mode: free}\n  - {event: steal, seed: 7}\n  - {event: steal, mode: lockstep, seed: 1}\n"
        "  - {never: steal, mode: lockstep}\n";
    struct judge j = begin_as(claims, MODE_LOCKSTEP, 1);
    end_at(&j, ENDED_MAIN_RETURNED, 0);
    CHECK_INT(expect_passed(j.x), 1);
    CHECK_INT(expect_failed(j.x), 1);
    CHECK(expect_ok(j.x, 0) && expect_ok(j.x, 1) && !expect_ok(j.x, 2));
    fini(&j);
    j = begin_as(claims, MODE_FREE, 7);
    end_at(&j, ENDED_MAIN_RETURNED, 0);
    CHECK_INT(expect_passed(j.x), 0);
    CHECK_INT(expect_failed(j.x), 2);
    fini(&j);
}

/* One scenario on several generations: each has its own claims, and only claims for a generation may use its
 * features. */
TEST(claims_are_narrowed_to_generations)
{
    static const char claims[] =
        "  - {event: steal, generation: go1.4}\n  - {event: runnext_put, generation: [go1.13, go1.20]}\n"
        "  - {event: steal victim=1, generation: [go1.4], mode: free}\n  - {never: g_end, generation: []}\n";
    static const struct {
        enum rt_generation gen;
        uint32_t passed, failed;
    } want[] = {{GO1_0, 1, 0}, {GO1_4, 1, 1}, {GO1_13, 1, 1}, {GO1_20, 1, 1}};
    for (int i = 0; i < 4; i++) {
        struct judge j = begin_in(claims, want[i].gen, MODE_LOCKSTEP, 1);
        struct diag d;
        diag_init(&d, NULL);
        CHECK(scenario_fits(j.sc, GO1_20, &d) && scenario_fits(j.sc, GO1_0, &d));
        diag_fini(&d);
        end_at(&j, ENDED_MAIN_RETURNED, 0);
        CHECK_INT(expect_passed(j.x), want[i].passed);
        CHECK_INT(expect_failed(j.x), want[i].failed);
        fini(&j);
    }
}

/* A condition counts where it begins to hold, not at each event while it holds. */
TEST(conditions)
{
    struct judge j = begin(
        "  - {event: \"when globq >= 0\", times: 1}\n  - never: \"when globq > 0\"\n  - never: \"when globq = 0\"\n"
        "  - sequence: [g_end, \"when globq = 0\"]\n");
    event(&j, EV_G_PARK, 2, 0, 0);
    event(&j, EV_G_END, 2, 0, 0);
    end_at(&j, ENDED_MAIN_RETURNED, 0);
    CHECK(expect_ok(j.x, 0) && expect_ok(j.x, 1) && !expect_ok(j.x, 2) && expect_ok(j.x, 3));
    fini(&j);
}

static struct judge begin_chosen(const char *expect)
{
    static const struct choices any;
    return begin_with(expect, &(struct rt_config){.generation = GO1_20, .mode = MODE_LOCKSTEP, .seed = 1, .choices = &any});
}

/* In a fine run the next M is picked as unfairly as on a real machine. So claims about plain lockstep, or about one
 * seed of it, do not apply. */
TEST(narrowed_claims_are_about_plain_runs)
{
    static const char claims[] =
        "  [{event: g_yield, mode: lockstep}, {event: g_yield, seed: 1}, {event: g_yield}, {event: g_yield, mode: free}]\n";
    struct judge plain = begin(claims), fine = begin_fine(claims), chosen = begin_chosen(claims);
    end_at(&plain, ENDED_MAIN_RETURNED, 10);
    end_at(&fine, ENDED_MAIN_RETURNED, 10);
    end_at(&chosen, ENDED_MAIN_RETURNED, 10);
    CHECK_INT(expect_failed(chosen.x), 1);
    CHECK_INT(expect_failed(plain.x), 3);
    CHECK_INT(expect_failed(fine.x), 1);
    CHECK(!expect_ok(fine.x, 2));
    fini(&plain);
    fini(&fine);
    fini(&chosen);
}
