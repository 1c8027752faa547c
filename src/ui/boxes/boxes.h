/* Boxes: what is drawn over the panes until a key closes it. enum box_kind (ui/input/ui.h) names them. */
#ifndef GMPSCOPE_UI_BOXES_BOXES_H
#define GMPSCOPE_UI_BOXES_BOXES_H

#include "ui/input/ui.h"

struct box_ops {
    void (*fetch)(struct ui *u);              /* fetches what it shows from the session; NULL: nothing */
    bool (*key)(struct ui *u, uint32_t code); /* false: the key is the run's. NULL: any key closes the box. : / ? never reach it */
    void (*draw)(struct ui *u);
};
extern const struct box_ops box_help, box_choose, box_breaks, box_marks, box_share, box_branches, box_queues, box_card, box_about,
    box_ledger, box_report;

/* These act on the open box, if there is one. box_key() returns false if the box does not take the key. */
void box_fetch(struct ui *u);
bool box_key(struct ui *u, uint32_t code);
void box_draw(struct ui *u);

/* Draws a box, blank inside, with `hint` in its lower edge. Returns the inside. */
struct rect box_frame(struct canvas *c, struct rect r, const char *title, const char *hint);
/* Returns the row of a box of h rows: directly above the keys, so that the processors stay visible. A low box that would cover the newest
 * sentence goes above the narration. */
int box_y(const struct ui *u, int h);
/* Blanks a row of the box. What is drawn until the canvas has tag 0 again stands for n (not 0): box_clicked() returns it for a click there, and 0
 * for one elsewhere. */
void box_row(struct canvas *c, struct rect in, int y, uint32_t n);
uint32_t box_clicked(const struct ui *u);
/* Writes row i of the box for a decision: 0 lets the seed decide. Returns false if there is no such row (choose.c). */
bool choose_row_text(const struct ui *u, int i, char *text, size_t size);

#endif
