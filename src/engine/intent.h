/* What each M is about to try: intent.c. */
#ifndef GMPSCOPE_ENGINE_INTENT_H
#define GMPSCOPE_ENGINE_INTENT_H

#include "engine/engine.h"

#define NEXT_MAX 160 /* bytes of a line */

/* Writes what M m is about to do, without its name: "is about to check the global queue"; "" if nothing is known. Caller: at rest,
 * everything is folded, and the engine keeps its history. */
void engine_next(const struct engine *e, uint32_t m, enum lang lang, char *buf, size_t size);
bool engine_intent(const struct engine *e, uint32_t m, struct intent *out); /* as source_ops.intent */
/* As source_ops.op; of a source without that function, the line of the program on which M's G is. */
bool engine_op(const struct engine *e, uint32_t m, int nth, char *buf, size_t size);

/* Returns the line of a Go program's text where a G is in this state; UINT32_MAX: nowhere. */
uint32_t engine_line(const struct engine *e, const struct model *md, uint32_t g);
/* The variables of a G that is at this line. Only while the world is at rest. */
void engine_variables(const struct engine *e, uint32_t g, uint32_t line, struct variables *out);

#endif
