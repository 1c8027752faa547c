/* Two live runs behind one screen, on one scenario clock (gmpscope compare). */
#ifndef GMPSCOPE_SESSION_COMPARISON_H
#define GMPSCOPE_SESSION_COMPARISON_H

#include "session/control.h"
#include "session/session.h"

struct comparison;

/* Takes control of both sessions, which are in lockstep; from then on only comparison_ops() may be called on them. tempo: of
 * both together. Returns NULL with errno set if there is no memory or no thread. */
struct comparison *comparison_new(struct session *left, struct session *right, struct tempo tempo);
/* The operations that the screen calls, with either session. Those that move a run act on both. */
const struct session_ops *comparison_ops(const struct comparison *p);
/* Runs both at full speed to where they part, and stops there. Call it before the screen starts. */
void comparison_part(struct comparison *p);
/* Call it before session_stop(): from then on both are at rest. */
void comparison_free(struct comparison *p);

#endif
