/* A live run: a thread that folds and steers, behind the operations that the screen asks for (ui/session.h). */
#ifndef GMPSCOPE_CLI_SESSION_H
#define GMPSCOPE_CLI_SESSION_H

#include "cli/engine.h"
#include "cli/options.h"
#include "ui/session.h"

#define SESSION_SEEN_NS 200000000    /* a step that is under way for longer is told (session_status.stepping) */

/* Starts at once. NULL: err says why. */
struct session *session_new(const struct scenario *sc, const struct options *o, char *err, size_t size);
/* The same, but it stands before its first event. */
struct session *session_new_paused(const struct scenario *sc, const struct options *o, char *err, size_t size);
extern const struct session_ops session_ops;
/* The session's thread is gone; its engine is the caller's to read until session_free(). ended: the run was over. */
struct engine *session_stop(struct session *s, bool *ended);
void session_free(struct session *s);
/* Whoever drives it from outside (pair.c). */
void session_own(struct session *s, void *owner);
void *session_owner(const struct session *s);
/* While paused: it goes on to its next event without folding it, so that `pending` tells it; unless one is pending already. */
void session_ahead(struct session *s);
/* The last core event of what is shown (by -1), or the one after it (by 1), which may still wait to be folded. False: none is known. */
bool session_core(struct session *s, int by, struct ev *out);
/* The next one up or down on the scale of tempos. */
double session_next_tempo(double t, int up);

#endif
