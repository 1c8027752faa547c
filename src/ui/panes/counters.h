/* The table of two runs' counters. */
#ifndef GMPSCOPE_UI_PANES_COUNTERS_H
#define GMPSCOPE_UI_PANES_COUNTERS_H

#include "ui/panes/panes.h"

/* Draws the table in a frame, with `hint` in its upper edge. */
void counters_draw(const struct view *left, const struct view *right, struct canvas *c, struct rect r, const char *hint);
/* Lists the counters and times that differ, one after the other: "steals 4 : 0 · …". What does not fit is counted. */
void counters_list(const struct view *left, const struct view *right, struct canvas *c, struct rect r);
/* Returns the rows of a table of this width that holds all counters, its frame not counted. */
int counters_rows(int w);

#endif
