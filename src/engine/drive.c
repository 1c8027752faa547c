/* A run without a screen: one thread is both the consumer and the controller. It starts the world, folds what is logged, and stops the
 * world for the audit, for --pauses and at the end.
 *
 * Where the world stops never changes the report (engine.h, the cut), so none of this needs to be exact. Only the audit in lockstep counts
 * rounds, because it compares at each. */
#include "base/prng.h"
#include "base/wall.h"
#include "engine/engine.h"
#include "engine/signals.h"
#include <time.h>

#define WAIT_MS 1 /* how long the fold sleeps when nothing is logged; the rings hold the events of a much longer time */

#define STANDSTILL_NS INT64_C(1000000000) /* no load makes a thread wait this long for its CPU */

struct driver {
    struct engine *e;
    const struct drive *d;
    struct prng rand;
    uint32_t pauses_left;
};

/* relaxed: only the flag itself is read; on_signal() (signals.c) writes it */
static bool interrupted(const struct drive *d)
{
    return d->signal && atomic_load_explicit(d->signal, memory_order_relaxed);
}

static bool over(struct driver *v)
{
    engine_check_throw(v->e);
    if (interrupted(v->d))
        engine_cut(v->e, ENDED_INTERRUPTED);
    return engine_over(v->e);
}

/* Waits WAIT_MS at most. It takes much longer only if the whole process was suspended, or its machine. The clock of a free run has run
 * meanwhile. */
static bool wait_a_moment(struct engine *e)
{
    int64_t from = wall_ns();
    bool stopped = engine_wait_stopped(e, WAIT_MS);
    int64_t took = wall_ns() - from;
    if (took > STANDSTILL_NS)
        e->standstill += took;
    return stopped;
}

/* Sleeps, because there is nothing to fold, until the world is at rest (then returns true), until something may have been logged, or
 * until `until`. */
static bool rest(struct engine *e, int64_t until)
{
    int64_t left = until < 0 ? INT64_MAX : until - wall_ns();
    if (left >= WAIT_MS * INT64_C(1000000))
        return wait_a_moment(e);
    if (left > 0)
        nanosleep(&(struct timespec){.tv_nsec = left}, NULL);
    return engine_wait_stopped(e, 0);
}

/* Folds until the world is at rest, the run is over or past its limit, or the wall clock is at `until` (-1: never). */
static void fold_along(struct driver *v, int64_t until)
{
    while (!over(v) && (until < 0 || wall_ns() < until)) {
        if (engine_drain(v->e, ENGINE_BATCH) == ENGINE_BATCH)
            continue; /* a smaller batch means that the rings are empty; reading them again takes cache lines away from the Ms */
        engine_flush(v->e);
        if (rest(v->e, until) || engine_past_limit(v->e))
            return;
    }
}

/* Brings the world to rest. It drains the rings meanwhile, because an M that waits for room still counts as moving. An M that hangs
 * inside a locked section never comes to rest and cannot be joined. So neither a process that is asked to end nor a failed run waits
 * for it. */
static void halt(struct driver *v)
{
    int64_t asked = 0;
    engine_pause(v->e);
    while (!wait_a_moment(v->e) && !engine_hangs(v->e)) {
        engine_drain(v->e, ENGINE_BATCH);
        engine_check_throw(v->e); /* an M that has thrown keeps its locks, so others may never come to rest */
        if (engine_failed(v->e) || !interrupted(v->d))
            continue;
        asked = asked ? asked : wall_ns();
        if (wall_ns() - asked > ENGINE_GRACE_NS) {
            engine_flush(v->e);
            signals_give_up();
        }
    }
}

static void step_rounds(struct driver *v, uint64_t n)
{
    engine_step(v->e, UNIT_ROUND, n);
    fold_along(v, -1);
}

/* Returns a random number of events between two pauses. Small and large gaps are equally likely, so that short runs are paused often and
 * long runs until their end. */
static uint64_t event_gap(struct driver *v)
{
    return 1 + prng_below(&v->rand, 1u << prng_below(&v->rand, 9));
}

/* Runs one stretch in lockstep, up to the next stop. */
static void stretch_lockstep(struct driver *v)
{
    struct engine *e = v->e;
    if (v->pauses_left) {
        v->pauses_left--;
        engine_step(e, UNIT_EVENT, event_gap(v));
        fold_along(v, -1);
    } else if (v->d->audit) {
        step_rounds(v, 1);
    } else {
        engine_run(e);
        fold_along(v, -1);
    }
}

/* Runs one stretch in free mode: a pause comes after 10 to 400 µs, an audit after 1,000 rounds. */
static void stretch_free(struct driver *v)
{
    struct engine *e = v->e;
    int64_t until = -1;
    if (v->d->audit)
        engine_step(e, UNIT_ROUND, 1000);
    else
        engine_run(e);
    if (v->pauses_left) {
        v->pauses_left--;
        until = wall_ns() + 10000 + prng_below(&v->rand, 390000);
    }
    fold_along(v, until);
}

/* Several rounds may end in one step, because a lock holder continues to its unlock. The audit compares at the next events instead. */
static void audit_missed_rounds(struct driver *v)
{
    struct engine *e = v->e;
    while (e->audit.compared < engine_rounds(e) && !over(v)) {
        engine_step(e, UNIT_EVENT, 1);
        fold_along(v, -1);
        halt(v);
        engine_settle(e, true);
    }
}

static void stretch(struct driver *v)
{
    engine_arm(v->e, true);
    if (engine_mode(v->e) == MODE_LOCKSTEP)
        stretch_lockstep(v);
    else
        stretch_free(v);
    halt(v);
    engine_settle(v->e, v->d->audit);
    if (engine_past_limit(v->e))
        engine_limit(v->e);
    if (v->d->audit && engine_mode(v->e) == MODE_LOCKSTEP)
        audit_missed_rounds(v);
}

void engine_drive(struct engine *e, const struct drive *d)
{
    struct driver v = {.e = e, .d = d, .pauses_left = d->pauses};
    prng_seed(&v.rand, e->cfg.info.seed, PRNG_PAUSES);
    halt(&v); /* the caller may have set it in motion already */
    engine_settle(e, d->audit);
    while (!over(&v))
        stretch(&v);
    halt(&v);
    engine_settle(e, d->audit);
    if (e->refused.kind)
        engine_cut(e, ENDED_INTERRUPTED);
    engine_flush(e);
}
