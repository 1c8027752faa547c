/* The places that Gs have reached in their programs. They have no numbers, so each segment keeps them apart from its events. Each belongs to the
 * event that follows it, so the state after an event is the one in which a stop at that event left the run.
 *
 * A place takes some 4 bytes: how many events follow the previous one, the G, the operation. Going to a state in a segment decodes the places
 * of the segment from its first one on (some 10 µs for 4,000).
 */
#include "model/history_internal.h"

#include <stdlib.h>

enum { WORD = 5, PLACE = 3 * WORD }; /* the most bytes of a number and of a place */

/* 7 bits a byte, the lowest first; the highest bit says that more follow. */
static uint8_t *put_word(uint8_t *to, uint32_t v)
{
    for (; v >= 0x80; v >>= 7)
        *to++ = (uint8_t)(v | 0x80);
    *to++ = (uint8_t)v;
    return to;
}

static uint32_t take_word(const uint8_t **at)
{
    uint32_t v = 0, shift = 0;
    for (; **at & 0x80; shift += 7)
        v |= (*(*at)++ & 0x7fu) << shift;
    return v | (uint32_t) * (*at)++ << shift;
}

static bool make_room(struct history *h, struct segment_places *p)
{
    if (p->n + PLACE <= p->cap)
        return true;
    size_t cap = p->cap ? 2 * p->cap : 256;
    uint8_t *v = realloc(p->v, cap);
    if (!v)
        return false;
    h->bytes += cap - p->cap;
    p->v = v;
    p->cap = cap;
    return true;
}

bool history_add_place(struct history *h, uint32_t g, uint32_t op)
{
    struct segment *s = last_segment(h);
    struct segment_places *p = &s->places;
    if (h->failed || !make_room(h, p))
        return false;
    uint8_t *to = put_word(p->v + p->n, s->n - p->last);
    to = put_word(put_word(to, g), op);
    p->n = (size_t)(to - p->v);
    p->last = s->n;
    return true;
}

void places_free(struct history *h, struct segment_places *p)
{
    h->bytes -= p->cap;
    p->cap = 0;
    free(p->v);
    p->v = NULL;
}

/* Reads the next place, if there is one. */
static void step(struct places *p)
{
    if (p->at == p->end) {
        p->before = UINT64_MAX;
        return;
    }
    p->before += take_word(&p->at);
    p->g = take_word(&p->at);
    p->op = take_word(&p->at);
}

bool places_open(struct history *h, struct places *p, uint64_t number)
{
    const struct segment *s = &h->seg.v[segment_of(h, number)];
    if (s->first == p->first)
        return true;
    *p = (struct places){.first = s->first, .before = s->first};
    if (s->places.n && !(p->at = store_places(h, s)))
        return false;
    p->end = s->places.n ? p->at + s->places.n : p->at;
    step(p);
    while (p->before < number)
        step(p);
    return true;
}

bool places_pass(struct places *p, struct model *md, uint64_t number)
{
    for (; p->before <= number; step(p))
        if (!model_place(md, p->g, p->op))
            return false;
    return true;
}
