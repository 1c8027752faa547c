/* Ghosts are found from the newest core event alone. While a free run is running, the events between two pictures are too many for that. */
#include "ui/panes/parts/ghosts.h"

static const struct session_event *newest_core(const struct view *v)
{
    for (int i = v->nev - 1; i >= 0; i--)
        if (ev_desc[v->ev[i].ev.kind].level == EV_CORE)
            return &v->ev[i];
    return NULL;
}

struct ghost ghost_of(const struct view *v)
{
    const struct session_event *x = v->st.lockstep || v->st.paused ? newest_core(v) : NULL;
    const struct ev *e = x ? &x->ev : NULL;
    struct ghost none = {0};
    switch (e ? e->kind : EV_KINDS) {
    case EV_STEAL:
        return e->b >> 1 ? (struct ghost){GHOST_RING, e->a & 0xffff, e->b >> 1, 0} : (struct ghost){GHOST_RUNNEXT, e->a & 0xffff, 1, e->g};
    case EV_RUNQ_GET:
        return (struct ghost){GHOST_RING, e->p, 1, e->g};
    case EV_RUNQ_OVERFLOW: /* the last of them was not in the ring */
        return (struct ghost){GHOST_RING, e->p, e->a - 1, 0};
    case EV_RUNNEXT_GET:
        return (struct ghost){GHOST_RUNNEXT, e->p, 1, e->g};
    case EV_G_PARK:
    case EV_G_END:
    case EV_G_PREEMPT:
    case EV_G_YIELD:
        return (struct ghost){GHOST_RUNNING, e->p, 1, e->g};
    case EV_P_RELEASE:
        return (struct ghost){GHOST_M, e->p, 1, x->m};
    default:
        return none;
    }
}

uint32_t ghost_at(const struct view *v, enum ghost_place place, uint32_t p)
{
    struct ghost g = ghost_of(v);
    return g.place == place && g.p == p ? g.id : place == GHOST_M ? EV_NONE : 0;
}
