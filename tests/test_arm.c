/* Armed gates: no M continues before the fold has passed all that it has logged, in both modes. A pause, the end and
 * a disarming still reach every M; with nothing armed no M waits. */
#include "toy.h"
#include <string.h>

/* The fold of this test: it passes one entry of one toy at a time. `logged` counts entries, `passed` those that the
 * fold has passed. */
struct book {
    _Atomic uint64_t logged, passed;
};
static struct book book[MS];
static _Atomic bool broken;

static bool is_behind(void *ctx, struct waiter *w)
{
    (void)ctx;
    const struct toy *t = waiter_user(w);
    struct book *b = &book[t->id];
    /* relaxed: our own. acquire: pairs with the release in pass() */
    return atomic_load_explicit(&b->logged, memory_order_relaxed) != atomic_load_explicit(&b->passed, memory_order_acquire);
}

/* One section: 1 to 3 entries, then a gate. */
static void section(struct toy *t)
{
    struct book *b = &book[t->id];
    if (is_behind(NULL, t->w))
        atomic_store_explicit(&broken, true, memory_order_relaxed); /* relaxed: read after the threads are joined */
    for (uint32_t n = 1 + prng_below(&t->rand, 3); n > 0; n--) {
        /* release: the entry; pairs with the acquire in pass() */
        atomic_fetch_add_explicit(&b->logged, 1, memory_order_release);
        conductor_logged(t->w, EV_CORE, false);
    }
    conductor_gate(t->w);
}

static void writes_for_ever(struct toy *t)
{
    for (;;) {
        section(t);
        atomic_fetch_add_explicit(&t->progress, 1, memory_order_relaxed);
    }
}

static void writes_and_waits(struct toy *t)
{
    for (;;) {
        section(t);
        if (t->id % 2)
            conductor_usleep(t->w, 1000);
        else
            conductor_compute(t->w, 1000, false);
        conductor_gate(t->w);
        atomic_fetch_add_explicit(&t->progress, 1, memory_order_relaxed);
    }
}

static struct world *armed_world(enum conductor_mode mode)
{
    struct world *x = calloc(1, sizeof *x);
    CHECK(x);
    x->c = conductor_new(&(struct conductor_config){.mode = mode, .seed = 5, .die = toy_die, .behind = is_behind, .ctx = x});
    CHECK(x->c);
    x->epfd = x->fd = -1;
    memset(book, 0, sizeof book);
    atomic_store_explicit(&broken, false, memory_order_relaxed);
    return x;
}

/* Passes one entry of each toy that has one. */
static bool pass(struct world *x)
{
    bool any = false;
    for (int i = 0; i < MS; i++) {
        struct book *b = &book[i];
        uint64_t passed = atomic_load_explicit(&b->passed, memory_order_relaxed); /* our own */
        if (passed == atomic_load_explicit(&b->logged, memory_order_acquire))
            continue;
        atomic_store_explicit(&b->passed, passed + 1, memory_order_release);
        any = true;
    }
    if (any)
        conductor_passed(x->c);
    return any;
}

static uint64_t written(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < MS; i++)
        sum += atomic_load_explicit(&book[i].logged, memory_order_relaxed);
    return sum;
}

static void fold_until(struct world *x, uint64_t n)
{
    while (written() < n)
        if (!pass(x))
            conductor_wait_stopped(x->c, 1);
}

/* No fold: every M reaches its first gate and no further. A pause is still a stop, and a run after it still waits. */
static void nobody_folds(enum conductor_mode mode)
{
    struct world *x = armed_world(mode);
    for (uint32_t id = 0; id < 3; id++)
        toy_start(x, id, writes_for_ever);
    conductor_arm(x->c, true);
    for (int i = 0; i < 20; i++) {
        conductor_run(x->c);
        nap(500);
        stop_soon(x);
        for (int k = 0; k < 3; k++)
            CHECK_INT(x->toy[k].progress, 0);
    }
    CHECK(written() <= 9);
    conductor_arm(x->c, false);
    conductor_run(x->c);
    while (!atomic_load_explicit(&x->toy[0].progress, memory_order_relaxed))
        nap(100);
    world_free(x);
}

TEST(no_m_passes_its_gate_in_free_mode)
{
    nobody_folds(MODE_FREE);
}
TEST(no_m_passes_its_gate_in_lockstep)
{
    nobody_folds(MODE_LOCKSTEP);
}

static bool all_have_moved(struct world *x)
{
    for (int i = 0; i < 4; i++)
        if (!atomic_load_explicit(&x->toy[i].progress, memory_order_relaxed)) /* only whether, and later is fine */
            return false;
    return true;
}

/* With a fold that keeps up, every M continues and never gets ahead of the fold; pauses in between lose no M. */
static void in_step(enum conductor_mode mode, void (*body)(struct toy *))
{
    struct world *x = armed_world(mode);
    for (uint32_t id = 0; id < 4; id++)
        toy_start(x, id, body);
    conductor_arm(x->c, true);
    for (uint64_t i = 1; i <= 40 || !all_have_moved(x); i++) { /* an M that is lost never moves; one that starts late does */
        conductor_run(x->c);
        fold_until(x, i * 100);
        stop_soon(x);
    }
    world_free(x);
    CHECK(!broken);
}

TEST(in_step_with_the_fold_free)
{
    in_step(MODE_FREE, writes_for_ever);
}
TEST(in_step_with_the_fold_lockstep)
{
    in_step(MODE_LOCKSTEP, writes_for_ever);
}
TEST(waits_in_step_with_the_fold_free)
{
    in_step(MODE_FREE, writes_and_waits);
}
TEST(waits_in_step_with_the_fold_lockstep)
{
    in_step(MODE_LOCKSTEP, writes_and_waits);
}

/* Disarming while all Ms wait lets all of them continue, without a fold. */
TEST(disarmed_no_m_waits)
{
    struct world *x = armed_world(MODE_FREE);
    for (uint32_t id = 0; id < 4; id++)
        toy_start(x, id, writes_and_waits);
    conductor_arm(x->c, true);
    conductor_run(x->c);
    nap(1000);
    conductor_arm(x->c, false);
    for (int i = 0; i < 4; i++)
        while (atomic_load_explicit(&x->toy[i].progress, memory_order_relaxed) < 10)
            nap(100);
    world_free(x);
}

/* The end reaches Ms that wait for a fold that never comes. */
TEST(the_end_reaches_all)
{
    for (int i = 0; i < 20; i++) {
        struct world *x = armed_world(i % 2 ? MODE_FREE : MODE_LOCKSTEP);
        for (uint32_t id = 0; id < 4; id++)
            toy_start(x, id, writes_for_ever);
        conductor_arm(x->c, true);
        conductor_run(x->c);
        nap(i * 50);
        world_free(x);
    }
}
