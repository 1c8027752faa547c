/* Go 1.0: schedule(), nextgandunlock(), matchmg() and stoptheworld(), to be read next to that version's proc.c. There is no P: one queue of
 * Gs and one list of idle Ms share one lock, and every start, wake-up, wait and end of a G takes it. That lock was the reason for Go 1.1.
 *
 * The right to run Go code is a count, not an object: mcpu, at most mcpumax (GOMAXPROCS). Both are in one atomic word, with a bit that says
 * whether a G waits. So a system call needs no lock: entersyscall subtracts 1 from mcpu. Only if the word says that a G or a stopper waits
 * does it lock and call matchmg(), which finds an M for each waiting G as long as mcpu allows. exitsyscall adds 1; if mcpu is then too
 * large, the G is queued.
 *
 * A G is given to an M (mnextg), and that M runs it without looking at the queue. mcpu and grunning count the G before it is given, so a G
 * on its way is never forgotten. There is no stealing, no spinning, no preemption and no sysmon.
 * Stopping the world uses the count too: mcpumax becomes 1, for the stopper, which sleeps until mcpu has dropped to 1. The M that brings
 * mcpu to 1 sees another bit of the word (waitstop) and wakes the stopper. Without preemption this takes as long as the Gs compute: a G
 * polls gcwaiting only when it allocates memory or uses a channel.
 *
 * Differences from the original: the word has 64 bits, because the system may allow more threads than 15 bits count. Memory for threads is
 * not allocated under the lock (matchmg releases it). A G that waits has left its stack before another G can ready it, so only exitsyscall
 * needs readyonstop.
 */
#include "runtime/sched/find.h"
#include "runtime/sched/world.h"

/* The word: mcpu in the lower half, mcpumax in 30 bits above it, two flags. */
#define MCPU(v) ((uint32_t)(v))
#define MCPUMAX_SHIFT 32
#define MCPUMAX(v) ((uint32_t)((v) >> MCPUMAX_SHIFT) & 0x3fffffffu)
#define WAITSTOP (UINT64_C(1) << 62)
#define GWAITING (UINT64_C(1) << 63)

/* All operations on this word are seq_cst: Dekker between entersyscall (mcpu--, then the flags) and an M that queues a G (gwaiting, then
 * mcpu) or stops the world (waitstop, then mcpu). Because both are in one word, neither can miss the other. Returns the new value. */
static uint64_t word_add(struct m *m, uint64_t delta)
{
    explore_point(m);
    return atomic_fetch_add_explicit(&m->sched->one.atomic, delta, memory_order_seq_cst) + delta;
}

/* Counts one more M that runs Go code (mcpu++), if mcpumax allows. Returns false if not. */
static bool canaddmcpu(struct m *m)
{
    struct sched *s = m->sched;
    explore_point(m);
    uint64_t v = atomic_load_explicit(&s->one.atomic, memory_order_seq_cst); /* the CAS checks it */
    while (MCPU(v) < MCPUMAX(v)) {
        explore_point(m);
        if (atomic_compare_exchange_weak_explicit(&s->one.atomic, &v, v + 1, memory_order_seq_cst, memory_order_seq_cst))
            return true;
    }
    return false;
}

/* Takes the head of the queue, which is not empty. Caller holds sched.lock. */
static struct g *gget(struct m *m)
{
    struct sched *s = m->sched;
    struct g *gp = globrunqtake(m, GLOBQ_ONLY_QUEUE);
    if (!gp)
        throw(m, "gget inconsistency");
    if (runqsize(s) == 0)
        word_add(m, -GWAITING);
    return gp;
}

/* mget: returns an idle M, or NULL. Caller holds sched.lock. */
static struct m *mget_idle(struct m *m)
{
    struct sched *s = m->sched;
    struct m *mp = s->midle;
    if (!mp)
        return NULL;
    s->midle = mp->schedlink;
    mp->schedlink = NULL;
    mp->blocked = false;
    s->nmidle--;
    emit(m, ev_of(m, EV_M_WAKE, 0, mp->id, ++s->lockseq, 0, EV_NO_P));
    return mp;
}

/* Gives gp, which mcpu counts already, to mp. The last M that gets a G this way is woken only after the lock is released. Caller holds
 * sched.lock. */
static void mnextg(struct m *m, struct m *mp, struct g *gp)
{
    struct sched *s = m->sched;
    s->one.grunning++;
    mp->one.nextg = gp;
    mp->one.by = m->id;
    if (!mp->one.waitnextg)
        return;
    mp->one.waitnextg = false;
    if (mp->lockedg) { /* it is not on the idle list: gp goes straight into its hand */
        mp->idlelocked--;
        mp->one.by = mp->id;
        emit(m, ev_of(m, EV_M_WAKE_LOCKED, goid(gp), mp->id, ++s->lockseq, EV_NO_P, 0));
    }
    if (s->one.mwakeup)
        note_wakeup(m->w, &s->one.mwakeup->park);
    s->one.mwakeup = mp;
}

/* Appends gp to the queue. A G that is locked to its M is given to that M at once, if one more M may run. Caller holds sched.lock. */
static void gput(struct m *m, struct g *gp)
{
    struct sched *s = m->sched;
    if (gp->lockedm && canaddmcpu(m)) {
        mnextg(m, gp->lockedm, gp);
        return;
    }
    globrunqput(m, gp);
    if (runqsize(s) == 1)
        word_add(m, GWAITING);
}

static void schedunlock(struct m *m)
{
    struct sched *s = m->sched;
    struct m *mp = s->one.mwakeup;
    s->one.mwakeup = NULL;
    if (mp) /* still under the lock, because a wake-up is not a gate */
        note_wakeup(m->w, &mp->park);
    unlock(m, &s->lock);
}

/* Starts a new M for gp. Releases the lock for that, because making a thread may end the program. */
static void newm_for(struct m *m, struct g *gp)
{
    struct sched *s = m->sched;
    int64_t id = mreserve_id(m);
    schedunlock(m);
    newm_nextg(m, id, gp);
    lock(m, &s->lock);
}

/* Starts Ms as needed, up to mcpumax. Caller holds sched.lock. */
static void matchmg(struct m *m)
{
    struct sched *s = m->sched;
    while (runqsize(s) != 0 && canaddmcpu(m)) {
        struct g *gp = gget(m);
        struct m *mp = gp->lockedm ? gp->lockedm : mget_idle(m);
        if (mp) {
            mnextg(m, mp, gp);
        } else {
            s->one.grunning++;
            newm_for(m, gp);
        }
    }
}

/* readylocked: puts gp into the queue and finds an M for it, but not before main has started (predawn). */
static void put(struct m *m, struct g *gp, uint32_t why)
{
    struct sched *s = m->sched;
    lock(m, &s->lock);
    gput(m, gp);
    if (why != WAKEP_NEW_G || curg(m))
        matchmg(m);
    schedunlock(m);
}

/* Gosched: schedule() queues the G, in the same section in which it takes the next one. */
static void put_yielded(struct m *m, struct g *gp, bool preempted)
{
    (void)preempted;
    m->one.gput = gp;
}

/* Wakes the stopper if it waits and mcpu has dropped to mcpumax. Caller holds sched.lock. */
static void notestopped(struct m *m)
{
    struct sched *s = m->sched;
    uint64_t v = atomic_load_explicit(&s->one.atomic, memory_order_seq_cst); /* as all on this word */
    if (!(v & WAITSTOP) || MCPU(v) > MCPUMAX(v))
        return;
    word_add(m, -WAITSTOP);
    note_wakeup(m->w, &s->one.stopped);
}

/* Moves m->nextg, which an M has given to m, into m's own hand. */
static struct g *take_nextg(struct m *m)
{
    struct g *gp = m->one.nextg;
    m->one.nextg = NULL;
    if (m->one.by != m->id) /* else it is there already */
        emit(m, ev_of(m, EV_M_NEXTG, goid(gp), gp->seq, m->one.by, 0, 0));
    return gp;
}

/* mput: puts m on the idle list, unless it is locked to a G and so can run no other. Caller holds sched.lock. */
static void mput(struct m *m)
{
    struct sched *s = m->sched;
    if (m->lockedg) {
        m->idlelocked++;
        emit(m, ev_of(m, EV_M_PARK_LOCKED, goid(m->lockedg), ++s->lockseq, 0, 0, 0));
        return;
    }
    m->schedlink = s->midle;
    s->midle = m;
    s->nmidle++;
    m->blocked = true;
    m->did.m_parks++;
    emit(m, ev_of(m, EV_M_PARK, 0, ++s->lockseq, 0, 0, 0));
}

/* Sleeps, because m has nothing to run, until another M gives it a G. Caller holds sched.lock, which is released. */
static struct g *wait_nextg(struct m *m)
{
    struct sched *s = m->sched;
    if (s->one.grunning == 0) {
        schedunlock(m);
        program_end(m, ENDED_DEADLOCK, FATAL_THROW, "all goroutines are asleep - deadlock!");
        stand_still(m);
    }
    mput(m);
    m->one.waitnextg = true;
    notestopped(m);
    schedunlock(m);
    note_sleep(m->w, &m->park);
    note_clear(&m->park);
    struct g *gp = take_nextg(m);
    conductor_gate(m->w);
    return gp;
}

/* Returns the event of the stage "queue": nextgandunlock() has reached the queue, with its length, mcpu and mcpumax. Caller holds
 * sched.lock. */
static struct ev find_queue(const struct m *m)
{
    uint64_t v = atomic_load_explicit(&m->sched->one.atomic, memory_order_relaxed); /* only shown */
    return find_ev(m, FIND_QUEUE, 0, runqsize(m->sched), (MCPU(v) & 0xffff) | MCPUMAX(v) << 16);
}

/* Takes the head of the queue, if one more M may run. Gs in front of it that are locked to an M are given to that M. Caller holds
 * sched.lock. */
static struct g *next_from_queue(struct m *m)
{
    struct sched *s = m->sched;
    emit(m, find_queue(m));
    while (runqsize(s) != 0 && canaddmcpu(m)) {
        struct g *gp = gget(m);
        if (!gp->lockedm) {
            s->one.grunning++;
            return gp;
        }
        mnextg(m, gp->lockedm, gp);
    }
    return NULL;
}

/* Returns the G that m runs next. At most GOMAXPROCS Ms run Go code. Caller holds sched.lock, which is released. */
static struct g *nextgandunlock(struct m *m)
{
    struct g *gp = NULL;
    if (!m->one.nextg && m->lockedg)
        matchmg(m);   /* m may run only its own G: other Ms serve the queue */
    if (m->one.nextg) /* mcpu counts it since it was given to m */
        gp = take_nextg(m);
    else if (!m->lockedg)
        gp = next_from_queue(m);
    if (!gp)
        return wait_nextg(m);
    schedunlock(m);
    return gp;
}

/* One round of the scheduler: returns the next G for m, which has run a G or is new. */
static struct g *schedule(struct m *m, bool *inherit)
{
    struct sched *s = m->sched;
    *inherit = false;
    lock(m, &s->lock);
    if (m->one.counted) { /* m has just finished running a G */
        s->one.grunning--;
        word_add(m, -UINT64_C(1));
    }
    if (m->one.gput)
        gput(m, m->one.gput);
    m->one.gput = NULL;
    struct g *gp = nextgandunlock(m);
    m->one.counted = true;
    return gp;
}

/* Gives up the G's share of mcpu. Takes the lock only if a G waits for that share, or if a stopper waits for the world to stop. */
static void entersyscall1(struct m *m, uint32_t call, bool blocking)
{
    struct sched *s = m->sched;
    struct g *gp = curg(m);
    (void)blocking;                                                      /* there is no P to hand off */
    atomic_store_explicit(&gp->status, G_SYSCALL, memory_order_relaxed); /* ours */
    gp->seq++;
    m->did.syscalls += !ev_is_system_g(goid(gp));
    emit_gate(m, ev_of(m, EV_SYSCALL_ENTER, goid(gp), gp->seq, 0, call, 0));
    uint64_t v = word_add(m, -UINT64_C(1));
    if (!(v & GWAITING) && (!(v & WAITSTOP) || MCPU(v) > MCPUMAX(v)))
        return;
    lock(m, &s->lock);
    matchmg(m);
    notestopped(m);
    schedunlock(m);
}

/* Enters the scheduler, because all CPUs are taken: schedule() queues the G and undoes the mcpu++. */
static void exitsyscall_slow(struct m *m, struct g *gp)
{
    dropg(m, gp, G_RUNNABLE);
    emit_gate(m, ev_of(m, EV_SYSCALL_EXIT, goid(gp), gp->seq, 0, 0, EXITSYSCALL_NO_P));
    m->one.gput = gp;
}

static void exitsyscall1(struct m *m)
{
    struct g *gp = curg(m);
    uint64_t v = word_add(m, 1);
    if (MCPU(v) > MCPUMAX(v)) {
        mcall(exitsyscall_slow);
        return;
    }
    atomic_store_explicit(&gp->status, G_RUNNING, memory_order_relaxed); /* ours */
    gp->seq++;
    emit_gate(m, ev_of(m, EV_SYSCALL_EXIT, goid(gp), gp->seq, 0, 1, EXITSYSCALL_CPU));
}

static void gosched_m(struct m *m, struct g *gp)
{
    dropg(m, gp, G_RUNNABLE);
    emit_gate(m, ev_of(m, EV_G_YIELD, goid(gp), gp->seq, 0, 0, 0));
    put_yielded(m, gp, false);
}

static void setmcpumax(struct m *m, uint32_t n)
{
    struct sched *s = m->sched;
    uint64_t v = atomic_load_explicit(&s->one.atomic, memory_order_seq_cst), new; /* the CAS checks it */
    explore_point(m);
    do
        new = v + ((uint64_t)n << MCPUMAX_SHIFT) - ((uint64_t)MCPUMAX(v) << MCPUMAX_SHIFT);
    while (!atomic_compare_exchange_weak_explicit(&s->one.atomic, &v, new, memory_order_seq_cst, memory_order_seq_cst));
}

/* gomaxprocsfunc: changes mcpumax. If too many Ms run now, this one yields; if more may run, they are started. On a G stack. While the
 * world is being stopped, only the new number is noted. */
static void setprocs(struct m *m, uint32_t n)
{
    struct sched *s = m->sched;
    lock(m, &s->lock);
    uint32_t old = gomaxprocs(s);
    atomic_store_explicit(&s->gomaxprocs, n, memory_order_release); /* pairs with gomaxprocs() */
    emit(m, ev_of(m, EV_PROCRESIZE, 0, old, n, ++s->lockseq, 0));
    if (gcwaiting(s)) {
        schedunlock(m);
        return;
    }
    setmcpumax(m, n);
    bool too_many = MCPU(atomic_load_explicit(&s->one.atomic, memory_order_seq_cst)) > n; /* as all on this word */
    if (!too_many)
        matchmg(m);
    schedunlock(m);
    if (too_many)
        mcall(gosched_m);
}

static void init(struct sched *s)
{
    /* relaxed: no M runs yet */
    atomic_store_explicit(&s->one.atomic, (uint64_t)gomaxprocs(s) << MCPUMAX_SHIFT, memory_order_relaxed);
}

/* Returns true if the stopper must wait. Then the M that brings mcpu down to mcpumax sees waitstop. Caller holds sched.lock. */
static bool must_wait(struct m *m)
{
    struct sched *s = m->sched;
    uint64_t v = atomic_load_explicit(&s->one.atomic, memory_order_seq_cst); /* the CAS checks it */
    note_clear(&s->one.stopped);
    while (MCPU(v) > MCPUMAX(v)) {
        explore_point(m);
        if (atomic_compare_exchange_weak_explicit(&s->one.atomic, &v, v + WAITSTOP, memory_order_seq_cst, memory_order_seq_cst))
            return true;
    }
    return false;
}

/* Returns when all Ms but this one have stopped running Go code. On a G stack; one stopper at a time. */
static void stoptheworld(struct m *m, uint32_t why)
{
    struct sched *s = m->sched;
    lock(m, &s->lock);
    atomic_store_explicit(&s->gcwaiting, 1, memory_order_seq_cst); /* as in world.c; only a request: safepoint_gc() polls it */
    m->did.stws++;
    emit(m, ev_of(m, EV_STW_START, 0, why, ++s->lockseq, 0, 0));
    setmcpumax(m, 1);
    while (must_wait(m)) {
        schedunlock(m);
        note_sleep(m->w, &s->one.stopped);
        lock(m, &s->lock);
    }
    schedunlock(m);
}

static void starttheworld(struct m *m)
{
    struct sched *s = m->sched;
    lock(m, &s->lock);
    atomic_store_explicit(&s->gcwaiting, 0, memory_order_seq_cst); /* as above */
    emit(m, ev_of(m, EV_STW_END, 0, 0, ++s->lockseq, 0, 0));
    setmcpumax(m, gomaxprocs(s));
    matchmg(m);
    schedunlock(m);
}

const struct generation go1_0 = {
    .schedule = schedule,
    .put = put,
    .put_yielded = put_yielded,
    .entersyscall = entersyscall1,
    .exitsyscall = exitsyscall1,
    .timer_added = timerproc_kick,
    .init = init,
    .setprocs = setprocs,
    .stoptheworld = stoptheworld,
    .starttheworld = starttheworld,
    .timer_buckets = 1,
    .fatal = "throw: ",
};
