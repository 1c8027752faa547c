/* What the files of the fold share: the event being applied, and the small steps of their functions. */
#ifndef GMPSCOPE_MODEL_FOLD_INTERNAL_H
#define GMPSCOPE_MODEL_FOLD_INTERNAL_H

#include "model/model_internal.h"

struct fold {
    struct model *md;
    uint32_t m;
    struct model_m *mm; /* of m; NULL before its m_start */
    const struct ev *e;
    struct model_g *g; /* for writing: the event's, if its function needs it (fold.c); NULL: it is not known */
};

/* Both write model_error() and return OFFER_BROKEN. */
enum offer fold_lacks(const struct fold *f)
    __attribute__((cold)); /* reports that memory ran out; the model is broken from then on (model_lacks_memory) */
enum offer fold_broken(const struct fold *f, const char *fmt, ...) __attribute__((cold, format(printf, 2, 3)));

/* fold_queue.c: checks that n Gs can be taken from the head of a P's ring. The n-th must be `last` (0: any). */
enum offer ring_has(const struct fold *f, uint32_t from, uint32_t head, uint32_t n, uint32_t last);

/* One function for each event (table in fold.c): checks all conditions except the sequence numbers, then changes the state. */
typedef enum offer fold_event(const struct fold *f);
fold_event fold_g_create, fold_g_start, fold_g_park, fold_g_yield, fold_g_end, fold_g_ready, fold_syscall_enter, fold_syscall_block,
    fold_syscall_exit, fold_runnext_put, fold_runnext_get, fold_runq_put, fold_runq_get, fold_runq_overflow, fold_globq_put, fold_globq_get,
    fold_g_disable, fold_sched_enable_user, fold_steal, fold_timer_add, fold_timer_fire, fold_timer_mark, fold_timer_drop, fold_spin_start,
    fold_spin_stop, fold_wakep, fold_needspinning, fold_m_nextg, fold_m_start, fold_m_park, fold_m_wake, fold_g_lock_m, fold_g_unlock_m,
    fold_m_park_locked, fold_m_wake_locked, fold_m_exit, fold_procresize, fold_stw_start, fold_p_gcstop, fold_stw_end, fold_p_destroy,
    fold_runq_pop, fold_runq_drain, fold_timer_move, fold_p_acquire, fold_p_release, fold_p_idle, fold_p_take, fold_retake,
    fold_netpoll_wait, fold_netpoll_ready, fold_chan_op, fold_mutex_op, fold_rwmutex_op, fold_waitgroup_op, fold_conn_op, fold_select_case,
    fold_g_op, fold_m_stall, fold_m_late, fold_fatal, fold_program_end, fold_gc_phase;

/* fold_seen.c: the states that a source reports without a cause. Caller: the model is partial. */
fold_event fold_g_seen, fold_p_seen, fold_m_seen, fold_count_seen;
/* fold_look.c: a fact of a look, and the look */
fold_event fold_look_fact, fold_look;

/* fold_partial.c: a model whose source does not see everything */
enum offer partial_suppose(struct fold *f,
                           struct ev *e); /* makes true what e, which f->e points to, presupposes, as far as that is unknown */
void partial_learn(const struct fold *f); /* after e was applied */

/* meters.c: a steal or a try; caller of the second: the G of f starts and was runnable until now */
void meters_steal(const struct fold *f);
void meters_start(const struct fold *f);

/* search.c: a step of the M's search, what it takes, and its end */
void search_step_add(const struct fold *f);
void search_took(const struct fold *f);
void search_end(const struct fold *f);

/* work_conservation.c: keeps what is needed to judge work conservation, and judges it */
fold_event fold_time_jump;
fold_event fold_handoff;
void conserve_yielded(const struct fold *f, struct model_g *g);
void conserve_p_idle(const struct fold *f);
void conserve_searched(struct model *md);
void conserve_given_up(struct model *md);
void judge_spinning(const struct fold *f); /* caller: the M has acquired a P or started to spin */

static inline bool is_serial_before(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) < 0; /* the numbers wrap */
}

/* Checks a number that must equal the current one: a slot, or the sequence number of a queued G. */
static inline enum offer number_now(const struct fold *f, const char *whose, uint32_t now, uint32_t t)
{
    if (t == now)
        return OFFER_APPLIED;
    if (is_serial_before(now, t))
        return OFFER_NOT_YET;
    return fold_broken(f, "%s %u is past, it is %u now", whose, t, now);
}

/* Checks that P p exists. */
static inline enum offer find_p(const struct fold *f, uint32_t p)
{
    if (p < f->md->npall)
        return OFFER_APPLIED;
    if (p < EV_MAX_P)
        return OFFER_NOT_YET; /* a procresize must come first */
    return fold_broken(f, "there is no P%u", p);
}

static inline uint32_t timer_heap(const struct ev *e)
{
    return e->kind == EV_TIMER_FIRE ? e->b & 0xffff : e->p;
}

/* Returns the heap of a timer's event, NULL if its P does not exist now. EV_NO_P: the single heap of a generation without Ps. */
static inline struct model_p *heap_of(const struct fold *f)
{
    uint32_t heap = timer_heap(f->e);
    if (heap == EV_NO_P)
        return &f->md->heap;
    return heap < (f->md->cfg.heaps_stay ? f->md->npall : f->md->np) ? &f->md->p[heap] : NULL;
}

/* Changes the status of the event's G. Latency and gN.runnable count from the time of this event. */
static inline void set_status(const struct fold *f, uint32_t status)
{
    struct model *md = f->md;
    struct model_g *g = f->g;
    if (g->status != G_IDLE)
        md->count_g[g->status]--;
    if (g->status == G_RUNNING)
        use_of(md, g)->ran = (int64_t)((uint64_t)use_of(md, g)->ran + (uint64_t)(f->e->time - g->since)); /* a stranger's times may wrap */
    md->count_g[status]++;
    g->status = (uint8_t)status;
    g->since = f->e->time;
    g->came = f->e->kind;
}

static inline void put_at(struct model_g *g, enum g_place place, uint32_t where, uint32_t slot)
{
    if (place == PLACE_IN_TRANSIT)
        g->via = g->place;
    g->place = (uint8_t)place;
    g->where = where;
    g->slot = slot;
}

static inline void set_place(const struct fold *f, uint32_t id, enum g_place place, uint32_t where, uint32_t slot)
{
    put_at(g_mut(f->md, id), place, where, slot);
}

static inline void insert_in_transit(const struct fold *f, uint32_t at, uint32_t id)
{
    transit_insert(f->md, f->mm, at, id);
    set_place(f, id, PLACE_IN_TRANSIT, f->m, 0);
}

static inline void to_transit(const struct fold *f, uint32_t id)
{
    transit_add(f->md, f->mm, id);
    set_place(f, id, PLACE_IN_TRANSIT, f->m, 0);
}

static inline void g_to_transit(const struct fold *f)
{
    transit_add(f->md, f->mm, f->e->g);
    put_at(f->g, PLACE_IN_TRANSIT, f->m, 0);
}

/* Checks that the event's G is in transit on this M; *at: its index there. */
static inline enum offer is_in_transit(const struct fold *f, uint32_t *at)
{
    *at = transit_find(f->mm, f->e->g);
    if (*at < f->mm->transit_n)
        return OFFER_APPLIED;
    return fold_broken(f, "G%u is not in transit on M%u", f->e->g, f->m);
}

static inline enum offer is_curg(const struct fold *f, uint32_t status)
{
    if (!f->g || f->mm->curg != f->e->g)
        return fold_broken(f, "M%u runs G%u", f->m, f->mm->curg);
    if (f->g->status != status)
        return fold_broken(f, "G%u has status %u, not %u", f->e->g, f->g->status, status);
    return OFFER_APPLIED;
}

/* Checks that the record's P is the M's P. */
static inline enum offer is_my_p(const struct fold *f)
{
    uint32_t p = f->e->p == EV_NO_P ? EV_NONE : f->e->p;
    if (f->mm->p == p)
        return OFFER_APPLIED;
    return fold_broken(f, "M%u has P%d, the record P%d", f->m, (int)f->mm->p, (int)p);
}

static inline enum offer p_is(const struct fold *f, enum p_status status, uint32_t m)
{
    const struct model_p *p = &f->md->p[f->e->p];
    if (p->status != status)
        return fold_broken(f, "P%u has status %u, not %u", f->e->p, p->status, (unsigned)status);
    if (p->m != m)
        return fold_broken(f, "P%u is M%d's", f->e->p, (int)p->m);
    return OFFER_APPLIED;
}

static inline void p_bind(const struct fold *f, uint32_t id)
{
    struct model_p *p = &f->md->p[id];
    p->status = P_RUNNING;
    p->m = f->m;
    f->mm->p = id;
}

/* Moves the event's P from a system call to this status. Since 1.26 it has an M, which loses it. */
static inline enum offer take_from_call(const struct fold *f, enum p_status status)
{
    struct model_p *p = &f->md->p[f->e->p];
    bool wired = p_is_in_call(f->md, f->e->p) && p->status == P_RUNNING;
    enum offer r = p_is(f, wired ? P_RUNNING : P_SYSCALL, wired ? p->m : EV_NONE);
    if (r)
        return r;
    if (wired) {
        f->md->m[p->m].p = EV_NONE;
        f->md->m[p->m].wired = false;
    }
    p->status = status;
    p->m = EV_NONE;
    return OFFER_APPLIED;
}

static inline void p_unbind(const struct fold *f, enum p_status status)
{
    struct model_p *p = &f->md->p[f->e->p];
    p->status = status;
    p->m = EV_NONE;
    f->mm->p = EV_NONE;
}

#endif
