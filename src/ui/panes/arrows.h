/* Arrows: steals between Ps, how long each stays on the screen, and in which lane of the gutter it is drawn. */
#ifndef GMPSCOPE_UI_PANES_ARROWS_H
#define GMPSCOPE_UI_PANES_ARROWS_H

#include "canvas/canvas.h"
#include "session/session.h"

enum { ARROWS_MAX = 6, ARROW_STAGES = 3 };

struct arrow {
    uint32_t from, to, n; /* the Ps; how many Gs */
    int stage;            /* 0 fresh, 1 fading, 2 old */
    int64_t watched;      /* ms in this stage while the run was running */
};
struct arrows {
    struct arrow v[ARROWS_MAX]; /* oldest first */
    int n;
    uint64_t last;        /* number of the last event seen */
    uint64_t rate;        /* steals a second, 0: few enough to draw each */
    uint64_t rate_steals; /* counter at the last measure */
    int64_t rate_ms;      /* ms watched since then */
};

/* Takes the events of one frame, oldest first, and skips those that it has seen before. */
void arrows_events(struct arrows *a, const struct session_event *ev, int n);
/* The same after a jump: only the newest core event gets an arrow, if it is a steal. */
void arrows_jump(struct arrows *a, const struct session_event *ev, int n);
/* Adds `ms` of watching; `steals` is the counter now. Returns true if something looks different. */
bool arrows_watch(struct arrows *a, int64_t ms, uint64_t steals);
/* Fades each arrow by one step, because the next stop begins. */
void arrows_stop(struct arrows *a);
/* Returns the ms of watching until something changes by itself, -1: never. */
int64_t arrows_next(const struct arrows *a);
enum role arrow_role(const struct arrow *a);

struct span {
    int top, bottom, lane;
};
/* Gives each span the lowest lane in which it overlaps no earlier one; returns how many lanes were used. */
int arrows_lanes(struct span *s, int n);

#endif
