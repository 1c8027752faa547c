/* See thread.h. `turns` counts the starts and the returns of a thread: it is odd while the thread is at work. */
#include "conductor/thread.h"
#include "conductor/conductor_internal.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

#define RSEQ_LEAST 32u /* bytes that a library registers, also if it uses fewer */

struct thread_pool {
    pthread_mutex_t mu;
    struct thread *idle; /* the thread that was given back last comes first: its stack is warm */
};

struct thread {
    struct thread_config cfg;
    struct thread_pool *pool;
    struct thread *next; /* in pool->idle; under its mu */
    pthread_t self;      /* written by the thread itself: it may be joined before the call that has created it returns */
    bool made;           /* it has a pthread, or is just getting one */
    void *sigstack;
    int no_sigstack;
    void (*fn)(void *); /* NULL: ends */
    void *arg;
    _Atomic uint32_t turns;
};

/* The C library registers each thread's area for restartable sequences, which the kernel then looks after at each switch. No code here has
 * such sequences, and a lockstep run switches every few events: without the area it takes 5 % less time. A kernel that refuses does no
 * harm. */
static void drop_rseq(void)
{
#if defined(RSEQ_SIG) && defined(__x86_64__)
    if (__rseq_size)
        (void)syscall(SYS_rseq, (char *)__builtin_thread_pointer() + __rseq_offset, __rseq_size > RSEQ_LEAST ? __rseq_size : RSEQ_LEAST,
                      RSEQ_FLAG_UNREGISTER, RSEQ_SIG);
#endif
}

/* --- on the thread ------------------------------------------------------------------------------------------------ */

static void take_turn(struct thread *t)
{
    /* release: what fn did, or what the starter has written; pairs with await_turn() */
    atomic_fetch_add_explicit(&t->turns, 1, memory_order_release);
    futex_wake(&t->turns, INT_MAX);
}

/* Waits until "t is at work" has the value at_work. */
static void await_turn(struct thread *t, bool at_work)
{
    uint32_t seen;
    /* acquire: pairs with take_turn() */
    while (((seen = atomic_load_explicit(&t->turns, memory_order_acquire)) & 1) != at_work)
        futex_wait(&t->turns, seen, -1);
}

static void *live(void *arg)
{
    struct thread *t = arg;
    struct thread_pool *pool = t->pool;
    stack_t ss = {.ss_sp = t->sigstack, .ss_size = t->cfg.sigstack}, off = {.ss_flags = SS_DISABLE};
    t->self = pthread_self();
    drop_rseq();
    t->no_sigstack = sigaltstack(&ss, NULL) < 0 ? errno : 0;
    do {
        t->fn(t->arg);
        if (!pool)
            break;
        take_turn(t);
        await_turn(t, true);
    } while (t->fn);
    sigaltstack(&off, NULL);
    return NULL;
}

int thread_no_sigstack(const struct thread *t)
{
    return t->no_sigstack;
}

/* --- its user ----------------------------------------------------------------------------------------------------- */

static void thread_free(struct thread *t)
{
    if (t->made)
        pthread_join(t->self, NULL);
    free(t->sigstack);
    free(t);
}

static struct thread *take_idle(struct thread_pool *pool)
{
    pthread_mutex_lock(&pool->mu);
    struct thread *t = pool->idle;
    pool->idle = t ? t->next : NULL;
    pthread_mutex_unlock(&pool->mu);
    return t;
}

struct thread *thread_new(struct thread_pool *pool, const struct thread_config *cfg)
{
    struct thread *t = pool ? take_idle(pool) : NULL;
    if (t || !(t = calloc(1, sizeof *t)))
        return t;
    t->cfg = *cfg;
    t->pool = pool;
    if ((t->sigstack = malloc(cfg->sigstack)))
        return t;
    free(t);
    return NULL;
}

/* Once the thread runs, t belongs to the thread and to the caller of thread_join(). */
static int make_thread(struct thread *t)
{
    pthread_t id;
    pthread_attr_t attr;
    sigset_t old;
    int err = pthread_attr_init(&attr);
    if (err)
        return err;
    pthread_attr_setstacksize(&attr, t->cfg.stack);
    t->made = true;
    pthread_sigmask(SIG_SETMASK, &t->cfg.blocked, &old);
    err = pthread_create(&id, &attr, live, t);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attr);
    if (err)
        t->made = false;
    return err;
}

int thread_start(struct thread *t, void (*fn)(void *arg), void *arg)
{
    t->fn = fn;
    t->arg = arg;
    if (t->made) {
        take_turn(t);
        return 0;
    }
    /* relaxed: pthread_create() shows it to the thread, and only this thread reads it if that fails */
    atomic_store_explicit(&t->turns, 1, memory_order_relaxed);
    int err = make_thread(t);
    if (err)
        atomic_store_explicit(&t->turns, 0, memory_order_relaxed);
    return err;
}

void thread_join(struct thread *t)
{
    struct thread_pool *pool = t->pool;
    if (!pool) {
        thread_free(t);
        return;
    }
    await_turn(t, false);
    pthread_mutex_lock(&pool->mu);
    t->next = pool->idle;
    pool->idle = t;
    pthread_mutex_unlock(&pool->mu);
}

struct thread_pool *thread_pool_new(void)
{
    struct thread_pool *pool = calloc(1, sizeof *pool);
    if (pool)
        pthread_mutex_init(&pool->mu, NULL);
    return pool;
}

void thread_pool_free(struct thread_pool *pool)
{
    if (!pool)
        return;
    for (struct thread *t; (t = take_idle(pool));) {
        t->fn = NULL;
        if (t->made)
            take_turn(t);
        thread_free(t);
    }
    pthread_mutex_destroy(&pool->mu);
    free(pool);
}
