/* What marks are against: the state at the last stop before the one that is shown. */
#ifndef GMPSCOPE_UI_PANES_DIFF_BASE_H
#define GMPSCOPE_UI_PANES_DIFF_BASE_H

#include "model/model.h"

struct shown_state { struct model *md; uint64_t lines; };   /* a state, and how many lines were printed up to it; md NULL: none */

struct diff_base {
    struct shown_state shown;           /* the state on the screen */
    struct shown_state before;          /* while it runs: the state shown before it */
    struct shown_state here, last;      /* the newest stop, and the one before */
    bool running, many;          /* many: more changed between two pictures than marks could tell */
};

/* A new state to be shown, which is taken over. running: the run, or its past, is playing; still: it has come to a stop. */
void diff_base_show(struct diff_base *s, struct shown_state next, bool running, bool still);
/* The state to compare with; md NULL: no marks. */
struct shown_state diff_base_base(const struct diff_base *s);
void diff_base_fini(struct diff_base *s);

#endif
