/* The conductor's hot paths, inline: what every event, every lock and every gate passes. All are short as long as
 * one word is 0, as it is in a free run without limits. Otherwise they call the complete functions in conductor.c
 * and lock.c.
 *
 * Part of conductor.h; do not include it directly. The fields of these structures belong to the conductor. */
#ifndef GMPSCOPE_CONDUCTOR_CONDUCTOR_INLINE_H
#define GMPSCOPE_CONDUCTOR_CONDUCTOR_INLINE_H

/* Scenario time in free mode (clock.c): v = base_v + the time passed since, at num/den. num 0: the clock is stopped. */
struct conductor_clock {
    _Atomic uint32_t seq; /* odd while being written */
    _Atomic uint32_t num, den;
    _Atomic int64_t base_v, base_r; /* base_r: CLOCK_MONOTONIC */
    _Atomic uint64_t mult, offset;  /* conductor_ticks(): scenario time by the processor's counter; mult 0: ask the
                                    * kernel */
    /* Under mu: the measurement of a tick's length. */
    int64_t first_r;
    uint64_t first_t;
    double tick;         /* ns; 0: not known */
    _Atomic int64_t due; /* CLOCK_MONOTONIC: time of the next measurement; read without mu */
};

#define CLOCK_UNKNOWN 1u /* odd, so it never equals a complete seq */

/* On cache lines that only control writes. */
struct conductor_hot {
    _Alignas(64) _Atomic uint32_t attention; /* what a gate has to look at (conductor_internal.h, ATTN_…) */
    bool membarrier;                         /* constant: see conductor_waited_for() */
    struct conductor_clock clock;
};

/* The head of struct waiter; only its owner uses it. */
struct waiter_hot {
    struct conductor_hot *c;
    int64_t last;          /* latest time seen in free mode */
    uint64_t mult, offset; /* copies of the clock's fields, */
    uint32_t seq;          /* read with this sequence number */
    uint32_t nlocks;
};

/* attention: bits that only say how events are recorded. All others make a gate look closer (conductor_internal.h,
 * ATTN_…). */
#define ATTN_RECORDS(level) (0x100u << (level)) /* enum ev_level */
#define ATTN_WATCHED 0x400u                     /* an observer sees each event before it is recorded */
#define ATTN_CLOSER 0xffu

static inline struct waiter_hot *waiter_hot(struct waiter *w)
{
    return (struct waiter_hot *)(void *)w;
}

static inline uint32_t conductor_attention(const struct conductor_hot *c)
{
    /* relaxed: a hint; an M that must not miss a change is kicked, and reads `world` with acquire */
    return atomic_load_explicit(&c->attention, memory_order_relaxed);
}

/* Returns whether an M waits for l, whose word was just set to 0. The look must not come before that store. If an M
 * that begins to wait makes the kernel run a barrier on all threads (lock.c), only the compiler must keep the order;
 * otherwise a read-modify-write does. */
static inline bool conductor_waited_for(const struct conductor_hot *c, struct rlock *l)
{
    if (__builtin_expect(!c->membarrier, 0)) /* acq_rel: one of two such operations on `waiting` sees the other;
                                              * pairs with free_lock() */
        return atomic_fetch_add_explicit(&l->waiting, 0, memory_order_acq_rel) != 0;
    __asm__ volatile("" : : : "memory");
    return atomic_load_explicit(&l->waiting, memory_order_relaxed) != 0; /* relaxed: see above */
}

/* True in a free run that is not paused, stepped or slowed down. */
static inline bool conductor_quiet(struct waiter *w)
{
    return __builtin_expect((conductor_attention(waiter_hot(w)->c) & ATTN_CLOSER) == 0, 1);
}

static inline uint64_t conductor_counter(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t t;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
    return t;
#else
    return 0;
#endif
}

/* Converts ticks to scenario time: mult is the time of one tick in 2^-32 ns. All modulo 2^64; offset may be
 * "negative". */
static inline int64_t conductor_ticks(uint64_t ticks, uint64_t mult, uint64_t offset)
{
    return (int64_t)((uint64_t)((unsigned __int128)ticks * mult >> 32) + offset);
}

/* Reads the time by the counter, in a free run. False: h does not know the current rate; conductor_now_slow() reads
 * it. */
static inline bool conductor_now_quick(struct waiter_hot *h, const struct conductor_hot *c, int64_t *v)
{
    int64_t t = conductor_ticks(conductor_counter(), h->mult, h->offset);
    /* relaxed: the rate was read together with this number, in clock_rate() (clock.c) */
    if (__builtin_expect(atomic_load_explicit(&c->clock.seq, memory_order_relaxed) != h->seq, 0))
        return false;
    if (__builtin_expect(t > h->last, 1)) /* an M's clock never goes back, whatever happens to the rate */
        h->last = t;
    *v = h->last;
    return true;
}

void conductor_logged_slow(struct waiter *w, enum ev_level level, bool round_end);
void conductor_gate_slow(struct waiter *w);
int64_t conductor_now_slow(struct waiter *w);
void conductor_lock_slow(struct waiter *w, struct rlock *l, void (*on_wait)(struct waiter *, struct rlock *));
void conductor_unlock_slow(struct waiter *w, struct rlock *l);
void conductor_unpark(struct waiter *w, struct rlock *l);

static inline void conductor_logged(struct waiter *w, enum ev_level level, bool round_end)
{
    if (!conductor_quiet(w))
        conductor_logged_slow(w, level, round_end);
}

static inline void conductor_gate(struct waiter *w)
{
    if (!conductor_quiet(w))
        conductor_gate_slow(w);
}

static inline int64_t conductor_now(struct waiter *w)
{
    struct waiter_hot *h = waiter_hot(w);
    int64_t t;
    return conductor_quiet(w) && conductor_now_quick(h, h->c, &t) ? t : conductor_now_slow(w);
}

/* In a free run: takes l if it is unlocked. False: l was locked, or the run is being stopped, stepped or watched. */
static inline bool conductor_trylock(struct waiter *w, struct rlock *l)
{
    /* acquire: pairs with the releases of unlocking. An exchange takes half as long as a compare-and-swap; if the
     * lock is held, it stores the value that was there */
    if (!conductor_quiet(w) || atomic_exchange_explicit(&l->word, 1, memory_order_acquire) != 0)
        return false;
    atomic_store_explicit(&l->owner, w, memory_order_relaxed); /* relaxed: other Ms only compare it with themselves */
    waiter_hot(w)->nlocks++;
    return true;
}

static inline void conductor_lock(struct waiter *w, struct rlock *l, void (*on_wait)(struct waiter *, struct rlock *))
{
    if (!conductor_trylock(w, l))
        conductor_lock_slow(w, l, on_wait);
}

/* The same if the caller knows that no other M uses the lock until it is free again: in a free run without locked
 * operations. */
static inline void conductor_lock_uncontended(struct waiter *w, struct rlock *l, void (*on_wait)(struct waiter *, struct rlock *))
{
    /* relaxed, all: the M that takes the lock next got it from this M through an ordered hand-over */
    if (!conductor_quiet(w) || atomic_load_explicit(&l->word, memory_order_relaxed) != 0) {
        conductor_lock_slow(w, l, on_wait);
        return;
    }
    atomic_store_explicit(&l->word, 1, memory_order_relaxed);
    atomic_store_explicit(&l->owner, w, memory_order_relaxed);
    waiter_hot(w)->nlocks++;
}

/* In a free run: conductor_unlock() without its gate. False: the run is being stopped, stepped or watched, and l is
 * still locked. */
static inline bool conductor_tryunlock(struct waiter *w, struct rlock *l)
{
    if (!conductor_quiet(w))
        return false;
    atomic_store_explicit(&l->owner, NULL, memory_order_relaxed); /* relaxed: as in conductor_lock() */
    waiter_hot(w)->nlocks--;
    /* release: what was done under the lock; pairs with the acquires of locking */
    atomic_store_explicit(&l->word, 0, memory_order_release);
    if (__builtin_expect(conductor_waited_for(waiter_hot(w)->c, l), 0))
        conductor_unpark(w, l);
    return true;
}

static inline void conductor_unlock(struct waiter *w, struct rlock *l)
{
    if (!conductor_tryunlock(w, l))
        conductor_unlock_slow(w, l);
    else if (!waiter_hot(w)->nlocks)
        conductor_gate(w);
}

static inline uint32_t conductor_nlocks(const struct waiter *w)
{
    return ((const struct waiter_hot *)(const void *)w)->nlocks;
}

#endif
