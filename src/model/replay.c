/* Queues that a trace does not record. The rules by which Go moves Gs between them are known, and so are the events that they depend on: a G is created or
 * readied by an M with a P, it starts, a P becomes idle. So the rules are replayed: they say in which queue each runnable G is. That is derived, never a fact
 * (model_knows), and the replay counts how many starts it explains (model_replay).
 *
 * - A new or readied G becomes runnext of its P and kicks out the one before, to the ring's tail; from a full ring, half goes to the global queue.
 * - Gs that the poller or the collector readies go to the global queue, one for each idle P, the others to the ring.
 * - A G that yields, is preempted, or finds no P after a system call goes to the global queue. After goyield it goes to the ring. Since 1.26, one that is
 *   preempted for a stopped world stays runnext.
 * - A P takes its runnext, then the head of its ring, then a share of the global queue, then half of another ring; each 61st time it looks into the global
 *   queue first.
 *
 * A start that no rule explains breaks the ring of its P: it is unknown until its unknown part is empty again. A queue is first in, first out: so a G that
 * leaves it shows that all Gs before it have left. That is why Gs are counted behind the unknown part too (`later`), where nobody sees them. A P that
 * becomes idle has an empty ring, and finds an empty global queue.
 *
 * A thief takes half of a ring at once, but a trace has only the start of the last one. So a start from another ring moves those before it to the thief.
 *
 * Rejected: to look ahead in the trace. It explains more, but then a live trace would show something else than the same trace from a file. */
#include "model/replay.h"
#include "base/run_names.h"
#include "model/suppose.h"

enum { OWN = LACKS(KNOW_P_RUNNEXT) | LACKS(KNOW_P_RUNQ) | LACKS(KNOW_P_LEN), ALL = LACKS(KNOW_GLOBQ) | LACKS(KNOW_GLOBQ_LEN) };
#define GLOBQ_LATER UINT32_MAX /* in place of a P: behind the unknown part of the global queue */

bool replay_fits(const struct model_config *cfg)
{
    const uint32_t queues = OWN | ALL | LACKS(KNOW_G_PLACE) | LACKS(KNOW_STEALS);
    return (cfg->lacks & queues) == queues && (1u << cfg->generation & SINCE(GO1_13));
}

static bool since(const struct model *md, enum rt_generation first)
{
    return 1u << md->cfg.generation & SINCE(first);
}

/* ---- places ---- */

static void set_derived(struct model *md, uint32_t id, enum g_place place, uint32_t where, uint32_t slot)
{
    struct model_g *g = g_mut(md, id);
    put_at(g, place, where, slot);
    g->lacks |= G_GUESS_PLACE;
}

/* No queue is known to have the G. later: 1 + the P whose ring may have it behind its unknown part; 0: none. */
static void set_unknown(struct model *md, uint32_t id, uint32_t later)
{
    struct model_g *g = g_mut(md, id);
    put_at(g, PLACE_UNKNOWN, EV_NONE, later);
    g->lacks &= (uint8_t)~G_GUESS_PLACE;
}

static bool knows_ring(const struct model_p *p)
{
    return !p_lacks(p, KNOW_P_LEN);
}

static bool is_empty(const struct model_p *p)
{
    return knows_ring(p) && p->head == p->tail && !p->runnext && !p_lacks(p, KNOW_P_RUNNEXT);
}

static void now_known(struct model_p *p, uint32_t what)
{
    p->lacks &= ~what;
    p->guess |= what;
}

/* Something contradicts what was derived of the P. Its Gs may still be there, behind an unknown part: then the next one that starts shows it. */
static void break_p(struct model *md, uint32_t id)
{
    struct model_p *p = &md->p[id];
    if (p->runnext)
        set_unknown(md, p->runnext, 0);
    for (uint32_t k = p->head; k != p->tail; k++)
        set_unknown(md, *ring_slot(md, p, k), id + 1);
    p->later += p->tail - p->head;
    p->tail = p->head;
    p->runnext = 0;
    p->lacks |= OWN;
    p->guess &= ~(uint32_t)OWN;
}

/* The P has nothing. */
static void empty_p(struct model *md, uint32_t id)
{
    struct model_p *p = &md->p[id];
    break_p(md, id);
    for (; p->later; p->later--)
        set_unknown(md, *ring_slot(md, p, p->tail + p->later - 1), 0);
    now_known(p, OWN);
}

/* ---- what comes ---- */

static bool knows_globq(const struct model *md)
{
    return !(md->lacks & LACKS(KNOW_GLOBQ_LEN));
}

static void globq_put(struct model *md, uint32_t g)
{
    if (knows_globq(md)) {
        deque_push_back(md, &md->globq, g);
        set_derived(md, g, PLACE_GLOBQ, 0, 0);
    } else {
        deque_push_back(md, &md->globq_later, g);
        set_unknown(md, g, GLOBQ_LATER);
    }
}

static void break_globq(struct model *md)
{
    md->lacks |= ALL;
    md->guess &= ~(uint32_t)ALL;
    for (; md->globq.n; deque_drop_front(&md->globq, 1))
        globq_put(md, *deque_at(&md->globq, 0));
}

/* All that is in the global queue is what waited behind its unknown part, from the k-th on. */
static void resume_globq(struct model *md, uint32_t k)
{
    struct deque *q = &md->globq_later;
    md->lacks &= ~(uint32_t)ALL;
    md->guess |= ALL;
    for (; k && q->n; k--, deque_drop_front(q, 1))
        set_unknown(md, *deque_at(q, 0), 0);
    for (; q->n; deque_drop_front(q, 1))
        globq_put(md, *deque_at(q, 0));
}

/* A ring whose length is not known keeps the newest ones. If they fill it, it has overflowed; when, is not known. */
static void put_later(struct model *md, struct model_p *p, uint32_t id, uint32_t g)
{
    uint32_t half = md->cfg.runq_size / 2;
    if (p->later < md->cfg.runq_size) {
        *ring_slot(md, p, p->tail + p->later++) = g;
        set_unknown(md, g, id + 1);
        return;
    }
    break_globq(md);
    for (uint32_t i = 0; i < half; i++)
        globq_put(md, *ring_slot(md, p, p->tail + i));
    globq_put(md, g);
    p->head = p->tail += half;
    p->later -= half;
}

static void ring_put(struct model *md, uint32_t id, uint32_t g)
{
    struct model_p *p = &md->p[id];
    uint32_t size = md->cfg.runq_size;
    p->global_before = false;
    if (!knows_ring(p)) {
        put_later(md, p, id, g);
        return;
    }
    if (p->tail - p->head < size) {
        *ring_slot(md, p, p->tail) = g;
        set_derived(md, g, PLACE_RUNQ, id, p->tail++);
        return;
    }
    for (uint32_t i = 0; i < size / 2; i++)
        globq_put(md, *ring_slot(md, p, p->head++));
    globq_put(md, g);
}

static void next_put(struct model *md, uint32_t id, uint32_t g)
{
    struct model_p *p = &md->p[id];
    uint32_t kicked = p->runnext;
    p->runnext = g;
    p->global_before = false;
    now_known(p, LACKS(KNOW_P_RUNNEXT));
    set_derived(md, g, PLACE_RUNNEXT, id, 0);
    if (kicked)
        ring_put(md, id, kicked);
}

/* injectglist: its Gs come one by one, so the M counts them. */
static void inject(struct fold *f, uint32_t p, uint32_t g)
{
    struct model_m *mm = &f->md->m[f->m];
    uint32_t idle = 0;
    for (uint32_t i = 0; i < f->md->np; i++)
        idle += f->md->p[i].status == P_IDLE;
    if (!mm->injected)
        mm->inject_most = idle;
    bool away = p >= f->md->np || !since(f->md, GO1_20) || mm->injected < mm->inject_most;
    mm->injected++;
    if (away)
        globq_put(f->md, g);
    else
        ring_put(f->md, p, g);
}

/* The M has this G in its hand: it runs it next, or it was put where it would wait. */
static void in_hand(struct fold *f, uint32_t g, bool deferred)
{
    struct model_m *mm = &f->md->m[f->m];
    mm->hand = g;
    mm->hand_deferred = deferred;
}

/* The M did not run what it had in its hand. */
static void empty_hand(struct fold *f)
{
    struct model *md = f->md;
    struct model_m *mm = &md->m[f->m];
    uint32_t g = mm->hand;
    const struct model_g *mg = g && mm->hand_deferred ? g_find(md, g) : NULL;
    mm->hand = mm->injected = 0;
    mm->hand_deferred = false;
    if (mg && mg->status == G_RUNNABLE && mg->place == PLACE_UNKNOWN && !mg->slot && mm->p < md->np)
        next_put(md, mm->p, g);
}

static void readied(struct fold *f, const struct ev *e)
{
    uint32_t reason = f->md->readied_reason, p = e->p == EV_NO_P ? EV_NONE : e->p;
    bool alone = !e->b, injects = reason == WAIT_REASON_IO_WAIT || reason == WAIT_REASON_GC_WAIT;
    if (reason == WAIT_REASON_COROUTINE) {
        in_hand(f, e->g, true); /* the other one of a pair runs at once */
    } else if (p >= f->md->np) {
        globq_put(f->md, e->g);
    } else if (injects && (alone || f->md->gcwaiting || reason == WAIT_REASON_GC_WAIT)) {
        inject(f, p, e->g);
        if (alone) /* findRunnable runs one of them itself */
            in_hand(f, e->g, false);
    } else if (alone && (reason == WAIT_REASON_SYSTEM || reason == WAIT_REASON_NONE)) {
        empty_hand(f);
        in_hand(f, e->g, true); /* a mark worker or the reader of the trace runs at once; the others become runnext */
    } else {
        next_put(f->md, p, e->g);
    }
}

static void preempted(struct fold *f, const struct ev *e)
{
    if (e->b == PREEMPT_GOYIELD && e->p < f->md->np)
        ring_put(f->md, e->p, e->g);
    else if (f->md->gcwaiting && since(f->md, GO1_26) && e->p < f->md->np)
        next_put(f->md, e->p, e->g);
    else
        globq_put(f->md, e->g);
}

/* A P without work: its queues are empty, and so is the global one. One that has a G in a call is handed on. */
static void released(struct fold *f, const struct ev *e)
{
    struct model *md = f->md;
    empty_hand(f);
    if (md->gcwaiting || md->m[f->m].curg || e->p >= md->np)
        return;
    if (!knows_ring(&md->p[e->p]) || p_lacks(&md->p[e->p], KNOW_P_RUNNEXT))
        empty_p(md, e->p);
    if (!knows_globq(md))
        resume_globq(md, md->globq_later.n);
}

void replay_after(struct fold *f)
{
    const struct ev *e = f->e;
    const struct model_g *g = g_find(f->md, e->g);
    if (e->kind == EV_P_RELEASE) {
        released(f, e);
        return;
    }
    if (!g || g->fn == MODEL_FORGOTTEN || g->status != G_RUNNABLE || g->place != PLACE_UNKNOWN)
        return;
    switch (e->kind) {
    case EV_G_CREATE:
        e->p < f->md->np ? next_put(f->md, e->p, e->g) : globq_put(f->md, e->g);
        break;
    case EV_G_READY:
        readied(f, e);
        break;
    case EV_G_PREEMPT:
        preempted(f, e);
        break;
    case EV_G_YIELD:
        globq_put(f->md, e->g);
        break;
    case EV_SYSCALL_EXIT:
        globq_put(f->md, e->g);
        in_hand(f, e->g, false); /* it finds an idle P, and starts at once */
        break;
    default:
        break;
    }
}

/* ---- what goes ---- */

/* Takes n Gs from the head of the ring of P id; they become P to's, EV_NONE: nobody knows whose. */
static void move_ring(struct model *md, uint32_t from, uint32_t n, uint32_t to)
{
    struct model_p *p = &md->p[from];
    for (; n && p->head != p->tail; n--) {
        uint32_t g = *ring_slot(md, p, p->head++);
        if (to == EV_NONE)
            set_unknown(md, g, 0);
        else
            ring_put(md, to, g);
    }
}

/* What is behind the unknown part of the ring of P id is all that it holds, from the k-th on. */
static void resume_ring(struct model *md, uint32_t id, uint32_t k)
{
    struct model_p *p = &md->p[id];
    for (uint32_t i = 0; i < k; i++)
        set_unknown(md, *ring_slot(md, p, p->tail + i), 0);
    p->head = p->tail += k;
    uint32_t n = p->later - k;
    p->later = 0;
    now_known(p, LACKS(KNOW_P_RUNQ) | LACKS(KNOW_P_LEN));
    for (uint32_t i = 0; i < n; i++)
        set_derived(md, *ring_slot(md, p, p->tail), PLACE_RUNQ, id, p->tail), p->tail++;
}

/* A G that waited behind the unknown part of a ring leaves it. Those before it have left before: if P `thief` took it, it has them, behind others
 * perhaps. */
static void leave_later(struct model *md, const struct model_g *g, uint32_t thief)
{
    uint32_t from = g->slot - 1, k = 0;
    if (g->slot == GLOBQ_LATER) { /* when its ring overflowed was a guess: only the first one shows that all before have left */
        if (md->globq_later.n && *deque_at(&md->globq_later, 0) == g->id)
            resume_globq(md, 1);
        else
            deque_remove(&md->globq_later, g->id);
        return;
    }
    if (from >= md->npall)
        return;
    struct model_p *p = &md->p[from];
    while (k < p->later && *ring_slot(md, p, p->tail + k) != g->id)
        k++;
    if (k == p->later)
        return;
    uint32_t first = p->tail;
    resume_ring(md, from, k + 1);
    for (uint32_t i = 0; i < k && thief != EV_NONE && thief != from; i++)
        put_later(md, &md->p[thief], thief, *ring_slot(md, p, first + i));
}

/* Takes the G out of the place that it was derived to be in. */
static void withdraw(struct model *md, uint32_t id)
{
    const struct model_g *g = g_find(md, id);
    struct model_p *p = g->where < md->npall ? &md->p[g->where] : NULL;
    if (g->place == PLACE_RUNNEXT && p)
        p->runnext = 0;
    else if (g->place == PLACE_RUNQ && p)
        move_ring(md, g->where, g->slot - p->head + 1, EV_NONE);
    else if (g->place == PLACE_GLOBQ)
        deque_remove(&md->globq, id);
    else if (g->place == PLACE_UNKNOWN && g->slot)
        leave_later(md, g, EV_NONE);
    set_unknown(md, id, 0);
}

/* An M runs itself what it has put last. */
static void take_back(struct model *md, const struct model_g *g)
{
    uint32_t id = g->id;
    struct model_p *p = g->where < md->npall ? &md->p[g->where] : NULL;
    bool last = g->place == PLACE_RUNQ && p && p->tail - 1 == g->slot;
    p = g->place == PLACE_UNKNOWN && g->slot && g->slot <= md->npall ? &md->p[g->slot - 1] : p;
    bool last_later = g->place == PLACE_UNKNOWN && p && p->later && *ring_slot(md, p, p->tail + p->later - 1) == id;
    if (last)
        p->tail--;
    else if (last_later)
        p->later--;
    else
        withdraw(md, id);
    set_unknown(md, id, 0);
}

/* A P that looks elsewhere had nothing of its own. */
static bool looks_elsewhere(struct model *md, uint32_t p)
{
    if (knows_ring(&md->p[p]) && md->p[p].head != md->p[p].tail)
        return false;
    if (md->p[p].runnext)
        return false;
    empty_p(md, p);
    return true;
}

/* P p takes its share of a global queue of `size`, of which it has taken the first one. */
static void take_batch(struct model *md, uint32_t p, uint32_t size)
{
    uint32_t n = size / (md->np ? md->np : 1) + 1, most = md->cfg.runq_size / 2;
    n = n < size ? n : size;
    for (n = n < most ? n : most; n > 1 && md->globq.n; n--) {
        uint32_t g = *deque_at(&md->globq, 0);
        deque_drop_front(&md->globq, 1);
        ring_put(md, p, g);
    }
}

static enum model_rule from_global(struct model *md, uint32_t p, uint32_t id)
{
    struct deque *q = &md->globq;
    uint32_t size = q->n;
    bool first = size && *deque_at(q, 0) == id;
    withdraw(md, id);
    if (!first)
        return RULE_NONE;
    if (md->p[p].global_before) /* of two looks in a row, one is not the 61st: so it has nothing of its own */
        empty_p(md, p);
    bool batch = is_empty(&md->p[p]);
    if (batch)
        take_batch(md, p, size);
    md->p[p].global_before = !batch;
    return batch ? RULE_GLOBAL : RULE_TICK;
}

/* k Gs before and with this one have left a ring of n. A thief takes half of it, rounded up, of what there was then. */
static bool is_half(uint32_t k, uint32_t n)
{
    return 2 * k - 1 <= n;
}

static enum model_rule from_ring(struct model *md, uint32_t p, const struct model_g *g)
{
    uint32_t victim = g->where, id = g->id;
    struct model_p *v = &md->p[victim];
    uint32_t k = g->slot - v->head + 1, n = v->tail - v->head;
    if (victim == p) {
        bool good = !v->runnext && k == 1;
        withdraw(md, id);
        if (v->runnext)
            break_p(md, p);
        else
            now_known(v, LACKS(KNOW_P_RUNNEXT)); /* it would have come first */
        return good ? RULE_RING : RULE_NONE;
    }
    bool good = looks_elsewhere(md, p) && is_half(k, n);
    if (good) {
        move_ring(md, victim, k - 1, p);
        withdraw(md, id);
        return RULE_STEAL;
    }
    uint32_t first = v->head;
    withdraw(md, id);
    break_p(md, p);
    for (uint32_t i = 0; i + 1 < k; i++) /* the thief has them, or another one has */
        put_later(md, &md->p[p], p, *ring_slot(md, v, first + i));
    return RULE_NONE;
}

static enum model_rule rule_of(struct fold *f, uint32_t p, uint32_t id)
{
    struct model *md = f->md;
    const struct model_g *g = g_find(md, id);
    if (md->m[f->m].hand == id) {
        take_back(md, g);
        return RULE_HAND;
    }
    if (g->place == PLACE_RUNNEXT) {
        bool own = g->where == p, good = own || looks_elsewhere(md, p);
        withdraw(md, id);
        if (!good)
            break_p(md, p);
        return own ? RULE_RUNNEXT : good ? RULE_STEAL_NEXT : RULE_NONE;
    }
    if (g->place == PLACE_RUNQ)
        return from_ring(md, p, g);
    if (g->place == PLACE_GLOBQ)
        return from_global(md, p, id);
    bool tick = md->lacks & LACKS(KNOW_GLOBQ_LEN) && (md->p[p].runnext || md->p[p].head != md->p[p].tail);
    if (g->slot != p + 1 && !tick) /* what came with it is not known */
        break_p(md, p);
    bool global = g->slot == GLOBQ_LATER && *deque_at(&md->globq_later, 0) == id, own = g->slot == p + 1;
    if (g->slot)
        leave_later(md, g, p);
    set_unknown(md, id, 0);
    if (own && !md->p[p].runnext)
        now_known(&md->p[p], LACKS(KNOW_P_RUNNEXT));
    if (global && !tick) {
        empty_p(md, p);
        take_batch(md, p, md->globq.n + 1);
    }
    return RULE_NONE;
}

static void starts(struct fold *f, const struct ev *e)
{
    struct model *md = f->md;
    uint32_t p = e->p == EV_NO_P ? md->m[f->m].p : e->p;
    const struct model_g *g = g_find(md, e->g);
    enum model_rule rule = RULE_NONE;
    if (g && g->fn != MODEL_FORGOTTEN && p < md->np)
        rule = rule_of(f, p, e->g);
    if (rule != RULE_GLOBAL && rule != RULE_TICK && p < md->np)
        md->p[p].global_before = false;
    md->replay.starts++;
    md->replay.by[rule]++;
    if (md->m[f->m].hand == e->g)
        md->m[f->m].hand = 0;
    empty_hand(f);
}

/* Ps that are destroyed leave their Gs in front of the global queue. */
static void shrink(struct model *md, uint32_t n)
{
    for (uint32_t i = n; i < md->np; i++) {
        struct model_p *p = &md->p[i];
        for (; p->tail != p->head; p->tail--) {
            uint32_t g = *ring_slot(md, p, p->tail - 1);
            deque_push_front(md, &md->globq, g);
            set_derived(md, g, PLACE_GLOBQ, 0, 0);
        }
        if (p->runnext) {
            deque_push_front(md, &md->globq, p->runnext);
            set_derived(md, p->runnext, PLACE_GLOBQ, 0, 0);
            p->runnext = 0;
        }
        empty_p(md, i);
    }
}

/* Does the source record something of a queue after all? Then what it records counts, and nothing is replayed any more. */
static bool is_recorded(const struct ev *e)
{
    static const bool of[EV_KINDS] = {
        [EV_RUNNEXT_PUT] = true,   [EV_RUNNEXT_GET] = true, [EV_RUNQ_PUT] = true,   [EV_RUNQ_GET] = true,  [EV_RUNQ_POP] = true,
        [EV_RUNQ_OVERFLOW] = true, [EV_RUNQ_DRAIN] = true,  [EV_GLOBQ_PUT] = true,  [EV_GLOBQ_GET] = true, [EV_STEAL] = true,
        [EV_M_NEXTG] = true,       [EV_G_DISABLE] = true,   [EV_PROCRESIZE] = true, [EV_P_DESTROY] = true, [EV_SCHED_ENABLE_USER] = true};
    return of[e->kind] || (e->kind == EV_COUNT_SEEN && (e->a == SEEN_RUNQ || e->a == SEEN_GLOBQ));
}

static void stop(struct model *md)
{
    for (uint32_t i = 0; i < md->np; i++) {
        empty_p(md, i);
        break_p(md, i);
    }
    break_globq(md);
    resume_globq(md, md->globq_later.n);
    break_globq(md);
    md->replays = false;
}

void replay_before(struct fold *f)
{
    const struct ev *e = f->e;
    if (is_recorded(e)) {
        stop(f->md);
        return;
    }
    const struct model_g *g = e->g ? g_find(f->md, e->g) : NULL;
    bool queued = g && g->fn != MODEL_FORGOTTEN && (g->lacks & G_GUESS_PLACE || (g->place == PLACE_UNKNOWN && g->slot));
    if (e->kind == EV_G_START && f->m < f->md->nm)
        starts(f, e);
    else if (e->kind == EV_COUNT_SEEN && e->a == SEEN_PS)
        shrink(f->md, e->b);
    else if (queued)
        withdraw(f->md, e->g);
}
