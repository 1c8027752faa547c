/* Channels, as Go 1.20's chan.go (its names are next to the functions).
 *
 * A value goes straight to a G that waits for it: the sender writes into the receiver's variable, and a receiver that
 * frees a slot of a full buffer puts the next sender's value there itself. So no G is woken only to find that another
 * one was faster. Whenever the lock is free, this holds: Gs do not wait in both recvq and sendq. They wait in recvq only while the
 * buffer is empty, and in sendq only while it is full. After the channel is closed, they wait in neither. A G is made ready only after
 * the channel's lock is released, so goready has no place in the lock order.
 */
#include "runtime/timers/handle.h"
#include "runtime/sched/race.h"

static bool chan_snap(const void *object, struct snapshot *in, struct snap_object *out)
{
    const struct hchan *c = object;
    out->kind = OBJ_CHAN;
    out->id = c->id;
    out->n = (int32_t)c->qcount;
    out->flag = c->closed;
    return snap_queue(in, out, 0, &c->recvq) && snap_queue(in, out, 1, &c->sendq);
}

static void log_op(struct hchan *c, enum chan_op op)
{
    struct m *m = getm();
    c->changes++;
    emit_object(m, ev_of(m, EV_CHAN_OP, goid(curg(m)), c->id, op, c->qcount, c->changes));
}

/* makechan */
struct hchan *rt_chan_new(struct sched *s, uint32_t id, uint32_t buffer)
{
    struct hchan *c = object_new(s, sizeof(struct hchan) + (size_t)buffer * sizeof(int64_t), chan_snap);
    if (!c)
        return NULL;
    c->lock.rank = RANK_CHAN;
    c->id = id;
    c->order = atomic_fetch_add_explicit(&s->chanorder, 1, memory_order_relaxed); /* only uniqueness matters */
    c->dataqsiz = buffer;
    c->retries = buffer > 0 && !s->gen->buffered_handover;
    c->race = race_objects(s, buffer + 1);
    return c;
}

void rt_chan_values(const struct hchan *c, void (*show)(void *ctx, int64_t value), void *ctx)
{
    for (uint32_t i = 0; i < c->qcount; i++)
        show(ctx, c->buf[(c->recvx + i) % c->dataqsiz]);
}

void rt_chan_made(struct hchan *c)
{
    struct m *m = getm();
    emit_object(m, ev_of(m, EV_CHAN_OP, goid(curg(m)), c->id, CHAN_OP_MAKE, c->dataqsiz, 0));
}

static uint32_t next_slot(const struct hchan *c, uint32_t x)
{
    return x + 1 == c->dataqsiz ? 0 : x + 1;
}

/* racenotify: a slot orders the sends and receives that use it. gp: NULL, or the waiting G for which it is used. */
static void racenotify(const struct hchan *c, const struct g *gp, uint32_t slot)
{
    racenote(getm(), gp, NOTE_EXCHANGE, c->race + 1 + slot);
}

/* A value passes from G to G. With a buffer, which is empty, both use the next slot, as if it had gone through it. */
static void race_pass(struct m *m, struct hchan *c, const struct g *receiver)
{
    if (!m->sched->cfg.races)
        return;
    if (c->dataqsiz == 0) {
        race_note(m, NULL, NOTE_SYNC, goid(receiver), receiver->op);
        return;
    }
    racenotify(c, NULL, c->recvx);
    racenotify(c, receiver, c->recvx);
    c->sendx = c->recvx = next_slot(c, c->recvx);
}

void chan_give(struct m *m, struct hchan *c, struct sudog *sg, int64_t value)
{
    race_pass(m, c, sg->g);
    *sg->elem = value;
}

void chan_buf_put(struct hchan *c, int64_t value, const struct g *sender)
{
    racenotify(c, sender, c->sendx);
    c->buf[c->sendx] = value;
    c->sendx = next_slot(c, c->sendx);
    c->qcount++;
    log_op(c, CHAN_OP_PUT);
}

int64_t chan_buf_take(struct hchan *c)
{
    int64_t value = c->buf[c->recvx];
    racenotify(c, NULL, c->recvx);
    c->recvx = next_slot(c, c->recvx);
    c->qcount--;
    log_op(c, CHAN_OP_TAKE);
    return value;
}

/* waitq.dequeue: returns the first G that still waits. A G in a select waits in several queues. The waker that sets its selectdone first
 * wins it; in the other queues the G is skipped. Under the lock of q's channel. */
struct sudog *chan_dequeue(struct sudogq *q)
{
    struct sudog *sg;
    while ((sg = sudog_dequeue(q)) && sg->is_select) {
        uint32_t none = 0;
        explore_at(getm(), FOOT_LOCK(RANK_CHAN));
        /* relaxed: only decides which waker wins; the lock, under which the sudog was queued, publishes its contents */
        if (atomic_compare_exchange_strong_explicit(&sg->g->selectdone, &none, 1, memory_order_relaxed, memory_order_relaxed))
            break;
    }
    return sg;
}

/* Gives the G of a dequeued sudog its answer. Returns the G, which the caller readies after unlocking. Caller holds the channel's lock. */
struct g *chan_answer(struct sudog *sg, bool success)
{
    sg->success = success;
    sg->g->param = sg;
    return sg->g;
}

/* Queues the G, releases c->lock and sleeps. On a G stack, c->lock held. Returns the waker's answer, perhaps on another M. */
static bool park(struct hchan *c, struct sudogq *q, int64_t *elem, enum wait_reason reason)
{
    struct sudog me = {.g = getg(), .elem = elem};
    sudog_enqueue(q, &me);
    gopark(&c->lock, reason, c->id);
    return me.success;
}

/* Runs on g0, after the G was parked on a timer's channel. */
static void block_timer(struct m *m, struct g *gp)
{
    struct hchan *c = m->waitchan;
    (void)gp;
    int64_t wake = handle_blocked(m, c);
    unlock(m, &c->lock);
    if (wake)
        wake_netpoller(m, wake);
}

/* park() for the channel of a timer, which is in a heap only meanwhile. */
static bool park_for_timer(struct hchan *c, int64_t *elem)
{
    struct sudog me = {.g = getg(), .elem = elem, .timer = handle_block(c)};
    struct m *m = getm();
    sudog_enqueue(&c->recvq, &me);
    m->waitfn = block_timer;
    m->waitchan = c;
    gopark(NULL, WAIT_REASON_CHAN_RECEIVE, c->id);
    m = getm();
    lock(m, &c->lock);
    handle_unblock(m, me.timer);
    unlock(m, &c->lock);
    return me.success;
}

/* chansend. On a G stack; may switch. */
void rt_chan_send(struct hchan *c, int64_t value)
{
    struct m *m = safe_getm_gc();
    if (!c) {
        gopark(NULL, WAIT_REASON_CHAN_SEND_NIL, 0);
        throw(getm(), "chansend: unreachable");
    }
    lock_gs(m, &c->lock);
    if (c->closed) {
        unlock(m, &c->lock);
        fatalpanic("send on closed channel");
    }
    if (c->retries) {
        chan_async_send(c, value);
        return;
    }
    struct sudog *sg = chan_dequeue(&c->recvq);
    if (sg) {
        chan_give(m, c, sg, value);
        struct g *gp = chan_answer(sg, true);
        unlock(m, &c->lock);
        goready(gp);
        return;
    }
    if (c->qcount < c->dataqsiz) {
        chan_buf_put(c, value, NULL);
        unlock(m, &c->lock);
        return;
    }
    if (!park(c, &c->sendq, &value, WAIT_REASON_CHAN_SEND))
        fatalpanic("send on closed channel");
}

/* recv: a sender waits, so the buffer is full or has no slots. */
struct g *chan_recv_from(struct hchan *c, struct sudog *sg, int64_t *value)
{
    if (c->dataqsiz == 0) {
        race_pass(getm(), c, sg->g);
        *value = *sg->elem;
    } else { /* we take the head; the sender's value goes to the tail, which is the slot just freed */
        *value = chan_buf_take(c);
        chan_buf_put(c, *sg->elem, sg->g);
    }
    return chan_answer(sg, true);
}

/* chanrecv. On a G stack; may switch. */
bool rt_chan_recv(struct hchan *c, int64_t *value)
{
    struct m *m = safe_getm_gc();
    if (!c) {
        gopark(NULL, WAIT_REASON_CHAN_RECEIVE_NIL, 0);
        throw(getm(), "chanrecv: unreachable");
    }
    *value = 0;
    lock_gs(m, &c->lock);
    if (c->timer)
        handle_look(m, c);
    if (c->retries)
        return chan_async_recv(c, value);
    struct sudog *sg = chan_dequeue(&c->sendq);
    if (sg) {
        struct g *gp = chan_recv_from(c, sg, value);
        unlock(m, &c->lock);
        goready(gp);
        return true;
    }
    bool got = c->qcount > 0;
    if (got || c->closed) {
        if (got)
            *value = chan_buf_take(c);
        else
            raceacquire(m, c->race);
        unlock(m, &c->lock);
        return got;
    }
    return c->timer ? park_for_timer(c, value) : park(c, &c->recvq, value, WAIT_REASON_CHAN_RECEIVE);
}

/* Takes all Gs, which the close wakes, off q and pushes them on the list. Locks: c->lock. */
static struct g *collect(struct hchan *c, struct sudogq *q, struct g *list)
{
    struct ahead ahead = {0};
    while (q->first) {
        fetch(q->first->ahead, 6); /* and the G, which is at the top of the same stack */
        struct sudog *sg = c->retries ? NULL : chan_dequeue(q);
        struct g *gp = c->retries ? chan_async_wake(q) : sg ? chan_answer(sg, false) : NULL;
        if (!gp)
            break; /* only selects that other wakers have won were left */
        racenote(getm(), gp, NOTE_ACQUIRE, c->race);
        gp->schedlink = list;
        ahead_of(&ahead, gp);
        list = gp;
    }
    return list;
}

static struct g *reverse(struct g *list)
{
    struct g *back = NULL;
    while (list) {
        struct g *next = list->schedlink;
        list->schedlink = back;
        back = list;
        list = next;
    }
    return back;
}

/* closechan: puts the receivers, then the senders (which panic) on a LIFO list, so the last one that came is readied first. Up to 1.6,
 * the first one was. On a G stack; does not switch. */
void rt_chan_close(struct hchan *c)
{
    safepoint_gc();
    if (!c)
        fatalpanic("close of nil channel");
    struct m *m = getm();
    lock(m, &c->lock);
    if (c->closed) {
        unlock(m, &c->lock);
        fatalpanic("close of closed channel");
    }
    c->closed = true;
    racerelease(m, c->race);
    log_op(c, CHAN_OP_CLOSE);
    struct g *list = collect(c, &c->sendq, collect(c, &c->recvq, NULL));
    if (!m->sched->gen->close_lifo)
        list = reverse(list);
    unlock(m, &c->lock);
    while (list) {
        struct g *gp = list;
        list = gp->schedlink;
        gp->schedlink = NULL;
        fetch(gp->ahead, 3);
        goready(gp);
    }
}

int64_t rt_chan_len(struct hchan *c)
{
    struct m *m = getm();
    lock(m, &c->lock);
    int64_t n = c->timer && timers_sync(m->sched) ? 0 : c->qcount;
    unlock(m, &c->lock);
    return n;
}

int64_t rt_chan_cap(const struct hchan *c)
{
    return rt_timer_made(c) && timers_sync(getm()->sched) ? 0 : c->dataqsiz;
}
