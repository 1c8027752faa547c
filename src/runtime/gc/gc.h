/* The simulated collection: a cycle like Go's, in which marking only takes time (gc.c, gcworker.c). */
#ifndef GMPSCOPE_RUNTIME_GC_GC_H
#define GMPSCOPE_RUNTIME_GC_GC_H

#include "runtime/sync/sema.h"
#include "runtime/sched/world.h"

#define GC_SLICE 20000     /* ns: marking is taken from the common heap of work in pieces of this size */
#define GC_NO_WORKER 0xffu /* p.gc_mode: no worker runs there */

struct gc_worker {
    struct sched *sched;
    struct g *g;
    _Atomic uint32_t next; /* in the pool: the worker below, from 1; 0: none */
    uint32_t id;           /* from 1 */
};

/* Written while the world is stopped and read by Ms that have a P, except where a field says otherwise. */
struct gc {
    _Atomic uint32_t phase; /* GCPHASE_… */
    _Atomic uint32_t cycles;
    struct sema start_sema, mark_done_sema;
    _Atomic int64_t left;   /* ns of marking that no worker has taken yet */
    _Atomic uint32_t nwait; /* workers and assists that do not mark, counted down from nproc */
    uint32_t nproc;
    /* the pacer (Go: gcController) */
    _Atomic int64_t dedicated_needed;
    _Atomic uint64_t idle;  /* idle workers, and how many there may be << 32 */
    double fractional_goal; /* the part of its time that each P should mark */
    int64_t mark_start;
    int64_t assist_share;     /* ns for each user G, 0: no assists */
    _Atomic uint32_t flushed; /* Ps that had work in their buffers: gc_mark_done() */
    /* the Gs that wait for the end of a cycle */
    struct rlock wait_lock;
    struct gqueue waiters;
    /* workers */
    _Atomic uint64_t pool; /* a stack: the top's id, and a count of changes << 32 */
    struct note ready;     /* a new worker has begun */
    uint32_t nworkers;     /* under worldsema */
    struct gc_worker worker[MAX_PROCS];
};

struct gc *gc_new(void); /* NULL: out of memory; freed with free() */

/* gcworker.c */
void gc_start_workers(struct sched *s);                    /* on a G stack, worldsema held: one for each P */
void gc_start_cycle(struct m *m, int64_t ns, bool assist); /* the world is stopped */
void gc_mark_done(void);                                   /* gc.c: on a G stack; called by a worker that finds no more work */
bool gc_add_idle_worker(struct gc *gc);
void gc_remove_idle_worker(struct gc *gc);
struct g *gc_pool_get(struct gc *gc); /* a parked worker, or NULL */

/* What findrunnable() asks for, in its order. m has a P. A worker comes back runnable, in m's hand. */
struct g *find_runnable_gc_worker(struct m *m, int64_t *now);
struct g *find_idle_gc_worker(struct m *m);
bool assign_waiting_gc_worker(struct m *m, struct p *pp);
void release_gc_worker(struct m *m, struct p *pp);
/* For an M without a P: returns an idle P, with a parked worker for it in *gp; or NULL. */
struct p *check_idle_gc_no_p(struct m *m, struct g **gp);
void gc_worker_ready(struct m *m, struct g *gp, uint32_t mode); /* gp, taken out of the pool, will run on m's P */

/* Does this G's share of the marking, once a cycle. On a G stack. */
void gc_assist(void);

static inline bool gc_mark_work_available(struct sched *s)
{
    return atomic_load_explicit(&s->gc->left, memory_order_seq_cst) > 0; /* Dekker with nwait: gc_mark_done() */
}

#endif
