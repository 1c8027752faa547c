/* Marks the matches of a search in a text that was drawn. */
#ifndef GMPSCOPE_UI_PANES_PARTS_HITS_H
#define GMPSCOPE_UI_PANES_PARTS_HITS_H

#include "canvas/canvas.h"

/* Gives each occurrence of the text in these rows, whatever the case of its letters, the look of a hit. Returns true if there is one. */
bool hits_mark(struct canvas *c, struct rect r, const char *text);

#endif
