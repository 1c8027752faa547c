/* Sleeping and waking: each waiter has one futex word, and every kick changes it.
 *
 * No wake-up is lost: the sleeper reads the word, then checks its reasons, then announces its sleep by a
 * compare-and-swap from the value it read. A kick in between has changed the word, so the swap fails. A kick
 * afterwards sees the announcement and makes the system call. Both are read-modify-writes of one word, so acquire
 * and release are enough. A kick of an M that is awake costs no system call. */
#include "conductor/conductor_internal.h"
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct timespec timespec_of(int64_t ns)
{
    return (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
}

void futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t ns)
{
    struct timespec t = timespec_of(ns < 0 ? 0 : ns);
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, ns < 0 ? NULL : &t, NULL, 0);
}

void futex_wake(_Atomic uint32_t *word, int n)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

uint32_t word_look(const struct waiter *w)
{
    /* acquire: pairs with the release in kick_waiter() */
    return atomic_load_explicit(&w->word, memory_order_acquire);
}

/* Owner only. False: kicked since `seen`. */
static bool announce_sleep(struct waiter *w, uint32_t seen, uint32_t bits)
{
    bits |= w->remind ? WORD_REMIND : 0;
    /* release/relaxed: it publishes only the bits themselves, which kick_waiter() reads in the same word */
    return atomic_compare_exchange_strong_explicit(&w->word, &seen, seen | bits, memory_order_release, memory_order_relaxed);
}

static void clear_sleep_bits(struct waiter *w)
{
    /* relaxed: the next word_look() acquires */
    atomic_fetch_and_explicit(&w->word, ~WORD_BITS, memory_order_relaxed);
    place_anywhere(w);
}

void word_sleep(struct waiter *w, uint32_t seen, int64_t ns)
{
    if (!announce_sleep(w, seen, WORD_ASLEEP))
        return;
    futex_wait(&w->word, seen | WORD_ASLEEP | (w->remind ? WORD_REMIND : 0), ns);
    clear_sleep_bits(w);
}

/* One M at a time is the poller (conductor.h). The eventfd is emptied before the caller checks its reasons again; a
 * count left over from an earlier kick costs one more turn. */
void word_poll(struct waiter *w, uint32_t seen, int64_t ns)
{
    struct pollfd fd[2] = {{.fd = w->c->eventfd, .events = POLLIN}, {.fd = w->epfd, .events = POLLIN}};
    struct timespec t = timespec_of(ns < 0 ? 0 : ns);
    if (!announce_sleep(w, seen, WORD_INPOLL))
        return;
    int n = ppoll(fd, w->epfd >= 0 ? 2 : 1, ns < 0 ? NULL : &t, NULL);
    clear_sleep_bits(w);
    if (n <= 0)
        return;
    uint64_t count;
    if (fd[0].revents && read(w->c->eventfd, &count, sizeof count) < 0)
        return; /* another kick has been read already */
    if (fd[1].revents)
        w->readable = true;
}

void wake_poller(struct conductor *c)
{
    uint64_t one = 1;
    ssize_t n;
    do
        n = write(c->eventfd, &one, sizeof one); /* EAGAIN: the counter is full, so the poller is being woken already */
    while (n < 0 && errno == EINTR);
}

static void kick_waiter(struct waiter *w, uint32_t only, bool apart)
{
    /* release: publishes the reason for the kick, pairs with word_look(); of the old value only the bits matter */
    uint32_t old = atomic_fetch_add_explicit(&w->word, WORD_KICK, memory_order_release);
    if (only && !(old & only))
        return;
    if (apart && (old & WORD_ASLEEP))
        place_apart(w);
    else if (apart && !(old & WORD_BITS))
        place_spinner(w);
    if (old & WORD_ASLEEP)
        futex_wake(&w->word, 1);
    else if (old & WORD_INPOLL)
        wake_poller(w->c);
}

void word_kick(struct waiter *w)
{
    kick_waiter(w, 0, false);
}
void word_kick_apart(struct waiter *w)
{
    kick_waiter(w, 0, true);
}
void word_remind(struct waiter *w)
{
    kick_waiter(w, WORD_REMIND, false);
}
