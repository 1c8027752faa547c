/* Class timer: timers and tickers with channels of their own, which are stopped and set again, before and after they are due.
 *
 * Real Go may be late, so no two things happen within 3 ms. Each G acts each ROUND, counted from a start of its own, and what it sets is due DUE later, or some
 * rounds more. A ticker is set when that time comes, and does not tick meanwhile. What a stop or a reset returns and what is then in the channel is
 * printed: Go 1.23 changed both. */
#include "gen.h"

#define ROUND 20u /* ms */
#define DUE 12u
#define EARLIER 3u
#define APART 6u /* from one G to the next */

static bool ticker;

/* How a timer or ticker is set: its key and a time. */
static void set_time(void)
{
    if (ticker)
        op("every: %ums", between(1, 2) * ROUND);
    else
        op("after: %ums", random_below(3) * ROUND + DUE);
}

static void act(unsigned id)
{
    switch (random_below(7)) {
    case 0:
        op(ticker ? "{stop: own%u}, {print: \"t%u stopped\"}, " : "{stop: own%u, as: was}, {print: \"t%u stopped {was}\"}, ", id, id);
        break;
    case 1:
    case 2:
        if (ticker)
            op("{stop: own%u}, {sleep: %ums}, ", id, DUE);
        op("{reset: own%u, ", id);
        set_time();
        if (ticker)
            op("}, {print: \"t%u set\"}, {sleep: %ums}, ", id, ROUND - DUE);
        else
            op(", as: was}, {print: \"t%u set {was}\"}, ", id);
        break;
    case 3: /* a value is there, or else the G waits with its timer in the heap, and something else comes first */
        op("{timer: other%u, after: %ums}, {select: [{recv: own%u, do: [{print: \"t%u first\"}, {sleep: %ums}]}, {recv: other%u, do: [{print:"
           " \"t%u other\"}, {sleep: %ums}]}]}, {select: [{recv: other%u}], default: []}, ",
           id, EARLIER, id, id, ROUND, id, id, ROUND - EARLIER, id);
        break;
    case 4: /* waits for it */
        if (ticker)
            op("{stop: own%u}, {sleep: %ums}, ", id, DUE);
        op("{select: [{recv: own%u}], default: []}, {reset: own%u, %s: %ums}, {recv: own%u}, {print: \"t%u came\"}, {sleep: %ums}, ", id,
           id, ticker ? "every" : "after", ticker ? ROUND : DUE, id, id, ROUND - DUE);
        break;
    default:
        op("{select: [{recv: own%u, do: [{print: \"t%u has one\"}]}], default: [{print: \"t%u is empty\"}]}, ", id, id, id);
    }
}

static void owner(unsigned id)
{
    ticker = chance(30);
    fprintf(gen.chan, "{name: other%u, buffer: 1}, ", id);
    fprintf(gen.program, "  - name: owns%u\n    do: [{sleep: %ums}, ", id, APART * id + 1 + (ticker ? DUE : 0));
    gen.body = gen.program;
    if (ticker)
        op("{ticker: %ums, as: own%u}, {sleep: %ums}, ", between(1, 2) * ROUND, id, ROUND - DUE);
    else
        op("{timer: %ums, as: own%u}, ", random_below(3) * ROUND + DUE, id);
    for (unsigned k = between(3, 8); k > 0; k--) {
        op("{sleep: %ums}, ", random_below(3) * ROUND);
        act(id);
    }
    op("{done: all}, ");
    end();
    op("{add: all}, {go: owns%u}, ", id);
}

void write_timer(unsigned number)
{
    (void)number;
    fputs("all, ", gen.wg);
    for (unsigned id = 0, n = between(1, 2); id < n; id++)
        owner(id);
    op("{wait: all}, {print: \"end\"}, ");
}
