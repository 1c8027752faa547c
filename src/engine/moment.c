/* Where a run failed: the event at which a person should look at it.
 *
 * That of a leak is not in the log: it is the first state in which nothing can ever release the G. What can release it depends on where all Gs are in
 * their programs, which a run without a screen does not record. So the run is made once more, with its history. Nothing that is stuck is ever
 * released, so a search by halves finds the state. Of a Go program it is the event that parked the G: what memory could reach it then is gone. So the
 * run notes these events (parks_reader), and is not made again. Its deadlock is looked at in the end, with one of its Gs selected, so that the source
 * shows where it waits. */
#include "engine/engine.h"

enum { LEAKED_MOST = 16 }; /* Gs that are looked at */

struct past {
    struct history *h;
    const struct flow *flow;
    struct model *md; /* NULL: none yet */
};

static bool is_stuck(struct past *p, uint64_t event, uint32_t g)
{
    struct wait at;
    if (!history_move(p->h, &p->md, event))
        return false;
    struct waits *w = waits_new(&(struct waits_config){.md = p->md, .flow = p->flow, .objects = true});
    bool stuck = w && waits_of(w, g, &at) && at.stuck;
    waits_free(w);
    return stuck;
}

/* Returns the first event after which the G is stuck; `last` if it is not known before. */
static uint64_t stuck_since(struct past *p, uint32_t g, uint64_t last)
{
    uint64_t free = 0, stuck = last;
    while (free + 1 < stuck) {
        uint64_t middle = free + (stuck - free) / 2;
        *(is_stuck(p, middle, g) ? &stuck : &free) = middle;
    }
    return stuck;
}

/* Of a Go program. */
static struct moment first_park(const struct engine *e)
{
    struct moment first = {0};
    for (uint32_t g = 0, n = 0; n < LEAKED_MOST && (g = waits_next_left(e->waits, g, WAITS_LEAKED)); n++) {
        uint64_t event = g < e->parks.n ? e->parks.event[g] : 0;
        if (event && (!first.event || event < first.event))
            first = (struct moment){event, g};
    }
    return first;
}

static struct moment first_leak(const struct engine *e, const struct engine_config *c)
{
    char err[200];
    struct moment first = {0};
    struct engine_config again = *c;
    again.readers = NULL;
    again.nreaders = 0;
    again.history = HISTORY_BUDGET;
    again.rt.spares = NULL; /* e has them */
    again.rt.places = again.rt.places > PLACES_LOCKSTEP ? again.rt.places : PLACES_LOCKSTEP;
    struct engine *twin = e->cfg.rt.mode == MODE_LOCKSTEP ? engine_new(&again, err, sizeof err) : NULL;
    if (!twin)
        return first;
    engine_drive(twin, &(struct drive){0});
    struct past p = {.h = twin->history, .flow = twin->cfg.info.flow};
    bool same = !engine_failed(twin) && twin->events == e->events && twin->how == e->how;
    for (uint32_t g = 0, n = 0; same && n < LEAKED_MOST && (g = waits_next_left(e->waits, g, WAITS_LEAKED)); n++) {
        uint64_t last = first.event ? first.event - 1 : e->events;
        if (!first.event || is_stuck(&p, last, g))
            first = (struct moment){stuck_since(&p, g, last), g};
    }
    model_free(p.md);
    engine_free(twin);
    return first;
}

/* Returns a G of a Go program's deadlock: of its circle, else the first that waits; 0: it is another end. */
static uint32_t deadlocked(struct engine *e)
{
    struct wait_chain circle;
    bool asks = e->how == ENDED_DEADLOCK && scenario_info(e->cfg.scenario)->go_file && !expect_this_end(e->expect, ENDED_DEADLOCK);
    const struct waits *w = asks && !engine_failed(e) ? engine_waits(e) : NULL;
    return !w ? 0 : waits_circle(w, &circle) ? circle.g[0] : waits_next(w, 0);
}

struct moment engine_moment(struct engine *e, int code, const struct engine_config *c)
{
    uint32_t dead = e->how == ENDED_ENDLESS ? e->fatal_g : deadlocked(e);
    if (dead)
        return (struct moment){.g = dead};
    uint32_t expected, i = code == 1 && !engine_failed(e) && expect_claims(e->expect) ? expect_first_failed(e->expect) : UINT32_MAX;
    if (i == UINT32_MAX || expect_ok(e->expect, i))
        return (struct moment){0};
    if (expect_broken_at(e->expect, i))
        return (struct moment){.event = expect_broken_at(e->expect, i)};
    if (expect_is_about_races(e->expect, i, &expected))
        return expected < e->races.found ? (struct moment){e->races.v[expected].event + e->races.by_place, e->races.v[expected].second.g}
                                         : (struct moment){0};
    if (!e->waits || !waits_left(e->waits).leaked || e->how == ENDED_DEADLOCK)
        return (struct moment){0};
    return e->races.by_place ? first_park(e) : first_leak(e, c);
}
