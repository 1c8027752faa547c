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

/* The variables of a G at the moment at which it has reached `lines` lines, the last of which is `line`. They are read by the M that reaches it: where another
 * M holds a lock of the runtime, the world cannot rest there. */
struct line_ahead {
    uint32_t g, line;
    uint64_t lines;
    struct variables *out;
};
/* Caller: the M of a lockstep run that logs a place of a G. Returns whether the world may stop. */
bool engine_line_reached(struct engine *e, uint32_t g);

/* Returns the line of a Go program's text where a G is in this state; UINT32_MAX: nowhere. */
uint32_t engine_line(const struct engine *e, const struct model *md, uint32_t g);
/* The variables of a G that is at this line, if its memory is of the moment at which it has reached so many lines; 0: of the state folded. Only while the
 * world is at rest. */
void engine_variables(const struct engine *e, uint32_t g, uint32_t line, uint64_t lines, struct variables *out);

#endif
