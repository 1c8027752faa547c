/* Changes of the breakpoints and the lesson that are asked for. They are left here and done when the world is at rest, because every M reads the list. */
#ifndef GMPSCOPE_SESSION_PENDING_BREAKS_H
#define GMPSCOPE_SESSION_PENDING_BREAKS_H

#include "engine/engine.h"

enum { PENDING_MAX = 16, PENDING_TEXT = 256 };
enum pending_what { PENDING_ADD, PENDING_DELETE, PENDING_UNTIL, PENDING_LESSON };
/* UNTIL runs to a pattern, to a text in a sentence, or to an event. */
enum pending_goal { GOAL_PATTERN, GOAL_TEXT, GOAL_EVENT };
/* n is, for DELETE, the id or 0 for all; for LESSON, whether it is on; for UNTIL, how often the pattern has matched already, the last event
 * in which the text was looked for, or the event. round_p and again: as in struct breakpoint. lang: of the text. */
struct pending_break {
    enum pending_what what;
    enum pending_goal goal;
    enum lang lang;
    uint64_t n;
    uint32_t round_p, again;
    char text[PENDING_TEXT];
};
struct pending_breaks {
    struct pending_break v[PENDING_MAX];
    uint32_t n;
};

bool pending_set_text(struct pending_break *e, const char *text);            /* false: it is too long */
bool pending_leave(struct pending_breaks *w, const struct pending_break *e); /* false: there is no room */
/* Returns the last run "until …" that is left and not done yet; NULL: there is none. */
struct pending_break *pending_until(struct pending_breaks *w);
/* Drops each run "until …", because the person pauses. */
void pending_forget_until(struct pending_breaks *w);
/* Does them. Caller: while the world is at rest. Returns the event to which a run "until …" leads, if that is in the past already;
 * otherwise 0. */
uint64_t pending_do(struct pending_breaks *w, struct engine *e);

#endif
