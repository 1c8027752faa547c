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

/* ---- the life of a G ---- */

/* The goroutine pane has the focus, and G4 is selected. */
static struct term *life_of_g4(void)
{
    struct term *t = at_the_end("timeline", ":inspect g4\r\r" BACKTAB BACKTAB);
    term_wait(t, "G4 ─ worker ─ ran 1 ms, was runnable 3 ms, waited 0");
    return t;
}

TEST(a_life_has_every_move)
{
    struct term *t = life_of_g4();
    term_wait(t, "G1 starts G4 (worker).");
    term_wait(t, "G5 becomes P0's runnext and kicks G4 out.");
    term_wait(t, "runnable for 3 ms");
    term_wait(t, "running for 1 ms");
    quit(t);
}

/* A steal names only the last G that it takes. */
TEST(a_life_has_the_batch_that_moved_it)
{
    struct term *t = life_of_g4();
    term_wait(t, "M2 steals 4 Gs from P0 for P1 and holds G6.");
    term_wait(t, "→ P1's ring");
    key_and_see(t, HOME DOWN DOWN DOWN DOWN "\r", "event 193 ");
    term_wait(t, "G4 ─ worker ─ ");
    quit(t);
}

TEST(the_cursor_of_a_life_moves)
{
    struct term *t = life_of_g4();
    key_and_see(t, UP "\r", "event 244 ");
    key_and_see(t, "k\r", "event 243 ");
    key_and_see(t, DOWN "\r", "event 244 ");
    key_and_see(t, "j\r", "event 259 ");
    key_and_see(t, HOME "\r", "event 29 ");
    key_and_see(t, END "\r", "event 259 ");
    key_and_see(t, PAGE_UP "\r", "event 29 ");
    key_and_see(t, PAGE_DOWN "\r", "event 259 ");
    wheel(t, "G4 ─ worker ─ ran", 64, "G4 ─ worker ─ ran");
    key_and_see(t, "\r", "event 193 ");
    wheel(t, "G4 ─ worker ─ ran", 65, "G4 ─ worker ─ ran");
    key_and_see(t, "\r", "event 259 ");
    quit(t);
}

TEST(why_a_g_does_not_run)
{
    struct term *t = life_of_g4();
    term_keys(t, ":goto 120\r");
    term_wait(t, "event 120 ");
    key_and_see(t, "y", "Why is it not running?");
    term_wait(t, "29  G4 has been runnable for 399.88 µs. It has place 2 of 7 in P0's ring.");
    term_wait(t, "76  M0 runs G10 on that P, for 399.24 µs so far.");
    key_and_see(t, DOWN "\r", "event 76 ");
    term_wait(t, "G4 ─ worker ─ ran");
    key_and_see(t, "y", "G1 starts G4 (worker).");
    quit(t);
}
