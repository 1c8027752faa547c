/* Which CPU an M wakes up on. The kernel likes to wake a thread on its waker's CPU, even while another CPU is idle,
 * because an idle CPU is expensive to start in a virtual machine. Two Ms then share one CPU for milliseconds, and no
 * third M is woken, because an M that is awake counts as searching for work. So before a waker wakes an M, it makes
 * the kernel keep that M off the waker's own CPU; the call costs less than the wake-up. The M undoes this as soon as
 * it runs, so no M is bound for longer than a wake-up.
 *
 * The same holds for an M that spins in its note and has lost its CPU. No call wakes it, so it would wait for its
 * next turn behind the waker. While an M spins, it keeps writing the time to `spun`; an old time shows that it does
 * not run.
 *
 * All this is only for speed, so errors are ignored. */
#include "conductor/conductor_internal.h"
#include <unistd.h>

#define LOST_NS 2000 /* a spinning M that has not noted the time for this long does not run */

void place_enter(struct waiter *w)
{
    atomic_store_explicit(&w->tid, gettid(), memory_order_release); /* release: pairs with place_apart() */
}

/* Caller: any M that is about to wake w or has just woken it. */
void place_apart(struct waiter *w)
{
    size_t cpu = (size_t)sched_getcpu(); /* a failure becomes larger than any CPU's number */
    /* acquire: pairs with place_enter() */
    int tid = atomic_load_explicit(&w->tid, memory_order_acquire);
    if (!w->c->many_cpus || tid == 0 || cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, &w->c->cpus))
        return;
    cpu_set_t others = w->c->cpus;
    CPU_CLR(cpu, &others);
    if (sched_setaffinity(tid, sizeof others, &others) == 0)
        /* release: set after the call, so that the M that sees the flag undoes the call; pairs with place_anywhere(). If w already runs and
         * does not see the flag, it undoes the call after its next rest. */
        atomic_store_explicit(&w->kept_off, true, memory_order_release);
}

void place_spinner(struct waiter *w)
{
    int64_t t = atomic_load_explicit(&w->spun, memory_order_relaxed); /* relaxed: a hint */
    if (t && clock_mono() - t > LOST_NS)
        place_apart(w);
}

void place_spins(struct waiter *w, int64_t now)
{
    atomic_store_explicit(&w->spun, now, memory_order_relaxed); /* relaxed: a hint for place_spinner() */
}

void place_anywhere(struct waiter *w)
{
    /* relaxed: checked again below; acquire there: pairs with place_apart() */
    if (!atomic_load_explicit(&w->kept_off, memory_order_relaxed))
        return;
    if (atomic_exchange_explicit(&w->kept_off, false, memory_order_acquire))
        sched_setaffinity(0, sizeof w->c->cpus, w->pinned == 1 ? &w->c->one_cpu : &w->c->cpus);
}
