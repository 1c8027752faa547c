/* Two runs on one screen (frame.c is for one). */
#ifndef GMPSCOPE_UI_COMPARE_H
#define GMPSCOPE_UI_COMPARE_H

#include "ui/panes/panes.h"

struct ui;

/* The frame of two runs (compare.c). */
void compare_draw(struct ui *u);
/* On a screen that is too small for both it shows the other one; false: it shows both. */
bool compare_turn(struct ui *u);

/* The table of what both have counted, in a frame; `hint` in its upper edge. Rows of a table of this width that holds all of them, its
 * frame not counted (counters.c). */
void counters_draw(const struct view *left, const struct view *right, struct canvas *c, struct rect r, const char *hint);
int counters_rows(int w);

#endif
