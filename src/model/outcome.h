/* How far a run has come, in facts of the folded state: what a comparison of two runs says about each (conclusion.h). */
#ifndef GMPSCOPE_MODEL_OUTCOME_H
#define GMPSCOPE_MODEL_OUTCOME_H

#include "model/model.h"

struct outcome {
    uint32_t created, done; /* Gs of the scenario's programs; done: those that have ended, and main if it has returned */
    int64_t moved;          /* when a G last did something: since then no G has changed its state or has been moved */
    uint32_t queued;        /* the Gs in the longest queue of all; 0: no G is queued */
    uint32_t p;             /* the P that has this queue, EV_NONE: it is the global queue */
    uint32_t runner;        /* the G that runs on this P, 0: none */
    int64_t runs_since;     /* when the runner began */
    int64_t due;            /* since when the timer is due that no M has run for the longest, -1: none is due */
    uint32_t stopper;       /* the M that is stopping the world, EV_NONE: none does */
    int64_t stops_since;    /* when it began */
};
struct outcome outcome_of(const struct model *md);
int64_t model_moved(const struct model *md); /* outcome.moved */

/* Returns true if something outside of Ms and Ps will change the state of a G, or may: a timer is set, a G is in a system call or waits for the
 * network, or the world is being stopped. A timer that was due before `since` does not count, nor a stop that began before: no M ends them. */
bool outcome_awaits(const struct model *md, int64_t since);
/* Calls `is` with the program of each G that runs, until it returns false. Returns true if it never did. */
bool outcome_running(const struct model *md, bool (*is)(void *ctx, uint32_t program), void *ctx);

#endif
