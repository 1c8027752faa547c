/* Class mix: one family for each construct, with its own objects and programs. main starts the families one after the other, and they
 * interleave. With one P and no clock the order is fixed, except where a select finds several cases ready; those are avoided. A
 * scenario may be wild otherwise: deadlocks and panics are results like any other.
 *
 * Family n % FAMILIES is always part of scenario n, so that every construct gets its share; the others are random.
 */
#include "gen.h"

/* Each family writes its objects and programs, and what main does to start it. */

/* Nested spawns: a tree of counts, with yields on the way down. */
static void spawns(void)
{
    unsigned depth = between(1, 3), width = depth == 3 ? between(2, 5) : between(2, 12);
    fprintf(gen.wg, "tree%u, ", gen.id);
    begin("node", "d, path");
    op("{add: tree%u, n: %u}, ", gen.id, 1);
    op("{print: \"node%u {d} {path}\"}, ", gen.id);
    noise();
    op("{if: d > 0, then: [{go: node%u, count: %u, args: [d - 1, path * 10 + i]}, %s]}, ", gen.id, width, chance(50) ? "{yield: 1}, " : "");
    noise();
    op("{print: \"end%u {path}\"}, {done: tree%u}, ", gen.id, gen.id);
    end();
    op("{go: node%u, args: [%u, 1]}, ", gen.id, depth);
    if (chance(70))
        op("{yield: %u}, {wait: tree%u}, ", between(1, 70), gen.id);
}

/* Producers, a channel with any buffer, consumers that range over it, and a G that closes it. */
static void channels(void)
{
    unsigned buffer = chance(40) ? 0 : between(1, 9), producers = between(1, 5), consumers = between(1, 5), each = between(1, 12);
    fprintf(gen.chan, "{name: jobs%u, buffer: %u}, {name: results%u}, ", gen.id, buffer, gen.id);
    fprintf(gen.wg, "made%u, used%u, ", gen.id, gen.id);
    begin("producer", "");
    op("{loop: %u, as: k, do: [{send: jobs%u, value: i * 100 + k}, {print: \"p%u {i} sent {k}\"}, ", each, gen.id, gen.id);
    noise();
    op("]}, {done: made%u}, ", gen.id);
    end();
    begin("consumer", "");
    op("{range: jobs%u, as: v, do: [{print: \"c%u {i} got {v}\"}, ", gen.id, gen.id);
    noise();
    op("]}, {print: \"c%u {i} over\"}, {done: used%u}, ", gen.id, gen.id);
    end();
    begin("closer", "");
    op("{wait: made%u}, {print: \"closing %u\"}, {close: jobs%u}, {recv: jobs%u, as: z}, {print: \"z {z}\"}, ", gen.id, gen.id, gen.id,
       gen.id);
    end();
    op("{add: made%u, n: %u}, {add: used%u, n: %u}, ", gen.id, producers, gen.id, consumers);
    op("{go: %s%u, count: %u}, ", chance(50) ? "consumer" : "producer", gen.id, 1);
    op("{go: producer%u, count: %u}, {go: consumer%u, count: %u}, {go: closer%u}, ", gen.id, producers, gen.id, consumers, gen.id);
    if (chance(50))
        op("{wait: used%u}, ", gen.id);
}

/* A token travels around a ring of Gs on unbuffered channels, or along a daisy chain of them. */
static void rings(void)
{
    unsigned n = between(2, 7), rounds = between(1, 20);
    for (unsigned i = 0; i < n; i++)
        fprintf(gen.chan, "{name: r%u-%u, buffer: %u}, ", gen.id, i, chance(70) ? 0 : random_below(2));
    for (unsigned i = 0; i < n; i++) {
        fprintf(gen.program, "  - name: hop%u-%u\n    do: [", gen.id, i);
        gen.body = gen.program;
        op("{loop: %u, do: [{recv: r%u-%u, as: v}, {print: \"hop%u-%u {v}\"}, ", rounds, gen.id, i, gen.id, i);
        noise();
        op("{send: r%u-%u, value: v + 1}]}, ", gen.id, (i + 1) % n);
        end();
    }
    for (unsigned i = 0; i < n; i++)
        op("{go: hop%u-%u}, ", gen.id, i);
    op("{send: r%u-0, value: %u}, ", gen.id, random_below(10));
    if (chance(60))
        op("{recv: r%u-0, as: last}, {print: \"last {last}\"}, ", gen.id);
}

static void mutexes(void)
{
    unsigned workers = between(2, 20), rounds = between(1, 6);
    fprintf(gen.mutex, "mu%u, nu%u, ", gen.id, gen.id);
    fprintf(gen.wg, "locked%u, ", gen.id);
    begin("locker", "");
    op("{loop: %u, as: k, do: [{lock: mu%u}, {print: \"l%u {i} {k}\"}, ", rounds, gen.id, gen.id);
    noise();
    if (chance(60))
        op("{yield: %u}, ", between(1, 2));
    if (chance(40))
        op("{lock: nu%u}, {yield: 1}, {print: \"both%u {i}\"}, {unlock: nu%u}, ", gen.id, gen.id, gen.id);
    op("{unlock: mu%u}, ", gen.id);
    noise();
    op("]}, {done: locked%u}, ", gen.id);
    end();
    op("{add: locked%u, n: %u}, {go: locker%u, count: %u}, ", gen.id, workers, gen.id, workers);
    if (chance(30))
        op("{lock: nu%u}, {yield: %u}, {unlock: nu%u}, ", gen.id, between(1, 5), gen.id);
    op("{wait: locked%u}, ", gen.id);
}

/* Several waiters on one group, and groups that are reused. */
static void waitgroups(void)
{
    unsigned workers = between(1, 15), waiters = between(1, 6);
    fprintf(gen.wg, "a%u, b%u, ", gen.id, gen.id);
    begin("work", "");
    noise();
    op("{print: \"w%u {i}\"}, {done: a%u}, ", gen.id, gen.id);
    noise();
    op("{wait: a%u}, {print: \"after%u {i}\"}, {done: b%u}, ", gen.id, gen.id, gen.id);
    end();
    begin("waiter", "");
    op("{wait: %c%u}, {print: \"waiter%u {i}\"}, ", chance(50) ? 'a' : 'b', gen.id, gen.id);
    noise();
    end();
    op("{add: a%u, n: %u}, {add: b%u, n: %u}, ", gen.id, workers, gen.id, workers);
    op("{go: waiter%u, count: %u}, ", gen.id, waiters);
    if (chance(50))
        op("{yield: 1}, ");
    op("{go: work%u, count: %u}, {go: waiter%u, count: %u}, {wait: b%u}, ", gen.id, workers, gen.id, waiters, gen.id);
}

/* More Gs than a ring holds: from main, or from one that main started. */
static void overflow(void)
{
    unsigned n = chance(50) ? between(254, 262) : between(263, 999);
    fprintf(gen.wg, "many%u, ", gen.id);
    begin("one", "");
    op("{if: i %% %u == 0 || i > %u, then: [{print: \"o%u {i}\"}]}, ", between(1, 9), n - 5, gen.id);
    if (chance(30))
        op("{if: i %% %u == 0, then: [{yield: 1}, {print: \"again%u {i}\"}]}, ", between(2, 30), gen.id);
    op("{done: many%u}, ", gen.id);
    end();
    begin("starter", "");
    op("{go: one%u, count: %u}, {print: \"started%u\"}, ", gen.id, n, gen.id);
    noise();
    end();
    op("{add: many%u, n: %u}, ", gen.id, n);
    if (chance(50))
        op("{go: starter%u}, ", gen.id);
    else
        op("{go: one%u, count: %u}, ", gen.id, n);
    op("{wait: many%u}, ", gen.id);
}

/* A chain that never lets the local queue run dry, and Gs in the global queue that get their turn by the tick. */
static void ticks(void)
{
    unsigned patients = between(1, 4), links = between(60, 260);
    fprintf(gen.wg, "served%u, ", gen.id);
    begin("patient", "");
    op("{loop: %u, as: k, do: [{yield: 1}, {print: \"patient%u {i} {k} at {left}\"}]}, {done: served%u}, ", between(1, 3), gen.id, gen.id);
    end();
    begin("link", "n");
    op("{set: left, to: n}, {if: n > 0, then: [{go: link%u, args: [n - 1]}, ", gen.id);
    if (chance(70))
        op("{go: filler%u}, ", gen.id); /* kicks the link out of runnext: each costs a tick */
    op("], else: [{done: served%u}]}, ", gen.id);
    end();
    begin("filler", "");
    if (chance(20))
        op("{set: mix, to: mix + 1}, ");
    end();
    op("{add: served%u, n: %u}, {go: patient%u, count: %u}, {go: link%u, args: [%u]}, ", gen.id, patients + 1, gen.id, patients, gen.id,
       links);
    if (chance(60))
        op("{wait: served%u}, ", gen.id);
    else
        op("{loop: %u, as: k, do: [{yield: 1}, {print: \"main {k} {left}\"}]}, ", between(2, 8));
}

static void yields(void)
{
    unsigned n = between(2, 12);
    fprintf(gen.wg, "y%u, ", gen.id);
    begin("yielder", "");
    op("{loop: 1 + i %% 4, as: k, do: [{print: \"y%u {i} {k}\"}, {yield: %u}, ", gen.id, between(1, 3));
    noise();
    op("]}, {done: y%u}, ", gen.id);
    end();
    op("{add: y%u, n: %u}, {go: yielder%u, count: %u}, ", gen.id, n, gen.id, n);
    if (chance(50))
        op("{yield: %u}, {print: \"main again\"}, ", between(1, 9));
    op("{wait: y%u}, ", gen.id);
}

/* Waiters on a condition, woken one by one or all. */
static void conds(void)
{
    unsigned waiters = between(1, 8);
    fprintf(gen.mutex, "cm%u, ", gen.id);
    fprintf(gen.cond, "{name: cv%u, mutex: cm%u}, ", gen.id, gen.id);
    fprintf(gen.shared, "tokens%u, ", gen.id);
    fprintf(gen.wg, "cw%u, ", gen.id);
    begin("waits", "");
    op("{lock: cm%u}, {loop: 100, do: [{if: tokens%u == 0, then: [{cond_wait: cv%u}, {print: \"woken%u {i}\"}]}]}, ", gen.id, gen.id,
       gen.id, gen.id);
    op("{set: tokens%u, to: tokens%u - 1}, {print: \"took%u {i}\"}, ", gen.id, gen.id, gen.id);
    noise();
    op("{unlock: cm%u}, {done: cw%u}, ", gen.id, gen.id);
    end();
    begin("gives", "");
    op("{loop: %u, as: k, do: [{lock: cm%u}, {set: tokens%u, to: tokens%u + 1}, ", waiters, gen.id, gen.id, gen.id);
    op("{%s: cv%u}, {print: \"gave%u {k}\"}, ", chance(60) ? "signal" : "broadcast", gen.id, gen.id);
    if (chance(40))
        op("{yield: 1}, ");
    op("{unlock: cm%u}, ", gen.id);
    noise();
    op("]}, ");
    end();
    op("{add: cw%u, n: %u}, {go: waits%u, count: %u}, ", gen.id, waiters, gen.id, waiters);
    if (chance(70))
        op("{yield: 1}, ");
    op("{go: gives%u}, {wait: cw%u}, ", gen.id, gen.id);
}

static void rwmutexes(void)
{
    unsigned readers = between(1, 10), writers = between(1, 4);
    fprintf(gen.rw, "rw%u, ", gen.id);
    fprintf(gen.wg, "rws%u, ", gen.id);
    fprintf(gen.shared, "value%u, ", gen.id);
    begin("reader", "");
    op("{loop: %u, as: k, do: [{rlock: rw%u}, {print: \"r%u {i} {k} sees {value%u}\"}, ", between(1, 4), gen.id, gen.id, gen.id);
    if (chance(60))
        op("{yield: 1}, ");
    noise();
    op("{runlock: rw%u}, ", gen.id);
    noise();
    op("]}, {done: rws%u}, ", gen.id);
    end();
    begin("writer", "");
    op("{loop: %u, as: k, do: [{wlock: rw%u}, {set: value%u, to: value%u + 1}, {print: \"wr%u {i} {k}\"}, ", between(1, 4), gen.id, gen.id,
       gen.id, gen.id);
    if (chance(60))
        op("{yield: %u}, ", between(1, 2));
    op("{wunlock: rw%u}, ", gen.id);
    noise();
    op("]}, {done: rws%u}, ", gen.id);
    end();
    op("{add: rws%u, n: %u}, {go: reader%u, count: %u}, {go: writer%u, count: %u}, ", gen.id, 2 * readers + writers, gen.id, readers,
       gen.id, writers);
    op("{go: reader%u, count: %u}, {wait: rws%u}, ", gen.id, readers, gen.id);
}

/* One sender alternates between two channels, so that a select never finds both ready; and polls with a default. */
static void selects(void)
{
    unsigned n = between(3, 15), consumers = between(1, 3);
    fprintf(gen.chan, "{name: left%u}, {name: right%u}, {name: quit%u}, {name: box%u, buffer: %u}, ", gen.id, gen.id, gen.id, gen.id,
            between(1, 3));
    begin("chooser", "");
    op("{loop: %u, do: [{select: [{recv: left%u, as: v, do: [{print: \"s%u {i} left {v}\"}, ", n, gen.id, gen.id);
    noise();
    op("]}, {recv: right%u, as: v, do: [{print: \"s%u {i} right {v}\"}]}, {recv: quit%u, do: [{print: \"s%u quits\"}, {exit: true}]}]}]}, ",
       gen.id, gen.id, gen.id, gen.id);
    end();
    begin("alternates", "");
    op("{loop: %u, as: k, do: [{if: k %% %u == 0, then: [{send: left%u, value: k}], else: [{send: right%u, value: k}]}, ", n, between(2, 4),
       gen.id, gen.id);
    noise();
    op("]}, {select: [{send: quit%u}], default: [{print: \"nobody to quit %u\"}]}, ", gen.id, gen.id);
    end();
    begin("poller", "");
    op("{loop: %u, as: k, do: [{select: [{%s: box%u%s, do: [{print: \"poll%u {i} {k}\"}]}], default: [{print: \"none%u {k}\"}, {yield: 1}]}]}, ",
       between(2, 6), chance(50) ? "recv" : "send", gen.id, "", gen.id, gen.id);
    end();
    op("{go: chooser%u, count: %u}, {go: alternates%u}, {go: poller%u, count: %u}, ", gen.id, consumers, gen.id, gen.id, between(1, 3));
    op("{yield: %u}, {send: box%u, value: 7}, {yield: 2}, ", between(1, 5), gen.id);
}

/* Several mutexes, locked in any order: a G that holds one may wait for another whose holder waits for the first. */
static void orders(void)
{
    unsigned mutexes = between(2, 3), workers = between(2, 6);
    for (unsigned k = 0; k < mutexes; k++)
        fprintf(gen.mutex, "om%u-%u, ", gen.id, k);
    fprintf(gen.wg, "ow%u, ", gen.id);
    for (unsigned w = 0; w < workers; w++) {
        unsigned first = random_below(mutexes), second = (first + between(1, mutexes - 1)) % mutexes;
        if (chance(70) && first > second) { /* mostly in one order, so that many of these programs do not deadlock */
            unsigned swap = first;
            first = second;
            second = swap;
        }
        fprintf(gen.program, "  - name: orders%u-%u\n    do: [", gen.id, w);
        gen.body = gen.program;
        op("{loop: %u, as: k, do: [{lock: om%u-%u}, {print: \"o%u-%u has %u\"}, ", between(1, 3), gen.id, first, gen.id, w, first);
        if (chance(50))
            op("{yield: %u}, ", between(1, 3));
        op("{lock: om%u-%u}, {print: \"o%u-%u has both\"}, ", gen.id, second, gen.id, w);
        noise();
        bool first_first = chance(50);
        op("{unlock: om%u-%u}, ", gen.id, first_first ? first : second);
        noise();
        op("{unlock: om%u-%u}]}, {done: ow%u}, ", gen.id, first_first ? second : first, gen.id);
        end();
    }
    op("{add: ow%u, n: %u}, ", gen.id, workers);
    for (unsigned w = 0; w < workers; w++)
        op("{go: orders%u-%u}, ", gen.id, w);
    op("{wait: ow%u}, ", gen.id);
}

/* A buffered channel as a semaphore. */
static void semaphores(void)
{
    unsigned workers = between(2, 25), places = between(1, 4);
    fprintf(gen.chan, "{name: sem%u, buffer: %u}, ", gen.id, places);
    fprintf(gen.shared, "inside%u, ", gen.id);
    fprintf(gen.wg, "sw%u, ", gen.id);
    begin("enters", "");
    op("{loop: %u, do: [{send: sem%u}, {set: inside%u, to: inside%u + 1}, {print: \"in%u {i} {inside%u}\"}, ", between(1, 3), gen.id,
       gen.id, gen.id, gen.id, gen.id);
    if (chance(70))
        op("{yield: 1 + i %% 3}, ");
    noise();
    op("{set: inside%u, to: inside%u - 1}, {recv: sem%u}, ", gen.id, gen.id, gen.id);
    noise();
    op("]}, {print: \"out%u {i}\"}, {done: sw%u}, ", gen.id, gen.id);
    end();
    op("{add: sw%u, n: %u}, {go: enters%u, count: %u}, {wait: sw%u}, ", gen.id, workers, gen.id, workers, gen.id);
}

/* How a program dies, or tries to. */
static void endings(void)
{
    static const char *const deaths[] = {
        "{panic: \"the end of %u\"}, ",
        "{close: dead%u}, {close: dead%u}, ",
        "{close: dead%u}, {send: dead%u}, ",
        "{unlock: dm%u}, ",
        "{done: dw%u}, ",
        "{set: x, to: 1 / (mix - mix)}, ",
        "{recv: dead%u}, ",
        "{lock: dm%u}, {lock: dm%u}, ",
        "{add: dw%u}, {wait: dw%u}, ",
        "{exit: true}, ",
    };
    const char *death = deaths[random_below(sizeof deaths / sizeof *deaths)];
    bool in_main = chance(40);
    fprintf(gen.chan, "{name: dead%u}, ", gen.id);
    fprintf(gen.mutex, "dm%u, ", gen.id);
    fprintf(gen.wg, "dw%u, ", gen.id);
    begin("mortal", "");
    op("{print: \"mortal%u {i}\"}, {yield: 1 + i}, ", gen.id);
    noise();
    if (!in_main) {
        op("{if: i == %u, then: [", random_below(3));
        fprintf(gen.body, death, gen.id, gen.id); /* the formats are the table's above */
        op("]}, ");
    }
    op("{print: \"still%u {i}\"}, ", gen.id);
    end();
    op("{go: mortal%u, count: 3}, {yield: %u}, ", gen.id, between(0, 3));
    if (in_main)
        fprintf(gen.main, death, gen.id, gen.id);
    else if (chance(50))
        op("{recv: dead%u}, ", gen.id);
}

static void (*const families[])(void) = {
    spawns, channels, rings, mutexes, waitgroups, overflow, ticks, yields, conds, rwmutexes, selects, orders, semaphores, endings};
#define FAMILIES (sizeof families / sizeof *families)

/* A mutex that a G waits for longer than 1 ms goes into starvation mode: with hundreds of other Gs running
 * meanwhile, the speed of the machine would decide. */
static bool apart(unsigned f, unsigned own)
{
    bool many = families[f] == overflow || families[own] == overflow;
    bool locks = families[f] == mutexes || families[own] == mutexes || families[f] == conds || families[own] == conds ||
                 families[f] == orders || families[own] == orders;
    return many && locks;
}

void write_mix(unsigned number)
{
    unsigned more = between(0, 2), own = number % FAMILIES;
    for (unsigned k = 0; k <= more; k++) {
        unsigned other = k == more ? own : random_below(FAMILIES - 1); /* a random one never ends the program early */
        if (k < more && apart(other, own))
            other = 0;
        gen.id = k;
        gen.body = gen.main;
        noise();
        families[other]();
    }
    if (own != FAMILIES - 1 && chance(8)) {
        gen.id++;
        endings();
    }
}
