/* Two live runs behind one screen, on one scenario clock (gmpscope compare). */
#ifndef GMPSCOPE_SESSION_COMPARISON_H
#define GMPSCOPE_SESSION_COMPARISON_H

#include "session/control.h"
#include "session/session.h"

struct comparison;

/* Takes control of both sessions, which are in lockstep; from then on only comparison_ops may be called on them. Returns NULL and sets errno if
 * there is no memory or no thread. tempo: events a second, both sides together. */
struct comparison *comparison_new(struct session *left, struct session *right, double tempo);
/* What the screen calls, with the one session or the other; control acts on both. */
const struct session_ops *comparison_ops(const struct comparison *p);
/* They stand still from here on; before session_stop(). */
void comparison_free(struct comparison *p);

#endif
