/* Stacks for Gs: fixed size, a guard page below each, recycled.
 * A stack in use or in the pool keeps its pages. They go back to the kernel only when the pool is freed. Not thread-safe: the
 * caller holds one lock over every call (the runtime: sched.gflock); stackpool_new, stackpool_free, stackpool_prepare and
 * stackpool_tend need none.
 */
#ifndef GMPSCOPE_RUNTIME_STACK_STACK_H
#define GMPSCOPE_RUNTIME_STACK_STACK_H

#include <stdbool.h>
#include <stddef.h>

struct stackpool;

#define STACK_G_BYTES (5 << 10) /* what a G that waits takes: a page of its stack, page tables, and the model's part */

/* Neighbouring stacks that are cut and not yet handed out. */
struct stackrun {
    char *cell;
    unsigned left;
    bool guarded;
};

struct stackpool *stackpool_new(void); /* NULL: out of memory */
/* Returns the lowest usable byte of a stack, with its size in *size. The content is undefined. NULL with errno set: the kernel grants no
 * more. */
void *stackpool_get(struct stackpool *pool, size_t *size);
/* After such a NULL: returns a message on what could not be done, and its errno in *err. The text lives as long as the pool. It names
 * vm.max_map_count if guard pages have used up the mappings, and how much memory is left if the machine has too little. */
const char *stackpool_lacks(const struct stackpool *pool, int *err);
/* If stackpool_get() would have to prepare stacks, cuts a run of them, which the caller prepares without the lock and then adds. */
bool stackpool_cut(struct stackpool *pool, struct stackrun *run);
void stackpool_prepare(const struct stackpool *pool, struct stackrun *run);
void stackpool_add(struct stackpool *pool, const struct stackrun *run);
/* Prepares stacks that will be asked for soon, so that stackpool_get() need not. For one thread, which calls it again and again. */
void stackpool_tend(struct stackpool *pool);
/* Returns a stack, on which no context runs any more, to the pool. */
void stackpool_put(struct stackpool *pool, void *stack);
/* Returns all stacks, on none of which a context runs any more. No other thread uses the pool. */
void stackpool_put_all(struct stackpool *pool);
void stackpool_free(struct stackpool *pool); /* frees every stack, given back or not */

#endif
