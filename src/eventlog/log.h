/* The event log: one lock-free single-producer ring for each M, one consumer that merges them causally.
 *
 *   M (producer)                            consumer (one thread at a time, log_drain)
 *   ring_put() ── ring of 32-byte slots ──► merge ── sink->offer() ──► the fold, checks, program output
 *
 * Lockstep: events are offered in the order of their virtual time, which is the order they were logged in
 * (design 4); free: in an order that the tickets allow, lowest time first (design 5), and what has no ticket is not told
 * before what was logged before it. Lockstep with points inside of steps (fine): in the order of time too, but a record
 * waits for its causes, for an M may have given way between a change and its event.
 */
#ifndef GMPSCOPE_EVENTLOG_LOG_H
#define GMPSCOPE_EVENTLOG_LOG_H

#include "eventlog/events.h"
#include <stdatomic.h>

/* Kinds of records that stand for several events; they lie behind enum ev_kind, and are never offered. */
enum ev_several {
    EV_SEVERAL = EV_KINDS - 1,
#define RECORD(id, ...) EV_SEVERAL_##id,
#include "eventlog/records.def"
#undef RECORD
    EV_SEVERAL_END
};

struct log;
struct ring;

/* AT_REST: by ticket, where no producer moves: what has waited only for order's sake is told too. */
enum log_order { LOG_BY_TIME, LOG_BY_TIME_PATIENT, LOG_BY_TICKET, LOG_AT_REST };

struct log_sink {
    void *ctx;
    /* One event, with its text if it has one (text is not NUL-terminated). NOT_YET: it is offered again later; in
     * LOG_BY_TIME order nothing can be missing, so there it counts as BROKEN. BROKEN: the merge stops and log_drain
     * returns LOG_BROKEN; the event stays unread. HOLD: the sink wants no more now; the event stays unread and log_drain
     * returns what was applied before it. */
    enum offer (*offer)(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len);
};

/* max_rings: the most Ms that can be (slots are small; rings are mapped when made). Returns NULL when out of memory. */
struct log *log_new(uint32_t max_rings);
void log_free(struct log *log);

/* The ring of M m, made on first call: 2 MiB for m < 64, else 16 KiB. Called by the M that creates m, before the
 * thread starts (any thread; calls for different m may run in parallel). NULL when out of memory. */
struct ring *log_ring(struct log *log, uint32_t m);

/* Producer only. Waits while the ring is full (asleep, counted as moving: design 3) unless the log is closed.
 * e->ncont is set here, and with `text` e->d to its length (cut to EV_TEXT_MAX). Wait-free when there is room. */
void ring_put(struct ring *r, struct ev *e, const char *text, size_t len);

/* The head of struct ring: the producer's. */
struct ring_out {
    _Alignas(64) _Atomic uint64_t tail; /* slots ever published */
    _Atomic int64_t newest;       /* time of the last record, or of the one just being published */
    uint64_t limit;               /* tail may come up to here; grows as the consumer is seen to read */
    uint64_t mask;                /* slots - 1 */
    struct ev *slot;
    _Atomic uint64_t more, lost;  /* events beyond one in each slot published (a slot of text counts against it), modulo 2^64; records */
};

/* Word by word: out of one copy of all four they would be read before they can be forwarded from the stores that made it. */
static inline void ring_write(struct ev *slot, int64_t time, uint64_t head, uint64_t ab, uint64_t cd)
{
    char *to = (char *)slot;
    __builtin_memcpy(to, &time, 8);
    __builtin_memcpy(to + 8, &head, 8);
    __builtin_memcpy(to + 16, &ab, 8);
    __builtin_memcpy(to + 24, &cd, 8);
}

/* Producer only. A record without text as three words (EV_HEAD, EV_PAIR). False: there may be no room, ring_put() looks. */
static inline bool ring_put_words(struct ring *ring, int64_t time, uint64_t head, uint64_t ab, uint64_t cd)
{
    struct ring_out *r = (struct ring_out *)(void *)ring;
    uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed); /* our own */
    if (__builtin_expect(tail >= r->limit, 0))
        return false;
    ring_write(&r->slot[tail & r->mask], time, head, ab, cd);
    /* release: who sees this time sees all that was logged before it; pairs with acquire in first_reading() (log.c) */
    atomic_store_explicit(&r->newest, time, memory_order_release);
    /* release: publishes the record; pairs with acquire in the readings in log.c */
    atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
    return true;
}

/* Producer only. The same for a record that stands for `events` events (records.def). ef, gh: the first words of its second slot, if it has
 * two. */
static inline bool ring_put_several(struct ring *ring, int64_t time, uint64_t head, uint64_t ab, uint64_t cd, uint64_t ef, uint64_t gh,
                                    uint32_t slots, uint32_t events)
{
    struct ring_out *r = (struct ring_out *)(void *)ring;
    uint64_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed); /* our own */
    if (__builtin_expect(tail + slots > r->limit, 0))
        return false;
    ring_write(&r->slot[tail & r->mask], time, head, ab, cd);
    if (slots > 1)
        ring_write(&r->slot[(tail + 1) & r->mask], (int64_t)ef, gh, 0, 0);
    /* relaxed: a counter, we alone write it; the release of tail orders it before the record */
    atomic_store_explicit(&r->more, atomic_load_explicit(&r->more, memory_order_relaxed) + events - slots, memory_order_relaxed);
    /* release, both: as in ring_put_words() */
    atomic_store_explicit(&r->newest, time, memory_order_release);
    atomic_store_explicit(&r->tail, tail + slots, memory_order_release);
    return true;
}

/* Producer only. The same, waiting for room as ring_put() does. */
void ring_wait_several(struct ring *r, int64_t time, uint64_t head, uint64_t ab, uint64_t cd, uint64_t ef, uint64_t gh, uint32_t slots,
                       uint32_t events);

enum { EV_SEVERAL_MOST = 6 }; /* events in one record */

/* Events (not slots) this ring's M has appended; any thread. */
uint64_t ring_appended(const struct ring *r);

/* The producer: has the consumer read all that was put here? Then it also sees what the consumer did before. */
bool ring_is_read(const struct ring *r);

/* From now on producers never wait: what does not fit is counted as lost. For teardown. Any thread. */
void log_close(struct log *log);

enum { LOG_BROKEN = -1 };
/* Merge and offer at most `max` events. Returns how many were applied, or LOG_BROKEN. Consumer only (callers keep
 * each other out). In LOG_BY_TIME order everything logged before the call is merged if max allows. */
int64_t log_drain(struct log *log, enum log_order order, const struct log_sink *sink, uint64_t max);

/* Consumer: shows every event that is logged but not read, ring by ring; reads none of them. */
void log_unread(struct log *log, void (*show)(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len), void *ctx);

/* Any thread; exact when all producers are stopped. Events, but what was lost are records. */
uint64_t log_appended(const struct log *log);   /* sum over rings */
uint64_t log_consumed(const struct log *log);
uint64_t log_lost(const struct log *log);
/* Consumer: after LOG_BROKEN or when nothing moves: one line about each ring's head event that is waiting. */
void log_stuck(struct log *log, char *buf, size_t size);

#endif
