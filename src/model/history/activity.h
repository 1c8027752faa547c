/* What Ps, Gs and Ms did up to an event, summed up: the part of the history behind bins (history.h). */
#ifndef GMPSCOPE_MODEL_ACTIVITY_H
#define GMPSCOPE_MODEL_ACTIVITY_H

#include "model/history/history.h"

struct activity_p {
    uint64_t ns[P_DOINGS]; /* modulo 2^64: the sum of the times when it ended, less the times when it began: activity_p_ns() */
    uint64_t starts;       /* g_start events on it */
    uint32_t g, m;         /* the last G that it started; its M or EV_NONE */
    uint8_t status, doing; /* enum p_status, enum p_doing */
};
struct activity_m {
    uint32_t p;
    bool spinning, runs, in_syscall;
};

/* One block of memory, with the arrays after the struct, so a copy is a memcpy. */
struct activity {
    uint64_t events;
    int64_t time; /* the latest time of an event so far */
    uint32_t level[LEVELS];
    uint64_t level_ns[LEVELS]; /* modulo 2^64: the sum of -change * time over all changes of a level: activity_level_ns() */
    uint64_t kinds[EV_KINDS];
    uint32_t np, nm; /* number of Ps and Ms ever made, which the arrays hold */
};

static inline struct activity_p *activity_ps(const struct activity *a)
{
    return (struct activity_p *)(void *)((char *)(uintptr_t)a + sizeof *a);
}

static inline struct activity_m *activity_ms(const struct activity *a)
{
    return (struct activity_m *)(void *)(activity_ps(a) + a->np);
}

size_t activity_bytes(const struct activity *a);
struct activity *activity_new(void);
struct activity *activity_copy(const struct activity *a);
/* Adds an event. Reallocates *a if it needs more Ps or Ms. Returns false if memory runs out. */
bool activity_add(struct activity **a, uint32_t m, const struct ev *e);
/* Makes room for at least so many Ps and Ms. Returns false if memory runs out; *a is then unchanged. */
bool activity_grow(struct activity **a, uint32_t np, uint32_t nm);
/* The same for Ps that no procresize has made: what they do is not known. */
bool activity_grow_unknown(struct activity **a, uint32_t np);
/* Return the sums at time `now` if nothing more happens until then. now: not before a->time. */
int64_t activity_p_ns(const struct activity *a, uint32_t p, enum p_doing doing, int64_t now);
int64_t activity_level_ns(const struct activity *a, enum history_level k, int64_t now);

#endif
