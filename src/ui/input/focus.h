/* The way of a key or a click to a pane. */
#ifndef GMPSCOPE_UI_INPUT_FOCUS_H
#define GMPSCOPE_UI_INPUT_FOCUS_H

#include "ui/input/ui.h"

/* Each returns false if the key or the click is not the pane's: that with the focus, or that at (x, y). */
bool focus_key(struct ui *u, uint32_t code);
bool focus_click(struct ui *u, int x, int y);

#endif
