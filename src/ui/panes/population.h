/* One line that counts all Gs by where they are. */
#ifndef GMPSCOPE_UI_PANES_POPULATION_H
#define GMPSCOPE_UI_PANES_POPULATION_H

#include "ui/panes/panes.h"

void draw_population(const struct view *v, struct canvas *c, struct rect in);

#endif
