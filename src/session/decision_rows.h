/* What can be chosen where a lockstep run stands, as rows for people. */
#ifndef GMPSCOPE_SESSION_DECISION_ROWS_H
#define GMPSCOPE_SESSION_DECISION_ROWS_H

#include "engine/engine.h"
#include "session/session.h"

/* While stopped, all folded; the engine must keep its history. Sets all of out but serial. */
void decision_rows(struct engine *e, struct session_decision *out);

#endif
