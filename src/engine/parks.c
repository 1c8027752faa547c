/* Where Gs began to wait, by the numbers of events. */
#include "engine/parks.h"
#include <stdlib.h>
#include <string.h>

static bool note_park(void *ctx, const struct merged_event *at)
{
    struct parks *p = ctx;
    uint32_t g = at->e->g;
    if (g >= EV_SYSTEM_G)
        return true;
    if (g >= p->n) {
        uint32_t n = g < 32 ? 64 : 2 * g;
        uint64_t *event = realloc(p->event, n * sizeof *event);
        if (!event)
            return false;
        memset(event + p->n, 0, (n - p->n) * sizeof *event);
        p->event = event;
        p->n = n;
    }
    p->event[g] = at->number;
    return true;
}

struct reader parks_reader(struct parks *p)
{
    static const bool kinds[EV_KINDS] = {[EV_G_PARK] = true};
    return (struct reader){.ctx = p, .kinds = kinds, .event = note_park, .lack = "cannot keep where Gs began to wait"};
}
