/* What the timeline shows: lanes of Ps, Ms or Gs over a stretch of time, from the bins of the history. For pane_timeline.c. */
#ifndef GMPSCOPE_UI_PANES_TIMELINE_H
#define GMPSCOPE_UI_PANES_TIMELINE_H

#include "model/history.h"
#include "ui/panes/panes.h"

enum { LANES_MAX = 64, SLICES_MAX = 256 };
enum lane_kind { LANE_P, LANE_M, LANE_G, LANE_KINDS };
enum { MARK_STEAL = 1, MARK_PREEMPT = 2, MARK_GC = 4, MARK_STOP = 8, MARK_IN_GC = 16, MARK_IN_STOP = 32 };

/* One cell of a lane. */
struct lane_cell {
    uint32_t g; /* drawn as its letter; 0: `ch` is drawn */
    uint32_t ch;
    enum role role;
};
struct slice {
    uint64_t to;    /* the last event up to its end */
    double queued;  /* runnable Gs, on average */
    uint32_t marks; /* a set of MARK_… */
};

/* What is asked for. */
struct timeline_range {
    enum lane_kind kind;
    int zoom;           /* the whole run is 2^zoom times as long */
    uint32_t top;       /* the first lane */
    int lanes, columns; /* room for them */
    uint64_t shown, newest;
    int64_t now;
};
struct timeline {
    struct timeline_range at; /* the range for which it was read */
    bool read;
    bool coarse; /* lanes of Ms and Gs show only what runs, because the stretch has too many events */
    int64_t start, end;
    int columns, present; /* present: the column of the state shown */
    uint32_t nlanes;      /* all of them, not only those that fit */
    struct slice slice[SLICES_MAX];
    double most_queued;
    struct lane_cell cell[LANES_MAX][SLICES_MAX];
};

/* Reads what `range` asks for, unless the timeline has it. Inside a query. */
void timeline_read(struct timeline *t, const struct view *v, const struct timeline_range *range, struct history *h);
/* Returns the id of a lane. */
uint32_t timeline_lane_id(enum lane_kind kind, uint32_t nth);
/* The greatest zoom at which a column still lasts a nanosecond. */
int timeline_most_zoom(const struct timeline *t, int64_t length);

#endif
