/* Runs that have no scenario: traces of real Go programs, and recordings of them. */
#ifndef GMPSCOPE_CLI_FOREIGN_H
#define GMPSCOPE_CLI_FOREIGN_H

#include "cli/commands.h"

struct go_trace;
struct feed;
struct foreign {
    struct options *o;
    struct run_info info;
    source_open *open; /* engine_config.open, from */
    const void *from;
    const void *about;                     /* what `print` says it of */
    void (*print)(const struct foreign *); /* what a person gets who asked for nothing else; NULL: nothing */
    struct go_trace *trace;                /* NULL: a recording */
    struct feed *feed;                     /* what the trace still comes from; NULL: it has come */
    bool watched;                          /* it is of a program that this process has started */
    bool followed, grows;                  /* followed: it is shown while it comes; grows: another process is writing the file */
    const char *path, *cut;                /* cut: what a person must know of its end, NULL: it is whole, or that is not known yet */
};
/* Fills in what the recording at f->path says of itself. False: it has a scenario, or cannot be read. */
bool command_foreign(struct foreign *f);
/* Opens the trace that the first word names, and fills in f. follow: it may be shown while it is still being written; else all of it is read first.
 * Returns false after an error message. The caller calls foreign_end() after the run, which an error has done. */
bool foreign_trace(struct foreign *f, struct options *o, bool follow);
/* The same of a trace that comes from f->feed; f->o and f->path are filled in. Waits for its beginning. */
bool foreign_follow(struct foreign *f, const char *name);
void foreign_end(struct foreign *f);
void foreign_keys(void); /* the keys of a screen come from the terminal, if stdin is something else */
/* Returns what a person must know of the end of it, as far as it has been read; NULL: it is whole. In the arena of the options. */
const char *foreign_cut(const struct foreign *f);
struct engine_config foreign_engine(const struct foreign *f);
/* Shows the run, or prints it, as the options say. Returns the exit code. */
int foreign_run(struct foreign *f);

#endif
