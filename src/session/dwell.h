/* How long an event stays on the screen at `--tempo auto`.
 *
 * It depends only on the log up to that event, so replaying the past takes the same time. It never changes what is drawn. */
#ifndef GMPSCOPE_SESSION_DWELL_H
#define GMPSCOPE_SESSION_DWELL_H

#include "model/history/history.h"

/* Returns the time in ns for the event that led to state n. cue: a lesson has entries to come, which say themselves what matters; then the
 * first event of a kind stays no longer than others, and repeated ones pass more quickly. */
int64_t dwell_ns(struct history *h, uint64_t n, bool cue);

#endif
