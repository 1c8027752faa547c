/* Classes clock (deadlines far apart) and tie (many deadlines at once).
 *
 * Real Go is late by up to a millisecond, and on a busy machine by more. So in class clock everything happens at a
 * multiple of STEP that nothing else has. In class tie all deadlines are set in one burst: Go's poller waits in
 * whole milliseconds, so they fire together, and the order in which the Gs then run is fixed. */
#include "gen.h"
#include <string.h>

#define STEP 7u /* ms */
#define SLOTS 12u

static bool taken[SLOTS + 1];

/* A free slot from 1 to SLOTS; 0: none was found. */
static unsigned slot(void)
{
    for (int tries = 0; tries < 30; tries++) {
        unsigned s = between(1, SLOTS);
        if (!taken[s]) {
            taken[s] = true;
            return s;
        }
    }
    return 0;
}

/* A period whose multiples are all free; 0: none was found. */
static unsigned period(void)
{
    for (unsigned p = between(3, 5), tries = 0; tries < 4; p = p == 5 ? 2 : p + 1, tries++) {
        bool free = true;
        for (unsigned s = p; s <= SLOTS; s += p)
            free &= !taken[s];
        for (unsigned s = p; free && s <= SLOTS; s += p)
            taken[s] = true;
        if (free)
            return p;
    }
    return 0;
}

/* ---- clock ---- */

static void clock_sleeper(unsigned id)
{
    unsigned s = slot(), again = slot();
    bool locked = chance(25);
    fprintf(gen.program, "  - name: sleeper%u\n    do: [", id);
    gen.body = gen.program;
    op("%s{sleep: %ums}, {print: \"sleeper%u\"}, ", locked ? "{lock_os_thread: true}, " : "", s * STEP, id);
    noise();
    if (again > s)
        op("{sleep: %ums}, {print: \"sleeper%u again\"}, ", (again - s) * STEP, id);
    op("{done: all}, ");
    end();
    op("{add: all}, {go: sleeper%u}, ", id);
}

static void clock_after(unsigned id)
{
    unsigned s = slot();
    fprintf(gen.program, "  - name: after%u\n    do: [{print: \"after%u\"}, ", id, id);
    gen.body = gen.program;
    noise();
    op("{done: all}, ");
    end();
    op("{add: all}, {after: %ums, go: after%u}, ", s * STEP, id);
}

/* Every tick is received; or the receiver sleeps half a step past several of them, and all but one are lost. */
static void clock_ticker(unsigned id)
{
    unsigned p = period(), ticks = p ? SLOTS / p : 0;
    if (!p)
        return;
    fprintf(gen.chan, "{name: tick%u, buffer: 1}, ", id);
    fprintf(gen.program, "  - name: ticked%u\n    do: [{ticker: tick%u, every: %ums}, ", id, id, p * STEP);
    gen.body = gen.program;
    if (chance(50)) {
        op("{loop: %u, as: k, do: [{recv: tick%u}, {print: \"tick%u {k}\"}, ", ticks, id, id);
        noise();
        op("]}, ");
    } else {
        op("{sleep: %ums}, {loop: 3, as: k, do: [{select: [{recv: tick%u, do: [{print: \"kept%u {k}\"}]}], default: [{print: \"lost%u {k}\"}]}]}, ",
           ticks * p * STEP + STEP / 2, id, id, id);
    }
    op("{done: all}, ");
    end();
    op("{add: all}, {go: ticked%u}, ", id);
}

/* A select between a channel that is sent on at one time and a timer of another. */
static void clock_timeout(unsigned id)
{
    unsigned sends = slot(), fires = slot();
    if (!fires)
        return;
    fprintf(gen.chan, "{name: timeout%u, buffer: 1}, news%u, ", id, id);
    fprintf(gen.program,
            "  - name: listens%u\n    do: [{timer: timeout%u, after: %ums}, {loop: %u, as: k, do: [{select: [{recv: news%u, do:"
            " [{print: \"news%u {k}\"}]}, {recv: timeout%u, do: [{print: \"timeout%u {k}\"}]}]}]}, {done: all}]\n",
            id, id, fires * STEP, between(1, 2), id, id, id, id);
    fprintf(gen.program,
            "  - name: reporter%u\n    do: [{sleep: %ums}, {print: \"reporter%u\"}, {select: [{send: news%u}], default:"
            " [{print: \"nobody listens%u\"}]}, {done: all}]\n",
            id, sends * STEP, id, id, id);
    op("{add: all, n: 2}, {go: listens%u}, {go: reporter%u}, ", id, id);
}

/* A system call that ends half a step after a slot: sysmon takes the P, so that others run meanwhile. */
static void clock_syscall(unsigned id)
{
    unsigned s = slot();
    fprintf(gen.program,
            "  - name: calls%u\n    do: [{sleep: %ums}, {print: \"calls%u\"}, {syscall: %ums}, {print: \"called%u\"}, {done: all}]\n", id,
            s * STEP, id, between(1, 3), id);
    op("{add: all}, {go: calls%u}, ", id);
}

void write_clock(unsigned number)
{
    static void (*const kinds[])(unsigned id) = {clock_ticker, clock_sleeper, clock_after, clock_timeout, clock_syscall};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    unsigned more = between(1, 3);
    memset(taken, 0, sizeof taken);
    fputs("all, ", gen.wg);
    kinds[number % KINDS](0);
    for (unsigned k = 1; k <= more; k++) {
        noise();
        kinds[between(1, KINDS - 1)](k);
    }
    if (chance(50))
        op("{sleep: %ums}, {print: \"main\"}, ", slot() * STEP);
    op("{wait: all}, {print: \"end\"}, ");
}

/* ---- tie ---- */

/* n Gs sleep the same time; each prints when it is up. */
static void tie_sleepers(unsigned ms, unsigned rounds)
{
    unsigned n = between(2, 20);
    begin("sleeps", "");
    op("{loop: %u, as: k, do: [%s{sleep: %ums}, {print: \"s%u {k} {i}\"}%s]}, ", rounds, chance(30) ? "{print: \"to sleep {i}\"}, " : "",
       ms, gen.id, chance(30) ? ", {yield: 1}, {print: \"up {i}\"}" : "");
    noise();
    op("{done: all}, ");
    end();
    op("{add: all, n: %u}, {go: sleeps%u, count: %u}, ", n, gen.id, n);
}

static void tie_after(unsigned ms, unsigned rounds)
{
    (void)rounds;
    unsigned n = between(2, 12);
    for (unsigned k = 0; k < n; k++) {
        fprintf(gen.program, "  - name: a%u-%u\n    do: [{print: \"a%u-%u\"}, ", gen.id, k, gen.id, k);
        gen.body = gen.program;
        noise();
        op("{done: all}, ");
        end();
        op("{after: %ums, go: a%u-%u}, ", ms, gen.id, k);
    }
    op("{add: all, n: %u}, ", n);
}

static void tie_tickers(unsigned ms, unsigned rounds)
{
    unsigned n = between(2, 6);
    for (unsigned k = 0; k < n; k++) {
        bool once = chance(30);
        fprintf(gen.chan, "{name: t%u-%u, buffer: 1}, ", gen.id, k);
        fprintf(gen.program,
                "  - name: ticked%u-%u\n    do: [{loop: %u, as: k, do: [{recv: t%u-%u}, {print: \"t%u-%u {k}\"}]}, {done: all}]\n", gen.id,
                k, once ? 1 : rounds, gen.id, k, gen.id, k);
        op(once ? "{timer: t%u-%u, after: %ums}, " : "{ticker: t%u-%u, every: %ums}, ", gen.id, k, ms);
    }
    op("{add: all, n: %u}, ", n);
    for (unsigned k = 0; k < n; k++)
        op("{go: ticked%u-%u}, ", gen.id, k);
}

/* One kind, several times in a row; or several kinds, once each. A ticker's second tick is due one period after the first was due, but a
 * second sleep starts when the first has ended, late: the delay decides which of these fire together.
 */
void write_tie(unsigned number)
{
    static void (*const kinds[])(unsigned ms, unsigned rounds) = {tie_sleepers, tie_after, tie_tickers};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    static const unsigned times[] = {5, 10, 12, 20};
    unsigned more = random_below(3), ms = times[random_below(4)];
    fputs("all, ", gen.wg);
    for (unsigned k = 0; k <= more; k++) {
        gen.id = k;
        kinds[k ? random_below(KINDS) : number % KINDS](ms, more ? 1 : between(1, 4));
        if (chance(30))
            noise();
    }
    if (chance(40))
        op("{sleep: %ums}, {print: \"main\"}, ", ms);
    op("{wait: all}, {print: \"end\"}, ");
}
