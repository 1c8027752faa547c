/* Control: pause, run, step, mode, speed, the end. Every transition happens under mu, so a controller and an M that
 * stops the run from inside (a breakpoint, the last step) never interfere. Only the hot paths read without mu. */
#include "conductor/conductor_internal.h"
#include <limits.h>

static uint64_t world_look(const struct conductor *c)
{
    /* acquire: pairs with the releases of halting Ms: when the count is 0, all their memory is visible */
    return atomic_load_explicit(&c->world, memory_order_acquire);
}

static bool world_stopped(uint64_t v)
{
    return (v & WORLD_PAUSED) && !world_moving(v);
}

void stop_bump(struct conductor *c)
{
    /* release: pairs with the acquire in conductor_wait_stopped() and with other readers of the stop word */
    atomic_fetch_add_explicit(&c->stop_word, 1, memory_order_release);
    futex_wake(&c->stop_word, INT_MAX);
}

/* Under mu: updates the hot paths' copy. */
static void set_attention(struct conductor *c)
{
    uint64_t v = world_look(c);
    /* relaxed: written under mu */
    uint32_t unit = atomic_load_explicit(&c->steps.unit, memory_order_relaxed);
    uint32_t a = c->records | (v & WORLD_LOCKSTEP ? ATTN_LOCKSTEP : 0) | (v & WORLD_PAUSED ? ATTN_PAUSE : 0) |
                 (v & WORLD_DIE ? ATTN_DIE : 0) | (unit != STEP_NONE ? ATTN_STEP : 0) | (c->speed_num < c->speed_den ? ATTN_SLOW : 0) |
                 (atomic_load_explicit(&c->armed, memory_order_relaxed) ? ATTN_ARMED : 0);
    /* release: a stopping M that reads it then reads a world at least as new; for the rest see attention() */
    atomic_store_explicit(&c->hot.attention, a, memory_order_release);
}

static void set_error(struct conductor *c)
{
    /* release: the text; pairs with conductor_error() */
    atomic_store_explicit(&c->error, "no M is ready and none has a deadline", memory_order_release);
}

static void for_each_waiter(struct conductor *c, void (*fn)(struct waiter *))
{
    for (size_t i = 0; i < c->all.n; i++)
        if (!c->all.v[i]->gone)
            fn(c->all.v[i]);
}

/* Sets the pause. Under mu. In free mode this stops the clock, so Ms on the way to their gates all read the same time. The clock stops
 * last, so an event logged after this call is not earlier than any event logged before the other Ms could see the pause. */
static void pause_on(struct conductor *c)
{
    /* release: pairs with free_leave() and baton_leave(). acquire: as world_look() */
    uint64_t old = atomic_fetch_or_explicit(&c->world, WORLD_PAUSED, memory_order_acq_rel);
    set_attention(c);
    if (!(old & WORLD_LOCKSTEP))
        clock_set(&c->hot.clock, -1, 0, 1);
    if (!(old & WORLD_PAUSED) && !world_moving(old))
        stop_bump(c);
    /* relaxed: under mu. All are kicked, because the baton may just be changing hands, and its new holder may look
     * at the fold first. */
    if ((old & WORLD_LOCKSTEP) && atomic_load_explicit(&c->armed, memory_order_relaxed))
        for_each_waiter(c, word_kick);
}

/* Under mu. Lockstep: only the holder waits for this, and the caller kicks it after it has released mu. If no M holds
 * the baton (after a mode switch), it is granted now. Free: Ms that want to leave, and Ms whose time runs again, wait
 * for this. Returns the holder; NULL: none waits. */
static struct waiter *pause_off(struct conductor *c)
{
    uint64_t v = world_look(c);
    bool lockstep = v & WORLD_LOCKSTEP;
    if (!(v & WORLD_PAUSED) || (v & WORLD_DIE))
        return NULL;
    if (lockstep && world_stopped(v) && c->members && !lockstep_start(c)) {
        set_error(c);
        return NULL;
    }
    if (!lockstep)
        clock_set(&c->hot.clock, -1, c->speed_num, c->speed_den);
    /* release: what the controller wrote while all were stopped; pairs with free_leave() and baton_leave(). acquire: a
     * holder that stopped meanwhile is seen below */
    atomic_fetch_and_explicit(&c->world, ~WORLD_PAUSED, memory_order_acq_rel);
    set_attention(c);
    /* relaxed: ordered by the exchange of world */
    return lockstep ? atomic_load_explicit(&c->holder, memory_order_relaxed) : NULL;
}

static void set_steps(struct conductor *c, enum step_unit unit, uint64_t n)
{
    /* relaxed, both: under mu; read by Ms as a hint and again under mu */
    atomic_store_explicit(&c->steps.unit, unit, memory_order_relaxed);
    atomic_store_explicit(&c->steps.left, n > INT64_MAX ? INT64_MAX : (int64_t)n, memory_order_relaxed);
}

/* Calls tell for each M, not under mu: Ms that wake up push this thread off its CPU. The M that ends a step of 1,000 rounds, a millisecond
 * later, would wait for mu while the others run on for thousands of rounds (measured). A waiter's memory lasts as
 * long as c. */
static void tell_all(struct conductor *c, void (*tell)(struct waiter *))
{
    struct waiter *w;
    for (size_t i = 0;; i++) {
        pthread_mutex_lock(&c->mu);
        bool more = i < c->all.n;
        w = more && !c->all.v[i]->gone ? c->all.v[i] : NULL;
        pthread_mutex_unlock(&c->mu);
        if (!more)
            return;
        if (w)
            tell(w);
    }
}

static void resume(struct conductor *c, enum step_unit unit, uint64_t n)
{
    pthread_mutex_lock(&c->mu);
    set_steps(c, unit, n);
    set_attention(c);
    bool free_mode = !(world_look(c) & WORLD_LOCKSTEP);
    struct waiter *holder = pause_off(c);
    pthread_mutex_unlock(&c->mu);
    if (holder)
        word_kick(holder);
    if (free_mode)
        tell_all(c, word_remind);
}

void conductor_run(struct conductor *c)
{
    resume(c, STEP_NONE, 0);
}

void conductor_step_events(struct conductor *c, uint64_t n, bool detail)
{
    if (n)
        resume(c, detail ? STEP_ALL : STEP_CORE, n);
}

void conductor_step_rounds(struct conductor *c, uint64_t n)
{
    if (n)
        resume(c, STEP_ROUNDS, n);
}

void conductor_pause(struct conductor *c)
{
    pthread_mutex_lock(&c->mu);
    pause_on(c);
    pthread_mutex_unlock(&c->mu);
}

/* --- the fold's position ------------------------------------------------------------------------------------------ */

void conductor_arm(struct conductor *c, bool on)
{
    pthread_mutex_lock(&c->mu);
    /* relaxed: a hint, like `attention`; an M that misses it reaches at most one more gate, and an M that waits is
     * kicked */
    bool was = atomic_exchange_explicit(&c->armed, on, memory_order_relaxed);
    set_attention(c);
    if (was && !on)
        for_each_waiter(c, word_kick);
    pthread_mutex_unlock(&c->mu);
}

void conductor_watch(struct conductor *c, bool on)
{
    pthread_mutex_lock(&c->mu);
    c->records = on ? c->records | ATTN_WATCHED : c->records & ~ATTN_WATCHED;
    set_attention(c);
    pthread_mutex_unlock(&c->mu);
}

void conductor_passed(struct conductor *c)
{
    if (!(attention(c) & ATTN_ARMED))
        return;
    pthread_mutex_lock(&c->mu);
    for_each_waiter(c, word_kick);
    pthread_mutex_unlock(&c->mu);
}

bool held_back(struct waiter *w)
{
    struct conductor *c = w->c;
    return (attention(c) & ATTN_ARMED) && c->cfg.behind && c->cfg.behind(c->cfg.ctx, w);
}

/* Caller: w. The first time, it notifies the folding thread, which sleeps in conductor_wait_stopped(). */
void note_held_back(struct waiter *w, bool yes)
{
    if (w->held_back == yes)
        return;
    w->held_back = yes;
    /* release: w's events are logged; pairs with the acquire in fold_awaited() */
    atomic_fetch_add_explicit(&w->c->nbehind, yes ? 1u : -1u, memory_order_release);
    if (yes)
        stop_bump(w->c);
}

/* Returns whether Ms wait for the fold. Under a pause none does. */
static bool fold_awaited(const struct conductor *c)
{
    /* acquire: pairs with note_held_back() */
    return atomic_load_explicit(&c->nbehind, memory_order_acquire) && !(world_look(c) & WORLD_PAUSED);
}

/* --- stops from inside -------------------------------------------------------------------------------------------- */

/* An M has logged the last event of a step, or a hit: stops all Ms at their next gates. */
void control_step_over(struct conductor *c, bool hit)
{
    pthread_mutex_lock(&c->mu);
    /* relaxed: under mu, so a new step is completely set */
    bool over = atomic_load_explicit(&c->steps.unit, memory_order_relaxed) != STEP_NONE &&
                atomic_load_explicit(&c->steps.left, memory_order_relaxed) <= 0;
    if (hit || over)
        pause_on(c);
    pthread_mutex_unlock(&c->mu);
}

void control_dry(struct conductor *c)
{
    set_error(c);
    pthread_mutex_lock(&c->mu);
    pause_on(c);
    pthread_mutex_unlock(&c->mu);
    if (world_moving(world_look(c)))
        free_halt(c);
}

const char *conductor_error(struct conductor *c)
{
    /* acquire: pairs with control_dry() */
    return atomic_load_explicit(&c->error, memory_order_acquire);
}

/* --- looking ------------------------------------------------------------------------------------------------------ */

bool conductor_is_stopped(struct conductor *c)
{
    uint64_t v = world_look(c);
    return (!(v & WORLD_DIE) && world_stopped(v)) || !conductor_alive(c);
}

bool conductor_is_running(struct conductor *c)
{
    return !(world_look(c) & (WORLD_PAUSED | WORLD_DIE));
}

bool conductor_wait_stopped(struct conductor *c, int timeout_ms)
{
    int64_t end = clock_mono() + (int64_t)timeout_ms * 1000000;
    for (;;) {
        /* acquire: pairs with stop_bump(); read before the world, so that a stop in between does not go unnoticed */
        uint32_t seen = atomic_load_explicit(&c->stop_word, memory_order_acquire);
        if (conductor_is_stopped(c))
            return true;
        if (fold_awaited(c))
            return false;
        int64_t left = timeout_ms < 0 ? -1 : end - clock_mono();
        if (timeout_ms >= 0 && left <= 0)
            return false;
        futex_wait(&c->stop_word, seen, left);
    }
}

_Atomic uint32_t *conductor_stop_word(struct conductor *c)
{
    return &c->stop_word;
}

void conductor_await(_Atomic uint32_t *word, uint32_t seen)
{
    while (atomic_load_explicit(word, memory_order_acquire) == seen) /* pairs with the release in stop_bump() */
        futex_wait(word, seen, -1);
}

/* --- mode, speed, end --------------------------------------------------------------------------------------------- */

/* Under mu, stopped. */
static void switch_mode(struct conductor *c, enum conductor_mode mode)
{
    /* relaxed: ordered by the read-modify-write of world below */
    if (mode == MODE_FREE) {
        lockstep_drop(c);
        if (!conductor_was_free(c))
            clock_init(&c->hot.clock);
        clock_set(&c->hot.clock, atomic_load_explicit(&c->time, memory_order_relaxed), 0, 1);
        atomic_store_explicit(&c->was_free, true, memory_order_relaxed);
    } else {
        lockstep_adopt(c, clock_read(&c->hot.clock));
    }
    /* release: the lists and the clock; pairs with the acquires in wait_to_move(). An addition works because flags
     * and count are known to fit */
    atomic_fetch_add_explicit(&c->world, WORLD_EPOCH + (mode == MODE_FREE ? -WORLD_LOCKSTEP : WORLD_LOCKSTEP), memory_order_acq_rel);
    set_attention(c);
    for_each_waiter(c, word_kick);
}

void conductor_set_mode(struct conductor *c, enum conductor_mode mode)
{
    pthread_mutex_lock(&c->mu);
    uint64_t v = world_look(c);
    if (world_stopped(v) && !(v & WORLD_DIE) && !!(v & WORLD_LOCKSTEP) != (mode == MODE_LOCKSTEP))
        switch_mode(c, mode);
    pthread_mutex_unlock(&c->mu);
}

enum conductor_mode conductor_mode(struct conductor *c)
{
    return world_look(c) & WORLD_LOCKSTEP ? MODE_LOCKSTEP : MODE_FREE;
}

void conductor_set_speed(struct conductor *c, uint32_t num, uint32_t den)
{
    pthread_mutex_lock(&c->mu);
    c->speed_num = num ? num : 1;
    c->speed_den = den ? den : 1;
    uint64_t v = world_look(c);
    set_attention(c);
    if (!(v & (WORLD_LOCKSTEP | WORLD_PAUSED))) {
        clock_set(&c->hot.clock, -1, c->speed_num, c->speed_den);
        for_each_waiter(c, word_remind);
    }
    pthread_mutex_unlock(&c->mu);
}

void conductor_stop(struct conductor *c)
{
    pthread_mutex_lock(&c->mu);
    /* release: pairs with wait_to_move() and dying() */
    atomic_fetch_or_explicit(&c->world, WORLD_DIE, memory_order_acq_rel);
    set_attention(c);
    pthread_mutex_unlock(&c->mu);
    tell_all(c, word_kick); /* an M that exits wants mu */
    stop_bump(c);
}

bool conductor_was_free(struct conductor *c)
{
    /* relaxed: set at the start or while stopped, never reset */
    return atomic_load_explicit(&c->was_free, memory_order_relaxed);
}
