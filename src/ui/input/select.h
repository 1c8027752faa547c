/* What is selected on the screen: a G, an M or a P, and the pane that has the focus. */
#ifndef GMPSCOPE_UI_INPUT_SELECT_H
#define GMPSCOPE_UI_INPUT_SELECT_H

#include "ui/panes/panes.h"

struct selection {
    uint32_t tag;  /* of panes.h; 0: nothing is selected */
    int x, y;      /* the place of the label that was selected */
    int pane, nth; /* enum pane_kind that has the focus, -1: none; which of that kind, from 0 */
};

/* These functions read the canvas that was drawn last, and its panes. The first move only selects the first label. */
void select_move(struct selection *s, const struct canvas *c, const struct layout_pane *pane, int n, int dx, int dy);
void select_next_pane(struct selection *s, const struct canvas *c, const struct layout_pane *pane, int n, int by);
/* Returns the index of the pane that has the focus, or that is at (x, y); -1: none. */
int select_pane(const struct selection *s, const struct layout_pane *pane, int n);
int select_pane_at(const struct layout_pane *pane, int n, int x, int y);
/* Gives pane `at` the focus. */
void select_focus(struct selection *s, const struct layout_pane *pane, int at);
void select_click(struct selection *s, const struct canvas *c, const struct layout_pane *pane, int n, int x, int y);
/* Highlights what is selected, and the frame of the pane with the focus. */
void select_draw(const struct selection *s, struct canvas *c, const struct layout_pane *pane, int n);

#endif
