/* What put a G, an M or a P where it is: the newest event after which its place is the present one, and before which it was another.
 *
 * Only some kinds of events can move a G, an M or a P. The newest one that may have moved the subject is folded, together with a few
 * events before it. If the subject moved there, that is the answer; otherwise the search continues further back. A batch moves Gs that it
 * does not name, so names alone would give wrong answers.
 */
#include "model/history/history.h"

#include "model/model_internal.h"

/* WINDOW: events that are folded together. LOOK, FOLDS: what a search may cost, some 30 ms at most. NEAR: in a free run, an event may be
 * up to this many events away from the place that its time alone would give it. */
enum { WINDOW = 64, LOOK = 1 << 19, FOLDS = 16, NEAR = 1024 };

struct place {
    uint32_t a, b, c;
};

static bool same_place(struct place x, struct place y)
{
    return x.a == y.a && x.b == y.b && x.c == y.c;
}

static bool is_idle_listed(const struct model *md, uint32_t p)
{
    const uint32_t *list;
    uint32_t n = model_idlep(md, &list);
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == p)
            return true;
    return false;
}

/* The place of a G: its status, the kind of place, the M or P there. Of an M: what it does, its P, its G. Of a P: its status, its M, and
 * whether it is on the idle list. */
static struct place place_of(const struct model *md, const struct history_subject *s)
{
    const struct model_g *g = s->kind == SUBJECT_G ? model_g(md, s->id) : NULL;
    const struct model_m *m = s->kind == SUBJECT_M && s->id < model_nm(md) ? model_m(md, s->id) : NULL;
    const struct model_p *p = s->kind == SUBJECT_P ? model_p(md, s->id) : NULL;
    if (g)
        return (struct place){1u + g->status, g->place, g->where};
    if (m && m->started)
        return (struct place){1u + model_m_doing(md, s->id), m->p, m->curg};
    if (p)
        return (struct place){1u + p->status, p->m, is_idle_listed(md, s->id)};
    return (struct place){0, 0, 0};
}

/* ---- events that may move it ---- */

static const bool moves_g[EV_KINDS] = {
    [EV_G_CREATE] = true,     [EV_G_START] = true,       [EV_G_END] = true,         [EV_G_PARK] = true,    [EV_G_READY] = true,
    [EV_G_PREEMPT] = true,    [EV_G_YIELD] = true,       [EV_SYSCALL_ENTER] = true, [EV_RUNQ_POP] = true,  [EV_SYSCALL_BLOCK] = true,
    [EV_SYSCALL_EXIT] = true, [EV_RUNNEXT_PUT] = true,   [EV_RUNNEXT_GET] = true,   [EV_STEAL] = true,     [EV_RUNQ_PUT] = true,
    [EV_RUNQ_GET] = true,     [EV_RUNQ_OVERFLOW] = true, [EV_GLOBQ_PUT] = true,     [EV_M_NEXTG] = true,   [EV_GLOBQ_GET] = true,
    [EV_RUNQ_DRAIN] = true,   [EV_G_DISABLE] = true,     [EV_M_WAKE_LOCKED] = true, [EV_GC_WORKER] = true, [EV_SCHED_ENABLE_USER] = true};
static const bool moves_m[EV_KINDS] = {
    [EV_G_START] = true,       [EV_G_END] = true,         [EV_G_PARK] = true,       [EV_G_PREEMPT] = true,  [EV_G_YIELD] = true,
    [EV_SYSCALL_ENTER] = true, [EV_SYSCALL_BLOCK] = true, [EV_SYSCALL_EXIT] = true, [EV_SPIN_START] = true, [EV_SPIN_STOP] = true,
    [EV_M_START] = true,       [EV_M_PARK] = true,        [EV_M_WAKE] = true,       [EV_P_ACQUIRE] = true,  [EV_P_RELEASE] = true,
    [EV_NETPOLL_WAIT] = true,  [EV_NETPOLL_READY] = true, [EV_P_GCSTOP] = true,     [EV_PROCRESIZE] = true, [EV_M_PARK_LOCKED] = true,
    [EV_M_WAKE_LOCKED] = true, [EV_M_EXIT] = true,        [EV_RETAKE] = true};
static const bool moves_p[EV_KINDS] = {
    [EV_SYSCALL_ENTER] = true, [EV_SYSCALL_EXIT] = true, [EV_RETAKE] = true,   [EV_P_ACQUIRE] = true,  [EV_P_RELEASE] = true,
    [EV_P_IDLE] = true,        [EV_P_TAKE] = true,       [EV_P_GCSTOP] = true, [EV_PROCRESIZE] = true, [EV_P_DESTROY] = true};
/* These move Gs or Ps that they do not name. */
static const bool unnamed[EV_KINDS] = {[EV_STEAL] = true,      [EV_RUNQ_OVERFLOW] = true,     [EV_GLOBQ_PUT] = true, [EV_GLOBQ_GET] = true,
                                       [EV_RUNQ_DRAIN] = true, [EV_SCHED_ENABLE_USER] = true, [EV_PROCRESIZE] = true};
/* These take a P from an M in a system call that they do not name (wired_syscall). */
static const bool takes_p[EV_KINDS] = {[EV_RETAKE] = true, [EV_P_GCSTOP] = true};

struct came {
    struct history *h;
    const struct history_subject *s;
    struct model *md; /* for folding */
    struct place now;
    uint64_t after; /* look no further back than this event */
};

static bool may_move(void *ctx, const struct history_event *e)
{
    const struct came *k = ctx;
    return (k->s->kind == SUBJECT_M ? takes_p : unnamed)[e->ev.kind] || history_concerns(k->h, e, k->s);
}

/* Folds the events from + 1 to `to`. Returns the last one at which the subject moved, 0: none. */
static uint64_t last_move(struct came *k, uint64_t from, uint64_t to, struct place *is)
{
    uint64_t moved = 0;
    struct history_event e;
    if (!history_move(k->h, &k->md, from))
        return 0;
    *is = place_of(k->md, k->s);
    for (uint64_t n = from + 1; n <= to && history_get(k->h, n, &e); n++) {
        if (model_offer(k->md, e.m, &e.ev, e.text, e.len) != OFFER_APPLIED)
            return 0;
        struct place next = place_of(k->md, k->s);
        moved = same_place(*is, next) ? moved : n;
        *is = next;
    }
    return moved;
}

/* Searches from event n down. Returns false if that would cost too much, or if the subject did not stay where the event put it. */
static bool search_from(struct came *k, uint64_t n, uint64_t *event)
{
    static const bool *const kinds[] = {[SUBJECT_G] = moves_g, [SUBJECT_M] = moves_m, [SUBJECT_P] = moves_p};
    uint64_t next = n;
    for (int folds = 0; n > k->after; folds++) {
        struct place is;
        struct history_search what = {may_move, k, kinds[k->s->kind], n - k->after < LOOK ? n - k->after : LOOK};
        uint64_t at = folds < FOLDS ? history_search(k->h, n, -1, &what, &next) : 0;
        if (!at)
            return folds < FOLDS && next <= k->after;
        uint64_t from = at > WINDOW + k->after ? at - WINDOW : k->after;
        *event = last_move(k, from, at, &is);
        if (*event)
            return same_place(is, k->now);
        n = from;
    }
    return true;
}

bool history_came(struct history *h, const struct model *now, const struct history_subject *s, uint64_t after, uint64_t *event)
{
    uint64_t n = model_events(now), near = n;
    struct came k = {.h = h, .s = s, .now = place_of(now, s), .after = after > history_oldest(h) ? after : history_oldest(h)};
    const struct model_g *g = s->kind == SUBJECT_G ? model_g(now, s->id) : NULL;
    const struct model_m *m = s->kind == SUBJECT_M && s->id < model_nm(now) ? model_m(now, s->id) : NULL;
    *event = 0;
    bool found = search_from(&k, n, event);
    if (!found && (g || m)) { /* the time of its last change says where to look further back */
        near = history_at(h, g ? g->since : m->since) + NEAR;
        found = near < n && search_from(&k, near, event);
    }
    model_free(k.md);
    *event = found ? *event : 0;
    return found;
}
