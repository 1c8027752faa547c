/* See looks.h. */
#include "engine/looks.h"
#include "base/arena.h"
#include <stdlib.h>
#include <string.h>

struct look_event {
    uint32_t m;
    struct ev e;
};

struct looks {
    struct looks_config cfg;
    struct snapshot before; /* the look before, as far as it is compared */
    uint64_t n;
    VEC(struct look_event) events;
    size_t taken;
    int64_t time;
    bool lack;
};

struct looks *looks_new(const struct looks_config *c)
{
    struct looks *l = calloc(1, sizeof *l);
    if (l)
        l->cfg = *c;
    return l;
}

void looks_free(struct looks *l)
{
    if (!l)
        return;
    snapshot_fini(&l->before);
    vec_free(&l->events);
    free(l);
}

uint64_t looks_count(const struct looks *l)
{
    return l->n;
}

static void put(struct looks *l, uint32_t m, struct ev e)
{
    e.time = l->time;
    if (!vec_push(&l->events, ((struct look_event){m, e})))
        l->lack = true;
}

/* --- queues and lists ---------------------------------------------------------------------------------------------------------- */

struct ids {
    const uint32_t *v; /* NULL: only their number is known */
    uint32_t n, head;
};

static bool same_ids(struct ids a, struct ids b)
{
    return a.n == b.n && a.head == b.head && !a.v == !b.v && (!a.v || !a.n || !memcmp(a.v, b.v, a.n * sizeof *a.v));
}

static void put_queue(struct looks *l, enum look_queue what, uint16_t p, struct ids q)
{
    put(l, 0, (struct ev){.kind = EV_LOOK_QUEUE, .p = p, .a = what, .b = q.n, .c = q.head});
    for (uint32_t i = 0; q.v && i < q.n; i += 4) {
        uint32_t id[4];
        for (uint32_t k = 0; k < 4; k++)
            id[k] = i + k < q.n ? q.v[i + k] : EV_NONE;
        put(l, 0, (struct ev){.kind = EV_LOOK_IN, .p = p, .a = id[0], .b = id[1], .c = id[2], .d = id[3]});
    }
}

static void compare_queue(struct looks *l, enum look_queue what, uint16_t p, struct ids was, struct ids is)
{
    if (!l->n || !same_ids(was, is))
        put_queue(l, what, p, is);
}

/* --- Ps, Ms, Gs ---------------------------------------------------------------------------------------------------------------- */

static struct ids ring_of(const struct snap_p *p)
{
    return (struct ids){p->ring, p->tail - p->head, p->head};
}

static void compare_p(struct looks *l, uint32_t i, const struct snap_p *is)
{
    static const struct snap_p none = {.status = P_UNKNOWN, .m = EV_NONE};
    bool is_new = i >= l->before.np;
    const struct snap_p *was = is_new ? &none : &l->before.p[i];
    uint32_t state = is->status == P_UNKNOWN ? (uint32_t)P_SEEN_UNKNOWN : is->status;
    if (is_new || was->status != is->status || was->m != is->m || was->runnext != is->runnext || was->schedtick != is->schedtick)
        put(l, 0, (struct ev){.kind = EV_LOOK_P, .p = (uint16_t)i, .a = state, .b = is->m, .c = is->runnext, .d = is->schedtick});
    if (is_new || !same_ids(ring_of(was), ring_of(is)))
        put_queue(l, LOOK_RUNQ, (uint16_t)i, ring_of(is));
}

static enum m_seen_state state_of_m(const struct snapshot *s, const struct snap_m *m)
{
    const struct snap_g *g = m->curg ? snapshot_g(s, m->curg) : NULL;
    return m->sysmon                     ? M_SEEN_SYSMON
           : m->netpoll                  ? M_SEEN_NETPOLL
           : m->blocked                  ? M_SEEN_IDLE
           : g && g->status == G_SYSCALL ? M_SEEN_SYSCALL
           : m->curg                     ? M_SEEN_RUNNING
           : m->spinning                 ? M_SEEN_SPINNING
                                         : M_SEEN_SCHED;
}

static struct ev m_event(const struct snapshot *s, const struct snap_m *m)
{
    return (struct ev){.kind = EV_LOOK_M,
                       .p = EV_NO_P,
                       .a = m->p,
                       .b = m->curg,
                       .c = m->lockedg,
                       .d = (uint32_t)state_of_m(s, m) | (uint32_t)m->exited << 8 | (uint32_t)(m->idlelocked > 0) << 9};
}

/* An M that has gone has exited. */
static void compare_ms(struct looks *l, const struct snapshot *now)
{
    static const struct snap_m gone = {.p = EV_NONE, .oldp = EV_NONE, .exited = true};
    const struct snapshot *before = &l->before;
    for (uint32_t i = 0; i < now->nm || i < before->nm; i++) {
        bool was = i < before->nm && !before->m[i].template, is = i < now->nm && !now->m[i].template;
        struct ev a = was ? m_event(before, &before->m[i]) : (struct ev){.kind = 0}, b = m_event(now, is ? &now->m[i] : &gone);
        if ((was || is) && memcmp(&a, &b, sizeof a))
            put(l, i, b);
    }
}

static struct ev g_event(const struct snap_g *g)
{
    uint32_t state = g->status == G_UNKNOWN ? (uint32_t)G_SEEN_UNKNOWN : g->status;
    return (struct ev){
        .kind = EV_LOOK_G,
        .p = EV_NO_P,
        .g = g->id,
        .a = state | g->reason << 16,
        .b = g->place == PLACE_RUNNING ? g->where : EV_NONE,
        .c = g->fn,
        .d = g->by};
}

static void compare_gs(struct looks *l, const struct snapshot *now)
{
    const struct snapshot *before = &l->before;
    uint32_t i = 0, k = 0;
    while (i < before->ng || k < now->ng) {
        uint32_t was = i < before->ng ? before->g[i].id : UINT32_MAX, is = k < now->ng ? now->g[k].id : UINT32_MAX;
        struct ev a = was <= is ? g_event(&before->g[i]) : (struct ev){.kind = 0},
                  b = is <= was ? g_event(&now->g[k]) : (struct ev){.kind = 0};
        if (was < is)
            put(l, 0, (struct ev){.kind = EV_LOOK_G, .p = EV_NO_P, .g = was, .a = 1u << 8, .b = EV_NONE, .c = EV_NONE, .d = EV_NONE});
        else if (memcmp(&a, &b, sizeof a))
            put(l, 0, b);
        i += was <= is;
        k += is <= was;
    }
}

/* --- a look -------------------------------------------------------------------------------------------------------------------- */

static void *copy_of(struct looks *l, const void *v, uint32_t n, size_t size)
{
    void *to = v ? snapshot_alloc(&l->before, n, size) : NULL;
    l->lack |= v && !to;
    if (to && n)
        memcpy(to, v, n * size);
    return to;
}

static void keep(struct looks *l, const struct snapshot *now)
{
    struct snapshot *b = &l->before;
    snapshot_reset(b);
    b->np = now->np;
    b->nm = now->nm;
    b->ng = now->ng;
    b->nglobq = now->nglobq;
    b->nidlep = now->nidlep;
    b->nidlem = now->nidlem;
    b->p = copy_of(l, now->p, now->np, sizeof *now->p);
    for (uint32_t i = 0; b->p && i < b->np; i++)
        b->p[i].ring = copy_of(l, now->p[i].ring, now->p[i].tail - now->p[i].head, sizeof *now->p[i].ring);
    b->m = copy_of(l, now->m, now->nm, sizeof *now->m);
    b->g = copy_of(l, now->g, now->ng, sizeof *now->g);
    b->globq = copy_of(l, now->globq, now->nglobq, sizeof *now->globq);
    b->idlep = copy_of(l, now->idlep, now->nidlep, sizeof *now->idlep);
    b->idlem = copy_of(l, now->idlem, now->nidlem, sizeof *now->idlem);
}

bool looks_add(struct looks *l, int64_t time, const struct snapshot *now)
{
    const struct snapshot *b = &l->before;
    l->time = time;
    compare_gs(l, now);
    compare_ms(l, now);
    for (uint32_t i = 0; i < now->np; i++)
        compare_p(l, i, &now->p[i]);
    compare_queue(l, LOOK_GLOBQ, EV_NO_P, (struct ids){b->globq, b->nglobq, 0}, (struct ids){now->globq, now->nglobq, 0});
    compare_queue(l, LOOK_IDLE_P, EV_NO_P, (struct ids){b->idlep, b->nidlep, 0}, (struct ids){now->idlep, now->nidlep, 0});
    compare_queue(l, LOOK_IDLE_M, EV_NO_P, (struct ids){b->idlem, b->nidlem, 0}, (struct ids){now->idlem, now->nidlem, 0});
    l->n++;
    put(l, 0,
        (struct ev){.kind = EV_LOOK,
                    .p = EV_NO_P,
                    .a = (uint32_t)l->n,
                    .b = now->np | (uint32_t)now->needspinning << 16,
                    .c = now->nmspinning,
                    .d = now->npidle});
    if (!l->lack)
        keep(l, now);
    return !l->lack;
}

bool looks_take(struct looks *l, uint32_t *m, struct ev *e)
{
    if (l->taken == l->events.n) {
        l->taken = l->events.n = 0;
        return false;
    }
    *m = l->events.v[l->taken].m;
    *e = l->events.v[l->taken++].e;
    return true;
}

void looks_begin(struct looks *l)
{
    snapshot_fini(&l->before);
    l->n = l->taken = l->events.n = 0;
    if (l->cfg.rewind)
        l->cfg.rewind(l->cfg.ctx);
}

enum look_read looks_read(struct looks *l, bool now)
{
    const struct snapshot *s;
    int64_t time;
    enum look_read what = l->cfg.next(l->cfg.ctx, now, &s, &time);
    if (what != LOOK_READ)
        return what;
    return looks_add(l, time, s) ? LOOK_READ : LOOK_LACK;
}

int looks_end(const struct looks *l)
{
    return l->cfg.end;
}

bool looks_are_live(const struct looks *l)
{
    return l->cfg.live;
}
