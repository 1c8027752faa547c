/* Choosing who goes next, the line to share, and the branches, on the screen (choose.c). */
#ifndef GMPSCOPE_UI_BOXES_CHOOSE_H
#define GMPSCOPE_UI_BOXES_CHOOSE_H

#include "session/session.h"

struct ui;

enum { SHARE_BYTES = 16384 };

struct chooser {
    struct session_decision draw, next;  /* shown; fetched */
    int row, top;                    /* 0: the seed draws; then draw.row */
};

void choose_open(struct ui *u);
void choose_fetch(struct ui *u);
bool choose_key(struct ui *u, uint32_t code);    /* false: the key is the run's; it may have closed the box */
void choose_draw(struct ui *u);
void share_draw(struct ui *u);
void branches_draw(struct ui *u);

/* Commands (commands.c). */
bool do_share(struct ui *u, const char *arg);
bool do_branches(struct ui *u, const char *arg);
bool do_branch(struct ui *u, const char *arg);

#endif
