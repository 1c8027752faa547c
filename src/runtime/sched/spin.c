/* nmspinning and needspinning in one 64-bit word with their sequence number (sched.h, SPIN_…), so that all changes have one order.
 *
 * Every operation is seq_cst: this word is the other half of the delicate dance (Dekker, runq.c and go1_20.c).
 */
#include "runtime/sched/ask.h"

static uint64_t pack(uint32_t count, uint32_t need, uint32_t seq)
{
    return (uint64_t)seq << 32 | (uint64_t)need << 16 | count;
}

uint32_t nmspinning(struct m *m)
{
    explore_at(m, FOOT_READS | FOOT_SPINNING);
    return SPIN_COUNT(atomic_load_explicit(&m->sched->spin, memory_order_seq_cst)); /* Dekker */
}

bool needspinning(struct m *m)
{
    explore_at(m, FOOT_READS | FOOT_SPINNING);
    return SPIN_NEED(atomic_load_explicit(&m->sched->spin, memory_order_seq_cst)); /* Dekker */
}

/* Adds delta to the count. need: 0 or 1 sets needspinning, -1 keeps it. Returns the new word. */
static uint64_t change(struct m *m, int delta, int need)
{
    struct sched *s = m->sched;
    explore_at(m, FOOT_SPINNING);
    uint64_t old = atomic_load_explicit(&s->spin, memory_order_relaxed), new; /* the CAS checks it */
    do {
        if (delta < 0 && SPIN_COUNT(old) == 0)
            throw(m, "negative nmspinning");
        new = pack(SPIN_COUNT(old) + (uint32_t)delta, need < 0 ? SPIN_NEED(old) : (uint32_t)need, SPIN_SEQ(old) + 1);
        explore_at(m, FOOT_SPINNING);
    } while (!atomic_compare_exchange_weak_explicit(&s->spin, &old, new, memory_order_seq_cst, memory_order_relaxed));
    return new;
}

/* At most half of the busy Ps spin: more threads would only burn the CPU. */
bool may_spin(struct m *m, uint32_t busy)
{
    m->seen.busy = busy;
    m->seen.spinning = 0;
    m->seen.rule = SPIN_RULE_ALREADY;
    if (m->spinning)
        return true;
    m->seen.spinning = nmspinning(m);
    bool few = 2 * m->seen.spinning < busy;
    if (has_policy(m->sched))
        few = ask_may_spin(m, m->seen.spinning, busy, few);
    m->seen.rule = !few ? SPIN_RULE_NO : disabled(m->sched, DIS_SPINNING) ? SPIN_RULE_OFF : SPIN_RULE_YES;
    return m->seen.rule == SPIN_RULE_YES;
}

/* Counts m as spinning: it has a P, has no work and may search for some. Clears needspinning, because m now does what needspinning asks
 * for. */
void become_spinning(struct m *m)
{
    m->spinning = true;
    uint64_t w = change(m, 1, 0);
    emit_gate(m, ev_of(m, EV_SPIN_START, 0, SPIN_COUNT(w), SPIN_SEQ(w), 0, 0));
}

void drop_spinning(struct m *m, uint32_t why)
{
    m->spinning = false;
    uint64_t w = change(m, -1, -1);
    emit_gate(m, ev_of(m, EV_SPIN_STOP, 0, SPIN_COUNT(w), SPIN_SEQ(w), why, 0));
}

bool claim_spinning(struct m *m, uint32_t why)
{
    struct sched *s = m->sched;
    explore_at(m, FOOT_READS | FOOT_SPINNING);
    uint64_t old = atomic_load_explicit(&s->spin, memory_order_seq_cst), new; /* Dekker: after the caller's submission */
    do {
        if (SPIN_COUNT(old) != 0)
            return false;
        /* handoffp clears needspinning, wakep does not */
        new = pack(1, why == WAKEP_HANDOFF ? 0 : SPIN_NEED(old), SPIN_SEQ(old) + 1);
        explore_at(m, FOOT_READS | FOOT_SPINNING);
    } while (!atomic_compare_exchange_weak_explicit(&s->spin, &old, new, memory_order_seq_cst, memory_order_seq_cst));
    emit_gate(m, ev_of(m, EV_WAKEP, 0, why, SPIN_SEQ(new), 0, 0));
    return true;
}

/* wakep() while no P is idle: claim_spinning(), set_needspinning() (if the generation has it) and unclaim_spinning() in one change of the
 * word. Other Ms may act between the three steps but need not, so it is correct for a free run to do them at once. Changes nothing if an
 * M spins. none_idle: the caller knows that no P is idle, because it holds sched.lock or has the only P. Otherwise this is certain only
 * if needspinning is already set and npidle is 0 (no_idle_p() in pm.c). Returns false if it is not certain. */
bool wakep_no_idle_p(struct m *m, uint32_t why, bool none_idle)
{
    struct sched *s = m->sched;
    uint32_t need = m->sched->gen->needspinning;
    uint64_t old = atomic_load_explicit(&s->spin, memory_order_seq_cst), new; /* Dekker: after the caller's submission */
    do {
        if (SPIN_COUNT(old) != 0)
            return true;
        /* seq_cst: Dekker, as above. If the CAS succeeds, the word was still `old` at this load */
        if (!none_idle && (!SPIN_NEED(old) || atomic_load_explicit(&s->npidle, memory_order_seq_cst) != 0))
            return false;
        new = pack(0, SPIN_NEED(old) | need, SPIN_SEQ(old) + 2 + need);
    } while (!atomic_compare_exchange_weak_explicit(&s->spin, &old, new, memory_order_seq_cst, memory_order_seq_cst));
    uint32_t seq = SPIN_SEQ(old);
    emit(m, ev_of(m, EV_WAKEP, 0, why, ++seq, 0, 0));
    if (need)
        emit(m, ev_of(m, EV_NEEDSPINNING, 0, 1, ++seq, 0, 0));
    emit(m, ev_of(m, EV_SPIN_STOP, 0, 0, ++seq, SPIN_STOP_NO_IDLE_P, 0));
    return true;
}

void unclaim_spinning(struct m *m)
{
    uint64_t w = change(m, -1, -1);
    emit_gate(m, ev_of(m, EV_SPIN_STOP, 0, SPIN_COUNT(w), SPIN_SEQ(w), SPIN_STOP_NO_IDLE_P, 0));
}

void set_needspinning(struct m *m)
{
    uint64_t w = change(m, 0, 1);
    emit(m, ev_of(m, EV_NEEDSPINNING, 0, 1, SPIN_SEQ(w), 0, 0));
}
