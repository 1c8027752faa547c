/* A goroutine, lists of goroutines, and how the memory of cold ones is prefetched. */
#ifndef GMPSCOPE_RUNTIME_SCHED_G_H
#define GMPSCOPE_RUNTIME_SCHED_G_H

#include "base/arena.h"
#include "runtime/runtime.h"
#include "runtime/stack/ctx.h"
#include <stdatomic.h>

struct m;

/* A bit of the status of a G in a system call: an M has it for itself, to take the G's P or to return from the call (Go: _Gscan). */
#define G_SCAN 0x1000u

#define G_ROOM ((size_t)64)

/* Type-stable: a dead G is recycled through the gfree lists, and freed with the runtime. */
struct g {
    /* What a yield touches fits one cache line (of ctx it touches only sp). */
    _Atomic uint32_t goid;       /* relaxed: sysmon reads the goid of a G that it does not own */
    uint32_t waitreason;         /* valid while G_WAITING. Not next to seq: one load of both would wait for the store of seq */
    uint32_t seq;                /* transitions so far: the G's sequence number; owned like status */
    _Atomic uint32_t status;     /* enum g_status; owner: the M that runs the G or has dequeued it */
    struct g *schedlink;         /* next in the global queue or a free list */
    const struct g *ahead;       /* a G some places later in that list, or NULL: a hint (AHEAD) */
    _Atomic uint32_t preempt;    /* asked to stop (relaxed: a hint, polled) */
    _Atomic uint32_t selectdone; /* 1: a waker has won the race for its select */
    struct m *lockedm;           /* LockOSThread: the M that it is wired to; only the G itself changes it */
    struct ctx ctx;              /* its stack ends at this structure (gfree.c) */
    /* What a start, a wake-up and an end touch in addition is in the next two cache lines. */
    rt_fn *fn;
    void *arg;
    void (*release)(void *);
    _Alignas(max_align_t) char room[G_ROOM]; /* its argument, if that was copied (rt_go_copy) */
    struct arena mem;                        /* rt_alloc; owned by the M that runs the G */
    void *param;                             /* the sudog that woke it */
    /* The rest. */
    void (*newrelease)(void *);
    void *newarg;      /* argument of a G that this one is making; released with this one if the runtime ends before that */
    uint32_t newsize;  /* not 0: newarg is on this G's stack, and the new G gets a copy of so many bytes */
    uint32_t slot;     /* its place among all Gs of the instance: a G that reuses its memory has the same */
    struct g *allnext; /* all Gs of the instance (sched.allgs) */
    int64_t sleep_when;
    void (*on_panic)(void *ctx, const char *text); /* rt_on_panic(); NULL: the program ends */
    void *on_panic_ctx;
    struct selmem *selmem; /* what its selects need, kept until it ends; in mem */
    struct {
        uint32_t prog, i, by, obj, holder;
    } logged;          /* for rt_snapshot: fn, i and by of its go_create, obj of its last g_park; holder: for its next g_park */
    uint32_t op;       /* race.h: the operation of its program that it is in */
    uint32_t gc_cycle; /* the last GC cycle in which it assisted */
    struct {
        uint32_t place, where, slot;
    } snap;                          /* scratch of rt_snapshot */
    int64_t tight_left, tight_since; /* compute.c: how much of a tight computation is left, and when it began; only the G uses them */
};

static inline uint32_t goid(const struct g *gp)
{
    /* relaxed: written before the G is published; the queue that the G came through orders it */
    return gp ? atomic_load_explicit(&gp->goid, memory_order_relaxed) : 0;
}

struct gqueue {
    struct g *head, *tail;
};
struct glist {
    struct g *head;
}; /* last in, first out */

/* Gs that have not run recently are cold, and each lies on a page of its own: following a list link costs half a microsecond. So the code
 * that makes a long list notes in each G the G that comes AHEAD places later, and the code that walks the list prefetches that one. The
 * hint may be stale, so the code prefetches it but never reads through it. */
#define AHEAD 8u
struct ahead {
    const struct g *last[AHEAD];
    uint32_t n;
};

/* Notes that gp becomes the head of a list that is popped from its head. Caller: owner of gp and of the list. */
static inline void ahead_of(struct ahead *a, struct g *gp)
{
    const struct g **old = &a->last[a->n++ % AHEAD];
    gp->ahead = *old;
    *old = gp;
}

static inline void fetch(const void *p, int lines)
{
    __asm__ volatile("" : : "r"(p)); /* gcc drops a function that only prefetches */
    for (int i = 0; i < lines; i++)
        __builtin_prefetch((const void *)((uintptr_t)p + 64 * (uintptr_t)i), 1, 2);
}

/* Prefetches gp's stack around its saved sp. Integer arithmetic, because a G that never ran has no valid sp. */
static inline void fetch_stack(const struct g *gp)
{
    fetch((const void *)((uintptr_t)gp->ctx.sp - 192), 7);
}

#endif
