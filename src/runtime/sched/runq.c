/* P's queue: a ring of up to 256 Gs and the single slot runnext (Go: runqput, runqget, runqsteal and what is below them).
 *
 * One producer, many consumers. Only the owner moves runqtail. The owner and thieves move runqhead by CAS, so a CAS takes exactly
 * [head, head + n). Indexes run freely over 32 bits; the events carry them as sequence numbers.
 *
 * The stores that publish a G (runqtail, runnext) are seq_cst, which is more than the queue itself needs: they are one half of
 * the "delicate dance" in go1_20.c (Dekker). A submitter publishes a G and then looks at nmspinning. An M that stops spinning drops
 * nmspinning and then looks at the queues. One of them must see the other.
 *
 * explore_at() precedes each operation whose outcome may depend on other Ms, or theirs on it (--fine). The owner needs none before it
 * reads what only the owner writes. shared_…() are the atomic operations of those names, and plain ones if there is one P (single_p.h).
 */
#include "runtime/sched/ask.h"

static inline struct g *_Atomic *slot(struct p *pp, uint32_t i, uint32_t size)
{
    return &pp->runq[i & (size - 1)];
}

/* Shuffles the batch, as with randomizeScheduler: every order is equally likely. Executed only by the owner P. */
static void shuffle(const struct m *m, struct p *pp, struct g **batch, uint32_t n)
{
    if (!m->sched->cfg.randomize)
        return;
    for (uint32_t i = 1; i < n; i++) {
        uint32_t j = conductor_decide(m->w, DECIDE_SHUFFLE, i + 1, prng_below(&pp->shufrand, i + 1));
        struct g *gp = batch[i];
        batch[i] = batch[j];
        batch[j] = gp;
    }
}

/* Moves half of pp's ring and gp to the global queue. Executed only by the owner P. Returns false if a thief was faster; then try again. */
static bool runqputslow(struct m *m, struct p *pp, struct g *gp, uint32_t h, uint32_t t)
{
    uint32_t size = m->sched->cfg.runq_size, n = (t - h) / 2;
    if (n != size / 2)
        throw(m, "runqputslow: queue is not full");
    struct g *batch[RUNQ_MAX / 2 + 1];
    for (uint32_t i = 0; i < n; i++)
        batch[i] = atomic_load_explicit(slot(pp, h + i, size), memory_order_relaxed); /* ours if the CAS below succeeds */
    explore_at(m, FOOT_QUEUE(pp->id));
    /* release: the slots have been read; pairs with acquire in runqput(), which will reuse them */
    if (!atomic_compare_exchange_strong_explicit(&pp->runqhead, &h, h + n, memory_order_acq_rel, memory_order_relaxed))
        return false;
    batch[n] = gp;
    m->did.runq_overflows++;
    m->did.overflowed += n + 1;
    emit_gate(m, ev_on(pp->id, EV_RUNQ_OVERFLOW, goid(gp), n + 1, h, 0, 0));
    shuffle(m, pp, batch, n + 1);
    globrunqput_array(m, batch, n + 1);
    return true;
}

/* Makes gp pp's runnext. Returns the G that it kicks out, or NULL. Executed only by the owner P. */
static struct g *swap_runnext(struct m *m, struct p *pp, struct g *gp)
{
    uint32_t id = goid(gp);            /* once published, gp may run, end and be reused for another G before we log it */
    explore_at(m, FOOT_QUEUE(pp->id)); /* Go loads runnext here, and tries again below if a thief took it meanwhile; a swap needs neither */
    explore_at(m, FOOT_QUEUE(pp->id));
    /* release: publishes gp, pairs with acquire in runqget() and grab_runnext(); seq_cst: Dekker, see above */
    struct g *old = shared_swap(m, &pp->runnext, gp, memory_order_seq_cst);
    emit_gate(m, ev_on(pp->id, EV_RUNNEXT_PUT, id, goid(old), 0, 0, 0));
    return old;
}

/* Puts gp on pp: as runnext (the old one goes to the ring's tail) or at the tail. If the ring is full, half of it and gp go to the global
 * queue. Executed only by the owner P. */
void runqput(struct m *m, struct p *pp, struct g *gp, bool next)
{
    uint32_t size = m->sched->cfg.runq_size;
    if (next && m->sched->cfg.randomize && conductor_decide(m->w, DECIDE_SHUFFLE, 2, prng_below(&pp->shufrand, 2)) == 0)
        next = false;
    if (next && !disabled(m->sched, DIS_RUNNEXT) && !(gp = swap_runnext(m, pp, gp)))
        return;
    for (;;) {
        explore_at(m, FOOT_QUEUE(pp->id));
        /* acquire: slots up to head are free; pairs with the CAS of whoever took them */
        uint32_t h = atomic_load_explicit(&pp->runqhead, memory_order_acquire);
        uint32_t t = atomic_load_explicit(&pp->runqtail, memory_order_relaxed); /* ours */
        if (t - h < size) {
            uint32_t id = goid(gp); /* as in swap_runnext() */
            explore_at(m, FOOT_QUEUE(pp->id));
            atomic_store_explicit(slot(pp, t, size), gp, memory_order_relaxed); /* published by the next store */
            explore_at(m, FOOT_QUEUE(pp->id));
            /* release: publishes the slot, pairs with acquire in runqgrab(); seq_cst: Dekker, see above */
            shared_store32(m, &pp->runqtail, t + 1, memory_order_seq_cst);
            emit_gate(m, ev_on(pp->id, EV_RUNQ_PUT, id, t, 0, 0, 0));
            return;
        }
        if (runqputslow(m, pp, gp, h, t))
            return;
    }
}

/* Moves the n Gs of q to pp's ring, and those for which it has no room to the global queue. Executed only by the owner P. */
void runqputbatch(struct m *m, struct p *pp, struct gqueue *q, uint32_t n)
{
    uint32_t size = m->sched->cfg.runq_size;
    explore_at(m, FOOT_QUEUE(pp->id));
    /* acquire: slots up to head are free; pairs with the CAS of whoever took them */
    uint32_t h = atomic_load_explicit(&pp->runqhead, memory_order_acquire);
    uint32_t t = atomic_load_explicit(&pp->runqtail, memory_order_relaxed), first = t; /* ours */
    struct g *batch[RUNQ_MAX];
    uint32_t id[RUNQ_MAX]; /* as in swap_runnext() */
    for (; n && t - h < size; t++, n--) {
        struct g *gp = q->head;
        q->head = gp->schedlink;
        gp->schedlink = NULL;
        batch[t - first] = gp;
    }
    shuffle(m, pp, batch, t - first);
    for (uint32_t i = first; i != t; i++) {
        id[i - first] = goid(batch[i - first]);
        explore_at(m, FOOT_QUEUE(pp->id));
        atomic_store_explicit(slot(pp, i, size), batch[i - first], memory_order_relaxed); /* published by the store of the tail */
    }
    explore_at(m, FOOT_QUEUE(pp->id));
    atomic_store_explicit(&pp->runqtail, t, memory_order_seq_cst); /* as in runqput() */
    for (uint32_t i = first; i != t; i++)
        emit(m, ev_on(pp->id, EV_RUNQ_PUT, id[i - first], i, 0, 0, 0));
    conductor_gate(m->w);
    if (n == 0)
        return;
    lock(m, &m->sched->lock);
    globrunqputbatch(m, q, n);
    unlock(m, &m->sched->lock);
}

/* Returns true if pp has no G, in its ring or as runnext. Caller: any M. A G may move from runnext to the ring meanwhile, so it reads the
 * tail again at the end. seq_cst: Dekker, see the head of this file. */
bool runqempty(struct m *m, struct p *pp)
{
    for (;;) {
        explore_at(m, FOOT_READS | FOOT_QUEUE(pp->id));
        uint32_t h = atomic_load_explicit(&pp->runqhead, memory_order_seq_cst);
        explore_at(m, FOOT_READS | FOOT_QUEUE(pp->id));
        uint32_t t = atomic_load_explicit(&pp->runqtail, memory_order_seq_cst);
        explore_at(m, FOOT_READS | FOOT_QUEUE(pp->id));
        struct g *next = atomic_load_explicit(&pp->runnext, memory_order_seq_cst);
        explore_at(m, FOOT_READS | FOOT_QUEUE(pp->id));
        if (t == atomic_load_explicit(&pp->runqtail, memory_order_seq_cst))
            return h == t && !next;
    }
}

/* Returns the next G of pp's own queue: runnext first (it inherits the time slice), then the ring's head. NULL: the queue is empty.
 * Executed only by the owner P. */
struct g *runqget(struct m *m, struct p *pp, bool *inherit)
{
    explore_at(m, FOOT_READS | FOOT_QUEUE(pp->id));
    struct g *next = atomic_load_explicit(&pp->runnext, memory_order_relaxed);
    if (next)
        explore_at(m, FOOT_READS | FOOT_QUEUE(pp->id));
    /* Only a thief can change runnext here, and only to NULL, so there is no second try. acquire: the G's fields */
    *inherit = next && shared_swap(m, &pp->runnext, NULL, memory_order_acquire) == next;
    if (!*inherit)
        return runqget_ring(m, pp);
    emit_gate(m, ev_on(pp->id, EV_RUNNEXT_GET, goid(next), next->seq, 0, 0, 0));
    return next;
}

/* The same without runnext. */
struct g *runqget_ring(struct m *m, struct p *pp)
{
    uint32_t size = m->sched->cfg.runq_size;
    for (;;) {
        explore_at(m, FOOT_READS | FOOT_QUEUE(pp->id));
        uint32_t h = atomic_load_explicit(&pp->runqhead, memory_order_acquire); /* pairs with a thief's CAS */
        uint32_t t = atomic_load_explicit(&pp->runqtail, memory_order_relaxed); /* ours */
        if (t == h)
            return NULL;
        struct g *gp = atomic_load_explicit(slot(pp, h, size), memory_order_relaxed);
        explore_at(m, FOOT_READS | FOOT_QUEUE(pp->id));
        /* release: the slot has been read; pairs with acquire in runqput() */
        if (shared_cas32(m, &pp->runqhead, &h, h + 1, memory_order_acq_rel, memory_order_relaxed)) {
            emit_gate(m, ev_on(pp->id, EV_RUNQ_GET, goid(gp), h, 0, 0, 0));
            return gp;
        }
    }
}

/* What a thief has seen while it waits before it takes p2's runnext. */
struct next_seen {
    const struct p *p2;
    const struct g *next;
    bool moved;
};

/* Returns true if p2 passes control from one G to the next through runnext, with an empty ring. relaxed, all: hints. */
static bool hands_on(void *ctx)
{
    struct next_seen *n = ctx;
    n->moved = n->moved || atomic_load_explicit(&n->p2->runnext, memory_order_relaxed) != n->next;
    return n->moved &&
           atomic_load_explicit(&n->p2->runqhead, memory_order_relaxed) == atomic_load_explicit(&n->p2->runqtail, memory_order_relaxed);
}

/* Takes the victim's runnext, for a thief on its last pass; *gp is NULL if there is none. It waits 3 µs first, because the victim is likely
 * about to run that G. (Go's usleep(3) takes about 60 µs in the kernel. Here a thief waits that long only if the victim keeps passing
 * control through runnext.) Returns false if the G was run or kicked into the ring meanwhile; then the caller looks at both again. */
static bool grab_runnext(struct m *m, struct p *p2, struct g **gp)
{
    explore_at(m, FOOT_READS | FOOT_QUEUE(p2->id) | FOOT_IDLE);
    struct g *next = *gp = atomic_load_explicit(&p2->runnext, memory_order_seq_cst);
    if (!next)
        return true;
    bool runs = pstatus(p2) == P_RUNNING && (disabled(m->sched, DIS_WIRED_SYSCALL) || !in_syscall(m, p2));
    if ((runs || !m->sched->gen->steal_delay_if_running) && !disabled(m->sched, DIS_STEAL_RUNNEXT_DELAY)) {
        set_intent(m, INTENT_RUNNEXT_NAP);
        conductor_nap(m->w, 3000, hands_on, &(struct next_seen){p2, next, false});
    }
    explore_at(m, FOOT_READS | FOOT_QUEUE(p2->id) | FOOT_IDLE);
    /* acquire: the G's fields; pairs with the owner's swap in swap_runnext() */
    return atomic_compare_exchange_strong_explicit(&p2->runnext, &next, NULL, memory_order_acquire, memory_order_relaxed);
}

/* Takes half (rounded up) of p2's ring into pp's ring after its tail, which is not moved yet. Returns how many; *head is where they were.
 * 0: the ring is empty; *next is then p2's runnext, which was taken, or NULL if there is none or it was not requested. Executed by the
 * owner of pp, never of p2. */
static uint32_t runqgrab(struct m *m, struct p *pp, struct p *p2, bool steal_runnext, uint32_t *head, struct g **next)
{
    uint32_t size = m->sched->cfg.runq_size;
    *next = NULL;
    for (;;) {
        explore_at(m, FOOT_READS | FOOT_QUEUE(p2->id) | FOOT_QUEUE(pp->id));
        uint32_t h = atomic_load_explicit(&p2->runqhead, memory_order_acquire); /* pairs with other consumers' CAS */
        explore_at(m, FOOT_READS | FOOT_QUEUE(p2->id) | FOOT_QUEUE(pp->id));
        uint32_t t = atomic_load_explicit(&p2->runqtail, memory_order_seq_cst); /* publishes slots; Dekker, see above */
        uint32_t len = t - h, n = has_policy(m->sched) ? ask_steal_amount(m, len) : len - len / 2;
        if (n == 0 && (!steal_runnext || grab_runnext(m, p2, next)))
            return 0;
        if (n == 0 || len > size)
            continue; /* runnext has changed, or h and t are from different moments */
        uint32_t mine = atomic_load_explicit(&pp->runqtail, memory_order_relaxed); /* ours */
        for (uint32_t i = 0; i < n; i++) {
            explore_at(m, FOOT_READS | FOOT_QUEUE(p2->id) | FOOT_QUEUE(pp->id));
            struct g *gp = atomic_load_explicit(slot(p2, h + i, size), memory_order_relaxed);
            atomic_store_explicit(slot(pp, mine + i, size), gp, memory_order_relaxed); /* after the tail, where no other M reads */
        }
        explore_at(m, FOOT_READS | FOOT_QUEUE(p2->id) | FOOT_QUEUE(pp->id));
        /* release: the slots have been read; pairs with acquire in p2's runqput() */
        if (atomic_compare_exchange_strong_explicit(&p2->runqhead, &h, h + n, memory_order_acq_rel, memory_order_relaxed)) {
            *head = h;
            return n;
        }
    }
}

/* Steals half of p2's ring, or, if that is empty and this is the last pass, its runnext. Returns the last one stolen; the others are
 * then in pp's ring. Executed by the owner of pp. */
struct g *runqsteal(struct m *m, struct p *pp, struct p *p2, bool steal_runnext)
{
    uint32_t size = m->sched->cfg.runq_size, head = 0;
    uint32_t t = atomic_load_explicit(&pp->runqtail, memory_order_relaxed); /* ours */
    struct g *gp;
    uint32_t n = runqgrab(m, pp, p2, steal_runnext, &head, &gp);
    if (n || gp)
        explore_touch(m, FOOT_QUEUE(p2->id) | FOOT_QUEUE(pp->id));
    if (n == 0) {
        if (gp) {
            m->did.steals++;
            m->did.stolen++;
            emit_gate(m, ev_on(pp->id, EV_STEAL, goid(gp), p2->id, 1u << 1 | 1u, gp->seq, 0));
        }
        return gp;
    }
    for (uint32_t i = 0; i < n; i++) /* their cache lines are on another processor */
        fetch((const char *)atomic_load_explicit(slot(pp, t + i, size), memory_order_relaxed) - 192, 6);
    gp = atomic_load_explicit(slot(pp, t + n - 1, size), memory_order_relaxed);
    explore_at(m, FOOT_QUEUE(pp->id));
    if (t - atomic_load_explicit(&pp->runqhead, memory_order_acquire) + n - 1 >= size && n > 1)
        throw(m, "runqsteal: runq overflow");
    explore_at(m, FOOT_QUEUE(pp->id));
    if (n > 1) /* as in runqput() */
        atomic_store_explicit(&pp->runqtail, t + n - 1, memory_order_seq_cst);
    m->did.steals++;
    m->did.stolen += n;
    emit_gate(m, ev_on(pp->id, EV_STEAL, goid(gp), p2->id, n << 1, head, t));
    return gp;
}

/* Empties pp's queue into a list, runnext first. Returns how many. Executed only by the owner P. */
uint32_t runqdrain(struct m *m, struct p *pp, struct gqueue *q)
{
    uint32_t size = m->sched->cfg.runq_size, n = 0;
    struct g *next = atomic_load_explicit(&pp->runnext, memory_order_relaxed);
    *q = (struct gqueue){NULL, NULL};
    explore_at(m, FOOT_QUEUE(pp->id));
    /* as in runqget() */
    if (next && atomic_compare_exchange_strong_explicit(&pp->runnext, &next, NULL, memory_order_acquire, memory_order_relaxed)) {
        next->schedlink = NULL;
        q->head = q->tail = next;
        n = 1;
        emit_gate(m, ev_on(pp->id, EV_RUNNEXT_GET, goid(next), next->seq, 0, 0, 0));
    }
    explore_at(m, FOOT_QUEUE(pp->id));
    uint32_t h = atomic_load_explicit(&pp->runqhead, memory_order_acquire); /* pairs with a thief's CAS */
    uint32_t t = atomic_load_explicit(&pp->runqtail, memory_order_relaxed); /* ours */
    /* release: as in runqget(), but the slots are read after the CAS, because only we write them */
    do {
        if (t == h)
            return n;
        explore_at(m, FOOT_QUEUE(pp->id));
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
