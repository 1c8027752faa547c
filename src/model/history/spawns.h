/* Spawns in a row: for each new G a program logs the same few events. Lists show the first two in full. One sentence, which grows, stands for
 * the rest: an event that it stands for has no row of its own at any time, so no row ever disappears. An event of another kind, or of another
 * M, ends the sentence. The next start then begins a new one below it. The boot of the runtime is one growing sentence, too. */
#ifndef GMPSCOPE_MODEL_SPAWNS_H
#define GMPSCOPE_MODEL_SPAWNS_H

#include "model/history/history.h"

/* Reads the event at a place of some list and sets *m. NULL: the list has no such place. */
typedef const struct ev *spawn_reader(void *ctx, int64_t at, uint32_t *m);

/* Returns true if the event starts, or puts into a queue, the third or a later G that one G starts in a row. */
bool spawn_is_repeat(spawn_reader *read, void *ctx, int64_t at);
/* Returns true if the event has no row of its own: the sentence of a repeated start stands for it. That is so for what follows such a start,
 * and for the start itself as soon as the sentence has grown. */
bool spawn_has_no_row(spawn_reader *read, void *ctx, int64_t at);
/* Returns true if the event is a repeated start, and its sentence may grow by a start that the list does not have yet. */
bool spawn_may_grow(spawn_reader *read, void *ctx, int64_t at);
/* The Gs that the sentence of the start at `at` names: `first` up to its own, n in all. n is 0 if the event is no repeated start. after: starts
 * up to there have been told; -1: none. */
struct spawn_told {
    uint32_t first, n;
};
struct spawn_told spawn_tells(spawn_reader *read, void *ctx, int64_t at, int64_t after);

/* Reads a history; places are the numbers of events. */
struct spawn_history {
    struct history *h;
    uint64_t last; /* the last event that is read */
    struct history_event e;
};
spawn_reader spawn_read_history;

/* What the runtime did before main ran, as far as the list goes. Lists show it as one sentence, at the last of these events. */
struct boot {
    int64_t at;         /* the place of that event; 0: the list no longer has its first events */
    uint32_t first;     /* the M that booted */
    uint32_t procs;     /* GOMAXPROCS; 0: not known, or the generation has no Ps */
    uint32_t sysmon;    /* the M that runs sysmon; EV_NONE: none yet */
    uint32_t runs_main; /* the M that runs main; EV_NONE: main does not run yet */
};
struct boot boot_read(spawn_reader *read, void *ctx);

/* Returns true if main runs now. The first such event ends the boot: before it only the runtime itself has acted. */
static inline bool spawn_starts_main(const struct ev *e)
{
    return e->kind == EV_G_START && e->g == 1;
}

#endif
