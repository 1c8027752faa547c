/* From the runtime into its log.
 *
 * emit() logs one event: it takes the time and publishes a record. One action of an M is often several events: it makes a G, queues it and
 * finds no idle P to wake; or it takes a G out of a queue and runs it. Taking the time, publishing a record and passing a gate for each
 * event costs more than the event itself. So a free run that no controller watches logs such events as a *batch*. Between batch_begin() and
 * batch_end(), events are written into the ring but not published. batch_end() takes the time once, publishes all of them, and passes one
 * gate. Code for queues and wake-ups needs no change: it calls emit(). The consumer needs none either: it reads events, some with equal
 * times.
 *
 * - A batch has the time of its end. If it had the time of its first event, its later events could have an earlier time than the change
 *   that they wait for, and the merge could wait for ever (eventlog/log.c, unordered events).
 * - An unordered event never joins a batch, for the same reason: in its ring it may precede a change only if its time does. It ends the
 *   batch.
 * - A batch ends before its M can wait or be stopped. lock() ends it, and so does an event that meets a pause, a step or a breakpoint. The
 *   events that follow, up to batch_end(), are logged one by one. So whenever an M is stopped, all that it did is in its ring.
 *   lock_in_batch() and unlock_in_batch() end it only if the lock is held or the run is to stop. Another M may then take the lock and log
 *   what it does before the batch is published. The merge waits: the events of sched.lock have sequence numbers.
 *   A G that yields, ends or (on the only P) parks begins a batch on g0, which goes on to the start of the next G if m finds it on its P or
 *   in the global queue.
 * - Lockstep has no batches: each event has a time of its own and is a gate.
 *
 * If only a screen looks (rt_config.sparse) and the run is quiet, m defers some detail events:
 *
 * - Repeated operations on one object become one event (eventlog/repeat.h). m has either a batch or such operations, never both.
 * - The first stages of a search are logged only if the search continues after m's own queue. Otherwise the event of the taken G says where it ended.
 *
 * m logs them before any other event, and where the conductor may stop m (log_before_rest()).
 * So their time may be later than the next change, whose event follows them: the merge holds nothing up for that (eventlog/log.c).
 */
#ifndef GMPSCOPE_RUNTIME_SCHED_EMIT_H
#define GMPSCOPE_RUNTIME_SCHED_EMIT_H

#include "eventlog/log.h"
#include "eventlog/repeat.h"
#include "runtime/sched/sched.h"

/* ev_of(): an event of m, with the P that m has. ev_on(): an event whose subject is P p. */
static inline struct ev ev_on(uint32_t p, enum ev_kind kind, uint32_t g, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (struct ev){.kind = (uint8_t)kind, .p = (uint16_t)p, .g = g, .a = a, .b = b, .c = c, .d = d};
}
static inline struct ev ev_of(const struct m *m, enum ev_kind kind, uint32_t g, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return ev_on(m->p ? m->p->id : EV_NO_P, kind, g, a, b, c, d);
}

/* Logs an event of the current M. No gate. A macro, so that the event is built only if it is recorded. If a free run records nothing, it
 * costs one read of a word. */
#define emit(m, e) emit_as(m, e, emit_words)
/* Logs an event and passes a gate: the usual way outside of locks. */
#define emit_gate(m, e) emit_as(m, e, emit_words_gate)
#define emit_as(m, e, words) \
    do { \
        uint32_t attention_ = conductor_attention((m)->hot); \
        if (__builtin_expect(attention_ != 0, 0)) \
            emit_recorded(m, e, words, attention_); \
    } while (0)
/* Logs an event about an object, such as an uncontended lock. There may be far more of these than of all others, so repeated ones become
 * one. */
#define emit_object(m, ...) \
    do { \
        if ((m)->sched->cfg.objects) \
            emit_repeatable(m, __VA_ARGS__); \
    } while (0)
/* The out-of-line part of emit() (log.c). attention: the conductor's word, already loaded. */
typedef void emit_rest(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention);
emit_rest emit_words, emit_words_gate;
void emit_text(struct m *m, struct ev e, const char *text, size_t len);
void emit_place(struct m *m, struct ev e);                                  /* see ev_is_place() */
void time_jumps(void *ctx, struct waiter *w, int64_t to);                   /* for conductor_config.on_jump */
void m_stalls(void *ctx, struct waiter *of, struct waiter *by, int64_t ns); /* for conductor_config.on_stall */

/* An event that is not recorded still counts as a step and is a gate: the level changes what is recorded, never the course. */
static inline __attribute__((always_inline)) void emit_recorded(struct m *m, struct ev e, emit_rest *words, uint32_t attention)
{
    enum ev_level level = (enum ev_level)ev_level_of[e.kind];
    if (level == EV_CORE || (attention & (ATTN_CLOSER | ATTN_RECORDS(level)))) /* core events are recorded if any are */
        words(m, EV_HEAD(e), EV_PAIR(e.a, e.b), EV_PAIR(e.c, e.d), attention);
}

static inline bool defers(const struct m *m)
{
    return repeat_pending(&m->repeat) || m->early.n;
}

void deferred_publish(struct m *m, bool found); /* found: the search ends at m's own queue; no gate */
void repeat_first(struct m *m, enum repeat_role role, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention);
void log_before_rest(void *ctx, struct waiter *w); /* for conductor_config.before_rest */

static inline bool may_defer(const struct m *m, uint32_t attention)
{
    bool quiet = (attention & (ATTN_CLOSER | ATTN_WATCHED | ATTN_RECORDS(EV_DETAIL))) == ATTN_RECORDS(EV_DETAIL);
    return quiet && m->sched->cfg.sparse;
}

static inline __attribute__((always_inline)) void emit_repeatable(struct m *m, struct ev e)
{
    uint32_t attention = conductor_attention(m->hot);
    enum repeat_role role = repeat_role(e.kind, e.b);
    if (role == REPEAT_NEVER || !may_defer(m, attention))
        emit_recorded(m, e, emit_words, attention);
    else if (!repeat_join(&m->repeat, role, EV_HEAD(e), EV_PAIR(e.a, e.b), EV_PAIR(e.c, e.d)))
        repeat_first(m, role, EV_HEAD(e), EV_PAIR(e.a, e.b), EV_PAIR(e.c, e.d), attention);
}

/* Returns how many steal_try events of m were not recorded since the last call. The event that ends the search carries this number, so the
 * summary counts all of them. */
static inline uint32_t tries_of(struct m *m)
{
    uint32_t n = m->tries;
    m->tries = 0;
    return n;
}

void batch_publish(struct m *m); /* ends m's batch, if it has one; no gate */
static inline void batch_begin(struct m *m)
{
    uint32_t attention = conductor_attention(m->hot);
    if (repeat_pending(&m->repeat))
        deferred_publish(m, false);
    if ((attention & ATTN_RECORDS(EV_CORE)) && !(attention & (ATTN_CLOSER | ATTN_WATCHED)))
        m->batching = true;
}
static inline void batch_end(struct m *m)
{
    if (m->batching) {
        batch_publish(m);
        conductor_gate(m->w);
    }
}

_Noreturn void throw(struct m * m, const char *what);
/* Counts memory that is taken for the program (memory.c); ends the run, with memory_lacks(), if that is more than its limit. */
void memory_need(struct m *m, enum memory_kind kind, size_t bytes);
bool memory_take(struct sched *s, enum memory_kind kind, size_t bytes); /* false: more than the limit; nothing is counted */
void memory_give(struct sched *s, enum memory_kind kind, size_t bytes); /* it was freed */
_Noreturn void memory_lacks(struct m *m);
_Noreturn void lack(struct m *m, const char *what, int err); /* ends the run: `what` cannot be done; err: an errno, 0: `what` says it all */

#endif
