/* Outcomes that come in any order, taken in the order of their jobs: what is told does not depend on who was faster. */
#ifndef GMPSCOPE_ENGINE_REORDER_BUFFER_H
#define GMPSCOPE_ENGINE_REORDER_BUFFER_H

#include "engine/worker_pool.h"

struct reorder_buffer { struct outcome **at; uint64_t cap, next, end; };   /* {0} is an empty one; private */

/* Copies it, each job once. False: out of memory. */
bool reorder_buffer_add(struct reorder_buffer *l, const struct outcome *out);
/* The next one in turn, NULL: it has not come yet; the caller's to free. Only the fields before `why` and its text are there. With `gaps`
 * what has not come is passed over. */
struct outcome *reorder_buffer_take(struct reorder_buffer *l, bool gaps);
void reorder_buffer_fini(struct reorder_buffer *l);

#endif
