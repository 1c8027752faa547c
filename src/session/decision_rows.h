/* The next decision of a lockstep run, as rows for people. */
#ifndef GMPSCOPE_SESSION_DECISION_ROWS_H
#define GMPSCOPE_SESSION_DECISION_ROWS_H

#include "engine/engine.h"
#include "session/session.h"

/* Fills *out except id and serial. Caller: the world is at rest, everything is folded, and the engine keeps its history. */
void decision_rows(struct engine *e, struct session_decision *out);

#endif
