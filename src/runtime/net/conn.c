/* Connected pairs of real, non-blocking sockets, read and written by Gs (Go: internal/poll's FD over the poller).
 *
 * Each read and write is a full system call: the P stays behind in Psyscall, and sysmon may take it. A call that would block parks the G in
 * the poller instead of blocking the thread in the kernel.
 * When does a write block? The kernel's buffer does not decide: its size depends on the kernel's version, on page sizes and on how the
 * bytes were split, and a run must not depend on those. Instead, each direction has a credit of 64 KiB. Bytes that are written and not
 * yet read use it up. The bytes' values mean nothing. So bytes that the credit allows but the kernel has no room for are only counted as
 * owed, and the reader gets them after those in the kernel. The sockets carry readiness and bytes; only the credit blocks. The kernel
 * gets few large pieces and has large buffers, so it always reports room to write. When a reader frees credit that was used up, it makes
 * epoll check the writer's end again, which produces the edge that the writer waits for.
 */
#include "runtime/net/netpoll.h"
#include "runtime/sched/proc.h"
#include "runtime/sched/race.h"
#include "runtime/sync/fdmutex.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define SENDS_MAX 16u /* the most pieces that the kernel holds: a piece costs it more than its bytes */
#define SOCKET_BUFFER (4 * (int)CONN_CREDIT)

/* At each end, one G at a time reads and one writes, because a polldesc has room for one of each. */
struct end {
    struct polldesc pd;
    struct fdmutex reading, writing;
    /* What was written here, under lock; pd.out is the sum of kernel and owed. */
    struct rlock lock;
    uint32_t kernel, pieces, owed;
};

struct conn {
    struct object object;
    struct end end[2];
};

/* ---- bytes, in a system call ------------------------------------------------------------------------------------- */

static void log_op(struct m *m, const struct end *e, enum conn_op op, uint32_t n)
{
    emit_object(m, ev_of(m, EV_CONN_OP, goid(curg(m)), e->pd.id, op | e->pd.side << 16, n, 0));
}

/* n more bytes into the direction that begins at e: to the kernel as many as it takes, the rest is owed. Under e's lock. */
static void conn_put(struct m *m, struct end *e, uint32_t n)
{
    static const char bytes[CONN_CREDIT];
    ssize_t sent = 0;
    racereleasemerge(m, RACE_IO);
    explore_point(m);
    if (e->kernel == 0 || e->pieces < SENDS_MAX) {
        do
            sent = send(e->pd.fd, bytes, n, MSG_NOSIGNAL);
        while (sent < 0 && errno == EINTR);
        if (sent < 0 && (errno == ENOMEM || (errno == ENOBUFS && e->kernel == 0)))
            lack(m, "cannot send", errno);
        if (sent < 0 && ((errno != EAGAIN && errno != ENOBUFS) || e->kernel == 0))
            throw(m, "conn: send failed");
    }
    if (sent > 0) {
        e->kernel += (uint32_t)sent;
        e->pieces++;
    } else {
        sent = 0;
    }
    e->owed += n - (uint32_t)sent;
    explore_point(m);
    /* relaxed: under the lock; an M that reads it without the lock is notified by conn_take() */
    atomic_fetch_add_explicit(&e->pd.out, n, memory_order_relaxed);
    log_op(m, e, CONN_OP_WRITE, n);
}

/* Takes n bytes, which must be there, out of the direction that begins at `from`. They are read at fd. Caller holds from's lock. */
static void conn_take(struct m *m, struct end *from, int fd, uint32_t n)
{
    static _Thread_local char scratch[4096]; /* never read; too large for a G's stack */
    uint32_t left = n;
    explore_point(m);
    while (left && from->kernel) {
        size_t want = left < from->kernel ? left : from->kernel;
        ssize_t got = recv(fd, scratch, want < sizeof scratch ? want : sizeof scratch, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == ENOMEM || errno == ENOBUFS))
            lack(m, "cannot receive", errno);
        if (got <= 0)
            throw(m, "conn: bytes are missing");
        from->kernel -= (uint32_t)got;
        left -= (uint32_t)got;
    }
    if (from->kernel == 0)
        from->pieces = 0;
    from->owed -= left;
    explore_point(m);
    raceacquire(m, RACE_IO);
    log_op(m, from, CONN_OP_READ, n);
    /* release: there is credit again; pairs with take_ready(), which will see it for the edge that is armed now */
    if (atomic_fetch_sub_explicit(&from->pd.out, n, memory_order_release) != CONN_CREDIT || !n)
        return;
    explore_point(m);
    netpollarm(m, &from->pd);
}

static uint32_t least(int64_t n, uint32_t limit)
{
    return n < limit ? (uint32_t)n : limit;
}

/* Makes one write system call of at most n bytes. Returns how many were written; 0: it would block. On a G stack. */
static uint32_t conn_write(struct end *e, int64_t n)
{
    struct m *m = getm();
    entersyscall(m, CALL_IO, false);
    lock(m, &e->lock);
    uint32_t k = least(n, CONN_CREDIT - atomic_load_explicit(&e->pd.out, memory_order_relaxed)); /* under the lock */
    if (k)
        conn_put(m, e, k);
    unlock(m, &e->lock);
    exitsyscall(m);
    return k;
}

/* Makes one read system call at e, for what the other end `from` has written. Returns as conn_write(). */
static uint32_t conn_read(struct end *e, struct end *from, int64_t n)
{
    struct m *m = getm();
    entersyscall(m, CALL_IO, false);
    lock(m, &from->lock);
    uint32_t k = least(n, atomic_load_explicit(&from->pd.out, memory_order_relaxed)); /* under the lock */
    if (k)
        conn_take(m, from, e->pd.fd, k);
    unlock(m, &from->lock);
    exitsyscall(m);
    return k;
}

/* ---- the public functions --------------------------------------------------------------------------------------------- */

static void check_size(int64_t n)
{
    if (n < 0)
        fatalpanic("runtime error: makeslice: len out of range");
}

/* Go's FD.Write: all n bytes, however often it has to wait. */
void rt_conn_write(struct conn *c, uint32_t side, int64_t n)
{
    explore_depends(getm());
    struct end *e = &c->end[side];
    safepoint();
    check_size(n);
    pollserver_start(getm());
    fd_lock(&e->writing, EV_FD_MUTEX + e->pd.id);
    netpollreset(&e->pd.wg);
    while (n > 0) {
        uint32_t k = conn_write(e, n);
        n -= k;
        if (k == 0)
            netpollblock(&e->pd, &e->pd.wg);
    }
    fd_unlock(&e->writing);
}

/* Go's FD.Read: waits until there is something, and takes up to n bytes of it. */
static uint32_t fd_read(struct end *e, struct end *from, int64_t n)
{
    uint32_t k;
    fd_lock(&e->reading, EV_FD_MUTEX + e->pd.id);
    netpollreset(&e->pd.rg);
    while ((k = conn_read(e, from, n)) == 0)
        netpollblock(&e->pd, &e->pd.rg);
    fd_unlock(&e->reading);
    return k;
}

/* Go's io.ReadFull. */
void rt_conn_read(struct conn *c, uint32_t side, int64_t n)
{
    explore_depends(getm());
    safepoint();
    check_size(n);
    pollserver_start(getm());
    while (n > 0)
        n -= fd_read(&c->end[side], &c->end[1 - side], n);
}

static bool conn_snap(const void *object, struct snapshot *in, struct snap_object *out)
{
    const struct conn *c = object;
    out->kind = OBJ_CONN;
    out->id = c->end[0].pd.id;
    out->n = (int32_t)atomic_load_explicit(&c->end[0].pd.out, memory_order_relaxed); /* stopped: see snap.c */
    (void)in;                                                                        /* its Gs wait in no queue */
    out->n2 = (int32_t)atomic_load_explicit(&c->end[1].pd.out, memory_order_relaxed);
    return true;
}

static void conn_fini(struct object *o)
{
    struct conn *c = (struct conn *)(void *)o;
    for (int i = 0; i < 2; i++)
        if (c->end[i].pd.fd >= 0)
            close(c->end[i].pd.fd);
    free(c);
}

/* Raises the limit of descriptors as far as the system allows. Returns false if it cannot be raised. */
static bool raise_limit(void)
{
    struct rlimit r;
    if (getrlimit(RLIMIT_NOFILE, &r) < 0 || r.rlim_cur == r.rlim_max)
        return false;
    r.rlim_cur = r.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &r) == 0;
}

/* Returns 0 or a negative errno. */
static int open_pair(int fd[2])
{
    int size = SOCKET_BUFFER;
    while (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fd) < 0)
        if (errno != EMFILE || !raise_limit())
            return -errno;
    for (int i = 0; i < 2; i++) { /* the system may grant less; then more bytes are owed */
        setsockopt(fd[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
        setsockopt(fd[i], SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    }
    return 0;
}

static int conn_open(struct sched *s, struct conn *c, uint32_t id)
{
    int fd[2], err = open_pair(fd);
    if (err)
        return err;
    for (uint32_t i = 0; i < 2; i++) {
        struct end *e = &c->end[i];
        e->pd.id = id;
        e->pd.side = i;
        e->pd.fd = fd[i];
        e->lock.rank = RANK_OTHER;
        sema_init(&e->reading.sema, RANK_SEMA);
        sema_init(&e->writing.sema, RANK_SEMA);
    }
    for (int i = 0; i < 2 && !err; i++)
        while ((err = netpollopen(s, &c->end[i].pd)) == -EMFILE && raise_limit())
            ;
    return err;
}

struct conn *rt_conn_new(struct sched *s, uint32_t id)
{
    struct conn *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->end[0].pd.fd = c->end[1].pd.fd = -1;
    int err = conn_open(s, c, id);
    if (err) {
        conn_fini(&c->object);
        errno = -err;
        return NULL;
    }
    c->object.fini = conn_fini;
    c->object.known = (struct known_object){.object = c, .snap = conn_snap};
    object_add(s, &c->object);
    return c;
}
