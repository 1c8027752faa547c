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
 *   calls    with cfg.calls: what a Go program writes is a system call that takes time, and in half of the runs an M that sleeps until a time comes late,
 *            as by the slack of the kernel's timers
 *
 * All of it comes from a random stream of its own: without stalls a run is what it was. Stalls, late wake-ups and the times of calls are numbered decisions.
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

/* Returns the class of choice_time_ns() for ns. */
static uint32_t time_class(int64_t ns)
{
    uint32_t class = 0;
    while (class < TIME_CLASSES - 1 && choice_time_ns(class) < ns)
        class ++;
    return class;
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
    static const uint32_t call[] = {500, 1000, 2000, 4000, 8000, 30000};
    prng_seed(&s->calls, c->cfg.seed, PRNG_CALLS);
    s->call = time_class(call[prng_below(&s->calls, sizeof call / sizeof *call)]);
    s->slack = prng_below(&s->calls, 2) ? time_class(50000) : 0; /* the kernel's timers come that late, if nothing else does */
}

/* A class between an octave less than usual and an octave more; sometimes any up to `most`. */
static uint32_t near(struct stalls *s, uint32_t usual, uint32_t most)
{
    uint32_t least = usual > TIME_OCTAVE ? usual - TIME_OCTAVE : 1;
    return prng_below(&s->calls, 8) ? least + prng_below(&s->calls, 2 * TIME_OCTAVE + 1) : 1 + prng_below(&s->calls, most);
}

/* The class of a time for which others have the CPU: some time slices. Now and then, on CPUs that others use. */
static uint32_t busy(struct conductor *c, uint32_t one_in)
{
    struct stalls *s = &c->stalls;
    bool is = c->pace.way == WAY_LOADED && !prng_below(&s->calls, one_in);
    return is ? TIME_CLASSES - 1 - prng_below(&s->calls, 4 * TIME_OCTAVE) : 0;
}

uint32_t stalls_call(struct conductor *c)
{
    uint32_t class = busy(c, 4);
    return class ? class : near(&c->stalls, c->stalls.call, time_class(stall_ns[5]));
}

uint32_t stalls_slack(struct conductor *c)
{
    struct stalls *s = &c->stalls;
    uint32_t class = busy(c, 2);
    return class ? class : s->slack ? near(s, s->slack, time_class(stall_ns[4])) : 0;
}

void conductor_call(struct waiter *w, int64_t ns)
{
    if (w->c->pace.way == WAY_SINGLE && ns < stall_ns[3]) { /* it uses the only CPU */
        conductor_ran(w, ns);
        conductor_gate(w);
    } else {
        conductor_block(w, ns);
    }
}

int64_t conductor_call_ns(struct waiter *w)
{
    return w->c->cfg.calls && w->c->cfg.stalls && in_lockstep(w->c) ? decide_time(w->c, DECIDE_CALL) : 0;
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
