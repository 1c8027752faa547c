/* Why a run is stopped: the kind and its data, and the words made of them. And the matcher that finds where. */
#include "live.h"
#include "model/query/matcher.h"

#include <math.h>

static const char busy_text[] = BUSY("gomaxprocs: 2, runq_size: 4", "4", "3");

/* --- words ------------------------------------------------------------------------------------------------------------ */

static void says(struct stop s, const char *en, const char *zh)
{
    char words[STOP_TEXT];
    stop_words(&s, LANG_EN, words, sizeof words);
    CHECK_STR(words, en);
    stop_words(&s, LANG_ZH, words, sizeof words);
    CHECK_STR(words, zh);
}

TEST(each_kind_has_its_words)
{
    struct choice m = {.decision = 16, .pick = 1, .kind = DECIDE_M}, steal = {.decision = 7, .pick = 9, .kind = DECIDE_STEAL};
    says((struct stop){.kind = STOP_NONE}, "", "");
    says((struct stop){.kind = STOP_STEP}, "", "");
    says((struct stop){.kind = STOP_LIMIT}, "", "");
    says((struct stop){.kind = STOP_BREAKPOINT, .text = "steal n>=2"}, "steal n>=2", "steal n>=2");
    says((struct stop){.kind = STOP_ROUND, .p = 3, .text = "g_start p=3"}, "a round on P3", "P3 的一轮");
    says((struct stop){.kind = STOP_LESSON, .entry = 2, .entries = 5}, "lesson 2 of 5", "课程 2 / 5");
    says((struct stop){.kind = STOP_LESSON, .entry = 2, .entries = 5, .answers = true}, "lesson 2 of 5: the answer", "课程 2 / 5：答案");
    says((struct stop){.kind = STOP_REFUSED, .given = m, .decided = DECIDE_M, .n = 2},
         "choice 16m1: M1 cannot continue there; 2 others can", "选择 16m1：M1 在该处不能继续；另有 2 个可以");
    says((struct stop){.kind = STOP_REFUSED, .given = m, .decided = DECIDE_STEAL},
         "choice 16m1: that decision is not a next M but a steal order", "选择 16m1：该处的决定不是 next M，而是 steal order");
    says((struct stop){.kind = STOP_REFUSED, .given = steal, .decided = DECIDE_STEAL, .n = 8},
         "choice 7s9: that steal order has 8 outcomes, from 0", "选择 7s9：该处的 steal order 有 8 种结果，从 0 起");
    says((struct stop){.kind = STOP_FAILED, .text = "invariant: x"}, "invariant: x", "invariant: x");
}

TEST(a_long_text_is_cut_between_characters)
{
    struct stop s = {.kind = STOP_BREAKPOINT};
    char text[400] = "x";
    while (strlen(text) < 300)
        strcat(text, "界");
    stop_set_text(&s, text);
    CHECK_INT(strlen(s.text), 253); /* 1 + 84 * 3; another one would not fit */
    CHECK(!strncmp(s.text, text, strlen(s.text)));
}

/* --- the kinds of a session's stops --------------------------------------------------------------------------------- */

static struct stop stop_after(struct live *l)
{
    while (!status(l).still && !status(l).ended)
        wait_change(l);
    return status(l).stop;
}

TEST(a_session_says_what_kind_of_stop_it_is)
{
    LIVE(l, busy_text, "--tempo=1", "--max-events=200");
    struct session_mistake wrong = {.lang = LANG_EN};
    session_ops.motion->pause(l.s, true);
    CHECK_INT(stop_after(&l).kind, STOP_NONE);
    session_ops.motion->step(l.s, STEP_EVENT, 3);
    CHECK_INT(stop_after(&l).kind, STOP_STEP);
    session_ops.run_to->round(l.s, 1);
    struct stop s = stop_after(&l);
    CHECK(s.kind == STOP_ROUND && s.p == 1);
    CHECK(session_ops.run_to->match(l.s, "g_start", &wrong));
    s = stop_after(&l);
    CHECK_INT(s.kind, STOP_BREAKPOINT);
    CHECK_STR(s.text, "g_start");
    uint64_t here = status(&l).events;
    CHECK_INT(session_ops.rewind->goto_event(l.s, 5), GOTO_DONE);
    CHECK_INT(status(&l).stop.kind, STOP_NONE);
    session_ops.run_to->round(l.s, 1);
    s = stop_after(&l);
    CHECK(s.kind == STOP_ROUND && s.p == 1 && status(&l).events <= here);
    session_ops.motion->set_tempo(l.s, TEMPO_MAX);
    session_ops.motion->pause(l.s, false);
    while (!status(&l).over)
        wait_change(&l);
    CHECK_INT(status(&l).stop.kind, STOP_LIMIT);
    close_live(&l);
}

/* --- the matcher ---------------------------------------------------------------------------------------------------- */

static struct matcher matcher_of(struct arena *a, const char *text)
{
    const char *err;
    size_t pos;
    struct matcher k = {.pattern = pattern_compile(a, text, &err, &pos)};
    CHECK(k.pattern);
    return k;
}

static bool meets(struct matcher *k, uint64_t n, enum ev_kind kind)
{
    struct ev e = {.kind = (uint8_t)kind, .p = EV_NO_P};
    return matcher_event(k, &(struct merged_event){.number = n, .e = &e}) && matcher_is_nth(k, n);
}

TEST(the_nth_match_is_one_event_also_when_it_is_replayed)
{
    struct arena a = {0};
    struct matcher k = matcher_of(&a, "g_end x2"), each = matcher_of(&a, "g_end");
    CHECK(!meets(&k, 1, EV_G_END) && !meets(&k, 2, EV_G_START) && meets(&k, 3, EV_G_END) && !meets(&k, 4, EV_G_END));
    CHECK_INT(k.seen, 3);
    CHECK_INT(k.nth_at, 3);
    CHECK(meets(&each, 1, EV_G_END) && !meets(&each, 2, EV_G_START) && meets(&each, 3, EV_G_END));
    struct matcher again = {.pattern = k.pattern, .nth_at = k.nth_at}; /* from event 2 on */
    CHECK(meets(&again, 3, EV_G_END) && !meets(&again, 4, EV_G_END));
    matcher_reset(&k, each.pattern);
    CHECK(k.seen == 0 && meets(&k, 5, EV_G_END));
    arena_fini(&a);
}

TEST(a_matcher_that_can_never_match_judges_nothing)
{
    struct arena a = {0};
    struct matcher k = matcher_of(&a, "when p0.runq >= 1"); /* it would read a state that is not there */
    k.never = true;
    CHECK(!meets(&k, 1, EV_G_END));
    CHECK(!matcher_time(&k, NULL, 5));
    CHECK(matcher_change_after(&k, NULL, 0) == INT64_MAX);
    arena_fini(&a);
}
