/* The fold of LockOSThread: locked Gs and Ms, Ms that sleep until their G can run, Ms that exit with it. */
#include "model/fold_internal.h"

enum offer fold_g_lock_m(const struct fold *f)
{
    enum offer r = is_curg(f, G_RUNNING);
    if (r)
        return r;
    if (f->mm->lockedg && f->mm->lockedg != f->e->g)
        return fold_broken(f, "M%u is locked to G%u", f->m, f->mm->lockedg);
    f->mm->lockedg = f->e->g;
    return OFFER_APPLIED;
}

enum offer fold_g_unlock_m(const struct fold *f)
{
    enum offer r = is_curg(f, G_RUNNING);
    if (r)
        return r;
    if (f->mm->lockedg != f->e->g)
        return fold_broken(f, "M%u is locked to G%u", f->m, f->mm->lockedg);
    if (f->e->b == 0)
        f->mm->lockedg = 0;
    return OFFER_APPLIED;
}

enum offer fold_m_park_locked(const struct fold *f)
{
    if (f->mm->lockedg != f->e->g)
        return fold_broken(f, "M%u is locked to G%u", f->m, f->mm->lockedg);
    if (f->mm->p != EV_NONE)
        return fold_broken(f, "M%u has P%u", f->m, f->mm->p);
    f->mm->idlelocked++;
    return OFFER_APPLIED;
}

/* Moves the G in transit from the M that found it to its own M, which may not sleep yet. */
enum offer fold_m_wake_locked(const struct fold *f)
{
    uint32_t t = f->e->a, at;
    enum offer r = is_in_transit(f, &at);
    if (r)
        return r;
    if (t >= f->md->nm || t == f->m || f->md->m[t].lockedg != f->e->g)
        return fold_broken(f, "G%u is not locked to M%u", f->e->g, t);
    if (f->md->m[t].idlelocked < 0)
        return fold_broken(f, "M%u is awake already", t);
    transit_remove(f->mm, at, 1);
    transit_add(f->md, &f->md->m[t], f->e->g);
    f->g->where = t;
    f->md->m[t].idlelocked--;
    f->md->m[t].since = f->e->time;
    return OFFER_APPLIED;
}

enum offer fold_m_exit(const struct fold *f)
{
    if (f->mm->p != EV_NONE || f->mm->curg || f->mm->transit_n)
        return fold_broken(f, "M%u still has a P or Gs", f->m);
    f->mm->exited = true;
    return OFFER_APPLIED;
}
