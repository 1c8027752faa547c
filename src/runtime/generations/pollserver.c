/* The network in a generation whose scheduler does not poll (Go 1.0: package net's pollServer). A dedicated G waits for epoll in a
 * system call, which blocks its thread like any other call. It readies the Gs that waited, and they are queued like all others. The
 * program pays two thread switches for each wait, and one thread; in return the scheduler needs no poller. Go 1.1 moved the poller into
 * findrunnable(). Difference from the original: in Go, a G registers its socket for one event each time it has to wait, and waits on a
 * channel. Here sockets are registered once, edge-triggered, and the G waits in the words of netpoll.c, which all generations share.
 *
 * The G counts as running (it is in a system call, or about to enter one), so no deadlock is reported after a program has used a socket.
 */
#include "runtime/net/netpoll.h"
#include "runtime/sched/proc.h"

/* The body of the poll server's G. Never returns. */
static void pollserver(void *arg)
{
    (void)arg;
    for (;;) {
        struct m *m = getm(); /* read again: the G may be on another thread now */
        entersyscall(m, CALL_IO, true);
        struct glist list = netpoll_wait(m, 0);
        exitsyscall(m);
        while (list.head)
            goready(glist_pop(&list));
    }
}

/* Go: onceStartServer. On a G stack, no locks held. */
void pollserver_start(struct m *m)
{
    struct sched *s = m->sched;
    /* relaxed: only decides which M makes the G; the others do not use that G */
    if (s->gen->has_p || atomic_exchange_explicit(&s->one.pollserver, true, memory_order_relaxed))
        return;
    struct g *gp = newsystemg(m, pollserver, NULL, SYSG_POLLSERVER);
    if (!gp)
        no_stack(m);
    s->gen->put(m, gp, WAKEP_NEW_G);
}
