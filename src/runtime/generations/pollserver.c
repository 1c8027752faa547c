/* The network before the scheduler knew of it (Go 1.0: package net's pollServer). A G of its own asks epoll, in a system call that blocks
 * its thread as any other does; it readies the Gs that waited, and they queue up like all. The program pays two switches of threads
 * for each wait, and one thread; in return the scheduler needs to know nothing. Go 1.1 moved the poller into findrunnable().
 *
 * Where this differs from the original: there a G registers its socket each time it has to wait, for one event, and waits on a channel;
 * here sockets are registered once, edge-triggered, and it waits in the words of netpoll.c, which all generations share.
 *
 * The G counts as running (it is in a system call, or about to go there), so a program that has used a socket is never found dead.
 */
#include "runtime/net/netpoll.h"
#include "runtime/sched/proc.h"

/* On its own G, for ever. */
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
    /* relaxed: only one M sets it; no other M needs to see the G that it makes */
    if (s->gen->has_p || atomic_exchange_explicit(&s->one.pollserver, true, memory_order_relaxed))
        return;
    struct g *gp = newsystemg(m, pollserver, NULL, SYSG_POLLSERVER);
    if (!gp)
        no_stack(m);
    s->gen->put(m, gp, WAKEP_NEW_G);
}
