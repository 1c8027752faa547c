/* The next decision of a lockstep run, as rows for people. */
#ifndef GMPSCOPE_SESSION_DECISION_ROWS_H
#define GMPSCOPE_SESSION_DECISION_ROWS_H

#include "engine/engine.h"
#include "session/session.h"

/* At rest, everything folded; the engine must keep its history. Sets all of out except serial. */
void decision_rows(struct engine *e, struct session_decision *out);

#endif
