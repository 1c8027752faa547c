/* How the runtime logs its events, and the runtime's locks. */
#include "runtime/sched/proc.h"
#include "runtime/sched/race.h"
#include <stdio.h>
#include <string.h>

/* Adds to the footprint of m's step what the change behind an event touches. Where a point or a lock precedes the change, that says it. Kinds that are
 * not listed may touch anything; detail events tell of no change. */
static void touch_event(const struct m *m, int kind, uint32_t p)
{
    static const uint64_t none = 1, queue = 2;
    static const uint64_t foot[EV_KINDS] = {
        [EV_G_CREATE] = FOOT_NEW_G,
        [EV_G_START] = none,
        [EV_G_END] = none,
        [EV_G_PARK] = none,
        [EV_G_READY] = none,
        [EV_G_YIELD] = none,
        [EV_RUNNEXT_PUT] = queue,
        [EV_RUNNEXT_GET] = queue,
        [EV_RUNQ_PUT] = queue,
        [EV_RUNQ_GET] = queue,
        [EV_STEAL] = none,
        [EV_SPIN_START] = FOOT_SPINNING,
        [EV_SPIN_STOP] = FOOT_SPINNING,
        [EV_WAKEP] = FOOT_SPINNING,
        [EV_NEEDSPINNING] = FOOT_SPINNING,
        [EV_P_ACQUIRE] = FOOT_IDLE,
        [EV_P_RELEASE] = FOOT_IDLE,
        [EV_P_IDLE] = FOOT_IDLE,
        [EV_P_TAKE] = FOOT_IDLE,
        [EV_M_PARK] = FOOT_IDLE | FOOT_NOTES,
        [EV_M_WAKE] = FOOT_IDLE | FOOT_NOTES,
        [EV_M_START] = FOOT_IDLE,
        [EV_PRINT] = FOOT_OUTPUT,
    };
    uint64_t of = foot[kind];
    if (!m->explores || ev_level_of[kind] == EV_DETAIL || of == none)
        return;
    conductor_touch(m->w, of == queue ? FOOT_QUEUE(p) : of ? of : FOOT_ALL);
}

/* Logs an event with its text. Executed by m only. */
void emit_text(struct m *m, struct ev e, const char *text, size_t len)
{
    struct sched *s = m->sched;
    if (defers(m))
        deferred_publish(m, false);
    m->intent = INTENT_EVENT;
    batch_publish(m);
    touch_event(m, e.kind, e.p);
    if (conductor_attention(m->hot) & ATTN_RECORDS(ev_level_of[e.kind])) {
        e.time = conductor_stamp(m->w);
        bool watched = (conductor_attention(m->hot) & ATTN_WATCHED) && s->cfg.hook;
        /* The stop is requested before the event is recorded, so an M that keeps running while the fold reaches the event is at most one
         * section ahead. */
        if (watched && s->cfg.hook(s->cfg.hook_ctx, m->id, &e, text, len))
            e.time = conductor_hit(m->w);
        ring_put(m->ring, &e, text, len);
    }
    conductor_logged(m->w, ev_level_of[e.kind], ev_ends_round(e.kind));
}

/* No step counts a place, and only breakpoints at lines see it. So a run stops at the same events with and without places. */
void emit_place(struct m *m, struct ev e)
{
    if (defers(m))
        deferred_publish(m, false);
    batch_publish(m);
    if (!(conductor_attention(m->hot) & ATTN_RECORDS(EV_DETAIL)))
        return;
    const struct sched *s = m->sched;
    e.time = conductor_stamp(m->w);
    if (e.d & PLACE_ARRIVES && conductor_attention(m->hot) & ATTN_WATCHED && s->cfg.hook &&
        s->cfg.hook(s->cfg.hook_ctx, m->id, &e, NULL, 0))
        e.time = conductor_hit(m->w);
    ring_put(m->ring, &e, NULL, 0);
}

/* Logs a note (race.h). Its sequence number is taken here, right before it is put into the ring. */
void race_note(struct m *m, const struct g *gp, enum ev_note what, uint32_t about, uint32_t other_op)
{
    const struct g *own = gp ? gp : m->racectx ? NULL : curg(m);
    if (defers(m))
        deferred_publish(m, false);
    batch_publish(m);
    if (!(conductor_attention(m->hot) & ATTN_RECORDS(EV_CORE)))
        return;
    /* acq_rel: the order of notes is an order of what they are about */
    uint32_t number = atomic_fetch_add_explicit(&m->sched->racenotes, 1, memory_order_acq_rel);
    struct ev e = ev_of(m, EV_G_OP, own ? goid(own) : m->racectx, about, own ? own->op : 0, number, (uint32_t)what | other_op << 8);
    e.time = conductor_stamp(m->w);
    ring_put(m->ring, &e, NULL, 0);
}

/* emit() for events that need more than a time and a record. Executed by m only. */
static __attribute__((noinline)) void emit_slow(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention)
{
    int kind = EV_HEAD_KIND(head);
    enum ev_level level = (enum ev_level)ev_level_of[kind];
    bool recorded = attention & ATTN_RECORDS(level);
    if (m->explores) {
        struct ev of;
        const uint64_t first[] = {0, head, ab, cd};
        memcpy(&of, first, sizeof of);
        touch_event(m, kind, of.p);
    }
    m->intent = INTENT_EVENT;
    if (recorded && ((attention & ATTN_WATCHED) || !ring_put_words(m->ring, conductor_stamp(m->w), head, ab, cd))) {
        struct ev e;
        const uint64_t words[] = {0, head, ab, cd};
        memcpy(&e, words, sizeof e);
        emit_text(m, e, NULL, 0);
        return;
    }
    conductor_logged(m->w, level, ev_ends_round(kind));
}

/* Adds an event to m's batch (emit.h). Returns false if m has none, or if the event cannot join it. */
static inline bool join_batch(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention)
{
    return m->batching && !(attention & (ATTN_CLOSER | ATTN_WATCHED)) && !ev_is_unordered(EV_HEAD_KIND(head)) &&
           ring_batch_add(m->ring, head, ab, cd);
}

/* Logs an event by itself. If the run is free, no controller pauses, steps, slows down or watches it, and the ring has room, this takes the
 * time and appends a record. Ends m's batch. Out of line: an event that joins a batch saves no registers. */
static __attribute__((noinline)) void put_words(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention)
{
    int64_t time;
    if (m->batching)
        batch_publish(m);
    if (__builtin_expect(attention & (ATTN_CLOSER | ATTN_WATCHED), 0) || !conductor_now_quick(waiter_hot(m->w), m->hot, &time) ||
        !ring_put_words(m->ring, time, head, ab, cd))
        emit_slow(m, head, ab, cd, attention);
}

/* Logs what m deferred. Drops the stages of a search if this event ends the search at m's own queue. */
static inline void before_event(struct m *m, uint64_t head, uint32_t attention)
{
    int kind = EV_HEAD_KIND(head);
    if (defers(m))
        deferred_publish(m, (kind == EV_RUNNEXT_GET || kind == EV_RUNQ_GET) && may_defer(m, attention));
}

void emit_words(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention)
{
    before_event(m, head, attention);
    if (!join_batch(m, head, ab, cd, attention))
        put_words(m, head, ab, cd, attention);
}

static __attribute__((noinline)) void put_words_gate(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention)
{
    put_words(m, head, ab, cd, attention);
    conductor_gate(m->w);
}

void emit_words_gate(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention)
{
    before_event(m, head, attention);
    if (!join_batch(m, head, ab, cd, attention))
        put_words_gate(m, head, ab, cd, attention);
}

void batch_publish(struct m *m)
{
    m->batching = false;
    if (!ring_batch_empty(m->ring)) /* only a batch leaves unpublished events */
        ring_batch_end(m->ring, conductor_now(m->w));
}

void deferred_publish(struct m *m, bool found)
{
    struct repeat_words e[REPEAT_EVENTS + EARLY_STAGES];
    uint8_t intent = m->intent; /* put_words() sets it, but these events are not m's last actions */
    uint32_t n = repeat_end(&m->repeat, e);
    for (uint32_t i = 0; i < m->early.n && !found; i++)
        e[n++] = m->early.e[i];
    m->early.n = 0;
    for (uint32_t i = 0; i < n; i++)
        put_words(m, e[i].head, e[i].ab, e[i].cd, conductor_attention(m->hot));
    m->intent = intent;
}

/* Ends the count of operations, and begins a new one with this event. Logs the event at once if no count begins with it. */
void repeat_first(struct m *m, enum repeat_role role, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention)
{
    if (defers(m))
        deferred_publish(m, false);
    batch_publish(m);
    if (!repeat_begin(&m->repeat, role, head, ab, cd))
        put_words(m, head, ab, cd, attention);
}

void log_before_rest(void *ctx, struct waiter *w)
{
    struct m *m = waiter_user(w);
    (void)ctx;
    if (defers(m))
        deferred_publish(m, false);
}

/* Called by the conductor when no M can continue before `to` (Go has such a jump in checkdead, for the playground's faketime). Not a
 * gate, but an event that a step counts like any other: a step to event number n ends there. Not logged if the run was ever free,
 * because its events then have no common order. */
void time_jumps(void *ctx, struct waiter *w, int64_t to)
{
    struct sched *s = ctx;
    struct m *m = waiter_user(w);
    if (s->cfg.level != EV_DETAIL || conductor_was_free(s->cond))
        return;
    struct ev e = ev_of(m, EV_TIME_JUMP, 0, conductor_stalled(s->cond), 0, 0, 0);
    ev_set_cd(&e, to);
    e.time = conductor_stamp(w);
    ring_put(m->ring, &e, NULL, 0);
    conductor_logged(w, EV_DETAIL, false);
}

/* Logs that an M loses its CPU, or wakes up late. A stall is logged in the ring of its M, which does not run now, so that it is the same event
 * whether the seed or a person wants it; a late wake-up in the ring of the M that wakes. */
void m_stalls(void *ctx, struct waiter *of, struct waiter *by, int64_t ns)
{
    struct sched *s = ctx;
    struct m *m = waiter_user(of), *logs = by ? waiter_user(by) : m;
    if (s->cfg.level != EV_DETAIL || conductor_was_free(s->cond))
        return;
    struct ev e = ev_of(logs, by ? EV_M_LATE : EV_M_STALL, 0, by ? m->id : 0, 0, 0, 0);
    ev_set_cd(&e, ns);
    e.time = conductor_stamp(logs->w);
    if ((conductor_attention(logs->hot) & ATTN_WATCHED) && s->cfg.hook && s->cfg.hook(s->cfg.hook_ctx, logs->id, &e, NULL, 0))
        e.time = conductor_hit(logs->w);
    ring_put(logs->ring, &e, NULL, 0);
    conductor_logged(logs->w, EV_DETAIL, false);
}

void lock_found_held(struct waiter *w, struct rlock *l)
{
    struct m *m = waiter_user(w);
    emit(m, ev_of(m, EV_LOCK_WAIT, 0, l->rank, 0, 0, 0));
}

int64_t nanotime(struct m *m)
{
    return conductor_now(m->w);
}

/* Reports a broken invariant of the runtime itself. m keeps the locks that it holds, so other Ms may wait for them; rt_kill() ends them
 * all. The event is in the ring before rt_throw_text() returns the text, so a thread that has read the text finds the event. Only the
 * first throw is reported. */
void throw(struct m * m, const char *what)
{
    struct sched *s = m->sched;
    size_t len = strlen(what);
    /* relaxed: only decides which M is first */
    if (!atomic_exchange_explicit(&s->throwing, true, memory_order_relaxed)) {
        snprintf(s->throwbuf, sizeof s->throwbuf, "%s", what);
        emit_text(m, ev_of(m, EV_FATAL, goid(curg(m)), 0, FATAL_INTERNAL, 0, (uint32_t)len), what, len);
        /* release: the text and the event; pairs with acquire in rt_throw_text() */
        atomic_store_explicit(&s->throwtext, s->throwbuf, memory_order_release);
    }
    for (;;)
        conductor_usleep(m->w, 1000000000);
}
