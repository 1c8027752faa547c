/* The result of two runs: what each has done, where they part, the conclusion, and the counters that differ. */
#ifndef GMPSCOPE_UI_PANES_VERDICT_H
#define GMPSCOPE_UI_PANES_VERDICT_H

#include "ui/panes/panes.h"

struct verdict_facts {
    const struct view *v[2];
    const struct session_verdict *known;
    const struct text *subject; /* of each run, how its sentence begins */
};

/* Draws it in a frame, with `hint` in its upper edge. */
void verdict_draw(const struct verdict_facts *f, struct canvas *c, struct rect r, const char *hint);
/* Returns the rows that it usually takes at this width, its frame not counted. They depend on the width only, so nothing jumps. */
int verdict_rows(int w);

#endif
