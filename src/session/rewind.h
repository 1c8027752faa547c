/* Looking back: which state of the past a live session shows instead of the present. All with the session's lock held. */
#ifndef GMPSCOPE_SESSION_REWIND_H
#define GMPSCOPE_SESSION_REWIND_H

#include "model/history.h"
#include "session/session.h"

enum { LOOKBACK_MARKS = SESSION_MARKS };

struct rewind {
    struct history *past;                /* borrowed */
    struct model *md;                    /* the state shown; NULL: the present is */
    struct stop held;                    /* the breakpoint that stopped the way to it */
    struct session_mark mark[LOOKBACK_MARKS];
    int nmarks;
};

/* Into another run's past, from the present; marks of the one before are gone. */
void rewind_start(struct rewind *l, struct history *past);
static inline bool rewind_on(const struct rewind *l)
{
    return l->md != NULL;
}
/* The number of the state shown, present or past. */
uint64_t rewind_now(const struct rewind *l);
/* The time of the state shown, in the past. */
int64_t rewind_time_shown(const struct rewind *l);
void rewind_leave(struct rewind *l);
/* The state after event n; the last event's is the present. */
enum goto_result rewind_to(struct rewind *l, uint64_t n);
/* The state n steps of this kind further (by 1) or back (by -1); the first event and the present are as far as it goes. */
uint64_t rewind_step(const struct rewind *l, enum step_kind kind, int by, uint32_t n);
/* Whatever held is left behind. */
void rewind_release(struct rewind *l);
/* The nearest core event after the state shown (by 1), or the last one of it (by -1). False: there is none. */
bool rewind_core(const struct rewind *l, int by, struct ev *out);
/* The nearest end of a round before what is shown (by -1), `beyond` its last core event itself, or after it (by 1): its number, 0: none. */
uint64_t rewind_round(const struct rewind *l, int by, bool beyond, struct ev *out);
/* The state after the last core event that is not later than `time`, at least the first. */
uint64_t rewind_core_at(const struct rewind *l, int64_t time);
/* As session_ops: goto_time, mark, goto_mark. */
enum goto_result rewind_time(struct rewind *l, int64_t time);
bool rewind_mark(struct rewind *l, const char *name);
enum goto_result rewind_goto_mark(struct rewind *l, const char *name);

#endif
