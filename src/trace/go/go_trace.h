/* A Go execution trace, version 1 or 2, as our events. What Go's trace does not say, no event here says: queues, runnext, idle Ms, spinning, who asked for a
 * preemption. So their model is partial (model_config.lacks). The order is Go's own (go_order.h).
 *
 * Goroutines keep Go's numbers up to 1,000,000; later ones are numbered from 2000001 in the order in which the trace names them. Threads are numbered
 * from 0 in that order: Go writes the kernel's thread ids, or in version 1 the numbers of its Ms. */
#ifndef GMPSCOPE_TRACE_GO_GO_TRACE_H
#define GMPSCOPE_TRACE_GO_GO_TRACE_H

#include "eventlog/events.h"
#include "trace/go/go_file.h"

struct go_trace;

/* What a trace has, from beginning to end. */
struct go_told {
    int minor;                  /* of the version of its form: 11, 19, 21, 22 … */
    bool no_clock;              /* it ends before it says how long a tick is: a tick counts as 1 ns */
    enum go_state state;        /* whether it is whole */
    const char *wrong;          /* DAMAGED: what cannot be; and where a followed trace ends early, why */
    uint64_t at, size;          /* bytes: how much was read, how much there is */
    uint64_t go_events, events; /* of Go, of ours */
    uint64_t generations, threads, goroutines;
    uint64_t left_out; /* Go's events that change no G, P or M: memory, tasks, regions, logs, labels, sweeps */
    uint32_t procs;    /* GOMAXPROCS at the start, or the highest P + 1 */
    const char *const *fn;
    uint32_t nfn;       /* the functions in which goroutines begin; word `fn` of our events counts them. NULL: not named yet */
    bool followed, any; /* any: it has an event, as far as is known */
    int64_t end;        /* the time of the last event, ns */
};

const char *go_trace_version(int minor); /* of Go, as text: "1.11-1.18"; NULL: its traces cannot be read */
int go_trace_minor(int fd);              /* of the header of a file; 0: it is none */
bool go_trace_is(const char *path);      /* does the file begin as a trace of Go does? */
/* Reads a trace to its end, so that go_trace_told() can say what it has. Takes the descriptor of a regular file. Returns NULL and writes what is wrong;
 * *foreign: the file is none. */
struct go_trace *go_trace_open(int fd, char wrong[GO_TEXT], bool *foreign);
/* The same of a trace that is still being written: the feed has its header, and must outlive it. It knows the functions of its beginning; the others
 * get their numbers later (go_trace_name). Not of version 1. One thread at a time may use it, or the one that holds the lock of that thread. */
struct go_trace *go_trace_follow(struct feed *feed, char wrong[GO_TEXT], bool *foreign);
/* Reads the beginning of a followed trace as far as it has come. Returns true when it has all that it needs, so that it can be shown. */
bool go_trace_begins(struct go_trace *t);
/* Returns the number of a function, which a followed trace may still name. EV_NONE: there is no room for it. `t` is a struct go_trace. */
uint32_t go_trace_name(void *t, const char *name);
/* Waits at most ms for more of a followed trace. Any thread. */
void go_trace_wait(struct go_trace *t, int ms);
/* Returns how long ago that happened which the state at `time` shows, ns; -1: it is not known, or nothing more will come. */
int64_t go_trace_behind(struct go_trace *t, int64_t time);
void go_trace_free(struct go_trace *t);                  /* NULL: does nothing */
const struct go_told *go_trace_told(struct go_trace *t); /* of a followed trace: what has been read since the last rewind */
void go_trace_rewind(struct go_trace *t);
/* The next event, of M *m. Returns false at the end; *lack: because memory ran out. Of a followed trace also where it has not come yet
 * (go_trace_waits): the next call goes on. */
bool go_trace_next(struct go_trace *t, uint32_t *m, struct ev *e, bool *lack);
bool go_trace_waits(const struct go_trace *t);

#endif
