/* The log and the merge; the rings are in ring.c.
 *
 * Merge by time (lockstep). The baton orders everything: if event X was logged before event Y, X's stores happen before Y's. So the
 * merge reads the newest time T of every ring, then reads the rings again. All that was logged before T's event is visible in the second
 * reading, and nothing can be logged before T any more. Everything up to T is offered in the order of time. Equal times occur only
 * inside one M's section, and a ring keeps its order. (One reading alone is wrong: ring 1 is read empty, then M1 logs X and M2 logs Y,
 * then ring 2 is read: Y would be offered before X.)
 *
 * The same with patience (lockstep with scheduling points inside of steps). An M may give way between a change and its event, so that an
 * event that follows from the change is logged before it. Such an event waits; the next one is always the earliest that can be applied.
 *
 * Merge by sequence numbers (free). The ring head with the lowest time is offered. If its causes have not been seen, the ring is
 * set aside until another event was applied. With n rings aside each waits for 1 + n/8 events, so that thousands of
 * waiting rings do not make each event thousands of offers; all of them are tried again before a pass ends. Rejected: one
 * global sequence number that all Ms fetch_add. It costs more than all the rest of ring_put (74 ns against 8).
 *
 * Unordered events in that merge. An unordered event (ev_is_unordered) has no sequence number that would hold it back, but it must not
 * be offered before what happened before it: "G7 is asked to stop" before G7 runs. Say Y was published before the unordered X took its
 * time. Then:
 * - Y is seen if X is offered. A pass reads all rings twice. It offers only what the second reading saw, and of that only events with a
 *   time below T, the newest time that the first reading saw. If the second reading missed Y, then Y was published after it began, X
 *   took its time still later, and T had been taken before: T <= X, because all Ms read one clock. If both readings saw the same, all of it
 *   is offered, because what precedes an event of the first reading is in the second. (Hence "below": with a slow clock many times are
 *   equal, and some of those at T may have been missed. A later pass offers them.)
 * - Y is offered first if it can be: it has the lower time. Y may wait for a cause Z whose M was delayed between its change and
 *   its event. Then X waits too, set aside like Y. This wait ends: Y is the earliest event that waits. It never waits, directly or
 *   through other events, for an unordered event that waits for Y. The change that Y waits for happened before Y took its time, and an M
 *   logs a change before it logs an unordered event. So no unordered event in front of Z in its ring, nor in front of a cause of Z, is
 *   later than Y. (A batch has the time of its end, and no unordered event in it, so this holds for batches.)
 * Three things break the second argument, so the wait must end in another way, too:
 * - An M may defer detail events (runtime/sched/emit.h). It logs them after its next change and before that change's event, so they are later
 *   than Y and in front of Z. Therefore a detail event waits only as long as something else can be applied.
 * - A processor may read its counter before the loads and atomic operations in front of it: on x86 up to 400 ns too early, as an experiment
 *   showed. If Y took its time so early, an unordered event in front of Z can be later than Y by that much. Therefore an event that is so
 *   little later waits as a detail event does, from the second drain on in which Y waits. A Z that is just being logged has come by then.
 *   Rejected: lfence before rdtsc (7 ns more for each event).
 * - Clocks that disagree, for example after a change of the tempo. Therefore any unordered event is offered after many drains that could apply
 *   nothing, and if no producer moves (LOG_AT_REST), as soon as nothing else can be applied.
 * What remains: Y is published late, after X has read the clock. Its change is old but it is not in the log, and no order of reading
 * helps. Where such an order matters, the event must have a sequence number.
 */
#include "base/arena.h"
#include "eventlog/log_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define TOGETHER 16    /* the most events that are offered as one record */
#define PATIENCE 256   /* how many drains without progress an unordered event waits for earlier events */
#define TOO_EARLY 2000 /* ns by which a time may be too early, and more */

/* ---- making and freeing ---------------------------------------------------------------------------------------- */

struct log *log_new(uint32_t max_rings)
{
    struct log *log = lines_new(sizeof *log);
    if (!log)
        return NULL;
    log->max_rings = max_rings;
    log->ring = calloc(max_rings + 1u, sizeof *log->ring);
    log->active = calloc(max_rings + 1u, sizeof *log->active);
    log->heap = calloc(max_rings + 1u, sizeof *log->heap);
    log->aside = calloc(max_rings + 1u, sizeof *log->aside);
    if (log->ring && log->active && log->heap && log->aside)
        return log;
    log_free(log);
    return NULL;
}

void log_free(struct log *log)
{
    if (!log)
        return;
    for (uint32_t m = 0; log->ring && m < rings_top(log); m++)
        if (ring_at(log, m))
            ring_unmap(ring_at(log, m));
    free((void *)log->ring);
    free(log->active);
    free(log->heap);
    free(log->aside);
    free(log);
}

bool log_empty(struct log *log, uint32_t max_rings)
{
    if (log->max_rings < max_rings)
        return false;
    for (uint32_t m = 0; m < rings_top(log); m++)
        if (ring_at(log, m))
            ring_reset(ring_at(log, m));
    /* relaxed: no other thread uses it */
    atomic_store_explicit(&log->closed, 0, memory_order_relaxed);
    atomic_store_explicit(&log->consumed, 0, memory_order_relaxed);
    atomic_store_explicit(&log->lacks, false, memory_order_relaxed);
    log->nactive = log->nheap = log->naside = log->aside_front = log->unordered_waits = 0;
    log->places = 0;
    log->aside_time = log->aside_before = 0;
    return true;
}

struct ring *log_ring(struct log *log, uint32_t m)
{
    if (m >= log->max_rings)
        return NULL;
    if (ring_at(log, m))
        return ring_at(log, m);
    struct ring *r = ring_map(log, m);
    if (!r)
        return NULL;
    /* release: publishes the ring's constants; pairs with acquire in ring_at(). */
    atomic_store_explicit(&log->ring[m], r, memory_order_release);
    uint32_t top = atomic_load_explicit(&log->top, memory_order_relaxed);
    /* release: publishes the pointer; pairs with acquire in rings_top(). A failed try only reads top again. */
    while (top <= m && !atomic_compare_exchange_weak_explicit(&log->top, &top, m + 1, memory_order_release, memory_order_relaxed))
        ;
    return r;
}

void log_close(struct log *log)
{
    atomic_store_explicit(&log->closed, 1, memory_order_seq_cst); /* Dekker: pairs with ring_wait() */
    for (uint32_t m = 0; m < rings_top(log); m++)
        if (ring_at(log, m))
            ring_wake(ring_at(log, m));
}

/* ---- the consumer: merge --------------------------------------------------------------------------------------- */

/* Which unordered events wait no longer for earlier events, until the next event is applied. */
enum insists { INSISTS_NONE, INSISTS_CIRCULAR, INSISTS_ALL }; /* CIRCULAR: those for which an earlier event may wait */

struct merge {
    struct log *log;
    const struct log_sink *sink;
    uint64_t max, applied;
    uint64_t taken; /* events, places and notes */
    int64_t limit;  /* nothing later is offered */
    bool at_rest;   /* no producer moves */
    enum insists insists;
    bool waits; /* an unordered event was set aside in this pass */
};

enum run { RUN_EMPTY, RUN_LATER, RUN_ENOUGH, RUN_NOT_YET, RUN_BROKEN, RUN_HOLD };
enum merged { MERGED, MERGE_BROKEN, MERGE_HELD };

static enum run refused(enum offer answer)
{
    return answer == OFFER_NOT_YET ? RUN_NOT_YET : answer == OFFER_HOLD ? RUN_HOLD : RUN_BROKEN;
}

static bool earlier(const struct ring *a, const struct ring *b)
{
    return a->time < b->time || (a->time == b->time && a->m < b->m);
}

/* Restores the heap after the root's time has grown. */
static void heap_sink(struct log *log)
{
    struct ring **h = log->heap, *r = h[0];
    uint32_t at = 0, n = log->nheap;
    for (uint32_t kid; (kid = 2 * at + 1) < n; at = kid) {
        if (kid + 1 < n && earlier(h[kid + 1], h[kid]))
            kid++;
        if (!earlier(h[kid], r))
            break;
        h[at] = h[kid];
    }
    h[at] = r;
}

static void heap_push(struct log *log, struct ring *r)
{
    uint32_t at = log->nheap++;
    for (uint32_t up; at > 0 && earlier(r, log->heap[up = (at - 1) / 2]); at = up)
        log->heap[at] = log->heap[up];
    log->heap[at] = r;
}

static void heap_pop(struct log *log)
{
    log->heap[0] = log->heap[--log->nheap];
    if (log->nheap)
        heap_sink(log);
}

/* Returns the earliest ring except the root, or NULL: up to its time the root needs no comparison. */
static const struct ring *heap_second(const struct log *log)
{
    struct ring *const *h = log->heap;
    if (log->nheap < 3)
        return log->nheap < 2 ? NULL : h[1];
    return earlier(h[1], h[2]) ? h[1] : h[2];
}

/* Returns true if r has an event that the two readings allow to offer. See the head of this file. */
static bool may_offer(const struct merge *g, struct ring *r)
{
    return ring_look(r) && r->time <= g->limit;
}

/* Returns how many events r's M logged in one go, from the next one on, at most `most`. */
static uint32_t together(const struct ring *r, uint64_t most)
{
    const struct ev *e = ring_event(r);
    uint64_t there = r->tail_seen - r->next, to_end = r->slots - (r->next & (r->slots - 1));
    uint32_t n = 1;
    most = there < most ? there : most;
    most = to_end < most ? to_end : most;
    most = TOGETHER < most ? TOGETHER : most;
    while (n < most && e[n].time == e->time && !e[n].ncont)
        n++;
    return n;
}

/* Offers what r has next; *n: how many events were applied. */
static enum offer offer_next(const struct merge *g, struct ring *r, uint32_t *n)
{
    const struct ev *e = ring_event(r);
    if (g->sink->offer_record && !e->ncont) {
        *n = together(r, g->max - g->applied);
        return g->sink->offer_record(g->sink->ctx, r->m, e, n);
    }
    size_t len;
    const char *text = ring_text(r, e, g->log->text, &len);
    *n = 1;
    return g->sink->offer(g->sink->ctx, r->m, e, text, len);
}

/* Offers the first event that r has, and those that belong to it. Returns RUN_LATER if they were applied. A place is not counted
 * as an event. */
static enum run offer_some(struct merge *g, struct ring *r)
{
    uint32_t n;
    bool place = ev_is_place(ring_event(r));
    enum offer answer = offer_next(g, r, &n);
    if (answer != OFFER_APPLIED)
        return refused(answer);
    g->taken += n;
    if (place) {
        g->log->places++;
        ring_step(r);
        return RUN_LATER;
    }
    g->applied += n;
    g->insists = INSISTS_NONE;
    /* relaxed: a counter that the consumer alone writes */
    atomic_store_explicit(&g->log->consumed, atomic_load_explicit(&g->log->consumed, memory_order_relaxed) + n, memory_order_relaxed);
    if (n > 1)
        r->next += n; /* a record has no text */
    else
        ring_step(r);
    return RUN_LATER;
}

/* Offers r's events in order while they are earlier than `second`; with `one`, only one of them, or those that belong together. */
static enum run ring_run(struct merge *g, struct ring *r, const struct ring *second, bool one)
{
    do {
        enum run run = offer_some(g, r);
        if (run != RUN_LATER)
            return run;
        if (ring_unpublished(r) >= r->slots / 4)
            ring_publish(r);
        if (!may_offer(g, r))
            return RUN_EMPTY;
        if (g->applied >= g->max)
            return RUN_ENOUGH;
    } while (!one && (!second || earlier(r, second)));
    return RUN_LATER;
}

static void give_back(struct log *log)
{
    for (uint32_t i = 0; i < log->nactive; i++)
        if (ring_unpublished(log->active[i]))
            ring_publish(log->active[i]);
}

/* Reads what each ring has. Returns the newest time of all, INT64_MIN if nothing was ever logged. */
static int64_t first_reading(struct log *log)
{
    int64_t newest = INT64_MIN;
    for (uint32_t m = 0; m < rings_top(log); m++) {
        struct ring *r = ring_at(log, m);
        if (!r)
            continue;
        /* acquire, both: pair with the releases in ring_put(); the second reading holds all that came before what is seen here.
         * In this order no event seen is newer than `newest`. */
        r->tail_first = atomic_load_explicit(&r->out.tail, memory_order_acquire);
        int64_t t = atomic_load_explicit(&r->out.newest, memory_order_acquire);
        if (t > newest)
            newest = t;
    }
    return newest;
}

/* Reads what is merged in this pass. Returns true if it is what the first reading saw. */
static bool second_reading(struct log *log)
{
    bool same = true;
    log->nactive = 0;
    for (uint32_t m = 0; m < rings_top(log); m++) {
        struct ring *r = ring_at(log, m);
        if (!r)
            continue;
        r->tail_seen = atomic_load_explicit(&r->out.tail, memory_order_acquire); /* pairs with release in ring_put() */
        ring_follow(r); /* after the tail: everything that it counts is in these slots */
        same &= r->tail_seen == r->tail_first;
        if (r->next != r->tail_seen)
            log->active[log->nactive++] = r;
    }
    return same;
}

/* Collects the rings that have something to offer: see the head of this file. */
static void collect(struct merge *g, bool by_sequence)
{
    struct log *log = g->log;
    g->limit = first_reading(log);
    if (!second_reading(log) && by_sequence && g->limit > INT64_MIN)
        g->limit--;
    g->insists = log->unordered_waits > PATIENCE ? INSISTS_ALL : INSISTS_NONE;
    g->waits = false;
    log->nheap = log->naside = log->aside_front = 0;
    log->aside_time = INT64_MAX;
    for (uint32_t i = 0; i < log->nactive; i++)
        if (may_offer(g, log->active[i]))
            heap_push(log, log->active[i]);
}

static struct ring *aside_take(struct log *log)
{
    struct ring *r = log->aside[log->aside_front];
    log->aside_front = (log->aside_front + 1) % log->max_rings;
    if (--log->naside == 0)
        log->aside_time = INT64_MAX;
    return r;
}

/* Puts rings that were set aside back into the heap: those whose wait is over, or with `all` each ring after which an event was applied.
 * Returns false if there was none. */
static bool aside_return(struct merge *g, bool all)
{
    struct log *log = g->log;
    bool any = false;
    while (log->naside && g->taken >= log->aside[log->aside_front]->aside_at + 1 + (all ? 0 : log->naside / 8)) {
        heap_push(log, aside_take(log));
        any = true;
    }
    return any;
}

static void aside_push(struct merge *g, struct ring *r)
{
    struct log *log = g->log;
    r->aside_at = g->taken;
    log->aside[(log->aside_front + log->naside++) % log->max_rings] = r;
}

/* Only unordered events that wait for something earlier are left. The earliest of those for which an earlier event may wait is offered now. At
 * rest nothing earlier will come, so then the earliest one of all is. */
static bool insist(struct merge *g)
{
    struct log *log = g->log;
    enum insists most = g->at_rest ? INSISTS_ALL : INSISTS_CIRCULAR;
    if (!g->waits || g->insists >= most || !log->naside)
        return false;
    g->insists++;
    while (log->naside)
        heap_push(log, aside_take(log));
    return true;
}

/* May the earliest event that waits be waiting for this later one? See the head of this file. */
static bool may_be_circular(const struct log *log, const struct ring *r)
{
    bool waited_before = log->aside_time == log->aside_before;
    return ev_level_of[ring_event(r)->kind] == EV_DETAIL || (waited_before && r->time - log->aside_time <= TOO_EARLY);
}

/* Returns true if r has an unordered event that should follow an earlier one, which waits for its cause. */
static bool unordered_waits(const struct merge *g, struct ring *r)
{
    if (r->time <= g->log->aside_time || !ev_is_unordered(ring_event(r)->kind))
        return false;
    return g->insists < (may_be_circular(g->log, r) ? INSISTS_CIRCULAR : INSISTS_ALL);
}

/* patient: an event may have to wait, see the head of this file. The order depends only on the events, not on when they were drained. */
static enum merged merge_by_time(struct merge *g, bool patient)
{
    struct log *log = g->log;
    while (log->nheap && g->applied < g->max) {
        struct ring *r = log->heap[0];
        enum run run = ring_run(g, r, heap_second(log), log->naside > 0);
        if (run == RUN_BROKEN || (run == RUN_NOT_YET && !patient))
            return MERGE_BROKEN;
        if (run == RUN_HOLD)
            return MERGE_HELD;
        if (run == RUN_EMPTY || run == RUN_NOT_YET)
            heap_pop(log);
        else
            heap_sink(log);
        if (run == RUN_NOT_YET)
            aside_push(g, r);
        (void)aside_return(g, true);
    }
    return MERGED;
}

/* Offers events of the earliest ring, until another one is earlier or it must wait. */
static enum run sequence_run(struct merge *g, struct ring *r)
{
    struct log *log = g->log;
    if (unordered_waits(g, r)) {
        g->waits = true;
        return RUN_NOT_YET;
    }
    enum run run = ring_run(g, r, heap_second(log), log->naside > 0);
    if (run == RUN_NOT_YET && r->time < log->aside_time)
        log->aside_time = r->time;
    return run;
}

static enum merged merge_by_sequence(struct merge *g)
{
    struct log *log = g->log;
    while (g->applied < g->max) {
        if (!log->nheap && !aside_return(g, true) && !insist(g))
            break;
        struct ring *r = log->heap[0];
        enum run run = sequence_run(g, r);
        if (run == RUN_BROKEN || run == RUN_HOLD)
            return run == RUN_HOLD ? MERGE_HELD : MERGE_BROKEN;
        if (run == RUN_EMPTY || run == RUN_NOT_YET)
            heap_pop(log);
        else
            heap_sink(log);
        if (run == RUN_NOT_YET)
            aside_push(g, r);
        (void)aside_return(g, false);
    }
    return MERGED;
}

int64_t log_drain(struct log *log, enum log_order order, const struct log_sink *sink, uint64_t max)
{
    struct merge g = {.log = log, .sink = sink, .max = max, .at_rest = order == LOG_AT_REST};
    bool by_sequence = order == LOG_BY_SEQUENCE || order == LOG_AT_REST;
    enum merged end;
    uint64_t before;
    do { /* by time, one pass offers everything; by sequence number, a later record may be the cause that an earlier one waits for */
        before = g.taken;
        collect(&g, by_sequence);
        end = by_sequence ? merge_by_sequence(&g) : merge_by_time(&g, order == LOG_BY_TIME_PATIENT);
        give_back(log);
    } while (end == MERGED && by_sequence && log->naside && g.taken != before && g.applied < max);
    log->unordered_waits = g.waits && g.taken == 0 ? log->unordered_waits + 1 : 0;
    log->aside_before = log->aside_time;
    return end == MERGE_BROKEN ? LOG_BROKEN : (int64_t)g.applied;
}

void log_unread(struct log *log, void (*show)(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len), void *ctx)
{
    second_reading(log);
    for (uint32_t m = 0; m < rings_top(log); m++) {
        struct ring *r = ring_at(log, m);
        if (!r)
            continue;
        uint64_t from = r->next;
        while (ring_look(r)) {
            const struct ev *e = ring_event(r);
            size_t len;
            const char *text = ring_text(r, e, log->text, &len);
            show(ctx, m, e, text, len);
            ring_step(r);
        }
        r->next = from; /* ring_look() reads r->time again */
    }
}

/* ---- counters and help ----------------------------------------------------------------------------------------- */

uint64_t log_appended(const struct log *log)
{
    uint64_t sum = 0;
    for (uint32_t m = 0; m < rings_top(log); m++)
        if (ring_at(log, m))
            sum += ring_appended(ring_at(log, m));
    return sum;
}

uint64_t log_consumed(const struct log *log)
{
    return atomic_load_explicit(&log->consumed, memory_order_relaxed); /* a counter */
}

uint64_t log_places(const struct log *log)
{
    return log->places;
}

uint64_t log_lost(const struct log *log)
{
    uint64_t sum = 0;
    for (uint32_t m = 0; m < rings_top(log); m++)
        if (ring_at(log, m))
            sum += atomic_load_explicit(&ring_at(log, m)->out.lost, memory_order_relaxed); /* a counter */
    return sum;
}

bool log_full(const struct log *log)
{
    for (uint32_t m = 0; m < rings_top(log); m++)
        if (ring_at(log, m) && atomic_load_explicit(&ring_at(log, m)->waiting, memory_order_relaxed)) /* only a hint */
            return true;
    return false;
}

void log_grow(struct log *log)
{
    for (uint32_t m = 0; m < rings_top(log); m++)
        if (ring_at(log, m))
            ring_ask_growth(ring_at(log, m));
}

bool log_lacks(const struct log *log)
{
    return atomic_load_explicit(&log->lacks, memory_order_relaxed); /* only the flag itself is read */
}

void log_stuck(struct log *log, char *buf, size_t size)
{
    size_t at = 0;
    if (size)
        buf[0] = '\0';
    second_reading(log);
    for (uint32_t m = 0; m < rings_top(log) && at < size; m++) {
        struct ring *r = ring_at(log, m);
        if (!r || !ring_look(r))
            continue;
        const struct ev *e = ring_event(r);
        at += (size_t)snprintf(buf + at, size - at, "M%" PRIu32 " waits at %" PRId64 " ns: %s p=%" PRId32 " g=%" PRIu32, m, e->time,
                               e->kind < EV_KINDS ? ev_desc[e->kind].name : "?", e->p == EV_NO_P ? -1 : (int32_t)e->p, e->g);
        const struct ev_field *f = e->kind < EV_KINDS ? ev_desc[e->kind].field : NULL;
        for (int i = 0; f && i < EV_FIELDS && f[i].name && at < size; i++)
            if (f[i].type != FT_NONE && ev_has(e, &f[i]))
                at += (size_t)snprintf(buf + at, size - at, " %s%s%" PRId64, EV_IS_SEQ(f[i].type) ? "#" : f[i].name,
                                       EV_IS_SEQ(f[i].type) ? "" : "=", ev_value(e, m, &f[i]));
        if (at < size)
            at += (size_t)snprintf(buf + at, size - at, "\n");
    }
}
