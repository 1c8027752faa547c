/* The fold of events of Gs: creation, running, parking, readying, the end, system calls. */
#include "model/fold_internal.h"

/* ---- Gs ---- */

enum offer fold_g_create(const struct fold *f)
{
    const struct ev *e = f->e;
    struct model_g *g = f->g;
    g->by = e->a;
    g->fn = e->b;
    g->i = e->c;
    g->seq = 1;
    use_of(f->md, g)->created++;
    set_status(f, G_RUNNABLE);
    g_to_transit(f);
    return OFFER_APPLIED;
}

enum offer fold_g_start(const struct fold *f)
{
    uint32_t at;
    enum offer r = is_in_transit(f, &at);
    if (r || (r = is_my_p(f)))
        return r;
    if (f->mm->curg)
        return fold_broken(f, "M%u still runs G%u", f->m, f->mm->curg);
    latency_add(&f->md->latency, f->e->time - f->g->since);
    meters_start(f);
    transit_remove(f->mm, at, 1);
    set_status(f, G_RUNNING);
    put_at(f->g, PLACE_RUNNING, f->m, 0);
    f->mm->curg = f->e->g;
    if (f->mm->p != EV_NONE && !(f->e->b & 1))
        f->md->p[f->mm->p].schedtick++;
    return OFFER_APPLIED;
}

enum offer fold_g_park(const struct fold *f)
{
    enum offer r = is_curg(f, G_RUNNING);
    if (r)
        return r;
    if (!ev_word(FT_REASON, f->e->b & 0xffff))
        return fold_broken(f, "reason is %u", f->e->b & 0xffff);
    set_status(f, G_WAITING);
    f->g->reason = (uint16_t)f->e->b;
    f->g->front = f->e->b >> 16 & 1;
    f->g->obj = f->e->c;
    put_at(f->g, PLACE_WAITING, 0, 0);
    f->mm->curg = 0;
    return OFFER_APPLIED;
}

enum offer fold_g_yield(const struct fold *f) /* also folds g_preempt */
{
    enum offer r = is_curg(f, G_RUNNING);
    if (r)
        return r;
    set_status(f, G_RUNNABLE);
    f->mm->curg = 0;
    g_to_transit(f);
    return OFFER_APPLIED;
}

enum offer fold_g_end(const struct fold *f)
{
    enum offer r = is_curg(f, G_RUNNING);
    if (r)
        return r;
    set_status(f, G_DEAD);
    use_of(f->md, f->g)->ended++;
    put_at(f->g, PLACE_DEAD, 0, 0);
    f->mm->curg = f->mm->lockedg = 0;
    return OFFER_APPLIED;
}

enum offer fold_g_ready(const struct fold *f)
{
    struct model_g *g = f->g;
    if (g->status != G_WAITING)
        return fold_broken(f, "G%u has status %u, it does not wait", f->e->g, g->status);
    set_status(f, G_RUNNABLE);
    if (g->reason == WAIT_REASON_IO_WAIT)
        g->came = EV_NETPOLL_READY;
    if (g->reason == WAIT_REASON_SELECT)
        cases_drop(f->md, g->id);
    f->md->readied_obj = g->obj;
    f->md->readied_reason = g->reason;
    g->reason = WAIT_REASON_NONE;
    g->obj = 0;
    g_to_transit(f);
    return OFFER_APPLIED;
}

/* ---- system calls ---- */

enum offer fold_syscall_enter(const struct fold *f)
{
    enum offer r = is_curg(f, G_RUNNING);
    bool no_p = f->e->p == EV_NO_P;
    if (r || (r = is_my_p(f)) || (!no_p && (r = p_is(f, P_RUNNING, f->m))))
        return r;
    set_status(f, G_SYSCALL);
    f->mm->syscall = true;
    if (no_p)
        return OFFER_APPLIED;
    f->mm->wired = f->e->d & 1;
    if (!f->mm->wired)
        p_unbind(f, P_SYSCALL);
    f->mm->oldp = f->e->p;
    return OFFER_APPLIED;
}

enum offer fold_syscall_block(const struct fold *f)
{
    enum offer r = is_curg(f, G_RUNNING);
    if (r)
        return r;
    set_status(f, G_SYSCALL);
    f->mm->syscall = true;
    return OFFER_APPLIED;
}

static enum offer exit_with_old_p(const struct fold *f)
{
    if (f->mm->p == f->e->p) /* it has stayed with its M */
        return p_is(f, P_RUNNING, f->m);
    enum offer r = p_is(f, P_SYSCALL, EV_NONE);
    if (r)
        return r;
    if (f->mm->p != EV_NONE)
        return fold_broken(f, "M%u has P%u", f->m, f->mm->p);
    p_bind(f, f->e->p);
    return OFFER_APPLIED;
}

static enum offer exit_with_idle_p(const struct fold *f)
{
    if (f->mm->p == EV_NONE)
        return fold_broken(f, "M%u has no P", f->m);
    return is_my_p(f);
}

static enum offer exit_without_p(const struct fold *f)
{
    if (p_is_in_call(f->md, f->mm->p)) /* whoever took it has yet to say so */
        return OFFER_NOT_YET;
    if (f->mm->p != EV_NONE && !f->md->cfg.lacks) /* Go's trace has the new P first */
        return fold_broken(f, "M%u has P%u", f->m, f->mm->p);
    return OFFER_APPLIED;
}

enum offer fold_syscall_exit(const struct fold *f)
{
    static enum offer (*const exits[])(const struct fold *) = {
        [EXITSYSCALL_OLD_P] = exit_with_old_p,
        [EXITSYSCALL_IDLE_P] = exit_with_idle_p,
        [EXITSYSCALL_NO_P] = exit_without_p,
        [EXITSYSCALL_CPU] = exit_without_p,
        [EXITSYSCALL_TAKEN_BACK] = exit_with_idle_p};
    enum offer r = is_curg(f, G_SYSCALL);
    if (r)
        return r;
    if (f->e->d >= sizeof exits / sizeof *exits)
        return fold_broken(f, "how is %u", f->e->d);
    if ((r = exits[f->e->d](f)))
        return r;
    f->mm->syscall = f->mm->wired = false;
    f->mm->oldp = EV_NONE;
    if (f->e->d != EXITSYSCALL_NO_P) {
        set_status(f, G_RUNNING);
        return OFFER_APPLIED;
    }
    set_status(f, G_RUNNABLE);
    f->mm->curg = 0;
    g_to_transit(f);
    return OFFER_APPLIED;
}
