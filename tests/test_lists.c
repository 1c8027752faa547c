/* Panes with a cursor over the whole history (events, goroutine, timeline), each key in the real program on an emulated terminal. */
#include "screen.h"

#include <stdio.h>

#define BACKTAB "\x1b[Z" /* from no focus: to the last pane that can have it */
#define UP "\x1bOA"      /* as terminals send them in the mode that curses requests */
#define DOWN "\x1bOB"
#define PAGE_UP "\x1b[5~"
#define PAGE_DOWN "\x1b[6~"
#define HOME "\x1bOH"
#define END "\x1bOF"

/* At the end of steal-half with seed 1: 379 events, with the focus on the pane that `tabs` leads to. */
static struct term *at_the_end(const char *layout, const char *tabs)
{
    struct term *t = term_start(40, 120, NULL, STEAL_HALF("--tempo", "max", "--layout", layout));
    term_wait(t, "ENDED: main returned");
    term_keys(t, tabs);
    return t;
}

static void key_and_see(struct term *t, const char *key, const char *text)
{
    term_keys(t, key);
    term_wait(t, text);
}

static void wheel(struct term *t, const char *on, int button, const char *text)
{
    char report[32];
    int column, row = term_find(t, on, &column);
    CHECK(row >= 0);
    snprintf(report, sizeof report, "\x1b[<%d;%d;%dM", button, column + 1, row + 2);
    key_and_see(t, report, text);
}

TEST(the_cursor_of_the_events_moves)
{
    struct term *t = at_the_end("timeline", BACKTAB);
    term_wait(t, "Events ─ 379 / 379");
    key_and_see(t, UP, "Events ─ 376 / 379");
    key_and_see(t, "k", "Events ─ 372 / 379");
    key_and_see(t, DOWN, "Events ─ 376 / 379");
    key_and_see(t, HOME, "Events ─ 1 / 379");
    key_and_see(t, "j", "Events ─ 2 / 379");
    key_and_see(t, END, "Events ─ 379 / 379");
    term_keys(t, PAGE_UP PAGE_UP);
    term_wait_gone(t, "main returned.");
    term_keys(t, PAGE_DOWN PAGE_DOWN);
    term_wait(t, "Events ─ 379 / 379");
    wheel(t, "Events ─", 64, "Events ─ 368 / 379");
    wheel(t, "Events ─", 65, "Events ─ 379 / 379");
    quit(t);
}

TEST(details_are_listed_on_demand)
{
    struct term *t = at_the_end("timeline", BACKTAB);
    key_and_see(t, "d", "with details");
    key_and_see(t, UP, "Events ─ 378 / 379");
    term_keys(t, "d");
    term_wait_gone(t, "with details");
    quit(t);
}

TEST(enter_goes_to_the_event_and_selects_its_g)
{
    struct term *t = at_the_end("timeline", BACKTAB);
    key_and_see(t, HOME DOWN DOWN DOWN DOWN DOWN DOWN DOWN DOWN "\r", "event 12 ");
    key_and_see(t, "F", "only G2");
    key_and_see(t, END, "Events ─ 186 / 379 ─ only G2");
    term_keys(t, "F");
    term_wait_gone(t, "only G");
    quit(t);
}

TEST(the_filter_needs_a_selection)
{
    struct term *t = at_the_end("timeline", BACKTAB);
    key_and_see(t, "F", "select a G, M or P first");
    key_and_see(t, ":inspect g3\r", "G3 ─ worker");
    key_and_see(t, "F", "only G3");
    key_and_see(t, UP, "G3 prints");
    quit(t);
}

TEST(what_is_searched_for_is_marked)
{
    struct term *t = at_the_end("timeline", BACKTAB);
    key_and_see(t, "/g_end\r", "Events");
    wait_handled(t);
    term_wait(t, " /366 ");
    quit(t);
}

/* The keys act on the rows that the keys before them have led to, however fast they come. */
TEST(keys_do_not_wait_for_a_picture)
{
    struct term *t = at_the_end("timeline", BACKTAB);
    term_keys(t, UP UP UP UP "\r");
    term_wait(t, "event 366 ");
    quit(t);
}
