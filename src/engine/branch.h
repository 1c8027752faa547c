/* A lockstep run made again from its seed and its choices up to some event, to go on from there in another way. */
#ifndef GMPSCOPE_ENGINE_BRANCH_H
#define GMPSCOPE_ENGINE_BRANCH_H

#include "engine/engine.h"

/* A new engine for cfg with these choices, stopped behind event number `events` (folded to exactly there; what was logged with it in
 * one locked section is pending). Without breakpoints: they are met at once on the way. `like`: the events must be the same as in
 * that history, NULL: not compared. NULL: why not is in err. */
struct engine *branch_run(const struct engine_config *cfg, const struct choices *choices, uint64_t events, struct history *like,
                          char *err, size_t size);
/* That comparison alone. False: told in err. */
bool branch_same(struct engine *e, struct history *like, uint64_t events, char *err, size_t size);

#endif
