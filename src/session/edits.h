/* Edits of the breakpoints and the lesson. They are left here and done when the world is at rest, because every M reads the list. */
#ifndef GMPSCOPE_SESSION_EDITS_H
#define GMPSCOPE_SESSION_EDITS_H

#include "engine/engine.h"

enum { EDITS_MAX = 16, EDIT_TEXT = 256 };
enum edit_what { EDIT_ADD, EDIT_DELETE, EDIT_UNTIL, EDIT_LESSON };
/* UNTIL runs to a pattern, to a text in a sentence, or to an event. */
enum edit_goal { GOAL_PATTERN, GOAL_TEXT, GOAL_EVENT };
/* n is, for DELETE, the id or 0 for all; for LESSON, whether it is on; for UNTIL, how often the pattern has matched already, the last event
 * in which the text was looked for, or the event. round_p and again: as in struct breakpoint. lang: of the text. */
struct edit {
    enum edit_what what;
    enum edit_goal goal;
    enum lang lang;
    uint64_t n;
    uint32_t round_p, again;
    char text[EDIT_TEXT];
};
struct edits {
    struct edit v[EDITS_MAX];
    uint32_t n;
};

bool edit_set_text(struct edit *e, const char *text);    /* false: it is too long */
bool edits_leave(struct edits *w, const struct edit *e); /* false: there is no room */
/* Returns the last run "until …" that is left and not done yet; NULL: there is none. */
struct edit *edits_until(struct edits *w);
/* Drops each run "until …", because the person pauses. */
void edits_forget_until(struct edits *w);
/* Does the edits. Caller: while the world is at rest. Returns the event to which a run "until …" leads, if that is in the past already;
 * otherwise 0. */
uint64_t edits_do(struct edits *w, struct engine *e);

#endif
