/* See segment.h. */
#include "trace/segment.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(struct bytes *b, size_t more, size_t behind)
{
    if (b->n + more <= b->cap)
        return true;
    size_t cap = (b->n + more) * 2;
    uint8_t *v = realloc(b->v, cap + behind);
    if (!v)
        return false;
    b->v = v;
    b->cap = cap;
    return true;
}

void segment_clear(struct open_segment *s)
{
    s->n = s->last_place = 0;
    s->events.n = s->places.n = s->kept = s->since = s->thin = 0;
    memset(&s->packer, 0, sizeof s->packer);
}

void segment_fini(struct open_segment *s)
{
    free(s->events.v);
    free(s->places.v);
}

bool segment_add(struct open_segment *s, uint32_t m, const struct ev *e, uint32_t n, const char *text, size_t len)
{
    if (s->n % BLOCK == 0)
        memset(&s->packer, 0, sizeof s->packer);
    s->n += n;
    for (uint32_t done; n; e += done, n -= done) {
        if (!make_room(&s->events, PACK_ROOM + len, PACK_BEHIND))
            return false;
        uint8_t *to = s->events.v + s->events.n;
        done = pack_record(&s->packer, &to, m, e, n, text, len);
        s->events.n = (size_t)(to - s->events.v);
    }
    return true;
}

/* ---- places ---- */

static uint8_t *put_number(uint8_t *to, uint32_t v)
{
    for (; v >= 0x80; v >>= 7)
        *to++ = (uint8_t)(v | 0x80);
    *to++ = (uint8_t)v;
    return to;
}

/* Returns the byte after the number; NULL: the bytes end first, or it has more than 32 bits. */
static const uint8_t *take_number(const uint8_t *at, const uint8_t *end, uint32_t *v)
{
    uint64_t all = 0;
    for (uint32_t shift = 0; at < end && shift < 35; shift += 7) {
        all |= (uint64_t)(*at & 0x7f) << shift;
        if (*at++ & 0x80)
            continue;
        *v = (uint32_t)all;
        return all <= UINT32_MAX ? at : NULL;
    }
    return NULL;
}

const uint8_t *place_next(const uint8_t *at, const uint8_t *end, struct place *p)
{
    uint32_t more;
    if (!(at = take_number(at, end, &more)) || more > UINT32_MAX - p->n)
        return NULL;
    p->n += more;
    at = take_number(at, end, &p->g);
    return at ? take_number(at, end, &p->op) : NULL;
}

static uint8_t *put_place(uint8_t *to, uint32_t more, const struct place *p)
{
    return put_number(put_number(put_number(to, more), p->g), p->op);
}

/* Keeps the last place of each G of those from byte `since` on, which all follow the same event. The notes of no G (engine/recorder.c) all stay. Returns
 * false if memory ran out. */
static bool thin_out(struct open_segment *s)
{
    VEC(struct place) kept = {0};
    const uint8_t *at = s->places.v + s->since, *end = s->places.v + s->places.n;
    struct place p = {0};
    bool fits = true;
    while (at && at < end && fits && (at = place_next(at, end, &p))) {
        size_t i = p.g ? 0 : kept.n;
        while (i < kept.n && kept.v[i].g != p.g)
            i++;
        if (i == kept.n)
            fits = vec_push(&kept, p);
        else
            kept.v[i].op = p.op;
    }
    uint8_t *to = s->places.v + s->since;
    for (size_t i = 0; i < kept.n && fits; i++)
        to = put_place(to, i ? 0 : kept.v[0].n, &kept.v[i]);
    if (fits)
        s->places.n = (size_t)(to - s->places.v);
    vec_free(&kept);
    return fits;
}

bool segment_place(struct open_segment *s, uint32_t g, uint32_t op)
{
    enum { FEW = 256 }; /* bytes */
    if (s->n != s->last_place || s->since < s->kept) {
        s->since = s->n != s->last_place ? s->places.n : s->kept;
        s->thin = FEW;
    }
    if (s->places.n - s->since > s->thin) {
        if (!thin_out(s))
            return false;
        size_t left = s->places.n - s->since;
        s->thin = left > FEW / 2 ? 2 * left : FEW;
    }
    if (!make_room(&s->places, PLACE_ROOM, 0))
        return false;
    s->places.n = (size_t)(put_place(s->places.v + s->places.n, s->n - s->last_place, &(struct place){.g = g, .op = op}) - s->places.v);
    s->last_place = s->n;
    return true;
}
