/* A goroutine, what waits for it or links it, and how the memory of cold Gs is brought near. */
#ifndef GMPSCOPE_RUNTIME_SCHED_G_H
#define GMPSCOPE_RUNTIME_SCHED_G_H

#include "base/arena.h"
#include "runtime/runtime.h"
#include "runtime/stack/ctx.h"
#include <stdatomic.h>

struct m;

/* A sudog: one G waiting on a channel or a semaphore. Lies on the waiting G's stack (those of a select: in its memory). */
struct sudog {
    struct g *g;
    struct sudog *next, *prev;
    struct sudog *ahead;          /* one that comes some places later, or NULL: see AHEAD */
    int64_t *elem;                /* where the value is read from or written to */
    bool success;                 /* woken by a value, not by close */
    bool is_select;               /* its G waits elsewhere too: see chan_dequeue() */
    uint32_t distance;            /* when it became the last one: at least that from the lead */
    int64_t acquiretime;
    uint32_t ticket;              /* semaphore hand-off: 1 when the waker passed the count on */
};

struct sudogq {
    struct sudog *first, *last;
    struct sudog *lead;           /* the one whose `ahead` is the last; NULL: empty */
};

/* Type-stable: recycled through gfree lists, freed with the runtime. */
struct g {
    /* What a yield touches, in one line of the cache (of ctx only sp). */
    _Atomic uint32_t goid;        /* read by sysmon of a G it does not own (relaxed) */
    uint32_t waitreason;          /* valid while G_WAITING. Not behind seq: read as one with it, it would wait for the store of seq to end */
    uint32_t seq;                 /* transitions so far: the G's ticket; owned like status */
    _Atomic uint32_t status;      /* enum g_status; who may change it: the M that runs it, or who holds it after dequeuing */
    struct g *schedlink;          /* next in the global queue or a free list */
    const struct g *ahead;        /* one that comes some places later in that list, or NULL: a hint (AHEAD) */
    _Atomic uint32_t preempt;     /* asked to stop (relaxed: a hint, polled) */
    _Atomic uint32_t selectdone;  /* somebody has won the race to wake it out of a select */
    struct m *lockedm;            /* LockOSThread: the M it is wired to; changed by itself only */
    struct ctx ctx;               /* and the stack: from its lowest usable byte to this structure (gfree.c) */
    /* What a start, a wake-up and an end touch besides, in the next. */
    void *param;                  /* the sudog that woke it */
    rt_fn *fn;
    void *arg;
    void (*release)(void *);
    struct arena mem;             /* rt_alloc; owned by the M that runs the G */
    /* The rest. */
    void (*newrelease)(void *);
    void *newarg;                 /* of a G that this one is making: released with it if the runtime ends meanwhile */
    struct g *allnext;            /* all Gs of the instance (sched.allgs) */
    int64_t sleep_when;
    struct selmem *selmem;        /* of its selects, kept until it ends; in mem */
    struct { uint32_t prog, i, by, obj; } logged; /* for rt_snapshot: fn, i and by of its go_create, obj of its last g_park */
    uint32_t gc_cycle;            /* the last one that it assisted */
    struct { uint32_t place, where, slot; } snap; /* scratch of rt_snapshot */
    int64_t tight_left, tight_since; /* compute.c: what is left of a tight computation, and since when it runs; its own */
};

static inline uint32_t goid(const struct g *gp)
{
    /* relaxed: written before the G is published, and by then ordered by the queue it came through */
    return gp ? atomic_load_explicit(&gp->goid, memory_order_relaxed) : 0;
}

struct gqueue { struct g *head, *tail; };
struct glist { struct g *head; }; /* last in, first out */

/* Gs that have not run for long are far from the processor, and each lies in a page of its own: to come to the next one of a list by its
 * link takes half a microsecond. So who makes a list of many notes in each G one that comes AHEAD places later, and who goes through
 * the list has that one brought near meanwhile. The hint is never followed: it may be of another time. */
#define AHEAD 8u
struct ahead { const struct g *last[AHEAD]; uint32_t n; };

/* gp becomes the head of a list that is taken from its head. By who owns gp and the list. */
static inline void ahead_of(struct ahead *a, struct g *gp)
{
    const struct g **old = &a->last[a->n++ % AHEAD];
    gp->ahead = *old;
    *old = gp;
}

static inline void fetch(const void *p, int lines)
{
    __asm__ volatile("" : : "r"(p)); /* gcc leaves a function out that does nothing but this */
    for (int i = 0; i < lines; i++)
        __builtin_prefetch((const void *)((uintptr_t)p + 64 * (uintptr_t)i), 1, 2);
}

/* What it will touch when it is switched to: some way up and down from where it left off. In whole numbers: one that never ran has no
 * such place, which is no error for a hint and would be one for a pointer. */
static inline void fetch_stack(const struct g *gp)
{
    fetch((const void *)((uintptr_t)gp->ctx.sp - 192), 7);
}

#endif
