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
    term_wait(t, "*steals ");
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
