/* What one event does to an activity. Its users compile it once for each kind, as the fold's apply(): most kinds only count. */
#ifndef GMPSCOPE_MODEL_ACTIVITY_EVENT_H
#define GMPSCOPE_MODEL_ACTIVITY_EVENT_H

#include "model/history/activity.h"
#include "model/model_internal.h"

static ALWAYS_INLINE void add_level(struct activity *a, uint32_t *peak, enum history_level k, uint32_t value)
{
    a->level_ns[k] -= (uint64_t)(int32_t)(value - a->level[k]) * (uint64_t)a->time;
    a->level[k] = value;
    if (peak && value > peak[k])
        peak[k] = value;
}

static ALWAYS_INLINE void move_g(struct activity *a, uint32_t *peak, enum history_level from, enum history_level to)
{
    if (from != LEVELS && a->level[from]) /* 0: the source did not see it come */
        add_level(a, peak, from, a->level[from] - 1);
    if (to != LEVELS)
        add_level(a, peak, to, a->level[to] + 1);
}

/* The level of the G's old status and of its new one; LEVELS: a status that no level counts. */
static ALWAYS_INLINE void count_statuses(struct activity *a, uint32_t *peak, const struct ev *e, enum ev_kind kind)
{
    switch (kind) {
    case EV_G_CREATE:
        move_g(a, peak, LEVELS, LEVEL_RUNNABLE);
        break;
    case EV_G_START:
        move_g(a, peak, LEVEL_RUNNABLE, LEVEL_RUNNING);
        break;
    case EV_G_PARK:
        move_g(a, peak, LEVEL_RUNNING, LEVEL_WAITING);
        break;
    case EV_G_READY:
        move_g(a, peak, LEVEL_WAITING, LEVEL_RUNNABLE);
        break;
    case EV_G_PREEMPT:
    case EV_G_YIELD:
        move_g(a, peak, LEVEL_RUNNING, LEVEL_RUNNABLE);
        break;
    case EV_G_END:
        move_g(a, peak, LEVEL_RUNNING, LEVELS);
        break;
    case EV_SYSCALL_ENTER:
    case EV_SYSCALL_BLOCK:
        move_g(a, peak, LEVEL_RUNNING, LEVEL_SYSCALL);
        break;
    case EV_SYSCALL_EXIT:
        move_g(a, peak, LEVEL_SYSCALL, e->d == EXITSYSCALL_NO_P ? LEVEL_RUNNABLE : LEVEL_RUNNING);
        break;
    case EV_SPIN_START:
    case EV_SPIN_STOP:
        add_level(a, peak, LEVEL_SPINNING, e->a);
        break;
    case EV_WAKEP:
        add_level(a, peak, LEVEL_SPINNING, 1);
        break;
    case EV_M_PARK:
        add_level(a, peak, LEVEL_IDLE_MS, a->level[LEVEL_IDLE_MS] + 1);
        break;
    case EV_M_WAKE:
        add_level(a, peak, LEVEL_IDLE_MS, a->level[LEVEL_IDLE_MS] - 1);
        break;
    default:
        break;
    }
}

static ALWAYS_INLINE enum p_doing doing_of(const struct activity *a, const struct activity_p *p)
{
    if (p->status == P_RUNNING && p->m != EV_NONE) {
        const struct activity_m *m = &activity_ms(a)[p->m];
        return m->runs ? (m->in_syscall ? P_DOES_SYSCALL : P_DOES_RUN) : m->spinning ? P_DOES_SPIN : P_DOES_SCHEDULE;
    }
    return p->status == P_SYSCALL  ? P_DOES_SYSCALL
           : p->status == P_GCSTOP ? P_DOES_STOP
           : p->status == P_DEAD   ? P_DOES_NOTHING
           : p->status == P_IDLE   ? P_DOES_IDLE
                                   : P_DOES_UNKNOWN;
}

static ALWAYS_INLINE void update_p(struct activity *a, uint32_t id)
{
    if (id >= a->np)
        return;
    struct activity_p *p = &activity_ps(a)[id];
    enum p_doing now = doing_of(a, p);
    if (now == p->doing)
        return;
    p->ns[p->doing] += (uint64_t)a->time;
    p->ns[now] -= (uint64_t)a->time;
    p->doing = (uint8_t)now;
}

static ALWAYS_INLINE void bind_p(struct activity *a, uint32_t p, uint32_t m)
{
    activity_ps(a)[p].status = P_RUNNING;
    activity_ps(a)[p].m = m;
    activity_ms(a)[m].p = p;
}

static ALWAYS_INLINE void unbind_p(struct activity *a, uint32_t p, uint32_t m, enum p_status status)
{
    activity_ps(a)[p].status = (uint8_t)status;
    activity_ps(a)[p].m = EV_NONE;
    activity_ms(a)[m].p = EV_NONE;
}

/* The P gets this status. If its M is in a system call, that M loses it. */
static ALWAYS_INLINE void take_p(struct activity *a, uint32_t p, enum p_status status)
{
    uint32_t m = activity_ps(a)[p].m;
    if (activity_ps(a)[p].status == P_RUNNING && m < a->nm)
        unbind_p(a, p, m, status);
    activity_ps(a)[p].status = (uint8_t)status;
}

/* Caller: the arrays hold e->b Ps. A surplus P does nothing from now on; its p_destroy follows. */
static ALWAYS_INLINE void resize_ps(struct activity *a, uint32_t m, const struct ev *e)
{
    uint32_t own = e->a ? activity_ms(a)[m].p : 0;
    for (uint32_t i = 0; i < a->np; i++)
        activity_ps(a)[i].status = i >= e->b ? P_DEAD : i == own ? P_RUNNING : P_IDLE;
    if (e->a == 0)
        bind_p(a, 0, m);
    else if (own >= e->b && own < a->np)
        unbind_p(a, own, m, P_DEAD);
    for (uint32_t i = 0; i < a->np; i++)
        update_p(a, i);
}

static ALWAYS_INLINE void move_p(struct activity *a, uint32_t m, const struct ev *e, enum ev_kind kind)
{
    bool has_p = e->p < a->np;
    switch (kind) {
    case EV_PROCRESIZE:
        if (a->np) /* not in a generation without Ps */
            resize_ps(a, m, e);
        break;
    case EV_P_ACQUIRE:
        bind_p(a, e->p, m);
        break;
    case EV_P_RELEASE:
        unbind_p(a, e->p, m, P_IDLE);
        break;
    case EV_SYSCALL_ENTER:
        if (has_p && !(e->d & 1))
            unbind_p(a, e->p, m, P_SYSCALL);
        break;
    case EV_SYSCALL_EXIT:
        if (e->d == EXITSYSCALL_OLD_P)
            bind_p(a, e->p, m);
        break;
    case EV_RETAKE:
        take_p(a, e->p, P_IDLE);
        break;
    case EV_P_GCSTOP:
        if (e->c == GCSTOP_STOPPER) /* it keeps its P */
            activity_ps(a)[e->p].status = P_GCSTOP;
        else
            take_p(a, e->p, P_GCSTOP);
        break;
    case EV_G_START:
        if (has_p && activity_ms(a)[m].p != e->p) /* nobody saw how the M got it */
            bind_p(a, e->p, m);
        break;
    case EV_P_SEEN:
        activity_ps(a)[e->p].m = EV_NONE;
        activity_ps(a)[e->p].status = (uint8_t)((e->a & 0xff) == P_SEEN_UNKNOWN ? (uint32_t)P_UNKNOWN : e->a & 0xff);
        if (e->b < a->nm && (e->a & 0xff) == P_SEEN_RUNNING)
            bind_p(a, e->p, e->b);
        break;
    default:
        break;
    }
}

static ALWAYS_INLINE void set_m(struct activity *a, uint32_t m, const struct ev *e, enum ev_kind kind)
{
    struct activity_m *mm = &activity_ms(a)[m];
    switch (kind) {
    case EV_M_START:
        mm->spinning = e->a & 1;
        break;
    case EV_M_WAKE:
        activity_ms(a)[e->a].spinning = e->c & 1;
        break;
    case EV_SPIN_START:
        mm->spinning = true;
        break;
    case EV_SPIN_STOP:
        mm->spinning = mm->spinning && e->c == SPIN_STOP_NO_IDLE_P;
        break;
    case EV_G_START:
        mm->runs = true;
        break;
    case EV_G_SEEN:
        if (e->b < a->nm && ((e->a & 0xff) == G_SEEN_RUNNING || (e->a & 0xff) == G_SEEN_SYSCALL)) {
            activity_ms(a)[e->b].runs = true;
            activity_ms(a)[e->b].in_syscall = (e->a & 0xff) == G_SEEN_SYSCALL;
        }
        break;
    case EV_G_PARK:
    case EV_G_END:
    case EV_G_PREEMPT:
    case EV_G_YIELD:
        mm->runs = false;
        break;
    case EV_SYSCALL_ENTER:
    case EV_SYSCALL_BLOCK:
        mm->in_syscall = true;
        break;
    case EV_SYSCALL_EXIT:
        mm->in_syscall = false;
        mm->runs = e->d != EXITSYSCALL_NO_P;
        break;
    default:
        break;
    }
}

/* True for the kinds that may change what a P does. */
static ALWAYS_INLINE bool moves(enum ev_kind kind)
{
    switch (kind) {
    case EV_PROCRESIZE:
    case EV_P_ACQUIRE:
    case EV_P_RELEASE:
    case EV_P_GCSTOP:
    case EV_RETAKE:
    case EV_SYSCALL_ENTER:
    case EV_SYSCALL_BLOCK:
    case EV_SYSCALL_EXIT:
    case EV_M_START:
    case EV_M_WAKE:
    case EV_SPIN_START:
    case EV_SPIN_STOP:
    case EV_P_SEEN:
    case EV_G_SEEN:
    case EV_G_START:
    case EV_G_PARK:
    case EV_G_END:
    case EV_G_PREEMPT:
    case EV_G_YIELD:
        return true;
    default:
        return false;
    }
}

static ALWAYS_INLINE void update_ps(struct activity *a, uint32_t m, const struct ev *e, enum ev_kind kind)
{
    uint32_t p_of_m = activity_ms(a)[m].p;
    update_p(a, p_of_m);
    if (e->p != p_of_m)
        update_p(a, e->p);
    if (kind == EV_G_SEEN && e->b < a->nm && activity_ms(a)[e->b].p < a->np && activity_ms(a)[e->b].runs) {
        activity_ps(a)[activity_ms(a)[e->b].p].g = e->g;
        update_p(a, activity_ms(a)[e->b].p);
    }
    if (kind == EV_G_START && p_of_m < a->np) {
        struct activity_p *p = &activity_ps(a)[p_of_m];
        p->starts++;
        p->g = e->g;
    }
}

/* Counts n events of M m, which have one time; activity_event() for each of them is to follow. Returns false if memory runs out. */
static ALWAYS_INLINE bool activity_begin(struct activity **at, uint32_t m, int64_t time, uint32_t n)
{
    if (m >= (*at)->nm && !activity_grow(at, 0, m + 1))
        return false;
    (*at)->events += n;
    (*at)->time = time > (*at)->time ? time : (*at)->time;
    return true;
}

/* What an event of this kind does. peak: rises with the levels that the event changes; NULL: nobody asks. The kind is not read from *e, which
 * could change for all that the compiler knows. Returns false if memory runs out. */
static ALWAYS_INLINE bool activity_event(struct activity **at, uint32_t *peak, uint32_t m, const struct ev *e, enum ev_kind kind)
{
    bool first_ps = kind == EV_PROCRESIZE && ((*at)->np || e->a == 0);
    if (first_ps && !activity_grow(at, e->b, 0))
        return false;
    if (kind == EV_M_WAKE && e->a >= (*at)->nm && !activity_grow(at, 0, e->a + 1))
        return false;
    bool of_p = kind == EV_P_ACQUIRE || kind == EV_P_RELEASE || kind == EV_RETAKE || kind == EV_P_GCSTOP || kind == EV_G_START ||
                kind == EV_P_SEEN || (kind == EV_SYSCALL_EXIT && e->d == EXITSYSCALL_OLD_P);
    if (of_p && e->p != EV_NO_P && e->p >= (*at)->np && !activity_grow_unknown(at, e->p + 1u))
        return false;
    if ((kind == EV_P_SEEN || kind == EV_G_SEEN) && e->b != EV_NONE && e->b >= (*at)->nm && !activity_grow(at, 0, e->b + 1))
        return false;
    struct activity *a = *at;
    a->kinds[kind]++;
    count_statuses(a, peak, e, kind);
    move_p(a, m, e, kind);
    set_m(a, m, e, kind);
    if (moves(kind))
        update_ps(a, m, e, kind);
    return true;
}

#endif
