/* Large glyphs made of blocks, for labels that must be readable from far away. */
#ifndef GMPSCOPE_UI_PANES_PARTS_BIG_H
#define GMPSCOPE_UI_PANES_PARTS_BIG_H

#include "canvas/canvas.h"

/* BIG_HALF: half blocks, a digit has 3 columns and 3 rows; it needs more than ASCII. BIG_FULL: full blocks, 6 columns and 5 rows.
 * BIG_TALL: 3 columns and 5 rows, which ASCII can draw as "#". */
enum big { BIG_PLAIN, BIG_HALF, BIG_TALL, BIG_FULL };

int big_width(enum big size, const char *text);
int big_height(enum big size);
bool big_has(uint32_t cp); /* is there a glyph for it? */
/* Draws the text with the upper left corner at (x, y). Characters without a glyph are left blank. Only BIG_HALF shows what is below the line. */
void big_text(struct canvas *c, struct rect clip, int x, int y, enum big size, enum role role, const char *text);

#endif
