/* Makes, starts, stops and frees a runtime instance. */
#include "runtime/sched/ask.h"
#include "runtime/sched/spares.h"
#include "runtime/stack/stack.h"
#include "runtime/gc/gc.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const rt_disable_name[DIS_COUNT] = {
#define X(id, name, since) name,
    RT_SWITCHES(X)
#undef X
};

static uint32_t gcd(uint32_t a, uint32_t b)
{
    return b ? gcd(b, a % b) : a;
}

/* Computes the steps of the steal order: all numbers coprime to the number of Ps. Caller: before the first M runs, or while the world is
 * stopped. */
void stealorder_reset(struct sched *s, uint32_t n)
{
    s->ncoprimes = 0;
    for (uint32_t i = 1; i <= n; i++)
        if (gcd(i, n) == 1)
            s->coprimes[s->ncoprimes++] = i;
}

/* Makes sure that the first n Ps exist. Caller: as above. */
void ps_make(struct sched *s, uint32_t n)
{
    for (; s->nallp < n; s->nallp++) {
        struct p *pp = &s->allp[s->nallp];
        memset(pp, 0, sizeof *pp);
        pp->id = s->nallp;
        pp->timerslock.rank = RANK_TIMERS;
        prng_seed(&pp->rand, s->cfg.seed, PRNG_STEAL + s->nallp);
        prng_seed(&pp->shufrand, s->cfg.seed, PRNG_SHUFFLE + s->nallp);
        prng_seed(&pp->selrand, s->cfg.seed, PRNG_SELECT + s->nallp);
    }
}

static bool set_ps(struct sched *s, uint32_t n)
{
    s->allp = aligned_alloc(CACHE_LINE, MAX_PROCS * sizeof *s->allp); /* ps_make() clears each P; pages that no P needs are never touched */
    s->coprimes = calloc(MAX_PROCS, sizeof *s->coprimes);
    if (!s->allp || !s->coprimes || n > MAX_PROCS)
        return false;
    ps_make(s, n);
    stealorder_reset(s, n);
    atomic_store_explicit(&s->gomaxprocs, n, memory_order_relaxed); /* no M runs yet */
    return true;
}

struct sched *rt_new(const struct rt_config *cfg)
{
    struct sched *s = lines_new(sizeof *s);
    if (!s)
        return NULL;
    errno = ENOMEM; /* for failures that set no errno */
    s->cfg = *cfg;
    s->gen = generations[cfg->generation];
    s->off = rt_off(cfg);
    s->cfg.async_preempt &= s->gen->async_preempt;
    s->cfg.randomize &= s->gen->has_runnext;
    s->lock.rank = RANK_SCHED;
    s->gflock.rank = RANK_GFREE;
    atomic_store_explicit(&s->epfd, -1, memory_order_relaxed);
    s->newm_handoff.lock.rank = RANK_OTHER;
    s->finlock.rank = s->trace.lock.rank = RANK_OTHER;
    s->finqend = &s->finq;
    atomic_store_explicit(&s->lastpoll, 1, memory_order_relaxed); /* no M polls, and none runs yet */
    struct conductor_config cc = {
        .mode = cfg->mode,
        .record = cfg->level,
        .watched = cfg->hook != NULL,
        .seed = cfg->seed,
        .fine = cfg->fine,
        .way = cfg->way,
        .calm = cfg->calm,
        .still = cfg->still,
        .course = cfg->course,
        .stalls = cfg->stalls,
        .calls = cfg->calls,
        .choices = cfg->choices,
        .die = mdie,
        .behind = mbehind,
        .on_jump = time_jumps,
        .on_stall = m_stalls,
        .before_rest = cfg->sparse ? log_before_rest : NULL,
        .ctx = s};
    if (cfg->course)
        cfg->course->sysmon = s->gen->has_sysmon ? 1 : COURSE_MS;
    s->cond = conductor_new(&cc);
    preempt_init(s);
    ask_init(s);
    s->log = s->cond ? spares_log(cfg->spares, cfg->max_threads + 1 + EXITED_MAX) : NULL;
    s->stacks = s->log ? spares_stacks(cfg->spares) : NULL;
    if (!s->stacks || !set_ps(s, cfg->gomaxprocs) || !timerproc_init(s) || !(s->world = world_new()) || !(s->gc = gc_new())) {
        int err = errno;
        rt_free(s);
        errno = err;
        return NULL;
    }
    if (s->gen->init)
        s->gen->init(s);
    return s;
}

/* Go's procresize(n) at the start: m gets P0, and the others become idle, with P1 on top of the list, or since 1.26 the last one. No other M
 * exists. */
static void first_procresize(struct m *m)
{
    struct sched *s = m->sched;
    uint32_t n = gomaxprocs(s);
    bool highest_first = !disabled(s, DIS_HIGHEST_IDLE_P);
    for (uint32_t k = 1; k < n; k++) {
        struct p *pp = &s->allp[highest_first ? k : n - k];
        pp->link = s->pidle;
        s->pidle = pp;
        atomic_store_explicit(&pp->idle, true, memory_order_relaxed);
        pset(m, pp, P_IDLE);
    }
    atomic_store_explicit(&s->npidle, n - 1, memory_order_relaxed);
    struct p *p0 = &s->allp[0];
    atomic_store_explicit(&p0->schedtick, rt_first_tick(&s->cfg), memory_order_relaxed);
    atomic_store_explicit(&p0->syscalltick, calls_before_main(s), memory_order_relaxed); /* sysmon, not started yet, has seen none */
    atomic_store_explicit(&p0->m, m, memory_order_relaxed);
    set_p(m, p0);
    pset(m, p0, P_RUNNING);
    emit_gate(m, ev_of(m, EV_PROCRESIZE, 0, 0, n, 0, highest_first ? PROCRESIZE_LAST_FIRST : 0));
}

/* M0's first steps: makes the Ps, main and sysmon. */
void boot(struct m *m)
{
    struct sched *s = m->sched;
    if (s->gen->has_p)
        first_procresize(m);
    s->maing = boot_main(m);
    if (!s->gen->has_sysmon)
        return;
    lock(m, &s->lock);
    int64_t id = mreserve_id(m);
    s->nmsys++;
    unlock(m, &s->lock);
    newm(m, NULL, false, id, MK_SYSMON);
}

int rt_start(struct sched *s)
{
    struct m *m0 = mnew(s, s->mnext++);
    if (!m0)
        return -ENOMEM;
    return -mthread_start(m0);
}

void rt_kill(struct sched *s)
{
    log_close(s->log);
    conductor_stop(s->cond);
}

void rt_stop(struct sched *s)
{
    rt_kill(s);
    /* An M makes another M only between two conductor calls. So when no M is alive, all Ms are in the list. */
    _Atomic uint32_t *word = conductor_stop_word(s->cond);
    for (;;) {
        uint32_t seen = atomic_load_explicit(word, memory_order_acquire); /* pairs with the last waiter_exit() */
        if (conductor_alive(s->cond) == 0)
            break;
        conductor_await(word, seen);
    }
    for (struct m *m = atomic_load_explicit(&s->allm, memory_order_acquire); m; m = m->alllink) { /* pairs with mnew() */
        /* relaxed: pairs with mreap(), whose M has left */
        if (m->thread && !atomic_load_explicit(&m->joined, memory_order_relaxed))
            thread_join(m->thread);
        m->thread = NULL;
    }
}

/* Frees what gp owns. gp itself is part of its stack, which is freed with the pool. Returns false if gp was dead and
 * owned nothing, like a G on a free list. */
static bool free_g(struct sched *s, struct g *gp)
{
    /* relaxed, both: no M is left */
    bool spare = !gp->newrelease && !gp->mem.blocks && !gp->release && atomic_load_explicit(&gp->status, memory_order_relaxed) == G_DEAD;
    if (gp->newrelease)
        gp->newrelease(gp->newarg);
    galloc_free(s, gp);
    if (gp->release)
        gp->release(gp->arg);
    gp->newrelease = gp->release = NULL;
    ctx_fini(&gp->ctx);
    atomic_store_explicit(&gp->status, G_DEAD, memory_order_relaxed);
    return !spare;
}

/* A G on a free list owns nothing. When a program ends, most Gs are on one, each on a page of its own, and a walk over all of them would take
 * longer than the rest of the end. So the walk stops when it has met all others. main is the oldest, so it comes first here. */
static void free_gs(struct sched *s)
{
    uint32_t left = s->nallgs - gfree_count(s);
    if (s->maing && free_g(s, s->maing))
        left--;
    for (struct g *gp = s->allgs; gp && left; gp = gp->allnext)
        left -= free_g(s, gp);
}

void rt_free(struct sched *s)
{
    if (!s)
        return;
    if (s->stacks)
        rt_stop(s);
    finalizers_free(s);
    free_gs(s);
    preempt_fini(s);
    for (struct m *m = atomic_load_explicit(&s->allm, memory_order_relaxed), *next; m; m = next) { /* joined */
        next = m->alllink;
        if (m->newrelease)
            m->newrelease(m->newarg);
        free(m);
    }
    objects_free(s);
    if (atomic_load_explicit(&s->epfd, memory_order_relaxed) >= 0) /* no M is left */
        close(atomic_load_explicit(&s->epfd, memory_order_relaxed));
    for (uint32_t i = 0; s->allp && i < s->nallp; i++)
        timers_free(&s->allp[i]);
    handles_free(s);
    free(s->allp);
    free(s->world);
    free(s->gc);
    free(s->coprimes);
    free(s->buckets);
    free(s->bootsema);
    free(s->outputs);
    spares_return(s->cfg.spares, s->stacks, s->log);
    if (s->cond)
        conductor_free(s->cond);
    free(s);
}
