/* See spares.h. A run that hangs is never freed, so it returns nothing: the next run makes its own. */
#include "runtime/sched/spares.h"
#include "runtime/runtime.h"
#include <stdlib.h>

struct rt_spares {
    struct thread_pool *threads;
    struct log *log;          /* NULL: none yet, or in use */
    struct stackpool *stacks; /* the same */
};

struct rt_spares *rt_spares_new(void)
{
    struct rt_spares *spares = calloc(1, sizeof *spares);
    if (!spares || (spares->threads = thread_pool_new()))
        return spares;
    free(spares);
    return NULL;
}

void rt_spares_free(struct rt_spares *spares)
{
    if (!spares)
        return;
    thread_pool_free(spares->threads);
    log_free(spares->log);
    stackpool_free(spares->stacks);
    free(spares);
}

struct thread_pool *spares_threads(struct rt_spares *spares)
{
    return spares ? spares->threads : NULL;
}

struct log *spares_log(struct rt_spares *spares, uint32_t max_rings)
{
    struct log *log = spares ? spares->log : NULL;
    if (!log)
        return log_new(max_rings);
    spares->log = NULL;
    if (log_empty(log, max_rings))
        return log;
    log_free(log);
    return log_new(max_rings);
}

struct stackpool *spares_stacks(struct rt_spares *spares)
{
    struct stackpool *stacks = spares ? spares->stacks : NULL;
    if (!stacks)
        return stackpool_new();
    spares->stacks = NULL;
    return stacks;
}

void spares_return(struct rt_spares *spares, struct stackpool *stacks, struct log *log)
{
    if (!spares) {
        stackpool_free(stacks);
        log_free(log);
        return;
    }
    if (stacks)
        stackpool_put_all(stacks);
    spares->stacks = stacks;
    spares->log = log;
}
