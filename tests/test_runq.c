/* The queue of a P by itself: what Go's own tests of it assert (proc_test.go: LocalQueue, Steal, Empty, StealOrder),
 * in code of our own. The functions run on a G of a real runtime, on Ps and Gs that belong to no M; the log is read
 * and dropped. */
#include <pthread.h>
#include "runtime/sched/proc.h"
#include "t.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static enum offer drop(void *ctx, uint32_t m, const struct ev *e, const char *text, size_t len)
{
    (void)m, (void)text, (void)len;
    if (e->kind == EV_RUNQ_OVERFLOW)
        ++*(int *)ctx;
    return OFFER_APPLIED;
}

static struct p *new_p(uint32_t id)
{
    struct p *pp = calloc(1, sizeof *pp);
    CHECK(pp);
    pp->id = id;
    return pp;
}

static struct g *new_gs(uint32_t n)
{
    struct g *g = calloc(n, sizeof *g);
    CHECK(g);
    for (uint32_t i = 0; i < n; i++)
        g[i].goid = i + 1;
    return g;
}

/* Runs fn on main of a runtime of one P with rings of `size`; returns how many runq_overflow it logged. */
static int on_g(rt_fn *fn, void *arg, uint32_t size)
{
    struct rt_config cfg = {
        .gomaxprocs = 1,
        .runq_size = size,
        .max_threads = 10,
        .start_tick = 4,
        .preempt_slice = 10000000,
        .seed = 1,
        .mode = MODE_LOCKSTEP,
        .main_fn = fn,
        .main_arg = arg,
        .level = EV_CORE};
    struct sched *s = rt_new(&cfg);
    CHECK(s);
    CHECK_INT(rt_start(s), 0);
    conductor_run(rt_conductor(s));
    int overflows = 0;
    struct log_sink sink = {.ctx = &overflows, .offer = drop};
    while (!conductor_wait_stopped(rt_conductor(s), 1) || !rt_ended(s, NULL))
        log_drain(rt_log(s), LOG_BY_TIME, &sink, 100000);
    log_drain(rt_log(s), LOG_BY_TIME, &sink, 1000000);
    CHECK(!rt_throw_text(s));
    rt_free(s);
    return overflows;
}

static void local_queue(void *arg)
{
    (void)arg;
    struct m *m = getm();
    struct p *pp = new_p(0);
    struct g *g = new_gs(RUNQ_MAX);
    bool inherit;
    for (uint32_t i = 0; i < RUNQ_MAX; i++) {
        CHECK(!runqget(m, pp, &inherit));
        for (uint32_t j = 0; j < i; j++)
            runqput(m, pp, &g[i], false);
        for (uint32_t j = 0; j < i; j++)
            CHECK(runqget(m, pp, &inherit) == &g[i]);
        CHECK(!inherit);
    }
    CHECK(runqempty(m, pp));
    free(g);
    free(pp);
}

TEST(records_come_out_as_they_were_put)
{
    CHECK_INT(on_g(local_queue, NULL, 256), 0); /* never more than 255: no overflow */
}

/* Checks that each of the first n Gs was seen exactly once. */
static void check_once(const uint8_t *seen, uint32_t n)
{
    for (uint32_t i = 1; i <= n; i++)
        CHECK_INT(seen[i], 1);
}

static void steal_half(void *arg)
{
    (void)arg;
    struct m *m = getm();
    struct p *p1 = new_p(0), *p2 = new_p(1);
    struct g *g = new_gs(RUNQ_MAX), *gp;
    bool inherit;
    for (uint32_t i = 0; i < RUNQ_MAX; i++) {
        uint8_t seen[RUNQ_MAX + 1] = {0};
        uint32_t stolen = 0;
        for (uint32_t j = 0; j < i; j++)
            runqput(m, p1, &g[j], false);
        if ((gp = runqsteal(m, p2, p1, true))) {
            stolen++;
            seen[gp->goid]++;
            CHECK_INT(gp->goid, (i + 1) / 2); /* the last one of the stolen half runs first */
        }
        for (; (gp = runqget(m, p2, &inherit)); stolen++)
            seen[gp->goid]++;
        CHECK_INT(stolen, (i + 1) / 2); /* n - n/2 */
        while ((gp = runqget(m, p1, &inherit)))
            seen[gp->goid]++;
        check_once(seen, i);
    }
    free(g);
    free(p1);
    free(p2);
}

TEST(a_thief_takes_half_rounded_up)
{
    on_g(steal_half, NULL, 256);
}

static void runnext_last(void *arg)
{
    (void)arg;
    struct m *m = getm();
    struct p *p1 = new_p(0), *p2 = new_p(1);
    struct g *g = new_gs(3);
    bool inherit;
    runqput(m, p1, &g[0], true);
    CHECK(!runqsteal(m, p2, p1, false)); /* not before the last pass */
    CHECK(runqsteal(m, p2, p1, true) == &g[0]);
    runqput(m, p1, &g[0], true);
    runqput(m, p1, &g[1], true);                /* kicks the first to the ring */
    CHECK(runqsteal(m, p2, p1, true) == &g[0]); /* the ring comes before runnext */
    CHECK(runqget(m, p1, &inherit) == &g[1]);
    CHECK(inherit);
    free(g);
    free(p1);
    free(p2);
}

TEST(runnext_is_stolen_last_and_only_on_request)
{
    on_g(runnext_last, NULL, 4);
}

static void overflow(void *arg)
{
    struct m *m = getm();
    struct sched *s = m->sched;
    uint32_t size = s->cfg.runq_size;
    struct p *pp = new_p(0);
    struct g *g = new_gs(size + 1), *gp;
    bool inherit;
    for (uint32_t i = 0; i <= size; i++)
        runqput(m, pp, &g[i], false);
    CHECK_INT(runqsize(s), size / 2 + 1);
    /* the ring keeps its second half in order … */
    for (uint32_t i = size / 2; i < size; i++)
        CHECK(runqget(m, pp, &inherit) == &g[i]);
    CHECK(!runqget(m, pp, &inherit));
    /* … and the queue has the first half, then the new G */
    gp = s->runq.head;
    for (uint32_t i = 0; i < size / 2; i++, gp = gp->schedlink)
        CHECK(gp == &g[i]);
    CHECK(gp == &g[size] && !gp->schedlink);
    s->runq.head = s->runq.tail = NULL;
    s->runqsize = 0;
    free(g);
    free(pp);
    *(uint32_t *)arg = size;
}

TEST(a_full_ring_gives_half_and_the_new_one_away)
{
    for (uint32_t size = 2; size <= 256; size *= 2) {
        uint32_t done = 0;
        CHECK_INT(on_g(overflow, &done, size), 1);
        CHECK_INT(done, size);
    }
}

static void batch(void *arg)
{
    (void)arg;
    struct m *m = getm();
    struct sched *s = m->sched;
    struct p *pp = new_p(0);
    bool inherit;
    /* n = min(len/gomaxprocs + 1, len, max, half a ring); gomaxprocs is 1 here, so 4 for one P means 4 of 4 Gs */
    const struct {
        uint32_t len, max, want;
    } t[] = {{1, 0, 1}, {4, 0, 4}, {4, 1, 1}, {128, 0, 128}, {200, 0, 128}, {200, 7, 7}};
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        struct g *g = new_gs(t[k].len);
        lock(m, &s->lock);
        for (uint32_t i = 0; i < t[k].len; i++)
            globrunqput(m, &g[i]);
        CHECK(globrunqget(m, pp, t[k].max, GLOBQ_BATCH) == &g[0]);
        CHECK_INT(runqsize(s), t[k].len - t[k].want);
        s->runq.head = s->runq.tail = NULL;
        s->runqsize = 0;
        unlock(m, &s->lock);
        for (uint32_t i = 1; i < t[k].want; i++)
            CHECK(runqget(m, pp, &inherit) == &g[i]);
        CHECK(!runqget(m, pp, &inherit));
        free(g);
    }
    free(pp);
}

TEST(the_global_queue_gives_a_fair_batch)
{
    on_g(batch, NULL, 256);
}

/* The owner puts two Gs (in all four ways) and takes them; meanwhile the queue must never look empty to another
 * thread. */
struct empty_race {
    struct p *pp;
    struct g *g;
    _Atomic uint32_t round, ready;
    _Atomic bool done;
    _Atomic long bad;
};

static struct m nobody; /* the checker is not an M; runqempty() only asks whether to give way */

/* Gives the checker time to announce its look. If the checker does not run now, it looks in a later round. */
static void let_look(struct empty_race *r, uint32_t round)
{
    for (int i = 0; i < 1000; i++)
        if (atomic_load_explicit(&r->ready, memory_order_acquire) == round) /* pairs with the checker's store */
            return;
}

static void *empty_checker(void *arg)
{
    struct empty_race *r = arg;
    for (uint32_t seen = 0; !atomic_load_explicit(&r->done, memory_order_acquire);) {
        uint32_t now = atomic_load_explicit(&r->round, memory_order_acquire); /* pairs with the owner's store */
        if (now == seen) {
            sched_yield(); /* to the owner, if there is only one processor */
            continue;
        }
        seen = now;
        atomic_store_explicit(&r->ready, now, memory_order_release);
        /* In an odd round at least one G is in the queue all the time. So if the round is still the same after this
         * look … */
        if (now % 2 == 1 && runqempty(&nobody, r->pp) && atomic_load_explicit(&r->round, memory_order_acquire) == now)
            atomic_fetch_add_explicit(&r->bad, 1, memory_order_relaxed);
    }
    return NULL;
}

static void empty_owner(void *arg)
{
    struct empty_race *r = arg;
    struct m *m = getm();
    bool inherit;
    long n = t_count(20000, 100000);
    for (uint32_t i = 1; i <= n; i++) {
        bool next0 = i & 1, next1 = i >> 1 & 1;
        runqput(m, r->pp, &r->g[0], next0);
        atomic_store_explicit(&r->round, 2 * i - 1, memory_order_release); /* the checker may look */
        let_look(r, 2 * i - 1);
        runqput(m, r->pp, &r->g[1], next1); /* from runnext to the ring, and so on */
        CHECK(runqget(m, r->pp, &inherit));
        atomic_store_explicit(&r->round, 2 * i, memory_order_release); /* from now on the queue may be empty */
        let_look(r, 2 * i);
        while (runqget(m, r->pp, &inherit))
            ;
    }
    atomic_store_explicit(&r->done, true, memory_order_release);
}

TEST(a_queue_with_a_g_never_looks_empty)
{
    struct empty_race r = {.pp = new_p(0), .g = new_gs(2)};
    pthread_t t;
    CHECK_INT(pthread_create(&t, NULL, empty_checker, &r), 0);
    on_g(empty_owner, &r, 256);
    pthread_join(t, NULL);
    CHECK_INT(r.bad, 0);
    free(r.pp);
    free(r.g);
}

/* Every entry of the steal order's table visits each P once. */
TEST(each_steal_order_visits_each_p_once)
{
    for (uint32_t n = 1; n <= 64; n++) {
        struct rt_config cfg = {.gomaxprocs = n, .runq_size = 4, .max_threads = 10, .seed = 1, .mode = MODE_LOCKSTEP};
        struct sched *s = rt_new(&cfg);
        CHECK(s);
        CHECK(n < 3 || s->ncoprimes >= 2);
        for (uint32_t c = 0; c < s->ncoprimes; c++) {
            uint8_t seen[64] = {0};
            for (uint32_t i = 0, pos = c % n; i < n; i++, pos = (pos + s->coprimes[c]) % n)
                CHECK(!seen[pos]++);
        }
        rt_free(s);
    }
}

/* ---- randomizeScheduler -------------------------------------------------------------------------------------------- */

/* Five Gs for a ring of four: three move out, in any order. Each of the six orders occurs, about equally often. */
static void shuffled_overflow(void *arg)
{
    int *seen = arg;
    struct m *m = getm();
    struct p *pp = new_p(0);
    struct g *g = new_gs(5);
    bool inherit;
    m->sched->cfg.randomize = true;
    prng_seed(&pp->shufrand, 1, PRNG_SHUFFLE);
    for (int trial = 0; trial < 600; trial++) {
        uint32_t out[3];
        for (int i = 0; i < 5; i++)
            runqput(m, pp, &g[i], false);
        lock(m, &m->sched->lock);
        for (int i = 0; i < 3; i++)
            out[i] = goid(globrunqget(m, pp, 1, GLOBQ_BATCH));
        CHECK_INT(runqsize(m->sched), 0);
        unlock(m, &m->sched->lock);
        CHECK_INT(out[0] * out[1] * out[2], 1 * 2 * 5); /* half of the ring, from its head, and the new G */
        seen[(out[0] > out[1]) << 2 | (out[0] > out[2]) << 1 | (out[1] > out[2])]++;
        CHECK_INT(goid(runqget(m, pp, &inherit)), 3); /* the rest keeps its order */
        CHECK_INT(goid(runqget(m, pp, &inherit)), 4);
    }
    m->sched->cfg.randomize = false;
    free(g);
    free(pp);
}

TEST(a_randomized_overflow_takes_every_order)
{
    int seen[8] = {0}, orders = 0;
    CHECK_INT(on_g(shuffled_overflow, seen, 4), 600);
    for (int i = 0; i < 8; i++) {
        orders += seen[i] > 0;
        CHECK(seen[i] == 0 || (seen[i] > 55 && seen[i] < 145)); /* 100 each, five standard deviations */
    }
    CHECK_INT(orders, 6);
}
