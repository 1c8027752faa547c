/* Rewind: which state of the past a session shows instead of the present. Callers hold the session's lock. */
#ifndef GMPSCOPE_SESSION_REWIND_H
#define GMPSCOPE_SESSION_REWIND_H

#include "model/history/history.h"
#include "session/session.h"

enum { REWIND_MARKS = SESSION_MARKS };

struct rewind {
    struct history *history; /* borrowed */
    struct model *md;        /* the state shown; NULL: the present */
    struct stop held;        /* the breakpoint that stopped the replay here */
    uint64_t core_of, core;  /* rewind_core_shown() of this state, as it was asked for last */
    struct session_mark mark[REWIND_MARKS];
    int nmarks;
};

/* Starts in the present of another run. Drops the marks of the run before. */
void rewind_start(struct rewind *r, struct history *history);
static inline bool rewind_on(const struct rewind *r)
{
    return r->md != NULL;
}
/* Returns the number of the state shown, present or past. */
uint64_t rewind_now(const struct rewind *r);
/* Returns the number of the last core event of that state, 0: there is none. */
uint64_t rewind_core_shown(struct rewind *r);
/* Returns the time of the state shown, which must be in the past. */
int64_t rewind_time_shown(const struct rewind *r);
void rewind_leave(struct rewind *r);
/* Shows the state after event n. The state after the last event is the present. */
enum goto_result rewind_to(struct rewind *r, uint64_t n);
/* Returns the number of the state n steps of this kind later (by 1) or earlier (by -1), from the first event to the present. */
uint64_t rewind_step(const struct rewind *r, enum step_kind kind, int by, uint32_t n);
/* Forgets what stopped the replay. */
void rewind_release(struct rewind *r);
/* Finds the first core event after the state shown (by 1), or the last one before (by -1). Returns false if there is none. */
bool rewind_core(const struct rewind *r, int by, struct ev *out);
/* Returns the number of the nearest event that ends a round, before the state shown (by -1) or after it (by 1); 0: there is none.
 * beyond: skips the round that the last core event ended. */
uint64_t rewind_round(const struct rewind *r, int by, bool beyond, struct ev *out);
/* Returns the number of the state after the last core event that is not later than `time`, or of the first state. */
uint64_t rewind_core_at(const struct rewind *r, int64_t time);
/* As session_ops: goto_time, mark, goto_mark. */
enum goto_result rewind_time(struct rewind *r, int64_t time);
bool rewind_mark(struct rewind *r, const char *name);
enum goto_result rewind_goto_mark(struct rewind *r, const char *name);

#endif
