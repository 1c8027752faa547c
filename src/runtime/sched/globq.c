/* The global queue: a linked list of Gs under sched.lock (Go: globrunqput and its family). */
#include "runtime/sched/proc.h"

/* If nobody has logged anything under sched.lock since m did here, the event waits for m's own. Its ticket is counted by `e`. */
#define emit_locked(m, e) \
    do { \
        bool same_ = (m)->lockseen == (m)->sched->lockseq; \
        emit_as(m, e, same_, false); \
        (m)->lockseen = (m)->sched->lockseq; \
    } while (0)

/* The same where more events follow (proc.h, hold()). */
static void hold_locked(struct m *m, struct ev e)
{
    hold(m, e, m->lockseen == m->sched->lockseq - 1);
    m->lockseen = m->sched->lockseq;
}

static void setsize(struct sched *s, uint32_t n)
{
    atomic_store_explicit(&s->runqsize, n, memory_order_relaxed); /* under sched.lock, read as a hint without it */
}

/* gp to the tail. Caller holds sched.lock. */
void globrunqput(struct m *m, struct g *gp)
{
    gp->schedlink = NULL;
    gp->ahead = NULL;
    struct gqueue q = {gp, gp};
    globrunqputbatch(m, &q, 1);
}

static void link_tail(struct sched *s, struct gqueue *q, uint32_t n)
{
    if (s->runq.tail)
        s->runq.tail->schedlink = q->head;
    else
        s->runq.head = q->head;
    s->runq.tail = q->tail;
    setsize(s, runqsize(s) + n);
}

/* A linked batch of n to the tail, in its order. Caller holds sched.lock. */
void globrunqputbatch(struct m *m, struct gqueue *q, uint32_t n)
{
    struct sched *s = m->sched;
    link_tail(s, q, n);
    emit_locked(m, ev_of(m, EV_GLOBQ_PUT, goid(q->head), n, QE_TAIL, ++s->lockseq, 0));
}

/* goschedImpl(): gp leaves m and goes to the tail. On g0. False: somebody has the lock. */
bool yield_brief(struct m *m, struct g *gp)
{
    struct sched *s = m->sched;
    if (!conductor_trylock(m->w, &s->lock))
        return false;
    dropg(m, gp, G_RUNNABLE);
    gp->schedlink = NULL;
    gp->ahead = NULL;
    struct gqueue q = {gp, gp};
    link_tail(s, &q, 1);
    m->lockseen = ++s->lockseq;
    record_one(m, several(m, EV_SEVERAL_YIELD, 1, goid(gp)), EV_PAIR(gp->seq, s->lockseq), 0, 2, false);
    unlock(m, &s->lock);
    return true;
}

/* gp to the head. Caller holds sched.lock. */
void globrunqputhead(struct m *m, struct g *gp)
{
    struct sched *s = m->sched;
    gp->schedlink = s->runq.head;
    s->runq.head = gp;
    if (!s->runq.tail)
        s->runq.tail = gp;
    setsize(s, runqsize(s) + 1);
    emit_locked(m, ev_of(m, EV_GLOBQ_PUT, goid(gp), 1, QE_HEAD, ++s->lockseq, 0));
}

static struct g *globrunqpop(struct sched *s)
{
    struct g *gp = s->runq.head;
    s->runq.head = gp->schedlink;
    if (!s->runq.head)
        s->runq.tail = NULL;
    gp->schedlink = NULL;
    return gp;
}

/* The head or NULL: stays in m's hand. Caller holds sched.lock. */
struct g *globrunqtake(struct m *m, uint32_t why)
{
    struct sched *s = m->sched;
    if (runqsize(s) == 0)
        return NULL;
    struct g *gp = globrunqpop(s);
    setsize(s, runqsize(s) - 1);
    emit_locked(m, ev_of(m, EV_GLOBQ_GET, goid(gp), 1, why, ++s->lockseq, 0));
    return gp;
}

static inline __attribute__((always_inline)) struct g *get_share(struct m *m, struct p *pp, uint32_t max, uint32_t why, const bool brief)
{
    struct sched *s = m->sched;
    uint32_t size = runqsize(s), n = size / gomaxprocs(s) + 1;
    if (size == 0)
        return NULL;
    if (n > size)
        n = size;
    if (max > 0 && n > max)
        n = max;
    if (n > s->cfg.runq_size / 2)
        n = s->cfg.runq_size / 2;
    struct g *batch[RUNQ_MAX / 2];
    uint32_t popped = 0;
    do { /* there is one at least */
        struct g *gp = batch[popped] = globrunqpop(s);
        fetch(gp->ahead, 2);
        fetch_stack(gp);
    } while (++popped < n);
    setsize(s, size - n);
    if (brief && n == 1 && !batch[0]->lockedm) {
        struct ev e = ev_of(m, EV_GLOBQ_GET, goid(batch[0]), n, why, ++s->lockseq, 0);
        hold_locked(m, e);
        return batch[0];
    }
    emit_locked(m, ev_of(m, EV_GLOBQ_GET, goid(batch[0]), n, why, ++s->lockseq, 0));
    for (uint32_t i = 1; i < n; i++)
        runqput(m, pp, batch[i], false);
    return batch[0];
}

/* A fair share of the queue, at most `max` (0: no such limit) and at most half a ring: the first is returned, the others go to pp's
 * ring. Caller holds sched.lock and owns pp. */
struct g *globrunqget(struct m *m, struct p *pp, uint32_t max, uint32_t why)
{
    return get_share(m, pp, max, why, false);
}

/* The same where brief(m). A G that comes alone is told with its start. */
struct g *globrunqget_brief(struct m *m, struct p *pp, uint32_t max, uint32_t why)
{
    return get_share(m, pp, max, why, true);
}
