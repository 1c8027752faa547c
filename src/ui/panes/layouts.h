/* The layouts that are loaded: the requested one, and those that may take its place. */
#ifndef GMPSCOPE_UI_PANES_LAYOUTS_H
#define GMPSCOPE_UI_PANES_LAYOUTS_H

#include "layout/layout.h"

enum { LAYOUTS_MAX = 64 };
struct layouts {
    struct layout *requested, *other[LAYOUTS_MAX];
    int n;
};

/* Returns false if the requested one has mistakes; they are in d. Others with mistakes are left out; `lint` reports those. */
bool layouts_load(struct layouts *l, const char *path, const char *dir, struct diag *d);
void layouts_free(struct layouts *l);
/* Returns the requested one if it fits, else the largest that does; NULL: none. */
const struct layout *layouts_pick(const struct layouts *l, int w, int h);
/* Requests the layout of that name; returns false if there is none. layouts_next() requests the next one by name. */
bool layouts_choose(struct layouts *l, const char *name);
void layouts_next(struct layouts *l);
/* Returns the name of a layout with this kind of pane; NULL: none has it. Borrowed. */
const char *layouts_with(const struct layouts *l, int kind);
/* Fills in all names, sorted, each once (room for LAYOUTS_MAX + 1). Returns how many. Borrowed. */
size_t layouts_names(const struct layouts *l, const char **names);
/* Makes the layout that is shown editable: a copy with the name `mine`, which is requested from then on. Returns NULL if memory ran out. */
struct layout *layouts_edit(struct layouts *l, const struct layout *shown);
/* Loads the file again and requests its layout. Returns false if it has mistakes, which are in d; then nothing changes. */
bool layouts_reload(struct layouts *l, const char *path, struct diag *d);
/* Computes the smallest size that any of them needs. */
void layouts_least(const struct layouts *l, int *w, int *h);

#endif
