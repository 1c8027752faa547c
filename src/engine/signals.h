/* Which thread gets which signal. A signal that another thread receives does not reach the screen. */
#ifndef GMPSCOPE_ENGINE_SIGNALS_H
#define GMPSCOPE_ENGINE_SIGNALS_H

#include <signal.h>

/* Without a screen: notes SIGINT, SIGTERM and SIGHUP. Another such signal ends the process at once, and so does one second without progress
 * (base/ending.h). */
void signals_watch(void);
const volatile _Atomic int *signals_seen(void); /* the signal, 0: none came */
int signals_code(void);                         /* 128 + the signal, 0: none came */
/* After a signal: ends the process at once, with what it has printed so far, without waiting for its threads. */
_Noreturn void signals_give_up(void);
/* Blocks all signals that can be blocked, in this thread and in those that it starts, except faults: a blocked fault kills the process
 * without the handler that restores the terminal. */
void signals_block(sigset_t *old);

#endif
