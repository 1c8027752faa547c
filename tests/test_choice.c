/* Chosen decisions: the text of a list, and the conductor's part on plain threads. A run steered by hand and the run
 * that its list makes must be the same; an impossible choice must be refused. Real scenarios are in test_choose.c. */
#include "toy.h"
#include <string.h>

/* --- the text ------------------------------------------------------------------------------------------------------ */

static char *round_trip(const char *text, size_t n)
{
    char why[200];
    struct choices c = {0};
    CHECK(choices_parse(text, &c, why, sizeof why) == NULL);
    CHECK_INT(c.n, n);
    char *out = choices_text(&c);
    vec_free(&c);
    CHECK(out);
    return out;
}

TEST(text_round_trip)
{
    static const struct {
        const char *in, *out;
        size_t n;
    } rows[] = {
        {"", "", 0},
        {"17m2", "17m2", 1},
        {"17m2,23s4x3", "17m2,23s4x3", 4},
        {"1v0,2v0,3v0,4c0,5c0,7c0,8r4294967295", "1v0x3,4c0x2,7c0,8r4294967295", 7},
        {"9m1x1", "9m1", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *out = round_trip(rows[i].in, rows[i].n);
        CHECK_STR(out, rows[i].out);
        free(out);
    }
}

TEST(text_mistakes)
{
    static const struct {
        const char *in, *why;
    } rows[] = {
        {"m1", "column 1: expected the number of a decision"},
        {"0m1", "column 2: expected the number of a decision"},
        {"5", "column 2: expected m (next M)"},
        {"5q1", "column 2: expected m (next M)"},
        {"5m", "column 3: expected the number of the pick"},
        {"5m-1", "column 3: expected the number of"},
        {"5m4294967296", "column 3: expected the number of"},
        {"5m1x", "column 5: expected a count of decisions"},
        {"5m1x0", "column 6: expected a count of decisions"},
        {"5m1 ,6m1", "column 4: expected a comma"},
        {"5m1,", "column 5: expected another choice"},
        {"5m1,5m2", "column 5: expected a later decision than the one before"},
        {"5m1x3,7m2", "column 7: expected a later decision than the one before"},
        {"1m0x10000000,10000001m0x10000000", "column 14: expected fewer choices"},
        {"99999999999999999999m1", "column 1: expected the number of a decision"},
        {",", "column 1: expected the number of a decision"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char why[200] = "";
        struct choices c = {0};
        CHECK(choices_parse(rows[i].in, &c, why, sizeof why) == why);
        if (strncmp(why, rows[i].why, strlen(rows[i].why)))
            t_fail(__FILE__, __LINE__, "\"%s\": got \"%s\", not \"%s\"", rows[i].in, why, rows[i].why);
        vec_free(&c);
    }
}

/* --- a world in which much is drawn -------------------------------------------------------------------------------- */

#define TOYS 4

static void chancy_step(struct toy *t)
{
    struct world *x = t->world;
    uint32_t n = 1 + prng_below(&t->rand, 5), seeds = prng_below(&t->rand, n);
    uint32_t got = conductor_decide(t->w, n % 2 ? DECIDE_STEAL : DECIDE_SELECT, n, seeds);
    CHECK(got < n);
    x->hash = (x->hash ^ (got + 77)) * 0x100000001b3u;
    if (got == 0)
        locked_step(t);
    else if (got == 1)
        conductor_usleep(t->w, 200);
    mark(t);
}

static void chancy(struct toy *t)
{
    for (int i = 0; i < 40; i++)
        chancy_step(t);
    t->world->done++;
}

static void chancy_first(struct toy *t)
{
    for (uint32_t id = 1; id < TOYS; id++)
        toy_start(t->world, id, chancy);
    mark(t); /* the first decision is about an M */
    chancy(t);
}

static struct world *chancy_world(const struct choices *choices)
{
    struct world *x = world_new_chosen(MODE_LOCKSTEP, 3, choices);
    toy_start(x, 0, chancy_first);
    return x;
}

static uint64_t finish(struct world *x, struct choices *taken)
{
    conductor_run(x->c);
    world_await_empty(x);
    CHECK_INT(x->done, TOYS);
    CHECK(conductor_choices(x->c, false, taken));
    uint64_t hash = x->hash;
    world_free(x);
    return hash;
}

/* Picks anything that can be picked. */
static uint32_t any_pick(struct conductor *c, const struct decision *now, struct prng *rand)
{
    uint32_t ids[TOYS];
    if (now->kind != DECIDE_M)
        return prng_below(rand, now->n);
    CHECK_INT(conductor_ready(c, ids, TOYS), now->n);
    return ids[prng_below(rand, now->n)];
}

/* Makes some turns by hand. */
static uint64_t by_hand(struct prng *rand, struct choices *taken, uint64_t *outcomes)
{
    struct world *x = chancy_world(NULL);
    struct decision now;
    for (int i = 0; i < 60 && conductor_alive(x->c); i++) {
        if (prng_below(rand, 3) == 0)
            conductor_step_events(x->c, 1 + prng_below(rand, 4), true);
        CHECK(conductor_wait_stopped(x->c, -1));
        if (!conductor_decision_now(x->c, &now))
            break;
        CHECK(conductor_choose(x->c, any_pick(x->c, &now, rand)));
        *outcomes += now.kind != DECIDE_M;
        CHECK(conductor_step_turn(x->c, TURN_ALONE));
        CHECK(conductor_wait_stopped(x->c, -1));
    }
    return finish(x, taken);
}

static void same_choices(const struct choices *a, const struct choices *b)
{
    char *left = choices_text(a), *right = choices_text(b);
    CHECK(left && right);
    CHECK_STR(left, right);
    free(left);
    free(right);
}

TEST(list_makes_the_run_again)
{
    struct prng rand;
    struct choices none = {0};
    uint64_t plain = finish(chancy_world(NULL), &none), outcomes = 0, others = 0;
    CHECK_INT(none.n, 0);
    prng_seed(&rand, 11, 0);
    for (long i = t_count(60, 1000); i > 0; i--) {
        struct choices taken = {0}, again = {0};
        uint64_t want = by_hand(&rand, &taken, &outcomes);
        others += want != plain;
        CHECK(finish(chancy_world(&taken), &again) == want);
        same_choices(&taken, &again);
        vec_free(&taken);
        vec_free(&again);
    }
    CHECK(others > 50);   /* otherwise nothing was chosen */
    CHECK(outcomes > 50); /* it was not always an M */
}

/* --- a single turn ------------------------------------------------------------------------------------------------- */

static void progress(struct toy *t)
{
    for (int i = 0; i < 20; i++) {
        t->progress++;
        mark(t);
    }
}

static void progress_first(struct toy *t)
{
    for (uint32_t id = 1; id < TOYS; id++)
        toy_start(t->world, id, progress);
    progress(t);
}

static void one_turn(struct world *x, uint32_t id, uint64_t turns)
{
    struct decision now;
    uint64_t before[TOYS];
    for (int i = 0; i < TOYS; i++)
        before[i] = x->toy[i].progress;
    CHECK(conductor_decision_now(x->c, &now));
    CHECK_INT(now.n, TOYS);
    CHECK(conductor_choose(x->c, id));
    CHECK(conductor_step_turn(x->c, TURN_ALONE));
    CHECK(conductor_wait_stopped(x->c, -1));
    for (uint32_t i = 0; i < TOYS; i++)
        CHECK_INT(x->toy[i].progress, before[i] + (i == id ? turns : 0));
}

TEST(only_the_chosen_m_moves)
{
    struct world *x = world_new(MODE_LOCKSTEP, 1);
    toy_start(x, 0, progress_first);
    conductor_step_events(x->c, 6, true); /* by then all have been created: the first one marks only afterwards */
    CHECK(conductor_wait_stopped(x->c, -1));
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t id = TOYS; id-- > 0;)
            one_turn(x, id, 1);
    CHECK(!conductor_choose(x->c, TOYS));
    world_free(x);
}

enum { NOBODY = TOYS, LOOKS = 50 };
static _Atomic uint32_t late; /* this M has seen that it has the baton, and is kept from seeing whether the run is stopped */
static _Atomic bool awake;    /* it has come there */
static _Atomic bool folds;    /* the fold has passed what the other Ms logged */

static bool behind(void *ctx, struct waiter *w)
{
    uint32_t id = ((struct toy *)waiter_user(w))->id;
    (void)ctx;
    if (id != late)
        return !folds;
    awake = true;
    while (id == late)
        nap(100);
    return false;
}

/* A kick for all Ms, as the fold makes them, may wake the one that has the baton at a stop. It does not move if the baton is taken from it
 * before it looks whether it may. */
TEST(one_that_wakes_late_does_not_move_beside_the_chosen_one)
{
    struct world *x = world_new_as((struct conductor_config){.mode = MODE_LOCKSTEP, .seed = 1, .behind = behind});
    struct decision now;
    late = NOBODY;
    toy_start(x, 0, progress_first);
    conductor_step_events(x->c, 6, true);
    CHECK(conductor_wait_stopped(x->c, -1));
    CHECK(conductor_decision_now(x->c, &now));
    uint32_t from = now.pick, to = (now.pick + 1) % TOYS;
    uint64_t before[] = {x->toy[from].progress, x->toy[to].progress};
    late = from;
    conductor_arm(x->c, true);
    conductor_passed(x->c);
    while (!awake)
        nap(100);
    CHECK(conductor_choose(x->c, to));
    CHECK(conductor_step_turn(x->c, TURN_ALONE));
    late = NOBODY;
    for (int i = 0; i < LOOKS && x->toy[from].progress == before[0]; i++)
        nap(1000);
    folds = true;
    conductor_passed(x->c);
    while (!conductor_wait_stopped(x->c, -1))
        ;
    CHECK_INT(x->toy[from].progress, before[0]);
    CHECK_INT(x->toy[to].progress, before[1] + 1);
    world_free(x);
}

/* The decision is the seed's again when its pick is chosen after all. */
TEST(taking_a_choice_back)
{
    struct world *x = world_new(MODE_LOCKSTEP, 1);
    struct decision now, other;
    struct choices taken = {0};
    toy_start(x, 0, progress_first);
    conductor_step_events(x->c, 6, true);
    CHECK(conductor_wait_stopped(x->c, -1));
    CHECK(conductor_decision_now(x->c, &now));
    CHECK_INT(now.pick, now.seeds);
    CHECK(conductor_choose(x->c, (now.seeds + 1) % TOYS));
    CHECK(conductor_decision_now(x->c, &other));
    CHECK_INT(other.pick, (now.seeds + 1) % TOYS);
    CHECK_INT(other.seeds, now.seeds);
    CHECK(conductor_choices(x->c, false, &taken));
    CHECK_INT(taken.n, 1);
    CHECK_INT(taken.v[0].decision, now.number);
    vec_free(&taken);
    CHECK(conductor_choose(x->c, now.seeds));
    CHECK(conductor_choices(x->c, false, &taken));
    CHECK_INT(taken.n, 0);
    world_free(x);
}

/* --- what is refused ------------------------------------------------------------------------------------------------ */

/* In a chancy world decision 1 is about an M. */
static void refuses(struct choice c, enum decision_kind kind)
{
    struct choices list = {0};
    struct refused_choice r;
    CHECK(vec_push(&list, c));
    struct world *x = chancy_world(&list);
    CHECK(!conductor_refused(x->c, &r));
    conductor_run(x->c);
    CHECK(conductor_wait_stopped(x->c, -1));
    CHECK(conductor_refused(x->c, &r));
    CHECK_INT(r.given.decision, c.decision);
    CHECK_INT(r.given.pick, c.pick);
    CHECK_INT(r.kind, kind);
    CHECK(r.n >= 2);
    struct choices taken = {0};
    finish(x, &taken);
    CHECK_INT(taken.n, 0); /* it continued as the seed decides */
    vec_free(&list);
}

TEST(impossible_choices_are_refused)
{
    refuses((struct choice){1, 99, DECIDE_M}, DECIDE_M);
    refuses((struct choice){1, 0, DECIDE_STEAL}, DECIDE_M);
}

TEST(choices_never_met)
{
    struct choices list = {0}, taken = {0};
    struct choice first;
    CHECK(vec_push(&list, ((struct choice){1000000, 1, DECIDE_M})) && vec_push(&list, ((struct choice){1000001, 1, DECIDE_M})));
    struct world *x = chancy_world(&list);
    conductor_run(x->c);
    world_await_empty(x);
    CHECK(conductor_decisions(x->c) > 100);
    CHECK_INT(conductor_choices_ahead(x->c, &first), 2);
    CHECK_INT(first.decision, 1000000);
    CHECK(conductor_choices(x->c, false, &taken));
    CHECK_INT(taken.n, 0);
    world_free(x);
    vec_free(&list);
}

/* In free mode decisions have no numbers, and after it nothing can be chosen. */
static void decides_freely(struct toy *t)
{
    for (uint32_t i = 0; i < 100; i++)
        CHECK_INT(conductor_decide(t->w, DECIDE_STEAL, 7, i % 7), i % 7);
    t->world->done++;
}

TEST(no_choice_in_free_mode)
{
    struct decision now;
    struct world *x = world_new(MODE_FREE, 1);
    toy_start(x, 0, decides_freely);
    CHECK(!conductor_decision_now(x->c, &now));
    CHECK(!conductor_choose(x->c, 0));
    CHECK(!conductor_step_turn(x->c, TURN_ALONE));
    conductor_run(x->c);
    world_await_empty(x);
    CHECK_INT(x->done, 1);
    CHECK_INT(conductor_decisions(x->c), 0);
    world_free(x);
}
