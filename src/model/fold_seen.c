/* The fold of states that a source reports without a cause, when it sees a thing for the first time or again after it lost events. A report
 * that contradicts what is known breaks the log, unless events were lost. */
#include "model/suppose.h"

enum { COUNT_MAX = 1 << 20 }; /* a longer queue means a broken record */

static bool after_gap(const struct fold *f)
{
    return (f->e->a >> 8 & 0xff) == SEEN_GAP;
}

static enum offer is_partial(const struct fold *f)
{
    return f->md->cfg.lacks ? OFFER_APPLIED : fold_broken(f, "the source of a live run sees everything");
}

/* Puts the G on the M, which may have no other. */
static enum offer g_on_m(const struct fold *f, struct model_g *g, uint32_t m)
{
    struct model_m *mm = know_m(f->md, m);
    if (!mm)
        return fold_broken(f, "no M can have the number %u", m);
    if (mm->curg && mm->curg != g->id) {
        if (!after_gap(f) && !(mm->lacks & LACKS(KNOW_M_G)))
            return fold_broken(f, "M%u runs G%u", m, mm->curg);
        struct model_g *other = g_mut(f->md, mm->curg);
        displace_g(f->md, other);
        state_of_g(f, other, G_UNKNOWN);
    }
    mm->curg = g->id;
    mm->syscall = g->status == G_SYSCALL;
    mm->blocked = mm->netpoll = mm->spinning = false;
    mm->idlelocked = 0;
    mm->since = f->e->time;
    mm->lacks &= ~(LACKS(KNOW_M_G) | LACKS(KNOW_M_STATE));
    put_at(g, PLACE_RUNNING, m, 0);
    return OFFER_APPLIED;
}

enum offer fold_g_seen(const struct fold *f)
{
    uint32_t state = f->e->a & 0xff, reason = f->e->a >> 16, status = state == G_SEEN_UNKNOWN ? (uint32_t)G_UNKNOWN : state;
    enum offer r = is_partial(f);
    struct model_g *g = r ? NULL : know_g(f->md, f->e->g);
    if (r || !g)
        return r ? r : fold_broken(f, "it ended, or no G can have this number");
    bool known = g->status != G_UNKNOWN;
    if (known && !after_gap(f) && g->status != status)
        return fold_broken(f, "G%u has status %u, not %u", g->id, g->status, status);
    if (f->e->c != EV_NONE) {
        g->fn = f->e->c;
        g->lacks &= (uint8_t)~G_LACKS_FN;
    }
    g->seq = f->e->d;
    if (known && !after_gap(f) && g->place != PLACE_UNKNOWN)
        return OFFER_APPLIED; /* the same again */
    if (!known || after_gap(f)) {
        displace_g(f->md, g);
        state_of_g(f, g, status);
    }
    if (status == G_WAITING) {
        put_at(g, PLACE_WAITING, 0, 0);
        g->reason = (uint16_t)reason;
        g->obj = 0;
        g->lacks = (uint8_t)(reason ? g->lacks & ~G_LACKS_REASON : g->lacks | G_LACKS_REASON);
    }
    bool on_m = (status == G_RUNNING || status == G_SYSCALL) && f->e->b != EV_NONE;
    return on_m ? g_on_m(f, g, f->e->b) : OFFER_APPLIED;
}

enum offer fold_p_seen(const struct fold *f)
{
    uint32_t state = f->e->a & 0xff, m = f->e->b, id = f->e->p;
    enum offer r = is_partial(f);
    if (r || id >= EV_MAX_P || !know_p(f->md, id) || (m != EV_NONE && !know_m(f->md, m)))
        return r ? r : fold_broken(f, "there is no such P or M");
    struct model_p *p = &f->md->p[id];
    uint32_t status = state == P_SEEN_UNKNOWN ? (uint32_t)P_UNKNOWN : state;
    bool with_m = m != EV_NONE && status == P_RUNNING;
    if (!after_gap(f)) {
        if (p->status != P_UNKNOWN && p->status != status)
            return fold_broken(f, "P%u has status %u, not %u", id, p->status, status);
        if (with_m && p->m != EV_NONE && p->m != m)
            return fold_broken(f, "P%u is M%u's", id, p->m);
        if (with_m && f->md->m[m].p != EV_NONE && f->md->m[m].p != id && !(f->md->m[m].guess & LACKS(KNOW_M_P)))
            return fold_broken(f, "M%u has P%u", m, f->md->m[m].p);
    }
    if (p->status != status || (with_m && p->m != m))
        displace_p(f->md, id);
    p->status = status;
    p->seq = f->e->c;
    p->guess &= ~LACKS(KNOW_P_STATE);
    p->lacks = status == P_UNKNOWN || (status == P_RUNNING && !with_m && p->m == EV_NONE)
                   ? p->lacks | LACKS(KNOW_P_M)
                   : p->lacks & ~LACKS(KNOW_P_M);
    if (m == EV_NONE)
        return OFFER_APPLIED;
    struct model_m *mm = &f->md->m[m];
    if (mm->p != EV_NONE && mm->p != id)
        displace_p(f->md, mm->p);
    mm->p = with_m ? id : EV_NONE;
    mm->oldp = status == P_SYSCALL ? id : EV_NONE;
    p->m = with_m ? m : EV_NONE;
    mm->lacks &= ~LACKS(KNOW_M_P);
    mm->guess &= ~LACKS(KNOW_M_P);
    return OFFER_APPLIED;
}

enum offer fold_m_seen(const struct fold *f)
{
    uint32_t state = f->e->a & 0xff, id = f->e->g;
    bool with_g = state == M_SEEN_RUNNING || state == M_SEEN_SYSCALL;
    enum offer r = is_partial(f);
    if (r || !know_m(f->md, f->m) || (f->e->p != EV_NO_P && !know_p(f->md, f->e->p)) || (with_g && id && !know_g(f->md, id)))
        return r ? r : fold_broken(f, "there is no such M, P or G");
    struct model_m *mm = &f->md->m[f->m];
    bool known = !(mm->lacks & LACKS(KNOW_M_STATE));
    if (state == M_SEEN_UNKNOWN)
        return OFFER_APPLIED;
    if (known && !after_gap(f))
        return fold_broken(f, "what M%u does is known", f->m);
    if (mm->curg && mm->curg != id) {
        struct model_g *other = g_mut(f->md, mm->curg);
        displace_g(f->md, other);
        state_of_g(f, other, G_UNKNOWN);
    }
    mm->spinning = state == M_SEEN_SPINNING;
    mm->blocked = state == M_SEEN_IDLE;
    mm->netpoll = state == M_SEEN_NETPOLL;
    mm->sysmon = state == M_SEEN_SYSMON;
    mm->since = f->e->time;
    mm->lacks &= ~LACKS(KNOW_M_STATE);
    if (!with_g)
        mm->lacks &= ~LACKS(KNOW_M_G);
    if (f->e->p != EV_NO_P) {
        struct ev seen = *f->e;
        seen.a = P_SEEN_RUNNING | (f->e->a & 0xff00);
        seen.b = f->m;
        seen.c = f->md->p[f->e->p].seq;
        struct fold of_p = {.md = f->md, .m = f->m, .e = &seen};
        if ((r = fold_p_seen(&of_p)))
            return r;
    } else if (!with_g && state != M_SEEN_SPINNING && f->md->m[f->m].p == EV_NONE) {
        f->md->m[f->m].lacks &= ~LACKS(KNOW_M_P); /* none of these states has a P */
    }
    if (!with_g)
        return OFFER_APPLIED;
    if (!id) { /* it runs a G that nobody knows */
        f->md->m[f->m].lacks |= LACKS(KNOW_M_G);
        f->md->m[f->m].lacks |= LACKS(KNOW_M_STATE);
        return OFFER_APPLIED;
    }
    struct model_g *g = g_mut(f->md, id);
    uint32_t status = state == M_SEEN_SYSCALL ? G_SYSCALL : G_RUNNING;
    if (g->status != G_UNKNOWN && g->status != status && !after_gap(f))
        return fold_broken(f, "G%u has status %u, not %u", id, g->status, status);
    displace_g(f->md, g);
    if (g->status != status)
        state_of_g(f, g, status);
    return g_on_m(f, g, f->m);
}

/* The Gs that were known there are elsewhere, or among those that are counted. */
static enum offer count_ring(const struct fold *f, uint32_t n)
{
    if (f->e->p >= EV_MAX_P || !know_p(f->md, f->e->p) || n > f->md->cfg.runq_size)
        return fold_broken(f, "%u Gs in the ring of P%u", n, f->e->p);
    struct model_p *p = &f->md->p[f->e->p];
    if (!(p->lacks & LACKS(KNOW_P_LEN)) && p->tail - p->head == n)
        return OFFER_APPLIED;
    for (uint32_t k = p->head; k != p->tail; k++)
        if (*ring_slot(f->md, p, k))
            displace_g(f->md, g_mut(f->md, *ring_slot(f->md, p, k)));
    p->head = 0;
    p->tail = n;
    for (uint32_t k = 0; k < n; k++)
        *ring_slot(f->md, p, k) = 0;
    p->lacks = (p->lacks | LACKS(KNOW_P_HEAD) | LACKS(KNOW_P_TAIL)) & ~LACKS(KNOW_P_LEN);
    p->guess &= ~LACKS(KNOW_P_LEN);
    return OFFER_APPLIED;
}

static enum offer count_globq(const struct fold *f, uint32_t n)
{
    struct deque *q = &f->md->globq;
    if (n > COUNT_MAX)
        return fold_broken(f, "%u Gs in the global queue", n);
    if ((f->md->lacks & LACKS(KNOW_GLOBQ_LEN)) || q->n != n) {
        while (q->n) {
            uint32_t g = *deque_at(q, 0);
            deque_drop_front(q, 1);
            if (g)
                put_at(g_mut(f->md, g), PLACE_UNKNOWN, EV_NONE, 0);
        }
        for (uint32_t i = 0; i < n && !f->md->oom; i++)
            deque_push_back(f->md, q, 0);
    }
    return OFFER_APPLIED;
}

/* Their number changes only while the world is stopped. */
static enum offer count_ps(const struct fold *f, uint32_t n)
{
    struct model *md = f->md;
    bool known = !((md->lacks | md->guess) & LACKS(KNOW_PS));
    if (n == 0 || n > EV_MAX_P || (n != md->np && !md->gcwaiting && (known || n < md->np)))
        return fold_broken(f, "%u Ps, but there are %u", n, md->np);
    for (uint32_t i = n; i < md->np; i++)
        displace_p(md, i);
    md->guess |= LACKS(KNOW_PS);
    if (n < md->np ? !model_p_resize(md, n) : !know_p(md, n - 1))
        return fold_lacks(f);
    return OFFER_APPLIED;
}

enum offer fold_count_seen(const struct fold *f)
{
    static const uint32_t learns[] = {
        [SEEN_RUNQ] = 0,
        [SEEN_GLOBQ] = LACKS(KNOW_GLOBQ_LEN),
        [SEEN_SPINNING] = LACKS(KNOW_SPINNING),
        [SEEN_IDLE_P] = LACKS(KNOW_IDLE_P_N),
        [SEEN_PS] = LACKS(KNOW_PS)};
    struct model *md = f->md;
    uint32_t what = f->e->a & 0xff, n = f->e->b;
    enum offer r = is_partial(f);
    if (r || what >= sizeof learns / sizeof *learns)
        return r ? r : fold_broken(f, "what is %u", what);
    if (what == SEEN_RUNQ)
        r = count_ring(f, n);
    else if (what == SEEN_GLOBQ)
        r = count_globq(f, n);
    else if (what == SEEN_SPINNING)
        md->nmspinning = n;
    else if (what == SEEN_IDLE_P)
        md->npidle = n;
    else
        r = count_ps(f, n);
    if (r)
        return r;
    md->lacks &= ~learns[what];
    md->guess &= ~learns[what];
    md->counted = true;
    return OFFER_APPLIED;
}
