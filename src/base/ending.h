/* Ends a process that a signal has asked to end, even if its main thread is stuck in a write to a terminal or pipe that nobody reads.
 *
 * The signal's handler calls ending_begin(). From then on the main thread may end in an orderly way, however long that takes, as long as
 * it makes progress: SIGALRM checks what the thread did in the last second. If it only slept, and nothing but the alarms woke it, it is
 * stuck, and the handler ends the process. A busy machine does not cut an orderly end short: a thread that waits for a CPU does not sleep.
 *
 * Rejected: a limit on the CPU time alone. Where it is low enough for a slow reader (0.3 ms a second), the alarms themselves exceed it on a slow
 * virtual machine, and the process does not end.
 *
 * This state is process-wide because signals are. */
#ifndef GMPSCOPE_BASE_ENDING_H
#define GMPSCOPE_BASE_ENDING_H

#include <stdbool.h>

/* Begins the ending. Async-signal-safe. Caller: the main thread; every other thread must block SIGALRM. If the thread is stuck, the alarm's
 * handler calls last(), unless it is NULL, and ends the process with status 128 + sig. last() runs with all signals blocked, must be
 * async-signal-safe and must not block. SIGALRM stays taken until the process ends. A second call changes `sig` and `last` only. */
void ending_begin(int sig, void (*last)(void));
/* True if ending_begin() has been called. */
bool ending_begun(void);
/* Removes last(), because nothing is left for it to do. */
void ending_forget_last(void);

#endif
