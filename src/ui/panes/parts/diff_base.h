/* The base of the marks: the state at the last stop before the one that is shown. */
#ifndef GMPSCOPE_UI_PANES_PARTS_DIFF_BASE_H
#define GMPSCOPE_UI_PANES_PARTS_DIFF_BASE_H

#include "model/model.h"

struct shown_state {
    struct model *md;
    uint64_t lines;
}; /* a state, and the lines printed up to it; md NULL: none */

struct diff_base {
    struct shown_state shown;      /* the state on the screen */
    struct shown_state before;     /* while it runs: the state shown before it */
    struct shown_state here, last; /* the newest stop, and the one before */
    bool running, many;            /* many: so much changed between two pictures that marks would say nothing */
};

/* Takes a new state to show. running: the run, or its history, is playing; still: it has stopped. */
void diff_base_show(struct diff_base *s, struct shown_state next, bool running, bool still);
/* Notes that the run leaves the state that is shown. If the run is paused, that state was a stop, even if the run had not come to rest
 * yet. */
void diff_base_leave(struct diff_base *s);
/* Returns the state to compare with; md NULL: no marks. */
struct shown_state diff_base_base(const struct diff_base *s);
void diff_base_fini(struct diff_base *s);

#endif
