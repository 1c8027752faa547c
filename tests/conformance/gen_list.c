/* Class listing: what a dying program says of its goroutines. Gs die and others take their slots, some are locked to their threads, some were
 * created by Gs that are gone; then all of them sleep, or one of them dies in a way that lists the others. */
#include "gen.h"

/* Operations for ever, with gen.id in them. */
static const char *const waits[] = {
    "{recv: empty%u}, ",
    "{send: empty%u}, ",
    "{select: []}, ",
    "{select: [{recv: empty%u}, {recv: never%u}]}, ",
    "{lock: held%u}, ",
    "{rlock: wheld%u}, ",
    "{wlock: wheld%u}, ",
    "{wait: left%u}, ",
    "{lock: free%u}, {cond_wait: cv%u}, ",
};
#define WAITS (sizeof waits / sizeof *waits)

static void wait_for_ever(void)
{
    unsigned id = gen.id;
    fprintf(gen.body, waits[random_below(WAITS)], id, id); /* the formats are the table's above */
}

static void programs(void)
{
    begin("dies", "");
    op("{yield: %u}, ", random_below(3));
    end();
    for (unsigned k = 0; k < 4; k++) {
        begin((const char *[]){"sleepsa", "sleepsb", "sleepsc", "sleepsd"}[k], "");
        if (chance(30))
            op("{lock_os_thread: true}, ");
        wait_for_ever();
        end();
    }
    begin("parent", "");
    op("{go: sleepsa%u}, {yield: %u}, {go: dies%u, count: %u}, {go: sleepsb%u}, ", gen.id, random_below(3), gen.id, between(1, 3), gen.id);
    end();
    begin("runs", "");
    op("{loop: forever, do: [{yield: 1}]}, ");
    end();
    begin("fails", "");
    op("{set: x, to: 0}, {if: x, then: [{lock: free%u}]}, {yield: %u}, ", gen.id, random_below(4));
    op((const char *[]){"{unlock: ours%u}, ", "{panic: \"of %u\"}, ", "{add: none%u, n: 0 - 1}, ",
                        "{runlock: rwfree%u}, "}[random_below(4)],
       gen.id);
    end();
}

void write_listing(unsigned number)
{
    unsigned id = gen.id;
    fprintf(gen.chan, "empty%u, never%u, ", id, id);
    fprintf(gen.mutex, "held%u, free%u, ours%u, ", id, id, id);
    fprintf(gen.rw, "wheld%u, rwfree%u, ", id, id);
    fprintf(gen.wg, "left%u, none%u, ", id, id);
    fprintf(gen.cond, "{name: cv%u, mutex: free%u}, ", id, id);
    programs();
    op("{lock: held%u}, {wlock: wheld%u}, {add: left%u}, ", id, id, id);
    for (unsigned k = between(3, 9); k > 0; k--)
        switch (random_below(5)) {
        case 0:
            op("{go: dies%u, count: %u}, ", id, between(1, 5));
            break;
        case 1:
            op("{yield: %u}, ", between(1, 3));
            break;
        case 2:
            op("{go: parent%u}, ", id);
            break;
        default:
            op("{go: sleeps%c%u, count: %u}, ", "abcd"[random_below(4)], id, between(1, 3));
        }
    if (number % 3 == 1)
        op("{go: runs%u}, ", id);
    if (number % 3)
        op("{go: fails%u}, ", id);
    wait_for_ever();
}
