/* See dwell.h. What comes often passes quickly: the more events of its kind are among the last ones, the shorter an event stays. */
#include "session/dwell.h"

#include "model/history/spawns.h"

#define MS INT64_C(1000000)
enum { BOOT = 1000, MAJOR_AGAIN = 500 }; /* ms; MAJOR_AGAIN: a repeated major event, if a lesson says what matters */
enum { LOOK = 4096, LOOK_CORE = 256 };   /* how far back events of the same kind are counted: all events, core events */

/* How long events of each weight stay, in ms: the first of its kind, then the next ones. From number `often` on they pass more quickly. */
static const struct {
    uint16_t first, next, often;
} stay[] = {[WEIGHT_MAJOR] = {2000, 1500, UINT16_MAX},
            [WEIGHT_PLAIN] = {1500, 200, 6},
            [WEIGHT_DAILY] = {300, 120, 4},
            [WEIGHT_PART] = {60, 60, 4},
            [WEIGHT_NONE] = {0}};

static bool starts_main(void *ctx, const struct history_event *e)
{
    (void)ctx;
    return spawn_starts_main(&e->ev);
}

/* Returns the number of the event that ends the boot. 0: it is not kept any more; UINT64_MAX: it has not happened yet. */
static uint64_t booted_at(struct history *h)
{
    uint64_t n = history_oldest(h) ? 0 : history_find(h, 1, 1, starts_main, NULL);
    return n || history_oldest(h) ? n : UINT64_MAX;
}

/* Counts the events of the same kind before event n, as far back as a person remembers them. */
static uint32_t count_before(struct history *h, uint64_t n, uint64_t booted, uint8_t kind)
{
    struct history_event e;
    uint32_t same = 0, core = 0;
    for (uint64_t i = n - 1; i > booted && n - i < LOOK && core < LOOK_CORE && history_get(h, i, &e); i--) {
        core += ev_level_of[e.ev.kind] == EV_CORE;
        same += e.ev.kind == kind;
    }
    return same;
}

static int64_t ms_by_weight(enum ev_weight weight, uint32_t before, bool cue)
{
    uint32_t often = stay[weight].often;
    if (weight == WEIGHT_MAJOR && before && cue)
        return MAJOR_AGAIN;
    if (!before && (!cue || weight == WEIGHT_MAJOR))
        return stay[weight].first;
    return before > often ? (int64_t)stay[weight].next * often / before : stay[weight].next;
}

int64_t dwell_ns(struct history *h, uint64_t n, bool cue)
{
    struct spawn_history r = {.h = h, .last = history_events(h)};
    struct history_event e;
    uint64_t booted = booted_at(h);
    if (!history_get(h, n, &e) || ev_level_of[e.ev.kind] != EV_CORE || n < booted)
        return 0;
    if (n == booted)
        return (cue ? stay[WEIGHT_PLAIN].next : BOOT) * MS;
    if (spawn_is_repeat(spawn_read_history, &r, (int64_t)n))
        return 0;
    return ms_by_weight(ev_weight(e.ev.kind), count_before(h, n, booted, e.ev.kind), cue) * MS;
}
