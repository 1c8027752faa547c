/* What the two files of the pane `processors` share: its columns and rows, and the arrows in its gutter. */
#ifndef GMPSCOPE_UI_PANES_PARTS_PROCESSORS_H
#define GMPSCOPE_UI_PANES_PARTS_PROCESSORS_H

#include "ui/panes/panes.h"

struct processors_columns {
    int p, state, m, run, next, ring, gutter, len, tick; /* x of each */
    int name;                                            /* width of a program's name, 0: none */
    int cell, ncell;                                     /* width of a ring cell, how many fit */
    int gutter_w;
    bool narrow; /* for half a screen: runnext has the width of a G */
    bool bar;    /* the ring as a bar */
};

/* Where the rows are. If there is room, `step` is 2 and leaves a line between them, so that arrows are easy to follow. */
struct places {
    struct rows rows;
    int y0, step;
    int end[ROWS_MAX]; /* x after the last ring cell of the row */
};

/* Returns the y of a row. */
static inline int processors_y(const struct places *pl, int row)
{
    return pl->y0 + pl->rows.line[row] * pl->step;
}

/* Draws the arrows. The newest one has the innermost lane and is drawn last. */
void processors_arrows(const struct view *v, struct canvas *c, struct rect in, const struct processors_columns *k, const struct places *pl);

#endif
