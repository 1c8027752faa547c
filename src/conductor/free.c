/* Free mode: the Ms run truly in parallel.
 *
 * A wait has two steps: the M stops counting as moving (free_halt), and later returns by free_leave, whose
 * compare-and-swap fails while paused. So whatever ends the wait (a note woken, a deadline passed, a packet), under
 * a pause the M stays where it is: it sleeps on its word, asks to be reminded, and uses no CPU. */
#include "conductor/conductor_internal.h"

#define NOTE_SPIN_NS 20000
#define NOTE_SOON_NS 100000 /* an M that waits no longer than that expects to be woken soon */
#define NOTE_SPIN_PAUSES 4u /* at most, between two reads of a line that stays in its cache until it is kicked */
#define NAP_PAUSES 8        /* at first, between two calls of look() in a nap; doubles each time */

void free_halt(struct conductor *c)
{
    /* release: what this M wrote, for the controller that sees the count 0 (world_stopped, acquire) */
    uint64_t old = atomic_fetch_sub_explicit(&c->world, WORLD_ONE, memory_order_release);
    if ((old & WORLD_PAUSED) && world_moving(old) == 1)
        stop_bump(c);
}

static bool time_is_up(const struct waiter *w)
{
    return w->deadline >= 0 && clock_read(&w->c->hot.clock) >= w->deadline;
}

/* Returns whether there is a reason to end the wait. A reason, once true, stays true until w itself continues. */
static bool has_reason(const struct waiter *w)
{
    switch (w->kind) {
    case WAIT_GATE:
    case WAIT_COMPUTE:
    case WAIT_LOCK:
        return true;
    case WAIT_NOTE:
        /* acquire: pairs with the exchange in note_wakeup() */
        return atomic_load_explicit(&w->note->key, memory_order_acquire) == 1 || time_is_up(w);
    case WAIT_NETPOLL:
        /* acquire: pairs with the exchange in conductor_net_break(). relaxed: got is read again by the M when it moves */
        return w->readable || atomic_load_explicit(&w->c->netbreak, memory_order_acquire) ||
               atomic_load_explicit(&w->got, memory_order_relaxed) > 0 || time_is_up(w);
    case WAIT_SLEEP:
    case WAIT_BLOCK:
        break;
    }
    return time_is_up(w);
}

enum leave free_leave(struct waiter *w, uint64_t world)
{
    bool reason = has_reason(w);
    w->remind = reason || w->deadline >= 0 || w->kind == WAIT_NETPOLL;
    note_held_back(w, reason && !(world & WORLD_PAUSED) && held_back(w));
    if (!reason || (world & WORLD_PAUSED) || w->held_back)
        return LEAVE_SLEEP;
    /* acquire: what the controller wrote before it resumed; release: keeps the chain of earlier halts readable */
    return atomic_compare_exchange_strong_explicit(&w->c->world, &world, world + WORLD_ONE, memory_order_acq_rel, memory_order_relaxed)
               ? LEAVE_GO
               : LEAVE_AGAIN;
}

/* Spins briefly before the futex: a wake-up through the kernel costs both sides some 10 µs, and an M that sleeps in
 * a note is often woken at once. Only one M spins at a time, and an M with a distant deadline (sysmon) does not, so
 * an idle program does not spin. ns: time left, -1: no deadline. Returns true if the caller must look again. */
static bool spin_for_note(struct waiter *w, uint32_t seen, int64_t ns)
{
    struct conductor *c = w->c;
    if (w->kind != WAIT_NOTE || ns > NOTE_SOON_NS || !c->many_cpus)
        return false;
    /* relaxed, all: only a count. It holds the end of the spin, not a flag, because the spinner may lose its CPU */
    int64_t now = clock_mono(), end = now + NOTE_SPIN_NS, other = atomic_load_explicit(&c->note_spinner, memory_order_relaxed);
    if (now < other || !atomic_compare_exchange_strong_explicit(&c->note_spinner, &other, end, memory_order_relaxed, memory_order_relaxed))
        return false;
    bool kicked = false;
    for (uint32_t pauses = 2; !kicked && now < end; pauses += pauses < NOTE_SPIN_PAUSES ? pauses : 0) {
        place_spins(w, now);
        for (uint32_t i = 0; i < pauses; i++)
            cpu_relax();
        kicked = word_look(w) != seen;
        now = clock_mono();
    }
    place_spins(w, 0);
    place_anywhere(w);
    int64_t mine = end;
    atomic_compare_exchange_strong_explicit(&c->note_spinner, &mine, 0, memory_order_relaxed, memory_order_relaxed);
    return kicked;
}

/* The wait of conductor_nap(). True: look again. */
static bool take_nap(struct waiter *w, uint32_t seen, int64_t ns)
{
    if (!w->look)
        return false;
    int64_t end = clock_mono() + ns;
    bool sleep = false;
    for (int pauses = NAP_PAUSES; clock_mono() < end; pauses *= 2) {
        sleep = w->look(w->look_ctx);
        for (int i = 0; i < pauses && clock_mono() < end; i++)
            cpu_relax();
    }
    if (sleep)
        word_sleep(w, seen, ns);
    return true;
}

/* Sleeps until something may have changed. While paused, nothing is timed and nothing polled: a ready descriptor
 * would make ppoll return again and again. The same holds for an M that waits for the fold, which kicks it. */
void free_rest(struct waiter *w, uint32_t seen, uint64_t world)
{
    int64_t ns = -1;
    if ((world & WORLD_PAUSED) || w->held_back) {
        word_sleep(w, seen, -1);
        return;
    }
    if (clock_due(&w->c->hot.clock) && pthread_mutex_trylock(&w->c->mu) == 0) {
        clock_measure(&w->c->hot.clock);
        pthread_mutex_unlock(&w->c->mu);
    }
    if (w->deadline >= 0)
        ns = clock_left(&w->c->hot.clock, w->deadline);
    if (spin_for_note(w, seen, ns) || (ns >= 0 && take_nap(w, seen, ns)))
        return;
    if (w->kind == WAIT_NETPOLL)
        word_poll(w, seen, ns);
    else
        word_sleep(w, seen, ns);
}

/* w->kind is WAIT_GATE. */
void free_gate(struct waiter *w)
{
    if ((attention(w->c) & ATTN_PAUSE) || held_back(w)) {
        free_halt(w->c);
        wait_to_move(w);
    }
    if ((attention(w->c) & (ATTN_SLOW | ATTN_LOCKSTEP)) == ATTN_SLOW) {
        w->kind = WAIT_SLEEP; /* slow motion (--speed): each step takes long enough to be seen */
        w->deadline = time_add(conductor_now(w), 1000);
        wait_here(w);
    }
}

/* Computes for a moment; w->kind is WAIT_COMPUTE. Takes a pause inside. */
void free_burn(struct waiter *w)
{
    if (attention(w->c) & (ATTN_PAUSE | ATTN_DIE)) {
        free_halt(w->c);
        wait_to_move(w);
        return;
    }
    for (int i = 0; i < 16; i++)
        cpu_relax();
}
