/* Arrows: transfers in flight between Ps, how long they stay, and in which lane of the gutter each is drawn. */
#ifndef GMPSCOPE_UI_PANES_ARROWS_H
#define GMPSCOPE_UI_PANES_ARROWS_H

#include "canvas/canvas.h"
#include "session/session.h"

enum { ARROWS_MAX = 6, ARROW_STAGES = 3 };

struct arrow {
    uint32_t from, to, n;        /* P, P, how many Gs */
    int stage;                   /* 0 fresh, 1 fading, 2 old */
    int64_t watched;             /* ms in this stage while the run went on */
};
struct arrows {
    struct arrow v[ARROWS_MAX];  /* oldest first */
    int n;
    uint64_t last;               /* number of the last event seen */
    uint64_t rate;               /* steals a second, 0: few enough to draw each */
    uint64_t rate_steals;        /* counter at the last measure */
    int64_t rate_ms;             /* watched since */
};

/* The events of one frame, oldest first; those seen before are skipped. */
void arrows_events(struct arrows *a, const struct session_event *ev, int n);
/* The same after a jump: nothing is in flight but what the newest core event moved. */
void arrows_jump(struct arrows *a, const struct session_event *ev, int n);
/* `ms` more were watched while the run went on; `steals`: the counter now. True: something looks different. */
bool arrows_watch(struct arrows *a, int64_t ms, uint64_t steals);
/* The next stop begins: what was drawn fades by one step. */
void arrows_stop(struct arrows *a);
/* ms of watching until something changes by itself, -1: never. */
int64_t arrows_next(const struct arrows *a);
enum role arrow_role(const struct arrow *a);

struct span { int top, bottom, lane; };
/* Gives each span the lowest lane in which it overlaps no earlier one; returns how many lanes were used. */
int arrows_lanes(struct span *s, int n);

#endif
