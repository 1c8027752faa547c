/* Searches through the history: in pieces they find what they find at once, and they can be ended. */
#include "live.h"
#include "model/history/history.h"
#include "shell.h"

#include <stdio.h>

static void at_the_end(struct live *l)
{
    static const char *args[] = {"--tempo", "max"};
    live(l, slurp(SOURCE_DIR "/scenarios/steal-half.yaml", NULL), args, 2);
    wait_end(l);
}

struct calls {
    int n, most; /* it is called n times, and goes on until it was called `most` times */
    uint64_t at;
};

static bool goes_on(void *ctx, uint64_t at)
{
    struct calls *c = ctx;
    c->at = at;
    return ++c->n < c->most;
}

static const char *const patterns[] = {"steal", "* g=5", "g_*", "print | deadlock", "program_end", "g_start g=999"};

TEST(a_search_in_pieces_finds_the_same)
{
    struct live l;
    at_the_end(&l);
    uint64_t end = status(&l).events;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        for (uint64_t from = 1; from <= end; from += 13)
            for (int step = -1; step <= 1; step += 2) {
                struct calls c = {.most = 1000000};
                session_ops.search->on_search(l.s, (struct session_search){NULL, NULL, 0});
                uint64_t want = session_ops.search->find(l.s, patterns[i], from, step);
                session_ops.search->on_search(l.s, (struct session_search){goes_on, &c, 7});
                CHECK_INT(session_ops.search->find(l.s, patterns[i], from, step), want);
            }
    close_live(&l);
}

TEST(a_search_ends_when_its_caller_says_so)
{
    struct live l;
    struct calls c = {.most = 3};
    at_the_end(&l);
    session_ops.search->on_search(l.s, (struct session_search){goes_on, &c, 10});
    CHECK_INT(session_ops.search->find(l.s, "* g=999", 1, 1), 0);
    CHECK_INT(c.n, 3);
    CHECK_INT(c.at, 31);
    close_live(&l);
}

TEST(a_search_for_text_ends_when_its_caller_says_so)
{
    struct live l;
    struct calls c = {.most = 3};
    at_the_end(&l);
    session_ops.search->on_search(l.s, (struct session_search){goes_on, &c, 10});
    CHECK_INT(session_ops.search->find_text(l.s, "nowhere", LANG_EN, 1, 1), 0);
    CHECK_INT(c.n, 3);
    session_ops.search->on_search(l.s, (struct session_search){NULL, NULL, 0});
    uint64_t ended = session_ops.search->find_text(l.s, "g2 ENDS", LANG_EN, 1, 1);
    CHECK_INT(ended, session_ops.search->find(l.s, "g_end g=2", 1, 1));
    CHECK_INT(session_ops.search->find_text(l.s, "g2 ends", LANG_ZH, 1, 1), 0);
    close_live(&l);
}

TEST(the_matches_are_counted)
{
    struct live l;
    at_the_end(&l);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        uint64_t n = 0;
        for (uint64_t at = 0; (at = session_ops.search->find(l.s, patterns[i], at + 1, 1));) {
            CHECK_INT(session_ops.search->count(l.s, patterns[i], at).nth, ++n);
            if (at == status(&l).newest)
                break;
        }
        CHECK_INT(session_ops.search->count(l.s, patterns[i], 1).of, n);
    }
    struct session_count ends = session_ops.search->count_text(l.s, "ENDS.", LANG_EN, 250);
    CHECK_INT(ends.of, session_ops.search->count(l.s, "g_end", 1).of);
    CHECK_INT(ends.nth, session_ops.search->count(l.s, "g_end", 250).nth);
    close_live(&l);
}

/* The state that is shown stays, and nothing runs on. */
static void check_until_ends(struct live *l, const char *pattern)
{
    struct calls c = {.most = 2};
    struct session_mistake wrong = {.lang = LANG_EN};
    session_ops.search->on_search(l->s, (struct session_search){goes_on, &c, 10});
    CHECK(session_ops.run_to->match(l->s, pattern, &wrong));
    CHECK_INT(c.n, 2);
    CHECK(status(l).back);
    CHECK_INT(status(l).events, 100);
}

TEST(a_run_to_a_match_in_the_past_ends_where_it_began)
{
    struct live l;
    struct session_mistake wrong = {.lang = LANG_EN};
    at_the_end(&l);
    CHECK_INT(session_ops.rewind->goto_event(l.s, 100), GOTO_DONE);
    check_until_ends(&l, "* g=999");
    check_until_ends(&l, "when p0.runq > 100");
    session_ops.search->on_search(l.s, (struct session_search){NULL, NULL, 10});
    CHECK(session_ops.run_to->match(l.s, "steal n>=2", &wrong));
    CHECK_INT(status(&l).events, session_ops.search->find(l.s, "steal n>=2", 101, 1));
    close_live(&l);
}

/* Backwards it stops where a run forwards has stopped, in the opposite order. */
static void check_back(struct live *l, const char *pattern)
{
    struct session_mistake wrong = {.lang = LANG_EN};
    uint64_t at[400], n = 0, end = status(l).newest;
    bool found;
    CHECK_INT(session_ops.rewind->goto_event(l->s, 1), GOTO_DONE);
    for (;;) {
        uint64_t before = status(l).events;
        CHECK(session_ops.run_to->match(l->s, pattern, &wrong));
        if (status(l).events == before || status(l).events == end)
            break;
        at[n++] = status(l).events;
    }
    CHECK(n > 1);
    CHECK_INT(session_ops.rewind->goto_event(l->s, end), GOTO_DONE);
    for (uint64_t i = n; i-- > 0;) {
        CHECK(session_ops.search->back_until(l->s, pattern, &found, &wrong));
        CHECK(found);
        CHECK_INT(status(l).events, at[i]);
        CHECK_STR(stopped_at(l), pattern);
    }
    CHECK(session_ops.search->back_until(l->s, pattern, &found, &wrong));
    CHECK(!found);
    CHECK_INT(status(l).events, at[0]);
    char second[80];
    snprintf(second, sizeof second, "%s x2", pattern);
    CHECK_INT(session_ops.rewind->goto_event(l->s, end), GOTO_DONE);
    CHECK(session_ops.search->back_until(l->s, second, &found, &wrong) && found);
    CHECK_INT(status(l).events, at[n - 2]);
}

TEST(a_run_backwards_stops_where_the_run_forwards_did)
{
    struct live l;
    struct session_mistake wrong = {.lang = LANG_EN};
    bool found;
    at_the_end(&l);
    check_back(&l, "steal");
    check_back(&l, "g_end g>1");
    check_back(&l, "when p0.runq = 3");
    CHECK(!session_ops.search->back_until(l.s, "stael", &found, &wrong));
    close_live(&l);
}
