/* A partial model (model_config.lacks): what it derives from events whose beginnings nobody saw, what it then knows, and that a sequence that
 * contradicts itself is still broken, whatever a stranger's file has in it. */
#include "engine/engine.h"
#include "folding.h"
#include "load.h"
#include "unknown.h"

#define SEEN_G(md, want, g, state, m) OFFER(md, want, 0, EV_G_SEEN, NOP, g, state, m, EV_NONE, 0)
#define KNOWS(md, what, id, want) CHECK_INT(model_knows(md, KNOW_##what, id), KNOWN_##want)

TEST(a_g_that_nobody_saw_starts)
{
    struct model *md = partial(GO_TRACE);
    OFFER(md, APPLIED, 3, EV_G_START, 2, 7, 0, 0, 0, 0);
    const struct model_g *g = model_g(md, 7);
    CHECK(g->status == G_RUNNING && g->place == PLACE_RUNNING && g->where == 3);
    CHECK_INT(model_p(md, 2)->m, 3);
    CHECK_INT(model_m(md, 3)->p, 2);
    CHECK_INT(model_m_doing(md, 3), MD_RUN);
    KNOWS(md, G_STATE, 7, FACT);
    KNOWS(md, G_FN, 7, NOT);
    KNOWS(md, P_M, 2, FACT);
    KNOWS(md, P_STATE, 2, FACT);
    KNOWS(md, P_STATE, 0, NOT);
    KNOWS(md, P_LEN, 2, NOT);
    KNOWS(md, PS, 0, DERIVED);
    KNOWS(md, G_STATE, 8, NOT);
    CHECK_INT(model_p(md, 0)->status, P_UNKNOWN);
    OFFER(md, APPLIED, 3, EV_G_PARK, 2, 7, 0, WAIT_REASON_CHAN_SEND, 0, 0);
    KNOWS(md, G_REASON, 7, FACT);
    KNOWS(md, M_STATE, 3, NOT); /* the source does not say whether it searches or sleeps */
    CHECK_INT(model_m_doing(md, 3), MD_UNKNOWN);
    OFFER(md, APPLIED, 1, EV_G_READY, 0, 7, 0, 9, 0, 0);
    KNOWS(md, G_PLACE, 7, DERIVED); /* which queue has it is not recorded, but follows from the rules */
    CHECK_INT(model_g(md, 7)->place, PLACE_RUNNEXT);
    OFFER(md, APPLIED, 1, EV_G_START, 0, 7, 0, 0, 0, 0);
    CHECK_INT(model_g(md, 7)->where, 1);
    model_free(md);
}

/* OFFER() says that nothing has changed. A partial model may have derived something before it found the contradiction, so not here. */
static void breaks(int line, struct model *md, uint32_t m, struct ev e)
{
    uint64_t events = model_events(md);
    if (model_offer(md, m, &e, NULL, 0) != OFFER_BROKEN)
        t_fail(__FILE__, line, "%s is not broken", ev_desc[e.kind].name);
    CHECK(model_error(md)[0] && model_events(md) == events);
}
#define BREAKS(md, m, ...) breaks(__LINE__, md, m, make(0, __VA_ARGS__))

TEST(what_contradicts_is_broken)
{
    struct model *md = partial(GO_TRACE);
    OFFER(md, APPLIED, 3, EV_G_START, 2, 7, 0, 0, 0, 0);
    BREAKS(md, 3, EV_G_START, 2, 8, 0, 0, 0, 0);  /* M3 runs G7 */
    BREAKS(md, 4, EV_G_START, 1, 7, 0, 0, 0, 0);  /* G7 runs on M3 */
    BREAKS(md, 4, EV_G_START, 2, 9, 0, 0, 0, 0);  /* P2 is M3's */
    BREAKS(md, 4, EV_G_READY, 1, 7, 0, 0, 0, 0);  /* it does not wait */
    BREAKS(md, 5, EV_G_CREATE, 1, 7, 0, 0, 0, 0); /* it exists */
    SEEN_G(md, APPLIED, 7, G_SEEN_RUNNING, 3);
    BREAKS(md, 0, EV_G_SEEN, NOP, 7, G_SEEN_WAITING, EV_NONE, EV_NONE, 0);
    BREAKS(md, 0, EV_G_SEEN, NOP, 12, G_SEEN_RUNNING, 3, EV_NONE, 0); /* M3 runs another */
    BREAKS(md, 0, EV_P_SEEN, 2, 0, P_SEEN_IDLE, EV_NONE, 0, 0);
    BREAKS(md, 0, EV_G_START, EV_MAX_P, 8, 0, 0, 0, 0);
    BREAKS(md, UINT32_MAX, EV_G_START, 0, 8, 0, 0, 0, 0);
    BREAKS(md, 0, EV_G_SEEN, NOP, UINT32_MAX, G_SEEN_WAITING, EV_NONE, EV_NONE, 0);
    BREAKS(md, 0, EV_G_SEEN, NOP, 5, 99, EV_NONE, EV_NONE, 0);
    OFFER(md, APPLIED, 3, EV_G_END, 2, 7, 0, 0, 0, 0);
    BREAKS(md, 3, EV_G_START, 2, 7, 0, 0, 0, 0);
    model_free(md);
}

TEST(a_live_run_logs_no_states_without_a_cause)
{
    struct model *md = boot();
    OFFER(md, BROKEN, 0, EV_G_SEEN, 0, 3, G_SEEN_WAITING, EV_NONE, EV_NONE, 0);
    OFFER(md, BROKEN, 0, EV_P_SEEN, 0, 0, P_SEEN_RUNNING, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_M_SEEN, 0, 0, M_SEEN_UNKNOWN, 0, 0, 0);
    OFFER(md, BROKEN, 0, EV_COUNT_SEEN, 0, 0, SEEN_GLOBQ, 2, 0, 0);
    struct model_gap gap[KNOW_WHATS * 2];
    CHECK_INT(model_unknown(md, gap), 0);
    model_free(md);
}

TEST(lost_events_replace_what_was_known)
{
    struct model *md = partial(GO_TRACE);
    OFFER(md, APPLIED, 3, EV_G_START, 2, 7, 0, 0, 0, 0);
    OFFER(md, APPLIED, 0, EV_G_SEEN, NOP, 7, G_SEEN_WAITING | SEEN_GAP << 8, EV_NONE, EV_NONE, 0);
    KNOWS(md, G_STATE, 7, FACT);
    KNOWS(md, G_REASON, 7, NOT);
    KNOWS(md, M_G, 3, NOT);
    CHECK_INT(model_m(md, 3)->curg, 0);
    CHECK_INT(model_count_g(md, G_WAITING), 1);
    OFFER(md, APPLIED, 0, EV_P_SEEN, 2, 0, P_SEEN_IDLE | SEEN_GAP << 8, EV_NONE, 0, 0);
    CHECK_INT(model_p(md, 2)->status, P_IDLE);
    KNOWS(md, M_P, 3, DERIVED); /* it has lost P2, but it may have another */
    OFFER(md, APPLIED, 3, EV_M_SEEN, NOP, 0, M_SEEN_IDLE | SEEN_GAP << 8, 0, 0, 0);
    CHECK_INT(model_m_doing(md, 3), MD_IDLE);
    model_free(md);
}

TEST(counts_without_contents)
{
    struct model *md = partial(COUNTS);
    const uint32_t *q;
    OFFER(md, APPLIED, 0, EV_COUNT_SEEN, NOP, 0, SEEN_PS, 2, 0, 0);
    OFFER(md, APPLIED, 0, EV_COUNT_SEEN, NOP, 0, SEEN_GLOBQ, 3, 0, 0);
    OFFER(md, APPLIED, 0, EV_COUNT_SEEN, 0, 0, SEEN_RUNQ, 2, 0, 0);
    OFFER(md, APPLIED, 0, EV_COUNT_SEEN, 1, 0, SEEN_RUNQ, 0, 0, 0);
    KNOWS(md, PS, 0, FACT);
    KNOWS(md, GLOBQ_LEN, 0, FACT);
    KNOWS(md, GLOBQ, 0, NOT);
    CHECK_INT(model_globq(md, &q), 3);
    CHECK_INT(q[0], 0);
    KNOWS(md, P_LEN, 0, FACT);
    KNOWS(md, P_RUNQ, 0, NOT);
    KNOWS(md, P_RUNQ, 1, FACT); /* nothing is in it */
    CHECK_INT(model_p(md, 0)->tail - model_p(md, 0)->head, 2);
    BREAKS(md, 0, EV_COUNT_SEEN, 0, 0, SEEN_RUNQ, RING + 1, 0, 0);
    BREAKS(md, 0, EV_COUNT_SEEN, 2, 0, SEEN_RUNQ, 1, 0, 0); /* there are two */
    OFFER(md, APPLIED, 0, EV_COUNT_SEEN, 0, 0, SEEN_RUNQ, 1, 0, 0);
    CHECK_INT(model_p(md, 0)->tail - model_p(md, 0)->head, 1);
    OFFER(md, APPLIED, 0, EV_G_START, 0, 4, 0, 0, 0, 0); /* from which queue? */
    KNOWS(md, P_LEN, 0, NOT);
    KNOWS(md, GLOBQ_LEN, 0, NOT);
    model_free(md);
}

/* A source that records everything, but came late: each queue becomes known piece by piece. */
TEST(queues_are_derived_from_what_moves)
{
    struct model *md = partial(LATE);
    OFFER(md, APPLIED, 1, EV_RUNQ_GET, 0, 5, 17, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_G_START, 0, 5, 3, 0, 0, 0);
    KNOWS(md, P_LEN, 0, NOT);
    OFFER(md, APPLIED, 1, EV_G_CREATE, 0, 9, 5, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_RUNQ_PUT, 0, 9, 20, 0, 0, 0);
    const struct model_p *p = model_p(md, 0);
    CHECK_INT(p->head, 18);
    CHECK_INT(p->tail, 21);
    KNOWS(md, P_LEN, 0, DERIVED);
    KNOWS(md, P_RUNQ, 0, NOT);
    OFFER(md, APPLIED, 2, EV_STEAL, 1, 6, 0, 2 << 1, 18, 0); /* slots 18 and 19; G6 is the last of them */
    KNOWS(md, P_RUNQ, 0, DERIVED);
    CHECK_INT(model_p(md, 1)->tail - model_p(md, 1)->head, 1); /* a G that nobody knows */
    BREAKS(md, 1, EV_RUNQ_GET, 0, 10, 20, 0, 0, 0);            /* G9 is there */
    OFFER(md, APPLIED, 1, EV_G_YIELD, 0, 5, 4, 0, 0, 0);
    OFFER(md, APPLIED, 1, EV_RUNQ_GET, 0, 9, 20, 0, 0, 0);
    BREAKS(md, 1, EV_G_START, 0, 9, 7, 0, 0, 0); /* its next number is 2 */
    OFFER(md, APPLIED, 1, EV_GLOBQ_GET, 0, 30, 2, GLOBQ_BATCH, 0, 0);
    CHECK_INT(model_m(md, 1)->transit_n, 4);
    KNOWS(md, GLOBQ_LEN, 0, NOT);
    model_free(md);
}

TEST(the_ledger_says_what_and_why)
{
    struct model *md = partial(GO_TRACE);
    struct model_gap gap[KNOW_WHATS * 2];
    OFFER(md, APPLIED, 3, EV_G_START, 2, 7, 0, 0, 0, 0);
    uint32_t n = model_unknown(md, gap), found = 0;
    for (uint32_t i = 0; i < n; i++) {
        CHECK(gap[i].known != KNOWN_FACT);
        if (gap[i].what == KNOW_P_STATE && gap[i].known == KNOWN_NOT) {
            found |= 1;
            CHECK(gap[i].n == 2 && gap[i].id == 0 && !gap[i].unrecorded);
        }
        if (gap[i].what == KNOW_P_LEN) {
            found |= 2;
            CHECK(gap[i].n == 3 && gap[i].unrecorded);
        }
        if (gap[i].what == KNOW_PS) {
            found |= 4;
            CHECK(gap[i].n == 0 && gap[i].known == KNOWN_DERIVED);
        }
        if (gap[i].what == KNOW_G_FN) {
            found |= 8;
            CHECK(gap[i].n == 1 && gap[i].id == 7);
        }
    }
    CHECK_INT(found, 15);
    model_free(md);
}

TEST(a_copy_knows_the_same)
{
    struct model *md = partial(LATE);
    struct model_gap a[KNOW_WHATS * 2], b[KNOW_WHATS * 2];
    OFFER(md, APPLIED, 1, EV_RUNQ_GET, 0, 5, 17, 0, 0, 0);
    struct model *copy = model_clone(md);
    uint32_t n = model_unknown(md, a);
    CHECK(copy && n && model_unknown(copy, b) == n && memcmp(a, b, n * sizeof *a) == 0);
    model_free(copy);
    model_free(md);
}

/* ---- hostile sequences ---- */

/* What is read of a state for a screen may not depend on what is known. */
static void read_all(const struct model *md)
{
    struct model_gap gap[KNOW_WHATS * 2];
    struct snapshot s = {0};
    struct model_waiter *w;
    char line[400];
    uint32_t n;
    CHECK(model_unknown(md, gap) <= KNOW_WHATS * 2 && model_snapshot(md, &s) && model_waiters(md, 1000, &w, &n));
    free(w);
    snapshot_fini(&s);
    model_check(md, line, sizeof line);
    struct model *copy = model_clone(md);
    CHECK(copy);
    model_free(copy);
}

static void storm(uint32_t lacks, uint64_t seed, uint32_t *applied)
{
    struct prng r;
    prng_seed(&r, seed, 1);
    struct model *md = partial(lacks);
    for (uint32_t i = 0; i < 300; i++) {
        struct ev e = any_event(&r, i * 10);
        char text[400];
        enum offer got = model_offer(md, prng_below(&r, 30) ? (uint32_t)prng_below(&r, 4) : some(&r), &e, NULL, 0);
        CHECK(got != OFFER_NOT_YET && !model_lacks_memory(md));
        *applied += got == OFFER_APPLIED;
        if (got == OFFER_APPLIED) {
            event_line(md, 0, &e, NULL, 0, text, sizeof text);
            event_sentence(md, 0, &e, NULL, 0, LANG_ZH, text, sizeof text);
        }
        /* An offer that is broken ends a run. Here it goes on, which finds more. */
    }
    read_all(md);
    model_free(md);
}

TEST(any_sequence_is_applied_or_broken)
{
    static const uint32_t of[] = {GO_TRACE, COUNTS, LATE};
    uint32_t applied = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)t_count(600, 100000); seed++)
        storm(of[seed % 3], seed, &applied);
    CHECK(applied > 1000);
}

/* ---- live runs ---- */

enum { EVERY = 499 };

static bool nothing_unknown(void *ctx, const struct merged_event *at)
{
    struct model_gap gap[KNOW_WHATS * 2];
    uint32_t *looks = ctx;
    CHECK(!ev_has_trait(at->e->kind, EV_SEEN));
    if (at->number % EVERY == 0 || at->number < 20) {
        CHECK_INT(model_unknown(at->md, gap), 0);
        ++*looks;
    }
    return true;
}

static void run_it(const struct scenario *sc, const char *path, void *ctx)
{
    char err[200];
    (void)path;
    struct reader reader = {.needs = READS_STATES, .ctx = ctx, .event = nothing_unknown};
    struct engine_config c = {
        .scenario = sc, .rt = scenario_config(sc), .limit = INT64_MAX, .max_events = 50000, .readers = &reader, .nreaders = 1};
    c.rt.mode = MODE_LOCKSTEP;
    struct engine *e = engine_new(&c, err, sizeof err);
    if (!e)
        t_fail(__FILE__, __LINE__, "%s", err);
    engine_drive(e, &(struct drive){0});
    struct model_gap gap[KNOW_WHATS * 2];
    CHECK_INT(model_unknown(e->model, gap), 0);
    engine_free(e);
}

TEST(a_live_run_has_nothing_unknown)
{
    uint32_t looks = 0;
    each_scenario(run_it, &looks);
    CHECK(looks > 1000);
}
