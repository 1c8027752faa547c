/* All schedules of a small program, one run after another, depth first over its decisions (base/course.h). Stateless: each run begins from the
 * start and follows the picks of the branch to the next alternative.
 *
 * Sleep sets (Godefroid 1996) leave out what differs only in the order of steps that do not depend on each other. When all that follows a step of
 * M1 was tried, M1 sleeps in the other branches, until a step there depends on that step of M1. So each class of schedules is tried once; a run in
 * which all ready Ms sleep is given up. Without `reduces` each step depends on each other one, and every order is tried.
 *
 * The search can be split: the subtrees below the first choices between Ms are units, which are dealt to the parts in turn. Each part makes the first run
 * of every unit, which shows where the next one begins, and goes on only in its own. A unit begins at a choice of the next M, so all steps before it
 * are complete and have the same footprints in each part: the parts together try what one search tries.
 *
 *   exhaust_begin(x)     x->course is what the next run follows: rt_config.course, with rt_config.still
 *   exhaust_next(x)      after the run: false if the search is over
 */
#ifndef GMPSCOPE_ENGINE_EXHAUST_H
#define GMPSCOPE_ENGINE_EXHAUST_H

#include "base/course.h"
#include "base/text.h"

struct exhaust_node {
    struct course_step of;       /* pick and foot are those of the branch that is being tried */
    uint32_t done;               /* DECIDE_M: the Ms that were tried here */
    struct foot foot[COURSE_MS]; /* DECIDE_M: the footprint of each M's next step, of those that sleep or were tried */
};

enum exhaust_state { EXHAUST_GOES_ON, EXHAUST_ALL_TRIED, EXHAUST_CUT, EXHAUST_TOO_LARGE, EXHAUST_LACKS, EXHAUST_ASTRAY, EXHAUST_BROKEN };

extern const struct text exhaust_state_text[]; /* why the search is over */

struct exhaust {
    VEC(struct exhaust_node) node; /* the branch of the next run */
    VEC(uint32_t) pick;            /* its picks */
    struct course course;
    enum exhaust_state state;
    uint64_t runs, blocked; /* all of them; those that were given up */
    uint32_t part, of;      /* from 1; 1 of 1: all */
    uint64_t unit, units;   /* the unit of the last run; how many have begun */
    size_t unit_at;         /* the first node of that unit */
    bool in_unit, foreign;  /* the next run is in the same unit; the last run was in a unit of another part, and does not count */
};

void exhaust_init(struct exhaust *x, bool reduces, uint32_t part, uint32_t of);
void exhaust_begin(struct exhaust *x);
/* Returns: false if the search is over: x->state. */
bool exhaust_next(struct exhaust *x);
void exhaust_fini(struct exhaust *x);

#endif
