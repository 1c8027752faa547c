/* Breakpoints while the past plays: where one stopped the run, or would have, it stops again. */
#ifndef GMPSCOPE_SESSION_REWIND_BREAKS_H
#define GMPSCOPE_SESSION_REWIND_BREAKS_H

#include "engine/breaks.h"
#include "session/edits.h"
#include "session/rewind.h"

/* Goes from the state shown to state `to`, or to the first stop before it, which returns true. armed: the breakpoints of the run. */
bool rewind_play(struct rewind *r, const struct breaks *armed, const struct break_words *w, uint64_t to);
/* Goes to the first match of `until`, or to the first stop before it. False: there is none. Then the state shown stays, and until->n is how
 * often the pattern has matched. */
bool rewind_play_until(struct rewind *r, const struct breaks *armed, const struct break_words *w, struct edit *until);
/* A new breakpoint k with xN counts what the history has before it. One without xN needs no count. */
void rewind_count(struct breakpoint *k, struct history *past, const struct break_words *w);

#endif
