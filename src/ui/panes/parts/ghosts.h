/* Ghosts: what the event shown took away, in the place that it left. The next core event has other ghosts, so they never fade by time. */
#ifndef GMPSCOPE_UI_PANES_PARTS_GHOSTS_H
#define GMPSCOPE_UI_PANES_PARTS_GHOSTS_H

#include "ui/panes/view.h"

enum ghost_place { GHOST_NONE, GHOST_RING, GHOST_RUNNEXT, GHOST_RUNNING, GHOST_M };
struct ghost {
    enum ghost_place place;
    uint32_t p;  /* the P that it left */
    uint32_t n;  /* GHOST_RING: how many Gs left the head; the ring's slots in front of the head still have them */
    uint32_t id; /* else the G, or the M */
};
struct ghost ghost_of(const struct view *v);
/* Returns the id of what left this place of P p, 0 (a G) or EV_NONE (an M): nothing. */
uint32_t ghost_at(const struct view *v, enum ghost_place place, uint32_t p);

#endif
