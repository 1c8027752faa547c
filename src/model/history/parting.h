/* Where two runs part: the first events that differ. */
#ifndef GMPSCOPE_MODEL_PARTING_H
#define GMPSCOPE_MODEL_PARTING_H

#include "model/history/history.h"

/* An event with what its line names: programs by name. */
struct parting_event {
    uint32_t m;
    struct ev ev;
    size_t len;
    char text[EV_TEXT_MAX];
};

/* How far two runs are known to be the same. Events are compared in the order in which they were merged, so event n of one run with event n of
 * the other: by kind, actors (M, P, G) and fields, and by what is printed. Times and durations do not count. */
struct parting {
    uint64_t same;  /* the first so many events of both are the same */
    bool parted;    /* event same + 1 differs, or only one of the runs has it */
    uint64_t later; /* the first of the same events that have different times, 0: none */
};

/* Copies events from number `from` on, at most max; returns how many. */
int parting_events(struct history *h, uint64_t from, struct parting_event *out, int max);
/* Compares the next n events of both. names: of the programs of each run. */
void parting_compare(struct parting *p, const struct model_names *const names[2], const struct parting_event *left,
                     const struct parting_event *right, int n);

#endif
