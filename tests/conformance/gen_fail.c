/* Class fail: ways to die. Some Gs block in all kinds of places; then one of them, main, or a G that another starts ends the program,
 * ends only itself, or causes a deadlock.
 */
#include "gen.h"

/* Operations with up to three times gen.id in them. */
static const char *const deaths[] = {
    "{panic: \"the end of %u\"}, ",
    "{close: closed%u}, ",
    "{send: closed%u}, ",
    "{unlock: free%u}, ",
    "{runlock: rwfree%u}, ",
    "{wunlock: rwfree%u}, ",
    "{rlock: rwfree%u}, {wunlock: rwfree%u}, ",
    "{done: zero%u}, ",
    "{add: zero%u, n: 2}, {add: zero%u, n: 0 - 3}, ",
    "{set: x, to: (left + 5) / (mix - mix)}, ",
    "{set: x, to: 7 %% (left * 0)}, ",
    "{recv: empty%u}, ",
    "{send: empty%u, value: 3}, ",
    "{range: empty%u, as: v, do: [{print: \"got {v}\"}]}, ",
    "{select: [{recv: empty%u}, {recv: empty%u, as: v}]}, ",
    "{select: []}, ",
    "{select: [{recv: empty%u}, {send: closed%u}]}, ",
    "{lock: free%u}, {lock: free%u}, ",
    "{wlock: rwfree%u}, {rlock: rwfree%u}, ",
    "{rlock: rwfree%u}, {wlock: rwfree%u}, ",
    "{add: zero%u}, {wait: zero%u}, ",
    "{lock: condm%u}, {cond_wait: never%u}, ",
    "{cond_wait: never%u}, ",
    "{exit: true}, ",
    "{lock: free%u}, {exit: true}, ",
    "{wlock: rwfree%u}, {exit: true}, ",
    "{lock: held%u}, {panic: \"with the lock of %u\"}, ",
    "{recv: results%u, as: v}, {panic: \"after a result\"}, ",
    "{close: results%u}, {yield: 2}, ",
    "{close: empty%u}, {yield: 1}, {close: empty%u}, ",
};
#define DEATHS (sizeof deaths / sizeof *deaths)

static void die(unsigned how)
{
    unsigned id = gen.id;
    fprintf(gen.body, deaths[how], id, id, id); /* the formats are the table's above */
}

static void declare(void)
{
    fprintf(gen.chan, "closed%u, empty%u, {name: results%u, buffer: %u}, ", gen.id, gen.id, gen.id, random_below(3));
    fprintf(gen.mutex, "free%u, held%u, condm%u, ", gen.id, gen.id, gen.id);
    fprintf(gen.rw, "rwfree%u, ", gen.id);
    fprintf(gen.cond, "{name: never%u, mutex: condm%u}, ", gen.id, gen.id);
    fprintf(gen.wg, "zero%u, all%u, ", gen.id, gen.id);
}

/* Gs that are in the middle of something when the program ends: they print when they continue, which shows which of them still ran. */
static void bystanders(void)
{
    begin("works", "");
    op("{loop: 1 + i, as: k, do: [{print: \"works%u {i} {k}\"}, ", gen.id);
    noise();
    op("{yield: %u}]}, {send: results%u, value: i}, {print: \"sent%u {i}\"}, {done: all%u}, ", between(1, 3), gen.id, gen.id, gen.id);
    end();
    begin("holds", "");
    op("{lock: held%u}, {yield: %u}, {print: \"held%u {i}\"}, ", gen.id, between(0, 4), gen.id);
    if (chance(80))
        op("{unlock: held%u}, ", gen.id);
    op("{done: all%u}, ", gen.id);
    end();
}

void write_fail(unsigned number)
{
    unsigned how = number % DEATHS, where = random_below(4), workers = between(1, 4), holders = between(0, 3);
    declare();
    bystanders();
    begin("mortal", "");
    op("{print: \"mortal%u {i}\"}, {yield: %u + i}, ", gen.id, random_below(4));
    noise();
    if (where == 0)
        op("{if: i == %u, then: [", random_below(3)), die(how), op("]}, ");
    if (where == 1)
        op("{if: i == 1, then: [{go: heir%u}, {yield: %u}]}, ", gen.id, random_below(3));
    op("{print: \"still%u {i}\"}, {done: all%u}, ", gen.id, gen.id);
    end();
    begin("heir", "");
    op("{print: \"heir%u\"}, ", gen.id);
    die(how);
    op("{print: \"heir%u lives\"}, ", gen.id);
    end();
    op("{close: closed%u}, {add: all%u, n: %u}, ", gen.id, gen.id, workers + holders + 3);
    op("{go: works%u, count: %u}, ", gen.id, workers);
    if (holders)
        op("{go: holds%u, count: %u}, ", gen.id, holders);
    op("{go: mortal%u, count: 3}, ", gen.id);
    if (chance(40))
        op("{yield: %u}, ", between(1, 6));
    if (where == 2)
        die(how), op("{print: \"main lives\"}, ");
    if (where == 3)
        op("{go: heir%u, count: %u}, ", gen.id, between(1, 2));
    if (chance(50))
        op("{recv: results%u, as: r}, {print: \"main has {r}\"}, ", gen.id);
    if (chance(50))
        op("{wait: all%u}, {print: \"all done\"}, ", gen.id);
    else
        op("{yield: %u}, {print: \"main ends\"}, ", between(1, 9));
}
