/* Interactive control of a run: a thread that folds and steers, behind the operations that the screen calls (session/session.h). */
#ifndef GMPSCOPE_SESSION_CONTROL_H
#define GMPSCOPE_SESSION_CONTROL_H

#include "engine/engine.h"
#include "session/session.h"

#define SESSION_SEEN_NS 200000000 /* ns: a step that takes longer is shown (session_status.stepping) */

/* How to make a session. Everything that it points to is borrowed until session_free(). */
struct session_config {
    struct engine_config engine;
    struct tempo tempo;
    bool audit;        /* compare the folded state with the runtime's memory at every stop */
    bool paused;       /* stop before the first event */
    const char *begin; /* a pattern: each run goes to its first match at once, and pauses there; NULL: none */
    /* Writes the command that repeats this run with these choices (session_ops.share). */
    void (*share)(const struct session_config *c, uint64_t seed, const struct choices *choices, FILE *out);
    /* Starts to record a run (engine_record). Returns false, with the reason in err. */
    bool (*record)(const struct session_config *c, struct engine *e, const char *path, bool replace, enum lang lang, char *err,
                   size_t size);
    const void *settings;  /* for share() and record() */
    const char *record_to; /* record the run from its start into this file; NULL: not */
};

/* Starts a run and the thread that folds it. Returns NULL if it cannot; err then has the reason. */
struct session *session_new(const struct session_config *c, char *err, size_t size);
/* Those of a run that can do everything. */
extern const struct session_ops session_ops;
/* The same without the groups that this run never has. */
const struct session_ops *session_ops_of(const struct session *s);
/* Ends the session's thread. The caller may read the engine until session_free(). ended: the run was over. */
struct engine *session_stop(struct session *s, bool *ended);
void session_free(struct session *s);
/* Sets the owner, which then moves the session (comparison.c). */
void session_own(struct session *s, void *owner);
void *session_owner(const struct session *s);
/* How far to advance: up to the core events that are not later than `until`, at most n of them; round: at most to the first end of a
 * round. n 0: folds no core event; ends when the next one is known, or is known to be later than `until`. */
struct advance_until {
    int64_t until;
    uint64_t n;
    bool round, still; /* still: at most to the first event by which a G does something or is moved */
};
/* Why an advance ended: the next event is later; n events are done; a round has ended; a breakpoint matched; session_keep() or a
 * restart; the run is over. */
enum advance_end { ADVANCE_LATER, ADVANCE_DONE, ADVANCE_ROUND, ADVANCE_HELD, ADVANCE_KEPT, ADVANCE_ENDED };
/* Advances, waits for the end of the advance, and returns why it ended. After LATER, either the
 * next event is known (session_core), or it is known to be later than `until` (session_reached). Caller: while paused in the present. */
enum advance_end session_advance(struct session *s, const struct advance_until *c);
/* Returns the time up to which the run has logged: no event that is still to be logged is earlier. Lockstep, at rest. */
int64_t session_reached(struct session *s);
/* on: ends an advance that is under way, and each later one, until a call with off. Any thread. */
void session_keep(struct session *s, bool on);
/* Finds the last core event of the state shown (by -1), or the first one after that state (by 1), which may be pending. Returns false if
 * none is known. */
bool session_core(struct session *s, int by, struct ev *out);
/* While the past is shown: plays it up to its next core event. Returns true if a breakpoint stops it on the way, or there. */
bool session_replay_core(struct session *s);
/* Returns the number of the nearest event in the history that ends a round, before the state shown (by -1) or after it (by 1); 0: there
 * is none. beyond: skips the round that the last core event ended. */
uint64_t session_round(struct session *s, int by, bool beyond, struct ev *out);
/* Goes to the last core event that is not later than `ns`; if there is none, to the first event. */
enum goto_result session_goto_core(struct session *s, int64_t ns);
/* Shows the present if only detail follows in the history. */
void session_leave_past(struct session *s);
/* Copies the event with this number. Returns false if it is not known. */
bool session_event_at(struct session *s, uint64_t number, struct session_event *out);
/* Compares the events of both sides that were folded since the last call. Starts again if a side was restarted. */
void session_compare(struct session *const side[2], struct session_verdict *v);
/* Returns true if the run is stuck at time `now` (engine/quiet.h), and since when. Otherwise it is not stuck before *look. */
bool session_quiet(struct session *s, int64_t now, int64_t *since, int64_t *look);
/* Makes the screen look at the session again. */
void session_show(struct session *s);
/* Returns how long the last core event of the state shown stays at this tempo, ns; 0 if it is event *seen. Sets *seen to it. */
int64_t session_dwell(struct session *s, struct tempo t, uint64_t *seen);

#endif
