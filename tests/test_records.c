/* Records (eventlog/records.def): what an M did in one go, folded together, against the same events folded one by one. */
#include "base/prng.h"
#include "engine/engine.h"
#include "load.h"
#include "model/history.h"
#include "ref.h"
#include "same.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 8, LONG = 20000 };

/* ---- the whole model ---- */

static bool same_p(const struct model_p *a, const struct model_p *b)
{
    return a->status == b->status && a->m == b->m && a->head == b->head && a->tail == b->tail && a->runnext == b->runnext &&
           a->schedtick == b->schedtick && a->seq == b->seq && a->timerseq == b->timerseq && a->ntimers == b->ntimers &&
           !memcmp(a->ring, b->ring, sizeof a->ring);
}

static bool same_m(const struct model_m *a, const struct model_m *b)
{
    return a->started == b->started && a->spinning == b->spinning && a->blocked == b->blocked && a->p == b->p && a->curg == b->curg &&
           a->oldp == b->oldp && a->lockedg == b->lockedg && a->since == b->since && a->delay == b->delay && a->transit_n == b->transit_n &&
           (!a->transit_n || !memcmp(a->transit, b->transit, a->transit_n * sizeof *a->transit));
}

static bool same_rest(const struct model *a, const struct model *b)
{
    uint64_t x[WAIT_BINS], y[WAIT_BINS];
    struct model_last_steal s = model_last_steal(a), t = model_last_steal(b);
    return model_waits(a, x) == model_waits(b, y) && !memcmp(x, y, sizeof x) && s.event == t.event && s.thief == t.thief &&
           a->outseq == b->outseq && a->npidle == b->npidle && a->inflight == b->inflight && a->dropped == b->dropped &&
           a->demand_gone == b->demand_gone && a->handed == b->handed && a->readied_obj == b->readied_obj &&
           a->readied_reason == b->readied_reason && !strcmp(a->violation, b->violation) &&
           !memcmp(a->use, b->use, (a->cfg.names.nfn + 1) * sizeof *a->use);
}

static void check_whole(const struct model *a, const struct model *b)
{
    SAME(a, b);
    CHECK_INT(model_nm(a), model_nm(b));
    for (uint32_t i = 0; i < a->npall; i++)
        CHECK(same_p(&a->p[i], &b->p[i]));
    for (uint32_t i = 0; i < model_nm(a); i++)
        CHECK(same_m(&a->m[i], &b->m[i]));
    for (uint32_t g = model_next_live(a, 0), h = model_next_live(b, 0); g || h; g = model_next_live(a, g), h = model_next_live(b, h)) {
        CHECK_INT(g, h);
        CHECK(!memcmp(model_g(a, g), model_g(b, h), sizeof(struct model_g)));
    }
    CHECK(same_rest(a, b));
}

/* ---- both ways ---- */

struct pair {
    struct model *whole, *single;
    uint32_t together; /* records of more than one event */
};

/* Offers n events of one M as a record, and what was applied one by one. Returns how many were applied. */
static uint32_t offer_both(struct pair *p, uint32_t m, const struct ev *e, uint32_t n)
{
    uint32_t done = n;
    enum offer r = model_offer_record(p->whole, m, e, &done);
    if (r != OFFER_APPLIED) {
        CHECK_INT(model_offer(p->single, m, e, NULL, 0), r);
        return 0;
    }
    CHECK(done >= 1 && done <= n);
    for (uint32_t i = 0; i < done; i++)
        CHECK_INT(model_offer(p->single, m, &e[i], NULL, 0), OFFER_APPLIED);
    p->together += done > 1;
    return done;
}

static uint32_t read_stretch(struct history *h, uint64_t from, struct ev e[MOST], uint32_t *m)
{
    struct history_event at;
    uint32_t n = 0;
    while (n < MOST && history_get(h, from + n, &at) && (n == 0 || at.m == *m)) {
        *m = at.m;
        e[n++] = at.ev;
    }
    return n;
}

/* Each stretch of one M's events is offered as if it were a record. Returns how many records had more than one event. */
static uint32_t fold_both(struct history *h)
{
    struct pair p = {NULL, NULL, 0};
    struct ev e[MOST];
    uint32_t m = 0;
    CHECK(history_move(h, &p.whole, 0) && history_move(h, &p.single, 0));
    for (uint64_t at = 1; at <= history_events(h);) {
        uint32_t n = read_stretch(h, at, e, &m), done = offer_both(&p, m, e, n);
        CHECK(done);
        at += done;
        if (done > 1)
            check_whole(p.whole, p.single);
    }
    check_whole(p.whole, p.single);
    model_free(p.whole);
    model_free(p.single);
    return p.together;
}

/* ---- runs ---- */

static struct engine *run_to(const struct engine_config *c)
{
    char err[200];
    struct engine *e = engine_new(c, err, sizeof err);
    CHECK(e);
    engine_drive(e, &(struct drive){.audit = false});
    CHECK(!engine_failed(e));
    CHECK_INT(history_events(e->history), e->events);
    return e;
}

static struct engine *run(const struct scenario *sc, enum conductor_mode mode, enum rt_generation gen)
{
    struct engine_config c = {
        .scenario = sc, .rt = scenario_config(sc), .limit = INT64_C(10000000000), .max_events = LONG, .history = 64 << 20};
    c.rt.mode = mode;
    c.rt.generation = gen;
    return run_to(&c);
}

static void check_lockstep(const struct scenario *sc, const char *path, void *ctx)
{
    uint32_t *together = ctx;
    (void)path;
    for (int gen = 0; gen < GENERATIONS; gen++) {
        struct diag d;
        diag_init(&d, path);
        if (scenario_fits(sc, (enum rt_generation)gen, &d)) {
            struct engine *e = run(sc, MODE_LOCKSTEP, (enum rt_generation)gen);
            *together += fold_both(e->history);
            engine_free(e);
        }
        diag_fini(&d);
    }
}

TEST_TIMED(a_record_is_its_events_in_each_shipped_scenario, 600)
{
    uint32_t together = 0;
    each_scenario(check_lockstep, &together);
    CHECK(together > 1000);
}

/* The engine takes records as they come: what it folded and kept is what its history folds to, event by event. */
static void check_free(const struct scenario *sc, const char *path, void *ctx)
{
    uint32_t *together = ctx;
    struct model *md = NULL;
    (void)path;
    struct engine *e = run(sc, MODE_FREE, scenario_info(sc)->generation);
    CHECK(history_move(e->history, &md, 0));
    CHECK(history_move(e->history, &md, history_events(e->history)));
    check_whole(engine_view(e), md);
    model_free(md);
    *together += fold_both(e->history);
    engine_free(e);
}

TEST_TIMED(what_a_free_run_folded_in_records_is_what_its_history_says, 600)
{
    uint32_t together = 0;
    each_scenario(check_free, &together);
    CHECK(together > 100);
}

/* ---- limits ---- */

static void check_limits(const struct scenario *sc, int64_t limit, uint64_t most)
{
    struct engine_config c = {.scenario = sc, .rt = scenario_config(sc), .limit = limit, .max_events = most, .history = 64 << 20};
    struct history_event last;
    c.rt.mode = MODE_FREE;
    struct engine *e = run_to(&c);
    CHECK(e->events <= most);
    CHECK(e->events == 0 || (history_get(e->history, e->events, &last) && last.ev.time <= limit));
    CHECK(e->how != ENDED_LIMIT || e->events == most || limit < INT64_MAX);
    engine_free(e);
}

/* A record may be cut anywhere: a limit ends a run at the same event as without records. */
TEST(a_limit_ends_a_record)
{
    struct scenario *sc = load(SOURCE_DIR "/scenarios/tree.yaml");
    for (uint64_t most = 1; most < 300; most += 7)
        check_limits(sc, INT64_MAX, most);
    for (int64_t limit = 1000; limit < 300000; limit += 7000)
        check_limits(sc, limit, 1000000);
    scenario_free(sc);
}

/* ---- random histories, delivered out of order ---- */

struct queue {
    struct ev e[REF_G];
    uint32_t n, at;
};

static void check_random(uint64_t seed)
{
    struct queue *q = calloc(REF_M, sizeof *q);
    struct model_config c = {.runq_size = REF_RING, .start_tick = 3};
    struct pair p = {model_new(&c), model_new(&c), 0};
    struct ref *r = ref_new(seed, 0);
    struct prng rand;
    uint32_t left;
    prng_seed(&rand, seed, 3);
    ref_run(r, 2000);
    left = r->nlog;
    for (uint32_t i = 0; i < r->nlog; i++) {
        struct queue *of = &q[r->log[i].m];
        CHECK(of->n < REF_G);
        of->e[of->n++] = r->log[i].ev;
    }
    for (uint32_t tries = 0; left && tries < 10000000; tries++) {
        uint32_t m = prng_below(&rand, REF_M), there = q[m].n - q[m].at, n = 1 + prng_below(&rand, MOST);
        uint32_t done = there ? offer_both(&p, m, &q[m].e[q[m].at], n < there ? n : there) : 0;
        q[m].at += done;
        left -= done;
        if (done > 1 && tries % 8 == 0)
            check_whole(p.whole, p.single);
    }
    CHECK_INT(left, 0);
    CHECK(p.together);
    check_whole(p.whole, p.single);
    ref_free(r);
    model_free(p.whole);
    model_free(p.single);
    free(q);
}

TEST(a_record_is_its_events_in_random_orders)
{
    for (long seed = 0; seed < t_count(60, 2000); seed++)
        check_random((uint64_t)seed);
}
