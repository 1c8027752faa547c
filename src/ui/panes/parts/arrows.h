/* Arrows: the moves that a picture shows between Ps and the global queue, and in which lane of the gutter each is drawn. */
#ifndef GMPSCOPE_UI_PANES_PARTS_ARROWS_H
#define GMPSCOPE_UI_PANES_PARTS_ARROWS_H

#include "canvas/canvas.h"
#include "ui/panes/view.h"

enum { ARROWS_MAX = 6 };

/* A steal; Gs go to the global queue, or come from it; an M of P `from` wakes M n for P `to`; M `giver` hands its P to M n. */
enum arrow_kind { ARROW_STEAL, ARROW_TO_GLOBQ, ARROW_FROM_GLOBQ, ARROW_WAKE, ARROW_HANDOFF };
struct arrow {
    enum arrow_kind kind;
    uint32_t from, to; /* Ps; both are the same where there is only one */
    uint32_t n;        /* how many Gs; of ARROW_WAKE and ARROW_HANDOFF: the M */
    int age;           /* the core events after it */
    uint32_t giver;    /* of ARROW_HANDOFF */
};
/* The arrows of the newest events of the view, oldest first; at a stop only those since the stop before. Returns how many. */
int arrows_of(const struct view *v, struct arrow out[ARROWS_MAX]);
/* Returns the steals a second among the events of the view if they are too many to draw each; 0: they are not. */
uint64_t arrows_rate(const struct view *v);
enum role arrow_role(const struct arrow *a);

struct span {
    int top, bottom, lane;
};
/* Gives each span the lowest lane in which it overlaps no earlier one; returns how many lanes were used. */
int arrows_lanes(struct span *s, int n);

#endif
