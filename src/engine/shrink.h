/* Reduces a failing run to the fewest choices, then to the fewest events: delta debugging (Zeller, Hildebrandt 2002) over choices. The runs are calm
 * (rt_config.calm): a thread continues as long as it can, so the list says all that is special about the failure. Short lists are tried from scratch
 * first: none, each single choice, and pairs that are near each other. Deterministic. */
#ifndef GMPSCOPE_ENGINE_SHRINK_H
#define GMPSCOPE_ENGINE_SHRINK_H

#include "base/course.h"

/* A run with these choices. */
struct shrink_try {
    struct choices with; /* in: given; out: those that differ from a calm run's own picks */
    uint64_t events;     /* out */
    uint64_t cap;        /* events after which the run is over; 0: none */
    struct course *seen; /* its decisions are written down there; NULL: they are not */
};
struct shrink {
    bool (*fails)(void *ctx, struct shrink_try *t);                        /* returns true if the run fails in the same way */
    bool (*stops)(void *ctx);                                              /* true: somebody wants it to end; NULL: nobody does */
    void (*keeps)(void *ctx, const struct choices *best, uint64_t events); /* a better list is found; NULL: not called */
    void *ctx;
    uint64_t runs;
    uint64_t spent, most; /* events of all runs so far; the most before it stops */
    uint64_t cap;         /* of the runs that are being made */
    uint64_t events;      /* of the best run so far; 0: none */
    bool stopped;         /* out: by stops() */
    bool fewest;          /* out: no run with fewer choices fails */
};

/* Replaces *list, with which the run fails, by a smaller one. If calm runs do not fail with *list, searches for a short list with which they do. Returns:
 * false if nothing fails. */
bool shrink_choices(struct shrink *s, struct choices *list);

#endif
