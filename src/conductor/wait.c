/* The waits. Each one records what it waits for and then calls wait_to_move(), the same loop for every wait in both
 * modes. So a wait that began in one mode ends in the other if the mode is switched meanwhile. */
#include "conductor/conductor_internal.h"
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

_Noreturn void waiter_die(struct waiter *w)
{
    w->c->cfg.die(w->c->cfg.ctx, w);
    for (;;) /* die() does not return; if it did, this M would do nothing more */
        pause();
}

/* All Ms of a lockstep run share one CPU, so passing the baton is a plain switch. */
static void pin_thread(struct waiter *w, bool one)
{
    w->pinned = one;
    if (w->c->many_cpus) /* a failure only costs speed */
        sched_setaffinity(0, sizeof(cpu_set_t), one ? &w->c->one_cpu : &w->c->cpus);
}

void wait_to_move(struct waiter *w)
{
    struct conductor *c = w->c;
    for (;;) {
        uint32_t seen = word_look(w);
        /* acquire: pairs with the releases of control and of halting Ms. Read after word_look(), so that a thread
         * that changes it and then kicks is noticed */
        uint64_t v = atomic_load_explicit(&c->world, memory_order_acquire);
        bool lockstep = v & WORLD_LOCKSTEP;
        if (v & WORLD_DIE)
            waiter_die(w);
        if (w->pinned != lockstep)
            pin_thread(w, lockstep);
        enum leave l = lockstep ? baton_leave(w, v) : free_leave(w, v);
        if (l == LEAVE_GO && lockstep && lockstep_obey(w))
            continue;
        if (l == LEAVE_GO)
            return;
        if (l == LEAVE_AGAIN)
            continue;
        if (lockstep)
            word_sleep(w, seen, -1);
        else
            free_rest(w, seen, v);
    }
}

void wait_here(struct waiter *w)
{
    if (in_lockstep(w->c)) {
        lockstep_wait(w);
    } else {
        free_halt(w->c);
        wait_to_move(w);
    }
}

static void wait_until(struct waiter *w, enum conductor_wait kind, int64_t deadline)
{
    w->kind = kind;
    w->deadline = deadline;
    wait_here(w);
}

void conductor_usleep(struct waiter *w, int64_t ns)
{
    check_die(w);
    wait_until(w, WAIT_SLEEP, time_add(conductor_now(w), ns));
}

void conductor_nap(struct waiter *w, int64_t ns, conductor_look *look, void *ctx)
{
    w->look = look;
    w->look_ctx = ctx;
    conductor_usleep(w, ns);
    w->look = NULL;
}

void conductor_block(struct waiter *w, int64_t ns)
{
    check_die(w);
    if (ns <= 0 && conductor_quiet(w)) /* the time is already over */
        return;
    wait_until(w, WAIT_BLOCK, time_add(conductor_now(w), ns));
}

/* --- notes: key 0 clear, 1 woken, 2 an M sleeps ------------------------------------------------------------------- */

void note_clear(struct note *n)
{
    /* relaxed: no M waits and none wakes; whatever publishes the note's reuse orders this */
    atomic_store_explicit(&n->waiter, NULL, memory_order_relaxed);
    atomic_store_explicit(&n->key, 0, memory_order_relaxed);
}

/* Returns true if the note was woken before. */
static bool note_enter(struct waiter *w, struct note *n)
{
    uint32_t clear = 0;
    conductor_fine(w, FOOT_NOTES);
    w->note = n;
    atomic_store_explicit(&n->waiter, w, memory_order_relaxed); /* relaxed: published by the swap of key */
    /* release: publishes n->waiter; acquire: on failure, sees what the waker did. Both pair with note_wakeup() */
    return !atomic_compare_exchange_strong_explicit(&n->key, &clear, 2, memory_order_acq_rel, memory_order_acquire);
}

/* Returns true if the note was woken, false if the sleeper has withdrawn before that. */
static bool note_leave(struct note *n)
{
    uint32_t sleeping = 2;
    /* acquire: on failure, pairs with the exchange in note_wakeup(); a success publishes nothing */
    return !atomic_compare_exchange_strong_explicit(&n->key, &sleeping, 0, memory_order_acquire, memory_order_acquire);
}

static bool note_wait(struct waiter *w, struct note *n, int64_t deadline)
{
    check_die(w);
    if (note_enter(w, n))
        return true;
    wait_until(w, WAIT_NOTE, deadline);
    conductor_touch(w, FOOT_NOTES);
    return note_leave(n);
}

void note_sleep(struct waiter *w, struct note *n)
{
    (void)note_wait(w, n, -1);
}

bool note_sleep_for(struct waiter *w, struct note *n, int64_t ns)
{
    return note_wait(w, n, time_add(conductor_now(w), ns));
}

static void wake_in_lockstep(struct waiter *w, struct waiter *target)
{
    int64_t late = pace_late(w, decide_wake(w->c));
    if (late && target->ready_at == NOWHERE && !target->stalled) {
        lockstep_stall(target, w, late);
    } else {
        lockstep_make_ready(target);
        pace_woken(w->c, target);
    }
}

static void wake_note(struct waiter *w, struct note *n, bool apart)
{
    conductor_fine(w, FOOT_NOTES);
    /* acq_rel: shows the sleeper what w did before; makes n->waiter visible here. Pairs with note_enter(), note_leave() */
    if (atomic_exchange_explicit(&n->key, 1, memory_order_acq_rel) != 2)
        return;
    /* relaxed: ordered by the exchange. The sleeper may be leaving by itself and reuse the note. The kick below then
     * hits a waiter that looks and sleeps on; waiters are never freed while their conductor lives. */
    struct waiter *target = atomic_load_explicit(&n->waiter, memory_order_relaxed);
    if (!target)
        return;
    if (in_lockstep(w->c))
        wake_in_lockstep(w, target);
    else
        (apart ? word_kick_apart : word_kick)(target);
}

void note_wakeup(struct waiter *w, struct note *n)
{
    wake_note(w, n, false);
}

void note_wakeup_apart(struct waiter *w, struct note *n)
{
    wake_note(w, n, true);
}

/* --- the network -------------------------------------------------------------------------------------------------- */

int net_fetch(int epfd, void *events, int max)
{
    int n = 0;
    if (epfd >= 0 && max > 0)
        do
            n = epoll_wait(epfd, events, max, 0);
        while (n < 0 && errno == EINTR);
    return n > 0 ? n : 0;
}

static bool net_broken(const struct conductor *c)
{
    /* acquire: pairs with the exchange in conductor_net_break() */
    return atomic_load_explicit(&c->netbreak, memory_order_acquire);
}

/* Waits once and fetches the events. */
static int net_turn(struct waiter *w)
{
    w->kind = WAIT_NETPOLL;
    w->readable = false;
    atomic_store_explicit(&w->got, 0, memory_order_relaxed); /* relaxed: no other M writes it before the wait */
    if (!net_broken(w->c))
        wait_here(w);
    /* relaxed: written under the baton, which has come here since */
    int n = atomic_load_explicit(&w->got, memory_order_relaxed);
    return n > 0 ? n : net_fetch(w->epfd, w->events, w->max);
}

int conductor_netpoll(struct waiter *w, int epfd, void *events, int max, int64_t ns)
{
    check_die(w);
    conductor_touch(w, FOOT_ALL);
    if (ns == 0)
        return net_fetch(epfd, events, max);
    w->epfd = epfd;
    w->events = events;
    w->max = max;
    w->deadline = ns < 0 ? -1 : time_add(conductor_now(w), ns);
    int n;
    do
        n = net_turn(w);
    while (n == 0 && !net_broken(w->c) && (ns < 0 || conductor_now(w) < w->deadline));
    conductor_touch(w, FOOT_ALL);
    /* acquire: pairs with conductor_net_break(); this return serves that break */
    atomic_exchange_explicit(&w->c->netbreak, false, memory_order_acquire);
    return n;
}

void conductor_net_break(struct waiter *w)
{
    struct conductor *c = w->c;
    conductor_fine(w, FOOT_ALL);
    /* acq_rel: shows the poller what w did before; pairs with net_broken() */
    if (atomic_exchange_explicit(&c->netbreak, true, memory_order_acq_rel))
        return; /* a break is already on its way */
    if (in_lockstep(c)) {
        if (c->poller)
            lockstep_make_ready(c->poller);
    } else {
        wake_poller(c);
    }
}

/* --- computing ---------------------------------------------------------------------------------------------------- */

static bool compute_over(struct waiter *w)
{
    /* acquire: pairs with the release in conductor_compute_cut() */
    if (!w->tight && atomic_load_explicit(&w->cut, memory_order_acquire))
        return true;
    return conductor_now(w) >= w->deadline;
}

int64_t conductor_compute(struct waiter *w, int64_t ns, bool tight)
{
    check_die(w);
    conductor_rests(w);
    int64_t start = conductor_now(w), lost = w->lost;
    w->kind = WAIT_COMPUTE;
    w->tight = tight;
    w->deadline = time_add(start, ns);
    while (!compute_over(w)) {
        if (in_lockstep(w->c))
            lockstep_wait(w);
        else
            free_burn(w);
    }
    int64_t used = conductor_now(w) - start - (w->lost - lost);
    atomic_store_explicit(&w->cut, false, memory_order_relaxed); /* relaxed: a later cut is for the next compute */
    return used < ns ? used : ns > 0 ? ns : 0;
}

void conductor_compute_cut(struct waiter *target)
{
    /* release: shows the target why; pairs with compute_over() */
    atomic_store_explicit(&target->cut, true, memory_order_release);
    conductor_touch(target, FOOT_ALL); /* of the caller's step: it has the baton */
    if (in_lockstep(target->c) && target->kind == WAIT_COMPUTE && !target->tight && target->heap_at != NOWHERE)
        lockstep_make_ready(target);
}
