/* Classes wire (LockOSThread in everything) and net (conns). Other threads decide here where a G runs and what wakes
 * it, but the order is still fixed. */
#include "gen.h"

/* ---- wire ---- */

static void maybe(const char *what, unsigned percent)
{
    if (chance(percent))
        fputs(what, gen.body);
}

/* Gs that hand values on, some of them locked to their thread for a while or for good. */
static void wire_channels(void)
{
    unsigned n = between(1, 5), rounds = between(1, 6);
    fprintf(gen.chan, "{name: line%u, buffer: %u}, answers%u, ", gen.id, random_below(3), gen.id);
    begin("wired", "");
    op("{if: i %% %u == 0, then: [{lock_os_thread: true}]}, {loop: %u, as: k, do: [{recv: line%u, as: v}, {print: \"wired%u {i} {k} {v}\"}, ",
       between(1, 3), rounds, gen.id, gen.id);
    noise();
    op("{send: answers%u, value: v * 2}, ", gen.id);
    maybe("{lock_os_thread: true}, {yield: 1}, {unlock_os_thread: true}, ", 40);
    op("]}, ");
    if (chance(30))
        op("{if: i %% %u == 0, then: [{unlock_os_thread: true}, {yield: 1}, {print: \"free%u {i}\"}]}, ", between(1, 3), gen.id);
    op("{done: all}, ");
    end();
    begin("asks", "");
    op("{loop: %u, as: k, do: [{send: line%u, value: k}]}, {done: all}, ", n * rounds, gen.id);
    end();
    op("{add: all, n: %u}, {go: wired%u, count: %u}, {go: asks%u}, ", n + 1, gen.id, n, gen.id);
    op("{loop: %u, as: k, do: [{recv: answers%u, as: v}, {print: \"main {k} {v}\"}]}, ", n * rounds, gen.id);
}

static void wire_yields(void)
{
    unsigned n = between(2, 8);
    begin("locked", "");
    op("{lock_os_thread: true}, {loop: 1 + i %% 3, as: k, do: [{print: \"locked%u {i} {k}\"}, {yield: %u}, ", gen.id, between(1, 3));
    noise();
    op("]}, ");
    maybe("{unlock_os_thread: true}, {yield: 1}, ", 50); /* otherwise its thread ends with it */
    op("{print: \"locked%u {i} ends\"}, {done: all}, ", gen.id);
    end();
    begin("loose", "");
    op("{loop: 2, as: k, do: [{print: \"loose%u {i} {k}\"}, {yield: 1}]}, {done: all}, ", gen.id);
    end();
    op("{add: all, n: %u}, {go: locked%u, count: %u}, {go: loose%u, count: %u}, ", n + 3, gen.id, n, gen.id, 3);
}

static void wire_locks(void)
{
    unsigned n = between(2, 5);
    fprintf(gen.mutex, "wm%u, ", gen.id);
    fprintf(gen.cond, "{name: wc%u, mutex: wm%u}, ", gen.id, gen.id);
    fprintf(gen.shared, "go%u, ", gen.id);
    begin("guarded", "");
    op("{lock_os_thread: true}, {lock: wm%u}, {loop: 50, do: [{if: go%u == 0, then: [{cond_wait: wc%u}]}]}, {print: \"guarded%u {i}\"}, ",
       gen.id, gen.id, gen.id, gen.id);
    maybe("{yield: 1}, ", 50);
    op("{unlock: wm%u}, {done: all}, ", gen.id);
    end();
    op("{add: all, n: %u}, {go: guarded%u, count: %u}, {yield: %u}, {lock: wm%u}, {set: go%u, to: 1}, {broadcast: wc%u}, {unlock: wm%u}, ",
       n, gen.id, n, between(1, 3), gen.id, gen.id, gen.id, gen.id);
}

void write_wire(unsigned number)
{
    static void (*const kinds[])(void) = {wire_channels, wire_yields, wire_locks};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    unsigned more = random_below(2);
    fputs("all, ", gen.wg);
    maybe("{lock_os_thread: true}, ", 40);
    for (unsigned k = 0; k <= more; k++) {
        gen.id = k;
        kinds[k ? random_below(KINDS) : number % KINDS]();
        noise();
    }
    maybe("{unlock_os_thread: true}, {yield: 1}, ", 30);
    op("{wait: all}, {print: \"end\"}, ");
}

/* ---- net ---- */

/* Readers park on both ends of up to three conns, sometimes several on one end; main waits for that, then writes in any order. */
static void net_readers(void)
{
    unsigned conns = between(1, 3), readers = between(1, 6), size = between(1, 5);
    unsigned bytes[3][2] = {{0}};
    fprintf(gen.conn, "{name: c%u, count: %u}, ", gen.id, conns);
    for (unsigned r = 0; r < readers; r++) {
        unsigned c = random_below(conns), side = chance(70);
        bytes[c][side] += size;
        fprintf(gen.program,
                "  - name: reader%u-%u\n    do: [{print: \"r%u-%u\"}, {read: \"c%u[%u].%c\", bytes: %u}, {print: \"r%u-%u read\"}, ",
                gen.id, r, gen.id, r, gen.id, c, "ab"[side], size, gen.id, r);
        gen.body = gen.program;
        noise();
        op("{done: all}, ");
        end();
        op("{go: reader%u-%u}, ", gen.id, r);
    }
    op("{add: all, n: %u}, {sleep: %ums}, ", readers, between(3, 5));
    for (unsigned first = random_below(3), k = 0; k < 3; k++)
        for (unsigned side = 0; side < 2; side++) {
            unsigned c = (first + k) % 3, part = bytes[c][side] ? between(1, bytes[c][side]) : 0;
            if (!part)
                continue;
            op("{write: \"c%u[%u].%c\", bytes: %u}, ", gen.id, c, "ba"[side], part);
            if (chance(40))
                op("{yield: 1}, ");
            if (bytes[c][side] > part)
                op("{write: \"c%u[%u].%c\", bytes: %u}, ", gen.id, c, "ba"[side], bytes[c][side] - part);
        }
    op("{print: \"written%u\"}, ", gen.id);
}

/* Each conn has a G that echoes; clients ask in turn or all at once. */
static void net_echo(void)
{
    unsigned conns = between(1, 3), rounds = between(1, 4), size = between(1, 900);
    fprintf(gen.conn, "{name: e%u, count: %u}, ", gen.id, conns);
    begin("echo", "");
    op("{loop: %u, as: k, do: [{read: \"e%u[i].b\", bytes: %u}, {print: \"echo%u {i} {k}\"}, {write: \"e%u[i].b\", bytes: %u}]}, {done: all}, ",
       rounds, gen.id, size, gen.id, gen.id, size);
    end();
    begin("client", "");
    op("{loop: %u, as: k, do: [{write: \"e%u[i].a\", bytes: %u}, ", rounds, gen.id, size);
    if (chance(50))
        op("{print: \"asked%u {i} {k}\"}, ", gen.id);
    noise();
    op("{read: \"e%u[i].a\", bytes: %u}, {print: \"client%u {i} {k}\"}]}, {done: all}, ", gen.id, size, gen.id);
    end();
    bool echo = chance(50);
    op("{add: all, n: %u}, {go: %s%u, count: %u}, {go: %s%u, count: %u}, ", 2 * conns, echo ? "echo" : "client", gen.id, conns,
       echo ? "client" : "echo", gen.id, conns);
}

/* Conns and channels at once: the poller readies Gs while channels ready others. */
static void net_and_channels(void)
{
    unsigned n = between(1, 4);
    fprintf(gen.conn, "x%u, y%u, ", gen.id, gen.id);
    fprintf(gen.chan, "{name: news%u, buffer: %u}, ", gen.id, random_below(2));
    begin("forward", "");
    op("{loop: %u, as: k, do: [{read: x%u.b, bytes: 2}, {print: \"forward%u {k}\"}, {send: news%u, value: k}]}, {close: news%u}, {done: all}, ",
       n, gen.id, gen.id, gen.id, gen.id);
    end();
    begin("answer", "");
    op("{range: news%u, as: v, do: [{print: \"answer%u {v}\"}, {write: y%u.a, bytes: 1 + v}]}, {done: all}, ", gen.id, gen.id, gen.id);
    end();
    op("{add: all, n: 2}, {go: forward%u}, {go: answer%u}, ", gen.id, gen.id);
    op("{loop: %u, as: k, do: [{write: x%u.a, bytes: 2}, {read: y%u.b, bytes: 1 + k}, {print: \"main%u {k}\"}]}, ", n, gen.id, gen.id,
       gen.id);
}

void write_net(unsigned number)
{
    static void (*const kinds[])(void) = {net_readers, net_echo, net_and_channels};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    unsigned more = random_below(2);
    fputs("all, ", gen.wg);
    for (unsigned k = 0; k <= more; k++) {
        gen.id = k;
        kinds[k ? random_below(KINDS) : number % KINDS]();
        noise();
    }
    op("{wait: all}, {print: \"end\"}, ");
}
