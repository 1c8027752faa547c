/* What each M is about to try: see intent.c. */
#ifndef GMPSCOPE_ENGINE_INTENT_H
#define GMPSCOPE_ENGINE_INTENT_H

#include "engine/engine.h"

#define NEXT_MAX 160                 /* bytes of a line */

/* "is about to check the global queue": the line without the M's name; "" if nothing is known. At rest, everything folded; the engine must
 * keep its history. */
void engine_next(const struct engine *e, uint32_t m, enum lang lang, char *buf, size_t size);
/* The template for an M at the gate after event e; NULL: the table has no row for it. */
const char *next_after(const struct ev *e, enum lang lang);

#endif
