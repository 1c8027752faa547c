/* Draws one frame: the fetched state, arranged by the layout, on the canvas. */
#ifndef GMPSCOPE_UI_FRAME_H
#define GMPSCOPE_UI_FRAME_H

#include "layout/layout.h"

#include <stdbool.h>
#include <stdint.h>

struct ui;

/* Returns false if there is not enough memory. */
bool frame_draw(struct ui *u);
/* Notes that this is not the requested layout, and how much room there is for it; once for each size and layout. */
void frame_note_fallback(struct ui *u, const struct layout *l, int w, int h);
/* The dock below the panes shows inspect, or why a G does not run. dock_rows() returns how many of h rows it takes, dock_hides() which panes (a
 * set of bits) are left out for it. dock_hint() writes into its frame what keys do there, if the frame has room for it. */
int dock_rows(const struct ui *u, int h);
uint32_t dock_hides(int h);
struct layout_pane dock_pane(const struct ui *u, struct layout_rect rect);
void dock_hint(struct ui *u, const struct layout_pane *dock);
/* Places the note of this frame, before the key line is drawn. */
void frame_place_note(struct ui *u);
/* The frame of two runs (compare.c). */
void compare_draw(struct ui *u);

#endif
