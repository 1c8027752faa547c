/* What a partial model may suppose: things that an event names for the first time, and the state that an event presupposes. Only what is
 * unknown changes. */
#include "model/suppose.h"

#include <string.h>

/* ---- things that an event names for the first time ---- */

struct model_m *know_m(struct model *md, uint32_t m)
{
    if (m >= PARTIAL_MS)
        return NULL;
    if (m < md->nm && md->m[m].started)
        return &md->m[m];
    struct model_m *mm = model_m_add(md, m);
    md->oom |= !mm;
    if (mm) {
        mm->started = true;
        mm->since = md->time;
        mm->lacks = KNOW_OF_M;
    }
    return mm;
}

struct model_p *know_p(struct model *md, uint32_t p)
{
    uint32_t before = md->npall;
    if (p < md->np)
        return &md->p[p];
    if (p >= EV_MAX_P || !((md->lacks | md->guess) & LACKS(KNOW_PS)))
        return NULL;
    if (!model_p_resize(md, p + 1)) {
        md->oom = true;
        return NULL;
    }
    for (uint32_t i = before; i < md->npall; i++) {
        md->p[i].status = P_UNKNOWN;
        md->p[i].lacks = KNOW_OF_P & ~LACKS(KNOW_P_STATE);
    }
    md->lacks &= ~LACKS(KNOW_PS);
    md->guess |= LACKS(KNOW_PS); /* there are at least so many */
    return &md->p[p];
}

struct model_g *know_g(struct model *md, uint32_t id)
{
    const struct model_g *known = id && id <= ID_MAX ? g_find(md, id) : NULL;
    if (known)
        return known->fn == MODEL_FORGOTTEN ? NULL : g_mut(md, id);
    if (id == 0 || id > ID_MAX)
        return NULL;
    struct model_g *g = model_g_add(md, id);
    md->oom |= !g;
    if (!g)
        return NULL;
    g->fn = FN_UNKNOWN;
    g->status = G_UNKNOWN;
    g->lacks = G_LACKS_REASON | G_LACKS_FN | G_LACKS_BY | G_LACKS_SINCE;
    g->since = md->time;
    put_at(g, PLACE_UNKNOWN, EV_NONE, 0);
    md->count_g[G_UNKNOWN]++;
    return g;
}

/* ---- what is known is moved to where nobody knows it ---- */

static bool deque_forget(struct deque *d, uint32_t v, uint32_t by)
{
    for (uint32_t i = 0; i < d->n; i++)
        if (d->v[d->off + i] == v) {
            d->v[d->off + i] = by;
            return true;
        }
    return false;
}

void displace_g(struct model *md, struct model_g *g)
{
    struct model_p *p = g->where < md->npall ? &md->p[g->where] : NULL;
    struct model_m *mm = g->where < md->nm ? &md->m[g->where] : NULL;
    uint32_t at = g->place == PLACE_IN_TRANSIT && mm ? transit_find(mm, g->id) : 0;
    if (g->place == PLACE_RUNNEXT && p && p->runnext == g->id) {
        p->runnext = 0;
        p->lacks |= LACKS(KNOW_P_RUNNEXT);
    } else if (g->place == PLACE_RUNQ && p && *ring_slot(md, p, g->slot) == g->id) {
        *ring_slot(md, p, g->slot) = 0;
    } else if (g->place == PLACE_GLOBQ) {
        deque_forget(&md->globq, g->id, 0);
    } else if (g->place == PLACE_DISABLED) {
        deque_forget(&md->disabled, g->id, 0);
    } else if (g->place == PLACE_IN_TRANSIT && mm && at < mm->transit_n) {
        transit_remove(mm, at, 1);
    } else if (g->place == PLACE_RUNNING && mm && mm->curg == g->id) {
        mm->curg = 0;
        mm->syscall = false;
        mm->lacks |= LACKS(KNOW_M_G) | LACKS(KNOW_M_STATE);
    }
    put_at(g, PLACE_UNKNOWN, EV_NONE, 0);
}

void displace_p(struct model *md, uint32_t id)
{
    struct model_p *p = &md->p[id];
    if (p->m < md->nm) {
        md->m[p->m].p = EV_NONE;
        md->m[p->m].guess |= LACKS(KNOW_M_P); /* another M has it, or it has another state */
    }
    if (deque_remove(&md->idlep, id) && md->npidle)
        md->npidle--;
    p->m = EV_NONE;
    p->status = P_UNKNOWN;
    p->lacks |= LACKS(KNOW_P_M);
}

void state_of_g(const struct fold *f, struct model_g *g, uint32_t status)
{
    struct fold of = *f;
    of.g = g;
    set_status(&of, status);
    g->lacks |= G_LACKS_SINCE;
}

/* ---- what an event presupposes of its M, its P, its G ---- */

static bool open_p(const struct model_m *mm)
{
    return ((mm->lacks | mm->guess) & LACKS(KNOW_M_P)) != 0;
}

/* The M has no P, if nothing else is known. */
void suppose_no_p(struct fold *f)
{
    if (f->mm->p != EV_NONE && open_p(f->mm))
        displace_p(f->md, f->mm->p);
    if (f->mm->p == EV_NONE)
        f->mm->lacks &= ~LACKS(KNOW_M_P);
}

/* The M has P id. */
enum offer suppose_p(struct fold *f, uint32_t id)
{
    struct model *md = f->md;
    struct model_p *p = know_p(md, id);
    if (!p)
        return fold_broken(f, "there is no P%u", id);
    bool same = f->mm->p == id && p->m == f->m && p->status != P_UNKNOWN;
    if (!same) {
        if (!open_p(f->mm))
            return fold_broken(f, "M%u has P%d, the record P%u", f->m, (int)f->mm->p, id);
        bool open = p->status == P_UNKNOWN || (p->guess & LACKS(KNOW_P_STATE)) || (md->cfg.lacks & LACKS(KNOW_P_STATE)) ||
                    (p->status == P_RUNNING && p->m == EV_NONE);
        if (!open)
            return fold_broken(f, "P%u has status %u and is M%d's", id, p->status, (int)p->m);
        if (f->mm->p != EV_NONE)
            displace_p(md, f->mm->p);
        displace_p(md, id);
        p->status = P_RUNNING;
        p->m = f->m;
        f->mm->p = id;
    }
    p->lacks &= ~LACKS(KNOW_P_M);
    p->guess &= ~LACKS(KNOW_P_STATE);
    f->mm->lacks &= ~LACKS(KNOW_M_P);
    f->mm->guess &= ~LACKS(KNOW_M_P);
    return OFFER_APPLIED;
}

/* P id has this state and no M. */
enum offer suppose_p_state(struct fold *f, uint32_t id, enum p_status status)
{
    struct model_p *p = know_p(f->md, id);
    if (!p)
        return fold_broken(f, "there is no P%u", id);
    if (p->status != status && (p->status == P_UNKNOWN || (p->guess & LACKS(KNOW_P_STATE)))) {
        displace_p(f->md, id);
        p->status = status;
        p->guess |= LACKS(KNOW_P_STATE);
        p->lacks &= ~LACKS(KNOW_P_M);
    }
    return OFFER_APPLIED;
}

struct model_g *g_open(struct fold *f, uint32_t id, uint32_t status)
{
    struct model_g *g = know_g(f->md, id);
    return g && (g->status == G_UNKNOWN || (g->status == status && g->place == PLACE_UNKNOWN)) ? g : NULL;
}

/* The M runs the event's G, or is in a system call with it. */
void suppose_curg(struct fold *f, uint32_t status)
{
    struct model_m *mm = f->mm;
    bool open = (mm->lacks & LACKS(KNOW_M_G)) != 0;
    struct model_g *g = mm->curg == f->e->g || !open ? NULL : g_open(f, f->e->g, status);
    if (!g)
        return;
    if (mm->curg) {
        struct model_g *other = g_mut(f->md, mm->curg);
        displace_g(f->md, other);
        state_of_g(f, other, G_UNKNOWN);
    }
    displace_g(f->md, g);
    if (g->status != status)
        state_of_g(f, g, status);
    put_at(g, PLACE_RUNNING, f->m, 0);
    mm->curg = g->id;
    mm->syscall = status == G_SYSCALL;
}

/* The M is moving the G: it was runnable, in a queue that nobody knows. */
void suppose_hand(struct fold *f, uint32_t id)
{
    struct model_g *g = g_open(f, id, G_RUNNABLE);
    if (!g)
        return;
    if (g->status != G_RUNNABLE)
        state_of_g(f, g, G_RUNNABLE);
    transit_add(f->md, f->mm, id);
    put_at(g, PLACE_IN_TRANSIT, f->m, 0);
    g->via = PLACE_UNKNOWN;
}

/* G id is in this place of a queue. */
void suppose_at(struct fold *f, uint32_t id, enum g_place place, uint32_t where, uint32_t slot)
{
    struct model_g *g = know_g(f->md, id);
    if (!g)
        return;
    if (g->status != G_RUNNABLE)
        state_of_g(f, g, G_RUNNABLE);
    put_at(g, place, where, slot);
}

enum offer suppose_runnext(struct fold *f, uint32_t id, uint32_t g)
{
    struct model_p *p = know_p(f->md, id);
    if (!p)
        return fold_broken(f, "there is no P%u", id);
    if (!(p->lacks & LACKS(KNOW_P_RUNNEXT)))
        return OFFER_APPLIED;
    if (g && !g_open(f, g, G_RUNNABLE))
        return fold_broken(f, "G%u is elsewhere", g);
    p->runnext = g;
    p->lacks &= ~LACKS(KNOW_P_RUNNEXT);
    if (g)
        suppose_at(f, g, PLACE_RUNNEXT, id, 0);
    return OFFER_APPLIED;
}

/* ---- rings ---- */

/* Appends unknown Gs at the tail, or in front of the head, up to this index. */
void suppose_slots(const struct fold *f, struct model_p *p, uint32_t head, uint32_t tail)
{
    for (; p->tail != tail; p->tail++)
        *ring_slot(f->md, p, p->tail) = 0;
    for (; p->head != head; p->head--)
        *ring_slot(f->md, p, p->head - 1) = 0;
}

/* Both ends of the ring are known now. */
static void derive_len(struct model_p *p)
{
    if (p_lacks(p, KNOW_P_HEAD) || p_lacks(p, KNOW_P_TAIL) || !p_lacks(p, KNOW_P_LEN))
        return;
    p->lacks &= ~LACKS(KNOW_P_LEN);
    p->guess |= LACKS(KNOW_P_LEN);
}

/* Gives a ring of unknown Gs other indices. */
static void rebase(const struct fold *f, struct model_p *p, uint32_t head, uint32_t n)
{
    for (uint32_t k = p->head; k != p->tail; k++)
        if (*ring_slot(f->md, p, k))
            displace_g(f->md, g_mut(f->md, *ring_slot(f->md, p, k)));
    p->head = p->tail = head;
    suppose_slots(f, p, head, head + n);
    p->lacks &= ~LACKS(KNOW_P_HEAD) & ~LACKS(KNOW_P_TAIL);
}

static void suppose_head(struct fold *f, struct model_p *p, uint32_t head)
{
    if (!p_lacks(p, KNOW_P_HEAD))
        return;
    if (!p_lacks(p, KNOW_P_LEN)) {
        rebase(f, p, head, p->tail - p->head);
    } else if (p_lacks(p, KNOW_P_TAIL)) {
        rebase(f, p, head, 0);
        p->lacks |= LACKS(KNOW_P_TAIL);
    } else if (p->tail - head <= f->md->cfg.runq_size && p->head - head <= f->md->cfg.runq_size) {
        suppose_slots(f, p, head, p->tail);
        p->lacks &= ~LACKS(KNOW_P_HEAD);
    }
    derive_len(p);
}

void suppose_tail(struct fold *f, struct model_p *p, uint32_t tail, uint32_t more)
{
    uint32_t size = f->md->cfg.runq_size;
    if (p_lacks(p, KNOW_P_TAIL)) {
        if (!p_lacks(p, KNOW_P_LEN)) {
            rebase(f, p, tail - (p->tail - p->head), p->tail - p->head);
        } else if (p_lacks(p, KNOW_P_HEAD)) {
            rebase(f, p, tail, 0);
            p->lacks |= LACKS(KNOW_P_HEAD);
        } else if (tail - p->head <= size && tail - p->tail <= size) {
            suppose_slots(f, p, p->head, tail);
            p->lacks &= ~LACKS(KNOW_P_TAIL);
        }
        derive_len(p);
    }
    while (p_lacks(p, KNOW_P_HEAD) && p->head != p->tail && p->tail - p->head + more > size) {
        if (*ring_slot(f->md, p, p->head)) /* it must have left */
            displace_g(f->md, g_mut(f->md, *ring_slot(f->md, p, p->head)));
        p->head++;
    }
}

/* The ring of P id has n Gs from index `head` on, the last of which is `last` (0: any). */
enum offer suppose_ring(struct fold *f, uint32_t id, uint32_t head, uint32_t n, uint32_t last)
{
    struct model_p *p = know_p(f->md, id);
    if (!p)
        return fold_broken(f, "there is no P%u", id);
    if (n == 0 || n > f->md->cfg.runq_size)
        return fold_broken(f, "%u Gs of a ring", n);
    suppose_head(f, p, head);
    if (p->head != head)
        return OFFER_APPLIED; /* the fold says why not */
    if (p_lacks(p, KNOW_P_TAIL) && p->tail - head < n)
        suppose_slots(f, p, head, head + n);
    uint32_t *slot = ring_slot(f->md, p, head + n - 1);
    if (p->tail - head < n || !last || *slot)
        return OFFER_APPLIED;
    if (!g_open(f, last, G_RUNNABLE))
        return fold_broken(f, "G%u is elsewhere", last);
    *slot = last;
    suppose_at(f, last, PLACE_RUNQ, id, head + n - 1);
    return OFFER_APPLIED;
}
