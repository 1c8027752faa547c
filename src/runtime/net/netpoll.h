/* The network poller's internals, for conn.c and the scheduler (Go: netpoll.go). */
#ifndef GMPSCOPE_RUNTIME_NET_NETPOLL_H
#define GMPSCOPE_RUNTIME_NET_NETPOLL_H

#include "runtime/sched/rt.h"

/* One end of a conn, known to epoll. Lives until rt_free. */
struct polldesc {
    uint32_t id, side; /* the conn's number; 0: a, 1: b */
    int fd;
    _Atomic uintptr_t rg, wg; /* netpoll.c's head: 0, ready, about to wait, or the G that waits */
    _Atomic uint32_t out;     /* bytes written at this end and not yet read at the other */
};

/* Registers pd with epoll, edge-triggered. The first call makes the epoll instance. Returns 0 or a negative errno. Caller: before other
 * Gs run. */
int netpollopen(struct sched *s, struct polldesc *pd);
/* Makes epoll report pd once more if it is ready now. */
void netpollarm(struct m *m, struct polldesc *pd);
/* Starts the poll server's G, in a generation whose scheduler does not poll; at most once. On a G stack, no locks held. */
void pollserver_start(struct m *m);
/* On a G stack. netpollreset() discards an old readiness before the first try; netpollblock() waits for a new one after a try that would
 * block. */
void netpollreset(_Atomic uintptr_t *word);
void netpollblock(struct polldesc *pd, _Atomic uintptr_t *word);

#endif
