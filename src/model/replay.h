/* The queues of a partial model, derived: our rules of the trace's Go version, replayed over its events. See replay.c. */
#ifndef GMPSCOPE_MODEL_REPLAY_H
#define GMPSCOPE_MODEL_REPLAY_H

#include "model/fold_internal.h"

/* Does such a model derive its queues? Only if its source records nothing of them. */
bool replay_fits(const struct model_config *cfg);
void replay_before(struct fold *f); /* takes the event's G out of the queue that it was derived to be in */
void replay_after(struct fold *f);  /* puts it into the queue that the rules say */

#endif
