/* On which CPU an M wakes up. The kernel likes to wake a thread on the CPU of the one who wakes it, even while another is idle: in a
 * virtual machine an idle CPU is expensive to start. Two Ms then share one CPU for milliseconds, and nobody wakes a third one, for one
 * that is awake counts as looking for work. So who wakes an M first has the kernel keep it off the waker's own CPU, which is one call and
 * costs less than the wake-up; the M itself takes that back as soon as it runs. Nobody is bound to a CPU for longer than a wake-up.
 *
 * The same goes for an M that spins in its note and has lost its CPU meanwhile: no call wakes it, so it would wait for its next turn
 * behind the waker. `spun` tells: while it spins it notes the time again and again.
 *
 * Nothing here is needed for anything but speed: what fails is left as it is.
 */
#include "conductor/conductor_internal.h"
#include <unistd.h>

#define LOST_NS 2000             /* who spins and has not noted the time for so long, does not run */

void place_enter(struct waiter *w)
{
    atomic_store_explicit(&w->tid, gettid(), memory_order_release); /* release: pairs with place_apart() */
}

/* Any M, which is about to wake w or has just woken it. */
void place_apart(struct waiter *w)
{
    size_t cpu = (size_t)sched_getcpu(); /* a failure becomes larger than any CPU's number */
    /* acquire: pairs with place_enter() */
    int tid = atomic_load_explicit(&w->tid, memory_order_acquire);
    if (!w->c->can_pin || !w->c->many_cpus || tid == 0 || cpu >= CPU_SETSIZE || !CPU_ISSET(cpu, &w->c->cpus))
        return;
    cpu_set_t others = w->c->cpus;
    CPU_CLR(cpu, &others);
    if (sched_setaffinity(tid, sizeof others, &others) == 0)
        /* release: after the call, so that who sees it undoes it; pairs with place_anywhere(). If w runs already and sees it not, it
         * does so after its next rest. */
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
    /* relaxed: looked at again below; acquire there: pairs with place_apart() */
    if (!atomic_load_explicit(&w->kept_off, memory_order_relaxed))
        return;
    if (atomic_exchange_explicit(&w->kept_off, false, memory_order_acquire))
        sched_setaffinity(0, sizeof w->c->cpus, w->pinned == 1 ? &w->c->one_cpu : &w->c->cpus);
}
