/* See ref.h. */
#include "ref.h"

#include <stdlib.h>
#include <string.h>

#define START_TICK 3

static uint32_t random_below(struct ref *r, uint32_t n)
{
    return prng_below(&r->rand, n);
}

static void say(struct ref *r, uint32_t m, enum ev_kind kind, uint32_t p, uint32_t g, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    if (r->nlog == r->cap) {
        r->cap = r->cap ? r->cap * 2 : 1024;
        r->log = realloc(r->log, r->cap * sizeof *r->log);
        if (!r->log)
            abort();
    }
    r->now += 10;
    r->log[r->nlog++] = (struct ref_event){
        m, {.time = r->now, .kind = (uint8_t)kind, .p = (uint16_t)(p == EV_NONE ? EV_NO_P : p), .g = g, .a = a, .b = b, .c = c, .d = d}};
}

static void place(struct ref *r, uint32_t g, enum g_place pl, uint32_t where, uint32_t slot)
{
    r->g[g].place = pl;
    r->g[g].where = where;
    r->g[g].slot = slot;
}

static void hold(struct ref *r, uint32_t g)
{
    place(r, g, PLACE_IN_TRANSIT, 0, 0);
}

static uint32_t *slot(struct ref_p *p, uint32_t i)
{
    return &p->ring[i % REF_RING];
}

/* ---- queues ---- */

static void globq_tail(struct ref *r, uint32_t g)
{
    place(r, g, PLACE_GLOBQ, 0, 0);
    r->globq[r->nglobq++] = g;
}

static void globput(struct ref *r, uint32_t m, const uint32_t *g, uint32_t n)
{
    bool front = random_below(r, 4) == 0;
    if (front) {
        memmove(r->globq + n, r->globq, r->nglobq * sizeof *r->globq);
        memcpy(r->globq, g, n * sizeof *g);
        r->nglobq += n;
        for (uint32_t i = 0; i < n; i++)
            place(r, g[i], PLACE_GLOBQ, 0, 0);
    } else {
        for (uint32_t i = 0; i < n; i++)
            globq_tail(r, g[i]);
    }
    say(r, m, EV_GLOBQ_PUT, r->m[m].p, n == 1 ? g[0] : 0, n, front ? QUEUE_HEAD : QUEUE_TAIL, ++r->lockseq, 0);
}

static void overflow(struct ref *r, uint32_t m, uint32_t g)
{
    struct ref_p *p = &r->p[r->m[m].p];
    uint32_t batch[REF_RING / 2 + 1], n = REF_RING / 2, head = p->head;
    for (uint32_t i = 0; i < n; i++) {
        batch[i] = *slot(p, p->head++);
        hold(r, batch[i]);
    }
    batch[n] = g;
    r->did.runq_overflows++;
    r->did.overflowed += p->head - head + 1;
    say(r, m, EV_RUNQ_OVERFLOW, r->m[m].p, g, n + 1, head, 0, 0);
    globput(r, m, batch, n + 1);
}

static void runqput(struct ref *r, uint32_t m, uint32_t g, bool next)
{
    struct ref_p *p = &r->p[r->m[m].p];
    if (next) {
        uint32_t kicked = p->runnext;
        p->runnext = g;
        place(r, g, PLACE_RUNNEXT, r->m[m].p, 0);
        say(r, m, EV_RUNNEXT_PUT, r->m[m].p, g, kicked, 0, 0, 0);
        if (!kicked)
            return;
        hold(r, kicked);
        g = kicked;
    }
    if (p->tail - p->head == REF_RING) {
        overflow(r, m, g);
        return;
    }
    *slot(p, p->tail) = g;
    place(r, g, PLACE_RUNQ, r->m[m].p, p->tail);
    say(r, m, EV_RUNQ_PUT, r->m[m].p, g, p->tail++, 0, 0, 0);
}

static uint32_t globget(struct ref *r, uint32_t m)
{
    struct ref_p *p = &r->p[r->m[m].p];
    uint32_t why = random_below(r, 2) ? GLOBQ_BATCH : GLOBQ_TICK61, n = 1, got[REF_RING / 2];
    if (r->nglobq == 0)
        return 0;
    if (p->tail != p->head) /* keeps the ring from overflowing */
        why = GLOBQ_TICK61;
    if (why == GLOBQ_BATCH) {
        n = r->nglobq / REF_P + 1;
        n = n < r->nglobq ? n : r->nglobq;
        n = n < REF_RING / 2 ? n : REF_RING / 2;
    }
    memcpy(got, r->globq, n * sizeof *got);
    memmove(r->globq, r->globq + n, (r->nglobq - n) * sizeof *got);
    r->nglobq -= n;
    for (uint32_t i = 0; i < n; i++)
        hold(r, got[i]);
    say(r, m, EV_GLOBQ_GET, r->m[m].p, got[0], n, why, ++r->lockseq, 0);
    for (uint32_t i = 1; i < n; i++)
        runqput(r, m, got[i], false);
    return got[0];
}

static uint32_t steal(struct ref *r, uint32_t m)
{
    uint32_t me = r->m[m].p, from = random_below(r, REF_P), n, g;
    struct ref_p *v = &r->p[from], *p = &r->p[me];
    if (from == me || p->tail != p->head)
        return 0;
    n = v->tail - v->head;
    n -= n / 2;
    if (n == 0) {
        g = v->runnext;
        if (g == 0)
            return 0;
        v->runnext = 0;
        hold(r, g);
        r->did.steals++;
        r->did.stolen++;
        say(r, m, EV_STEAL, me, g, from, 1u << 1 | 1, r->g[g].seq, 0);
        return g;
    }
    for (uint32_t i = 0; i + 1 < n; i++) {
        g = *slot(v, v->head + i);
        *slot(p, p->tail + i) = g;
        place(r, g, PLACE_RUNQ, me, p->tail + i);
    }
    g = *slot(v, v->head + n - 1);
    hold(r, g);
    say(r, m, EV_STEAL, me, g, from, n << 1, v->head, p->tail);
    v->head += n;
    p->tail += n - 1;
    r->did.steals++;
    r->did.stolen += n;
    return g;
}

/* ---- Gs ---- */

static void run(struct ref *r, uint32_t m, uint32_t g, bool inherit)
{
    r->g[g].status = G_RUNNING;
    place(r, g, PLACE_RUNNING, m, 0);
    r->m[m].curg = g;
    r->p[r->m[m].p].tick += !inherit;
    say(r, m, EV_G_START, r->m[m].p, g, ++r->g[g].seq, inherit, 0, 0);
}

static void newproc(struct ref *r, uint32_t m)
{
    uint32_t g = r->ng + 1;
    if (g == REF_G)
        return;
    r->ng = g;
    r->g[g] = (struct ref_g){
        .status = G_RUNNABLE,
        .seq = 1,
        .place = PLACE_IN_TRANSIT,
        .fn = 1 + random_below(r, 5),
        .i = 1 + random_below(r, 100),
        .by = r->m[m].curg};
    say(r, m, EV_G_CREATE, r->m[m].p, g, r->g[g].by, r->g[g].fn, r->g[g].i, 0);
    runqput(r, m, g, true);
}

static void drop(struct ref *r, uint32_t m, enum ev_kind kind, uint32_t status, uint32_t reason)
{
    uint32_t g = r->m[m].curg;
    r->m[m].curg = 0;
    r->g[g].status = status;
    r->g[g].reason = status == G_WAITING ? reason : 0;
    r->g[g].obj = reason == WAIT_REASON_CHAN_RECEIVE ? 1 + random_below(r, 9) : 0;
    place(r, g, status == G_WAITING ? PLACE_WAITING : status == G_DEAD ? PLACE_DEAD : PLACE_IN_TRANSIT, 0, 0);
    say(r, m, kind, r->m[m].p, g, ++r->g[g].seq, kind == EV_G_PARK ? reason : 0, r->g[g].obj, 0);
    if (status == G_RUNNABLE)
        globput(r, m, &g, 1);
}

static void ready(struct ref *r, uint32_t m, uint32_t g)
{
    r->g[g].status = G_RUNNABLE;
    r->g[g].reason = 0;
    hold(r, g);
    say(r, m, EV_G_READY, r->m[m].p, g, ++r->g[g].seq, r->m[m].curg, 0, 0);
    runqput(r, m, g, true);
}

static void ready_some(struct ref *r, uint32_t m)
{
    uint32_t g = 1 + random_below(r, r->ng);
    if (r->g[g].status == G_WAITING && r->g[g].reason != WAIT_REASON_SLEEP)
        ready(r, m, g);
}

/* ---- timers ---- */

static void sleep_some(struct ref *r, uint32_t m)
{
    struct ref_p *p = &r->p[r->m[m].p];
    struct snap_timer t = {.when = r->now + 1 + random_below(r, 500), .g = r->m[m].curg, .what = TIMER_WAKE};
    uint32_t i = p->ntimers++;
    for (; i > 0 && (p->timers[i - 1].when > t.when || (p->timers[i - 1].when == t.when && p->timers[i - 1].g > t.g)); i--)
        p->timers[i] = p->timers[i - 1];
    p->timers[i] = t;
    struct ev e = {0};
    ev_set_cd(&e, t.when);
    say(r, m, EV_TIMER_ADD, r->m[m].p, t.g, ++p->timerseq, 0, e.c, e.d);
    drop(r, m, EV_G_PARK, G_WAITING, WAIT_REASON_SLEEP);
}

static void fire(struct ref *r, uint32_t m)
{
    uint32_t heap = random_below(r, REF_P);
    struct ref_p *p = &r->p[heap];
    if (p->ntimers == 0 || r->g[p->timers[0].g].status != G_WAITING)
        return;
    struct snap_timer t = p->timers[0];
    struct ev e = {0};
    r->did.timers_fired++;
    memmove(p->timers, p->timers + 1, --p->ntimers * sizeof *p->timers);
    ev_set_cd(&e, t.when);
    say(r, m, EV_TIMER_FIRE, r->m[m].p, t.g, ++p->timerseq, heap, e.c, e.d);
    ready(r, m, t.g);
}

/* ---- Ps and Ms ---- */

static void acquire(struct ref *r, uint32_t m, uint32_t p)
{
    r->p[p].status = P_RUNNING;
    r->p[p].m = m;
    r->m[m].p = p;
    r->m[m].nextp = EV_NONE;
    say(r, m, EV_P_ACQUIRE, p, 0, ++r->p[p].seq, 0, 0, 0);
}

static uint32_t release(struct ref *r, uint32_t m)
{
    uint32_t p = r->m[m].p;
    r->p[p].status = P_IDLE;
    r->p[p].m = EV_NONE;
    r->m[m].p = EV_NONE;
    say(r, m, EV_P_RELEASE, p, 0, ++r->p[p].seq, 0, 0, 0);
    return p;
}

static void pidleput(struct ref *r, uint32_t m, uint32_t p)
{
    memmove(r->idlep + 1, r->idlep, r->nidlep++ * sizeof *r->idlep);
    r->idlep[0] = p;
    ++r->p[p].seq;
    say(r, m, EV_P_IDLE, p, 0, r->p[p].seq, ++r->lockseq, 0, 0);
}

static uint32_t pidleget(struct ref *r, uint32_t m)
{
    uint32_t p = r->idlep[0];
    memmove(r->idlep, r->idlep + 1, --r->nidlep * sizeof *r->idlep);
    ++r->p[p].seq;
    say(r, m, EV_P_TAKE, p, 0, r->p[p].seq, ++r->lockseq, 0, 0);
    return p;
}

static void spin(struct ref *r, uint32_t m)
{
    r->m[m].spinning = true;
    r->needspinning = false;
    r->nmspinning++;
    say(r, m, EV_SPIN_START, r->m[m].p, 0, r->nmspinning, ++r->spinseq, 0, 0);
}

static void stop_spinning(struct ref *r, uint32_t m, uint32_t why)
{
    if (why != SPIN_STOP_NO_IDLE_P)
        r->m[m].spinning = false;
    r->nmspinning--;
    say(r, m, EV_SPIN_STOP, r->m[m].p, 0, r->nmspinning, ++r->spinseq, why, 0);
}

/* A wake-up: counted, then a P from the idle list for an idle M or a new one; without an idle P the count is taken
 * back. */
static void wake(struct ref *r, uint32_t m)
{
    uint32_t why = random_below(r, 2) ? WAKEP_HANDOFF : WAKEP_READY, p, to;
    if (r->nmspinning != 0)
        return;
    r->nmspinning = 1;
    if (why == WAKEP_HANDOFF)
        r->needspinning = false;
    say(r, m, EV_WAKEP, r->m[m].p, 0, why, ++r->spinseq, 0, 0);
    if (r->nidlep == 0 || (r->nidlem == 0 && r->nm == REF_M)) {
        r->needspinning = true;
        say(r, m, EV_NEEDSPINNING, r->m[m].p, 0, 1, ++r->spinseq, 0, 0);
        stop_spinning(r, m, SPIN_STOP_NO_IDLE_P);
        return;
    }
    p = pidleget(r, m);
    if (r->nidlem) {
        to = r->idlem[0];
        memmove(r->idlem, r->idlem + 1, --r->nidlem * sizeof *r->idlem);
        r->m[to].blocked = false;
        say(r, m, EV_M_WAKE, r->m[m].p, 0, to, ++r->lockseq, 1, p);
    } else {
        to = r->nm++;
        r->m[to] = (struct ref_m){.started = true, .p = EV_NONE, .nextp = EV_NONE, .oldp = EV_NONE};
        say(r, to, EV_M_START, EV_NONE, 0, 1, m, 0, 0);
    }
    r->m[to].spinning = true;
    r->m[to].nextp = p;
}

static void park(struct ref *r, uint32_t m)
{
    memmove(r->idlem + 1, r->idlem, r->nidlem++ * sizeof *r->idlem);
    r->idlem[0] = m;
    r->m[m].blocked = true;
    r->did.m_parks++;
    say(r, m, EV_M_PARK, EV_NONE, 0, ++r->lockseq, 0, 0, 0);
}

static uint32_t awake(const struct ref *r)
{
    return r->nm - r->nidlem;
}

/* Lets an M with a P and nothing to run find a G, or give up the P. */
static void schedule(struct ref *r, uint32_t m)
{
    struct ref_p *p = &r->p[r->m[m].p];
    uint32_t g = 0, which = random_below(r, 5);
    bool inherit = false;
    if (which == 4) { /* as from the poller, so the run continues when all Gs wait */
        ready_some(r, m);
        fire(r, m);
        if (r->g[1 + random_below(r, r->ng)].status == G_DEAD)
            newproc(r, m);
    }
    if (which == 0 && p->runnext) {
        g = p->runnext;
        p->runnext = 0;
        hold(r, g);
        inherit = true;
        say(r, m, EV_RUNNEXT_GET, r->m[m].p, g, r->g[g].seq, 0, 0, 0);
    } else if (which <= 1 && p->tail != p->head) {
        g = *slot(p, p->head);
        hold(r, g);
        say(r, m, EV_RUNQ_GET, r->m[m].p, g, p->head++, 0, 0, 0);
    } else if (which == 2) {
        g = globget(r, m);
    } else if (which == 3 && !p->runnext) {
        if (!r->m[m].spinning && random_below(r, 2))
            spin(r, m);
        g = steal(r, m);
    }
    if (g) {
        if (r->m[m].spinning)
            stop_spinning(r, m, SPIN_STOP_FOUND_WORK);
        run(r, m, g, inherit);
    } else if (p->tail == p->head && !p->runnext && awake(r) > 2 && random_below(r, 3) == 0) {
        pidleput(r, m, release(r, m));
        if (r->m[m].spinning)
            stop_spinning(r, m, SPIN_STOP_NOTHING_FOUND);
        park(r, m);
    }
}

/* ---- system calls ---- */

static void enter(struct ref *r, uint32_t m)
{
    uint32_t p = r->m[m].p, g = r->m[m].curg;
    r->g[g].status = G_SYSCALL;
    ++r->g[g].seq;
    r->did.syscalls++;
    if (random_below(r, 2)) {
        say(r, m, EV_SYSCALL_BLOCK, p, g, r->g[g].seq, 0, 0, 0);
        pidleput(r, m, release(r, m));
        return;
    }
    r->p[p].status = P_SYSCALL;
    r->p[p].m = EV_NONE;
    r->m[m].p = EV_NONE;
    r->m[m].oldp = p;
    say(r, m, EV_SYSCALL_ENTER, p, g, r->g[g].seq, ++r->p[p].seq, 0, 0);
}

static void leave(struct ref *r, uint32_t m)
{
    uint32_t g = r->m[m].curg, old = r->m[m].oldp;
    r->m[m].oldp = EV_NONE;
    if (old != EV_NONE && r->p[old].status == P_SYSCALL) {
        r->p[old].status = P_RUNNING;
        r->p[old].m = m;
        r->m[m].p = old;
        r->g[g].status = G_RUNNING;
        ++r->g[g].seq;
        say(r, m, EV_SYSCALL_EXIT, old, g, r->g[g].seq, ++r->p[old].seq, 1, EXITSYSCALL_OLD_P);
    } else if (r->nidlep) {
        acquire(r, m, pidleget(r, m));
        r->g[g].status = G_RUNNING;
        say(r, m, EV_SYSCALL_EXIT, r->m[m].p, g, ++r->g[g].seq, 0, 0, EXITSYSCALL_IDLE_P);
    } else {
        r->g[g].status = G_RUNNABLE;
        hold(r, g);
        r->m[m].curg = 0;
        say(r, m, EV_SYSCALL_EXIT, EV_NONE, g, ++r->g[g].seq, 0, 0, EXITSYSCALL_NO_P);
        globput(r, m, &g, 1);
        if (awake(r) > 2)
            park(r, m);
    }
}

static void retake(struct ref *r, uint32_t m)
{
    uint32_t p = random_below(r, REF_P);
    if (r->p[p].status != P_SYSCALL)
        return;
    r->p[p].status = P_IDLE;
    r->did.retakes++;
    r->did.handoffs++;
    say(r, m, EV_RETAKE, p, 0, ++r->p[p].seq, RETAKE_WORK_WAITS, 0, 0);
    say(r, m, EV_HANDOFF, p, 0, HANDOFF_IDLE, 0, 0, 0);
    pidleput(r, m, p);
}

/* ---- the whole ---- */

static void step_running(struct ref *r, uint32_t m)
{
    switch (random_below(r, 14)) {
    case 0:
        drop(r, m, EV_G_PARK, G_WAITING, WAIT_REASON_CHAN_RECEIVE);
        break;
    case 1:
        drop(r, m, EV_G_YIELD, G_RUNNABLE, 0);
        break;
    case 2:
        r->did.preempts++;
        drop(r, m, EV_G_PREEMPT, G_RUNNABLE, 0);
        break;
    case 3:
        drop(r, m, EV_G_END, G_DEAD, 0);
        break;
    case 4:
        sleep_some(r, m);
        break;
    case 5:
        enter(r, m);
        break;
    case 6:
        ready_some(r, m);
        break;
    case 7:
        fire(r, m);
        break;
    case 8:
        wake(r, m);
        break;
    case 9:
        say(r, m, EV_PRINT, r->m[m].p, r->m[m].curg, ++r->outseq, 0, 0, 0);
        break;
    case 10:
        retake(r, m);
        break;
    default:
        newproc(r, m);
    }
}

static void step(struct ref *r)
{
    uint32_t m = random_below(r, r->nm);
    struct ref_m *rm = &r->m[m];
    if (rm->blocked)
        return;
    if (rm->nextp != EV_NONE)
        acquire(r, m, rm->nextp);
    else if (rm->curg && r->g[rm->curg].status == G_SYSCALL)
        leave(r, m);
    else if (rm->curg)
        step_running(r, m);
    else if (rm->p != EV_NONE)
        schedule(r, m);
    else if (r->nidlep && random_below(r, 2))
        acquire(r, m, pidleget(r, m));
    else if (awake(r) > 2)
        park(r, m);
    else
        retake(r, m);
}

struct ref *ref_new(uint64_t seed, uint32_t base)
{
    struct ref *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    prng_seed(&r->rand, seed, 77);
    r->nm = 1;
    r->m[0] = (struct ref_m){.started = true, .p = 0, .nextp = EV_NONE, .oldp = EV_NONE};
    say(r, 0, EV_M_START, EV_NONE, 0, 0, EV_NONE, 0, 0);
    say(r, 0, EV_PROCRESIZE, EV_NONE, 0, 0, REF_P, 0, 0);
    r->lockseq = r->spinseq = r->outseq = base;
    for (uint32_t i = 0; i < REF_P; i++) {
        r->p[i].m = EV_NONE;
        r->p[i].head = r->p[i].tail = r->p[i].timerseq = base;
        r->p[i].seq = base + 1;
        if (i > 0)
            r->idlep[r->nidlep++] = i;
    }
    r->p[0].m = 0;
    r->p[0].status = P_RUNNING;
    r->p[0].tick = START_TICK;
    newproc(r, 0);
    return r;
}

void ref_free(struct ref *r)
{
    free(r->log);
    free(r);
}

void ref_run(struct ref *r, uint32_t n)
{
    while (r->nlog < n)
        step(r);
}

static void snap_p(const struct ref *r, struct snapshot *out, uint32_t i)
{
    const struct ref_p *p = &r->p[i];
    uint32_t n = p->tail - p->head, *ring = snapshot_alloc(out, n, sizeof *ring);
    struct snap_timer *timers = snapshot_alloc(out, p->ntimers, sizeof *timers);
    if (!ring || !timers)
        abort();
    for (uint32_t k = 0; k < n; k++)
        ring[k] = p->ring[(p->head + k) % REF_RING];
    memcpy(timers, p->timers, p->ntimers * sizeof *timers);
    out->p[i] = (struct snap_p){
        .status = p->status,
        .m = p->m,
        .head = p->head,
        .tail = p->tail,
        .runnext = p->runnext,
        .schedtick = p->tick,
        .ring = ring,
        .ntimers = p->ntimers,
        .timers = timers};
}

static uint32_t *copy(struct snapshot *out, const uint32_t *v, uint32_t n)
{
    uint32_t *to = snapshot_alloc(out, n, sizeof *to);
    if (!to)
        abort();
    memcpy(to, v, n * sizeof *to);
    return to;
}

static uint32_t globq_slot(const struct ref *r, uint32_t g)
{
    uint32_t i = 0;
    while (r->globq[i] != g)
        i++;
    return i;
}

bool ref_snapshot(const struct ref *r, struct snapshot *out)
{
    snapshot_reset(out);
    out->np = REF_P;
    out->nm = r->nm;
    out->nmspinning = r->nmspinning;
    out->needspinning = r->needspinning;
    out->npidle = out->nidlep = r->nidlep;
    out->nidlem = r->nidlem;
    out->nglobq = r->nglobq;
    out->counts = r->did;
    out->counts.goroutines = r->ng;
    out->counts.m_created = r->nm;
    out->globq = copy(out, r->globq, r->nglobq);
    out->idlep = copy(out, r->idlep, r->nidlep);
    out->idlem = copy(out, r->idlem, r->nidlem);
    out->p = snapshot_alloc(out, REF_P, sizeof *out->p);
    out->g = snapshot_alloc(out, r->ng, sizeof *out->g);
    out->m = snapshot_alloc(out, r->nm, sizeof *out->m);
    if (!out->p || !out->g || !out->m)
        return false;
    for (uint32_t i = 0; i < REF_P; i++)
        snap_p(r, out, i);
    for (uint32_t i = 1; i <= r->ng; i++) {
        const struct ref_g *g = &r->g[i];
        uint32_t at = g->place == PLACE_GLOBQ ? globq_slot(r, i) : g->slot;
        if (g->status != G_DEAD)
            out->g[out->ng++] = (struct snap_g){
                .id = i,
                .status = g->status,
                .reason = g->reason,
                .place = g->place,
                .where = g->where,
                .slot = at,
                .obj = g->obj,
                .fn = g->fn,
                .i = g->i,
                .by = g->by};
    }
    for (uint32_t i = 0; i < r->nm; i++)
        out->m[i] = (struct snap_m){
            .p = r->m[i].p, .curg = r->m[i].curg, .oldp = r->m[i].oldp, .spinning = r->m[i].spinning, .blocked = r->m[i].blocked};
    return true;
}
