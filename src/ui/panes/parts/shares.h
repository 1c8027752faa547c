/* How fairly Gs share the Ps: what part of the time in which a G wanted a P it ran. For pane_metrics.c.
 *
 * A G wants a P while it runs or is runnable. Its share is the time for which it ran, as a part of that time. The index is Jain's: 1 if all
 * shares are equal, near 1/n if one of n Gs has all. Only the newest events count, so a long run costs no more than a short one. */
#ifndef GMPSCOPE_UI_PANES_PARTS_SHARES_H
#define GMPSCOPE_UI_PANES_PARTS_SHARES_H

#include "model/history/history.h"
#include "ui/panes/panes.h"

enum { SHARES_KEPT = 96, SHARES_EVENTS = 100000 };

struct share {
    uint32_t g;
    int64_t ran, waited, longest; /* ns; waited: runnable in all; longest: without a break */
    double lost;                  /* ns that the mean share would have given it in addition */
};

struct shares {
    uint32_t run;
    uint64_t at, from; /* the events after `from` up to `at` count; at 0: nothing was read */
    uint32_t n;        /* the Gs that wanted a P */
    double index, mean;
    int kept;
    struct share worst[SHARES_KEPT]; /* the G that has lost most comes first */
};

/* Reads the shares up to the state that is shown. While the run is running, it reads them again only after many events. Inside a query. */
void shares_read(struct shares *s, const struct view *v, struct history *h);
/* Returns the row of the G with this tag, -1: it has none. */
int shares_find(const struct shares *s, uint32_t tag);
/* Returns how many Gs have a row in r. */
int shares_rows(const struct shares *s, struct rect r);
/* Draws the index, and as many Gs below it as fit, the selected one among them. In one or two rows it is the index alone. */
void shares_draw(const struct shares *s, const struct view *v, struct canvas *c, struct rect r);

#endif
