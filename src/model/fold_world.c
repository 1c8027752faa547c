/* The fold of stopping and starting the world, and of procresize. */
#include "model/fold_internal.h"

enum offer fold_stw_start(const struct fold *f)
{
    if (!ev_word(FT_STWWHY, f->e->a))
        return fold_broken(f, "why is %u", f->e->a);
    f->md->gcwaiting = true;
    f->md->world = (struct model_world){WORLD_STOPS, f->md->world.phase, f->m, f->e->a, f->e->time};
    return OFFER_APPLIED;
}

enum offer fold_stw_end(const struct fold *f)
{
    f->md->gcwaiting = false;
    f->md->world = (struct model_world){.phase = f->md->world.phase};
    return OFFER_APPLIED;
}

enum offer fold_gc_phase(const struct fold *f)
{
    if (!ev_word(FT_GCPHASE, f->e->a))
        return fold_broken(f, "phase is %u", f->e->a);
    f->md->world.phase = (enum gc_phase_kind)f->e->a;
    return OFFER_APPLIED;
}

/* The stopper keeps its P; the other Ps have no M. */
enum offer fold_p_gcstop(const struct fold *f)
{
    bool own = f->e->c == GCSTOP_STOPPER, syscall = f->e->c == GCSTOP_SYSCALL || f->e->c == GCSTOP_ENTERSYSCALL;
    bool gives = f->e->c == GCSTOP_ENTERSYSCALL && f->mm->p == f->e->p; /* before it enters the call, as since 1.26 */
    if (!f->md->gcwaiting)
        return fold_broken(f, "nobody stops the world");
    enum offer r = gives     ? p_is(f, P_RUNNING, f->m)
                   : syscall ? take_from_call(f, P_GCSTOP)
                             : p_is(f, own ? P_RUNNING : P_IDLE, own ? f->m : EV_NONE);
    if (r)
        return r;
    if (gives) {
        p_unbind(f, P_GCSTOP);
        f->mm->oldp = f->e->p;
    }
    f->md->p[f->e->p].status = P_GCSTOP;
    if (f->e->d == 0)
        f->md->world.state = WORLD_STOPPED;
    return OFFER_APPLIED;
}

/* At the start the logging M gets P0; the other Ps are idle. */
static enum offer first_procresize(const struct fold *f)
{
    struct model *md = f->md;
    if (!model_p_resize(md, f->e->b))
        return fold_lacks(f);
    for (uint32_t i = 0; i < md->np; i++)
        md->p[i].seq = 1;
    for (uint32_t i = 1; i < md->np; i++)
        deque_push_back(md, &md->idlep, f->e->d == PROCRESIZE_LAST_FIRST ? md->np - i : i);
    md->npidle = md->np - 1;
    md->boot_m = f->m;
    p_bind(f, 0);
    md->p[0].schedtick = md->cfg.start_tick;
    return OFFER_APPLIED;
}

static enum offer all_stand_still(const struct fold *f)
{
    for (uint32_t i = 0; i < f->md->np; i++)
        if (f->md->p[i].status != P_GCSTOP)
            return fold_broken(f, "P%u has status %u, the world is not stopped", i, f->md->p[i].status);
    if (f->mm->p == EV_NONE)
        return fold_broken(f, "M%u has no P", f->m);
    return OFFER_APPLIED;
}

/* Advances the sequence number of each remaining P. An M that has a surplus P loses it. */
enum offer fold_procresize(const struct fold *f)
{
    struct model *md = f->md;
    if (md->np == 0 && f->e->a != 0) { /* a generation without Ps: only a number changes */
        md->procs = f->e->b;
        return OFFER_APPLIED;
    }
    if (f->e->a != md->np)
        return fold_broken(f, "Ps were %u, the record says %u", md->np, f->e->a);
    if (f->e->b == 0 || f->e->b >= EV_NO_P)
        return fold_broken(f, "%u Ps", f->e->b);
    if (md->np == 0)
        return first_procresize(f);
    enum offer r = all_stand_still(f);
    if (r)
        return r;
    if (!model_p_resize(md, f->e->b))
        return fold_lacks(f);
    uint32_t own = f->mm->p;
    for (uint32_t i = 0; i < md->np; i++) {
        md->p[i].status = i == own ? P_RUNNING : P_IDLE;
        md->p[i].seq++;
    }
    if (own >= md->np) {
        md->p[own].m = EV_NONE;
        f->mm->p = EV_NONE;
    }
    return OFFER_APPLIED;
}

/* A P may be destroyed only when it is surplus and holds no Gs or timers. */
enum offer fold_p_destroy(const struct fold *f)
{
    const struct model_p *p = &f->md->p[f->e->p];
    enum offer r = p_is(f, P_GCSTOP, EV_NONE);
    if (r)
        return r;
    if (f->e->p < f->md->np || p->head != p->tail || p->runnext || (p->ntimers && !f->md->cfg.heaps_stay))
        return fold_broken(f, "P%u is still in use", f->e->p);
    f->md->p[f->e->p].status = P_DEAD;
    return OFFER_APPLIED;
}

enum offer fold_runq_pop(const struct fold *f)
{
    enum offer r = find_p(f, f->e->p);
    if (r)
        return r;
    struct model_p *p = &f->md->p[f->e->p];
    if (p->status != P_GCSTOP)
        return fold_broken(f, "P%u has status %u, it is in use", f->e->p, p->status);
    if ((r = number_now(f, "slot", p->tail - 1, f->e->a)))
        return r;
    if (p->tail == p->head || *ring_slot(f->md, p, f->e->a) != f->e->g)
        return fold_broken(f, "G%u is not at P%u's tail", f->e->g, f->e->p);
    p->tail--;
    g_to_transit(f);
    return OFFER_APPLIED;
}

enum offer fold_runq_drain(const struct fold *f)
{
    uint32_t n = f->e->a, head = f->e->b;
    enum offer r = ring_has(f, f->e->p, head, n, 0);
    if (r)
        return r;
    if (n == 0)
        return fold_broken(f, "nothing was taken");
    struct model_p *p = &f->md->p[f->e->p];
    for (uint32_t i = 0; i < n; i++)
        to_transit(f, *ring_slot(f->md, p, head + i));
    p->head = head + n;
    return OFFER_APPLIED;
}

enum offer fold_timer_move(const struct fold *f)
{
    uint32_t from = f->e->b & 0xffff;
    enum offer r = find_p(f, from);
    if (r)
        return r;
    struct snap_timer t = {ev_cd(f->e), f->e->g, f->e->b >> 16 & 3, 0, (uint8_t)(f->e->b >> 24)};
    if (!timers_remove(&f->md->p[from], &t))
        return fold_broken(f, "P%u has no timer of G%u for %lld", from, f->e->g, (long long)ev_cd(f->e));
    timers_insert(f->md, &f->md->p[f->e->p], t);
    return OFFER_APPLIED;
}
