/* Fetches from the sessions what the next picture shows. */
#ifndef GMPSCOPE_UI_FETCH_H
#define GMPSCOPE_UI_FETCH_H

#include "ui/input/ui.h"

void ui_fetch(struct ui *u);
/* Returns true if the picture changes by itself, because the run is running or is about to stop. */
bool ui_moves(const struct ui *u);

#endif
