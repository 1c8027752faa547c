/* From the runtime into its log, and the runtime's locks. */
#include "runtime/sched/proc.h"
#include <stdio.h>
#include <string.h>

enum { EMIT_SAME = 1, EMIT_GATE = 2 };

/* An event may not overtake what m holds (proc.h). */
static inline void nothing_held(struct m *m)
{
#ifndef NDEBUG
    if (!m->holds)
        return;
    m->holds = false;
    throw(m, "an event overtakes what is held");
#else
    (void)m;
#endif
}

/* Executed by m only. */
void emit_text(struct m *m, struct ev e, const char *text, size_t len)
{
    struct sched *s = m->sched;
    m->next = INTENT_EVENT;
    nothing_held(m);
    if (conductor_attention(m->hot) & ATTN_RECORDS(ev_level_of[e.kind])) {
        e.time = conductor_now(m->w);
        /* First the stop, then the event: whoever is further when the fold meets it is so by one section at most. */
        if (s->cfg.hook && s->cfg.hook(s->cfg.hook_ctx, m->id, &e, text, len))
            e.time = conductor_hit(m->w);
        ring_put(m->ring, &e, text, len);
    }
    /* A masked event is still a gate: the level changes what is recorded, never the course (design 6). */
    conductor_logged(m->w, ev_level_of[e.kind], ev_ends_round(e.kind));
}

/* All that emit() may have to do. Executed by m only. */
static __attribute__((noinline)) void emit_slow(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention, unsigned how)
{
    struct ev e;
    const uint64_t words[] = {0, head, ab, cd};
    memcpy(&e, words, sizeof e);
    enum ev_level level = ev_desc[e.kind].level;
    if (m->sched->cfg.hook && (attention & ATTN_RECORDS(level))) {
        emit_text(m, e, NULL, 0);
    } else {
        m->next = INTENT_EVENT;
        if (attention & ATTN_RECORDS(level)) {
            e.time = (how & EMIT_SAME) && !(attention & ATTN_CLOSER) ? waiter_hot(m->w)->last : conductor_now(m->w);
            ring_put(m->ring, &e, NULL, 0);
        }
        conductor_logged(m->w, level, ev_ends_round(e.kind));
    }
    if (how & EMIT_GATE)
        conductor_gate(m->w);
}

/* A free run that nobody pauses, steps, slows down or watches, and there is room: no more than the time and the record. */
static inline __attribute__((always_inline)) void emit_rest_as(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention,
                                                               unsigned how)
{
    struct waiter_hot *w = waiter_hot(m->w);
    int64_t time = w->last;
    nothing_held(m);
    if (__builtin_expect(attention & (ATTN_CLOSER | ATTN_WATCHED), 0) || (!(how & EMIT_SAME) && !conductor_now_quick(w, m->hot, &time)) ||
        !ring_put_words(m->ring, time, head, ab, cd))
        emit_slow(m, head, ab, cd, attention, how);
    else if (how & EMIT_GATE)
        conductor_gate(m->w);
}

void emit_words(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention)
{
    emit_rest_as(m, head, ab, cd, attention, 0);
}

void emit_words_gate(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention)
{
    emit_rest_as(m, head, ab, cd, attention, EMIT_GATE);
}

void emit_words_same(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention)
{
    emit_rest_as(m, head, ab, cd, attention, EMIT_SAME);
}

void emit_words_same_gate(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t attention)
{
    emit_rest_as(m, head, ab, cd, attention, EMIT_SAME | EMIT_GATE);
}

/* The clock has changed, or the ring is full. */
static __attribute__((noinline)) void record_slow(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint64_t ef, uint64_t gh, uint32_t slots,
                                                  uint32_t events)
{
    ring_wait_several(m->ring, conductor_now(m->w), head, ab, cd, ef, gh, slots, events);
}

void record_one(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint32_t events, bool same)
{
    struct waiter_hot *w = waiter_hot(m->w);
    int64_t time = w->last;
    nothing_held(m);
    if ((!same && !conductor_now_quick(w, m->hot, &time)) || !ring_put_several(m->ring, time, head, ab, cd, 0, 0, 1, events))
        record_slow(m, head, ab, cd, 0, 0, 1, events);
}

void record_two(struct m *m, uint64_t head, uint64_t ab, uint64_t cd, uint64_t ef, uint64_t gh, uint32_t events)
{
    struct waiter_hot *w = waiter_hot(m->w);
    int64_t time;
    if (!conductor_now_quick(w, m->hot, &time) || !ring_put_several(m->ring, time, head, ab, cd, ef, gh, 2, events))
        record_slow(m, head, ab, cd, ef, gh, 2, events);
}

void tell_held(struct m *m)
{
    m->holds = false;
    struct ev e;
    const uint64_t words[] = {0, EV_HEAD(((struct ev){.kind = m->held.kind, .p = (uint16_t)m->p->id, .g = m->held.g})), m->held.ab, m->held.cd};
    memcpy(&e, words, sizeof e);
    emit_as(m, e, m->held.same, false);
}

/* The conductor's word that nobody can go on before `to` (Go has such a jump in checkdead, for the playground's faketime). Not a gate, but
 * an event of a step like any other: a step to event number n ends there. Not told once the run was free: its events have no common
 * order then. */
void time_jumps(void *ctx, struct waiter *w, int64_t to)
{
    struct sched *s = ctx;
    struct m *m = waiter_user(w);
    if (s->cfg.level != EV_DETAIL || conductor_was_free(s->cond))
        return;
    struct ev e = ev_of(m, EV_TIME_JUMP, 0, 0, 0, 0, 0);
    ev_set_cd(&e, to);
    e.time = conductor_now(w);
    ring_put(m->ring, &e, NULL, 0);
    conductor_logged(w, EV_DETAIL, false);
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

/* Reports a broken invariant of the runtime itself. m keeps the locks that it holds, so other Ms may wait for them; rt_kill() ends them all.
 * The event is in the ring before rt_throw_text() returns the text, so a thread that has read the text finds the event. Only the first throw
 * is reported. */
void throw(struct m *m, const char *what)
{
    struct sched *s = m->sched;
    size_t len = strlen(what);
    /* relaxed: only decides which M is first */
    if (!atomic_exchange_explicit(&s->throwing, true, memory_order_relaxed)) {
        snprintf(s->throwbuf, sizeof s->throwbuf, "%s", what);
        m->holds = false; /* drops a deferred event: logging it could throw again */
        emit_text(m, ev_of(m, EV_FATAL, goid(curg(m)), 0, FATAL_INTERNAL, 0, (uint32_t)len), what, len);
        /* release: the text and the event; pairs with acquire in rt_throw_text() */
        atomic_store_explicit(&s->throwtext, s->throwbuf, memory_order_release);
    }
    for (;;)
        conductor_usleep(m->w, 1000000000);
}
