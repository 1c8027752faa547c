/* Who gets which signal (facts: one that lands on another thread is lost to the screen). */
#ifndef GMPSCOPE_ENGINE_SIGNALS_H
#define GMPSCOPE_ENGINE_SIGNALS_H

#include <signal.h>

/* Without a screen: notes SIGINT, SIGTERM and SIGHUP. Another such signal ends the process at once, and so does one second without progress
 * (base/ending.h). */
void signals_watch(void);
const volatile _Atomic int *signals_seen(void);   /* the signal, 0: none came */
int signals_code(void);                           /* 128 + the signal, 0: none came */
/* After a signal: the process ends now, with what it has printed, whatever its threads do. */
_Noreturn void signals_give_up(void);
/* Block all that can be blocked in this thread and in those that it starts. Not the faults: a blocked fault kills without
 * the handler that puts the terminal right. */
void signals_block(sigset_t *old);

#endif
