/* A timer that can be stopped and reset, with a channel of its own or a function (Go: time.Timer and time.Ticker).
 *
 * Its entry in a heap is changed lazily: Stop makes it a zombie, and Reset notes the new time. The M that works on the heap removes zombies
 * and sorts modified entries in later. What is said of the timer while it is in a heap is under that heap's timerslock; what is said
 * of it while it is in none, under its channel's lock; without a channel, under a lock of its own. Only an M that holds both puts it into a heap.
 * Lock order: channel, heap.
 */
#ifndef GMPSCOPE_RUNTIME_TIMERS_HANDLE_H
#define GMPSCOPE_RUNTIME_TIMERS_HANDLE_H

#include "runtime/sync/chan.h"
#include "runtime/sched/proc.h"

struct handle {
    struct hchan *c; /* NULL: it has a function, or the program has made another timer in its place and no G can see this one any more */
    struct p *_Atomic p;      /* the heap that it is in, NULL: in none */
    int64_t when, period;     /* when 0: it does not run */
    int64_t logged;           /* when, as the heap's events say it */
    uint32_t blocked;         /* Gs that wait for the channel; under the channel's lock */
    uint32_t seq;             /* so often was it stopped or reset, under both locks: a send that began before is given up */
    _Atomic uint32_t sending; /* it has left the heap, and its function has not sent yet */
    uint32_t race;            /* race.h: its number */
    struct rlock lock;        /* of a timer without a channel */
    rt_fn *fn;                /* NULL: it sends. Else each new G gets a copy of arg */
    uint32_t prog, size;      /* prog: as in rt_after(); size: of arg */
    _Alignas(max_align_t) char arg[G_ROOM];
    bool zombie, modified; /* its entry is; under the heap's lock */
    struct handle *next;   /* of the runtime's */
};

/* time.c */
struct handle *handle_at(const struct p *pp, uint32_t i); /* NULL: this entry has none. Locks: pp->timerslock */
struct p *heap_for(struct m *m);                          /* the heap for a timer that m adds */
struct p *handle_lock(struct m *m, struct handle *t); /* locks the heap that t is in, and returns it; NULL: in none. Locks: the channel's */
/* Puts t, which is in no heap, into that of m's P. Returns true if an M must look at the heap by t->when. Locks: the channel's. */
bool handle_add(struct m *m, struct handle *t);
void handle_changed(struct m *m, struct p *pp, struct handle *t, uint32_t how); /* TIMER_NOW_…; logs it. Locks: pp->timerslock */
void handle_remove(struct m *m, struct p *pp, struct handle *t); /* at once, as up to 1.13. Locks: the channel's, pp->timerslock */

/* handle.c. Locks: that of the handle's channel, except where said. */
bool timers_sync(const struct sched *s);        /* a timer's channel looks unbuffered (1.23) */
void handle_look(struct m *m, struct hchan *c); /* a G is about to receive: if the timer is due and in no heap, it sends now */
struct handle *handle_block(struct hchan *c);   /* a G is about to wait for c. Returns what handle_unblock() needs */
int64_t handle_blocked(struct m *m,
                       struct hchan *c); /* the G is parked: puts the timer into a heap. Returns by when an M must look, 0: never */
void handle_unblock(struct m *m, struct handle *t);   /* it waits no longer */
void handle_send(struct m *m, const struct timer *t); /* sends unless t was stopped since. No locks held */

#endif
