/* Lets one G at a time read, or write, one file (Go: internal/poll's fdMutex). */
#ifndef GMPSCOPE_RUNTIME_SYNC_FDMUTEX_H
#define GMPSCOPE_RUNTIME_SYNC_FDMUTEX_H

#include "runtime/sync/sema.h"

struct fdmutex {
    _Atomic uint64_t state; /* bit 0: locked; from bit 1: Gs that wait */
    struct sema sema;
};

/* On a G stack; may switch. obj: what the G waits for, in events; 0: unnamed. */
void fd_lock(struct fdmutex *mu, uint32_t obj);
void fd_unlock(struct fdmutex *mu);

#endif
