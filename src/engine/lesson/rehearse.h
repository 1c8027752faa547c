/* The rehearsal of a lesson: another run with the same seed and choices, made to its end at full speed before the lesson begins. Its log gives the
 * answers (answers.h) and says which entries are never met. This is above the engine: whoever plays a lesson or judges it calls it. */
#ifndef GMPSCOPE_ENGINE_LESSON_REHEARSE_H
#define GMPSCOPE_ENGINE_LESSON_REHEARSE_H

#include "engine/engine.h"

/* Runs cfg to its end and fills in what it gives; a free one only gets its choices. An entry that is never met must not block those behind it, so
 * the run is repeated without it. False, with a message in err: the run could not be made (`lacks`), or a check failed in it. */
bool rehearse(struct answers *a, const struct engine_config *cfg, char *err, size_t size);
/* Runs cfg once, as it is, and keeps the values of that run. Entries from the first unmet one on count as never met. */
bool rehearse_once(struct answers *a, const struct engine_config *cfg, char *err, size_t size);
/* Tells a lesson what its rehearsal has found: the entries that this run never shows, and the events that decide its answers. */
void rehearsed_lesson(struct lesson *l, const struct answers *a);
/* Hands the answers to a run whose lesson is going to begin or go on, unless it has them. A free run has none beforehand. */
void rehearse_for(struct engine *e);

#endif
