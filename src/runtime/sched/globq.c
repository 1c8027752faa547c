/* The global queue: a linked list of Gs under sched.lock (Go: globrunqput and its family). */
#include "runtime/sched/ask.h"

static void setsize(struct sched *s, uint32_t n)
{
    atomic_store_explicit(&s->runqsize, n, memory_order_relaxed); /* under sched.lock, read as a hint without it */
}

/* Puts the n linked Gs of q at the tail, in their order. Caller holds sched.lock. */
void globrunqputbatch(struct m *m, struct gqueue *q, uint32_t n)
{
    struct sched *s = m->sched;
    if (s->runq.tail)
        s->runq.tail->schedlink = q->head;
    else
        s->runq.head = q->head;
    s->runq.tail = q->tail;
    setsize(s, runqsize(s) + n);
    emit(m, ev_of(m, EV_GLOBQ_PUT, goid(q->head), n, QUEUE_TAIL, ++s->lockseq, 0));
}

/* Puts gp at the tail. Caller holds sched.lock. */
void globrunqput(struct m *m, struct g *gp)
{
    gp->schedlink = NULL;
    gp->ahead = NULL;
    struct gqueue q = {gp, gp};
    globrunqputbatch(m, &q, 1);
}

/* Puts the n Gs of an array at the tail, in this order. Takes sched.lock. If runqputslow() has shuffled them, they are logged one by
 * one, because the log knows only the order of the ring. */
void globrunqput_array(struct m *m, struct g **batch, uint32_t n)
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

/* Puts gp at the head. Caller holds sched.lock. */
void globrunqputhead(struct m *m, struct g *gp)
{
    struct sched *s = m->sched;
    gp->schedlink = s->runq.head;
    s->runq.head = gp;
    if (!s->runq.tail)
        s->runq.tail = gp;
    setsize(s, runqsize(s) + 1);
    emit(m, ev_of(m, EV_GLOBQ_PUT, goid(gp), 1, QUEUE_HEAD, ++s->lockseq, 0));
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

/* Takes the head; it is in m's hand then. Returns NULL if the queue is empty. Caller holds sched.lock. */
struct g *globrunqtake(struct m *m, uint32_t why)
{
    struct sched *s = m->sched;
    if (runqsize(s) == 0)
        return NULL;
    struct g *gp = globrunqpop(s);
    setsize(s, runqsize(s) - 1);
    emit(m, ev_of(m, EV_GLOBQ_GET, goid(gp), 1, why, ++s->lockseq, 0));
    return gp;
}

/* Takes a fair share of the queue: at most `max` Gs (0: no such limit) and at most half a ring. Returns the first; the others go to pp's
 * ring. NULL: the queue is empty. Caller holds sched.lock and owns pp. */
struct g *globrunqget(struct m *m, struct p *pp, uint32_t max, uint32_t why)
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
    if (max == 0 && has_policy(s))
        n = ask_global_batch(m, size, n);
    struct g *batch[RUNQ_MAX / 2];
    uint32_t popped = 0;
    do { /* takes at least one */
        struct g *gp = batch[popped] = globrunqpop(s);
        fetch(gp->ahead, 3);
        fetch_stack(gp);
    } while (++popped < n);
    setsize(s, size - n);
    emit(m, ev_of(m, EV_GLOBQ_GET, goid(batch[0]), n, why, ++s->lockseq, 0));
    for (uint32_t i = 1; i < n; i++)
        runqput(m, pp, batch[i], false);
    return batch[0];
}
