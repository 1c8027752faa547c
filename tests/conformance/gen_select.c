/* Class select: 2 to 4 cases, with and without default, some on closed channels. Where several cases are ready the choice is random,
 * so a program has several outcomes. How many is bounded: at most 16 equally likely ones, of which real Go shows all in a hundred
 * runs. Each outcome of ours must be one that Go was seen to have.
 */
#include "gen.h"

#define CHANNELS 4u

enum state { EMPTY, FULL, CLOSED, SENDER, RECEIVER }; /* of a channel when the select starts */
static const char *const names[CHANNELS] = {"red", "green", "blue", "white"};

static bool is_ready(enum state s, bool send)
{
    return send ? s == RECEIVER : s != EMPTY && s != RECEIVER;
}

/* What makes a channel of this state, in main, before the select. */
static void prepare(unsigned c, enum state s)
{
    const char *ch = names[c];
    fprintf(gen.chan, "{name: %s, buffer: %u}, ", ch, s == FULL ? between(1, 3) : s == CLOSED ? random_below(2) : 0);
    if (s == FULL)
        op("{send: %s, value: %u}, ", ch, 10 * (c + 1));
    if (s == CLOSED)
        op("{close: %s}, ", ch);
    if (s == SENDER) {
        fprintf(gen.program, "  - name: to-%s\n    do: [{loop: 2, as: k, do: [{send: %s, value: %u + k}, {print: \"sent %s {k}\"}]}]\n", ch,
                ch, 10 * (c + 1), ch);
        op("{go: to-%s}, ", ch);
    }
    if (s == RECEIVER) {
        fprintf(gen.program, "  - name: from-%s\n    do: [{loop: 2, do: [{recv: %s, as: v}, {print: \"from %s {v}\"}]}]\n", ch, ch, ch);
        op("{go: from-%s}, ", ch);
    }
}

/* One select over the first n channels; returns how many of its cases are ready. */
static unsigned one_select(const enum state *state, unsigned n, unsigned turn)
{
    unsigned ready = 0;
    op("{select: [");
    for (unsigned c = 0; c < n; c++) {
        bool send = state[c] == RECEIVER || (state[c] == EMPTY && chance(40));
        ready += is_ready(state[c], send);
        if (send)
            op("{send: %s, value: %u, do: [{print: \"turn %u: sent %s\"}]}, ", names[c], turn, turn, names[c]);
        else
            op("{recv: %s, as: v, do: [{print: \"turn %u: {v} from %s\"}%s]}, ", names[c], turn, names[c],
               chance(30) ? ", {yield: 1}" : "");
    }
    op("]");
    if (!ready || chance(40))
        op(", default: [{print: \"turn %u: none\"}]", turn);
    op("}, ");
    return ready;
}

/* Whether a case is ready is fixed before main selects. */
static void select_prepared(void)
{
    enum state state[CHANNELS];
    unsigned n = between(2, 4), outcomes = 1;
    for (unsigned c = 0; c < n; c++) {
        state[c] = (enum state)random_below(5);
        prepare(c, state[c]);
    }
    op("{yield: %u}, ", between(1, 3));
    for (unsigned turn = 0; turn < 3 && outcomes <= 4; turn++) {
        unsigned ready = one_select(state, n, turn);
        outcomes *= ready ? ready : 1;
        noise();
    }
    op("{yield: 3}, {print: \"end\"}, ");
}

/* Several Gs wait in a select of the same channels; main sends, closes, or both. */
static void select_waiting(void)
{
    unsigned n = between(2, 4), waiters = between(1, 5), sends = between(1, 4);
    for (unsigned c = 0; c < n; c++)
        fprintf(gen.chan, "%s, ", names[c]);
    begin("waiter", "");
    op("{loop: %u, as: k, do: [{select: [", between(1, 2));
    for (unsigned c = 0; c < n; c++)
        op("{recv: %s, as: v, do: [{print: \"w {i} {k} {v} from %s\"}]}, ", names[c], names[c]);
    op("]}, ");
    noise();
    op("]}, {print: \"w {i} over\"}, ");
    end();
    op("{go: waiter%u, count: %u}, {yield: %u}, ", gen.id, waiters, between(1, 2));
    for (unsigned k = 0; k < sends; k++) {
        op("{select: [{send: %s, value: %u, do: [{print: \"main sent %u\"}]}], default: [{print: \"nobody for %u\"}]}, ",
           names[random_below(n)], k, k, k);
        if (chance(50))
            op("{yield: 1}, ");
    }
    if (chance(60)) /* a closed channel is always ready, the others never, so the rest is fixed */
        op("{close: %s}, ", names[random_below(n)]);
    op("{yield: 4}, {print: \"end\"}, ");
}

/* Senders and receivers in opposite selects: both sides wait in selects. */
static void select_against_select(void)
{
    unsigned n = between(2, 3), rounds = between(1, 2);
    for (unsigned c = 0; c < n; c++)
        fprintf(gen.chan, "%s, ", names[c]);
    begin("gives", "");
    op("{loop: %u, as: k, do: [{select: [", rounds);
    for (unsigned c = 0; c < n; c++)
        op("{send: %s, value: i * 10 + k, do: [{print: \"g {i} {k} into %s\"}]}, ", names[c], names[c]);
    op("]}]}, {print: \"g {i} over\"}, ");
    end();
    begin("takes", "");
    op("{loop: %u, as: k, do: [{select: [", rounds);
    for (unsigned c = 0; c < n; c++)
        op("{recv: %s, as: v, do: [{print: \"t {i} {k} {v} from %s\"}]}, ", names[c], names[c]);
    op("]}]}, {print: \"t {i} over\"}, ");
    end();
    op("{go: %s%u}, {go: %s%u}, {yield: %u}, {print: \"end\"}, ", chance(50) ? "gives" : "takes", gen.id, chance(50) ? "takes" : "gives",
       gen.id, between(2, 5));
}

/* A loop that polls with a default and a channel that is closed in between. */
static void select_polling(void)
{
    unsigned turns = between(3, 9);
    fprintf(gen.chan, "{name: %s, buffer: %u}, %s, quit, ", names[0], between(1, 2), names[1]);
    begin("polls", "");
    op("{loop: %u, as: k, do: [{select: [{recv: %s, as: v, do: [{print: \"poll {k} {v}\"}]}, {recv: quit, do: [{print: \"quit {k}\"}, {exit: true}]}],"
       " default: [{print: \"none {k}\"}, {yield: 1}]}]}, ",
       turns, chance(50) ? names[0] : names[1]);
    end();
    begin("feeds", "");
    op("{loop: %u, as: k, do: [{select: [{send: %s, value: k, do: [{print: \"fed {k}\"}]}], default: [{print: \"no room {k}\"}]}, {yield: %u}]},"
       " {close: quit}, ",
       between(1, 5), names[random_below(2)], between(1, 2));
    end();
    op("{go: polls%u}, {go: feeds%u}, {yield: %u}, {print: \"end\"}, ", gen.id, gen.id, between(4, 12));
}

void write_select(unsigned number)
{
    static void (*const kinds[])(void) = {select_prepared, select_waiting, select_against_select, select_polling};
    kinds[number % (sizeof kinds / sizeof *kinds)]();
}
