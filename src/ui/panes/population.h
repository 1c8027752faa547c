/* One line that counts all Gs by where they are. */
#ifndef GMPSCOPE_UI_PANES_POPULATION_H
#define GMPSCOPE_UI_PANES_POPULATION_H

#include "ui/panes/panes.h"

/* Returns how many rows of this width it takes: 1 or 2. */
int population_rows(const struct view *v, int width);
void draw_population(const struct view *v, struct canvas *c, struct rect in);

#endif
