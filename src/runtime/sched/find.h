/* find_stage and steal_try, with what their M reads there: the values of events.def.
 *
 * These functions only load. They are no gates and no points, and they take no time, so the values change no course. An M that decides before
 * it logs keeps the values that it has read in m.seen. An M that logs before it decides reads them once more, without the lock: what it finds
 * a moment later may differ, because the event's gate comes in between. */
#ifndef GMPSCOPE_RUNTIME_SCHED_FIND_H
#define GMPSCOPE_RUNTIME_SCHED_FIND_H

#include "runtime/sched/proc.h"

static inline struct ev find_ev(const struct m *m, uint32_t stage, uint32_t b, uint32_t c, uint32_t d)
{
    return ev_of(m, EV_FIND_STAGE, 0, stage, b, c, d);
}

static inline struct ev find_when(const struct m *m, uint32_t stage, uint32_t waiters, int64_t when)
{
    struct ev e = find_ev(m, stage, waiters, 0, 0);
    ev_set_cd(&e, when ? when : -1);
    return e;
}

static inline uint32_t find_tick(const struct m *m)
{
    return atomic_load_explicit(&m->p->schedtick, memory_order_relaxed); /* ours */
}

static inline uint32_t find_len(const struct p *pp)
{
    /* relaxed, both: only shown. A thief may move the head between the two */
    uint32_t h = atomic_load_explicit(&pp->runqhead, memory_order_relaxed);
    uint32_t n = atomic_load_explicit(&pp->runqtail, memory_order_relaxed) - h;
    return n > RUNQ_MAX ? 0 : n;
}

static inline uint32_t find_runnext(const struct p *pp)
{
    /* acquire: the G's memory is set up; pairs with the swap in runqput(). It stays for ever, and an id that is out of date is only shown */
    return goid(atomic_load_explicit(&pp->runnext, memory_order_acquire));
}

static inline struct ev find_timers(const struct m *m)
{
    return find_when(m, FIND_TIMERS, 0, timer0when(m->p));
}

static inline struct ev find_local_queue(const struct m *m)
{
    return find_ev(m, FIND_LOCAL, find_tick(m), find_len(m->p), find_runnext(m->p));
}

/* Logs one of the stages up to the look at m's own queue, or defers it, because most searches end there. */
static inline void find_early(struct m *m, struct ev e)
{
    if (may_defer(m, conductor_attention(m->hot)) && m->early.n < EARLY_STAGES) {
        if (repeat_pending(&m->repeat))
            deferred_publish(m, false);
        m->early.e[m->early.n++] = (struct repeat_words){EV_HEAD(e), EV_PAIR(e.a, e.b), EV_PAIR(e.c, e.d)};
    } else {
        emit_gate(m, e);
    }
}

static inline struct ev find_global_queue(const struct m *m, uint32_t stage)
{
    return find_ev(m, stage, stage == FIND_TICK61 ? find_tick(m) : 0, runqsize(m->sched), 0);
}

/* Logs that m is about to look at p2's queue. */
static inline void find_steal_try(struct m *m, const struct p *p2, uint32_t pass)
{
    m->tries += !(conductor_attention(m->hot) & ATTN_RECORDS(EV_DETAIL));
    emit_gate(m, ev_of(m, EV_STEAL_TRY, 0, p2->id, pass, find_len(p2), find_runnext(p2)));
}

static inline uint32_t find_rule(const struct m *m)
{
    return m->seen.spinning | m->seen.busy << 12 | m->seen.rule << 24;
}

static inline struct ev find_steal(const struct m *m)
{
    return find_ev(m, FIND_STEAL, m->seen.waiters, 0, find_rule(m));
}

static inline struct ev find_drop_p(const struct m *m)
{
    /* relaxed: only shown; drop_p() looks again under the lock */
    uint32_t need = SPIN_NEED(atomic_load_explicit(&m->sched->spin, memory_order_relaxed));
    return find_ev(m, FIND_DROP_P, m->seen.waiters, runqsize(m->sched), find_rule(m) | need << 28);
}

#endif
