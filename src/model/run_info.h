/* What runs, as data. Engine, session and ui know a run by this alone, so a recording without a scenario can be shown. scenario_run_info() makes
 * that of a live run; a recording has it in its head. What it points to is kept by whoever made it, for longer than the run. */
#ifndef GMPSCOPE_MODEL_RUN_INFO_H
#define GMPSCOPE_MODEL_RUN_INFO_H

#include "base/program_text.h"
#include "base/run_names.h"
#include "base/text.h"
#include "model/flow.h"
#include "model/model.h"

/* A number that was drawn from the seed. */
struct run_number {
    const char *name;
    int64_t value;
};

struct run_info {
    const char *name; /* of its scenario */
    const char *go;   /* the version of the Go that would build the Go program, "go1.26.8"; NULL: it is no Go program */
    struct text title, summary;
    enum rt_generation generation;
    enum conductor_mode mode; /* in which it began */
    bool exact;               /* model_config.exact, as long as it stays in that mode */
    enum run_places places;   /* how it tells which operation each G has reached */
    const char *policy;       /* the name of its policy (lab/gmpscope/policy.h); NULL: none */
    uint64_t seed;
    const struct run_number *drawn; /* `ndrawn` of them */
    uint32_t ndrawn;
    uint32_t procs; /* GOMAXPROCS at the start */
    uint32_t runq_size, max_threads;
    uint32_t start_tick;    /* P0's schedtick at the start */
    int64_t slice;          /* how long a G may run before sysmon preempts it, ns */
    bool has_p, heaps_stay; /* properties of the generation; heaps_stay: see model_config */
    /* Sets of mechanisms, bits DIS_…: what the generation has; what is switched off; what the scenario itself switches off, to show it. */
    uint32_t mechanisms, off, task;
    uint32_t known;              /* a set of KNOWN(…), see model_config */
    uint32_t lacks;              /* a set of LACKS(…): what its source never records, see model_config; 0 for a live run */
    const char *cut;             /* why its source ends before the run does; NULL: it does not */
    uint64_t cut_read, cut_size; /* bytes that could be read, of how many */
    struct model_names programs;
    struct model_objects objects;
    const struct program_text *program; /* NULL: not known */
    const struct flow *flow;            /* NULL: not known */
};

#endif
