/* Runs many short jobs on all CPUs, in child processes (cmd_explore.c).
 *
 * A child does jobs k, k + children, k + 2 * children …, and writes one outcome after each into its pipe. So the parent knows which job
 * a child was doing when it crashed or hung: only that job is lost, it is reported as lost, and a new child continues after it.
 */
#ifndef GMPSCOPE_ENGINE_WORKER_POOL_H
#define GMPSCOPE_ENGINE_WORKER_POOL_H

#include <stdbool.h>
#include <stdint.h>

/* Fixed in size and smaller than PIPE_BUF: it is written and read whole. */
struct outcome {
    uint64_t job, events;
    uint64_t at;        /* of a failure: the event to look at; 0: the last one */
    uint32_t at_g;      /* the G that it is about; 0: none */
    int32_t code;       /* the exit code of the same run alone, */
    int32_t own;        /* and with the number of os.Exit */
    bool cut, unjudged; /* code is 0, but a limit ended it (cut), or its claims were not judged */
    bool narrowed;      /* claims with `stalls: no` were not judged */
    bool lacks;         /* the machine lacked what the job needs; proves nothing about the job */
    bool has_value;     /* the query had a value */
    bool none, last;    /* --exhaust: there was no run; there is none after this one */
    uint8_t state;      /* enum exhaust_state */
    uint64_t may, met;  /* bits of the scenario's claims `may: X`, and of those that the run shows */
    uint64_t unit;      /* --exhaust: which part of the tree it is in (engine/exhaust.h) */
    uint64_t choices;   /* 1 + where the text of its choices is (search.h); 0: none */
    char value[256];    /* of explore --tally */
    char races[1000];   /* races_lines() of it */
    uint64_t kind;      /* of the failure (engine_why) */
    char why[400];      /* one line; "" for code 0 */
};

struct worker_pool {
    uint64_t jobs;     /* how many there are */
    uint32_t children; /* 0: one for each CPU that this process may use */
    int stuck_ms;      /* a child that is silent for longer hangs */
    void *ctx;
    void (*work)(void *ctx, struct outcome *out);       /* in a child; out->job is set, the rest zero */
    bool (*done)(void *ctx, const struct outcome *out); /* in the parent; false: that is enough */
    bool (*tick)(void *ctx);                            /* in the parent, about ten times a second; the same */
};

uint32_t worker_pool_children(const struct worker_pool *f);
/* Returns 0 when all jobs are done or a callback had enough; a negative errno if a child cannot be created or read from. Callers must be
 * single-threaded (fork). */
int worker_pool_run(const struct worker_pool *f);

#endif
