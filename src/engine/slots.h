/* The slot of each G in Go's list of all Gs (Go: allgs), and its creator, for the report of a program that dies. */
#ifndef GMPSCOPE_ENGINE_SLOTS_H
#define GMPSCOPE_ENGINE_SLOTS_H

#include "engine/reader.h"

struct slot {
    uint32_t g;  /* the newest G in this slot; 0: none yet */
    uint32_t by; /* the fn of its creator; SLOT_BY_TIMER: a timer created it */
    uint32_t by_g;
};
#define SLOT_BY_TIMER UINT32_MAX

struct slots {
    struct slot *of;
    uint32_t n, cap;
    uint32_t created;
    int64_t *marks; /* when each collection began */
    uint32_t nmarks, capmarks;
};

/* Returns a reader that fills s. */
struct reader slots_reader(struct slots *s);
/* Returns the time from which a traceback counts the minutes that a G waits, if it began to wait at `since`; -1: the traceback gives none. */
int64_t slots_waitsince(const struct slots *s, int64_t since);
void slots_fini(struct slots *s);

#endif
