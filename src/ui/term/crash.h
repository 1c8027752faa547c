/* Signals while the screen is up: every way out leaves the terminal sane. One screen a process. */
#ifndef GMPSCOPE_UI_TERM_CRASH_H
#define GMPSCOPE_UI_TERM_CRASH_H

#include <stdbool.h>

/* Call before the terminal is changed: saves its modes, redirects stderr (shown afterwards) and takes the signals. From then on every
 * signal that ends the process restores the terminal first. wake_fd: an eventfd that is written when crash_asked() or crash_resized()
 * has news. Returns false and sets errno on failure. */
bool crash_begin(int wake_fd);
/* Call after the screen was closed: restores the signals and the modes, and shows what was written to stderr meanwhile. */
void crash_end(void);

/* Returns the signal that asks the program to leave (SIGTERM, SIGHUP, SIGINT) or to stop (SIGTSTP); 0: none. The call clears SIGTSTP. */
int crash_asked(void);
/* Stops the process and its group, as a terminal does on ^Z. Returns when it is continued, or at once if no shell could continue it. */
void crash_stop(void);
bool crash_resized(void); /* since the last call, the size may have changed, or the process was continued */

#endif
