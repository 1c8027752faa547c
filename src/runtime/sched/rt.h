/* The runtime's internals, for all of its files: g.h, p.h, m.h and sched.h (the four structures), emit.h (logging), single_p.h (atomic
 * operations among Ms with a P), park.h (locks and waiting). Names are Go's (proc.go, runtime2.go). What only the scheduler's own files
 * share is in proc.h.
 *
 * Rule for the audit: every change of memory that rt_snapshot() reads is logged before the M that made it
 * reaches its next gate, lock wait or sleep. So at any stop the fold of the log equals this memory.
 */
#ifndef GMPSCOPE_RUNTIME_SCHED_RT_H
#define GMPSCOPE_RUNTIME_SCHED_RT_H

#include "runtime/sched/park.h"

int64_t nanotime(struct m *m);
bool runqempty(struct m *m, struct p *pp);
_Noreturn void fatalpanic(const char *text); /* "panic: text", with Go's exit */
_Noreturn void fatalerror(const char *text); /* "fatal error: text" */

/* What rt_snapshot() tells of an object; false: out of memory. */
typedef bool object_snap(const void *object, struct snapshot *in, struct snap_object *out);
struct sudogq;
bool snap_queue(struct snapshot *in, struct snap_object *out, int side, const struct sudogq *q);
/* Returns an object that lives as long as the instance: zeroed, cache-line aligned. NULL: out of memory. */
void *object_new(struct sched *s, size_t size, object_snap *snap);
/* An object that needs more than free() adds itself to the instance: rt_free calls `fini`, which also frees it. */
struct object {
    struct object *next;
    struct known_object known;
    void (*fini)(struct object *);
};
void object_add(struct sched *s, struct object *o);
/* Frees all objects. Caller: rt_free, when no M is left. */
void objects_free(struct sched *s);
/* Frees a G's rt_alloc memory, in goexit (on g0) and at rt_free. The G can be reused at once. */
void galloc_free(struct sched *s, struct g *gp);

#endif
