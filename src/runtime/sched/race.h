/* What orders the accesses of shared variables, noted where Go's runtime calls its race detector, under the same names (race.go). A reader of the
 * log keeps the clocks (engine/races.h).
 *
 * A note is a hidden record (ev_note): it has no number, no gate and takes no time. All notes of an instance have one sequence number. It is taken
 * after what is acquired, and before what is released. So in the order of these numbers a release comes before each acquire that has seen it, in
 * free mode, too. A run that does not look for races pays for one branch.
 *
 * A timer that starts a G or sends has a number in place of a G's id, because its M runs it for the G that made it.
 */
#ifndef GMPSCOPE_RUNTIME_SCHED_RACE_H
#define GMPSCOPE_RUNTIME_SCHED_RACE_H

#include "runtime/sched/rt.h"

#define RACE_IO 0u             /* Go's ioSync: what is written at any end of a conn comes before what is read at any end later */
#define RACE_TIMER 0x80000000u /* plus n: the n-th timer, as a G's id */

void race_note(struct m *m, const struct g *gp, enum ev_note what, uint32_t about, uint32_t other_op); /* log.c */

/* Returns the first of n new numbers for objects that order accesses. */
static inline uint32_t race_objects(struct sched *s, uint32_t n)
{
    return RACE_IO + 1 + atomic_fetch_add_explicit(&s->raceobjects, n, memory_order_relaxed); /* only uniqueness matters */
}

/* Logs a note of gp; NULL: of what m runs. Executed by m only. */
static inline void racenote(struct m *m, const struct g *gp, enum ev_note what, uint32_t about)
{
    if (__builtin_expect(m->sched->cfg.races, 0))
        race_note(m, gp, what, about, 0);
}

static inline void raceacquire(struct m *m, uint32_t object)
{
    racenote(m, NULL, NOTE_ACQUIRE, object);
}

static inline void racerelease(struct m *m, uint32_t object)
{
    racenote(m, NULL, NOTE_RELEASE, object);
}

static inline void racereleasemerge(struct m *m, uint32_t object)
{
    racenote(m, NULL, NOTE_RELEASE_MERGE, object);
}

#endif
