/* Where a wait ends for two reasons at once: a wake-up at the deadline, a break together with a packet, an unlock
 * while the next M is about to park, and pauses through all of it. No M may be forgotten, and none may see something
 * that did not happen. A lost wake-up shows as a wait without a deadline that never ends. */
#include "toy.h"
#include <string.h>

/* Returns up to most_ns, mostly few different values, so that things coincide in lockstep, too. */
static int64_t some(struct toy *t, uint32_t most_ns)
{
    return prng_below(&t->rand, 4) ? most_ns / 4 * prng_below(&t->rand, 5) : prng_below(&t->rand, most_ns);
}

static void busy(struct toy *t, uint32_t most_ns)
{
    conductor_compute(t->w, some(t, most_ns), false);
}

/* --- notes: a mailbox, as the runtime uses them (sysmon, timerproc) ------------------------------------------------- */

#define PAIRS 3

static struct box {
    struct rlock lock;
    struct note note;
    bool sleeping; /* under lock, like the rest */
    uint64_t posted, taken, late;
} box[PAIRS];
static long letters;

static bool take(struct toy *t, struct box *b)
{
    conductor_lock(t->w, &b->lock, NULL);
    bool any = b->taken < b->posted;
    b->taken += any;
    if (!any) {
        b->sleeping = true;
        note_clear(&b->note);
    }
    conductor_unlock(t->w, &b->lock);
    return any;
}

/* Waits, now and then without a deadline. */
static bool rest(struct toy *t, struct box *b)
{
    if (prng_below(&t->rand, 3))
        return note_sleep_for(t->w, &b->note, some(t, 40000));
    note_sleep(t->w, &b->note);
    return true;
}

static void receiver(struct toy *t)
{
    struct box *b = &box[t->id % PAIRS];
    for (long i = 0; i < letters;) {
        if (take(t, b)) {
            i++;
            continue;
        }
        bool woken = rest(t, b);
        conductor_lock(t->w, &b->lock, NULL);
        CHECK(!woken || !b->sleeping);     /* the waker clears it, under the lock, before it wakes */
        b->late += !woken && !b->sleeping; /* woken after its time was up */
        b->sleeping = false;
        conductor_unlock(t->w, &b->lock);
    }
    atomic_fetch_add_explicit(&t->world->done, 1, memory_order_relaxed); /* a count, read after the end */
}

static void sender(struct toy *t)
{
    struct box *b = &box[t->id % PAIRS];
    for (long i = 0; i < letters; i++) {
        busy(t, 40000);
        conductor_lock(t->w, &b->lock, NULL);
        b->posted++;
        if (b->sleeping) {
            b->sleeping = false;
            note_wakeup(t->w, &b->note);
        }
        conductor_unlock(t->w, &b->lock);
    }
}

static void first_receiver(struct toy *t)
{
    for (uint32_t id = 1; id < 2 * PAIRS; id++)
        toy_start(t->world, id, id < PAIRS ? receiver : sender);
    receiver(t);
}

/* Runs to the end, with stops at random moments; lockstep by its own means. */
static void run_with_pauses(struct world *x, enum conductor_mode mode)
{
    struct prng rand;
    prng_seed(&rand, 1, PRNG_PAUSES);
    while (mode == MODE_FREE && conductor_alive(x->c)) {
        conductor_run(x->c);
        nap(prng_below(&rand, 500));
        conductor_pause(x->c);
        CHECK(conductor_wait_stopped(x->c, -1));
    }
    conductor_run(x->c);
    world_await_empty(x);
}

static uint64_t mailboxes(enum conductor_mode mode, bool fine, uint64_t seed)
{
    uint64_t late = 0;
    memset(box, 0, sizeof box);
    struct world *x = world_new_fine(mode, seed, fine);
    toy_start(x, 0, first_receiver);
    run_with_pauses(x, mode);
    CHECK_INT(x->done, PAIRS);
    for (int i = 0; i < PAIRS; i++) {
        CHECK_INT(box[i].taken, letters);
        late += box[i].late;
    }
    world_free(x);
    return late;
}

TEST(free_wake_up_at_the_deadline)
{
    letters = t_count(2000, 40000);
    mailboxes(MODE_FREE, false, 5);
}

/* Here it is certain that some were woken after their time was up and before they had the lock. */
TEST(lockstep_wake_up_at_the_deadline)
{
    uint64_t late = 0;
    letters = 50;
    for (uint64_t seed = 1; seed <= (uint64_t)t_count(40, 1000); seed++) {
        mailboxes(MODE_LOCKSTEP, false, seed);
        late += mailboxes(MODE_LOCKSTEP, true, seed);
    }
    CHECK(late > 0);
}

/* --- the poller: breaks, packets and deadlines ---------------------------------------------------------------------- */

static _Atomic uint64_t asked, answered;
static long asks;

/* seq_cst, all: like an M that adds a timer and an M that polls (Dekker). */
static void poller(struct toy *t)
{
    struct world *x = t->world;
    struct epoll_event e;
    uint64_t got = 0, n;
    while (atomic_load(&answered) < (uint64_t)asks || got < (uint64_t)asks) {
        int64_t ns = prng_below(&t->rand, 3) ? some(t, 60000) : -1;
        atomic_store(&answered, atomic_load(&asked));
        if (atomic_load(&answered) == (uint64_t)asks && got == (uint64_t)asks)
            break;
        if (conductor_netpoll(t->w, x->epfd, &e, 1, ns) == 1) {
            CHECK_INT(e.data.u32, 77);
            if (read(x->fd, &n, sizeof n) == sizeof n)
                got += n;
        }
    }
    atomic_fetch_add_explicit(&x->done, 1, memory_order_relaxed); /* as above */
}

static void asker(struct toy *t)
{
    for (long i = 0; i < asks; i++) {
        uint64_t mine = atomic_fetch_add(&asked, 1) + 1;
        conductor_net_break(t->w);
        if (i % 8 == 0)
            while (atomic_load(&answered) < mine) { /* no other M will break for it */
                conductor_spin(t->w, 100);
                conductor_gate(t->w);
            }
        busy(t, 30000);
    }
}

static void packets(struct toy *t)
{
    uint64_t one = 1;
    for (long i = 0; i < asks; i++) {
        CHECK(write(t->world->fd, &one, sizeof one) == sizeof one);
        busy(t, 30000);
    }
}

static void first_poller(struct toy *t)
{
    toy_start(t->world, 1, asker);
    toy_start(t->world, 2, packets);
    poller(t);
}

static void breaks(enum conductor_mode mode, bool fine, uint64_t seed)
{
    atomic_store(&asked, 0);
    atomic_store(&answered, 0);
    struct world *x = world_new_fine(mode, seed, fine);
    open_net(x);
    toy_start(x, 0, first_poller);
    run_with_pauses(x, mode);
    CHECK_INT(x->done, 1);
    world_free(x);
}

TEST(free_breaks_together_with_packets)
{
    asks = t_count(3000, 60000);
    breaks(MODE_FREE, false, 5);
}

TEST(lockstep_breaks_together_with_packets)
{
    asks = 60;
    for (uint64_t seed = 1; seed <= (uint64_t)t_count(40, 1000); seed++) {
        breaks(MODE_LOCKSTEP, false, seed);
        breaks(MODE_LOCKSTEP, true, seed);
    }
}

/* --- locks that are held about as long as others spin --------------------------------------------------------------- */

static long sections;

static void holder(struct toy *t)
{
    struct world *x = t->world;
    for (long i = 0; i < sections; i++) {
        conductor_lock(t->w, &x->lock, NULL);
        CHECK_INT(x->inside++, 0);
        for (uint32_t n = prng_below(&t->rand, 40); n; n--) /* a pause waits for the unlock: no computing here,
                                                             * because a pause stops it */
            conductor_spin(t->w, 100);
        x->locked++;
        x->inside--;
        conductor_unlock(t->w, &x->lock);
        busy(t, 20000);
    }
}

static void first_holder(struct toy *t)
{
    for (uint32_t id = 1; id < 6; id++)
        toy_start(t->world, id, holder);
    holder(t);
}

TEST(free_lock_let_go_while_the_next_is_about_to_park)
{
    sections = t_count(500, 10000);
    struct world *x = world_new(MODE_FREE, 5);
    toy_start(x, 0, first_holder);
    run_with_pauses(x, MODE_FREE);
    CHECK_INT(x->locked, 6 * sections);
    world_free(x);
}
