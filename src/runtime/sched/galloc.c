/* The memory of one G: freed as a whole when it ends, so that C frames on its stack own nothing (src/DESIGN.md, One instance, no
 * globals). */
#include "runtime/sched/rt.h"

#define ARENA_BYTES 512u /* of an arena that has any memory */

/* On the G's own stack: only the M that runs a G touches its arena, so there is no lock. */
void *rt_alloc(size_t size)
{
    struct arena *mem = &getg()->mem;
    size = (size + 15) & ~(size_t)15; /* as in the arena */
    memory_need(getm(), MEMORY_G, size + (mem->total ? 0 : ARENA_BYTES));
    void *p = arena_alloc(mem, size);
    if (!p)
        rt_no_memory("cannot allocate memory for a goroutine");
    return p;
}

void galloc_free(struct sched *s, struct g *gp)
{
    if (gp->mem.total)
        memory_give(s, MEMORY_G, gp->mem.total + ARENA_BYTES);
    arena_fini(&gp->mem);
    gp->on_panic = NULL; /* its G runs no longer */
    gp->selmem = NULL;   /* it was part of that memory */
}
