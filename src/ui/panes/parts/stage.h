/* What the parts of the stage share: the picture for the back row (pane_stage.c). */
#ifndef GMPSCOPE_UI_PANES_PARTS_STAGE_H
#define GMPSCOPE_UI_PANES_PARTS_STAGE_H

#include "ui/panes/parts/big.h"
#include "ui/panes/panes.h"

/* ---- what must not be left out (stage_names.c) ---- */

enum { STAGE_NAMES = 64 };
struct stage_names {
    int n;
    uint32_t tag[STAGE_NAMES];
};
/* Finds what the newest sentence and the lesson name, and what is selected. */
struct stage_names stage_names(const struct view *v);
bool stage_named(const struct stage_names *names, uint32_t tag);

/* ---- the strip: threads without a P, and Gs that wait (stage_strip.c) ---- */

struct stage_strip {
    const struct stage_names *names;
    enum big size;     /* of the names of Ms and Gs, if there is room */
    bool batches;      /* list the Gs that an M with a P moves, too */
    uint32_t in_arrow; /* but not those of this M, which are drawn in its arrow; EV_NONE: none are */
};
void stage_strip(const struct view *v, struct canvas *c, struct rect r, const struct stage_strip *s);
/* Returns the rows of one line of the strip. */
int stage_strip_line(enum big size);

/* Blanks the rectangle of a figure in its role and under its tag. A selected figure is reversed as a whole: reversed alone, its full
 * blocks would be blanks. */
void stage_blank(struct canvas *c, struct rect in, struct rect b, enum role role);
/* Draws the name of the G, M or P with this tag at (x, y), in its colour. Returns its columns; draws nothing if c is NULL. */
int stage_name(struct canvas *c, struct rect in, int x, int y, enum big size, uint32_t tag);

#endif
