/* The places that Gs have reached in their programs (trace/segment.h), as the history folds them. Going to a state in a segment decodes the places
 * of the segment from its first one on (some 10 µs for 4,000).
 */
#include "model/history_internal.h"

bool history_add_place(struct history *h, uint32_t g, uint32_t op)
{
    return !h->failed && store_add_place(h, g, op);
}

/* Reads the next place, if there is one. */
static void step(struct places *p)
{
    bool more = p->at != p->end && (p->at = place_next(p->at, p->end, &p->next));
    p->before = more ? p->first + p->next.n : UINT64_MAX;
}

bool places_open(struct history *h, struct places *p, uint64_t number)
{
    const struct segment *s = &h->seg.v[segment_of(h, number)];
    if (s->first == p->first)
        return true;
    *p = (struct places){.first = s->first};
    size_t n;
    if (!(p->at = store_places(h, s, &n)))
        return false;
    p->end = p->at + n;
    do
        step(p);
    while (p->before < number);
    return true;
}

bool places_pass(struct places *p, struct model *md, uint64_t number)
{
    for (; p->before <= number; step(p))
        if (!model_place(md, p->next.g, p->next.op))
            return false;
    return true;
}

bool history_tell(struct history *h, const struct history_listener *to)
{
    struct places p = {0};
    struct history_event e;
    uint64_t n = history_events(h);
    for (uint64_t number = 1; number <= n + 1; number++) {
        if (!places_open(h, &p, number <= n || !n ? number : n))
            return false;
        for (; p.before <= number; step(&p))
            to->place(to->ctx, p.next.g, p.next.op);
        if (number <= n && !(history_get(h, number, &e) && to->event(to->ctx, &e)))
            return false;
    }
    return true;
}
