/* Parts of the search for a G in which several generations agree. On g0, no locks held. */
#ifndef GMPSCOPE_RUNTIME_GENERATIONS_SEARCH_H
#define GMPSCOPE_RUNTIME_GENERATIONS_SEARCH_H

#include "runtime/net/netpoll.h"
#include "runtime/sched/find.h"

/* Logs that m is at a stage with nothing to show. */
void find_stage(struct m *m, uint32_t stage);
/* Until 1.13: returns true if wakep() may be useful. */
bool idle_p_and_no_spinner(struct m *m);
/* Until 1.13: takes at most max Gs of the global queue (0: a fair share), which had some. Returns the first, or NULL. */
struct g *get_global(struct m *m, uint32_t max, uint32_t why);
/* Until 1.13: every 61st time, the global queue comes first. Otherwise two Gs that ready each other would keep this P for ever. */
struct g *fair_global(struct m *m);
/* Since 1.13: returns a G whose socket is ready, or NULL. This only saves stealing, so m does not poll if another M waits in the poller. */
struct g *poll_network(struct m *m);
/* Handles the Gs, perhaps none, with which m returns from the poller without a P. Returns true if m has a P again; *gp: what to run, or
 * unchanged. */
bool back_from_poller(struct m *m, struct glist *list, bool was_spinning, struct g **gp);

#endif
