/* Stopping the world, dealing out the Ps, and functions that must run once on every P (world.c, procresize.c). */
#ifndef GMPSCOPE_RUNTIME_SCHED_WORLD_H
#define GMPSCOPE_RUNTIME_SCHED_WORLD_H

#include "runtime/sched/proc.h"

struct world *world_new(void); /* NULL: out of memory; freed with free() */

/* On a G stack, no locks held. Both may wait for other Gs and so return on another M. From stop to start only this G runs, on one M. */
void stop_the_world(uint32_t why); /* why: STW_…; one stopper at a time (worldsema) */
void start_the_world(void);
/* Like the two above, but no collection runs meanwhile (gcsema). */
void stop_the_world_gc(uint32_t why);
void start_the_world_gc(void);

/* The two halves, for the collector, which holds worldsema across both. On a G stack. */
void stop_the_world_with_sema(struct m *m, uint32_t why);
void start_the_world_with_sema(struct m *m);
void worldsema_acquire(void);
void worldsema_release(void); /* hands over without yielding */
void gcsema_acquire(void);
void gcsema_release(void);

/* Returns whether the world is stopped or is being stopped. */
static inline bool gcwaiting(struct sched *s)
{
    return atomic_load_explicit(&s->gcwaiting, memory_order_seq_cst) != 0; /* Dekker with P statuses (world.c) */
}
void gcstopm(struct m *m);                      /* on g0 with a P: the P stays stopped until the world starts */
void entersyscall_gcwait(struct m *m);          /* m has just left oldp in Psyscall, or is about to enter a call with it */
bool handoff_gcwait(struct m *m, struct p *pp); /* under sched.lock; true: pp is stopped now */

/* Makes the M of each P run fn once for that P. Returns when fn has run for all. On a G stack, worldsema held. */
void for_each_p(struct m *m, void (*fn)(struct m *, struct p *));
static inline bool safe_point_wanted(struct p *pp)
{
    return atomic_load_explicit(&pp->run_safe_point, memory_order_seq_cst) != 0; /* Dekker, as gcwaiting() */
}
void run_safe_point_fn(struct m *m);                /* m has a P that was asked; no locks held */
void handoff_safe_point(struct m *m, struct p *pp); /* the same under sched.lock for a P that m holds */

/* procresize.c: under sched.lock, the world is stopped. Returns the Ps with local work, linked. Their Ms are off the idle list (startm),
 * or the id of a new M is reserved (startid). */
struct p *procresize(struct m *m, uint32_t n);
void ps_make(struct sched *s, uint32_t n);          /* boot.c */
void stealorder_reset(struct sched *s, uint32_t n); /* boot.c */

#endif
