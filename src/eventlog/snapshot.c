/* The memory of a snapshot: chunks that never move, so pointers into them stay valid. */
#include "eventlog/snapshot.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_MIN ((size_t)64 * 1024)
#define HEADER ((sizeof(struct snap_chunk) + 15) & ~(size_t)15)

static struct snap_chunk *chunk_new(struct snapshot *s, size_t size)
{
    size_t room = size > CHUNK_MIN ? size : CHUNK_MIN;
    struct snap_chunk *c = malloc(HEADER + room);
    if (!c)
        return NULL;
    *c = (struct snap_chunk){.next = s->chunks, .size = room};
    s->chunks = c;
    return c;
}

void *snapshot_alloc(struct snapshot *s, size_t n, size_t size)
{
    if (size && n > (SIZE_MAX / 2 - HEADER) / size)
        return NULL;
    size_t bytes = (n * size + 15) & ~(size_t)15;
    struct snap_chunk *c = s->chunks;
    if (!c || c->size - c->used < bytes)
        c = chunk_new(s, bytes);
    if (!c)
        return NULL;
    void *at = (char *)c + HEADER + c->used;
    c->used += bytes;
    return memset(at, 0, bytes);
}

/* Replaces the chunks by one of their total size, so that the next fill of a similar state allocates nothing. */
void snapshot_reset(struct snapshot *s)
{
    size_t total = 0;
    struct snap_chunk *only = s->chunks && !s->chunks->next ? s->chunks : NULL;
    if (!only) {
        for (struct snap_chunk *c = s->chunks; c; c = c->next)
            total += c->size;
        snapshot_fini(s);
    }
    *s = (struct snapshot){.chunks = only};
    if (only)
        only->used = 0;
    else if (total)
        (void)chunk_new(s, total); /* if it fails, snapshot_alloc() tries again and reports it */
}

void snapshot_fini(struct snapshot *s)
{
    struct snap_chunk *next;
    for (struct snap_chunk *c = s->chunks; c; c = next) {
        next = c->next;
        free(c);
    }
    *s = (struct snapshot){0};
}

struct snap_g *snapshot_g(const struct snapshot *s, uint32_t id)
{
    uint32_t lo = 0, hi = s->ng;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (s->g[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < s->ng && s->g[lo].id == id ? &s->g[lo] : NULL;
}
