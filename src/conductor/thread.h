/* The threads of Ms. A thread starts with a stack for signal handlers and with the signal mask that it keeps.
 *
 * A short run takes less time than its threads take to begin and to end. Therefore a pool keeps threads between runs: a thread whose
 * function has returned sleeps until the pool has another one for it. */
#ifndef GMPSCOPE_CONDUCTOR_THREAD_H
#define GMPSCOPE_CONDUCTOR_THREAD_H

#include <signal.h>
#include <stddef.h>

struct thread;
struct thread_pool;

struct thread_pool *thread_pool_new(void);       /* NULL: out of memory */
void thread_pool_free(struct thread_pool *pool); /* ends its threads, all of which are joined; NULL: none */

struct thread_config {
    size_t stack, sigstack; /* bytes */
    sigset_t blocked;
};

/* Returns a thread that has nothing to do yet, from the pool or a new one. pool NULL: it ends when its function has returned. All threads of a
 * pool have the same configuration. NULL: out of memory. */
struct thread *thread_new(struct thread_pool *pool, const struct thread_config *cfg);
/* Runs fn(arg) on t. Returns 0, or pthread_create()'s errno; then t still has nothing to do. Once for each thread_new(). */
int thread_start(struct thread *t, void (*fn)(void *arg), void *arg);
/* Waits until fn has returned, if t was started, and gives t back. */
void thread_join(struct thread *t);
/* Returns the errno of sigaltstack() if it failed, else 0. Caller: fn. */
int thread_no_sigstack(const struct thread *t);

#endif
