/* Text for the back row, in letters of three rows. A text with a character that has no large form, such as a Chinese one, stays plain. */
#ifndef GMPSCOPE_UI_PANES_PARTS_LARGE_H
#define GMPSCOPE_UI_PANES_PARTS_LARGE_H

#include "canvas/canvas.h"

/* Returns how many lines the text takes if it has large letters and at most w columns; 0: it cannot have them. */
int large_lines(const char *text, int w);
/* Returns the rows of so many lines. */
int large_rows(int lines);
/* Draws the text from the upper left corner of r on, or each line in the middle. The text can have large letters. */
void large_draw(struct canvas *c, struct rect r, bool middle, enum role role, const char *text);

#endif
