/* What a search over many seeds found, and its report: of one process (cmd_explore.c) or put together from parts (merge.c). A part of a
 * search has every of-th seed. The numbers add up: several parts together report what one process with all their seeds would report. */
#ifndef GMPSCOPE_CLI_FINDINGS_H
#define GMPSCOPE_CLI_FINDINGS_H

#include "cli/junit.h"
#include "cli/options.h"
#include "cli/tally.h"
#include "runtime/runtime.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define FINDINGS_KINDS 32u /* of failures that the summary counts separately */

enum exploration_end {
    EXPLORED_SEEDS,
    EXPLORED_FAILURES,
    EXPLORED_TIME,
    EXPLORED_INTERRUPTED,
    EXPLORED_ERROR,
    EXPLORED_ALL,  /* --exhaust: all schedules */
    EXPLORED_BOUND /* --exhaust: a bound is met */
};
extern const char *const exploration_end_name[]; /* as JSON names them */

/* What was searched. All parts of one search agree on all but `part`. */
struct exploration {
    const char *version;                /* of gmpscope */
    const char *scenario;               /* its name */
    uint64_t scenario_hash;             /* of its text */
    const char *command, *tally;        /* the run of the first seed as a command line; tally NULL: none */
    uint64_t seed, seeds;               /* the first; how many in all parts */
    uint32_t gomaxprocs, assumed_procs; /* the run's, the scenario's */
    uint32_t part, of;                  /* from 1; 1 of 1: all */
    enum rt_generation generation;
    uint32_t stalls;    /* up to so many in a run; 0: none */
    enum run_way way;   /* of --fine */
    bool tree;          /* --exhaust, which prints its scope itself */
    bool reduced;       /* --exhaust: the order of independent steps is left out */
    bool calm;          /* --calm */
    bool calls;         /* a Go program: its writes take time, and its sleeps end late */
    bool fine, is_part; /* is_part: JSON says which part */
};
struct failure {
    uint64_t seed, unit;      /* unit: of the tree (--exhaust) */
    uint64_t kind, events;    /* kind: a key (engine_why); events: of its schedule */
    uint64_t at;              /* the event to look at; 0: the last one */
    uint32_t g;               /* the G that it is about; 0: none */
    int code, own;            /* own: what `run` exits with: as code, or the number of os.Exit */
    const char *why, *replay; /* replay: the command line that shows it again */
};
/* Failures that are alike: who waits for whom at which lines, or which claim fails. */
struct failure_kind {
    char why[400];             /* of the smallest */
    uint64_t key, first, n;    /* first: a seed */
    uint64_t smallest, events; /* the seed of the schedule with the fewest events */
    char *open;                /* the command that opens it on the screen, on the heap; NULL: there was no memory for it */
    int code, own;
};
/* What a search for a schedule that decides a claim has found. */
struct found {
    const char *claim;
    const char *open; /* the command that opens it; NULL: none was found */
    uint64_t seed, unit, event;
};
struct findings {
    struct exploration what;
    const struct found *found;                              /* of a part of such a search, or of all; NULL: of another one */
    enum lang lang;                                         /* of the text; JSON is in English */
    const char *why;                                        /* --exhaust: why it is over */
    bool all;                                               /* the text prints every failure (--all), not only the first of each kind */
    uint64_t done, failed, cut, unjudged, narrowed, events; /* done: runs */
    uint64_t may, met;                                      /* bits of the claims `may: X`, and of those that a run showed */
    struct failure_kind kind[FINDINGS_KINDS];
    uint32_t kinds, processes;
    int64_t wall_ns;
    enum exploration_end end;
    VEC(uint64_t) unit; /* of a part of --exhaust: how many schedules each of its units has; the last may be unfinished */
    struct tally races; /* pairs of lines with a data race, in how many runs */
    struct tally tally; /* empty without a query */
};

/* Returns the seed of a part's run number `job`, from 0; and how many runs a part has. */
uint64_t exploration_seed(const struct exploration *s, uint64_t job);
uint64_t exploration_jobs(const struct exploration *s);

/* Counts a failure, in the order of seeds, and prints it at once: JSON each one, the text those that are shown. */
void findings_failure(struct findings *f, const struct failure *one, bool json, FILE *out);
/* Returns true if each kind of failure that was found has come so often. A frequent kind alone does not end a search in which a rare one has come, too. */
bool findings_enough(const struct findings *f, uint64_t times);
/* Makes the command line that replays a run without a screen, on the heap; NULL: memory ran out. */
struct replayer {
    char *(*replay)(const void *ctx);
    const void *ctx;
};
/* Counts the data races of a run: lines of races_lines(). Returns false if memory ran out. */
bool findings_races(struct findings *f, const char *lines, uint64_t seed, const struct replayer *of);
/* Counts a schedule of the unit, if this is a part of --exhaust. Returns false if memory ran out. */
bool findings_unit(struct findings *f, uint64_t unit);
/* Print what comes before the failures and what comes after them. */
void findings_begin(const struct findings *f, bool json, FILE *out);
void findings_end(struct findings *f, bool json, FILE *out);
/* Adds a test case for each kind of failure, or one for the whole search. */
void findings_junit(const struct findings *f, struct junit *j);
/* Prints what the search varied, and what it did not: the absence of a failure is no proof for that. */
void findings_scope(const struct findings *f, FILE *out);
#define SCHEDULES(n) (n), (n) == 1 ? "" : "s" /* for "%" PRIu64 " schedule%s" */
void findings_fini(struct findings *f);

#endif
