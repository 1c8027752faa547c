/* One state of the scheduler as plain data. The runtime fills one from its memory, the model another from its fold, and the audit
 * compares them field by field (engine/audit.c). The snapshot owns all its memory and reuses it for the next fill. */
#ifndef GMPSCOPE_EVENTLOG_SNAPSHOT_H
#define GMPSCOPE_EVENTLOG_SNAPSHOT_H

#include "eventlog/events.h"

enum g_place {
    PLACE_IN_TRANSIT, /* runnable and in no queue: an M is moving it. where = M */
    PLACE_RUNNING,    /* on an M (running or in a system call); where = M */
    PLACE_RUNNEXT,    /* where = P */
    PLACE_RUNQ,       /* where = P, slot = absolute index */
    PLACE_GLOBQ,      /* slot = position from the head */
    PLACE_WAITING,    /* parked */
    PLACE_DEAD,
    PLACE_DISABLED, /* a user G on sched.disable's list */
    PLACE_UNKNOWN,  /* the source of the events does not say where; where = EV_NONE */
};

struct snap_timer {
    int64_t when;
    uint32_t g;
    uint32_t what : 8;   /* enum timer_what; of timers with the same time and G in any order */
    uint32_t zombie : 1; /* it was stopped, and its entry is still in the heap */
    uint32_t chan : 23;  /* its own channel, 0: none */
};                       /* sorted by (when, g, zombie, chan) */

struct snap_p {
    uint32_t status;     /* enum p_status */
    uint32_t m;          /* EV_NONE: none */
    uint32_t head, tail; /* absolute */
    uint32_t runnext;    /* G or 0 */
    uint32_t schedtick;
    uint32_t *ring; /* tail - head Gs, from the head */
    uint32_t ntimers;
    struct snap_timer *timers;
};
/* Sorted by id; dead Gs are left out. reason, obj: what the G waits for, 0 unless it waits. fn, i, by: as in its go_create. */
struct snap_g {
    uint32_t id, status, reason, place, where, slot, obj, fn, i, by;
};
/* Index = id; only Ms that logged m_start. */
struct snap_m {
    uint32_t p, curg, lockedg;
    uint32_t oldp;          /* the P that its call has, or had; EV_NONE: none */
    bool spinning, blocked; /* blocked: on the idle list */
    bool netpoll;           /* has logged netpoll_wait and not yet netpoll_ready */
    bool sysmon, template, exited;
    int8_t idlelocked; /* 1: sleeps until its locked G can run; -1: woken before it slept */
};

/* Sorted by kind and id. n: values in a channel's buffer, readers of an RWMutex, a WaitGroup's counter, bytes on their way from end a of a conn;
 * n2: from end b. held: locked, or a writer is there. flag: a starving mutex, a closed channel. */
struct snap_object {
    uint8_t kind; /* enum ev_object_kind */
    bool held;
    int8_t flag; /* a count: twice in starvation mode is a mistake */
    uint32_t id, holder;
    int32_t n, n2;
    uint32_t *wait[2], nwait[2]; /* the Gs in its queues, the first in front: [0] receive or read, [1] send or write */
};

/* What the runtime counts itself, where it acts: the counters of the same names are made of events (model/count_event.h). */
#define SNAP_COUNTS(X) \
    X(goroutines) \
    X(steals) \
    X(stolen) \
    X(runq_overflows) \
    X(overflowed) \
    X(handoffs) X(retakes) X(preempts) X(async_preempts) X(m_created) X(m_parks) X(netpolls) X(timers_fired) X(syscalls) X(stws)
struct snap_counts {
#define X(name) uint64_t name;
    SNAP_COUNTS(X)
#undef X
};
#define SNAP_COUNTS_N (sizeof(struct snap_counts) / sizeof(uint64_t))

struct snapshot {
    uint32_t np, ng, nm, nglobq, nidlep, nidlem, ndisabled;
    uint32_t nmspinning, npidle;
    bool needspinning;
    struct snap_counts counts;
    struct snap_p *p;
    struct snap_g *g;
    struct snap_m *m;        /* nm = highest started id + 1; m[i].p and oldp EV_NONE, curg 0 where not started */
    uint32_t *globq;         /* from the head */
    uint32_t *disabled;      /* user Gs that may not run, oldest first */
    uint32_t *idlep, *idlem; /* from the top of the list */
    uint32_t ntimers;        /* timers of the single heap of a generation without Ps */
    struct snap_timer *timers;
    uint32_t nobject; /* 0 in the runtime's once the program has ended */
    bool any_order;   /* set by the model, which does not know the order of Gs that began to wait for an object at about the same time */
    struct snap_object *object;
    /* bump memory for all arrays above; it grows by chunks, so pointers into it stay valid */
    struct snap_chunk {
        struct snap_chunk *next;
        size_t used, size;
    } * chunks;
};

/* {0} is an empty snapshot. Returns zeroed memory that is valid until snapshot_reset() or snapshot_fini(), NULL if memory ran out. */
void *snapshot_alloc(struct snapshot *s, size_t n, size_t size);
void snapshot_reset(struct snapshot *s);
void snapshot_fini(struct snapshot *s);
struct snap_g *snapshot_g(const struct snapshot *s,
                          uint32_t id); /* its Gs are in the order of their ids; NULL: it has none with this one */

#endif
