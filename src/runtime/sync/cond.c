/* sync.Cond, as Go 1.20's cond.go, and the notifyList below it (sema.go).
 *
 * A waiter takes a ticket before it unlocks the mutex, and queues up afterwards. So a Signal in between finds a ticket that is due, but
 * no waiter with it. It counts the ticket as notified, and the waiter does not sleep when it arrives. Tickets are served in order. The
 * queue may be slightly out of order because of such waiters, so Signal searches it for the ticket's owner.
 */
#include "runtime/sync/sudog.h"

struct cond {
    uint32_t id;
    struct mutex *mu;
    _Atomic uint32_t wait;   /* the next waiter's ticket; taken without the lock */
    struct rlock lock;       /* notify (written), queue */
    _Atomic uint32_t notify; /* the next ticket to be notified; read without the lock */
    struct sudogq queue;
};

static bool cond_snap(const void *object, struct snapshot *in, struct snap_object *out)
{
    const struct cond *cv = object;
    out->kind = OBJ_COND;
    out->id = cv->id;
    return snap_queue(in, out, 0, &cv->queue);
}

struct cond *rt_cond_new(struct sched *s, uint32_t id, struct mutex *mu)
{
    struct cond *cv = object_new(s, sizeof *cv, cond_snap);
    if (!cv)
        return NULL;
    cv->lock.rank = RANK_NOTIFY_LIST;
    cv->id = id;
    cv->mu = mu;
    return cv;
}

void rt_cond_number(struct cond *cv, uint32_t id)
{
    cv->id = id;
}

/* notifyListAdd: takes a ticket. Called before the mutex is unlocked, so that a G that then changes the condition and signals counts this waiter. */
uint32_t rt_cond_add(struct cond *cv)
{
    explore_point(getm());
    /* acq_rel: the mutex orders this for every holder; a Signal without the mutex has only this order */
    return atomic_fetch_add_explicit(&cv->wait, 1, memory_order_acq_rel);
}

/* acquire: see rt_cond_add() */
static uint32_t tickets(struct cond *cv)
{
    explore_point(getm());
    return atomic_load_explicit(&cv->wait, memory_order_acquire);
}

static uint32_t notified(struct cond *cv)
{
    explore_point(getm());
    return atomic_load_explicit(&cv->notify, memory_order_relaxed); /* a hint without the lock; with the lock, no other G writes it */
}

/* notifyListWait. On a G stack; may switch. */
void rt_cond_wait_for(struct cond *cv, uint32_t ticket)
{
    struct m *m = getm();
    lock(m, &cv->lock);
    if ((int32_t)(ticket - notified(cv)) < 0) { /* tickets wrap */
        unlock(m, &cv->lock);                   /* it was notified before it queued up */
        return;
    }
    struct sudog me = {.g = getg(), .ticket = ticket};
    sudog_enqueue(&cv->queue, &me);
    gopark(&cv->lock, WAIT_REASON_COND_WAIT, cv->id);
}

/* The mutex is locked on entry, unlocked during the wait, and then locked again like any other mutex. On a G stack; switches. */
void rt_cond_wait(struct cond *cv)
{
    safepoint();
    uint32_t ticket = rt_cond_add(cv);
    rt_mutex_unlock(cv->mu);
    rt_cond_wait_for(cv, ticket);
    rt_mutex_lock(cv->mu);
}

/* Takes the waiter with this ticket off the queue. Returns NULL if it has not queued up yet. Caller holds the lock. */
static struct g *take_ticket(struct cond *cv, uint32_t ticket)
{
    struct sudog *sg = cv->queue.first;
    while (sg && sg->ticket != ticket)
        sg = sg->next;
    if (!sg)
        return NULL;
    sudog_remove(&cv->queue, sg);
    sg->g->param = sg;
    return sg->g;
}

static void set_notified(struct cond *cv, uint32_t ticket)
{
    explore_point(getm());
    atomic_store_explicit(&cv->notify, ticket, memory_order_relaxed); /* as in notified() */
}

/* notifyListNotifyOne: readies the G that has waited longest. On a G stack; does not switch. */
void rt_cond_signal(struct cond *cv)
{
    safepoint();
    if (tickets(cv) == notified(cv)) /* all waiters so far were notified */
        return;
    struct m *m = getm();
    lock(m, &cv->lock);
    uint32_t ticket = notified(cv);
    bool due = ticket != tickets(cv);
    if (due)
        set_notified(cv, ticket + 1);
    struct g *gp = due ? take_ticket(cv, ticket) : NULL;
    unlock(m, &cv->lock);
    if (gp)
        goready(gp);
}

/* notifyListNotifyAll: readies all current waiters, in the order in which they queued up. On a G stack; does not switch. */
void rt_cond_broadcast(struct cond *cv)
{
    safepoint();
    if (tickets(cv) == notified(cv))
        return;
    struct m *m = getm();
    lock(m, &cv->lock);
    struct sudog *sg = cv->queue.first;
    cv->queue = (struct sudogq){0};
    set_notified(cv, tickets(cv));
    unlock(m, &cv->lock);
    while (sg) {
        fetch(sg->ahead, 6);           /* as in rt_chan_close() */
        struct sudog *next = sg->next; /* once ready, the G's stack with sg on it is gone */
        struct g *gp = sg->g;
        gp->param = sg;
        goready(gp);
        sg = next;
    }
}
