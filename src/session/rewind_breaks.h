/* Breakpoints while the past plays: they stop it wherever they stopped the run, or would have. */
#ifndef GMPSCOPE_SESSION_REWIND_BREAKS_H
#define GMPSCOPE_SESSION_REWIND_BREAKS_H

#include "engine/breaks.h"
#include "session/pending_breaks.h"
#include "session/rewind.h"

/* Goes from the state shown to state `to`, or to the first stop before it. Returns true if there was a stop. armed: the breakpoints of
 * the run. */
bool rewind_play(struct rewind *r, const struct breaks *armed, const struct break_words *w, uint64_t to);
static inline uint64_t search_piece(const struct session_search *search)
{
    return search && search->piece ? search->piece : 1 << 20;
}
enum play { PLAY_ON, PLAY_STOPPED, PLAY_ENDED }; /* there is no stop; it stopped; `search` ended it */
/* Goes to the first match of `until`, or to the first stop before it. Without a stop the state shown does not change, and until->n is how
 * often the pattern has matched. */
enum play rewind_play_until(struct rewind *r, const struct breaks *armed, const struct break_words *w, struct pending_break *until,
                            const struct session_search *search);
/* Goes back to the n-th match of the pattern, counted from the state shown, which does not count. PLAY_ON: there are fewer; then the state shown
 * does not change. */
enum play rewind_back_until(struct rewind *r, const struct break_words *w, const char *text, uint64_t n,
                            const struct session_search *search);
/* Counts the matches in the history for a new breakpoint k with xN. One without xN needs no count. */
void rewind_count(struct breakpoint *k, struct history *past, const struct break_words *w);

#endif
