/* Slow threads of a lockstep run: a real thread loses its CPU, and a woken one comes late.
 *
 * Without stalls each step costs 10 ns, a woken M is as quick as a running one, and time jumps only when all wait. So what a rule waits for
 * (3 µs before a runnext is stolen, 20 µs of sysmon, 10 ms of a slice) never passes while another M executes operations. Real threads make
 * that happen, and with cfg.stalls so does the seed:
 *
 *   stall    the chosen M does not run; it loses its CPU for one of the durations in choice.h, at most cfg.stalls times a run. The number of
 *            the baton point of the next stall is drawn, so the points in between cost nothing. The mean distance is drawn once, from lengths
 *            of short and long runs, so each run has a fair chance of stalls wherever they matter
 *   late     an M that is woken through its note is ready only some time later: mostly the same time for the whole run, as on a machine,
 *            and sometimes another one
 *   pace     a baton point costs more, as locked operations and switches of stacks do
 *   calls    with cfg.calls: what a Go program writes is a system call that takes time, and in half of the runs an M that sleeps until a time comes late
 *
 * All of it comes from a random stream of its own: without stalls a run is what it was. Stalls and late wake-ups are numbered decisions.
 * The M is a sleeper with a deadline, and counts as moving: it may hold runtime locks, which others then find held, and a pause lets it
 * finish. Belongs to the baton. */
#include "conductor/conductor_internal.h"

static uint32_t any_class(struct prng *r)
{
    return 1 + prng_below(r, STALL_CLASSES - 1);
}

/* Draws the distance to the next stall: from 1 to twice the mean. */
static void plan_next(struct stalls *s)
{
    s->points = s->left ? 1 + prng_below(&s->rand, 2 * s->gap) : UINT64_MAX;
}

void stalls_init(struct conductor *c)
{
    static const uint32_t length[] = {24, 48, 96, 192, 384, 1024, 4096};
    static const struct {
        int64_t pace;
        uint32_t late;
    } machine[] = {{100, 2}, {100, 3}, {300, 3}}; /* a wake-up takes as long as some 50 steps */
    struct stalls *s = &c->stalls;
    prng_seed(&s->rand, c->cfg.seed, PRNG_STALLS);
    s->left = c->cfg.stalls;
    s->gap = length[prng_below(&s->rand, sizeof length / sizeof *length)] * (c->cfg.fine ? 4 : 1) / (s->left + 1) + 1;
    uint32_t kind = prng_below(&s->rand, sizeof machine / sizeof *machine);
    s->late = machine[kind].late;
    c->point_ns = s->left ? machine[kind].pace : POINT_NS;
    plan_next(s);
    static const uint32_t call[] = {500, 2000, 8000, 30000};
    prng_seed(&s->calls, c->cfg.seed, PRNG_CALLS);
    s->call_ns = call[prng_below(&s->calls, sizeof call / sizeof *call)];
    s->oversleeps = prng_below(&s->calls, 2);
}

int64_t conductor_call_ns(struct waiter *w)
{
    struct stalls *s = &w->c->stalls;
    if (!w->c->cfg.calls || !w->c->cfg.stalls || !in_lockstep(w->c))
        return 0;
    int64_t ns = s->call_ns / 2 + prng_below(&s->calls, s->call_ns);
    return prng_below(&s->calls, 8) ? ns : stall_ns[1 + prng_below(&s->calls, 5)];
}

int64_t stalls_oversleep(struct conductor *c)
{
    struct stalls *s = &c->stalls;
    return c->cfg.calls && s->oversleeps && c->cfg.stalls ? stall_ns[1 + prng_below(&s->calls, 4)] : 0;
}

void conductor_hold_stalls(struct conductor *c, bool hold)
{
    struct stalls *s = &c->stalls;
    if (hold)
        s->points = UINT64_MAX;
    else
        plan_next(s);
}

uint32_t stalls_due(struct conductor *c)
{
    struct stalls *s = &c->stalls;
    if (__builtin_expect(--s->points != 0, 1))
        return 0;
    s->left--;
    plan_next(s);
    return any_class(&s->rand);
}

uint32_t stalls_late(struct conductor *c)
{
    struct stalls *s = &c->stalls;
    return prng_below(&s->rand, 8) ? s->late : s->late + prng_below(&s->rand, STALL_CLASSES - s->late);
}
