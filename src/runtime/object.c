/* Channels, mutexes, wait groups: made by the program, freed with the instance (Go's are garbage collected; a run here
 * is short, and a list is enough). */
#include "runtime/rt.h"

/* Before rt_start by the thread that makes the instance, which then is alone; later by a G, under gflock. */
void object_add(struct sched *s, struct object *o)
{
    struct m *m = getm();
    bool running = m && m->sched == s;
    if (running)
        lock(m, &s->gflock);
    o->next = s->objects;
    s->objects = o;
    if (running)
        unlock(m, &s->gflock);
}

void objects_free(struct sched *s)
{
    for (struct object *o = s->objects, *next; o; o = next) {
        next = o->next;
        o->fini(o);
    }
    s->objects = NULL;
}
