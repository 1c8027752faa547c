/* A tour: a run with a text over it that presses keys by itself. The script is the caller's (struct tour_scene). */
#ifndef GMPSCOPE_UI_TOUR_H
#define GMPSCOPE_UI_TOUR_H

#include "ui/input/ui.h"

/* Returns the next key that the script presses now; 0: none. It leaves the screen after the last step. */
uint32_t tour_key(struct ui *u);
/* For lines instead of a screen: puts the next text, or the next line that is typed under it, into `line`. It leaves after the last step. */
enum tour_read { TOUR_TEXT, TOUR_LINE, TOUR_OVER };
enum tour_read tour_read(struct ui *u, char *line, size_t size);
/* In how many ms there may be something to do; -1: never, because there is no tour or it is paused. */
int tour_due(const struct ui *u);
/* A key of a person: any key pauses or continues, q and ctrl-C leave. */
void tour_take(struct ui *u, uint32_t code);
/* How many rows at the bottom the text takes, and the text. */
int tour_rows(const struct ui *u);
void tour_draw(struct ui *u);

#endif
