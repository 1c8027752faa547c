/* Repeats a lockstep run from its seed and choices up to an event, to continue differently from there. */
#ifndef GMPSCOPE_ENGINE_BRANCH_H
#define GMPSCOPE_ENGINE_BRANCH_H

#include "engine/engine.h"

/* Why a run cannot be repeated. */
struct branch_refusal {
    bool lack; /* of memory, threads or descriptors; otherwise it is another run, or a check of ours has failed */
    char text[300];
};

/* Returns a new engine for cfg with these choices, at rest after event number `events`. It is folded exactly to there; events that were
 * logged with that one in a locked section are pending. It has no breakpoints, because they would stop it before. like: the events must be
 * the same as in that history; NULL: they are not compared. Returns NULL with the reason in *why if it cannot. */
struct engine *branch_run(const struct engine_config *cfg, const struct choices *choices, uint64_t events, struct history *like,
                          struct branch_refusal *why);
/* Lets a repeated run go on until a G has reached a line. */
void branch_lines(struct engine *e, struct line_ahead *at);
/* Only compares. Returns false with the reason in *why. */
bool branch_same(struct engine *e, struct history *like, uint64_t events, struct branch_refusal *why);

#endif
