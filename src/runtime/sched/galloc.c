/* The memory of one G: freed as a whole when it ends, so that C frames on its stack own nothing (src/DESIGN.md, One instance, no
 * globals). */
#include "runtime/sched/rt.h"

/* On the G's own stack: only the M that runs a G touches its arena, so there is no lock. */
void *rt_alloc(size_t size)
{
    void *p = arena_alloc(&getg()->mem, size);
    if (!p)
        rt_no_memory("cannot allocate memory for a goroutine");
    return p;
}

void galloc_free(struct g *gp)
{
    arena_fini(&gp->mem);
    gp->selmem = NULL; /* it was part of that memory */
}
