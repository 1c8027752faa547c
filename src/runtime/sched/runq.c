/* P's queue: a ring of up to 256 Gs and the single slot runnext (Go: runqput, runqget, runqsteal and what is below them).
 *
 * One producer, many consumers. Only the owner moves runqtail; owner and thieves move runqhead by CAS, so what a CAS took
 * is exactly [head, head + n). Indexes run freely over 32 bits. The events carry these absolute indexes: they are the ring's
 * own tickets, no further counter is needed.
 *
 * With --fine the M gives way before each operation whose outcome may depend on others, or theirs on it: fine(). What only the owner
 * writes, the owner reads without.
 *
 * Who has the only P (rt.h) has no thief, needs no compare-and-swap and has nobody for the dance.
 *
 * The stores that publish a G (runqtail, runnext) are seq_cst, which is more than the queue itself needs: they are one half of
 * the "delicate dance" in go1_20.c (Dekker): a submitter publishes a G and then looks at nmspinning; a thread that stops
 * spinning drops nmspinning and then looks at the queues. One of them must see the other.
 */
#include "runtime/sched/proc.h"

static inline struct g *_Atomic *slot(struct p *pp, uint32_t i, uint32_t size)
{
    return &pp->runq[i & (size - 1)];
}

/* With randomizeScheduler every order of the batch is equally likely. Executed only by the owner P. */
static void shuffle(const struct m *m, struct p *pp, struct g **batch, uint32_t n)
{
    if (!m->sched->cfg.randomize)
        return;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t j = conductor_draw(m->w, DRAW_SHUFFLE, i + 1, prng_below(&pp->shufrand, i + 1));
        struct g *gp = batch[i];
        batch[i] = batch[j];
        batch[j] = gp;
    }
}

/* To the global queue's tail, in this order. In an order of its own a batch is told G by G, for the log knows the ring's only. */
static void put_global_batch(struct m *m, struct g **batch, uint32_t n)
{
    struct sched *s = m->sched;
    for (uint32_t i = 0; i < n; i++) {
        batch[i]->schedlink = i + 1 < n ? batch[i + 1] : NULL;
        batch[i]->ahead = i + AHEAD < n ? batch[i + AHEAD] : NULL;
    }
    lock(m, &s->lock);
    if (!s->cfg.randomize)
        globrunqputbatch(m, &(struct gqueue){batch[0], batch[n - 1]}, n);
    for (uint32_t i = 0; s->cfg.randomize && i < n; i++)
        globrunqput(m, batch[i]);
    unlock(m, &s->lock);
}

/* Half of pp's ring and gp to the global queue. Executed only by the owner P. False: a thief was quicker, try again. */
static bool runqputslow(struct m *m, struct p *pp, struct g *gp, uint32_t h, uint32_t t)
{
    struct sched *s = m->sched;
    uint32_t size = s->cfg.runq_size, n = (t - h) / 2;
    if (n != size / 2)
        throw(m, "runqputslow: queue is not full");
    struct g *batch[RUNQ_MAX / 2 + 1];
    for (uint32_t i = 0; i < n; i++)
        batch[i] = atomic_load_explicit(slot(pp, h + i, size), memory_order_relaxed); /* ours if the CAS below succeeds */
    fine(m);
    /* release: the slots have been read; pairs with acquire in runqput(), which will reuse them */
    if (!atomic_compare_exchange_strong_explicit(&pp->runqhead, &h, h + n, memory_order_acq_rel, memory_order_relaxed))
        return false;
    batch[n] = gp;
    emit_gate(m, ev_on(pp->id, EV_RUNQ_OVERFLOW, goid(gp), n + 1, h, 0, 0));
    shuffle(m, pp, batch, n + 1);
    put_global_batch(m, batch, n + 1);
    return true;
}

/* gp to the tail of pp's ring, *t; its head is *h then. False: it is full. Executed only by the owner P. */
static inline __attribute__((always_inline)) bool to_tail(struct m *m, struct p *pp, struct g *gp, uint32_t *h, uint32_t *t)
{
    uint32_t size = m->sched->cfg.runq_size;
    fine(m);
    /* acquire: slots up to head are free; pairs with the CAS of whoever took them */
    *h = atomic_load_explicit(&pp->runqhead, memory_order_acquire);
    *t = atomic_load_explicit(&pp->runqtail, memory_order_relaxed); /* ours */
    if (__builtin_expect(*t - *h >= size, 0))
        return false;
    fine(m);
    atomic_store_explicit(slot(pp, *t, size), gp, memory_order_relaxed); /* published by the next store */
    fine(m);
    /* release part: publishes the slot, pairs with acquire in runqget() and runqgrab(); seq_cst: Dekker, see above */
    if (only_p(m))
        atomic_store_explicit(&pp->runqtail, *t + 1, memory_order_release);
    else
        atomic_store_explicit(&pp->runqtail, *t + 1, memory_order_seq_cst);
    return true;
}

/* gp to the tail of pp's ring, half of the ring and gp to the global queue if it is full. Executed only by the owner P. */
static __attribute__((noinline)) void put_tail(struct m *m, struct p *pp, struct g *gp)
{
    uint32_t size = m->sched->cfg.runq_size, h, t;
    uint32_t id = goid(gp); /* once published it may run, end and be another G before we log it */
    for (;;) {
        if (to_tail(m, pp, gp, &h, &t)) {
            /* The fold, too, must see room: there was, before the last time seen, unless that takes a head that was moved since. */
            bool same = t - pp->headseen < size;
            if (!same)
                pp->headseen = h;
            emit_as(m, ev_on(pp->id, EV_RUNQ_PUT, id, t, 0, 0, 0), same, true);
            return;
        }
        if (runqputslow(m, pp, gp, h, t))
            return;
    }
}

/* gp becomes pp's runnext. The old one, or NULL. Executed only by the owner P. */
static inline __attribute__((always_inline)) struct g *to_runnext(struct m *m, struct p *pp, struct g *gp)
{
    fine(m);
    struct g *old = atomic_load_explicit(&pp->runnext, memory_order_relaxed);
    fine(m);
    if (only_p(m)) /* release: pairs with runqempty(), of who has no P */
        atomic_store_explicit(&pp->runnext, gp, memory_order_release);
    else /* a thief may take the old one meanwhile: who asks for either needs no loop. seq_cst: Dekker, see the head of this file */
        old = atomic_exchange_explicit(&pp->runnext, gp, memory_order_seq_cst);
    return old;
}

static inline __attribute__((always_inline)) struct g *swap_runnext(struct m *m, struct p *pp, struct g *gp)
{
    uint32_t id = goid(gp); /* as in put_tail() */
    struct g *old = to_runnext(m, pp, gp);
    bool same = old || pp->tooknext; /* what was there was an owner's; had a thief taken it, we had found nothing without having taken it */
    emit_as(m, ev_on(pp->id, EV_RUNNEXT_PUT, id, goid(old), 0, 0, 0), same, true);
    pp->tooknext = false;
    return old;
}

/* Put gp on pp: as runnext (the old one goes to the ring's tail) or at the tail. Executed only by the owner P. */
void runqput(struct m *m, struct p *pp, struct g *gp, bool next)
{
    if (next && m->sched->cfg.randomize && conductor_draw(m->w, DRAW_SHUFFLE, 2, prng_below(&pp->shufrand, 2)) == 0)
        next = false;
    if (next && !disabled(m->sched, DIS_RUNNEXT))
        gp = swap_runnext(m, pp, gp);
    if (gp)
        put_tail(m, pp, gp);
}

/* What one go of put() has come to. */
struct put { uint32_t kicked, slot, first; enum vain vain; };

static void put_told(struct m *m, const struct put *put, uint32_t why)
{
    bool vain = put->vain == VAIN_DONE;
    uint32_t n = 2 + (put->kicked != 0), g = m->held.g;
    uint64_t ab = m->held.ab, wake = EV_PAIR(why, put->first);
    m->holds = false;
    if (m->held.kind == EV_G_CREATE) {
        record_two(m, several(m, EV_SEVERAL_CREATE, 2, g), ab, EV_PAIR(EV_FIRST(m->held.cd), put->kicked), EV_PAIR(put->slot, vain), wake, n + 3 * vain);
    } else if (vain && !put->kicked) {
        record_one(m, several(m, EV_SEVERAL_READY_VAIN, 1, g), ab, wake, n + 3, false);
    } else {
        record_one(m, several(m, EV_SEVERAL_READY, 1, g), ab, EV_PAIR(put->kicked, put->slot), n, false);
        if (vain)
            record_one(m, several(m, EV_SEVERAL_VAIN, 1, 0), wake, 0, 3, true);
    }
}

/* runqput(gp, true) and the wake-up for it, with all that is told in one record: what m holds, too. */
void put_brief(struct m *m, struct g *gp, uint32_t why)
{
    struct p *pp = m->p;
    struct put put = {.vain = VAIN_STEPS};
    bool wake = why != WW_NEW_G || curg(m);
    uint32_t h;
    struct g *old = to_runnext(m, pp, gp);
    pp->tooknext = false;
    put.kicked = goid(old); /* before it is published again */
    if (old && !to_tail(m, pp, old, &h, &put.slot)) {
        uint32_t id = m->held.g;
        tell_held(m);
        emit_same(m, ev_on(pp->id, EV_RUNNEXT_PUT, id, put.kicked, 0, 0, 0));
        put_tail(m, pp, old);
    } else {
        if (old && put.slot - pp->headseen >= m->sched->cfg.runq_size)
            pp->headseen = h;
        if (wake)
            put.vain = in_vain(m, only_p(m), &put.first);
        put_told(m, &put, why);
        conductor_gate(m->w);
    }
    if (wake && put.vain == VAIN_STEPS)
        wakep(m, why);
}

/* The n Gs of q to pp's ring, those that it has no room for to the global queue. Executed only by the owner P. */
void runqputbatch(struct m *m, struct p *pp, struct gqueue *q, uint32_t n)
{
    uint32_t size = m->sched->cfg.runq_size;
    fine(m);
    /* acquire: slots up to head are free; pairs with the CAS of whoever took them */
    uint32_t h = atomic_load_explicit(&pp->runqhead, memory_order_acquire);
    uint32_t t = atomic_load_explicit(&pp->runqtail, memory_order_relaxed), first = t; /* ours */
    struct g *batch[RUNQ_MAX];
    uint32_t id[RUNQ_MAX]; /* as in runqput() */
    for (; n && t - h < size; t++, n--) {
        struct g *gp = q->head;
        q->head = gp->schedlink;
        gp->schedlink = NULL;
        batch[t - first] = gp;
    }
    shuffle(m, pp, batch, t - first);
    for (uint32_t i = first; i != t; i++) {
        id[i - first] = goid(batch[i - first]);
        fine(m);
        atomic_store_explicit(slot(pp, i, size), batch[i - first], memory_order_relaxed); /* relaxed: published by the store of the tail */
    }
    fine(m);
    atomic_store_explicit(&pp->runqtail, t, memory_order_seq_cst); /* as in runqput() */
    for (uint32_t i = first; i != t; i++)
        emit_as(m, ev_on(pp->id, EV_RUNQ_PUT, id[i - first], i, 0, 0, 0), i != first, false); /* all by one store */
    conductor_gate(m->w);
    if (n == 0)
        return;
    lock(m, &m->sched->lock);
    globrunqputbatch(m, q, n);
    unlock(m, &m->sched->lock);
}

/* True if pp has neither ring nor runnext. Any M. A G that goes from runnext to the ring while we look must not be missed:
 * the tail is read again at the end. seq_cst: Dekker, see the head of this file. */
bool runqempty(struct m *m, struct p *pp)
{
    for (;;) {
        fine(m);
        uint32_t h = atomic_load_explicit(&pp->runqhead, memory_order_seq_cst);
        fine(m);
        uint32_t t = atomic_load_explicit(&pp->runqtail, memory_order_seq_cst);
        fine(m);
        struct g *next = atomic_load_explicit(&pp->runnext, memory_order_seq_cst);
        fine(m);
        if (t == atomic_load_explicit(&pp->runqtail, memory_order_seq_cst))
            return h == t && !next;
    }
}

/* Only a thief can change runnext under us, and only to NULL: no second try. Executed only by the owner P. */
static inline bool take_runnext(struct p *pp, struct g *next, bool only)
{
    if (only) {
        atomic_store_explicit(&pp->runnext, NULL, memory_order_relaxed); /* what is not there need not be seen early */
        return true;
    }
    /* acquire: the G's fields. A swap, which takes half as long as one that compares */
    return atomic_exchange_explicit(&pp->runnext, NULL, memory_order_acquire) == next;
}

/* False: a thief has moved the ring's head from h. Executed only by the owner P. */
static inline bool take_head(struct p *pp, uint32_t h, bool only)
{
    if (only) {
        atomic_store_explicit(&pp->runqhead, h + 1, memory_order_relaxed); /* nobody else uses the slot */
        return true;
    }
    /* release: the slot has been read; pairs with acquire in runqput() */
    return atomic_compare_exchange_strong_explicit(&pp->runqhead, &h, h + 1, memory_order_acq_rel, memory_order_relaxed);
}

/* The ring's head, *h, or NULL. Executed only by the owner P. */
static inline __attribute__((always_inline)) struct g *from_head(struct m *m, struct p *pp, uint32_t *h)
{
    uint32_t size = m->sched->cfg.runq_size;
    for (;;) {
        fine(m);
        *h = atomic_load_explicit(&pp->runqhead, memory_order_acquire); /* pairs with a thief's CAS */
        uint32_t t = atomic_load_explicit(&pp->runqtail, memory_order_relaxed); /* ours */
        if (t == *h)
            return NULL;
        struct g *gp = atomic_load_explicit(slot(pp, *h, size), memory_order_relaxed);
        fine(m);
        if (take_head(pp, *h, only_p(m)))
            return gp;
    }
}

static __attribute__((noinline)) struct g *get_head(struct m *m, struct p *pp)
{
    uint32_t h;
    struct g *gp = from_head(m, pp, &h);
    if (!gp)
        return NULL;
    bool same = h == pp->headseen; /* no thief has moved it since we did */
    pp->headseen = h + 1;
    emit_as(m, ev_on(pp->id, EV_RUNQ_GET, goid(gp), h, 0, 0, 0), same, true);
    return gp;
}

/* The same, told when it runs. */
static struct g *hold_head(struct m *m, struct p *pp)
{
    uint32_t h;
    struct g *gp = from_head(m, pp, &h);
    if (!gp)
        return NULL;
    hold(m, ev_on(pp->id, EV_RUNQ_GET, goid(gp), h, 0, 0, 0), h == pp->headseen);
    pp->headseen = h + 1;
    return gp;
}

/* The next G of pp's own: runnext first (it inherits the time slice), then the ring's head. Executed only by the owner P. */
struct g *runqget(struct m *m, struct p *pp, bool *inherit)
{
    fine(m);
    struct g *next = atomic_load_explicit(&pp->runnext, memory_order_relaxed);
    if (next)
        fine(m);
    *inherit = next && take_runnext(pp, next, only_p(m));
    if (!*inherit)
        return get_head(m, pp);
    pp->tooknext = true;
    emit_as(m, ev_on(pp->id, EV_RUNNEXT_GET, goid(next), next->seq, 0, 0, 0), true, true); /* an owner had put it there */
    return next;
}

/* The same where brief(m), for who runs it at once. */
struct g *runqget_brief(struct m *m, struct p *pp, bool *inherit)
{
    struct g *gp = atomic_load_explicit(&pp->runnext, memory_order_relaxed);
    *inherit = gp && take_runnext(pp, gp, only_p(m));
    if (*inherit) {
        pp->tooknext = true;
        hold(m, ev_on(pp->id, EV_RUNNEXT_GET, goid(gp), gp->seq, 0, 0, 0), true); /* an owner had put it there */
    } else {
        gp = hold_head(m, pp);
    }
    if (gp && gp->lockedm) { /* it runs elsewhere */
        tell_held(m);
        conductor_gate(m->w);
    }
    return gp;
}

/* What a thief that waits for p2's runnext sees. */
struct next_seen { const struct p *p2; const struct g *next; bool moved; };

/* Does p2 hand on to and fro, with nothing in its ring? relaxed, all: hints. */
static bool hands_on(void *ctx)
{
    struct next_seen *n = ctx;
    n->moved = n->moved || atomic_load_explicit(&n->p2->runnext, memory_order_relaxed) != n->next;
    return n->moved && atomic_load_explicit(&n->p2->runqhead, memory_order_relaxed) ==
                           atomic_load_explicit(&n->p2->runqtail, memory_order_relaxed);
}

/* The victim's runnext, for a thief on its last pass, or NULL into *gp: there is none. Go waits 3 µs first: the victim is likely about to
 * run that G, and taking it would only make two Ps thrash. (Its usleep(3) takes some 60 in the kernel; ours does where the victim hands on
 * to and fro, for then it would be disturbed in vain.) False: meanwhile it was run, or kicked into the ring: look at both again. */
static bool grab_runnext(struct m *m, struct p *p2, struct g **gp)
{
    fine(m);
    struct g *next = atomic_load_explicit(&p2->runnext, memory_order_seq_cst);
    *gp = next;
    if (!next)
        return true;
    if ((pstatus(p2) == P_RUNNING || !m->sched->gen->steal_delay_if_running) && !disabled(m->sched, DIS_STEAL_RUNNEXT_DELAY)) {
        about(m, RN_RUNNEXT_NAP);
        conductor_nap(m->w, 3000, hands_on, &(struct next_seen){p2, next, false});
    }
    fine(m);
    /* acquire: the G's fields; pairs with the owner's CAS in runqput() */
    return atomic_compare_exchange_strong_explicit(&p2->runnext, &next, NULL, memory_order_acquire, memory_order_relaxed);
}

/* Take half (rounded up) of p2's ring into pp's ring behind its tail, which is not moved yet. Returns how many; *head is where
 * they were. 0: the ring is empty; *next is p2's runnext, taken, or NULL: there is none, or it was not asked for. Executed by the owner of
 * pp, never of p2. */
static uint32_t runqgrab(struct m *m, struct p *pp, struct p *p2, bool steal_runnext, uint32_t *head, struct g **next)
{
    uint32_t size = m->sched->cfg.runq_size;
    *next = NULL;
    for (;;) {
        fine(m);
        uint32_t h = atomic_load_explicit(&p2->runqhead, memory_order_acquire); /* pairs with other consumers' CAS */
        fine(m);
        uint32_t t = atomic_load_explicit(&p2->runqtail, memory_order_seq_cst); /* publishes slots; Dekker, see above */
        uint32_t n = t - h;
        n -= n / 2;
        if (n == 0 && (!steal_runnext || grab_runnext(m, p2, next)))
            return 0;
        if (n == 0 || n > size / 2)
            continue; /* runnext is another now, or h and t are from different moments */
        uint32_t mine = atomic_load_explicit(&pp->runqtail, memory_order_relaxed); /* ours */
        for (uint32_t i = 0; i < n; i++) {
            fine(m);
            struct g *gp = atomic_load_explicit(slot(p2, h + i, size), memory_order_relaxed);
            atomic_store_explicit(slot(pp, mine + i, size), gp, memory_order_relaxed); /* behind the tail: nobody sees it */
        }
        fine(m);
        /* release: the slots have been read; pairs with acquire in p2's runqput() */
        if (atomic_compare_exchange_strong_explicit(&p2->runqhead, &h, h + n, memory_order_acq_rel, memory_order_relaxed)) {
            *head = h;
            return n;
        }
    }
}

/* Steal half of p2's ring, or, if that is empty and this is the last pass, its runnext. The last one stolen is returned, the others
 * are in pp's ring then. Executed by the owner of pp. */
struct g *runqsteal(struct m *m, struct p *pp, struct p *p2, bool steal_runnext)
{
    uint32_t size = m->sched->cfg.runq_size, head = 0;
    uint32_t t = atomic_load_explicit(&pp->runqtail, memory_order_relaxed); /* ours */
    struct g *gp;
    uint32_t n = runqgrab(m, pp, p2, steal_runnext, &head, &gp);
    if (n == 0) {
        if (gp)
            emit_gate(m, ev_on(pp->id, EV_STEAL, goid(gp), p2->id, 1u << 1 | 1u, gp->seq, 0));
        return gp;
    }
    for (uint32_t i = 0; i < n; i++) /* they come from another processor */
        fetch((const char *)atomic_load_explicit(slot(pp, t + i, size), memory_order_relaxed) - 192, 5);
    gp = atomic_load_explicit(slot(pp, t + n - 1, size), memory_order_relaxed);
    fine(m);
    if (t - atomic_load_explicit(&pp->runqhead, memory_order_acquire) + n - 1 >= size && n > 1)
        throw(m, "runqsteal: runq overflow");
    fine(m);
    if (n > 1) /* as in runqput() */
        atomic_store_explicit(&pp->runqtail, t + n - 1, memory_order_seq_cst);
    emit_gate(m, ev_on(pp->id, EV_STEAL, goid(gp), p2->id, n << 1, head, t));
    return gp;
}

/* All of pp's queue as a list, runnext first, out of it; how many. Executed only by the owner P. */
uint32_t runqdrain(struct m *m, struct p *pp, struct gqueue *q)
{
    uint32_t size = m->sched->cfg.runq_size, n = 0;
    struct g *next = atomic_load_explicit(&pp->runnext, memory_order_relaxed);
    *q = (struct gqueue){NULL, NULL};
    fine(m);
    /* as in runqget() */
    if (next && atomic_compare_exchange_strong_explicit(&pp->runnext, &next, NULL, memory_order_acquire, memory_order_relaxed)) {
        next->schedlink = NULL;
        q->head = q->tail = next;
        n = 1;
        emit_gate(m, ev_on(pp->id, EV_RUNNEXT_GET, goid(next), next->seq, 0, 0, 0));
    }
    fine(m);
    uint32_t h = atomic_load_explicit(&pp->runqhead, memory_order_acquire); /* pairs with a thief's CAS */
    uint32_t t = atomic_load_explicit(&pp->runqtail, memory_order_relaxed); /* ours */
    /* release: as in runqget(), but the slots are read after the CAS: only we write them, and we do not meanwhile */
    do {
        if (t == h)
            return n;
        fine(m);
    } while (!atomic_compare_exchange_weak_explicit(&pp->runqhead, &h, t, memory_order_acq_rel, memory_order_acquire));
    for (uint32_t i = h; i != t; i++, n++) {
        struct g *gp = atomic_load_explicit(slot(pp, i, size), memory_order_relaxed); /* ours since the CAS */
        gp->schedlink = NULL;
        *(q->tail ? &q->tail->schedlink : &q->head) = gp;
        q->tail = gp;
    }
    emit_gate(m, ev_on(pp->id, EV_RUNQ_DRAIN, 0, t - h, h, 0, 0));
    return n;
}
