/* nmspinning and needspinning in one 64-bit word with their ticket (rt.h, SPIN_…), so that each change has its place in one order.
 *
 * Every operation is seq_cst: this word is the other half of the delicate dance (Dekker, runq.c and go1_20.c).
 */
#include "runtime/sched/proc.h"

static uint64_t pack(uint32_t count, uint32_t need, uint32_t seq)
{
    return (uint64_t)seq << 32 | (uint64_t)need << 16 | count;
}

uint32_t nmspinning(struct m *m)
{
    fine(m);
    return SPIN_COUNT(atomic_load_explicit(&m->sched->spin, memory_order_seq_cst)); /* Dekker */
}

bool needspinning(struct m *m)
{
    fine(m);
    return SPIN_NEED(atomic_load_explicit(&m->sched->spin, memory_order_seq_cst)); /* Dekker */
}

/* count += delta; need: 0 or 1 sets it, -1 keeps it. Returns the new word. */
static uint64_t change(struct m *m, int delta, int need)
{
    struct sched *s = m->sched;
    fine(m);
    uint64_t old = atomic_load_explicit(&s->spin, memory_order_relaxed), new; /* the CAS checks it */
    do {
        if (delta < 0 && SPIN_COUNT(old) == 0)
            throw(m, "negative nmspinning");
        new = pack(SPIN_COUNT(old) + (uint32_t)delta, need < 0 ? SPIN_NEED(old) : (uint32_t)need, SPIN_SEQ(old) + 1);
        fine(m);
    } while (!atomic_compare_exchange_weak_explicit(&s->spin, &old, new, memory_order_seq_cst, memory_order_relaxed));
    m->spinseen = SPIN_SEQ(new);
    return new;
}

/* m has a P and no work and may look for some: count it. Clears needspinning: this M will do what was asked for. */
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
    fine(m);
    uint64_t old = atomic_load_explicit(&s->spin, memory_order_seq_cst), new; /* Dekker: after the caller's submission */
    do {
        if (SPIN_COUNT(old) != 0)
            return false;
        /* handoffp clears needspinning, wakep does not */
        new = pack(1, why == WW_HANDOFF ? 0 : SPIN_NEED(old), SPIN_SEQ(old) + 1);
        fine(m);
    } while (!atomic_compare_exchange_weak_explicit(&s->spin, &old, new, memory_order_seq_cst, memory_order_seq_cst));
    bool same = SPIN_SEQ(old) == m->spinseen;
    m->spinseen = SPIN_SEQ(new);
    emit_as(m, ev_of(m, EV_WAKEP, 0, why, SPIN_SEQ(new), 0, 0), same, true);
    return true;
}

/* claim_spinning(), then for want of an idle P set_needspinning() (if the generation has it) and unclaim_spinning(), in one step.
 * In a free run nothing lies between the three but what others may do, and they need not. Nothing if somebody spins. sure: that no P
 * is idle, for the caller has the lock or the only P. Else it is so if needspinning is set already and npidle is 0 (wakep_in_vain(), pm.c).
 * Steps: neither, it must be done step by step. */
enum vain in_vain(struct m *m, bool sure, uint32_t *first)
{
    struct sched *s = m->sched;
    uint32_t need = m->sched->gen->needspinning;
    uint64_t old = atomic_load_explicit(&s->spin, memory_order_seq_cst), new; /* Dekker: after the caller's submission */
    do {
        if (SPIN_COUNT(old) != 0)
            return VAIN_NOTHING;
        /* seq_cst: Dekker, as above. If the swap succeeds, `old` was still true here */
        if (!sure && (!SPIN_NEED(old) || atomic_load_explicit(&s->npidle, memory_order_seq_cst) != 0))
            return VAIN_STEPS;
        new = pack(0, SPIN_NEED(old) | need, SPIN_SEQ(old) + 2 + need);
    } while (!atomic_compare_exchange_weak_explicit(&s->spin, &old, new, memory_order_seq_cst, memory_order_seq_cst));
    m->spinseen = SPIN_SEQ(new);
    *first = SPIN_SEQ(old) + 1;
    return VAIN_DONE;
}

/* False: to be done step by step. */
bool claim_in_vain(struct m *m, uint32_t why, bool sure)
{
    uint32_t first, seen = m->spinseen, need = m->sched->gen->needspinning;
    enum vain vain = in_vain(m, sure, &first);
    if (vain != VAIN_DONE)
        return vain == VAIN_NOTHING;
    bool same = first == seen + 1;
    if (brief(m)) {
        record_one(m, several(m, EV_SEVERAL_VAIN, 1, 0), EV_PAIR(why, first), 0, 3, same);
        return true;
    }
    emit_as(m, ev_of(m, EV_WAKEP, 0, why, first, 0, 0), same, false);
    if (need)
        emit_same(m, ev_of(m, EV_NEEDSPINNING, 0, 1, first + 1, 0, 0));
    emit_same(m, ev_of(m, EV_SPIN_STOP, 0, 0, first + 1 + need, SS_NO_IDLE_P, 0));
    return true;
}

void unclaim_spinning(struct m *m)
{
    uint64_t w = change(m, -1, -1);
    emit_gate(m, ev_of(m, EV_SPIN_STOP, 0, SPIN_COUNT(w), SPIN_SEQ(w), SS_NO_IDLE_P, 0));
}

void set_needspinning(struct m *m)
{
    uint64_t w = change(m, 0, 1);
    emit(m, ev_of(m, EV_NEEDSPINNING, 0, 1, SPIN_SEQ(w), 0, 0));
}
