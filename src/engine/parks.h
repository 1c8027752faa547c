/* The event at which each G was parked last. */
#ifndef GMPSCOPE_ENGINE_PARKS_H
#define GMPSCOPE_ENGINE_PARKS_H

#include "engine/reader.h"

struct parks {
    uint64_t *event; /* by the G's id; 0: none */
    uint32_t n;
};
/* Returns a reader that fills p, which begins as zero; the caller frees p->event. */
struct reader parks_reader(struct parks *p);

#endif
