/* What is marked in a view: either what has changed since the last stop, or what differs from the other run. It is computed once a
 * frame, and panes do not know which of the two they mark. */
#ifndef GMPSCOPE_UI_PANES_PARTS_DIFF_H
#define GMPSCOPE_UI_PANES_PARTS_DIFF_H

#include <stdbool.h>
#include <stdint.h>

enum { EVENTS_KEPT = 128, LINES_KEPT = 64 };

struct diff {
    bool two;                /* two runs are compared */
    bool event[EVENTS_KEPT]; /* by the index in view.ev */
    bool line[LINES_KEPT];   /* by the index in view.line */
    bool line_count;         /* of two runs: one has printed more lines */
    bool seed, generation;   /* of two runs: they differ */
};

struct model;
struct view;
/* Compares with the state `base` (NULL: nothing is marked), at which `lines` were printed. lists: events and lines are marked, too. */
void diff_stop(struct view *v, const struct model *base, uint64_t lines, bool lists);
/* Compares two runs with each other. */
void diff_runs(struct view *left, struct view *right);

#endif
