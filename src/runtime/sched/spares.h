/* What a run takes from rt_config.spares at its start and returns at its end. spares NULL: it makes its own and frees them. */
#ifndef GMPSCOPE_RUNTIME_SCHED_SPARES_H
#define GMPSCOPE_RUNTIME_SCHED_SPARES_H

#include "conductor/thread.h"
#include "eventlog/log.h"
#include "runtime/stack/stack.h"

struct rt_spares;

struct thread_pool *spares_threads(struct rt_spares *spares);         /* NULL: none are kept */
struct log *spares_log(struct rt_spares *spares, uint32_t max_rings); /* NULL: out of memory */
struct stackpool *spares_stacks(struct rt_spares *spares);            /* NULL: out of memory */
/* Caller: no M is left, and no G. Both may be NULL. */
void spares_return(struct rt_spares *spares, struct stackpool *stacks, struct log *log);

#endif
