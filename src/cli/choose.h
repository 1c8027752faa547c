/* What can be chosen where a lockstep run stands, as rows for people. */
#ifndef GMPSCOPE_CLI_CHOOSE_H
#define GMPSCOPE_CLI_CHOOSE_H

#include "cli/engine.h"
#include "ui/session.h"

/* While stopped, all folded; the engine must keep its history. Sets all of out but serial. */
void choose_list(struct engine *e, struct session_draw *out);

#endif
