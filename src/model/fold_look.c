/* The fold of looks: a source that now and then reads the state of a program, and sees nothing of what happens in between (engine/looks.h).
 *
 * The facts of a look are kept as they come. The `look` event applies all of them together, so nobody ever sees, and no condition is judged by,
 * a state that is half of one look and half of the next. Facts that did not change since the look before are not repeated.
 *
 * The events may come from a stranger's file: each value is checked before it is used. */
#include "model/suppose.h"

#include <stdlib.h>

enum { FACTS_MOST = 1 << 21 }; /* of one look, 64 MiB; more means a broken record */

enum offer fold_look_fact(const struct fold *f)
{
    struct looking *l = &f->md->looking;
    if (!f->md->cfg.lacks)
        return fold_broken(f, "the source of a live run sees everything");
    if (l->n >= FACTS_MOST)
        return fold_broken(f, "a look with more than %d facts", FACTS_MOST);
    if (l->n == l->cap) {
        uint32_t cap = l->cap ? l->cap * 2 : 64;
        struct look_fact *v = realloc(l->v, cap * sizeof *v);
        if (!v)
            return fold_lacks(f);
        l->v = v;
        l->cap = cap;
    }
    l->v[l->n++] = (struct look_fact){*f->e, f->m};
    return OFFER_APPLIED;
}

/* --- single facts; f->e is one of them -------------------------------------------------------------------------------------- */

static enum offer of_p(const struct fold *f)
{
    const struct ev *e = f->e;
    if (e->p >= f->md->np || (e->b != EV_NONE && !know_m(f->md, e->b)))
        return fold_broken(f, "a look has no P%u, or no M%u", e->p, e->b);
    struct model_p *p = &f->md->p[e->p];
    p->status = (e->a & 0xff) == P_SEEN_UNKNOWN ? (uint32_t)P_UNKNOWN : e->a & 0xff;
    p->m = e->b;
    p->runnext = e->c == EV_NONE ? 0 : e->c;
    p->schedtick = e->d;
    p->guess = 0;
    p->lacks = (f->md->cfg.lacks & KNOW_OF_P) | (p->lacks & LACKS(KNOW_P_LEN)) | (e->c == EV_NONE ? LACKS(KNOW_P_RUNNEXT) : 0);
    return OFFER_APPLIED;
}

static enum offer of_m(const struct fold *f)
{
    const struct ev *e = f->e;
    struct model_m *mm = know_m(f->md, f->m);
    uint32_t state = e->d & 0xff;
    if (!mm || (e->a != EV_NONE && e->a >= f->md->np))
        return fold_broken(f, "a look has no M%u, or no P%u", f->m, e->a);
    enum m_doing before = m_doing(mm);
    mm->p = e->a;
    mm->curg = e->b;
    mm->lockedg = e->c;
    mm->syscall = state == M_SEEN_SYSCALL;
    mm->spinning = state == M_SEEN_SPINNING;
    mm->blocked = state == M_SEEN_IDLE;
    mm->netpoll = state == M_SEEN_NETPOLL;
    mm->sysmon = state == M_SEEN_SYSMON;
    mm->exited = e->d >> 8 & 1;
    mm->idlelocked = (int8_t)(e->d >> 9 & 1);
    mm->wired = mm->syscall && mm->p != EV_NONE;
    mm->oldp = EV_NONE;
    mm->guess = 0;
    mm->lacks = (f->md->cfg.lacks & KNOW_OF_M) | (state == M_SEEN_UNKNOWN ? LACKS(KNOW_M_STATE) : 0);
    if (before != m_doing(mm))
        mm->since = e->time;
    return OFFER_APPLIED;
}

/* As set_status(), but without its sums: nobody knows when the status changed, nor how often. */
static void seen_as(const struct fold *f, struct model_g *g, uint32_t status)
{
    if (g->status == status)
        return;
    if (g->status != G_IDLE)
        f->md->count_g[g->status]--;
    f->md->count_g[status]++;
    g->status = (uint8_t)status;
    g->since = f->e->time;
    g->came = EV_LOOK;
}

static enum offer of_g(const struct fold *f)
{
    const struct ev *e = f->e;
    struct model_g *g = know_g(f->md, e->g);
    uint32_t state = e->a & 0xff;
    if (!g)
        return fold_broken(f, "no G can have this number, or it ended in an earlier look");
    if (e->b != EV_NONE && !know_m(f->md, e->b))
        return fold_broken(f, "no M can have the number %u", e->b);
    if (e->a >> 8 & 1) {
        if (g->status == G_DEAD)
            return fold_broken(f, "it has ended already");
        seen_as(f, g, G_DEAD);
        put_at(g, PLACE_DEAD, 0, 0);
        model_g_ended(f->md, g->id);
        return OFFER_APPLIED;
    }
    if (g->status == G_DEAD || g->fn == MODEL_FORGOTTEN)
        return fold_broken(f, "it has ended");
    seen_as(f, g, state == G_SEEN_UNKNOWN ? (uint32_t)G_UNKNOWN : state);
    g->fn = e->c == EV_NONE ? FN_UNKNOWN : e->c;
    g->by = e->d == EV_NONE ? 0 : e->d;
    g->reason = (uint16_t)(e->a >> 16);
    g->obj = 0;
    g->lacks = (uint8_t)(G_LACKS_SINCE | (e->c == EV_NONE ? G_LACKS_FN : 0) | (e->d == EV_NONE ? G_LACKS_BY : 0) |
                         (g->reason ? 0 : G_LACKS_REASON));
    bool on_m = (state == G_SEEN_RUNNING || state == G_SEEN_SYSCALL) && e->b != EV_NONE;
    put_at(g, on_m ? PLACE_RUNNING : state == G_SEEN_WAITING ? PLACE_WAITING : PLACE_UNKNOWN, on_m ? e->b : EV_NONE, 0);
    return OFFER_APPLIED;
}

/* The k-th id of a queue whose look_queue is fact `at`; 0 in a queue of Gs: not known. Returns false if the record has fewer. */
static bool id_at(const struct looking *l, uint32_t at, uint32_t k, uint32_t *id)
{
    uint32_t i = at + 1 + k / 4;
    if (i >= l->n || l->v[i].e.kind != EV_LOOK_IN)
        return false;
    const uint32_t word[] = {l->v[i].e.a, l->v[i].e.b, l->v[i].e.c, l->v[i].e.d};
    *id = word[k % 4];
    return true;
}

static bool has_ids(const struct looking *l, uint32_t at)
{
    uint32_t id;
    return id_at(l, at, 0, &id);
}

static enum offer of_ring(const struct fold *f, uint32_t at)
{
    const struct ev *e = f->e;
    const struct looking *l = &f->md->looking;
    if (e->p >= f->md->np || e->b > f->md->cfg.runq_size)
        return fold_broken(f, "%u Gs in the ring of P%u", e->b, e->p);
    struct model_p *p = &f->md->p[e->p];
    bool ids = has_ids(l, at);
    p->head = e->c;
    p->tail = e->c + e->b;
    p->lacks &= ~LACKS(KNOW_P_LEN);
    for (uint32_t k = 0, id = 0; k < e->b; k++) {
        if (ids && !id_at(l, at, k, &id))
            return fold_broken(f, "the ring of P%u lacks some of its %u Gs", e->p, e->b);
        *ring_slot(f->md, p, e->c + k) = id;
    }
    return OFFER_APPLIED;
}

/* exist: so many things the list may name; UINT32_MAX: Gs, which are looked at later. */
static enum offer of_list(const struct fold *f, uint32_t at, struct deque *d, uint32_t exist)
{
    const struct looking *l = &f->md->looking;
    bool ids = has_ids(l, at);
    if (f->e->b > FACTS_MOST)
        return fold_broken(f, "a list of %u", f->e->b);
    deque_drop_front(d, d->n);
    for (uint32_t k = 0, id = 0; k < f->e->b && !f->md->oom; k++) {
        if (ids && (!id_at(l, at, k, &id) || id >= exist))
            return fold_broken(f, "a list of %u lacks a member, or has one that does not exist", f->e->b);
        if (ids || exist == UINT32_MAX) /* of what is idle, only the number is known */
            deque_push_back(f->md, d, id);
    }
    return OFFER_APPLIED;
}

static enum offer of_queue(const struct fold *f, uint32_t at)
{
    struct model *md = f->md;
    uint32_t what = f->e->a & 0xff;
    return what == LOOK_RUNQ     ? of_ring(f, at)
           : what == LOOK_GLOBQ  ? of_list(f, at, &md->globq, UINT32_MAX)
           : what == LOOK_IDLE_P ? of_list(f, at, &md->idlep, md->np)
                                 : of_list(f, at, &md->idlem, md->nm);
}

/* --- the whole --------------------------------------------------------------------------------------------------------------- */

/* A queue says where its Gs are. An entry that cannot be becomes unknown, so that nobody reads what does not exist. */
static enum offer place(const struct fold *f, uint32_t *entry, enum g_place where, uint32_t p, uint32_t slot)
{
    const struct model_g *g = *entry ? g_find(f->md, *entry) : NULL;
    if (*entry && (!g || g->fn == MODEL_FORGOTTEN || (g->status != G_RUNNABLE && g->status != G_UNKNOWN))) {
        uint32_t id = *entry;
        *entry = 0;
        return fold_broken(f, "G%u is in a queue and not runnable", id);
    }
    if (*entry && (g->place != where || g->where != p || g->slot != slot))
        put_at(g_mut(f->md, *entry), where, p, slot);
    return OFFER_APPLIED;
}

static enum offer place_all(const struct fold *f)
{
    struct model *md = f->md;
    enum offer r = OFFER_APPLIED, one;
    for (uint32_t g = model_next_live(md, 0); g; g = model_next_live(md, g)) {
        uint8_t at = g_find(md, g)->place;
        if (at == PLACE_RUNNEXT || at == PLACE_RUNQ || at == PLACE_GLOBQ)
            put_at(g_mut(md, g), PLACE_UNKNOWN, EV_NONE, 0);
    }
    for (uint32_t i = 0; i < md->np; i++) {
        struct model_p *p = &md->p[i];
        if ((one = place(f, &p->runnext, PLACE_RUNNEXT, i, 0)))
            r = one;
        for (uint32_t k = p->head; k != p->tail; k++)
            if ((one = place(f, ring_slot(md, p, k), PLACE_RUNQ, i, k)))
                r = one;
    }
    for (uint32_t i = 0; i < md->globq.n; i++)
        if ((one = place(f, &md->globq.v[md->globq.off + i], PLACE_GLOBQ, 0, i)))
            r = one;
    return r;
}

/* What the parts of a look say of each other. What contradicts is taken out, too. */
static enum offer agree(const struct fold *f)
{
    struct model *md = f->md;
    enum offer r = OFFER_APPLIED;
    for (uint32_t i = 0; i < md->nm; i++) {
        struct model_m *mm = &md->m[i];
        const struct model_g *g = mm->curg ? g_find(md, mm->curg) : NULL;
        if (mm->p != EV_NONE && (mm->p >= md->np || md->p[mm->p].m != i)) {
            r = fold_broken(f, "M%u has P%u, which does not have it", i, mm->p);
            mm->p = EV_NONE;
        }
        if (mm->curg && (!g || g->place != PLACE_RUNNING || g->where != i)) {
            r = fold_broken(f, "M%u has G%u, which does not run there", i, mm->curg);
            mm->curg = 0;
        }
    }
    for (uint32_t i = 0; i < md->np; i++) {
        struct model_p *p = &md->p[i];
        if (p->m != EV_NONE && (p->m >= md->nm || md->m[p->m].p != i)) {
            r = fold_broken(f, "P%u has M%u, which does not have it", i, p->m);
            p->m = EV_NONE;
        }
    }
    return r;
}

static enum offer apply_facts(const struct fold *look)
{
    const struct looking *l = &look->md->looking;
    enum offer r = OFFER_APPLIED;
    for (uint32_t i = 0; i < l->n && !r; i++) {
        const struct fold f = {.md = look->md, .m = l->v[i].m, .e = &l->v[i].e};
        uint8_t kind = f.e->kind;
        r = kind == EV_LOOK_P       ? of_p(&f)
            : kind == EV_LOOK_M     ? of_m(&f)
            : kind == EV_LOOK_G     ? of_g(&f)
            : kind == EV_LOOK_QUEUE ? of_queue(&f, i)
                                    : OFFER_APPLIED; /* look_in: its queue has read it */
    }
    return r;
}

static bool resize(struct model *md, uint32_t n)
{
    uint32_t before = md->np;
    if (!model_p_resize(md, n))
        return false;
    for (uint32_t i = before; i < n; i++) {
        md->p[i].status = P_UNKNOWN;
        md->p[i].m = EV_NONE;
        md->p[i].head = md->p[i].tail = md->p[i].runnext = 0;
        md->p[i].lacks = KNOW_OF_P & ~LACKS(KNOW_P_STATE);
    }
    for (uint32_t i = n; i < before; i++) {
        md->p[i].status = P_DEAD;
        md->p[i].m = EV_NONE;
        deque_remove(&md->idlep, i);
    }
    for (uint32_t i = 0; i < md->nm; i++)
        if (md->m[i].p != EV_NONE && md->m[i].p >= n)
            md->m[i].p = EV_NONE;
    return true;
}

enum offer fold_look(const struct fold *f)
{
    struct model *md = f->md;
    uint32_t np = f->e->b & 0xffff;
    if (!md->cfg.lacks || np == 0 || np > EV_MAX_P)
        return fold_broken(f, "a look at %u Ps", np);
    if (!resize(md, np))
        return fold_lacks(f);
    enum offer applied = apply_facts(f), placed = place_all(f), agreed = agree(f);
    md->looking.n = 0;
    if (applied || placed || agreed)
        return applied ? applied : placed ? placed : agreed;
    md->looks = f->e->a;
    md->nmspinning = f->e->c;
    md->needspinning = f->e->b >> 16 & 1;
    md->npidle = f->e->d;
    md->lacks = md->cfg.lacks & KNOW_GLOBAL;
    md->guess = 0;
    return OFFER_APPLIED;
}
