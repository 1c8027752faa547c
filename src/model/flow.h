/* The programs of a run as a graph: what each operation does to which object, and which operations can follow it. With it, waits.h knows what a
 * G can still do. A scenario makes it (scenario/flow.c); a run without one has none. */
#ifndef GMPSCOPE_MODEL_FLOW_H
#define GMPSCOPE_MODEL_FLOW_H

#include "eventlog/events.h"

/* What an operation does, as far as other Gs are concerned. */
enum flow_kind {
    FLOW_PLAIN, /* it waits for no other G, and no other G waits for it */
    FLOW_SELECT,
    FLOW_SEND,
    FLOW_RECV,
    FLOW_RANGE,
    FLOW_CLOSE,
    FLOW_LOCK,
    FLOW_UNLOCK,
    FLOW_RLOCK,
    FLOW_RUNLOCK,
    FLOW_WLOCK,
    FLOW_WUNLOCK,
    FLOW_LOWER, /* done, or an add that may be negative */
    FLOW_WAIT,
    FLOW_COND_WAIT,
    FLOW_SIGNAL,
    FLOW_READ,
    FLOW_WRITE,
    FLOW_GO,    /* starts Gs of a program (enum flow_start) */
    FLOW_TIMER, /* makes a timer that sends on the channel */
    FLOW_KINDS
};

/* When a FLOW_GO starts its program. A finalizer runs on the runtime's own G. */
enum flow_start { START_NOW, START_BY_TIMER, START_AS_FINALIZER };

#define FLOW_NONE UINT32_MAX /* no node: the program ends, or there is no such way on */

/* One operation, or one case of a select. The cases of a select follow it. */
struct flow_node {
    uint8_t kind;           /* enum flow_kind */
    uint8_t end;            /* read, write: the end of the conn, enum conn_end */
    bool called;            /* its program is called by others, so Gs of these can be here */
    bool in_case;           /* a case of a select: `alt` is the next case */
    uint32_t line;          /* of the scenario file */
    uint32_t fn;            /* the program that it belongs to */
    uint32_t id, n;         /* the objects with the ids id … id + n - 1; go: the program that it starts, and enum flow_start */
    uint32_t mutex, nmutex; /* cond_wait: its mutex has one of the ids mutex … mutex + nmutex - 1 */
    uint32_t next;          /* what follows when the operation is done */
    uint32_t
        alt; /* the other way: else, the body of a loop or range, the first case of a select; a lock: for those that find a once done */
};

struct flow {
    bool lines; /* it says only at which line each operation is: those of a Go program, which can do anything */
    const struct flow_node *node;
    uint32_t n;
    const uint32_t *of_op; /* `nops` of them: the node of each operation, by its number (model_g_op) */
    uint32_t nops;
    const uint32_t *start; /* `nfn` of them: the first node of each program */
    uint32_t nfn;
};

#endif
