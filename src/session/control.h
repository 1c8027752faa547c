/* A live run: a thread that folds and steers, behind the operations that the screen asks for (session/session.h). */
#ifndef GMPSCOPE_SESSION_CONTROL_H
#define GMPSCOPE_SESSION_CONTROL_H

#include "engine/engine.h"
#include "session/session.h"

#define SESSION_SEEN_NS 200000000    /* a step that is under way for longer is told (session_status.stepping) */

/* What a session is made from. Everything that it points to is borrowed until session_free(). */
struct session_config {
    struct engine_config engine;
    double tempo;                        /* core events a second; INFINITY: as fast as possible */
    bool audit;                          /* compare the folded state with the runtime's memory at every stop */
    bool paused;                         /* stop before the first event */
    /* Writes the command that repeats this run with these choices (session_ops.share). */
    void (*share)(const struct session_config *c, uint64_t seed, const struct choices *choices, FILE *out);
    const void *settings;                /* for share() */
};

/* Starts a run and the thread that folds it. Returns NULL if it cannot; err then has the reason. */
struct session *session_new(const struct session_config *c, char *err, size_t size);
extern const struct session_ops session_ops;
/* The session's thread is gone; its engine is the caller's to read until session_free(). ended: the run was over. */
struct engine *session_stop(struct session *s, bool *ended);
void session_free(struct session *s);
/* Whoever drives it from outside (pair.c). */
void session_own(struct session *s, void *owner);
void *session_owner(const struct session *s);
/* How far it is let go: no further than the core events that are not later than `until`, n of them, and the first end of a round. */
struct advance_until { int64_t until; uint64_t n; bool round; };
/* The next event is later; n were made; a round has ended; a breakpoint; session_keep(), or another run begins; the run has ended. */
enum advance_end { ADVANCE_LATER, ADVANCE_DONE, ADVANCE_ROUND, ADVANCE_HELD, ADVANCE_KEPT, ADVANCE_ENDED };
/* While paused and in the present: lets it go, waits until it stands, and says why. Its next event is then known, unless it was told
 * to stay or has ended. */
enum advance_end session_advance(struct session *s, const struct advance_until *c);
/* Any thread: on: a course that is under way ends, and so does each to come, until off. */
void session_keep(struct session *s, bool on);
/* The last core event of what is shown (by -1), or the one after it (by 1), which may still wait to be folded. False: none is known. */
bool session_core(struct session *s, int by, struct ev *out);
/* The nearest end of a round in its past: before what is shown (by -1; beyond: not what the last core event ended) or after it (by 1);
 * its number, 0: there is none. */
uint64_t session_round(struct session *s, int by, bool beyond, struct ev *out);
/* To the last core event that is not later than `ns`; where there is none, to the first event. */
enum goto_result session_goto_core(struct session *s, int64_t ns);
/* Where nothing but detail follows in the past, the present is shown. */
void session_leave_past(struct session *s);
/* The next one up or down on the scale of tempos. */
double session_next_tempo(double t, int up);

#endif
