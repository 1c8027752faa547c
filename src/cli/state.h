/* What gmpscope remembers from run to run, in $XDG_STATE_HOME/gmpscope. Where that cannot be read or written, nothing is remembered. */
#ifndef GMPSCOPE_CLI_STATE_H
#define GMPSCOPE_CLI_STATE_H

#include "base/arena.h"
#include <stdbool.h>

enum { STATE_RECENT = 5 };

/* Fills in what was run last, newest first: a shipped name or a path. Returns how many there are. */
int state_recent(struct arena *a, const char *out[STATE_RECENT]);
void state_ran(const char *what);
/* Returns true if the hint for a first visit has not been shown yet; false if that cannot be remembered. */
bool state_hint(void);
void state_hint_shown(void);

#endif
