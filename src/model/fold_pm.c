/* The fold of events of Ms and Ps: spinning, idle lists, acquiring and releasing Ps, the poller, the end. */
#include "model/fold_internal.h"
#include "model/suppose.h"

/* ---- spinning ---- */

enum offer fold_spin_start(const struct fold *f)
{
    if (f->mm->spinning)
        return fold_broken(f, "M%u spins already", f->m);
    if (f->e->a != f->md->nmspinning + 1)
        return fold_broken(f, "nmspinning %u after %u", f->e->a, f->md->nmspinning);
    f->mm->spinning = true;
    f->md->nmspinning = f->e->a;
    f->md->demand_gone |= f->md->needspinning && f->md->inflight > 0;
    f->md->needspinning = false;
    conserve_searched(f->md);
    judge_spinning(f);
    return OFFER_APPLIED;
}

enum offer fold_spin_stop(const struct fold *f)
{
    bool given_up = f->e->c == SPIN_STOP_NO_IDLE_P; /* a wake-up in flight was counted, but no M spins for it */
    if (!given_up && !f->mm->spinning)
        return fold_broken(f, "M%u does not spin", f->m);
    if (f->md->nmspinning == 0 || f->e->a != f->md->nmspinning - 1)
        return fold_broken(f, "nmspinning %u after %u", f->e->a, f->md->nmspinning);
    f->md->nmspinning = f->e->a;
    if (given_up) {
        f->md->inflight--;
        conserve_given_up(f->md);
    } else {
        f->mm->spinning = false;
    }
    return OFFER_APPLIED;
}

enum offer fold_wakep(const struct fold *f)
{
    if (f->md->nmspinning != 0)
        return fold_broken(f, "nmspinning is %u, not 0", f->md->nmspinning);
    f->md->nmspinning = 1;
    conserve_searched(f->md);
    f->md->demand_gone = false;
    f->md->inflight++;
    if (f->e->a == WAKEP_HANDOFF)
        f->md->needspinning = false;
    return OFFER_APPLIED;
}

enum offer fold_needspinning(const struct fold *f)
{
    f->md->needspinning = f->e->a & 1;
    return OFFER_APPLIED;
}

/* ---- Ms ---- */

/* Moves the G in transit from the M that gave it. That M's events may be folded after this one. */
enum offer fold_m_nextg(const struct fold *f)
{
    uint32_t by = f->e->b;
    struct model_m *from = by < f->md->nm ? &f->md->m[by] : NULL;
    uint32_t at = from ? transit_find(from, f->e->g) : 0;
    if (!from || at == from->transit_n)
        return OFFER_NOT_YET;
    if (by == f->m)
        return fold_broken(f, "M%u gives to itself", by);
    transit_remove(from, at, 1);
    g_to_transit(f);
    return OFFER_APPLIED;
}

enum offer fold_m_start(const struct fold *f)
{
    struct model_m *mm = model_m_add(f->md, f->m);
    if (!mm)
        return fold_lacks(f);
    mm->started = true;
    mm->spinning = f->e->a & 1;
    f->md->inflight -= mm->spinning;
    mm->sysmon = f->e->c & 1;
    mm->template = f->e->c >> 1 & 1;
    mm->since = f->e->time;
    return OFFER_APPLIED;
}

enum offer fold_m_park(const struct fold *f)
{
    deque_push_front(f->md, &f->md->idlem, f->m);
    f->mm->blocked = true;
    return OFFER_APPLIED;
}

static bool is_top(const struct deque *list, uint32_t id)
{
    return list->n && *deque_at(list, 0) == id;
}

enum offer fold_m_wake(const struct fold *f)
{
    uint32_t m = f->e->a;
    struct deque *list = &f->md->idlem;
    if (f->e->c & M_WAKE_CHOSEN ? m >= f->md->nm || !deque_remove(list, m) : !is_top(list, m))
        return fold_broken(f, "M%u is not %s the idle list", m, f->e->c & M_WAKE_CHOSEN ? "in" : "the top of");
    if (!(f->e->c & M_WAKE_CHOSEN))
        deque_drop_front(list, 1);
    f->md->m[m].blocked = false;
    f->md->m[m].spinning = f->e->c & 1;
    f->md->inflight -= f->md->m[m].spinning;
    f->md->m[m].since = f->e->time;
    return OFFER_APPLIED;
}

/* ---- Ps ---- */

static bool is_idle_listed(const struct model *md, uint32_t p)
{
    for (uint32_t i = 0; i < md->idlep.n; i++)
        if (*deque_at(&md->idlep, i) == p)
            return true;
    return false;
}

enum offer fold_p_acquire(const struct fold *f)
{
    enum offer r = p_is(f, P_IDLE, EV_NONE);
    if (r)
        return r;
    if (p_is_in_call(f->md, f->mm->p)) /* whoever took it has yet to say so */
        return OFFER_NOT_YET;
    if (f->mm->p != EV_NONE)
        return fold_broken(f, "M%u has P%u", f->m, f->mm->p);
    if (is_idle_listed(f->md, f->e->p))
        return fold_broken(f, "P%u is on the idle list", f->e->p);
    p_bind(f, f->e->p);
    judge_spinning(f);
    return OFFER_APPLIED;
}

enum offer fold_p_release(const struct fold *f)
{
    enum offer r = p_is(f, P_RUNNING, f->m);
    if (r)
        return r;
    p_unbind(f, P_IDLE);
    return OFFER_APPLIED;
}

enum offer fold_p_idle(const struct fold *f)
{
    enum offer r = p_is(f, P_IDLE, EV_NONE);
    if (r)
        return r;
    if (is_idle_listed(f->md, f->e->p))
        return fold_broken(f, "P%u is on the idle list", f->e->p);
    deque_push_front(f->md, &f->md->idlep, f->e->p);
    f->md->npidle++;
    conserve_p_idle(f);
    return OFFER_APPLIED;
}

enum offer fold_p_take(const struct fold *f)
{
    struct deque *list = &f->md->idlep;
    if (list->n == 0 || *deque_at(list, 0) != f->e->p)
        return fold_broken(f, "P%u is not the top of the idle list", f->e->p);
    deque_drop_front(list, 1);
    f->md->npidle--;
    return OFFER_APPLIED;
}

enum offer fold_retake(const struct fold *f)
{
    return take_from_call(f, P_IDLE);
}

/* ---- the poller and the end ---- */

enum offer fold_netpoll_wait(const struct fold *f)
{
    f->mm->netpoll = true;
    f->mm->delay = ev_cd(f->e);
    return OFFER_APPLIED;
}

enum offer fold_netpoll_ready(const struct fold *f)
{
    f->mm->netpoll = false;
    return OFFER_APPLIED;
}

enum offer fold_fatal(const struct fold *f)
{
    f->md->over = true;
    return OFFER_APPLIED;
}

enum offer fold_program_end(const struct fold *f)
{
    if (!ev_word(FT_END_HOW, f->e->a))
        return fold_broken(f, "how is %u", f->e->a);
    f->md->over = true;
    f->md->ended = (int)f->e->a;
    return OFFER_APPLIED;
}

/* ---- slow threads ---- */

enum offer fold_m_stall(const struct fold *f)
{
    if (f->mm)
        f->mm->no_cpu = f->e->time + ev_cd(f->e);
    return OFFER_APPLIED;
}

enum offer fold_m_late(const struct fold *f)
{
    if (f->e->a < f->md->nm)
        f->md->m[f->e->a].no_cpu = f->e->time + ev_cd(f->e);
    return OFFER_APPLIED;
}
