/* The front end for Go programs (gofront/): built once by the person's own Go, kept in the person's cache, run as a child for each program. */
#ifndef GMPSCOPE_SCENARIO_FRONT_END_H
#define GMPSCOPE_SCENARIO_FRONT_END_H

#include "base/child.h"
#include "base/diag.h"
#include "base/run_names.h"

struct front_end {
    const char *path, *stubs; /* the program; the declarations of the standard library */
    const char *version;      /* of the person's Go: "go1.26.8" */
    uint32_t minor;           /* of that: 26 */
    bool yaml;                /* it is to print a scenario, not the program form */
};

/* Finds Go and the front end, and builds that if it is not in the cache. Returns: false with one mistake in d. All texts are in a. */
bool front_end_find(struct arena *a, struct front_end *out, struct diag *d);
/* Runs it on a file or a folder. test: the test to run, or NULL. Returns: false with mistakes in d, else its output in r, which the caller releases by
 * child_fini(). */
bool front_end_run(struct arena *a, const struct front_end *f, const char *language, const char *test, const char *path,
                   struct child_result *r, struct diag *d);

#endif
