/* A process that a signal has asked to end does end, even if its main thread is stuck in a write to a terminal or pipe that nobody reads.
 *
 * The handler of the signal calls ending_begin(). From then on the main thread has time for an orderly end, as long as it does something:
 * SIGALRM looks how much CPU time the thread has used in the last second. A thread that used none is stuck, and the process ends there.
 * A busy machine does not cut an orderly end short, because the thread that handles the alarm is the one that is measured.
 *
 * This state is process-wide because signals are. */
#ifndef GMPSCOPE_BASE_ENDING_H
#define GMPSCOPE_BASE_ENDING_H

#include <stdbool.h>

/* Async-signal-safe, on the main thread: every other thread blocks SIGALRM. `sig` gives the exit status, 128 + sig. Before the process ends
 * that way, last() is called in the handler, with all signals blocked; it must be async-signal-safe and must not block. May be NULL.
 * Takes SIGALRM for as long as the process lives. A second call changes `sig` and `last` only. */
void ending_begin(int sig, void (*last)(void));
/* Has it been called? */
bool ending_begun(void);
/* Nothing is left for last() to do. */
void ending_forget_last(void);

#endif
