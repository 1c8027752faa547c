/* The front door: the list of scenarios, and what is chosen there. It is made when it is first opened. */
#ifndef GMPSCOPE_CLI_FRONT_H
#define GMPSCOPE_CLI_FRONT_H

#include "cli/options.h"
#include "scenario/scenario.h"
#include "ui/door/door.h"

struct front;

/* from: the options of the run over which the list may be opened. Returns NULL if memory ran out; reported. */
struct front *front_new(const struct options *from);
void front_free(struct front *f);
/* Shows the list until it is left. Returns the exit code. */
int front_loop(struct front *f);
/* Was something chosen from the list over a run? Then the screen was left for it, and front_follow() carries it out and shows the list
 * again. Returns the exit code. */
bool front_chosen(const struct front *f);
int front_follow(struct front *f);
/* Tells the screen of a run how to open the list. */
void front_lend(struct front *f, struct ui_config *ui);
/* Compares a run with one that has other settings, and returns when that screen is left. The note has the reason if it could not be shown. */
int front_compare(struct front *f, const struct options *o, const char *path, uint64_t seed, const char *settings, char *note, size_t size);
/* Carries out next what was chosen at the end of a lesson, if anything: front_chosen() is true then. */
void front_go_on(struct front *f, const struct scenario *sc, const struct lesson_after *after);
/* Returns the path that lessons are played along; PATHS: none. */
enum scenario_path front_path(const struct front *f);
/* Remembers the score of a shipped lesson that was played to its end. */
void front_played(const struct scenario *sc, const struct lesson_after *after);
/* Remembers a scenario that is run with a screen. */
void front_ran(const struct scenario *sc);

#endif
