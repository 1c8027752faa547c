/* What the timeline shows: lanes of Ps, Ms or Gs over a stretch of time, from the bins of the history. For pane_timeline.c. */
#ifndef GMPSCOPE_UI_PANES_PARTS_TIMELINE_H
#define GMPSCOPE_UI_PANES_PARTS_TIMELINE_H

#include "model/history/history.h"
#include "ui/panes/panes.h"

enum { LANES_MAX = 64, SLICES_MAX = 256, ACTORS_MAX = 4096 };
enum lane_kind { LANE_P, LANE_M, LANE_G, LANE_KINDS };
enum timeline_axis { AXIS_CHOSEN, AXIS_TIME, AXIS_EVENTS }; /* AXIS_CHOSEN: by time, unless most events would share a few columns */
enum { MARK_STEAL = 1, MARK_PREEMPT = 2, MARK_GC = 4, MARK_STOP = 8, MARK_IN_GC = 16, MARK_IN_STOP = 32 };

/* One cell of a lane. */
struct lane_cell {
    uint32_t g; /* drawn as its letter; 0: `ch` is drawn */
    uint32_t ch;
    enum role role;
};
struct slice {
    uint64_t to;    /* the last event up to its end */
    double queued;  /* runnable Gs: the average by time, those at the end by events */
    uint32_t marks; /* a set of MARK_… */
    uint32_t bin;   /* its bin of the history */
    int64_t gap;    /* 0, or it has no event and stands for so much time */
};

/* What is asked for. */
struct timeline_range {
    enum lane_kind kind;
    enum timeline_axis axis;
    int zoom;           /* the whole run is 2^zoom times as long */
    uint32_t top;       /* the first lane */
    int lanes, columns; /* room for them */
    uint64_t shown, newest;
    int64_t now;
    bool over; /* no event will follow */
};
struct timeline {
    struct timeline_range at; /* the range for which it was read */
    bool read;
    bool coarse;          /* lanes of Ms and Gs show only what runs, because the stretch has too many events */
    bool by_event;        /* the axis counts events */
    bool shares;          /* lanes show how long Gs ran, because most columns have several Gs */
    int64_t start, end;   /* ns */
    uint64_t first, last; /* by events: these of `events` are shown, which are all or the core events */
    uint64_t events;
    uint64_t per_column;     /* by events: so many share a column */
    int columns, present;    /* present: the column of the state shown */
    uint32_t nlanes, total;  /* nlanes: those that can be shown, not only those that fit; total: all that exist */
    uint32_t id[ACTORS_MAX]; /* of each lane */
    struct slice slice[SLICES_MAX];
    double most_queued;
    struct lane_cell cell[LANES_MAX][SLICES_MAX];
};

/* What a cell without a G stands for. */
enum { TIMELINE_SIGNS = 9 };
extern const struct timeline_sign {
    struct lane_cell cell;
    enum text_id name;
} timeline_signs[TIMELINE_SIGNS];

/* Reads what `range` asks for, unless the timeline has it. Inside a query. */
void timeline_read(struct timeline *t, const struct view *v, const struct timeline_range *range, struct history *h);
/* The greatest zoom at which a column still lasts a nanosecond, or has an event. */
int timeline_most_zoom(const struct timeline *t, const struct view *v);

#endif
