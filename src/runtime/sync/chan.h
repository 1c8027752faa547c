/* A channel's internals, for chan.c, select.c and the timers that send. Everything except the constants is under its lock. */
#ifndef GMPSCOPE_RUNTIME_SYNC_CHAN_H
#define GMPSCOPE_RUNTIME_SYNC_CHAN_H

#include "runtime/sync/sudog.h"

struct hchan {
    struct rlock lock; /* for everything except the constants */
    uint32_t id;
    uint32_t order;            /* among the instance's channels: several are locked in this order */
    uint32_t qcount, dataqsiz; /* values in the buffer; slots */
    uint32_t sendx, recvx;     /* next slot to write, to read */
    uint32_t changes;          /* logged so far: puts them in order */
    uint32_t race;             /* race.h: the number of its close; those of its slots follow */
    bool closed;
    bool retries;         /* a waiting G is only woken to look again (chan_async.c); never changes */
    _Atomic bool made;    /* it has a timer; never false again */
    struct handle *timer; /* whose channel it is (handle.h); NULL: of none */
    struct sudogq recvq, sendq;
    int64_t buf[];
};

/* All under c->lock. The first two log what they do. sender: NULL, or the waiting G whose value it is. */
void chan_buf_put(struct hchan *c, int64_t value, const struct g *sender);
int64_t chan_buf_take(struct hchan *c);
/* Writes the value to a dequeued receiver's stack. That G sleeps, and only the caller can wake it. */
void chan_give(struct m *m, struct hchan *c, struct sudog *sg, int64_t value);
struct sudog *chan_dequeue(struct sudogq *q);
struct g *chan_answer(struct sudog *sg, bool success);
/* Receives while a sender waits (sg, dequeued): its value, or the first of the buffer. Returns the sender's G, which the caller readies
 * after unlocking. */
struct g *chan_recv_from(struct hchan *c, struct sudog *sg, int64_t *value);

/* chan_async.c: for channels with c->retries. */
struct g *chan_async_wake(struct sudogq *q);
void chan_async_send(struct hchan *c, int64_t value);
bool chan_async_recv(struct hchan *c, int64_t *value);
/* select.c: select { case c <- value: default: } from the timer code. Any M that may run Gs, no locks held; does not switch. */
void chan_offer(struct m *m, struct hchan *c, int64_t value);
void chan_offer_locked(struct m *m, struct hchan *c, int64_t value); /* c->lock held; unlocks it */

#endif
