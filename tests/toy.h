/* Plain threads as Ms for the conductor's tests: a toy world, its start and its end. */
#ifndef GMPSCOPE_TESTS_TOY_H
#define GMPSCOPE_TESTS_TOY_H

#include "base/prng.h"
#include "conductor/conductor.h"
#include "t.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define MS 8

struct world;
struct toy {
    struct world *world;
    struct waiter *w;
    uint32_t id;
    pthread_t thread;
    bool started;
    jmp_buf die;
    void (*body)(struct toy *);
    struct prng rand;
    _Atomic uint64_t progress;
    struct note note;
};

struct world {
    struct conductor *c;
    struct toy toy[MS];
    uint64_t hash; /* of (id, time) at each point; in lockstep the baton owns it */
    uint64_t points;
    struct rlock lock;
    uint64_t locked;    /* under lock: plain on purpose, TSan watches it */
    uint64_t contended; /* under lock */
    uint64_t inside;    /* under lock */
    struct rlock inner;
    struct note ping, pong, start;
    _Atomic uint64_t done;
    uint32_t order[MS], norder; /* the baton owns them */
    int epfd, fd;
    bool with_lock;
    int64_t until[MS]; /* owned by the baton: deadline of each M's wait; 0: it is in no such wait */
    uint32_t njumps;   /* the baton owns it */
    struct {
        int64_t at, to;
    } jump[4]; /* the first ones */
    int64_t result;
};

static inline void toy_die(void *ctx, struct waiter *w)
{
    (void)ctx;
    longjmp(((struct toy *)waiter_user(w))->die, 1);
}

static inline void toy_jump(void *ctx, struct waiter *w, int64_t to)
{
    struct world *x = ctx;
    for (int i = 0; i < MS; i++)
        CHECK(x->until[i] == 0 || to <= x->until[i]);
    if (x->njumps < 4) {
        x->jump[x->njumps].at = conductor_now(w);
        x->jump[x->njumps].to = to;
    }
    x->njumps++;
}

static inline void *toy_main(void *arg)
{
    struct toy *t = arg;
    if (!setjmp(t->die)) {
        waiter_enter(t->w);
        t->body(t);
    }
    waiter_exit(t->w);
    return NULL;
}

/* Called by the controller before the run, or by a toy in its body. */
static inline void toy_start(struct world *x, uint32_t id, void (*body)(struct toy *))
{
    struct toy *t = &x->toy[id];
    t->world = x;
    t->id = id;
    t->body = body;
    prng_seed(&t->rand, 7, id);
    t->w = waiter_new(x->c, id, t);
    CHECK(t->w);
    t->started = true;
    CHECK_INT(pthread_create(&t->thread, NULL, toy_main, t), 0);
}

static inline struct world *world_new_as(struct conductor_config cfg)
{
    struct world *x = calloc(1, sizeof *x);
    CHECK(x);
    cfg.die = toy_die;
    cfg.on_jump = toy_jump;
    cfg.ctx = x;
    x->c = conductor_new(&cfg);
    CHECK(x->c);
    x->epfd = x->fd = -1;
    return x;
}

static inline struct world *world_new_chosen(enum conductor_mode mode, uint64_t seed, const struct choices *choices)
{
    return world_new_as((struct conductor_config){.mode = mode, .seed = seed, .choices = choices});
}

static inline struct world *world_new_fine(enum conductor_mode mode, uint64_t seed, bool fine)
{
    return world_new_as((struct conductor_config){.mode = mode, .seed = seed, .fine = fine});
}

static inline struct world *world_new(enum conductor_mode mode, uint64_t seed)
{
    return world_new_chosen(mode, seed, NULL);
}

static inline void world_await_empty(struct world *x)
{
    _Atomic uint32_t *word = conductor_stop_word(x->c);
    for (;;) {
        uint32_t seen = atomic_load_explicit(word, memory_order_acquire);
        if (!conductor_alive(x->c))
            return;
        conductor_await(word, seen);
    }
}

static inline void world_free(struct world *x)
{
    conductor_stop(x->c);
    world_await_empty(x);
    for (int i = 0; i < MS; i++)
        if (x->toy[i].started)
            pthread_join(x->toy[i].thread, NULL);
    CHECK(conductor_error(x->c) == NULL);
    conductor_free(x->c);
    if (x->fd >= 0)
        close(x->fd);
    if (x->epfd >= 0)
        close(x->epfd);
    free(x);
}

static inline void stop_soon(struct world *x)
{
    conductor_pause(x->c);
    CHECK(conductor_wait_stopped(x->c, -1));
    CHECK(conductor_is_stopped(x->c));
    CHECK(!conductor_is_running(x->c));
}

static inline void nap(long us)
{
    nanosleep(&(struct timespec){.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000}, NULL);
}

static inline void open_net(struct world *x)
{
    struct epoll_event e = {.events = EPOLLIN | EPOLLET, .data.u32 = 77};
    x->epfd = epoll_create1(EPOLL_CLOEXEC);
    x->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    CHECK(x->epfd >= 0 && x->fd >= 0);
    CHECK_INT(epoll_ctl(x->epfd, EPOLL_CTL_ADD, x->fd, &e), 0);
}

static inline void mark(struct toy *t)
{
    struct world *x = t->world;
    uint64_t v = (uint64_t)conductor_now(t->w) * 31 + t->id + 1;
    x->hash = (x->hash ^ v) * 0x100000001b3u;
    x->points++;
    conductor_logged(t->w, EV_CORE, x->points % 16 == 0);
    if (!conductor_nlocks(t->w))
        conductor_gate(t->w);
}

static inline void found_held(struct waiter *w, struct rlock *l)
{
    struct toy *t = waiter_user(w);
    CHECK(!conductor_holds(w, l));
    t->progress++;
}

static inline void locked_step(struct toy *t)
{
    struct world *x = t->world;
    conductor_lock(t->w, &x->lock, found_held);
    CHECK(conductor_holds(t->w, &x->lock));
    uint64_t before = x->locked++;
    mark(t);
    CHECK_INT(x->locked, before + 1);
    conductor_unlock(t->w, &x->lock);
}

/* Runs one body from start to end; `done` toys must have reported their end. */
static inline void run_one(enum conductor_mode mode, void (*body)(struct toy *), uint64_t done)
{
    struct world *x = world_new(mode, 5);
    toy_start(x, 0, body);
    conductor_run(x->c);
    world_await_empty(x);
    CHECK_INT(x->done, done);
    world_free(x);
}

static inline void sleeps_an_hour(struct toy *t)
{
    int64_t before = conductor_now(t->w);
    conductor_usleep(t->w, INT64_C(3600000000000));
    t->world->result = conductor_now(t->w) - before;
}

#define VOLLEYS 10000

static inline void ponger(struct toy *t)
{
    struct world *x = t->world;
    for (int i = 0; i < VOLLEYS; i++) {
        note_sleep(t->w, &x->ping);
        note_clear(&x->ping);
        x->locked++;
        note_wakeup(t->w, &x->pong);
    }
}

static inline void pinger(struct toy *t)
{
    struct world *x = t->world;
    toy_start(x, 1, ponger);
    for (uint64_t i = 0; i < VOLLEYS; i++) {
        note_wakeup(t->w, &x->ping);
        if (i % 2)
            while (!note_sleep_for(t->w, &x->pong, 200))
                x->contended++;
        else
            note_sleep(t->w, &x->pong);
        note_clear(&x->pong);
        CHECK_INT(x->locked, i + 1);
    }
}

#endif
