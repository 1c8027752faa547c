/* Sleeping semaphores for mutexes and wait groups (Go's sema.go). */
#ifndef GMPSCOPE_RUNTIME_SYNC_SEMA_H
#define GMPSCOPE_RUNTIME_SYNC_SEMA_H

#include "runtime/sync/sudog.h"

struct sema {
    struct rlock lock; /* queue; nwait is changed under it */
    _Atomic uint32_t count;
    _Atomic uint32_t nwait; /* Gs in the queue or about to be: what lets a release without waiters go lock-free */
    struct sudogq queue;
};

void sema_init(struct sema *s, uint32_t rank);
/* Take one; parks for `reason` on `obj` until there is one. lifo: wait in front of the queue. On a G stack; may switch. */
void semacquire(struct sema *s, bool lifo, enum wait_reason reason, uint32_t obj);
/* Give one; readies the first waiter. handoff: it gets the count for sure and runs next, in the rest of our time slice.
 * On a G stack; switches only with handoff. */
void semrelease(struct sema *s, bool handoff);
/* The same with handoff, but this G keeps running: Go with preemption held off (m.locks > 0). */
void semrelease_keep(struct sema *s);

#endif
