/* The search over many seeds that explore and claim share (cmd_explore.c): the processes, the order of seeds, the progress line. */
#ifndef GMPSCOPE_CLI_SEARCH_H
#define GMPSCOPE_CLI_SEARCH_H

#include "cli/findings.h"
#include "engine/engine.h"
#include "engine/worker_pool.h"
#include "model/query/modal.h"

/* A run of a search: its seed, and with --exhaust its unit and the choices in it (else ""); NULL: they are lost. */
struct search_run {
    uint64_t seed, unit;
    const char *choices;
};

/* What a search asks of each run besides how it ends. */
struct search_asks {
    void *ctx;
    bool sees_order; /* it may depend on the order of any two events, or on the state between them */
    /* In a child: makes the reader of one run; its ctx is the state that the next two get. Returns: false, with *err; NULL: memory ran out. */
    bool (*begin)(void *ctx, const struct scenario *drawn, struct arena *a, struct reader *of, const char **err);
    void (*note)(const struct engine *e, void *state, struct outcome *out); /* when the run is over */
    void (*fini)(void *state);                                              /* NULL: the state is in the arena */
    /* In the parent, in the order of seeds. Returns false if that is enough. NULL: not called. */
    bool (*count)(void *ctx, const struct outcome *out, const struct search_run *run);
    /* Reports the search instead of findings_end(), unless it failed. signal: 0, or the exit code for the signal that ended it. Returns: the exit
     * code. NULL: findings_end() reports. */
    int (*report)(void *ctx, const struct findings *f, int signal);
};

/* cmd_claim.c: a claim about all schedules: as it was typed, or as it stands in a scenario, where the numbers that a seed draws ({n}) are filled in. */
struct claim_place {
    const char *typed; /* NULL: entry i of `expect`, or of `lesson`: */
    uint32_t i;
    enum modal_word asked; /* MODAL_MAY, or MODAL_NEVER if the answer is no */
    bool lesson;
};
/* What a search says about a claim, for check; both texts on the heap, NULL: memory ran out. */
struct claim_answer {
    bool decided, holds;
    char *claim; /* "may: X", with the numbers of the schedule that was found */
    char *text;  /* the answer, with the command on a second line */
};
/* Searches for a schedule that decides the claim, as `gmpscope claim` does with these options. Returns: the exit code. */
int claim_search(const struct scenario *sc, struct options *o, const struct claim_place *at, struct claim_answer *a);

/* Sets the options that a search implies. */
void search_options(const struct scenario *sc, struct options *o);
/* Loads the scenario of a search (o->args[0]), and calls search_options(). Returns: NULL after an error message. */
struct scenario *search_scenario(struct options *o);
/* Tries the seeds that the options name. asked: NULL: nothing more. Returns: the exit code. */
int search_run(const struct scenario *sc, const struct options *o, const struct search_asks *asked);
/* Runs a seed once more, in a child, since it may crash or hang, and records it. Returns: 0, or 2 after a message. */
int record_seed(const struct scenario *sc, const struct options *o, uint64_t seed);
#define STUCK_MS 60000 /* a child that is silent for longer hangs */

#endif
