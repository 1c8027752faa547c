/* See spawns.h. Only the M that starts the Gs matters: what other Ms log in between belongs to no row. */
#include "model/history/spawns.h"

enum { LOOK = 512 };          /* starts that are further apart are not in one row */
enum { TOLD_TOGETHER = 100 }; /* a G whose number is a multiple of it ends a sentence, so no reader searches further back */

/* Does the event put a new G into a queue, or does the M fail to wake another one for it? */
static bool is_placing(const struct ev *e)
{
    return e->kind == EV_RUNNEXT_PUT || e->kind == EV_RUNQ_PUT || e->kind == EV_GLOBQ_PUT || e->kind == EV_WAKEP ||
           e->kind == EV_NEEDSPINNING || (e->kind == EV_SPIN_STOP && e->c == SPIN_STOP_NO_IDLE_P);
}

/* May the event lie between two starts of a row? Each is logged before the next G is started. */
static bool is_inside(const struct ev *e)
{
    return is_placing(e) || ev_level_of[e->kind] != EV_CORE || e->kind == EV_RUNQ_OVERFLOW || e->kind == EV_P_TAKE ||
           e->kind == EV_M_WAKE || e->kind == EV_SPIN_START;
}

static bool in_one_row(const struct ev *a, const struct ev *b)
{
    return a->a == b->a && a->b == b->b; /* the starter, the program */
}

/* Does an event of M `own` have a row of its own if it lies between two starts of that M? */
static bool stands_apart(const struct ev *e, uint32_t m, uint32_t own)
{
    return ev_level_of[e->kind] == EV_CORE && (m != own || !is_placing(e));
}

/* A start near another one. */
struct near_start {
    int64_t at; /* -1: there is none */
    bool apart; /* an event with a row of its own lies between */
};

/* Finds the next start of the same M before (by -1) or after (by 1) `at`, if only events of a row lie between. */
static struct near_start next_start(spawn_reader *read, void *ctx, int64_t at, int by)
{
    uint32_t m, own;
    bool apart = false;
    const struct ev *e = read(ctx, at, &own);
    for (int n = 0; n < LOOK && (e = read(ctx, at += by, &m)); n++) {
        if (m == own && e->kind == EV_G_CREATE)
            return (struct near_start){at, apart};
        if (m == own && !is_inside(e))
            break;
        apart = apart || stands_apart(e, m, own);
    }
    return (struct near_start){-1, false};
}

/* Finds the start before (by -1) or after (by 1) the start at `at`, in the same row. */
static struct near_start spawn_neighbour(spawn_reader *read, void *ctx, int64_t at, int by)
{
    uint32_t m;
    const struct ev *e = read(ctx, at, &m);
    struct ev here = e ? *e : (struct ev){0};
    struct near_start to = e ? next_start(read, ctx, at, by) : (struct near_start){.at = -1};
    e = to.at < 0 ? NULL : read(ctx, to.at, &m);
    return e && in_one_row(e, &here) ? to : (struct near_start){.at = -1};
}

bool spawn_is_repeat(spawn_reader *read, void *ctx, int64_t at)
{
    uint32_t m;
    const struct ev *e = read(ctx, at, &m);
    bool start = e && e->kind == EV_G_CREATE;
    if (!e || (!start && !is_placing(e)))
        return false;
    at = start ? at : next_start(read, ctx, at, -1).at;
    for (int earlier = 0; at >= 0 && earlier < 2; earlier++)
        at = spawn_neighbour(read, ctx, at, -1).at;
    return at >= 0;
}

/* Does the sentence of the start at `to`, the next one after the start e, name e's G as well? */
static bool goes_on(const struct ev *e, struct near_start to)
{
    return to.at >= 0 && !to.apart && e->g % TOLD_TOGETHER != 0;
}

bool spawn_has_no_row(spawn_reader *read, void *ctx, int64_t at)
{
    uint32_t m;
    if (!spawn_is_repeat(read, ctx, at))
        return false;
    struct ev e = *read(ctx, at, &m);
    return e.kind != EV_G_CREATE || goes_on(&e, spawn_neighbour(read, ctx, at, 1));
}

bool spawn_may_grow(spawn_reader *read, void *ctx, int64_t at)
{
    uint32_t m, own;
    const struct ev *e = read(ctx, at, &own);
    if (!e || e->kind != EV_G_CREATE || e->g % TOLD_TOGETHER == 0 || !spawn_is_repeat(read, ctx, at))
        return false;
    for (int n = 0; n < LOOK && (e = read(ctx, ++at, &m)); n++)
        if (stands_apart(e, m, own))
            return false;
    return !e;
}

struct spawn_told spawn_tells(spawn_reader *read, void *ctx, int64_t at, int64_t after)
{
    uint32_t m;
    const struct ev *e = read(ctx, at, &m);
    struct spawn_told told = {0};
    bool more = e && e->kind == EV_G_CREATE;
    while (more && spawn_is_repeat(read, ctx, at)) {
        told.first = read(ctx, at, &m)->g;
        told.n++;
        struct near_start before = spawn_neighbour(read, ctx, at, -1);
        more = before.at > after && goes_on(read(ctx, before.at, &m), before);
        at = before.at;
    }
    return told;
}

struct boot boot_read(spawn_reader *read, void *ctx)
{
    uint32_t m;
    struct boot b = {.sysmon = EV_NONE, .runs_main = EV_NONE};
    const struct ev *e;
    for (int64_t at = 1; b.runs_main == EV_NONE && at < LOOK && (e = read(ctx, at, &m)); at++) {
        if (at == 1 && e->kind != EV_M_START) /* its source has not seen a boot */
            break;
        if (at == 1)
            b.first = m;
        if (e->kind == EV_PROCRESIZE)
            b.procs = e->b;
        if (e->kind == EV_M_START && e->c & 1)
            b.sysmon = m;
        if (ev_level_of[e->kind] == EV_CORE)
            b.at = at;
        if (spawn_starts_main(e))
            b.runs_main = m;
    }
    return b;
}

const struct ev *spawn_read_history(void *ctx, int64_t at, uint32_t *m)
{
    struct spawn_history *r = ctx;
    if (at < 1 || (uint64_t)at > r->last || !history_get(r->h, (uint64_t)at, &r->e))
        return NULL;
    *m = r->e.m;
    return &r->e.ev;
}
