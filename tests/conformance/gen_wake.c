/* Class mass: 40 to 900 Gs wait and are woken at once, or each by the one before. Class storm: yields, pairs and chains that never let
 * the scheduler rest. Printing hundreds of lines would hide the result, so the order is folded into a number that is printed at
 * the end: each G multiplies it and adds its own number.
 */
#include "gen.h"

/* Folds the G into the order, and now and then prints a line. */
static void mark(const char *name, unsigned every)
{
    op("{set: mix, to: (mix * 31 + i + 1) %% 1000003}, {if: i %% %u == 0, then: [{print: \"%s%u {i} {mix}\"}]}, ", every, name, gen.id);
}

/* ---- mass ---- */

/* How n Gs wait for `gate` and what wakes them. `waits` goes into the waiters, `wakes` into main or a G that main starts. */
struct way {
    enum { CHAN, SEMAPHORE, GROUP, RWMUTEX, MUTEX, COND } gate;
    const char *chan, *waits, *wakes;
    unsigned limit; /* waiting longer than 1 ms for a mutex changes the order, so mutexes have fewer waiters */
};
#define TAKE_ALL "{loop: count, do: [{recv: gate, as: v}, {set: mix, to: (mix + v) % 1000003}]}, "
#define GIVE_ALL "{loop: count, as: k, do: [{send: gate, value: k}]}, "
#define COND_WAITS "{lock: gatem}, {cond_wait: gate}, {unlock: gatem}, "
static const struct way ways[] = {
    {CHAN, "gate", "{recv: gate}, ", "{close: gate}, ", 900},
    {CHAN, "gate", "{range: gate, as: v, do: [{set: mix, to: mix + v}]}, ", "{send: gate, value: 3}, {close: gate}, ", 900},
    {CHAN, "gate, {name: full, buffer: 0}", "{select: [{recv: gate}, {send: full}]}, ", "{close: gate}, ", 900},
    {CHAN, "gate", "{recv: gate, as: v}, ", GIVE_ALL, 900},
    {CHAN, "gate", "{send: gate, value: i}, ", TAKE_ALL, 900},
    {CHAN, "{name: gate, buffer: 9}", "{send: gate, value: i}, ", TAKE_ALL, 900},
    {CHAN, "{name: gate, buffer: 9}", "{recv: gate}, ", GIVE_ALL, 900},
    {CHAN, "gate", "{recv: gate, as: v}, {if: v > 0, then: [{send: gate, value: v - 1}]}, ", "{send: gate, value: count - 1}, ", 900},
    {SEMAPHORE, "{name: gate, buffer: 3}", "{send: gate}, {yield: 1}, {recv: gate}, ", "{recv: gate}, {recv: gate}, {recv: gate}, ", 500},
    {GROUP, "", "{wait: gate}, ", "{done: gate}, ", 900},
    {RWMUTEX, "", "{rlock: gate}, {runlock: gate}, ", "{wunlock: gate}, ", 900},
    {MUTEX, "", "{lock: gate}, {unlock: gate}, ", "{unlock: gate}, ", 50},
    {COND, "", COND_WAITS, "{lock: gatem}, {broadcast: gate}, {unlock: gatem}, ", 60},
    {COND, "", COND_WAITS, "{loop: count, do: [{lock: gatem}, {signal: gate}, {unlock: gatem}]}, ", 60},
};
#define WAYS (sizeof ways / sizeof *ways)

/* Declares the gate and closes it, so that all must wait. */
static void declare_gate(const struct way *w)
{
    static const char *const shut[] = {
        "", "{send: gate}, {send: gate}, {send: gate}, ", "{add: gate}, ", "{wlock: gate}, ", "{lock: gate}, ", ""};
    FILE *const into[] = {gen.chan, gen.chan, gen.wg, gen.rw, gen.mutex, gen.cond};
    fputs(w->chan[0] ? w->chan : w->gate == COND ? "{name: gate, mutex: gatem}" : "gate", into[w->gate]);
    fputs(", ", into[w->gate]);
    if (w->gate == COND)
        fputs("gatem, ", gen.mutex);
    fputs(shut[w->gate], gen.body);
}

void write_mass(unsigned number)
{
    const struct way *w = &ways[number % WAYS];
    unsigned n = chance(30) ? between(200, 300) : between(40, 900), every = between(7, 90);
    bool other = chance(40);
    n = n > w->limit ? 40 + n % (w->limit - 39) : n;
    declare_gate(w);
    fputs("count, ", gen.shared);
    fputs("all, ", gen.wg);
    begin("waiter", "");
    if (chance(40))
        op("{yield: i %% %u}, ", between(2, 4));
    fputs(w->waits, gen.body);
    mark("woken", every);
    if (chance(50))
        op("{yield: %u}, ", between(1, 2)), mark("again", every);
    op("{done: all}, ");
    end();
    begin("waker", "");
    fputs(w->wakes, gen.body);
    op("{print: \"woke {mix}\"}, ");
    end();
    op("{set: count, to: %u}, {add: all, n: %u}, {go: waiter%u, count: %u}, {yield: %u}, ", n, n, gen.id, n, between(3, 6));
    if (other)
        op("{go: waker%u}, ", gen.id);
    else
        fputs(w->wakes, gen.body);
    if (chance(40))
        op("{print: \"main {mix}\"}, {yield: 1}, ");
    op("{print: \"main before {mix}\"}, {wait: all}, {print: \"main {mix}\"}, ");
}

/* ---- storm ---- */

static void storm_yields(void)
{
    unsigned n = between(3, 300);
    begin("yields", "");
    op("{loop: %u + i %% %u, as: k, do: [", between(1, 12), between(1, 7));
    mark("y", between(3, 60));
    op("{yield: 1 + (i + k) %% %u}]}, {done: all}, ", between(1, 4));
    end();
    op("{add: all, n: %u}, {go: yields%u, count: %u}, ", n, gen.id, n);
}

/* Pairs on unbuffered channels: each hand-over uses runnext, others must not starve. */
static void storm_pairs(void)
{
    unsigned n = between(1, 4), rounds = between(20, 400);
    for (unsigned k = 0; k < n; k++) {
        fprintf(gen.chan, "there%u-%u, back%u-%u, ", gen.id, k, gen.id, k);
        fprintf(
            gen.program,
            "  - name: ping%u-%u\n    do: [{loop: %u, as: k, do: [{send: there%u-%u, value: k}, {recv: back%u-%u, as: v},"
            " {if: v %% %u == 0, then: [{set: mix, to: (mix * 31 + v) %% 1000003}, {print: \"ping%u-%u {v} {mix}\"}]}]}, {done: all}]\n",
            gen.id, k, rounds, gen.id, k, gen.id, k, between(5, 50), gen.id, k);
        fprintf(gen.program,
                "  - name: pong%u-%u\n    do: [{loop: %u, do: [{recv: there%u-%u, as: v}, {set: mix, to: mix + %u},"
                " {send: back%u-%u, value: v + 1}]}, {done: all}]\n",
                gen.id, k, rounds, gen.id, k, k + 1, gen.id, k);
        op("{add: all, n: 2}, {go: ping%u-%u}, {go: pong%u-%u}, ", gen.id, k, gen.id, k);
    }
}

/* A daisy chain of n Gs: main sends several values through it. */
static void storm_chain(void)
{
    unsigned n = between(2, 40), values = between(1, 20);
    for (unsigned k = 0; k <= n; k++)
        fprintf(gen.chan, "{name: d%u-%u, buffer: %u}, ", gen.id, k, chance(80) ? 0 : between(1, 2));
    for (unsigned k = 0; k < n; k++) {
        fprintf(gen.program,
                "  - name: daisy%u-%u\n    do: [{range: d%u-%u, as: v, do: [{set: mix, to: (mix * 31 + %u) %% 1000003},"
                " {send: d%u-%u, value: v + 1}]}, {close: d%u-%u}, {done: all}]\n",
                gen.id, k, gen.id, k, k, gen.id, k + 1, gen.id, k + 1);
        op("{go: daisy%u-%u}, ", gen.id, k);
    }
    begin("pushes", "");
    op("{loop: %u, as: k, do: [{send: d%u-0, value: k}]}, {close: d%u-0}, {done: all}, ", values, gen.id, gen.id);
    end();
    begin("takes", "");
    op("{range: d%u-%u, as: v, do: [{print: \"out%u {v} {mix}\"}]}, {done: all}, ", gen.id, n, gen.id);
    end();
    op("{add: all, n: %u}, {go: pushes%u}, {go: takes%u}, ", n + 2, gen.id, gen.id);
}

/* Gs that start Gs that start Gs, with the ring full now and then. */
static void storm_spawns(void)
{
    unsigned n = between(5, 60), depth = between(1, 3);
    begin("bursts", "d");
    mark("b", between(5, 40));
    op("{if: d > 0, then: [{add: all, n: %u}, {go: bursts%u, count: %u, args: [d - 1]}]}, ", depth == 3 ? 3 : 6, gen.id,
       depth == 3 ? 3 : 6);
    if (chance(60))
        op("{yield: %u}, ", between(1, 2)), mark("late", between(5, 40));
    op("{done: all}, ");
    end();
    op("{add: all, n: %u}, {go: bursts%u, count: %u, args: [%u]}, ", n, gen.id, n, depth == 3 ? 3 : depth);
}

void write_storm(unsigned number)
{
    static void (*const storms[])(void) = {storm_yields, storm_pairs, storm_chain, storm_spawns};
    enum { STORMS = sizeof storms / sizeof *storms };
    unsigned more = between(0, 2);
    fputs("all, ", gen.wg);
    for (unsigned k = 0; k <= more; k++) {
        gen.id = k;
        storms[k ? random_below(STORMS) : number % STORMS]();
    }
    op("{loop: %u, as: k, do: [{yield: %u}, {print: \"main {k} {mix}\"}]}, {wait: all}, {print: \"end {mix}\"}, ", between(1, 8),
       between(1, 5));
}
