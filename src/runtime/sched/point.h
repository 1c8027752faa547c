/* The points of a program: rt_point() and rt_back_edge().
 *
 * A program passes one or two for each operation, and usually they have nothing to do. Then a call and its return would cost more than the
 * point itself. So they are inline, and the interpreter includes this file in addition to runtime.h.
 *
 * All on a G stack. May switch.
 */
#ifndef GMPSCOPE_RUNTIME_SCHED_POINT_H
#define GMPSCOPE_RUNTIME_SCHED_POINT_H

#include "runtime/sched/emit.h"
#include "runtime/sched/park.h"

void point_slow(struct m *m);  /* the rest of rt_point() (api.c). Caller: m */
void async_preempt_self(void); /* preempt.c: acts as if a signal arrived here */

/* A gate between operations: at each scenario operation and loop iteration (src/DESIGN.md, Gates and baton points). */
static inline void rt_point(void)
{
    struct m *m = getm();
    set_intent(m, INTENT_OP);
    if (__builtin_expect((conductor_attention(m->hot) & ATTN_CLOSER) != 0 || gc_marking(m->sched) || m->repeat.open, 0))
        point_slow(m);
}

/* Called at the end of each turn of a loop. A G that was asked to stop is preempted here, as by a signal, if the scheduler preempts
 * asynchronously. A loop without calls has no safe points; since Go 1.14 a signal interrupts it. Here the interpreter runs such a loop, and no
 * signal may interrupt the interpreter. So the loop is cut here, as a tight computation is in lockstep. */
static inline void rt_back_edge(void)
{
    const struct m *m = getm();
    /* relaxed: a hint, as in safepoint() */
    if (__builtin_expect(atomic_load_explicit(&curg(m)->preempt, memory_order_relaxed), 0) && m->sched->cfg.async_preempt)
        async_preempt_self();
}

/* Where a function begins: a cooperative safe point. */
static inline void rt_call_edge(void)
{
    (void)safe_getm();
}

/* compute.c. The G has run for ns, in which no other could notice anything. rt_ran(): short; not a point. rt_turn(): at the end of a turn of a loop or,
 * `call`, where a function begins: a point. Returns how much of ns has passed. In free mode the clock runs by itself. */
void rt_ran(int64_t ns);
int64_t rt_turn(int64_t ns, bool call);

/* Before a G reads or writes an integer that other Gs share. Not a point. */
static inline void rt_touch_shared(void)
{
    explore_touch(getm(), FOOT_SHARED);
}

/* The same for one of many, by its number. */
static inline void rt_touch(uint64_t number, bool write)
{
    explore_touch(getm(), FOOT_OBJECT(number * 2654435761u >> 8) | (write ? 0 : FOOT_READS));
}

/* In the middle of a write to one of many, which another G may notice. A point only for fine runs. */
static inline void rt_within(uint64_t number)
{
    explore_at(getm(), FOOT_OBJECT(number * 2654435761u >> 8));
}

#endif
