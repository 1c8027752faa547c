/* Queues of ids: in the middle of a buffer, so that both ends can grow. */
#include "model/model_internal.h"

#include <stdlib.h>
#include <string.h>

/* Makes room at both ends: moves the content to the middle of a buffer that is at most half full afterwards. The buffer is large enough that
 * both ends get at least one free place. */
static bool deque_room(struct model *md, struct deque *d)
{
    uint32_t cap = d->cap;
    if (cap < 16)
        cap = 32; /* a clone's buffer has no free place */
    else if (d->n >= cap / 2)
        cap *= 2;
    uint32_t off = (cap - d->n) / 2, *v = d->v;
    if (cap != d->cap) {
        v = malloc(cap * sizeof *v);
        if (!v) {
            md->oom = true;
            return false;
        }
    }
    if (d->n)
        memmove(v + off, d->v + d->off, d->n * sizeof *v);
    if (v != d->v)
        free(d->v);
    d->v = v;
    d->cap = cap;
    d->off = off;
    return true;
}

void deque_push_back(struct model *md, struct deque *d, uint32_t v)
{
    if (d->off + d->n < d->cap || deque_room(md, d))
        d->v[d->off + d->n++] = v;
}

void deque_push_front(struct model *md, struct deque *d, uint32_t v)
{
    if (d->off > 0 || deque_room(md, d)) {
        d->v[--d->off] = v;
        d->n++;
    }
}

void deque_drop_front(struct deque *d, uint32_t n)
{
    d->off += n;
    d->n -= n;
}

bool deque_copy(struct deque *to, const struct deque *from)
{
    *to = (struct deque){0};
    if (from->n == 0)
        return true;
    to->v = malloc(from->n * sizeof *to->v);
    if (!to->v)
        return false;
    memcpy(to->v, from->v + from->off, from->n * sizeof *to->v);
    to->n = to->cap = from->n;
    return true;
}

bool deque_remove(struct deque *d, uint32_t v)
{
    for (uint32_t i = 0; i < d->n; i++)
        if (d->v[d->off + i] == v) {
            memmove(d->v + d->off + i, d->v + d->off + i + 1, (d->n - i - 1) * sizeof *d->v);
            d->n--;
            return true;
        }
    return false;
}
