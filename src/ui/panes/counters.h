/* The table of two runs' counters. */
#ifndef GMPSCOPE_UI_PANES_COUNTERS_H
#define GMPSCOPE_UI_PANES_COUNTERS_H

#include "ui/panes/panes.h"

/* Draws the table in a frame, with `hint` in its upper edge. */
void counters_draw(const struct view *left, const struct view *right, struct canvas *c, struct rect r, const char *hint);
/* Returns the rows of a table of this width that holds all counters, its frame not counted. */
int counters_rows(int w);

#endif
