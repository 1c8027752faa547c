/* The layouts at hand: the wished one, and those it may fall back to. */
#ifndef GMPSCOPE_UI_PANES_LAYOUTS_H
#define GMPSCOPE_UI_PANES_LAYOUTS_H

#include "layout/layout.h"

enum { LAYOUTS_MAX = 64 };
struct layouts { struct layout *wished, *other[LAYOUTS_MAX]; int n; };

/* False: the wished one has mistakes; they are in d. Others with mistakes are left out (`lint` tells about them). */
bool layouts_load(struct layouts *l, const char *path, const char *dir, struct diag *d);
void layouts_free(struct layouts *l);
/* The wished one if it fits, else the largest that does; NULL: none. */
const struct layout *layouts_pick(const struct layouts *l, int w, int h);
/* Makes the one of that name the wished one; false: there is none. The next one by name. */
bool layouts_choose(struct layouts *l, const char *name);
void layouts_next(struct layouts *l);
/* All names, sorted, each once (room for LAYOUTS_MAX + 1); how many. Borrowed. */
size_t layouts_names(const struct layouts *l, const char **names);
/* The smallest size that any of them needs. */
void layouts_least(const struct layouts *l, int *w, int *h);

#endif
