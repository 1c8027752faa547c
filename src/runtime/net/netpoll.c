/* The network poller: which G waits for which socket, and how readiness makes Gs runnable (Go: netpoll.go, netpoll_epoll.go, and
 * injectglist of proc.go).
 *
 * Each end of a conn has a struct polldesc with two words, rg for its reader and wg for its writer, which are small state machines:
 *
 *   0          nothing is known: a G that wants to wait makes it PD_WAIT
 *   PD_READY   the socket was reported ready, and no G has used that yet: a G that wants to wait takes it and tries again
 *   PD_WAIT    a G is about to park
 *   a G        it is parked here
 * Readiness enters the word by a swap to PD_READY. So it is never lost between a G's last try and its parking: the G's commit (PD_WAIT
 * -> G) then fails, and the G continues. epoll is edge-triggered: it reports an edge once, to the next M that polls. Two parties poll:
 * findrunnable (without waiting at first, and with waiting when all else is idle), and sysmon, if no M has polled for 10 ms. The count
 * of waiters only grows: when a socket readies a G, Go 1.20 does not subtract that G again (golang.org/issue/33624). So once a G has
 * waited for the network, some M waits in the poller whenever all is idle, and checkdead finds no deadlock any more.
 */
#include "runtime/net/netpoll.h"
#include "runtime/sched/proc.h"
#include <errno.h>
#include <sys/epoll.h>

#define NETPOLL_BATCH 128 /* events per call, as in Go */
#define MS INT64_C(1000000)
#define WAIT_MAX (1000000000 * MS) /* as in Go, an arbitrary limit of 11.5 days */

enum { PD_NIL, PD_READY, PD_WAIT };

/* ---- a G and its socket ------------------------------------------------------------------------------------------ */

/* Runs on g0 after gp was parked. Stores gp in the word that it waits for. If readiness came first, m runs gp again instead. */
static void netpollblockcommit(struct m *m, struct g *gp)
{
    _Atomic uintptr_t *word = gp->param;
    uintptr_t wait = PD_WAIT;
    explore_point(m);
    /* release: the parked G; pairs with netpollunblock(), after which gp may run elsewhere. relaxed on failure: the value is not used */
    if (atomic_compare_exchange_strong_explicit(word, &wait, (uintptr_t)(void *)gp, memory_order_release, memory_order_relaxed)) {
        explore_point(m);
        /* relaxed: an M that polls because of this count has parked a G itself, or was woken by an M that has */
        atomic_fetch_add_explicit(&m->sched->netpollwaiters, 1, memory_order_relaxed);
        return;
    }
    make_runnable(m, gp);
    m->rungp = gp;
    m->runinherit = true;
}

void netpollblock(struct polldesc *pd, _Atomic uintptr_t *word)
{
    for (;;) {
        uintptr_t old = PD_READY;
        explore_point(getm());
        /* acquire: what was done before the readiness; pairs with netpollunblock() */
        if (atomic_compare_exchange_strong_explicit(word, &old, PD_NIL, memory_order_acquire, memory_order_relaxed))
            return;
        old = PD_NIL;
        explore_point(getm());
        /* relaxed: PD_WAIT publishes nothing but its value */
        if (atomic_compare_exchange_strong_explicit(word, &old, PD_WAIT, memory_order_relaxed, memory_order_relaxed))
            break;
        if (old != PD_READY)
            throw(getm(), "runtime: double wait");
    }
    struct m *m = getm();
    curg(m)->param = word;
    m->waitfn = netpollblockcommit;
    gopark(NULL, WAIT_REASON_IO_WAIT, pd->id);
    explore_point(getm());
    /* acquire: as above */
    if (atomic_exchange_explicit(word, PD_NIL, memory_order_acquire) > PD_WAIT)
        throw(getm(), "runtime: corrupted polldesc");
}

void netpollreset(_Atomic uintptr_t *word)
{
    explore_point(getm());
    /* acq_rel: the try that follows sees the data of a readiness that is discarded here; pairs with netpollunblock() */
    atomic_exchange_explicit(word, PD_NIL, memory_order_acq_rel);
}

/* Marks the word as ready. Returns the G that waited in it, which the caller now owns, or NULL. */
static struct g *netpollunblock(struct m *m, _Atomic uintptr_t *word)
{
    explore_point(m);
    /* release: the readiness; acquire: the parked G. Pairs with netpollblock() and netpollblockcommit() */
    uintptr_t old = atomic_exchange_explicit(word, PD_READY, memory_order_acq_rel);
    return old > PD_WAIT ? (struct g *)old : NULL;
}

/* ---- lists of ready Gs ------------------------------------------------------------------------------------------- */

static void glist_push(struct glist *l, struct g *gp)
{
    if (!gp)
        return;
    gp->schedlink = l->head;
    l->head = gp;
}

struct g *glist_pop(struct glist *l)
{
    struct g *gp = l->head;
    l->head = gp->schedlink;
    gp->schedlink = NULL;
    return gp;
}

/* Moves q's first n Gs into a new queue. */
static struct gqueue split(struct gqueue *q, uint32_t n)
{
    struct gqueue first = {q->head, q->head};
    while (--n)
        first.tail = first.tail->schedlink;
    q->head = first.tail->schedlink;
    first.tail->schedlink = NULL;
    return first;
}

/* Starts an M for each of n Gs in the global queue, as long as there are idle Ps. */
static void start_idle(struct m *m, uint32_t n)
{
    struct sched *s = m->sched;
    while (n--) {
        lock(m, &s->lock);
        struct p *pp = pidleget_spinning(m);
        unlock(m, &s->lock);
        if (!pp)
            return;
        startm(m, pp, false);
    }
}

static void inject_global(struct m *m, struct gqueue *q, uint32_t n)
{
    lock(m, &m->sched->lock);
    globrunqputbatch(m, q, n);
    unlock(m, &m->sched->lock);
    start_idle(m, n);
}

/* Makes the waiting Gs of the list runnable. As many as there are idle Ps go to the global queue, and Ms are started for them; the others
 * go to this P's ring. A P that becomes idle right after the count gets none, and no M is woken for the Gs in the ring
 * (golang.org/issue/63555, which belongs to 1.20; since 1.23 one M is woken in any case). Without a P all go to the global queue. No locks held. */
void injectglist(struct m *m, struct glist *list)
{
    struct sched *s = m->sched;
    struct gqueue q = {list->head, NULL};
    uint32_t n = 0;
    if (!list->head)
        return;
    for (struct g *gp = list->head; gp; gp = gp->schedlink, n++) {
        q.tail = gp;
        make_runnable(m, gp);
    }
    list->head = NULL;
    if (!m->p || !s->gen->inject_keeps_local) {
        inject_global(m, &q, n);
        return;
    }
    explore_point(m);
    uint32_t idle = atomic_load_explicit(&s->npidle, memory_order_relaxed); /* a hint, see above */
    uint32_t away = idle < n ? idle : n;
    if (away > 0) {
        struct gqueue first = split(&q, away);
        inject_global(m, &first, away);
    }
    if (n > away)
        runqputbatch(m, m->p, &q, n - away);
    if (!disabled(s, DIS_INJECT_WAKES))
        wakep(m, WAKEP_INJECTED);
}

/* Returns the first G of the list, runnable and in m's hand. Injects the others. */
struct g *run_first(struct m *m, struct glist *list)
{
    struct g *gp = glist_pop(list);
    injectglist(m, list);
    make_runnable(m, gp);
    return gp;
}

/* ---- asking epoll ------------------------------------------------------------------------------------------------ */

bool netpollinited(struct sched *s)
{
    /* relaxed: it never becomes false again, and the M that sets it wakes other Ms */
    return atomic_load_explicit(&s->netpollinited, memory_order_relaxed);
}

uint32_t netpoll_waiters(struct sched *s)
{
    return (uint32_t)atomic_load_explicit(&s->netpollwaiters, memory_order_relaxed); /* see netpollblockcommit() */
}

bool netpoll_wanted(struct sched *s)
{
    return netpollinited(s) && netpoll_waiters(s) > 0;
}

/* Returns the Gs that wait for the n events of ev, newest first, and their number in *ready.
 *
 * The kernel lists the sockets in the order in which they became ready, and each keeps its place until it is fetched. Lockstep needs no
 * sorting: a socket becomes ready inside a send(), recv() or epoll_ctl() of the M that has the baton, so the kernel sees the same events
 * in the same order in every run of a seed. That also holds with --fine, where two sockets may become ready between two polls. */
static struct glist take_ready(struct m *m, struct epoll_event *ev, int n, uint32_t *ready)
{
    struct glist list = {NULL};
    for (int i = 0; i < n; i++) {
        struct polldesc *pd = ev[i].data.ptr;
        explore_point(m);
        /* The kernel's buffer may have room although our credit is used up (conn.c). acquire: pairs with conn_take() */
        bool room = atomic_load_explicit(&pd->out, memory_order_acquire) < CONN_CREDIT;
        if (ev[i].events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR))
            glist_push(&list, netpollunblock(m, &pd->rg));
        if (ev[i].events & (EPOLLOUT | EPOLLHUP | EPOLLERR) && room)
            glist_push(&list, netpollunblock(m, &pd->wg));
    }
    *ready = 0;
    for (struct g *gp = list.head; gp; gp = gp->schedlink)
        ++*ready;
    return list;
}

static int epfd(struct sched *s)
{
    return atomic_load_explicit(&s->epfd, memory_order_acquire); /* pairs with netpollopen() */
}

struct glist netpoll(struct m *m)
{
    struct epoll_event ev[NETPOLL_BATCH];
    uint32_t ready;
    int n = conductor_netpoll(m->w, epfd(m->sched), ev, NETPOLL_BATCH, 0);
    struct glist list = take_ready(m, ev, n, &ready);
    if (ready)
        emit_gate(m, ev_of(m, EV_NETPOLL_READY, 0, ready, 0, 0, 0));
    return list;
}

/* Returns how long epoll_wait() waits when Go calls netpoll(delay): epoll counts whole milliseconds. So the poller may wake up to 1 ms
 * late, and then all timers that are due fire in one checkTimers. Or it wakes early and waits once more for the rest. */
static int64_t epoll_ns(int64_t delay)
{
    if (delay <= 0)
        return delay;
    if (delay < MS)
        return MS;
    return delay < WAIT_MAX ? delay / MS * MS : WAIT_MAX;
}

/* Waits until a G is ready, until about `polluntil` (0: no limit), or until netpoll_break(). m has no P; the caller has set lastpoll to 0.
 * Only Go 1.14 and later set a limit. Before that the poller waits only for sockets, and timerproc waits for timers on a futex, which
 * counts nanoseconds (timerproc.c). The poll server of 1.0 also counts milliseconds, rounded up, but only for deadlines of sockets,
 * which do not exist here. A socket may become ready before its G has parked. The G then finds that in its word, and no G is readied
 * here. Go 1.20 returns an empty list then, and its caller starts its search again. Before 1.14 the wait continues here, because the
 * caller would stop its M. If a G parks just before lastpoll is stored again, its M still sees an M in the poller, so no M would poll
 * for that G. */
struct glist netpoll_wait(struct m *m, int64_t polluntil)
{
    struct sched *s = m->sched;
    struct epoll_event ev[NETPOLL_BATCH];
    uint32_t ready;
    explore_point(m);
    atomic_store_explicit(&s->polluntil, polluntil, memory_order_seq_cst); /* as in wake_netpoller() */
    int64_t now = nanotime(m), delay = epoll_ns(polluntil == 0 ? -1 : polluntil > now ? polluntil - now : 0);
    m->did.netpolls++;
    struct ev e = ev_of(m, EV_NETPOLL_WAIT, 0, 0, 0, 0, 0);
    ev_set_cd(&e, delay);
    m->polling = true;
    emit_gate(m, e);
    struct glist list;
    do {
        int n = conductor_netpoll(m->w, epfd(s), ev, NETPOLL_BATCH, delay);
        list = take_ready(m, ev, n, &ready);
    } while (!ready && s->gen->netpoll_retries);
    reset_run_count(m);
    m->polling = false;
    emit_gate(m, ev_of(m, EV_NETPOLL_READY, 0, ready, 0, 0, 0));
    explore_point(m);
    atomic_store_explicit(&s->polluntil, 0, memory_order_seq_cst);
    explore_point(m);
    if (!s->gen->lastpoll_before_wait || !disabled(s, DIS_FRESH_LASTPOLL))
        now = nanotime(m);
    atomic_store_explicit(&s->lastpoll, now > 0 ? now : 1, memory_order_seq_cst);
    return list;
}

void netpoll_break(struct m *m)
{
    emit_gate(m, ev_of(m, EV_NETPOLL_BREAK, 0, 0, 0, 0, 0));
    conductor_net_break(m->w);
}

/* ---- descriptors ------------------------------------------------------------------------------------------------- */

int netpollopen(struct sched *s, struct polldesc *pd)
{
    int ep = epfd(s);
    if (ep < 0) {
        if ((ep = epoll_create1(EPOLL_CLOEXEC)) < 0)
            return -errno;
        atomic_store_explicit(&s->epfd, ep, memory_order_release); /* pairs with epfd() */
        atomic_store_explicit(&s->netpollinited, true, memory_order_relaxed);
    }
    struct epoll_event ev = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = pd};
    return epoll_ctl(ep, EPOLL_CTL_ADD, pd->fd, &ev) < 0 ? -errno : 0;
}

void netpollarm(struct m *m, struct polldesc *pd)
{
    struct epoll_event ev = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = pd};
    if (epoll_ctl(epfd(m->sched), EPOLL_CTL_MOD, pd->fd, &ev) < 0)
        lack(m, "epoll_ctl", errno);
}
