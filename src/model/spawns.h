/* Spawns in a row: for each new G a program logs the same few events. Lists show the first two in full, the rest as one sentence. */
#ifndef GMPSCOPE_MODEL_SPAWNS_H
#define GMPSCOPE_MODEL_SPAWNS_H

#include "eventlog/events.h"

/* Reads the event at a place of some list and sets *m. NULL: the list has no such place. */
typedef const struct ev *spawn_reader(void *ctx, int64_t at, uint32_t *m);

/* Returns true if the event starts, or puts into a queue, the third or a later G that one G starts in a row. */
bool spawn_is_repeat(spawn_reader *read, void *ctx, int64_t at);
/* Returns the place of the start before (by -1) or after (by 1) the start at `at`, in the same row; -1: there is none in the list. */
int64_t spawn_neighbour(spawn_reader *read, void *ctx, int64_t at, int by);
/* Returns true if main runs now. The first such event ends the boot: before it only the runtime itself has acted. */
static inline bool spawn_starts_main(const struct ev *e)
{
    return e->kind == EV_G_START && e->g == 1;
}

#endif
