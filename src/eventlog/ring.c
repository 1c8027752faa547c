/* Rings: each has one producer and one consumer.
 *
 * The ring. Each M is the only producer of its ring, the draining thread the only consumer. `tail` and `head` count slots and
 * never wrap (64 bits). A record and the slots with its text, or all of a batch, are published by one release store of `tail`, so the
 * consumer never sees half of one. Each side keeps a private copy of the other's index. The producer reads the shared one
 * only when the copy says "full", the consumer at the two readings of each pass; each side writes only its own cache lines.
 *
 * A full ring. The producer sleeps on `waiting`. That is a Dekker pattern: the producer writes `waiting` and then reads
 * `head`, the consumer writes `head` and then reads `waiting`, all four seq_cst, so that one of them sees the other.
 * seq_cst after every event would cost the consumer a fence for each, and a producer that slept would wake for a few events and sleep
 * again. So the consumer publishes `head` in strides of a quarter of the ring, and always when a drain ends. While it does not drain, no
 * producer sleeps if there is room.
 *
 * A ring that grows. A consumer that must not fold the next event (a step ends there, or a breakpoint holds the fold) cannot make room, although
 * it waits for the producer to reach a gate. Then it lets the ring grow (log_grow). The producer, which sleeps in ring_wait(), moves the unread
 * events to new slots itself, so no slot has two writers. The consumer reads the old slots, which no thread changes any more, until it reads the
 * tail again. A ring does not grow for a consumer that is only slow: its producers wait.
 */
#include "eventlog/log_internal.h"

#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BIG_RINGS 64
#define BIG_BYTES ((size_t)2 << 20)
#define SMALL_BYTES ((size_t)16 << 10)

/* Sets what is not zero in a ring. */
static void ring_begin(struct ring *r, struct log *log, uint32_t m, size_t bytes)
{
    r->slot = (struct ev *)(void *)(r + 1);
    r->slots = bytes / SLOT;
    r->m = m;
    r->log = log;
    r->mapped = sizeof *r + bytes;
    r->out.slot = r->slot;
    r->out.mask = r->slots - 1;
    r->out.limit = r->slots;
    atomic_init(&r->out.newest, INT64_MIN);
}

/* Returns NULL if out of memory. */
static void *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

struct ring *ring_map(struct log *log, uint32_t m)
{
    size_t bytes = m < BIG_RINGS ? BIG_BYTES : SMALL_BYTES;
    struct ring *r = map(sizeof *r + bytes);
    if (r)
        ring_begin(r, log, m, bytes);
    return r;
}

static void free_more(struct ring *r)
{
    ring_follow(r);
    if (r->more)
        munmap(r->more, r->slots * SLOT);
}

void ring_unmap(struct ring *r)
{
    free_more(r);
    munmap(r, r->mapped);
}

void ring_reset(struct ring *r)
{
    struct log *log = r->log;
    uint32_t m = r->m;
    size_t bytes = r->mapped - sizeof *r;
    free_more(r);
    memset(r, 0, sizeof *r); /* not the slots, whose content is undefined before they are published */
    ring_begin(r, log, m, bytes);
}

/* ---- the producer ---------------------------------------------------------------------------------------------- */

static bool ring_fits(struct ring *r, uint64_t tail, uint64_t need)
{
    return tail + need <= r->out.limit;
}

/* Moves everything that is unread to new slots, twice as many. If memory runs out, the log lacks it, and the caller waits on. Caller:
 * the producer, in ring_wait(). */
static void ring_grow(struct ring *r, uint64_t tail)
{
    uint64_t slots = 2 * (r->out.mask + 1);
    struct ev *new = map(slots * SLOT);
    if (new) {
        /* acquire: as in ring_room(); everything before head is read */
        for (uint64_t i = atomic_load_explicit(&r->head, memory_order_acquire); i < tail; i++)
            new[i & (slots - 1)] = r->out.slot[i & r->out.mask];
        r->grown = r->out.slot = new;
        r->out.mask = slots - 1;
    } else {
        atomic_store_explicit(&r->log->lacks, true, memory_order_relaxed); /* log_lacks() only reads the flag */
    }
    /* release: the slots; pairs with the acquire in ring_follow() */
    atomic_store_explicit(&r->growth, new ? GROWTH_DONE : GROWTH_NONE, memory_order_release);
}

/* Sleeps until there is room. Returns false if the log was closed and there is none. Caller: the producer. */
static bool ring_wait(struct ring *r, uint64_t tail, uint64_t need)
{
    for (;;) {
        /* seq_cst, Dekker: pairs with head and waiting in ring_publish(), with growth and waiting in ring_ask_growth(), and with closed and
         * waiting in log_close(). */
        atomic_store_explicit(&r->waiting, 1, memory_order_seq_cst);
        if (atomic_load_explicit(&r->growth, memory_order_seq_cst) == GROWTH_ASKED)
            ring_grow(r, tail);
        r->out.limit = atomic_load_explicit(&r->head, memory_order_seq_cst) + r->out.mask + 1;
        bool fits = ring_fits(r, tail, need);
        if (fits || atomic_load_explicit(&r->log->closed, memory_order_seq_cst)) {
            atomic_store_explicit(&r->waiting, 0, memory_order_relaxed); /* nobody sleeps: a late wake is harmless */
            return fits;
        }
        syscall(SYS_futex, &r->waiting, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
    }
}

/* Returns how much of the text to keep: at most EV_TEXT_MAX bytes, never half of a character. */
static size_t text_cut(const char *text, size_t len)
{
    if (len <= EV_TEXT_MAX)
        return len;
    size_t n = EV_TEXT_MAX;
    while (n > EV_TEXT_MAX - 4 && ((unsigned char)text[n] & 0xc0) == 0x80)
        n--;
    return n;
}

static void ring_put_text(struct ring *r, uint64_t at, const char *text, size_t len)
{
    size_t first = (size_t)(at & r->out.mask) * SLOT, size = (size_t)(r->out.mask + 1) * SLOT;
    size_t before_end = len < size - first ? len : size - first;
    memcpy((char *)r->out.slot + first, text, before_end);
    memcpy(r->out.slot, text + before_end, len - before_end);
}

/* Waits for room for `need` slots after tail. Returns false if there will be none: the record is lost. Caller: the producer. */
static bool ring_room(struct ring *r, uint64_t tail, uint64_t need)
{
    if (ring_fits(r, tail, need))
        return true;
    /* acquire: the consumer has read what was there; pairs with seq_cst (release) in ring_publish(). */
    r->out.limit = atomic_load_explicit(&r->head, memory_order_acquire) + r->out.mask + 1;
    if (ring_fits(r, tail, need) || ring_wait(r, tail, need))
        return true;
    /* relaxed: a counter, we alone write it */
    atomic_store_explicit(&r->out.lost, atomic_load_explicit(&r->out.lost, memory_order_relaxed) + 1, memory_order_relaxed);
    return false;
}

void ring_put(struct ring *r, struct ev *e, const char *text, size_t len)
{
    len = text ? text_cut(text, len) : 0;
    e->ncont = (uint8_t)((len + SLOT - 1) / SLOT);
    if (text)
        e->d = (uint32_t)len;
    uint64_t need = 1u + e->ncont;
    uint64_t tail = atomic_load_explicit(&r->out.tail, memory_order_relaxed); /* our own */
    if (!ring_room(r, tail, need))
        return;
    r->out.slot[tail & r->out.mask] = *e;
    if (len)
        ring_put_text(r, tail + 1, text, len);
    ring_advance(&r->out, e->time, need);
    /* release: a reader that counts these slots also sees the tail after them; pairs with ring_appended(). relaxed: our own */
    atomic_store_explicit(&r->out.text, atomic_load_explicit(&r->out.text, memory_order_relaxed) + e->ncont + ev_is_place(e),
                          memory_order_release);
}

uint64_t ring_appended(const struct ring *r)
{
    /* acquire: the tail is at least as new, so the difference is not too small; exact when the M is stopped */
    uint64_t text = atomic_load_explicit(&r->out.text, memory_order_acquire);
    return atomic_load_explicit(&r->out.tail, memory_order_relaxed) - text;
}

bool ring_is_read(const struct ring *r)
{
    /* relaxed: our own. acquire: pairs with the release in ring_publish() */
    return atomic_load_explicit(&r->out.tail, memory_order_relaxed) == atomic_load_explicit(&r->head, memory_order_acquire);
}

/* Wakes the ring's producer if it sleeps. Any thread. */
void ring_wake(struct ring *r)
{
    /* seq_cst, Dekker: the caller has just written head or closed; pairs with ring_wait(). */
    if (atomic_load_explicit(&r->waiting, memory_order_seq_cst) && atomic_exchange_explicit(&r->waiting, 0, memory_order_seq_cst))
        syscall(SYS_futex, &r->waiting, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* ---- the consumer ---------------------------------------------------------------------------------------------- */

/* Gives the slots that were read back to the producer. Caller: the consumer. */
void ring_publish(struct ring *r)
{
    /* seq_cst: Dekker with ring_wait(); as a release it pairs with the acquire of head in ring_put(). */
    atomic_store_explicit(&r->head, r->next, memory_order_seq_cst);
    ring_wake(r);
}

void ring_ask_growth(struct ring *r)
{
    /* relaxed, both: hints. While growth is NONE, the producer has nothing under way that this could disturb. */
    if (!atomic_load_explicit(&r->waiting, memory_order_relaxed) || atomic_load_explicit(&r->growth, memory_order_relaxed) != GROWTH_NONE)
        return;
    atomic_store_explicit(&r->growth, GROWTH_ASKED, memory_order_seq_cst); /* Dekker with ring_wait() */
    ring_wake(r);
}

void ring_follow(struct ring *r)
{
    /* acquire: pairs with the release in ring_grow() */
    if (atomic_load_explicit(&r->growth, memory_order_acquire) != GROWTH_DONE)
        return;
    if (r->more)
        munmap(r->more, r->slots * SLOT);
    r->slot = r->more = r->grown;
    r->slots *= 2;
    /* release: the next growth comes after this; pairs with the seq_cst load in ring_wait(), through GROWTH_ASKED */
    atomic_store_explicit(&r->growth, GROWTH_NONE, memory_order_release);
}

const char *ring_text_there(struct ring *r, const struct ev *e, char *copy, size_t *len)
{
    size_t room = (size_t)e->ncont * SLOT, size = (size_t)r->slots * SLOT;
    size_t first = (size_t)((r->next + 1) & (r->slots - 1)) * SLOT;
    *len = e->d < room ? e->d : room;
    if (first + room <= size)
        return (const char *)r->slot + first;
    memcpy(copy, (const char *)r->slot + first, size - first);
    memcpy(copy + (size - first), r->slot, room - (size - first));
    return copy;
}
