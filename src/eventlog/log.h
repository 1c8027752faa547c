/* The event log: one lock-free single-producer ring for each M, one consumer that merges them causally.
 *
 *   M (producer)                            consumer (one thread at a time, log_drain)
 *   ring_put() ── ring of 32-byte slots ──► merge ── sink->offer() ──► the fold, checks, program output
 *
 * Lockstep: events are offered in the order of their virtual time, which is the order in which they were logged. Free: in an order that the
 * sequence numbers allow, lowest time first; an unordered event, which has none, follows what was logged before it. Lockstep with
 * scheduling points inside of steps (--fine): in the order of time too, but an event waits for its causes, because an M may have given
 * way between a change and its event.
 */
#ifndef GMPSCOPE_EVENTLOG_LOG_H
#define GMPSCOPE_EVENTLOG_LOG_H

#include "eventlog/events.h"
#include <stdatomic.h>

struct log;
struct ring;

/* LOG_AT_REST: as LOG_BY_SEQUENCE, while no producer moves; also offers events that were held back only for their order. */
enum log_order { LOG_BY_TIME, LOG_BY_TIME_PATIENT, LOG_BY_SEQUENCE, LOG_AT_REST };

struct log_sink {
    void *ctx;
    /* Takes one event, with its text if it has one (text is not NUL-terminated). NOT_YET: it is offered again later; in LOG_BY_TIME order
     * nothing can be missing, so there it counts as BROKEN. BROKEN: the merge stops and log_drain returns LOG_BROKEN; the event stays
     * unread. HOLD: the sink takes no more now; the event stays unread, and log_drain returns the number applied before it. */
    enum offer (*offer)(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len);
    /* Takes the first of *n events, or more of them, which m logged in one go: they lie next to each other, have one time and no text. Sets
     * *n to how many were applied, if it returns OFFER_APPLIED; all other answers are about the first event. NULL: offer() takes each. */
    enum offer (*offer_record)(void *ctx, uint32_t m, const struct ev *e, uint32_t *n);
};

/* max_rings: the largest possible number of Ms. Rings are mapped when they are made. Returns NULL if out of memory. */
struct log *log_new(uint32_t max_rings);
void log_free(struct log *log); /* NULL: nothing */
/* Empties a log for another run, which takes over its rings. False: it has no room for so many rings. Caller: no other thread uses it. */
bool log_empty(struct log *log, uint32_t max_rings);

/* Returns the ring of M m, made by the first call: 2 MiB for m < 64, else 16 KiB. Caller: the M that creates m, before the thread
 * starts; calls for different m may run in parallel. NULL: out of memory. */
struct ring *log_ring(struct log *log, uint32_t m);

/* Appends an event. Sets e->ncont, and with `text` e->d to its length (cut to EV_TEXT_MAX). Wait-free if there is room. A full ring
 * makes the producer sleep, unless the log is closed or grows; it counts as moving meanwhile. Caller: the producer, without an open batch. */
void ring_put(struct ring *r, struct ev *e, const char *text, size_t len);

/* The head of struct ring, which only the producer writes. */
struct ring_out {
    _Alignas(64) _Atomic uint64_t tail; /* slots ever published */
    _Atomic int64_t newest;             /* time of the last record, or of the one just being published */
    uint64_t limit;                     /* tail may grow up to here; the producer raises it when it sees that the consumer has read */
    uint64_t mask;                      /* slots - 1 */
    struct ev *slot;
    uint64_t batch;              /* slots after tail that are written and not published: the batch */
    _Atomic uint64_t text, lost; /* slots published that hold no event, but text or a place; records lost */
};

/* Writes slot number `at`. Stores the words one at a time: a 32-byte copy would defeat store-to-load forwarding. Fetches for
 * writing the line of a slot some places further on. The consumer's processor still has that line, because it has read the record that was
 * there before. Without this, the M's next locked operation waits until all lines that it has written to have come from there. */
static inline void ring_write(const struct ring_out *r, uint64_t at, int64_t time, uint64_t head, uint64_t ab, uint64_t cd)
{
    enum { AHEAD = 32 };
    char *to = (char *)&r->slot[at & r->mask];
    __builtin_prefetch(&r->slot[(at + AHEAD) & r->mask], 1);
    __builtin_memcpy(to, &time, 8);
    __builtin_memcpy(to + 8, &head, 8);
    __builtin_memcpy(to + 16, &ab, 8);
    __builtin_memcpy(to + 24, &cd, 8);
}

/* Publishes the `slots` slots after the tail, which are already written. Caller: the producer. */
static inline void ring_advance(struct ring_out *r, int64_t time, uint64_t slots)
{
    /* release: a thread that sees this time sees all that was logged before it; pairs with acquire in first_reading() (log.c) */
    atomic_store_explicit(&r->newest, time, memory_order_release);
    /* release: publishes the records and their text at once; pairs with acquire in the readings in log.c. relaxed: our own */
    atomic_store_explicit(&r->tail, atomic_load_explicit(&r->tail, memory_order_relaxed) + slots, memory_order_release);
}

/* Appends a record without text, given as three words (EV_HEAD, EV_PAIR). Caller: the producer, without an open batch. Returns false if
 * there may be no room; ring_put() looks again. */
static inline bool ring_put_words(struct ring *ring, int64_t time, uint64_t head, uint64_t ab, uint64_t cd)
{
    struct ring_out *r = (struct ring_out *)(void *)ring;
    uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed); /* our own */
    if (__builtin_expect(tail >= r->limit, 0))
        return false;
    ring_write(r, tail, time, head, ab, cd);
    ring_advance(r, time, 1);
    return true;
}

/* A batch: events that the producer publishes together, with one time. The consumer does not see them before ring_batch_end(), and then
 * sees single events. */

/* Adds an event to the batch, as ring_put_words() does to the ring. Returns false if there may be no room: end the batch and use
 * ring_put(). */
static inline bool ring_batch_add(struct ring *ring, uint64_t head, uint64_t ab, uint64_t cd)
{
    struct ring_out *r = (struct ring_out *)(void *)ring;
    uint64_t at = atomic_load_explicit(&r->tail, memory_order_relaxed) + r->batch; /* our own */
    if (__builtin_expect(at >= r->limit, 0))
        return false;
    ring_write(r, at, 0, head, ab, cd);
    r->batch++;
    return true;
}

/* Publishes the batch, which is not empty. */
static inline void ring_batch_end(struct ring *ring, int64_t time)
{
    struct ring_out *r = (struct ring_out *)(void *)ring;
    uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed); /* our own */
    for (uint64_t i = 0; i < r->batch; i++)
        r->slot[(tail + i) & r->mask].time = time;
    ring_advance(r, time, r->batch);
    r->batch = 0;
}

static inline bool ring_batch_empty(const struct ring *ring)
{
    return ((const struct ring_out *)(const void *)ring)->batch == 0;
}

/* Returns how many events (not slots) this ring's M has published. Any thread. */
uint64_t ring_appended(const struct ring *r);

/* Returns true if the consumer has read all that was published. Then the producer also sees what the consumer did before. Caller: the
 * producer. */
bool ring_is_read(const struct ring *r);

/* From now on producers never wait: an event that does not fit is counted as lost. For teardown. Any thread. */
void log_close(struct log *log);

enum { LOG_BROKEN = -1 };
/* Merges and offers at most `max` events. Returns how many were applied, or LOG_BROKEN. In LOG_BY_TIME order everything logged before
 * the call is merged if max allows. Caller: the consumer; callers exclude each other. */
int64_t log_drain(struct log *log, enum log_order order, const struct log_sink *sink, uint64_t max);

/* Shows every event and every place that is logged but not read, ring by ring, and leaves them unread. Caller: the consumer. */
void log_unread(struct log *log, void (*show)(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len), void *ctx);

/* Any thread; exact when all producers are stopped. */
uint64_t log_appended(const struct log *log); /* sum over rings */
uint64_t log_consumed(const struct log *log);
uint64_t log_places(const struct log *log); /* read so far; caller: the consumer */
uint64_t log_lost(const struct log *log);
/* Returns true if a producer waits for room in its ring. Any thread; the answer may be slightly out of date. */
bool log_full(const struct log *log);
/* Lets each producer that waits for room double its ring. For a consumer that must not read on, and waits for the producers to stop. Any
 * thread. */
void log_grow(struct log *log);
bool log_lacks(const struct log *log); /* memory ran out while a ring grew. Any thread */
/* Writes one line about the first unread event of each ring, after LOG_BROKEN or when nothing moves. Caller: the consumer. */
void log_stuck(struct log *log, char *buf, size_t size);

#endif
