/* What an M is about to do, for a person who decides which M goes next. While the runtime runs, it stores only one byte for this, for
 * gates without an event (set_intent() in m.h). The rest is derived when the world has stopped. */
#include "runtime/sched/proc.h"

static struct m *find_m(struct sched *s, uint32_t id)
{
    struct m *m = atomic_load_explicit(&s->allm, memory_order_acquire); /* pairs with mnew() */
    while (m && m->id != id)
        m = m->alllink;
    return m;
}

/* Returns the row for the wait that m leaves next, or for the gate after which it continues. */
static enum intent_kind what_next(const struct m *m)
{
    static const uint8_t after_wait[] = {
        [WAIT_GATE] = INTENT_EVENT,       [WAIT_NOTE] = INTENT_WOKEN,     [WAIT_SLEEP] = INTENT_NAP,       [WAIT_BLOCK] = INTENT_KERNEL,
        [WAIT_COMPUTE] = INTENT_COMPUTED, [WAIT_NETPOLL] = INTENT_POLLED, [WAIT_LOCK] = INTENT_LOCK_AGAIN,
    };
    enum conductor_wait wait = waiter_wait(m->w);
    if (!m->started)
        return INTENT_BORN;
    if (wait == WAIT_GATE)
        return (enum intent_kind)m->intent;
    if (wait == WAIT_SLEEP && m->kind == MK_SYSMON)
        return INTENT_SYSMON_NAP;
    if (wait == WAIT_SLEEP && m->intent == INTENT_RUNNEXT_NAP)
        return INTENT_RUNNEXT_NAP;
    return (enum intent_kind)after_wait[wait];
}

bool rt_next(struct sched *s, uint32_t id, struct intent *out, const void **arg)
{
    const struct m *m = find_m(s, id);
    if (!m || !m->w)
        return false;
    const struct g *gp = curg(m);
    const struct p *pp = m->p ? m->p : m->callp;
    *out = (struct intent){.what = what_next(m), .g = gp ? goid(gp) : 0, .p = pp ? pp->id : EV_NO_P, .lock = m->intent_lock};
    *arg = gp && !ev_is_system_g(goid(gp)) ? gp->arg : NULL;
    return true;
}

void rt_args(struct sched *s, rt_show_arg *show, void *ctx)
{
    for (struct g *gp = s->allgs; gp; gp = gp->allnext) {
        uint32_t status = atomic_load_explicit(&gp->status, memory_order_relaxed); /* stopped: see snap.c */
        if (status != G_DEAD && status != G_IDLE && !ev_is_system_g(goid(gp)))
            show(ctx, goid(gp), gp->arg);
    }
}

uint32_t rt_steal_order(const struct sched *s, uint32_t outcome, uint32_t *p, uint32_t max)
{
    uint32_t n = gomaxprocs(s), pos = outcome % n, step = s->gen->steal_step ? s->gen->steal_step(s, outcome) : 1;
    for (uint32_t i = 0; i < n && i < max; i++, pos = (pos + step) % n)
        p[i] = pos;
    return n < max ? n : max;
}
