/* Wraps text into lines of a given width. Words stay whole; a line may break after any wide glyph. */
#ifndef GMPSCOPE_UI_PANES_PARTS_WRAP_H
#define GMPSCOPE_UI_PANES_PARTS_WRAP_H

#include "canvas/canvas.h"

/* Returns how many lines the text takes, at least 1. */
int wrap_lines(const char *text, int width);
/* Draws the text from (r.x, r.y) on, clipped to r. Returns how many lines it took. */
int wrap_draw(struct canvas *c, struct rect r, enum role role, const char *text);
/* Draws the lines from number `skip` on; returns how many these are. */
int wrap_draw_from(struct canvas *c, struct rect r, int skip, enum role role, const char *text);

#endif
