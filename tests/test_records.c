/* Records (eventlog/records.def): what an M did in one go, folded together, against the same events folded one by one. */
#include "base/prng.h"
#include "engine/engine.h"
#include "load.h"
#include "model/history/history_internal.h"
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
           a->readied_reason == b->readied_reason && !memcmp(a->violation, b->violation, sizeof a->violation) &&
           !memcmp(a->use, b->use, (a->cfg.names.nfn + 1) * sizeof *a->use);
}

static void check_whole(const struct model *a, struct model *b)
{
    model_set_races(b, model_counters(a)->races); /* no event counts them */
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

/* ---- the history's index, from records and from single events ---- */

/* The same events in another history. */
static struct history *copy(struct history *from, bool records)
{
    struct history *h;
    struct model *md = NULL;
    struct ev e[MOST];
    struct history_event at;
    uint32_t m = 0;
    CHECK(history_move(from, &md, 0) && (h = history_new(md, &(struct history_config){.budget = 64 << 20, .segment = 4096})));
    for (uint64_t n = 1; n <= history_events(from);) {
        uint32_t some = read_stretch(from, n, e, &m), of_time = 1;
        while (of_time < some && e[of_time].time == e[0].time)
            of_time++;
        some = records && history_takes(h, of_time) ? of_time : 1;
        CHECK(history_get(from, n, &at));
        if (some > 1 && !at.text) {
            CHECK_INT(model_offer_record(md, m, e, &some), OFFER_APPLIED);
            CHECK(history_add_record(h, md, m, e, some));
        } else {
            some = 1;
            CHECK_INT(model_offer(md, m, e, at.text, at.len), OFFER_APPLIED);
            CHECK(history_add(h, md, m, e, at.text, at.len));
        }
        n += some;
    }
    model_free(md);
    return h;
}

static void check_activity(const struct activity *a, const struct activity *b)
{
    CHECK_INT(activity_bytes(a), activity_bytes(b));
    CHECK(!memcmp(a, b, activity_bytes(a)));
}

static void check_segment(const struct history *a, const struct segment *s, const struct segment *t)
{
    const struct segment_index *x = &s->index, *y = &t->index;
    CHECK(s->n == t->n && s->latest == t->latest && x->nmarks == y->nmarks && x->leaf == y->leaf && x->nreadied == y->nreadied);
    for (uint32_t k = 0; k < x->nmarks; k++)
        check_activity(x->mark[k], y->mark[k]);
    CHECK(!memcmp(x->peak, y->peak, a->size / x->leaf * sizeof *x->peak) && !memcmp(x->total_peak, y->total_peak, sizeof x->total_peak));
    CHECK(!memcmp(x->filter, y->filter, a->size / 128 * sizeof *x->filter));
    CHECK(!x->nreadied || !memcmp(x->readied, y->readied, x->nreadied * sizeof *x->readied));
}

static void check_index(struct history *h)
{
    struct history *a = copy(h, true), *b = copy(h, false);
    struct history_event e, f;
    CHECK_INT(a->seg.n, b->seg.n);
    check_activity(a->now, b->now);
    for (size_t i = 0; i < a->seg.n; i++)
        check_segment(a, &a->seg.v[i], &b->seg.v[i]);
    for (uint64_t n = 1; n <= history_events(h); n++)
        CHECK(history_get(a, n, &e) && history_get(b, n, &f) && e.m == f.m && !memcmp(&e.ev, &f.ev, sizeof e.ev));
    history_free(a);
    history_free(b);
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
        if (is_tried(gen) && scenario_fits(sc, (enum rt_generation)gen, &d)) {
            struct engine *e = run(sc, MODE_LOCKSTEP, (enum rt_generation)gen);
            *together += fold_both(e->history);
            check_index(e->history);
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

/* Judges the claims once more, from single events and the state after each of them. */
static void check_claims(struct engine *e, const struct scenario *sc)
{
    struct expect *x = expect_new(sc, &e->cfg.rt, false, LANG_EN);
    struct model *md = NULL;
    struct history_event at;
    CHECK(x && history_move(e->history, &md, 0));
    for (uint64_t n = 1; n <= e->events; n++) {
        CHECK(history_move(e->history, &md, n) && history_get(e->history, n, &at));
        expect_event(x, &(struct merged_event){md, n, at.m, &at.ev, at.text, at.len});
    }
    CHECK(expect_finish(x, md, e->how, NULL) && expect_finish(e->expect, engine_view(e), e->how, NULL));
    for (uint32_t i = 0; i < scenario_info(sc)->nexpect; i++)
        CHECK(expect_ok(x, i) == expect_ok(e->expect, i) && !strcmp(expect_why(x, i), expect_why(e->expect, i)));
    expect_free(x);
    model_free(md);
}

/* The engine takes records as they come: what it folded and kept is what its history folds to, event by event. */
static void check_free(const struct scenario *sc, const char *path, void *ctx)
{
    uint32_t *together = ctx;
    struct model *md = NULL;
    (void)path;
    struct engine *e = run(sc, MODE_FREE, scenario_info(sc)->generation);
    check_claims(e, sc);
    CHECK(history_move(e->history, &md, 0));
    CHECK(history_move(e->history, &md, history_events(e->history)));
    check_whole(engine_view(e), md);
    model_free(md);
    *together += fold_both(e->history);
    check_index(e->history);
    engine_free(e);
}

TEST_TIMED(what_a_free_run_folded_in_records_is_what_its_history_says, 600)
{
    uint32_t together = 0;
    each_scenario(check_free, &together);
    CHECK(together > 100);
}

/* ---- claims and queries ---- */

/* Is what an M did in one go folded together in a free run of this scenario? */
static bool is_taken(const struct scenario *sc)
{
    char err[200];
    struct engine_config c = {.scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = LONG};
    c.rt.mode = MODE_FREE;
    struct engine *e = engine_new(&c, err, sizeof err);
    CHECK(e);
    bool taken = !(readers_need(&e->readers) & READS_STATES);
    engine_free(e);
    return taken;
}

/* Of the shipped scenarios, two have a claim about states that holds in free mode. */
static void check_taken(const struct scenario *sc, const char *path, void *ctx)
{
    (void)ctx;
    if (is_taken(sc) != (!strstr(path, "scene-07-spin-limit") && !strstr(path, "call-keeps-p")))
        t_fail(__FILE__, __LINE__, "%s", path);
}

static bool taken_with_claim(const char *claim)
{
    char text[400];
    snprintf(text, sizeof text, "name: t\ngoroutines:\n  - name: main\n    do: [yield: 3]\nexpect:\n  - %s\n", claim);
    struct scenario *sc = load(t_file("claim.yaml", text));
    bool taken = is_taken(sc);
    scenario_free(sc);
    return taken;
}

TEST(only_a_claim_about_states_takes_records_apart)
{
    CHECK(taken_with_claim("ends: main_returned"));
    CHECK(taken_with_claim("{counter: steals, max: 9}"));
    CHECK(taken_with_claim("{event: g_start, min: 1}"));
    CHECK(taken_with_claim("never: steal"));
    CHECK(taken_with_claim("sequence: [go_create, g_yield, g_end]"));
    CHECK(!taken_with_claim("event: when p0.runq >= 4"));
    each_scenario(check_taken, NULL);
}

static struct query *query_for(struct arena *a, const struct scenario *sc, const char *text)
{
    const char *err;
    size_t pos;
    struct query *q = query_compile(a, text, &err, &pos);
    CHECK(q && query_bind(q, a, &scenario_info(sc)->programs, &err, &pos));
    return q;
}

/* A query that follows a free run gives what it gives for the history of that run, event by event. Returns whether the run was folded in
 * records. */
static bool check_query(const struct scenario *sc, const char *text)
{
    struct arena a = {0};
    struct query *q = query_for(&a, sc, text), *single = query_for(&a, sc, text);
    struct reader reads = query_reader(q);
    struct engine_config c = {
        .scenario = sc,
        .rt = scenario_config(sc),
        .limit = INT64_MAX,
        .max_events = LONG,
        .history = 64 << 20,
        .readers = &reads,
        .nreaders = 1};
    struct model *md = NULL;
    struct history_event at;
    const char *value, *of_single;
    c.rt.mode = MODE_FREE;
    struct engine *e = run_to(&c);
    CHECK(history_move(e->history, &md, 0));
    for (uint64_t n = 1; n <= e->events; n++) {
        CHECK(history_get(e->history, n, &at));
        query_passes(single, md, at.ev.time);
        CHECK(history_move(e->history, &md, n));
        query_event(single, &(struct merged_event){md, n, at.m, &at.ev, at.text, at.len});
    }
    CHECK_INT(query_value(q, engine_view(e), &value), QUERY_VALUE);
    CHECK_INT(query_value(single, md, &of_single), QUERY_VALUE);
    CHECK_STR(value, of_single);
    CHECK_INT(query_decided(q), query_decided(single));
    engine_free(e);
    model_free(md);
    query_fini(q);
    query_fini(single);
    arena_fini(&a);
    return !(reads.needs & READS_STATES);
}

TEST(a_query_about_events_leaves_records_whole)
{
    struct scenario *sc = load(SOURCE_DIR "/scenarios/tree.yaml");
    CHECK(check_query(sc, "count(g_start)"));
    CHECK(check_query(sc, "count(find_stage) + count(go_create)"));
    CHECK(check_query(sc, "time(g_end x5) - time(go_create x5)"));
    CHECK(check_query(sc, "value(runnext_put x7 .g)"));
    CHECK(check_query(sc, "order(g_end .g)"));
    CHECK(check_query(sc, "next(g_end x2 after go_create x4 .g)"));
    CHECK(check_query(sc, "counter(goroutines) + count(g_park)"));
    CHECK(!check_query(sc, "p0.runq at g_end x3"));
    CHECK(!check_query(sc, "count(when p0.runq >= 1)"));
    scenario_free(sc);
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
