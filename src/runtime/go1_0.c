/* Go 1.0: schedule(), nextgandunlock() and matchmg(), to be read beside that version's proc.c. There is no P: one queue of Gs and one
 * list of idle Ms under one lock, which every start, wake-up, block and end of a G takes; that lock is what made Go 1.1.
 *
 * How many Ms may run Go code is counted, not owned: mcpu of at most mcpumax (GOMAXPROCS), in one atomic word with a bit that says
 * whether a G waits. So a system call can go on without the lock: entersyscall takes 1 from mcpu, and only if a G waits (the old
 * word told it) it locks and calls matchmg(), which finds an M for each waiting G as long as mcpu allows; exitsyscall adds 1, and if
 * that is too much, its G queues up.
 *
 * A G is given to an M (mnextg), which then runs it without looking at the queue. mcpu and grunning are counted before that, so what is
 * in flight is not forgotten. Nobody steals, nobody spins, nobody is preempted; there is no sysmon.
 *
 * Where this differs from the original: memory for threads is not made under the lock (matchmg lets go of it), and a G that waits is
 * off its stack before others can ready it, so readyonstop is only needed by exitsyscall.
 */
#include "runtime/proc.h"

#define MCPU(v) ((v) & 0x7fffffffu)
#define GWAITING 0x80000000u

/* All on this word is seq_cst: Dekker between entersyscall (mcpu--, then gwaiting) and who queues a G (gwaiting, then mcpu). */
static uint32_t mcpu_add(struct m *m, uint32_t delta)
{
    fine(m);
    return atomic_fetch_add_explicit(&m->sched->one.atomic, delta, memory_order_seq_cst) + delta;
}

/* One more M may run Go code: mcpu++. */
static bool canaddmcpu(struct m *m)
{
    struct sched *s = m->sched;
    fine(m);
    uint32_t v = atomic_load_explicit(&s->one.atomic, memory_order_seq_cst); /* the CAS checks it */
    while (MCPU(v) < gomaxprocs(s)) {
        fine(m);
        if (atomic_compare_exchange_weak_explicit(&s->one.atomic, &v, v + 1, memory_order_seq_cst, memory_order_seq_cst))
            return true;
    }
    return false;
}

/* The head of the queue, which is not empty. Caller holds sched.lock. */
static struct g *gget(struct m *m)
{
    struct sched *s = m->sched;
    struct g *gp = globrunqtake(m, GW_ONLY_QUEUE);
    if (!gp)
        throw(m, "gget inconsistency");
    if (runqsize(s) == 0)
        mcpu_add(m, -GWAITING);
    return gp;
}

/* mget: an idle M or NULL. Caller holds sched.lock. */
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

/* mp shall run gp; mcpu counts it already. The last one is woken after the lock. Caller holds sched.lock. */
static void mnextg(struct m *m, struct m *mp, struct g *gp)
{
    struct sched *s = m->sched;
    s->one.grunning++;
    mp->one.nextg = gp;
    mp->one.by = m->id;
    if (!mp->one.waitnextg)
        return;
    mp->one.waitnextg = false;
    if (mp->lockedg) { /* it sleeps in no list: gp goes straight into its hand */
        mp->idlelocked--;
        mp->one.by = mp->id;
        emit(m, ev_of(m, EV_M_WAKE_LOCKED, goid(gp), mp->id, ++s->lockseq, EV_NO_P, 0));
    }
    if (s->one.mwakeup)
        note_wakeup(m->w, &s->one.mwakeup->park);
    s->one.mwakeup = mp;
}

/* gp to the end of the queue; one that is wired to its M goes there at once, if one more may run. Caller holds sched.lock. */
static void gput(struct m *m, struct g *gp)
{
    struct sched *s = m->sched;
    if (gp->lockedm && canaddmcpu(m)) {
        mnextg(m, gp->lockedm, gp);
        return;
    }
    globrunqput(m, gp);
    if (runqsize(s) == 1)
        mcpu_add(m, GWAITING);
}

static void schedunlock(struct m *m)
{
    struct sched *s = m->sched;
    struct m *mp = s->one.mwakeup;
    s->one.mwakeup = NULL;
    if (mp) /* under the lock still: a wake-up is no gate */
        note_wakeup(m->w, &mp->park);
    unlock(m, &s->lock);
}

/* A new M for gp. Not under the lock: making a thread may end the program. */
static void newm_for(struct m *m, struct g *gp)
{
    struct sched *s = m->sched;
    int64_t id = mreserve_id(m);
    schedunlock(m);
    newm_nextg(m, id, gp);
    lock(m, &s->lock);
}

/* Kick off Ms as needed, up to mcpumax. Caller holds sched.lock. */
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

/* readylocked: gp to the queue, and an M for it. Not before main has started (predawn). */
static void put(struct m *m, struct g *gp, uint32_t why)
{
    struct sched *s = m->sched;
    lock(m, &s->lock);
    gput(m, gp);
    if (why != WW_NEW_G || curg(m))
        matchmg(m);
    schedunlock(m);
}

/* Gosched: schedule() queues it, in the same section in which it takes the next. */
static void put_yielded(struct m *m, struct g *gp)
{
    m->one.gput = gp;
}

/* m->nextg, which somebody gave to m, is in m's own hand now. */
static struct g *take_nextg(struct m *m)
{
    struct g *gp = m->one.nextg;
    m->one.nextg = NULL;
    if (m->one.by != m->id) /* else it is there already */
        emit(m, ev_of(m, EV_M_NEXTG, goid(gp), gp->seq, m->one.by, 0, 0));
    return gp;
}

/* mput: onto the idle list. Wired to a G, m is of no use to others. Caller holds sched.lock. */
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
    emit(m, ev_of(m, EV_M_PARK, 0, ++s->lockseq, 0, 0, 0));
}

/* Nothing to run: sleep until somebody gives us a G. sched.lock is held, and released. */
static struct g *wait_nextg(struct m *m)
{
    struct sched *s = m->sched;
    if (s->one.grunning == 0) {
        schedunlock(m);
        program_end(m, EH_DEADLOCK, FK_THROW, "all goroutines are asleep - deadlock!");
        stand_still(m);
    }
    mput(m);
    m->one.waitnextg = true;
    schedunlock(m);
    note_sleep(m->w, &m->park);
    note_clear(&m->park);
    struct g *gp = take_nextg(m);
    conductor_gate(m->w);
    return gp;
}

/* The head of the queue, if one more may run; on the way those wired to others are given to them. Caller holds sched.lock. */
static struct g *next_from_queue(struct m *m)
{
    struct sched *s = m->sched;
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

/* The G that m runs next. sched.lock is held, and released. Makes sure that at most GOMAXPROCS Ms run Go code. */
static struct g *nextgandunlock(struct m *m)
{
    struct g *gp = NULL;
    if (!m->one.nextg && m->lockedg)
        matchmg(m); /* we can run one G only, which is not there (or just now is): others shall see to the queue */
    if (m->one.nextg) /* mcpu++ happened before it was passed on */
        gp = take_nextg(m);
    else if (!m->lockedg)
        gp = next_from_queue(m);
    if (!gp)
        return wait_nextg(m);
    schedunlock(m);
    return gp;
}

/* One round of the scheduler: m has run a G or is new; the next one. */
static struct g *schedule(struct m *m, bool *inherit)
{
    struct sched *s = m->sched;
    *inherit = false;
    lock(m, &s->lock);
    if (m->one.counted) { /* just finished running a G */
        s->one.grunning--;
        mcpu_add(m, -1u);
    }
    if (m->one.gput)
        gput(m, m->one.gput);
    m->one.gput = NULL;
    struct g *gp = nextgandunlock(m);
    m->one.counted = true;
    return gp;
}

/* The G uses the CPU no more. The lock is needed only if a G waits for one. */
static void entersyscall1(struct m *m, uint32_t call, bool blocking)
{
    struct sched *s = m->sched;
    struct g *gp = curg(m);
    (void)blocking; /* there is no P to hand off */
    atomic_store_explicit(&gp->status, G_SYSCALL, memory_order_relaxed); /* ours */
    gp->seq++;
    emit_gate(m, ev_of(m, EV_SYSCALL_ENTER, goid(gp), gp->seq, 0, call, 0));
    if (!(mcpu_add(m, -1u) & GWAITING))
        return;
    lock(m, &s->lock);
    matchmg(m);
    schedunlock(m);
}

/* All CPUs are taken: schedule() queues the G and takes back the mcpu++. */
static void exitsyscall_slow(struct m *m, struct g *gp)
{
    dropg(m, gp, G_RUNNABLE);
    emit_gate(m, ev_of(m, EV_SYSCALL_EXIT, goid(gp), gp->seq, 0, 0, XH_NO_P));
    m->one.gput = gp;
}

static void exitsyscall1(struct m *m)
{
    struct g *gp = curg(m);
    if (MCPU(mcpu_add(m, 1)) > gomaxprocs(m->sched)) {
        mcall(exitsyscall_slow);
        return;
    }
    atomic_store_explicit(&gp->status, G_RUNNING, memory_order_relaxed); /* ours */
    gp->seq++;
    emit_gate(m, ev_of(m, EV_SYSCALL_EXIT, goid(gp), gp->seq, 0, 1, XH_CPU));
}

static void gosched_m(struct m *m, struct g *gp)
{
    dropg(m, gp, G_RUNNABLE);
    emit_gate(m, ev_of(m, EV_G_YIELD, goid(gp), gp->seq, 0, 0, 0));
    put_yielded(m, gp);
}

/* gomaxprocsfunc: mcpumax changes. If too many run now, this one lets go; if more may, they are started. On a G stack. */
static void setprocs(struct m *m, uint32_t n)
{
    struct sched *s = m->sched;
    lock(m, &s->lock);
    uint32_t old = gomaxprocs(s);
    atomic_store_explicit(&s->gomaxprocs, n, memory_order_release); /* pairs with gomaxprocs() */
    emit(m, ev_of(m, EV_PROCRESIZE, 0, old, n, ++s->lockseq, 0));
    bool too_many = MCPU(atomic_load_explicit(&s->one.atomic, memory_order_seq_cst)) > n; /* as all on this word */
    if (!too_many)
        matchmg(m);
    schedunlock(m);
    if (too_many)
        mcall(gosched_m);
}

const struct generation go1_0 = {
    .name = "go1.0",
    .schedule = schedule,
    .put = put,
    .put_yielded = put_yielded,
    .entersyscall = entersyscall1,
    .exitsyscall = exitsyscall1,
    .timer_added = timerproc_kick,
    .setprocs = setprocs,
    .timer_buckets = 1,
    .fatal = "throw: ",
};
