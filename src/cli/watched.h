/* A Go program of today that runs with its tracer on, as our child.
 *
 * Go's tracer is switched on from inside a program. So a program that is given as source is built with one file more (go build -overlay): its init()
 * starts the tracer on a descriptor that we read, and has Go stop it when the program exits. A test binary has a flag for that. The tracer of any
 * other binary cannot be switched on from outside. */
#ifndef GMPSCOPE_CLI_WATCHED_H
#define GMPSCOPE_CLI_WATCHED_H

#include "cli/options.h"
#include <sys/types.h>

struct feed;
struct watched {
    pid_t pid;
    struct feed *trace;     /* what its tracer writes; the caller frees it */
    struct feed *out, *err; /* what it writes itself, if a screen is in the way; NULL: it writes to our stdout and stderr */
    char *folder;           /* of what was built for it; NULL: nothing was */
};
/* Builds the program of o->args, if need be, and starts it. Returns false after an error message. */
bool watched_start(struct watched *w, struct options *o);
/* Ends it: waits for it if it is about to end, or else kills it with all that it has started; writes what it has printed meanwhile. Reports how it
 * ended by itself, if not well. Returns its exit code, or 128 + the signal; 0 if we have killed it. */
int watched_end(struct watched *w, const struct options *o, bool wait);

#endif
