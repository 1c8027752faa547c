/* The tour (tour.def). */
#ifndef GMPSCOPE_CLI_TOUR_H
#define GMPSCOPE_CLI_TOUR_H

#include "cli/options.h"
#include "session/session.h"

/* A scene, and the options of the tour, from which it takes how the screen looks. */
struct tour_look {
    struct tour_scene *tour;
    const struct options *from;
};
void tour_look_at(struct options *o, const struct tour_look *look);

/* Plays all scenes. Returns the exit code. */
int tour(const struct options *o);
/* run and compare, as a scene of the tour. */
int cmd_run_tour(const struct tour_look *look, int argc, char **argv);
int cmd_compare_tour(const struct tour_look *look, int argc, char **argv);

#endif
