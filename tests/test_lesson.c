/* Lessons: when which entry is armed; that the run stops there as at a breakpoint, in both modes; and what a person
 * sees and answers. */
#include "engine/lesson/lesson.h"
#include "live.h"
#include "screen.h"
#include "shell.h"
#include "ui/panes/pane.h"

static const char lesson_text[] =
    "name: taught\n"
    "scheduler: {gomaxprocs: 1, preempt_slice: 10s}\n" /* main waits before the other one runs */
    "channels: [{name: c, buffer: 0}]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: other}, {recv: c}, {print: heard}, {yield: 1}]\n"
    "  - name: other\n"
    "    do: [{compute: 1us}, {send: c, value: 1}]\n"
    "lesson:\n"
    "  - {on: start, say: {en: It begins, zh: 开始了}, pause: false}\n"
    "  - {on: 'g_park reason=chan_receive', say: {en: main waits, zh: main 在等待}, pause: true}\n"
    "  - {on: go_create, say: never, pause: false}\n"
    "  - {on: print, say: too late, pause: false}\n";

static const char asking_text[] =
    "name: asking\n"
    "scheduler: {gomaxprocs: 1, preempt_slice: 10s}\n" /* main waits before the other one runs */
    "channels: [{name: c, buffer: 0}]\n"
    "goroutines:\n"
    "  - name: main\n"
    "    do: [{go: other}, {recv: c}, {print: heard}]\n"
    "  - name: other\n"
    "    do: [{compute: 1us}, {send: c, value: 1}]\n"
    "lesson:\n"
    "  - on: 'g_park reason=chan_receive'\n"
    "    ask: {question: {en: Who wakes main?, zh: 谁唤醒 main？}, choices: [sysmon, other], answer: other, because: {en: It sends on c., zh: 它向 c 发送。}}\n"
    "  - {on: 'g_ready g=1', pause: true, say: {en: Here it is woken, zh: 它在此被唤醒}}\n";

/* ---- the order ---- */

static const struct rt_config rt = {.generation = GO1_20, .gomaxprocs = 2};

static bool fed(struct lesson *l, uint64_t n, enum ev_kind kind)
{
    struct ev e = {.kind = (uint8_t)kind, .p = EV_NO_P};
    lesson_hit(l, 0, &e, NULL, 0);
    return lesson_after(l, &(struct merged_event){.number = n, .e = &e});
}

TEST(an_entry_is_armed_when_the_one_before_it_was_met)
{
    struct scenario *sc = load(t_file(
        "order.yaml",
        "name: order\ngoroutines: [{name: main}]\n"
        "lesson: [{on: start, say: a, pause: false}, {on: handoff, say: b, pause: false}, {on: m_park x2, say: c, pause: true}, {on: m_park, say: d, pause: true}]\n"));
    struct break_words w = {&scenario_info(sc)->programs, true, false, LANG_EN};
    struct lesson l;
    CHECK(lesson_init(&l, sc, &w, &rt));
    CHECK_INT(l.n, 4);
    CHECK(!fed(&l, 1, EV_HANDOFF)); /* the lesson is off */
    CHECK_INT(l.met, 0);
    CHECK(!lesson_set(&l, true, 0));
    CHECK_INT(l.met, 0);
    CHECK(!fed(&l, 1, EV_M_START)); /* there is no P yet */
    CHECK_INT(l.met, 0);
    CHECK(!fed(&l, 2, EV_M_PARK)); /* only `start` is reached: the handoff came too early */
    CHECK_INT(l.met, 1);
    CHECK(!fed(&l, 3, EV_HANDOFF));
    CHECK(!fed(&l, 4, EV_HANDOFF)); /* once is enough */
    CHECK_INT(l.met, 2);
    CHECK(!fed(&l, 5, EV_M_PARK)); /* the first one since the entry is armed */
    CHECK(fed(&l, 6, EV_M_PARK));
    CHECK_INT(l.met, 3);
    CHECK(fed(&l, 7, EV_M_PARK)); /* a different event for the next entry */
    CHECK_INT(l.met, 4);
    CHECK(!fed(&l, 8, EV_M_PARK)); /* the lesson is over */
    for (uint32_t n = 0; n <= 8; n++)
        CHECK_INT(lesson_met(&l, n), n < 2 ? 0 : n < 3 ? 1 : n < 6 ? 2 : n < 7 ? 3 : 4);
    CHECK(!lesson_set(&l, true, 8)); /* from the beginning: `start` at once */
    CHECK_INT(l.met, 1);
    lesson_fini(&l);
    scenario_free(sc);
}

/* What an M checks as it logs: it requests a stop where an entry stops, and never lags behind the fold. */
TEST(ms_ask_for_a_stop_where_an_entry_stops)
{
    struct scenario *sc = load(t_file(
        "hit.yaml",
        "name: hit\ngoroutines: [{name: main}]\nlesson: [{on: start, say: a, pause: false}, {on: handoff, say: b, pause: false}, {on: m_park, say: c}]\n"));
    struct break_words w = {&scenario_info(sc)->programs, true, false, LANG_EN};
    struct ev handoff = {.kind = EV_HANDOFF, .p = EV_NO_P}, park = {.kind = EV_M_PARK, .p = EV_NO_P};
    struct lesson l;
    CHECK(lesson_init(&l, sc, &w, &rt));
    CHECK(!lesson_hit(&l, 0, &park, NULL, 0));
    lesson_set(&l, true, 0);
    CHECK(!lesson_hit(&l, 0, &park, NULL, 0));
    CHECK(!lesson_hit(&l, 0, &handoff, NULL, 0));
    CHECK(lesson_hit(&l, 1, &park, NULL, 0));
    CHECK(!lesson_hit(&l, 1, &park, NULL, 0));
    CHECK(!lesson_after(&l,
                        &(struct merged_event){.number = 2, .e = &handoff})); /* the fold comes later, and reaches start and the handoff */
    CHECK(!lesson_hit(&l, 1, &park, NULL, 0));
    CHECK(lesson_after(&l, &(struct merged_event){.number = 3, .m = 1, .e = &park}));
    lesson_fini(&l);
    scenario_free(sc);
}

/* ---- a run ---- */

static void wait_held(struct live *l, const char *where)
{
    for (struct session_status st = status(l); !st.ended; wait_change(l), st = status(l))
        if (st.still && !strcmp(stop_text(&st), where))
            return;
    t_fail(__FILE__, __LINE__, "it ended and was never held at \"%s\"", where);
}

static enum ev_kind last_kind(struct live *l)
{
    static struct session_event ev[4];
    int n = 0;
    model_free(session_ops.view(l->s, ev, 4, &n));
    CHECK(n > 0);
    return (enum ev_kind)ev[n - 1].ev.kind;
}

/* No G is created after main has begun to wait. In lockstep that is known beforehand, and the entry is skipped. A free run waits for it. */
static void played(const char *mode)
{
    struct session_lesson now;
    bool known = !strcmp(mode, "lockstep");
    LIVE(l, lesson_text, "--tempo", "max", "--lesson", "--mode", mode);
    wait_held(&l, known ? "lesson 2 of 3" : "lesson 2 of 4");
    uint64_t at = status(&l).events;
    CHECK_INT(last_kind(&l), EV_G_PARK);
    session_ops.lesson->now(l.s, &now);
    CHECK(now.on);
    CHECK_INT(now.met, 2);
    CHECK_STR(now.say.in[LANG_EN], "main waits");
    CHECK_STR(now.say.in[LANG_ZH], "main 在等待");
    CHECK_STR(now.next, known ? "print" : "go_create");
    CHECK_INT(session_ops.rewind->step_back(l.s, STEP_EVENT, 1), GOTO_DONE);
    session_ops.lesson->now(l.s, &now);
    CHECK_INT(now.met, 1);                 /* entries reached later are not shown */
    session_ops.motion->pause(l.s, false); /* past the place, where it does not stop again, to the end */
    wait_end(&l);
    CHECK(status(&l).events > at);
    session_ops.lesson->now(l.s, &now);
    CHECK_INT(now.met, known ? 4 : 2);
    close_live(&l);
}

TEST(a_lesson_stops_at_its_event_once_in_lockstep)
{
    played("lockstep");
}
TEST(a_lesson_stops_at_its_event_once_in_free_mode)
{
    played("free");
}

/* It stops as a breakpoint on the same pattern does. */
TEST(a_lesson_stops_where_a_breakpoint_would)
{
    LIVE(l, lesson_text, "--tempo", "max", "--lesson");
    LIVE(b, lesson_text, "--tempo", "max", "--break", "g_park reason=chan_receive");
    wait_held(&l, "lesson 2 of 3");
    wait_held(&b, "g_park reason=chan_receive");
    CHECK_INT(status(&l).events, status(&b).events);
    close_live(&l);
    close_live(&b);
}

TEST(a_restarted_run_is_taught_again)
{
    LIVE(l, lesson_text, "--tempo", "max", "--lesson");
    wait_held(&l, "lesson 2 of 3");
    uint64_t at = status(&l).events;
    session_ops.motion->pause(l.s, false);
    wait_end(&l);
    session_ops.motion->restart(l.s, 1);
    while (status(&l).run == 0)
        wait_change(&l);
    wait_held(&l, "lesson 2 of 3");
    CHECK_INT(status(&l).events, at);
    close_live(&l);
}

TEST(a_condition_is_judged_after_each_event)
{
    LIVE(l,
         "name: cond\nscheduler: {gomaxprocs: 1, preempt_slice: 10s}\ngoroutines:\n"
         "  - {name: main, do: [{go: g, count: 4}, {sleep: 1ms}]}\n"
         "  - {name: g, do: [{compute: 1us}]}\n"
         "lesson: [{on: 'when p0.runq >= 2', say: two, pause: true}]\n",
         "--tempo", "max", "--lesson", "--mode", "free");
    wait_held(&l, "lesson 1 of 1");
    int n = 0;
    static struct session_event ev[4];
    struct model *md = session_ops.view(l.s, ev, 4, &n);
    const struct model_p *p = model_p(md, 0);
    CHECK_INT(p->tail - p->head, 2);
    model_free(md);
    close_live(&l);
}

/* ---- the screen ---- */

static struct term *start(const char *text, int rows, int columns, const char *mode, const char *lang, const char *lesson)
{
    const char *path = t_file("taught.yaml", text);
    return term_start(rows, columns, NULL,
                      (const char *const[]){GMPSCOPE_BIN, "run", path, "--tempo", "max", "--mode", mode, "--lang", lang, lesson, NULL});
}

static void asked(const char *mode, int rows, int columns)
{
    struct term *t = start(asking_text, rows, columns, mode, "en", "--lesson");
    term_wait(t, "PAUSED at lesson 1 of 2");
    term_wait(t, "Who wakes main?");
    term_wait(t, "1) sysmon");
    term_wait(t, "2) other");
    term_wait(t, "Lesson ─ 1 of 2");
    term_keys(t, "3"); /* there is no such choice */
    term_keys(t, "1");
    term_wait(t, "Wrong: sysmon. The answer is other.");
    term_wait(t, "✗ 1) sysmon");
    term_wait(t, "✓ 2) other");
    term_wait(t, "Lesson ─ 1 of 2 ─ 0 of 1 right");
    term_keys(t, "2"); /* the first answer counts */
    term_keys(t, " ");
    term_wait(t, "PAUSED at lesson 2 of 2");
    term_wait(t, "Here it is woken");
    CHECK(!term_shows(t, "Who wakes main?"));
    term_keys(t, "b"); /* before that: the first entry, and the answer given */
    term_wait(t, "Wrong: sysmon. The answer is other.");
    term_keys(t, ":lesson off\r");
    term_wait(t, "no lesson is playing");
    term_keys(t, " ");
    term_wait(t, "ENDED: main returned");
    quit(t);
}

TEST(a_question_is_asked_and_answered)
{
    asked("lockstep", 24, 80);
}
TEST(a_question_is_asked_and_answered_in_free_mode)
{
    asked("free", 24, 80);
}
TEST(a_question_is_asked_and_answered_on_a_large_screen)
{
    asked("lockstep", 40, 120);
}

static const char elsewhere_text[] =
    "name: elsewhere\n"
    "scheduler: {gomaxprocs: 1, preempt_slice: 10s}\n"
    "goroutines: [{name: main, do: [{print: one}]}]\n"
    "lesson:\n"
    "  - {on: start, generation: go1.0, say: {en: One queue, zh: 一个队列}}\n";

/* The run passes an entry that does not hold for it, and no text is left to show. So it runs to its end without a key: a key that comes before
 * the end would pause it. */
TEST(a_lesson_without_an_entry_for_this_run_says_so)
{
    struct term *t = start(elsewhere_text, 24, 80, "lockstep", "en", "--lesson");
    term_wait(t, "this lesson is written for");
    term_wait(t, "ENDED: main returned");
    term_wait(t, "this lesson is written for");
    quit(t);
}

/* Where a question does not hold, the first text says for which settings the lesson was made. */
TEST(a_lesson_says_what_it_was_made_for)
{
    static const char text[] =
        "name: made\n"
        "scheduler: {gomaxprocs: 2, preempt_slice: 10s}\n"
        "goroutines: [{name: main, do: [{print: one}]}]\n"
        "lesson:\n"
        "  - {on: start, say: {en: It begins, zh: 开始}}\n"
        "  - {on: print, generation: go1.20, disable: [], say: {en: It prints, zh: 打印}}\n";
    struct term *t = start(text, 24, 80, "lockstep", "en", "--lesson");
    term_wait(t, "It begins");
    CHECK(!term_shows(t, "is made for"));
    quit(t);
    const char *path = t_file("made.yaml", text);
    t = term_start(24, 80, NULL, (const char *const[]){GMPSCOPE_BIN, "lesson", path, "--lang", "en", "--generation", "go1.0", NULL});
    term_wait(t, "It begins");
    CHECK(term_shows(t, "is made for"));
    quit(t);
    t = term_start(24, 80, NULL, (const char *const[]){GMPSCOPE_BIN, "lesson", path, "--lang", "zh", "--disable", "stealing", NULL});
    term_wait(t, "本课针对 go1.20");
    quit(t);
}

TEST(a_lesson_of_another_boot_shows_no_entry)
{
    static const char *const of[][4] = {{"overflow", "--boot", "fmt", "boot: bare"},
                                        {"ring-before-main", "--boot", "net", "boot: fmt"},
                                        {"ring-before-main", "--module", "go1.21", "module: go1.26"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct term *t =
            term_start(40, 200, NULL, (const char *const[]){GMPSCOPE_BIN, "lesson", of[i][0], "--lang", "en", of[i][1], of[i][2], NULL});
        term_wait(t, "This lesson is made for");
        term_wait(t, of[i][3]);
        term_wait(t, "None of its texts holds here.");
        quit(t);
    }
}

/* If no text holds, one sentence says both. */
TEST(a_lesson_without_a_text_for_the_run_says_so_once)
{
    const char *path =
        t_file("made.yaml",
               "name: made\n"
               "goroutines: [{name: main, do: [{print: one}]}]\n"
               "lesson: [{on: print, generation: go1.20, say: {en: One, zh: 一}}]\n");
    struct term *t =
        term_start(24, 80, NULL, (const char *const[]){GMPSCOPE_BIN, "lesson", path, "--lang", "en", "--generation", "go1.0", NULL});
    term_wait(t, "None of its texts holds");
    CHECK(!term_shows(t, "0 of 0"));
    CHECK(!term_shows(t, "other settings"));
    CHECK(!term_shows(t, "do not hold"));
    quit(t);
}

static const char hiding_text[] =
    "name: hiding\n"
    "scheduler: {gomaxprocs: 1, preempt_slice: 10s}\n"
    "goroutines: [{name: main, do: [{print: one}, {print: two}]}]\n"
    "lesson:\n"
    "  - on: print\n"
    "    hide: [narration, processors]\n"
    "    ask:\n"
    "      question: {en: Which line comes next?}\n"
    "      choices: [two, {text: one, because: {en: That line is there.}}, none]\n"
    "      answer: two\n"
    "      because: {en: main prints two lines.}\n"
    "  - {on: print, say: The end}\n";

/* What would show the answer is covered until there is one. A wrong choice gets its own words. */
static void hidden_until_answered(int rows, int columns)
{
    struct term *t = start(hiding_text, rows, columns, "lockstep", "en", "--lesson");
    term_wait(t, "Which line comes next?");
    term_wait(t, "hidden until you answer");
    CHECK(!term_shows(t, "G1 prints"));
    CHECK(!term_shows(t, "runq"));
    term_keys(t, "2");
    term_wait(t, "Wrong: one. The answer is two.");
    term_wait(t, "That line is there.");
    term_wait_gone(t, "hidden until you answer");
    CHECK(term_shows(t, "runq"));
    quit(t);
}

TEST(panes_are_hidden_until_the_answer)
{
    hidden_until_answered(24, 80);
}
TEST(panes_are_hidden_until_the_answer_on_a_large_screen)
{
    hidden_until_answered(40, 120);
}

/* Of several entries at one event, the one that holds for the run is met. */
TEST(one_event_has_a_text_for_each_kind_of_run)
{
    static const char text[] =
        "name: kinds\ngoroutines: [{name: main, do: [{print: a}, {print: b}]}]\nlesson:\n"
        "  - {on: print, generation: go1.4, say: Old words, pause: false}\n"
        "  - {on: print, generation: go1.20, disable: [], say: New words, pause: false}\n"
        "  - {on: print, disable: wakep, say: Strange words, pause: false}\n"
        "  - {on: print, say: The second line}\n";
    static const struct {
        const char *option, *value, *says;
    } runs[] = {{"--generation", "go1.4", "Old words"}, {"--generation", "go1.20", "New words"}, {"--disable", "wakep", "Strange words"}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct session_lesson now;
        LIVE(l, text, "--tempo", "max", "--lesson", runs[i].option, runs[i].value);
        wait_held(&l, "lesson 2 of 2"); /* the others do not count */
        session_ops.lesson->now(l.s, &now);
        CHECK_INT(now.number, 2);
        CHECK_INT(now.of, 2);
        CHECK_STR(now.say.in[LANG_EN], "The second line");
        CHECK_INT(session_ops.rewind->step_back(l.s, STEP_EVENT, 1), GOTO_DONE);
        session_ops.lesson->now(l.s, &now);
        CHECK_STR(now.say.in[LANG_EN], runs[i].says);
        close_live(&l);
    }
}

/* Words without a question hold the run, too: another entry would replace them before they are read. */
TEST(a_text_holds_the_run_until_space)
{
    struct term *t = start(
        "name: says\ngoroutines: [{name: main, do: [{print: a}, {print: b}]}]\n"
        "lesson: [{on: print, say: First words}, {on: print, say: Other words}]\n",
        24, 80, "lockstep", "en", "--lesson");
    term_wait(t, "PAUSED at lesson 1 of 2");
    term_wait(t, "First words");
    term_wait(t, "space continues");
    term_keys(t, " ");
    term_wait(t, "PAUSED at lesson 2 of 2");
    term_wait(t, "Other words");
    term_keys(t, " ");
    term_wait(t, "ENDED");
    quit(t);
}

/* On the smallest screen, a long text has pages, and space turns them before it continues. */
TEST(a_long_text_has_pages)
{
    struct term *t = start(
        "name: long\ngoroutines: [{name: main, do: [{print: a}]}]\n"
        "lesson: [{on: print, say: \"The beginning of a text. It is longer than the four rows that the smallest screen has for "
        "it, and for that reason it is cut into pages, each of which has a number. Nobody misses a word, not even at the end of "
        "the very last page, which is this one here. A few more words make it longer than one page is. So it is the end.\"}]\n",
        16, 60, "lockstep", "en", "--lesson");
    term_wait(t, "PAUSED at lesson");
    term_wait(t, "The beginning of a text.");
    term_wait(t, "page 1 of 2, space: more");
    CHECK(term_shows(t, "P0 ")); /* and the processors have a row */
    term_keys(t, " ");
    term_wait(t, "So it is the end.");
    term_wait(t, "page 2 of 2");
    CHECK(term_shows(t, "PAUSED at lesson"));
    term_keys(t, "\x1b[5~");
    term_wait(t, "The beginning of a text.");
    term_keys(t, "  ");
    term_wait(t, "ENDED");
    quit(t);
}

/* What can be done next is no reason for another page. */
TEST(the_frame_has_the_hint_where_the_text_fills_the_page)
{
    struct term *t = start(
        "name: full\ngoroutines: [{name: main, do: [{print: a}]}]\n"
        "lesson: [{on: print, say: \"The beginning of a text. It is longer than the four rows that the smallest screen has for "
        "it, and for that reason it is cut into pages, each of which has a number. Nobody misses a word, not even at the end of "
        "the very last page, which is this one here. So it is the end.\"}]\n",
        16, 60, "lockstep", "en", "--lesson");
    term_wait(t, "So it is the end.");
    term_wait(t, "1 of 1 ─ space continues");
    CHECK(!term_shows(t, "page 1 of 2"));
    term_keys(t, " ");
    term_wait(t, "ENDED");
    quit(t);
}

/* Chance decides, so the question is not in the score. */
TEST(a_question_of_chance_is_not_scored)
{
    struct term *t = start(
        "name: coin\nscheduler: {gomaxprocs: 1, preempt_slice: 10s}\ngoroutines: [{name: main, do: [{print: a}, {print: b}]}]\n"
        "lesson:\n"
        "  - on: g_start g=1\n"
        "    hide: [narration]\n"
        "    ask: {question: Which line?, choices: [a, b], answer: value(print .text), scored: false, because: So it is.}\n"
        "  - {on: print, say: A line}\n",
        24, 80, "lockstep", "en", "--lesson");
    term_wait(t, "Chance decides this, so it does not count");
    term_keys(t, "c"); /* a digit belongs to the box, also where no row has it */
    term_wait(t, "let the seed decide");
    term_keys(t, "9");
    term_keys(t, "2");
    term_keys(t, "c");
    term_wait_gone(t, "let the seed decide");
    CHECK(!term_shows(t, "Not this time"));
    term_keys(t, "2");
    term_wait(t, "Not this time: b. Here it is a. So it is.");
    CHECK(!term_shows(t, "Wrong"));
    CHECK(!term_shows(t, "0 of 1 right"));
    term_keys(t, " ");
    term_wait(t, "A line");
    term_keys(t, " ");
    term_wait(t, "ENDED");
    term_keys(t, " ");
    term_wait(t, "Chance decides what this lesson asks, so it does not count.");
    CHECK(term_shows(t, "· Which line?") && !term_shows(t, "asks nothing"));
    quit(t);
}

TEST(a_right_answer_is_shown_and_none_is_needed)
{
    struct term *t = start(asking_text, 24, 80, "lockstep", "zh", "--lesson");
    term_wait(t, "暂停于 课程 1 / 2");
    term_wait(t, "谁唤醒 main？");
    term_keys(t, "2");
    term_wait(t, "正确：other。它向 c 发送。");
    term_keys(t, "r"); /* a new run, a new question */
    term_wait_gone(t, "正确");
    term_keys(t, " ");
    term_wait(t, "谁唤醒 main？");
    term_keys(t, " ");
    term_wait(t, "它在此被唤醒");
    quit(t);
}

TEST(a_lesson_is_begun_by_a_command)
{
    struct term *t = start(asking_text, 24, 80, "lockstep", "en", "--no-mouse");
    term_wait(t, "ENDED: main returned");
    CHECK(!term_shows(t, "Lesson"));
    term_keys(t, ":lesson perhaps\r");
    term_wait(t, "expected \"on\" or \"off\"");
    term_keys(t, "\x1b\x1b:lesson\r");
    term_wait(t, "starts at: g_park reason=chan_receive");
    term_keys(t, "r");
    term_wait(t, "Who wakes main?");
    quit(t);
}

TEST(where_there_is_no_lesson_it_is_said)
{
    static const char none[] = "name: none\ngoroutines: [{name: main, do: [{print: hello}]}]\n";
    struct term *t = start(none, 24, 80, "lockstep", "en", "--no-mouse");
    term_wait(t, "ENDED");
    term_keys(t, ":lesson\r");
    term_wait(t, "none has no lesson");
    quit(t);
    t = start(none, 24, 80, "lockstep", "en", "--lesson");
    term_wait(t, "gmpscope: none has no lesson; gmpscope list --topics");
    CHECK_INT(term_wait_exit(t), 2);
    term_free(t);
}

TEST(headless_skips_pauses_and_questions)
{
    struct result r = HEADLESS(t_file("h.yaml", asking_text), "--lesson");
    CHECK_INT(r.code, 0);
    CHECK_STR(r.out, "heard\n");
    CHECK_STR(r.err, "");
}

/* `hide` of a lesson may name each pane, except those that a question needs. */
TEST(hide_knows_every_pane)
{
    uint32_t n = 0;
    for (int kind = 0; kind < PANES; kind++)
        if (kind != PANE_status && kind != PANE_lesson && kind != PANE_keys)
            CHECK_STR(scenario_pane_word(n++), pane_name(kind));
    CHECK(!scenario_pane_word(n));
}
