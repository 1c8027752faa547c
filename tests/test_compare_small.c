/* gmpscope compare on a terminal that has room for only one run. */
#include "screen.h"

/* If there is room for only one side, tab shows the other; the counters belong to both. */
TEST(a_small_terminal_shows_one_at_a_time)
{
    static const char *const argv[] = {GMPSCOPE_BIN, "compare", "steal-half", "ping-pong", "--tempo", "50", NULL};
    struct term *t = term_start(24, 80, NULL, argv);
    term_wait(t, "left: steal-half");
    term_wait(t, "tab: the other run; both need 120x");
    term_wait(t, "goroutines 10 : 4"); /* at the end */
    term_wait(t, "tab other run");
    CHECK(!term_shows(t, "ping-pong"));
    term_keys(t, "\t");
    term_wait(t, "right: ping-pong");
    CHECK(!term_shows(t, "steal-half"));
    term_keys(t, "\t");
    term_wait(t, "left: steal-half");
    term_resize(t, 40, 120);
    term_wait(t, "right: ping-pong");
    CHECK(term_shows(t, "left: steal-half"));
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_free(t);
}

/* The other run reached the breakpoint. The table says so, and why. */
TEST(a_small_terminal_says_why_the_other_run_stopped)
{
    static const char *const argv[] = {
        GMPSCOPE_BIN, "compare", "steal-half", "--left", "disable=stealing", "--break", "steal", "--tempo", "max", "--lang", "en", NULL};
    struct term *t = term_start(24, 80, NULL, argv);
    term_wait(t, "tab: right stopped at steal");
    term_keys(t, "\t");
    term_wait(t, "PAUSED at steal");
    term_wait(t, "tab: the other run");
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_free(t);
}

/* The size that the message names is enough; one row less is not. */
TEST(a_smaller_terminal_shows_the_size_needed)
{
    static const char *const argv[] = {GMPSCOPE_BIN, "compare", "steal-half", "ping-pong", NULL};
    struct term *t = term_start(18, 60, NULL, argv);
    term_wait(t, "too small: 60x18, need 60x19");
    term_resize(t, 19, 60);
    term_wait(t, "left: steal-half");
    term_resize(t, 19, 120);
    term_wait(t, "right: ping-pong");
    term_resize(t, 18, 120);
    term_wait(t, "need 60x19");
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_free(t);
}
