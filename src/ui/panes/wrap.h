/* Text in lines of a given width: words are kept whole, wide glyphs may be parted anywhere. */
#ifndef GMPSCOPE_UI_PANES_WRAP_H
#define GMPSCOPE_UI_PANES_WRAP_H

#include "canvas/canvas.h"

/* How many lines the text takes (at least 1). */
int wrap_lines(const char *text, int width);
/* Draws it from (r.x, r.y) on; lines outside r are cut. Returns the lines taken. */
int wrap_draw(struct canvas *c, struct rect r, enum role role, const char *text);

#endif
