/* What log.c (the merge) and ring.c (the rings) share. All others include log.h. */
#ifndef GMPSCOPE_EVENTLOG_LOG_INTERNAL_H
#define GMPSCOPE_EVENTLOG_LOG_INTERNAL_H

#include "eventlog/log.h"

#define CACHE_LINE 64
#define SLOT sizeof(struct ev)

struct ring {
    struct ring_out out; /* first: log.h. Written by the producer. */
    /* Written by the consumer. */
    _Alignas(
        2 * CACHE_LINE) _Atomic uint64_t head; /* slots that the producer may use again. Two lines apart: processors fetch lines in pairs */
    uint64_t next;                             /* first unread slot; ≥ head */
    uint64_t tail_first, tail_seen;            /* tail at the first and the second reading of a pass */
    int64_t time;                              /* of the record at next */
    uint64_t aside_at;                         /* events applied when the ring was set aside */
    /* Nonzero while the producer sleeps or is about to. */
    _Alignas(CACHE_LINE) _Atomic uint32_t waiting;
    _Atomic uint32_t growth; /* enum growth */
    struct ev *grown;        /* GROWTH_DONE: the new slots, twice as many */
    /* The consumer's; they change only when the ring has grown. */
    _Alignas(CACHE_LINE) struct ev *slot;
    uint64_t slots;  /* a power of two */
    struct ev *more; /* slots that are mapped apart, because the ring has grown; NULL: they follow this struct */
    /* Constant. */
    uint32_t m;
    struct log *log;
    size_t mapped; /* bytes of this struct and its first slots */
};

/* How a ring grows. The consumer asks for it, the producer moves to the new slots, and the consumer follows and frees the old ones. */
enum growth { GROWTH_NONE, GROWTH_ASKED, GROWTH_DONE };

struct log {
    uint32_t max_rings;
    _Atomic uint32_t top; /* rings made have m < top */
    _Atomic uint32_t closed;
    struct ring *_Atomic *ring; /* by m */
    /* The consumer's. */
    _Alignas(CACHE_LINE) _Atomic uint64_t consumed;
    _Atomic bool lacks;   /* a ring could not grow */
    uint64_t places;      /* read so far */
    struct ring **active; /* rings with something unread in this pass */
    struct ring **heap;   /* rings whose next event may be offered, lowest time first */
    struct ring **aside;  /* circular queue of those that were answered NOT_YET */
    uint32_t nactive, nheap, naside, aside_front;
    int64_t aside_time;       /* no ring that waits for a cause has an earlier record */
    int64_t aside_before;     /* the same at the end of the last drain */
    uint32_t unordered_waits; /* drains in a row that applied nothing and left an unordered event waiting */
    char text[EV_TEXT_MAX];   /* for a text that wraps around the ring's end */
};

/* --- ring.c */
struct ring *ring_map(struct log *log, uint32_t m); /* NULL: out of memory */
void ring_reset(struct ring *r);                    /* as if it were new; no other thread uses it */
void ring_unmap(struct ring *r);                    /* no other thread uses it */
void ring_ask_growth(struct ring *r);               /* consumer: lets the producer enlarge the ring if it waits for room */
void ring_follow(struct ring *r);                   /* consumer: moves to the new slots if the ring has grown */
void ring_wake(struct ring *r);                     /* any thread: wakes the producer, if it sleeps */
void ring_publish(struct ring *r);                  /* consumer: gives the slots that it has read back to the producer */
const char *ring_text_there(struct ring *r, const struct ev *e, char *copy, size_t *len); /* the out-of-line part of ring_text() */

/* Any thread. acquire: pairs with the release in log_ring(), the ring is complete. */
static inline struct ring *ring_at(const struct log *log, uint32_t m)
{
    return atomic_load_explicit(&log->ring[m], memory_order_acquire);
}

/* acquire: pairs with the release in log_ring(), all rings below are seen. */
static inline uint32_t rings_top(const struct log *log)
{
    return atomic_load_explicit(&log->top, memory_order_acquire);
}

static inline uint64_t ring_unpublished(const struct ring *r)
{
    return r->next - atomic_load_explicit(&r->head, memory_order_relaxed); /* our own */
}

/* Returns e's text, of *len bytes, or NULL. copy: EV_TEXT_MAX bytes. Caller: the consumer. */
static inline const char *ring_text(struct ring *r, const struct ev *e, char *copy, size_t *len)
{
    *len = 0;
    return e->ncont ? ring_text_there(r, e, copy, len) : NULL;
}

/* Returns true if there was an event at the last reading; r->time is its time then. Caller: the consumer. */
static inline bool ring_look(struct ring *r)
{
    if (r->next == r->tail_seen)
        return false;
    r->time = r->slot[r->next & (r->slots - 1)].time;
    return true;
}

/* Returns the first unread event, of a ring that has one. Caller: the consumer. */
static inline const struct ev *ring_event(const struct ring *r)
{
    return &r->slot[r->next & (r->slots - 1)];
}

/* Marks the event that ring_event() returned as read. Caller: the consumer. */
static inline void ring_step(struct ring *r)
{
    r->next += 1u + ring_event(r)->ncont;
}

#endif
