/* Buffered channels before Go 1.6 (its "asynch" paths): a value always goes through the buffer, and a waiting G is only woken to look
 * again. If another G was faster, it waits again, at the end of the queue. Since 1.6 the waker hands the
 * value over (chan.c).
 * A G that is woken in this way finds g.param NULL, because the waker did nothing for it. A select then starts over.
 */
#include "runtime/sync/chan.h"
#include "runtime/generations/generation.h"
#include "runtime/sched/race.h"

/* Takes the first waiter off q, so that it looks again; the caller readies it after unlocking. Locks: the channel's. Returns NULL if no G
 * waits. */
struct g *chan_async_wake(struct sudogq *q)
{
    struct sudog *sg = chan_dequeue(q);
    if (!sg)
        return NULL;
    sg->g->param = NULL;
    return sg->g;
}

/* Queues the G and sleeps. c->lock is released while it sleeps, and then taken again. May return on another M. */
static void sleep_on(struct hchan *c, struct sudogq *q, enum wait_reason reason)
{
    struct sudog me = {.g = getg()};
    sudog_enqueue(q, &me);
    gopark(&c->lock, reason, c->id);
    lock(getm(), &c->lock);
}

/* Sends on c, which is open and locked. Unlocks it. On a G stack. */
void chan_async_send(struct hchan *c, int64_t value)
{
    while (c->qcount == c->dataqsiz) {
        sleep_on(c, &c->sendq, WAIT_REASON_CHAN_SEND);
        if (c->closed) {
            unlock(getm(), &c->lock);
            fatalpanic("send on closed channel");
        }
    }
    chan_buf_put(c, value, NULL);
    struct g *gp = chan_async_wake(&c->recvq);
    unlock(getm(), &c->lock);
    if (gp)
        goready(gp);
}

/* Receives from c, which is locked. Unlocks it. Returns false if c is closed and empty. On a G stack. */
bool chan_async_recv(struct hchan *c, int64_t *value)
{
    while (c->qcount == 0) {
        if (c->closed) {
            raceacquire(getm(), c->race);
            unlock(getm(), &c->lock);
            return false;
        }
        sleep_on(c, &c->recvq, WAIT_REASON_CHAN_RECEIVE);
    }
    *value = chan_buf_take(c);
    struct g *gp = chan_async_wake(&c->sendq);
    unlock(getm(), &c->lock);
    if (gp)
        goready(gp);
    return true;
}
