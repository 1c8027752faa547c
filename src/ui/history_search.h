/* What the screen does while a search reads a long history. */
#ifndef GMPSCOPE_UI_HISTORY_SEARCH_H
#define GMPSCOPE_UI_HISTORY_SEARCH_H

#include "ui/input/ui.h"

/* For session_ops.search->on_search; ctx: the struct ui. Shows how far the search is. Returns false if a key was pressed, which does nothing else. */
bool history_search_goes_on(void *ctx, uint64_t at);

#endif
