/* The next event of each of several streams, as a heap by time. {0} is empty. */
#ifndef GMPSCOPE_TRACE_GO_GO_FRONTIER_H
#define GMPSCOPE_TRACE_GO_GO_FRONTIER_H

#include "base/arena.h"

struct go_head {
    uint64_t ticks; /* of the next event */
    uint32_t of;    /* the stream's number, which decides between equal times in a sorted frontier */
    void *cursor;
};
struct go_frontier {
    VEC(struct go_head) heads; /* the first one is the earliest */
};

bool go_frontier_add(struct go_frontier *f, struct go_head h); /* false: out of memory */
void go_frontier_moved(struct go_frontier *f, size_t i);       /* the time of this head has changed */
void go_frontier_drop(struct go_frontier *f, size_t i);
void go_frontier_sort(struct go_frontier *f); /* a sorted frontier is a heap, too */

#endif
