/* Sleeping semaphores for mutexes and wait groups (Go's sema.go). */
#ifndef GMPSCOPE_RUNTIME_SYNC_SEMA_H
#define GMPSCOPE_RUNTIME_SYNC_SEMA_H

#include "runtime/sync/sudog.h"

struct sema {
    struct rlock lock; /* queue; nwait is changed under it */
    _Atomic uint32_t count;
    _Atomic uint32_t nwait; /* Gs that are in the queue or about to be: lets a release without waiters skip the lock */
    struct sudogq queue;
};

void sema_init(struct sema *s, uint32_t rank);
/* Takes one from the count; parks for `reason` on `obj` until it can. lifo: waits at the front of the queue. On a G stack; may switch. */
void semacquire(struct sema *s, bool lifo, enum wait_reason reason, uint32_t obj);
/* Adds one to the count and readies the first waiter. handoff: that waiter gets the count and runs next, in the rest of our time slice.
 * On a G stack; switches only with handoff. */
void semrelease(struct sema *s, bool handoff);
/* The same with handoff, but this G keeps running, as in Go while m.locks > 0 prevents preemption. */
void semrelease_keep(struct sema *s);

#endif
