/* A small fold: it keeps only what a timeline shows, so that any stretch of the history can be summed up fast.
 *
 * All its numbers are sums from the start of the run. What happened between two events is the difference of two sums, so a bin of
 * any length costs two of them. history.c keeps a copy at regular distances; from the copy before an event the fold continues to it.
 * It does not check the events, because the model has already applied them.
 *
 * A change only adds or subtracts its time: what lasted from 3 to 5 and began again at 9 is -3 + 5 - 9, and at 10 it has lasted 10 more, so 3.
 */
#include "model/history/activity_event.h"

#include <stdlib.h>
#include <string.h>

static size_t bytes_for(uint32_t np, uint32_t nm)
{
    return sizeof(struct activity) + np * sizeof(struct activity_p) + nm * sizeof(struct activity_m);
}

size_t activity_bytes(const struct activity *a)
{
    return bytes_for(a->np, a->nm);
}

struct activity *activity_new(void)
{
    return calloc(1, sizeof(struct activity));
}

struct activity *activity_copy(const struct activity *a)
{
    struct activity *copy = malloc(activity_bytes(a));
    if (copy)
        memcpy(copy, a, activity_bytes(a));
    return copy;
}

bool activity_grow(struct activity **a, uint32_t np, uint32_t nm)
{
    const struct activity *old = *a;
    np = np > old->np ? np : old->np;
    nm = nm > old->nm ? nm : old->nm;
    if (np == old->np && nm == old->nm)
        return true;
    struct activity *new = calloc(1, bytes_for(np, nm));
    if (!new)
        return false;
    *new = *old;
    new->np = np;
    new->nm = nm;
    memcpy(activity_ps(new), activity_ps(old), old->np * sizeof(struct activity_p));
    memcpy(activity_ms(new), activity_ms(old), old->nm * sizeof(struct activity_m));
    for (uint32_t p = old->np; p < np; p++)
        activity_ps(new)[p] = (struct activity_p){.status = P_DEAD, .m = EV_NONE};
    for (uint32_t m = old->nm; m < nm; m++)
        activity_ms(new)[m] = (struct activity_m){.p = EV_NONE};
    free(*a);
    *a = new;
    return true;
}

bool activity_grow_unknown(struct activity **a, uint32_t np)
{
    uint32_t before = (*a)->np;
    if (!activity_grow(a, np, 0))
        return false;
    for (uint32_t p = before; p < np; p++) {
        activity_ps(*a)[p].status = P_UNKNOWN;
        activity_ps(*a)[p].doing = P_DOES_UNKNOWN;
    }
    return true;
}

#define EVENT(id, ...) \
    static bool add_##id(struct activity **at, uint32_t m, const struct ev *e) \
    { \
        return activity_event(at, NULL, m, e, EV_##id); \
    }
#include "eventlog/events.def"
#undef EVENT

static bool (*const add_of[EV_KINDS])(struct activity **, uint32_t, const struct ev *) = {
#define EVENT(id, ...) [EV_##id] = add_##id,
#include "eventlog/events.def"
#undef EVENT
};

bool activity_add(struct activity **at, uint32_t m, const struct ev *e)
{
    return activity_begin(at, m, e->time, 1) && add_of[e->kind](at, m, e);
}

int64_t activity_p_ns(const struct activity *a, uint32_t p, enum p_doing doing, int64_t now)
{
    const struct activity_p *pp = &activity_ps(a)[p];
    return (int64_t)(pp->ns[doing] + (pp->doing == doing ? (uint64_t)now : 0));
}

int64_t activity_level_ns(const struct activity *a, enum history_level k, int64_t now)
{
    return (int64_t)(a->level_ns[k] + a->level[k] * (uint64_t)now);
}
