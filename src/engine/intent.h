/* What each M is about to try: intent.c. */
#ifndef GMPSCOPE_ENGINE_INTENT_H
#define GMPSCOPE_ENGINE_INTENT_H

#include "engine/engine.h"

#define NEXT_MAX 160 /* bytes of a line */

/* "is about to check the global queue": the line without the M's name; "" if nothing is known. At rest, everything folded; the engine must
 * keep its history. */
void engine_next(const struct engine *e, uint32_t m, enum lang lang, char *buf, size_t size);

#endif
