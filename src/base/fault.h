/* A signal of a fault (SIGSEGV and the like) that a part of the program takes itself. A handler of such signals asks it first.
 *
 * This state is process-wide because signals are. */
#ifndef GMPSCOPE_BASE_FAULT_H
#define GMPSCOPE_BASE_FAULT_H

#include <stdbool.h>

/* take() runs in signal handlers, on the thread of the fault. If it takes the signal, it returns true, or does not return. Any thread. */
void fault_taker(bool (*take)(int sig));
/* Called by a handler before it does anything else. Async-signal-safe. Returns true if the signal is dealt with. */
bool fault_taken(int sig);

#endif
