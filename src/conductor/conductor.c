/* The conductor's life, an M's life, and the points that an M passes. */
#include "conductor/conductor_internal.h"
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define SPIN_PAUSES 30 /* as in Go: 0.1 to 1.5 µs, depending on the processor's pause instruction */

/* The Ms of a lockstep run share the CPU on which the conductor was made, so several processes spread by themselves. */
static void choose_cpu(struct conductor *c)
{
    size_t cpu = (size_t)sched_getcpu(); /* a failure becomes larger than any CPU's number */
    bool known = cpu < CPU_SETSIZE && !sched_getaffinity(0, sizeof c->cpus, &c->cpus) && CPU_ISSET(cpu, &c->cpus);
    c->many_cpus = known && CPU_COUNT(&c->cpus) > 1;
    CPU_ZERO(&c->one_cpu);
    if (known)
        CPU_SET(cpu, &c->one_cpu);
}

static void init_conductor(struct conductor *c, const struct conductor_config *cfg)
{
    bool lockstep = cfg->mode == MODE_LOCKSTEP;
    c->cfg = *cfg;
    pthread_mutex_init(&c->mu, NULL);
    pthread_mutex_init(&c->park_mu, NULL);
    c->parked_end = &c->parked_first;
    c->speed_num = c->speed_den = 1;
    if (!lockstep) /* a switch to free mode does it later: most lockstep runs never need a clock */
        clock_init(&c->hot.clock);
    c->hot.membarrier = barrier_init();
    prng_seed(&c->rand, cfg->seed, PRNG_DRAW);
    fine_init(c);
    stalls_init(c);
    pace_init(c);
    choose_cpu(c);
    /* relaxed, all: no other thread knows c yet */
    atomic_store_explicit(&c->world, WORLD_PAUSED | (lockstep ? WORLD_LOCKSTEP : 0), memory_order_relaxed);
    for (int level = EV_CORE; level <= (int)cfg->record; level++)
        c->records |= ATTN_RECORDS(level);
    c->records |= cfg->watched ? ATTN_WATCHED : 0;
    atomic_store_explicit(&c->hot.attention, c->records | ATTN_PAUSE | (lockstep ? ATTN_LOCKSTEP : 0), memory_order_relaxed);
    atomic_store_explicit(&c->was_free, !lockstep, memory_order_relaxed);
}

struct conductor *conductor_new(const struct conductor_config *cfg)
{
    struct conductor *c = lines_new(sizeof *c);
    if (!c)
        return NULL;
    c->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (c->eventfd < 0) {
        free(c);
        return NULL;
    }
    init_conductor(c, cfg);
    if (!cfg->choices || choices_copy(cfg->choices, &c->decisions.list))
        return c;
    conductor_free(c);
    return NULL;
}

struct conductor_hot *conductor_hot(struct conductor *c)
{
    return &c->hot;
}

void conductor_free(struct conductor *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < c->all.n; i++)
        free(c->all.v[i]);
    vec_free(&c->all);
    free(c->ready);
    free(c->heap);
    vec_free(&c->decisions.list);
    close(c->eventfd);
    pthread_mutex_destroy(&c->mu);
    pthread_mutex_destroy(&c->park_mu);
    free(c);
}

/* --- an M's life -------------------------------------------------------------------------------------------------- */

static bool grow_list(struct waiter ***list, size_t n)
{
    struct waiter **bigger = realloc(*list, n * sizeof *bigger);
    if (bigger)
        *list = bigger;
    return bigger != NULL;
}

/* Makes room for one more in each list, so that nothing is allocated under the baton. Locks: mu; in lockstep the
 * caller also holds the baton, which owns the lists. */
static bool add_waiter(struct conductor *c, struct waiter *w)
{
    size_t cap = c->all.cap;
    if (c->all.n == cap) {
        cap = cap ? cap * 2 : 16;
        if (!grow_list(&c->ready, cap) || !grow_list(&c->heap, cap))
            return false;
    }
    while (c->all.cap < cap)
        if (!vec_grow_((void **)&c->all.v, &c->all.cap, sizeof *c->all.v))
            return false;
    if (!vec_push(&c->all, w))
        return false;
    c->members++;
    return true;
}

struct waiter *waiter_new(struct conductor *c, uint32_t id, void *user)
{
    struct waiter *w = lines_new(sizeof *w);
    if (!w)
        return NULL;
    w->c = c;
    w->hot.c = &c->hot;
    w->hot.seq = CLOCK_UNKNOWN;
    w->id = id;
    w->user = user;
    w->kind = WAIT_GATE;
    w->deadline = -1;
    w->pinned = -1;
    w->ready_at = w->heap_at = NOWHERE;
    w->rank = fine_rank(c);
    pthread_mutex_lock(&c->mu);
    bool ok = add_waiter(c, w);
    pthread_mutex_unlock(&c->mu);
    if (!ok) {
        free(w);
        return NULL;
    }
    /* relaxed: a count; a thread that waits for 0 sees the exits by conductor_alive()'s acquire */
    atomic_fetch_add_explicit(&c->alive, 1, memory_order_relaxed);
    if (in_lockstep(c)) {
        if (c->cfg.course)
            foot_add(&c->cfg.course->now, FOOT_ALL);
        lockstep_make_ready(w);
        pace_enter(w);
        lockstep_start(c);
    }
    return w;
}

void *waiter_user(const struct waiter *w)
{
    return w->user;
}
enum conductor_wait waiter_wait(const struct waiter *w)
{
    return w->kind;
}

void waiter_enter(struct waiter *w)
{
    w->entered = true;
    place_enter(w);
    wait_to_move(w);
}

static bool dying(const struct conductor *c)
{
    /* acquire: pairs with the release in conductor_stop() */
    return atomic_load_explicit(&c->world, memory_order_acquire) & WORLD_DIE;
}

void waiter_exit(struct waiter *w)
{
    struct conductor *c = w->c;
    pthread_mutex_lock(&c->mu);
    w->gone = true;
    bool last = --c->members == 0;
    pthread_mutex_unlock(&c->mu);
    if (!dying(c)) {
        if (in_lockstep(c))
            lockstep_exit(w, last);
        else if (w->entered)
            free_halt(c);
    }
    /* release: what this M did; pairs with conductor_alive() */
    if (atomic_fetch_sub_explicit(&c->alive, 1, memory_order_release) == 1)
        stop_bump(c);
}

uint32_t conductor_alive(struct conductor *c)
{
    /* acquire: pairs with waiter_exit() */
    return atomic_load_explicit(&c->alive, memory_order_acquire);
}

/* --- points ------------------------------------------------------------------------------------------------------- */

void conductor_logged_slow(struct waiter *w, enum ev_level level, bool round_end)
{
    struct conductor *c = w->c;
    if (!(attention(c) & ATTN_STEP))
        return;
    /* relaxed: control_step_over() checks again under mu */
    uint32_t unit = atomic_load_explicit(&c->steps.unit, memory_order_relaxed);
    bool counts = unit == STEP_ALL || (unit == STEP_CORE && level == EV_CORE) || (unit == STEP_ROUNDS && round_end);
    bool over = counts && atomic_fetch_sub_explicit(&c->steps.left, 1, memory_order_relaxed) == 1;
    if (over)
        control_step_over(c, false);
}

int64_t conductor_hit(struct waiter *w)
{
    control_step_over(w->c, true);
    return conductor_stamp(w);
}

void conductor_rest_here(struct waiter *w)
{
    check_die(w);
    if (!in_lockstep(w->c) || w->hot.nlocks)
        return;
    w->kind = WAIT_GATE;
    w->deadline = -1;
    lockstep_rest(w);
}

void conductor_rests(struct waiter *w)
{
    if (w->c->cfg.before_rest && !in_lockstep(w->c))
        w->c->cfg.before_rest(w->c->cfg.ctx, w);
}

void conductor_gate_slow(struct waiter *w)
{
    check_die(w);
    if (w->hot.nlocks)
        return;
    conductor_rests(w);
    w->kind = WAIT_GATE;
    w->deadline = -1;
    if (in_lockstep(w->c))
        lockstep_point(w, w->c->point_ns);
    else
        free_gate(w);
}

void conductor_gate_last(struct waiter *w)
{
    w->spins = true; /* or it would keep the baton for ever, while another M is inside a step and cannot stop there */
    if (in_lockstep(w->c))
        lockstep_last(w);
    conductor_gate(w);
}

void conductor_spin(struct waiter *w, int64_t ns)
{
    check_die(w);
    conductor_touch(w, FOOT_ALL);
    if (in_lockstep(w->c)) {
        lockstep_spin_alone(w);
        w->spins = true;
        w->kind = WAIT_GATE; /* a stop may find w here: where many Ms spin, a stop outside of all their loops would
                              * never come */
        w->deadline = -1;
        lockstep_point(w, ns > 0 ? ns : 1);
        conductor_touch(w, FOOT_ALL); /* of the next look, which is a step of its own */
        return;
    }
    for (int i = 0; i < SPIN_PAUSES; i++)
        cpu_relax();
}

void conductor_fine(struct waiter *w, uint64_t foot)
{
    struct conductor *c = w->c;
    check_die(w);
    conductor_touch(w, foot);
    if (!c->cfg.fine || !in_lockstep(c))
        return;
    w->kind = WAIT_GATE;
    w->deadline = -1;
    c->inside++;
    lockstep_point(w, FINE_NS);
    c->inside--;
}

/* --- time --------------------------------------------------------------------------------------------------------- */

int64_t conductor_now_slow(struct waiter *w)
{
    int64_t t = conductor_time(w->c);
    struct waiter_hot *h = &w->hot;
    if (!in_lockstep(w->c) && !clock_rate(&h->c->clock, &h->seq, &h->mult, &h->offset))
        h->seq = CLOCK_UNKNOWN;
    if (t > w->hot.last)
        w->hot.last = t;
    return w->hot.last;
}

int64_t conductor_stamp(struct waiter *w)
{
    const struct conductor *c = w->c;
    int64_t now = conductor_now(w);
    return c->cfg.still && in_lockstep(c) && c->stamp > now ? c->stamp : now;
}

int64_t conductor_time(struct conductor *c)
{
    if (in_lockstep(c))
        return atomic_load_explicit(&c->time, memory_order_relaxed); /* relaxed: the baton or the stop orders it */
    return clock_read(&c->hot.clock);
}
