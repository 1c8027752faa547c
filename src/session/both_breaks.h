/* The breakpoints of two compared runs: each breakpoint exists on both sides, under one number. The functions are those of session_ops. */
#ifndef GMPSCOPE_SESSION_BOTH_BREAKS_H
#define GMPSCOPE_SESSION_BOTH_BREAKS_H

#include "session/control.h"

/* Adds the breakpoint to both sides or to neither. In a side without Ps, a breakpoint about Ps never matches. */
bool both_break_add(struct session *const side[2], const char *pattern, struct session_mistake *wrong);
/* Adds up the matches of both sides. A side may have breakpoints of its own, from its settings. */
int both_breaks(struct session *const side[2], struct session_break *out, int max);
bool both_break_delete(struct session *const side[2], uint32_t id);

#endif
