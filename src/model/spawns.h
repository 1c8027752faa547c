/* Spawns in a row: for each new G a program logs the same few events. Lists show the first two in full, the rest as one sentence.
 * The boot of the runtime is one sentence, too. */
#ifndef GMPSCOPE_MODEL_SPAWNS_H
#define GMPSCOPE_MODEL_SPAWNS_H

#include "model/history.h"

/* Reads the event at a place of some list and sets *m. NULL: the list has no such place. */
typedef const struct ev *spawn_reader(void *ctx, int64_t at, uint32_t *m);

/* Returns true if the event starts, or puts into a queue, the third or a later G that one G starts in a row. */
bool spawn_is_repeat(spawn_reader *read, void *ctx, int64_t at);
/* Returns true if a later start tells what this event says: it belongs to a G that spawn_is_repeat() finds, and the row goes on. */
bool spawn_is_told_later(spawn_reader *read, void *ctx, int64_t at);
/* The Gs that the sentence of the start at `at` names: `first` up to its own, n in all. n is 0 if the event is no repeated start. */
struct spawn_told {
    uint32_t first, n;
};
struct spawn_told spawn_tells(spawn_reader *read, void *ctx, int64_t at);

/* Reads a history; places are the numbers of events. */
struct spawn_history {
    struct history *h;
    uint64_t last; /* the last event that is read */
    struct history_event e;
};
spawn_reader spawn_read_history;

/* What the runtime did before main ran; lists show it as one sentence, at the event that starts main. */
struct boot {
    int64_t end;            /* the place of that event; 0: the list has not got so far, or no longer has its first events */
    uint32_t procs, sysmon; /* GOMAXPROCS, 0: the generation has no Ps; the M that runs sysmon, EV_NONE: none */
};
struct boot boot_read(spawn_reader *read, void *ctx);

/* Returns true if main runs now. The first such event ends the boot: before it only the runtime itself has acted. */
static inline bool spawn_starts_main(const struct ev *e)
{
    return e->kind == EV_G_START && e->g == 1;
}

#endif
