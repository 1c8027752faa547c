/* A run that is changed from inside its screen: other settings, the scenario read again, a comparison. */
#ifndef GMPSCOPE_CLI_AGAIN_H
#define GMPSCOPE_CLI_AGAIN_H

#include "cli/options.h"
#include "scenario/scenario.h"
#include "session/control.h"
#include "ui/input/ui_run.h"

/* What a run is made from. `owned`: both were made by again_prepare(). */
struct made_from {
    const struct scenario *sc;
    const struct options *o;
    bool owned;
};

struct again {
    struct session *s; /* the run that is shown */
    struct made_from now, next;
    bool asked; /* the screen was left for `what` */
    enum ui_change what;
    char settings[OPTIONS_SETTINGS * 4]; /* CHANGE_COMPARE */
    struct ui_kept kept;
};

/* Tells the screen how to ask for a change. */
void again_lend(struct again *a, struct ui_config *ui);
/* CHANGE_SET, CHANGE_RELOAD: replaces the run, with the same breakpoints, tempo and lesson. If that cannot be done, the old run stays and the
 * note says why. */
void again_replace(struct again *a);
void again_fini(struct again *a);

#endif
