/* The places that Gs have reached in their programs (trace/segment.h), as the history folds them. Going to a state in a segment decodes the places
 * of the segment from its first one on (some 10 µs for 4,000).
 */
#include "model/history/history_internal.h"

bool history_add_place(struct history *h, uint32_t g, uint32_t op)
{
    return !h->failed && store_add_place(h, g, op);
}

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
