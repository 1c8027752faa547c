/* The real program with its screen in an emulated terminal: shared by the tests of keys. */
#ifndef GMPSCOPE_TESTS_SCREEN_H
#define GMPSCOPE_TESTS_SCREEN_H

#include "t.h"
#include "term.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define STEAL_HALF(...) \
    (const char *const[]) \
    { \
        GMPSCOPE_BIN, "run", "steal-half", __VA_ARGS__ __VA_OPT__(, ) NULL \
    }

/* Quits a run that went well or is still running. */
static inline void quit(struct term *t)
{
    term_keys(t, "q");
    CHECK_INT(term_wait_exit(t), 0);
    term_check_sane(t);
    term_free(t);
}

static inline bool card_is_there(struct term *t, void *arg)
{
    (void)arg;
    return term_shows(t, "What to try next") || term_shows(t, "接下来可以试试");
}

static inline bool card_is_gone(struct term *t, void *arg)
{
    return !card_is_there(t, arg);
}

/* Closes the card that a run opens when it has run into its end. */
static inline void close_card(struct term *t)
{
    term_wait_for(t, "there is no card", card_is_there, NULL);
    term_keys(t, "\x1b");
    term_wait_for(t, "the card stays", card_is_gone, NULL);
}

/* Returns the number in the status line's "event N", or -1. */
static inline long event_number(struct term *t)
{
    for (const char *p = term_text(t); (p = strstr(p, "event ")); p++)
        if (isdigit((unsigned char)p[6]))
            return atol(p + 6);
    return -1;
}

static inline bool is_past(struct term *t, void *arg)
{
    return event_number(t) > *(long *)arg;
}

static inline void wait_past(struct term *t, long number)
{
    term_wait_for(t, "the event number does not grow", is_past, &number);
}

static inline bool differs(struct term *t, void *before)
{
    return strcmp(term_text(t), before) != 0;
}

/* Presses a key that must change the picture, and waits until it has. */
static inline void press_and_see(struct term *t, const char *key)
{
    char *before = strdup(term_text(t));
    term_keys(t, key);
    term_wait_for(t, "the key changes nothing", differs, before);
    free(before);
}

/* Waits until the program has handled all keys so far: the command line, which takes keys in the same order, has opened and closed. */
static inline void wait_handled(struct term *t)
{
    term_keys(t, ":handled");
    term_wait(t, ":handled");
    term_keys(t, "\x1b");
    term_wait_gone(t, ":handled");
}

#endif
