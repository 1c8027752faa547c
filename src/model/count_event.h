/* Counts events for the summary; every counter is defined here. apply() in fold.c is compiled once for each kind, so at most one line of
 * each switch remains. */
#ifndef GMPSCOPE_MODEL_COUNT_EVENT_H
#define GMPSCOPE_MODEL_COUNT_EVENT_H

#include "model/fold_internal.h"

/* Returns true if the last queue that the G left was a runnext: that of its P (runnext_get) or of a victim. */
static ALWAYS_INLINE bool ran_from_runnext(const struct fold *f)
{
    return f->g->via == PLACE_RUNNEXT;
}

static ALWAYS_INLINE void count_g(struct counters *c, const struct fold *f, enum ev_kind kind)
{
    const struct ev *e = f->e;
    switch (kind) {
    case EV_G_CREATE:
        c->goroutines += !ev_is_system_g(e->g) || e->c; /* those that the runtime starts before main have a number, as in Go */
        break;
    case EV_G_START:
        c->rounds++;
        c->runnext_runs += ran_from_runnext(f);
        break;
    case EV_G_PARK:
        c->parks++;
        break;
    case EV_G_READY:
        c->wakes++;
        break;
    case EV_G_PREEMPT:
        c->preempts++;
        c->async_preempts += e->b == PREEMPT_ASYNC;
        break;
    case EV_SYSCALL_ENTER:
    case EV_SYSCALL_BLOCK:
        c->syscalls += !ev_is_system_g(e->g); /* a timerproc's sleep is not a system call of the program */
        break;
    default:
        break;
    }
}

static ALWAYS_INLINE void count_queue(struct counters *c, const struct ev *e, enum ev_kind kind)
{
    switch (kind) {
    case EV_STEAL:
        c->steals++;
        c->stolen += e->b >> 1;
        break;
    case EV_STEAL_TRY:
        c->steal_tries++;
        break;
    case EV_G_START: /* the end of a search carries the tries that were not recorded */
        c->steal_tries += e->c;
        break;
    case EV_M_PARK:
        c->steal_tries += e->b;
        break;
    case EV_RUNQ_OVERFLOW:
        c->runq_overflows++;
        c->overflowed += e->a;
        break;
    case EV_GLOBQ_GET:
        c->globq_gets++;
        c->fairness_gets += e->b == GLOBQ_TICK61;
        break;
    case EV_TIMER_FIRE:
        c->timers_fired++;
        break;
    default:
        break;
    }
}

static ALWAYS_INLINE void count_m(struct counters *c, const struct ev *e, enum ev_kind kind)
{
    switch (kind) {
    case EV_SPIN_START:
        c->spins++;
        break;
    case EV_M_START: /* an M that starts or wakes spinning counts as a spin */
        c->m_created++;
        c->spins += e->a & 1;
        break;
    case EV_M_WAKE:
        c->spins += e->c & 1;
        break;
    case EV_M_PARK:
        c->rounds++;
        c->m_parks++;
        break;
    case EV_HANDOFF:
        c->handoffs++;
        break;
    case EV_RETAKE:
        c->retakes++;
        break;
    case EV_NETPOLL_WAIT:
        c->netpolls++;
        break;
    case EV_STW_START:
        c->stws++;
        break;
    case EV_POLICY_WRONG:
        c->policy_wrong++;
        break;
    default:
        break;
    }
}

static ALWAYS_INLINE void count_event(const struct fold *f, enum ev_kind kind)
{
    struct counters *c = &f->md->counters;
    count_g(c, f, kind);
    count_queue(c, f->e, kind);
    count_m(c, f->e, kind);
}

#endif
