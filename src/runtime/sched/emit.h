/* From the runtime into its log.
 *
 * emit() logs one event, at once. A free run that nobody watches may log several together: a *batch*. What an M does in one go (make a G runnable
 * and queue it; take a G out of a queue and run it) is some events long, and to look at the clock, publish a record and pass a gate for each
 * costs more than the events themselves. Between batch_begin() and batch_end() events are written into the ring but not published. batch_end()
 * takes the time once, publishes all of them and passes one gate. The queues and the wake-up know nothing of it: they emit, as always.
 *
 * - The time is that of the publication. Had the events the time of the first one, an event that waits for its cause could be older than that
 *   cause, and the merge might wait for ever (log.c in eventlog, unordered events).
 * - A batch has no unordered event, for the same reason: such an event may not get a later time than the change after it in its ring. It ends
 *   the batch.
 * - A batch never outlasts what may take long: lock() ends it before it takes a lock, and an event that meets a pause, a step or a breakpoint ends it
 *   too. From then on, up to batch_end(), events are logged one by one. So whenever an M is stopped, all that it did is in its ring.
 * - In lockstep there are no batches: each event has its own time and is a gate.
 */
#ifndef GMPSCOPE_RUNTIME_SCHED_EMIT_H
#define GMPSCOPE_RUNTIME_SCHED_EMIT_H

#include "eventlog/log.h"
#include "runtime/sched/sched.h"

/* An event of m: .p is the P it runs on; ev_on: P is the subject. */
static inline struct ev ev_on(uint32_t p, enum ev_kind kind, uint32_t g, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (struct ev){.kind = (uint8_t)kind, .p = (uint16_t)p, .g = g, .a = a, .b = b, .c = c, .d = d};
}
static inline struct ev ev_of(const struct m *m, enum ev_kind kind, uint32_t g, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return ev_on(m->p ? m->p->id : EV_NO_P, kind, g, a, b, c, d);
}

/* Logs one event of the current M. The caller fills the words of its kind; the time, P and ring are set here. No gate. Macros: the event is
 * made only if it is recorded; in a free run that is not recorded, one look at a word is all. */
#define emit(m, e) emit_as(m, e, emit_words)
/* The same and a gate: the usual way outside of locks. */
#define emit_gate(m, e) emit_as(m, e, emit_words_gate)
#define emit_as(m, e, words) \
    do { \
        uint32_t attention_ = conductor_attention((m)->hot); \
        if (__builtin_expect(attention_ != 0, 0)) \
            emit_recorded(m, e, words, attention_); \
    } while (0)
/* emit()'s rest (log.c); attention: the conductor's word, as it was seen. */
typedef void emit_rest(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention);
emit_rest emit_words, emit_words_gate;
void emit_text(struct m *m, struct ev e, const char *text, size_t len);
void time_jumps(void *ctx, struct waiter *w, int64_t to); /* for conductor_config.on_jump */

/* A masked event counts all the same, and is a gate: the level changes what is recorded, never the course (the level is a view). */
static inline __attribute__((always_inline)) void emit_recorded(struct m *m, struct ev e, emit_rest *words, uint32_t attention)
{
    enum ev_level level = (enum ev_level)ev_level_of[e.kind];
    if (level == EV_CORE || (attention & (ATTN_CLOSER | ATTN_RECORDS(level)))) /* core events are recorded if any are */
        words(m, EV_HEAD(e), EV_PAIR(e.a, e.b), EV_PAIR(e.c, e.d), attention);
}

/* Between batch_begin() and batch_end() m's events are a batch (log.c): logged together, with one gate. */
void batch_publish(struct m *m);
static inline void batch_begin(struct m *m)
{
    uint32_t attention = conductor_attention(m->hot);
    m->batching = m->batching || ((attention & ATTN_RECORDS(EV_CORE)) && !(attention & (ATTN_CLOSER | ATTN_WATCHED)));
}
static inline void batch_end(struct m *m)
{
    if (m->batching) {
        batch_publish(m);
        conductor_gate(m->w);
    }
}

_Noreturn void throw(struct m *m, const char *what);
_Noreturn void lack(struct m *m, const char *what, int err); /* `what` could not be done: err, an errno */

#endif
