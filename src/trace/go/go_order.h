/* The events of an execution trace, in one order. Each thread's events are in the order in which they happened; between threads, numbers count the
 * transitions of each G and P, so an event waits until its number is the next one. internal/trace/order.go of Go's source is the reference. */
#ifndef GMPSCOPE_TRACE_GO_GO_ORDER_H
#define GMPSCOPE_TRACE_GO_GO_ORDER_H

#include "trace/go/go_file.h"
#include "trace/go/go_frontier.h"

#define GO_NO_G UINT64_MAX
#define GO_NO_P UINT32_MAX
enum { GO_THREADS_MOST = 1 << 16, GO_PS_MOST = 1024 };

/* Go's numbers in its status events. */
enum go_g_status { GO_G_NONE, GO_G_RUNNABLE, GO_G_RUNNING, GO_G_SYSCALL, GO_G_WAITING };
enum go_p_status { GO_P_NONE, GO_P_RUNNING, GO_P_IDLE, GO_P_SYSCALL, GO_P_ABANDONED };

struct go_g {
    uint64_t id, generation, seq;
    uint32_t number; /* the reader's own; 0: none yet */
    uint8_t status;  /* enum go_g_status; GO_G_NONE: the entry is free */
    uint8_t old;     /* version 1: the status by which its events are ordered; while it waits or is in a system call: GO_G_WAITING */
    bool early;      /* version 1: it was there when the trace began, and its state has not been put out */
    uint32_t fn;     /* the reader's number of the function in which it began, + 1; 0: not known */
    uint32_t m;      /* version 1: the place of the thread on which it is in a system call */
    uint64_t stack;  /* version 1: the stack that says in which function it began */
    int64_t assist;  /* ns: since when it assists the collector; -1: it does not */
};
struct go_p {
    uint64_t generation, seq;
    uint8_t status;
};
struct go_m {
    uint64_t id, g;
    uint32_t p;
};

/* An event. m, g, p: its thread, by its place in `ms`, and what that had before it. */
struct go_event {
    uint8_t kind, was; /* was: of a status: it was known; of GO_PROC_STEAL: enum go_p_status of the P before; of GO_PROC_STOP the same */
    int64_t time;      /* ns since the first event */
    uint32_t m, p;
    uint64_t g, arg[GO_ARGS];
    uint64_t number; /* from 1 */
};

struct go_order {
    struct go_file *f;
    struct id_table g_of, m_of; /* to places in `gs`, `ms` */
    VEC(struct go_g) gs;
    VEC(uint32_t) free_gs;
    VEC(struct go_m) ms;
    struct go_p ps[GO_PS_MOST];
    uint64_t first_generation, gc_seq, events, added; /* added: Gs */
    uint8_t gc;                                       /* 0: not known, 1: it does not run, 2: it runs */
    uint64_t ticks0;                                  /* the time of the first event */
    int64_t last;                                     /* ns */
    struct go_g gone;                                 /* the G that has ended last */
    struct go_frontier frontier;                      /* of the threads */
    struct go_cursor *spare;
    struct go_old *old; /* of a trace of version 1 */
};

void go_order_init(struct go_order *o, struct go_file *f); /* f: at its beginning */
void go_order_fini(struct go_order *o);
/* Returns false at the end of what can be read: f->state says whether that is the end. */
bool go_order_next(struct go_order *o, struct go_event *e);
struct go_g *go_order_g(struct go_order *o, uint64_t id); /* NULL: it is not alive */
uint64_t go_order_threads(const struct go_order *o);      /* how many the trace names */

/* For version 1 (go_old.h). */
struct go_g *go_order_add(struct go_order *o, uint64_t id, uint8_t status); /* NULL: out of memory */
bool go_order_remove(struct go_order *o, uint64_t id);
uint32_t go_order_thread(struct go_order *o, uint64_t id); /* its place in `ms`, which is GO_THREADS_MOST if there can be no more */
/* Writes the time and the number of the event that comes next. */
void go_order_number(struct go_order *o, struct go_event *e, uint64_t ticks);

#endif
