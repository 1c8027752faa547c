/* Which G is in which slot of Go's list of all Gs, and who created it: what a program that dies says of its Gs, in Go's order (Go: allgs). */
#ifndef GMPSCOPE_ENGINE_SLOTS_H
#define GMPSCOPE_ENGINE_SLOTS_H

#include "engine/reader.h"

struct slot {
    uint32_t g;  /* the newest G in this slot; 0: none yet */
    uint32_t by; /* the fn of its creator; SLOT_BY_TIMER: a timer created it */
};
#define SLOT_BY_TIMER UINT32_MAX

struct slots {
    struct slot *of;
    uint32_t n, cap;
    int64_t *marks; /* when each collection began */
    uint32_t nmarks, capmarks;
};

/* Returns a reader that fills s. */
struct reader slots_reader(struct slots *s);
/* Returns since when a traceback counts the minutes for which a G waits that began to wait at `since`; -1: it does not. */
int64_t slots_waitsince(const struct slots *s, int64_t since);
void slots_fini(struct slots *s);

#endif
