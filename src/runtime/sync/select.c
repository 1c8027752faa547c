/* select, as Go 1.20's select.go (selectgo).
 *
 * Pass 1 looks at the cases in a random order (pollorder), so that no ready one starves, and does the first that is ready.
 * If none is ready, pass 2 puts the G into the queue of every channel, and it sleeps. After the wake-up, pass 3 leaves the other queues.
 *
 * All channels stay locked through passes 1 and 2, and in pass 3, so no case becomes ready between the check and the queueing. They are
 * locked in one order, so that two selects never wait for each other. Go orders them by address; here the order is a number (hchan.order),
 * because a run must repeat bit for bit. While the G sleeps the channels are unlocked, and two Ms may find it in two queues at the same
 * time: the first to set g.selectdone wakes it, and the other skips it (chan_dequeue).
 */
#include "runtime/timers/handle.h"
#include "runtime/sched/race.h"

/* What a select needs in addition to its cases. It is too large for a stack, so it is in the G's memory, and the G's next select uses it
 * too. */
struct selmem {
    uint32_t cap;
    uint32_t *pollorder;      /* cases with a channel, shuffled */
    struct hchan **lockorder; /* their channels, each once, by order */
    struct sudog *sudog;      /* by case */
};

struct sel {
    struct rt_case *cases;
    struct selmem *mem;
    uint32_t npoll, nlock;
};

static struct selmem *selmem_get(uint32_t n)
{
    struct g *gp = getg();
    struct selmem *mem = gp->selmem;
    if (mem && mem->cap >= n)
        return mem;
    uint32_t cap = mem && mem->cap > n / 2 ? 2 * mem->cap : n; /* doubled, so that all old ones together are no larger than the new one */
    mem = rt_alloc(sizeof *mem);
    mem->pollorder = rt_alloc(cap * sizeof *mem->pollorder);
    mem->lockorder = rt_alloc(cap * sizeof(struct hchan *));
    mem->sudog = rt_alloc(cap * sizeof *mem->sudog);
    mem->cap = cap;
    return gp->selmem = mem;
}

/* ---- orders ---- */

/* Returns the index of case `at` among the cases with a channel, from 0. */
static uint32_t place_of(const struct rt_case *cases, uint32_t at)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < at; i++)
        n += cases[i].c != NULL;
    return n;
}

/* Swaps the case that is checked first, which is a decision of the run, to the front. The others stay where the seed put them. */
static void draw_first(struct m *m, const struct rt_case *cases, uint32_t *order, uint32_t n)
{
    uint32_t seeds = place_of(cases, order[0]), pick = conductor_decide(m->w, DECIDE_SELECT, n, seeds), i = 0;
    if (pick == seeds)
        return;
    while (place_of(cases, order[i]) != pick)
        i++;
    uint32_t at = order[i];
    order[i] = order[0];
    order[0] = at;
}

/* Shuffles the cases with a channel, so that every order is equally likely: puts each at a random place and moves the case that was
 * there to the end. */
static void set_pollorder(struct sel *sel, uint32_t n)
{
    struct m *m = getm();
    struct prng *r = m->p ? &m->p->selrand : &m->rand;
    uint32_t *order = sel->mem->pollorder, k = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!sel->cases[i].c)
            continue;
        uint32_t j = prng_below(r, k + 1);
        order[k++] = order[j];
        order[j] = i;
    }
    sel->npoll = k;
    if (k > 1)
        draw_first(m, sel->cases, order, k);
}

static void sift(struct hchan **h, uint32_t i, uint32_t n)
{
    struct hchan *c = h[i];
    for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && h[child]->order < h[child + 1]->order)
            child++;
        if (c->order >= h[child]->order)
            break;
        h[i] = h[child];
    }
    h[i] = c;
}

/* Sorts by heapsort, as Go does, because that needs no additional stack or memory. */
static void set_lockorder(struct sel *sel)
{
    struct hchan **h = sel->mem->lockorder;
    uint32_t n = sel->npoll, k = 0;
    for (uint32_t i = 0; i < n; i++)
        h[i] = sel->cases[sel->mem->pollorder[i]].c;
    for (uint32_t i = n / 2; i-- > 0;)
        sift(h, i, n);
    for (uint32_t i = n; i-- > 1;) {
        struct hchan *top = h[0];
        h[0] = h[i];
        h[i] = top;
        sift(h, 0, i);
    }
    for (uint32_t i = 0; i < n; i++)
        if (k == 0 || h[k - 1] != h[i])
            h[k++] = h[i];
    sel->nlock = k;
}

static void sellock(const struct sel *sel)
{
    struct m *m = getm();
    for (uint32_t i = 0; i < sel->nlock; i++)
        lock(m, &sel->mem->lockorder[i]->lock);
}

static void selunlock(const struct sel *sel)
{
    struct m *m = getm();
    for (uint32_t i = sel->nlock; i-- > 0;)
        unlock(m, &sel->mem->lockorder[i]->lock);
}

/* ---- pass 1 ---- */

/* What must be done after unlocking, because a case was ready. */
struct done {
    struct g *wake;
    bool panics;
};

static bool try_recv(struct rt_case *k, struct done *out)
{
    struct hchan *c = k->c;
    if (c->timer)
        handle_look(getm(), c);
    struct sudog *sg = c->retries ? NULL : chan_dequeue(&c->sendq);
    k->ok = sg || c->qcount > 0;
    k->value = 0; /* the value that a closed channel gives, now or while we sleep */
    if (sg)
        out->wake = chan_recv_from(c, sg, &k->value);
    else if (k->ok)
        k->value = chan_buf_take(c);
    else if (c->closed)
        raceacquire(getm(), c->race);
    if (k->ok && c->retries)
        out->wake = chan_async_wake(&c->sendq);
    return k->ok || c->closed;
}

static bool try_send(struct rt_case *k, struct done *out)
{
    struct hchan *c = k->c;
    if (c->closed)
        return out->panics = true;
    struct sudog *sg = c->retries ? NULL : chan_dequeue(&c->recvq);
    if (sg) {
        chan_give(getm(), c, sg, k->value);
        out->wake = chan_answer(sg, true);
        return true;
    }
    if (c->qcount == c->dataqsiz)
        return false;
    chan_buf_put(c, k->value, NULL);
    if (c->retries)
        out->wake = chan_async_wake(&c->recvq);
    return true;
}

void chan_offer(struct m *m, struct hchan *c, int64_t value)
{
    lock(m, &c->lock);
    chan_offer_locked(m, c, value);
}

void chan_offer_locked(struct m *m, struct hchan *c, int64_t value)
{
    struct rt_case k = {.c = c, .send = true, .value = value};
    struct done done = {0};
    try_send(&k, &done);
    unlock(m, &c->lock);
    if (done.panics)
        fatalpanic("send on closed channel");
    if (done.wake)
        ready(m, done.wake);
}

/* Does the first case in pollorder that is ready. Returns its index, or -1 if none is. All channels are locked. */
static int pass1(const struct sel *sel, struct done *out)
{
    for (uint32_t i = 0; i < sel->npoll; i++) {
        uint32_t at = sel->mem->pollorder[i];
        struct rt_case *k = &sel->cases[at];
        if (k->send ? try_send(k, out) : try_recv(k, out))
            return (int)at;
    }
    return -1;
}

/* ---- passes 2 and 3 ---- */

static struct sudogq *queue_of(const struct rt_case *k)
{
    return k->send ? &k->c->sendq : &k->c->recvq;
}

/* selparkcommit: runs on g0, after the G was parked. Until the last channel is unlocked, the G cannot get beyond sellock(). After that
 * it may run, so its memory must not be read any more. */
static void unlock_all(struct m *m, struct g *gp)
{
    struct selmem *mem = gp->selmem;
    uint32_t n = m->nsellock;
    struct hchan **h = mem->lockorder;
    int64_t wake = 0;
    for (uint32_t i = 0; i < n; i++)
        if (h[i]->timer) {
            int64_t when = handle_blocked(m, h[i]);
            wake = when && (!wake || when < wake) ? when : wake;
        }
    for (uint32_t i = 0; i < n; i++)
        unlock(m, &h[i]->lock);
    if (wake)
        wake_netpoller(m, wake);
}

/* Queues the G at every channel and sleeps. Returns the sudog that was woken. May return on another M. */
static struct sudog *pass2(const struct sel *sel)
{
    struct m *m = getm();
    struct g *gp = curg(m);
    for (uint32_t i = 0; i < sel->npoll; i++) {
        uint32_t at = sel->mem->pollorder[i];
        struct sudog *sg = &sel->mem->sudog[at];
        *sg = (struct sudog){.g = gp, .is_select = true, .elem = &sel->cases[at].value};
        if (sel->cases[at].c->timer)
            sg->timer = handle_block(sel->cases[at].c);
        sudog_enqueue(queue_of(&sel->cases[at]), sg);
        emit_object(m,
                    ev_of(m, EV_SELECT_CASE, goid(gp), sel->cases[at].c->id, sel->cases[at].send ? SELECT_OP_SEND : SELECT_OP_RECV, 0, 0));
    }
    gp->param = NULL;
    m->waitfn = unlock_all;
    m->nsellock = sel->nlock;
    gopark(NULL, WAIT_REASON_SELECT, 0);
    return gp->param;
}

/* Leaves all other queues. All channels are locked. Returns the index of the case that the waker has done; -1: none, look again. */
static int pass3(const struct sel *sel, const struct sudog *woken)
{
    /* relaxed: reset under all the locks; each waker holds one of them */
    atomic_store_explicit(&getg()->selectdone, 0, memory_order_relaxed);
    int done = -1;
    for (uint32_t i = 0; i < sel->npoll; i++) {
        uint32_t at = sel->mem->pollorder[i];
        if (sel->mem->sudog[at].timer)
            handle_unblock(getm(), sel->mem->sudog[at].timer);
        if (&sel->mem->sudog[at] == woken)
            done = (int)at;
        else
            sudog_remove(queue_of(&sel->cases[at]), &sel->mem->sudog[at]);
    }
    if (done < 0 && woken)
        throw(getm(), "selectgo: bad wakeup");
    return done;
}

/* Returns the case that was done, or -1 to check again (a channel of chan_async.c). */
static int select_wait(const struct sel *sel)
{
    struct sudog *woken = pass2(sel);
    sellock(sel);
    int at = pass3(sel, woken);
    if (at < 0) {
        selunlock(sel);
        return -1;
    }
    struct rt_case *k = &sel->cases[at];
    bool success = woken->success;
    selunlock(sel);
    if (k->send && !success)
        fatalpanic("send on closed channel");
    k->ok = success;
    return at;
}

/* ---- selectgo ---- */

/* Does a select with a single case as the plain operation, as Go's compiler does if it may block. The G then waits `to send`, not `in a
 * select`. */
static int plain(struct rt_case *k)
{
    if (k->send)
        rt_chan_send(k->c, k->value);
    else
        k->ok = rt_chan_recv(k->c, &k->value);
    return 0;
}

/* Returns the case that was done. -1: no case is ready, or (blocking) check again. */
static int selectgo(struct rt_case *cases, uint32_t n, bool block)
{
    struct sel sel = {.cases = cases, .mem = selmem_get(n)};
    struct done done = {0};
    set_pollorder(&sel, n);
    set_lockorder(&sel);
    sellock(&sel);
    int at = pass1(&sel, &done);
    if (at < 0 && block)
        return select_wait(&sel);
    selunlock(&sel);
    if (done.panics)
        fatalpanic("send on closed channel");
    if (done.wake)
        goready(done.wake);
    return at;
}

/* On a G stack; may switch. */
int rt_select(struct rt_case *cases, uint32_t n, bool block)
{
    safepoint_gc();
    if (n == 0) {
        if (block) { /* Go: block() */
            gopark(NULL, WAIT_REASON_SELECT_NO_CASES, 0);
            throw(getm(), "select: unreachable");
        }
        return -1;
    }
    if (n == 1 && block)
        return plain(cases);
    int at;
    do
        at = selectgo(cases, n, block);
    while (at < 0 && block);
    return at;
}
