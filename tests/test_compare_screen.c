/* gmpscope compare with its screen. */
#include "model/model.h"
#include "screen.h"

#include <string.h>

static int times(const char *screen, const char *text)
{
    int n = 0;
    for (const char *at = screen; (at = strstr(at, text)); at++)
        n++;
    return n;
}

static bool both_paused(struct term *t, void *arg)
{
    (void)arg;
    return times(term_text(t), "PAUSED") == 2;
}

static bool two_pictures(struct term *t, void *arg)
{
    (void)arg;
    return times(term_text(t), "Processors") == 2;
}

static bool two_sheets(struct term *t, void *arg)
{
    (void)arg;
    return times(term_text(t), "curg ") == 2;
}

static void look(int rows, int columns, bool beside)
{
    static const char *const argv[] = {GMPSCOPE_BIN, "compare", "steal-half", "--right", "generation=go1.13", "--tempo", "50", NULL};
    struct term *t = term_start(rows, columns, NULL, argv);
    int left, right;
    term_wait(t, "left: steal-half");
    term_wait(t, "right: steal-half");
    int a = term_find(t, "left: steal-half", &left), b = term_find(t, "right: steal-half", &right);
    CHECK(beside ? a == b && left < columns / 2 && right >= columns / 2 : a < b);
    CHECK_INT(term_find(t, "generation=go1.13", NULL), b);
    term_wait_for(t, "each has its panes", two_pictures, NULL);
    term_wait(t, "Left and right");
    term_keys(t, "a");
    term_wait(t, "Counters: left, right");
    CHECK(term_find(t, "Counters: left, right", NULL) > rows / 2);
    for (size_t i = 0; i < COUNTERS_N; i++)
        CHECK(term_shows(t, counter_name[i]));
    term_keys(t, " ");
    term_wait_for(t, "both pause at one key", both_paused, NULL);
    CHECK_INT(times(term_text(t), "q quit"), 1); /* the keys are shown once */
    term_keys(t, "snq");
    CHECK_INT(term_wait_exit(t), 0);
    term_check_sane(t);
    term_free(t);
}

TEST(side_by_side_on_a_wide_terminal)
{
    look(40, 120, true);
    look(60, 200, true);
}

TEST(one_above_the_other_on_a_high_one)
{
    look(50, 100, false);
}

/* The side that reached it says so, and both stop. */
TEST(a_breakpoint_of_the_command_line_stops_both)
{
    static const char *const argv[] = {
        GMPSCOPE_BIN, "compare", "steal-half", "--left", "disable=stealing", "--break", "steal", "--tempo", "max", NULL};
    struct term *t = term_start(40, 120, NULL, argv);
    int left, right;
    term_wait(t, "PAUSED at steal");
    term_wait_for(t, "both stand", both_paused, NULL);
    CHECK_INT(term_find(t, "PAUSED at steal", &right), term_find(t, "left: steal-half", &left));
    CHECK(left < 60 && right > 60);
    term_wait(t, "steals 0 : 1"); /* where it stopped */
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_free(t);
}

/* If one side has no Ps, a condition on Ps applies to the other one, and its number is the same on both. */
TEST(a_condition_about_a_p_is_for_the_side_that_has_some)
{
    static const char *const argv[] = {GMPSCOPE_BIN, "compare", "steal-half", "--left", "generation=go1.0", "--tempo", "0.25", NULL};
    struct term *t = term_start(40, 140, NULL, argv);
    int right;
    term_keys(t, " ");
    term_wait_for(t, "both pause at one key", both_paused, NULL);
    term_keys(t, ":break when p0.runq >= 4\r");
    term_wait(t, "stops at when p0.runq >= 4, on the right only: go1.0 has no P");
    term_keys(t, ":break g_end\r");
    term_wait(t, "stops at g_end");
    term_keys(t, ":delete 2\r"); /* g_end, on both */
    term_keys(t, ":tempo max\r ");
    term_wait(t, "PAUSED at when p0.runq >= 4");
    term_find(t, "PAUSED at when p0.runq >= 4", &right);
    CHECK(right >= 70);
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_free(t);
}

/* A request about one run is refused at once, before any further input. */
TEST(requests_about_one_run_say_so)
{
    static const struct {
        const char *keys, *note;
    } v[] = {{"/", "not available while two runs are compared"},
             {"m", "on one clock: lockstep only"},
             {"]", "not available while two runs are compared"},
             {":mode free\r", "lockstep only"},
             {"c", "not available while"},
             {":find steal\r", "while two runs"},
             {"N", "not available while"},
             {":share\r", "not available"},
             {"u", "not available"},
             {":until steal\r", "while two runs"},
             {":branches\r", "while two runs"}};
    static const char *const argv[] = {GMPSCOPE_BIN, "compare", "steal-half", "ping-pong", "--tempo", "0.25", NULL};
    struct term *t = term_start(40, 140, NULL, argv);
    term_keys(t, " ");
    term_wait_for(t, "both pause at one key", both_paused, NULL);
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        term_keys(t, v[i].keys);
        term_wait(t, v[i].note);
        term_keys(t, "z"); /* not a command: it clears the note */
        term_wait_gone(t, v[i].note);
    }
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_free(t);
}

/* Chosen on one side, it is inspected on both; keys reach the panes of both sides. */
TEST(the_choice_is_inspected_on_both_sides)
{
    static const char *const argv[] = {
        GMPSCOPE_BIN, "compare", "steal-half", "--right", "procs=3", "--tempo", "max", "--break", "steal", NULL};
    struct term *t = term_start(40, 120, NULL, argv);
    int left;
    term_wait(t, "PAUSED at steal");
    term_keys(t, ":inspect g1\r");
    term_wait(t, "╭ G1 ─ main");
    term_find(t, "╭ G1 ─ main", &left);
    CHECK(left < 60);
    CHECK_INT(times(term_text(t), "G1 ─ main"), 2);
    term_keys(t, ":inspect p2\r"); /* the left side has no such P */
    term_wait(t, "it does not exist now");
    CHECK_INT(times(term_text(t), "╭ P2 ─"), 2);
    term_find(t, "it does not exist now", &left);
    CHECK(left < 60);
    term_keys(t, "\033");
    term_wait_gone(t, "it does not exist now");
    for (int panes = 0; panes < 5; panes++) /* three panes of the left side have labels */
        term_keys(t, "\t");
    term_keys(t, "\r");
    term_wait_for(t, "both sheets", two_sheets, NULL);
    CHECK_INT(times(term_text(t), "enter closes this"), 2);
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_free(t);
}

/* ---- what the runs come to ---- */

static struct term *steal_or_not(int rows, int columns, const char *tempo, const char *more)
{
    const char *const argv[] = {
        GMPSCOPE_BIN, "compare", "steal-half", "--right", "disable=stealing", "--tempo", tempo, "--lang", "en", more, NULL};
    return term_start(rows, columns, NULL, argv);
}

/* The README's question is answered in one sentence, on a small terminal too; a run that is stuck does not go on for ever. */
static void answered(int rows, int columns)
{
    struct term *t = steal_or_not(rows, columns, "max", NULL);
    term_wait(t, "With stealing, all 10 Gs end after 8.003 ms. Without it,");
    term_wait(t, "no G has changed its");
    term_wait(t, "8 Gs wait in");
    term_wait(t, "30.099 ms");
    CHECK(term_shows(t, "ENDED: main returned"));
    if (columns > 60) {
        CHECK(term_shows(t, "10/10 Gs ended, at 8.003 ms") && term_shows(t, "0/10 Gs ended, STUCK since 1.49 µs"));
        CHECK(term_shows(t, "same until event 22, then") && term_shows(t, "M2 checks P0's queue") && term_shows(t, "M2 has found nothing"));
    }
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_check_sane(t);
    term_free(t);
}

TEST(the_question_is_answered_at_each_size)
{
    answered(24, 80);
    answered(35, 60);
    answered(40, 100);
    answered(40, 120);
    answered(60, 200);
}

static bool both_at_23(struct term *t, void *arg)
{
    (void)arg;
    return times(term_text(t), "event 23 of") == 2;
}

/* Recordings part where their runs do, and have no other seed. */
TEST(recordings_are_compared_on_the_screen)
{
    char line[900], l[300], r[300];
    snprintf(l, sizeof l, "%s/l.run", t_tmpdir());
    snprintf(r, sizeof r, "%s/r.run", t_tmpdir());
    for (int i = 0; i < 2; i++) {
        snprintf(line, sizeof line, "%s run steal-half --seed 3 --headless --record %s %s >/dev/null", GMPSCOPE_BIN, i ? r : l,
                 i ? "--disable runnext" : "");
        CHECK_INT(system(line), 0);
    }
    for (int i = 0; i < 3; i++) {
        const char *const argv[] = {
            GMPSCOPE_BIN,
            "compare",
            i == 1 ? "steal-half" : l,
            i == 2 ? "steal-half" : r,
            "--first",
            i == 2 ? "--right" : NULL,
            i == 2 ? "disable=runnext" : NULL,
            NULL};
        struct term *t = term_start(40, 160, NULL, argv);
        term_wait(t, "same until event 3, then");
        term_keys(t, "R");
        term_wait(t, "another seed needs gmpscope run");
        term_keys(t, "r");
        term_wait(t, "restarted, seed 3");
        term_keys(t, ":tempo max\r ");
        term_wait(t, "ENDED");
        quit(t);
    }
}

/* w shows both runs at the first events that differ, also before they have come there; --first begins there. */
TEST(a_key_goes_to_where_they_part)
{
    for (int i = 0; i < 3; i++) {
        struct term *t = steal_or_not(40, 160, i == 1 ? "0.25" : "max", i == 2 ? "--first" : NULL);
        if (i == 0)
            term_wait(t, "STUCK since 1.49 µs");
        term_keys(t, i == 2 ? "" : i == 1 ? "  w" : "w");
        term_wait_for(t, "both are there", both_at_23, NULL);
        CHECK(!term_shows(t, "STUCK since 1.49 µs  "));
        term_keys(t, "G");
        if (i == 0)
            term_wait(t, "STUCK since 1.49 µs");
        term_keys(t, "q");
        CHECK_INT(term_wait_exit(t), 0);
        term_free(t);
    }
}

TEST(runs_without_a_difference_say_so)
{
    static const char *const argv[] = {GMPSCOPE_BIN, "compare", "steal-half", "steal-half", "--tempo", "max", "--lang", "en", NULL};
    struct term *t = term_start(40, 120, NULL, argv);
    term_wait(t, "no difference: 405 events are the same");
    term_wait(t, "Both runs are the same, event by event: all 10 Gs end after 8.003 ms.");
    term_keys(t, "w");
    term_wait(t, "no event differs");
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_free(t);
}

/* A person may let a stuck side continue: a step is one event of it. */
TEST(a_stuck_side_continues_if_asked_to)
{
    struct term *t = steal_or_not(40, 160, "max", NULL);
    term_wait(t, "STUCK since 1.49 µs");
    CHECK(term_shows(t, "▶ 2758124  ")); /* its last event, in the narration */
    term_keys(t, "s");
    term_wait_gone(t, "▶ 2758124  ");
    term_wait(t, "STUCK since 1.49 µs");
    term_keys(t, " ");
    term_wait(t, "10 Gs = 1 running + 8 queued");
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_free(t);
}

/* Where rows are few, each side shows all of its Ps before it shows an empty pane of output. */
TEST(each_side_shows_its_ps)
{
    static const int size[][2] = {{35, 60}, {36, 80}, {40, 80}, {35, 100}, {40, 100}};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        struct term *t = steal_or_not(size[i][0], size[i][1], "max", NULL);
        term_wait(t, "8 Gs wait");
        term_wait_for(t, "each has its panes", two_pictures, NULL);
        CHECK(!term_shows(t, "Processors +"));
        CHECK_INT(times(term_text(t), "P0 R M0"), 2);
        term_keys(t, "q");
        CHECK_INT(term_wait_exit(t), 0);
        term_free(t);
    }
}

/* Both sides show the same panes, so that one can be compared with the other. */
TEST(four_ps_on_one_side_change_both)
{
    static const char *const argv[] = {GMPSCOPE_BIN, "compare", "steal-half", "--right", "procs=4", "--tempo", "max", "--lang", "en", NULL};
    struct term *t = term_start(40, 100, NULL, argv);
    term_wait(t, "With 2 Ps, all 10 Gs end after 8.003 ms. With 4 Ps,");
    CHECK(!term_shows(t, "Processors +") && term_shows(t, " P3 I"));
    CHECK_INT(times(term_text(t), "What happened"), 2);
    CHECK_INT(times(term_text(t), "Threads"), 0);
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_free(t);
}

TEST(enter_with_nothing_selected_says_what_to_do)
{
    struct term *t = steal_or_not(40, 120, "0.25", NULL);
    term_keys(t, " \r");
    term_wait(t, "select a G, M or P first");
    CHECK(!term_shows(t, "╭ sched"));
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_free(t);
}
