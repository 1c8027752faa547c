/* What gmpscope remembers from run to run, in $XDG_STATE_HOME/gmpscope. Where that cannot be read or written, nothing is remembered. */
#ifndef GMPSCOPE_CLI_STATE_H
#define GMPSCOPE_CLI_STATE_H

#include "base/arena.h"
#include "scenario/scenario.h"
#include <stdbool.h>

enum { STATE_RECENT = 5 };

/* Fills in what was run last, newest first: a shipped name or a path. Returns how many there are. */
int state_recent(struct arena *a, const char *out[STATE_RECENT]);
void state_ran(const char *what);
/* Returns true if the hint for a first visit has not been shown yet; false if that cannot be remembered. */
bool state_hint(void);
void state_hint_shown(void);

/* The best result of a lesson that was played to its end. */
struct state_score {
    const char *name; /* as `lesson` takes it */
    unsigned right, asked;
};
enum { STATE_SCORES = 1000 };
/* Fills in the scores, at most STATE_SCORES, in the arena. Returns how many there are. Lines that make no sense are left out. */
size_t state_scores(struct arena *a, const struct state_score **out);
/* Remembers the score if it is better than that of the same lesson before. */
void state_score(const struct state_score *score);
/* The path that was chosen in the list; PATHS: none was. */
enum scenario_path state_path(void);
void state_path_chosen(enum scenario_path path);

#endif
