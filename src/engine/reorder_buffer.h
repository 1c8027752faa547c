/* Outcomes arrive in any order and are taken in the order of their jobs, so that the report does not depend on which child was faster. */
#ifndef GMPSCOPE_ENGINE_REORDER_BUFFER_H
#define GMPSCOPE_ENGINE_REORDER_BUFFER_H

#include "engine/worker_pool.h"

struct reorder_buffer {
    struct outcome **at;
    uint64_t cap, next, end;
}; /* {0} is an empty one; private */

/* Adds a copy of an outcome; each job may be added once. Returns false if memory runs out. */
bool reorder_buffer_add(struct reorder_buffer *l, const struct outcome *out);
/* Returns the next outcome in order, or NULL if it has not arrived; the caller frees it. It ends after the text of `why`. gaps: skips
 * outcomes that have not arrived. */
struct outcome *reorder_buffer_take(struct reorder_buffer *l, bool gaps);
void reorder_buffer_fini(struct reorder_buffer *l);

#endif
