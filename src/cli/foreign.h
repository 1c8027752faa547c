/* Runs that have no scenario: traces of real Go programs, and recordings of them. */
#ifndef GMPSCOPE_CLI_FOREIGN_H
#define GMPSCOPE_CLI_FOREIGN_H

#include "cli/commands.h"

struct go_told;
struct foreign {
    struct options *o;
    struct run_info info;
    source_open *open; /* engine_config.open, from */
    const void *from;
    const struct go_told *told; /* NULL: a recording */
    const char *path, *cut;     /* cut: what a person must know of its end, NULL: it is whole */
};
/* Fills in what the recording at f->path says of itself. False: it has a scenario, or cannot be read. */
bool command_foreign(struct foreign *f);
struct go_trace;
/* Opens the trace that the first word names, and fills in f. Returns it, or NULL after an error message. The caller frees it after the run. */
struct go_trace *foreign_trace(struct foreign *f, struct options *o);
struct engine_config foreign_engine(const struct foreign *f);
/* Shows the run, or prints it, as the options say. Returns the exit code. */
int foreign_run(struct foreign *f);

#endif
