/* What is followed of a run to write it as a Go execution trace: who runs where, and the numbers that order a reader's events. */
#ifndef GMPSCOPE_ENGINE_EXPORT_GOTRACE_INTERNAL_H
#define GMPSCOPE_ENGINE_EXPORT_GOTRACE_INTERNAL_H

#include "engine/export/gotrace_tables.h"

enum { P_NEW, P_RUNS, P_STOPPED, P_IN_CALL }; /* after P_NEW: Go's numbers */
enum { BATCH_FULL = 60000, GOTRACE_ARGS = 4, NOBODY = -1 };

/* A batch that is being filled: of an M, or in version 1 of a P. */
struct trace_batch {
    struct export_buf data;
    int64_t begins, last;
};

struct trace_m {
    struct trace_batch batch;
    uint32_t g;          /* 0: none */
    int32_t p;           /* NOBODY: none */
    VEC(uint32_t) marks; /* strings, for the next G that starts here */
};

struct trace_g {
    uint32_t id;
    uint8_t status; /* enum g_status, as Go's numbers 1 to 4; 0: it is not there */
    uint32_t seq, m;
    uint32_t old_seq; /* version 1: how often it was started, readied, or came back from a call */
    int64_t back;     /* version 1: when it came back from a system call, which is written when it runs; 0: it did not */
};

struct gotrace {
    struct gotrace_tables t;
    VEC(struct trace_m) ms;
    VEC(struct trace_g) gs;
    struct id_table g_of;
    struct {
        uint8_t status;
        uint32_t seq, m;
    } p[EV_MAX_P];
    uint64_t cycles;
    bool collects, lacks;
    uint32_t procs;   /* GOMAXPROCS, while it has not been said; 0: it has been */
    uint32_t stopper; /* the G that stops the world; 0: none */
    int64_t now;

    /* version 1 */
    struct trace_batch *stream; /* of each P, then the one of no P */
    uint32_t stream_last, collections;
};

/* Writes an event of version 2 as those of version 1 that say the same. */
void gotrace_old_put(struct exporter *x, uint32_t m, enum go_kind kind, const uint64_t arg[GOTRACE_ARGS]);
/* Begins with the Gs and Ps that there are. Returns false if memory ran out. */
bool gotrace_old_begin(struct exporter *x);
bool gotrace_old_end(struct exporter *x);
void gotrace_old_fini(struct gotrace *t);

#endif
