/* The conductor alone: the order of a lockstep run, and each primitive in both modes. Pauses in free mode, mode
 * switches and the end are in test_conductor_free.c. */
#include "toy.h"

/* --- a jump is logged before it is made ------------------------------------------------------------------------------ */

static void late_sleeper(struct toy *t)
{
    conductor_usleep(t->w, 5000);
    t->world->done++;
}

static void early_sleeper(struct toy *t)
{
    toy_start(t->world, 1, late_sleeper);
    conductor_usleep(t->w, 100);
    t->world->done++;
}

/* Once for each sleeper, with its deadline, while the time is still the old one. */
TEST(the_last_m_to_rest_logs_the_jump)
{
    struct world *x = world_new(MODE_LOCKSTEP, 1);
    toy_start(x, 0, early_sleeper);
    conductor_run(x->c);
    world_await_empty(x);
    CHECK_INT(x->done, 2);
    CHECK_INT(x->njumps, 2);
    CHECK(x->jump[0].at < 100 && x->jump[0].to >= 100 && x->jump[0].to < 1000);
    CHECK(x->jump[1].at >= x->jump[0].to && x->jump[1].at < 1000 && x->jump[1].to >= 5000);
    world_free(x);
}

/* --- a lockstep workload with every primitive ---------------------------------------------------------------------- */

static void mixed_step(struct toy *t)
{
    struct toy *other = &t->world->toy[prng_below(&t->rand, 4)];
    switch (prng_below(&t->rand, 8)) {
    case 0:
        conductor_usleep(t->w, prng_below(&t->rand, 5000));
        break;
    case 1:
        conductor_block(t->w, prng_below(&t->rand, 3000));
        break;
    case 2:
        conductor_compute(t->w, prng_below(&t->rand, 4000), false);
        break;
    case 3:
        if (other->w)
            conductor_compute_cut(other->w);
        break;
    case 4:
        conductor_spin(t->w, 100);
        break;
    case 5: /* in free mode an M may clear what another one has just woken: only the time limit is certain */
        note_clear(&t->note);
        note_sleep_for(t->w, &t->note, 1000);
        break;
    case 6:
        if (other->w && other != t)
            note_wakeup(t->w, &other->note);
        break;
    default:
        locked_step(t);
        break;
    }
    mark(t);
}

static void mixed(struct toy *t)
{
    for (int i = 0; i < 60; i++)
        mixed_step(t);
    t->world->done++;
}

static void mixed_first(struct toy *t)
{
    for (uint32_t id = 1; id < 4; id++)
        toy_start(t->world, id, mixed);
    mixed(t);
}

enum how { RUN, STEP_1, STEP_ROUND, PAUSES };

static void drive(struct world *x, enum how how, struct prng *rand)
{
    while (conductor_alive(x->c)) {
        if (how == RUN)
            conductor_run(x->c);
        else if (how == STEP_1)
            conductor_step_events(x->c, 1, false);
        else if (how == STEP_ROUND)
            conductor_step_rounds(x->c, 1);
        else
            conductor_step_events(x->c, 1 + prng_below(rand, 9), true);
        if (how == RUN)
            world_await_empty(x);
        else if (how == PAUSES && prng_below(rand, 2))
            conductor_pause(x->c);
        CHECK(conductor_wait_stopped(x->c, -1));
    }
}

static uint64_t lockstep_hash(uint64_t seed, enum how how, uint64_t *points)
{
    struct world *x = world_new(MODE_LOCKSTEP, seed);
    struct prng rand;
    prng_seed(&rand, seed + (uint64_t)clock(), PRNG_PAUSES);
    toy_start(x, 0, mixed_first);
    drive(x, how, &rand);
    uint64_t hash = x->hash;
    *points = x->points;
    CHECK_INT(x->done, 4);
    CHECK(!conductor_was_free(x->c));
    world_free(x);
    return hash;
}

TEST(lockstep_same_seed_same_course)
{
    uint64_t points, want = lockstep_hash(42, RUN, &points), n;
    CHECK(points > 4 * 60);
    for (long i = t_count(60, 200); i > 0; i--) {
        CHECK(lockstep_hash(42, RUN, &n) == want);
        CHECK_INT(n, points);
    }
}

TEST(lockstep_pauses_change_nothing)
{
    for (uint64_t seed = 1; seed <= (uint64_t)t_count(5, 40); seed++) {
        uint64_t points, want = lockstep_hash(seed, RUN, &points), n;
        for (enum how how = STEP_1; how <= PAUSES; how++)
            CHECK(lockstep_hash(seed, how, &n) == want);
    }
}

TEST(lockstep_seeds_differ)
{
    uint64_t hash[20], n;
    for (uint64_t i = 0; i < 20; i++) {
        hash[i] = lockstep_hash(i, RUN, &n);
        for (uint64_t k = 0; k < i; k++)
            CHECK(hash[i] != hash[k]);
    }
}

/* A step of one event stops after exactly one event, as long as no lock is held. */
static void marks(struct toy *t)
{
    for (int i = 0; i < 50; i++)
        mark(t);
}

static void marks_first(struct toy *t)
{
    for (uint32_t id = 1; id < 4; id++)
        toy_start(t->world, id, marks);
    marks(t);
}

TEST(lockstep_step_is_exact)
{
    struct world *x = world_new(MODE_LOCKSTEP, 3);
    toy_start(x, 0, marks_first);
    CHECK(conductor_wait_stopped(x->c, -1));
    CHECK_INT(x->points, 0);
    for (uint64_t want = 1; want <= 100; want++) {
        conductor_step_events(x->c, 1, want & 1);
        CHECK(conductor_wait_stopped(x->c, -1));
        CHECK_INT(x->points, want);
    }
    conductor_step_events(x->c, 37, false);
    CHECK(conductor_wait_stopped(x->c, -1));
    CHECK_INT(x->points, 137);
    conductor_step_rounds(x->c, 1); /* rounds end at multiples of 16 */
    CHECK(conductor_wait_stopped(x->c, -1));
    CHECK_INT(x->points, 144);
    world_free(x);
}

static void hits(struct toy *t)
{
    for (int i = 0; i < 10; i++) {
        t->world->points++;
        if (t->world->points == 5)
            conductor_hit(t->w);
        conductor_logged(t->w, EV_DETAIL, false);
        conductor_gate(t->w);
    }
}

TEST(hit_stops_at_the_next_gate)
{
    struct world *x = world_new(MODE_LOCKSTEP, 3);
    toy_start(x, 0, hits);
    conductor_run(x->c);
    CHECK(conductor_wait_stopped(x->c, -1));
    CHECK_INT(x->points, 5);
    CHECK_INT(conductor_alive(x->c), 1);
    world_free(x);
}

/* --- virtual time ------------------------------------------------------------------------------------------------- */

TEST(lockstep_time_jumps)
{
    struct world *x = world_new(MODE_LOCKSTEP, 1);
    toy_start(x, 0, sleeps_an_hour);
    conductor_run(x->c);
    world_await_empty(x);
    CHECK_INT(x->result, INT64_C(3600000000000));
    world_free(x);
}

static void one_sleep(struct toy *t)
{
    conductor_usleep(t->w, (int64_t)(MS - t->id) * 1000000);
    t->world->order[t->world->norder++] = t->id;
}

static void many_sleeps(struct toy *t)
{
    for (uint32_t id = 1; id < MS; id++)
        toy_start(t->world, id, one_sleep);
}

TEST(lockstep_sleeps_end_in_order)
{
    struct world *x = world_new(MODE_LOCKSTEP, 9);
    toy_start(x, 0, many_sleeps);
    conductor_run(x->c);
    world_await_empty(x);
    CHECK_INT(x->norder, MS - 1);
    for (uint32_t i = 0; i < x->norder; i++) /* the last one sleeps the shortest */
        CHECK_INT(x->order[i], MS - 1 - i);
    world_free(x);
}

/* Some timed waits end early and so leave the heap from its middle: no time jump may pass the deadline of another
 * wait. */
static void limited_waits(struct toy *t)
{
    int64_t *until = &t->world->until[t->id];
    for (int i = 0; i < 1000; i++) {
        int64_t ns = 1000 + (int64_t)prng_below(&t->rand, 1000000);
        *until = conductor_now(t->w) + ns;
        note_clear(&t->note);
        if (!note_sleep_for(t->w, &t->note, ns)) {
            CHECK(conductor_now(t->w) >= *until);
            t->world->done++;
        }
        *until = 0;
    }
}

static void cuts_waits_short(struct toy *t)
{
    int64_t *until = &t->world->until[t->id];
    for (uint32_t id = 1; id < MS; id++)
        toy_start(t->world, id, limited_waits);
    for (int i = 0; i < 5000; i++) {
        int64_t ns = (int64_t)prng_below(&t->rand, 100000);
        *until = conductor_now(t->w) + ns;
        conductor_usleep(t->w, ns);
        *until = 0;
        note_wakeup(t->w, &t->world->toy[1 + prng_below(&t->rand, MS - 1)].note);
    }
}

TEST(lockstep_waits_with_a_limit_end_in_time)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct world *x = world_new(MODE_LOCKSTEP, seed);
        toy_start(x, 0, cuts_waits_short);
        conductor_run(x->c);
        world_await_empty(x);
        CHECK(x->done > 0 && x->done < 1000 * (MS - 1));
        world_free(x);
    }
}

/* Ten ns each at a gate, nothing in an inner unlock, nothing for reading the clock. */
static void counts_time(struct toy *t)
{
    struct rlock inner = {.rank = 1};
    conductor_gate(t->w);
    CHECK_INT(conductor_now(t->w), 10);
    conductor_lock(t->w, &t->world->lock, NULL);
    conductor_lock(t->w, &inner, NULL);
    CHECK_INT(conductor_nlocks(t->w), 2);
    conductor_gate(t->w);
    conductor_unlock(t->w, &inner);
    CHECK_INT(conductor_now(t->w), 30);
    conductor_unlock(t->w, &t->world->lock);
    CHECK_INT(conductor_now(t->w), 40);
    conductor_spin(t->w, 500);
    CHECK_INT(conductor_now(t->w), 540);
    CHECK_INT(conductor_compute(t->w, 1000, true), 1000);
    CHECK_INT(conductor_now(t->w), 1540);
    t->world->done++;
}

TEST(lockstep_time_of_points)
{
    struct world *x = world_new(MODE_LOCKSTEP, 9);
    toy_start(x, 0, counts_time);
    conductor_run(x->c);
    world_await_empty(x);
    CHECK_INT(x->done, 1);
    world_free(x);
}

/* --- locks -------------------------------------------------------------------------------------------------------- */

static void lock_loop(struct toy *t)
{
    for (int i = 0; i < 500; i++)
        locked_step(t);
}

static void lock_first(struct toy *t)
{
    for (uint32_t id = 1; id < 4; id++)
        toy_start(t->world, id, lock_loop);
    lock_loop(t);
}

static void locks(enum conductor_mode mode)
{
    struct world *x = world_new(mode, 5);
    uint64_t met = 0;
    toy_start(x, 0, lock_first);
    conductor_run(x->c);
    world_await_empty(x);
    CHECK_INT(x->locked, 4 * 500);
    for (int i = 0; i < 4; i++)
        met += x->toy[i].progress;
    if (mode == MODE_LOCKSTEP) /* in free mode it depends on the machine whether they meet */
        CHECK(met > 100);
    world_free(x);
}

TEST(lockstep_locks_are_met_held)
{
    locks(MODE_LOCKSTEP);
}
TEST(free_locks_exclude)
{
    locks(MODE_FREE);
}

/* x->inside is plain: under the lock. The controller reads it at every stop. */
static void holds_long(struct toy *t)
{
    struct world *x = t->world;
    for (;;) {
        conductor_lock(t->w, &x->lock, NULL);
        x->inside++;
        conductor_lock(t->w, &x->inner, NULL);
        conductor_logged(t->w, EV_CORE, false);
        conductor_gate(t->w);
        conductor_unlock(t->w, &x->inner);
        x->inside--;
        conductor_unlock(t->w, &x->lock);
        conductor_spin(t->w, 100);
        conductor_gate(t->w);
    }
}

static void no_stop_inside(enum conductor_mode mode)
{
    struct world *x = world_new(mode, 5);
    for (uint32_t id = 0; id < 4; id++)
        toy_start(x, id, holds_long);
    for (int i = 0; i < 500; i++) {
        conductor_step_events(x->c, 1 + i % 3, false);
        if (i % 5 == 0)
            conductor_pause(x->c);
        CHECK(conductor_wait_stopped(x->c, -1));
        CHECK_INT(x->inside, 0);
    }
    world_free(x);
}

TEST(lockstep_no_stop_while_a_lock_is_held)
{
    no_stop_inside(MODE_LOCKSTEP);
}
TEST(free_no_stop_while_a_lock_is_held)
{
    no_stop_inside(MODE_FREE);
}

static void counts_waiters(struct waiter *w, struct rlock *l)
{
    (void)l;
    ((struct toy *)waiter_user(w))->world->done++;
}

static void waits_for_lock(struct toy *t)
{
    conductor_lock(t->w, &t->world->lock, counts_waiters);
    t->world->locked++;
    conductor_unlock(t->w, &t->world->lock);
}

/* Holds the lock until all others are parked; an unlock must wake each of them. */
static void makes_others_park(struct toy *t)
{
    struct world *x = t->world;
    conductor_lock(t->w, &x->lock, NULL);
    for (uint32_t id = 1; id < MS; id++)
        toy_start(x, id, waits_for_lock);
    while (x->done < MS - 1)
        conductor_spin(t->w, 1000);
    nap(2000);
    conductor_unlock(t->w, &x->lock);
}

static void parked(enum conductor_mode mode)
{
    for (int i = 0; i < 10; i++) {
        struct world *x = world_new(mode, 5);
        toy_start(x, 0, makes_others_park);
        conductor_run(x->c);
        world_await_empty(x);
        CHECK_INT(x->locked, MS - 1);
        CHECK_INT(x->done, MS - 1); /* on_wait once for each */
        world_free(x);
    }
}

TEST(lockstep_parked_are_woken)
{
    parked(MODE_LOCKSTEP);
}
TEST(free_parked_are_woken)
{
    parked(MODE_FREE);
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

static void ping_pong(enum conductor_mode mode)
{
    struct world *x = world_new(mode, 5);
    toy_start(x, 0, pinger);
    conductor_run(x->c);
    world_await_empty(x);
    CHECK_INT(x->locked, VOLLEYS);
    world_free(x);
}

TEST(lockstep_ping_pong)
{
    ping_pong(MODE_LOCKSTEP);
}
TEST(free_ping_pong)
{
    ping_pong(MODE_FREE);
}

static void early_and_late(struct toy *t)
{
    struct note n = {0};
    note_wakeup(t->w, &n);
    note_sleep(t->w, &n); /* woken before it slept */
    note_clear(&n);
    CHECK(!note_sleep_for(t->w, &n, 5000));
    CHECK(!note_sleep_for(t->w, &n, -1));
    note_wakeup(t->w, &n);
    CHECK(note_sleep_for(t->w, &n, 5000));
    t->world->done++;
}

TEST(lockstep_note_before_and_late)
{
    run_one(MODE_LOCKSTEP, early_and_late, 1);
}
TEST(free_note_before_and_late)
{
    run_one(MODE_FREE, early_and_late, 1);
}

/* --- the network -------------------------------------------------------------------------------------------------- */

static void net_helper(struct toy *t)
{
    uint64_t one = 1;
    conductor_usleep(t->w, 2000000);
    CHECK(write(t->world->fd, &one, sizeof one) == sizeof one);
    note_sleep(t->w, &t->world->ping);
    conductor_usleep(t->w, 2000000);
    conductor_net_break(t->w);
    note_sleep(t->w, &t->world->pong);
    conductor_net_break(t->w);
    note_wakeup(t->w, &t->world->start);
}

static void net_user(struct toy *t)
{
    struct world *x = t->world;
    struct epoll_event e[4];
    int64_t hour = INT64_C(3600000000000);
    open_net(x);
    CHECK_INT(conductor_netpoll(t->w, x->epfd, e, 4, 0), 0); /* polls */
    toy_start(x, 1, net_helper);
    CHECK_INT(conductor_netpoll(t->w, x->epfd, e, 4, hour), 1);
    CHECK_INT(e[0].data.u32, 77);
    note_wakeup(t->w, &x->ping);
    CHECK_INT(conductor_netpoll(t->w, x->epfd, e, 4, hour), 0); /* broken */
    CHECK(conductor_now(t->w) < hour);
    note_wakeup(t->w, &x->pong);
    note_sleep(t->w, &x->start);
    CHECK_INT(conductor_netpoll(t->w, -1, NULL, 0, hour), 0); /* broken before */
    CHECK(conductor_now(t->w) < hour);
    int64_t end = conductor_now(t->w) + 3000000;
    CHECK_INT(conductor_netpoll(t->w, x->epfd, e, 4, 3000000), 0);
    CHECK(conductor_now(t->w) >= end);
    x->done++;
}

TEST(lockstep_netpoll)
{
    run_one(MODE_LOCKSTEP, net_user, 1);
}
TEST(free_netpoll)
{
    run_one(MODE_FREE, net_user, 1);
}

/* --- computing ---------------------------------------------------------------------------------------------------- */

static void cutter(struct toy *t)
{
    struct world *x = t->world;
    conductor_usleep(t->w, 1000000);
    conductor_compute_cut(x->toy[0].w);
}

static void computes(struct toy *t)
{
    struct world *x = t->world;
    int64_t hour = INT64_C(3600000000000);
    toy_start(x, 1, cutter);
    int64_t used = conductor_compute(t->w, hour, false);
    CHECK(used > 0 && used < hour);
    CHECK_INT(conductor_compute(t->w, 3000, false), 3000); /* the cut was used up */
    conductor_compute_cut(t->w);
    CHECK(conductor_compute(t->w, hour, false) < hour); /* a cut before it begins */
    conductor_compute_cut(t->w);
    CHECK_INT(conductor_compute(t->w, 5000, true), 5000); /* tight: not cut */
    CHECK_INT(conductor_compute(t->w, 0, false), 0);
    x->done++;
}

TEST(lockstep_compute)
{
    run_one(MODE_LOCKSTEP, computes, 1);
}
TEST(free_compute)
{
    run_one(MODE_FREE, computes, 1);
}

/* --- the start --- */

static void goes(struct toy *t)
{
    t->world->done++;
}

TEST(starts_paused)
{
    for (enum conductor_mode mode = MODE_LOCKSTEP; mode <= MODE_FREE; mode++) {
        struct world *x = world_new(mode, 5);
        toy_start(x, 0, goes);
        CHECK(conductor_wait_stopped(x->c, 1000));
        nap(3000);
        CHECK_INT(x->done, 0);
        CHECK_INT(conductor_time(x->c), 0);
        conductor_run(x->c);
        world_await_empty(x);
        CHECK_INT(x->done, 1);
        CHECK(conductor_was_free(x->c) == (mode == MODE_FREE));
        world_free(x);
    }
}
