/* Runs another program to its end, within limits, and keeps what it writes. */
#ifndef GMPSCOPE_BASE_CHILD_H
#define GMPSCOPE_BASE_CHILD_H

#include "base/arena.h"

struct child {
    const char *const *argv; /* argv[0]: its path, with a slash */
    const char *const *env;  /* "NAME=VALUE" replaces a variable, "NAME" removes it; NULL: nothing changes */
    const char *dir;         /* where it runs; NULL: here */
    uint64_t memory;         /* bytes of its address space */
    uint32_t seconds;        /* of the wall clock; of each CPU as many */
    size_t output;           /* the largest number of bytes that it may write to stdout */
};

enum child_end { CHILD_EXITED, CHILD_KILLED, CHILD_SLOW, CHILD_TALKS, CHILD_INTERRUPTED };
struct child_result {
    enum child_end end;
    int status;         /* EXITED: its exit code; KILLED: the signal */
    VEC(char) out, err; /* both end with a NUL that is not counted */
};

/* stdin is empty. The child has a process group of its own, which is killed if the child exceeds a limit, and if a signal arrives that asks this process to
 * end: the signal itself is delivered when this function returns. Returns 0; an errno: the child could not be started. The caller calls child_fini(). */
int child_run(const struct child *c, struct child_result *r);
void child_fini(struct child_result *r);

/* Returns the path of the program that a shell would run, in the arena: `name` itself if it has a slash. NULL: there is none. */
const char *child_find(struct arena *a, const char *name);

#endif
