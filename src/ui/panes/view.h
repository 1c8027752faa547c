/* What panes are drawn from: one frame's worth of what is known of a run. */
#ifndef GMPSCOPE_UI_PANES_VIEW_H
#define GMPSCOPE_UI_PANES_VIEW_H

#include "session/session.h"
#include "ui/panes/arrows.h"
#include "ui/texts.h"

enum { LINE_MAX_BYTES = 160 };

struct pane_states;

/* All borrowed for the call. */
struct view {
    const struct model *md;               /* NULL: not known yet, panes draw their frames only */
    const struct model *base;             /* what changed is marked against it; NULL: no marks */
    uint64_t base_lines, base_events;     /* lines of output and events there were at `base`; UINT64_MAX: none are new */
    struct session_status st;
    const struct session_event *ev;       /* the last events, newest last */
    int nev;
    const struct session_event *pend;     /* logged, not folded, by time; of st.pending the first npend */
    int npend;
    const char (*line)[LINE_MAX_BYTES];   /* the last lines of output, newest last */
    int nlines;
    uint64_t total_lines;
    const struct arrows *arrows;
    enum lang lang;
    const struct session_lesson *lesson;  /* NULL: none is played */
    int answered;                         /* the choice that was taken, from 0; -1: none yet */
    const struct view *other;             /* the run that this one is compared with; NULL: none. Then base is its state, too; */
    struct sentence_cache *said;                 /* sentences that were made before; NULL: none are kept */
    struct pane_states *states;           /* what panes keep from frame to frame; NULL: nothing */
    const char *side, *told;              /* "left" or "right"; the settings of this run alone, "" if there are none */
};

#endif
