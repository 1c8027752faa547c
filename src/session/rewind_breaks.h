/* Breakpoints on the way through the past: what stopped the run, or would have, stops there again. */
#ifndef GMPSCOPE_SESSION_REWIND_BREAKS_H
#define GMPSCOPE_SESSION_REWIND_BREAKS_H

#include "engine/breaks.h"
#include "session/edits.h"
#include "session/rewind.h"

/* From the state shown on to state `to`, or to the first stop before it (true). `armed`: the breakpoints of the run. */
bool rewind_play(struct rewind *r, const struct breaks *armed, const struct break_words *w, uint64_t to);
/* To the first match of `until`, or to the first stop before it. False: there is none; the state shown stays, and until->n is how often
 * the pattern has matched, fewer times than its xN. */
bool rewind_play_until(struct rewind *r, const struct breaks *armed, const struct break_words *w, struct edit *until);
/* One that is new counts what was before it: k has counted all that is in the past. Nothing to do for one without xN. */
void rewind_count(struct breakpoint *k, struct history *past, const struct break_words *w);

#endif
