/* Looks: the source is a program whose state is read now and then, and nothing of what it does in between. `gmpscope attach` looks at a live Go
 * program; GODEBUG=schedtrace prints looks as text.
 *
 * HOW TO USE
 *   l = looks_new(&config)         config.next reads one look; source_looks() (below) then is a source like any other
 *   cfg.open = source_looks; cfg.from = l; cfg.info = …, with info.lacks: what the looks never have, a set of LACKS(…), at least LOOKS_LACK
 *
 * A look is a `struct snapshot` (eventlog/snapshot.h), as the runtime fills one for the audit. So a test can compare: after the look,
 * model_snapshot() gives the same. What is read of it, and how it says that something is not known:
 *   p[]       status (P_UNKNOWN), m (EV_NONE: none), runnext (0: none; EV_NONE: not known), schedtick, head, tail, ring: the ids of its Gs from the
 *             head, 0: one that is not known; ring NULL: only the length is known
 *   g[]       sorted by id, only Gs that live; status (G_UNKNOWN), reason, where: its M, if place is PLACE_RUNNING, fn and by (EV_NONE: not known).
 *             place is not read otherwise: the queues say it. Ids are never used again for another G
 *   m[]       p, curg (0: none), lockedg, spinning, blocked, netpoll, sysmon, idlelocked, exited. An M without any of these is in the scheduler.
 *             An index that is no M has p EV_NONE and `template` set; it is skipped
 *   globq, idlep, idlem   from the head or top; globq NULL: only its length (nglobq) is known; idlep, idlem NULL: put LACKS(KNOW_IDLE_P) … into info.lacks
 *   npidle, nmspinning, needspinning
 * What belongs together must agree: p.m.p is p, a running G is its M's curg, a G in a queue is runnable (or G_UNKNOWN).
 *
 * What the model does: the facts of a look replace what it knew, all at once (model/fold_look.c). What differs between two looks is no event:
 * no arrow, no sentence, no steal, and no sum grows. One event, `look`, says that there was a look. It is core, so a step is a look, `b` goes
 * back to the look before, and `:break "when p2.runq > 100"` is judged once for each look. The facts precede it as detail events (look_p, look_g
 * …), only those that differ from the look before. A recording keeps these events as it keeps any.
 *
 * Rejected: a snapshot as one event (a record has 32 bytes, its text 992); events that would lead from one state to the next (nobody saw them). */
#ifndef GMPSCOPE_ENGINE_LOOKS_H
#define GMPSCOPE_ENGINE_LOOKS_H

#include "engine/source.h"

/* What no look has. */
#define LOOKS_LACK \
    (LACKS(KNOW_BEFORE) | LACKS(KNOW_P_TIMERS) | LACKS(KNOW_M_SEARCH) | LACKS(KNOW_G_SINCE) | LACKS(KNOW_STEALS) | LACKS(KNOW_WAITS) | \
     LACKS(KNOW_OBJECTS) | LACKS(KNOW_OUTPUT))

enum look_read {
    LOOK_READ, /* *out and *time are the next look */
    LOOK_WAIT, /* there is none yet: ask again in a moment */
    LOOK_END,  /* there will be none: the program has ended, or the text has */
    LOOK_LACK, /* memory ran out */
};
/* Reads the next look. now: a person waits for it (a step), so it does not wait for its time. Executed by the session's thread; it may take a
 * millisecond, not more. *out: until the next call. */
typedef enum look_read look_next(void *ctx, bool now, const struct snapshot **out, int64_t *time);

struct looks_config {
    look_next *next;
    void *ctx;
    bool live;                 /* of a program that runs on by itself */
    void (*rewind)(void *ctx); /* to the first look again, for a restart. NULL: a restart begins with the next look */
    int end;                   /* after LOOK_END: how the run has ended, ENDED_TRACE or ENDED_GONE */
};
struct looks;
struct looks *looks_new(const struct looks_config *c); /* NULL: out of memory */
void looks_free(struct looks *l);                      /* NULL: does nothing */
uint64_t looks_count(const struct looks *l);           /* how many were read */

/* The events of one look: those of its facts that differ from the look before, then `look`. Returns false if memory ran out. */
bool looks_add(struct looks *l, int64_t time, const struct snapshot *now);
/* The next of these events, of M *m. Returns false if all were taken. */
bool looks_take(struct looks *l, uint32_t *m, struct ev *e);

/* For the source: begins from scratch; reads one look into the events to be taken; looks_config.end and live. */
void looks_begin(struct looks *l);
enum look_read looks_read(struct looks *l, bool now);
int looks_end(const struct looks *l);
bool looks_are_live(const struct looks *l);

/* engine_config.from: a struct looks, which must outlive the source. One source at a time reads it. */
source_open source_looks;

#endif
