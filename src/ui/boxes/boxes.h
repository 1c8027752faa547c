/* Boxes: what is drawn over the panes until a key closes it. enum box_kind (ui/input/ui.h) names them. */
#ifndef GMPSCOPE_UI_BOXES_BOXES_H
#define GMPSCOPE_UI_BOXES_BOXES_H

#include "ui/input/ui.h"

struct box_ops {
    void (*fetch)(struct ui *u);              /* asks the session for what it shows; NULL: nothing */
    bool (*key)(struct ui *u, uint32_t code); /* false: the key is the run's. NULL: any key closes the box. : / ? never come here */
    void (*draw)(struct ui *u);
};
extern const struct box_ops box_help, box_choose, box_breaks, box_marks, box_share, box_branches;

/* The box that is open, if one is. box_key() returns false if the key is still to be taken. */
void box_fetch(struct ui *u);
bool box_key(struct ui *u, uint32_t code);
void box_draw(struct ui *u);

/* Draws a box, blank inside, with `hint` in its lower edge. Returns the inside. */
struct rect box_frame(struct canvas *c, struct rect r, const char *title, const char *hint);
/* The fields of what is selected, at the bottom of r, as that run has it. Of two runs, fields that differ are marked (inspect.c). */
void inspect_draw(struct ui *u, int side, struct rect r);

#endif
