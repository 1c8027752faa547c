/* `/` and :find, and the keys that go on: ] [ f. */
#ifndef GMPSCOPE_UI_INPUT_SEARCH_H
#define GMPSCOPE_UI_INPUT_SEARCH_H

#include "ui/input/ui.h"

/* Searches for a pattern, or for a text in sentences. Returns false if the prompt shows a mistake. */
bool search_for(struct ui *u, const char *arg);
/* Goes to the next match (step 1) or to the one before (-1). */
void search_on(struct ui *u, int step);
/* Space, after a search for a text that no recorded sentence has: runs on to it. Returns false if there was no such search. */
bool search_runs_on(struct ui *u);
/* Returns the match that is shown, or all 0. */
struct session_count search_shown(const struct ui *u);

#endif
