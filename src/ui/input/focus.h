/* How a key or a click reaches a pane. */
#ifndef GMPSCOPE_UI_INPUT_FOCUS_H
#define GMPSCOPE_UI_INPUT_FOCUS_H

#include "ui/input/ui.h"

/* Each passes a key to the pane with the focus, or a click to the pane at (x, y). Returns false if that pane does not take it. */
/* Sends the key to the first pane of that kind of each run. Returns false if there is none. */
bool focus_send(struct ui *u, int kind, uint32_t code);
bool focus_key(struct ui *u, uint32_t code);
bool focus_click(struct ui *u, int x, int y);

#endif
