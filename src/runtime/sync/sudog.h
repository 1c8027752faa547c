/* FIFO queues of waiting Gs (Go's waitq). Every call under the lock of the object that owns the queue.
 * A sudog is on the stack of the waiting G. Once the G was made ready, its sudog may be gone. So the M that dequeues it reads what it
 * needs and writes its answers before goready.
 */
#ifndef GMPSCOPE_RUNTIME_SYNC_SUDOG_H
#define GMPSCOPE_RUNTIME_SYNC_SUDOG_H

#include "runtime/sched/rt.h"

/* A G that waits on a channel or a semaphore. It is on the waiting G's stack; those of a select are in the G's memory. */
struct sudog {
    struct g *g;
    struct sudog *next, *prev;
    struct sudog *ahead; /* a sudog some places later, or NULL: see AHEAD */
    int64_t *elem;       /* where the value is read from or written to */
    bool success;        /* woken by a value, not by close */
    bool is_select;      /* its G waits elsewhere too: see chan_dequeue() */
    uint32_t distance;   /* a lower bound of its distance from the lead when it became the last */
    int64_t acquiretime;
    uint32_t ticket;      /* semaphore hand-off: 1 when the waker passed the count on */
    struct handle *timer; /* whose channel the G waits for (handle.h), NULL: of none */
};

struct sudogq {
    struct sudog *first, *last;
    struct sudog *lead; /* the sudog whose `ahead` is the last one; NULL: empty */
};

static inline void sudog_enqueue(struct sudogq *q, struct sudog *s)
{
    struct sudog *last = q->last;
    s->next = s->ahead = NULL;
    s->prev = last;
    q->last = s;
    if (!last) {
        s->distance = 0;
        q->first = q->lead = s;
        return;
    }
    last->next = s;
    s->distance = last->distance + 1;
    q->lead->ahead = s;
    if (s->distance >= AHEAD) {
        s->distance--;
        q->lead = q->lead->next;
    }
}

static inline void sudog_enqueue_front(struct sudogq *q, struct sudog *s)
{
    s->prev = s->ahead = NULL;
    s->next = q->first;
    *(q->first ? &q->first->prev : &q->last) = s;
    q->first = s;
    if (!q->lead)
        q->lead = s;
}

static inline struct sudog *sudog_dequeue(struct sudogq *q)
{
    struct sudog *s = q->first;
    if (!s)
        return NULL;
    if (q->lead == s)
        q->lead = s->next;
    q->first = s->next;
    *(q->first ? &q->first->prev : &q->last) = NULL;
    s->next = NULL;
    return s;
}

/* dequeueSudoG: takes s out of q, if it is still in it. */
static inline void sudog_remove(struct sudogq *q, struct sudog *s)
{
    if (!s->prev && q->first != s)
        return;
    if (q->lead == s)
        q->lead = s->next ? s->next : s->prev;
    *(s->prev ? &s->prev->next : &q->first) = s->next;
    *(s->next ? &s->next->prev : &q->last) = s->prev;
    s->next = s->prev = NULL;
}

#endif
