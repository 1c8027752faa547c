/* Inspect in the real program on an emulated terminal: it explains what is selected, and each of its lines leads somewhere. */
#include "screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ESC "\x1b"
#define BACKTAB "\x1b[Z"
#define DOWN "\x1bOB"

/* Paused where P1 has stolen four Gs; the thing is inspected. */
static struct term *inspects(int rows, int columns, const char *thing)
{
    struct term *t = term_start(rows, columns, NULL, STEAL_HALF("--tempo", "max", "--layout", "classic", "--break", "steal n>=2"));
    char keys[40];
    term_wait(t, "PAUSED at steal n>=2");
    snprintf(keys, sizeof keys, ":inspect %s\r", thing);
    term_keys(t, keys);
    term_wait(t, "enter closes this");
    return t;
}

/* A press and a release of the left button, `right` columns right of where the text begins in the lower half. */
static void click_on(struct term *t, const char *text, int right)
{
    char report[64];
    int column, row = term_find(t, text, &column);
    CHECK(row >= 0);
    snprintf(report, sizeof report, ESC "[<0;%d;%dM" ESC "[<0;%d;%dm", column + right + 1, row + 1, column + right + 1, row + 1);
    term_keys(t, report);
}

TEST(enter_goes_to_the_event_that_put_it_there)
{
    struct term *t = inspects(40, 120, "g7");
    term_wait(t, "put there by event 57 at");
    term_keys(t, BACKTAB);
    term_wait(t, "enter goes there");
    term_keys(t, DOWN "\r");
    term_wait(t, "BACK at event 57");
    term_wait(t, "put there by event 57 at"); /* its state begins right there */
    term_keys(t, "b");
    term_wait(t, "put there by event 56"); /* what put it where it was before that */
    quit(t);
}

TEST(a_click_on_the_line_goes_to_its_event)
{
    struct term *t = inspects(24, 80, "g7");
    term_wait(t, "put there by event 57");
    click_on(t, "put there by", 3);
    term_wait(t, "BACK at event 57");
    quit(t);
}

TEST(a_g_that_waits_on_a_channel_says_so)
{
    struct term *t = term_start(40, 120, NULL, (const char *const[]){GMPSCOPE_BIN, "run", "locked-deadlock", "--tempo", "max", NULL});
    term_wait(t, "ENDED:");
    term_keys(t, ":inspect g1\r");
    term_wait(t, "waitreason");
    term_wait(t, "G1 waits to receive from channel never");
    quit(t);
}

/* A new M spins from its first event on, which is before it takes its P. */
TEST(a_spinning_m_may_have_no_p)
{
    struct term *t = inspects(24, 80, "m2");
    term_keys(t, ":goto 16\r");
    term_wait(t, "BACK at event 16");
    term_wait(t, "M2 spins, but has no P now.");
    quit(t);
}

TEST(a_batch_that_does_not_name_a_g_has_put_it_there)
{
    struct term *t = inspects(24, 80, "g3");
    term_wait(t, "It has place 1 of 3 in P1's ring.");
    term_wait(t, "put there by event 197: M2 steals 4 Gs from P0 for P1 and holds G6.");
    quit(t);
}

TEST(a_field_that_names_a_g_selects_it)
{
    struct term *t = inspects(60, 200, "p1");
    term_wait(t, "G3 G4 G5   its ring");
    click_on(t, "G3 G4 G5   its ring", 4);
    term_wait(t, "G4 ─ worker");
    term_wait(t, "enter goes there"); /* the click has given it the focus */
    term_keys(t, DOWN DOWN "\r");     /* atomicstatus names nothing */
    term_wait(t, "this line names no event");
    term_keys(t, DOWN DOWN DOWN "\r"); /* gopc */
    term_wait(t, "G1 ─ main");
    term_wait(t, "for WaitGroup wg");
    quit(t);
}

TEST(on_a_low_screen_the_rest_is_reached_by_scrolling)
{
    struct term *t = inspects(24, 80, "p0");
    CHECK(!term_shows(t, "timer0When") && !term_shows(t, "numTimers"));
    term_keys(t, BACKTAB);
    term_wait(t, "enter goes there");
    term_keys(t, "\x1bOF"); /* end */
    term_wait(t, "numTimers");
    term_wait_gone(t, "put there by");
    term_keys(t, "\x1bOH"); /* home */
    term_wait(t, "put there by");
    term_keys(t, "\x1b[6~"); /* page down */
    term_wait(t, "schedtick");
    int column, row = term_find(t, "schedtick", &column);
    for (int i = 0; i < 8; i++) { /* the wheel is for what is under it */
        char report[40];
        snprintf(report, sizeof report, ESC "[<65;%d;%dM", column + 1, row + 1);
        term_keys(t, report);
    }
    term_wait(t, "numTimers");
    quit(t);
}

TEST(without_a_selection_it_shows_the_scheduler)
{
    struct term *t = inspects(40, 120, "");
    term_wait(t, "sched: nothing is selected");
    term_wait(t, "nmspinning   1");
    term_keys(t, ESC);
    term_wait_gone(t, "sched: nothing");
    quit(t);
}

TEST(it_follows_the_run)
{
    struct term *t = inspects(40, 120, "m2");
    term_wait(t, "M2 spins with P1.");
    term_keys(t, ":until g_start g=6\r");
    term_wait(t, "M2 runs G6 on P1, for ");
    term_wait(t, "M2 runs G6 on P1."); /* the sentence of the event that put it there */
    quit(t);
}
